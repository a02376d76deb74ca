import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// All clients are cut off at the same moment: T10 of the reliability plan.
///
/// `ROOST_STORM_SOCKETS` sets the number of clients (300, or 5,000 in the long version); `dev/storm` runs the long
/// version.
@Suite(.serialized, .seeded, .firstPassOnly) struct ReconnectStormTests {
    private static let sockets = environmentNumber("ROOST_STORM_SOCKETS") ?? TestLength.rounds(300, long: 5_000)

    /// How the clients are cut off.
    enum Cut: String, CaseIterable, CustomTestStringConvertible {
        /// The server is killed and restarted.
        case kill = "kill -9 and restart"
        /// All connections are reset, and the server goes on.
        case reset = "reset of all connections"

        var testDescription: String { rawValue }
    }

    @Test(.timeLimit(.minutes(5 + sockets / 500)), arguments: Cut.allCases)
    func `all clients come back after a cut, with every message once and in order`(cut: Cut) async throws {
        raiseDescriptorLimit()
        let storm = try await Storm(sockets: Self.sockets, isThroughProxy: cut == .reset)
        try await storm.connect()
        let idle = try await storm.measureIdle(sends: Self.sockets < 2_000 ? 100 : 1_000)
        let found = try await cut == .kill ? storm.kill() : storm.reset()
        print(storm.report(found, idle: idle, title: cut.rawValue))
        try await storm.check()
        await storm.stop()
    }
}

/// A server, its clients, and what they are sent.
private final class Storm {
    /// What a cut has caused.
    struct Found {
        /// When each client was back, in seconds since the cut, ascending.
        var back: [Double] = []
        /// How often a client was lost.
        var losses = 0
        /// How long the steady sends took, in ms.
        var delays: [Double] = []
        var cpu = 0.0
        var maxMemory = 0
        /// The number of connections that were opened through the proxy.
        var attempts: Int?
    }

    /// How many devices a user has, and in how many groups a user is.
    private static let devices = 5
    private static let groupsPerUser = 5
    /// Who is in all groups.
    private static var boss: User { get throws { try makeUser("owner") } }

    private let folder: TemporaryFolder
    private var server: ServerProcess
    private let proxy: FaultProxy?
    private let fleet: StormFleet
    private let sockets: Int
    private let users: Int
    private let groups: Int
    private let owner: ChatClient
    private var steady: [SteadySender] = []
    private var acknowledged: [StormFleet.Sent] = []

    init(sockets: Int, isThroughProxy: Bool) async throws {
        self.sockets = sockets
        users = (sockets + Self.devices - 1) / Self.devices
        groups = max(20, sockets / 20)
        folder = try TemporaryFolder()
        server = try await ServerProcess.start(data: folder.path)
        proxy =
            isThroughProxy
            ? try await FaultProxy.start(to: server.port, seed: SeededNumbers.seed, niceness: 19) : nil
        fleet = try StormFleet(clients: sockets, perUser: Self.devices, url: proxy?.url() ?? server.url)
        owner = try Self.client(server.url, try Self.boss)
        try await owner.connect()
    }

