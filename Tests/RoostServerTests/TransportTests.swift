import NIOCore
import RoostSQLite
import RoostServer
import RoostTesting
import RoostWire
import Testing

@Suite(.timeLimit(.minutes(1))) struct TransportTests {
    // MARK: WebSocket

    @Test func `a message is acknowledged and reaches everybody in the room`() async throws {
        try await LiveServer.run { server in
            let ann = try await RawClient.webSocket(server.port)
            let bob = try await RawClient.webSocket(server.port)
            let welcome = try await ann.hello("ann")
            #expect(welcome.contains(#""heartbeat":25000"#))
            try await bob.hello("bob")
            for client in [ann, bob] {
                try await client.write(RawClient.command("j", "channel.join", #"{"channel":"lobby"}"#))
                #expect(try await client.answer("j").contains(#""result""#))
            }
            try await ann.write(RawClient.command("t1", "message.send", #"{"channel":"lobby","text":"hi"}"#))
            #expect(try await ann.answer("t1").contains(#""seq":1"#))
            let event = try #require(try await bob.frame())
            #expect(event.text.contains(#""event":"message.sent""#) && event.text.contains(#""text":"hi""#))
            await ann.close()
            await bob.close()
        }
    }

    @Test func `five hundred pipelined sends are answered in their order, and a read after them sees the last`()
        async throws
    {
        try await LiveServer.run { server in
            let ann = try await RawClient.webSocket(server.port)
            try await ann.hello("ann")
            var bytes: [UInt8] = []
            for index in 1...500 {
                bytes += RawClient.command("t\(index)", "message.send", #"{"channel":"lobby","text":"\#(index)"}"#)
            }
            bytes += RawClient.command("r", "message.list", #"{"channel":"lobby","limit":1}"#)
            try await ann.write(bytes)
            for index in 1...500 {
                let frame = try #require(try await ann.frame())
                #expect(frame.text.contains(#"{"id":"t\#(index)","result""#))
                #expect(frame.text.contains(#""seq":\#(index),"#))
            }
            #expect(try await ann.answer("r").contains(#""seq":500"#))
            await ann.close()
        }
    }

    @Test func `a stop completes even if the database hangs, and nothing is acknowledged`() async throws {
        let database = HeldDatabase(try SQLiteDatabase())
        try await LiveServer.run(database: database) {
            $0.finishLimit = 50
        } _: { server in
            let ann = try await RawClient.webSocket(server.port)
            try await ann.hello("ann")
            database.hold()
            try await ann.write(RawClient.command("t", "message.send", #"{"channel":"lobby","text":"hi"}"#))
            await database.waitUntilHeld()
            server.stop()
            var frames: [RawClient.Frame] = []
            while let frame = try await ann.frame() { frames.append(frame) }
            #expect(frames.contains { $0.closeCode == 1012 })
            #expect(!frames.contains { $0.text.contains(#""result""#) })
        }
    }

    @Test func `a stop completes even if a job in the background waits for a database that hangs`() async throws {
        let database = HeldDatabase(try SQLiteDatabase())
        try await LiveServer.run(database: database) {
            $0.finishLimit = 50
            database.hold()
        } _: { server in
            await database.waitUntilHeld()
            server.stop()
        }
    }

    @Test func `a page of another origin is refused before the upgrade`() async throws {
        try await LiveServer.run {
            $0.allowedOrigins = ["https://chat.example.com"]
        } _: { server in
            let own = ["\(LiveServer.scheme)://127.0.0.1:\(server.port)", "https://chat.example.com"].map {
                "Origin: \($0)\r\n"
            }
            for headers in own + [""] {
                await (try RawClient.webSocket(server.port, headers: headers)).close()
            }
            for origin in ["https://evil.example", "null", "http://127.0.0.1", "https://chat.example.com.evil.example"]
            {
                let client = try await RawClient.connect(server.port)
                try await client.write(RawClient.upgrade(server.port, headers: "Origin: \(origin)\r\n"))
                let answer = await client.rest()
                #expect(answer.hasPrefix("HTTP/1.1 403 "), "\(origin)")
                #expect(answer.contains(#""code":1107"#))
            }
        }
    }

    @Test func `a client that does not log in in time is closed with 4401`() async throws {
        try await LiveServer.run(heartbeat: 500) {
            $0.authDeadline = 100
        } _: { server in
            let client = try await RawClient.webSocket(server.port)
            #expect(try await client.closeCode() == 4401)
        }
    }

    @Test func `the heartbeat sends a ping, and a client that never answers is disconnected`() async throws {
        try await LiveServer.run(heartbeat: 500) {
            $0.pingGrace = 200
        } _: { server in
            let client = try await RawClient.webSocket(server.port)
            try await client.hello("ann")
            let ping = try #require(try await client.frame())
            #expect(ping.opcode == 9)
            #expect(try await client.closeCode() == nil)
        }
    }

    @Test func `the heartbeat brings the positions once where a log has moved`() async throws {
        try await LiveServer.run(heartbeat: 500) {
            // Nobody needs to answer pings.
            $0.pingGrace = 600_000
        } _: { server in
            let client = try await RawClient.webSocket(server.port)
            try await client.hello("ann")
            try await client.write(RawClient.command("j", "channel.join", #"{"channel":"lobby"}"#))
            try await client.write(RawClient.command("t", "message.send", #"{"channel":"lobby","text":"Hello"}"#))
            var pings = 0
            var positions: [String] = []
            while pings < 4 {
                let frame = try #require(try await client.frame())
                pings += frame.opcode == 9 ? 1 : 0
                if frame.text.contains(#""event":"positions""#) { positions.append(frame.text) }
            }
            #expect(positions.count == 1)
            #expect(positions.first?.contains(#"{"channel":"lobby","seq":1}"#) == true)
        }
    }

    @Test func `a slow reader is cut with 4008 and the others are not disturbed`() async throws {
        try await LiveServer.run {
            $0.outboundBytes = 256 * 1024
            // This is also the time for a closed connection to read the reason.
            $0.pingGrace = 60_000
        } _: { server in
            let slow = try await RawClient.webSocket(server.port)
            try await slow.hello("slow")
            try await slow.write(RawClient.command("j", "channel.join", #"{"channel":"lobby"}"#))
            _ = try await slow.answer("j")
            try await slow.channel.setOption(.autoRead, value: false).get()
            let fast = try await RawClient.webSocket(server.port)
            try await fast.hello("fast")
            let text = String(repeating: "x", count: 7_900)
            for round in 0..<30 {
                var bytes: [UInt8] = []
                for index in 0..<40 {
                    bytes += RawClient.command(
                        "t\(round)-\(index)", "message.send", #"{"channel":"lobby","text":"\#(text)"}"#)
                }
                try await fast.write(bytes)
                #expect(try await fast.answer("t\(round)-39").contains(#""result""#))
            }
            try await slow.channel.setOption(.autoRead, value: true).get()
            #expect(try await slow.closeCode() == 4008)
            await fast.close()
        }
    }

    @Test func `a stop sends goaway, closes with 1012 and refuses new connections`() async throws {
        try await LiveServer.run(heartbeat: 500) {
            $0.closeGrace = 20_000
        } _: { server in
            let client = try await RawClient.webSocket(server.port)
            try await client.hello("ann")
            server.stop()
            var text = ""
            while !text.contains(#""event":"goaway""#) { text = try #require(try await client.frame()).text }
            #expect(try await client.closeCode() == 1012)
            let ready = try await RawClient.connect(server.port)
            try await ready.write("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await ready.head().hasPrefix("HTTP/1.1 503 "))
            await ready.close()
            let late = try await RawClient.connect(server.port)
            try await late.write(RawClient.upgrade(server.port))
            let answer = await late.rest()
            #expect(answer.hasPrefix("HTTP/1.1 503 "))
            #expect(answer.lowercased().contains("retry-after: "))
            await client.close()
        }
    }

    // MARK: HTTP

    struct Call: CustomTestStringConvertible, Sendable {
        var name: String
        var request: String
        var headers: [String] = []
        var body = ""
        /// The announced length; that of the body if nil.
        var length: String?
        var status: Int
        /// A line of the head.
        var head = ""
        var says = ""
        var testDescription: String { name }
    }

    private static let guest = "Roost-Guest: ann"
    private static let key = "AAAAAAAAAAAAAAAAAAAAAA=="
    private static let send = "POST /v1/message.send"
    private static let text = #"{"channel":"lobby","text":"x"}"#

    static let calls: [Call] = [
        Call(name: "the front door", request: "GET /", status: 200, says: "/v1/connect"),
        Call(name: "health", request: "GET /healthz", status: 200),
        Call(name: "readiness", request: "GET /readyz", status: 200, says: "true"),
        Call(name: "an unknown path", request: "GET /nothing", status: 404, says: #""code":5,"#),
        Call(name: "a wrong method", request: "GET /v1/unread.get", status: 404, says: #""code":5,"#),
        Call(name: "an upgrade without a key", request: "GET /v1/connect", status: 426, says: #""code":5,"#),
        Call(
            name: "an upgrade by another method", request: "POST /v1/connect",
            headers: ["Upgrade: websocket", "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13"], status: 404,
            says: #""code":5,"#),
        Call(
            name: "an upgrade without Connection", request: "GET /v1/connect",
            headers: ["Upgrade: websocket", "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13"], status: 426,
            says: #""code":5,"#),
        Call(
            name: "an upgrade to another version", request: "GET /v1/connect",
            headers: [
                "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 8",
            ], status: 426, head: "Sec-WebSocket-Version: 13"),
        Call(
            name: "an upgrade to HTTP/2", request: "GET /healthz",
            headers: ["Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings", "HTTP2-Settings: AAA"], status: 200),
        Call(
            name: "a send", request: send, headers: [guest, "Idempotency-Key: k"], body: text, status: 200, says: "seq"),
        Call(
            name: "a send without a key", request: send, headers: [guest], body: text, status: 400,
            says: "Idempotency-Key"),
        Call(name: "nobody", request: send, body: text, status: 401, says: #""code":7001,"#),
        Call(
            name: "a wrong token", request: send, headers: ["Authorization: Bearer a.b.c"], body: text, status: 401,
            says: #""code":1,"#),
        Call(
            name: "an unknown command", request: "POST /v1/no.thing", headers: [guest], status: 404,
            says: #""code":2,"#),
        Call(
            name: "an unknown channel", request: "POST /v1/message.list", headers: [guest],
            body: #"{"channel":"nowhere"}"#, status: 404, says: #""code":1105,"#),
        Call(
            name: "an unknown user", request: "POST /v1/user.block", headers: [guest, "Idempotency-Key: k"],
            body: #"{"userID":"nobody"}"#, status: 404, says: #""code":7011,"#),
        Call(
            name: "an unknown schedule", request: "POST /v1/schedule.cancel", headers: [guest, "Idempotency-Key: k"],
            body: #"{"scheduleID":"019b76daa80000000000019c3e51"}"#, status: 404, says: #""code":7013,"#),
        Call(
            name: "a field of a wrong type", request: "POST /v1/message.list", headers: [guest],
            body: #"{"channel":"lobby","limit":"ten"}"#, status: 400, says: #""field":"limit","#),
        Call(
            name: "a value that is not allowed", request: send, headers: [guest, "Idempotency-Key: k"],
            body: #"{"channel":"lobby","text":"x","category":""}"#, status: 400, says: #""field":"category","#),
        Call(
            name: "a guest's name that is too long", request: "POST /v1/unread.get",
            headers: [guest, "Roost-Guest-Name: " + String(repeating: "x", count: 201)], status: 400,
            says: "Roost-Guest-Name"),
        Call(
            name: "a command of a connection", request: "POST /v1/channel.join", headers: [guest],
            body: #"{"channel":"lobby"}"#, status: 400, says: "requires a WebSocket"),
        Call(
            name: "a renewal", request: "POST /v1/session.renew", headers: [guest], body: #"{"token":"a.b.c"}"#,
            status: 400, says: "requires a WebSocket"),
        Call(name: "an empty body", request: "POST /v1/unread.get", headers: [guest], status: 200),
        Call(
            name: "a body that is too deep", request: "POST /v1/unread.get", headers: [guest],
            body: String(repeating: "[", count: 5_000), status: 400, says: #""code":6,"#),
        Call(
            name: "a body that is too large", request: "POST /v1/unread.get", headers: [guest],
            body: String(repeating: "x", count: 70_000), status: 413, says: #""code":7005,"#),
        Call(
            name: "a body that is announced as too large", request: "POST /v1/unread.get", headers: [guest],
            length: "10000000000", status: 413, says: #""code":7005,"#),
        Call(
            name: "an incomplete hello", request: "POST /v1/hello", headers: [guest], body: "{}", status: 400,
            says: #""code":6,"#),
        Call(
            name: "a hello", request: "POST /v1/hello", headers: [guest], body: #"{"version":1,"deviceID":"d"}"#,
            status: 400, says: #""code":7,"#),
        Call(
            name: "an array where nothing is asked", request: "POST /v1/unread.get", headers: [guest], body: "[]",
            status: 400, says: #""code":6,"#),
        Call(
            name: "an array where something is asked", request: "POST /v1/channel.list", headers: [guest],
            body: "[1]", status: 400, says: #""code":6,"#),
        Call(
            name: "a key twice", request: send, headers: [guest, "Idempotency-Key: k"],
            body: #"{"channel":"lobby","text":"x","text":"y"}"#, status: 400, says: #""code":6,"#),
        Call(
            name: "half a surrogate pair", request: send, headers: [guest, "Idempotency-Key: k"],
            body: #"{"channel":"lobby","text":"\ud83d"}"#, status: 400, says: #""code":1001,"#),
        Call(
            name: "a compressed body", request: "POST /v1/unread.get", headers: [guest, "Content-Encoding: gzip"],
            body: "{}", status: 415),
        Call(
            name: "a body that says it is not compressed", request: "POST /v1/unread.get",
            headers: [guest, "Content-Encoding: Identity"], body: "{}", status: 200),
    ]

    @Test(arguments: calls)
    func `a request is answered with its status and an error in the words of the registry`(call: Call) async throws {
        try await LiveServer.run {
            // No answer follows a waiting time.
            $0.bodyDeadline = 600_000
        } _: { server in
            let client = try await RawClient.connect(server.port)
            let length = call.length ?? "\(call.body.utf8.count)"
            var request = "\(call.request) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(length)\r\n"
            for header in call.headers { request += header + "\r\n" }
            if !call.headers.contains(where: { $0.hasPrefix("Connection:") }) { request += "Connection: close\r\n" }
            try await client.write(request + "\r\n" + call.body)
            let head = try await client.head()
            #expect(head.hasPrefix("HTTP/1.1 \(call.status) "), "\(head)")
            if !call.head.isEmpty { #expect(head.contains(call.head), "\(head)") }
            if !call.says.isEmpty { #expect(await client.rest().contains(call.says)) }
            await client.close()
        }
    }

    @Test func `a retry over HTTP gets the first answer and another body under its key is refused`() async throws {
        try await LiveServer.run { server in
            let bodies = [Self.text, Self.text, #"{"channel":"lobby","text":"y"}"#]
            var answers: [String] = []
            for body in bodies {
                let client = try await RawClient.connect(server.port)
                try await client.write(
                    "\(Self.send) HTTP/1.1\r\nHost: localhost\r\n\(Self.guest)\r\nIdempotency-Key: k\r\nConnection: close\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
                let head = try await client.head()
                answers.append("\(head.split(separator: " ")[1]) \(await client.rest())")
            }
            #expect(answers[0] == answers[1])
            #expect(answers[2].hasPrefix("409 ") && answers[2].contains(#""code":1119,"#))
        }
    }

    @Test func `a head that is too large is refused`() async throws {
        try await LiveServer.run {
            $0.headerDeadline = 600_000
        } _: { server in
            let client = try await RawClient.connect(server.port)
            // One byte too many: the server reads all of it, so that no reset discards the answer.
            let head = "GET /healthz HTTP/1.1\r\nX-Big: "
            try await client.write(head + String(repeating: "a", count: 16 * 1_024 + 1 - head.utf8.count))
            #expect(await client.rest().hasPrefix("HTTP/1.1 431 "))
        }
    }

    @Test(arguments: ["", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Dr"])
    func `a head that does not come in time ends the connection`(start: String) async throws {
        try await LiveServer.run {
            $0.headerDeadline = 100
            ($0.bodyDeadline, $0.keepAlive) = (600_000, 600_000)
        } _: { server in
            let client = try await RawClient.connect(server.port)
            // On a busy machine, the connection may end before the write.
            if !start.isEmpty { try? await client.write(start) }
            #expect(await client.rest().isEmpty)
        }
    }

    @Test func `a body that does not come in time ends the connection`() async throws {
        try await LiveServer.run {
            $0.bodyDeadline = 100
            ($0.headerDeadline, $0.keepAlive) = (600_000, 600_000)
        } _: { server in
            let client = try await RawClient.connect(server.port)
            try await client.write(
                "POST /v1/unread.get HTTP/1.1\r\nHost: localhost\r\n\(Self.guest)\r\nContent-Length: 10\r\n\r\n{")
            // With the other default limits this would exceed the time limit of the suite.
            #expect(await client.rest().isEmpty)
        }
    }
}
