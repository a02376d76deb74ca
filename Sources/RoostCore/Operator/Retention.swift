import Logging
import RoostWire

/// What of a kind of channels is kept: what any part of it keeps. What none keeps is taken away.
///
/// Both parts keep the end of a log, whose times never decrease, so what goes is always its beginning.
package struct RetentionPolicy: Hashable, Sendable {
    /// For how long a row is kept, in ms; nothing for no time of its own.
    package var keepFor: Int64?
    /// How many of the newest messages that count as unread are kept, with all rows from the first of them on.
    package var keepLast: Int64?

    package init(keepFor: Int64? = nil, keepLast: Int64? = nil) {
        self.keepFor = keepFor
        self.keepLast = keepLast
    }

    /// Whether a row is kept that was sent at a time, with so many counted messages behind it.
    package func keeps(sentAt: Int64, behind: Int64, now: Int64) -> Bool {
        if let keepFor, sentAt > now.subtractingReportingOverflow(keepFor).partialValue { return true }
        if let keepLast, behind < keepLast { return true }
        return keepFor == nil && keepLast == nil
    }
}

/// Where the scan over the channels is that looks for old rows. It changes with the commit of what it has done.
struct RetentionScan {
    /// When the next one begins, ms since 1970.
    var nextAt: Int64
    /// The channel that it has come to; nothing between two walks.
    var cursor: String?
    /// Of how many channels something went, and how many rows.
    var channels = 0
    var rows = 0
    /// Whether something went of the channel that comes next.
    var isPartlyPurged = false

    /// Says what was done, at its end.
    func log(to logger: Logger) {
        guard cursor == nil, channels > 0 else { return }
        logger.info("old rows removed", metadata: ["channels": "\(channels)", "rows": "\(rows)"])
    }
}

extension Transaction {
    /// How many channels one turn looks at, and about how many rows it touches.
    private static let channelsPerTurn = 200
    private static let rowsPerTurn: Int64 = 500
    /// The most rows that one row `channel.purged` stands for.
    private static let rowsPerPurge: Int64 = 10_000

    /// Goes on with the scan: looks at some channels, and takes some of their old rows away.
    ///
    /// The first step of a channel raises `purged_seq` and tells everybody; from
    /// then on nothing up to there is read, and turns like this one delete it bit by
    /// bit. What is still to be deleted is seen from the log itself, so a process that ends amid it leaves nothing over.
    /// - Returns: when there is more to do.
    mutating func purge() throws -> Int64? {
        let interval = configuration.retentionInterval
        var scan = batch.caches.retention
        let cursor = scan.cursor ?? ""
        if scan.cursor == nil {
            // A clock that was set back must not put the scan off for long.
            guard min(scan.nextAt, batch.now + interval) <= batch.now else { return scan.nextAt }
            scan = RetentionScan(nextAt: scan.nextAt, cursor: cursor)
        }
        let found = try retained(after: cursor)
        var room = Self.rowsPerTurn
        for candidate in found {
            guard room > 0, try purge(candidate, &scan, &room) else { break }
            scan.cursor = candidate.id.rawValue
            if scan.isPartlyPurged { scan.channels += 1 }
            scan.isPartlyPurged = false
        }
        if found.count < Self.channelsPerTurn, scan.cursor == found.last?.id.rawValue ?? cursor {
            scan.cursor = nil
            scan.nextAt = batch.now + interval
        }
        batch.retention = scan
        return scan.cursor == nil ? scan.nextAt : batch.now
    }

    /// A channel as the scan sees it.
    private struct Candidate {
        var id: ChannelID
        var kind: ChannelKind
        var count: Int64
        var purged: Int64
        /// The oldest row that is there, but for the one that tells of the last purge.
        var oldest: Int64?
        var oldestSentAt: Int64
        var oldestCount: Int64

        /// Whether rows wait to be deleted that nobody can read any more.
        var isPurging: Bool { oldest.map { $0 <= purged } ?? false }
    }

