import Foundation
import Logging
import RoostCore
import RoostPostgres
import RoostSQLite

/// The database, and the servers that use it.
extension Doctor {
    private static let quiet = Logger(label: "roost", factory: { _ in SwiftLogNoOpLogHandler() })

    /// Whether this version can work with the database, and whether what is committed stays.
    func database() async -> [Finding] {
        do {
            guard let url = try DatabaseURL.given(serve.database) else { return try await embedded() }
            let database = try PostgresDatabase(
                url: url, readers: 1, onlyReads: true, checksSessions: true, random: .random(in: 0 ... .max),
                logger: Self.quiet)
            defer { try? database.close() }
            return try await postgres(database, url)
        } catch {
            return [.fault(error, "Start PostgreSQL, or look at --database: psql reaches it with the same URL.")]
        }
    }

    // MARK: SQLite

    private func embedded() async throws -> [Finding] {
        guard FileManager.default.fileExists(atPath: serve.data + "/roost.sqlite") else {
            if FileManager.default.fileExists(atPath: serve.data + "/secret") {
                return [
                    .fault(
                        "there is a secret in \(serve.data), and no database",
                        "Put the database back: see docs/backup.md.")
                ]
            }
            return [.skipped("there is no database yet; the first start makes it")]
        }
        let known = KnownDatabase(directory: serve.data)
        try known.checkReplaced()
        if case .withoutTables? = SQLiteDatabase.emptiness(inDirectory: serve.data),
            FileManager.default.fileExists(atPath: serve.data + "/secret")
        {
            return [
                .fault(
                    "the database in \(serve.data) has no tables, as a copy without its roost.sqlite-wal",
                    "Put its backup there: see docs/backup.md.")
            ]
        }
        if let fault = known.fault {
            return [.fault(fault, "Run roost check --data \(serve.data), and see docs/backup.md.")]
        }
        let database = try SQLiteInspection(directory: serve.data)
        defer { try? database.close() }
        return [try await schema(of: database)]
    }

    // MARK: PostgreSQL

    /// The settings of PostgreSQL and of the connection.
    private struct Surroundings: Sendable {
        var version = ""
        var settings: [String: String] = [:]
        var isStandby = false
        var isReadOnly = false
        var isEncrypted = false
        var isLocal = false
        var mayCreate = false
        var connections: Int64 = 0
        var now: Int64 = 0
    }

    private static func surroundings(_ connection: any SQLConnection) throws -> Surroundings {
        var found = Surroundings()
        for (name, value) in try connection.rows(
            """
            SELECT CAST(name AS TEXT), CAST(setting AS TEXT) FROM pg_settings WHERE name IN ('server_version_num',
            'server_version', 'fsync', 'full_page_writes', 'autovacuum', 'max_connections',
            'superuser_reserved_connections', 'default_transaction_read_only')
            """, { (try $0.text(0), try $0.text(1)) })
        { found.settings[name] = value }
        found.version = found.settings["server_version"] ?? "?"
        let row = try connection.rows(
            """
            SELECT CAST(CAST(pg_is_in_recovery() AS INT) AS BIGINT),
                CAST(COALESCE((SELECT CAST(ssl AS INT) FROM pg_stat_ssl WHERE pid = pg_backend_pid()), 0) AS BIGINT),
                CAST(CAST(COALESCE(inet_server_addr() = inet_client_addr(), true) AS INT) AS BIGINT),
                CAST(CAST(COALESCE(has_schema_privilege(current_schema(), 'CREATE'), false) AS INT) AS BIGINT),
                (SELECT COUNT(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
                CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)
            """
        ) { row in try (0..<6).map { try row.int($0) } }.first
        guard let row else { return found }
        found.isStandby = row[0] == 1
        found.isReadOnly = found.settings["default_transaction_read_only"] == "on"
        (found.isEncrypted, found.isLocal, found.mayCreate) = (row[1] == 1, row[2] == 1, row[3] == 1)
        (found.connections, found.now) = (row[4], row[5])
        return found
    }

