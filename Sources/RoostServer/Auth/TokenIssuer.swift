package import RoostWire

/// Creates tokens that `TokenVerifier` accepts.
///
/// Any backend can create them too: HS256 with the bytes encoded by the hexadecimal digits in `DIR/secret`, the
/// header `{"alg":"HS256","typ":"JWT"}`, perhaps with the `kid` of the key, and the claims `iss` "roost", `aud` "roost", `use` "user", `sub` (the user
/// id), `iat` and `exp` in whole seconds at most 365 days apart, and optionally `nbf`, `name`, `picture`,
/// `jti` (the id by which the token can be revoked) and `op` (true for an operator). The token of a visitor has `use` "visitor"
/// and `host`, the only user whom the visitor may talk to. A one-time code has `use` "code", and `iat` and `exp` at most
/// 10 minutes apart.
package struct TokenIssuer: Sendable {
    private let keys: TokenKeys

    /// Creates an issuer that signs with the first one of the keys.
    package init(keys: TokenKeys) { self.keys = keys }

    /// Creates an issuer that signs with `secret`.
    /// - Throws: `SecretError` if the secret has fewer than 32 bytes.
    package init(secret: [UInt8]) async throws {
        keys = try await TokenKeys(secrets: [secret])
    }

    /// Creates a token, or a one-time code, that is valid for `ttl` seconds from `now`, in ms since 1970.
    /// - Parameter tokenID: the id by which it can be revoked; a new one if nil.
    /// - Throws: `WireError` 6 if the lifetime is not 1 second to 365 days, of a code to 10 minutes, or if the name or
    ///   picture is invalid.
    package func issue(
        userID: UserID, name: String? = nil, imageURL: String? = nil, isOperator: Bool = false,
        ttl seconds: Int64, now: Int64, use: TokenUse = .user, tokenID: String? = nil, host: UserID? = nil
    ) async throws -> String {
        let claims = try TokenClaims(
            userID: userID, name: name, imageURL: imageURL, isOperator: isOperator,
            issuedAt: now / 1000, life: seconds, tokenID: tokenID ?? Self.newID(), use: use, host: host)
        let key = keys.signing
        var token = Base64URL.encode(#"{"alg":"HS256","kid":"\#(key.id)","typ":"JWT"}"#.utf8)
        token.append(UInt8(ascii: "."))
        token.append(contentsOf: Base64URL.encode(Self.payload(claims, use)))
        let signature = try key.signature(of: token)
        token.append(UInt8(ascii: "."))
        token.append(contentsOf: Base64URL.encode(signature))
        guard token.count <= TokenPrevalidator.maximumBytes else {
            throw WireError(.dataFormat, "The name and picture do not fit into a token. Shorten them.")
        }
        return String(decoding: token, as: UTF8.self)
    }

    /// An id for a new token: 128 random bits.
    static func newID() -> String {
        var generator = SystemRandomNumberGenerator()
        var digits: [UInt8] = []
        for _ in 0..<2 { HexDigits.append(generator.next(), digits: 16, to: &digits) }
        return String(decoding: digits, as: UTF8.self)
    }

    private static func payload(_ claims: TokenClaims, _ use: TokenUse) -> [UInt8] {
        var writer = JSONWriter()
        writer.open("{")
        writer.key("iss")
        writer.string(TokenClaims.roost)
        writer.key("aud")
        writer.string(TokenClaims.roost)
        writer.key("use")
        writer.string(use.rawValue)
        writer.key("sub")
        writer.string(claims.userID.rawValue)
        if let name = claims.name {
            writer.key("name")
            writer.string(name)
        }
        if let imageURL = claims.imageURL {
            writer.key("picture")
            writer.string(imageURL)
        }
        if let tokenID = claims.tokenID {
            writer.key("jti")
            writer.string(tokenID)
        }
        writer.key("op")
        writer.bool(claims.isOperator)
        if let host = claims.host {
            writer.key("host")
            writer.string(host.rawValue)
        }
        writer.key("iat")
        writer.int(claims.issuedAt)
        writer.key("exp")
        writer.int(claims.expiresAt)
        writer.close("}")
        return writer.bytes
    }
}
