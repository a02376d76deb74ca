import Foundation
import RoostServer
import RoostTesting
import RoostWeb
import Testing

/// The page that a server shows to browsers, and what it allows the pages of others.
@Suite(.timeLimit(.minutes(1))) struct WebTests {
    private static let html = "Accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"

    /// A folder like `Web/src` with a few files, and the path of a file outside of it.
    private static func makeFolder() throws -> (folder: TemporaryFolder, source: String) {
        let folder = try TemporaryFolder()
        let source = folder.path + "/src"
        try FileManager.default.createDirectory(atPath: source + "/app", withIntermediateDirectories: true)
        for (path, text) in [
            ("app/index.html", "<!doctype html>"), ("app/app.css", "p {}"), ("app/worker.js", "onfetch = null;"),
            ("app/app.webmanifest", "{}"), ("app/icon.svg", "<svg/>"), ("app/icon.png", "png"), ("app/x.bin", "x"),
            ("roost.js", "export const a = 1;"), ("roost-chat.js", "export const b = 1;"), ("types.d.ts", "x"),
            ("strings.json", "{}"), (".hidden.js", "secret"), ("../secret.js", "secret"),
        ] { try Data(text.utf8).write(to: URL(filePath: source + "/" + path)) }
        for (link, target) in [
            ("link.js", "../secret.js"), ("out", ".."), ("inside.js", "roost.js"),
        ] { try FileManager.default.createSymbolicLink(atPath: source + "/" + link, withDestinationPath: target) }
        return (folder, source)
    }

    /// Runs a server with the page of `makeFolder`.
    private static func run(
        _ adjust: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (LiveServer, _ source: String) async throws -> Void
    ) async throws {
        let (folder, source) = try makeFolder()
        try await LiveServer.run {
            $0.web = { WebFile.read($0, inFolder: source) }
            adjust(&$0)
        } _: { server in
            try await body(server, source)
        }
        withExtendedLifetime(folder) {}
    }

    @Test func `every file of the page has its path and its media type, for GET and HEAD`() async throws {
        let table = [
            ("/web/app/app.css", "text/css; charset=utf-8", "p {}"),
            ("/web/app/index.html", "text/html; charset=utf-8", "<!doctype html>"),
            ("/web/app/icon.svg", "image/svg+xml", "<svg/>"), ("/web/app/icon.png", "image/png", "png"),
            ("/web/app/x.bin", "application/octet-stream", "x"), ("/web/strings.json", "application/json", "{}"),
            ("/web/types.d.ts", "text/plain; charset=utf-8", "x"),
            ("/web/roost.js", "text/javascript; charset=utf-8", "export const a = 1;"),
            ("/web/inside.js", "text/javascript; charset=utf-8", "export const a = 1;"),
            ("/web/roost.js?v=1", "text/javascript; charset=utf-8", "export const a = 1;"),
            ("/worker.js", "text/javascript; charset=utf-8", "onfetch = null;"),
            ("/app.webmanifest", "application/manifest+json", "{}"),
            ("/roost.js", "text/javascript; charset=utf-8", "export * from \"./web/roost.js\";\n"),
            ("/roost-chat.js", "text/javascript; charset=utf-8", "export * from \"./web/roost-chat.js\";\n"),
        ]
        try await Self.run { server, _ in
            for (path, type, content) in table {
                let answer = try await server.ask(path)
                #expect(answer.status == 200 && answer.text == content, "\(path)")
                #expect(answer["content-type"] == type, "\(path)")
                #expect(answer["cache-control"] == "no-cache" && answer["x-content-type-options"] == "nosniff")
                #expect(answer["content-length"] == "\(content.utf8.count)")
                let isPage = type.hasPrefix("text/html")
                #expect(answer["access-control-allow-origin"] == (isPage ? nil : "*"), "\(path)")
                #expect(answer["cross-origin-resource-policy"] == (isPage ? nil : "cross-origin"), "\(path)")
                #expect((answer["content-security-policy"] != nil) == isPage, "\(path)")
                let head = try await server.ask(path, method: "HEAD")
                #expect(head.status == 200 && head.body.isEmpty, "\(path)")
                for (name, value) in answer.headers where name != "date" { #expect(head.headers[name] == value) }
                #expect(try await server.ask(path, method: "POST").status == 404)
            }
            // There is no such file in this folder.
            #expect(try await server.ask("/roost-text-chat.js").status == 404)
        }
    }

    @Test func `a file that has not changed is not sent again, and a changed one is`() async throws {
        try await Self.run { server, source in
            for path in ["/web/roost.js", "/roost.js", "/worker.js", "/"] {
                let tag = try #require(try await server.ask(path, [Self.html])["etag"])
                for known in [tag, "\"x\", \(tag)", "*"] {
                    let same = try await server.ask(path, [Self.html, "If-None-Match: \(known)"])
                    #expect(same.status == 304 && same.body.isEmpty && same["etag"] == tag, "\(path)")
                }
                #expect(try await server.ask(path, [Self.html, "If-None-Match: \"x\""]).status == 200)
            }
            let tag = try #require(try await server.ask("/web/roost.js")["etag"])
            try Data("export const a = 2;".utf8).write(to: URL(filePath: source + "/roost.js"))
            let changed = try await server.ask("/web/roost.js", ["If-None-Match: \(tag)"])
            #expect(changed.status == 200 && changed.text == "export const a = 2;" && changed["etag"] != tag)
        }
    }

    static let hostilePaths = [
        "/web/../secret.js", "/web/%2e%2e/secret.js", "/web/..%2fsecret.js", "/web/%2e%2e%2fsecret.js",
        "/web/..%5csecret.js", "/web/..\\secret.js", "/web//secret.js", "//web/roost.js", "/web//roost.js",
        "/web/./roost.js",
        "/web/app/../roost.js", "/web/app/..", "/web/..", "/web/.", "/web/", "/web", "/web/app", "/web/app/",
        "/web/roost.js/", "/web/roost.js%00", "/web/roost.js%00.png", "/web/%72oost.js", "/web/.hidden.js",
        "/web/link.js",
        "/web/out/secret.js", "/web/nothing.js", "/secret.js", "/../secret.js", "/app/index.html",
        "/web/file:///etc/passwd", "/web//etc/passwd", "/web/~root", "/web/%252e%252e/secret.js", "/web/ü.js",
    ]

    @Test func `a path out of the folder, by dots, escapes or links, leads nowhere`() async throws {
        try await Self.run { server, source in
            for path in Self.hostilePaths {
                let answer = try await server.ask(path)
                #expect([400, 404].contains(answer.status), "\(path)")
                #expect(!answer.text.contains("secret") && !answer.text.contains("root:"), "\(path)")
            }
            #expect(try await server.ask("http://localhost/web/roost.js").status == 200)
            #expect(try await server.ask("http://localhost/web/../../secret.js").status == 404)
        }
        for path in Self.hostilePaths where path.hasPrefix("/web/") {
            #expect(WebFile.embedded(String(path.dropFirst(5))) == nil, "\(path)")
        }
        let (folder, source) = try Self.makeFolder()
        for path in ["a\0b", "roost.js\0", "\0", "", "/", "roost.js\n", "/etc/passwd"] {
            #expect(WebFile.read(path, inFolder: source) == nil)
        }
        withExtendedLifetime(folder) {}
    }

    @Test func `a browser gets the app at the root, and everybody else a description of the server`() async throws {
        try await Self.run { server, _ in
            let page = try await server.ask("/", [Self.html])
            #expect(page.status == 200 && page.text == "<!doctype html>")
            #expect(page["content-type"] == "text/html; charset=utf-8")
            #expect(page["vary"] == "Accept-Encoding, Accept, Origin" || page["vary"] == "Accept-Encoding, Accept")
            for accept in [[], ["Accept: */*"], ["Accept: application/json"]] {
                let answer = try await server.ask("/", accept)
                #expect(
                    answer.text
                        == #"{"server":"roost","protocol":1,"connect":"/v1/connect","guests":true,"passwords":false,"signUp":false,"keepsLogins":true}"#
                )
                #expect(answer["content-type"] == "application/json" && answer["vary"] == "Accept")
            }
        }
        try await LiveServer.run {
            $0.isDevelopment = false
        } _: { server in
            // Without a page, also for a browser.
            let answer = try await server.ask("/", [Self.html])
            #expect(
                answer.text
                    == #"{"server":"roost","protocol":1,"connect":"/v1/connect","guests":false,"passwords":false,"signUp":false,"keepsLogins":true}"#
            )
            for path in ["/web/app/index.html", "/worker.js", "/app.webmanifest", "/roost.js"] {
                #expect(try await server.ask(path).status == 404)
            }
        }
    }

    static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
        media-src 'self' blob:; connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
        trusted-types roost
        """

    @Test func `the app may run nothing but its own modules, and nobody may frame it`() async throws {
        try await Self.run { server, _ in
            for path in ["/", "/web/app/index.html"] {
                let page = try await server.ask(path, [Self.html])
                #expect(page["content-security-policy"] == Self.policy)
                #expect(page["x-frame-options"] == "DENY" && page["referrer-policy"] == "no-referrer")
                #expect(page["cross-origin-opener-policy"] == "same-origin")
                let permissions = try #require(page["permissions-policy"]).split(separator: ", ")
                #expect(permissions.filter { !$0.hasSuffix("=()") } == ["microphone=(self)"])
                #expect(["camera=()", "geolocation=()"].allSatisfy(permissions.contains))
            }
        }
    }

    @Test func `origins that the operator names may frame the app`() async throws {
        try await Self.run {
            $0.frameAncestors = ["https://example.com", "http://localhost:3000"]
        } _: { server, _ in
            let page = try await server.ask("/", [Self.html])
            #expect(
                page["content-security-policy"]
                    == Self.policy.replacing(
                        "frame-ancestors 'none'", with: "frame-ancestors https://example.com http://localhost:3000"))
            #expect(page["x-frame-options"] == nil)
        }
    }

    @Test func `pictures come from the server, and from origins that the operator names`() async throws {
        try await Self.run {
            $0.imageOrigins = ["https://images.example.com", "http://localhost:3000"]
        } _: { server, _ in
            let page = try await server.ask("/", [Self.html])
            #expect(
                page["content-security-policy"]
                    == Self.policy.replacing(
                        "img-src 'self' blob: data:",
                        with: "img-src 'self' blob: data: https://images.example.com http://localhost:3000"))
        }
    }

    /// `Web` of the repository.
    private static let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Web")
        .standardizedFileURL.path

    @Test func `the binary holds the bundle and all else of Web/src, texts also compressed`() async throws {
        var paths: Set<String> = []
        for folder in ["bundle", "src"] {
            for path in try FileManager.default.subpathsOfDirectory(atPath: "\(Self.source)/\(folder)") {
                let file = "\(Self.source)/\(folder)/\(path)"
                var isFolder: ObjCBool = false
                guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), !isFolder.boolValue,
                    // What the bundle has is taken from there.
                    folder == "bundle" || !path.hasSuffix(".js"), paths.insert(path).inserted
                else { continue }
                let data = try #require(FileManager.default.contents(atPath: file))
                let embedded = try #require(WebFile.embedded(path), "\(path)")
                #expect(Data(embedded.bytes) == data, "\(path)")
                #expect(embedded.mediaType != "application/octet-stream", "\(path) has no media type")
                #expect(embedded.isFinal == path.hasPrefix("chunks/"))
            }
        }
        #expect(paths.isSuperset(of: ["app/index.html", "app/app.js", "app/worker.js", "roost-chat.js", "roost.js"]))
        try await LiveServer.run {
            $0.web = WebFile.embedded
        } _: { server in
            let plain = try await server.ask("/", [Self.html])
            #expect(plain["content-encoding"] == nil && plain["vary"] == "Accept-Encoding, Accept")
            for value in ["br;q=1.0, gzip", "gzip, deflate, br, zstd", "gzip;q=0.5"] {
                let small = try await server.ask("/", [Self.html, "Accept-Encoding: \(value)"])
                #expect(small["content-encoding"] == "gzip" && small["etag"] == plain["etag"], "\(value)")
                #expect(small.body.count < plain.body.count)
                #expect(try Self.unzipped(small.body) == plain.body)
            }
            for value in ["identity", "gzip;q=0", "br", "xgzip"] {
                let answer = try await server.ask("/", [Self.html, "Accept-Encoding: \(value)"])
                #expect(answer.body == plain.body && answer["content-encoding"] == nil, "\(value)")
            }
        }
    }

    /// What the program gzip reads from compressed bytes.
    private static func unzipped(_ bytes: [UInt8]) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(bytes))
        try input.fileHandleForWriting.close()
        return Array(try output.fileHandleForReading.readToEnd() ?? Data())
    }
}
