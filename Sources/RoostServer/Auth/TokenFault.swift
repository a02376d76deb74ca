/// What is wrong with a token: which part of it is refused, never what stands there.
///
/// Claims are looked at only when the signature is proven, so that a forger
/// learns nothing about them.
enum TokenFault: Error, Hashable {
    /// The claims of a token that mean something here, in the names of RFC 7519.
    enum Claim: String, CaseIterable {
        case iss, aud, use, sub, name, picture, op, iat, exp, nbf
    }

    /// Too long, or not three parts in base64url.
    case form
    /// Another algorithm, or a parameter that is not known.
    case header
    /// Not JSON, no object, or a claim that is named twice.
    case payload
    /// Signed with another secret, or changed afterwards.
    case signature
    /// A claim that must be there and is not, or that is not what it must be.
    case claim(Claim)
    /// The time of this claim lies ahead.
    case ahead(Claim)

    /// The end of a sentence for people.
    var reason: String {
        switch self {
        case .form: "it must have three parts in base64url and at most \(TokenPrevalidator.maximumBytes) bytes"
        case .header: #"its header must be {"alg":"HS256","typ":"JWT"}"#
        case .payload: "its payload must be one JSON object that names no claim twice"
        case .signature: "its signature was not made with the secret of this server"
        case .claim(let claim): "\"\(claim.rawValue)\" must be \(claim.rule)"
        case .ahead(let claim): "\"\(claim.rawValue)\" lies more than \(TokenClaims.leeway) s ahead"
        }
    }
}

extension TokenFault.Claim {
    /// What the claim must be.
    fileprivate var rule: String {
        switch self {
        case .iss, .aud: "\"\(TokenClaims.roost)\""
        case .use: "\"\(TokenClaims.use)\""
        case .sub: "the user's id, 1 to 64 of A-Z a-z 0-9 _ . @ -"
        case .name: "1 to 200 characters, none of them a control character"
        case .picture: "an address of 1 to \(TokenClaims.imageURLBytes) bytes without control characters"
        case .op: "true or false"
        case .iat, .nbf: "whole seconds since 1970"
        case .exp: "whole seconds since 1970, 1 second to 365 days after \"iat\""
        }
    }
}
