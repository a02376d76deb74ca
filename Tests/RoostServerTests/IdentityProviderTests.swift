import Crypto
import CryptoExtras
import Foundation
import RoostCore
import RoostWire
import Synchronization
import Testing

@testable import RoostServer

private let now: Int64 = 1_780_000_000_000
private let second = now / 1_000

/// Tokens of an identity provider, with keys of ours.
@Suite struct IdentityProviderTests {
    /// A provider that signs tokens, and counts how often its keys are fetched.
    final class Provider: Sendable {
        let rsa: _RSA.Signing.PrivateKey
        let weak: _RSA.Signing.PrivateKey
        let p256 = P256.Signing.PrivateKey()
        let ed25519 = Curve25519.Signing.PrivateKey()
        let state = Mutex<(keys: [String]?, count: Int)>(([], 0))

        init() throws {
            rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            weak = try _RSA.Signing.PrivateKey(unsafeKeySize: _RSA.Signing.KeySize(bitCount: 1_024))
            state.withLock { $0.keys = [] }
        }

        static func base64(_ bytes: some Collection<UInt8>) -> String {
            String(decoding: Base64URL.encode(bytes), as: UTF8.self)
        }

        private func jwk(_ id: String, _ key: _RSA.Signing.PrivateKey, _ more: String = "") throws -> String {
            let key = try key.publicKey.getKeyPrimitives()
            let (n, e) = (Self.base64(key.modulus), Self.base64(key.publicExponent))
            return #"{"kty":"RSA","kid":"\#(id)","n":"\#(n)","e":"\#(e)"\#(more)}"#
        }

