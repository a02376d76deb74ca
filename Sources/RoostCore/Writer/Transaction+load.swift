import RoostWire

/// Loading the data of a batch, set by set.
extension Transaction {
    /// Loads all keys, users and channels of a batch with a few statements.
    ///
    /// If other processes write too, the caches may be outdated: the rows of the channels and users that the batch
    /// will change are locked in the order of their ids and read again, and those with another version are reloaded.
    /// Otherwise the caches are authoritative, and only missing entries are read.
    mutating func preload(_ jobs: ArraySlice<Job>) throws {
        var keys: [[SQLValue]] = []
        var here: Set<CommandKey> = []
        var afters: [CommandKey] = []
        var changing = NamedChannels()
        var seen = NamedChannels()
        var open = NamedChannels()
        var actors: Set<UserID> = []
        // Commands that name more are refused.
        let most = max(configuration.limits.channelsPerCommand, configuration.limits.idsPerCommand) + 1
        for job in jobs {
            if case .attach(_, _, let actor) = job { actors.insert(actor.user.userID) }
            // A closed connection joins no channels.
            if case .participate(let session, _, let ids, _) = job, let live = batch.caches.sessions[session] {
                open.actor = live.user.userID
                open.formUnion(ids.prefix(Job.channelsAtOnce))
            }
            guard case .command(let command, let id, let actor, _, _) = job else { continue }
            batch.actors.insert(actor.user.userID)
            (changing.actor, seen.actor) = (actor.user.userID, actor.user.userID)
            if actor.session == nil { actors.insert(actor.user.userID) }
            if case .write(let write) = command, let transID = TransID(rawValue: id) {
                let key = CommandKey(user: actor.user.userID, transID: transID)
                if here.insert(key).inserted { keys.append([.text(key.user.rawValue), .text(id)]) }
                if case .sendMessage(let send) = write, let after = send.after {
                    let key = CommandKey(user: actor.user.userID, transID: after)
                    if batch.caches.lastSend[key.user] == after {
                        batch.accepted.insert(key)
                    } else {
                        afters.append(key)
                    }
                }
            }
            let value = command.value
            changing.formUnion(value.changedChannels.prefix(most))
            seen.formUnion(value.seenChannels.prefix(most))
        }
        for key in afters where !here.contains(key) {
            keys.append([.text(key.user.rawValue), .text(key.transID.rawValue)])
        }
        if !keys.isEmpty { try lookUp(keys) }
        try load(users: actors, locked: false)
        try loadRestrictions(of: actors.union(batch.actors))
        seen.moveNamed(in: &changing)
        open.moveNamed(in: &changing)
        open.moveNamed(in: &seen)
        try load(changing, locked: true)
        try load(seen, locked: false)
        try load(open, locked: false, asking: false)
    }

    mutating func lookUp(_ keys: [[SQLValue]]) throws {
        let found = try connection.rows(
            """
            WITH k (user_id, trans_id) AS (\(keys: keys))
            SELECT l.sender, l.trans_id, l.hash, l.frame, 1, l.channel, l.seq, l.sent_at FROM k
            JOIN channel_log l ON l.sender = k.user_id AND l.trans_id = k.trans_id AND l.trans_id IS NOT NULL
            UNION ALL SELECT c.user_id, c.trans_id, c.hash, c.answer, 0, c.user_id, c.sent_at, c.sent_at FROM k
            JOIN command_keys c ON c.user_id = k.user_id AND c.trans_id = k.trans_id
            """
        ) { row in
            let isEvent = try row.int(4) == 1
            return (
                user: try row.text(0), transID: try row.text(1), hash: try row.int(2), isEvent: isEvent,
                event: try isEvent ? row.event(3, of: row.id(5), row.int(6)) : nil,
                answer: isEvent ? [] : (try? row.json(3)) ?? [], sentAt: try row.int(7)
            )
        }
        // The row in `command_keys` has the full answer, a log row not always; so it takes precedence.
        for row in found.sorted(by: { $0.isEvent && !$1.isEvent }) {
            guard let user = UserID(rawValue: row.user), let transID = TransID(rawValue: row.transID) else { continue }
            let answer = row.event.map { event in
                WireCodec.encode(Acknowledgement(repeating: event, transID: transID, sentAt: row.sentAt))
            }
            batch.known[CommandKey(user: user, transID: transID)] = KnownCommand(
                hash: row.hash, answer: answer ?? row.answer)
        }
    }

