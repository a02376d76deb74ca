/// The reason why a token is invalid: the rejected part, never its content.
///
/// Claims are checked only after the signature is verified, so that a forger learns nothing about them.
enum TokenFault: Error, Hashable {
    /// The claims that the server uses, with their names from RFC 7519.
    enum Claim: String, CaseIterable {
        case iss, aud, use, sub, name, picture, op, host, iat, exp, nbf, jti
    }

    /// The token is too long, or is not three parts in base64url.
    case form
    /// The header has another algorithm or an unknown parameter.
    case header
    /// The header names a key that this server does not have.
    case key
    /// The payload is not a JSON object, or contains a claim twice.
    case payload
    /// The token was signed with another secret or modified.
    case signature
    /// A required claim is missing, or a claim has an invalid value.
    case claim(Claim)
    /// The time of this claim is in the future.
    case ahead(Claim)

    /// A human-readable reason that ends a sentence.
    var reason: String {
        switch self {
        case .form: "it must have three parts in base64url and at most \(TokenPrevalidator.maximumBytes) bytes"
        case .header: #"its header must be {"alg":"HS256","typ":"JWT"}, perhaps with a "kid""#
        case .key: "this server has no key with its \"kid\""
        case .payload: "its payload must be one JSON object that names no claim twice"
        case .signature: "its signature was not made with the secret of this server"
        case .claim(let claim): "\"\(claim.rawValue)\" must be \(claim.rule)"
        case .ahead(let claim): "\"\(claim.rawValue)\" lies more than \(TokenClaims.leeway) s ahead"
        }
    }
}

extension TokenFault.Claim {
    /// The values that the claim may have.
    fileprivate var rule: String {
        switch self {
        case .iss, .aud: "\"\(TokenClaims.roost)\""
        case .use: "\"\(TokenUse.user.rawValue)\""
        case .sub: "the user's id, 1 to 64 of A-Z a-z 0-9 _ . @ -"
        case .name: "1 to 200 characters, none of them a control character"
        case .picture: "an address of 1 to \(TokenClaims.imageURLBytes) bytes without control characters"
        case .op: "true or false"
        case .host: "the id of a user, for visitors, who are not operators"
        case .iat, .nbf: "whole seconds since 1970"
        case .jti: "1 to 128 bytes without control characters"
        case .exp: "whole seconds since 1970, 1 second to 365 days after \"iat\""
        }
    }
}
