import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Kills a client process repeatedly, and checks its store against what it reported: T22 of the reliability plan.
///
/// `ROOST_CLIENT_KILLS` sets the number of kills (12, or 200 in the long version); `dev/kill-client` runs that.
@Suite(.serialized, .seeded, .firstPassOnly) struct ClientKillTests {
    private static let kills = environmentNumber("ROOST_CLIENT_KILLS") ?? TestLength.rounds(12, long: 200)

    /// The moments at which a process is killed.
    private enum Moment: String, CaseIterable {
        /// While it sends.
        case sending
        /// While it stores what others wrote while it was offline.
        case syncing
        /// While it opens the file.
        case opening
        /// While it creates a new file.
        case migrating
    }

    /// The reports of all processes that used one file.
    private struct Report {
        var kept = 0
        var lines: [String] = []
    }

    private static func child(
        _ harness: ServerHarness, _ user: User, _ file: String, from first: Int, count: Int, _ channels: [ChannelID]
    ) throws -> Child {
        let binary = URL(fileURLWithPath: try ServerProcess.binary()).deletingLastPathComponent()
        return try Child(
            [harness.url, user.userID.rawValue, file, "\(first)", "\(count)"] + channels.map(\.rawValue),
            environment: ["PATH": "/usr/bin:/bin"], binary: binary.appendingPathComponent("store-client").path)
    }

    /// Reads lines until the expected one; returns whether it arrived.
    @discardableResult
    private static func read(
        _ child: Child, into report: inout Report, until isEnd: (String) -> Bool
    ) async -> Bool {
        while let line = await child.line() {
            report.lines.append(line)
            if line.hasPrefix("kept "), let number = Int(line.dropFirst(5)) { report.kept = max(report.kept, number) }
            if isEnd(line) { return true }
        }
        return false
    }

