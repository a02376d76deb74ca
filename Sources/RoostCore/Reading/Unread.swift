import RoostWire

/// The corrections of unread counts, as SQL over a membership `m` and its read mark `r`, which may be missing.
extension Reads {
    /// The number of messages above the mark that count in the channel but not as unread for this reader.
    static let correction = correction(above: mark)

    /// The number of readable messages above the mark that mention the reader.
    static let mentionCount: Query = """
        (SELECT COUNT(*) FROM mentions n JOIN channel_log o ON o.channel = n.channel AND o.seq = n.seq
            WHERE n.channel = m.channel AND n.user_id = m.user_id AND n.seq > \(mark) AND \(RowFlags.isIntact("o.flags"))
            AND NOT EXISTS (SELECT 1 FROM deletions x
                WHERE x.channel = n.channel AND x.user_id = n.user_id AND x.seq = n.seq))
        """

    private static let mark: Query = "COALESCE(r.seq, 0)"

    /// The correction above a given row instead of the mark.
    static func correction(above mark: Query) -> Query {
        "(\(ownCount(above: mark)) + \(recalledCount(above: mark)) + \(deletedCount(above: mark)))"
    }

    // Each message is counted in the first of the three categories that applies. All three queries use partial
    // indexes or small tables: of own messages, only those sent while something was unread are above the mark.

    private static func ownCount(above mark: Query) -> Query {
        """
        (SELECT COUNT(*) FROM channel_log o
            WHERE o.channel = m.channel AND o.sender = m.user_id AND o.behind = 1 AND o.seq > \(mark))
        """
    }

    private static func recalledCount(above mark: Query) -> Query {
        """
        (SELECT COUNT(*) FROM channel_log o
            WHERE o.channel = m.channel AND \(RowFlags.isCountedAndRecalled("o.flags")) AND o.seq > \(mark)
            AND (o.behind = 0 OR o.sender <> m.user_id))
        """
    }

    private static func deletedCount(above mark: Query) -> Query {
        """
        (SELECT COUNT(*) FROM deletions x JOIN channel_log o ON o.channel = x.channel AND o.seq = x.seq
            WHERE x.channel = m.channel AND x.user_id = m.user_id AND x.seq > \(mark) AND x.is_counted = 1
            AND \(RowFlags.isIntact("o.flags")) AND (o.behind = 0 OR o.sender <> m.user_id))
        """
    }
}

extension Reads {
    func getUnread() throws -> [UInt8] {
        let rows = try channels(of: me)
        let shown = rows.filter { $0.unread > 0 || $0.isMarkedUnread }.map { row in
            ChannelUnread(
                channel: row.channel, unread: row.unread, mentions: row.mentions > 0 ? row.mentions : nil,
                isMuted: row.isMuted ? true : nil, isMarkedUnread: row.isMarkedUnread ? true : nil, count: row.count)
        }
        let sums = Sums(rows)
        return try WireCodec.encode(
            GetUnread.Answer(
                total: sums.total, channels: shown.sorted { $0.channel < $1.channel },
                muted: sums.muted > 0 ? sums.muted : nil, mentions: sums.mentions > 0 ? sums.mentions : nil))
    }

    /// Sums of unread counts over channels.
    private struct Sums {
        var total = 0
        var muted = 0
        var mentions = 0

        init(_ rows: [Row]) {
            for row in rows {
                if row.isMuted { muted += row.unread } else { total += row.unread }
                mentions += row.mentions
            }
        }
    }

    func explainUnread(_ explain: ExplainUnread) throws -> [UInt8] {
        let limit = try limit(explain.limit, default: 100, most: 100)
        if let channel = explain.channel, try access(to: channel).kind == .open {
            throw WireError(.channelTypeMismatch, "An open channel has no unread counts.")
        }
        let after = try cursor(explain.cursor, ChannelID.init)
        let all = try channels(of: me)
        let rows = all.filter { row in
            if let channel = explain.channel { return row.channel == channel }
            return (row.unread > 0 || row.isMarkedUnread) && after.map { $0 < row.channel } ?? true
        }.sorted { $0.channel < $1.channel }
        let (page, next) = page(rows, limit: limit) { $0.channel.rawValue }
        let parts = try corrections(of: me, in: page.map(\.channel))
        let sums = Sums(all)
        return try WireCodec.encode(
            ExplainUnread.Answer(
                total: sums.total, muted: sums.muted, mentions: sums.mentions,
                channels: page.map { row in
                    let part = parts[row.channel] ?? (0, 0, 0)
                    return UnreadExplanation(
                        channel: row.channel, count: row.count, readCount: row.markCount, readSeq: row.markSeq,
                        own: part.own, recalled: part.recalled, deleted: part.deleted, mentions: row.mentions,
                        isMuted: row.isMuted, isMarkedUnread: row.isMarkedUnread)
                },
                next: next))
    }

    /// The three parts of the correction, by channel.
    private func corrections(
        of user: UserID, in channels: [ChannelID]
    ) throws -> [ChannelID: (own: Int64, recalled: Int64, deleted: Int64)] {
        guard !channels.isEmpty else { return [:] }
        let rows = try connection.rows(
            """
            WITH k (id) AS (\(keys: channels.map { [.text($0.rawValue)] }))
            SELECT m.channel, \(Self.ownCount(above: Self.mark)), \(Self.recalledCount(above: Self.mark)),
                \(Self.deletedCount(above: Self.mark))
            FROM members m LEFT JOIN read_marks r ON r.channel = m.channel AND r.user_id = m.user_id
            WHERE m.user_id = \(user) AND m.channel IN (SELECT id FROM k)
            """
        ) { (try $0.id(0) as ChannelID, (own: try $0.int(1), recalled: try $0.int(2), deleted: try $0.int(3))) }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }
}

extension Transaction {
    mutating func unsetReadMark(_ unset: UnsetReadMark) throws -> Outcome {
        let me = try me
        guard let channel = try channel(unset.channel) else { throw WireError(.channelNotFound) }
        guard channel.kind != .open else {
            throw WireError(.channelTypeMismatch, "An open channel has no read marks.")
        }
        _ = try member(me, of: channel)
        try lockMe()
        try markUnread(true, channel.id)
        return try outcome(in: channel.id)
    }

    /// Sets or removes the caller's unread marker on a channel, and notifies the caller's devices if it changes.
    ///
    /// The caller's row must be locked.
    mutating func markUnread(_ isMarked: Bool, _ id: ChannelID) throws {
        let me = try me
        guard let flags = batch.channels[id]?.members[me]?.flags, flags.contains(.markedUnread) != isMarked else {
            return
        }
        batch.channels[id]?.members[me]?.flags.formSymmetricDifference(.markedUnread)
        let key = MemberKey(channel: id, user: me)
        batch.changedMembers.insert(key)
        batch.touch(key)
        try append(to: me, body: .channelUnreadMarked(UnreadMarked(channel: id, isMarkedUnread: isMarked)))
    }
}
