import RoostServer
import RoostTesting
import RoostWire
import Testing

/// What pages of other origins may do over HTTP: those that the operator allows everything, others nothing.
@Suite(.timeLimit(.minutes(1))) struct CrossOriginTests {
    private static let page = "Origin: https://chat.example.com"
    private static let guest = ["Roost-Guest: ann", "Roost-Device: d"]

    private static func run(_ isDevelopment: Bool = true, _ body: (LiveServer) async throws -> Void) async throws {
        try await LiveServer.run {
            $0.allowedOrigins = ["https://Chat.Example.com", "http://localhost:3000"]
            $0.isDevelopment = isDevelopment
        } _: { server in
            try await body(server)
        }
    }

    private static func preflight(_ server: LiveServer, _ path: String, _ origin: String) async throws -> RawAnswer {
        try await server.ask(
            path,
            [origin, "Access-Control-Request-Method: PATCH", "Access-Control-Request-Headers: authorization,x"],
            method: "OPTIONS")
    }

    @Test(arguments: [true, false])
    func `a preflight of an allowed origin is answered with what its page may send`(isDevelopment: Bool) async throws {
        try await Self.run(isDevelopment) { server in
            for path in ["/v1/message.send", "/v1/files", "/v1/files/x?signature=y"] {
                for origin in ["https://chat.example.com", "http://localhost:3000"] {
                    let answer = try await Self.preflight(server, path, "Origin: " + origin)
                    #expect(answer.status == 204 && answer.body.isEmpty)
                    #expect(answer["access-control-allow-origin"] == origin && answer["vary"] == "Origin")
                    #expect(answer["access-control-allow-methods"] == "GET, HEAD, POST, PATCH, DELETE")
                    let headers = try #require(answer["access-control-allow-headers"])
                    #expect(
                        Set(headers.lowercased().split(separator: ", ")) == [
                            "authorization", "content-type", "idempotency-key", "range", "roost-device", "roost-guest",
                            "roost-guest-name", "tus-resumable", "upload-length", "upload-metadata", "upload-offset",
                        ])
                    #expect(answer["access-control-allow-credentials"] == nil)
                }
            }
        }
    }

    static let foreign = [
        "Origin: https://evil.example", "Origin: null", "Origin: https://chat.example.com.evil.example",
        "Origin: http://chat.example.com", "Origin: https://chat.example.com:8443", "Origin: *",
    ]

    @Test func `other origins get no such headers, and in dev mode no answer either`() async throws {
        for isDevelopment in [true, false] {
            try await Self.run(isDevelopment) { server in
                for origin in Self.foreign {
                    for path in ["/v1/unread.get", "/v1/files"] {
                        let preflight = try await Self.preflight(server, path, origin)
                        #expect(preflight.headers.keys.allSatisfy { !$0.hasPrefix("access-control") }, "\(origin)")
                        #expect(!isDevelopment || preflight.status == 403)
                        let answer = try await server.ask(path, Self.guest + [origin], method: "POST", body: "{}")
                        #expect(answer.headers.keys.allSatisfy { !$0.hasPrefix("access-control") }, "\(origin)")
                        #expect(!isDevelopment || answer.status == 403)
                    }
                }
            }
        }
        // A server without allowed origins.
        try await LiveServer.run {
            $0.isDevelopment = false
        } _: { server in
            let answer = try await Self.preflight(server, "/v1/unread.get", Self.page)
            #expect(answer.status == 404 && answer["vary"] == nil)
        }
    }

    @Test func `a page of an allowed origin reads answers, errors and the headers of files`() async throws {
        try await Self.run { server in
            let answer = try await server.ask(
                "/v1/unread.get", Self.guest + [Self.page], method: "POST", body: "{}")
            #expect(answer.status == 200)
            #expect(answer["access-control-allow-origin"] == "https://chat.example.com")
            for (path, status) in [("/v1/no.such", 404), ("/v1/message.send", 400), ("/nothing", 404)] {
                let refused = try await server.ask(path, Self.guest + [Self.page], method: "POST", body: "{}")
                #expect(refused.status == status, "\(path)")
                #expect(refused["access-control-allow-origin"] == "https://chat.example.com")
            }
            // Programs have no origin, and a cache must not give their answer to a page.
            let program = try await server.ask("/v1/unread.get", Self.guest, method: "POST", body: "{}")
            #expect(program.status == 200 && program["access-control-allow-origin"] == nil)
            #expect(program["vary"] == "Origin")
        }
    }

    @Test func `a page of an allowed origin uploads, continues, downloads and deletes`() async throws {
        try await Self.run { server in
            let bytes = String(repeating: "hello ", count: 20)
            func tus(_ method: String, _ path: String, _ headers: [String] = [], _ body: String = "") async throws
                -> RawAnswer
            {
                let answer = try await server.ask(
                    path, Self.guest + [Self.page, "Tus-Resumable: 1.0.0"] + headers, method: method, body: body)
                #expect(answer["access-control-allow-origin"] == "https://chat.example.com", "\(method)")
                let exposed = try #require(answer["access-control-expose-headers"]).lowercased()
                for name in answer.headers.keys
                where ["upload-", "tus-", "etag", "location", "content-range", "retry-"].contains(where: name.hasPrefix)
                {
                    #expect(exposed.split(separator: ", ").contains(Substring(name)), "\(name)")
                }
                return answer
            }
            let created = try await tus("POST", "/v1/files", ["Upload-Length: \(bytes.utf8.count)"])
            let path = try #require(created["location"])
            let type = "Content-Type: application/offset+octet-stream"
            #expect(try await tus("PATCH", path, [type, "Upload-Offset: 0"], String(bytes.prefix(50))).status == 204)
            #expect(try await tus("HEAD", path)["upload-offset"] == "50")
            let rest = String(bytes.dropFirst(50))
            #expect(try await tus("PATCH", path, [type, "Upload-Offset: 50"], rest).status == 204)
            let part = try await tus("GET", path, ["Range: bytes=0-4"])
            #expect(part.status == 206 && part.text == "hello" && part["content-range"] == "bytes 0-4/120")
            // An <img> asks without an origin; this lets a page that isolates itself show the file, too.
            let image = try await server.ask(path, Self.guest)
            #expect(image.text == bytes && image["cross-origin-resource-policy"] == "cross-origin")
            #expect(image["vary"] == "Origin")
            #expect(try await tus("DELETE", path).status == 204)
        }
    }

    @Test(arguments: [true, false])
    func `the modules of the page may be imported by any page`(isDevelopment: Bool) async throws {
        try await LiveServer.run {
            $0.isDevelopment = isDevelopment
            $0.web = { WebFile($0, Array("export {};".utf8)) }
        } _: { server in
            let paths = [
                "/web/roost.js", "/web/chunks/a-B1.js", "/roost.js?v=1", "/roost-chat.js", "/roost-launcher.js",
            ]
            for path in paths {
                let answer = try await server.ask(path, Self.foreign.prefix(1).map(\.self))
                #expect(answer.status == 200 && answer["access-control-allow-origin"] == "*", "\(path)")
                #expect(answer["cross-origin-resource-policy"] == "cross-origin")
            }
        }
    }

    @Test func `in dev mode, pages of other origins get nothing but the modules`() async throws {
        try await LiveServer.run {
            $0.isDevelopment = true
            $0.web = { WebFile($0, Array("export {};".utf8)) }
        } _: { server in
            let origin = Self.foreign[0]
            let paths = [
                "/", "/web/app/index.html", "/web/app/icon.svg", "/v1/files/x.js", "/roost-chat.js/", "/x?/web/a.js",
            ]
            for path in paths {
                let answer = try await server.ask(path, [origin])
                #expect(answer.status == 403 && answer["access-control-allow-origin"] == nil, "\(path)")
            }
            let posted = try await server.ask("/roost-chat.js", [origin], method: "POST", body: "{}")
            #expect(posted.status == 403 && posted["access-control-allow-origin"] == nil)
        }
    }
}
