import NIOCore
import RoostSQLite
import RoostServer
import Testing

/// Edge cases of the protocol as real clients cause them, over real sockets.
@Suite(.timeLimit(.minutes(1))) struct EdgesTests {
    // MARK: Frames

    @Test(
        arguments: [
            [0x80 | 126, 0, 40], [0x80 | 126, 0, 125], [0x80 | 127, 0, 0, 0, 0, 0, 0, 0, 40],
            [0x80 | 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], [0x80 | 127, 0x80, 0, 0, 0, 0, 0, 0, 0],
            [0x80 | 127, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        ] as [[UInt8]])
    func `a frame with a length that breaks RFC 6455 is closed with 1002`(length: [UInt8]) async throws {
        try await LiveServer.run { server in
            let client = try await RawClient.webSocket(server.port)
            try await client.hello("ann")
            try await client.write([0x81] + length)
            #expect(try await client.closeCode() == 1002)
        }
    }

    @Test func `a resent text with half a surrogate pair is refused each time, and the connection continues`()
        async throws
    {
        try await LiveServer.run { server in
            let client = try await RawClient.webSocket(server.port)
            try await client.hello("ann")
            for _ in 0..<5 {
                try await client.write(
                    RawClient.command("t1", "message.send", #"{"channel":"lobby","text":"cut \ud83d"}"#))
                #expect(try await client.answer("t1").contains(#""code":1001,"#))
                try await client.write(RawClient.frame(Array(#"{"id":"n","cmd":7}"#.utf8)))
                #expect(try await client.answer("n").contains(#""code":6,"#))
            }
            try await client.write(RawClient.command("t1", "message.send", #"{"channel":"lobby","text":"whole"}"#))
            #expect(try await client.answer("t1").contains(#""seq":1"#))
            await client.close()
        }
    }

    // MARK: hello

    struct Greeting: CustomTestStringConvertible, Sendable {
        let name: String
        let frame: String
        let error: Int
        let close: UInt16
        var testDescription: String { name }
    }

    private static func hello(_ body: String) -> String { #"{"id":"h","cmd":"hello","body":\#(body)}"# }

    static let refused: [Greeting] = [
        Greeting(name: "no fields", frame: hello("{}"), error: 6, close: 4401),
        Greeting(
            name: "a bad name", frame: hello(#"{"version":1,"guest":{"userID":"ann","name":"\u0007"},"deviceID":"d"}"#),
            error: 6, close: 4401),
        Greeting(
            name: "half a surrogate pair",
            frame: hello(#"{"version":1,"guest":{"userID":"ann","name":"\ud83d"},"deviceID":"d"}"#), error: 1001,
            close: 4401),
        Greeting(name: "nobody", frame: hello(#"{"version":1,"deviceID":"d"}"#), error: 7001, close: 4401),
        Greeting(
            name: "a wrong token", frame: hello(#"{"version":1,"token":"a.b.c","deviceID":"d"}"#), error: 1, close: 4401
        ),
        Greeting(
            name: "another version", frame: hello(#"{"version":2,"guest":{"userID":"ann"},"deviceID":"d"}"#),
            error: 7009, close: 1002),
        Greeting(name: "another command", frame: #"{"id":"h","cmd":"unread.get"}"#, error: 7001, close: 4401),
        Greeting(name: "an unknown command", frame: #"{"id":"h","cmd":"no.such"}"#, error: 1002, close: 4401),
    ]

    @Test(arguments: refused)
    func `a refused hello is answered, and closes with the code of its error`(greeting: Greeting) async throws {
        try await LiveServer.run { server in
            let client = try await RawClient.webSocket(server.port)
            try await client.write(RawClient.frame(Array(greeting.frame.utf8)))
            #expect(try await client.answer("h").contains(#""code":\#(greeting.error),"#))
            #expect(try await client.closeCode() == greeting.close)
        }
    }

    @Test func `one connection too many of a user is closed with 4429`() async throws {
        try await LiveServer.run { server in
            var clients: [RawClient] = []
            for _ in 0..<20 {
                let client = try await RawClient.webSocket(server.port)
                #expect(try await client.hello("ann").contains(#""result""#))
                clients.append(client)
            }
            let late = try await RawClient.webSocket(server.port)
            #expect(try await late.hello("ann").contains(#""code":7020,"#))
            #expect(try await late.closeCode() == 4429)
            for client in clients { await client.close() }
        }
    }

    // MARK: Half a connection

    @Test func `commands before the client closes its side are answered, and then the connection ends`() async throws {
        let database = HeldDatabase(try SQLiteDatabase())
        try await LiveServer.run(database: database) {
            $0.pingGrace = 600_000
        } _: { server in
            let client = try await RawClient.webSocket(server.port)
            try await client.hello("ann")
            database.hold()
            try await client.write(
                RawClient.command("t", "message.send", #"{"channel":"lobby","text":"x"}"#)
                    + RawClient.command("r", "message.list", #"{"channel":"lobby"}"#))
            await database.waitUntilHeld()
            try await client.channel.close(mode: .output).get()
            // When another client is answered, the server has seen the end.
            for _ in 0..<5 { try await Self.ask(server.port) }
            database.release()
            #expect(try await client.answer("t").contains(#""seq":1"#))
            #expect(try await client.answer("r").contains(#""text":"x""#))
            while let frame = try await client.frame() { #expect(frame.opcode != 1) }
        }
    }

    @Test func `a client that closes its side with nothing pending is released at once`() async throws {
        try await LiveServer.run {
            $0.pingGrace = 600_000
        } _: { server in
            let client = try await RawClient.webSocket(server.port)
            try await client.hello("ann")
            try await client.channel.close(mode: .output).get()
            #expect(try await client.closeCode() == nil)
        }
    }

    @Test func `a compressed body is refused, and no compression of frames is agreed on`() async throws {
        try await LiveServer.run { server in
            for encoding in ["gzip", "deflate", "br", "gzip, identity"] {
                let answer = try await server.ask(
                    "/v1/unread.get", ["Roost-Guest: ann", "Content-Encoding: \(encoding)"], method: "POST", body: "{}")
                #expect(answer.status == 415, "\(encoding)")
            }
            let client = try await RawClient.connect(server.port)
            try await client.write(
                RawClient.upgrade(
                    server.port, headers: "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"))
            let head = try await client.head().lowercased()
            #expect(head.hasPrefix("http/1.1 101 ") && !head.contains("sec-websocket-extensions"))
        }
    }

    @Test func `a request over HTTP is answered though the client has closed its side`() async throws {
        try await LiveServer.run { server in
            let client = try await RawClient.connect(server.port)
            let request = "POST /v1/unread.get HTTP/1.1\r\nHost: localhost\r\nRoost-Guest: ann\r\n"
            try await client.write(request + "Content-Length: 2\r\n\r\n{}")
            try await client.channel.close(mode: .output).get()
            let answer = await client.rest()
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            #expect(answer.contains(#""total":0"#))
        }
    }

    private static func ask(_ port: Int) async throws {
        let client = try await RawClient.connect(port)
        try await client.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(try await client.head().hasPrefix("HTTP/1.1 200 "))
        await client.close()
    }
}