    private func retained(after cursor: String) throws -> [Candidate] {
        try connection.rows(
            """
            SELECT f.id, f.kind, f.count, f.purged_seq, f.oldest, COALESCE(l.sent_at, 0), COALESCE(l.count, 0) FROM (
                SELECT c.id, c.kind, c.count, c.purged_seq, (
                    SELECT x.seq FROM channel_log x WHERE x.channel = c.id AND x.seq <> c.purge_row
                    ORDER BY x.seq LIMIT 1) AS oldest
                FROM (SELECT id, kind, count, purged_seq, purge_row FROM channels WHERE id > \(cursor)
                    ORDER BY id LIMIT \(Self.channelsPerTurn)) c) f
            LEFT JOIN channel_log l ON l.channel = f.id AND l.seq = f.oldest ORDER BY f.id
            """
        ) { row in
            Candidate(
                id: try row.id(0), kind: try row.kind(1), count: try row.int(2), purged: try row.int(3),
                oldest: try row.optionalInt(4), oldestSentAt: try row.int(5), oldestCount: try row.int(6))
        }
    }

    /// Does what there is to do in one channel, as far as there is room.
    /// - Returns: whether nothing is left to do there.
    private mutating func purge(_ candidate: Candidate, _ scan: inout RetentionScan, _ room: inout Int64) throws -> Bool
    {
        // What was begun is ended, whatever the policy is now.
        let policy = configuration.retention[candidate.kind] ?? RetentionPolicy()
        let isKept = policy.keeps(
            sentAt: candidate.oldestSentAt, behind: candidate.count - candidate.oldestCount, now: batch.now)
        guard candidate.isPurging || !isKept, let oldest = candidate.oldest else { return true }
        try load([candidate.id])
        guard var channel = batch.channels[candidate.id] else { return true }
        var isLast = false
        if !candidate.isPurging {
            let end = try purgeEnd(of: channel, oldest, policy)
            // Where it is not so, another process has been here since the look, and does the rest.
            guard end > channel.purgedSeq, end >= oldest else { return true }
            try begin(&channel, upTo: end)
            room -= Int64(channel.members.count)
            isLast = end - oldest < Self.rowsPerPurge - 1
        }
        let last = min(channel.purgedSeq, oldest + Self.rowsPerTurn - 1)
        try delete((oldest, last), in: candidate.id, candidate.kind)
        scan.isPartlyPurged = true
        scan.rows += Int(clamping: last - oldest + 1)
        room -= last - oldest + 11
        return isLast && last == channel.purgedSeq
    }

    /// The last row that the policy does not keep, of those that one step may take.
    private func purgeEnd(
        of channel: ChannelState, _ first: Int64, _ policy: RetentionPolicy
    ) throws -> Int64 {
        var (low, high) = (first - 1, min(channel.seq, first + Self.rowsPerPurge - 1))
        while low < high {
            let middle = low + (high - low + 1) / 2
            let row = try connection.rows(
                "SELECT sent_at, count FROM channel_log WHERE channel = \(channel.id) AND seq = \(middle)"
            ) { (sentAt: try $0.int(0), count: try $0.int(1)) }.first
            guard let row else { return low }
            if policy.keeps(sentAt: row.sentAt, behind: channel.count - row.count, now: batch.now) {
                high = middle - 1
            } else {
                low = middle
            }
        }
        return low
    }

    /// Hides everything up to a row from everybody, and tells them.
    private mutating func begin(_ channel: inout ChannelState, upTo end: Int64) throws {
        let id = channel.id
        let before = channel.purgedSeq
        let count =
            try connection.rows("SELECT count FROM channel_log WHERE channel = \(id) AND seq = \(end)") {
                try $0.int(0)
            }.first ?? channel.count
        batch.channels[id] = nil
        channel.purgedSeq = end
        batch.changedChannels.insert(id)
        if channel.dismissedAt == nil {
            // Nobody has read it: when they last did stays.
            if channel.kind.isNews {
                try connection.execute(
                    "UPDATE read_marks SET seq = \(end), count = \(count) WHERE channel = \(id) AND seq < \(end)")
            }
            for (user, member) in channel.members where member.markSeq < end {
                channel.members[user]?.markSeq = end
                channel.members[user]?.markCount = count
                batch.changedMarks.insert(MemberKey(channel: id, user: user))
            }
            _ = try append(to: &channel, as: RowTraits(isQuiet: true)) { _, _ in
                .channelPurged(ChannelPurged(upTo: end, count: count))
            }
        }
        batch.channels[id] = channel
        try flush()
        let told = channel.dismissedAt == nil ? channel.seq : 0
        try connection.execute(
            "UPDATE channels SET purged_seq = \(end), purge_row = \(told) WHERE id = \(id)")
        try emptySnapshots(of: before, to: end, in: id)
        if channel.kind.isNews {
            try loadSubscribers(of: [id])
        } else if channel.kind != .open {
            try loadCorrections([[.text(id.rawValue)]])
        }
        channel = batch.channels[id] ?? channel
    }

