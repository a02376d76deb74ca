import HeapModule
import RoostWire

extension Reads {
    /// A stored message.
    struct StoredMessage {
        var seq: Int64
        var event: Event
        var frame: [UInt8]
    }

    func getMessages(_ get: GetMessages) throws -> [UInt8] {
        try IDRules.check(get.messageIDs, "messageIDs", limits: configuration.limits)
        let access = try access(to: get.channel)
        let found = try messages(get.messageIDs, of: get.channel, access)
        guard !found.isEmpty else { throw WireError(.messageNotFound) }
        let marks = try marks(in: get.channel, access)
        let reacted = try reacted(found.map { ($0.seq, $0.frame) }, in: get.channel)
        let frames = try zip(found, reacted).map { message, row in
            let mark = message.event.senderID == me ? marks.others : marks.own
            guard case .channel(.messageSent) = message.event.body, message.seq <= mark else { return row.frame }
            return try row.frame.with("isRead", Array("true".utf8))
        }
        let bytes = frames.reduce(0) { $0 + $1.count }
        // A larger answer could fill a client's whole output queue.
        guard bytes <= 2 * Self.pageBytes else {
            throw WireError(.tooLarge, "These messages are larger than 512 KiB together. Ask for fewer at once.")
        }
        return Self.page(of: frames, next: nil)
    }

    /// How far the caller has read, and how far the other members have at most.
    private func marks(in channel: ChannelID, _ access: Access) throws -> (own: Int64, others: Int64) {
        guard access.kind != .open else { return (0, 0) }
        let found =
            try connection.rows(
                """
                SELECT COALESCE(MAX(CASE WHEN m.user_id = \(me) THEN r.seq END), 0),
                    COALESCE(MAX(CASE WHEN m.user_id <> \(me) THEN r.seq END), 0) FROM members m
                JOIN read_marks r ON r.channel = m.channel AND r.user_id = m.user_id
                WHERE m.channel = \(channel) AND m.left_seq IS NULL
                """
            ) { (own: try $0.int(0), others: try $0.int(1)) }.first ?? (0, 0)
        let isHidden = try access.kind.isNews || hidesOther(in: channel, access)
        return (found.own, isHidden ? 0 : found.others)
    }

    /// Returns those messages that the caller may read, in log order.
    func messages(_ ids: [MessageID], of channel: ChannelID, _ access: Access) throws -> [StoredMessage] {
        let keys = ids.map(\.seq).filter { $0 > access.floorSeq }.map { [SQLValue.int($0)] }
        guard !keys.isEmpty else { return [] }
        return try connection.rows(
            """
            WITH k (seq) AS (\(keys: keys)) SELECT l.seq, l.frame FROM channel_log l
            WHERE l.channel = \(channel) AND l.seq IN (SELECT seq FROM k) AND \(Self.isVisible(to: me, in: channel))
            ORDER BY l.seq
            """
        ) { row in
            let seq = try row.int(0)
            let frame = try row.frame(1, of: channel, seq, hidingUpTo: access.pastSeq)
            return StoredMessage(seq: seq, event: try WireCodec.decodeEvent(frame), frame: frame)
        }.filter { message in message.event.messageID.map(ids.contains) ?? false }
    }

    /// Returns the newest message of a channel that the caller may see; `seq` is the channel's newest message.
    func lastMessage(of channel: ChannelID, upTo seq: Int64, floor: Int64, pastSeq: Int64) throws -> Event? {
        guard seq > floor else { return nil }
        let newest = try connection.rows(
            """
            SELECT l.frame FROM channel_log l WHERE l.channel = \(channel) AND l.seq = \(seq)
            AND \(Self.isVisible(to: me, in: channel))
            """
        ) { try $0.event(0, of: channel, seq) }.first
        if let newest, !newest.isNumber { return newest.hiding(upTo: pastSeq) }
        // The user has deleted it, or it is damaged, so look for an earlier one.
        var position = seq
        var limit = 16
        while true {
            let rows = try connection.rows(
                """
                SELECT l.seq, l.frame FROM channel_log l WHERE l.channel = \(channel) AND l.seq < \(position)
                AND l.seq > \(floor) AND \(Self.isVisible(to: me, in: channel)) ORDER BY l.seq DESC LIMIT \(limit)
                """
            ) { (seq: try $0.int(0), event: try $0.event(1, of: channel, $0.int(0))) }
            if let last = rows.first(where: { $0.event.body.behaviour?.isLastMessage == true }) {
                return last.event.hiding(upTo: pastSeq)
            }
            guard rows.count == limit, let end = rows.last else { return nil }
            position = end.seq
            limit = 256
        }
    }

