import ArgumentParser
import Foundation
import Logging
import RoostClient
import RoostCore
import RoostPostgres
import RoostWire
import Synchronization

/// Measures a server.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure a server: messages per second, CPU, latency and memory.",
        discussion: """
            Starts a server of its own on a fresh database in a temporary folder, or measures the one
            that --server and --pid name. The load comes from this process, so on a small machine the
            rates are those of both together; the server's CPU time is its own, from /proc.

              roost bench direct --pairs 100 --window 16 --count 100000
              roost bench room --members 1000 --window 8
            """)

    enum Scenario: String, ExpressibleByArgument, CaseIterable {
        case direct, room, idle, history, resume
    }

    @Argument(
        help: """
            direct (1-on-1 pairs), room (one open channel), idle (quiet connections), history (pages of a long log) \
            or resume (connecting again).
            """)
    var scenario: Scenario

    @Option(help: "direct: how many pairs.")
    var pairs = 100

    @Option(help: "room: how many members; idle: how many connections.")
    var members: Int?

    @Option(help: "How many messages a sender has on their way.")
    var window = 1

    @Option(help: "How many messages in all: sent (direct, room), stored (history) or missed (resume).")
    var count: Int?

    @Option(help: "Measure this server instead of starting one; it must run in dev mode.")
    var server: String?

    @Option(help: "With --server: the process whose CPU and memory are read.")
    var pid: Int32?

    @Option(
        help: ArgumentHelp(
            "Keep the data of the server that is started in a new schema of this PostgreSQL.", valueName: "url"))
    var database: String?

    @Option(help: "Event loops of the server that is started.")
    var loops = 1

    @Flag(help: "Measure a bare relay over the same socket code, without core and store: the floor of this machine.")
    var floor = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        for (name, value) in [("--pairs", pairs), ("--window", window), ("--loops", loops)] where value < 1 {
            throw ValidationError("\(name) must be at least 1.")
        }
        if (members ?? 1) < 1 || (count ?? 1) < 1 { throw ValidationError("--members and --count must be at least 1.") }
        if floor, ![.direct, .room].contains(scenario) { throw ValidationError("--floor goes with direct and room.") }
    }

    func run() async throws {
        let bench: BenchServer
        if let server {
            bench = BenchServer(url: server, pid: pid)
        } else {
            bench = try await BenchServer.start(loops: loops, isFloor: floor, database: database)
        }
        defer { bench.stop() }
        let kind = floor ? " floor" : database != nil ? " PostgreSQL" : ""
        var result = BenchResult(scenario: scenario.rawValue + kind)
        do {
            switch scenario {
            case .direct: try await direct(bench, &result)
            case .room: try await room(bench, &result)
            case .idle: try await idle(bench, &result)
            case .history: try await history(bench, &result)
            case .resume: try await resume(bench, &result)
            }
        } catch let error as RoostError {
            Terminal.complain(error.message)
            throw ExitCode(error.exitStatus)
        }
        if let roundTrips = bench.stop(), let messages = result.messages {
            result.roundTripsPerMessage = Double(roundTrips) / Double(messages)
        }
        if json { try Terminal.say(json: result) } else { result.show() }
    }

    private func clients(_ count: Int, _ bench: BenchServer, prefix: String = "bench") async throws -> [RoostClient] {
        var made: [RoostClient] = []
        for number in 0..<count { made.append(try bench.client("\(prefix)-\(number)")) }
        let clients = made
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, client) in clients.enumerated() {
                if number >= 64 { try await group.next() }
                group.addTask { try await client.connect() }
            }
            try await group.waitForAll()
        }
        return clients
    }

    // MARK: Scenarios

    private func direct(_ bench: BenchServer, _ result: inout BenchResult) async throws {
        let total = count ?? 50_000
        let each = max(1, total / (pairs * window))
        let people = try await clients(pairs * 2, bench)
        let latencies = Latencies()
        var channels: [ChannelHandle] = []
        for pair in 0..<pairs {
            let other = try bench.user("bench-\(pair * 2 + 1)")
            channels.append(people[pair * 2].channel(try await people[pair * 2].startMessaging(with: other).channel))
        }
        let receivers = (0..<pairs).map { pair in
            let events = people[pair * 2 + 1].events()
            let wanted = each * window
            return Task { await latencies.count(events, until: wanted) }
        }
        let handles = channels
        try await measure(bench, &result) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for channel in handles {
                    for _ in 0..<window {
                        group.addTask { for _ in 0..<each { try await channel.send(Latencies.stamp()) } }
                    }
                }
                try await group.waitForAll()
            }
            for receiver in receivers { await receiver.value }
        }
        result.finish(messages: pairs * window * each, delivered: pairs * window * each, latencies)
        result.settings = ["pairs": pairs, "window": window]
        for client in people { await client.disconnect() }
    }

    private func room(_ bench: BenchServer, _ result: inout BenchResult) async throws {
        let size = members ?? 1_000
        let total = count ?? 2_000
        let people = try await clients(size, bench)
        guard let room = ChannelID(rawValue: "bench-room") else { throw ExitCode(ExitStatus.usage) }
        for client in people { try await client.channel(room).join() }
        let latencies = Latencies()
        let each = max(1, total / window)
        let receivers = people.map { client in
            let events = client.events()
            return Task { await latencies.count(events, until: each * window) }
        }
        try await measure(bench, &result) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<window {
                    let channel = people[number % size].channel(room)
                    group.addTask { for _ in 0..<each { try await channel.send(Latencies.stamp()) } }
                }
                try await group.waitForAll()
            }
            for receiver in receivers { await receiver.value }
        }
        result.finish(messages: each * window, delivered: each * window * size, latencies)
        result.settings = ["members": size, "window": window]
        for client in people { await client.disconnect() }
    }

    private func idle(_ bench: BenchServer, _ result: inout BenchResult) async throws {
        let size = members ?? 10_000
        let before = bench.rss()
        var people: [RoostClient] = []
        let groupSize = 100
        for start in stride(from: 0, to: size, by: groupSize) {
            let batch = try await clients(min(groupSize, size - start), bench, prefix: "idle\(start)")
            let users = try (0..<batch.count).map { try bench.user("idle\(start)-\($0)") }
            for number in 0..<5 {
                _ = try await batch[number % batch.count].perform(
                    CreateChannel(kind: .group, title: "Group \(start) \(number)", members: users))
            }
            people += batch
            progress("\(people.count) connections, server \(bench.rss() / 1_024 / 1_024) MiB")
        }
        progress(nil)
        let after = bench.rss()
        result.settings = ["connections": size, "channelsEach": 5]
        result.rssBytesPerConnection = Double(after - before) / Double(size)
        result.rssAtRestBytes = Double(before)
        for client in people { await client.disconnect() }
    }

    private func history(_ bench: BenchServer, _ result: inout BenchResult) async throws {
        let total = count ?? 1_000_000
        let people = try await clients(16, bench)
        let each = max(1, total / 512)
        guard let long = ChannelID(rawValue: "bench-history") else { throw ExitCode(ExitStatus.usage) }
        let stored = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<512 {
                let channel = people[lane % people.count].channel(long)
                group.addTask {
                    for _ in 0..<each {
                        try await channel.send(Latencies.stamp())
                        let now = stored.next()
                        if now % 50_000 == 0 { progress("\(now) of \(total) messages stored") }
                    }
                }
            }
            try await group.waitForAll()
        }
        progress(nil)
        let channel = people[0].channel(long)
        let head = try await channel.history(limit: 1).seq
        let latencies = Latencies()
        let pages = 2_000
        try await measure(bench, &result) {
            for _ in 0..<pages {
                let start = ContinuousClock.now
                _ = try await channel.history(before: Int64.random(in: 51...max(52, head)), limit: 50)
                latencies.add(ContinuousClock.now - start)
            }
        }
        result.finish(messages: pages, delivered: pages, latencies)
        result.settings = ["stored": Int(head), "page": 50]
        for client in people { await client.disconnect() }
    }

    private func resume(_ bench: BenchServer, _ result: inout BenchResult) async throws {
        let total = count ?? 200
        let people = try await clients(2, bench)
        let other = try bench.user("bench-1")
        for number in 0..<200 {
            _ = try await people[0].perform(CreateChannel(kind: .group, title: "Group \(number)", members: [other]))
        }
        let latencies = Latencies()
        let rounds = total
        try await measure(bench, &result) {
            for _ in 0..<rounds {
                await people[1].disconnect()
                let start = ContinuousClock.now
                try await people[1].connect()
                latencies.add(ContinuousClock.now - start)
            }
        }
        result.finish(messages: rounds, delivered: rounds, latencies)
        result.settings = ["channels": 200]
        for client in people { await client.disconnect() }
    }

    // MARK: Measuring

    private func measure(
        _ bench: BenchServer, _ result: inout BenchResult, _ body: () async throws -> Void
    ) async throws {
        let cpu = bench.cpuSeconds()
        let databaseCPU = database.map { _ in BenchServer.cpuSeconds(ofAll: "postgres") }
        let start = ContinuousClock.now
        try await body()
        result.seconds = (ContinuousClock.now - start) / .seconds(1)
        if let before = cpu, let after = bench.cpuSeconds() { result.cpuSeconds = after - before }
        result.databaseCPUSeconds = databaseCPU.map { before in
            // A process that has ended in between, such as an autovacuum, is not counted.
            BenchServer.cpuSeconds(ofAll: "postgres").reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) }
        }
        result.rssBytes = Double(bench.rss())
    }
}

