import Foundation
import RoostSQLite
import RoostTesting
import RoostWire
import Synchronization
import Testing

@testable import RoostCore

/// The way from each released schema to a later one: with migrations of each kind that no release has.
@Suite(.timeLimit(.minutes(3))) struct SchemaTests {
    /// Where the migrations of the next release begin.
    private static let known = Migrations.all.count

    /// A column with an index, which each user gets a 1 in, two of them in a turn, and which then has another name.
    private static let planted: [Migration] = [
        .additive([
            "ALTER TABLE users ADD COLUMN planted \(.int) NOT NULL DEFAULT 0",
            "CREATE TABLE plants (id \(.text) PRIMARY KEY, count \(.int) NOT NULL)",
            "INSERT INTO plants (id, count) VALUES ('oak', 1)",
        ]),
        .index("users_planted", on: "users (planted)"),
        .rows { connection, position in
            let users = try connection.rows("SELECT id FROM users WHERE id > \(position) ORDER BY id LIMIT 2") {
                try $0.text(0)
            }
            for user in users { try connection.execute("UPDATE users SET planted = planted + 1 WHERE id = \(user)") }
            return users.last
        },
        .contracting(["ALTER TABLE users RENAME COLUMN planted TO grown"], oldest: known + 2),
    ]
    private static let next = Migrations.all + planted

    private static func count(_ query: Query, _ database: any SQLDatabase) throws -> Int64? {
        try database.write { try $0.rows(query) { try $0.int(0) }.first }
    }

    /// Checks that a database has all of the next release, and each row once.
    private static func expectNext(_ database: any SQLDatabase, _ comment: Comment? = nil) throws {
        let numbers = try Migrator.numbers(of: database)
        #expect(numbers == SchemaNumbers(schema: next.count, oldest: known + 2), comment)
        let users = try count("SELECT COUNT(*) FROM users", database) ?? 0
        #expect(users > 4, comment)
        #expect(try count("SELECT COUNT(*) FROM users WHERE grown = 1", database) == users, comment)
        #expect(try count("SELECT COUNT(*) FROM plants", database) == 1, comment)
        #expect(try count("SELECT COUNT(*) FROM meta WHERE name LIKE 'migration:%'", database) == 0, comment)
        let indexes: Query =
            database.isShared
            ? "SELECT COUNT(*) FROM pg_index WHERE indexrelid = to_regclass('users_planted') AND indisvalid"
            : "SELECT COUNT(*) FROM sqlite_master WHERE name = 'users_planted'"
        #expect(try count(indexes, database) == 1, comment)
    }

    @Test func `released migrations are as they were`() throws {
        var hash: UInt64 = 14_695_981_039_346_656_037
        for migration in Migrations.all.prefix(31) {
            for byte in "\(migration.statements.map(\.pieces)) \(migration.oldest ?? 0)".utf8 {
                hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211
            }
        }
        #expect(hash == 18_017_639_856_662_537_380, "Schema 31 is that of version 0.1.0. Add a migration instead.")
        let fixtures = try SchemaFixture.all
        #expect(fixtures.map(\.version) == ["0.1.0"] && fixtures.map(\.schema) == [31])
    }

    @Test(arguments: Backend.available, try SchemaFixture.all)
    func `each released schema becomes that of this version, and every stored row is whole`(
        backend: Backend, fixture: SchemaFixture
    ) async throws {
        let (database, resource) = try backend.makeDatabase()
        try fixture.load(into: database)
        let epoch = try Migrator.run(on: database, random: { 1 })
        #expect(try Migrator.run(on: database, random: { 2 }) == epoch && epoch != "1")
        let check = DatabaseCheck(database) { _ in }
        #expect(try await check.epoch() == epoch)
        let findings = try await check.rows()
        #expect(findings.damages.isEmpty, "\(findings.damages)")
        let roost = try TestCore(database: database, resource: resource)
        let ann = try await roost.session(User(userID: "ann", name: "Ann"))
        let sent = try await ann.send("still here", to: "team", id: "after-the-upgrade")
        #expect(sent.seq ?? 0 > 3)
        await roost.core.stop()
    }

    @Test(arguments: Backend.available.filter { $0 != .memory }, try SchemaFixture.all)
    func `an upgrade that is killed at any statement goes on at the next start`(
        backend: Backend, fixture: SchemaFixture
    ) throws {
        let template = try TemporaryFolder()
        if backend == .file {
            let database = try SQLiteDatabase(directory: template.path)
            try fixture.load(into: database)
            try database.close()
        }
        var statement = 0
        var hasEnded = false
        while !hasEnded {
            statement += 1
            let folder = try TemporaryFolder()
            var database: any SQLDatabase
            if backend == .file {
                try FileManager.default.copyItem(atPath: template.path, toPath: folder.path + "/data")
                database = try SQLiteDatabase(directory: folder.path + "/data")
            } else {
                database = try Postgres.open(Postgres.makeSchema())
                try fixture.load(into: database)
            }
            let mortal = MortalDatabase(database, statement: statement) {
                // What a crash leaves of the files, in the middle of the transaction.
                guard backend == .file else { return }
                try FileManager.default.copyItem(atPath: folder.path + "/data", toPath: folder.path + "/left")
            }
            do {
                _ = try Migrator.run(on: mortal, Self.next, random: { 1 })
                hasEnded = true
            } catch is MortalDatabase.Death {
                if backend == .file {
                    try database.close()
                    database = try SQLiteDatabase(directory: folder.path + "/left")
                }
                _ = try Migrator.run(on: database, Self.next, random: { 1 })
            }
            try Self.expectNext(database, "killed at statement \(statement)")
            try database.close()
        }
        #expect(statement > 30)
    }

    @Test(arguments: Backend.available)
    func `a version works with what a newer one has added, and is refused by what it has taken away`(
        backend: Backend
    ) async throws {
        let (database, resource) = try backend.makeDatabase()
        let roost = try TestCore(database: database, resource: resource)
        try await roost.session(Cast.ann).perform(CreateChannel(kind: .group, channel: Cast.club), id: "club")
        await roost.core.stop()
        _ = try Migrator.run(on: database, Self.next.dropLast(2), random: { 1 })
        #expect(try Migrator.numbers(of: database) == SchemaNumbers(schema: Self.known + 2, oldest: 31))
        let older = try TestCore(database: database, resource: resource)
        try await older.session(Cast.ann).send("hello", to: Cast.club, id: "1")
        let texts = try await older.session(Cast.ann).log(of: Cast.club).compactMap { event -> String? in
            guard case .channel(.messageSent(let message)) = event.body else { return nil }
            return message.content.text
        }
        #expect(texts == ["hello"])
        #expect(try await DatabaseCheck(database) { _ in }.rows().damages.isEmpty)
        #expect(try await DatabaseCheck(database) { _ in }.epoch() == older.core.epoch)
        await older.core.stop()
        #expect(try Migrator.numbers(of: database).schema == Self.known + 2)

        _ = try Migrator.run(on: database, Self.next, random: { 1 })
        let failure = #expect(throws: DatabaseFailure.self) {
            try TestCore(database: database, resource: resource)
        }
        #expect(failure?.kind == .newerVersion)
        let said = failure?.description ?? ""
        #expect(said.contains("schema \(Self.next.count)") && said.contains("at least the schema \(Self.known + 2)"))
        #expect(said.contains("Start the newer version") && said.contains("restore a backup"))
        let check = await #expect(throws: DatabaseFailure.self) {
            try await DatabaseCheck(database) { _ in }.epoch()
        }
        #expect(check?.kind == .newerVersion)
    }

    @Test(arguments: Backend.available)
    func `nothing is taken away while a server is there that needs it`(backend: Backend) throws {
        let (database, resource) = try backend.makeDatabase()
        _ = try Migrator.run(on: database, random: { 1 })
        try database.write { connection in
            try connection.execute(
                """
                INSERT INTO nodes (id, address, version, schema, settings, beat)
                VALUES ('old', 'old:7878', '0.1.0', \(Self.known), '{}', 0)
                """)
        }
        let failure = #expect(throws: DatabaseFailure.self) {
            try Migrator.run(on: database, Self.next, random: { 1 })
        }
        #expect(failure?.kind == .openElsewhere)
        #expect(failure?.description.contains("A server at old:7878") == true)
        #expect(try Migrator.numbers(of: database).schema == Self.next.count - 1)
        try database.write { try $0.execute("DELETE FROM nodes") }
        var steps: [Int] = []
        _ = try Migrator.run(on: database, Self.next, random: { 1 }, note: { steps.append($0) })
        #expect(steps == [Self.next.count])
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `rows are changed between the commands of users, each once, through restarts`(backend: Backend) async throws {
        let (database, resource) = try backend.makeDatabase()
        let fixture = try #require(try SchemaFixture.all.last)
        try fixture.load(into: database)
        let users = try #require(try Self.count("SELECT COUNT(*) FROM users", database))
        let migrations = Array(Self.next.dropLast())
        var starts = 0
        repeat {
            let log = LogRecorder()
            let roost = try TestCore(
                database: database, resource: resource, isPaced: false, log: log, migrations: migrations)
            starts += 1
            let ann = try await roost.session(User(userID: "ann", name: "Ann"))
            try await ann.send("\(starts)", to: "team", id: "\(starts)")
            await roost.core.stop()
        } while try Self.count("SELECT COUNT(*) FROM meta WHERE name LIKE 'migration:%'", database) != 0
        #expect(try Self.count("SELECT COUNT(*) FROM users WHERE planted = 1", database) == users)
        #expect(try Migrator.numbers(of: database) == SchemaNumbers(schema: Self.next.count - 1, oldest: 31))
        withExtendedLifetime(resource) {}
    }

    @Test(.enabled(if: Backend.available.contains(.postgres)))
    func `an index of PostgreSQL is made while others write, and one that was interrupted is made again`() async throws
    {
        let url = try Postgres.makeSchema()
        let (database, other, third) = (try Postgres.open(url), try Postgres.open(url), try Postgres.open(url))
        _ = try Migrator.run(on: database, random: { 1 })
        try database.write { connection in
            for name in ["a", "b"] {
                try connection.execute("INSERT INTO users (id, name, seq, last_sent_at) VALUES (\(name), 'x', 0, 0)")
            }
        }
        let (locked, isDone) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
        Thread {
            // The index waits for this transaction.
            try? other.write { connection in
                _ = try connection.rows("UPDATE users SET seq = 1 WHERE id = 'a' RETURNING seq") { try $0.int(0) }
                locked.continuation.finish()
                isDone.wait()
            }
            locked.continuation.finish()
        }.start()
        for await _ in locked.stream {}
        let ended = AsyncStream.makeStream(of: Bool.self)
        Thread {
            ended.continuation.yield((try? database.createIndex("users_name", on: "users (name)")) != nil)
            ended.continuation.finish()
        }.start()
        let waiting: Query =
            """
            SELECT pg_terminate_backend(pid)::int::bigint FROM pg_stat_activity
            WHERE query LIKE 'CREATE INDEX CONCURRENTLY users_name%' AND wait_event_type = 'Lock'
            AND EXISTS (SELECT 1 FROM pg_class WHERE oid = to_regclass('users_name'))
            """
        try third.write { try $0.execute("UPDATE users SET seq = 2 WHERE id = 'b'") }
        while try Self.count(waiting, third) == nil {
            try Task.checkCancellation()
            // Meanwhile others write rows of the table.
            try third.write { try $0.execute("UPDATE users SET seq = seq + 1 WHERE id = 'b'") }
        }
        #expect(await ended.stream.reduce(into: []) { $0.append($1) } == [false])
        isDone.signal()
        let valid: Query = "SELECT indisvalid::int::bigint FROM pg_index WHERE indexrelid = to_regclass('users_name')"
        #expect(try Self.count(valid, third) == 0)
        for _ in 0..<2 {
            try database.createIndex("users_name", on: "users (name)")
            #expect(try Self.count(valid, third) == 1)
        }
    }

    @Test(.enabled(if: Backend.available.contains(.postgres)))
    func `an index of another schema of the search path is not taken for its own`() throws {
        let (first, second) = (try Postgres.makeSchema(), try Postgres.makeSchema())
        let other = try Postgres.open(second)
        let name = try #require(second.split(separator: "D").last.map(String.init))
        let database = try Postgres.open(first + "%2C" + name)
        for database in [other, database] {
            _ = try Migrator.run(on: database, random: { 1 })
            try database.createIndex("users_name", on: "users (name)")
        }
        let count: Query =
            """
            SELECT COUNT(*) FROM pg_indexes WHERE schemaname = current_schema() AND indexname = 'users_name'
            """
        #expect(try Self.count(count, other) == 1 && Self.count(count, database) == 1)
    }
}

