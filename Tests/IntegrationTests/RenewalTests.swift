import RoostClient
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// Tokens that expire, and an SDK client that renews them without help.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(1))) struct RenewalTests {
    /// The lifetime of a connection with a token of one hour.
    private static let life: Int64 = 3_660_000

    private static func start() async throws -> TestServer {
        try await TestServer.start(clock: TestClock(), keeping: [:], heartbeat: 100)
    }

    /// Whether the server treats a client as an operator.
    private static func isOperator(_ client: ChatClient) async throws -> Bool {
        do {
            _ = try await client.perform(ListBroadcasts())
            return true
        } catch {
            guard error.wire?.entry == .noPrivilege else { throw error }
            return false
        }
    }

    @Test func `messages flow over several renewals on one connection`() async throws {
        let server = try await Self.start()
        let count = Mutex(-1)
        let (made, making) = AsyncStream.makeStream(of: Int.self)
        let ann = try server.disconnectedClient(
            Cast.ann,
            credentials: .token {
                // Every second token is an operator's, which shows whether the server uses it.
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                let token = try await server.token(of: Cast.ann, lasting: Self.life, isOperator: number % 2 == 1)
                making.yield(number)
                return token
            })
        let events = ann.events()
        var tokens = made.makeAsyncIterator()
        try await ann.connect()
        #expect(await tokens.next() == 0)
        let bob = try await server.client(Cast.bob)
        let talk = ann.channel(try await ann.startMessaging(with: Cast.bob.userID).channel)
        var texts: [String] = []
        var end = server.clock.now + Self.life
        for round in 1...4 {
            server.clock.advance(by: end - 60_000 - server.clock.now)
            #expect(await tokens.next() == round)
            let isOperator = round % 2 == 1
            let next = server.clock.now + Self.life
            while try await Self.isOperator(ann) != isOperator {}
            try await talk.send("a\(round)")
            // After the previous token has expired.
            server.clock.advance(by: end + 1_000 - server.clock.now)
            try await bob.channel(talk.id).send("b\(round)")
            texts += ["a\(round)", "b\(round)"]
            end = next
        }
        var connections = 0
        var got: [String] = []
        var reader = events.makeAsyncIterator()
        while got.count < texts.count, let event = await reader.next() {
            switch event {
            case .connected: connections += 1
            case .disconnected(let error): Issue.record("disconnected: \(error?.message ?? "")")
            case .event(let event, _):
                if case .channel(.messageSent(let message)) = event.body { got.append(message.text) }
            default: break
            }
        }
        #expect(got == texts)
        #expect(connections == 1)
        #expect(await ann.state == .live)
        for client in [ann, bob] { await client.disconnect() }
        await server.stop()
    }

    @Test func `a token that never changes is asked for in vain, and then the client is offline`() async throws {
        let server = try await Self.start()
        let count = Mutex(0)
        let token = try await server.token(of: Cast.ann, lasting: Self.life)
        let ann = try server.disconnectedClient(
            Cast.ann,
            credentials: .token {
                count.withLock { $0 += 1 }
                return token
            })
        try await ann.connect()
        let states = ann.states
        server.clock.advance(by: Self.life)
        for await state in states where state == .offline { break }
        #expect(count.withLock { $0 } >= 2)
        let error = await #expect(throws: RoostError.self) { try await ann.connect() }
        #expect(error?.code == .refused)
        #expect(error?.wire?.entry == .tokenExpired)
        await server.stop()
    }
}
