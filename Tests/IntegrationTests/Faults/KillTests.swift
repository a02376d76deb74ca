import RoostClient
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// Kills the real server repeatedly under load, and checks that it keeps everything it has acknowledged.
///
/// `ROOST_KILLS` sets the number of kills (6, in the long version 500); `dev/kill` runs the long version.
@Suite(.serialized, .seeded) struct KillTests {
    private static let kills = environmentNumber("ROOST_KILLS") ?? TestLength.rounds(6, long: 500)

    @Test(.timeLimit(.minutes(kills / 20 + 5)))
    func `nothing acknowledged is lost, duplicated or reordered by kill -9`() async throws {
        let folder = try TemporaryFolder()
        let arguments = try Store.serveArguments()
        var server = try await ServerProcess.start(data: folder.path, arguments: arguments)
        let port = server.port
        let load = Load(server: server.url, clients: 50, channels: 20)
        try await load.connect()

        var slowest = 0.0
        var random = SeededNumbers(for: "KillTests")
        for _ in 0..<Self.kills {
            let wanted = load.acknowledged + Int.random(in: 20...1_000, using: &random)
            try await load.waitUntil { $0.acknowledged >= wanted }
            server.kill()
            server = try await ServerProcess.start(data: folder.path, port: port, arguments: arguments)
            slowest = max(slowest, server.readyAfter)
        }
        let acknowledged = try await load.finish()
        try await load.check()
        print("# \(Self.kills) kills, \(acknowledged) acknowledged messages, ready again after at most \(slowest) s")
        server.stop()
    }
}

/// Clients that send continuously, and record what was acknowledged and what they received.
final class Load: Sendable {
    /// A message that was acknowledged.
    private struct Sent {
        let text: String
        let acknowledgement: Acknowledgement
    }

    /// What a client received of a channel.
    private struct Shown: Equatable {
        var seqs: [Int64] = []
        var texts: [String] = []
    }

    private struct State {
        var sent: [TransID: Sent] = [:]
        var acknowledgedAt: [ContinuousClock.Instant] = []
        var shown: [String: Shown] = [:]
        /// What was sent and read of each channel, with times in µs.
        var histories: [ChannelID: LogHistory] = [:]
        var errors: [String] = []
    }

    private let state = Mutex(State())
    private let signal = ChangeSignal()
    private let clients: [ChatClient]
    private let channels: [ChannelID]
    private let isStopping = Mutex(false)
    private let started = ContinuousClock.now
    private let readers = Mutex<[Task<Void, Never>]>([])
    private let senders = Mutex<[Task<Void, Never>]>([])

    init(server: String, clients: Int, channels: Int) {
        self.clients = (0..<clients).compactMap { number in
            guard let user = UserID(rawValue: "user-\(number)"), let device = DeviceID(rawValue: "load-\(number)")
            else {
                return nil
            }
            var configuration = ClientConfiguration(
                server: server, credentials: .guest(user), deviceID: device)
            configuration.commandTimeout = .seconds(120)
            return ChatClient(configuration: configuration)
        }
        self.channels = (0..<channels).compactMap { ChannelID(rawValue: "kill-\($0)") }
    }

    var acknowledged: Int { state.withLock { $0.sent.count } }
    var acknowledgedAt: [ContinuousClock.Instant] { state.withLock { $0.acknowledgedAt } }

    /// Connects all clients; each follows two channels and sends into one of them.
    func connect() async throws {
        for (number, client) in clients.enumerated() {
            try await client.connect()
            for offset in [0, 7] {
                let channel = channels[(number + offset) % channels.count]
                try await client.channel(channel).join()
                let key = "\(number)/\(channel)"
                let events = client.channel(channel).events(after: 0)
                readers.withLock { $0.append(Task { await self.read(events, key) }) }
            }
            senders.withLock { $0.append(Task { await self.send(client, number) }) }
        }
    }

    private func send(_ client: ChatClient, _ number: Int) async {
        let channel = client.channel(channels[number % channels.count])
        var count = 0
        while !isStopping.withLock({ $0 }) {
            count += 1
            let text = "\(number):\(count)"
            do {
                let began = now
                recordSent(Acknowledgement(try await channel.send(text)), text, began: began)
                if count % 10 == 0 { try await readHead(of: channel) }
            } catch {
                state.withLock { $0.errors.append("\(error)") }
            }
        }
    }

