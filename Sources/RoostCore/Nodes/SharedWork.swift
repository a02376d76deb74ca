package import RoostWire

/// Work on the whole database that one server does for all of them.
extension Transaction {
    /// How far the clocks of servers may differ, in ms.
    private static let clockDifference: Int64 = 60_000

    /// Takes over work that is due some time after a server has last taken it over.
    /// - Returns: nil if this server does it now; otherwise when to ask again, in ms since 1970.
    func take(_ work: String, every interval: Int64) throws -> Int64? {
        guard journal.hasOthers else { return nil }
        try connection.execute("INSERT INTO meta (name, value) VALUES (\(work), '') ON CONFLICT (name) DO NOTHING")
        let taken = try connection.rows("SELECT value FROM meta WHERE name = \(work) \(.forUpdate)") {
            Int64(try $0.text(0))
        }
        // A clock that was set back must not delay the work for long.
        if let time = taken.first ?? nil, time > batch.now - interval, time <= batch.now + Self.clockDifference {
            return time + interval
        }
        try connection.execute("UPDATE meta SET value = \(String(batch.now)) WHERE name = \(work)")
        return nil
    }
}

extension Core {
    /// Shows that this server is still at work that it has taken over.
    package func keep(_ work: String) async { await note(work, String(effects.now())) }

    /// Ends work that this server has taken over, so that it can be taken over at once.
    package func giveUp(_ work: String) async { await note(work, "") }

    private func note(_ work: String, _ value: String) async {
        guard hasOthers else { return }
        _ = try? await write(as: Self.itself) { transaction in
            try transaction.connection.execute("UPDATE meta SET value = \(value) WHERE name = \(work)")
            return []
        }
    }

    /// Takes over work that is due some time, in ms, after a server of the database has last taken it over.
    /// - Returns: whether this server does it now; it does if it is alone.
    /// - Throws: `WireError` 1003 if the database cannot be reached.
    package func takes(_ work: String, every interval: Int64) async throws(WireError) -> Bool {
        guard hasOthers else { return true }
        return try await write(as: Self.itself) { try $0.take(work, every: interval) == nil ? [1] : [] } == [1]
    }
}
