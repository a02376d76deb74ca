import Foundation
import RoostTesting
import RoostWire
import Testing

@testable import RoostServer

/// Signing in at an identity provider (OpenID Connect): what the page asks for, and what the provider answers.
@Suite(.timeLimit(.minutes(1))) struct ProviderSignInTests {
    private typealias Signer = IdentityProviderTests.Provider

    private static let discovery = "/.well-known/openid-configuration"
    private static let origin = "Origin: \(LiveServer.scheme)://localhost"
    private static let now = LiveServer.now / 1_000

    private struct Address: Decodable { var address: String }

    /// A provider, and a server whose page signs in there.
    private struct Stage {
        let signer: Signer
        let provider: KeyServer
        let server: LiveServer
        let clock: TestClock

        var issuer: String { "http://127.0.0.1:\(provider.port)" }

        func token(_ changes: [String: String?] = [:]) throws -> String {
            let claims: [String: String?] = [
                "iss": "\"\(issuer)\"", "aud": #""page""#, "iat": "\(now)", "exp": "\(now + 300)", "nonce": #""n""#,
            ]
            return try signer.token("EdDSA", "d", Signer.payload(claims.merging(changes) { $1 }))
        }

        func answerToken(_ token: String) {
            provider.answer("/token", with: KeyServer.ok(#"{"id_token":"\#(token)"}"#))
        }

        func post(_ name: String, _ body: String, _ headers: [String] = [origin]) async throws -> RawAnswer {
            try await server.ask(
                "/v1/refresh/\(name)", headers + ["Content-Type: application/json"], method: "POST", body: body)
        }

        func start(_ code: String = "c", nonce: String = "n", returnTo: String = "\(LiveServer.scheme)://localhost/")
            async throws
            -> ErrorCode?
        {
            let answer = try await post(
                "start",
                #"{"provider":{"code":"\#(code)","verifier":"v","nonce":"\#(nonce)","returnTo":"\#(returnTo)"}}"#)
            #expect((answer.status == 200) == (answer["set-cookie"] != nil))
            return answer.error?.entry
        }

        func ask(returnTo: String = "\(LiveServer.scheme)://localhost/", state: String = "s") async throws -> RawAnswer
        {
            try await post(
                "provider", #"{"state":"\#(state)","nonce":"n","challenge":"h","returnTo":"\#(returnTo)"}"#)
        }

        private var now: Int64 { clock.now / 1_000 }
    }

    private static func run(
        secret: String? = nil, _ adjust: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (Stage) async throws -> Void
    ) async throws {
        let signer = try Signer()
        let keys = KeyServer.ok(#"{"keys":[\#(try signer.all().joined(separator: ","))]}"#)
        try await KeyServer.run(keys) { provider in
            let issuer = "http://127.0.0.1:\(provider.port)"
            provider.answer(discovery, with: Self.configuration(issuer))
            let clock = TestClock(now: LiveServer.now)
            let settings = try IdentityProvider.Settings(
                address: provider.url, issuer: issuer, audience: "chat", client: .init(id: "page", secret: secret))
            try await LiveServer.run(clock: clock, provider: IdentityProvider(settings)) {
                $0.isDevelopment = false
                adjust(&$0)
            } _: { server in
                try await body(Stage(signer: signer, provider: provider, server: server, clock: clock))
            }
        }
    }

    private static func configuration(_ issuer: String, authorization: String? = nil, token: String? = nil) -> String {
        KeyServer.ok(
            """
            {"issuer":"\(issuer)","authorization_endpoint":"\(authorization ?? issuer + "/authorize")",\
            "token_endpoint":"\(token ?? issuer + "/token")"}
            """)
    }

    @Test func `the page learns where to sign in, with all that binds the answer to it`() async throws {
        try await Self.run { stage in
            let info = try await stage.server.ask("/", [])
            #expect(info.text.contains(#""provider":"127.0.0.1:\#(stage.provider.port)""#))
            let answer = try await stage.ask()
            let address = try JSONDecoder().decode(Address.self, from: Data(answer.body)).address
            #expect(
                address == """
                    \(stage.issuer)/authorize?response_type=code&client_id=page&redirect_uri=\(LiveServer.scheme)%3A%2F%2Flocalhost%2F&\
                    scope=openid%20profile&state=s&nonce=n&code_challenge=h&code_challenge_method=S256
                    """)
            #expect(answer["set-cookie"] == nil)
            // What the provider says of itself is asked for once.
            #expect(try await stage.ask().status == 200)
            #expect(stage.provider.requests == 1)
        }
    }

    @Test func `a code is exchanged with its verifier, and the login ends after a week at the latest`() async throws {
        try await Self.run(secret: "s e/ä") { stage in
            stage.answerToken(try stage.token())
            let answer = try await stage.post(
                "start",
                #"{"provider":{"code":"c d","verifier":"v","nonce":"n","returnTo":"\#(LiveServer.scheme)://localhost/chat/"}}"#
            )
            #expect(answer.status == 200)
            #expect(answer["set-cookie"]?.contains("Max-Age=604800;") == true)
            #expect(answer.text.contains(#""userID":"ada""#))
            let request = try #require(stage.provider.texts.first { $0.hasPrefix("POST /token ") })
            #expect(
                request.hasSuffix(
                    """
                    grant_type=authorization_code&code=c%20d&redirect_uri=\(LiveServer.scheme)%3A%2F%2Flocalhost%2Fchat%2F&code_verifier=v
                    """))
            let basic = Data("page:s%20e%2F%C3%A4".utf8).base64EncodedString()
            #expect(request.lowercased().contains("authorization: basic \(basic)".lowercased()))
        }
    }

    @Test func `a public client names itself, and shows no secret`() async throws {
        try await Self.run { stage in
            stage.answerToken(try stage.token())
            #expect(try await stage.start() == nil)
            let request = try #require(stage.provider.texts.first { $0.hasPrefix("POST /token ") })
            #expect(request.hasSuffix("&client_id=page"))
            #expect(!request.lowercased().contains("authorization:"))
        }
    }

    @Test func `a token with anything wrong in it signs nobody in`() async throws {
        try await Self.run { stage in
            let wrong: [[String: String?]] = [
                ["nonce": #""another""#], ["nonce": nil], ["nonce": "1"], ["aud": #""chat""#],
                ["aud": #"["other"]"#],
                ["iss": #""https://id.example.com""#], ["sub": #""a b""#], ["sub": nil],
                ["exp": "\(Self.now - 120)", "iat": "\(Self.now - 300)"], ["iat": "\(Self.now + 3_600)"],
            ]
            for changes in wrong {
                stage.answerToken(try stage.token(changes))
                #expect(try await stage.start() == .wrongCredentials, "\(changes)")
            }
            let own = try await TokenIssuer(secret: LiveServer.secret).issue(
                userID: "ada", isOperator: true, ttl: 300, now: LiveServer.now)
            for token in [own, "", "a.b.c", try stage.token().dropLast(8) + "AAAAAAAA"] {
                stage.answerToken(String(token))
                #expect(try await stage.start() == .wrongCredentials, "\(token)")
            }
            // The provider never makes operators.
            stage.answerToken(try stage.token(["op": "true"]))
            #expect(try await stage.start() == nil)
        }
    }

    @Test func `a provider that fails is told from one that refuses`() async throws {
        try await Self.run { stage in
            for (answer, code) in [
                ("HTTP/1.1 400 Bad Request\r\nContent-Length: 25\r\n\r\n{\"error\":\"invalid_grant\"}", 1),
                ("HTTP/1.1 401 Unauthorized\r\nContent-Length: 26\r\n\r\n{\"error\":\"invalid_client\"}", 7),
                ("HTTP/1.1 500 Broken\r\nContent-Length: 0\r\n\r\n", 3),
                ("HTTP/1.1 429 Too Many\r\nContent-Length: 0\r\n\r\n", 3),
                (KeyServer.redirect(to: stage.issuer + "/other"), 3), (KeyServer.ok("[]"), 3),
                (KeyServer.ok(#"{"access_token":"x"}"#), 3), (KeyServer.stalling, 3),
            ] {
                stage.provider.answer("/token", with: answer)
                let told = try await stage.start()
                #expect(told?.code == code, "\(answer)")
            }
            #expect(!stage.provider.texts.contains { $0.contains("/other") })
        }
    }

    @Test func `only what the issuer says of itself counts, and only addresses that nobody can read along`()
        async throws
    {
        try await Self.run { stage in
            for answer in [
                Self.configuration("https://id.example.com"), Self.configuration(stage.issuer + "/"),
                Self.configuration(stage.issuer, authorization: "http://id.example.com/authorize"),
                Self.configuration(stage.issuer, token: "http://id.example.com/token"),
                Self.configuration(stage.issuer, authorization: "javascript:alert(1)"), KeyServer.ok("{}"),
                "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", KeyServer.redirect(to: stage.provider.url),
            ] {
                stage.provider.answer(Self.discovery, with: answer)
                let refused = try await stage.ask()
                #expect(refused.error?.entry == .accountDatabase, "\(answer)")
                #expect(try await stage.start() == .accountDatabase)
            }
            stage.provider.answer(Self.discovery, with: Self.configuration(stage.issuer))
            #expect(try await stage.ask().status == 200)
        }
    }

    @Test func `an answer goes back to the page only, and what no provider has made is refused`() async throws {
        try await Self.run { stage in
            stage.answerToken(try stage.token())
            for address in [
                "https://evil.example/", "http://localhost.evil.example/", "http://localhost@evil.example/", "",
            ] {
                #expect(try await stage.ask(returnTo: address).error?.entry == .dataFormat, "\(address)")
                #expect(try await stage.start(returnTo: address) == .dataFormat, "\(address)")
            }
            #expect(try await stage.ask(state: "").error?.entry == .dataFormat)
            #expect(try await stage.ask(state: "a b").error?.entry == .dataFormat)
            #expect(try await stage.start("") == .dataFormat)
            #expect(try await stage.start(String(repeating: "c", count: 4_097)) == .dataFormat)
            #expect(try await stage.start(nonce: String(repeating: "n", count: 513)) == .dataFormat)
            for body in [
                "{}", #"{"provider":{}}"#, #"{"provider":1}"#,
                #"{"token":"x","provider":{"code":"c","verifier":"v","nonce":"n","returnTo":"\#(LiveServer.scheme)://localhost/"}}"#,
            ] {
                #expect(try await stage.post("start", body).error?.entry == .dataFormat, "\(body)")
            }
            // Pages of others cannot use it at all.
            let foreign = try await stage.post(
                "provider", #"{"state":"s","nonce":"n","challenge":"h","returnTo":"https://evil.example/"}"#,
                ["Origin: https://evil.example"])
            #expect(foreign.status == 403)
            #expect(!stage.provider.texts.contains { $0.hasPrefix("POST ") })
        }
    }

    @Test func `a network that tries codes waits, and the others do not`() async throws {
        try await Self.run {
            $0.isBehindProxy = true
        } _: { stage in
            let body =
                #"{"provider":{"code":"c","verifier":"v","nonce":"n","returnTo":"\#(LiveServer.scheme)://localhost/"}}"#
            func code(from address: String) async throws -> ErrorCode? {
                let answer = try await stage.post("start", body, [Self.origin, "X-Forwarded-For: \(address)"])
                return answer.error?.entry
            }
            // A provider that is down shuts nobody out.
            let wrong = "HTTP/1.1 400 Bad Request\r\nContent-Length: 25\r\n\r\n{\"error\":\"invalid_grant\"}"
            stage.provider.answer("/token", with: "HTTP/1.1 503 Down\r\nContent-Length: 0\r\n\r\n")
            for _ in 0...LoginAttempts.maxPerNetwork { #expect(try await code(from: "192.0.2.1") == .accountDatabase) }
            stage.provider.answer("/token", with: wrong)
            for _ in 0..<LoginAttempts.maxPerNetwork { #expect(try await code(from: "192.0.2.1") == .wrongCredentials) }
            #expect(try await code(from: "192.0.2.1") == .tooManyRequests)
            stage.answerToken(try stage.token())
            for _ in 0..<3 { #expect(try await code(from: "192.0.2.2") == nil) }
            stage.clock.advance(by: LoginAttempts.length)
            stage.answerToken(
                try stage.token(["iat": "\(stage.clock.now / 1_000)", "exp": "\(stage.clock.now / 1_000 + 300)"]))
            #expect(try await code(from: "192.0.2.1") == nil)
        }
    }

    @Test func `without a client, and where browsers do not stay signed in, nobody signs in at a provider`()
        async throws
    {
        try await Self.run {
            $0.keptLoginMs = 0
        } _: { stage in
            let info = try await stage.server.ask("/", [])
            #expect(!info.text.contains("provider"))
            #expect(try await stage.ask().error?.entry == .functionUnavailable)
            #expect(try await stage.start() == .functionUnavailable)
        }
        try await LiveServer.run { server in
            let answer = try await server.ask(
                "/v1/refresh/provider", [Self.origin], method: "POST",
                body: #"{"state":"s","nonce":"n","challenge":"h","returnTo":"\#(LiveServer.scheme)://localhost/"}"#)
            #expect(answer.error?.entry == .functionUnavailable)
        }
    }
}
