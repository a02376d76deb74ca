import Foundation
import RoostClient
import RoostWire
import Synchronization

/// Many clients in one process, so that a test can cut all of them at once.
///
/// Its arguments are the server's address, the number of the first client, how many there are, and how many belong to
/// one user. It prints `connected` once all are. Then it obeys the lines of its standard input:
///
/// - `send TEXT`: every twentieth client sends this text with its number to its first channel
/// - `expect USER CHANNEL=SEQ …`: up to which rows the clients of this user have to come
/// - `settle`: prints `log CLIENT CHANNEL FIRST LAST DIGEST` for each channel of each client that has come so far, and
///   `settled` after the last client
///
/// Meanwhile it reports `lost CLIENT TIME` and `back CLIENT TIME` in seconds of the machine's clock, `sent CHANNEL SEQ
/// TEXT` for each acknowledged message, and `fault TEXT` for everything that must not happen. It ends with its input.
@main
enum StormClients {
    /// How many clients connect at the same time at the start.
    private static let width = 50

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 4, let first = Int(arguments[1]), let count = Int(arguments[2]),
            let perUser = Int(arguments[3]), perUser > 0
        else {
            report("fault SERVER FIRST COUNT PER-USER")
            exit(2)
        }
        let clients = (first..<(first + count)).compactMap {
            StormClient(number: $0, perUser: perUser, server: arguments[0])
        }
        await withTaskGroup(of: Void.self) { group in
            for (index, client) in clients.enumerated() {
                if index >= width { await group.next() }
                group.addTask { await client.connect() }
            }
        }
        report("connected")
        let unsettled = Mutex(clients.count)
        var expected: [String: [ChannelID: Int64]] = [:]
        for await line in input() {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "send": for client in clients where client.number % 20 == 0 { client.send(words[1]) }
            case "expect": expected[words[1]] = heads(words.dropFirst(2))
            case "settle":
                unsettled.withLock { $0 = clients.count }
                for client in clients {
                    client.settle(expected[client.user.rawValue] ?? [:]) {
                        let left = unsettled.withLock { left in
                            left -= 1
                            return left
                        }
                        if left == 0 { report("settled") }
                    }
                }
            default: report("fault an unknown line")
            }
        }
        exit(0)
    }

    /// The lines of the standard input, read by a thread of its own: reading blocks it.
    private static func input() -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        Thread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }.start()
        return lines
    }

    private static func heads(_ words: ArraySlice<String>) -> [ChannelID: Int64] {
        var heads: [ChannelID: Int64] = [:]
        for word in words {
            let parts = word.split(separator: "=")
            guard parts.count == 2, let channel = ChannelID(rawValue: String(parts[0])) else { continue }
            heads[channel] = Int64(parts[1])
        }
        return heads
    }

    /// Writes a line immediately, even into a pipe.
    static func report(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }
}

/// One client, which notes what it is shown.
final class StormClient: Sendable {
    /// What a client was shown of a channel: which rows, and a digest of them (FNV-1a).
    private struct Log {
        let first: Int64
        var last: Int64
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325

        mutating func add(_ seq: Int64, _ text: String) {
            last = seq
            for byte in "\(seq) \(text)\n".utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
    }

    private struct State {
        var logs: [ChannelID: Log] = [:]
        var expected: [ChannelID: Int64] = [:]
        var settled: (@Sendable () -> Void)?
    }

    let number: Int
    let user: UserID
    private let client: ChatClient
    private let state = Mutex(State())

    init?(number: Int, perUser: Int, server: String) {
        guard let user = UserID(rawValue: "storm-\(number / perUser)"),
            let device = DeviceID(rawValue: "device-\(number % perUser)")
        else { return nil }
        self.number = number
        self.user = user
        var configuration = ClientConfiguration(server: server, credentials: .guest(user), deviceID: device)
        configuration.keepsTryingToConnect = true
        client = ChatClient(configuration: configuration)
        let events = client.events()
        Task { for await event in events { self.note(event) } }
    }

    func connect() async {
        do { try await client.connect() } catch { StormClients.report("fault client \(number): \(error)") }
    }

    func send(_ text: String) {
        let text = "\(text)-\(number)"
        guard let channel = state.withLock({ $0.logs.keys.min() }) else {
            return StormClients.report("fault client \(number) has no channel")
        }
        let pending = client.channel(channel).enqueue(text)
        Task {
            do {
                StormClients.report("sent \(channel) \(try await pending.sent.seq ?? 0) \(text)")
            } catch {
                StormClients.report("fault the message \(text): \(error)")
            }
        }
    }

    /// Reports what the client was shown once it has come to these rows.
    func settle(_ expected: [ChannelID: Int64], _ settled: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.expected = expected
            state.settled = settled
        }
        settleIfComplete()
    }

    private func note(_ event: ClientEvent) {
        let now = ProcessInfo.processInfo.systemUptime
        switch event {
        case .connected: StormClients.report("back \(number) \(now)")
        case .disconnected: StormClients.report("lost \(number) \(now)")
        case .event(let event, _):
            guard let channel = event.channel, let seq = event.seq else { return }
            note(seq, event.shownText, in: channel)
        case .reset(let reset): StormClients.report("fault client \(number): reset of \(reset)")
        case .lagged: StormClients.report("fault client \(number) lags")
        default: break
        }
    }

    private func note(_ seq: Int64, _ text: String, in channel: ChannelID) {
        let previous = state.withLock { state in
            let previous = state.logs[channel]?.last
            state.logs[channel, default: Log(first: seq, last: seq)].add(seq, text)
            return previous
        }
        if let previous, seq != previous + 1 {
            StormClients.report("fault client \(number) was shown row \(seq) of \(channel) after row \(previous)")
        }
        settleIfComplete()
    }

    private func settleIfComplete() {
        let (settled, logs) = state.withLock { state in
            let logs = state.logs
            guard let settled = state.settled, state.expected.allSatisfy({ logs[$0.key]?.last ?? 0 >= $0.value })
            else { return ((@Sendable () -> Void)?.none, logs) }
            state.settled = nil
            return (settled, logs)
        }
        guard let settled else { return }
        for (channel, log) in logs {
            StormClients.report("log \(number) \(channel) \(log.first) \(log.last) \(log.digest)")
        }
        settled()
    }
}

extension Event {
    /// The text of the message in it; empty for every other row.
    fileprivate var shownText: String {
        if case .channel(.messageSent(let message)) = body { message.text } else { "" }
    }
}