/// Says on standard error how far a long preparation has come; nothing ends the line.
private func progress(_ text: String?) {
    Terminal.warn(Array(text.map { "\r\($0)\u{1B}[K" }?.utf8 ?? "\n".utf8))
}

/// The server that is measured.
final class BenchServer: Sendable {
    let url: String
    private let pid: Int32?
    private let process: Mutex<(process: Process, output: FileHandle)?>
    private let folder: String?

    init(url: String, pid: Int32?, process: (Process, FileHandle)? = nil, folder: String? = nil) {
        self.url = url
        self.pid = pid
        self.folder = folder
        self.process = Mutex(process)
    }

    /// Starts this same program as a server on a fresh database.
    static func start(loops: Int, isFloor: Bool, database: String?) async throws -> BenchServer {
        let folder = FileManager.default.temporaryDirectory.path + "/roost-bench-\(UUID().uuidString)"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments =
            [
                "serve", "--dev", "--port", "0", "--data", folder, "--loops", "\(loops)", "--log-level", "error",
                "--limit", "connectionsPerUser=1000", "--limit", "sendsPerSecond=0", "--limit",
                "channelSendsPerSecond=0", "--limit", "commandsPerSecond=0", "--report",
            ] + (isFloor ? ["--relay"] : []) + (try database.map { ["--database", try schema(in: $0)] } ?? [])
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let handle = output.fileHandleForReading
        var line: [UInt8] = []
        while let byte = try handle.read(upToCount: 1)?.first, byte != 0x0A { line.append(byte) }
        guard let url = String(decoding: line, as: UTF8.self).split(separator: " ").last.map(String.init) else {
            throw ExitCode(ExitStatus.unreachable)
        }
        return BenchServer(url: url, pid: process.processIdentifier, process: (process, handle), folder: folder)
    }

