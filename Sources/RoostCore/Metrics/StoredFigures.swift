import RoostWire

/// Figures that are read from the database.
package struct StoredFigures: Sendable {
    /// The size of the database, in bytes.
    package var bytes: Int64
    /// The servers that use it.
    package var nodes: Int
    /// The uploads that are not finished.
    package var uploads: Int
    /// The age of the oldest notification that is not sent, in ms; 0 if there is none.
    package var pushAge: Int64
}

extension Core {
    /// How many commands and logins wait for their transaction.
    package var queueLength: Int { writer.queueLength }

    /// How long each task in the background has been due and not done, in ms.
    package var taskDelays: [String: Int64] {
        let now = effects.now()
        return writer.dueTimes.mapValues { $0 < now ? now - $0 : 0 }
    }

    /// How long ago all that other servers had committed was known, in ms.
    package var journalDelay: Int64 { journal.delay }

    /// Reads figures from the database.
    /// - Throws: `DatabaseFailure`.
    package func storedFigures() async throws -> StoredFigures {
        let now = effects.now()
        return try await readWhileReady { connection in
            let rows = try connection.rows(
                """
                SELECT \(.databaseBytes), (SELECT COUNT(*) FROM nodes),
                (SELECT COUNT(*) FROM files WHERE expires_at IS NOT NULL AND bytes_key IS NULL),
                (SELECT MIN(created_at) FROM pushes)
                """
            ) { row in
                StoredFigures(
                    bytes: try row.int(0), nodes: Int(try row.int(1)), uploads: Int(try row.int(2)),
                    pushAge: row.isNull(3) ? 0 : max(0, now - (try row.int(3))))
            }
            guard let figures = rows.first else { throw DatabaseFailure(.other, "no figures") }
            return figures
        }
    }

    /// Reads something from the database.
    /// - Throws: `DatabaseFailure` if it does not answer.
    package func checkReading() async throws {
        _ = try await readWhileReady { try $0.rows("SELECT 1") { try $0.int(0) } }
    }
}
