import RoostServer
import RoostWire
import Testing

/// In dev mode, a server refuses requests with a foreign host name or from a foreign page.
@Suite(.timeLimit(.minutes(1))) struct OriginsTests {
    /// The status and the body of the answer to a `POST` with these headers from a guest.
    private static func ask(
        _ server: LiveServer, _ headers: [String], target: String = "/v1/unread.get"
    ) async throws -> (status: String, body: String) {
        let client = try await RawClient.connect(server.port)
        let lines = headers.map { $0.replacing("PORT", with: "\(server.port)") + "\r\n" }.joined()
        try await client.write(
            "POST \(target) HTTP/1.1\r\n\(lines)Roost-Guest: ann\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}")
        let head = try await client.head()
        let body = await client.rest()
        return (head.split(separator: " ").dropFirst().first.map(String.init) ?? "none", body)
    }

    static let welcome: [[String]] = [
        ["Host: 127.0.0.1:PORT"], ["Host: localhost"], ["Host: LocalHost:PORT"], ["Host: [::1]:PORT"], ["Host: [::1]"],
        // With a tunnel, another port leads to this server.
        ["Host: localhost:1"],
        ["Host: 127.0.0.1:PORT", "Origin: http://127.0.0.1:PORT"],
        ["Host: LOCALHOST:PORT", "Origin: http://localhost:PORT"],
        ["Host: [::1]:PORT", "Origin: http://[::1]:PORT"],
        ["Host: localhost", "Origin: https://chat.example.com"],
        // A request without an origin may use the host name of an allowed origin.
        ["Host: chat.example.com"],
    ]

    static let refused: [[String]] = [
        ["Host: evil.example:PORT"], ["Host: evil.example"],
        ["Host: evil.example:PORT", "Origin: http://evil.example:PORT"],
        ["Host: 127.0.0.1:PORT", "Origin: http://evil.example:PORT"], ["Host: localhost", "Origin: null"],
        ["Host: localhost:1", "Origin: http://localhost:2"],
        ["Host: localhost", "Origin: http://localhost", "Origin: http://localhost"],
        ["Host: localhost", "Host: localhost"], ["Host: localhost", "Host: evil.example"],
        ["Host: evil.example", "Host: localhost"], ["Host: "], [],
        ["Host: localhost.evil.example"], ["Host: 127.0.0.1.evil.example"], ["Host: [::1].evil.example"],
        ["Host: localhost.:PORT"], ["Host: evil.example.:PORT"], ["Host: localhost:evil"],
        ["Host: localhost@evil.example"],
        ["Host: evil.example:localhost"], ["Host: ::1"], ["Host: [::1"], ["Host: [::2]"], ["Host: 10.0.0.1:PORT"],
        ["Host: evil.example", "Origin: http://localhost:PORT"],
    ]

    @Test func `in dev mode a request has to name this machine, and its page to be of this machine`() async throws {
        try await LiveServer.run {
            $0.allowedOrigins = ["https://chat.example.com"]
        } _: { server in
            for headers in Self.welcome {
                let answer = try await Self.ask(server, headers)
                #expect(answer.status == "200", "\(headers): \(answer)")
            }
            for headers in Self.refused {
                let answer = try await Self.ask(server, headers)
                // Anything that is not HTTP may be refused before its origin is checked.
                #expect(answer.status == "403", "\(headers): \(answer)")
                #expect(answer.body.contains(#""code":1107,"#), "\(headers)")
                #expect(answer.body.contains("localhost, 127.0.0.1") && answer.body.contains("--allow-origin"))
                #expect(!answer.body.contains("evil"))
            }
        }
    }

    @Test func `a target that names a host is checked, too`() async throws {
        try await LiveServer.run { server in
            let own = try await Self.ask(server, ["Host: localhost"], target: "http://localhost/v1/unread.get")
            #expect(own.status == "200")
            for host in ["evil.example", "evil.example:80", "localhost@evil.example", "localhost.evil.example", ""] {
                let answer = try await Self.ask(server, ["Host: localhost"], target: "http://\(host)/v1/unread.get")
                #expect(["400", "403"].contains(answer.status), "\(host): \(answer)")
                #expect(!answer.body.contains("result") && !answer.body.contains("total"), "\(host): \(answer)")
            }
        }
    }

    @Test func `every request of a connection and every path is held to it, and so is the upgrade`() async throws {
        try await LiveServer.run { server in
            for path in ["/", "/healthz", "/readyz", "/v1/connect", "/nothing"] {
                let client = try await RawClient.connect(server.port)
                try await client.write(
                    "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
                        + "GET \(path) HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
                let answers = await client.rest()
                #expect(answers.hasPrefix("HTTP/1.1 200 "), "\(path): \(answers)")
                #expect(answers.contains("HTTP/1.1 403 "), "\(path): \(answers)")
            }
            let client = try await RawClient.connect(server.port)
            try await client.write(
                RawClient.upgrade(server.port).replacing("Host: 127.0.0.1", with: "Host: evil.example"))
            #expect(await client.rest().hasPrefix("HTTP/1.1 403 "))
        }
    }

    @Test func `a server that others reach asks for no name, but a page has to be of this machine`() async throws {
        try await LiveServer.run {
            $0.host = "0.0.0.0"
        } _: { server in
            #expect(try await Self.ask(server, ["Host: 192.168.1.5:PORT"]).status == "200")
            #expect(try await Self.ask(server, ["Host: localhost", "Origin: http://localhost"]).status == "200")
            for host in ["192.168.1.5", "evil.example"] {
                let answer = try await Self.ask(server, ["Host: \(host)", "Origin: http://\(host)"])
                #expect(answer.status == "403")
            }
        }
    }

    @Test func `outside dev mode a request over HTTP may come by any name`() async throws {
        let issuer = try await TokenIssuer(secret: LiveServer.secret)
        let ann = try #require(UserID(rawValue: "ann"))
        let token = try await issuer.issue(userID: ann, ttl: 600, now: LiveServer.now)
        try await LiveServer.run {
            $0.isDevelopment = false
        } _: { server in
            let headers = ["Host: chat.example.com", "Authorization: Bearer \(token)"]
            let answer = try await Self.ask(server, headers)
            #expect(answer.status == "200")
        }
    }
}
