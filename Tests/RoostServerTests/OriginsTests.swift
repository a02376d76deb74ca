import Logging
import NIOHTTP1
import RoostWire
import Synchronization
import Testing

@testable import RoostServer

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
        ["Host: 127.0.0.1:PORT", "Origin: \(LiveServer.scheme)://127.0.0.1:PORT"],
        ["Host: LOCALHOST:PORT", "Origin: \(LiveServer.scheme)://localhost:PORT"],
        ["Host: [::1]:PORT", "Origin: \(LiveServer.scheme)://[::1]:PORT"],
        ["Host: localhost", "Origin: https://chat.example.com"],
        // A request without an origin may use the host name of an allowed origin.
        ["Host: chat.example.com"],
    ]

    static let refused: [[String]] = [
        ["Host: evil.example:PORT"], ["Host: evil.example"],
        ["Host: evil.example:PORT", "Origin: \(LiveServer.scheme)://evil.example:PORT"],
        ["Host: 127.0.0.1:PORT", "Origin: \(LiveServer.scheme)://evil.example:PORT"],
        ["Host: localhost", "Origin: null"],
        ["Host: localhost:1", "Origin: \(LiveServer.scheme)://localhost:2"],
        ["Host: localhost", "Origin: \(LiveServer.scheme)://localhost", "Origin: \(LiveServer.scheme)://localhost"],
        ["Host: localhost", "Host: localhost"], ["Host: localhost", "Host: evil.example"],
        ["Host: evil.example", "Host: localhost"], ["Host: "], [],
        ["Host: localhost.evil.example"], ["Host: 127.0.0.1.evil.example"], ["Host: [::1].evil.example"],
        ["Host: localhost.:PORT"], ["Host: evil.example.:PORT"], ["Host: localhost:evil"],
        ["Host: localhost@evil.example"],
        ["Host: evil.example:localhost"], ["Host: ::1"], ["Host: [::1"], ["Host: [::2]"], ["Host: 10.0.0.1:PORT"],
        ["Host: evil.example", "Origin: \(LiveServer.scheme)://localhost:PORT"],
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
                let origins = headers.filter { $0.hasPrefix("Origin: http") }.map { $0.dropFirst(8) }
                let origin = origins.count == 1 ? origins[0].replacing("PORT", with: "\(server.port)") : ""
                #expect(answer.body.contains(origin) && answer.body.contains("--public-url"), "\(headers): \(answer)")
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
            #expect(
                try await Self.ask(server, ["Host: localhost", "Origin: \(LiveServer.scheme)://localhost"]).status
                    == "200")
            for host in ["192.168.1.5", "evil.example"] {
                let answer = try await Self.ask(server, ["Host: \(host)", "Origin: \(LiveServer.scheme)://\(host)"])
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

    @Test func `outside dev mode a page of another origin cannot try passwords, however it writes the path`()
        async throws
    {
        try await LiveServer.run {
            $0.isDevelopment = false
            $0.allowedOrigins = ["https://app.example.com"]
        } _: { server in
            func status(_ origin: String, _ path: String) async throws -> String {
                let client = try await RawClient.connect(server.port)
                let body = #"{"loginName":"ann","password":"guess"}"#
                try await client.write(
                    "POST \(path) HTTP/1.1\r\nHost: chat.example.com\r\n\(origin)Content-Type: text/plain\r\n"
                        + "Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
                return String(await client.rest().split(separator: " ").dropFirst().first ?? "")
            }
            for path in ["/v1/account.logIn", "/v1/account%2ElogIn", "/v1/account.logIn?x", "/v1/account.signUp"] {
                for origin in ["https://evil.example", "null", "https://chat.example.com.evil.example"] {
                    let answer = try await status("Origin: \(origin)\r\n", path)
                    #expect(answer == "403", "\(origin) \(path)")
                }
            }
            for origin in ["", "Origin: https://chat.example.com\r\n", "Origin: https://app.example.com\r\n"] {
                let answer = try await status(origin, "/v1/account.logIn")
                #expect(answer == "401", "\(origin)")
            }
        }
    }

    /// The status and the body of the answer to a request for a WebSocket, and to the same as a page asks why.
    private static func connect(_ server: LiveServer, _ headers: String...) async throws -> [(String, String)] {
        var answers: [(String, String)] = []
        for method in ["GET", "POST"] {
            let client = try await RawClient.connect(server.port)
            let upgrade = RawClient.upgrade(server.port).split(separator: "\r\n").dropFirst().filter { line in
                line.hasPrefix("Host") ? !headers.contains { $0.hasPrefix("Host") } : method == "GET"
            }
            let lines = upgrade.map(String.init) + headers + (method == "GET" ? [] : ["Connection: close"])
            try await client.write("\(method) /v1/connect HTTP/1.1\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n")
            let head = try await client.head()
            let status = head.split(separator: " ").dropFirst().first.map(String.init) ?? "none"
            var body = ""
            if status != "101" { body = await client.rest() }
            answers.append((status, body))
            await client.close()
        }
        return answers
    }

    @Test func `behind a proxy that hides its name a page is refused with both names, over HTTP, too`() async throws {
        try await LiveServer.run {
            $0.isDevelopment = false
            $0.allowedOrigins = ["https://app.example.org"]
        } _: { server in
            let origin = "https://chat.example.com"
            for (status, body) in try await Self.connect(server, "Host: 127.0.0.1:7878", "Origin: \(origin)") {
                #expect(status == "403")
                for text in [
                    origin, "127.0.0.1:7878", "https://app.example.org", "--public-url \(origin)",
                    "proxy_set_header Host $http_host", #""code":1107"#,
                ] {
                    #expect(body.contains(text), "\(text): \(body)")
                }
            }
            // What is no origin is not repeated.
            for wrong in ["null", "https://a\"b", String(repeating: "a", count: 5_000), "https://a b", "ü"] {
                for (status, body) in try await Self.connect(server, "Origin: \(wrong)") {
                    #expect(status == "403" && (wrong == "null" || !body.contains(wrong)), "\(wrong)")
                }
            }
            // A page without this problem learns that it has none.
            let own = try await Self.connect(server, "Host: chat.example.com", "Origin: \(origin)")
            #expect(own.map(\.0) == ["101", "404"])
            #expect(own.last?.1.contains("Upgrade") == true)
        }
    }

    @Test func `the public address may connect whatever the proxy makes of the name`() async throws {
        try await LiveServer.run {
            $0.isDevelopment = false
            // As it may be written.
            $0.allowedOrigins = ["https://Chat.Example.com:443/"]
        } _: { server in
            for headers in [
                ["Host: 127.0.0.1:7878", "Origin: https://chat.example.com"],
                ["Host: roost", "Origin: https://chat.example.com"],
                ["Host: other.example.com:443", "Origin: https://other.example.com"],
                [
                    "Host: other.example.com:\(LiveServer.scheme == "http" ? 80 : 443)",
                    "Origin: \(LiveServer.scheme)://other.example.com",
                ],
            ] {
                let answers = try await Self.connect(server, headers[0], headers[1])
                #expect(answers.map(\.0) == ["101", "404"], "\(headers)")
            }
            for headers in [
                ["Host: 127.0.0.1:7878", "Origin: http://chat.example.com"],
                ["Host: 127.0.0.1:7878", "Origin: https://chat.example.com:8443"],
                ["Host: other.example.com:443", "Origin: http://other.example.com"],
            ] {
                let answers = try await Self.connect(server, headers[0], headers[1])
                #expect(answers.map(\.0) == ["403", "403"], "\(headers)")
            }
        }
    }

    @Test func `X-Forwarded-Host counts behind a proxy only, and its last element only`() async throws {
        let origin = "Origin: https://chat.example.com"
        for isBehindProxy in [true, false] {
            try await LiveServer.run {
                $0.isDevelopment = false
                $0.isBehindProxy = isBehindProxy
            } _: { server in
                let named = try await Self.connect(
                    server, "Host: 127.0.0.1:7878", origin, "X-Forwarded-Host: evil.example, Chat.example.com")
                #expect(named.map(\.0) == (isBehindProxy ? ["101", "404"] : ["403", "403"]))
                let other = try await Self.connect(
                    server, "Host: 127.0.0.1:7878", origin, "X-Forwarded-Host: chat.example.com, roost.example.com")
                #expect(other.map(\.0) == ["403", "403"])
                #expect(other.allSatisfy { $0.1.contains("https://roost.example.com") == isBehindProxy })
            }
        }
        // In dev mode a page could send the header to a name of its own that leads here.
        try await LiveServer.run {
            $0.isBehindProxy = true
        } _: { server in
            let refused: [[String]] = [
                ["Host: evil.example", "X-Forwarded-Host: localhost"],
                ["Host: evil.example", "X-Forwarded-Host: localhost", "Origin: \(LiveServer.scheme)://evil.example"],
                ["Host: evil.example", "X-Forwarded-Host: localhost", "Origin: \(LiveServer.scheme)://localhost"],
                ["Host: localhost", "X-Forwarded-Host: evil.example", "Origin: \(LiveServer.scheme)://evil.example"],
            ]
            for headers in refused {
                let answer = try await Self.ask(server, headers)
                #expect(answer.status == "403", "\(headers)")
            }
            let own = [
                "Host: 127.0.0.1:7878", "X-Forwarded-Host: localhost:8080",
                "Origin: \(LiveServer.scheme)://localhost:8080",
            ]
            #expect(try await Self.ask(server, own).status == "200")
        }
    }

    @Test func `a refused page is logged once per origin, an address that cannot be read once, and not without end`()
        async throws
    {
        let log = Lines()
        try await LiveServer.run(logger: Logger(label: "test", factory: { _ in log })) {
            $0.isDevelopment = false
            $0.isBehindProxy = true
        } _: { server in
            for _ in 0..<3 {
                for origin in ["https://one.example.com", "https://two.example.com"] {
                    _ = try await Self.connect(server, "Origin: \(origin)", "X-Forwarded-For: 198.51.100.7, unknown")
                }
            }
            let origins = log.warnings.filter { $0.contains("origin") }
            #expect(origins.count == 2 && origins.allSatisfy { $0.contains("127.0.0.1:\(server.port)") })
            #expect(origins.contains { $0.contains("https://one.example.com") && $0.contains("--public-url") })
            #expect(log.warnings.count { $0.contains("X-Forwarded-For") } == 1)
            for number in 0..<120 { _ = try await Self.connect(server, "Origin: https://\(number).example.com") }
            #expect(log.warnings.count <= 100)
        }
    }

    @Test(arguments: [(false, 1), (true, 0)])
    func `a proxy that the server was not told of is logged once`(isBehindProxy: Bool, count: Int) async throws {
        let log = Lines()
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            $0.isDevelopment = false
            $0.isBehindProxy = isBehindProxy
        }
        try await LiveServer.run(logger: Logger(label: "test", factory: { _ in log }), configure) { server in
            _ = try await Self.connect(server)
            #expect(Self.proxies(log).isEmpty)
            _ = try await Self.connect(server, "X-Forwarded-For: 198.51.100.7")
            _ = try await Self.connect(server, "Forwarded: for=198.51.100.7")
            _ = try await Self.connect(server, "x-forwarded-for: x")
        }
        let lines = Self.proxies(log)
        #expect(lines.count == count && lines.allSatisfy { $0.contains("127.0.0.1") })
    }

    private static func proxies(_ log: Lines) -> [String] { log.warnings.filter { $0.contains("--behind-proxy") } }

    @Test func `a client elsewhere that names another address is no proxy`() {
        let named: HTTPHeaders = ["X-Forwarded-For": "198.51.100.7"]
        let configuration = ServerConfiguration()
        for address in [
            "127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.3.4",
            "169.254.0.9",
            "100.64.0.1", "::ffff:10.1.2.3", "fd00::1", "FC12:3::4", "fe80::1",
        ] {
            #expect(configuration.hasUnknownProxy(named, from: address), "\(address)")
            #expect(!configuration.hasUnknownProxy([:], from: address), "\(address)")
        }
        for address in [
            "198.51.100.7", "172.32.0.1", "172.15.0.1", "192.169.0.1", "100.128.0.1", "11.0.0.1", "2001:db8::1",
            "fd::1",
            "fec0::1", "10.0.0", "",
        ] {
            #expect(!configuration.hasUnknownProxy(named, from: address), "\(address)")
        }
    }

    /// The lines of a log.
    private final class Lines: LogHandler, Sendable {
        private let lines = Mutex<[String]>([])
        var warnings: [String] { lines.withLock { $0 } }

        subscript(metadataKey _: String) -> Logger.Metadata.Value? {
            get { nil }
            set {}
        }
        var metadata: Logger.Metadata {
            get { [:] }
            set {}
        }
        var logLevel: Logger.Level {
            get { .info }
            set {}
        }

        func log(event: LogEvent) {
            guard event.level == .warning else { return }
            lines.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
        }
    }
}
