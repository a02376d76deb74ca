import RoostWire

extension Reads {
    /// The maximum number of rows, and of bytes of frames, in one answer of `resume`.
    private static let resumeRows = 500
    private static let resumeBytes = 256 * 1024
    /// The maximum number of channels in a `resume`.
    private static let resumeChannels = 1_000

    /// An open channel named in a `resume`.
    struct OpenChannel {
        var id: ChannelID
        var seq: Int64
        var purgedSeq: Int64
    }

    /// Checks the positions in a `resume`.
    private func check(_ resume: Resume) throws(WireError) {
        guard resume.channels.count <= Self.resumeChannels else {
            throw WireError(.dataFormat, field: "channels", "\"channels\" can name at most 1,000 channels.")
        }
        guard resume.userSeq ?? 0 >= 0 else {
            throw WireError(.dataFormat, field: "userSeq", "A position cannot be negative.")
        }
        var named: Set<ChannelID> = []
        for (index, position) in resume.channels.enumerated() {
            guard position.seq >= 0 else {
                throw WireError(.dataFormat, field: "channels[\(index)].seq", "A position cannot be negative.")
            }
            guard named.insert(position.channel).inserted else {
                throw WireError(.dataFormat, field: "channels[\(index)].channel", "Name each channel once.")
            }
        }
    }

    /// The open channels named in a `resume` from which the user is not banned: a session joins them before it reads the events that it has missed.
    /// - Throws: `WireError` 6 for invalid positions.
    func openChannels(of resume: Resume) throws -> [OpenChannel] {
        try check(resume)
        let named = resume.channels.filter { $0.channel.pair == nil }.map { [SQLValue.text($0.channel.rawValue)] }
        if named.isEmpty { return [] }
        return try connection.rows(
            """
            WITH k (id) AS (\(keys: named)) SELECT DISTINCT c.id, c.seq, c.purged_seq FROM k
            JOIN channels c ON c.id = k.id LEFT JOIN members m ON m.channel = c.id AND m.user_id = \(me)
            WHERE c.kind = 'open' AND c.dismissed_at IS NULL AND NOT (\(Self.isBanned(at: now)))
            """
        ) { OpenChannel(id: try $0.id(0), seq: try $0.int(1), purgedSeq: try $0.int(2)) }
    }

    /// Returns a page of everything missed since the given positions, with a few queries.
    func resume(_ resume: Resume) throws -> [UInt8] {
        try self.resume(resume, open: try openChannels(of: resume))
    }

    func resume(_ resume: Resume, open: [OpenChannel]) throws -> [UInt8] {
        let mine = try channels(of: me, only: resume.onlyNamed == true ? resume.channels.map(\.channel) : nil)
        let byID = Dictionary(mine.map { ($0.channel, $0) }, uniquingKeysWith: { first, _ in first })
        let userSeq = try connection.rows("SELECT seq FROM users WHERE id = \(me)") { try $0.int(0) }.first ?? 0
        var heads = Dictionary(mine.map { ($0.channel, $0.seq) }, uniquingKeysWith: { first, _ in first })
        var purged = byID.mapValues(\.purgedSeq)
        for channel in open { (heads[channel.id], purged[channel.id]) = (channel.seq, channel.purgedSeq) }
        var page = ResumePage()
        let isOtherEpoch = resume.epoch != nil && resume.epoch != epoch
        if let from = resume.userSeq {
            if isOtherEpoch || from > userSeq {
                page.resets.append(Reset(seq: userSeq, reason: isOtherEpoch ? .epoch : .ahead))
            } else if from < userSeq {
                try appendUserRows(after: from, head: userSeq, into: &page)
            }
        }
        var ranges: [LogRange] = []
        for position in resume.channels {
            guard let head = heads[position.channel] else {
                page.resets.append(Reset(channel: position.channel, seq: 0, reason: .gone))
                continue
            }
            let end = purged[position.channel] ?? 0
            let floor = byID[position.channel]?.floorSeq ?? 0
            // Purged rows are still counted by number, so that the log has no gaps.
            let from = floor > end ? max(position.seq, floor) : position.seq
            if isOtherEpoch || position.seq > head {
                page.resets.append(
                    Reset(channel: position.channel, seq: head, reason: isOtherEpoch ? .epoch : .ahead))
            } else if head - from > Int64(configuration.limits.resumeRows) {
                page.resets.append(Reset(channel: position.channel, seq: head, reason: .tooFar))
            } else if from < head {
                ranges.append(
                    LogRange(
                        channel: position.channel, low: from, purged: end, high: head,
                        hidden: byID[position.channel]?.pastSeq ?? 0))
            }
        }
        try appendRows(of: ranges, into: &page)
        let named = Set(resume.channels.map(\.channel))
        let marks = mine.filter { $0.unread > 0 || $0.isMarkedUnread || named.contains($0.channel) }.map { row in
            OwnMark(
                channel: row.channel, seq: row.markSeq, unread: row.unread,
                mentions: row.mentions > 0 ? row.mentions : nil, isMarkedUnread: row.isMarkedUnread ? true : nil,
                count: row.count)
        }
        return try page.encode(
            epoch: epoch, userSeq: userSeq,
            channels: heads.map { ChannelPosition(channel: $0.key, seq: $0.value) }.sorted { $0.channel < $1.channel },
            marks: marks.sorted { $0.channel < $1.channel })
    }
}

extension Reads {
    /// The rows of a channel after `low`, up to `high`.
    private struct LogRange {
        var channel: ChannelID
        var low: Int64
        /// The last purged row.
        var purged: Int64
        var high: Int64
        /// The last row whose content must not be quoted.
        var hidden: Int64
    }

