import RoostWire

/// The number of rows before and from a position in a log.
struct LogWindow {
    var place: Int64
    var older = 0
    var newer = 0
}

/// A part of a channel's log around a position.
struct LogPage {
    /// The rows on one side, the nearest ones first.
    struct Side {
        var rows: [(seq: Int64, frame: [UInt8])] = []
        /// Whether there may be more rows behind those that were examined.
        var hasMore = false
        /// The last row that was examined, the position if none was.
        var end: Int64

        /// Keeps the nearest rows that fit, at least one if any is requested.
        mutating func trim(most: Int, bytes: Int) {
            var room = bytes
            let kept = rows.prefix(most).enumerated().prefix { index, row in
                room -= row.frame.count
                return room >= 0 || index == 0
            }
            guard kept.count < rows.count else { return }
            rows = kept.map(\.element)
            hasMore = true
            if let last = rows.last { end = last.seq }
        }

        func bytes(most: Int = .max) -> Int { rows.prefix(most).reduce(0) { $0 + $1.frame.count } }
    }

    var older: Side
    var newer: Side

    /// Trims the page to a number of rows in all and on each side, preferring older rows, and to 256 KiB, so that it
    /// cannot fill a client's output queue.
    mutating func trim(to limit: Int, _ window: LogWindow) {
        let most = Reads.pageBytes
        // Each side may use half of it, plus what the other side leaves unused.
        let (olderBytes, newerBytes) = (older.bytes(most: window.older), newer.bytes(most: window.newer))
        older.trim(most: window.older, bytes: max(most / 2, most - newerBytes))
        newer.trim(most: min(window.newer, limit - older.rows.count), bytes: max(most / 2, most - olderBytes))
    }

    /// Encodes the page as the answer of `message.list`; stored frames are inserted unchanged.
    func answer(_ window: LogWindow, head: Int64) -> [UInt8] {
        var writer = JSONWriter(capacity: older.bytes() + newer.bytes() + 192)
        writer.open("{")
        writer.key("events")
        writer.open("[")
        for row in older.rows.reversed() { writer.splice(row.frame) }
        for row in newer.rows { writer.splice(row.frame) }
        writer.close("]")
        writer.key("hasBefore")
        writer.bool(older.hasMore)
        writer.key("hasAfter")
        writer.bool(newer.hasMore)
        writer.key("seq")
        writer.int(head)
        writer.key("from")
        writer.int(window.older > 0 ? (older.hasMore ? older.end : 1) : min(window.place, head + 1))
        writer.key("to")
        writer.int(window.newer > 0 ? (newer.hasMore ? newer.end : head) : min(window.place - 1, head))
        writer.close("}")
        return writer.bytes
    }
}

extension Reads {
    /// How many rows one page examines on each side for rows that show.
    static let maxExamined = 2_000

    /// Returns the visible rows on both sides of a position, and whether there are more.
    func logPage(
        of channel: ChannelID, _ window: LogWindow, _ access: Access, most limit: Int, onlyShown: Bool
    ) throws -> LogPage {
        var page = LogPage(older: .init(end: window.place), newer: .init(end: window.place - 1))
        if onlyShown {
            page.older = try shown(of: channel, window.place, access, most: window.older, isForward: false)
            page.newer = try shown(of: channel, window.place, access, most: window.newer, isForward: true)
        } else {
            try fill(&page, of: channel, window, access)
        }
        page.trim(to: limit, window)
        page.older.rows = try reacted(page.older.rows, in: channel)
        page.newer.rows = try reacted(page.newer.rows, in: channel)
        return page
    }

    /// Reads the rows on both sides in one statement.
    ///
    /// It requests one row more than needed on each side, so hidden rows neither shorten a page nor affect whether
    /// there are more.
    private func fill(_ page: inout LogPage, of channel: ChannelID, _ window: LogWindow, _ access: Access) throws {
        let older = older(than: window.place, of: channel, access, limit: window.older + 1)
        let query: Query =
            window.place == .max
            ? older
            : """
            SELECT * FROM (\(older)) a
            UNION ALL SELECT * FROM (\(newer(from: window.place, of: channel, access, limit: window.newer + 1))) b
            """
        _ = try connection.rows(query) { row in
            let seq = try row.int(0)
            let frame = try row.frame(1, of: channel, seq, count: row.int(2), hidingUpTo: access.pastSeq)
            if seq < window.place { page.older.rows.append((seq, frame)) } else { page.newer.rows.append((seq, frame)) }
        }
        page.older.rows.sort { $0.seq > $1.seq }
        page.newer.rows.sort { $0.seq < $1.seq }
    }

    private func older(than place: Int64, of channel: ChannelID, _ access: Access, limit: Int) -> Query {
        """
        SELECT l.seq, l.frame, l.count FROM channel_log l
        WHERE l.channel = \(channel) AND l.seq < \(place) AND l.seq > \(access.floorSeq)
        AND \(Self.isVisible(to: me, in: channel)) ORDER BY l.seq DESC LIMIT \(limit)
        """
    }

    private func newer(from place: Int64, of channel: ChannelID, _ access: Access, limit: Int) -> Query {
        """
        SELECT l.seq, l.frame, l.count FROM channel_log l
        WHERE l.channel = \(channel) AND l.seq >= \(max(place, access.floorSeq + 1))
        AND \(Self.isVisible(to: me, in: channel)) ORDER BY l.seq LIMIT \(limit)
        """
    }

    /// Reads the rows of one side that show; one more than wanted, if there is one.
    ///
    /// Rows that do not show are not marked in the table, because only few conversations have many of them in a row.
    private func shown(
        of channel: ChannelID, _ place: Int64, _ access: Access, most: Int, isForward: Bool
    ) throws -> LogPage.Side {
        var side = LogPage.Side(end: isForward ? place - 1 : place)
        if isForward, place == .max { return side }
        var examined = 0
        var limit = most + 1
        while true {
            let query =
                isForward
                ? newer(from: side.end + 1, of: channel, access, limit: limit)
                : older(than: side.end, of: channel, access, limit: limit)
            var count = 0
            _ = try connection.rows(query) { row in
                count += 1
                side.end = try row.int(0)
                let frame = try row.frame(1, of: channel, side.end, hidingUpTo: access.pastSeq)
                guard try Event.isShown(frame) else { return }
                side.rows.append((side.end, frame))
            }
            examined += count
            guard count == limit else { return side }
            side.hasMore = most == 0 || side.rows.count > most || examined >= Self.maxExamined
            if side.hasMore { return side }
            limit = min(500, Self.maxExamined - examined)
        }
    }
}

extension Event {
    /// Whether a stored event shows in a conversation; only its name is read.
    static func isShown(_ frame: [UInt8]) throws -> Bool {
        var reader = JSONReader(frame)
        var name: String?
        try reader.object { reader, key in
            if key == "event" { name = try reader.string() } else { _ = try reader.skip() }
        }
        return name.flatMap(EventName.init(rawValue:))?.isShown ?? false
    }
}
