import NIOCore
import NIOEmbedded
import RoostWire
import Testing

@testable import RoostServer

/// The memory of all connections, with sockets.
@Suite(.timeLimit(.minutes(2))) struct ConnectionMemoryLoadTests {
    private static let most = 1 << 20
    private static let guest = "Host: localhost\r\nRoost-Guest: ann\r\n"

    private static func run(_ body: (LiveServer, ConnectionMemory) async throws -> Void) async throws {
        try await LiveServer.run {
            $0.connectionMemory = most
            // Nobody needs to answer pings, and no deadline closes what the memory should.
            $0.pingGrace = 600_000
            $0.headerDeadline = 600_000
            $0.bodyDeadline = 600_000
            $0.authDeadline = 600_000
        } _: { server in
            let memory = server.roost.memory
            try await body(server, memory)
            try await until { memory.used == 0 }
        }
    }

    /// Waits for something; the suite has a time limit.
    private static func until(_ condition: () async throws -> Bool) async throws {
        while try await !condition() { try await Task.sleep(for: .milliseconds(5)) }
    }

    private static func reader(_ server: LiveServer, _ name: String) async throws -> RawClient {
        let client = try await RawClient.webSocket(server.port)
        try await client.hello(name)
        try await client.write(RawClient.command("j", "channel.join", #"{"channel":"lobby"}"#))
        _ = try await client.answer("j")
        return client
    }

    @Test func `readers that never read get 4008 before all hold too much, and one that reads gets all in order`()
        async throws
    {
        try await Self.run { server, memory in
            var slow: [RawClient] = []
            for number in 0..<8 {
                let client = try await Self.reader(server, "slow\(number)")
                try await client.channel.setOption(.autoRead, value: false).get()
                slow.append(client)
            }
            let fast = try await Self.reader(server, "fast")
            let sender = try await RawClient.webSocket(server.port)
            try await sender.hello("sender")
            let text = String(repeating: "x", count: 7_900)
            var largest = 0
            for number in 1...1_000 {
                try await sender.write(
                    RawClient.command("t\(number)", "message.send", #"{"channel":"lobby","text":"\#(text)"}"#))
                #expect(try await sender.answer("t\(number)").contains(#""seq":\#(number),"#))
                largest = max(largest, memory.used)
                var event = ""
                while !event.contains(#""messageSent""#) && !event.contains("message.sent") {
                    event = try #require(try await fast.frame()).text
                }
                #expect(event.contains(#""seq":\#(number),"#))
            }
            // At most one event for each of them was written since the last look.
            #expect(largest > Self.most / 2 && largest <= Self.most + slow.count * 8_192)
            var codes: [UInt16?] = []
            for client in slow {
                try await client.channel.setOption(.autoRead, value: true).get()
                codes.append(try await client.closeCode())
            }
            // Those that still had not read it when memory ran out have no code.
            #expect(codes.contains(4_008) && codes.allSatisfy { $0 == nil || $0 == 4_008 })
            for client in slow + [fast, sender] { await client.close() }
        }
    }

    @Test(arguments: ["head", "body", "frame"])
    func `of strangers that send half of something the oldest are closed, and others log in meanwhile`(half: String)
        async throws
    {
        try await Self.run { server, memory in
            let count = half == "frame" ? 160 : 60
            var strangers: [RawClient] = []
            for _ in 0..<count {
                let client: RawClient
                switch half {
                case "head":
                    client = try await RawClient.connect(server.port)
                    try await client.write("GET / HTTP/1.1\r\nX: \(String(repeating: "x", count: 15_000))")
                case "body":
                    client = try await RawClient.connect(server.port)
                    try await client.write(
                        "POST /v1/account.logIn HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n")
                    try await client.write(String(repeating: " ", count: 50_000))
                default:
                    client = try await RawClient.webSocket(server.port)
                    try await client.write(
                        Array(RawClient.frame([UInt8](repeating: 0x20, count: 8_000)).dropLast(100)))
                }
                strangers.append(client)
            }
            // The oldest one is closed without an answer.
            #expect(await strangers[0].restOfBytes().isEmpty)
            #expect(memory.used <= Self.most)
            try await Self.until { memory.used <= Self.most / 2 + 64 * 1_024 }
            let client = try await RawClient.webSocket(server.port)
            #expect(try await client.hello("ann").contains(#""result""#))
            // The newest one goes on.
            if half == "body" {
                let last = try #require(strangers.last)
                try await last.write(String(repeating: " ", count: 10_000))
                #expect(try await last.head().hasPrefix("HTTP/1.1 400 "))
            }
            for client in strangers + [client] { await client.close() }
        }
    }

    /// Uploads a file of this many bytes as Ann, and returns its path.
    private static func upload(_ bytes: Int, _ server: LiveServer) async throws -> String {
        let created = try await server.ask(
            "/v1/files", ["Roost-Guest: ann", "Upload-Length: \(bytes)"], method: "POST")
        let path = try #require(created["location"])
        let part = String(repeating: "x", count: 256 * 1_024)
        for offset in stride(from: 0, to: bytes, by: part.utf8.count) {
            let answer = try await server.ask(
                path,
                [
                    "Roost-Guest: ann", "Upload-Offset: \(offset)", "Content-Type: application/offset+octet-stream",
                ], method: "PATCH", body: part)
            #expect(answer.status == 204)
        }
        return path
    }

    @Test func `downloads that nobody reads hold at most half, and the others get their turn`() async throws {
        try await Self.run { server, memory in
            let size = 12 << 20
            let path = try await Self.upload(size, server)
            try await Self.until { memory.used == 0 }
            var clients: [RawClient] = []
            for _ in 0..<6 {
                let client = try await RawClient.connect(server.port, reads: false)
                try await client.write("GET \(path) HTTP/1.1\r\n\(Self.guest)Connection: close\r\n\r\n")
                clients.append(client)
            }
            try await Self.until { memory.used == 2 * Downloads.maxBytes }
            // Commands go on.
            #expect(try await server.ask("/v1/unread.get", ["Roost-Guest: ann"], method: "POST").status == 200)
            #expect(memory.used <= Self.most / 2)
            // Those that have their turn read, and so the others have it, too.
            for client in clients { try await client.channel.setOption(.autoRead, value: true).get() }
            for client in clients {
                #expect(try await client.head().hasPrefix("HTTP/1.1 200 "))
                let bytes = await client.restOfBytes().count
                #expect(bytes == size)
                #expect(memory.used <= Self.most / 2)
            }
        }
    }

    @Test func `bodies are refused while the memory is used, and readyz says so`() async throws {
        try await Self.run { server, memory in
            let other = NIOAsyncTestingChannel()
            let share = memory.open(other)
            share.noteLogin()
            // An upload is not closed for others.
            share.beginRequest(head: 0, isUpload: true)
            share.received(Self.most / 16 * 15)
            func status() async throws -> RawAnswer {
                try await server.ask("/v1/unread.get", ["Roost-Guest: ann"], method: "POST")
            }
            let refused = try await status()
            #expect(refused.status == 429 && refused.text.contains("1004") && refused["retry-after"] == "2")
            let upload = try await server.ask("/v1/files", ["Roost-Guest: ann", "Upload-Length: 5"], method: "POST")
            #expect(upload.status == 429)
            let ready = try await server.ask("/readyz")
            #expect(ready.status == 200 && ready.text.contains(#""memory":"Connections hold 983040 of 1048576 bytes."#))
            share.endRequest()
            #expect(try await status().status == 200)
            #expect(try await !server.ask("/readyz").text.contains("memory"))
            _ = try await other.finish(acceptAlreadyClosed: true)
        }
    }

    /// A phase of a connection in which it holds something.
    enum Phase: String, CaseIterable {
        case head, loginBody, knownBody, upload, download, answer
        case frame, fragments, knownFrame, unread
    }

    @Test(arguments: Phase.allCases)
    func `a connection that is closed in any phase leaves nothing behind`(phase: Phase) async throws {
        try await Self.run { server, memory in
            let file = phase == .download ? try await Self.upload(12 << 20, server) : ""
            if phase == .answer { try await Self.fill(server) }
            try await Self.until { memory.used == 0 }
            for isAbort in [true, false] {
                let client = try await Self.client(in: phase, file, server)
                try await Self.until { memory.used >= ConnectionMemory.step }
                if isAbort {
                    await client.close()
                } else {
                    // The client says that it sends no more, reads all that comes, and goes.
                    try await client.channel.setOption(.autoRead, value: true).get()
                    try await client.channel.close(mode: .output).get()
                    _ = await client.restOfBytes()
                    await client.close()
                }
                try await Self.until { memory.used == 0 }
            }
        }
    }

    /// Writes pages of messages that Ann can read.
    private static func fill(_ server: LiveServer) async throws {
        let sender = try await reader(server, "ann")
        let text = String(repeating: "x", count: 7_900)
        for number in 0..<60 {
            try await sender.write(
                RawClient.command("t\(number)", "message.send", #"{"channel":"lobby","text":"\#(text)"}"#))
        }
        _ = try await sender.answer("t59")
        await sender.close()
    }

    private static func client(in phase: Phase, _ file: String, _ server: LiveServer) async throws -> RawClient {
        let long = String(repeating: "x", count: 15_000)
        switch phase {
        case .head, .loginBody, .knownBody, .upload:
            let client = try await RawClient.connect(server.port)
            let text =
                switch phase {
                case .head: "GET / HTTP/1.1\r\nX: \(long)"
                case .loginBody:
                    "POST /v1/account.logIn HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n\(long)"
                case .knownBody: "POST /v1/unread.get HTTP/1.1\r\n\(guest)Content-Length: 60000\r\n\r\n\(long)"
                default:
                    "POST /v1/files HTTP/1.1\r\n\(guest)Upload-Length: 60000\r\nContent-Length: 60000\r\n"
                        + "X: \(long.prefix(8_000))\r\nContent-Type: application/offset+octet-stream\r\n\r\n\(long)"
                }
            try await client.write(text)
            return client
        case .download:
            let client = try await RawClient.connect(server.port, reads: false)
            try await client.write("GET \(file) HTTP/1.1\r\n\(guest)Connection: close\r\n\r\n")
            return client
        case .answer:
            let client = try await RawClient.connect(server.port, reads: false)
            let body = #"{"channel":"lobby"}"#
            let request =
                "POST /v1/message.list HTTP/1.1\r\n\(guest)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            try await client.write(String(repeating: request, count: 30))
            return client
        case .frame:
            let client = try await RawClient.webSocket(server.port)
            try await client.write(Array(RawClient.frame([UInt8](repeating: 0x20, count: 8_000)).dropLast(100)))
            return client
        case .fragments, .knownFrame:
            let client = try await reader(server, "ann")
            var frame = RawClient.frame(Array(long.utf8))
            if phase == .fragments { frame[0] = 1 } else { frame.removeLast(100) }
            try await client.write(frame)
            return client
        case .unread:
            let client = try await reader(server, "ann")
            try await client.channel.setOption(.autoRead, value: false).get()
            let text = String(repeating: "x", count: 7_900)
            // Commands that are sent twice have short answers.
            let round = client.channel.localAddress?.port ?? 0
            for number in 0..<1_000 {
                let send = RawClient.command(
                    "t\(round)-\(number)", "message.send", #"{"channel":"lobby","text":"\#(text)"}"#)
                client.channel.writeAndFlush(ByteBuffer(bytes: send), promise: nil)
            }
            return client
        }
    }
}
