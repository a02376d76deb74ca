import RoostClient
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// Twenty people on one bad network: T23 of the plan of reliability.
///
/// `ROOST_FLAKY_SECONDS` sets how long it is bad (15, in the long version 300) and `ROOST_SEED` what happens; `dev/flaky`
/// runs the long version.
@Suite(.serialized, .seeded, .firstPassOnly) struct FlakyTests {
    private static let seconds = environmentNumber("ROOST_FLAKY_SECONDS") ?? TestLength.rounds(15, long: 300)
    /// How often it goes through all kinds of networks.
    private static let laps = max(1, seconds / 60)
    /// How many quarters of a second each of the ten lasts, about.
    private static let steps = max(2, seconds * 4 / laps / 10)
    /// How long a connection lasts where nobody is told of its end: about a fifth of them end while it is like that.
    private static let silentLife = Duration.milliseconds(500)...(.milliseconds(5 * steps * 250))

    /// The text with which each 1-on-1 begins.
    private static let first = "first"

    /// The kinds of networks, good and bad.
    private static let profiles: [FaultProfile] = [
        .healthy,
        FaultProfile {
            $0.latency = .milliseconds(300)
            $0.jitter = .milliseconds(200)
            $0.bytesPerSecond = 8_000
        },
        FaultProfile { $0.chunkBytes = 7 },
        FaultProfile {
            $0.latency = .milliseconds(40)
            $0.jitter = .milliseconds(40)
            $0.life = .milliseconds(500)...(.seconds(6))
            $0.ending = .reset
        },
        FaultProfile {
            $0.chunkBytes = 100
            $0.life = .milliseconds(200)...(.seconds(4))
        },
        FaultProfile {
            $0.life = silentLife
            $0.ending = .halfOpen
        },
        FaultProfile {
            $0.life = silentLife
            $0.ending = .blackHole
        },
        FaultProfile { $0.admission = .swallow },
        FaultProfile { $0.admission = .captivePage },
        FaultProfile { $0.admission = .refuse },
    ]

    /// How long sends took once they could get through.
    private final class Delays: Sendable {
        private let delays = Mutex<[Duration]>([])

        func add(_ delay: Duration) { delays.withLock { $0.append(delay) } }

        func share(within limit: Duration) -> Double {
            delays.withLock { all in
                all.isEmpty ? 1 : Double(all.count { $0 <= limit }) / Double(all.count)
            }
        }
    }

