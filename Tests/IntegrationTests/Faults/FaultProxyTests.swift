import RoostClient
import RoostTesting
import RoostWire
import Testing

/// The simulated network of the reliability tests behaves as its profile says.
@Suite(.serialized, .seeded, .firstPassOnly, .timeLimit(.minutes(1))) struct FaultProxyTests {
    private func person(_ proxy: FaultProxy, _ user: User, endpoint: Int = 0) throws -> RecordingClient {
        try RecordingClient(proxy.url(endpoint: endpoint), .guest(user.userID), device: "d", positions: nil)
    }

    @Test(arguments: [
        FaultProfile { $0.jitter = .milliseconds(20) }, FaultProfile { $0.chunkBytes = 1 },
        FaultProfile { $0.bytesPerSecond = 100_000 },
    ])
    func `bytes keep their order`(profile: FaultProfile) async throws {
        let harness = try await ServerHarness()
        let proxy = try await FaultProxy.start(
            to: harness.port, endpoints: 2, seed: SeededNumbers.seed, profile: profile)
        let (ann, bob) = (try person(proxy, Cast.ann), try person(proxy, Cast.bob, endpoint: 1))
        for person in [ann, bob] {
            try await person.connect()
            try await person.channel(Cast.lobby).join()
        }
        let numbers = (1...50).map { "\($0)" }
        let pending = numbers.map { ann.channel(Cast.lobby).enqueue($0) }
        for send in pending { _ = try await send.sent }
        try await bob.message("50")
        #expect(bob.texts(in: Cast.lobby) == numbers)
        #expect(proxy.attempts(endpoint: 0).count == 1 && proxy.attempts(endpoint: 1).count == 1)
        try await proxy.stop()
        harness.stop()
    }

    @Test(arguments: [
        FaultProfile { $0.admission = .captivePage }, FaultProfile { $0.admission = .refuse },
        FaultProfile { $0.admission = .swallow },
    ])
    func `a network that does not reach the server is an error, and once repaired it works again`(
        profile: FaultProfile
    ) async throws {
        let harness = try await ServerHarness()
        let proxy = try await FaultProxy.start(to: harness.port, seed: SeededNumbers.seed, profile: profile)
        var configuration = ClientConfiguration(
            server: proxy.url(), credentials: .guest(Cast.ann.userID), deviceID: try #require(DeviceID(rawValue: "d")))
        configuration.connectTimeout = .milliseconds(300)
        let client = ChatClient(configuration: configuration)
        #expect(await refusal { () throws(RoostError) in try await client.connect() } == .unreachable)
        #expect(proxy.openSince() == nil)
        try await proxy.use(.healthy)
        #expect(proxy.openSince() != nil)
        configuration.connectTimeout = .seconds(30)
        let again = ChatClient(configuration: configuration)
        try await again.connect()
        await again.disconnect()
        try await proxy.stop()
        harness.stop()
    }

    @Test(arguments: [ConnectionFault.close, .reset])
    func `a connection that ends is made again`(fault: ConnectionFault) async throws {
        let harness = try await ServerHarness()
        let proxy = try await FaultProxy.start(to: harness.port, seed: SeededNumbers.seed)
        let ann = try person(proxy, Cast.ann)
        try await ann.connect()
        let mark = ann.mark
        try await proxy.use(
            FaultProfile {
                $0.life = .milliseconds(1)...(.milliseconds(2))
                $0.fault = fault
            })
        try await ann.wait("the loss", since: mark) { if case .disconnected = $0 { true } else { false } }
        try await proxy.use(.healthy)
        try await ann.wait("the next connection", since: mark) { if case .connected = $0 { true } else { false } }
        #expect(proxy.faultCounts[fault] ?? 0 > 0)
        let again = ann.mark
        try await proxy.cutAll()
        try await ann.wait("another one", since: again) { if case .connected = $0 { true } else { false } }
        await ann.client.disconnect()
        try await proxy.stop()
        harness.stop()
    }

    @Test(arguments: [ConnectionFault.blackHole, .halfOpen])
    func `a dead connection is silent and does not count as open until it is abandoned`(fault: ConnectionFault)
        async throws
    {
        let harness = try await ServerHarness()
        let proxy = try await FaultProxy.start(to: harness.port, seed: SeededNumbers.seed)
        let ann = try person(proxy, Cast.ann)
        try await ann.connect()
        try await ann.channel(Cast.lobby).join()
        let mark = ann.mark
        try await proxy.use(
            FaultProfile {
                $0.life = .milliseconds(1)...(.milliseconds(2))
                $0.fault = fault
            })
        while proxy.openSince() != nil { try await proxy.pass(.milliseconds(1)) }
        try await proxy.use(.healthy)
        #expect(proxy.openSince() == nil)
        let pending = ann.channel(Cast.lobby).enqueue("late")
        ann.client.networkChanged(isUsable: false)
        ann.client.networkChanged(isUsable: true)
        _ = try await pending.sent
        #expect(proxy.openSince() != nil)
        try await ann.wait("the next connection", since: mark) { if case .connected = $0 { true } else { false } }
        await ann.client.disconnect()
        try await proxy.stop()
        harness.stop()
    }
}