    @Test(.timeLimit(.minutes(kills / 10 + 5)))
    func `what a client reported as stored is at the server once and in order, however often it is killed`()
        async throws
    {
        let harness = try await ServerHarness()
        let other = try await harness.guest(Cast.bob)
        let channels = try (0..<4).map { try channelID("kept-\($0)") }
        let user = Cast.ann
        _ = try await harness.guest(user, device: "first")
        var users = [user]
        for round in 0..<Self.kills / 4 { users.append(try makeUser("fresh-\(round)")) }
        for fresh in users.dropFirst() { _ = try await harness.guest(fresh, device: "first") }
        for id in channels { _ = try await other.client.createGroup(channel: id, members: users.map(\.userID)) }
        var files = ["\(harness.folder.path)/ann.sqlite"]
        var reports = [Report()]
        var random = SeededNumbers(for: "ClientKillTests")
        var kills: [Moment: Int] = [:]
        var round = 0
        while kills.values.reduce(0, +) < Self.kills {
            let moment = Moment.allCases[round % Moment.allCases.count]
            round += 1
            if moment == .migrating, files.count < users.count {
                files.append("\(harness.folder.path)/fresh-\(files.count).sqlite")
                reports.append(Report())
            }
            let index = moment == .migrating ? files.count - 1 : 0
            if moment == .syncing {
                for number in 0..<300 { _ = other.channel(channels[number % 4]).enqueue("other \(number)") }
                try await other.channel(channels[0]).send("last")
            }
            let process = try Self.child(
                harness, users[index], files[index], from: reports[index].kept + 1, count: 200, channels)
            switch moment {
            case .sending, .syncing:
                var wanted = Int.random(in: 1...12, using: &random)
                await Self.read(process, into: &reports[index]) { line in
                    if line == "commit" { wanted -= 1 }
                    return wanted == 0
                }
            case .opening, .migrating:
                await Self.read(process, into: &reports[index]) { $0 == "opening" }
                // A moment while the file is being opened: after this many checks of the clock.
                for _ in 0..<Int.random(in: 0...20_000, using: &random) { _ = ContinuousClock.now }
            }
            process.signal(SIGKILL)
            // Everything reported up to the kill is stored, too.
            await Self.read(process, into: &reports[index]) { _ in false }
            // A process that had already finished was not killed. It cannot end in any other way.
            let status = await process.result().status
            try #require([0, -SIGKILL].contains(status), "\(reports[index].lines.suffix(9))")
            if status == -SIGKILL { kills[moment, default: 0] += 1 }
        }
        #expect(Self.kills < 12 || kills.count == Moment.allCases.count, "not every moment was hit: \(kills)")

        // A last process for each file, which only sends what is in the queue.
        for index in files.indices {
            let process = try Self.child(harness, users[index], files[index], from: 1, count: 0, channels)
            #expect(
                await Self.read(process, into: &reports[index]) { $0 == "done" }, "\(reports[index].lines.suffix(9))")
            #expect(await process.result().status == 0)
        }
        var kept = 0
        for index in files.indices {
            let store = try await LocalStore.open(files[index])
            #expect(store.recovery == nil, "no kill damages the file")
            let device = try await StoreClient(users[index], url: harness.url, direct: harness.url, store: store)
            try await device.client.connect()
            for id in channels { _ = try await device.client.channel(id).get() }
            try await device.settle()
            try await Self.fetchAll(device.client, channels)
            let rows = try await device.check()
            for (place, id) in channels.enumerated() {
                let numbers = (rows[id] ?? []).filter { $0.senderID == users[index].userID }
                    .compactMap { $0.transID?.rawValue.split(separator: "-").last.flatMap { Int($0) } }
                let wanted = (1...max(1, reports[index].kept)).filter { $0 % 4 == place && reports[index].kept > 0 }
                #expect(numbers == Array(Set(numbers)).sorted(), "\(id): once and in order")
                #expect(Array(numbers.prefix(wanted.count)) == wanted, "\(id): all that was reported")
            }
            kept += reports[index].kept
            await device.stop()
            try store.close()
        }
        #expect(kept > 0)
        let list = kills.map { "\($0.value) \($0.key.rawValue)" }.sorted().joined(separator: ", ")
        print("# \(Self.kills) kills of a client process (\(list)), \(kept) messages reported as kept, all there once")
        harness.stop()
    }

    @Test(.timeLimit(.minutes(5)))
    func `a second process on the same file is refused, and the first continues`() async throws {
        let harness = try await ServerHarness()
        let file = harness.folder.path + "/ann.sqlite"
        let group = try await harness.guest(Cast.ann, device: "first").client.createGroup(members: [])
        var report = Report()
        let first = try Self.child(harness, Cast.ann, file, from: 1, count: 1_000, [group.channel])
        #expect(await Self.read(first, into: &report) { $0 == "live" })
        // It is stopped in the middle of its work, so that it does not finish before the second one has started.
        first.signal(SIGSTOP)
        let second = try await Self.child(harness, Cast.ann, file, from: 1, count: 1, [group.channel]).result()
        #expect(second.output == ["opening", "refused storeInUse"])
        #expect(second.status == 1)
        let error = await #expect(throws: RoostError.self) { _ = try await LocalStore.open(file) }
        #expect(error?.code == .storeInUse)
        first.signal(SIGCONT)
        #expect(await Self.read(first, into: &report) { $0 == "done" })
        #expect(report.kept == 1_000)
        #expect(await first.result().status == 0)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a damaged store is rebuilt from the server`() async throws {
        let messages = TestLength.rounds(2_000, long: 10_000)
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        _ = try await harness.guest(Cast.ann, device: "first")
        let id = try await bob.client.createGroup(channel: Cast.club, members: [Cast.ann.userID]).channel
        let file = harness.folder.path + "/ann.sqlite"
        let sound = try await LocalStore.open(file)
        let before = try await StoreClient(Cast.ann, url: harness.url, direct: harness.url, store: sound)
        try await before.client.connect()
        let pending = (0..<messages).map { bob.channel(id).enqueue("\($0)") }
        for send in pending { _ = try await send.sent }
        _ = try await before.client.channel(id).get()
        try await before.settle()
        try await Self.fetchAll(before.client, [id])
        let rows = try await before.check()[id]
        await before.stop()
        try sound.close()

        for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + ending) }
        let handle = try #require(FileHandle(forUpdatingAtPath: file))
        try handle.write(contentsOf: Data(repeating: 0xA5, count: 64))
        try handle.close()
        let start = ContinuousClock.now
        let fresh = try await LocalStore.open(file)
        #expect(fresh.recovery != nil)
        let after = try await StoreClient(Cast.ann, url: harness.url, direct: harness.url, store: fresh)
        try await after.client.connect()
        _ = try await after.client.channels(limit: 100)
        try await Self.fetchAll(after.client, [id])
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        try await after.settle()
        #expect(try await after.check()[id] == rows)
        #expect(rows?.count == messages)
        await after.stop()
        print("# a damaged store of \(messages) messages was made anew from the server in \(seconds) s")
        harness.stop()
    }

    /// Reads all pages of channels, so that the store has all their rows.
    private static func fetchAll(_ client: ChatClient, _ channels: [ChannelID]) async throws {
        for id in channels {
            var before: Int64?
            var page: HistoryPage
            repeat {
                page = try await client.channel(id).history(before: before, limit: 100)
                before = page.events.first?.seq ?? before
            } while page.hasBefore && !page.events.isEmpty
        }
    }
}
