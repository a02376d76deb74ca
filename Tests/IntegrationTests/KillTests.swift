import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// Kills the real server again and again under load, and holds it to its acknowledgements.
///
/// `ROOST_KILLS` sets how often (20); `dev/kill` runs the long version.
@Suite(.serialized) struct KillTests {
    @Test(.timeLimit(.minutes(20)))
    func `nothing acknowledged is lost, doubled or out of order through kill -9`() async throws {
        let kills = ProcessInfo.processInfo.environment["ROOST_KILLS"].flatMap(Int.init) ?? 20
        let folder = try TemporaryFolder()
        let arguments = try Postgres.serveArguments()
        var server = try await ServerProcess.start(data: folder.path, arguments: arguments)
        let port = server.port
        let load = Load(server: server.url, clients: 50, channels: 20)
        try await load.connect()

        var slowest = 0.0
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<kills {
            let wanted = load.acknowledged + Int.random(in: 20...1_000, using: &generator)
            await load.waitUntil { $0.acknowledged >= wanted }
            server.kill()
            server = try await ServerProcess.start(data: folder.path, port: port, arguments: arguments)
            slowest = max(slowest, server.readyAfter)
        }
        let acknowledged = try await load.finish()
        try await load.check()
        print("# \(kills) kills, \(acknowledged) acknowledged messages, ready again after at most \(slowest) s")
        server.stop()
    }
}

/// Clients that send into channels without pause, and remember what was acknowledged and what they were shown.
final class Load: Sendable {
    struct Shown: Sendable {
        var seqs: [Int64] = []
        var transIDs: [TransID] = []
    }

    struct State: Sendable {
        var acknowledgements: [TransID: Acknowledgement] = [:]
        var acknowledgedAt: [ContinuousClock.Instant] = []
        var sent: [TransID: String] = [:]
        var shown: [String: Shown] = [:]
        var errors: [String] = []
        var changes = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let clients: [RoostClient]
    private let channels: [ChannelID]
    private let isStopping = Mutex(false)
    private let tasks = Mutex<[Task<Void, any Error>]>([])
    private let senders = Mutex<[Task<Void, Never>]>([])

    init(server: String, clients: Int, channels: Int) {
        self.clients = (0..<clients).compactMap { number in
            guard let user = UserID(rawValue: "user-\(number)"), let device = DeviceID(rawValue: "load-\(number)")
            else {
                return nil
            }
            var configuration = RoostClientConfiguration(
                server: server, credentials: .guest(user), deviceID: device)
            configuration.commandTimeout = .seconds(120)
            return RoostClient(configuration: configuration)
        }
        self.channels = (0..<channels).compactMap { ChannelID(rawValue: "kill-\($0)") }
    }

    var acknowledged: Int { state.withLock { $0.acknowledgements.count } }
    var acknowledgedAt: [ContinuousClock.Instant] { state.withLock { $0.acknowledgedAt } }

    /// Connects everybody, has each client follow two channels and send into one of them.
    func connect() async throws {
        for (number, client) in clients.enumerated() {
            try await client.connect()
            for offset in [0, 7] {
                let channel = channels[(number + offset) % channels.count]
                try await client.channel(channel).join()
                let key = "\(number)/\(channel)"
                let events = client.channel(channel).events(after: 0)
                tasks.withLock {
                    $0.append(
                        Task {
                            for try await event in events {
                                guard case .event(let event, _) = event, let seq = event.seq else { continue }
                                self.showed(key, seq, event.transID)
                            }
                        })
                }
            }
            senders.withLock { $0.append(Task { await self.send(client, number) }) }
        }
    }

    private func send(_ client: RoostClient, _ number: Int) async {
        let channel = client.channel(channels[number % channels.count])
        var count = 0
        while !isStopping.withLock({ $0 }) {
            count += 1
            let text = "\(number):\(count)"
            do {
                let acknowledgement = try await channel.send(text)
                took(acknowledgement, text)
            } catch {
                state.withLock { $0.errors.append("\(error)") }
            }
        }
    }

    private func took(_ acknowledgement: Acknowledgement, _ text: String) {
        change { state in
            state.acknowledgements[acknowledgement.transID] = acknowledgement
            state.acknowledgedAt.append(.now)
            state.sent[acknowledgement.transID] = text
        }
    }

    private func showed(_ key: String, _ seq: Int64, _ transID: TransID?) {
        change { state in
            state.shown[key, default: Shown()].seqs.append(seq)
            if let transID { state.shown[key, default: Shown()].transIDs.append(transID) }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiters = state.withLock { state in
            body(&state)
            state.changes += 1
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits for a goal that acknowledgements and events bring nearer.
    func waitUntil(_ goal: @Sendable (Load) -> Bool) async {
        while true {
            let seen = state.withLock { $0.changes }
            if goal(self) { return }
            await withCheckedContinuation { continuation in
                let isOld = state.withLock { state in
                    if state.changes == seen { state.waiters.append(continuation) }
                    return state.changes != seen
                }
                if isOld { continuation.resume() }
            }
        }
    }

    /// Stops sending; every send is settled then.
    func finish() async throws -> Int {
        isStopping.withLock { $0 = true }
        for sender in senders.withLock({ $0 }) { await sender.value }
        return acknowledged
    }

    /// Compares what was acknowledged and shown with the logs as the server has them now.
    func check() async throws {
        let logs = try await readLogs()
        let acknowledgements = state.withLock { $0.acknowledgements }
        let errors = state.withLock { $0.errors }
        #expect(errors.isEmpty, "no send was refused: \(errors.prefix(3))")
        for (channel, rows) in logs {
            #expect(rows.map(\.seq) == (0..<rows.count).map { Int64($0 + 1) }, "\(channel) has no gap")
            let transIDs = rows.compactMap(\.transID)
            #expect(Set(transIDs).count == transIDs.count, "\(channel) has nothing twice")
        }
        for (transID, acknowledgement) in acknowledgements {
            let channel = try #require(acknowledgement.channel)
            let seq = try #require(acknowledgement.seq)
            let row = try #require(logs[channel]?[safe: Int(seq) - 1], "row \(seq) of \(channel) is there")
            #expect(row.transID == transID)
            #expect(row.messageID == acknowledgement.messageID)
        }
        // Every client converges: what it was shown of a channel is the channel's log, once and in order.
        for (number, _) in clients.enumerated() {
            for offset in [0, 7] {
                let channel = channels[(number + offset) % channels.count]
                let wanted = logs[channel]?.map { $0.seq ?? 0 } ?? []
                let key = "\(number)/\(channel)"
                await waitUntil { load in load.shownSeqs(key).count >= wanted.count }
                #expect(shownSeqs(key) == wanted, "client \(number) was shown \(channel) once and in order")
            }
        }
        for client in clients { await client.disconnect() }
        for task in tasks.withLock({ $0 }) { task.cancel() }
    }

    private func shownSeqs(_ key: String) -> [Int64] { state.withLock { $0.shown[key]?.seqs ?? [] } }

    private func readLogs() async throws -> [ChannelID: [Event]] {
        var logs: [ChannelID: [Event]] = [:]
        for channel in channels {
            var rows: [Event] = []
            while true {
                let page = try await clients[0].channel(channel).history(after: rows.last?.seq ?? 0, limit: 100)
                rows += page.events
                if !page.hasAfter { break }
            }
            logs[channel] = rows
        }
        return logs
    }
}

extension Array {
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
