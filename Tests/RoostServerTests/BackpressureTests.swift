import NIOCore
import RoostServer
import Testing

/// Clients that request more than they read.
@Suite(.timeLimit(.minutes(1))) struct BackpressureTests {
    private static let text = String(repeating: "x", count: 7_900)

    private static func send(_ id: String, to channel: String) -> [UInt8] {
        RawClient.command(id, "message.send", #"{"channel":"\#(channel)","text":"\#(text)"}"#)
    }

    /// Exchanges frames with another client until the server would have executed all requests.
    private static func pass(_ server: LiveServer, pages: Int) async throws {
        let other = try await RawClient.webSocket(server.port)
        try await other.hello("other")
        for index in 0..<pages {
            try await other.write(RawClient.command("p\(index)", "message.list", #"{"channel":"lobby"}"#))
            #expect(try await other.answer("p\(index)").contains(#""result""#))
        }
        await other.close()
    }

    @Test func `thirty large pages that are asked for at once all come, however late they are read`() async throws {
        try await LiveServer.run {
            // Nobody needs to answer pings.
            $0.pingGrace = 600_000
        } _: { server in
            let ann = try await RawClient.webSocket(server.port)
            try await ann.hello("ann")
            for index in 0..<40 { try await ann.write(Self.send("t\(index)", to: "lobby")) }
            _ = try await ann.answer("t39")
            try await ann.channel.setOption(.autoRead, value: false).get()
            var bytes: [UInt8] = []
            for index in 0..<30 {
                bytes += RawClient.command("r\(index)", "message.list", #"{"channel":"lobby"}"#)
            }
            bytes += Self.send("last", to: "lobby")
            try await ann.write(bytes)
            try await Self.pass(server, pages: 60)
            try await ann.channel.setOption(.autoRead, value: true).get()
            for index in 0..<30 {
                let page = try await ann.answer("r\(index)")
                #expect(page.utf8.count > 200 * 1024)
            }
            #expect(try await ann.answer("last").contains(#""seq":41"#))
            await ann.close()
        }
    }

    @Test func `a client that sends without reading is not disconnected for events of its own messages`() async throws {
        try await LiveServer.run {
            $0.pingGrace = 600_000
        } _: { server in
            let ann = try await RawClient.webSocket(server.port)
            try await ann.hello("ann")
            try await ann.write(RawClient.command("j", "channel.join", #"{"channel":"lobby"}"#))
            _ = try await ann.answer("j")
            try await ann.channel.setOption(.autoRead, value: false).get()
            // The server stops reading, so nothing waits for these to be written.
            for index in 0..<1_000 {
                let bytes = Self.send("t\(index)", to: "lobby")
                ann.channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
            }
            try await Self.pass(server, pages: 60)
            try await ann.channel.setOption(.autoRead, value: true).get()
            for index in 0..<1_000 {
                #expect(try await ann.answer("t\(index)").contains(#""seq":\#(index + 1),"#))
            }
            await ann.close()
        }
    }
}
