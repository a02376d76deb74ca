import Logging
public import RoostClient
package import RoostCore
import RoostSQLite
import RoostServer
public import RoostWire
import Synchronization

/// A complete server in this process, for testing an app: with real sockets, an in-memory database, and in dev mode.
///
/// ```swift
/// let server = try await TestServer.start()
/// let (ann, bob) = (try await server.client(Cast.ann), try await server.client(Cast.bob))
/// let chat = ann.channel(try await ann.startMessaging(with: Cast.bob.userID).channel)
/// try await chat.send("Hello, Bob")
/// ```
///
/// The test controls its clock. What the server announces at most once per second, such as read marks and typing, comes
/// when the clock has moved. Everything ends with ``stop()``, or with the last reference to it.
public final class TestServer: Sendable {
    /// The URL of the server, `http://127.0.0.1:PORT`.
    public let url: String
    /// The clock that determines the times of messages.
    public let clock: TestClock
    private let core: Core
    package let database: any SQLDatabase
    private let secret: [UInt8]
    private let files: TestFiles
    private let running: Task<Void, any Error>
    private let devices = Atomic<Int>(0)

    private init(
        url: String, clock: TestClock, core: Core, database: any SQLDatabase, secret: [UInt8],
        files: TestFiles, running: Task<Void, any Error>
    ) {
        self.url = url
        self.clock = clock
        self.core = core
        self.database = database
        self.secret = secret
        self.files = files
        self.running = running
    }

    deinit { running.cancel() }

    /// Starts a server on a free port of this machine.
    /// - Throws: an error if it cannot listen.
    public static func start(clock: TestClock = TestClock()) async throws -> TestServer {
        try await start(clock: clock, keeping: [:])
    }

    /// The same, with retention times in ms for kinds of channels, a gate for its answers, and the ping interval in
    /// ms.
    package static func start(
        clock: TestClock, keeping times: [ChannelKind: Int64], gate: AnswerGate? = nil, heartbeat: Int = 25_000
    ) async throws -> TestServer {
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let engine = try SQLiteDatabase()
        let database: any SQLDatabase = gate.map { GatedDatabase(engine, $0) } ?? engine
        let random = Mutex(SystemRandomNumberGenerator())
        let secret = (0..<32).map { _ in UInt8.random(in: 0...255) }
        let files = try TestFiles(secret: secret)
        let core = try Core(
            database: database,
            configuration: CoreConfiguration(
                limits: .withoutRates, isDevelopment: true, heartbeat: heartbeat,
                retention: times.mapValues { RetentionPolicy(keepFor: $0) }, retentionInterval: 1_000,
                fileLinks: files.storage.linkKey.links),
            effects: Effects(now: { clock.now }, random: { random.withLock { $0.next() } }), logger: logger)
        var configuration = ServerConfiguration(host: "127.0.0.1", port: 0)
        configuration.isDevelopment = true
        configuration.hasCheapPasswords = true
        configuration.eventLoops = 1
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        let server = try await buildServer(
            core: core, configuration: configuration, keys: TokenKeys(secrets: [secret]),
            files: files.storage, logger: logger,
            onReady: { _, port in ready.yield(port) })
        let running = Task {
            defer { ready.finish() }
            try await server.run()
            withExtendedLifetime(files) {}
        }
        guard let port = await ports.first(where: { _ in true }) else {
            try await running.value
            throw CancellationError()
        }
        return TestServer(
            url: "http://127.0.0.1:\(port)", clock: clock, core: core, database: database, secret: secret,
            files: files, running: running)
    }

    /// Creates a client with its own device and an in-memory store, and connects it.
    /// - Throws: `RoostError`, as `connect()`.
    public func client(_ user: User, store: LocalStore? = nil) async throws -> ChatClient {
        let client = try disconnectedClient(user, store: store)
        try await client.connect()
        return client
    }

    /// Creates a token with which a connection lasts for this many ms: whole seconds, at most an hour and a minute.
    package func token(of user: User, lasting ms: Int64, isOperator: Bool = false) async throws -> String {
        // A connection ends a minute after its token expires.
        try await TokenIssuer(secret: secret).issue(
            userID: user.userID, name: user.name, imageURL: user.imageURL, isOperator: isOperator, ttl: 3_600,
            now: clock.now + ms - 3_660_000)
    }

    /// Creates a one-time code that is valid for a minute.
    package func code(of user: User, isOperator: Bool = false) async throws -> String {
        try await TokenIssuer(secret: secret).issue(
            userID: user.userID, name: user.name, imageURL: user.imageURL, isOperator: isOperator, ttl: 60,
            now: clock.now, use: .code)
    }

    /// Creates a client with the given credentials that is not connected yet.
    package func disconnectedClient(_ user: User, credentials: Credentials) throws -> ChatClient {
        try disconnectedClient(user, store: nil, url: url, credentials: credentials)
    }

    /// Creates a connected client of an operator, whose token is valid for a day.
    package func operatorClient(_ user: User) async throws -> ChatClient {
        let token = try await TokenIssuer(secret: secret).issue(
            userID: user.userID, name: user.name, imageURL: user.imageURL, isOperator: true, ttl: 86_400,
            now: clock.now)
        let client = try disconnectedClient(user, store: nil, url: url, credentials: .token { token })
        try await client.connect()
        return client
    }

    /// Creates a client that is not connected yet.
    /// - Throws: `RoostError` if no in-memory store can be created.
    public func disconnectedClient(_ user: User, store: LocalStore? = nil) throws -> ChatClient {
        try disconnectedClient(user, store: store, url: url)
    }

    func disconnectedClient(
        _ user: User, store: LocalStore?, url: String, credentials: Credentials? = nil
    ) throws -> ChatClient {
        let number = devices.add(1, ordering: .relaxed).newValue
        guard let device = DeviceID(rawValue: "device-\(number)") else {
            preconditionFailure("The id of a device may hold letters, digits and a dash.")
        }
        let guest = Credentials.guest(user.userID, name: user.name, imageURL: user.imageURL)
        var configuration = ClientConfiguration(
            server: url, credentials: credentials ?? guest, deviceID: device)
        configuration.store = try store ?? .inMemory()
        return ChatClient(configuration: configuration)
    }

    /// Stops the server; clients lose their connections.
    public func stop() async {
        running.cancel()
        _ = await running.result
        await core.stop()
        try? database.close()
    }
}