    /// Encodes an answer with stored frames.
    private static func page(of frames: [[UInt8]], next: String?) -> [UInt8] {
        var writer = JSONWriter(capacity: frames.reduce(128) { $0 + $1.count })
        writer.open("{")
        writer.key("events")
        writer.open("[")
        for frame in frames { writer.splice(frame) }
        writer.close("]")
        if let next {
            writer.key("next")
            writer.string(next)
        }
        writer.close("}")
        return writer.bytes
    }
}

/// Reading by time.
extension Reads {
    /// The maximum number of rows with the same time beyond the requested page size.
    private static let maxTies = 500

    func queryMessages(_ query: QueryMessages) throws -> [UInt8] {
        let wanted = try limit(query.limit, default: 50, most: configuration.limits.pageRows)
        if let category = query.category { try MessageRules.checkCategory(category) }
        let isForward = query.direction == .after
        let cursor = try cursor(query.cursor) { text in
            RowPosition(text).flatMap { (isForward ? $0.time > query.$time : $0.time < query.$time) ? $0 : nil }
        }
        let (streams, hidden) = try streams(for: query, after: cursor)
        var merge = try TimeMerge(
            streams: streams, isForward: isForward,
            category: query.category, user: me, connection: connection)
        var positions: [RowPosition] = []
        while let next = try merge.next() {
            if positions.count >= wanted {
                guard next.time == positions.last?.time, positions.count < wanted + Self.maxTies else {
                    merge.hasMore = true
                    break
                }
            }
            positions.append(next)
        }
        let frames = try frames(of: positions, hidden: hidden)
        let isCut = frames.count < positions.count
        let next = merge.hasMore || isCut ? positions.prefix(frames.count).last?.text : nil
        let shown = query.onlyShown == true ? try frames.filter(Event.isShown) : frames
        return Self.page(of: isForward ? shown : shown.reversed(), next: next)
    }

    /// A log that the caller may read, from the row after `floor` to `head`.
    private struct ReadableLog {
        var id: ChannelID
        var floor: Int64
        var head: Int64
        var createdAt: Int64
        var lastAt: Int64
    }

    /// Returns the log of a channel, or of all channels of the caller, with the last hidden row of each channel that the
    /// caller joined later.
    private func logs(of channel: ChannelID?) throws -> (logs: [ReadableLog], hidden: [ChannelID: Int64]) {
        if let channel {
            let access = try access(to: channel)
            let logs = try connection.rows(
                "SELECT created_at, last_sent_at FROM channels WHERE id = \(channel)"
            ) { row in
                ReadableLog(
                    id: channel, floor: access.floorSeq, head: access.seq, createdAt: try row.int(0),
                    lastAt: try row.int(1))
            }
            return (logs, [channel: access.pastSeq])
        }
        var hidden: [ChannelID: Int64] = [:]
        let logs = try connection.rows(
            """
            SELECT c.id, m.floor_seq, c.seq, c.created_at, c.last_sent_at, c.purged_seq, m.past_seq FROM members m
            JOIN channels c ON c.id = m.channel
            WHERE m.user_id = \(me) AND m.left_seq IS NULL AND c.dismissed_at IS NULL
            """
        ) { row in
            let end = try row.int(6)
            if end > 0 { hidden[try row.id(0)] = end }
            return ReadableLog(
                id: try row.id(0), floor: max(try row.int(1), try row.int(5)), head: try row.int(2),
                createdAt: try row.int(3), lastAt: try row.int(4))
        }
        return (logs, hidden)
    }

