import JWTKit

/// A signed token for a push service, which is used again until it is old.
actor ProviderToken {
    private let keys: JWTKeyCollection
    private let header: JWTHeader
    private let lifetime: Int64
    private let now: @Sendable () -> Int64
    private var known: [String: (text: String, madeAt: Int64)] = [:]

    /// - Parameters:
    ///   - keys: a collection with one key.
    ///   - lifetime: how long a token is used, in ms.
    ///   - now: the time in ms since 1970.
    init(_ keys: JWTKeyCollection, keyID: String? = nil, lifetime: Int64, now: @escaping @Sendable () -> Int64) {
        self.keys = keys
        var header = JWTHeader()
        header.kid = keyID
        self.header = header
        self.lifetime = lifetime
        self.now = now
    }

    /// A token with these claims, for a purpose such as the address of the service.
    func text(for purpose: String = "", _ claims: @Sendable (_ seconds: Int64) -> some JWTPayload) async throws
        -> String
    {
        let time = now()
        if let token = known[purpose], time - token.madeAt < lifetime, time >= token.madeAt { return token.text }
        let text = try await keys.sign(claims(time / 1_000), header: header)
        if known.count >= 100 { known.removeAll() }
        known[purpose] = (text, time)
        return text
    }

    /// Makes another token the next time, because the service says that this one has expired.
    func expire(_ text: String) {
        known = known.filter { $0.value.text != text }
    }
}

/// The claims of a token for APNs.
struct AppleClaims: JWTPayload {
    var iss: String
    var iat: Int64

    func verify(using algorithm: some JWTAlgorithm) async throws {}
}

/// The claims of a token for a browser's push service (RFC 8292).
struct BrowserClaims: JWTPayload {
    var aud: String
    var exp: Int64
    var sub: String

    func verify(using algorithm: some JWTAlgorithm) async throws {}
}

/// The claims of the request for an access token of Google.
struct GoogleClaims: JWTPayload {
    var iss: String
    var scope: String
    var aud: String
    var iat: Int64
    var exp: Int64

    func verify(using algorithm: some JWTAlgorithm) async throws {}
}
