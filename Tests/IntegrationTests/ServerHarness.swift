import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// The store of the servers in these tests.
enum Store {
    /// Whether it is a file. In the second pass, with `ROOST_TEST_STORE` set to "postgres", it is PostgreSQL.
    static let isFirstPass = ProcessInfo.processInfo.environment["ROOST_TEST_STORE"] != "postgres"
}

extension Trait where Self == ConditionTrait {
    /// For tests that do not depend on the server's store.
    static var firstPassOnly: Self { .enabled(if: Store.isFirstPass, "the store of the second pass changes nothing") }

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

/// A real server process with its own database, and its clients.
///
/// The database is a file, or PostgreSQL depending on `ROOST_TEST_STORE`. The traffic can be recorded: see
/// ``FrameLog``.
final class ServerHarness: Sendable {
    let folder: TemporaryFolder
    private let process: Mutex<ServerProcess>
    private let recorder: FaultProxy?
    private let isDevelopment: Bool
    private let arguments: [String]

    init(
        isDevelopment: Bool = true, isFile: Bool = false, limits: [String: Int] = [:], options: [String] = [],
        isRecorded: Bool = true
    ) async throws {
        self.isDevelopment = isDevelopment
        folder = try TemporaryFolder()
        arguments =
            (isFile ? [] : try Postgres.serveArguments()) + limits.flatMap { ["--limit", "\($0.key)=\($0.value)"] }
            + options
        let server = try await ServerProcess.start(
            data: folder.path + "/data", isDevelopment: isDevelopment, arguments: arguments)
        recorder = isRecorded ? try await FrameLog.shared?.proxy(to: server.port) : nil
        process = Mutex(server)
    }

    deinit {
        if let recorder { Task { try? await recorder.stop() } }
    }

    var data: String { folder.path + "/data" }
    var server: ServerProcess { process.withLock { $0 } }
    /// The URL for clients: that of the server, or of a recording proxy.
    var url: String { recorder?.url() ?? server.url }

    /// Restarts the server on the same port, with further options.
    func start(with options: [String] = []) async throws {
        let port = server.port
        let again = try await ServerProcess.start(
            data: data, port: port, isDevelopment: isDevelopment, arguments: arguments + options)
        process.withLock { $0 = again }
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
