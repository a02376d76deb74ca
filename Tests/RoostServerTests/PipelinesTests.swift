import NIOCore
import Testing

@testable import RoostServer

/// Clients over HTTP that do not read, that send what nobody wants, or that hold a connection and do nothing.
@Suite(.timeLimit(.minutes(2))) struct PipelinesTests {
    private static let guest = "Host: localhost\r\nRoost-Guest: ann\r\n"

    /// Waits for something; the suite has a time limit.
    private static func until(_ condition: () async throws -> Bool) async throws {
        while try await !condition() { try await Task.sleep(for: .milliseconds(5)) }
    }

    private static func command(_ name: String, _ body: String) -> String {
        "POST /v1/\(name) HTTP/1.1\r\n\(guest)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test func `whoever asks for a file again and again and reads nothing holds one response, and then gets all`()
        async throws
    {
        let size = 100_000
        let file = WebFile("large.js", [UInt8](repeating: 0x20, count: size))
        try await LiveServer.run {
            $0.web = { $0 == "large.js" ? file : nil }
        } _: { server in
            let memory = server.roost.memory
            var clients: [RawClient] = []
            for _ in 0..<10 {
                let client = try await RawClient.connect(server.port, reads: false)
                try await client.write(
                    String(repeating: "GET /web/large.js HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 200))
                clients.append(client)
            }
            // They wait until the sockets are full.
            try await Self.until { memory.used > ConnectionMemory.step }
            for _ in 0..<50 {
                #expect(memory.used <= clients.count * (size + 32 * 1_024))
                try await Task.sleep(for: .milliseconds(10))
            }
            let client = clients[0]
            try await client.channel.setOption(.autoRead, value: true).get()
            try await client.channel.close(mode: .output).get()
            let head = try await client.head()
            #expect(head.hasPrefix("HTTP/1.1 200 "))
            #expect(await client.restOfBytes().count == 200 * (head.utf8.count + size) - head.utf8.count)
            for client in clients { await client.close() }
            try await Self.until { memory.used == 0 }
        }
    }

    @Test(arguments: ["", "Connection: close\r\n"])
    func `who closes its side after a request gets the whole response, however slowly it reads`(header: String)
        async throws
    {
        // More than the buffers of the sockets take.
        let size = 16_000_000
        let file = WebFile("large.js", [UInt8](repeating: 0x20, count: size))
        try await LiveServer.run {
            $0.web = { $0 == "large.js" ? file : nil }
        } _: { server in
            let client = try await RawClient.connect(server.port, reads: false)
            try await client.write("GET /web/large.js HTTP/1.1\r\nHost: localhost\r\n\(header)\r\n")
            try await client.channel.close(mode: .output).get()
            // The server would have closed the connection by then.
            try await Task.sleep(for: .milliseconds(200))
            try await client.channel.setOption(.autoRead, value: true).get()
            #expect(try await client.head().hasPrefix("HTTP/1.1 200 "))
            #expect(await client.restOfBytes().count == size)
        }
    }

    @Test func `commands in a pipeline are answered in their order, also after the client has closed its side`()
        async throws
    {
        try await LiveServer.run { server in
            let client = try await RawClient.connect(server.port)
            let commands = (0..<100).map { number in
                number % 2 == 0
                    ? Self.command("unread.get", "{}") : "GET /v1/none\(number) HTTP/1.1\r\nHost: localhost\r\n\r\n"
            }
            try await client.write(commands.joined())
            try await client.channel.close(mode: .output).get()
            let answers = await client.rest()
            let statuses = answers.ranges(of: "HTTP/1.1 ").map { String(answers[$0.upperBound...].prefix(3)) }
            let expected = (0..<100).map { $0 % 2 == 0 ? "200" : "404" }
            #expect(statuses == expected)
        }
    }

    static let refused = [
        "PATCH /v1/files/x/y", "POST /v1/files/x", "PUT /v1/files/x", "POST /", "POST /v1/account.logIn",
        "PATCH /v1/files/x", "POST /v1/no.thing", "GET /healthz", "GET /readyz", "POST /v1/connect",
    ]

    @Test(arguments: refused)
    func `a body that nobody wants is answered at once, and not taken`(request: String) async throws {
        try await LiveServer.run {
            // No deadline ends it.
            $0.bodyDeadline = 600_000
        } _: { server in
            for fields in ["", "Tus-Resumable: 0.2.2\r\n"] {
                let client = try await RawClient.connect(server.port)
                try await client.write(
                    "\(request) HTTP/1.1\r\nHost: localhost\r\n\(fields)Content-Length: \(1 << 30)\r\n\r\nbody")
                let head = try await client.head().lowercased()
                #expect(head.hasPrefix("http/1.1 ") && head.contains("connection: close"), "\(head)")
                // The server has closed its side.
                _ = await client.restOfBytes()
                let piece = [UInt8](repeating: 0, count: 1 << 16)
                var sent = 0
                while sent < 1 << 28, (try? await client.write(piece)) != nil { sent += piece.count }
                // The sockets of both sides take some of it.
                #expect(sent < 1 << 25)
            }
        }
    }

    /// A connection on which a command was accepted or refused.
    private static func connection(_ server: LiveServer, isAccepted: Bool) async throws -> RawClient {
        let client = try await RawClient.connect(server.port)
        try await client.write(
            isAccepted ? command("unread.get", "{}") : command("message.list", #"{"channel":"nowhere"}"#))
        #expect(try await client.head().hasPrefix("HTTP/1.1 \(isAccepted ? 2 : 4)"))
        return client
    }

    @Test(arguments: [true, false])
    func `connections that rest are closed for newcomers, also those of somebody known`(isAccepted: Bool) async throws {
        try await LiveServer.run {
            $0.sockets = 8
        } _: { server in
            let inside = try await RawClient.webSocket(server.port)
            try await inside.hello("bob")
            var resting: [RawClient] = []
            for _ in 0..<30 { resting.append(try await Self.connection(server, isAccepted: isAccepted)) }
            for _ in 0..<5 {
                #expect(try await server.ask("/v1/unread.get", ["Roost-Guest: ann"], method: "POST").status == 200)
            }
            try await inside.write(RawClient.command("u", "unread.get", "{}"))
            #expect(try await inside.answer("u").contains(#""result""#))
            for client in resting { await client.close() }
        }
    }

    @Test func `only a command that is accepted makes a connection one of somebody known`() async throws {
        for isAccepted in [true, false] {
            try await LiveServer.run {
                $0.sockets = 4
                $0.bodyDeadline = 600_000
            } _: { server in
                var busy: [RawClient] = []
                for _ in 0..<4 { busy.append(try await Self.connection(server, isAccepted: isAccepted)) }
                let half = String(repeating: " ", count: 2 * ConnectionMemory.step)
                for client in busy {
                    try await client.write(
                        "POST /v1/unread.get HTTP/1.1\r\n\(Self.guest)Content-Length: 60000\r\n\r\n\(half)")
                }
                try await Self.until { server.roost.memory.used >= 4 * 2 * ConnectionMemory.step }
                let newcomer = try await RawClient.connect(server.port)
                try? await newcomer.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                let head = try await newcomer.head()
                #expect(isAccepted ? head.isEmpty : head.hasPrefix("HTTP/1.1 200 "))
                for client in busy + [newcomer] { await client.close() }
            }
        }
    }
}