    /// Returns the logs to read, each with the position at which the page begins, and the last hidden row of each
    /// channel that the caller joined later.
    private func streams(
        for query: QueryMessages, after cursor: RowPosition?
    ) throws -> (streams: [TimeMerge.Stream], hidden: [ChannelID: Int64]) {
        let (time, isForward) = (query.$time, query.direction == .after)
        var (logs, hidden) = try logs(of: query.channel)
        logs.removeAll { $0.floor >= $0.head }
        var streams: [TimeMerge.Stream] = []
        var spans: [TimeSpan] = []
        var known: [ChannelID: Int64] = [:]
        for log in logs {
            // The page begins after the last row sent up to this time, or before the row after it.
            var moment = isForward || time == .min ? time : time - 1
            if let cursor {
                if log.id == cursor.channel {
                    known[log.id] = min(max(isForward ? cursor.seq : cursor.seq - 1, log.floor), log.head)
                    continue
                }
                // Rows with the same time are ordered by channel id.
                moment = log.id < cursor.channel ? cursor.time : cursor.time - 1
            }
            if moment >= log.lastAt {
                known[log.id] = log.head
            } else if moment < log.createdAt {
                known[log.id] = log.floor
            } else {
                spans.append(TimeSpan(channel: log.id, low: log.floor, high: log.head, time: moment))
            }
        }
        known.merge(try connection.lastRows(in: spans)) { first, _ in first }
        for log in logs {
            let position = known[log.id] ?? log.floor
            if isForward ? position < log.head : position > log.floor {
                streams.append(
                    TimeMerge.Stream(
                        channel: log.id, position: isForward ? position : position + 1,
                        end: isForward ? log.head : log.floor))
            }
        }
        return (streams, hidden)
    }

    /// Returns the stored rows at some positions in order: those that fit into a page, which ends between two times
    /// if possible.
    private func frames(of positions: [RowPosition], hidden: [ChannelID: Int64]) throws -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var bytes = 0
        while frames.count < positions.count {
            let keys = positions[frames.count...].prefix(32).map { [SQLValue.text($0.channel.rawValue), .int($0.seq)] }
            let rows = try connection.rows(
                """
                WITH k (channel, seq) AS (\(keys: keys))
                SELECT l.channel, l.seq, l.frame, l.count FROM k
                JOIN channel_log l ON l.channel = k.channel AND l.seq = k.seq
                """
            ) { row in
                let (id, seq): (ChannelID, Int64) = (try row.id(0), try row.int(1))
                let frame = try row.frame(2, of: id, seq, count: row.int(3), hidingUpTo: hidden[id] ?? 0)
                return ([SQLValue.text(id.rawValue), .int(seq)], frame)
            }
            let byKey = Dictionary(rows, uniquingKeysWith: { first, _ in first })
            let reactions = try reactions(to: keys)
            for key in keys {
                guard let frame = try byKey[key]?.with(reactions[key]) else {
                    throw DatabaseFailure(.corrupt, "a log has a hole")
                }
                bytes += frame.count
                guard bytes <= Self.pageBytes || frames.isEmpty else {
                    let time = positions[frames.count].time
                    let whole = positions.prefix(frames.count).lastIndex { $0.time != time }
                    return whole.map { Array(frames[...$0]) } ?? frames
                }
                frames.append(frame)
            }
        }
        return frames
    }
}

/// The position of a row among those of several channels, ordered by time, channel and seq.
private struct RowPosition: Comparable {
    var time: Int64
    var channel: ChannelID
    var seq: Int64

    init(time: Int64, channel: ChannelID, seq: Int64) {
        self.time = time
        self.channel = channel
        self.seq = seq
    }

    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 2)
        guard parts.count == 3, let time = Int64(parts[0]), let seq = Int64(parts[1]), time >= 0, seq > 0,
            let channel = ChannelID(rawValue: String(parts[2]))
        else { return nil }
        self.init(time: time, channel: channel, seq: seq)
    }

    var text: String { "\(time)/\(seq)/\(channel)" }

    static func < (left: RowPosition, right: RowPosition) -> Bool {
        left.time != right.time
            ? left.time < right.time
            : left.channel != right.channel ? left.channel < right.channel : left.seq < right.seq
    }
}

/// Merges several logs by time, starting at a known position in each.
///
/// It first reads only the next row of each log, and then reads more of those whose next row comes first, so the
/// number of logs hardly matters.
private struct TimeMerge {
    /// One log: the rows after `position` up to `end`, or backwards those before `position` and after `end`.
    struct Stream {
        var channel: ChannelID
        var position: Int64
        var end: Int64
        /// Rows that were read but not returned yet, the next one last.
        var rows: [RowPosition] = []
        var isOver = false
    }

