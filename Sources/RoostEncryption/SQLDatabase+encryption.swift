package import RoostCore
import RoostWire

extension SQLDatabase {
    /// Returns the database as the core is to use it: one that encrypts content if there is a cipher, otherwise this one.
    ///
    /// The schema is migrated. The database notes each key before it encrypts with it, in the table `meta`, so that nobody
    /// can start with too few keys.
    /// - Throws: `DatabaseFailure` `.unavailable` if content was encrypted with a key that is not there.
    package func encrypted(with cipher: ContentCipher?, random: () -> UInt64) throws -> any SQLDatabase {
        _ = try Migrator.run(on: self, random: random)
        try write { connection in
            let known = try checkedKeys(connection, cipher)
            guard let cipher, !known.contains(cipher.keyID) else { return }
            let proof = ContentCipher.hexadecimal(try cipher.seal(knownText))
            try connection.execute(
                "INSERT INTO meta (name, value) VALUES (\(prefix + cipher.keyID), \(proof)) ON CONFLICT (name) DO NOTHING"
            )
        }
        return cipher.map { EncryptedDatabase(self, $0) } ?? self
    }

    /// The same for a database that is only read. Nothing is migrated or noted.
    /// - Throws: `DatabaseFailure` `.unavailable` if content was encrypted with a key that is not there.
    package func decrypted(with cipher: ContentCipher?) async throws -> any SQLDatabase {
        try await read { _ = try checkedKeys($0, cipher) }
        return cipher.map { EncryptedDatabase(self, $0) } ?? self
    }
}

/// The ids of the keys that the database notes, all of which the cipher has.
private func checkedKeys(_ connection: any SQLConnection, _ cipher: ContentCipher?) throws -> Set<String> {
    let known = try connection.rows("SELECT name, value FROM meta WHERE name LIKE 'encryption:%' ORDER BY name") {
        (id: String(try $0.text(0).dropFirst(prefix.count)), proof: try $0.text(1))
    }
    for key in known { try check(key.id, key.proof, cipher) }
    return Set(known.map(\.id))
}

/// The name in the table `meta` is this with the id of a key.
private let prefix = "encryption:"
private let knownText = Array("roost".utf8)

private func check(_ id: String, _ proof: String, _ cipher: ContentCipher?) throws {
    guard let cipher else {
        throw DatabaseFailure(
            .unavailable,
            "This database holds encrypted messages. Start with --encryption-key FILE, where FILE holds the key \(id).")
    }
    guard cipher.hasKey(id) else {
        throw DatabaseFailure(
            .unavailable,
            "This database holds messages that are encrypted with the key \(id), which the file of --encryption-key does "
                + "not hold. Add that key to the file, on a line after the first one.")
    }
    guard let bytes = bytes(of: proof), try cipher.open(bytes) == knownText else {
        throw DatabaseFailure(
            .corrupt, "What the database notes about the encryption key \(id) is damaged. Restore a backup.")
    }
}

private func bytes(of text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap(HexDigits.value)
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}
