/// Migrates a database to the schema of this binary.
package enum Migrator {
    /// Applies the missing migrations, one transaction each. If several processes start at once, one migrates and the
    /// others wait.
    /// - Parameter schema: the number of migrations after which it ends.
    /// - Throws: `DatabaseFailure` `.newerVersion` if the database was written by a newer binary.
    /// - Returns: the epoch of the database, created on the first start.
    package static func run(
        on database: any SQLDatabase, upTo schema: Int = Migrations.all.count, random: () -> UInt64
    ) throws -> String {
        try database.write { connection in
            try connection.execute(
                "CREATE TABLE IF NOT EXISTS schema_version (id \(.int) PRIMARY KEY, version \(.int) NOT NULL)")
            try connection.execute("INSERT INTO schema_version (id, version) VALUES (1, 0) ON CONFLICT (id) DO NOTHING")
        }
        while try step(on: database, upTo: Int64(schema)) {}
        return try database.write { connection in
            let known = try connection.rows("SELECT value FROM meta WHERE name = 'epoch'") { try $0.text(0) }
            if let epoch = known.first {
                try noteOrigin(connection, epoch)
                return epoch
            }
            let epoch = String(random(), radix: 16)
            try connection.execute("INSERT INTO meta (name, value) VALUES ('epoch', \(epoch))")
            try noteOrigin(connection, epoch)
            return epoch
        }
    }

    /// Notes the first epoch of a database, which stays when it gets another one: by it, two states are known to be of one database.
    private static func noteOrigin(_ connection: any SQLConnection, _ epoch: String) throws {
        guard try origin(connection) == nil else { return }
        try connection.execute("INSERT INTO meta (name, value) VALUES ('origin', \(epoch))")
    }

    private static func origin(_ connection: any SQLConnection) throws -> String? {
        try connection.rows("SELECT value FROM meta WHERE name = 'origin'") { try $0.text(0) }.first
    }

    /// The first epoch of a database that is known; nil if it has no epoch.
    package static func firstEpoch(_ connection: any SQLConnection) throws -> String? {
        try origin(connection)
            ?? connection.rows("SELECT value FROM meta WHERE name = 'epoch'") { try $0.text(0) }.first
    }

    /// Gives a database a new epoch, so that no client takes its rows for those that it has.
    /// - Throws: `DatabaseFailure`, also if it has no epoch.
    package static func renewEpoch(of database: any SQLDatabase, random: () -> UInt64) throws -> String {
        guard try !isNew(database) else {
            throw DatabaseFailure(.unavailable, "The database is empty: restore its backup.")
        }
        return try database.write { try renewEpoch($0, random: random) }
    }

    /// Gives a database with data a new epoch, in a transaction that writes.
    package static func renewEpoch(_ connection: any SQLConnection, random: () -> UInt64) throws -> String {
        let known = try connection.rows("SELECT value FROM meta WHERE name = 'epoch'") { try $0.text(0) }
        if let first = known.first { try noteOrigin(connection, first) }
        let epoch = String(random(), radix: 16)
        try connection.execute(
            """
            INSERT INTO meta (name, value) VALUES ('epoch', \(epoch))
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """)
        return epoch
    }

    /// Whether a database has no data yet; it is not changed.
    /// - Throws: `DatabaseFailure`.
    package static func isNew(_ database: any SQLDatabase) throws -> Bool { try version(of: database) == 0 }

    /// The number of migrations that a database has had; it is not changed.
    static func version(of database: any SQLDatabase) throws -> Int64 {
        // No statement asks all engines for their tables. The table is made and taken back with the transaction.
        struct Answer: Error { var version: Int64 }
        do {
            try database.write { connection in
                try connection.execute(
                    "CREATE TABLE IF NOT EXISTS schema_version (id \(.int) PRIMARY KEY, version \(.int) NOT NULL)")
                let versions = try connection.rows("SELECT version FROM schema_version WHERE id = 1") { try $0.int(0) }
                throw Answer(version: versions.first ?? 0)
            }
        } catch let answer as Answer {
            return answer.version
        }
        return 0
    }

    /// Applies the next migration.
    /// - Returns: whether there may be more.
    private static func step(on database: any SQLDatabase, upTo last: Int64) throws -> Bool {
        let known = Int64(Migrations.all.count)
        return try database.write { connection in
            // The row is the lock: a second process waits here and then sees the result of the first.
            let versions = try connection.rows("SELECT version FROM schema_version WHERE id = 1 \(.forUpdate)") {
                try $0.int(0)
            }
            guard let current = versions.first, current >= 0 else {
                throw DatabaseFailure(.corrupt, "The database has no schema version.")
            }
            guard current <= known else {
                throw DatabaseFailure(
                    .newerVersion,
                    "The data was written by a newer version of roost (schema \(current); this version supports \(known)). "
                        + "Start that version, or restore a backup.")
            }
            guard current < min(known, last) else { return false }
            for statement in Migrations.all[Int(current)] { try connection.execute(statement) }
            try connection.execute("UPDATE schema_version SET version = \(current + 1) WHERE id = 1")
            return true
        }
    }

    /// The row of `meta` that a database has while a backup is being restored into it.
    private static let restoring = "restoring"

    /// Checks that no restore into a database has begun and not ended: no server must start with it.
    /// - Throws: `DatabaseFailure`.
    package static func checkRestored(_ database: any SQLDatabase) throws {
        guard try version(of: database) > 0 else { return }
        try database.write { connection in try checkRestored(connection) }
    }

    /// The same in a transaction, for a database with a schema.
    package static func checkRestored(_ connection: any SQLConnection) throws {
        guard try !isRestoring(connection) else {
            throw DatabaseFailure(
                .unavailable,
                "A restore into the database has not ended. Run roost restore again, with the same options.")
        }
    }

    private static func isRestoring(_ connection: any SQLConnection) throws -> Bool {
        try !connection.rows("SELECT 1 FROM meta WHERE name = \(restoring)") { try $0.int(0) }.isEmpty
    }

    /// Prepares a database for the rows of a backup, in one transaction; what an earlier restore has left is dropped.
    /// - Parameters:
    ///   - connection: in a transaction at a time when no server uses the database.
    ///   - id: names the restore; another one that begins later takes the database away from it.
    ///   - schema: that of the backup.
    ///   - tables: the tables of this version.
    ///   - isShared: whether the database may have tables of others.
    /// - Throws: `DatabaseFailure`, `.unavailable` if the database has users, channels or tables of something else.
    package static func beginRestore(
        _ connection: any SQLConnection, id: String, schema: Int, tables: [String], isShared: Bool
    ) throws {
        try connection.execute(
            "CREATE TABLE IF NOT EXISTS schema_version (id \(.int) PRIMARY KEY, version \(.int) NOT NULL)")
        let version = try connection.rows("SELECT version FROM schema_version WHERE id = 1") { try $0.int(0) }.first
        if version ?? 0 > 0 {
            try checkEmpty(connection)
            for table in tables + running {
                try connection.execute(Query(stringLiteral: "DROP TABLE IF EXISTS \(table)"))
            }
        } else if isShared {
            try checkNoTables(connection)
        }
        try connection.execute("DELETE FROM schema_version")
        try connection.execute("INSERT INTO schema_version (id, version) VALUES (1, \(schema))")
        for statement in Migrations.all.prefix(schema).joined() { try connection.execute(statement) }
        // The migrations have inserted rows, which the backup has, too.
        try connection.execute("DELETE FROM meta")
        try connection.execute("INSERT INTO meta (name, value) VALUES (\(restoring), \(id))")
    }

    /// Checks that a database of Roost has no users and no channels, or that a restore into it has not ended.
    private static func checkEmpty(_ connection: any SQLConnection) throws {
        if try isRestoring(connection) { return }
        let found = try connection.rows("SELECT id FROM users UNION SELECT id FROM channels LIMIT 1") { try $0.text(0) }
        guard found.isEmpty else {
            throw DatabaseFailure(
                .unavailable, "The database has data already. Make an empty one, and name it with --database.")
        }
    }

    /// Checks that a database of PostgreSQL has no tables but those that opening it makes.
    private static func checkNoTables(_ connection: any SQLConnection) throws {
        let found = try connection.rows(
            """
            SELECT CAST(table_name AS TEXT) FROM information_schema.tables
            WHERE table_schema = current_schema() AND table_name NOT IN ('schema_version', 'writers')
            ORDER BY table_name LIMIT 1
            """
        ) { try $0.text(0) }
        if let table = found.first {
            throw DatabaseFailure(
                .unavailable,
                "The database has tables of something else, such as \(table). Make an empty one, and name it with --database."
            )
        }
    }

    /// Checks in a transaction that no other restore has taken the database, and keeps others from it until the end.
    /// - Throws: `DatabaseFailure` `.openElsewhere`.
    package static func checkRestore(_ connection: any SQLConnection, id: String) throws {
        let found = try connection.rows("SELECT value FROM meta WHERE name = \(restoring) \(.forUpdate)") {
            try $0.text(0)
        }
        guard found == [id] else {
            throw DatabaseFailure(.openElsewhere, "Another restore into this database has begun meanwhile.")
        }
    }

    /// The tables that backups leave out.
    private static let running = [
        "nodes", "ended_nodes", "commits", "connections", "participants", "attempts", "pushes", "push_outbox",
        "push_items",
    ]

    /// Ends a restore, so that servers may start.
    /// - Throws: `DatabaseFailure`.
    package static func endRestore(into database: any SQLDatabase, id: String) throws {
        try database.write { connection in
            try checkRestore(connection, id: id)
            try connection.execute("DELETE FROM meta WHERE name = \(restoring)")
        }
    }
}
