import Foundation
import RoostCore
import RoostTesting
import Synchronization
import Testing

/// What only the PostgreSQL driver has to get right.
@Suite(.enabled(if: Backend.available.contains(.postgres))) struct PostgresDatabaseTests {
    private func backend(_ connection: any SQLConnection) throws -> pid_t {
        pid_t(try connection.rows("SELECT pg_backend_pid()") { try $0.int(0) }[0])
    }

    @Test func `a reader that loses its connection after a read uses another one for the next`() async throws {
        let database = try Postgres.open(Postgres.makeSchema())
        let killer = try Postgres.open(Postgres.makeSchema())
        var readers: [Int64] = []
        for _ in 0..<3 {
            let reader = try await database.read { connection in
                let reader = Int64(try backend(connection))
                // Wait until the connection has ended.
                let hasEnded = try killer.write { connection in
                    try connection.rows("SELECT CAST(pg_terminate_backend(CAST(\(reader) AS INT), 60000) AS TEXT)") {
                        try $0.text(0)
                    }
                }
                #expect(hasEnded == ["true"])
                return reader
            }
            readers.append(reader)
        }
        #expect(Set(readers).count == 3)
    }

    @Test func `a table that was missing at the first attempt can be written once it exists`() throws {
        let database = try Postgres.open(Postgres.makeSchema())
        let late = Upsert("late", ["id"])
        #expect(throws: DatabaseFailure.self) { try database.write { try $0.write([[.int(1)]], late) } }
        try database.write { try $0.execute("CREATE TABLE late (id \(.int) PRIMARY KEY)") }
        try database.write { try $0.write([[.int(1)]], late) }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a commit that the server completes long after the driver gave it up happens once`() throws {
        let database = try Postgres.open(Postgres.makeSchema())
        let watcher = try Postgres.open(Postgres.makeSchema())
        @Sendable func count(_ condition: Query) throws -> Int64 {
            var query: Query = "SELECT COUNT(*), CAST(pg_sleep(0.02) AS TEXT) FROM pg_stat_activity WHERE "
            query.append(condition)
            return try watcher.write { try $0.rows(query) { try $0.int(0) } }[0]
        }
        try database.write { try $0.execute("CREATE TABLE t (n \(.int))") }
        let stopped = Mutex<Int64>(0)
        var attempts = 0
        try database.write { connection in
            attempts += 1
            let server = try backend(connection)
            // It goes on with what it has received, however late.
            try connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            _ = try connection.rows("SELECT n FROM t \(.forUpdate)") { try $0.int(0) }
            if attempts == 1 {
                kill(server, SIGSTOP)
                stopped.withLock { $0 = Int64(server) }
                Thread {
                    // It continues once the driver waits on another connection to learn what became of the commit.
                    defer { kill(server, SIGCONT) }
                    let asks: Query = "CAST(\(Int64(server)) AS INT) = ANY (pg_blocking_pids(pid))"
                    while (try? count(asks)) == 0 {}
                }.start()
            }
            try connection.execute("INSERT INTO t (n) VALUES (1)")
        }
        let server = stopped.withLock { $0 }
        while try count("pid = CAST(\(server) AS INT)") > 0 {}
        #expect(attempts == 1)
        #expect(try database.write { try $0.rows("SELECT n FROM t") { try $0.int(0) } } == [1])
    }
}
