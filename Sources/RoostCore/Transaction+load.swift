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
        var changing: Set<ChannelID> = []
        var seen: Set<ChannelID> = []
        var actors: Set<UserID> = []
        for job in jobs {
            if case .attach(_, _, let actor) = job { actors.insert(actor.user.userID) }
            if case .participate(_, let ids, _) = job { seen.formUnion(ids) }
            guard case .command(let command, let id, let actor, _) = job else { continue }
            batch.actors.insert(actor.user.userID)
            if actor.session == nil { actors.insert(actor.user.userID) }
            if command.effect == .writes, let transID = TransID(rawValue: id) {
                let key = CommandKey(user: actor.user.userID, transID: transID)
                if here.insert(key).inserted { keys.append([.text(key.user.rawValue), .text(id)]) }
            }
            switch command {
            case .sendMessage(let send):
                changing.insert(send.channel)
                if let after = send.after {
                    let key = CommandKey(user: actor.user.userID, transID: after)
                    if batch.caches.lastSend[key.user] == after {
                        batch.accepted.insert(key)
                    } else {
                        afters.append(key)
                    }
                }
            case .sendMany(let many): changing.formUnion(many.channels.prefix(configuration.limits.channelsPerCommand))
            case .createSchedule(let body):
                changing.formUnion(body.channels.prefix(configuration.limits.channelsPerCommand))
            case .setReadMark(let body): changing.insert(body.channel)
            case .unsetReadMark(let body): changing.insert(body.channel)
            case .announceMessage(let body): changing.insert(body.channel)
            case .publishNews(let body): changing.insert(body.channel)
            case .recallMessages(let body): changing.insert(body.channel)
            case .forwardMessages(let body):
                changing.insert(body.channel)
                changing.formUnion(body.channels.prefix(configuration.limits.idsPerCommand))
            case .createVote(let body): changing.insert(body.channel)
            case .castVote(let body): changing.insert(body.channel)
            case .closeVote(let body): changing.insert(body.channel)
            case .deleteMessages(let body): if let channel = body.channel { changing.insert(channel) }
            case .inviteMembers(let body): changing.insert(body.channel)
            case .answerInvitation(let body): changing.insert(body.channel)
            case .becomeMember(let body): changing.insert(body.channel)
            case .kickMembers(let body): changing.insert(body.channel)
            case .banMembers(let body): changing.insert(body.channel)
            case .unbanMembers(let body): changing.insert(body.channel)
            case .setMemberRole(let body): changing.insert(body.channel)
            case .setChannelProfile(let body): changing.insert(body.channel)
            case .setChannelPreference(let body): changing.insert(body.channel)
            case .dismissChannel(let body): changing.insert(body.channel)
            case .leaveChannel(let body): changing.insert(body.channel)
            case .hideChannel(let body): if let channel = body.channel { changing.insert(channel) }
            case .endChannel(let body): if let channel = body.channel { changing.insert(channel) }
            case .startTyping(let typing): seen.insert(typing.channel)
            case .endTyping(let typing): seen.insert(typing.channel)
            case .joinChannel(let join): seen.insert(join.channel)
            default: break
            }
        }
        for key in afters where !here.contains(key) {
            keys.append([.text(key.user.rawValue), .text(key.transID.rawValue)])
        }
        if !keys.isEmpty { try lookUp(keys) }
        try load(users: actors, locked: false)
        try load(changing)
        try load(seen.subtracting(changing), locked: false)
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
        if !wanted.isEmpty { try load(channels: wanted, locked: locked) }
        try loadSubscribers(of: ids.filter { batch.channels[$0]?.kind.isNews == true })
    }

    private mutating func load(channels wanted: [ChannelID], locked: Bool) throws {
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
        var keys: [[SQLValue]] = []
        for row in rows {
            if let cached = batch.caches.channels[row.id], cached.version == row.version {
                batch.channels[row.id] = cached
            } else {
                batch.channels[row.id] = row
                if row.kind != .open, !row.kind.isNews { keys.append([.text(row.id.rawValue)]) }
            }
        }
        if rows.count < wanted.count { batch.absent.formUnion(wanted.filter { batch.channels[$0] == nil }) }
        if !keys.isEmpty { try loadMembers(keys) }
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
                JOIN channel_log l ON l.channel = d.id AND l.flags >= 5 AND l.flags <> 6
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

    /// A channel as this batch sees it; nothing for one that was dismissed.
    mutating func channel(_ id: ChannelID) throws -> ChannelState? {
        let found = try row(of: id)
        return found?.dismissedAt == nil ? found : nil
    }

    /// Whatever stands under an id, a dismissed channel too.
    mutating func row(of id: ChannelID) throws -> ChannelState? {
        if batch.channels[id] == nil, !batch.absent.contains(id) { try load([id]) }
        return batch.channels[id]
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
    /// - Throws: `WireError` 1106 for the first who is not.
    mutating func users(_ ids: [UserID], locked: Bool = true) throws -> [User] {
        try load(users: Set(ids), locked: locked)
        return try ids.map { id in
            guard let state = try user(id) else {
                throw WireError(
                    .userNotInChannel,
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
            if let row = batch.departed[MemberKey(channel: channel, user: user)] {
                found[user] = row
            } else {
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
                    look: MemberLook(nickname: try row.optionalText(4), imageURL: try row.optionalText(5)))
            )
        }
        for (user, row) in rows where batch.channels[channel]?.members[user] == nil { found[user] = row }
        return found
    }
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
            look: MemberLook(nickname: try row.optionalText(10), imageURL: try row.optionalText(11)),
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
