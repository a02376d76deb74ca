import RoostClient
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// Twenty users on one bad network: T23 of the reliability plan.
///
/// `ROOST_FLAKY_SECONDS` sets the duration (15, or 300 in the long version), `ROOST_SEED` the choices; `dev/flaky`
/// runs the long version.
@Suite(.serialized, .seeded, .firstPassOnly) struct FlakyTests {
    private static let seconds = environmentNumber("ROOST_FLAKY_SECONDS") ?? TestLength.rounds(15, long: 300)
    /// The number of passes through all kinds of networks.
    private static let laps = max(1, seconds / 60)
    /// The approximate duration of each of the ten kinds, in quarters of a second.
    private static let steps = max(2, seconds * 4 / laps / 10)
    /// The lifetime of a connection that ends silently: about a fifth of the connections end during that time.
    private static let silentLife = Duration.milliseconds(500)...(.milliseconds(5 * steps * 250))

    /// The first text of each 1-on-1.
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
            $0.fault = .reset
        },
        FaultProfile {
            $0.chunkBytes = 100
            $0.life = .milliseconds(200)...(.seconds(4))
        },
        FaultProfile {
            $0.life = silentLife
            $0.fault = .halfOpen
        },
        FaultProfile {
            $0.life = silentLife
            $0.fault = .blackHole
        },
        FaultProfile { $0.admission = .swallow },
        FaultProfile { $0.admission = .captivePage },
        FaultProfile { $0.admission = .refuse },
    ]

    /// The duration of sends from when the network allowed them.
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
    func `on a flaky network nothing is lost, duplicated or reordered, and every store matches the server`()
        async throws
    {
        let harness = try await ServerHarness()
        let people = 20
        let proxy = try await FaultProxy.start(to: harness.port, endpoints: people, seed: SeededNumbers.seed)
        var devices: [StoreClient] = []
        for number in 0..<people {
            let device = try await StoreClient(
                makeUser("flaky-\(number)"), url: proxy.url(endpoint: number), direct: harness.url,
                store: try LocalStore.inMemory())
            try await device.client.connect()
            devices.append(device)
        }
        let channels = try await Self.makeChannels(devices)
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
                    // The system of a phone informs its apps when the network is back.
                    for device in devices { device.client.networkChanged(isUsable: true) }
                }
                isDown = profile.admission != .relay
                if Int.random(in: 0..<4, using: &random) == 0 { try await proxy.cutAll() }
                for _ in 0..<Int.random(in: Self.steps / 2...Self.steps * 3 / 2, using: &random) {
                    try await proxy.pass(.milliseconds(250))
                    for _ in 0..<2 {
                        let number = Int.random(in: 0..<people, using: &random)
                        let device = devices[number]
                        let channel = channels[number][Int.random(in: channels[number].indices, using: &random)]
                        count += 1
                        sent[channel, default: [:]][device.user.userID, default: []].append("\(count)")
                        let pending = device.client.channel(channel).enqueue("\(count)")
                        let now = ContinuousClock.now
                        sends.append(
                            Task {
                                _ = try await pending.sent
                                let since = proxy.openSince(endpoint: number) ?? .now
                                delays.add(ContinuousClock.now - max(now, since))
                            })
                    }
                    try await Self.read(devices[Int.random(in: 0..<people, using: &random)], random.next())
                }
            }
        }
        let lasted = ContinuousClock.now - start
        let attempts = (0..<people).map { proxy.attempts(endpoint: $0) }
        try await proxy.use(.healthy)
        for send in sends { try await send.value }
        for device in devices { try await device.settle() }
        let settled = ContinuousClock.now - start - lasted

        for (device, own) in zip(devices, channels) {
            let logs = try await device.check()
            #expect(Set(logs.keys) == Set(own))
            for (id, rows) in logs {
                let transIDs = rows.compactMap(\.transID)
                #expect(Set(transIDs).count == transIDs.count, "\(id) has nothing twice")
                for (user, texts) in sent[id] ?? [:] {
                    let stored = rows.filter { $0.senderID == user }.compactMap(\.text).filter { $0 != Self.first }
                    #expect(stored == texts, "what \(user) sent to \(id) is there once and in order")
                }
            }
            #expect(try await device.store.queue().isEmpty)
        }
        for endpoint in attempts {
            #expect(endpoint.count <= Int(lasted / .milliseconds(500)) + 1, "at most one attempt per half a second")
        }
        let gaps = attempts.flatMap { endpoint in zip(endpoint, endpoint.dropFirst()).map { $1 - $0 } }
        print(
            """
            # \(people) clients, \(count) messages in \(Self.whole(lasted)) s of \(Self.profiles.count) kinds of network, \
            seed \(SeededNumbers.seed); settled after \(Self.whole(settled)) s
            # \(Self.percent(delays.share(within: .seconds(5)))) % of sends acknowledged within 5 s of connectivity \
            (goal 95 %), \(Self.percent(delays.share(within: .seconds(1)))) % within 1 s
            # \(attempts.map(\.count).reduce(0, +)) connections, the nearest two of a client \
            \(gaps.min().map { "\($0 / .milliseconds(1))" } ?? "-") ms apart; ended by the network: \(proxy.faultCounts)
            """)
        for device in devices { await device.stop() }
        try await proxy.stop()
        harness.stop()
    }

    /// Creates four groups of all users, and a 1-on-1 of each user with the next. Returns the channels of each user.
    private static func makeChannels(_ devices: [StoreClient]) async throws -> [[ChannelID]] {
        var channels: [[ChannelID]] = Array(repeating: [], count: devices.count)
        let others = devices.dropFirst().map(\.user.userID)
        for number in 0..<4 {
            let group = try await devices[0].client.createGroup(
                channel: channelID("flaky-group-\(number)"), members: others)
            for index in channels.indices { channels[index].append(group.channel) }
        }
        for (index, device) in devices.enumerated() {
            let next = (index + 1) % devices.count
            let single = try await device.client.startMessaging(with: devices[next].user.userID).channel
            // The other user sees it from the first message on.
            try await device.client.channel(single).send(first)
            channels[index].append(single)
            channels[next].append(single)
        }
        for (index, device) in devices.enumerated() {
            for id in channels[index] { _ = try await device.client.channel(id).history(limit: 100) }
        }
        return channels
    }

    /// Reads one of the channels that have unread messages, up to the last one.
    private static func read(_ device: StoreClient, _ chance: UInt64) async throws {
        let unread = try await device.store.channels(limit: .max).filter { $0.unread ?? 0 > 0 }
        guard chance % 4 == 0, let channel = unread.first else { return }
        try await device.client.channel(channel.channel).markRead(upTo: channel.seq)
    }

    private static func whole(_ duration: Duration) -> Int { Int(duration / .seconds(1)) }

    private static func percent(_ share: Double) -> Double { (share * 1_000).rounded() / 10 }
}