    @Test(.timeLimit(.minutes(seconds / 60 + 3)))
    func `on a flaky network nothing is lost, doubled or out of order, and every store ends as the server is`()
        async throws
    {
        let house = try await House()
        let people = 20
        let proxy = try await FaultProxy.start(to: house.server.port, doors: people, seed: SeededNumbers.seed)
        var keepers: [Keeper] = []
        for number in 0..<people {
            let keeper = try await Keeper(
                makeUser("flaky-\(number)"), url: proxy.url(door: number), direct: house.url,
                store: try LocalStore.inMemory())
            try await keeper.client.connect()
            keepers.append(keeper)
        }
        let channels = try await Self.makeChannels(keepers)
        var random = SeededNumbers(for: "FlakyTests")
        var sent: [ChannelID: [UserID: [String]]] = [:]
        var sends: [Task<Void, any Error>] = []
        let delays = Delays()
        var count = 0
        let start = ContinuousClock.now
        var isDown = false
        for _ in 0..<Self.laps {
            for profile in Self.profiles.shuffled(using: &random) {
                try await proxy.use(profile)
                if profile.admission == .relay, isDown {
                    // A phone's system tells its apps that the network is back.
                    for keeper in keepers { keeper.client.networkChanged(isUsable: true) }
                }
                isDown = profile.admission != .relay
                if Int.random(in: 0..<4, using: &random) == 0 { try await proxy.cutAll() }
                for _ in 0..<Int.random(in: Self.steps / 2...Self.steps * 3 / 2, using: &random) {
                    try await proxy.pass(.milliseconds(250))
                    for _ in 0..<2 {
                        let number = Int.random(in: 0..<people, using: &random)
                        let keeper = keepers[number]
                        let channel = channels[number][Int.random(in: channels[number].indices, using: &random)]
                        count += 1
                        sent[channel, default: [:]][keeper.user.userID, default: []].append("\(count)")
                        let pending = keeper.client.channel(channel).enqueue("\(count)")
                        let now = ContinuousClock.now
                        sends.append(
                            Task {
                                _ = try await pending.sent
                                let since = proxy.openSince(door: number) ?? .now
                                delays.add(ContinuousClock.now - max(now, since))
                            })
                    }
                    try await Self.read(keepers[Int.random(in: 0..<people, using: &random)], random.next())
                }
            }
        }
        let lasted = ContinuousClock.now - start
        let attempts = (0..<people).map { proxy.attempts(door: $0) }
        try await proxy.use(.healthy)
        for send in sends { try await send.value }
        for keeper in keepers { try await keeper.settle() }
        let settled = ContinuousClock.now - start - lasted

        for (keeper, own) in zip(keepers, channels) {
            let logs = try await keeper.check()
            #expect(Set(logs.keys) == Set(own))
            for (id, rows) in logs {
                let transIDs = rows.compactMap(\.transID)
                #expect(Set(transIDs).count == transIDs.count, "\(id) has nothing twice")
                for (user, texts) in sent[id] ?? [:] {
                    let stored = rows.filter { $0.senderID == user }.compactMap(\.text).filter { $0 != Self.first }
                    #expect(stored == texts, "what \(user) sent to \(id) is there once and in order")
                }
            }
            #expect(try await keeper.store.queue().isEmpty)
        }
        for door in attempts {
            #expect(door.count <= Int(lasted / .milliseconds(500)) + 1, "at most one attempt per half a second")
        }
        let gaps = attempts.flatMap { door in zip(door, door.dropFirst()).map { $1 - $0 } }
        print(
            """
            # \(people) clients, \(count) messages in \(Self.whole(lasted)) s of \(Self.profiles.count) kinds of network, \
            seed \(SeededNumbers.seed); settled after \(Self.whole(settled)) s
            # \(Self.percent(delays.share(within: .seconds(5)))) % of sends acknowledged within 5 s of connectivity \
            (goal 95 %), \(Self.percent(delays.share(within: .seconds(1)))) % within 1 s
            # \(attempts.map(\.count).reduce(0, +)) connections, the nearest two of a client \
            \(gaps.min().map { "\($0 / .milliseconds(1))" } ?? "-") ms apart; ended by the network: \(proxy.endings)
            """)
        for keeper in keepers { await keeper.stop() }
        try await proxy.stop()
        house.server.stop()
    }

    /// Four groups of all, and a 1-on-1 of each with the next. Answers the channels of each.
    private static func makeChannels(_ keepers: [Keeper]) async throws -> [[ChannelID]] {
        var channels: [[ChannelID]] = Array(repeating: [], count: keepers.count)
        let others = keepers.dropFirst().map(\.user.userID)
        for number in 0..<4 {
            let group = try await keepers[0].client.createGroup(
                channel: channelID("flaky-group-\(number)"), members: others)
            for index in channels.indices { channels[index].append(group.channel) }
        }
        for (index, keeper) in keepers.enumerated() {
            let next = (index + 1) % keepers.count
            let single = try await keeper.client.startMessaging(with: keepers[next].user.userID).channel
            // The other one sees it with the first message.
            try await keeper.client.channel(single).send(first)
            channels[index].append(single)
            channels[next].append(single)
        }
        for (index, keeper) in keepers.enumerated() {
            for id in channels[index] { _ = try await keeper.client.channel(id).history(limit: 100) }
        }
        return channels
    }

    /// Reads one of the channels with something unread, up to its end.
    private static func read(_ keeper: Keeper, _ chance: UInt64) async throws {
        let unread = try await keeper.store.channels(limit: .max).filter { $0.unread ?? 0 > 0 }
        guard chance % 4 == 0, let channel = unread.first else { return }
        try await keeper.client.channel(channel.channel).markRead(upTo: channel.seq)
    }

    private static func whole(_ duration: Duration) -> Int { Int(duration / .seconds(1)) }

    private static func percent(_ share: Double) -> Double { (share * 1_000).rounded() / 10 }
}
