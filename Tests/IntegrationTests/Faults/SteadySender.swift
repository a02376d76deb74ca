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

    let channels: [ChannelID]
    private let pace: Duration
    private let client: ChatClient
    private let name: String
    private let state = Mutex(State())
    private let signal = ChangeSignal()
    private let sender = Mutex<Task<Void, Never>?>(nil)

    /// Connects, on a thread that no other client uses.
    /// - Parameters:
    ///   - user: a member of the channels, which are sent to in turn.
    ///   - name: the device, and what the texts begin with.
    ///   - pace: the time between two sends.
    private init(_ url: String, as user: User, name: String, to channels: [ChannelID], every pace: Duration)
        async throws
    {
        var configuration = ClientConfiguration(
            server: url, credentials: .guest(user.userID), deviceID: try #require(DeviceID(rawValue: name)))
        configuration.keepsTryingToConnect = true
        configuration.eventLoopThreads = 1
        client = ChatClient(configuration: configuration)
        (self.channels, self.pace, self.name) = (channels, pace, name)
        try await client.connect()
    }

    /// Begins to send, 50 times a second, to groups of its own with another user: so many that no send waits for the one
    /// before it in its group.
    static func start(_ url: String, name: String, with other: User) async throws -> SteadySender {
        let channels = try (0..<10).map { try channelID("\(name)-\($0)") }
        let sender = try await SteadySender(
            url, as: try makeUser(name), name: name, to: channels, every: .milliseconds(20))
        for channel in channels { _ = try await sender.client.createGroup(channel: channel, members: [other.userID]) }
        sender.start()
        return sender
    }

    /// Begins to send, 25 times a second, to channels that are there.
    static func start(
        _ url: String, as user: User, name: String, to channels: [ChannelID]
    ) async throws -> SteadySender {
        let sender = try await SteadySender(url, as: user, name: name, to: channels, every: .milliseconds(40))
        sender.start()
        return sender
    }

    private func start() {
        let task = Task {
            let start = ContinuousClock.now
            var count = 0
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled {
                    let (number, channel) = (count, channels[count % channels.count])
                    let (pending, now) = (client.channel(channel).enqueue("\(name)-\(number)"), ContinuousClock.now)
                    group.addTask { await self.note(pending, number, since: now) }
                    count += 1
                    try? await Task.sleep(until: start + pace * count)
                }
            }
        }
        sender.withLock { $0 = task }
    }

    /// Waits until so many messages are acknowledged.
    func waitUntilSent(_ count: Int) async throws {
        while true {
            let seen = signal.count
            if state.withLock({ $0.sent.count >= count }) { return }
            try await signal.wait(after: seen)
        }
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
                        at: now, milliseconds: took, channel: sent.channel, seq: sent.seq ?? 0,
                        text: "\(name)-\(number)"))
            }
            signal.notify()
        } catch {
            state.withLock { $0.faults.append("\(error)") }
        }
    }
}
