import RoostServer
import RoostTesting
import RoostWire
import Testing

/// Connections whose token expires.
@Suite(.timeLimit(.minutes(1))) struct SessionTokensTests {
    private static func token(
        _ user: String = "ann", ttl: Int64 = 3_600, now: Int64, isOperator: Bool = false
    ) async throws -> String {
        let issuer = try await TokenIssuer(secret: LiveServer.secret)
        let userID = try #require(UserID(rawValue: user))
        return try await issuer.issue(userID: userID, isOperator: isOperator, ttl: ttl, now: now)
    }

    /// Runs a server whose clock the test advances; only the token can end a connection.
    private static func run(
        limits: Limits = .withoutRates, _ body: (LiveServer, TestClock) async throws -> Void
    ) async throws {
        let clock = TestClock(now: LiveServer.now)
        try await LiveServer.run(heartbeat: 500, limits: limits, clock: clock) {
            $0.pingGrace = 600_000
        } _: {
            try await body($0, clock)
        }
    }

    private static func renewal(_ id: String, _ token: String) -> [UInt8] {
        RawClient.command(id, "session.renew", #"{"token":"\#(token)"}"#)
    }

    private static func expiring(_ time: Int64) -> String {
        #"{"body":{"expiresAt":\#(time)},"event":"session.expiring"}"#
    }

    /// The frames received during this many heartbeats. Two of them start after the call.
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

    /// The received close frame, with one error before it.
    private static func close(of client: RawClient) async throws -> RawClient.Frame {
        var errors: [String] = []
        while true {
            let frame = try #require(try await client.frame())
            if frame.opcode == 8 {
                let isExpired = errors.first?.contains(#""code":7002,"name":"tokenExpired""#)
                #expect(errors.count == 1 && isExpired == true, "\(errors)")
                return frame
            }
            if frame.text.contains(#""error""#) { errors.append(frame.text) }
        }
    }

    @Test func `a connection ends at the time given in its welcome, with an error and a reason`() async throws {
        try await Self.run { server, clock in
            let client = try await RawClient.webSocket(server.port)
            let welcome = try await client.hello(token: Self.token(now: clock.now))
            // One hour, and the allowed clock difference of one minute.
            #expect(welcome.contains(#""expiresAt":\#(clock.now + 3_660_000)}"#))
            // While the clock does not advance, the token is valid, however many heartbeats pass.
            #expect(try await Self.texts(client).isEmpty)
            clock.advance(by: 3_659_999)
            // Sent late, because the clock has jumped.
            #expect(try await Self.texts(client) == [Self.expiring(clock.now + 1)])
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

    // MARK: Renewing

    @Test func `a client is warned a minute before expiry and continues with a new token on the same connection`()
        async throws
    {
        try await Self.run { server, clock in
            let client = try await RawClient.webSocket(server.port)
            try await client.hello(token: Self.token(now: clock.now))
            var end = clock.now + 3_660_000
            for round in 1...3 {
                clock.advance(by: end - 60_001 - clock.now)
                #expect(try await Self.texts(client).isEmpty)
                clock.advance(by: 1)
                #expect(try await Self.texts(client) == [Self.expiring(end)])
                let token = try await Self.token(now: clock.now)
                try await client.write(Self.renewal("n\(round)", token))
                let next = clock.now + 3_660_000
                #expect(try await client.answer("n\(round)") == #"{"id":"n\#(round)","result":{"expiresAt":\#(next)}}"#)
                clock.advance(by: end + 1 - clock.now)
                #expect(try await Self.texts(client).isEmpty)
                end = next
            }
            try await client.write(RawClient.command("u", "unread.get", "{}"))
            #expect(try await client.answer("u").contains(#""result""#))
            clock.advance(by: end - clock.now)
            #expect(try await Self.close(of: client).closeCode == 4401)
        }
    }

    @Test func `renewing with the same token has no effect and causes no further warning`() async throws {
        try await Self.run { server, clock in
            let token = try await Self.token(now: clock.now)
            let end = clock.now + 3_660_000
            let client = try await RawClient.webSocket(server.port)
            try await client.hello(token: token)
            clock.advance(by: end - 30_000 - clock.now)
            #expect(try await Self.texts(client) == [Self.expiring(end)])
            // Also twice with the same id.
            for id in ["n", "n", "m"] {
                try await client.write(Self.renewal(id, token))
                #expect(try await client.answer(id) == #"{"id":"\#(id)","result":{"expiresAt":\#(end)}}"#)
            }
            #expect(try await Self.texts(client).isEmpty)
            clock.advance(by: 30_000)
            #expect(try await Self.close(of: client).closeCode == 4401)
        }
    }

    @Test func `a refused renewal is answered with its id, and the connection continues until its token expires`()
        async throws
    {
        try await Self.run { server, clock in
            let client = try await RawClient.webSocket(server.port)
            try await client.hello(token: Self.token(now: clock.now))
            let good = try await Self.token(now: clock.now)
            let refused: [(body: String, code: Int, says: String)] = [
                (#"{"token":"YQ.YQ.YQ"}"#, 1, "its header"),
                (#"{"token":""}"#, 1, "three parts"),
                (#"{"token":"\#(String(repeating: "A", count: 60_000))"}"#, 1, "at most 4096 bytes"),
                (#"{"token":"\#(good.dropLast(3))AAA"}"#, 1, "signature"),
                (#"{"token":"\#(try await Self.token(now: clock.now - 7_200_000))"}"#, 7002, "exp"),
                (#"{"token":"\#(try await Self.token(now: clock.now + 7_200_000))"}"#, 1, "iat"),
                (#"{"token":"\#(try await Self.token("bob", now: clock.now))"}"#, 6000, "another user"),
                (
                    #"{"token":"\#(try await Self.token("bob", now: clock.now, isOperator: true))"}"#, 6000,
                    "another user"
                ),
                ("{}", 6, "token"), (#"{"token":null}"#, 6, "token"), (#"{"token":["a"]}"#, 6, "token"),
            ]
            for (number, refusal) in refused.enumerated() {
                try await client.write(RawClient.command("n\(number)", "session.renew", refusal.body))
                let answer = try await client.answer("n\(number)")
                #expect(answer.contains(#""error":{"code":\#(refusal.code),"#), "\(number): \(answer)")
                #expect(answer.contains(refusal.says), "\(number): \(answer)")
            }
            clock.advance(by: 3_659_999)
            #expect(try await Self.texts(client) == [Self.expiring(clock.now + 1)])
            clock.advance(by: 1)
            #expect(try await Self.close(of: client).closeCode == 4401)
        }
    }

    @Test func `a guest cannot renew a session with any token`() async throws {
        try await Self.run { server, clock in
            let client = try await RawClient.webSocket(server.port)
            try await client.hello("ann")
            for token in ["a.b.c", try await Self.token(now: clock.now), try await Self.token("bob", now: clock.now)] {
                try await client.write(Self.renewal("n", token))
                #expect(try await client.answer("n").contains(#""code":7,"#))
            }
            try await client.write(RawClient.command("u", "unread.get", "{}"))
            #expect(try await client.answer("u").contains(#""result""#))
        }
    }

    @Test func `the commands behind a renewal have the rights of its token, those before it the old ones`() async throws
    {
        try await Self.run { server, clock in
            let client = try await RawClient.webSocket(server.port)
            try await client.hello(token: Self.token(now: clock.now))
            func create(_ id: String) -> [UInt8] {
                RawClient.command(id, "channel.create", #"{"kind":"publicNews","channel":"\#(id)"}"#)
            }
            let boss = try await Self.token(now: clock.now, isOperator: true)
            let ann = try await Self.token(now: clock.now)
            // In one write, so that the later ones wait for the earlier ones in the server.
            try await client.write(
                create("a") + Self.renewal("n1", boss) + create("b") + create("c") + Self.renewal("n2", ann)
                    + create("d") + Self.renewal("n3", "a.b.c") + create("e"))
            for (id, says) in [
                ("a", #""code":1107,"#), ("n1", #""result""#), ("b", #""result""#), ("c", #""result""#),
                ("n2", #""result""#), ("d", #""code":1107,"#), ("n3", #""code":1,"#), ("e", #""code":1107,"#),
            ] {
                #expect(try await client.answer(id).contains(says), "\(id)")
            }
        }
    }

    @Test func `renewals count as commands`() async throws {
        let limits = Limits(sendsPerSecond: 0, channelSendsPerSecond: 0, commandsPerSecond: 1, commandBurst: 3)
        try await Self.run(limits: limits) { server, clock in
            let client = try await RawClient.webSocket(server.port)
            try await client.hello(token: Self.token(now: clock.now))
            let token = try await Self.token(now: clock.now)
            for round in 1...5 {
                try await client.write(Self.renewal("n\(round)", token))
                let answer = try await client.answer("n\(round)")
                #expect(answer.contains(round <= 3 ? #""result""# : #""code":1004,"#), "\(answer)")
            }
            clock.advance(by: 1_000)
            try await client.write(Self.renewal("again", token))
            #expect(try await client.answer("again").contains(#""result""#))
        }
    }
}
