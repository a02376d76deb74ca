import RoostServer
import RoostTesting
import RoostWire
import Testing

/// What becomes of a connection whose token has an end.
@Suite(.timeLimit(.minutes(1))) struct SessionTokensTests {
    private static func token(
        _ user: String = "ann", ttl: Int64 = 3_600, now: Int64, isOperator: Bool = false
    ) async throws -> String {
        let issuer = try await TokenIssuer(secret: LiveServer.secret)
        let userID = try #require(UserID(rawValue: user))
        return try await issuer.issue(userID: userID, isOperator: isOperator, ttl: ttl, now: now)
    }

    /// Runs a server whose clock the test moves; nothing but the token can end a connection.
    private static func run(_ body: (LiveServer, TestClock) async throws -> Void) async throws {
        let clock = TestClock(now: LiveServer.now)
        try await LiveServer.run(heartbeat: 500, clock: clock) {
            $0.pingGrace = 600_000
        } _: {
            try await body($0, clock)
        }
    }

    /// What comes until so many heartbeats have gone by. Two of them begin after the call.
    private static func texts(_ client: RawClient, pings: Int = 3) async throws -> [String] {
        var texts: [String] = []
        var count = 0
        while count < pings {
            let frame = try #require(try await client.frame())
            try #require(frame.opcode != 8, "\(frame.closeReason)")
            if frame.opcode == 9 { count += 1 } else { texts.append(frame.text) }
        }
        return texts
    }

    /// The close that comes, with no error before it.
    private static func close(of client: RawClient) async throws -> RawClient.Frame {
        while true {
            let frame = try #require(try await client.frame())
            #expect(!frame.text.contains(#""error""#))
            if frame.opcode == 8 { return frame }
        }
    }

    @Test func `a connection ends at the moment that its welcome told, with a reason and without an error`()
        async throws
    {
        try await Self.run { server, clock in
            let client = try await RawClient.webSocket(server.port)
            let welcome = try await client.hello(token: Self.token(now: clock.now))
            // An hour, and the minute by which clocks may differ.
            #expect(welcome.contains(#""expiresAt":\#(clock.now + 3_660_000)}"#))
            // While the clock stands the token is good, however many heartbeats go by.
            #expect(try await Self.texts(client).isEmpty)
            clock.advance(by: 3_659_999)
            _ = try await Self.texts(client)
            clock.advance(by: 1)
            let close = try await Self.close(of: client)
            #expect(close.closeCode == 4401)
            #expect(close.closeReason == "token expired")
        }
    }

    @Test func `a token within its last minute logs in, and the same one no more when that is over`() async throws {
        try await Self.run { server, clock in
            let token = try await Self.token(now: clock.now)
            clock.advance(by: 3_659_000)
            let client = try await RawClient.webSocket(server.port)
            let welcome = try await client.hello(token: token)
            #expect(welcome.contains(#""expiresAt":\#(clock.now + 1_000)}"#))
            _ = try await Self.texts(client)
            clock.advance(by: 1_000)
            #expect(try await client.closeCode() == 4401)
            let again = try await RawClient.webSocket(server.port)
            #expect(try await again.hello(token: token).contains(#""code":7002,"#))
            #expect(try await again.closeCode() == 4401)
        }
    }

    @Test func `the connection of a guest has no end`() async throws {
        try await Self.run { server, clock in
            let client = try await RawClient.webSocket(server.port)
            #expect(try await !client.hello("ann").contains("expiresAt"))
            clock.advance(by: 10 * 365 * 86_400_000)
            #expect(try await Self.texts(client).isEmpty)
        }
    }
}