    /// Empties the snapshots in answers that are kept to messages that are not, a page at a time.
    private mutating func emptySnapshots(of start: Int64, to end: Int64, in channel: ChannelID) throws {
        let most = 256
        var last: (parent: Int64, seq: Int64) = (start, .max)
        while true {
            let rows = try connection.rows(
                """
                SELECT \(LogRow.columns), p.parent_seq FROM replies p
                JOIN channel_log l ON l.channel = p.channel AND l.seq = p.seq
                WHERE p.channel = \(channel) AND p.parent_seq >= \(last.parent) AND p.parent_seq <= \(end)
                AND p.seq > \(end) AND (p.parent_seq > \(last.parent) OR p.seq > \(last.seq))
                ORDER BY p.parent_seq, p.seq LIMIT \(most)
                """
            ) { (row: try LogRow($0), parent: try $0.int(11)) }
            for (var row, _) in rows {
                guard case .channel(.messageSent(let message)) = row.event.body else { continue }
                row.event.body = .channel(.messageSent(message.afterPurge(upTo: end)))
                batch.put(try row.values(), LogRow.upsert)
            }
            try flush()
            guard rows.count == most, let end = rows.last else { return }
            last = (end.parent, end.row.seq)
        }
    }

    private static let keys = Upsert("command_keys", ["user_id", "trans_id", "hash", "sent_at", "answer"])

    /// Deletes rows that nobody can read any more, with everything that stands beside them.
    private mutating func delete(
        _ rows: (first: Int64, last: Int64), in channel: ChannelID, _ kind: ChannelKind
    ) throws {
        let (first, last) = rows
        let since = batch.now.subtractingReportingOverflow(RetentionRules.transIDs).partialValue
        // What holds the key of a command is kept as an answer alone.
        let answers = try connection.rows(
            """
            SELECT l.sender, l.trans_id, l.hash, l.sent_at, l.frame FROM channel_log l
            WHERE l.channel = \(channel) AND l.seq >= \(first) AND l.seq <= \(last)
            AND l.trans_id IS NOT NULL AND l.hash IS NOT NULL AND l.sent_at > \(since)
            AND NOT EXISTS (SELECT 1 FROM command_keys k WHERE k.user_id = l.sender AND k.trans_id = l.trans_id)
            """
        ) { row -> [SQLValue]? in
            guard let transID = TransID(rawValue: try row.text(1)) else { return nil }
            let answer = Acknowledgement(repeating: try WireCodec.decodeEvent(row.blob(4)), transID: transID)
            return [
                .text(try row.text(0)), .text(transID.rawValue), .int(try row.int(2)), .int(try row.int(3)),
                .blob(WireCodec.encode(answer)),
            ]
        }
        try connection.write(answers.compactMap { $0 }, Self.keys)
        for table in ["channel_log", "forwards", "votes", "ballots", "reactions", "reaction_kinds"] as [Query] {
            try connection.execute(
                "DELETE FROM \(table) WHERE channel = \(channel) AND seq >= \(first) AND seq <= \(last)")
        }
        try connection.execute(
            "DELETE FROM replies WHERE channel = \(channel) AND parent_seq >= \(first) AND parent_seq <= \(last)")
        for table in (kind.isNews ? ["deletions"] : ["mentions", "deletions"]) as [Query] {
            var query: Query = "DELETE FROM \(table) WHERE channel = \(channel) AND seq >= \(first) AND seq <= \(last)"
            // In the index the user stands before the row. Of news, few of very many subscribers have deleted something.
            if !kind.isNews {
                query.append(" AND user_id IN (SELECT m.user_id FROM members m WHERE m.channel = \(channel))")
            }
            try connection.execute(query)
        }
        batch.changedChannels.insert(channel)
    }
}
