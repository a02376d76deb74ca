import RoostCore
import RoostSQLite
import RoostTesting
import RoostWire
import Synchronization
import Testing

@Suite struct DatabaseTests {
    @Test func `the connection that writes syncs every commit`() throws {
        let folder = try TemporaryFolder()
        let database = try SQLiteDatabase(directory: folder.path)
        #expect(try database.pragma("synchronous") == 2)
        _ = try TestCore(database: database)
        #expect(try database.pragma("synchronous") == 2)
    }

    @Test func `a folder that is in use is refused until it is closed`() throws {
        let folder = try TemporaryFolder()
        let first = try SQLiteDatabase(directory: folder.path)
        let failure = #expect(throws: DatabaseFailure.self) { try SQLiteDatabase(directory: folder.path) }
        #expect(failure?.kind == .openElsewhere)
        try first.close()
        _ = try SQLiteDatabase(directory: folder.path)
    }

    @Test(arguments: Backend.available)
    func `a database with a newer schema is refused and left unchanged`(backend: Backend) async throws {
        let (database, folder) = try backend.makeDatabase()
        let old = try TestCore(database: database)
        await old.core.stop()
        try database.write { try $0.execute("UPDATE schema_version SET version = 1000, oldest = 1000") }
        let failure = #expect(throws: DatabaseFailure.self) { try TestCore(database: database) }
        #expect(failure?.kind == .newerVersion)
        let versions = try database.write { try $0.rows("SELECT version FROM schema_version") { try $0.int(0) } }
        #expect(versions == [1_000])
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.available)
    func `the epoch stays the same over restarts and differs between databases`(backend: Backend) async throws {
        let (database, folder) = try backend.makeDatabase()
        let first = try TestCore(database: database)
        await first.core.stop()
        let second = try TestCore(database: database)
        #expect(second.core.epoch == first.core.epoch)
        #expect(try TestCore(backend).core.epoch != first.core.epoch)
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.available)
    func `a transaction that throws leaves nothing`(backend: Backend) throws {
        let (database, folder) = try backend.makeDatabase()
        try database.write { try $0.execute("CREATE TABLE t (id \(.text) PRIMARY KEY, n \(.int))") }
        let rows: [[SQLValue]] = (0..<100).map { [.text("k\($0)"), .int($0)] }
        #expect(throws: DatabaseFailure.self) {
            try database.write { connection in
                try connection.write(rows, Upsert("t", ["id", "n"]))
                throw DatabaseFailure(.other, "the test wants it")
            }
        }
        func count() throws -> [Int64] {
            try database.write { try $0.rows("SELECT COUNT(*) FROM t") { try $0.int(0) } }
        }
        #expect(try count() == [0])
        try database.write { try $0.write(rows, Upsert("t", ["id", "n"])) }
        #expect(try count() == [100])
        let conflict = #expect(throws: DatabaseFailure.self) {
            try database.write { try $0.write([[.text("new"), .int(1)], rows[99]], Upsert("t", ["id", "n"])) }
        }
        #expect(conflict?.kind == .conflict)
        #expect(try count() == [100])
        try database.write { connection in
            for _ in 0..<2 { try connection.write(rows, Upsert("t", ["id", "n"], keys: ["id"])) }
        }
        #expect(try count() == [100])
        withExtendedLifetime(folder) {}
    }

    @Test func `a commit that changes something has the next number, also after a restart, and no other has one`()
        throws
    {
        let folder = try TemporaryFolder()
        let noted = Mutex<[Int64]>([])
        var database = try SQLiteDatabase(directory: folder.path)
        #expect(try database.countCommits { _ in } == nil)
        let epoch = try Migrator.run(on: database, random: { 7 })
        let start = try database.countCommits { number in noted.withLock { $0.append(number) } }
        #expect(start == LastCommit(epoch: epoch, number: 0))
        func add(_ name: String, to database: SQLiteDatabase) throws {
            try database.write { try $0.execute("INSERT INTO meta (name, value) VALUES (\(name), '')") }
        }
        try add("a", to: database)
        _ = try database.write { try $0.rows("SELECT name FROM meta") { try $0.text(0) } }
        #expect(throws: DatabaseFailure.self) { try add("a", to: database) }
        try add("b", to: database)
        #expect(noted.withLock { $0 } == [1, 2])
        try database.close()
        database = try SQLiteDatabase(directory: folder.path)
        let again = try database.countCommits { number in noted.withLock { $0.append(number) } }
        #expect(again == LastCommit(epoch: epoch, number: 2))
        try add("c", to: database)
        #expect(noted.withLock { $0 } == [1, 2, 3])
        try database.close()
    }

    @Test func `a last commit is a line of one length, and anything else is none`() {
        for number in [0, 7, Int64.max] {
            let last = LastCommit(epoch: "f93c", number: number)
            #expect(LastCommit(line: last.line) == last)
            #expect(last.line.utf8.count == 25)
        }
        for line in ["", "f93c", "f93c ", "f93c x", "f93c -1", "f93c 1 2", "f93c 99999999999999999999", "\u{0}\u{0}"] {
            #expect(LastCommit(line: line) == nil, "\(line)")
        }
    }

    @Test(arguments: Backend.available)
    func `values come back as they were stored`(backend: Backend) throws {
        let (database, folder) = try backend.makeDatabase()
        try database.write { try $0.execute("CREATE TABLE t (a \(.text), b \(.int), c \(.blob))") }
        let text = "'; DROP TABLE t; -- \" \\ % _ 😀 e\u{301}"
        let blob: [UInt8] = Array(0...255)
        try database.write { connection in
            try connection.write(
                [[.text(text), .int(.min), .blob(blob)], [.null, .int(.max), .blob([])]], Upsert("t", ["a", "b", "c"]))
        }
        let found = try database.write { connection in
            try connection.rows("SELECT a, b, c FROM t WHERE a = \(text) AND b = \(Int64.min)") {
                (try $0.text(0), try $0.int(1), try $0.blob(2), $0.isNull(0))
            }
        }
        #expect(found.count == 1)
        #expect(found.first?.0 == text)
        #expect(found.first?.1 == .min)
        #expect(found.first?.2 == blob)
        let null = try database.write { connection in
            try connection.rows("SELECT a, b FROM t WHERE a IS NULL") {
                (try $0.optionalText(0), try $0.optionalInt(1))
            }
        }
        #expect(null.first?.0 == nil)
        #expect(null.first?.1 == .max)
        withExtendedLifetime(folder) {}
    }

    @Test func `a query binds the values that are interpolated into it`() {
        let name = "x'; --"
        let query: Query =
            "SELECT * FROM t WHERE a = \(name) AND b = \(Int64(7)) AND c IN (\(keys: [[.int(1)], [.int(2)], [.int(3)]]))"
        #expect(query.rendered.sql == "SELECT * FROM t WHERE a = ? AND b = ? AND c IN (VALUES (?),(?),(?),(?))")
        #expect(query.rendered.arguments == [.text(name), .int(7), .int(1), .int(2), .int(3), .int(3)])
        let none: Query = "WITH k (id) AS (\(keys: [])) SELECT 1"
        #expect(none.rendered.sql == "WITH k (id) AS (SELECT NULL WHERE 1 = 0) SELECT 1")
    }
}
