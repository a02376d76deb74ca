import Foundation
import NIOCore
import RoostServer
import Testing

/// Many deliveries at once: the hub writes and flushes them in several rounds.
@Suite(.timeLimit(.minutes(2))) struct RoundsTests {
    /// More connections than a round flushes.
    private static let connections = 200
    private static let messages = 30

    /// The number of the row in the log of the channel, if the frame is a message.
    private static func seq(of frame: RawClient.Frame) -> Int? {
        guard frame.opcode == 1, frame.text.contains(#""event":"message.sent""#),
            let match = frame.text.firstMatch(of: #/"seq":([0-9]+)/#)
        else { return nil }
        return Int(match.1)
    }

    private static func join(_ server: LiveServer, _ user: String) async throws -> RawClient {
        let client = try await RawClient.webSocket(server.port)
        try await client.hello(user)
        try await client.write(RawClient.command("j", "channel.join", #"{"channel":"lobby"}"#))
        #expect(try await client.answer("j").contains(#""result""#))
        return client
    }

    @Test func `messages at once for many connections come to each of them, once and in order`() async throws {
        // Nobody answers pings.
        try await LiveServer.run(heartbeat: 600_000) {
            $0.eventLoops = 1
        } _: { server in
            var clients: [RawClient] = []
            for number in 0..<Self.connections { clients.append(try await Self.join(server, "user-\(number)")) }
            for sender in clients.prefix(3) {
                var bytes: [UInt8] = []
                for index in 0..<Self.messages {
                    bytes += RawClient.command("t\(index)", "message.send", #"{"channel":"lobby","text":"\#(index)"}"#)
                }
                try await sender.write(bytes)
            }
            for client in clients {
                for expected in 1...(3 * Self.messages) {
                    var found: Int?
                    while found == nil { found = Self.seq(of: try #require(try await client.frame())) }
                    #expect(found == expected)
                }
            }
            for client in clients { await client.close() }
        }
    }

    @Test func `senders get their answers in order while many others get the events`() async throws {
        try await LiveServer.run(heartbeat: 600_000) {
            $0.eventLoops = 1
        } _: { server in
            var clients: [RawClient] = []
            for number in 0..<Self.connections { clients.append(try await Self.join(server, "user-\(number)")) }
            let sender = clients[0]
            var bytes: [UInt8] = []
            for index in 0..<Self.messages {
                bytes += RawClient.command("t\(index)", "message.send", #"{"channel":"lobby","text":"\#(index)"}"#)
            }
            try await sender.write(bytes)
            for index in 0..<Self.messages {
                #expect(try await sender.answer("t\(index)").contains(#""seq":\#(index + 1),"#))
            }
            // A connection that ends while its output waits takes nothing from the others.
            for client in clients[1..<20] { await client.close() }
            let last = try #require(clients.last)
            var found: [Int] = []
            while found.last != Self.messages {
                if let seq = Self.seq(of: try #require(try await last.frame())) { found.append(seq) }
            }
            #expect(found == Array(1...Self.messages))
            for client in clients { await client.close() }
        }
    }

    @Test func `connections that are reset while large answers are written to them end nothing else`() async throws {
        try await LiveServer.run(heartbeat: 600_000) {
            $0.eventLoops = 1
        } _: { server in
            let ann = try await Self.join(server, "ann")
            let text = String(repeating: "x", count: 7_900)
            for index in 0..<40 {
                try await ann.write(
                    RawClient.command("t\(index)", "message.send", #"{"channel":"lobby","text":"\#(text)"}"#))
                _ = try await ann.answer("t\(index)")
            }
            var pages: [UInt8] = []
            for index in 0..<8 { pages += RawClient.command("p\(index)", "message.list", #"{"channel":"lobby"}"#) }
            for number in 0..<100 {
                let client = try await Self.join(server, "user-\(number)")
                let socket = try #require(client.channel as? any SocketOptionProvider)
                try await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
                try await client.write(pages)
                await client.close()
            }
            try await ann.write(RawClient.command("last", "message.send", #"{"channel":"lobby","text":"x"}"#))
            #expect(try await ann.answer("last").contains(#""result""#))
            await ann.close()
        }
    }
}