    /// Loads channels into the batch, from the cache if it is current, otherwise with members, marks and corrections.
    mutating func load(_ ids: Set<ChannelID>, locked: Bool = true) throws {
        var wanted: [ChannelID] = []
        for id in ids {
            if !isShared, let cached = batch.caches.channels[id] {
                batch.channels[id] = cached
            } else {
                wanted.append(id)
            }
        }
        if !wanted.isEmpty {
            let heads = try heads(of: wanted, locked: locked)
            try add(heads, members: { _ in true })
        }
        try loadSubscribers(of: ids.filter { batch.channels[$0]?.kind.isNews == true })
    }

    /// Loads channels into the batch for the users who name them.
    ///
    /// The users who name a channel are looked up before its members: these are loaded only if one of those users has
    /// a row there. For other users the same statements run whether the channel exists or not, and whether it is
    /// cached or not; the batch gets only the head of such a channel, and the caches get nothing.
    ///
    /// Without `asking`, users are looked up only in open channels, and only those and news are loaded completely.
    private mutating func load(_ named: NamedChannels, locked: Bool, asking: Bool = true) throws {
        var wanted: Set<ChannelID> = []
        for id in named.channels where isShared || batch.caches.channels[id] == nil { wanted.insert(id) }
        if !isShared {
            for key in named.keys where batch.caches.channels[key.channel]?.isMember(key.user) == false {
                wanted.insert(key.channel)
            }
            for id in named.channels where !wanted.contains(id) { batch.channels[id] = batch.caches.channels[id] }
        }
        if !wanted.isEmpty {
            let heads = try heads(of: Array(wanted), locked: locked)
            var here: Set<ChannelID> = []
            var asked: [MemberKey] = []
            for key in named.keys where wanted.contains(key.channel) {
                let head = heads[key.channel]
                if head?.kind.hasMembers == false { continue }
                if let head, cached(head)?.members[key.user] != nil {
                    here.insert(head.id)
                } else {
                    asked.append(key)
                }
            }
            if asking, !asked.isEmpty { here.formUnion(try channelsWithRows(asked)) }
            try add(heads, members: here.contains)
        }
        try loadSubscribers(of: named.channels.filter { batch.channels[$0]?.kind.isNews == true })
        // In an open channel only a banned user has a row.
        let open = named.keys.filter { batch.channels[$0.channel]?.kind == .open && !batch.absentMembers.contains($0) }
        if !open.isEmpty { _ = try channelsWithRows(Array(open)) }
    }

    /// Looks up which users have a row in channels, as members or otherwise, and records those who have none.
    /// - Returns: the channels in which at least one of them has a row.
    private mutating func channelsWithRows(_ keys: [MemberKey]) throws -> Set<ChannelID> {
        let found = try connection.rows(
            """
            WITH k (channel, user_id) AS (\(keys: keys.map { [.text($0.channel.rawValue), .text($0.user.rawValue)] }))
            SELECT m.channel, m.user_id FROM k JOIN members m ON m.channel = k.channel AND m.user_id = k.user_id
            """
        ) { MemberKey(channel: try $0.id(0), user: try $0.id(1)) }
        batch.absentMembers.formUnion(Set(keys).subtracting(found))
        return Set(found.map(\.channel))
    }

    /// The cached channel, if it is current.
    private func cached(_ head: ChannelState) -> ChannelState? {
        batch.caches.channels[head.id].flatMap { $0.version == head.version ? $0 : nil }
    }

    /// Adds loaded heads to the batch, some of them with members; all other requested channels do not exist.
    private mutating func add(_ heads: Heads, members: (ChannelID) -> Bool) throws {
        var keys: [[SQLValue]] = []
        for head in heads.found.values {
            if head.kind.hasMembers, !members(head.id) {
                batch.heads[head.id] = head
                continue
            }
            batch.heads[head.id] = nil
            if let cached = cached(head) {
                batch.channels[head.id] = cached
            } else {
                batch.channels[head.id] = head
                if head.kind.hasMembers { keys.append([.text(head.id.rawValue)]) }
            }
        }
        batch.absent.formUnion(heads.absent)
        if !keys.isEmpty { try loadMembers(keys) }
    }

