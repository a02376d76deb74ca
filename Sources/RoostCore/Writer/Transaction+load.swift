import RoostWire

/// Reading what a batch needs, set by set.
extension Transaction {
    /// Looks up all keys, users and channels of a batch in a few statements.
    ///
    /// Where other processes write too, what this one remembers is only a guess: the
    /// rows of the channels and users that the batch will change are locked in the
    /// order of their ids and read again, and what has another version is loaded
    /// anew. Without others the caches are the truth, and only gaps are read.
    mutating func preload(_ jobs: ArraySlice<Job>) throws {
        var keys: [[SQLValue]] = []
        var here: Set<CommandKey> = []
        var afters: [CommandKey] = []
        var changing = NamedChannels()
        var seen = NamedChannels()
        var open = NamedChannels()
        var actors: Set<UserID> = []
        // Who names more is refused.
        let most = max(configuration.limits.channelsPerCommand, configuration.limits.idsPerCommand) + 1
        for job in jobs {
            if case .attach(_, _, let actor) = job { actors.insert(actor.user.userID) }
            // A connection that is gone takes part in nothing.
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
            SELECT l.sender, l.trans_id, l.hash, l.frame, 1 FROM k
            JOIN channel_log l ON l.sender = k.user_id AND l.trans_id = k.trans_id AND l.trans_id IS NOT NULL
            UNION ALL SELECT c.user_id, c.trans_id, c.hash, c.answer, 0 FROM k
            JOIN command_keys c ON c.user_id = k.user_id AND c.trans_id = k.trans_id
            """
        ) { row in
            (
                user: try row.text(0), transID: try row.text(1), hash: try row.int(2), bytes: try row.blob(3),
                isEvent: try row.int(4) == 1
            )
        }
        // A key's own row tells the whole answer, the row of a log not always.
        for row in found.sorted(by: { $0.isEvent && !$1.isEvent }) {
            guard let user = UserID(rawValue: row.user), let transID = TransID(rawValue: row.transID) else { continue }
            var answer = row.bytes
            if row.isEvent {
                let event = try WireCodec.decodeEvent(row.bytes)
                answer = WireCodec.encode(Acknowledgement(repeating: event, transID: transID))
            }
            batch.known[CommandKey(user: user, transID: transID)] = KnownCommand(hash: row.hash, answer: answer)
        }
    }

    /// Puts channels into the batch, from the cache where it is right, else with members, marks and corrections.
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

    /// Puts channels into the batch for those who name them.
    ///
    /// Who names a channel is looked up before its members are: these are loaded where one of those who name it has a
    /// row there. For a stranger the same statements are run whether there is a channel or not, and whether it is
    /// remembered or not; of a channel of others the batch gets no more than the head, and the caches nothing.
    ///
    /// Without `asking` nobody is looked up, and only open channels and news are put into the batch as a whole.
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
    }

    /// Looks up which of some users are members of channels, or have another row there, and notes those who have none.
    /// - Returns: the channels in which one of them has a row.
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

    /// What is remembered of a channel, if it is still so.
    private func cached(_ head: ChannelState) -> ChannelState? {
        batch.caches.channels[head.id].flatMap { $0.version == head.version ? $0 : nil }
    }

    /// Puts heads that were read into the batch, some of them with members; whatever else was asked for is not there.
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

    /// What the rows of channels themselves say.
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

    /// Puts those who act in a batch into channels for news, where they are subscribed; the batch must not have changed
    /// any of their rows without having flushed it.
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

    /// Counts anew what the members of some channels have to be corrected by.
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

    /// A channel as this batch sees it; nil for one that was dismissed, and for one of others, in which the caller has
    /// no row.
    mutating func channel(_ id: ChannelID) throws -> ChannelState? {
        if let channel = batch.channels[id] { return channel.dismissedAt == nil ? channel : nil }
        guard let found = try row(of: id), found.dismissedAt == nil else { return nil }
        guard batch.channels[id] == nil, let command else { return found }
        let caller = command.actor.user.userID
        if !batch.absentMembers.contains(MemberKey(channel: id, user: caller)) {
            try load(NamedChannels([id], by: caller), locked: true)
        }
        return batch.channels[id]
    }

    /// The same for whoever asks: what may be done without a row in a channel comes here.
    mutating func channelForAnyUser(_ id: ChannelID) throws -> ChannelState? {
        guard let found = try row(of: id), found.dismissedAt == nil else { return nil }
        if batch.channels[id] == nil { try load([id]) }
        return batch.channels[id]
    }

    /// Whatever stands under an id, a dismissed channel too; one of others without its members.
    mutating func row(of id: ChannelID) throws -> ChannelState? {
        try ensureLoaded([id])
        return batch.channels[id] ?? batch.heads[id]
    }

    /// Puts those of some channels into the batch that are not there, as the caller may see them.
    mutating func ensureLoaded(_ ids: Set<ChannelID>) throws {
        let new = ids.filter { batch.channels[$0] == nil && batch.heads[$0] == nil && !batch.absent.contains($0) }
        guard !new.isEmpty else { return }
        guard let command else { return try load(new) }
        try load(NamedChannels(new, by: command.actor.user.userID), locked: true)
    }

    /// A user as this batch sees it; nothing for a user who never logged in.
    mutating func user(_ id: UserID) throws -> UserState? {
        if batch.users[id] == nil { try load(users: [id], locked: false) }
        return batch.users[id]
    }

    /// Puts users into the batch; locked, their rows stay as they are until it is committed.
    mutating func load(users ids: Set<UserID>, locked: Bool = true) throws {
        var wanted: [[SQLValue]] = []
        for id in ids where locked ? !batch.lockedUsers.contains(id) : batch.users[id] == nil {
            if !isShared, let cached = batch.users[id] ?? batch.caches.users[id] {
                batch.users[id] = cached
            } else {
                wanted.append([.text(id.rawValue)])
            }
        }
        guard !wanted.isEmpty else { return }
        var query: Query = """
            WITH k (id) AS (\(keys: wanted))
            SELECT u.id, u.name, u.image_url, u.seq, u.last_sent_at FROM users u
            WHERE u.id IN (SELECT id FROM k) ORDER BY u.id
            """
        if locked { query.append(" \(.forUpdate)") }
        let found = try connection.rows(query) { row in
            UserState(
                user: User(userID: try row.id(0), name: try row.text(1), imageURL: try row.optionalText(2)),
                seq: try row.int(3), lastSentAt: try row.int(4))
        }
        for state in found {
            batch.users[state.user.userID] = state
            if locked { batch.lockedUsers.insert(state.user.userID) }
        }
    }

    /// Users who must all be known.
    /// - Throws: `WireError` 7011 for the first who is not, or the given code.
    mutating func users(
        _ ids: [UserID], locked: Bool = true, unknown code: ErrorCode = .userNotFound
    ) throws -> [User] {
        try load(users: Set(ids), locked: locked)
        return try ids.map { id in
            guard let state = try user(id) else {
                throw WireError(
                    code,
                    "There is no user \"\(id)\" yet. A user is known from the first login on.")
            }
            return state.user
        }
    }

    /// The caller's membership.
    /// - Throws: `WireError` 1105 for who was never a member, 1117 for a former member, 1107 for who is banned or invited.
    func member(_ user: UserID, of channel: ChannelState) throws -> MemberState {
        if let member = channel.members[user] { return member }
        let standing = try standing(of: user, in: channel)
        throw WireError(RoleRules.refusal(of: .takePart, for: standing) ?? .channelNotFound)
    }

    /// What a user is to a channel.
    func standing(of user: UserID, in channel: ChannelState) throws -> Standing {
        if let member = channel.members[user] { return Standing(role: member.role, wasMember: true) }
        let row = try nonMembers([user], of: channel.id)[user]
        return Standing(role: row?.role ?? .none, wasMember: row?.wasMember ?? false)
    }

    /// Those of some users who are no members but have a row: former members, the banned and the invited.
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
            SELECT m.user_id, m.role, m.left_seq, m.joined_seq, m.nickname, m.image_url FROM members m
            WHERE m.channel = \(channel) AND m.user_id IN (SELECT id FROM k) AND m.left_seq IS NOT NULL
            """
        ) { row in
            (
                try row.id(0) as UserID,
                NonMember(
                    role: try row.role(1), leftSeq: try row.int(2), joinedSeq: try row.int(3),
                    appearance: MemberAppearance(nickname: try row.optionalText(4), imageURL: try row.optionalText(5)))
            )
        }
        for (user, row) in rows where batch.channels[channel]?.members[user] == nil { found[user] = row }
        return found
    }
}

