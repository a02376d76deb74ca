import JWTKit
package import RoostWire

/// Who a token speaks for.
package struct Identity: Hashable, Sendable {
    /// The user.
    package var userID: UserID
    /// The name that the token brings, if any.
    package var name: String?
    /// The picture that the token brings, if any.
    package var imageURL: String?
    /// Whether the user may make open channels and announcements.
    package var isOperator: Bool
    /// The first moment at which the token is refused, ms since 1970: its `exp` and the leeway.
    package var expiresAt: Int64

    /// Makes an identity.
    package init(userID: UserID, name: String? = nil, imageURL: String? = nil, isOperator: Bool, expiresAt: Int64) {
        self.userID = userID
        self.name = name
        self.imageURL = imageURL
        self.isOperator = isOperator
        self.expiresAt = expiresAt
    }
}

/// Tells a token of this server from everything else.
///
/// jwt-kit computes and compares the signature; the JSON is read once, by the
/// strict reader. A second parser that took the payload another way would be
/// the hole that the pre-validator closes.
package struct TokenVerifier: Sendable {
    private let key: TokenKey

    /// Makes a verifier for tokens signed with `secret`.
    /// - Throws: `SecretError` when the secret has less than 32 bytes.
    package init(secret: [UInt8]) async throws {
        key = try await TokenKey(secret: secret)
    }

    /// Checks a token at the time `now`, in ms since 1970.
    /// - Throws: `WireError` 7002 when a good token is expired, and 1 for everything else. The message names what is
    ///   refused, a claim by its name, and never what stands there.
    package func verify(_ token: String, now: Int64) async throws(WireError) -> Identity {
        let identity: Identity
        do throws(TokenFault) {
            identity = try verified(token, now: now)
        } catch {
            throw WireError(.wrongCredentials, "The token is not valid: \(error.reason). \(Self.advice)")
        }
        guard now < identity.expiresAt else {
            throw WireError(.tokenExpired, "The token has expired: \"exp\" is in the past. \(Self.advice)")
        }
        return identity
    }

    private static let advice = "Get a new token: roost token --data DIR --user ID"

    /// What a token says, once its signature is proven. It may be expired.
    private func verified(_ token: String, now: Int64) throws(TokenFault) -> Identity {
        let parts = try TokenPrevalidator.parts(of: token)
        guard key.isSignature(parts.signature, of: parts.signed) else { throw .signature }
        return try TokenClaims(payload: parts.payload).identity(now: now)
    }
}

/// The key of HS256: the secret, tied to its one algorithm.
struct TokenKey: Sendable {
    private let algorithm: any JWTAlgorithm

    /// Takes a secret of at least 32 bytes.
    init(secret: [UInt8]) async throws {
        try Secret.checkLength(secret)
        let keys = await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
        algorithm = try await keys.getKey()
    }

    /// Signs bytes.
    func signature(of bytes: some Collection<UInt8>) throws -> [UInt8] { try algorithm.sign(Array(bytes)) }

    /// Whether this is the signature of these bytes, compared in constant time.
    func isSignature(_ signature: [UInt8], of bytes: some Collection<UInt8>) -> Bool {
        (try? algorithm.verify(signature, signs: Array(bytes))) ?? false
    }
}

/// The claims of a token for a user, in the names and units of RFC 7519.
struct TokenClaims {
    /// `iss` and `aud`.
    static let roost = "roost"
    /// `use`: tokens for other purposes, signed with the same secret, must not open a session.
    static let use = "user"
    /// How far the clocks of signer and server may differ, in seconds.
    static let leeway: Int64 = 60
    /// The longest life of a token, in seconds: 365 days.
    static let maximumLife: Int64 = 365 * 24 * 60 * 60
    /// The times that are sane, in seconds: up to the year 9999, so that no sum of them overflows.
    static let times: ClosedRange<Int64> = 0...253_402_300_799
    /// The most UTF-8 bytes of the address of a picture.
    static let imageURLBytes = 2000