    /// The loaded rows of channels, without members.
    private struct Heads {
        var found: [ChannelID: ChannelState] = [:]
        var absent: Set<ChannelID>

        subscript(_ id: ChannelID) -> ChannelState? { found[id] }
    }

    private func heads(of wanted: [ChannelID], locked: Bool) throws -> Heads {
        var query: Query = """
            WITH k (id) AS (\(keys: wanted.map { [.text($0.rawValue)] }))
            SELECT c.id, c.kind, c.title, c.seq, c.count, c.last_sent_at, c.last_message_seq, c.version, c.profile,
                c.created_at, c.created_by, c.dismissed_at, c.member_count, c.purged_seq, c.newest_piece_seq
            FROM channels c WHERE c.id IN (SELECT id FROM k) ORDER BY c.id
            """
        if locked { query.append(" \(.forUpdate)") }
        let rows = try connection.rows(query) { row in
            var channel = ChannelState(
                id: try row.id(0), kind: try row.kind(1), title: try row.optionalText(2), lastSentAt: try row.int(5))
            channel.seq = try row.int(3)
            channel.count = try row.int(4)
            channel.lastMessageSeq = try row.int(6)
            channel.version = try row.int(7)
            channel.profile = try row.profile(8).flatMap(ProfileBox.init)
            channel.createdAt = try row.int(9)
            channel.createdBy = try row.optionalID(10)
            channel.dismissedAt = try row.optionalInt(11)
            if channel.kind.isNews { channel.subscribers = Int(clamping: try row.int(12)) }
            channel.purgedSeq = try row.int(13)
            channel.newestPieceSeq = try row.int(14)
            return channel
        }
        var heads = Heads(absent: Set(wanted))
        for row in rows {
            heads.found[row.id] = row
            heads.absent.remove(row.id)
        }
        return heads
    }

    /// Loads the subscriptions of users who act in the batch into news channels; changed rows of theirs must have
    /// been flushed.
    mutating func loadSubscribers(of news: some Collection<ChannelID>) throws {
        guard !news.isEmpty, !batch.actors.isEmpty else { return }
        let found = try connection.rows(
            """
            WITH k (id) AS (\(keys: news.map { [.text($0.rawValue)] })),
                a (id) AS (\(keys: batch.actors.map { [.text($0.rawValue)] }))
            SELECT \(MemberState.columns), \(Reads.correction) FROM k JOIN a ON 1 = 1
            JOIN members m ON m.channel = k.id AND m.user_id = a.id
            LEFT JOIN read_marks r ON r.channel = m.channel AND r.user_id = m.user_id
            WHERE m.left_seq IS NULL
            """
        ) { row in
            var state = try MemberState(row)
            state.own = try row.int(MemberState.columnCount)
            return (channel: try row.id(0) as ChannelID, user: try row.id(1) as UserID, state: state)
        }
        for row in found { batch.channels[row.channel]?.members[row.user] = row.state }
    }

    private mutating func loadMembers(_ keys: [[SQLValue]]) throws {
        let members = try connection.rows(
            """
            WITH k (id) AS (\(keys: keys))
            SELECT DISTINCT \(MemberState.columns) FROM k JOIN members m ON m.channel = k.id
            LEFT JOIN read_marks r ON r.channel = m.channel AND r.user_id = m.user_id
            WHERE m.left_seq IS NULL
            """
        ) { (channel: try $0.id(0) as ChannelID, user: try $0.id(1) as UserID, state: try MemberState($0)) }
        for member in members { batch.channels[member.channel]?.members[member.user] = member.state }
        try loadCorrections(keys)
    }

