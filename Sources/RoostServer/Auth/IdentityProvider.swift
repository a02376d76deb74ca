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
        /// The client with which people sign in on the page; nil if they do not.
        package var client: Client?

        /// - Throws: `SecretError` if the address is not `https:`, or `http:` on this machine, or if it has a user or
        ///   password.
        package init(
            address: String, issuer: String, audience: String, client: Client? = nil
        ) throws(SecretError) {
            guard Self.isSafe(address) else {
                throw SecretError(
                    description: """
                        --identity-keys must be an https: address without a user and password, as whoever changes it is every \
                        user.
                        """)
            }
            self.address = address
            self.issuer = issuer
            self.audience = audience
            self.client = client
            guard client == nil || Self.isSafe(issuer) else {
                throw SecretError(
                    description: "--identity-issuer must be an https: address if people sign in with --identity-client."
                )
            }
        }

        static func isSafe(_ address: String) -> Bool {
            // What stands before an "@" looks like the host and is not.
            guard let parts = URLComponents(string: address), parts.user == nil, parts.password == nil,
                let host = parts.host?.lowercased(), !host.isEmpty
            else { return false }
            switch parts.scheme?.lowercased() {
            case "https": return true
            case "http": return ["127.0.0.1", "localhost", "::1", "[::1]"].contains(host)
            default: return false
            }
        }
    }

    /// How long to wait for the provider.
    struct Patience: Sendable {
        /// For an answer with its body.
        var fetch = Duration.seconds(5)
        /// For newer keys, in a login with a known one.
        var known = Duration.seconds(1)
    }

    private struct Key: Sendable {
        var name: String
        var algorithm: any JWTAlgorithm
        /// Names the key itself, not what the provider calls it.
        var fingerprint: String
    }

    /// The fetch did not end in time.
    private struct Stalled: Error {}

    /// The algorithms of its tokens.
    static let algorithms: Set = ["RS256", "ES256", "EdDSA"]
    /// How long keys are used before they are fetched again, in ms.
    static let lifetime: Int64 = 600_000
    /// The least time between two requests, in ms.
    static let pause: Int64 = 30_000
    static let maxBytes = 262_144
    private static let maxKeys = 100
    private static let prefix = "provider:"
    /// It follows no redirect: the keys of another host are not the provider's.
    static let client = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(5), read: .seconds(5), write: .seconds(5))))

    let settings: Settings
    let patience: Patience
    private let fetch: @Sendable () async throws -> [UInt8]
    private var keys: [String: Key] = [:]
    private var fetchedAt = Int64.min
    private var triedAt = Int64.min
    private var running: Task<Void, Never>?
    /// Whether the last fetch has failed, so that logins with a known key do not wait for the next one.
    private var isFailing = false
    /// The fingerprints of keys that have left the set.
    private var removed: Set<String> = []
    /// Where people sign in, and when that was asked.
    var known: (endpoints: Endpoints, at: Int64)?

    init(
        _ settings: Settings, patience: Patience = Patience(), fetch: @escaping @Sendable () async throws -> [UInt8]
    ) {
        self.settings = settings
        self.patience = patience
        self.fetch = fetch
    }

    /// Creates a provider whose keys are fetched over HTTP.
    package init(_ settings: Settings) { self.init(settings, patience: Patience()) }

    init(_ settings: Settings, patience: Patience) {
        self.init(settings, patience: patience) { [address = settings.address] in
            var request = HTTPClientRequest(url: address)
            request.headers.add(name: "Accept", value: "application/json")
            let response = try await Self.client.execute(request, timeout: .seconds(5))
            guard response.status == .ok else { throw SecretError(description: "status \(response.status.code)") }
            return Array(try await response.body.collect(upTo: Self.maxBytes).readableBytesView)
        }
    }

    /// Whether a key of this name, as an `Identity` has it, is one of a provider.
    static func isKeyID(_ id: String) -> Bool { id.hasPrefix(prefix) }

    /// The keys that have left the set since the last call, named as in an `Identity`.
    ///
    /// The set is fetched again if it is old; what has left it then is in the answer to a later call.
    func takeRemovedKeys(now: Int64) -> Set<String> {
        if fetchedAt != .min, isOld(now) { _ = refresh(now) }
        defer { removed = [] }
        return Set(removed.map { Self.prefix + $0 })
    }

    /// The identity in a token of this provider whose bytes were checked. It may have expired.
    /// - Parameter audience: what its `aud` must be or contain, if not that of the settings.
    /// - Throws: `WireError` 1 if the token is not valid, and 3 if the keys have never been reached.
    func identity(
        in parts: TokenPrevalidator.Parts, tokenID: String, now: Int64, audience: String? = nil
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
        var settings = settings
        if let audience { settings.audience = audience }
        do throws(TokenFault) {
            var identity = try TokenClaims(payload: parts.payload, of: settings).identity(now: now, tokenID: tokenID)
            identity.keyID = Self.prefix + key.fingerprint
            return identity
        } catch {
            throw refusal(error, audience: audience)
        }
    }

    private func refusal(_ fault: TokenFault, audience: String? = nil) -> WireError {
        let reason =
            switch fault {
            case .claim(.iss): "its issuer is not \"\(settings.issuer)\""
            case .claim(.aud): "it is not meant for \"\(audience ?? settings.audience)\""
            default: fault.reason
            }
        return WireError(.wrongCredentials, "The token is not valid: \(reason). Log in again.")
    }

    /// A key; the set is fetched again if it is old, or if it does not have the key.
    private func key(_ id: String, now: Int64) async -> Key? {
        let isKnown = keys[id] != nil
        guard !isKnown || isOld(now), let task = refresh(now) else { return keys[id] }
        if !isKnown {
            await task.value
        } else if !isFailing {
            await Self.wait(for: task, atMost: patience.known)
        }
        return keys[id]
    }

    private func isOld(_ now: Int64) -> Bool { now - max(fetchedAt, 0) >= Self.lifetime || now < fetchedAt }

    /// Fetches the keys unless that was tried a moment ago; all that ask meanwhile get the same task. If it fails, the
    /// keys from before are used.
    private func refresh(_ now: Int64) -> Task<Void, Never>? {
        if let running { return running }
        guard triedAt == .min || now - triedAt >= Self.pause || now < triedAt else { return nil }
        triedAt = now
        // It stores the keys itself, so that whoever waits for it finds them.
        let task = Task { await self.load(now) }
        running = task
        return task
    }

    private func load(_ now: Int64) async {
        let bytes = try? await Self.first(within: patience.fetch, of: fetch)
        let found = if let bytes { await Self.keys(in: bytes) } else { nil as [String: Key]? }
        running = nil
        isFailing = found == nil
        guard let found else { return }
        let (before, after) = (Set(keys.values.map(\.fingerprint)), Set(found.values.map(\.fingerprint)))
        removed = removed.union(before).subtracting(after)
        keys = found
        fetchedAt = now
    }

    /// What a fetch brings, if it does so in time. A fetch that goes on for longer is cancelled, and nobody waits for it.
    static func first<Value: Sendable>(
        within limit: Duration, of fetch: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let (answers, answer) = AsyncThrowingStream.makeStream(of: Value.self)
        let work = Task {
            do {
                answer.yield(try await fetch())
                answer.finish()
            } catch {
                answer.finish(throwing: error)
            }
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            answer.finish(throwing: Stalled())
        }
        defer {
            work.cancel()
            timer.cancel()
        }
        for try await value in answers { return value }
        throw Stalled()
    }

    private static func wait(for task: Task<Void, Never>, atMost limit: Duration) async {
        let (over, isOver) = AsyncStream.makeStream(of: Never.self)
        let waiter = Task {
            await task.value
            isOver.finish()
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            isOver.finish()
        }
        for await _ in over {}
        waiter.cancel()
        timer.cancel()
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

            /// A hash of what makes the key.
            var fingerprint: String {
                let text = [kty, kid, crv, n, e, x, y].map { $0 ?? "" }.joined(separator: " ")
                return TokenVerifier.hash(text.utf8)
            }
        }
    }

    /// The keys of a set that may sign tokens; others are left out. Nil if it is no set of keys.
    private static func keys(in bytes: [UInt8]) async -> [String: Key]? {
        guard let set = try? JSONDecoder().decode(KeySet.self, from: Data(bytes)) else { return nil }
        let collection = JWTKeyCollection()
        var found: [String: Key] = [:]
        for entry in set.keys.prefix(maxKeys) {
            guard let id = entry.kid, !id.isEmpty, entry.use ?? "sig" == "sig", let (name, key) = key(entry, id),
                entry.alg ?? name == name,
                (try? await collection.add(jwk: key)) != nil,
                let algorithm = try? await collection.getKey(for: JWKIdentifier(string: id), alg: name)
            else { continue }
            found[id] = Key(name: name, algorithm: algorithm, fingerprint: entry.fingerprint)
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
