import Foundation
import Observation
import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// All tests that start a server, one after the other, because deadlines need an otherwise idle machine.
@Suite(.serialized, .timeLimit(.minutes(5)), StopsServers()) @MainActor struct Screens {}

/// Stops the servers of a test when the test ends.
struct StopsServers: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        defer { ScreenServer.stopAll() }
        try await function()
    }
}

/// A real server process with its own database, and clients for it.
final class ScreenServer: Sendable {
    private let folder: String
    private let running: Mutex<ServerProcess>
    private static let all = Mutex<[ScreenServer]>([])

    /// Stops all servers. A server runs until its test ends.
    static func stopAll() { all.withLock { $0.removeAll() } }

    init() async throws {
        folder = FileManager.default.temporaryDirectory.path + "/roost-models-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        running = Mutex(try await ServerProcess.start(data: folder + "/data"))
        Self.all.withLock { $0.append(self) }
    }

    deinit {
        running.withLock { $0.kill() }
        try? FileManager.default.removeItem(atPath: folder)
    }

    var process: ServerProcess { running.withLock { $0 } }

    /// Starts the server again on the same port.
    func restart() async throws {
        let again = try await ServerProcess.start(data: folder + "/data", port: process.port)
        running.withLock { $0 = again }
    }

    /// A client with a store in memory that is not connected.
    func unconnectedClient(
        _ user: User, device: String = "1", store: LocalStore? = nil, isOperator: Bool = false, url: String? = nil
    ) async throws -> ChatClient {
        let deviceID = try #require(DeviceID(rawValue: user.userID.rawValue + "-" + device))
        var credentials = Credentials.guest(user.userID, name: user.name, imageURL: user.imageURL)
        if isOperator {
            let token = try operatorToken(user)
            credentials = .token { token }
        }
        var configuration = ClientConfiguration(
            server: url ?? process.url, credentials: credentials, deviceID: deviceID)
        configuration.store = try store ?? LocalStore.inMemory()
        return ChatClient(configuration: configuration)
    }

    /// A client with a store in memory that is connected.
    func connectedClient(_ user: User, device: String = "1", store: LocalStore? = nil) async throws -> ChatClient {
        let client = try await unconnectedClient(user, device: device, store: store)
        try await client.connect()
        return client
    }

    private func operatorToken(_ user: User) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try ServerProcess.binary())
        process.arguments = [
            "token", "--data", folder + "/data", "--user", user.userID.rawValue, "--name", user.name, "--operator",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// A model's clock that only the test advances.
final class ManualClock: Sendable {
    private struct State {
        var now: Int64
        var sleepers: [Int: (until: Int64, continuation: CheckedContinuation<Void, Never>)] = [:]
        var next = 0
    }

    private let state: Mutex<State>

    init(now: Int64 = 1_767_225_600_000) { state = Mutex(State(now: now)) }

    var now: Int64 { state.withLock { $0.now } }

    /// The number of tasks that sleep.
    var sleepers: Int { state.withLock { $0.sleepers.count } }

    func advance(by ms: Int64) {
        let woken = state.withLock { state in
            state.now += ms
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for key in due.keys { state.sleepers[key] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    private func sleep(until: Int64) async throws {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    if until <= state.now || Task.isCancelled { return true }
                    state.sleepers[id] = (until, continuation)
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume()
        }
        try Task.checkCancellation()
    }

    var clock: ModelClock {
        ModelClock(
            now: { .init(milliseconds: self.now) }, sleep: { try await self.sleep(until: $0.milliseconds) })
    }
}

/// An error for something that was expected and never arrived.
struct Missing: Error, CustomStringConvertible {
    let description: String
}

/// Waits until a condition on models is true. The only time limit is that of the suite.
@MainActor func wait(_ what: String, until fits: @MainActor () -> Bool) async throws {
    while true {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let isDone = withObservationTracking {
            fits()
        } onChange: {
            continuation.yield()
        }
        if isDone { return }
        for await _ in stream { break }
        if Task.isCancelled {
            print("never seen: \(what)")
            throw Missing(description: "never seen: \(what)")
        }
    }
}

extension ChatClient {
    /// Sends numbered texts `m1`, `m2` … into a channel.
    func fill(_ channel: ChannelID, _ numbers: ClosedRange<Int>) async throws {
        var last: PendingMessage?
        for number in numbers { last = self.channel(channel).enqueue("m\(number)") }
        _ = try await last?.sent
    }

    /// Performs `act`, then waits for an event that fits.
    func waitForEvent(
        _ act: () async throws -> Void, until fits: @Sendable (ClientEvent) -> Bool
    ) async throws {
        let events = events()
        try await act()
        for await event in events where fits(event) { return }
        throw Missing(description: "The event never arrived.")
    }
}

extension ConversationModel {
    /// The texts of the messages, in their order.
    var texts: [String] { items.filter { $0.kind == .message || $0.kind == .announcement }.map(\.text) }

    func item(_ text: String) -> TimelineItem? { items.last { $0.text == text } }

    /// Waits until the model contains a message.
    @discardableResult
    func waitFor(_ text: String) async throws -> TimelineItem {
        try await wait("message \(text)") { self.item(text) != nil }
        return try #require(item(text))
    }
}

func channelID(_ text: String) throws -> ChannelID { try #require(ChannelID(rawValue: text)) }

func makeUser(_ id: String, _ name: String? = nil) throws -> User {
    User(userID: try #require(UserID(rawValue: id)), name: name ?? id)
}