    /// Makes a new schema, and answers the URL that leads into it.
    private static func schema(in url: String) throws -> String {
        let name = "bench_" + String(FastRandom.shared.next(), radix: 36)
        let database = try PostgresDatabase(
            url: url, random: FastRandom.shared.next(), logger: Logger(label: "bench"))
        let statement = Query(stringLiteral: "CREATE SCHEMA \(name)")
        try database.write { try $0.execute(statement) }
        try database.close()
        return url + (url.contains("?") ? "&" : "?") + "options=-csearch_path%3D\(name)"
    }

    func user(_ name: String) throws -> UserID {
        guard let user = UserID(rawValue: name) else { throw ExitCode(ExitStatus.usage) }
        return user
    }

    func client(_ name: String) throws -> RoostClient {
        guard let device = DeviceID(rawValue: "bench") else { throw ExitCode(ExitStatus.usage) }
        return RoostClient(
            configuration: RoostClientConfiguration(
                server: url, credentials: .guest(try user(name), name: name), deviceID: device))
    }

    /// User and system time of the server so far.
    func cpuSeconds() -> Double? { pid.flatMap { Self.cpuSeconds(of: "\($0)")?.seconds } }

    /// User and system time of each process of this name.
    static func cpuSeconds(ofAll name: String) -> [String: Double] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.reduce(into: [:]) { times, pid in
            if let process = cpuSeconds(of: pid), process.name == name { times[pid] = process.seconds }
        }
    }

    private static func cpuSeconds(of pid: String) -> (name: String, seconds: Double)? {
        guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let start = stat.firstIndex(of: "("), let end = stat.lastIndex(of: ")")
        else { return nil }
        let fields = stat[end...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return nil }
        return (String(stat[stat.index(after: start)..<end]), (user + system) / 100)
    }

    /// Resident memory of the server, in bytes.
    func rss() -> Int {
        guard let pid, let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else {
            return 0
        }
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") }
        return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) * 1_024
    }

    /// Ends the server.
    /// - Returns: how often it waited for its database, if that is a server.
    @discardableResult
    func stop() -> Int? {
        let report = process.withLock { running in
            running?.process.terminate()
            let rest = try? running?.output.readToEnd()
            running?.process.waitUntilExit()
            running = nil
            return rest
        }
        if let folder { try? FileManager.default.removeItem(atPath: folder) }
        let words = String(decoding: report ?? Data(), as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return words.firstIndex(of: "roundTrips").flatMap { Int(words[words.index(after: $0)]) }
    }
}

