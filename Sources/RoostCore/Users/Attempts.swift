package import RoostWire

/// An attempt that is counted for all servers of the database, in windows of time.
package struct CountedAttempt: Codable, Sendable {
    /// When the windows in which it counts began, in ms since 1970, by their ids; empty if one was full.
    package var windows: [String: Int64] = [:]
    /// The window that was full, and when there may be another attempt, in ms from now; nil if this one counts.
    package var full: String?
    package var waitMs: Int64?

    /// How long a window lasts from its first attempt, in ms: 15 minutes.
    package static let length: Int64 = 900_000
    /// How far the clocks of servers may be apart, in ms. A window that began later is of a clock that was set back since.
    static let overlap: Int64 = 60_000
}

extension Core {
    /// Whose attempts are all. They are in a batch of their own, as they lock rows in an order of their own.
    static let counting: UserID = ".."

    /// Counts an attempt in all of some windows, or in none if one is full.
    /// - Parameter limits: the most attempts of each window, by its id: a hash, if it is of a name or an address.
    /// - Throws: `WireError` if the database takes no changes.
    package func countAttempt(_ limits: [String: Int]) async throws(WireError) -> CountedAttempt {
        let answer = try await write(as: Self.counting) { try WireCodec.encode(try $0.countAttempt(limits)) }
        guard let counted = try? WireCodec.decode(CountedAttempt.self, from: answer) else {
            throw WireError(.accountDatabase)
        }
        return counted
    }

    /// Takes an attempt back.
    /// - Parameters:
    ///   - windows: in which it counts, as ``countAttempt(_:)`` has returned them.
    ///   - id: a window of which all attempts are taken back.
    /// - Throws: `WireError` if the database takes no changes.
    package func takeBackAttempt(_ windows: [String: Int64], allOf id: String? = nil) async throws(WireError) {
        _ = try await write(as: Self.counting) {
            try $0.takeBackAttempt(windows, allOf: id)
            return []
        }
    }

    /// How many users a user may look up at all servers in a window: what one server allows in that time. The command
    /// that reaches it may go beyond.
    static let maxLookups = RateLimits.lookups.burst + 900 * RateLimits.lookups.perSecond

    /// Counts a look-up of users at all servers before it is run.
    func countLookup(
        _ count: Int, by actor: Actor, _ run: @escaping @Sendable (_ refusal: WireError?) -> Void
    ) {
        guard hasOthers, !actor.managesAccounts else { return run(nil) }
        let user = actor.user.userID
        let job = Job.work(
            Self.counting,
            { transaction in
                let limits = ["lookups \(user)": Self.maxLookups]
                return try WireCodec.encode(try transaction.countAttempt(limits, count: max(1, count)))
            },
            then: { reply in
                // If the database takes no changes, what this server has counted has to do.
                guard case .accepted(let bytes) = reply,
                    let wait = (try? WireCodec.decode(CountedAttempt.self, from: bytes))?.waitMs
                else { return run(nil) }
                run(RateLimits.refusal(Int(clamping: wait)))
            })
        if !writer.submit(job) { run(WireError(.draining)) }
    }
}

extension Transaction {
    fileprivate func countAttempt(_ limits: [String: Int], count: Int = 1) throws -> CountedAttempt {
        let keys = limits.keys.sorted().map { [SQLValue.text($0)] }
        var rows = try attempts(keys)
        if let refusal = refusal(rows, limits) { return refusal }
        if rows.count < keys.count {
            // So that there is a row to lock: two servers may begin a window at the same time.
            try connection.execute(
                """
                WITH k (id) AS (\(keys: keys)) INSERT INTO attempts (id, begun_at, count)
                SELECT k.id, \(batch.now), 0 FROM k WHERE true ORDER BY k.id ON CONFLICT (id) DO NOTHING
                """)
            rows = try attempts(keys)
            if let refusal = refusal(rows, limits) { return refusal }
        }
        var new = Dictionary(uniqueKeysWithValues: limits.keys.map { ($0, (begunAt: batch.now, count: Int64(0))) })
        for row in rows where isCurrent(row) { new[row.id] = (row.begunAt, row.count) }
        try connection.write(
            new.sorted { $0.key < $1.key }.map {
                [.text($0.key), .int($0.value.begunAt), .int($0.value.count + Int64(count))]
            }, Self.attempts)
        return CountedAttempt(windows: new.mapValues(\.begunAt))
    }

    private typealias Attempts = (id: String, begunAt: Int64, count: Int64)

    /// Locks the rows of windows.
    private func attempts(_ keys: [[SQLValue]]) throws -> [Attempts] {
        try connection.rows(
            """
            WITH k (id) AS (\(keys: keys)) SELECT a.id, a.begun_at, a.count FROM attempts a
            WHERE a.id IN (SELECT id FROM k) ORDER BY a.id \(.forUpdate)
            """
        ) { (try $0.text(0), try $0.int(1), try $0.int(2)) }
    }

    private func isCurrent(_ row: Attempts) -> Bool {
        batch.now - CountedAttempt.length < row.begunAt && row.begunAt <= batch.now + CountedAttempt.overlap
    }

    /// The answer if a window is full: that of which there is the longest to wait for.
    private func refusal(_ rows: [Attempts], _ limits: [String: Int]) -> CountedAttempt? {
        let full = rows.filter { isCurrent($0) && $0.count >= Int64(limits[$0.id] ?? 0) }
        guard let last = full.max(by: { $0.begunAt < $1.begunAt }) else { return nil }
        return CountedAttempt(full: last.id, waitMs: last.begunAt + CountedAttempt.length - batch.now)
    }

    private static let attempts = Upsert("attempts", ["id", "begun_at", "count"], keys: ["id"])

    fileprivate func takeBackAttempt(_ windows: [String: Int64], allOf id: String?) throws {
        for (window, begunAt) in windows.sorted(by: { $0.key < $1.key }) {
            try connection.execute(
                window == id
                    ? "DELETE FROM attempts WHERE id = \(window)"
                    : """
                    UPDATE attempts SET count = count - 1
                    WHERE id = \(window) AND begun_at = \(begunAt) AND count > 0
                    """)
        }
    }

    /// Deletes windows that are over.
    /// - Returns: how many it has deleted.
    func deleteOldAttempts(most: Int) throws -> Int {
        let time = batch.now - CountedAttempt.length - CountedAttempt.overlap
        let keys = try connection.rows(
            "SELECT id FROM attempts WHERE begun_at <= \(time) ORDER BY begun_at LIMIT \(most)"
        ) { [SQLValue.text(try $0.text(0))] }
        guard !keys.isEmpty else { return 0 }
        try connection.execute(
            """
            WITH k (id) AS (\(keys: keys)) DELETE FROM attempts
            WHERE id IN (SELECT k.id FROM k) AND begun_at <= \(time)
            """)
        return keys.count
    }
}
