import ArgumentParser
import Foundation
import RoostClient
import RoostWire
import Synchronization

/// Measures a server.
@main
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "roost-bench",
        abstract: "Measure a server: messages per second, CPU, latency and memory.",
        discussion: """
            Starts its own server on a fresh database in a temporary folder, or measures the server \
            given by --server and --pid. This process generates the load, so on a small machine the \
            rates reflect both processes; the CPU time is that of the server alone.

              roost-bench direct --pairs 100 --window 16 --count 100000
              roost-bench room --members 1000 --window 8
              roost-bench growth --plot growth.svg
            """)

    enum Scenario: String, ExpressibleByArgument, CaseIterable {
        case direct, room, idle, history, resume, growth, sdk, schedules, broadcast, files
    }

    @Argument(
        help: """
            direct (1-on-1 pairs), room (one open channel), idle (quiet connections), history (pages of a long log), \
            resume (reconnecting), growth (direct, with a growing number of stored messages), sdk (the client side: \
            catching up into its store, opening a conversation, wake-ups while idle; takes two minutes), \
            schedules (many due within a minute, and the latency of ordinary sends meanwhile), broadcast (a \
            message to many users, and the latency of ordinary sends meanwhile) or files (uploads and downloads \
            beside nginx, and the memory and the latency of ordinary sends during many uploads).
            """)
    var scenario: Scenario

    @Option(help: "direct, growth and schedules: the number of pairs.")
    var pairs = 100

    @Option(help: "room: the number of members; idle: the number of connections.")
    var members: Int?

    @Option(help: "resume: the number of channels that the user is in.")
    var channels = 200

    @Option(help: "The number of unacknowledged messages per sender; if omitted, 1, or 8 for growth.")
    var window: Int?

    @Option(
        help:
            "The total number of messages: sent (direct, room), stored (history), missed (resume, sdk), measured (growth) or due (schedules); broadcast: the number of users; files: the number of files of each measurement, 24 if omitted."
    )
    var count: Int?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "growth: the numbers of stored messages to measure at, ascending; 1 thousand to 5 million.",
            valueName: "sizes"))
    var stored: [Int] = [1_000, 10_000, 100_000, 1_000_000, 5_000_000]

    @Option(help: "files: the size of each file in bytes.")
    var size = 20_000_000

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("files: the numbers of connections to measure the throughput with.", valueName: "numbers"))
    var connections: [Int] = [1, 8]

    @Option(help: "files: the number of uploads at once while ordinary sends are measured.")
    var uploads = 50

    @Option(help: "files: how often everything is measured; the results are medians.")
    var rounds = 3

    @Option(help: "files: for how many seconds ordinary sends are measured, idle and with uploads.")
    var seconds = 10

    @Option(
        help: ArgumentHelp(
            "growth: keep the database in this folder and continue from there; a temporary folder if omitted.",
            valueName: "folder"))
    var data: String?

    @Option(help: ArgumentHelp("growth: write a chart to this file, as SVG.", valueName: "file"))
    var plot: String?

    @Option(
        help: ArgumentHelp("The roost binary to start; if omitted, the one next to this program.", valueName: "path"))
    var roost: String?

    @Option(help: "Measure this server instead of starting one; it must run in dev mode.")
    var server: String?

    @Option(help: "With --server: the process whose CPU time and memory are measured.")
    var pid: Int32?

    @Option(
        help: ArgumentHelp(
            "Store the data of the started server in a new schema of this PostgreSQL database.", valueName: "url"))
    var database: String?

    @Option(
        help: """
            direct and room: use plain sockets with this protocol instead of the SDK: roost, xmpp (anonymous login), mqtt0 or \
            mqtt1 (by quality of service). All but roost require --server with a port of this machine.
            """)
    var peer: Peer?

    enum PushAddress: String, ExpressibleByArgument, CaseIterable { case connected, away }

    @Option(
        help: """
            direct: give every user a device with an address for push notifications: the one that is connected, or another one             that is away, so that each message makes a notification, which the server then drops for want of a service.
            """)
    var push: PushAddress?

    @Option(help: "The number of event loops of the started server.")
    var loops = 1

    @Flag(
        help:
            "Measure a bare relay with the same socket code but without core and store, as the baseline of this machine."
    )
    var floor = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        let numbers = [("--pairs", pairs), ("--window", window ?? 1), ("--channels", channels), ("--loops", loops)]
        let ofFiles = [("--uploads", uploads), ("--rounds", rounds), ("--seconds", seconds)]
        for (name, value) in numbers + ofFiles where value < 1 {
            throw ValidationError("\(name) must be at least 1.")
        }
        if (members ?? 1) < 1 || (count ?? 1) < 1 { throw ValidationError("--members and --count must be at least 1.") }
        guard size >= FileBody.leastSize else {
            throw ValidationError("--size must be at least \(FileBody.leastSize).")
        }
        guard !connections.isEmpty, connections.allSatisfy({ $0 >= 1 }) else {
            throw ValidationError("--connections must be positive numbers.")
        }
        if roost != nil, server != nil {
            throw ValidationError("--roost starts a server, so it cannot be used with --server.")
        }
        if floor, ![.direct, .room].contains(scenario) {
            throw ValidationError("--floor can only be used with direct and room.")
        }
        if let peer {
            guard [.direct, .room].contains(scenario) else {
                throw ValidationError("--peer can only be used with direct and room.")
            }
            guard peer == .roost || server != nil else { throw ValidationError("--peer \(peer) requires --server.") }
        }
        if scenario == .growth {
            if server != nil {
                throw ValidationError("growth starts its own servers, so it cannot be used with --server.")
            }
            guard let first = stored.first, first >= 1, zip(stored, stored.dropFirst()).allSatisfy(<) else {
                throw ValidationError("--stored must be an ascending list of positive numbers.")
            }
            if data != nil, database != nil { throw ValidationError("--data can only be used with SQLite.") }
        } else if [.broadcast, .files].contains(scenario), server != nil {
            throw ValidationError("\(scenario) starts its own server, so it cannot be used with --server.")
        } else if plot != nil || data != nil {
            throw ValidationError("--plot and --data can only be used with growth.")
        }
    }

    func run() async throws {
        if scenario == .growth { try await growth() } else { try await measureOnce() }
    }

    private func measureOnce() async throws {
        let bench: BenchServer
        if let server {
            bench = BenchServer(url: server, pid: pid)
        } else {
            bench = try await BenchServer.start(
                roost, loops: loops, isFloor: floor, database: database,
                limits: scenario == .schedules
                    ? ["scheduleMinMs=1", "schedules=1000000"] : scenario == .files ? Self.filesLimits : [],
                prepare: scenario == .broadcast ? { try Self.makeUsers(count ?? 100_000, in: $0) } : nil)
        }
        defer { bench.stop() }
        if scenario == .files { return try await files(bench) }
        let kind = floor ? " floor" : database != nil ? " PostgreSQL" : ""
        var result = BenchResult(scenario: scenario.rawValue + kind)
        switch scenario {
        case .direct where peer != nil, .room where peer != nil: try await plain(bench, &result)
        case .direct: try await direct(bench, &result)
        case .room: try await room(bench, &result)
        case .idle: try await idle(bench, &result)
        case .history: try await history(bench, &result)
        case .resume: try await resume(bench, &result)
        case .sdk: try await sdk(bench, &result)
        case .schedules: try await schedules(bench, &result)
        case .broadcast: try await broadcast(bench, &result)
        case .growth, .files: return
        }
        if let roundTrips = bench.stop(), let messages = result.messages {
            result.roundTripsPerMessage = Double(roundTrips) / Double(messages)
        }
        if json { try printJSON(result) } else { result.show() }
    }

    /// Connects clients for users named by this prefix and a number.
    func clients(_ count: Int, _ bench: BenchServer, prefix: String = "bench") async throws -> [ChatClient] {
        var made: [ChatClient] = []
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
        let window = window ?? 1
        let each = max(1, (count ?? 50_000) / (pairs * window))
        let people = try await clients(pairs * 2, bench)
        if let push {
            for number in people.indices {
                let address = RoostWire.PushAddress(gateway: .webhook, token: "bench-\(number)")
                guard push == .away else {
                    try await people[number].setPushAddress(address)
                    continue
                }
                let away = try bench.client("bench-\(number)", device: "away")
                try await away.connect()
                try await away.setPushAddress(address)
                await away.disconnect()
            }
        }
        let latencies = Latencies()
        let channels = try await self.channels(of: people, bench)
        try await exchange(bench, &result, people, channels, each: each, window: window, latencies) { channel in
            try await channel.send(Latencies.stamp())
        }
        result.finish(messages: pairs * window * each, delivered: pairs * window * each, latencies)
        result.settings = ["pairs": pairs, "window": window]
        for client in people { await client.disconnect() }
    }

    /// The 1-on-1 of each pair, as a handle of its first user.
    func channels(of people: [ChatClient], _ bench: BenchServer) async throws -> [ChannelHandle] {
        var channels: [ChannelHandle] = []
        for pair in 0..<pairs {
            let other = try bench.user("bench-\(pair * 2 + 1)")
            channels.append(people[pair * 2].channel(try await people[pair * 2].startMessaging(with: other).channel))
        }
        return channels
    }

    /// Sends from the first user of each pair and measures until the second has received everything.
    func exchange(
        _ bench: BenchServer, _ result: inout BenchResult, _ people: [ChatClient], _ channels: [ChannelHandle],
        each: Int, window: Int, _ delivery: Latencies, send: @escaping @Sendable (ChannelHandle) async throws -> Void
    ) async throws {
        let receivers = channels.indices.map { pair in
            let events = people[pair * 2 + 1].events()
            return Task { await delivery.count(events, until: each * window) }
        }
        try await measure(bench, &result) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for channel in channels {
                    for _ in 0..<window {
                        group.addTask { for _ in 0..<each { try await send(channel) } }
                    }
                }
                try await group.waitForAll()
            }
            for receiver in receivers { await receiver.value }
        }
    }

    private func room(_ bench: BenchServer, _ result: inout BenchResult) async throws {
        let size = members ?? 1_000
        let window = window ?? 1
        let total = count ?? 2_000
        let people = try await clients(size, bench)
        let room: ChannelID = "bench-room"
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
        var people: [ChatClient] = []
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
        // Wait for the first heartbeat, which reports the groups; later ones report nothing.
        try await Task.sleep(for: .seconds(30))
        try await measure(bench, &result) { try await Task.sleep(for: .seconds(50)) }
        if let cpu = result.cpuSeconds, let seconds = result.seconds { result.cpuPercent = cpu / seconds * 100 }
        result.settings = ["connections": size, "channelsEach": 5]
        result.rssBytesPerConnection = Double(after - before) / Double(size)
        result.rssAtRestBytes = Double(before)
        for client in people { await client.disconnect() }
    }

    private func history(_ bench: BenchServer, _ result: inout BenchResult) async throws {
        let total = count ?? 1_000_000
        let people = try await clients(16, bench)
        let each = max(1, total / 512)
        let long: ChannelID = "bench-history"
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
        let head = try await channel.get().seq
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
        for number in 0..<channels {
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
        result.settings = ["channels": channels]
        for client in people { await client.disconnect() }
    }

    // MARK: Measuring

    /// Measures the time and the server's CPU time while `body` runs.
    func measure(
        _ bench: BenchServer, _ result: inout BenchResult, _ body: () async throws -> Void
    ) async throws {
        let cpu = bench.cpuSeconds()
        let databaseCPU = database.map { _ in BenchServer.cpuSeconds(ofAll: "postgres") }
        let start = ContinuousClock.now
        try await body()
        result.seconds = (ContinuousClock.now - start) / .seconds(1)
        if let before = cpu, let after = bench.cpuSeconds() { result.cpuSeconds = after - before }
        result.databaseCPUSeconds = databaseCPU.map { before in
            // Processes that ended in the meantime, such as an autovacuum, are not counted.
            BenchServer.cpuSeconds(ofAll: "postgres").reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) }
        }
        result.rssBytes = Double(bench.rss())
    }
}

/// Shows progress on standard error; nil ends the line.
func progress(_ text: String?) {
    try? FileHandle.standardError.write(contentsOf: Data((text.map { "\r\($0)\u{1B}[K" } ?? "\n").utf8))
}
