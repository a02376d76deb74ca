import Crypto
import JWTKit
package import RoostCore
package import RoostWire
import Synchronization

/// The user identified by a token.
package struct Identity: Hashable, Sendable {
    /// Who presents the token.
    package var userID: UserID
    /// The name in the token, if any.
    package var name: String?
    /// The picture in the token, if any.
    package var imageURL: String?
    /// Whether the user is an operator.
    package var isOperator: Bool
    /// The token; it expires at its `exp` plus the leeway.
    package var access: Access
    /// The key that has signed the token.
    package var keyID: String?

    /// Creates an identity.
    package init(userID: UserID, name: String? = nil, imageURL: String? = nil, isOperator: Bool, access: Access) {
        self.userID = userID
        self.name = name
        self.imageURL = imageURL
        self.isOperator = isOperator
        self.access = access
    }
}

/// Verifies the tokens of this server.
///
/// jwt-kit computes and compares the signature. The JSON is parsed once, by the strict reader: a second parser that
/// interpreted the payload differently would make the pre-validator useless.
package struct TokenVerifier: Sendable {
    let keys: TokenKeys
    private let provider: IdentityProvider?

    /// Creates a verifier for tokens signed with one of the keys, and for those of an identity provider, if there is one.
    package init(keys: TokenKeys, provider: IdentityProvider? = nil) {
        self.keys = keys
        self.provider = provider
    }

    /// Creates a verifier for tokens signed with `secret`.
    /// - Throws: `SecretError` if the secret has fewer than 32 bytes.
    package init(secret: [UInt8]) async throws { self.init(keys: try await TokenKeys(secrets: [secret])) }

    /// Checks a token at the time `now`, in ms since 1970.
    /// - Throws: `WireError` 7002 if a valid token has expired, 3 if the keys of the identity provider have never been
    ///   reached, and 1 otherwise. The message names the rejected part,
    ///   and a claim by its name, but never its content.
    package func verify(_ token: String, now: Int64) async throws(WireError) -> Identity {
        let identity = try await identity(in: token, now: now)
        guard now < identity.access.expiresAt else {
            throw WireError(.tokenExpired, "The token has expired: \"exp\" is in the past. \(Self.advice)")
        }
        return identity
    }

    /// Checks a one-time code at the time `now`, in ms since 1970. Whether it was used is for the core to know.
    ///
    /// There is no leeway at its end. The access has an id that no token has, and ends later, when clocks that are behind
    /// refuse the code, too.
    /// - Throws: `WireError` 1, whatever is wrong with it.
    package func verify(code: String, now: Int64) throws(WireError) -> Identity {
        var identity: Identity
        do throws(TokenFault) {
            identity = try verified(try TokenPrevalidator.parts(of: code), as: .code, now: now)
        } catch {
            throw .wrongCode
        }
        guard now < identity.access.expiresAt - TokenClaims.leeway * 1_000 else { throw .wrongCode }
        identity.access.tokenID = "code " + identity.access.tokenID
        return identity
    }

    /// Identifies bytes: a token that has no `jti`, or a key.
    static func hash(_ signed: some Collection<UInt8>) -> String {
        String(decoding: Base64URL.encode(Array(SHA256.hash(data: Array(signed)))[..<16]), as: UTF8.self)
    }

    /// The hash by which the core knows a key.
    static func hash(ofKey key: some StringProtocol) -> String {
        var digits: [UInt8] = []
        for byte in SHA256.hash(data: Array(key.utf8)) { HexDigits.append(UInt64(byte), digits: 2, to: &digits) }
        return String(decoding: digits, as: UTF8.self)
    }

    private static let advice = "Get a new token: roost token --data DIR --user ID"

    /// The identity in a token, which may have expired.
    private func identity(in token: String, now: Int64) async throws(WireError) -> Identity {
        let parts: TokenPrevalidator.Parts
        do throws(TokenFault) {
            let own: Set = [TokenPrevalidator.own]
            parts = try TokenPrevalidator.parts(
                of: token, signedWith: provider == nil ? own : own.union(IdentityProvider.algorithms))
            if parts.algorithm == TokenPrevalidator.own { return try verified(parts, as: .user, now: now) }
        } catch {
            throw WireError(.wrongCredentials, "The token is not valid: \(error.reason). \(Self.advice)")
        }
        guard let provider else { throw WireError(.wrongCredentials) }
        return try await provider.identity(in: parts, tokenID: Self.hash(parts.signed), now: now)
    }

    /// The identity in a token of this server whose signature has been verified. The token may have expired.
    private func verified(
        _ parts: TokenPrevalidator.Parts, as use: TokenUse, now: Int64
    ) throws(TokenFault) -> Identity {
        let candidates = keys.all.filter { parts.keyID == nil || $0.id == parts.keyID }
        guard !candidates.isEmpty else { throw .key }
        guard let key = candidates.first(where: { $0.isSignature(parts.signature, of: parts.signed) }) else {
            throw .signature
        }
        let claims = try TokenClaims(payload: parts.payload, as: use)
        var identity = try claims.identity(now: now, tokenID: Self.hash(parts.signed))
        identity.keyID = key.id
        return identity
    }
}

