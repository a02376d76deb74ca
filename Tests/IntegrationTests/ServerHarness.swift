import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// The store of the servers in these tests: `ROOST_TEST_STORE`.
enum Store: String {
    /// A file. This is the first pass.
    case file = ""
    /// PostgreSQL.
    case postgres
    /// PostgreSQL with two servers, which get the connections in turn, and NATS between them.
    case servers
    /// The same without NATS.
    case serversWithoutBus = "servers-without-bus"

    static let current: Store = {
        let name = ProcessInfo.processInfo.environment["ROOST_TEST_STORE"] ?? ""
        guard let store = Store(rawValue: name) else { preconditionFailure("ROOST_TEST_STORE is \(name)") }
        return store
    }()

    static let isFirstPass = current == .file

    /// The arguments of `roost serve` for a fresh database; empty if it uses its data folder.
    static func serveArguments() throws -> [String] {
        isFirstPass ? [] : ["--database", try Postgres.makeSchema()]
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests that depend neither on the store nor on the number of servers; with `ROOST_TEST_ALL` they run in each pass.
    static var firstPassOnly: Self {
        let runsAll = ProcessInfo.processInfo.environment["ROOST_TEST_ALL"] != nil
        return .enabled(if: Store.isFirstPass || runsAll, "the servers of the second pass change nothing")
    }

    /// For tests of what reaches users at other servers only over the bus, or sooner than what was in other channels.
    static var needsBus: Self { .disabled(if: Store.current == .serversWithoutBus, "there is no bus") }

    /// For tests that need PostgreSQL, in either pass.
    static var needsPostgres: Self { .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL for tests") }
}

extension Trait where Self == IssueHandlingTrait {
    /// Adds the random seed to failures.
    static var seeded: Self {
        .compactMapIssues { issue in
            var issue = issue
            issue.comments.append("ROOST_SEED=\(SeededNumbers.seed)")
            return issue
        }
    }
}

/// A number from an environment variable; nil if it is not set.
func environmentNumber(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap(Int.init)
}

/// Polls until a condition is true.
/// - Throws: `CancellationError` when the test times out.
func until(_ isSo: () async throws -> Bool) async throws {
    while try await !isSo() {
        try Task.checkCancellation()
        await Task.yield()
    }
}

/// Runs `body` with the smallest number of seconds ahead that the server accepts, for tests without a settable clock.
@discardableResult
func soonest<T>(whenLate refusal: RoostError.Code, _ body: (Double) async throws -> T) async throws -> T {
    var seconds = 0.1
    while true {
        do {
            return try await body(seconds)
        } catch let error as RoostError where error.code == refusal && seconds < 10 {
            seconds *= 2
        }
    }
}

/// A real server process with its own database, or several, and their clients.
///
/// The database is that of ``Store``. The traffic can be recorded: see ``FrameLog``.
final class ServerHarness: Sendable {
    let folder: TemporaryFolder
    private let processes: Mutex<[ServerProcess]>
    private let nats: NATSServer?
    private let balancer: FaultProxy?
    private let recorder: FaultProxy?
    private let isDevelopment: Bool
    private let arguments: [String]

    /// - Parameter isAlone: whether there is one server in any case.
    init(
        isDevelopment: Bool = true, isFile: Bool = false, limits: [String: Int] = [:], options: [String] = [],
        isRecorded: Bool = true, isAlone: Bool = false
    ) async throws {
        self.isDevelopment = isDevelopment
        folder = try TemporaryFolder()
        let hasOthers = !isFile && !isAlone && [.servers, .serversWithoutBus].contains(Store.current)
        nats = hasOthers && Store.current == .servers ? try await NATSServer.start() : nil
        var shared: [String] = []
        if hasOthers {
            shared = ["--files", folder.path + "/files", "--files-shared"]
            shared += nats.map { ["--bus", $0.url] } ?? ["--several-nodes"]
        }
        arguments =
            (isFile ? [] : try Store.serveArguments()) + shared
            + limits.flatMap { ["--limit", "\($0.key)=\($0.value)"] } + options
        var servers: [ServerProcess] = []
        for name in hasOthers ? ["data", "other"] : ["data"] {
            let data = folder.path + "/" + name
            if let first = servers.first { try ServerPair.copySecret(from: first.data, to: data) }
            servers.append(
                try await ServerProcess.start(data: data, isDevelopment: isDevelopment, arguments: arguments))
        }
        if nats != nil { try await servers.waitUntilBus("up") }
        let ports = servers.map(\.port)
        balancer = hasOthers ? try await FaultProxy.start(inTurn: ports, seed: 0) : nil
        recorder = isRecorded ? try await FrameLog.shared?.proxy(inTurn: ports) : nil
        processes = Mutex(servers)
    }

    deinit {
        for proxy in [balancer, recorder].compactMap(\.self) { Task { try? await proxy.stop() } }
    }

    var data: String { folder.path + "/data" }
    /// The folder in which the server makes thumbnails.
    var thumbnails: String { data + (servers.count > 1 ? "" : "/files") + "/thumbnails" }
    /// The server; the first one of several.
    var server: ServerProcess { servers[0] }
    private var servers: [ServerProcess] { processes.withLock { $0 } }
    /// The URL for clients: that of the server, or of what is before it.
    var url: String { recorder?.url() ?? balancer?.url() ?? server.url }
    /// The port for clients that record their own bytes.
    var port: Int { balancer?.ports[0] ?? server.port }

    /// Kills all servers with SIGKILL.
    func kill() { for server in servers { server.kill() } }

    /// Stops all servers with SIGTERM and waits until they have exited.
    /// - Returns: the exit code of the first that had another one than 0.
    @discardableResult
    func stop() -> Int32 { servers.map { $0.stop() }.first { $0 != 0 } ?? 0 }

    /// Restarts all servers on the same ports, with further options.
    func start(with options: [String] = []) async throws {
        var again: [ServerProcess] = []
        for server in servers {
            again.append(
                try await ServerProcess.start(
                    data: server.data, port: server.port, isDevelopment: isDevelopment, arguments: arguments + options))
        }
        if nats != nil { try await again.waitUntilBus("up") }
        processes.withLock { $0 = again }
    }

    /// Creates a connected client of a guest.
    func guest(_ user: User, device: String = "1", positions: SyncPositions? = nil) async throws -> RecordingClient {
        let person = try disconnectedClient(user, device: device, positions: positions)
        try await person.connect()
        return person
    }

    /// Creates a client of a guest that is not connected yet.
    func disconnectedClient(_ user: User, device: String = "1", positions: SyncPositions? = nil) throws
        -> RecordingClient
    {
        try RecordingClient(
            url, .guest(user.userID, name: user.name, imageURL: user.imageURL),
            device: user.userID.rawValue + "-" + device, positions: positions)
    }

    /// Creates a connected client of an operator.
    func operatorRecordingClient() async throws -> RecordingClient {
        let token = try await Child.roost(
            ["token", "--data", data, "--user", "op", "--name", "Op", "--operator"], in: folder
        ).result()
        let text = try #require(token.output.first)
        let person = try RecordingClient(url, .token { text }, device: "op", positions: nil)
        try await person.connect()
        return person
    }
}

/// Notifies waiting tasks of changes.
final class ChangeSignal: Sendable {
    private struct State {
        var count = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    /// The number of notifications.
    var count: Int { state.withLock { $0.count } }

    func notify() {
        let waiters = state.withLock { state in
            state.count += 1
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until there were more notifications than `count`.
    /// - Throws: `CancellationError` if the task is cancelled.
    func wait(after count: Int) async throws {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.count > count || Task.isCancelled { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
        try Task.checkCancellation()
    }
}

/// The events received by a client.
private final class EventLog: Sendable {
    private let all = Mutex<[ClientEvent]>([])
    let signal = ChangeSignal()

    var events: [ClientEvent] { all.withLock { $0 } }

    func append(_ event: ClientEvent) {
        all.withLock { $0.append(event) }
        signal.notify()
    }
}

/// An SDK client that records all received events in order.
final class RecordingClient: Sendable {
    let client: ChatClient
    private let log = EventLog()
    private let reader: Task<Void, Never>

    init(_ url: String, _ credentials: Credentials, device: String, positions: SyncPositions?) throws {
        let deviceID = try #require(DeviceID(rawValue: device))
        var configuration = ClientConfiguration(server: url, credentials: credentials, deviceID: deviceID)
        configuration.positions = positions
        client = ChatClient(configuration: configuration)
        let events = client.events()
        reader = Task { [log] in for await event in events { log.append(event) } }
    }

    deinit { reader.cancel() }

    func connect() async throws {
        try await client.connect()
        _ = try await wait("connected") { if case .connected = $0 { true } else { false } }
    }

    func channel(_ id: ChannelID) -> ChannelHandle { client.channel(id) }

    /// Opens the 1-on-1 with a user.
    @discardableResult
    func start(with user: User) async throws -> ChannelHandle {
        client.channel(try await client.startMessaging(with: user.userID).channel)
    }

    /// All events received so far.
    var events: [ClientEvent] { log.events }

    /// The number of events received so far, as a starting point for waiting.
    var mark: Int { log.events.count }

    /// Waits for the first event since `mark` that matches.
    @discardableResult
    func wait(
        _ what: String, since mark: Int = 0, where fits: @Sendable (ClientEvent) -> Bool
    ) async throws -> ClientEvent {
        var next = mark
        while true {
            let count = log.signal.count
            let all = events
            for event in all.dropFirst(next) where fits(event) { return event }
            next = max(next, all.count)
            try await waitForMore(after: count, what)
        }
    }

    /// Waits until the events since `mark` match as a whole.
    func wait(_ what: String, since mark: Int = 0, untilAll fit: @Sendable ([ClientEvent]) -> Bool) async throws {
        while true {
            let count = log.signal.count
            if fit(Array(events.dropFirst(mark))) { return }
            try await waitForMore(after: count, what)
        }
    }

    private func waitForMore(after count: Int, _ what: String) async throws {
        do {
            try await log.signal.wait(after: count)
        } catch {
            throw ExpectationFailure(description: "never told: \(what); the last was \(events.suffix(4))")
        }
    }

    /// Waits for the message with this text.
    @discardableResult
    func message(_ text: String, in channel: ChannelID? = nil, since mark: Int = 0) async throws -> Event {
        let found = try await wait("message \(text)", since: mark) {
            $0.text == text && (channel == nil || $0.row?.channel == channel)
        }
        return try #require(found.row)
    }

    /// Waits for the event with this name.
    @discardableResult
    func event(_ name: EventName, in channel: ChannelID? = nil, since mark: Int = 0) async throws -> Event {
        let found = try await wait("event \(name.rawValue)", since: mark) {
            $0.row?.name == name.rawValue && (channel == nil || $0.row?.channel == channel)
        }
        return try #require(found.row)
    }

    /// The texts of the received messages of a channel, in order.
    func texts(in channel: ChannelID, since mark: Int = 0) -> [String] {
        events.dropFirst(mark).filter { $0.row?.channel == channel }.compactMap(\.text)
    }
}

/// An error for an expected event that did not arrive.
struct ExpectationFailure: Error, CustomStringConvertible {
    /// An event of an unexpected kind arrived.
    static let other = ExpectationFailure(description: "something of another kind came")

    let description: String
}

extension ClientEvent {
    /// The event that it contains.
    var row: Event? { if case .event(let event, _) = self { event } else { nil } }

    /// Whether the row was read from a log later; nil if it is not a row.
    var isPast: Bool? { if case .event(_, let isPast) = self { isPast } else { nil } }

    /// The text of the message or announcement that it carries.
    var text: String? { row?.text }

    /// The channel whose entry in the list changed.
    var updated: ChannelID? { if case .channelUpdated(let channel) = self { channel } else { nil } }

    /// The failed send, if any.
    var failed: FailedSend? { if case .sendFailed(let send) = self { send } else { nil } }
}

extension Event {
    /// The text of the message or announcement that it carries.
    var text: String? {
        switch body {
        case .channel(.messageSent(let message)): message.text
        case .channel(.messageAnnounced(let announcement)): announcement.text
        default: nil
        }
    }
}

/// Runs `body` and returns its error code; nil if it succeeded.
func refusal<T>(_ body: () async throws(RoostError) -> T) async -> RoostError.Code? {
    do throws(RoostError) {
        _ = try await body()
        return nil
    } catch {
        return error.code
    }
}

/// The same for a closure that may throw any error.
func code<T>(_ body: () async throws -> T) async -> RoostError.Code? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? RoostError)?.code
    }
}

/// Creates a channel id.
func channelID(_ text: String) throws -> ChannelID { try #require(ChannelID(rawValue: text)) }

/// Creates a user.
func makeUser(_ id: String, _ name: String? = nil) throws -> User {
    User(userID: try #require(UserID(rawValue: id)), name: name ?? id)
}
