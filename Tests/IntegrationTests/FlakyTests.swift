import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// Twenty people on one bad network: T23 of the plan of reliability.
///
/// `ROOST_FLAKY_SECONDS` sets how long it is bad (60) and `ROOST_SEED` what happens; `dev/flaky` runs the long version.
@Suite(.serialized) struct FlakyTests {
    private static let seconds = number("ROOST_FLAKY_SECONDS") ?? 60
    private static let seed = UInt64(number("ROOST_SEED") ?? 17)

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init)
    }

    /// The text with which each 1-on-1 begins.
    private static let first = "first"

    /// The kinds of bad networks, each with a name for the print.
    private static let profiles: [(name: String, profile: FaultProfile)] = [
        ("healthy", .healthy),
        (
            "mobile",
            FaultProfile {
                $0.latency = .milliseconds(300)
                $0.jitter = .milliseconds(200)
                $0.bytesPerSecond = 8_000
            }
        ),
        ("bytes", FaultProfile { $0.chunkBytes = 7 }),
        (
            "dropping",
            FaultProfile {
                $0.latency = .milliseconds(40)
                $0.jitter = .milliseconds(40)
                $0.life = .milliseconds(500)...(.seconds(6))
                $0.ending = .reset
            }
        ),
        (
            "closing",
            FaultProfile {
                $0.chunkBytes = 100
                $0.life = .milliseconds(200)...(.seconds(4))
            }
        ),
        (
            "half-open",
            FaultProfile {
                $0.life = .milliseconds(500)...(.seconds(20))
                $0.ending = .halfOpen
            }
        ),
        (
            "black hole",
            FaultProfile {
                $0.life = .milliseconds(500)...(.seconds(20))
                $0.ending = .blackHole
            }
        ),
        ("swallowing", FaultProfile { $0.admission = .swallow }),
        ("captive", FaultProfile { $0.admission = .captivePage }),
        ("refusing", FaultProfile { $0.admission = .refuse }),
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
        let proxy = try await FaultProxy.start(to: house.server.port, doors: people, seed: Self.seed)
        var keepers: [Keeper] = []
        for number in 0..<people {
            let keeper = try await Keeper(
                makeUser("flaky-\(number)"), url: proxy.url(door: number), direct: house.url,
                store: try LocalStore.inMemory())
            try await keeper.client.connect()
            keepers.append(keeper)
        }
        let channels = try await Self.makeChannels(keepers)
        var random = SeededNumbers(seed: Self.seed)
        var sent: [ChannelID: [UserID: [String]]] = [:]
        var sends: [Task<Void, any Error>] = []
        let delays = Delays()
        var count = 0
        let start = ContinuousClock.now
        let end = start + .seconds(Self.seconds)
        var told: [String] = []
        var isDown = false
        while ContinuousClock.now < end {
            for (name, profile) in Self.profiles.shuffled(using: &random) where ContinuousClock.now < end {
                told.append(name)
                try await proxy.use(profile)
                if profile.admission == .relay, isDown {
                    // A phone's system tells its apps that the network is back.
                    for keeper in keepers { keeper.client.networkChanged(isUsable: true) }
                }
                isDown = profile.admission != .relay
                if Int.random(in: 0..<4, using: &random) == 0 { try await proxy.cutAll() }
                for _ in 0..<Int.random(in: 8...24, using: &random) {
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
                                _ = try await pending.acknowledgement
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
            # \(people) clients, \(count) messages in \(Self.whole(lasted)) s of \(Set(told).count) kinds of network, \
            seed \(Self.seed); settled after \(Self.whole(settled)) s
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
            for id in channels[index] { _ = try await keeper.client.channel(id).messages(limit: 100) }
        }
        return channels
    }

    /// Reads one of the channels with something unread, up to its end.
    private static func read(_ keeper: Keeper, _ chance: UInt64) async throws {
        let unread = try await keeper.store.channels(limit: .max).filter { $0.unread ?? 0 > 0 }
        guard chance % 4 == 0, let channel = unread.first else { return }
        try await keeper.client.channel(channel.channel).read(upTo: channel.seq)
    }

    private static func whole(_ duration: Duration) -> Int { Int(duration / .seconds(1)) }

    private static func percent(_ share: Double) -> Double { (share * 1_000).rounded() / 10 }
}