/// A database whose process is killed before a statement.
private final class MortalDatabase: SQLDatabase {
    struct Death: Error {}

    private let inner: any SQLDatabase
    private let left: Mutex<Int>
    private let onDeath: @Sendable () throws -> Void
    var isShared: Bool { inner.isShared }
    let encryptsContent = false

    /// - Parameter statement: the number of the statement before which it is killed.
    init(_ inner: any SQLDatabase, statement: Int, onDeath: @escaping @Sendable () throws -> Void) {
        self.inner = inner
        left = Mutex(statement)
        self.onDeath = onDeath
    }

    fileprivate func live() throws {
        let isDead = left.withLock { left in
            left -= 1
            return left == 0
        }
        guard isDead else { return }
        try onDeath()
        throw Death()
    }

    func write<T>(_ body: (any SQLConnection) throws -> T) throws -> T {
        try inner.write { try body(Connection(inner: $0, database: self)) }
    }

    func writeLong<T>(_ body: (any SQLConnection) throws -> T) throws -> T {
        try inner.writeLong { try body(Connection(inner: $0, database: self)) }
    }

    func createIndex(_ name: String, on columns: String) throws {
        try live()
        try inner.createIndex(name, on: columns)
    }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T,
        then: @escaping @Sendable (Result<T, any Error>) -> Void
    ) { inner.read(body, then: then) }

    func close() throws { try inner.close() }

    private struct Connection: SQLConnection {
        let inner: any SQLConnection
        let database: MortalDatabase

        func execute(_ query: Query) throws {
            try database.live()
            try inner.execute(query)
        }

        func rows<T>(_ query: Query, _ read: (any SQLRow) throws -> T) throws -> [T] {
            try database.live()
            return try inner.rows(query, read)
        }

        func write(_ rows: [[SQLValue]], _ upsert: Upsert) throws {
            try database.live()
            try inner.write(rows, upsert)
        }
    }
}