/// Channels that commands name, and who names them.
private struct NamedChannels {
    /// Whose command it is that names the next ones.
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

    /// Leaves what others name too to them, with who names it here.
    mutating func moveNamed(in others: inout NamedChannels) {
        guard !channels.isDisjoint(with: others.channels) else { return }
        others.keys.formUnion(keys.filter { others.channels.contains($0.channel) })
        channels.subtract(others.channels)
        keys = keys.filter { channels.contains($0.channel) }
    }
}

extension ChannelKind {
    /// Whether the batch holds the members of such a channel.
    fileprivate var hasMembers: Bool { self != .open && !isNews }
}

extension ChannelState {
    /// Whether a user is a member, as far as that is remembered of such a channel.
    fileprivate func isMember(_ user: UserID) -> Bool { !kind.hasMembers || members[user] != nil }
}

extension MemberState {
    /// The columns of a membership `m` and its read mark `r`, as the initialiser reads them.
    static let columns: Query = """
        m.channel, m.user_id, m.role, m.joined_seq, m.floor_seq, m.hidden_seq,
        COALESCE(r.seq, 0), COALESCE(r.count, 0), COALESCE(r.read_at, 0), m.flags, m.nickname, m.image_url
        """
    static let columnCount = 12

    init(_ row: any SQLRow) throws {
        self.init(
            role: try row.role(2), flags: MemberFlags(rawValue: try row.int(9)),
            appearance: MemberAppearance(nickname: try row.optionalText(10), imageURL: try row.optionalText(11)),
            floorSeq: try row.int(4), hiddenSeq: try row.int(5), markSeq: try row.int(6),
            markCount: try row.int(7), markAt: try row.int(8), joinedSeq: try row.int(3))
    }
}

extension Acknowledgement {
    /// The answer to the command that wrote this row.
    init(repeating event: Event, transID: TransID) {
        self.init(
            channel: event.channel, seq: event.seq, messageID: event.messageID, transID: transID,
            sentAt: event.sentAt ?? 0)
    }
}

extension SQLRow {
    /// An id that this database wrote.
    func id<ID: Identifier>(_ column: Int) throws -> ID {
        let text = try text(column)
        guard let id = ID(rawValue: text) else { throw DatabaseFailure(.corrupt, "a stored id breaks its rule") }
        return id
    }

    func optionalID<ID: Identifier>(_ column: Int) throws -> ID? { isNull(column) ? nil : try id(column) }

    /// The settings of a channel.
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
