import AsyncHTTPClient
import Foundation
import JWTKit
import NIOCore
import NIOHTTP1
import RoostCore
import RoostWire

/// An identity provider whose tokens open sessions: its keys, fetched from a JWKS address (RFC 7517) and cached.
///
/// A key is bound to one algorithm: RSA of at least 2,048 bits to RS256, P-256 to ES256, Ed25519 to EdDSA. What the
/// provider says about operators does not count.
package actor IdentityProvider {
    /// Where the keys are, and what tokens must say.
    package struct Settings: Sendable {
        /// The address of the keys: `https:`, or `http:` on this machine.
        package var address: String
        /// The `iss` of its tokens.
        package var issuer: String
        /// What the `aud` of its tokens must be or contain.
        package var audience: String

        /// - Throws: `SecretError` if the address is not `https:`, or `http:` on this machine.
        package init(address: String, issuer: String, audience: String) throws(SecretError) {
            let local = ["http://127.0.0.1:", "http://localhost:", "http://[::1]:"]
            guard address.hasPrefix("https://") || local.contains(where: address.hasPrefix) else {
                throw SecretError(
                    description: "--identity-keys must be an https: address, as whoever changes it is every user.")
            }
            self.address = address
            self.issuer = issuer
            self.audience = audience
        }
    }

    private struct Key: Sendable {
        var name: String
        var algorithm: any JWTAlgorithm
    }

    /// The algorithms of its tokens.
    static let algorithms: Set = ["RS256", "ES256", "EdDSA"]
    /// How long keys are used before they are fetched again, in ms.
    static let lifetime: Int64 = 600_000
    /// The least time between two requests, in ms.
    static let pause: Int64 = 30_000
    private static let mostBytes = 262_144
    private static let mostKeys = 100

    let settings: Settings
    private let fetch: @Sendable () async throws -> [UInt8]
    private var keys: [String: Key] = [:]
    private var fetchedAt = Int64.min
    private var triedAt = Int64.min
    private var running: Task<Void, Never>?

    init(_ settings: Settings, fetch: @escaping @Sendable () async throws -> [UInt8]) {
        self.settings = settings
        self.fetch = fetch
    }

    /// Creates a provider whose keys are fetched over HTTP.
    package init(_ settings: Settings) {
        self.init(settings) { [address = settings.address] in
            var request = HTTPClientRequest(url: address)
            request.headers.add(name: "Accept", value: "application/json")
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(5))
            guard response.status == .ok else { throw SecretError(description: "status \(response.status.code)") }
            return Array(try await response.body.collect(upTo: Self.mostBytes).readableBytesView)
        }
    }

    /// The identity in a token of this provider whose bytes were checked. It may have expired.
    /// - Throws: `WireError` 1 if the token is not valid, and 3 if the keys have never been reached.
    func identity(
        in parts: TokenPrevalidator.Parts, tokenID: String, now: Int64
    ) async throws(WireError) -> Identity {
        guard let id = parts.keyID else { throw refusal(.key) }
        guard let key = await key(id, now: now) else {
            // Without any key, the token may well be right.
            throw fetchedAt == .min ? WireError(.accountDatabase) : refusal(.key)
        }
        guard key.name == parts.algorithm else { throw refusal(.header) }
        guard (try? key.algorithm.verify(parts.signature, signs: Array(parts.signed))) == true else {
            throw refusal(.signature)
        }
        do throws(TokenFault) {
            return try TokenClaims(payload: parts.payload, of: settings).identity(now: now, tokenID: tokenID)
        } catch {
            throw refusal(error)
        }
    }

    private func refusal(_ fault: TokenFault) -> WireError {
        let reason =
            switch fault {
            case .claim(.iss): "its issuer is not \"\(settings.issuer)\""
            case .claim(.aud): "it is not meant for \"\(settings.audience)\""
            default: fault.reason
            }
        return WireError(.wrongCredentials, "The token is not valid: \(reason). Log in again.")
    }

    /// A key; the set is fetched again if it is old, or if it does not have the key.
    private func key(_ id: String, now: Int64) async -> Key? {
        if now - max(fetchedAt, 0) >= Self.lifetime || keys[id] == nil { await refresh(now) }
        return keys[id]
    }

    /// Fetches the keys unless that was tried a moment ago; all that ask meanwhile wait for the same answer. If it fails,
    /// the keys from before are used.
    private func refresh(_ now: Int64) async {
        if let running { return await running.value }
        guard triedAt == .min || now - triedAt >= Self.pause || now < triedAt else { return }
        triedAt = now
        // It stores the keys itself, so that whoever waits for it finds them.
        let task = Task { await self.load(now) }
        running = task
        await task.value
    }

    private func load(_ now: Int64) async {
        defer { running = nil }
        guard let bytes = try? await fetch(), let found = await Self.keys(in: bytes) else { return }
        keys = found
        fetchedAt = now
    }

    private struct KeySet: Decodable {
        var keys: [Entry]

        struct Entry: Decodable {
            var kty: String?
            var kid: String?
            var use: String?
            var alg: String?
            var crv: String?
            var n: String?
            var e: String?
            var x: String?
            var y: String?
        }
    }

    /// The keys of a set that may sign tokens; others are left out. Nil if it is no set of keys.
    private static func keys(in bytes: [UInt8]) async -> [String: Key]? {
        guard let set = try? JSONDecoder().decode(KeySet.self, from: Data(bytes)) else { return nil }
        let collection = JWTKeyCollection()
        var found: [String: Key] = [:]
        for entry in set.keys.prefix(mostKeys) {
            guard let id = entry.kid, !id.isEmpty, entry.use ?? "sig" == "sig", let (name, key) = key(entry, id),
                entry.alg ?? name == name,
                (try? await collection.add(jwk: key)) != nil,
                let algorithm = try? await collection.getKey(for: JWKIdentifier(string: id), alg: name)
            else { continue }
            found[id] = Key(name: name, algorithm: algorithm)
        }
        return found
    }

    private static func key(_ entry: KeySet.Entry, _ id: String) -> (String, JWK)? {
        let identifier = JWKIdentifier(string: id)
        switch (entry.kty, entry.crv) {
        case ("RSA", _):
            // 2,048 bits are 256 bytes.
            guard let modulus = entry.n, let bytes = try? Base64URL.decode(modulus.utf8), bytes.count >= 256 else {
                return nil
            }
            return ("RS256", .rsa(.rs256, identifier: identifier, modulus: modulus, exponent: entry.e))
        case ("EC", "P-256"):
            return ("ES256", .ecdsa(.es256, identifier: identifier, x: entry.x, y: entry.y, curve: .p256))
        case ("OKP", "Ed25519"):
            return ("EdDSA", .octetKeyPair(.eddsa, identifier: identifier, x: entry.x, y: nil, curve: .ed25519))
        default: return nil
        }
    }
}
