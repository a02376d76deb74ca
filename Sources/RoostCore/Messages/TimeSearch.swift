import RoostWire

/// A part of a channel's log in which to search for a time.
struct TimeSpan {
    var channel: ChannelID
    /// The lower bound of the result.
    var low: Int64
    /// The upper bound of the result.
    var high: Int64
    /// The time, in ms since 1970.
    var time: Int64
}

extension SQLConnection {
    /// Returns the newest row of each span that was sent up to its time; `low` if there is none.
    ///
    /// The time has no index, which would dirty another page in every commit. But it never decreases along the log,
    /// so a few rounds of probes find the rows of all spans at once.
    func lastRows(in spans: [TimeSpan]) throws -> [ChannelID: Int64] {
        var found: [ChannelID: Int64] = [:]
        var open: [TimeSpan] = []
        for span in spans {
            if span.low < span.high { open.append(span) } else { found[span.channel] = span.low }
        }
        while !open.isEmpty {
            var rest: [TimeSpan] = []
            var start = 0
            while start < open.count {
                let chunk = open[start..<min(start + Self.probes, open.count)]
                for span in try narrowed(chunk, probes: min(64, Self.probes / chunk.count)) {
                    if span.low < span.high { rest.append(span) } else { found[span.channel] = span.low }
                }
                start += chunk.count
            }
            open = rest
        }
        return found
    }

    /// The number of rows probed per statement.
    private static var probes: Int { 1_024 }

    /// Runs one round: narrows each span to the part between two of its probes.
    private func narrowed(_ spans: ArraySlice<TimeSpan>, probes: Int) throws -> [TimeSpan] {
        var keys: [[SQLValue]] = []
        for span in spans {
            let step = Self.step(span, probes)
            for seq in stride(from: span.low + step, through: span.high, by: Int(step)) {
                keys.append([.text(span.channel.rawValue), .int(seq)])
            }
        }
        let times = try rows(
            """
            WITH k (channel, seq) AS (\(keys: keys))
            SELECT l.channel, l.seq, l.sent_at FROM k JOIN channel_log l ON l.channel = k.channel AND l.seq = k.seq
            """
        ) { (channel: try $0.id(0) as ChannelID, seq: try $0.int(1), sentAt: try $0.int(2)) }
        var places = Dictionary(spans.map { ($0.channel, $0) }, uniquingKeysWith: { first, _ in first })
        for row in times {
            guard var span = places[row.channel] else { continue }
            if row.sentAt <= span.time {
                span.low = max(span.low, row.seq)
            } else {
                span.high = min(span.high, row.seq - 1)
            }
            places[row.channel] = span
        }
        return try spans.map { old in
            guard let span = places[old.channel], span.low > old.low || span.high < old.high else {
                throw DatabaseFailure(.corrupt, "a log has a hole")
            }
            return span
        }
    }

    private static func step(_ span: TimeSpan, _ probes: Int) -> Int64 {
        let size = span.high - span.low
        return max(1, (size + Int64(probes)) / Int64(probes + 1))
    }
}
