import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// Where the servers of these tests keep what they store.
enum Store {
    /// Whether it is a file. The second pass has PostgreSQL: `ROOST_TEST_STORE` is "postgres".
    static let isFirstPass = ProcessInfo.processInfo.environment["ROOST_TEST_STORE"] != "postgres"
}

extension Trait where Self == ConditionTrait {
    /// For what shows the same with every store of the server.
    static var firstPassOnly: Self { .enabled(if: Store.isFirstPass, "the store of the second pass changes nothing") }

    /// For what needs PostgreSQL, whichever pass it is.
    static var needsPostgres: Self { .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL for tests") }
}

extension Trait where Self == IssueHandlingTrait {
    /// A failure names the seed of the test's random choices.
    static var seeded: Self {
        .compactMapIssues { issue in
            var issue = issue
            issue.comments.append("ROOST_SEED=\(SeededNumbers.seed)")
            return issue
        }
    }
}

/// A number that the environment sets; nil where it sets none.
func environmentNumber(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap(Int.init)
}

/// Looks again and again until it is so.
/// - Throws: `CancellationError` when the time of the test is over.
func until(_ isSo: () async throws -> Bool) async throws {
    while try await !isSo() {
        try Task.checkCancellation()
        await Task.yield()
    }
}

/// Does something as few seconds ahead as the server takes it, for what has no clock that a test can set.
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

/// A real server process with a database of its own, and the people who log in there.
///
/// The database is a file, or PostgreSQL where `ROOST_TEST_STORE` says so. What its clients and the server say is
/// written down where somebody asks for it: see ``FrameLog``.
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
    /// Where clients find the server, on the port of the server itself or on one that leads to it.
    var url: String { recorder?.url() ?? server.url }

    /// Starts the server again on the same port, after it was stopped or killed.
    func start() async throws {
        let port = server.port
        let again = try await ServerProcess.start(
            data: data, port: port, isDevelopment: isDevelopment, arguments: arguments)
        process.withLock { $0 = again }
    }

    /// A guest who is connected.
    func guest(_ user: User, device: String = "1", positions: SyncPositions? = nil) async throws -> RecordingClient {
        let person = try disconnectedClient(user, device: device, positions: positions)
        try await person.connect()
        return person
    }

    /// A guest who is not connected yet.
    func disconnectedClient(_ user: User, device: String = "1", positions: SyncPositions? = nil) throws
        -> RecordingClient
    {
        try RecordingClient(
            url, .guest(user.userID, name: user.name, imageURL: user.imageURL),
            device: user.userID.rawValue + "-" + device, positions: positions)
    }

    /// An operator who is connected.
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

/// Wakes those who wait for a change.
final class ChangeSignal: Sendable {
    private struct State {
        var count = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    /// How often it has rung.
    var count: Int { state.withLock { $0.count } }

    func notify() {
        let waiters = state.withLock { state in
            state.count += 1
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when it has rung more often than so many times.
    /// - Throws: `CancellationError` when the task was cancelled.
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

/// Everything that a client was told.
private final class EventLog: Sendable {
    private let all = Mutex<[ClientEvent]>([])
    let signal = ChangeSignal()

    var events: [ClientEvent] { all.withLock { $0 } }

    func append(_ event: ClientEvent) {
        all.withLock { $0.append(event) }
        signal.notify()
    }
}

/// An SDK client, and everything that it has been told, in the order in which it was told.
final class RecordingClient: Sendable {
    let client: RoostClient
    private let log = EventLog()
    private let reader: Task<Void, Never>

    init(_ url: String, _ credentials: Credentials, device: String, positions: SyncPositions?) throws {
        let deviceID = try #require(DeviceID(rawValue: device))
        var configuration = RoostClientConfiguration(server: url, credentials: credentials, deviceID: deviceID)
        configuration.positions = positions
        client = RoostClient(configuration: configuration)
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

    /// Everything that it has been told so far.
    var events: [ClientEvent] { log.events }

    /// How much it has been told so far: a place to wait from.
    var mark: Int { log.events.count }

    /// The first thing told since `mark` that fits; it waits until there is one.
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

    /// Waits until everything told since `mark` fits together.
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

    /// The message with this text, once it has come.
    @discardableResult
    func message(_ text: String, in channel: ChannelID? = nil, since mark: Int = 0) async throws -> Event {
        let found = try await wait("message \(text)", since: mark) {
            $0.text == text && (channel == nil || $0.row?.channel == channel)
        }
        return try #require(found.row)
    }

    /// The event with this name, once it has come.
    @discardableResult
    func event(_ name: EventName, in channel: ChannelID? = nil, since mark: Int = 0) async throws -> Event {
        let found = try await wait("event \(name.rawValue)", since: mark) {
            $0.row?.name == name.rawValue && (channel == nil || $0.row?.channel == channel)
        }
        return try #require(found.row)
    }

    /// The texts of a channel's messages that it was shown, in their order.
    func texts(in channel: ChannelID, since mark: Int = 0) -> [String] {
        events.dropFirst(mark).filter { $0.row?.channel == channel }.compactMap(\.text)
    }
}

/// Something that was waited for and did not come.
struct ExpectationFailure: Error, CustomStringConvertible {
    /// It came, and is not what was expected.
    static let other = ExpectationFailure(description: "something of another kind came")

    let description: String
}

extension ClientEvent {
    /// The row or notice that it carries.
    var row: Event? { if case .event(let event, _) = self { event } else { nil } }

    /// Whether it was read from a log afterwards; nil when it is no row.
    var isPast: Bool? { if case .event(_, let isPast) = self { isPast } else { nil } }

    /// The text of the message or announcement that it carries.
    var text: String? { row?.text }

    /// The channel whose row in the list changed.
    var updated: ChannelID? { if case .channelUpdated(let channel) = self { channel } else { nil } }

    /// The error with which a connection or a send ended.
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

/// The refusal with which something ended; nil when it succeeded.
func refusal<T>(_ body: () async throws(RoostError) -> T) async -> RoostError.Code? {
    do throws(RoostError) {
        _ = try await body()
        return nil
    } catch {
        return error.code
    }
}

/// The same of what may throw anything.
func code<T>(_ body: () async throws -> T) async -> RoostError.Code? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? RoostError)?.code
    }
}

/// An id of the cast's kind, made up by a test.
func channelID(_ text: String) throws -> ChannelID { try #require(ChannelID(rawValue: text)) }

/// A user made up by a test.
func makeUser(_ id: String, _ name: String? = nil) throws -> User {
    User(userID: try #require(UserID(rawValue: id)), name: name ?? id)
}
