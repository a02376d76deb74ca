import RoostWire

/// Deletion of data with a fixed lifetime, independent of the retention policy: idempotency keys, the rows of users'
/// logs, closed reports, the networks of old logins, old attempts to log in, and what is known of expired tokens and of
/// notifications.
extension Transaction {
    /// The maximum number of keys, and of rows, deleted per turn.
    private static let expiredPerTurn = 500

    /// Deletes some expired keys and rows, oldest first.
    ///
    /// The key of a message is stored in the message's row and kept with it; those in `command_keys` are deleted
    /// here. Times never decrease along a user's log, so only its beginning is deleted and no gaps remain; `resume`
    /// sees from the rows themselves that some are gone. Only one process deletes at a time: if two did and one
    /// failed, the other would leave a gap.
    /// - Returns: when to run again, in ms since 1970; the current time if there may be more.
    mutating func deleteExpired() throws -> Int64? {
        let later = batch.now + configuration.retentionInterval
        let lease = try connection.rows("SELECT value FROM meta WHERE name = 'expiry' \(.forUpdateSkipLocked)") {
            try $0.text(0)
        }
        guard !lease.isEmpty else { return later }
        let keys = try deleteKeys(upTo: batch.now - RetentionRules.transIDs)
        let rows = try deleteUserRows(upTo: batch.now - RetentionRules.userLog)
        let tokens = try deleteExpiredTokens(most: Self.expiredPerTurn)
        let shown = try forgetOldShown(most: Self.expiredPerTurn)
        let reports = try deleteClosedReports(upTo: batch.now - RetentionRules.closedReports, most: Self.expiredPerTurn)
        let networks = try deleteOldNetworks(most: Self.expiredPerTurn)
        let attempts = try deleteOldAttempts(most: Self.expiredPerTurn)
        return max(keys, rows, tokens, shown, reports, networks, attempts) < Self.expiredPerTurn ? later : batch.now
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
        // Rows with the same time are deleted in order, so that a turn that ends among them leaves no gap.
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
