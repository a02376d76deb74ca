import RoostWire

extension Reads {
    func listReaders(_ list: ListReaders) throws -> [UInt8] {
        let limit = try limit(list.limit, default: 100, most: 100)
        let access = try accessToReaders(of: list.channel)
        let cursor = try cursor(list.cursor, TimeCursor<UserID>.init)
        guard let message = try messages([list.messageID], of: list.channel, access).first else {
            throw WireError(.messageNotFound)
        }
        let (at, last) = (cursor?.at ?? -1, cursor?.id.rawValue ?? "")
        var query: Query = """
            SELECT r.user_id, r.read_at FROM members m
            JOIN read_marks r ON r.channel = m.channel AND r.user_id = m.user_id
            WHERE m.channel = \(list.channel) AND m.left_seq IS NULL AND r.seq >= \(message.seq)
            AND r.user_id <> \(message.event.senderID?.rawValue ?? "")
            AND (r.read_at > \(at) OR r.read_at = \(at) AND r.user_id > \(last))
            """
        if try hidesOther(in: list.channel, access) { query.append(" AND r.user_id = \(me)") }
        query.append(" ORDER BY r.read_at, r.user_id LIMIT \(limit + 1)")
        let found = try connection.rows(query) { Reader(userID: try $0.id(0), readAt: try $0.time(1)) }
        let (page, next) = page(found, limit: limit) { TimeCursor(at: $0.$readAt, id: $0.userID).text }
        return try WireCodec.encode(ListReaders.Answer(readers: Array(page), next: next))
    }

    func countReads(_ count: CountReads) throws -> [UInt8] {
        try IDRules.check(count.messageIDs, "messageIDs", limits: configuration.limits)
        let access = try accessToReaders(of: count.channel)
        let messages = try messages(count.messageIDs, of: count.channel, access)
        guard !messages.isEmpty else { throw WireError(.messageNotFound) }
        let isHidden = try hidesOther(in: count.channel, access)
        let marks = try connection.rows(
            """
            SELECT m.user_id, COALESCE(r.seq, 0) FROM members m
            LEFT JOIN read_marks r ON r.channel = m.channel AND r.user_id = m.user_id
            WHERE m.channel = \(count.channel) AND m.left_seq IS NULL
            """
        ) { row in
            let user: UserID = try row.id(0)
            return (user: user, seq: isHidden && user != me ? 0 : try row.int(1))
        }
        let byUser = Dictionary(marks, uniquingKeysWith: { first, _ in first })
        let sorted = byUser.values.sorted()
        let counts = messages.compactMap { message -> ReadCount? in
            guard let id = message.event.messageID else { return nil }
            var unread = sorted.partitioningIndex { $0 >= message.seq }
            var read = sorted.count - unread
            if let sender = message.event.senderID, let mark = byUser[sender] {
                if mark >= message.seq { read -= 1 } else { unread -= 1 }
            }
            return ReadCount(messageID: id, readBy: read, unreadBy: unread)
        }
        return try WireCodec.encode(CountReads.Answer(messages: counts))
    }

    func listMemberReads(_ list: ListMemberReads) throws -> [UInt8] {
        let limit = try limit(list.limit, default: 100, most: 500)
        let access = try accessToReaders(of: list.channel)
        let isHidden = try hidesOther(in: list.channel, access)
        let after = try cursor(list.cursor, UserID.init)?.rawValue ?? ""
        let found = try connection.rows(
            """
            SELECT m.user_id, COALESCE(r.seq, 0), COALESCE(l.sent_at, 0), COALESCE(r.read_at, 0) FROM members m
            LEFT JOIN read_marks r ON r.channel = m.channel AND r.user_id = m.user_id
            LEFT JOIN channel_log l ON l.channel = m.channel AND l.seq = r.seq
            WHERE m.channel = \(list.channel) AND m.left_seq IS NULL AND m.user_id > \(after)
            ORDER BY m.user_id LIMIT \(limit + 1)
            """
        ) { row in
            let user: UserID = try row.id(0)
            guard !isHidden || user == me else {
                return MemberRead(userID: user, seq: 0, sentAt: .init(milliseconds: 0), readAt: .init(milliseconds: 0))
            }
            return MemberRead(userID: user, seq: try row.int(1), sentAt: try row.time(2), readAt: try row.time(3))
        }
        let (page, next) = page(found, limit: limit) { $0.userID.rawValue }
        return try WireCodec.encode(ListMemberReads.Answer(members: Array(page), next: next))
    }

    func listReadMarks(_ list: ListReadMarks) throws -> [UInt8] {
        let limit = try limit(list.limit, default: 100, most: 100)
        let after = try cursor(list.cursor, ChannelID.init)?.rawValue ?? ""
        var query: Query = """
            SELECT m.channel, c.kind, COALESCE(r.seq, 0), COALESCE(l.sent_at, 0), COALESCE(r.read_at, 0) FROM members m
            JOIN channels c ON c.id = m.channel
            LEFT JOIN read_marks r ON r.channel = m.channel AND r.user_id = m.user_id
            LEFT JOIN channel_log l ON l.channel = m.channel AND l.seq = r.seq
            WHERE m.user_id = \(me) AND m.left_seq IS NULL AND c.dismissed_at IS NULL
            """
        if let channel = list.channel {
            _ = try accessToMarks(of: channel)
            query.append(" AND m.channel = \(channel)")
        } else {
            query.append(" AND m.channel > \(after)")
        }
        query.append(" ORDER BY m.channel LIMIT \(limit + 1)")
        let found = try connection.rows(query) { row in
            ChannelRead(
                channel: try row.id(0), kind: try row.kind(1), seq: try row.int(2), sentAt: try row.time(3),
                readAt: try row.time(4))
        }
        let (page, next) = page(found, limit: limit) { $0.channel.rawValue }
        return try WireCodec.encode(ListReadMarks.Answer(channels: Array(page), next: next))
    }

    /// Returns the caller's access to a channel that has read marks.
    /// - Throws: `WireError` 1104 for an open channel.
    private func accessToMarks(of channel: ChannelID) throws -> Access {
        let access = try access(to: channel)
        guard access.kind != .open else {
            throw WireError(.channelTypeMismatch, "An open channel has no read marks.")
        }
        return access
    }

    /// The same, for commands that show the marks of others.
    /// - Throws: `WireError` 1104 also for news.
    private func accessToReaders(of channel: ChannelID) throws -> Access {
        let access = try accessToMarks(of: channel)
        guard !access.kind.isNews else {
            throw WireError(.channelTypeMismatch, "The readers of news are not disclosed.")
        }
        return access
    }

    /// Whether the users of a 1-on-1 may not see each other's read marks because one of them has blocked the other.
    func hidesOther(in channel: ChannelID, _ access: Access) throws -> Bool {
        guard access.kind == .single else { return false }
        let flags = try connection.rows(
            "SELECT flags FROM members WHERE channel = \(channel)"
        ) { MemberFlags(rawValue: try $0.int(0)) }
        return flags.contains { $0.contains(.blocksOther) }
    }
}

extension Array<Int64> {
    /// Returns the index of the first value in this sorted array for which a predicate is true.
    fileprivate func partitioningIndex(where isTrue: (Int64) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isTrue(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
