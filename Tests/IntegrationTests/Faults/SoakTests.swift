import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// A mixed load for a long time: T19 of the reliability plan.
///
/// `ROOST_SOAK_SECONDS` sets the duration (60, or 1,800 in the long version), `ROOST_SOAK_CLIENTS` the number of
/// clients (100), `ROOST_SEED` the choices; `dev/soak` runs the long version.
@Suite(.serialized, .seeded, .firstPassOnly) struct SoakTests {
    private static let seconds = environmentNumber("ROOST_SOAK_SECONDS") ?? TestLength.rounds(60, long: 1_800)
    private static let clients = environmentNumber("ROOST_SOAK_CLIENTS") ?? 100
    /// The load comes in rounds of the same length, with the server idle after each.
    private static let rounds = min(12, max(2, seconds / 900))

    @Test(.timeLimit(.minutes(seconds / 30 + 15)))
    func `under a mixed load for a long time nothing is lost, and memory and descriptors come back`() async throws {
        let soak = try await Soak(clients: Self.clients)
        let length = Duration.seconds(Self.seconds) / Self.rounds
        let rest = soak.figures.addRow("at rest")
        try await soak.prepare()
        var after: [SoakFigures.Sample] = []
        for round in 1...Self.rounds {
            await soak.load(round, for: length)
            let start = after.first?.figures.descriptors ?? rest.figures.descriptors + Soak.openedLater
            try await soak.waitUntilIdle(descriptors: start + 5)
            after.append(soak.figures.addRow(Soak.idle))
        }
        try await soak.check()
        #expect(soak.figures.maxWAL <= 64 * 1_024 * 1_024, "the WAL is bounded")
        let (first, last) = (try #require(after.first).figures.memory, try #require(after.last).figures.memory)
        #expect(last <= first + first / 4 + 16 * 1_024 * 1_024, "memory does not grow with each round")
        soak.report(seconds: Self.seconds, rest: rest, after: after)
        try await soak.stop()
    }
}

/// A server on disk, and its users.
private final class Soak {
    static let idle = "idle"
    /// The database opens its files again for each of its four readers, when the reader is first used.
    static let openedLater = 8
    /// How many members a group has, and in how many groups a user is.
    private static let groupSize = 25
    private static let groupsPerUser = 5

    let figures: SoakFigures
    private let folder: TemporaryFolder
    private let server: ServerProcess
    private let log: String
    private let record = SoakRecord()
    private let boss: ChatClient
    private var people: [SoakPerson] = []
    private let clients: Int