    private func postgres(_ database: PostgresDatabase, _ url: String) async throws -> [Finding] {
        let before = Clock.now()
        let found = try await database.read { try Self.surroundings($0) }
        let after = Clock.now()
        var findings = rights(found) + safety(found)
        let skew = found.now < before ? found.now - before : max(0, found.now - after)
        if abs(skew) > 2_000 {
            findings.append(
                .fault(
                    "the clock of PostgreSQL differs by \(skew / 1_000) s from that of this machine",
                    "Set both by the network: timedatectl set-ntp true."))
        }
        let trips = ContinuousClock.now
        for _ in 0..<5 { _ = try await database.read { try $0.rows("SELECT 1::bigint") { try $0.int(0) } } }
        let trip = (ContinuousClock.now - trips) / .milliseconds(5)
        if trip > 5 {
            findings.append(
                .warning(
                    String(format: "PostgreSQL answers after %.1f ms, and users wait for several answers", trip),
                    "Put the server beside its database."))
        }
        findings.append(try await schema(of: database))
        if findings.allSatisfy({ $0.level == .good }) {
            findings.insert(
                .good(String(format: "PostgreSQL %@ answers after %.1f ms", found.version, trip)), at: 0)
        }
        return findings
    }

    private func rights(_ found: Surroundings) -> [Finding] {
        if found.isStandby {
            return [
                .fault(
                    "PostgreSQL is a standby, which nothing can be written to", "Name the primary, or promote this one."
                )
            ]
        }
        if found.isReadOnly {
            return [
                .fault(
                    "PostgreSQL lets this role only read (default_transaction_read_only)",
                    "ALTER ROLE … SET default_transaction_read_only = off, or look at the options of the URL.")
            ]
        }
        if !found.mayCreate {
            return [
                .fault(
                    "the role may not create tables, so there is no first start and no upgrade",
                    "GRANT CREATE ON SCHEMA … TO the role, or give it a schema of its own: see docs/stores.md.")
            ]
        }
        return []
    }

    private func safety(_ found: Surroundings) -> [Finding] {
        var findings: [Finding] = []
        for (name, loss) in [
            ("fsync", "what was acknowledged is lost, and the database may be damaged, if the machine stops"),
            ("full_page_writes", "the database may be damaged if the machine stops"),
        ] where found.settings[name] == "off" {
            findings.append(
                .fault("PostgreSQL runs with \(name) = off: \(loss)", "Set \(name) = on in postgresql.conf."))
        }
        if found.settings["autovacuum"] == "off" {
            findings.append(
                .warning("PostgreSQL runs with autovacuum = off, so tables grow and plans go wrong", "Turn it on."))
        }
        if let major = found.settings["server_version_num"].flatMap(Int.init), major < 140_000 {
            findings.append(
                .warning("PostgreSQL \(found.version) is older than those that Roost is tried with", "Use 14 or later.")
            )
        }
        let most = Int64(found.settings["max_connections"] ?? "") ?? 0
        let free = most - (Int64(found.settings["superuser_reserved_connections"] ?? "") ?? 0) - found.connections
        if free < 10 {
            findings.append(
                .warning(
                    "\(found.connections) of \(most) connections of PostgreSQL are taken; a server needs six",
                    "Raise max_connections, or find who takes them: SELECT * FROM pg_stat_activity."))
        }
        if !found.isEncrypted, !found.isLocal {
            findings.append(
                .warning(
                    "the connection to PostgreSQL is not encrypted, and may leave this machine",
                    "Add sslmode=verify-full to the URL, unless the network is yours alone."))
        }
        return findings
    }

    // MARK: Schema