    private static func client(_ url: String, _ user: User) throws -> ChatClient {
        var configuration = ClientConfiguration(
            server: url, credentials: .guest(user.userID), deviceID: try #require(DeviceID(rawValue: "one")))
        configuration.keepsTryingToConnect = true
        return ChatClient(configuration: configuration)
    }

    private func group(_ number: Int) throws -> ChannelID { try channelID("storm-group-\(number)") }

    /// The groups of a user.
    private func groups(of user: Int) throws -> [ChannelID] {
        try (0..<Self.groupsPerUser).map { try group((user + 37 * $0) % groups) }
    }

    /// Connects all clients, and creates their groups with a first message.
    func connect() async throws {
        try await fleet.waitUntilConnected()
        var members: [ChannelID: [UserID]] = [:]
        for user in 0..<users {
            for group in try groups(of: user) {
                members[group, default: []].append(try makeUser("storm-\(user)").userID)
            }
        }
        for (group, users) in members { _ = try await owner.createGroup(channel: group, members: users) }
        try await post("first")
        _ = try await fleet.settle(try await heads())
    }

    /// Sends a message of the owner to each group.
    private func post(_ text: String) async throws {
        let pending = try (0..<groups).map { owner.channel(try group($0)).enqueue("\(text)-owner-\($0)") }
        for (number, send) in pending.enumerated() {
            let sent = try await send.sent
            acknowledged.append(
                .init(channel: sent.channel.rawValue, seq: sent.seq ?? 0, text: "\(text)-owner-\(number)"))
        }
    }

    /// How long that many steady sends take, in ms, with nothing else going on than the messages of the owner.
    func measureIdle(sends count: Int) async throws -> [Double] {
        let sender = try await startSteadySender()
        let start = ContinuousClock.now
        try await posting("idle") { try await sender.waitUntilSent(count) }
        return sender.delays(from: start, to: .now)
    }

    /// Sends messages of the owner to one group after the other until the work is done.
    ///
    /// It has a new connection, which does not wait until it may connect again. At rest and in the storm alike: otherwise
    /// the two would differ by this load, too.
    private func posting<Result: Sendable>(_ text: String, while work: () async throws -> Result) async throws -> Result
    {
        // Every third group, and then those beside them.
        let order = try (0..<3).flatMap { try stride(from: $0, to: groups, by: 3).map { try group($0) } }
        let poster = try await SteadySender.start(server.url, as: try Self.boss, name: text, to: order)
        let result: Result
        do {
            result = try await work()
        } catch {
            _ = await poster.stop()
            throw error
        }
        await finish(poster)
        return result
    }

    /// Stops a sender, and notes what was acknowledged.
    private func finish(_ sender: SteadySender) async {
        let (sent, faults) = await sender.stop()
        #expect(faults.isEmpty, "every steady send is acknowledged: \(faults.prefix(3))")
        acknowledged += sent.map { .init(channel: $0.channel.rawValue, seq: $0.seq, text: $0.text) }
    }

    @discardableResult
    private func startSteadySender() async throws -> SteadySender {
        let sender = try await SteadySender.start(server.url, name: "steady-\(steady.count)", with: Self.boss)
        steady.append(sender)
        return sender
    }

    /// Kills the server while clients send, and starts it again.
    func kill() async throws -> Found {
        try fleet.send("flying")
        fleet.expectStorm()
        let cutAt = ProcessInfo.processInfo.systemUptime
        server.kill()
        try fleet.send("queued")
        server = try await ServerProcess.start(data: folder.path, port: server.port)
        let pid = server.pid
        // The owner's own connection and the first steady sender reconnect like everybody else.
        let sender = try await startSteadySender()
        return try await weather(since: cutAt, cpu: ProcessFigures(of: pid).cpu, sender)
    }

    /// Resets the connections of all clients, while the server and the connection of the steady sender stay.
    func reset() async throws -> Found {
        let sender = try #require(steady.last)
        let attempts = proxy?.attempts().count ?? 0
        try fleet.send("flying")
        fleet.expectStorm()
        let cpu = server.figures.cpu
        let cutAt = ProcessInfo.processInfo.systemUptime
        try await proxy?.cutAll()
        try fleet.send("queued")
        var found = try await weather(since: cutAt, cpu: cpu, sender)
        found.attempts = (proxy?.attempts().count ?? 0) - attempts
        return found
    }

    /// Waits until all clients are back, who miss messages meanwhile.
    private func weather(since cutAt: Double, cpu: Double, _ sender: SteadySender) async throws -> Found {
        let start = ContinuousClock.now
        let back = try await posting("missed") { try await fleet.waitUntilBack() }
        let figures = server.figures
        return Found(
            back: back.times.map { $0 - cutAt }, losses: back.losses, delays: sender.delays(from: start, to: .now),
            cpu: figures.cpu - cpu, maxMemory: figures.maxMemory)
    }

    func report(_ found: Found, idle: [Double], title: String) -> String {
        let parts = [1.0, 2, 5, 10, 20, 45].map { limit in
            "\(Int(limit)) s: \(found.back.count { $0 <= limit })"
        }
        // The most in a second that begins whenever it wants.
        var (most, first) = (0, 0)
        for (index, time) in found.back.enumerated() {
            while found.back[first] < time - 1 { first += 1 }
            most = max(most, index - first + 1)
        }
        func times(_ delays: [Double]) -> String {
            "p50 \(shortNumber(delays.percentile(0.5) ?? 0)), p99 \(shortNumber(delays.percentile(0.99) ?? 0)) ms "
                + "(\(delays.count))"
        }
        let ratio = (found.delays.percentile(0.99) ?? 0) / Swift.max(0.01, idle.percentile(0.99) ?? 0)
        return """
            # \(title): \(sockets) clients of \(users) users in \(fleet.processes) processes, \(groups) groups, \
            seed \(SeededNumbers.seed)
            # back within \(parts.joined(separator: ", ")); all after \(shortNumber(found.back.last ?? 0)) s \
            (goal 45 s); at most \(most * 100 / Swift.max(1, sockets)) % in one second
            # \(found.losses) connections lost\(found.attempts.map { ", \($0) opened" } ?? "")
            # steady sends: idle \(times(idle)); in the storm \(times(found.delays)); p99 : idle \
            \(shortNumber(ratio)) (goal 3)
            # server: \(shortNumber(found.cpu)) s of CPU, at most \(mebibytes(found.maxMemory)) MiB
            """
    }

    /// Compares what everybody was shown and what was acknowledged with the logs of the server.
    func check() async throws {
        try await post("last")
        try await fleet.waitUntilSent(2 * fleet.senders)
        for sender in steady { await finish(sender) }
        acknowledged += fleet.sent
        let logs = try await readLogs()
        for (channel, rows) in logs {
            #expect(rows.map(\.seq) == rows.indices.map { Int64($0 + 1) }, "\(channel) has no gap")
            let transIDs = rows.compactMap(\.transID)
            #expect(Set(transIDs).count == transIDs.count, "\(channel) has nothing twice")
            let texts = rows.compactMap(\.text)
            #expect(Set(texts).count == texts.count, "\(channel) has no text twice")
        }
        #expect(acknowledged.count >= 2 * fleet.senders + groups)
        for sent in acknowledged {
            #expect(logs[sent.channel]?[safe: Int(sent.seq) - 1]?.text == sent.text, "\(sent) is there")
        }
        try await checkShown(logs)
        #expect(fleet.faults.isEmpty, "\(fleet.faults.prefix(5))")
    }

    /// Every client was shown each row of its groups once, in order, and up to the last one.
    private func checkShown(_ logs: [String: [Event]]) async throws {
        let shown = try await fleet.settle(try await heads())
        var channels: [Int: Set<String>] = [:]
        var wrong: [StormFleet.Log] = []
        for log in shown {
            channels[log.client, default: []].insert(log.channel)
            let rows = logs[log.channel] ?? []
            let isRight = log.last == Int64(rows.count) && log.digest == Self.digest(rows, from: log.first)
            if !isRight { wrong.append(log) }
        }
        #expect(wrong.isEmpty, "\(wrong.count) of \(shown.count) logs at clients differ: \(wrong.prefix(3))")
        for client in 0..<sockets {
            let wanted = Set(try groups(of: client / Self.devices).map(\.rawValue))
            #expect(channels[client] == wanted, "client \(client) has its groups")
        }
    }

    /// The digest of a client that was shown these rows from this one on; see `StormClients`.
    private static func digest(_ rows: [Event], from first: Int64) -> UInt64 {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        for row in rows where row.seq ?? 0 >= first {
            for byte in "\(row.seq ?? 0) \(row.text ?? "")\n".utf8 {
                digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3
            }
        }
        return digest
    }

    /// The last rows of each user's groups.
    private func heads() async throws -> [UserID: [ChannelID: Int64]] {
        var heads: [ChannelID: Int64] = [:]
        for number in 0..<groups {
            let group = try group(number)
            heads[group] = try await owner.channel(group).get(withMembers: false).seq
        }
        var all: [UserID: [ChannelID: Int64]] = [:]
        for user in 0..<users {
            all[try makeUser("storm-\(user)").userID] = Dictionary(
                uniqueKeysWithValues: try groups(of: user).map { ($0, heads[$0] ?? 0) })
        }
        return all
    }

    private func readLogs() async throws -> [String: [Event]] {
        var logs: [String: [Event]] = [:]
        for id in try (0..<groups).map(group) + steady.flatMap(\.channels) {
            let channel = owner.channel(id)
            var rows: [Event] = []
            var hasMore = true
            while hasMore {
                let page = try await channel.log(after: rows.last?.seq ?? 0, limit: 100)
                rows += page.events
                hasMore = page.hasAfter
            }
            logs[id.rawValue] = rows
        }
        return logs
    }

    func stop() async {
        await fleet.stop()
        await owner.disconnect()
        try? await proxy?.stop()
        server.stop()
    }
}
