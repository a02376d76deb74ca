import Crypto
package import RoostCore
import RoostWire
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Signs and verifies the links with which a user can download a file without a token.
///
/// A link names the file, the user and the time at which it expires, and is signed with HMAC-SHA256. It only stands for
/// the user: whether the user may read the file is checked when the link is used.
package final class FileLinkKey: Sendable {
    /// The first one signs, all verify.
    private let keys: Mutex<[SymmetricKey]>

    /// Derives the keys from the secrets of the server, so that a link is never a token.
    package init(secrets: [[UInt8]]) { keys = Mutex(secrets.map(Self.key)) }

    /// Signs with the first of these secrets from now on, and accepts the links of all of them.
    func replace(with secrets: [[UInt8]]) {
        let new = secrets.map(Self.key)
        keys.withLock { $0 = new }
    }

    private static func key(of secret: [UInt8]) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Array("roost file links".utf8), outputByteCount: 32)
    }

    /// The links for the configuration of a core.
    package var links: FileLinks { FileLinks { self.path(to: $0, for: $1, until: $2) } }

    private func path(to file: FileID, for user: UserID, until: Int64) -> String {
        // Without a secret nobody can make links; `user` accepts none either.
        guard let key = keys.withLock(\.first) else { return FileRules.path(of: file) }
        let signature = HMAC<SHA256>.authenticationCode(for: text(file, user, until), using: key)
        return "\(FileRules.path(of: file))?user=\(user)&until=\(until)&signature=\(hex(signature))"
    }

    /// Returns the user for whom a link was made, and when it expires, in ms since 1970.
    /// - Parameter now: in ms since 1970.
    /// - Throws: `WireError` 7002 if it has expired, 1 if it was not made here or was changed.
    func user(
        of file: FileID, user: String, until: String, signature: String, now: Int64
    ) throws(WireError) -> (user: UserID, until: Int64) {
        guard let user = UserID(rawValue: user), let time = Int64(until), String(time) == until,
            let code = bytes(signature),
            keys.withLock({ $0 }).contains(where: {
                HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: text(file, user, time), using: $0)
            })
        else { throw WireError(.wrongCredentials, "This link is not valid. Get a new one with file.get.") }
        guard now < time else {
            throw WireError(.tokenExpired, "This link has expired. Get a new one with file.get.")
        }
        return (user, time)
    }

    private func text(_ file: FileID, _ user: UserID, _ until: Int64) -> [UInt8] {
        // None of the parts can contain a line break.
        Array("\(file)\n\(user)\n\(until)".utf8)
    }

    private func hex(_ bytes: some Sequence<UInt8>) -> String {
        var digits: [UInt8] = []
        for byte in bytes { HexDigits.append(UInt64(byte), digits: 2, to: &digits) }
        return String(decoding: digits, as: UTF8.self)
    }

    private func bytes(_ hex: String) -> [UInt8]? {
        let digits = hex.utf8.map(HexDigits.value)
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 64, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
