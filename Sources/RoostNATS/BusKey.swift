import Crypto
import Foundation
import Synchronization

/// Signs doorbells with a key that only the servers of a database have, so that nobody else on the bus can forge one.
package final class BusKey: Sendable {
    /// The first one signs, all verify.
    private let keys: Mutex<[SymmetricKey]>

    /// Derives the keys from the secrets of the server.
    package init(secrets: [[UInt8]]) { keys = Mutex(secrets.map(Self.key)) }

    /// Signs with the first of these secrets from now on, and accepts all of them.
    package func replace(with secrets: [[UInt8]]) {
        let new = secrets.map(Self.key)
        keys.withLock { $0 = new }
    }

    private static func key(of secret: [UInt8]) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Array("roost bus".utf8), outputByteCount: 32)
    }

    /// Returns the bytes with a signature before them; nil without a secret.
    func sign(_ bytes: [UInt8]) -> [UInt8]? {
        guard let key = keys.withLock(\.first) else { return nil }
        return Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key)) + bytes
    }

    /// Returns the bytes without their signature; nil if it is not one of ours.
    func verify(_ signed: UnsafeRawBufferPointer) -> [UInt8]? {
        guard signed.count > SHA256.byteCount else { return nil }
        let code = Array(signed.prefix(SHA256.byteCount))
        let bytes = Array(signed.dropFirst(SHA256.byteCount))
        let isValid = keys.withLock { $0 }.contains {
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: bytes, using: $0)
        }
        return isValid ? bytes : nil
    }
}
