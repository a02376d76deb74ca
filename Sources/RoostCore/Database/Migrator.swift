import Foundation
package import Logging

/// Migrates a database to the schema of this binary.
package enum Migrator {
    /// Applies the missing migrations, one transaction each. If several processes start at once, one migrates and the
    /// others wait.
    /// - Parameters:
    ///   - migrations: all that are known.
    ///   - schema: the number of migrations after which it ends; nil for all.
    ///   - note: called before each migration of a database with data, with its number.
    /// - Throws: `DatabaseFailure` `.newerVersion` if the database was changed by a newer version and this one cannot work
    ///   with it, `.openElsewhere` if a server uses it that could not work with it afterwards.
    /// - Returns: the epoch of the database, created on the first start.
    package static func run(
        on database: any SQLDatabase, _ migrations: [Migration] = Migrations.all, upTo schema: Int? = nil,
        random: () -> UInt64, note: (Int) -> Void = { _ in }
    ) throws -> String {
        try database.write { connection in
            try connection.execute(
                "CREATE TABLE IF NOT EXISTS schema_version (id \(.int) PRIMARY KEY, version \(.int) NOT NULL)")
            try connection.execute("INSERT INTO schema_version (id, version) VALUES (1, 0) ON CONFLICT (id) DO NOTHING")
        }
        let isNew = try numbers(of: database).schema == 0
        let known = migrations.prefix(schema ?? migrations.count)
        if isNew { while try makeNext(on: database, known) {} }
        while let next = try next(on: database, known) {
            if !isNew { note(next) }
            try step(to: next, on: database, known)
        }
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
    package static func isNew(_ database: any SQLDatabase) throws -> Bool { try numbers(of: database).schema == 0 }

    /// Which versions can work with a database; it is not changed. The schema of an empty one is 0.
    /// - Throws: `DatabaseFailure`.
    package static func numbers(of database: any SQLDatabase) throws -> SchemaNumbers {
        // No statement asks all engines for their tables. The table is made and taken back with the transaction.
        struct Answer: Error { var numbers: SchemaNumbers }
        do {
            try database.write { connection in
                try connection.execute(
                    "CREATE TABLE IF NOT EXISTS schema_version (id \(.int) PRIMARY KEY, version \(.int) NOT NULL)")
                throw Answer(numbers: try numbers(connection) ?? SchemaNumbers(schema: 0, oldest: 1))
            }
        } catch let answer as Answer {
            return answer.numbers
        }
        return SchemaNumbers(schema: 0, oldest: 1)
    }

    /// The same in a transaction, for a database with the table; nil if that is empty.
    package static func numbers(
        _ connection: any SQLConnection, locks: Bool = false
    ) throws -> SchemaNumbers? {
        // The row is the lock: a second process waits here and then sees the result of the first.
        let version: Query =
            locks
            ? "SELECT version FROM schema_version WHERE id = 1 \(.forUpdate)"
            : "SELECT version FROM schema_version WHERE id = 1"
        guard let schema = try connection.rows(version, { try Int(exactly: $0.int(0)) ?? -1 }).first else { return nil }
        guard schema >= Migrations.firstWithTwoNumbers else { return SchemaNumbers(schema: schema, oldest: 1) }
        let oldest = try connection.rows("SELECT oldest FROM schema_version WHERE id = 1") {
            Int(clamping: try $0.int(0))
        }
        return SchemaNumbers(schema: schema, oldest: oldest.first ?? 1)
    }

    /// Checks in a transaction that this version can still work with the database.
    /// - Throws: `DatabaseFailure` `.newerVersion`.
    static func check(_ connection: any SQLConnection) throws {
        try numbers(connection)?.check(Migrations.all.count)
    }

    /// The number of the migration that is missing next; nil if none is.
    private static func next(on database: any SQLDatabase, _ known: ArraySlice<Migration>) throws -> Int? {
        try database.write { connection in
            guard let numbers = try numbers(connection), numbers.schema >= 0 else {
                throw DatabaseFailure(.corrupt, "The database has no schema version.")
            }
            try numbers.check(known.count)
            return numbers.schema < known.count ? numbers.schema + 1 : nil
        }
    }

    /// Applies the next migration of an empty database, which takes no time.
    /// - Returns: whether there may be more; false also before one that changes rows.
    private static func makeNext(on database: any SQLDatabase, _ known: ArraySlice<Migration>) throws -> Bool {
        try database.write { connection in
            guard let done = try numbers(connection, locks: true)?.schema, known.indices.contains(done) else {
                return false
            }
            if case .rows = known[done] { return false }
            if let oldest = known[done].oldest { try checkNodes(connection, done + 1, oldest: oldest) }
            try apply(known[done], done + 1, connection)
            return true
        }
    }

    /// Applies a migration, unless another process has done it meanwhile.
    private static func step(to schema: Int, on database: any SQLDatabase, _ known: ArraySlice<Migration>) throws {
        let migration = known[schema - 1]
        if case .index(let name, let columns) = migration { try database.createIndex(name, on: columns) }
        if migration.oldest != nil { try finishTurns(on: database, known) }
        for attempt in 1... {
            do {
                return try database.writeLong { connection in
                    guard try numbers(connection, locks: true)?.schema == schema - 1 else { return }
                    if let oldest = migration.oldest { try checkNodes(connection, schema, oldest: oldest) }
                    if case .index = migration {
                        // It would keep others from writing to the table, though the index is there.
                        try note(migration, schema, connection)
                    } else {
                        try apply(migration, schema, connection)
                    }
                }
            } catch let failure as DatabaseFailure where failure.kind == .busy && attempt < patience {
                // Another process does it, or somebody has a table for long. Who waits for a lock longer than some seconds
                // keeps all others waiting, too.
                Thread.sleep(forTimeInterval: 0.2)
            }
        }
    }

    /// How often a step is tried that waits for a lock, which takes five seconds each.
    private static let patience = 120

    /// Checks that no server uses the database that could not work with it afterwards, and keeps such from joining.
    private static func checkNodes(_ connection: any SQLConnection, _ schema: Int, oldest: Int) throws {
        guard schema > Migrations.firstWithNodes else { return }
        try NodeAdmission.lock(connection)
        let names = try connection.rows("SELECT address FROM nodes WHERE schema < \(oldest) ORDER BY address") {
            try $0.text(0)
        }
        guard let name = names.first else { return }
        throw DatabaseFailure(
            .openElsewhere,
            "A server at \(name) uses this database and is too old for its schema \(schema). Stop it first, then start this one."
        )
    }

    /// Applies a migration and notes it.
    private static func apply(_ migration: Migration, _ schema: Int, _ connection: any SQLConnection) throws {
        for statement in migration.statements { try connection.execute(statement) }
        try note(migration, schema, connection)
    }

    private static func note(_ migration: Migration, _ schema: Int, _ connection: any SQLConnection) throws {
        if case .rows = migration {
            try connection.execute(
                "INSERT INTO meta (name, value) VALUES (\(Migration.positionName(schema)), '')")
        }
        try connection.execute("UPDATE schema_version SET version = \(schema) WHERE id = 1")
        guard let oldest = migration.oldest else { return }
        try connection.execute("UPDATE schema_version SET oldest = \(oldest) WHERE id = 1")
    }

    // MARK: Rows

    /// What a look for rows to change has found.
    enum Turn: Equatable {
        /// All rows are as this version needs them.
        case nothing
        /// Another process changes them.
        case elsewhere
        /// A turn was done: of which migration, whether its first one, and whether its last one.
        case done(schema: Int, isFirst: Bool, isLast: Bool)
    }

    /// Does the next turn of the first migration that changes rows and has not ended, unless another process does it.
    static func turn(_ connection: any SQLConnection, _ known: some Collection<Migration>) throws -> Turn {
        for (index, migration) in known.enumerated() {
            guard case .rows(let turn) = migration else { continue }
            let name = Migration.positionName(index + 1)
            guard try !connection.rows("SELECT 1 FROM meta WHERE name = \(name)", { try $0.int(0) }).isEmpty else {
                continue
            }
            let found = try connection.rows("SELECT value FROM meta WHERE name = \(name) \(.forUpdateSkipLocked)") {
                try $0.text(0)
            }
            guard let position = found.first else { return .elsewhere }
            let next = try turn(connection, position)
            if let next {
                try connection.execute("UPDATE meta SET value = \(next) WHERE name = \(name)")
            } else {
                try connection.execute("DELETE FROM meta WHERE name = \(name)")
            }
            return .done(schema: index + 1, isFirst: position.isEmpty, isLast: next == nil)
        }
        return .nothing
    }

    /// Does all turns that are left.
    private static func finishTurns(on database: any SQLDatabase, _ known: ArraySlice<Migration>) throws {
        while true {
            switch try database.write({ try turn($0, known) }) {
            case .nothing: return
            case .elsewhere: Thread.sleep(forTimeInterval: 0.1)
            case .done: break
            }
        }
    }

    // MARK: Restoring

    /// The row of `meta` that a database has while a backup is being restored into it.
    private static let restoring = "restoring"

    /// Checks that no restore into a database has begun and not ended: no server must start with it.
    /// - Throws: `DatabaseFailure`.
    package static func checkRestored(_ database: any SQLDatabase) throws {
        guard try !isNew(database) else { return }
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

    /// Whether a restore into a database with a schema has begun and not ended.
    package static func isRestoring(_ connection: any SQLConnection) throws -> Bool {
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
        if try numbers(connection)?.schema ?? 0 > 0 {
            try checkEmpty(connection)
            for table in tables + running {
                try connection.execute(Query(stringLiteral: "DROP TABLE IF EXISTS \(table)"))
            }
        } else if isShared {
            try checkNoTables(connection)
        }
        try connection.execute("DROP TABLE schema_version")
        try connection.execute("CREATE TABLE schema_version (id \(.int) PRIMARY KEY, version \(.int) NOT NULL)")
        try connection.execute("INSERT INTO schema_version (id, version) VALUES (1, 0)")
        for (index, migration) in Migrations.all.prefix(schema).enumerated() {
            try apply(migration, index + 1, connection)
        }
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

extension Transaction {
    /// Changes some rows for a migration.
    /// - Returns: when to go on; nil if there is nothing left.
    mutating func migrateRows() throws -> Int64? {
        switch try Migrator.turn(connection, configuration.migrations) {
        case .nothing: return nil
        case .elsewhere: return batch.now + 10_000
        case .done(let schema, let isFirst, let isLast):
            if isFirst { logger.notice("rows are changed for a schema", metadata: ["schema": "\(schema)"]) }
            if isLast { logger.notice("all rows are changed for a schema", metadata: ["schema": "\(schema)"]) }
            return batch.now
        }
    }
}

extension Logger {
    /// Says that a migration of a database with data begins, by its number.
    package func note(schema: Int) {
        notice("the database gets another schema", metadata: ["schema": "\(schema)"])
    }
}
