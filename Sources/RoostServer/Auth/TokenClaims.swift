import RoostCore
import RoostWire

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
        var read = ReadClaims(use: use, provider: provider)
        try TokenPrevalidator.readObject(payload, otherwise: .payload) { reader, key in
            guard let claim = TokenFault.Claim(rawValue: key) else {
                try reader.skip()
                return
            }
            do {
                try read.take(claim, from: &reader)
            } catch {
                throw TokenFault.claim(claim)
            }
        }
        for label in [TokenFault.Claim.iss, .aud, .use]
        where !read.given.contains(label) && (provider == nil || label != .use) {
            throw .claim(label)
        }
        guard let userID = read.userID else { throw .claim(.sub) }
        let (host, isOperator) = (read.host, read.isOperator)
        guard read.isVisitor == (host != nil), host == nil || !isOperator && host != userID else {
            throw .claim(.host)
        }
        guard let issuedAt = read.issuedAt else { throw .claim(.iat) }
        guard let expiresAt = read.expiresAt, (1...use.maximumLife).contains(expiresAt - issuedAt) else {
            throw .claim(.exp)
        }
        if let text = read.name, !Self.isName(text) {
            // A name that earlier versions took keeps nobody out.
            guard provider != nil || Self.wasName(text) else { throw .claim(.name) }
            read.name = nil
        }
        if let text = read.imageURL, !Self.isAddress(text) {
            guard provider != nil else { throw .claim(.picture) }
            read.imageURL = nil
        }
        self.userID = userID
        name = read.name
        imageURL = read.imageURL
        self.isOperator = isOperator
        self.host = host
        notBefore = read.notBefore
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        tokenID = read.tokenID
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

/// The claims of a payload as they are read, before they are checked against each other.
private struct ReadClaims {
    let use: TokenUse
    let provider: IdentityProvider.Settings?
    var given: Set<TokenFault.Claim> = []
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

    init(use: TokenUse, provider: IdentityProvider.Settings?) {
        self.use = use
        self.provider = provider
    }

    /// Reads the value of a claim; those that only this server gives are skipped in a token of an identity provider.
    mutating func take(_ claim: TokenFault.Claim, from reader: inout JSONReader) throws {
        given.insert(claim)
        switch claim {
        case .iss: try Self.expect(provider?.issuer ?? TokenClaims.roost, &reader)
        case .aud: try Self.expect(provider?.audience ?? TokenClaims.roost, &reader, orAmongOthers: true)
        case .use, .op, .host:
            if provider != nil { try reader.skip() } else { try takeOwn(claim, from: &reader) }
        case .sub: userID = UserID(rawValue: try reader.string())
        case .name: name = try reader.null() ? nil : reader.string()
        case .picture: imageURL = try reader.null() ? nil : reader.string()
        case .iat: issuedAt = try Self.time(&reader)
        case .exp: expiresAt = try Self.time(&reader)
        case .nbf: notBefore = try Self.time(&reader)
        case .jti: tokenID = try Self.tokenID(&reader)
        }
    }

    private mutating func takeOwn(_ claim: TokenFault.Claim, from reader: inout JSONReader) throws {
        if claim == .host {
            guard let id = UserID(rawValue: try reader.string()) else { throw InvalidClaim() }
            host = id
        } else if claim == .use {
            let word = try reader.string()
            isVisitor = use == .user && word == TokenUse.visitor.rawValue
            guard isVisitor || word == use.rawValue else { throw InvalidClaim() }
        } else {
            isOperator = try Self.bool(&reader)
        }
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
        guard TokenClaims.times.contains(time) else { throw InvalidClaim() }
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
}
