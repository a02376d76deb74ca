import RoostWire

/// The retention policy of a kind of channel: a row is kept if either rule keeps it, and deleted otherwise.
///
/// Both rules keep the end of a log, whose times never decrease, so only its beginning is ever deleted.
package struct RetentionPolicy: Hashable, Sendable {
    /// How long rows are kept, in ms; nil for no time rule.
    package var keepFor: Int64?
    /// The number of newest messages (those that count as unread) to keep, with all rows from the first of them on;
    /// nil for no such rule.
    package var keepLast: Int64?

    package init(keepFor: Int64? = nil, keepLast: Int64? = nil) {
        self.keepFor = keepFor
        self.keepLast = keepLast
    }

    /// Whether to keep a row sent at a time and followed by a number of counted messages.
    package func keeps(sentAt: Int64, behind: Int64, now: Int64) -> Bool {
        if let keepFor, sentAt > now.subtractingReportingOverflow(keepFor).partialValue { return true }
        if let keepLast, behind < keepLast { return true }
        return keepFor == nil && keepLast == nil
    }
}

/// The state of the scan over all channels for old rows. It is updated with the commit of each step.
struct RetentionScan {
    /// When the next scan begins, in ms since 1970; nil at the start, when the policy may be a new one.
    var nextAt: Int64?
    /// The last scanned channel; nil between two scans.
    var cursor: String?
    /// The numbers of channels with deleted rows, and of deleted rows.
    var channels = 0
    var rows = 0
    /// Whether rows of the next channel have already been deleted.
    var isPartlyPurged = false
}

extension Transaction {
    /// The number of channels scanned per turn, and the approximate number of rows changed.
    private static let channelsPerTurn = 200
    private static let rowsPerTurn: Int64 = 500
    /// The maximum number of rows covered by one `channel.purged` row.
    private static let rowsPerPurge: Int64 = 10_000

    /// Continues the scan: checks some channels and deletes some of their old rows.
    ///
    /// The first step for a channel raises `purged_seq` and announces it. From then on, rows up to there are not read
    /// any more, and later turns delete them gradually. The remaining work is determined from the log itself, so
    /// nothing is left over if the process ends in between.
    /// - Returns: when the next turn is due.
    mutating func purge() throws -> Int64? {
        let interval = configuration.retentionInterval
        // Policies may be set while the server runs.
        if configuration.retention.isEmpty { return batch.now + interval }
        var scan = batch.features.retention
        let cursor = scan.cursor ?? ""
        if scan.cursor == nil {
            // A clock that was set back must not delay the scan for long.
            if let next = scan.nextAt, min(next, batch.now + interval) > batch.now { return next }
            if let next = try take("retention", every: interval), scan.nextAt != nil {
                batch.features.retention.nextAt = next
                return next
            }
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
            if scan.channels > 0 {
                batch.add(.rowsPurged(channels: scan.channels, rows: scan.rows))
                batch.audit.append(
                    AuditEntry(
                        time: batch.now, event: "retention.run", sender: .server,
                        changes: ["channels=\(scan.channels)", "rows=\(scan.rows)"]))
            }
        }
        batch.features.retention = scan
        return scan.cursor == nil ? scan.nextAt : batch.now
    }

    /// A channel in the scan.
    private struct Candidate {
        var id: ChannelID
        var kind: ChannelKind
        var count: Int64
        var purged: Int64
        /// The oldest row, except for the one that announces the last purge.
        var oldest: Int64?
        var oldestSentAt: Int64
        var oldestCount: Int64

        /// Whether purged rows still have to be deleted.
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

    /// Purges one channel within the remaining budget.
    /// - Returns: whether the channel is finished.
    private mutating func purge(_ candidate: Candidate, _ scan: inout RetentionScan, _ room: inout Int64) throws -> Bool
    {
        // A purge that has begun is finished, even if the policy has changed.
        let policy = configuration.retention[candidate.kind] ?? RetentionPolicy()
        let isKept = policy.keeps(
            sentAt: candidate.oldestSentAt, behind: candidate.count - candidate.oldestCount, now: batch.now)
        guard candidate.isPurging || !isKept, let oldest = candidate.oldest else { return true }
        try load([candidate.id])
        guard var channel = batch.channels[candidate.id] else { return true }
        var isLast = false
        if !candidate.isPurging {
            let end = try purgeEnd(of: channel, oldest, policy)
            // Otherwise another process has purged the channel in the meantime and does the rest.
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

    /// Returns the last row that the policy does not keep, within the limit of one step.
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

    /// Hides all rows up to `end` from everybody, and announces it.
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
            // This is not reading, so the time of the last read mark is kept.
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

    /// Removes the content of snapshots in kept replies to purged messages, a page at a time.
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
                guard let message = row.event.message else { continue }
                row.event.message = message.afterPurge(upTo: end)
                batch.put(try row.values(), LogRow.upsert)
            }
            try flush()
            guard rows.count == most, let end = rows.last else { return }
            last = (end.parent, end.row.seq)
        }
    }

    private static let keys = Upsert("command_keys", ["user_id", "trans_id", "hash", "sent_at", "answer"])

    /// Deletes purged rows and all data that belongs to them.
    private mutating func delete(
        _ rows: (first: Int64, last: Int64), in channel: ChannelID, _ kind: ChannelKind
    ) throws {
        let (first, last) = rows
        let since = batch.now.subtractingReportingOverflow(RetentionRules.transIDs).partialValue
        // Idempotency keys in these rows are kept with their answers.
        let answers = try connection.rows(
            """
            SELECT l.sender, l.trans_id, l.hash, l.sent_at, l.frame, l.seq FROM channel_log l
            WHERE l.channel = \(channel) AND l.seq >= \(first) AND l.seq <= \(last)
            AND l.trans_id IS NOT NULL AND l.hash IS NOT NULL AND l.sent_at > \(since)
            AND NOT EXISTS (SELECT 1 FROM command_keys k WHERE k.user_id = l.sender AND k.trans_id = l.trans_id)
            """
        ) { row -> [SQLValue]? in
            guard let transID = TransID(rawValue: try row.text(1)) else { return nil }
            let sentAt = try row.int(3)
            let event = try row.event(4, of: channel, row.int(5))
            let answer = Acknowledgement(repeating: event, transID: transID, sentAt: sentAt)
            return [
                .text(try row.text(0)), .text(transID.rawValue), .int(try row.int(2)), .int(sentAt),
                .content(WireCodec.encode(answer)),
            ]
        }
        try connection.write(answers.compactMap { $0 }, Self.keys)
        for table in ["channel_log", "forwards", "votes", "ballots", "reactions", "reaction_kinds", "pins"] as [Query] {
            try connection.execute(
                "DELETE FROM \(table) WHERE channel = \(channel) AND seq >= \(first) AND seq <= \(last)")
        }
        try releaseFiles(from: first, to: last, in: channel)
        try connection.execute(
            "DELETE FROM replies WHERE channel = \(channel) AND parent_seq >= \(first) AND parent_seq <= \(last)")
        for table in (kind.isNews ? ["deletions"] : ["mentions", "deletions"]) as [Query] {
            var query: Query = "DELETE FROM \(table) WHERE channel = \(channel) AND seq >= \(first) AND seq <= \(last)"
            // The user precedes the row in the index. Of news, only few subscribers have deleted anything.
            if !kind.isNews {
                query.append(" AND user_id IN (SELECT m.user_id FROM members m WHERE m.channel = \(channel))")
            }
            try connection.execute(query)
        }
        batch.changedChannels.insert(channel)
    }
}