        func all() throws -> [String] {
            let point = p256.publicKey.x963Representation
            let (x, y) = (Self.base64(point[1..<33]), Self.base64(point[33...]))
            return [
                try jwk("r", rsa, #","use":"sig","alg":"RS256""#), try jwk("weak", weak),
                try jwk("enc", rsa, #","use":"enc","alg":"RSA-OAEP""#), try jwk("other", rsa, #","alg":"RS512""#),
                #"{"kty":"EC","kid":"e","crv":"P-256","x":"\#(x)","y":"\#(y)"}"#,
                #"{"kty":"OKP","kid":"d","crv":"Ed25519","x":"\#(Self.base64(ed25519.publicKey.rawRepresentation))"}"#,
                #"{"kty":"oct","kid":"o","k":"AAAA"}"#, #"{"kty":"unknown","kid":"u"}"#, #"{"kty":"RSA"}"#,
            ]
        }

        func publish(_ keys: [String]?) { state.withLock { $0.keys = keys } }

        var fetches: Int { state.withLock { $0.count } }

        func verifier() async throws -> TokenVerifier {
            let settings = try IdentityProvider.Settings(
                address: "https://id.example.com/keys", issuer: "https://id.example.com", audience: "chat")
            let provider = IdentityProvider(settings) { [self] in
                let keys = state.withLock { state in
                    state.count += 1
                    return state.keys
                }
                guard let keys else { throw CancellationError() }
                return Array(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8)
            }
            return TokenVerifier(keys: try await TokenKeys(secrets: [[UInt8](1...32)]), provider: provider)
        }

        static let claims: [String: String] = [
            "iss": #""https://id.example.com""#, "aud": #""chat""#, "sub": #""ada""#, "iat": "\(second)",
            "exp": "\(second + 3_600)", "name": #""Ada""#,
        ]

        static func payload(_ changes: [String: String?] = [:]) -> String {
            var claims = claims
            for (claim, value) in changes { claims[claim] = value }
            return "{" + claims.map { #""\#($0)":\#($1)"# }.sorted().joined(separator: ",") + "}"
        }

        func token(
            _ algorithm: String, _ id: String?, _ payload: String = payload(), parameters: String = "",
            sign: (([UInt8]) throws -> [UInt8])? = nil
        ) throws -> String {
            let header = #"{"alg":"\#(algorithm)"\#(id.map { #","kid":"\#($0)""# } ?? "")\#(parameters)}"#
            let signed = Self.base64(header.utf8) + "." + Self.base64(payload.utf8)
            let bytes = Array(signed.utf8)
            let signature =
                if let sign {
                    try sign(bytes)
                } else {
                    switch algorithm {
                    case "RS256": Array(try rsa.signature(for: bytes, padding: .insecurePKCS1v1_5).rawRepresentation)
                    case "ES256": Array(try p256.signature(for: bytes).rawRepresentation)
                    default: Array(try ed25519.signature(for: bytes))
                    }
                }
            return signed + "." + Self.base64(signature)
        }
    }

    private static func code(_ verifier: TokenVerifier, _ token: String, at time: Int64 = now) async -> ErrorCode? {
        do {
            _ = try await verifier.verify(token, now: time)
            return nil
        } catch {
            return error.entry
        }
    }

    @Test func `tokens of each algorithm are accepted with their claims, and never make an operator`() async throws {
        let provider = try Provider()
        provider.publish(try provider.all())
        let verifier = try await provider.verifier()
        for (algorithm, id) in [("RS256", "r"), ("ES256", "e"), ("EdDSA", "d")] {
            let identity = try await verifier.verify(
                try provider.token(algorithm, id, Provider.payload(["op": "true", "use": #""x""#, "jti": #""t-1""#])),
                now: now)
            #expect(identity.userID.rawValue == "ada" && identity.name == "Ada" && !identity.isOperator)
            #expect(identity.access.tokenID == "t-1" && identity.access.issuedAt == now)
            #expect(identity.keyID.map(IdentityProvider.isKeyID) == true)
        }
        let odd = Provider.payload(["aud": #"["other","chat"]"#, "name": #""\u0007""#, "picture": #""""#])
        #expect(try await verifier.verify(provider.token("EdDSA", "d", odd), now: now).name == nil)
        #expect(provider.fetches == 1)
    }

    @Test func `parameters in the header that say nothing of the signature are ignored, as providers add some`()
        async throws
    {
        let provider = try Provider()
        provider.publish(try provider.all())
        let verifier = try await provider.verifier()
        for parameters in [
            #","typ":"JWT","x5t":"AAAA","x5t#S256":"AAAA""#, #","typ":"at+jwt""#, #","typ":"jwt","x":{"y":[1]}"#,
            #","jku":"https://evil.example/keys","jwk":{"kty":"oct","k":"AAAA"},"x5u":"https://evil.example""#,
        ] {
            let token = try provider.token("RS256", "r", parameters: parameters)
            let identity = try await verifier.verify(token, now: now)
            #expect(identity.userID.rawValue == "ada", "\(parameters)")
        }
        for parameters in [
            #","crit":["exp"],"exp":1"#, #","crit":[]"#, #","b64":false"#, #","zip":"DEF""#, #","typ":"dpop+jwt""#,
            #","typ":7"#, #","x":1,"x":1"#,
        ] {
            let token = try provider.token("RS256", "r", parameters: parameters)
            #expect(await Self.code(verifier, token) == .wrongCredentials, "\(parameters)")
        }
        // The address in the token was not asked for keys.
        #expect(provider.fetches == 1)
    }

    @Test func `forged, foreign and unsuitable tokens are refused`() async throws {
        let provider = try Provider()
        provider.publish(try provider.all())
        let verifier = try await provider.verifier()
        let changes: [[String: String?]] = [
            ["iss": #""roost""#], ["iss": nil], ["aud": #""roost""#], ["aud": "[]"], ["aud": #"["other"]"#],
            ["aud": nil],
            ["sub": #""a b""#], ["sub": nil], ["exp": nil], ["iat": nil], ["iat": "\(second + 100)"],
            ["nbf": "\(second + 100)"], ["exp": "\(second + 400 * 86_400)"],
        ]
        for change in changes {
            #expect(
                await Self.code(verifier, try provider.token("RS256", "r", Provider.payload(change)))
                    == .wrongCredentials, "\(change)")
        }
        let expired = Provider.payload(["iat": "\(second - 7_200)", "exp": "\(second - 3_600)"])
        #expect(await Self.code(verifier, try provider.token("RS256", "r", expired)) == .tokenExpired)
        let forgeries = [
            try provider.token("EdDSA", "r"), try provider.token("RS256", "d"), try provider.token("ES256", nil),
            try provider.token("RS256", "enc"), try provider.token("RS256", "other"),
            try provider.token("RS256", "unknown"),
            try provider.token("RS256", "weak") {
                Array(try provider.weak.signature(for: $0, padding: .insecurePKCS1v1_5).rawRepresentation)
            },
            try provider.token("RS256", "r") { _ in [UInt8](repeating: 0, count: 256) },
            try provider.token("EdDSA", "d") { Array(try Curve25519.Signing.PrivateKey().signature(for: $0)) },
            try provider.token("none", "r") { _ in [] },
            // The public key as the secret of an HMAC.
            try provider.token("HS256", "d") {
                Array(
                    HMAC<SHA256>.authenticationCode(
                        for: $0, using: SymmetricKey(data: provider.ed25519.publicKey.rawRepresentation)))
            },
            try provider.token("HS256", nil) {
                Array(
                    HMAC<SHA256>.authenticationCode(
                        for: $0, using: SymmetricKey(data: provider.ed25519.publicKey.rawRepresentation)))
            },
        ]
        for (number, token) in forgeries.enumerated() {
            #expect(await Self.code(verifier, token) == .wrongCredentials, "\(number)")
        }
        // Without a provider, its tokens are refused by their header.
        let plain = try await TokenVerifier(secret: [UInt8](1...32))
        #expect(await Self.code(plain, try provider.token("RS256", "r")) == .wrongCredentials)
    }

    @Test func `keys are fetched seldom, a new one is found, and those from before last while the provider is away`()
        async throws
    {
        let provider = try Provider()
        provider.publish(nil)
        let verifier = try await provider.verifier()
        let token = try provider.token("EdDSA", "d")
        // Never reached: perhaps later.
        #expect(await Self.code(verifier, token) == .accountDatabase)
        #expect(await Self.code(verifier, token) == .accountDatabase)
        #expect(provider.fetches == 1)
        provider.publish([])
        #expect(await Self.code(verifier, token, at: now + 30_000) == .wrongCredentials)
        #expect(provider.fetches == 2)
        provider.publish(try provider.all())
        #expect(await Self.code(verifier, token, at: now + 59_999) == .wrongCredentials)
        #expect(provider.fetches == 2)
        await withTaskGroup(of: ErrorCode?.self) { group in
            for _ in 0..<20 { group.addTask { await Self.code(verifier, token, at: now + 60_000) } }
            for await code in group { #expect(code == nil) }
        }
        #expect(provider.fetches == 3)
        provider.publish(nil)
        let later = now + 60_000 + IdentityProvider.lifetime
        #expect(await Self.code(verifier, token, at: later) == nil)
        #expect(provider.fetches == 4)
        // The provider has dropped the key.
        provider.publish([])
        // As long as the provider is away, nobody with a known key waits for it.
        var code: ErrorCode?
        for _ in 0..<100_000 where code == nil {
            code = await Self.code(verifier, token, at: later + 30_000)
            await Task.yield()
        }
        #expect(code == .wrongCredentials)
        #expect(provider.fetches == 5)
    }

    @Test(arguments: [
        "http://id.example.com/keys", "ftp://127.0.0.1/keys", "keys.json", "", "http://127.0.0.1:80@evil.test/j",
        "http://localhost:80@evil.test/j", "https://id.example.com@evil.test/j", "https://a:b@id.example.com/j",
        "http://localhost.evil.test/j", "http://127.0.0.1.evil.test:80/j", "https:///j", "https://",
    ])
    func `keys come only from a safe address`(address: String) {
        #expect(throws: SecretError.self) {
            try IdentityProvider.Settings(address: address, issuer: "i", audience: "a")
        }
    }

    @Test(arguments: [
        "https://id.example.com/keys", "HTTPS://id.example.com", "http://127.0.0.1:8080/j", "http://localhost/j",
        "http://[::1]:8080/j",
    ])
    func `keys may come over TLS, and without it from this machine`(address: String) throws {
        _ = try IdentityProvider.Settings(address: address, issuer: "i", audience: "a")
    }
}
