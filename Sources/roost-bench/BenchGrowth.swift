import Foundation
import RoostClient
import RoostWire

/// The cost of `direct` at a given number of stored messages.
struct GrowthSize: Encodable {
    /// The number of stored messages when the measurement began.
    var stored: Int
    /// The number of channels that they are spread over.
    var channels: Int
    /// The rate at which the messages since the previous size were stored.
    var storedPerSecond: Double?
    /// The CPU cost of storing them.
    var cpuSecondsPerMillionStored: Double?
    /// The number of measurements; the following values are medians.
    var blocks: Int
    var deliveredPerSecond: Double?
    var cpuSecondsPerMillionDelivered: Double?
    /// The lowest and highest CPU cost measured.
    var cpuSpread: [Double]
    var databaseCPUSecondsPerMillionDelivered: Double?
    /// The latency of acknowledgements.
    var p50Milliseconds: Double?
    var p99Milliseconds: Double?
    var databaseBytesPerMessage: Double?
}

/// The cost of a message by the number of stored messages.
struct GrowthResult: Encodable {
    var scenario: String
    var settings: [String: Int]
    var sizes: [GrowthSize]

    func show() {
        let settings = settings.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        print("\(scenario) (\(settings))")
        func cell(_ value: Double?, _ width: Int, digits: Int = 1) -> String {
            let text = value.map { value in
                digits == 0 ? "\(Int(value.rounded()))" : "\((value * 10).rounded() / 10)"
            }
            return String(repeating: " ", count: max(1, width - (text ?? "–").count)) + (text ?? "–")
        }
        print("     stored  channels  delivered/s  CPU µs  ack p50 ms  p99 ms  bytes/message")
        for size in sizes {
            print(
                cell(Double(size.stored), 11, digits: 0) + cell(Double(size.channels), 10, digits: 0)
                    + cell(size.deliveredPerSecond, 13, digits: 0) + cell(size.cpuSecondsPerMillionDelivered, 8)
                    + cell(size.p50Milliseconds, 12) + cell(size.p99Milliseconds, 8)
                    + cell(size.databaseBytesPerMessage, 15, digits: 0))
        }
    }
}

extension BenchCommand {
    /// The number of measurements per size.
    private static let rounds = 5
    /// The number of stored messages per channel; there is at least one channel per pair.
    private static let messagesPerChannel = 500
    /// The number of concurrent sends while the database is filled.
    private static let fillers = 1_024

    /// Measures `direct` at each size.
    ///
    /// A measurement must not change the size that it measures. So a small size is measured once on each of several
    /// fresh servers, and a large size several times on the last of them. A database that is kept is measured several
    /// times at each size.
    func growth() async throws {
        let perBlock = max(1, (count ?? 8_000) / (pairs * (window ?? 8))) * pairs * (window ?? 8)
        var blocks: [Int: [BenchResult]] = [:]
        var sizes: [Int: GrowthSize] = [:]
        for round in (data == nil ? 1 : Self.rounds)...Self.rounds {
            let isLast = round == Self.rounds
            let bench = try await BenchServer.start(
                roost, loops: loops, isFloor: false, database: database, data: data)
            defer { bench.stop() }
            let crowd = try await GrowingCrowd(self, bench)
            for size in stored {
                let isSmall = data == nil && size < 20 * Self.rounds * perBlock
                guard size >= crowd.stored else { continue }
                guard isLast || isSmall else { break }
                progress("round \(round) of \(Self.rounds), \(size) messages")
                var point = try await crowd.fill(
                    to: size, channels: max(pairs, size / Self.messagesPerChannel), lanes: Self.fillers)
                for _ in 0..<(isSmall ? 1 : Self.rounds) {
                    blocks[size, default: []].append(try await crowd.measure(perBlock))
                }
                let own = blocks[size] ?? []
                point.summarise(own)
                sizes[size] = point
            }
            await crowd.disconnect()
        }
        progress(nil)
        let result = GrowthResult(
            scenario: "growth" + (database == nil ? "" : " PostgreSQL"),
            settings: ["pairs": pairs, "window": window ?? 8, "messages": perBlock],
            sizes: stored.compactMap { sizes[$0] })
        if let plot { try result.svg.write(toFile: plot, atomically: true, encoding: .utf8) }
        if json { try printJSON(result) } else { result.show() }
    }
}