    /// The time since the start, in µs.
    private var now: Int64 {
        let (seconds, attoseconds) = (ContinuousClock.now - started).components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }

    private func readHead(of channel: ChannelHandle) async throws {
        let began = now
        let head = try await channel.get(withMembers: false).seq
        let ended = now
        state.withLock { $0.histories[channel.id, default: LogHistory()].read(head: head, began: began, ended: ended) }
    }

    private func read(_ events: ChannelEvents, _ key: String) async {
        do {
            for try await event in events {
                guard case .event(let event, _) = event, let seq = event.seq else { continue }
                change { state in
                    state.shown[key, default: Shown()].seqs.append(seq)
                    state.shown[key, default: Shown()].texts.append(event.text ?? "")
                }
            }
        } catch {
            change { $0.errors.append("\(key): \(error)") }
        }
    }

    private func recordSent(_ acknowledgement: Acknowledgement, _ text: String, began: Int64) {
        let ended = now
        change { state in
            if let channel = acknowledgement.channel, let seq = acknowledgement.seq {
                state.histories[channel, default: LogHistory()].append(seq, began: began, ended: ended)
            }
            state.sent[acknowledgement.transID] = Sent(text: text, acknowledgement: acknowledgement)
            state.acknowledgedAt.append(.now)
        }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        signal.notify()
    }

    /// Waits for a condition, which is checked after each acknowledgement and event.
    func waitUntil(_ goal: @Sendable (Load) -> Bool) async throws {
        while true {
            let count = signal.count
            if goal(self) { return }
            try await signal.wait(after: count)
        }
    }

    /// Stops sending, and waits until every send has completed.
    func finish() async throws -> Int {
        isStopping.withLock { $0 = true }
        for sender in senders.withLock({ $0 }) { await sender.value }
        return acknowledged
    }

    /// Compares what was acknowledged and received with the current logs of the server.
    func check() async throws {
        let logs = try await readLogs()
        for (channel, rows) in logs {
            #expect(rows.map(\.seq) == (0..<rows.count).map { Int64($0 + 1) }, "\(channel) has no gap")
            let transIDs = rows.compactMap(\.transID)
            #expect(Set(transIDs).count == transIDs.count, "\(channel) has nothing twice")
            // Every client numbers its messages, and sends the next one when the last one was acknowledged.
            let texts = Dictionary(grouping: rows.compactMap(\.text)) { $0.prefix { $0 != ":" } }
            for (number, own) in texts {
                #expect(own == own.indices.map { "\(number):\($0 + 1)" }, "what client \(number) sent is in order")
            }
        }
        for (channel, history) in state.withLock({ $0.histories }) {
            #expect(history.violations == [], "one order explains what was sent and read of \(channel)")
        }
        for (transID, sent) in state.withLock({ $0.sent }) {
            let channel = try #require(sent.acknowledgement.channel)
            let seq = try #require(sent.acknowledgement.seq)
            let row = try #require(logs[channel]?[safe: Int(seq) - 1], "row \(seq) of \(channel) is there")
            #expect(row.transID == transID)
            #expect(row.messageID == sent.acknowledgement.messageID)
            #expect(row.text == sent.text)
        }
        // Every client converges: what it received of a channel is the channel's log, once and in order.
        for (number, _) in clients.enumerated() {
            for offset in [0, 7] {
                let channel = channels[(number + offset) % channels.count]
                let rows = logs[channel] ?? []
                let wanted = Shown(seqs: rows.map { $0.seq ?? 0 }, texts: rows.map { $0.text ?? "" })
                let key = "\(number)/\(channel)"
                try await waitUntil { load in
                    load.shown(key).seqs.count >= wanted.seqs.count || !load.errors.isEmpty
                }
                #expect(shown(key) == wanted, "client \(number) was shown \(channel) once and in order")
            }
        }
        #expect(errors.isEmpty, "no send was refused, no sequence of events has ended: \(errors.prefix(3))")
        for client in clients { await client.disconnect() }
        for reader in readers.withLock({ $0 }) { reader.cancel() }
    }

    private var errors: [String] { state.withLock { $0.errors } }

    private func shown(_ key: String) -> Shown { state.withLock { $0.shown[key] ?? Shown() } }

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
