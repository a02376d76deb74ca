import RoostCore
import RoostTesting
import RoostWire
import Testing

@testable import RoostServer

/// Where the keys of an identity provider come from, and what their end does.
@Suite(.timeLimit(.minutes(1))) struct ProviderKeysTests {
    private typealias Provider = IdentityProviderTests.Provider

    private static let now: Int64 = 1_780_000_000_000

    private static func set(_ keys: [String]) -> String { #"{"keys":[\#(keys.joined(separator: ","))]}"# }

    private static func provider(
        at url: String, _ patience: IdentityProvider.Patience = .init()
    ) throws -> IdentityProvider {
        let settings = try IdentityProvider.Settings(address: url, issuer: "https://id.example.com", audience: "chat")
        return IdentityProvider(settings, patience: patience)
    }

    private static func code(_ verifier: TokenVerifier, _ token: String, at time: Int64) async -> ErrorCode? {
        do {
            _ = try await verifier.verify(token, now: time)
            return nil
        } catch {
            return error.entry
        }
    }

    private static func verifier(_ provider: IdentityProvider) async throws -> TokenVerifier {
        TokenVerifier(keys: try await TokenKeys(secrets: [LiveServer.secret]), provider: provider)
    }

    @Test func `a redirect is not followed, as the keys of another host are not the provider's`() async throws {
        let signer = try Provider()
        let all = Self.set(try signer.all())
        try await KeyServer.run(KeyServer.ok(all)) { other in
            try await KeyServer.run(KeyServer.redirect(to: other.url)) { server in
                let verifier = try await Self.verifier(Self.provider(at: server.url))
                let token = try signer.token("EdDSA", "d")
                #expect(await Self.code(verifier, token, at: Self.now) == .accountDatabase)
                #expect(server.requests == 1 && other.requests == 0)
                server.answer(with: KeyServer.ok(all))
                #expect(await Self.code(verifier, token, at: Self.now + IdentityProvider.pause) == nil)
            }
        }
    }

    @Test func `an answer that stalls in its body is given up, and the next fetch is another one`() async throws {
        let signer = try Provider()
        try await KeyServer.run(KeyServer.stalling) { server in
            let provider = try Self.provider(at: server.url, .init(fetch: .milliseconds(100), known: .seconds(600)))
            let verifier = try await Self.verifier(provider)
            let token = try signer.token("EdDSA", "d")
            #expect(await Self.code(verifier, token, at: Self.now) == .accountDatabase)
            server.answer(with: KeyServer.ok(Self.set(try signer.all())))
            #expect(await Self.code(verifier, token, at: Self.now + IdentityProvider.pause) == nil)
            #expect(server.requests == 2)
        }
    }

    @Test func `an answer that is too large is given up`() async throws {
        let signer = try Provider()
        let filler = String(repeating: " ", count: 262_144)
        try await KeyServer.run(KeyServer.ok(filler + Self.set(try signer.all()))) { server in
            let verifier = try await Self.verifier(Self.provider(at: server.url))
            #expect(await Self.code(verifier, try signer.token("EdDSA", "d"), at: Self.now) == .accountDatabase)
        }
    }

    @Test func `a fetch that stalls does not hold up logins whose key is known`() async throws {
        let signer = try Provider()
        let patience = IdentityProvider.Patience(fetch: .seconds(600), known: .milliseconds(50))
        try await KeyServer.run(KeyServer.ok(Self.set(try signer.all()))) { server in
            let verifier = try await Self.verifier(Self.provider(at: server.url, patience))
            let token = try signer.token("EdDSA", "d", Provider.payload(["exp": "\(Self.now / 1_000 + 7_200)"]))
            #expect(await Self.code(verifier, token, at: Self.now) == nil)
            server.answer(with: KeyServer.stalling)
            let later = Self.now + IdentityProvider.lifetime
            for _ in 0..<3 { #expect(await Self.code(verifier, token, at: later) == nil) }
            #expect(server.requests == 2)
        }
    }

    @Test func `sessions end when their key leaves the provider's set, and others go on`() async throws {
        let signer = try Provider()
        let all = try signer.all()
        let clock = TestClock(now: Self.now)
        try await KeyServer.run(KeyServer.ok(Self.set(all))) { server in
            try await LiveServer.run(clock: clock, provider: Self.provider(at: server.url)) { live in
                func session(_ algorithm: String, _ id: String) async throws -> RawClient {
                    let client = try await RawClient.webSocket(live.port)
                    let payload = Provider.payload(["sub": #""\#(id)""#])
                    let welcome = try await client.hello(token: signer.token(algorithm, id, payload))
                    #expect(welcome.contains(#""userID":"\#(id)""#))
                    return client
                }
                let (kept, dropped) = (try await session("EdDSA", "d"), try await session("ES256", "e"))
                let own = try await RawClient.webSocket(live.port)
                let token = try await TokenIssuer(secret: LiveServer.secret).issue(
                    userID: "own", ttl: 3_600, now: clock.now)
                try await own.hello(token: token)
                server.answer(with: KeyServer.ok(Self.set(all.filter { !$0.contains(#""kid":"e""#) })))
                clock.advance(by: IdentityProvider.lifetime)
                #expect(try await dropped.closeCode() == 4401)
                let again = try await RawClient.webSocket(live.port)
                let refused = try await again.hello(token: signer.token("ES256", "e"))
                #expect(refused.contains(#""code":1,"#))
                for client in [kept, own] {
                    try await client.write(RawClient.command("q", "unread.get", "{}"))
                    #expect(try await !client.answer("q").contains(#""error""#))
                }
            }
        }
    }
}
