import Crypto
import JWTKit
package import RoostCore
package import RoostWire
import Synchronization

/// The user identified by a token.
package struct Identity: Hashable, Sendable {
    /// The user.
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
    var ids: Set<String> { Set(all.map(\.id)) }

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

/// What something that is signed with the secret is for, the claim `use`: nothing is taken for anything else.
package enum TokenUse: String, Sendable {
    /// A token, which opens sessions and authorizes requests.
    case user
    /// A token of a visitor, which names the only user whom its user may talk to.
    case visitor
    /// A one-time code, which is exchanged for a token.
    case code

    /// The maximum lifetime, in seconds: 365 days, and 10 minutes.
    package var maximumLife: Int64 { self == .code ? 600 : 365 * 24 * 60 * 60 }
}

extension WireError {
    /// The answer to a code that is wrong, has expired or was used.
    static var wrongCode: WireError {
        WireError(.wrongCredentials, "The code is wrong, has expired or was used before. Ask for a new link.")
    }
}

/// The claims of a user token or a one-time code, with the names and units of RFC 7519.
struct TokenClaims {
    /// `iss` and `aud`.
    static let roost = "roost"
    /// The allowed clock difference between signer and server, in seconds.
    static let leeway: Int64 = 60
    /// The valid times, in seconds: up to the year 9999, so that sums cannot overflow.
    static let times: ClosedRange<Int64> = 0...253_402_300_799
    /// The maximum length of a picture URL in UTF-8 bytes.
    static let imageURLBytes = 2000

    let userID: UserID
    let name: String?
    let imageURL: String?
    let isOperator: Bool
    /// The only user whom the user may talk to, if that is a visitor.
    let host: UserID?
    let issuedAt: Int64
    let expiresAt: Int64
    let notBefore: Int64?
    /// `jti`.
    let tokenID: String?

    /// Creates the claims of a new token or code.
    /// - Throws: `WireError` 6 if a value is not allowed in it.
    init(
        userID: UserID, name: String?, imageURL: String?, isOperator: Bool, issuedAt: Int64, life: Int64,
        tokenID: String, use: TokenUse, host: UserID? = nil
    ) throws(WireError) {
        guard (1...use.maximumLife).contains(life) else {
            let lives = use == .code ? "a code must be 1 second to 10 minutes" : "a token must be 1 second to 365 days"
            throw WireError(.dataFormat, "The lifetime of \(lives). Change --ttl.")
        }
        guard (0...Self.times.upperBound - life).contains(issuedAt) else {
            throw WireError(.dataFormat, "The clock of this machine is wrong. Set it and try again.")
        }
        self.userID = userID
        self.name = name
        self.imageURL = imageURL
        self.isOperator = isOperator
        self.host = host
        self.issuedAt = issuedAt
        expiresAt = issuedAt + life
        notBefore = nil
        self.tokenID = tokenID
        try checkProfile()
    }

    /// Parses the payload of a token or code of this server, or of a token of an identity provider.
    ///
    /// A provider's name and picture are left out if they are not allowed here.
    init(
        payload: [UInt8], as use: TokenUse = .user, of provider: IdentityProvider.Settings? = nil
    ) throws(TokenFault) {
        var userID: UserID?
        var name: String?
        var imageURL: String?
        var isOperator = false
        var host: UserID?
        var isVisitor = false
        var notBefore: Int64?
        var issuedAt: Int64?
        var expiresAt: Int64?
        var tokenID: String?
        var given: Set<TokenFault.Claim> = []
        try TokenPrevalidator.readObject(payload, otherwise: .payload) { reader, key in
            guard let claim = TokenFault.Claim(rawValue: key) else {
                try reader.skip()
                return
            }
            given.insert(claim)
            do {
                switch claim {
                case .iss: try Self.expect(provider?.issuer ?? Self.roost, &reader)
                case .aud: try Self.expect(provider?.audience ?? Self.roost, &reader, orAmongOthers: true)
                case .use, .op, .host:
                    if provider != nil {
                        try reader.skip()
                    } else if claim == .host {
                        guard let id = UserID(rawValue: try reader.string()) else { throw InvalidClaim() }
                        host = id
                    } else if claim == .use {
                        let word = try reader.string()
                        isVisitor = use == .user && word == TokenUse.visitor.rawValue
                        guard isVisitor || word == use.rawValue else { throw InvalidClaim() }
                    } else {
                        isOperator = try Self.bool(&reader)
                    }
                case .sub: userID = UserID(rawValue: try reader.string())
                case .name: name = try reader.null() ? nil : reader.string()
                case .picture: imageURL = try reader.null() ? nil : reader.string()
                case .iat: issuedAt = try Self.time(&reader)
                case .exp: expiresAt = try Self.time(&reader)
                case .nbf: notBefore = try Self.time(&reader)
                case .jti: tokenID = try Self.tokenID(&reader)
                }
            } catch {
                throw TokenFault.claim(claim)
            }
        }
        for label in [TokenFault.Claim.iss, .aud, .use]
        where !given.contains(label) && (provider == nil || label != .use) {
            throw .claim(label)
        }
        guard let userID else { throw .claim(.sub) }
        guard isVisitor == (host != nil), host == nil || !isOperator && host != userID else { throw .claim(.host) }
        guard let issuedAt else { throw .claim(.iat) }
        guard let expiresAt, (1...use.maximumLife).contains(expiresAt - issuedAt) else { throw .claim(.exp) }
        if let text = name, !Self.isName(text) {
            // A name that earlier versions took keeps nobody out.
            guard provider != nil || Self.wasName(text) else { throw .claim(.name) }
            name = nil
        }
        if let text = imageURL, !Self.isAddress(text) {
            guard provider != nil else { throw .claim(.picture) }
            imageURL = nil
        }
        self.userID = userID
        self.name = name
        self.imageURL = imageURL
        self.isOperator = isOperator
        self.host = host
        self.notBefore = notBefore
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.tokenID = tokenID
    }

    /// An invalid value; the caller adds the name of the claim.
    private struct InvalidClaim: Error {}

    private static func expect(
        _ word: String, _ reader: inout JSONReader, orAmongOthers mayBeArray: Bool = false
    ) throws {
        var value = JSONReader(reader.slice(try reader.skip()))
        var words: [String] = []
        if mayBeArray, (try? value.array { words.append(try $0.string()) }) != nil {
            guard words.contains(word) else { throw InvalidClaim() }
        } else {
            guard try value.string() == word else { throw InvalidClaim() }
        }
    }

    private static func time(_ reader: inout JSONReader) throws -> Int64 {
        let time = try reader.int()
        guard times.contains(time) else { throw InvalidClaim() }
        return time
    }

    private static func tokenID(_ reader: inout JSONReader) throws -> String {
        let id = try reader.string()
        guard (1...128).contains(id.utf8.count),
            id.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw InvalidClaim() }
        return id
    }

    private static func bool(_ reader: inout JSONReader) throws -> Bool {
        switch String(decoding: reader.slice(try reader.skip()), as: UTF8.self) {
        case "true": true
        case "false": false
        default: throw InvalidClaim()
        }
    }

    private static func wasName(_ name: String) -> Bool {
        !name.isEmpty && name.utf16.count <= 200 && name.utf8.count <= 800
            && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    private static func isName(_ name: String) -> Bool { (try? TextRules.checkName(name, "name")) != nil }

    private static func isAddress(_ text: String) -> Bool {
        (1...imageURLBytes).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    private func checkProfile() throws(WireError) {
        if let name { try TextRules.checkName(name, "name") }
        guard let imageURL, !Self.isAddress(imageURL) else { return }
        throw WireError(
            .dataFormat, field: "imageURL",
            "\"imageURL\" must have 1 to \(Self.imageURLBytes) bytes and no control characters.")
    }

    /// The identity in the token; `hash` identifies it if it has no `jti`.
    /// - Throws: `TokenFault.ahead` if the token is not valid yet.
    func identity(now: Int64, tokenID hash: String) throws(TokenFault) -> Identity {
        for (claim, time) in [(TokenFault.Claim.iat, issuedAt), (.nbf, notBefore ?? 0)] {
            guard (time - Self.leeway) * 1000 <= now else { throw .ahead(claim) }
        }
        return Identity(
            userID: userID, name: name, imageURL: imageURL, isOperator: isOperator,
            access: Access(
                tokenID: tokenID ?? hash, issuedAt: issuedAt * 1000, expiresAt: (expiresAt + Self.leeway) * 1000,
                host: host))
    }
}