extension GrowthSize {
    /// Sets the medians of the measurements.
    fileprivate mutating func summarise(_ results: [BenchResult]) {
        func median(_ value: (BenchResult) -> Double?) -> Double? {
            let sorted = results.compactMap(value).sorted()
            return sorted.isEmpty ? nil : sorted[sorted.count / 2]
        }
        blocks = results.count
        deliveredPerSecond = median(\.deliveredPerSecond)
        cpuSecondsPerMillionDelivered = median(\.cpuSecondsPerMillionDelivered)
        let cpu = results.compactMap(\.cpuSecondsPerMillionDelivered)
        cpuSpread = [cpu.min(), cpu.max()].compactMap { $0 }
        databaseCPUSecondsPerMillionDelivered = median(\.databaseCPUSecondsPerMillionDelivered)
        p50Milliseconds = median(\.p50Milliseconds)
        p99Milliseconds = median(\.p99Milliseconds)
    }
}

/// The users of a growing database: pairs that are connected, and others that received messages and are not.
private final class GrowingCrowd {
    /// The number of consecutive messages in one channel while the database is filled.
    private static let run = 128

    private let command: BenchCommand
    private let bench: BenchServer
    private let people: [ChatClient]
    /// The channels of the pairs, followed by those of each pair's first user with other users.
    private var channels: [ChannelHandle]
    /// The number of stored messages; with a database that is kept, a file passes it to the next run.
    private(set) var stored = 0 {
        didSet { if let note { try? "\(stored)".write(toFile: note, atomically: true, encoding: .utf8) } }
    }
    private let note: String?

    /// The number of pairs that share one other user.
    private static let friends = 10

    init(_ command: BenchCommand, _ bench: BenchServer) async throws {
        self.command = command
        self.bench = bench
        note = command.data.map { $0 + "/growth" }
        people = try await command.clients(command.pairs * 2, bench)
        channels = try await command.channels(of: people, bench)
        if let note, let text = try? String(contentsOfFile: note, encoding: .utf8) { stored = Int(text) ?? 0 }
    }

    func disconnect() async { for client in people { await client.disconnect() } }

    /// Creates channels up to the given number and stores messages in all of them.
    ///
    /// Each channel receives its messages in runs, as conversations do.
    func fill(to size: Int, channels wanted: Int, lanes: Int) async throws -> GrowthSize {
        try await makeChannels(wanted)
        let missing = max(0, size - stored)
        let targets = channels
        var result = BenchResult(scenario: "fill")
        let counter = Counter()
        try await command.measure(bench, &result) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<min(lanes, missing) {
                    group.addTask {
                        for number in stride(from: lane, to: missing, by: lanes) {
                            try await targets[(number / Self.run) % targets.count].send(Latencies.stamp())
                            let now = counter.next()
                            if now % 50_000 == 0 { progress("\(now) of \(missing) more messages stored") }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        stored += missing
        result.finish(messages: missing, delivered: missing, Latencies())
        let bytes = try await bench.databaseBytes()
        return GrowthSize(
            stored: stored, channels: channels.count, storedPerSecond: missing > 0 ? result.deliveredPerSecond : nil,
            cpuSecondsPerMillionStored: missing > 0 ? result.cpuSecondsPerMillionDelivered : nil, blocks: 0,
            cpuSpread: [], databaseBytesPerMessage: bytes.map { Double($0) / Double(max(1, stored)) })
    }

    /// Measures the pairs.
    func measure(_ messages: Int) async throws -> BenchResult {
        let pairs = command.pairs
        let window = command.window ?? 8
        var result = BenchResult(scenario: "block")
        let acknowledgements = Latencies()
        try await command.exchange(
            bench, &result, people, Array(channels.prefix(pairs)), each: messages / (pairs * window), window: window,
            Latencies()
        ) { channel in
            let start = ContinuousClock.now
            try await channel.send(Latencies.stamp())
            acknowledgements.add(ContinuousClock.now - start)
        }
        stored += messages
        result.finish(messages: messages, delivered: messages, acknowledgements)
        return result
    }

    private func makeChannels(_ wanted: Int) async throws {
        let pairs = command.pairs
        while channels.count < wanted {
            let layer = channels.count / pairs - 1
            let newcomers = (pairs + Self.friends - 1) / Self.friends
            for client in try await command.clients(newcomers, bench, prefix: "other\(layer)") {
                await client.disconnect()
            }
            for pair in 0..<pairs {
                let other = try bench.user("other\(layer)-\(pair / Self.friends)")
                let client = people[pair * 2]
                channels.append(client.channel(try await client.startMessaging(with: other).channel))
            }
        }
    }
}