    /// Recomputes the unread corrections of the members of some channels.
    mutating func loadCorrections(_ keys: [[SQLValue]]) throws {
        let own = try connection.rows(
            """
            WITH k (id) AS (\(keys: keys)), d (id) AS (SELECT DISTINCT id FROM k)
            SELECT u.channel, u.user_id, COUNT(*) FROM (
                SELECT m.channel, m.user_id, l.seq FROM d JOIN members m ON m.channel = d.id
                LEFT JOIN read_marks r ON r.channel = m.channel AND r.user_id = m.user_id
                JOIN channel_log l ON l.channel = m.channel AND l.sender = m.user_id AND l.seq > COALESCE(r.seq, 0)
                WHERE l.behind = 1 AND m.left_seq IS NULL
                UNION SELECT m.channel, m.user_id, l.seq FROM d
                JOIN channel_log l ON l.channel = d.id AND \(RowFlags.isCountedAndRecalled("l.flags"))
                JOIN members m ON m.channel = l.channel AND m.left_seq IS NULL
                LEFT JOIN read_marks r ON r.channel = m.channel AND r.user_id = m.user_id
                WHERE l.seq > COALESCE(r.seq, 0)
                UNION SELECT m.channel, m.user_id, x.seq FROM d JOIN members m ON m.channel = d.id
                LEFT JOIN read_marks r ON r.channel = m.channel AND r.user_id = m.user_id
                JOIN deletions x ON x.channel = m.channel AND x.user_id = m.user_id AND x.seq > COALESCE(r.seq, 0)
                WHERE x.is_counted = 1 AND m.left_seq IS NULL
            ) u GROUP BY u.channel, u.user_id
            """
        ) { row in (channel: try row.id(0) as ChannelID, user: try row.id(1) as UserID, count: try row.int(2)) }
        for key in keys {
            guard case .text(let text) = key[0], let id = ChannelID(rawValue: text), var channel = batch.channels[id]
            else { continue }
            for user in channel.members.keys { channel.members[user]?.own = 0 }
            batch.channels[id] = channel
        }
        for row in own { batch.channels[row.channel]?.members[row.user]?.own = row.count }
    }

    /// Returns a channel including the changes of this batch; nil if it was dismissed, or if the caller has no row in
    /// it.
    /// - Throws: `WireError` 1107 for an open channel from which the caller is banned.
    mutating func channel(_ id: ChannelID) throws -> ChannelState? {
        guard let found = try row(of: id), found.dismissedAt == nil else { return nil }
        guard let command else { return found }
        let caller = command.actor.user.userID
        if batch.channels[id] == nil, !batch.absentMembers.contains(MemberKey(channel: id, user: caller)) {
            try load(NamedChannels([id], by: caller), locked: true)
        }
        guard let channel = batch.channels[id] else { return nil }
        try checkBan(of: caller, in: channel)
        return channel
    }

    /// The same for any caller, for commands that need no row in the channel.
    mutating func channelForAnyUser(_ id: ChannelID) throws -> ChannelState? {
        guard let found = try row(of: id), found.dismissedAt == nil else { return nil }
        if batch.channels[id] == nil { try load([id]) }
        return batch.channels[id]
    }

    /// Returns any channel with this id, even a dismissed one; without members if the caller has no row in it.
    mutating func row(of id: ChannelID) throws -> ChannelState? {
        try ensureLoaded([id])
        return batch.channels[id] ?? batch.heads[id]
    }

    /// Loads those channels that are not in the batch yet, as the caller may see them.
    mutating func ensureLoaded(_ ids: Set<ChannelID>) throws {
        let new = ids.filter { batch.channels[$0] == nil && batch.heads[$0] == nil && !batch.absent.contains($0) }
        guard !new.isEmpty else { return }
        guard let command else { return try load(new) }
        try load(NamedChannels(new, by: command.actor.user.userID), locked: true)
    }

    /// Returns a user including the changes of this batch; nil if the user has never logged in.
    mutating func user(_ id: UserID) throws -> UserState? {
        if batch.users[id] == nil { try load(users: [id], locked: false) }
        return batch.users[id]
    }

