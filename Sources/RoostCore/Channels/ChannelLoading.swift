import RoostWire

/// Loading channels into a batch, set by set.
extension Transaction {
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
    mutating func load(_ named: NamedChannels, locked: Bool, asking: Bool = true) throws {
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
            if cached(head) == nil { batch.changedElsewhere[head.id] = head.version }
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
}

/// Channels named by commands, and the users who name them.
struct NamedChannels {
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
