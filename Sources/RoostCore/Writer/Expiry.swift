import RoostWire

/// What is kept for a time only, whatever the operator keeps of channels: the keys of commands, and the rows of users'
/// own logs.
extension Transaction {
    /// The most keys, and the most rows, that one turn deletes.
    private static let expiredPerTurn = 500

    /// Deletes some of what has outlived its time, the oldest first.
    ///
    /// The key of a message stands in the message's own row and stays as long as that row; those in `command_keys` go here.
    /// Times never decrease along a user's log, so what goes of it is its beginning, and what is left has no hole;
    /// `resume` sees from the rows themselves that some are gone. Of several processes one deletes at a time: if two
    /// did, and one failed, the other would leave a hole.
    /// - Returns: when to look again, ms since 1970: now while there may be more.
    mutating func deleteExpired() throws -> Int64? {
        let later = batch.now + configuration.retentionInterval
        let lease = try connection.rows("SELECT value FROM meta WHERE name = 'expiry' \(.forUpdateSkipLocked)") {
            try $0.text(0)
        }
        guard !lease.isEmpty else { return later }
        let keys = try deleteKeys(upTo: batch.now - RetentionRules.transIDs)
        let rows = try deleteUserRows(upTo: batch.now - RetentionRules.userLog)
        return max(keys, rows) < Self.expiredPerTurn ? later : batch.now
    }

    /// - Returns: how many it has deleted.
    private func deleteKeys(upTo time: Int64) throws -> Int {
        let keys = try connection.rows(
            """
            SELECT user_id, trans_id FROM command_keys WHERE sent_at <= \(time)
            ORDER BY sent_at LIMIT \(Self.expiredPerTurn)
            """
        ) { [SQLValue.text(try $0.text(0)), .text(try $0.text(1))] }
        guard !keys.isEmpty else { return 0 }
        try connection.execute(
            """
            WITH k (user_id, trans_id) AS (\(keys: keys))
            DELETE FROM command_keys WHERE (user_id, trans_id) IN (SELECT k.user_id, k.trans_id FROM k)
            """)
        return keys.count
    }

    /// - Returns: how many it has deleted.
    private func deleteUserRows(upTo time: Int64) throws -> Int {
        // Rows of one moment go in their order, so that a turn that ends among them leaves no hole.
        let keys = try connection.rows(
            """
            SELECT user_id, seq FROM user_log WHERE sent_at <= \(time)
            ORDER BY sent_at, user_id, seq LIMIT \(Self.expiredPerTurn)
            """
        ) { [SQLValue.text(try $0.text(0)), .int(try $0.int(1))] }
        guard !keys.isEmpty else { return 0 }
        try connection.execute(
            """
            WITH k (user_id, seq) AS (\(keys: keys))
            DELETE FROM user_log WHERE (user_id, seq) IN (SELECT k.user_id, k.seq FROM k)
            """)
        return keys.count
    }
}
