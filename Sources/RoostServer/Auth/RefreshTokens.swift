import Crypto
import RoostCore
import RoostWire

/// Makes and checks the refresh tokens that browsers keep in cookies.
///
/// A token names a login and has a number, and is signed with the secret of the server. Nothing else that the server signs can
/// be taken for one: what is signed contains a line feed, which a JWT cannot have.
struct RefreshTokens: Sendable {
    /// What a valid token says.
    struct Content: Hashable {
        var tokenID: String
        var number: Int64
    }

    private static let idDigits = 32
    private static let digits = "0123456789abcdef".utf8

    let keys: TokenKeys

    /// The newest token of a login.
    /// - Throws: `WireError` 1002 if it cannot be signed.
    func token(of login: RefreshLogin) throws(WireError) -> String {
        let content = Content(tokenID: login.tokenID, number: login.number)
        let key = keys.signing
        guard let signature = try? key.signature(of: Self.signed(content, login.userID)) else {
            throw WireError(.internalFault)
        }
        return "\(content.tokenID).\(content.number).\(String(decoding: Base64URL.encode(signature), as: UTF8.self))"
    }

    /// What a token of a user says; nil if its signature is not one of this server.
    func content(of token: some StringProtocol, user: UserID) -> Content? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == Self.idDigits,
            parts[0].utf8.allSatisfy(Self.digits.contains), let number = Int64(parts[1]), number > 0,
            parts[1] == String(number), parts[2].utf8.count == 43,
            let signature = try? Base64URL.decode(parts[2].utf8)
        else { return nil }
        let content = Content(tokenID: String(parts[0]), number: number)
        let signed = Self.signed(content, user)
        return keys.all.contains { $0.isSignature(signature, of: signed) } ? content : nil
    }

    private static func signed(_ content: Content, _ user: UserID) -> [UInt8] {
        Array("refresh\n\(user)\n\(content.tokenID)\n\(content.number)".utf8)
    }
}

/// The cookie with a refresh token. Each user has one, so that several can be signed in.
///
/// It has no `Path`: then it is sent only to paths below the one that set it, whatever path a proxy adds. It is `Secure` if the page was
/// loaded over TLS. No script can read it, and other sites cannot cause it to be sent.
enum RefreshCookie {

    static func name(of user: UserID) -> String {
        var digits: [UInt8] = []
        for byte in SHA256.hash(data: Array(user.rawValue.utf8)).prefix(8) {
            HexDigits.append(UInt64(byte), digits: 2, to: &digits)
        }
        return "roost-refresh-\(String(decoding: digits, as: UTF8.self))"
    }

    /// The values of a user's cookie in the headers `Cookie`.
    ///
    /// There may be several: a page of a sibling domain can add its own.
    static func values(of user: UserID, in headers: [String]) -> [Substring] {
        let prefix = name(of: user) + "="
        return headers.flatMap { $0.split(separator: ";") }
            .map { $0.trimmingPrefix(while: { $0 == " " }) }
            .filter { $0.hasPrefix(prefix) }
            .map { $0.dropFirst(prefix.count) }
    }

    /// The header `Set-Cookie`; without a token it removes the cookie.
    static func header(_ token: String?, of user: UserID, seconds: Int64, isSecure: Bool) -> String {
        "\(name(of: user))=\(token ?? ""); Max-Age=\(token == nil ? 0 : max(0, seconds)); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}
