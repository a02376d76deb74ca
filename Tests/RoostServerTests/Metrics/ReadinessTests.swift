import Logging
import RoostCore
import RoostSQLite
import RoostServer
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// A database whose reads a test can hold.
private final class UnreadableDatabase: SQLDatabase {
    private let inner: any SQLDatabase
    private let held = Mutex<[@Sendable () -> Void]?>(nil)

    init(_ inner: any SQLDatabase) { self.inner = inner }

    var isShared: Bool { inner.isShared }
    var encryptsContent: Bool { inner.encryptsContent }

    func hold() { held.withLock { $0 = [] } }

    /// The number of reads that wait.
    var waiting: Int { held.withLock { $0?.count ?? 0 } }

    func release() {
        let reads = held.withLock { held in
            defer { held = nil }
            return held ?? []
        }
        for read in reads { read() }
    }

    func write<T>(_ body: (any SQLConnection) throws -> T) throws -> T { try inner.write(body) }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T,
        then: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        let isHeld = held.withLock { held in
            held?.append { self.inner.read(body, then: then) }
            return held != nil
        }
        if !isHeld { inner.read(body, then: then) }
    }

    func close() throws { try inner.close() }
}

@Suite(.timeLimit(.minutes(1))) struct ReadinessTests {
    @Test func `a server whose database cannot be read says so, and is ready again when it can`() async throws {
        let database = UnreadableDatabase(try SQLiteDatabase())
        try await LiveServer.run(database: database, metrics: MetricsRegistry()) {
            $0.adminPort = 0
        } _: { server async throws in
            func get(_ path: String) async throws -> RawAnswer { try await server.ask(path, at: server.adminPort) }
            let ready = try await get("/readyz")
            #expect(ready.status == 200)
            #expect(ready.text.contains("\"ready\":true") && !ready.text.contains("reason"))
            #expect(ready.text.contains("\"schema\":\(Migrations.all.count)"))
            #expect(try await get("/metrics").text.contains("\nroost_ready 1\n"))
            database.hold()
            // An answer of the database counts for a second.
            var answer = ready
            while answer.status == 200 { answer = try await get("/readyz") }
            #expect(answer.status == 503)
            #expect(answer.text.contains("The database does not answer within 2 seconds."), "\(answer.text)")
            let metrics = try await get("/metrics").text
            #expect(metrics.contains("\nroost_ready 0\n") && metrics.contains("\nroost_database_up 0\n"))
            // The size is still that of the last time.
            #expect(metrics.contains("\nroost_database_bytes "))
            database.release()
            while answer.status != 200 { answer = try await get("/readyz") }
            #expect(try await get("/metrics").text.contains("\nroost_database_up 1\n"))
        }
    }

    @Test func `a stop waits for figures that are being read, and then none are read any more`() async throws {
        let database = UnreadableDatabase(try SQLiteDatabase())
        let core = try Core(
            database: database, configuration: CoreConfiguration(),
            effects: Effects(now: { 1 }, random: Effects.systemRandom),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        database.hold()
        let figures = Task { try await core.storedFigures() }
        while database.waiting == 0 { await Task.yield() }
        let isStopped = Atomic(false)
        core.stop { isStopped.store(true, ordering: .sequentiallyConsistent) }
        // The writer has ended when nothing but the read is left.
        while core.isReady { await Task.yield() }
        for _ in 1...1_000 { await Task.yield() }
        #expect(!isStopped.load(ordering: .sequentiallyConsistent) && !core.hasEnded)
        database.release()
        #expect(try await figures.value.uploads == 0)
        while !isStopped.load(ordering: .sequentiallyConsistent) { await Task.yield() }
        #expect(core.hasEnded)
        await #expect(throws: DatabaseFailure.self) { try await core.checkReading() }
        try database.close()
    }

    @Test func `the port for those who run the server answers to names of this machine only`() async throws {
        try await LiveServer.run(metrics: MetricsRegistry()) {
            $0.adminPort = 0
        } _: { server async throws in
            func status(_ host: String) async throws -> String {
                let client = try await RawClient.connect(server.adminPort, hasTLS: false)
                try await client.write("GET /metrics HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
                return String(try await client.head().split(separator: " ")[1])
            }
            // A page of another host that leads here has the name of that host.
            for host in ["evil.example", "127.0.0.1.evil.example", "evil.example:7879", "localhost.evil", "0"] {
                #expect(try await status("Host: \(host)\r\n") == "403", "\(host)")
            }
            #expect(try await status("Host: \r\n") != "200")
            #expect(try await status("") != "200")
            for host in ["localhost", "LOCALHOST:1", "[::1]:7879", "127.0.0.1"] {
                #expect(try await status("Host: \(host)\r\n") == "200", "\(host)")
            }
        }
    }
}
