import RoostWire

/// The changes of one commit: an overlay over the writer's caches, and the rows to write.
///
/// Commands run one after the other on these values. Nothing reaches the database before `flush`, and nothing reaches
/// the caches or a client before the commit. A refused command is undone by restoring the previous value of the
/// batch.
struct Batch {
    let now: Int64
    /// The underlying caches, as they were before this batch.
    let caches: Caches
    var channels: [ChannelID: ChannelState] = [:]
    /// Channels in which no requesting user has a row, as far as known: their members are not loaded, and they are
    /// not cached.
    var heads: [ChannelID: ChannelState] = [:]
    /// Channels that another server may have changed since this one has done so last, with the versions that were found.
    var changedElsewhere: [ChannelID: Int64] = [:]
    /// The versions of channels that this batch has written.
    private(set) var versions: [ChannelID: Int64] = [:]
    /// Ids that were looked up and do not exist.
    var absent: Set<ChannelID> = []
    /// Users who were looked up in a channel and have no row there, whether the channel exists or not.
    var absentMembers: Set<MemberKey> = []
    var users: [UserID: UserState] = [:]
    /// Users deleted by this batch.
    var deletedUsers: Set<UserID> = []
    /// The users whose commands are in this batch.
    var actors: Set<UserID> = []
    /// Users whose rows are locked until this batch is committed; only these may be changed.
    var lockedUsers: Set<UserID> = []
    var known: [CommandKey: KnownCommand] = [:]
    /// Sends known to have been accepted before this batch.
    var accepted: Set<CommandKey> = []
    /// The transID of the last accepted send of a user, for the chain of `after`.
    var lastSend: [UserID: TransID] = [:]
    var deliveries: [Delivery] = []
    /// What is reported after the commit.
    var audit: [AuditEntry] = []
    var answered: [Answered] = []
    /// The commands that are answered.
    var commands: [AnsweredCommand] = []
    /// How many commands, logins and joins of open channels are done in it.
    var jobs = 0
    /// How long it took to lock and read what they need, in µs; nil if nobody else uses the database.
    var lockTime: Int64?
    /// The connections to other servers of users who log in.
    var connectionsElsewhere: [UserID: Int] = [:]
    /// Users whose connections to a server have ended with it.
    var usersGoneElsewhere: Set<UserID> = []
    /// The changes to sessions on commit.
    var sessions: SessionChanges
    /// When the first task scheduled by this batch is due, in ms since 1970.
    private(set) var nextDue: Int64?
    /// What follows from the commit, besides deliveries and answers.
    private(set) var effects: [AfterCommit] = []
    /// What features know, with what this batch has changed.
    var features: FeatureOverlays

    /// Channels and users created by this batch. They are plain inserts, so of two processes that create the same
    /// one, only one succeeds.
    private var newChannels: Set<ChannelID> = []
    private var newUsers: Set<UserID> = []
    var changedChannels: Set<ChannelID> = []
    var changedMarks: Set<MemberKey> = []
    var changedMembers: Set<MemberKey> = []
    var departed: [MemberKey: NonMember] = [:]
    var changedUsers: Set<UserID> = []
    /// Rows of smaller tables, by upsert and key; a later row replaces an earlier one.
    private var otherRows: [Upsert: [[SQLValue]: [SQLValue]]] = [:]
    var channelRows: [[SQLValue]] = []
    var userRows: [[SQLValue]] = []
    var keyRows: [[SQLValue]] = []
    /// The number of flushes: when a command is undone, flushed rows must not be written again.
    private(set) var flushes = 0
    private var writtenRows = 0

    /// The number of rows written or to be written, without those of the smaller tables.
    var rows: Int {
        writtenRows + channelRows.count + userRows.count + keyRows.count + changedChannels.count
            + changedMembers.count + changedMarks.count + changedUsers.count + departed.count
    }

    struct Answered {
        var target: ReplyTarget
        var reply: Reply
    }

    init(now: Int64, over caches: Caches) {
        self.now = now
        self.caches = caches
        sessions = SessionChanges(over: caches.sessions)
        features = FeatureOverlays(over: caches.features)
    }

