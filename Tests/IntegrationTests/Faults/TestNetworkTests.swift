import RoostClient
import RoostTesting
import RoostWire
import Testing

/// The server and the network that apps use in their tests.
@Suite(.serialized, .seeded, .firstPassOnly, .timeLimit(.minutes(1))) struct TestNetworkTests {
    /// Waits until the client reports this state of its connection.
    private func wait(_ client: ChatClient, for state: ConnectionState) async throws {
        for await now in client.states where now == state { return }
        throw ExpectationFailure(description: "never \(state)")
    }

    @Test func `messages written without a network wait, and are sent once when it is back`() async throws {
        let server = try await TestServer.start()
        let network = try await TestNetwork.start(to: server, seed: SeededNumbers.seed)
        let ann = try await network.client(Cast.ann)
        let bob = try await server.client(Cast.bob)
        let events = bob.events()
        let chat = try await ann.startMessaging(with: Cast.bob.userID).channel
        try await network.become(.offline)
        try await wait(ann, for: .connecting)
        var pending: [PendingMessage] = []
        for number in 1...3 { pending.append(ann.channel(chat).enqueue("\(number)")) }
        try await network.become(.healthy)
        ann.networkChanged(isUsable: true)
        for message in pending { _ = try await message.sent }
        var texts: [String] = []
        for await case .event(let event, _) in events {
            guard case .channel(.messageSent(let message)) = event.body else { continue }
            texts.append(message.text)
            if texts.count == 3 { break }
        }
        #expect(texts == ["1", "2", "3"])
        for client in [ann, bob] { await client.disconnect() }
        await network.stop()
        await server.stop()
    }

    @Test(arguments: [
        TestNetwork.Condition.slow(latencyMs: 20, bytesPerSecond: 20_000), .inPieces, .healthy,
    ])
    func `messages pass on a network that is bad but there`(condition: TestNetwork.Condition) async throws {
        let server = try await TestServer.start()
        let network = try await TestNetwork.start(to: server, seed: SeededNumbers.seed)
        try await network.become(condition)
        let ann = try await network.client(Cast.ann)
        let bob = try await server.client(Cast.bob)
        let chat = try await ann.startMessaging(with: Cast.bob.userID).channel
        try await ann.channel(chat).send("hello")
        let texts = try await bob.channel(chat).history(from: .server).events.compactMap { event in
            if case .channel(.messageSent(let message)) = event.body { message.text } else { nil }
        }
        #expect(texts == ["hello"])
        try await network.cut()
        try await ann.channel(chat).send("again")
        for client in [ann, bob] { await client.disconnect() }
        await network.stop()
        await server.stop()
    }

    @Test func `a script runs to its end, and no client can connect while the network is silent or captive`()
        async throws
    {
        let server = try await TestServer.start()
        let network = try await TestNetwork.start(to: server, seed: SeededNumbers.seed)
        let ann = try await network.client(Cast.ann)
        for condition in [TestNetwork.Condition.captive, .offline] {
            try await network.become(condition)
            let other = try network.disconnectedClient(Cast.bob)
            await #expect(throws: RoostError.self) { try await other.connect() }
        }
        try await network.play([
            (.silent, for: .milliseconds(20)), (.offline, for: .milliseconds(20)), (.healthy, for: .zero),
        ])
        ann.networkChanged(isUsable: true)
        try await wait(ann, for: .live)
        _ = try await network.client(Cast.bob)
        await network.stop()
        await server.stop()
    }
}