/// The keys of this server, which may change while it runs: the first one signs, all of them are accepted.
package final class TokenKeys: Sendable {
    private let keys: Mutex<[TokenKey]>

    /// Creates keys from secrets, of which there is at least one.
    /// - Throws: `SecretError` if a secret has fewer than 32 bytes.
    package init(secrets: [[UInt8]]) async throws { keys = Mutex(try await Self.keys(secrets)) }

    private static func keys(_ secrets: [[UInt8]]) async throws -> [TokenKey] {
        var keys: [TokenKey] = []
        for secret in secrets { keys.append(try await TokenKey(secret: secret)) }
        guard !keys.isEmpty else { throw SecretError(description: "There is no secret.") }
        return keys
    }

    var all: [TokenKey] { keys.withLock { $0 } }

    /// The key that signs.
    var signing: TokenKey { keys.withLock { $0[0] } }

    /// The ids of the keys.
    var ids: Set<String> { Set(orderedIDs) }

    /// The ids of the keys, the one that signs first.
    package var orderedIDs: [String] { all.map(\.id) }

    /// Replaces the keys.
    /// - Returns: whether that changed anything.
    /// - Throws: `SecretError` if a secret has fewer than 32 bytes, or there is none.
    func replace(with secrets: [[UInt8]]) async throws -> Bool {
        let new = try await Self.keys(secrets)
        return keys.withLock { keys in
            defer { keys = new }
            return keys.map(\.id) != new.map(\.id)
        }
    }
}

/// The HS256 key: the secret, bound to its only algorithm.
struct TokenKey: Sendable {
    private let algorithm: any JWTAlgorithm
    /// The `kid`: the beginning of the hash of the secret, 16 hexadecimal digits.
    let id: String

    /// Creates a key from a secret of at least 32 bytes.
    init(secret: [UInt8]) async throws {
        try Secret.checkLength(secret)
        let keys = await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
        algorithm = try await keys.getKey()
        var digits: [UInt8] = []
        for byte in Array(SHA256.hash(data: secret))[..<8] { HexDigits.append(UInt64(byte), digits: 2, to: &digits) }
        id = String(decoding: digits, as: UTF8.self)
    }

    /// Signs bytes.
    func signature(of bytes: some Collection<UInt8>) throws -> [UInt8] { try algorithm.sign(Array(bytes)) }

    /// Whether this is the signature of these bytes, compared in constant time.
    func isSignature(_ signature: [UInt8], of bytes: some Collection<UInt8>) -> Bool {
        (try? algorithm.verify(signature, signs: Array(bytes))) ?? false
    }
}

extension WireError {
    /// The answer to a code that is wrong, has expired or was used.
    static var wrongCode: WireError {
        WireError(.wrongCredentials, "The code is wrong, has expired or was used before. Ask for a new link.")
    }
}
