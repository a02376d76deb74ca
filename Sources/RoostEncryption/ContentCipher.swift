import Crypto
import RoostCore
import RoostWire

/// Encrypts content with the first of several keys, and decrypts what any of them has encrypted.
///
/// Encrypted content is a marker, the id of the key, a random nonce, the ciphertext of AES-256-GCM, and its tag. Content
/// without the marker was stored before encryption was switched on, and stays as it is: JSON never begins with the marker,
/// and neither do the lines of the push outbox.
package struct ContentCipher: Sendable {
    private struct Key {
        let id: String
        /// The marker and the id.
        let header: [UInt8]
        let key: SymmetricKey

        init(_ secret: [UInt8]) {
            let digest = SHA256.hash(data: secret).prefix(Self.idBytes)
            header = [ContentCipher.marker] + digest
            id = ContentCipher.hexadecimal(digest)
            key = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: secret), info: Array("roost content".utf8), outputByteCount: 32)
        }

        static let idBytes = 4
    }

    private static let marker: UInt8 = 1
    private static let headerBytes = 1 + Key.idBytes

    private let first: Key
    private let keys: [Key]

    /// - Parameter secrets: 32 bytes or more each.
    /// - Returns: nil if there are none.
    package init?(secrets: [[UInt8]]) {
        keys = secrets.map(Key.init)
        guard let first = keys.first else { return nil }
        self.first = first
    }

    /// The id of the key that encrypts: the beginning of its SHA-256.
    package var keyID: String { first.id }

    /// The ids of all keys, the one that encrypts first.
    package var keyIDs: [String] { keys.map(\.id) }

    /// Whether the key with this id is one of the keys.
    func hasKey(_ id: String) -> Bool { keys.contains { $0.id == id } }

    func seal(_ content: [UInt8]) throws -> [UInt8] {
        do {
            let box = try AES.GCM.seal(content, using: first.key, authenticating: first.header)
            var bytes = first.header
            bytes.reserveCapacity(Self.headerBytes + 28 + content.count)
            bytes.append(contentsOf: box.nonce)
            bytes.append(contentsOf: box.ciphertext)
            bytes.append(contentsOf: box.tag)
            return bytes
        } catch {
            throw DatabaseFailure(.other, "content could not be encrypted")
        }
    }

    /// - Throws: `DatabaseFailure` `.corrupt` if none of the keys opens it.
    func open(_ stored: [UInt8]) throws -> [UInt8] {
        guard stored.first == Self.marker else { return stored }
        let header = stored.prefix(Self.headerBytes)
        let candidates = keys.filter { $0.header.elementsEqual(header) }
        for candidate in candidates {
            guard let box = try? AES.GCM.SealedBox(combined: stored.dropFirst(Self.headerBytes)),
                let content = try? AES.GCM.open(box, using: candidate.key, authenticating: candidate.header)
            else { continue }
            return Array(content)
        }
        throw DatabaseFailure(
            .corrupt,
            candidates.isEmpty
                ? "stored content is encrypted with the key \(Self.hexadecimal(header.dropFirst())), which is not there"
                : "encrypted content was changed")
    }

    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        var digits: [UInt8] = []
        for byte in bytes { HexDigits.append(UInt64(byte), digits: 2, to: &digits) }
        return String(decoding: digits, as: UTF8.self)
    }
}
