import Foundation
import RoostTesting
import RoostWire
import Testing

/// Which servers may use one PostgreSQL at the same time.
@Suite(.serialized, .needsPostgres, .firstPassOnly, .timeLimit(.minutes(3))) struct NodesTests {
    /// A folder with a running server that is alone on its database.
    private struct Alone {
        let folder: TemporaryFolder
        let database: String
        let server: ServerProcess

        init(options: [String] = []) async throws {
            folder = try TemporaryFolder()
            database = try Postgres.makeSchema()
            server = try await ServerProcess.start(
                data: folder.path + "/one", isDevelopment: false, arguments: ["--database", database] + options)
            try ServerPair.copySecret(from: server.data, to: folder.path + "/two")
        }

        /// Starts another one, which must fail, and returns what it says.
        func refusal(data: String = "/two", options: [String] = []) async throws -> String {
            let limits = ["sendsPerSecond", "channelSendsPerSecond", "commandsPerSecond"]
            let refused = try await Child.roost(
                [
                    "serve", "--data", folder.path + data, "--port", "0", "--database", database, "--log-level",
                    "warning",
                ]
                    + limits.flatMap { ["--limit", "\($0)=0"] } + options,
                in: folder
            ).result()
            #expect(refused.status == 1 && refused.output.isEmpty, "\(refused.status) \(refused.output)")
            return refused.errors
        }
    }

    @Test func `a second server is refused with the name of the first one`() async throws {
        let alone = try await Alone()
        let refusal = try await alone.refusal()
        #expect(refusal.contains("at 127.0.0.1:\(alone.server.port) (version "), "\(refusal)")
        #expect(refusal.contains("uses this database. Stop it first; docs/stores.md has"), "\(refusal)")
        let shared = ["--several-nodes", "--files", alone.folder.path + "/files", "--files-shared"]
        #expect(try await alone.refusal(options: shared).hasSuffix(refusal))
        #expect(try await alone.refusal(data: "/one").contains("Give each server its own --data."))
        #expect(alone.server.stop() == 0)
    }

    @Test func `servers that share a database have to agree`() async throws {
        let folder = try TemporaryFolder()
        let shared = ["--several-nodes", "--files", folder.path, "--files-shared"]
        let alone = try await Alone(options: shared)
        let limited = try await alone.refusal(options: shared + ["--limit", "members=7", "--retain", "group=90d"])
        #expect(limited.contains("has other values of --limit, --retain."), "\(limited)")
        let open = try await alone.refusal(options: shared + ["--dev"])
        #expect(open.contains("has other values of --dev."), "\(open)")
        let stranger = try await alone.refusal(data: "/three", options: shared)
        #expect(stranger.contains("has another secret"), "\(stranger)")
        let key = folder.path + "/key"
        #expect(
            FileManager.default.createFile(
                atPath: key, contents: Data((String(repeating: "ab", count: 32) + "\n").utf8),
                attributes: [.posixPermissions: 0o600]))
        let encrypted = try await alone.refusal(options: shared + ["--encryption-key", key])
        #expect(encrypted.contains("encrypts with another key"), "\(encrypted)")
        let other = try TemporaryFolder()
        let elsewhere = try await alone.refusal(options: ["--several-nodes", "--files", other.path, "--files-shared"])
        #expect(elsewhere.contains("other values of --files."), "\(elsewhere)")
        #expect(alone.server.stop() == 0)
        // None of them has left anything in the database.
        let again = try await ServerProcess.start(
            data: alone.server.data, isDevelopment: false, arguments: ["--database", alone.database] + shared)
        #expect(again.stop() == 0)
    }

    @Test func `after kill -9 the same folder starts at once, and another one when the first is known to be dead`()
        async throws
    {
        let alone = try await Alone()
        alone.server.kill()
        let arguments = ["--port", "0", "--database", alone.database, "--log-level", "notice"]
        for (data, waits) in [("/one", false), ("/two", true)] {
            let next = try Child.roost(["serve", "--data", alone.folder.path + data] + arguments, in: alone.folder)
            #expect(await next.line()?.hasPrefix("ready ") == true)
            next.signal(SIGKILL)
            let errors = await next.result().errors
            #expect(errors.contains("waiting to see whether it is alive") == waits, "\(data) \(errors)")
        }
    }

    @Test func `a server that was frozen while another one took over delivers nothing more and ends`() async throws {
        let alone = try await Alone()
        let folder = alone.folder
        let (ann, bob) = (Cast.ann, Cast.bob)
        func caller(_ user: User) async throws -> HTTPClient.Caller {
            .token(try await ServerPair.token(of: user, data: alone.server.data))
        }
        let callers = (ann: try await caller(ann), bob: try await caller(bob))
        let frozen = alone.server
        let (sender, reader) = (try RawSession(frozen), try RawSession(frozen))
        #expect(try sender.hello(callers.ann) == nil && reader.hello(callers.bob) == nil)
        try HTTPClient(frozen).perform(
            CreateChannel(kind: .group, channel: Cast.club, members: [NewMember(bob.userID)]), from: callers.ann)
        frozen.freeze()
        let next = try await ServerProcess.start(
            data: folder.path + "/two", isDevelopment: false, arguments: ["--database", alone.database])
        let http = HTTPClient(next)
        try http.perform(KickMembers(channel: Cast.club, members: [bob.userID]), from: callers.ann)
        for number in 0..<20 {
            try http.perform(SendMessage(channel: Cast.club, text: "secret \(number)"), from: callers.ann)
        }
        // It waits in the socket of the frozen server, which still has Bob in its fan-out.
        try sender.send(#"{"id":"late","cmd":"message.send","body":{"channel":"club","text":"secret 20"}}"#)
        frozen.thaw()
        let answer = Result { try sender.error(of: "late") }
        if case .success(let error) = answer { #expect(error?.entry == .draining, "\(answer)") }
        var received: [ServerFrame] = []
        let end = Result { while true { received.append(try reader.next()) } }
        #expect("\(end)".contains("closed with 1012"), "\(end)")
        #expect(!"\(received)".contains("secret"), "\(received)")
        #expect(frozen.waitUntilExit() == 1)
        let log = try http.perform(ListMessages(channel: Cast.club, limit: 100), from: callers.ann).events
        #expect(log.compactMap(\.text) == (0..<20).map { "secret \($0)" })
        #expect(next.stop() == 0)
    }

    @Test func `a backup cannot be declared while a server uses the database, and a start that fails leaves no trace`()
        async throws
    {
        let alone = try await Alone()
        func restored() async throws -> Child.Result {
            let words = ["restored", "--data", alone.folder.path + "/two", "--database", alone.database]
            return try await Child.roost(words, in: alone.folder).result()
        }
        let refused = try await restored()
        #expect(refused.status == 1 && refused.errors.contains("uses this database: stop it first."), "\(refused)")
        #expect(alone.server.stop() == 0)
        // This one joins, but its port is taken.
        let taken = try await Child.roost(
            ["serve", "--data", alone.folder.path + "/two", "--port", "99", "--host", "192.0.2.1"]
                + ["--database", alone.database],
            in: alone.folder
        ).result()
        #expect(taken.status == 1 && taken.errors.contains("cannot run on"), "\(taken)")
        let done = try await restored()
        #expect(done.status == 0 && !done.errors.contains("waiting"), "\(done)")
    }

    @Test func `a pooler that gives each transaction another session is refused, one with whole sessions is not`()
        async throws
    {
        let postgres = try PostgresServer()
        for (mode, size) in [("transaction", 1), ("transaction", 8), ("session", 8)] {
            let pooler = try PgBouncer(before: postgres.url, mode: mode, size: size)
            defer { withExtendedLifetime(pooler) {} }
            let folder = try TemporaryFolder()
            let server = try Child.roost(
                ["serve", "--data", folder.path + "/data", "--port", "0", "--database", pooler.url], in: folder)
            let line = await server.line()
            server.signal(SIGTERM)
            let result = await server.result()
            #expect((line?.hasPrefix("ready ") == true) == (mode == "session"), "\(mode) \(size)")
            #expect(result.status == (mode == "session" ? 0 : 1))
            #expect(result.errors.contains("pool_mode = session") == (mode != "session"), "\(result.errors)")
        }
    }
}

/// A PgBouncer in front of a PostgreSQL.
private final class PgBouncer {
    let url: String
    private let folder: TemporaryFolder
    private let process = Process()

    init(before database: String, mode: String, size: Int) throws {
        folder = try TemporaryFolder()
        let target = try #require(URLComponents(string: database))
        let listener = try Self.freePort()
        let lines = [
            "[databases]",
            "roost = host=127.0.0.1 port=\(target.port ?? 5432) dbname=roost user=roost",
            "[pgbouncer]", "listen_addr = 127.0.0.1", "listen_port = \(listener)", "unix_socket_dir =",
            "auth_type = any", "pool_mode = \(mode)", "default_pool_size = \(size)", "max_client_conn = 100",
        ]
        let file = folder.path + "/pgbouncer.ini"
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: file))
        url = "postgres://roost@127.0.0.1:\(listener)/roost"
        process.executableURL = URL(fileURLWithPath: "/usr/sbin/pgbouncer")
        // It does not run as root.
        process.arguments = ["-q"] + (getuid() == 0 ? ["-u", "postgres"] : []) + [file]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        while process.isRunning, close(Self.socket(listener, connect)) != 0 { usleep(10_000) }
    }

    private static func freePort() throws -> UInt16 {
        let file = socket(0, bind)
        defer { close(file) }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(file, $0, &size) == 0 }
        }
        try #require(isKnown)
        return UInt16(bigEndian: address.sin_port)
    }

    /// A socket that is bound or connected to a port of this machine; -1 if that fails.
    private static func socket(
        _ port: UInt16, _ join: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        let file = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                join(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if status == 0 { return file }
        close(file)
        return -1
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