    /// Loads users into the batch, optionally locking their rows until the commit; a deleted user does not exist.
    mutating func load(users ids: Set<UserID>, locked: Bool = true) throws {
        var wanted: [[SQLValue]] = []
        for id in ids where locked ? !batch.lockedUsers.contains(id) : batch.users[id] == nil {
            guard !batch.deletedUsers.contains(id) else { continue }
            if !isShared, let cached = batch.users[id] ?? batch.caches.users[id] {
                batch.users[id] = cached
            } else {
                wanted.append([.text(id.rawValue)])
            }
        }
        guard !wanted.isEmpty else { return }
        var query: Query = """
            WITH k (id) AS (\(keys: wanted))
            SELECT u.id, u.name, u.image_url, u.seq, u.last_sent_at, u.own_fields, u.host FROM users u
            WHERE u.id IN (SELECT id FROM k) AND u.deleted_at IS NULL ORDER BY u.id
            """
        if locked { query.append(" \(.forUpdate)") }
        let found = try connection.rows(query) { row in
            UserState(
                user: User(userID: try row.id(0), name: try row.text(1), imageURL: try row.optionalText(2)),
                own: OwnFields(rawValue: try row.int(5)), seq: try row.int(3), lastSentAt: try row.int(4),
                host: try row.optionalText(6).flatMap(UserID.init(rawValue:)))
        }
        for state in found {
            batch.users[state.user.userID] = state
            if locked { batch.lockedUsers.insert(state.user.userID) }
        }
    }

    /// Locks the row of the caller until the commit.
    /// - Throws: `WireError` 7027 if another process has deleted the user since the caller's access was checked.
    mutating func lockMe() throws {
        let me = try me
        try load(users: [me])
        guard isShared ? batch.lockedUsers.contains(me) : batch.users[me] != nil else { throw WireError(.userDeleted) }
    }

    /// Returns users who must all exist.
    /// - Throws: `WireError` 7011, or the given code, if one does not exist.
    mutating func users(
        _ ids: [UserID], locked: Bool = true, unknown code: ErrorCode = .userNotFound
    ) throws -> [User] {
        try load(users: Set(ids), locked: locked)
        return try ids.map { id in
            guard let state = try user(id) else {
                throw WireError(
                    code,
                    "There is no user \"\(id)\" yet. A user is created at the first login.")
            }
            return state.user
        }
    }

    /// Returns the membership of a user.
    /// - Throws: `WireError` 1105 if the user was never a member, 1117 for a former member, 1107 if banned or
    ///   invited.
    func member(_ user: UserID, of channel: ChannelState) throws -> MemberState {
        if let member = channel.members[user] { return member }
        let standing = try standing(of: user, in: channel)
        throw WireError(RoleRules.refusal(of: .takePart, for: standing) ?? .channelNotFound)
    }

    /// Returns the standing of a user in a channel.
    func standing(of user: UserID, in channel: ChannelState) throws -> Standing {
        if let member = channel.members[user] { return Standing(role: member.role, wasMember: true) }
        let row = try nonMembers([user], of: channel.id)[user]
        return Standing(role: row?.role ?? .none, wasMember: row?.wasMember ?? false)
    }

    /// Returns those users who are not members but have a row: former members, banned and invited users. A user whose
    /// ban has ended is a former member, or none.
    func nonMembers(_ users: some Collection<UserID>, of channel: ChannelID) throws -> [UserID: NonMember] {
        var found: [UserID: NonMember] = [:]
        var keys: [[SQLValue]] = []
        for user in users {
            let key = MemberKey(channel: channel, user: user)
            if let row = batch.departed[key] {
                found[user] = row
            } else if !batch.absentMembers.contains(key) {
                keys.append([.text(user.rawValue)])
            }
        }
        guard !keys.isEmpty else { return found }
        let rows = try connection.rows(
            """
            WITH k (id) AS (\(keys: keys))
            SELECT m.user_id, m.role, m.left_seq, m.joined_seq, m.nickname, m.image_url, m.banned_until FROM members m
            WHERE m.channel = \(channel) AND m.user_id IN (SELECT id FROM k) AND m.left_seq IS NOT NULL
            """
        ) { row in
            let bannedUntil = try row.optionalInt(6)
            let hasEnded = bannedUntil.map { $0 <= batch.now } ?? false
            return (
                try row.id(0) as UserID,
                NonMember(
                    role: hasEnded ? .none : try row.role(1), leftSeq: try row.int(2), joinedSeq: try row.int(3),
                    appearance: MemberAppearance(nickname: try row.optionalText(4), imageURL: try row.optionalText(5)),
                    bannedUntil: hasEnded ? nil : bannedUntil)
            )
        }
        for (user, row) in rows where batch.channels[channel]?.members[user] == nil { found[user] = row }
        return found
    }
}