    /// Appends the rows of the user's own log to a page; a reset if some are missing or damaged.
    private func appendUserRows(after seq: Int64, head: Int64, into page: inout ResumePage) throws {
        let rows = try connection.rows(
            """
            SELECT user_id, seq, frame FROM user_log WHERE user_id = \(me) AND seq > \(seq)
            ORDER BY seq LIMIT \(Self.resumeRows + 1)
            """
        ) { row in
            let seq = try row.int(1)
            return row.frame(2, of: me, seq).map { (me.rawValue, seq, $0) }
        }
        // Only the beginning of the log is ever deleted, so the first row shows whether rows are missing. Without a
        // damaged row nobody knows what has changed.
        let whole = rows.compactMap { $0 }
        if let first = whole.first, first.1 == seq + 1, whole.count == rows.count {
            try page.append(whole, rows: Self.resumeRows, bytes: Self.resumeBytes)
        } else {
            page.resets.append(Reset(seq: head, reason: .tooFar))
        }
    }

    /// Appends the rows of channels to a page; rows that the user has deleted are reduced to their number.
    private func appendRows(of ranges: [LogRange], into page: inout ResumePage) throws {
        // A log has no gaps, so the rows that fit are known before reading.
        var room = page.hasMore ? 0 : Int64(Self.resumeRows - page.rows)
        var keys: [[SQLValue]] = []
        var numbers: [(String, Int64, [UInt8])] = []
        for range in ranges.sorted(by: { $0.channel < $1.channel }) {
            let high = min(range.high, range.low + room)
            if high < range.high { page.hasMore = true }
            guard high > range.low else { break }
            let kept = min(max(range.low, range.purged), high)
            for seq in range.low..<kept {
                numbers.append((range.channel.rawValue, seq + 1, try Event.number(seq + 1, of: range.channel)))
            }
            if kept < high { keys.append([.text(range.channel.rawValue), .int(kept), .int(high)]) }
            room -= high - range.low
        }
        guard !keys.isEmpty || !numbers.isEmpty else { return }
        let hidden = Dictionary(ranges.map { ($0.channel, $0.hidden) }, uniquingKeysWith: { first, _ in first })
        let rows =
            keys.isEmpty
            ? []
            : try connection.rows(
                """
                WITH k (channel, low, high) AS (\(keys: keys)),
                d (channel, low, high) AS (SELECT DISTINCT channel, low, high FROM k)
                SELECT l.channel, l.seq, l.frame, COALESCE(x.seq, 0), l.count FROM d
                JOIN channel_log l ON l.channel = d.channel AND l.seq > d.low AND l.seq <= d.high
                LEFT JOIN deletions x ON x.channel = l.channel AND x.user_id = \(me) AND x.seq = l.seq
                """
            ) { row -> (String, Int64, [UInt8]) in
                let (channel, seq) = (try row.text(0), try row.int(1))
                let id: ChannelID = try row.id(0)
                let count = try row.int(4)
                guard try row.int(3) == seq else {
                    return (channel, seq, try row.frame(2, of: id, seq, count: count, hidingUpTo: hidden[id] ?? 0))
                }
                return (channel, seq, try Event.number(seq, of: id, count: count))
            }
        let all = (rows + numbers).sorted { ($0.0, $0.1) < ($1.0, $1.1) }
        try page.append(all, rows: Self.resumeRows, bytes: Self.resumeBytes)
    }
}

/// An answer of `resume` under construction.
private struct ResumePage {
    var frames: [[UInt8]] = []
    var resets: [Reset] = []
    var hasMore = false
    private var bytes = 0

    var rows: Int { frames.count }

    /// Appends rows while they fit; at least one, so that every page makes progress.
    mutating func append(_ found: [(String, Int64, [UInt8])], rows limit: Int, bytes most: Int) throws {
        for (_, _, frame) in found {
            guard frames.count < limit, frames.isEmpty || bytes + frame.count <= most else {
                hasMore = true
                return
            }
            frames.append(frame)
            bytes += frame.count
        }
    }

    func encode(
        epoch: String, userSeq: Int64, channels: [ChannelPosition], marks: [OwnMark]
    ) throws -> [UInt8] {
        var writer = JSONWriter(capacity: bytes + 1_024)
        writer.open("{")
        writer.key("epoch")
        writer.string(epoch)
        writer.key("events")
        writer.open("[")
        for frame in frames { writer.splice(frame) }
        writer.close("]")
        writer.key("hasMore")
        writer.bool(hasMore)
        writer.key("userSeq")
        writer.int(userSeq)
        writer.key("channels")
        writer.open("[")
        for position in channels {
            writer.open("{")
            writer.key("channel")
            writer.string(position.channel.rawValue)
            writer.key("seq")
            writer.int(position.seq)
            writer.close("}")
        }
        writer.close("]")
        writer.key("marks")
        writer.open("[")
        for mark in marks {
            writer.open("{")
            writer.key("channel")
            writer.string(mark.channel.rawValue)
            writer.key("seq")
            writer.int(mark.seq)
            writer.key("unread")
            writer.int(Int64(mark.unread))
            if let mentions = mark.mentions {
                writer.key("mentions")
                writer.int(Int64(mentions))
            }
            if mark.isMarkedUnread == true {
                writer.key("isMarkedUnread")
                writer.bool(true)
            }
            if let count = mark.count {
                writer.key("count")
                writer.int(count)
            }
            writer.close("}")
        }
        writer.close("]")
        writer.key("resets")
        writer.splice(resets.isEmpty ? Array("[]".utf8) : try WireCodec.encode(resets))
        writer.close("}")
        return writer.bytes
    }
}