    /// The next row of a stream.
    private struct Head: Comparable {
        var position: RowPosition
        var stream: Int

        static func < (left: Head, right: Head) -> Bool { left.position < right.position }
    }

    private var streams: [Stream]
    private let isForward: Bool
    private let category: String?
    private let user: UserID
    private let connection: any SQLConnection
    /// The next row of each stream that has one.
    private var heads: Heap<Head> = []
    /// Whether there are more rows.
    var hasMore = false

    init(
        streams: [Stream], isForward: Bool, category: String?, user: UserID, connection: any SQLConnection
    ) throws {
        self.streams = streams
        self.isForward = isForward
        self.category = category
        self.user = user
        self.connection = connection
        if streams.count == 1 {
            try read(128, of: 0)
        } else {
            try readFirst()
        }
        heads = Heap(
            self.streams.enumerated().compactMap { index, stream in
                stream.rows.last.map { Head(position: $0, stream: index) }
            })
    }

    /// Returns the next row of all streams; nil if there is none.
    mutating func next() throws -> RowPosition? {
        guard let head = isForward ? heads.popMin() : heads.popMax() else { return nil }
        let index = head.stream
        streams[index].rows.removeLast()
        streams[index].position = head.position.seq
        if streams[index].rows.isEmpty, !streams[index].isOver { try read(streams.count == 1 ? 128 : 32, of: index) }
        if let row = streams[index].rows.last { heads.insert(Head(position: row, stream: index)) }
        return head.position
    }

    /// The condition for the rows `l`: those in the category that the user may see.
    private func condition(inChannel channel: Query) -> Query {
        var query = Reads.isVisible(to: user, inChannel: channel)
        if let category { query.append(" AND l.category = \(category)") }
        return query
    }

    private var order: Query { isForward ? "l.seq" : "l.seq DESC" }

    /// Reads the next rows of one stream.
    private mutating func read(_ limit: Int, of index: Int) throws {
        let stream = streams[index]
        let (low, high) = isForward ? (stream.position, stream.end) : (stream.end, stream.position - 1)
        let rows = try connection.rows(
            """
            SELECT l.seq, l.sent_at FROM channel_log l
            WHERE l.channel = \(stream.channel) AND l.seq > \(low) AND l.seq <= \(high)
            AND \(condition(inChannel: "\(stream.channel)")) ORDER BY \(order) LIMIT \(limit)
            """
        ) { RowPosition(time: try $0.int(1), channel: stream.channel, seq: try $0.int(0)) }
        streams[index].rows = rows.reversed()
        streams[index].isOver = rows.count < limit
    }

    /// Reads the first row of every stream.
    private mutating func readFirst() throws {
        var start = 0
        while start < streams.count {
            let chunk = start..<min(start + 1_024, streams.count)
            let keys = streams[chunk].map { stream in
                let (low, high) = isForward ? (stream.position, stream.end) : (stream.end, stream.position - 1)
                return [SQLValue.text(stream.channel.rawValue), .int(low), .int(high)]
            }
            let rows = try connection.rows(
                """
                WITH k (channel, low, high) AS (\(keys: keys)),
                f (channel, seq) AS (SELECT k.channel, (SELECT l.seq FROM channel_log l
                    WHERE l.channel = k.channel AND l.seq > k.low AND l.seq <= k.high
                    AND \(condition(inChannel: "k.channel")) ORDER BY \(order) LIMIT 1) FROM k)
                SELECT l.channel, l.seq, l.sent_at FROM f JOIN channel_log l ON l.channel = f.channel AND l.seq = f.seq
                """
            ) { RowPosition(time: try $0.int(2), channel: try $0.id(0), seq: try $0.int(1)) }
            let first = Dictionary(rows.map { ($0.channel, $0) }, uniquingKeysWith: { first, _ in first })
            for index in chunk {
                if let row = first[streams[index].channel] {
                    streams[index].rows = [row]
                } else {
                    streams[index].isOver = true
                }
            }
            start = chunk.upperBound
        }
    }
}
