import Foundation
import RoostCore
import RoostTesting
import RoostWire
import Testing

@testable import RoostServer

/// People without an account who talk to the user of a key.
@Suite(.timeLimit(.minutes(1))) struct VisitsTests {
    private static let key = "roost-key-" + String(repeating: "5", count: 64)
    private static let address = "192.0.2.1"

    /// Runs a server with the user `support`, and a key for visitors to it.
    private static func run(
        clock: TestClock = TestClock(now: LiveServer.now), _ body: (LiveServer) async throws -> Void
    ) async throws {
        try await LiveServer.run(clock: clock) {
            $0.isDevelopment = false
            $0.isBehindProxy = true
        } _: { server in
            let support = try await RawClient.webSocket(server.port)
            try await support.hello(token: try await token("support"))
            try await create(key, ["visitors"], of: "support", on: server)
            try await body(server)
            await support.close()
        }
    }

    private static func token(
        _ user: String, isOperator: Bool = false, now: Int64 = LiveServer.now
    ) async throws -> String {
        try await TokenIssuer(secret: LiveServer.secret).issue(
            userID: try #require(UserID(rawValue: user)), isOperator: isOperator, ttl: 3_600, now: now)
    }

    @discardableResult
    private static func ask(
        _ server: LiveServer, _ name: String, _ body: String, token: String? = nil, from address: String = address
    ) async throws -> RawAnswer {
        var headers = ["X-Forwarded-For: \(address)", "Idempotency-Key: t-\(UInt64.random(in: 0...UInt64.max))"]
        if let token { headers.append("Authorization: Bearer \(token)") }
        return try await server.ask("/v1/\(name)", headers, method: "POST", body: body)
    }

    @discardableResult
    private static func create(
        _ key: String, _ scopes: [String], of user: String, on server: LiveServer
    ) async throws -> RawAnswer {
        let names = scopes.map { "\"\($0)\"" }.joined(separator: ",")
        return try await ask(
            server, "key.create",
            """
            {"key":"k\(key.suffix(4))\(scopes.count)","hash":"\(TokenVerifier.hash(ofKey: key))","scopes":[\(names)],\
            "userID":"\(user)"}
            """, token: try await token("boss", isOperator: true))
    }

    private static func start(
        _ server: LiveServer, key: String = key, name: String? = nil, token: String? = nil,
        from address: String = address
    ) async throws -> RawAnswer {
        let body = try WireCodec.encode(StartVisit(key: key, name: name, token: token))
        return try await ask(server, StartVisit.name, String(decoding: body, as: UTF8.self), from: address)
    }

    private static func visit(_ answer: RawAnswer) throws -> StartVisit.Answer {
        try #require(answer.status == 200, "\(answer.text)")
        return try WireCodec.decode(StartVisit.Answer.self, from: answer.body)
    }

    @Test func `a visitor talks to the user of the key, and both see it`() async throws {
        try await Self.run { server in
            let visit = try Self.visit(try await Self.start(server, name: "Kim"))
            #expect(visit.host.rawValue == "support" && visit.channel == ChannelID(single: visit.userID, visit.host))
            let visitor = try await RawClient.webSocket(server.port)
            #expect(try await visitor.hello(token: visit.token).contains(#""name":"Kim""#))
            try await visitor.write(
                RawClient.command("t0", "channel.create", #"{"kind":"single","members":["support"]}"#))
            #expect(!(try await visitor.answer("t0")).contains(#""error""#))
            try await visitor.write(
                RawClient.command("t1", "message.send", #"{"channel":"\#(visit.channel)","text":"Is it open?"}"#))
            #expect(try await visitor.answer("t1").contains(#""seq":1"#))
            let list = try await Self.ask(
                server, "message.list", #"{"channel":"\#(visit.channel)"}"#, token: try await Self.token("support"))
            #expect(list.text.contains("Is it open?") && list.text.contains(#""senderName":"Kim""#))
            let reply = try await Self.ask(
                server, "message.send", #"{"channel":"\#(visit.channel)","text":"Until eight."}"#,
                token: try await Self.token("support"))
            #expect(reply.status == 200)
            let seen = try await Self.ask(
                server, "message.list", #"{"channel":"\#(visit.channel)"}"#, token: visit.token)
            #expect(seen.text.contains("Until eight."))
            await visitor.close()
        }
    }

    @Test func `whatever else a visitor tries is refused, over HTTP and over a WebSocket`() async throws {
        try await Self.run { server in
            let visit = try Self.visit(try await Self.start(server))
            let bob = try await RawClient.webSocket(server.port)
            try await bob.hello(token: try await Self.token("bob"))
            for (name, body) in [
                ("channel.create", #"{"kind":"open","channel":"lobby","title":"Lobby"}"#),
                ("message.send", #"{"channel":"lobby","text":"for all"}"#),
            ] {
                try await Self.ask(server, name, body, token: try await Self.token("bob"))
            }
            let me = visit.userID.rawValue
            let attempts = [
                ("message.send", #"{"channel":"\#(ChannelID(single: visit.userID, Cast.bob.userID))","text":"x"}"#),
                ("message.send", #"{"channel":"lobby","text":"x"}"#),
                (
                    "message.sendMany",
                    #"{"channels":["\#(visit.channel)","lobby"],"messages":[{"type":"text","text":"x"}]}"#
                ),
                ("message.list", #"{"channel":"lobby"}"#), ("channel.get", #"{"channel":"lobby"}"#),
                ("member.list", #"{"channel":"lobby"}"#), ("channel.join", #"{"channel":"lobby"}"#),
                ("channel.listOpen", "{}"), ("channel.create", #"{"kind":"group","title":"x","members":["support"]}"#),
                ("channel.create", #"{"kind":"single","members":["bob"]}"#),
                ("channel.create", #"{"kind":"single","members":["support","bob"]}"#),
                ("member.invite", #"{"channel":"\#(visit.channel)","members":["bob"]}"#),
                ("user.get", #"{"userIDs":["bob"]}"#), ("user.find", #"{"userIDs":["bob"]}"#),
                ("message.forward", #"{"channel":"\#(visit.channel)","messageIDs":[],"channels":["lobby"]}"#),
                ("typing.start", #"{"channel":"lobby"}"#), ("readMark.set", #"{"channel":"lobby","seq":1}"#),
                (
                    "schedule.create",
                    #"{"channels":["\#(visit.channel)"],"messages":[{"type":"text","text":"x"}],"sendAt":1}"#
                ),
                ("report.create", #"{"channel":"lobby","text":"x"}"#), ("news.list", "{}"),
                ("account.set", #"{"userID":"\#(me)","password":"correct horse battery"}"#),
                ("account.get", "{}"), ("login.end", "{}"), ("user.delete", #"{"userID":"\#(me)"}"#),
                ("key.list", "{}"), ("push.test", #"{"userID":"\#(me)"}"#),
            ]
            let socket = try await RawClient.webSocket(server.port)
            try await socket.hello(token: visit.token)
            for (index, (name, body)) in attempts.enumerated() {
                let answer = try await Self.ask(server, name, body, token: visit.token)
                #expect(
                    answer.error?.entry == (name == "channel.join" ? .functionUnavailable : .noPrivilege),
                    "\(name) \(body): \(answer.text)")
                try await socket.write(RawClient.command("t\(index)", name, body))
                #expect(try await socket.answer("t\(index)").contains(#""code":1107"#), "\(name) \(body)")
            }
            // An open channel that is named on the way in is left out.
            try await socket.write(RawClient.command("r", "resume", #"{"channels":[{"channel":"lobby","seq":0}]}"#))
            #expect(!(try await socket.answer("r")).contains("lobby"))
            await socket.close()
            await bob.close()
        }
    }

    @Test func `no login that lasts longer comes of the token of a visitor`() async throws {
        try await Self.run { server in
            let visit = try Self.visit(try await Self.start(server))
            let host = "127.0.0.1:\(server.port)"
            let kept = try await server.ask(
                "/v1/refresh/start", ["Host: \(host)", "Origin: http://\(host)", "Sec-Fetch-Site: same-origin"],
                method: "POST", body: #"{"token":"\#(visit.token)"}"#)
            #expect(kept.error?.entry == .noPrivilege)
            let code = try await Self.ask(server, "account.logIn", #"{"code":"\#(visit.token)"}"#)
            #expect(code.status != 200)
        }
    }

    @Test func `with the token of before a visitor stays who it is, with the key of somebody else it does not`()
        async throws
    {
        let clock = TestClock(now: LiveServer.now)
        try await Self.run(clock: clock) { server in
            let first = try Self.visit(try await Self.start(server, name: "Kim"))
            clock.advance(by: 20 * 86_400_000)
            let second = try Self.visit(try await Self.start(server, token: first.token))
            #expect(second.userID == first.userID && second.expiresAt > first.expiresAt)
            #expect(second.token != first.token)
            let other = try Self.visit(try await Self.start(server))
            #expect(other.userID != first.userID)
            clock.advance(by: 31 * 86_400_000)
            #expect(try await Self.start(server, token: second.token).error?.entry == .tokenExpired)
        }
    }

    @Test func `only a valid key with this scope opens a visit, and it opens nothing else`() async throws {
        try await Self.run { server in
            let other = "roost-key-" + String(repeating: "6", count: 64)
            #expect(try await Self.create(other, ["messages"], of: "support", on: server).status == 200)
            let unknown = "roost-key-" + String(repeating: "7", count: 64)
            for key in [other, unknown, "", "x", Self.key.uppercased(), "roost-key-"] {
                #expect(try await Self.start(server, key: key).error?.entry == .wrongCredentials, "\(key)")
            }
            // A key that is public must be good for nothing else.
            #expect(
                try await Self.create(unknown, ["visitors", "messages"], of: "support", on: server).error?.entry
                    == .dataFormat)
            for (name, body) in [("unread.get", "{}"), ("user.find", #"{"userIDs":["bob"]}"#), ("key.list", "{}")] {
                #expect(
                    try await Self.ask(server, name, body, token: Self.key).error?.entry == .noPrivilege, "\(name)")
            }
            // The token of a user is none of a visitor, nor is that of a visitor to somebody else.
            #expect(
                try await Self.start(server, token: try await Self.token("bob")).error?.entry == .wrongCredentials)
            let bob = try await RawClient.webSocket(server.port)
            try await bob.hello(token: try await Self.token("bob"))
            let second = "roost-key-" + String(repeating: "8", count: 64)
            #expect(try await Self.create(second, ["visitors"], of: "bob", on: server).status == 200)
            let visit = try Self.visit(try await Self.start(server, key: second))
            #expect(try await Self.start(server, token: visit.token).error?.entry == .wrongCredentials)
            for name in ["", "\u{0007}", String(repeating: "x", count: 201)] {
                #expect(try await Self.start(server, name: name).error?.entry == .dataFormat)
            }
            await bob.close()
        }
    }

    @Test func `a key that was revoked opens no new visit, and a banned visitor does not come back`() async throws {
        try await Self.run { server in
            let visit = try Self.visit(try await Self.start(server))
            let visitor = try await RawClient.webSocket(server.port)
            try await visitor.hello(token: visit.token)
            let boss = try await Self.token("boss", isOperator: true)
            let ban = try await Self.ask(
                server, "user.setAccess", #"{"userID":"\#(visit.userID)","canChat":false}"#, token: boss)
            #expect(ban.status == 200)
            #expect(try await visitor.closeCode() == CloseCode.banned.rawValue)
            #expect(try await Self.start(server, token: visit.token).error?.entry == .userBanned)
            let name = "k\(Self.key.suffix(4))1"
            #expect(try await Self.ask(server, "key.revoke", #"{"key":"\#(name)"}"#, token: boss).status == 200)
            #expect(try await Self.start(server).error?.entry == .wrongCredentials)
        }
    }

    @Test func `a network begins twenty visits in a quarter of an hour, others begin theirs`() async throws {
        let clock = TestClock(now: LiveServer.now)
        try await Self.run(clock: clock) { server in
            for _ in 0..<20 { _ = try Self.visit(try await Self.start(server)) }
            let refused = try await Self.start(server)
            #expect(refused.status == 429 && refused.error?.entry == .tooManyRequests)
            _ = try Self.visit(try await Self.start(server, from: "192.0.2.2"))
            clock.advance(by: 900_000)
            _ = try Self.visit(try await Self.start(server))
        }
    }

    @Test func `wrong keys of other networks keep nobody from a visit`() async throws {
        try await Self.run { server in
            for network in 0..<30 {
                for _ in 0..<20 {
                    let refused = try await Self.start(server, key: "roost-key-", from: "192.0.\(network).1")
                    #expect(refused.error?.entry == .wrongCredentials)
                }
            }
            _ = try Self.visit(try await Self.start(server, from: "198.51.100.1"))
        }
    }

    @Test func `news and broadcasts to everybody reach no visitor, and nobody takes one into a group`() async throws {
        try await Self.run { server in
            let boss = try await Self.token("boss", isOperator: true)
            let support = try await RawClient.webSocket(server.port)
            try await support.hello(token: try await Self.token("support"))
            func make(_ channel: String) async throws {
                let body = #"{"kind":"corporateNews","channel":"\#(channel)","title":"News"}"#
                #expect(try await Self.ask(server, "channel.create", body, token: boss).status == 200)
                // Users are subscribed in the order of their ids, so that a visitor would be by now, too.
                while let frame = try await support.frame() {
                    if frame.text.contains("channel.joined"), frame.text.contains(channel) { break }
                }
            }
            try await make("before")
            let visit = try Self.visit(try await Self.start(server))
            let visitor = try await RawClient.webSocket(server.port)
            try await visitor.hello(token: visit.token)
            try await make("after")
            let list = try await Self.ask(server, "channel.list", "{}", token: visit.token)
            #expect(list.status == 200 && !list.text.contains("before") && !list.text.contains("after"))

            let broadcast = try await Self.ask(
                server, "broadcast.create",
                #"{"segment":{"kind":"everybody"},"senderID":"boss","messages":[{"type":"text","text":"Hi"}]}"#,
                token: boss)
            #expect(broadcast.text.contains(#""users":1"#), "\(broadcast.text)")

            for (name, body) in [
                ("channel.create", #"{"kind":"group","title":"x","members":["VISITOR"]}"#),
                ("channel.create", #"{"kind":"single","members":["VISITOR"]}"#),
            ] {
                let answer = try await Self.ask(
                    server, name, body.replacing("VISITOR", with: visit.userID.rawValue), token: boss)
                #expect(answer.error?.entry == .noPrivilege, "\(name): \(answer.text)")
            }
            let own = try await Self.ask(
                server, "channel.create", #"{"kind":"single","members":["\#(visit.userID)"]}"#,
                token: try await Self.token("support"))
            #expect(own.status == 200)
            let invited = try await Self.ask(
                server, "member.invite", #"{"channel":"\#(visit.channel)","members":["boss"]}"#,
                token: try await Self.token("support"))
            #expect(invited.error?.entry == .noPrivilege, "\(invited.text)")
            await visitor.close()
            await support.close()
        }
    }

    @Test func `all files of a visitor have ten mebibytes`() async throws {
        try await Self.run { server in
            let visit = try Self.visit(try await Self.start(server))
            func create(_ size: Int) async throws -> RawAnswer {
                try await Self.ask(server, "file.create", #"{"name":"a.png","size":\#(size)}"#, token: visit.token)
            }
            #expect(try await create(8 << 20).status == 200)
            #expect((try await create(3 << 20)).error?.entry == .limitReached)
            #expect(try await create(2 << 20).status == 200)
        }
    }
}