/// A number that many count up.
private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// Latencies, and the messages that were delivered.
final class Latencies: Sendable {
    private let values = Mutex<[Double]>([])

    /// A text of 100 bytes that begins with the time.
    static func stamp() -> String {
        let now = "\(nanoseconds()) "
        return now + String(repeating: "x", count: max(0, 100 - now.utf8.count))
    }

    private static func nanoseconds() -> UInt64 { monotonicNanoseconds() }

    func add(_ duration: Duration) { values.withLock { $0.append(duration / .milliseconds(1)) } }

    /// Counts messages until there are as many as wanted; every 16th is timed.
    func count(_ events: some AsyncSequence<ClientEvent, Never> & Sendable, until wanted: Int) async {
        var seen = 0
        for await event in events {
            guard case .event(let event, _) = event, case .messageSent(let message) = event.body else { continue }
            seen += 1
            if seen % 16 == 0, let sent = message.text.split(separator: " ").first.flatMap({ UInt64($0) }) {
                let now = Self.nanoseconds()
                values.withLock { $0.append(Double(now - min(now, sent)) / 1_000_000) }
            }
            if seen >= wanted { return }
        }
    }

    /// A percentile in ms.
    func percentile(_ share: Double) -> Double? {
        values.withLock { values in
            guard !values.isEmpty else { return nil }
            let sorted = values.sorted()
            return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
        }
    }
}

/// The monotonic clock in ns.
private func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// What a run came to.
struct BenchResult: Encodable {
    var scenario: String
    var settings: [String: Int] = [:]
    var seconds: Double?
    var messages: Int?
    var delivered: Int?
    var deliveredPerSecond: Double?
    var cpuSeconds: Double?
    var cpuSecondsPerMillionDelivered: Double?
    var p50Milliseconds: Double?
    var p99Milliseconds: Double?
    var databaseCPUSeconds: Double?
    var databaseCPUSecondsPerMillionDelivered: Double?
    var roundTripsPerMessage: Double?
    var rssBytes: Double?
    var rssAtRestBytes: Double?
    var rssBytesPerConnection: Double?

    init(scenario: String) { self.scenario = scenario }

    mutating func finish(messages: Int, delivered: Int, _ latencies: Latencies) {
        self.messages = messages
        self.delivered = delivered
        if let seconds { deliveredPerSecond = Double(delivered) / seconds }
        if let cpuSeconds { cpuSecondsPerMillionDelivered = cpuSeconds / Double(delivered) * 1_000_000 }
        databaseCPUSecondsPerMillionDelivered = databaseCPUSeconds.map { $0 / Double(delivered) * 1_000_000 }
        p50Milliseconds = latencies.percentile(0.5)
        p99Milliseconds = latencies.percentile(0.99)
    }

    func show() {
        func number(_ value: Double?, _ unit: String, digits: Int = 1) -> String {
            guard let value else { return "–" }
            let scale = [1, 10, 100, 1_000][digits]
            let rounded = (value * Double(scale)).rounded() / Double(scale)
            return (digits == 0 ? "\(Int(rounded))" : "\(rounded)") + " " + unit
        }
        let settings = settings.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        Terminal.say("\(scenario) (\(settings))")
        if let seconds, let delivered {
            let rate = number(deliveredPerSecond, "per s", digits: 0)
            Terminal.say("  delivered        \(rate)  (\(delivered) in \(number(seconds, "s", digits: 2)))")
            Terminal.say("  server CPU       \(number(cpuSecondsPerMillionDelivered, "s per million delivered"))")
        }
        if let databaseCPUSecondsPerMillionDelivered {
            Terminal.say(
                "  PostgreSQL CPU   \(number(databaseCPUSecondsPerMillionDelivered, "s per million delivered"))")
        }
        if let roundTripsPerMessage {
            Terminal.say("  round trips      \(number(roundTripsPerMessage, "per message", digits: 3))")
        }
        if p50Milliseconds != nil {
            let p99 = number(p99Milliseconds, "ms", digits: 2)
            Terminal.say("  latency          p50 \(number(p50Milliseconds, "ms", digits: 2)), p99 \(p99)")
        }
        if let rssBytesPerConnection {
            let rest = number((rssAtRestBytes ?? 0) / 1_048_576, "MiB")
            Terminal.say(
                "  memory           \(number(rssBytesPerConnection / 1_024, "KiB per connection")), at rest \(rest)")
        } else {
            Terminal.say("  memory           \(number((rssBytes ?? 0) / 1_048_576, "MiB"))")
        }
    }
}