    init(clients: Int) async throws {
        self.clients = clients
        folder = try TemporaryFolder()
        log = folder.path + "/log"
        server = try await ServerProcess.start(
            data: folder.path + "/data", under: ["/bin/sh", "-c", "exec \"$@\" 2>\"$0\"", log])
        figures = SoakFigures(server, record)
        var configuration = ClientConfiguration(
            server: server.url, credentials: .guest(try makeUser("boss").userID),
            deviceID: try #require(DeviceID(rawValue: "one")))
        configuration.keepsTryingToConnect = true
        boss = ChatClient(configuration: configuration)
    }

    private func user(_ number: Int) throws -> User { try makeUser("soak-\(number % clients)") }

    /// Creates the users, their groups, and the 1-on-1 of each with the next.
    func prepare() async throws {
        try await boss.connect()
        let count = max(Self.groupsPerUser, clients * Self.groupsPerUser / Self.groupSize)
        let groups = try (0..<count).map { try channelID("soak-group-\($0)") }
        let users = try (0..<clients).map(user)
        let next = try (0..<clients).map { try user($0 + 1) }
        for number in 0..<clients {
            let own = (0..<Self.groupsPerUser).map { groups[(number + $0) % count] }
            let previous = try user(number + clients - 1)
            let singles = [next[number], previous].map { Self.single(users[number], $0) }
            let person = SoakPerson(
                users[number], groups: own, singles: singles,
                others: users.map(\.userID).filter { $0 != users[number].userID },
                url: server.url, folder: folder, record: record, boss: boss)
            people.append(person)
        }
        for person in people {
            let client = try person.client(device: "phone")
            try await client.connect()
            await client.disconnect()
        }
        for (number, group) in groups.enumerated() {
            let members = try (0..<clients).filter { own in
                (0..<Self.groupsPerUser).contains { (own + $0) % count == number }
            }.map { try user($0).userID }
            _ = try await boss.createGroup(channel: group, members: members)
        }
        for (number, person) in people.enumerated() {
            let client = try person.client(device: "phone")
            try await client.connect()
            let single = try await client.startMessaging(with: next[number].userID).channel
            let start = ContinuousClock.now
            record.note(try await client.channel(single).send("hello"), since: start)
            await client.disconnect()
        }
    }

    private static func single(_ user: User, _ other: User) -> ChannelID {
        ChannelID(single: user.userID, other.userID)
    }

    /// One round: everybody connects, acts, and disconnects.
    func load(_ round: Int, for length: Duration) async {
        try? await boss.connect()
        let figures = figures
        let watch = Task { await figures.watch(every: length / 5, title: "round \(round)") }
        let end = ContinuousClock.now + length
        await withDiscardingTaskGroup { group in
            for person in people {
                let random = SeededNumbers(for: "SoakTests \(round) \(person.user.userID)")
                group.addTask { await person.run(until: end, random) }
            }
        }
        watch.cancel()
        await watch.value
        await boss.disconnect()
    }

    /// Waits until the server has closed what the clients have left, and gives back no more memory.
    func waitUntilIdle(descriptors: Int) async throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while server.figures.descriptors > descriptors, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(200))
        }
        let found = server.figures.descriptors
        #expect(found <= descriptors, "the server has closed what the clients have left")
        var (least, since) = (server.figures.memory, ContinuousClock.now)
        while ContinuousClock.now - since < .seconds(5) {
            try await Task.sleep(for: .milliseconds(200))
            let memory = server.figures.memory
            if memory < least - 1_048_576 { (least, since) = (memory, .now) }
        }
    }

    /// Compares the logs with what was acknowledged, and the unread counts with a recount.
    func check() async throws {
        #expect(record.faults.isEmpty, "\(record.faults.count) faults: \(record.faults.prefix(5))")
        var acknowledged = record.acknowledged
        try await boss.connect()
        for page in try await pages(of: boss) {
            try await check(page.channel, at: boss, &acknowledged)
        }
        await boss.disconnect()
        let created = Dictionary(grouping: record.created) { $0.creator }
        for person in people {
            let client = try person.client(device: "phone")
            try await client.connect()
            let channels = try await pages(of: client)
            let own = Set((created[person.user.userID] ?? []).map(\.channel))
            for channel in channels {
                let isDue =
                    channel.kind == .single ? acknowledged[channel.channel] != nil : own.contains(channel.channel)
                if isDue { try await check(channel.channel, at: client, &acknowledged) }
                try await recount(channel, at: client, person.user.userID)
            }
            await client.disconnect()
        }
        #expect(acknowledged.isEmpty, "all channels were read, but not \(acknowledged.keys.prefix(3))")
    }

    private func pages(of client: ChatClient) async throws -> [Channel] {
        var channels: [Channel] = []
        var cursor: String?
        repeat {
            let page = try await client.channels(limit: 100, cursor: cursor)
            channels += page.elements
            cursor = page.next
        } while cursor != nil
        return channels
    }

    /// The rows of a channel are 1, 2, 3 and so on, nothing is there twice, and everything acknowledged is there.
    private func check(
        _ id: ChannelID, at client: ChatClient, _ acknowledged: inout [ChannelID: [Int64: Int]]
    ) async throws {
        var missing = acknowledged.removeValue(forKey: id) ?? [:]
        var (last, faults, seen) = (Int64(0), 0, Set<Int>())
        var hasMore = true
        while hasMore {
            let page = try await client.channel(id).log(after: last, limit: 100)
            for row in page.events {
                let seq = row.seq ?? 0
                if seq != last + 1 { faults += 1 }
                last = seq
                guard let transID = row.transID.map(SoakRecord.hash) else { continue }
                if row.messageID != nil, !seen.insert(transID).inserted { faults += 1 }
                if missing[seq] == transID { missing[seq] = nil }
            }
            hasMore = page.hasAfter && !page.events.isEmpty
        }
        #expect(faults == 0, "\(id) has gaps or repetitions")
        #expect(missing.isEmpty, "\(id) has no row \(missing.keys.sorted().prefix(5)), which were acknowledged")
    }

    private func recount(_ channel: Channel, at client: ChatClient, _ reader: UserID) async throws {
        let mark = channel.readSeq ?? 0
        var (last, unread, hasMore) = (mark, 0, true)
        while hasMore {
            let page = try await client.channel(channel.channel).log(after: last, limit: 100)
            unread += page.events.count { $0.isUnread(by: reader) }
            last = max(last, page.to)
            hasMore = page.hasAfter && !page.events.isEmpty
        }
        #expect(channel.unread == unread, "\(channel.channel) of \(reader), read up to \(mark)")
    }

    func report(seconds: Int, rest: SoakFigures.Sample, after: [SoakFigures.Sample]) {
        for line in figures.table { print("# \(line)") }
        let delays = record.delays
        let span = (delays.first?.at ?? .now, delays.last?.at ?? .now)
        let fifth = (span.1 - span.0) / 5
        let first = delays.filter { $0.at < span.0 + fifth }.map(\.milliseconds)
        let last = delays.filter { $0.at >= span.1 - fifth }.map(\.milliseconds)
        let slope = figures.slope(afterSeconds: min(3_600, Double(seconds) / 5), idleTitle: Self.idle)
        let acts = record.acts.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }
        print(
            """
            # \(clients) clients, \(seconds) s in \(after.count) rounds, \(record.count) messages acknowledged, seed \
            \(SeededNumbers.seed)
            # memory: \(mebibytes(rest.figures.memory)) MiB at rest; after each round \
            \(after.map { mebibytes($0.figures.memory) }.joined(separator: ", ")) MiB; at most \
            \(mebibytes(server.figures.maxMemory)) MiB; slope after the warm-up \
            \(slope.map(shortNumber) ?? "unknown") MiB an hour
            # descriptors: \(rest.figures.descriptors) at the start, \(after.last?.figures.descriptors ?? 0) at the \
            end; WAL at most \(mebibytes(figures.maxWAL)) MiB; \(shortNumber(server.figures.cpu)) s of CPU
            # sends, p99: \(shortNumber(first.percentile(0.99) ?? 0)) ms in the first fifth, \
            \(shortNumber(last.percentile(0.99) ?? 0)) ms in the last one
            # \(acts.joined(separator: ", ")); refused: \(record.refusals)
            """)
    }

    /// Stops the server, and checks its log and its database.
    func stop() async throws {
        #expect(server.stop() == 0, "it stops cleanly")
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        let errors = lines.filter { $0.contains(" error ") || $0.contains(" critical ") }
        print("# log: \(errors.count) errors in \(lines.count) lines of warnings and errors")
        #expect(errors.isEmpty, "\(errors.prefix(3))")
        let check = try await Child.roost(["check", "--data", server.data, "--files"], in: folder).result()
        #expect(check.status == 0, "\(check.output.prefix(3))")
    }
}

extension Event {
    /// Whether this row, after the mark of a reader, counts as unread.
    fileprivate func isUnread(by reader: UserID) -> Bool {
        guard seq != nil, senderID != reader, body.behaviour?.countsAsUnread == true else { return false }
        if case .channel(.messageSent(let message)) = body { return message.recall == nil }
        return true
    }
}
