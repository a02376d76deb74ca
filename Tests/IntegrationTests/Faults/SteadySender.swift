import RoostClient
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// A user who sends at a steady rate, whatever the answers take, and measures how long they take.
final class SteadySender: Sendable {
    /// A message that was acknowledged.
    struct Sent: Sendable {
        let at: ContinuousClock.Instant
        let milliseconds: Double
        let channel: ChannelID
        let seq: Int64
        let text: String
    }

    private struct State {
        var sent: [Sent] = []
        var faults: [String] = []
    }

    /// The time between two sends.
    private static let pace = Duration.milliseconds(20)
    /// So many groups that no send waits for the one before it in its group.
    private static let groups = 10

    let channels: [ChannelID]
    private let client: ChatClient
    private let state = Mutex(State())
    private let sender = Mutex<Task<Void, Never>?>(nil)

    /// Connects, on a thread that no other client uses, and creates its groups with another user.
    init(_ url: String, name: String, with other: User) async throws {
        let user = try makeUser(name)
        var configuration = ClientConfiguration(
            server: url, credentials: .guest(user.userID), deviceID: try #require(DeviceID(rawValue: "steady")))
        configuration.keepsTryingToConnect = true
        configuration.eventLoopThreads = 1
        client = ChatClient(configuration: configuration)
        channels = try (0..<Self.groups).map { try channelID("\(name)-\($0)") }
        try await client.connect()
        for channel in channels { _ = try await client.createGroup(channel: channel, members: [other.userID]) }
    }

    /// Sends until ``stop()``.
    func start() {
        let task = Task {
            let start = ContinuousClock.now
            var count = 0
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled {
                    let (number, channel) = (count, channels[count % channels.count])
                    let (pending, now) = (client.channel(channel).enqueue("\(number)"), ContinuousClock.now)
                    group.addTask { await self.note(pending, number, since: now) }
                    count += 1
                    try? await Task.sleep(until: start + Self.pace * count)
                }
            }
        }
        sender.withLock { $0 = task }
    }

    /// Stops sending once everything is acknowledged, disconnects, and returns what was acknowledged.
    func stop() async -> (sent: [Sent], faults: [String]) {
        let task = sender.withLock { $0 }
        task?.cancel()
        await task?.value
        await client.disconnect()
        return state.withLock { ($0.sent, $0.faults) }
    }

    /// How long the sends took that began in this time, in ms.
    func delays(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) -> [Double] {
        state.withLock { $0.sent.filter { $0.at >= start && $0.at < end }.map(\.milliseconds) }
    }

    private func note(_ pending: PendingMessage, _ number: Int, since now: ContinuousClock.Instant) async {
        // A task that is cancelled would not wait for the answer.
        let answer = Task { try await pending.sent }
        do {
            let sent = try await answer.value
            let took = (ContinuousClock.now - now) / .milliseconds(1)
            state.withLock {
                $0.sent.append(
                    Sent(
                        at: now, milliseconds: took, channel: sent.channel, seq: sent.seq ?? 0, text: "\(number)"))
            }
        } catch {
            state.withLock { $0.faults.append("\(error)") }
        }
    }
}