    let userID: UserID
    let name: String?
    let imageURL: String?
    let isOperator: Bool
    let issuedAt: Int64
    let expiresAt: Int64
    let notBefore: Int64?

    /// Collects what a new token is to say.
    /// - Throws: `WireError` 6 that says which of it cannot stand in a token.
    init(
        userID: UserID, name: String?, imageURL: String?, isOperator: Bool, issuedAt: Int64, life: Int64
    ) throws(WireError) {
        guard (1...Self.maximumLife).contains(life) else {
            throw WireError(.dataFormat, "A token lives from 1 second to 365 days. Give another --ttl.")
        }
        guard (0...Self.times.upperBound - life).contains(issuedAt) else {
            throw WireError(.dataFormat, "The clock of this machine is wrong. Set it and try again.")
        }
        self.userID = userID
        self.name = name
        self.imageURL = imageURL
        self.isOperator = isOperator
        self.issuedAt = issuedAt
        expiresAt = issuedAt + life
        notBefore = nil
        try checkProfile()
    }

    /// Reads the payload of a token.
    init(payload: [UInt8]) throws(TokenFault) {
        var userID: UserID?
        var name: String?
        var imageURL: String?
        var isOperator = false
        var notBefore: Int64?
        var issuedAt: Int64?
        var expiresAt: Int64?
        var given: Set<TokenFault.Claim> = []
        try TokenPrevalidator.readObject(payload, otherwise: .payload) { reader, key in
            guard let claim = TokenFault.Claim(rawValue: key) else {
                try reader.skip()
                return
            }
            given.insert(claim)
            do {
                switch claim {
                case .iss, .aud: try Self.expect(Self.roost, &reader)
                case .use: try Self.expect(Self.use, &reader)
                case .sub: userID = UserID(rawValue: try reader.string())
                case .name: name = try reader.null() ? nil : reader.string()
                case .picture: imageURL = try reader.null() ? nil : reader.string()
                case .op: isOperator = try Self.bool(&reader)
                case .iat: issuedAt = try Self.time(&reader)
                case .exp: expiresAt = try Self.time(&reader)
                case .nbf: notBefore = try Self.time(&reader)
                }
            } catch {
                throw TokenFault.claim(claim)
            }
        }
        for label in [TokenFault.Claim.iss, .aud, .use] where !given.contains(label) { throw .claim(label) }
        guard let userID else { throw .claim(.sub) }
        guard let issuedAt else { throw .claim(.iat) }
        guard let expiresAt, (1...Self.maximumLife).contains(expiresAt - issuedAt) else { throw .claim(.exp) }
        if let name, !Self.isName(name) { throw .claim(.name) }
        if let imageURL, !Self.isAddress(imageURL) { throw .claim(.picture) }
        self.userID = userID
        self.name = name
        self.imageURL = imageURL
        self.isOperator = isOperator
        self.notBefore = notBefore
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }

    /// A value that is none of ours; who reads it names the claim.
    private struct InvalidClaim: Error {}

    private static func expect(_ word: String, _ reader: inout JSONReader) throws {
        guard try reader.string() == word else { throw InvalidClaim() }
    }

    private static func time(_ reader: inout JSONReader) throws -> Int64 {
        let time = try reader.int()
        guard times.contains(time) else { throw InvalidClaim() }
        return time
    }

    private static func bool(_ reader: inout JSONReader) throws -> Bool {
        switch String(decoding: reader.slice(try reader.skip()), as: UTF8.self) {
        case "true": true
        case "false": false
        default: throw InvalidClaim()
        }
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

    /// Whom the token speaks for; refused when it is not valid yet.
    func identity(now: Int64) throws(TokenFault) -> Identity {
        for (claim, time) in [(TokenFault.Claim.iat, issuedAt), (.nbf, notBefore ?? 0)] {
            guard (time - Self.leeway) * 1000 <= now else { throw .ahead(claim) }
        }
        return Identity(
            userID: userID, name: name, imageURL: imageURL, isOperator: isOperator,
            expiresAt: (expiresAt + Self.leeway) * 1000)
    }
}
