import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// The processes with the clients of a reconnect storm, and what they report.
final class StormFleet: Sendable {
    /// A message that a client sent and that was acknowledged.
    struct Sent: Sendable {
        let channel: String
        let seq: Int64
        let text: String
    }

    /// What a client was shown of a channel.
    struct Log: Sendable {
        let client: Int
        let channel: String
        let first: Int64
        let last: Int64
        let digest: UInt64
    }

    private struct State {
        /// How many processes have connected, settled and ended.
        var connected = 0
        var settled = 0
        var ended = 0
        /// When each client was lost for the first time since the cut, and when it was back for good.
        var lostAt: [Int: Double] = [:]
        var backAt: [Int: Double] = [:]
        var losses = 0
        var sent: [Sent] = []
        var logs: [Log] = []
        var faults: [String] = []
    }

    /// How many clients a process has at most.
    private static let clientsPerProcess = 2_500

    let clients: Int
    private let children: [Child]
    private let state = Mutex(State())
    private let signal = ChangeSignal()
    private let readers = Mutex<[Task<Void, Never>]>([])

    /// Starts the processes, which connect at once.
    init(clients: Int, perUser: Int, url: String) throws {
        self.clients = clients
        let binary = URL(fileURLWithPath: try ServerProcess.binary()).deletingLastPathComponent()
            .appendingPathComponent("storm-clients").path
        children = try stride(from: 0, to: clients, by: Self.clientsPerProcess).map { first in
            // Clients have machines of their own: here they take what the server and the others leave.
            try Child(
                [
                    "-n", "19", binary, url, "\(first)", "\(min(Self.clientsPerProcess, clients - first))",
                    "\(perUser)",
                ], environment: ["PATH": "/usr/bin:/bin"], binary: "/usr/bin/nice")
        }
        let tasks = children.map { child in
            Task { [weak self] in
                while let line = await child.line() { self?.note(line) }
                self?.change { $0.ended += 1 }
            }
        }
        readers.withLock { $0 = tasks }
    }

    var processes: Int { children.count }
    var faults: [String] { state.withLock { $0.faults } }
    var sent: [Sent] { state.withLock { $0.sent } }

    func waitUntilConnected() async throws { try await wait { $0.connected == self.children.count } }

    /// Begins to count losses: from here on every client has to be lost and to come back.
    func expectStorm() {
        state.withLock { state in
            (state.lostAt, state.backAt, state.losses) = ([:], [:], 0)
        }
    }

    /// Waits until every client was lost and is back.
    /// - Returns: when each was back, in seconds of the machine's clock, ascending; and how often any was lost.
    func waitUntilBack() async throws -> (times: [Double], losses: Int) {
        try await wait { $0.lostAt.count == self.clients && $0.backAt.count == self.clients }
        return state.withLock { ($0.backAt.values.sorted(), $0.losses) }
    }

    /// Makes every twentieth client send a text.
    func send(_ text: String) throws { try write("send \(text)") }

    /// Waits until so many messages are acknowledged.
    func waitUntilSent(_ count: Int) async throws { try await wait { $0.sent.count >= count } }

    /// How many clients answer ``send(_:)``.
    var senders: Int { (clients + 19) / 20 }

    /// Waits until the clients of each user have come to these rows, and returns what they were shown.
    func settle(_ heads: [UserID: [ChannelID: Int64]]) async throws -> [Log] {
        state.withLock { ($0.logs, $0.settled) = ([], 0) }
        for (user, channels) in heads {
            try write("expect \(user) " + channels.map { "\($0.key)=\($0.value)" }.joined(separator: " "))
        }
        try write("settle")
        try await wait { $0.settled == self.children.count }
        return state.withLock { $0.logs }
    }

    /// Ends the processes.
    func stop() async {
        for child in children { child.signal(SIGTERM) }
        for reader in readers.withLock({ $0 }) { await reader.value }
        for child in children { _ = await child.result() }
    }

    private func write(_ line: String) throws { for child in children { try child.write(line + "\n") } }

    private func wait(_ isSo: @Sendable (State) -> Bool) async throws {
        while true {
            let count = signal.count
            let (isOver, ended, faults) = state.withLock { (isSo($0), $0.ended, $0.faults) }
            if isOver { return }
            try #require(ended == 0, "a process with clients has ended: \(faults.prefix(3))")
            do {
                try await signal.wait(after: count)
            } catch {
                let state = state.withLock { "\($0.lostAt.count) lost, \($0.backAt.count) back" }
                throw ExpectationFailure(description: "the clients did not come so far: \(state), \(faults.prefix(3))")
            }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        signal.notify()
    }

    private func note(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        change { state in
            switch (words.first, words.count) {
            case ("connected", 1): state.connected += 1
            case ("settled", 1): state.settled += 1
            case ("lost", 3):
                guard let client = Int(words[1]), let time = Double(words[2]) else { break }
                state.losses += 1
                state.lostAt[client] = state.lostAt[client] ?? time
                state.backAt[client] = nil
            case ("back", 3):
                guard let client = Int(words[1]), let time = Double(words[2]) else { break }
                if state.lostAt[client] != nil { state.backAt[client] = time }
            case ("sent", 4):
                state.sent.append(Sent(channel: words[1], seq: Int64(words[2]) ?? 0, text: words[3]))
            case ("log", 6):
                guard let client = Int(words[1]), let first = Int64(words[3]), let last = Int64(words[4]),
                    let digest = UInt64(words[5])
                else { break }
                state.logs.append(
                    Log(client: client, channel: words[2], first: first, last: last, digest: digest))
            default: state.faults.append(line)
            }
        }
    }
}