/// Channels named by commands, and the users who name them.
private struct NamedChannels {
    /// The user whose command names the channels inserted next.
    var actor: UserID?
    private(set) var channels: Set<ChannelID> = []
    private(set) var keys: Set<MemberKey> = []

    init() {}

    init(_ ids: Set<ChannelID>, by user: UserID) {
        actor = user
        formUnion(ids)
    }

    mutating func insert(_ id: ChannelID) {
        channels.insert(id)
        if let actor { keys.insert(MemberKey(channel: id, user: actor)) }
    }

    mutating func formUnion(_ ids: some Sequence<ChannelID>) { for id in ids { insert(id) } }

    /// Moves channels that are also in `others` there, with the users who name them.
    mutating func moveNamed(in others: inout NamedChannels) {
        guard !channels.isDisjoint(with: others.channels) else { return }
        others.keys.formUnion(keys.filter { others.channels.contains($0.channel) })
        channels.subtract(others.channels)
        keys = keys.filter { channels.contains($0.channel) }
    }
}

extension ChannelKind {
    /// Whether batches hold the members of such a channel.
    fileprivate var hasMembers: Bool { self != .open && !isNews }
}

extension ChannelState {
    /// Whether a user is a member, as far as members are cached for this kind of channel.
    fileprivate func isMember(_ user: UserID) -> Bool { !kind.hasMembers || members[user] != nil }
}

extension MemberState {
    /// The columns of a membership `m` and its read mark `r`, in the order that the initializer reads them.
    static let columns: Query = """
        m.channel, m.user_id, m.role, m.joined_seq, m.floor_seq, m.hidden_seq,
        COALESCE(r.seq, 0), COALESCE(r.count, 0), COALESCE(r.read_at, 0), m.flags, m.nickname, m.image_url, m.past_seq
        """
    static let columnCount = 13

    init(_ row: any SQLRow) throws {
        self.init(
            role: try row.role(2), flags: MemberFlags(rawValue: try row.int(9)),
            appearance: MemberAppearance(nickname: try row.optionalText(10), imageURL: try row.optionalText(11)),
            floorSeq: try row.int(4), pastSeq: try row.int(12), hiddenSeq: try row.int(5), markSeq: try row.int(6),
            markCount: try row.int(7), markAt: try row.int(8), joinedSeq: try row.int(3))
    }
}

extension Acknowledgement {
    /// Recreates the answer to the command that wrote this row. If the row is damaged, it lacks the id of the message.
    /// - Parameter sentAt: the time of the row, in ms since 1970.
    init(repeating event: Event, transID: TransID, sentAt: Int64) {
        self.init(
            channel: event.channel, seq: event.seq, messageID: event.messageID, transID: transID,
            sentAt: .init(milliseconds: sentAt))
    }
}

extension SQLRow {
    /// Reads a stored id.
    func id<ID: Identifier>(_ column: Int) throws -> ID {
        let text = try text(column)
        guard let id = ID(rawValue: text) else { throw DatabaseFailure(.corrupt, "a stored id breaks its rule") }
        return id
    }

    func optionalID<ID: Identifier>(_ column: Int) throws -> ID? { isNull(column) ? nil : try id(column) }

    /// Reads the settings of a channel.
    func profile(_ column: Int) throws -> ChannelProfile? {
        try optionalText(column).map { try WireCodec.decode(ChannelProfile.self, from: Array($0.utf8)) }
    }

    func kind(_ column: Int) throws -> ChannelKind {
        guard let kind = ChannelKind(rawValue: try text(column)) else {
            throw DatabaseFailure(.corrupt, "a stored channel kind is unknown")
        }
        return kind
    }

    func role(_ column: Int) throws -> Role {
        guard let role = Role(number: Int(clamping: try int(column))) else {
            throw DatabaseFailure(.corrupt, "a stored role is unknown")
        }
        return role
    }
}