    private static let channelLog = Upsert(
        "channel_log",
        ["channel", "seq", "sender", "trans_id", "hash", "sent_at", "count", "behind", "flags", "category", "frame"])
    private static let userLog = Upsert("user_log", ["user_id", "seq", "sent_at", "frame"])
    private static let commandKeys = Upsert("command_keys", ["user_id", "trans_id", "hash", "sent_at", "answer"])
    private static let channelColumns = [
        "id", "kind", "title", "profile", "seq", "count", "last_sent_at", "last_message_seq", "member_count",
        "created_at", "created_by", "dismissed_at", "version", "newest_piece_seq",
    ]
    private static let addedChannels = Upsert("channels", channelColumns)
    private static let channelHeads = Upsert("channels", channelColumns, keys: ["id"])
    private static let memberRows = Upsert(
        "members",
        [
            "channel", "user_id", "role", "joined_seq", "left_seq", "floor_seq", "hidden_seq", "flags", "nickname",
            "image_url", "banned_until", "past_seq",
        ],
        keys: ["channel", "user_id"])
    private static let readMarks = Upsert(
        "read_marks", ["channel", "user_id", "seq", "count", "read_at"], keys: ["channel", "user_id"])
    private static let userColumns = ["id", "name", "image_url", "seq", "last_sent_at", "own_fields", "host"]
    private static let addedUsers = Upsert("users", userColumns)
    private static let userHeads = Upsert("users", userColumns, keys: ["id"])

    /// Whether it begins sessions.
    var attaches: Bool { deliveries.contains { if case .attach = $0 { true } else { false } } }

    /// Adds a new channel.
    mutating func add(_ channel: ChannelState) {
        channels[channel.id] = channel
        newChannels.insert(channel.id)
    }

    /// Adds a new user.
    mutating func add(_ user: UserState) {
        users[user.user.userID] = user
        newUsers.insert(user.user.userID)
        lockedUsers.insert(user.user.userID)
    }

    /// Schedules a turn of the tasks at a time, in ms since 1970.
    mutating func schedule(at time: Int64) { nextDue = min(nextDue ?? .max, time) }

    /// Adds an effect of the commit; twice is as once.
    mutating func add(_ effect: AfterCommit) {
        if !effects.contains(effect) { effects.append(effect) }
    }

    /// Writes the changes so far.
    mutating func flush(to connection: any SQLConnection) throws {
        // The version of a channel tells other processes that it has changed, including its members and marks.
        for key in changedMembers { changedChannels.insert(key.channel) }
        for key in changedMarks { changedChannels.insert(key.channel) }
        for key in departed.keys { changedChannels.insert(key.channel) }
        for id in changedChannels {
            channels[id]?.version += 1
            versions[id] = channels[id]?.version
        }
        try connection.write(try newChannels.compactMap { try channels[$0].map(Self.row) }, Self.addedChannels)
        try connection.write(newUsers.compactMap { users[$0].map(Self.row) }, Self.addedUsers)
        try connection.write(channelRows, Self.channelLog)
        try connection.write(userRows, Self.userLog)
        try connection.write(keyRows, Self.commandKeys)
        try connection.write(
            try changedChannels.subtracting(newChannels).compactMap { try channels[$0].map(Self.row) },
            Self.channelHeads)
        try connection.write(
            changedMembers.compactMap { key in
                channels[key.channel]?.members[key.user].map { Self.row(key, $0, leftSeq: nil) }
            }
                + departed.map { key, row in
                    let state = MemberState(role: row.role, appearance: row.appearance, joinedSeq: row.joinedSeq)
                    return Self.row(key, state, leftSeq: row.leftSeq, bannedUntil: row.bannedUntil)
                },
            Self.memberRows)
        try connection.write(
            changedMarks.compactMap { key in
                channels[key.channel]?.members[key.user].map {
                    [
                        .text(key.channel.rawValue), .text(key.user.rawValue), .int($0.markSeq), .int($0.markCount),
                        .int($0.markAt),
                    ]
                }
            }, Self.readMarks)
        try connection.write(
            changedUsers.subtracting(newUsers).compactMap { users[$0].map(Self.row) }, Self.userHeads)
        for (upsert, rows) in otherRows { try connection.write(Array(rows.values), upsert) }
        flushes += 1
        writtenRows = rows
        forgetPending()
    }