    private func schema(of database: any SQLDatabase) async throws -> Finding {
        let known = Migrations.all.count
        let isThere = try await database.read { [isShared = database.isShared] connection in
            let tables: Query =
                isShared
                ? """
                SELECT COUNT(*) FROM pg_class WHERE relname = 'schema_version'
                AND relnamespace = to_regnamespace(quote_ident(current_schema()))
                """
                : "SELECT COUNT(*) FROM sqlite_master WHERE name = 'schema_version'"
            return try connection.rows(tables) { try $0.int(0) } == [1]
        }
        guard isThere, let numbers = try await database.read({ try Migrator.numbers($0) }), numbers.schema > 0 else {
            if KnownDatabase(directory: serve.data).isUsed {
                return .fault(
                    "the database is empty, and the secret in \(serve.data) was used with one",
                    "Look at the name in --database, or restore its backup: see docs/backup.md.")
            }
            return .good("the database is empty; the first start makes its tables")
        }
        if try await database.read({ try Migrator.isRestoring($0) }) {
            return .fault(
                "a restore into the database has not ended, and no server starts before",
                "Run roost restore again, with the same options.")
        }
        if numbers.schema > known, numbers.oldest > known {
            return .fault(
                "the database has schema \(numbers.schema), which this version cannot work with: it knows \(known)",
                "Use the version of roost that has changed it, or restore a backup from before.")
        }
        if numbers.schema > known {
            return .warning(
                "the database has schema \(numbers.schema), of a newer version; this one works with it, and makes no backups of it",
                "Use the newer version again when you can.")
        }
        return .good(
            numbers.schema < known
                ? "it has schema \(numbers.schema), and the next start changes it to \(known)"
                : "it has schema \(known)")
    }

    // MARK: Servers

    private struct Node: Sendable {
        var address: String
        var version: String
        var seenAt: Int64
    }

    /// The servers that use the database now.
    func servers() async -> [Finding] {
        guard let url = databaseURL else { return [.skipped("the database is for one server")] }
        do {
            let database = try PostgresDatabase(
                url: url, readers: 1, onlyReads: true, random: .random(in: 0 ... .max), logger: Self.quiet)
            defer { try? database.close() }
            let isThere = try await database.read { connection in
                try connection.rows(
                    """
                    SELECT COUNT(*) FROM pg_class WHERE relname = 'ended_nodes'
                    AND relnamespace = to_regnamespace(quote_ident(current_schema()))
                    """
                ) { try $0.int(0) } == [1]
            }
            guard isThere else { return [.skipped("none has been there yet")] }
            let nodes = try await database.read { connection in
                try connection.rows("SELECT address, version, seen_at FROM nodes ORDER BY address") { row in
                    Node(address: try row.text(0), version: try row.text(1), seenAt: try row.int(2))
                }
            }
            return Self.findings(nodes, now: Clock.now(), version: Build.version, isOne: !serve.nodes.allowsOthers)
        } catch {
            return [.skipped("the database cannot be read")]
        }
    }

    private static func findings(_ nodes: [Node], now: Int64, version: String, isOne: Bool) -> [Finding] {
        if nodes.isEmpty { return [.good("none runs")] }
        var findings = nodes.compactMap { node -> Finding? in
            if node.seenAt > now + 2_000 {
                return .fault(
                    "the clock of the server at \(node.address) is \((node.seenAt - now) / 1_000) s ahead of this machine",
                    "Set the clocks of all servers by the network: timedatectl set-ntp true.")
            }
            if node.seenAt < now - 15_000 {
                return .warning(
                    "the server at \(node.address) has given no sign of life for \((now - node.seenAt) / 1_000) s",
                    "It has died or its clock is wrong; another server removes it within a minute.")
            }
            return nil
        }
        let versions = Set(nodes.map(\.version)).union([version])
        if versions.count > 1 {
            findings.append(
                .warning(
                    "there are servers of several versions: \(versions.sorted().joined(separator: ", "))",
                    "Bring all to the same version when the upgrade is over."))
        }
        if nodes.count > 1, isOne {
            findings.append(
                .fault(
                    "\(nodes.count) servers use the database, and this one is set to be alone",
                    "Start all with --several-nodes or --bus: see docs/scaling.md."))
        }
        let names = nodes.map(\.address).joined(separator: ", ")
        return findings.isEmpty
            ? [.good("\(nodes.count == 1 ? "one runs" : "\(nodes.count) run"): \(names)")] : findings
    }
}