    /// Clears the pending rows after they were written.
    mutating func forgetPending() {
        channelRows.removeAll(keepingCapacity: true)
        userRows.removeAll(keepingCapacity: true)
        keyRows.removeAll(keepingCapacity: true)
        changedChannels.removeAll(keepingCapacity: true)
        changedMembers.removeAll(keepingCapacity: true)
        changedMarks.removeAll(keepingCapacity: true)
        changedUsers.removeAll(keepingCapacity: true)
        for key in departed.keys { absentMembers.remove(key) }
        departed.removeAll(keepingCapacity: true)
        newChannels.removeAll(keepingCapacity: true)
        newUsers.removeAll(keepingCapacity: true)
        otherRows.removeAll(keepingCapacity: true)
    }

    /// Adds a row of one of the smaller tables.
    mutating func put(_ row: [SQLValue], _ upsert: Upsert) {
        let key = upsert.keys.isEmpty ? row : zip(upsert.columns, row).filter { upsert.keys.contains($0.0) }.map(\.1)
        otherRows[upsert, default: [:]][key] = row
    }

    /// Records that a membership has changed, for the caller's list of changed channels.
    mutating func touch(_ key: MemberKey) {
        put([.text(key.channel.rawValue), .text(key.user.rawValue), .int(now)], Self.touched)
    }

    private static let touched = Upsert(
        "member_details", ["channel", "user_id", "changed_at"], keys: ["channel", "user_id"])

    private static func row(_ channel: ChannelState) throws -> [SQLValue] {
        [
            .text(channel.id.rawValue), .text(channel.kind.rawValue), SQLValue(channel.title),
            SQLValue(try channel.profile.map { String(decoding: try WireCodec.encode($0.profile), as: UTF8.self) }),
            .int(channel.seq), .int(channel.count), .int(channel.lastSentAt), .int(channel.lastMessageSeq),
            .int(Int64(channel.memberCount)), .int(channel.createdAt), SQLValue(channel.createdBy?.rawValue),
            SQLValue(channel.dismissedAt), .int(channel.version), .int(channel.newestPieceSeq),
        ]
    }

    private static func row(_ user: UserState) -> [SQLValue] {
        [
            .text(user.user.userID.rawValue), .text(user.user.name), SQLValue(user.user.imageURL), .int(user.seq),
            .int(user.lastSentAt), .int(user.own.rawValue), SQLValue(user.host?.rawValue),
        ]
    }

    private static func row(
        _ key: MemberKey, _ member: MemberState, leftSeq: Int64?, bannedUntil: Int64? = nil
    ) -> [SQLValue] {
        [
            .text(key.channel.rawValue), .text(key.user.rawValue), .int(Int64(member.role.number)),
            .int(member.joinedSeq), SQLValue(leftSeq), .int(member.floorSeq), .int(member.hiddenSeq),
            .int(member.flags.rawValue), SQLValue(member.appearance?.nickname), SQLValue(member.appearance?.imageURL),
            SQLValue(bannedUntil), .int(member.pastSeq),
        ]
    }

    /// Adds the delivery of an ephemeral event.
    mutating func notify(
        _ receivers: Receivers, channel: ChannelID, body: EphemeralBody, after seq: Int64 = 0
    ) throws {
        let event = Event(channel: channel, body: .ephemeral(body))
        let head = max(seq, (channels[channel] ?? caches.channels[channel])?.seq ?? 0)
        deliveries.append(.event(try WireCodec.encode(event), to: receivers, after: head))
    }

    /// Moves a member's read mark; it never moves backwards.
    mutating func moveMark(of user: UserID, in channel: inout ChannelState, to position: MarkPosition) -> Bool {
        guard var member = channel.members[user], position.seq > member.markSeq else { return false }
        member.markSeq = position.seq
        member.markCount = position.count
        member.own = position.own
        member.markAt = now
        channel.members[user] = member
        changedMarks.insert(MemberKey(channel: channel.id, user: user))
        return true
    }
}

/// A position for a read mark.
struct MarkPosition {
    var seq: Int64
    /// The count of messages up to this row.
    var count: Int64
    /// The correction for messages above this row.
    var own: Int64 = 0
}
