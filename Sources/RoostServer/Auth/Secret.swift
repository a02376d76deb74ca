// One of these defines `stat` where it is imported first.
import CoreFoundation
import Dispatch
import RoostWire

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A problem with a file that holds a secret or a certificate, and how to fix it.
package struct SecretError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence for the operator that includes the path but nothing of what is in it.
    package let description: String
}

/// The secret that signs tokens, stored in the file `secret` of a data directory.
///
/// Each line of the file contains hexadecimal digits: the first one signs tokens, and tokens of the others are accepted, too.
/// Anyone who can read it can impersonate any user, so a file that other users can read is rejected.
package enum Secret {
    /// The minimum length of a secret, and the length of a new one.
    package static let minimumBytes = 32
    /// The maximum number of secrets in a file.
    private static let most = 4

    /// Reads the secret that signs tokens.
    /// - Throws: `SecretError` if the file is missing, too short or malformed, or if group or others have access to
    ///   it.
    package static func load(fromDirectory path: String) throws -> [UInt8] { try loadAll(fromDirectory: path)[0] }

    /// Reads all secrets of a data directory, the one that signs first; there is at least one.
    /// - Throws: `SecretError`, as `load` does.
    package static func loadAll(fromDirectory path: String) throws -> [[UInt8]] {
        let file = path + "/secret"
        guard let secret = try find(file) else {
            throw SecretError(
                description: "There is no secret at \(file). The server creates it: roost serve --data \(path)")
        }
        return secret
    }

    /// Reads the secret of a data directory, or creates it if there is none.
    /// - Throws: `SecretError`, as `load` does, or if the file cannot be created.
    package static func loadOrMake(inDirectory path: String) throws -> [UInt8] {
        let file = path + "/secret"
        if let secrets = try find(file) { return secrets[0] }
        try make(file, in: path)
        return try load(fromDirectory: path)
    }

    /// Adds a secret that signs from now on; tokens of the earlier ones remain valid.
    /// - Throws: `SecretError`, as `load` does, or if there are too many.
    package static func rotate(inDirectory path: String) throws {
        let known = try loadAll(fromDirectory: path)
        guard known.count < most else {
            throw SecretError(
                description:
                    "There are \(most) keys already. Remove the old ones first: roost secret drop --data \(path)")
        }
        var generator = SystemRandomNumberGenerator()
        let new = (0..<minimumBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        try store([new] + known, to: path + "/secret", replacing: true, in: path)
    }

    /// Removes all secrets but the one that signs: tokens of the others are refused from now on.
    /// - Throws: `SecretError`, as `load` does.
    package static func drop(inDirectory path: String) throws {
        try store([load(fromDirectory: path)], to: path + "/secret", replacing: true, in: path)
    }

    static func checkLength(_ secret: [UInt8]) throws(SecretError) {
        guard secret.count >= minimumBytes else {
            throw SecretError(
                description: "The secret has \(secret.count) bytes; it must have at least \(minimumBytes).")
        }
    }

    private static func find(_ file: String) throws(SecretError) -> [[UInt8]]? {
        try KeyFile.find(
            file, most: most,
            advice: """
                Restore it, or delete it and start the server, which creates a new one and invalidates all existing tokens.
                """)
    }

    /// Writes a temporary file and links it to its final name. The secret is therefore complete or absent, even after
    /// `kill -9`, and if two processes start at once, the second uses the secret of the first.
    private static func make(_ file: String, in path: String) throws(SecretError) {
        var generator = SystemRandomNumberGenerator()
        let secret = (0..<minimumBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        try store([secret], to: file, replacing: false, in: path)
    }

    private static func store(
        _ secrets: [[UInt8]], to file: String, replacing: Bool, in path: String
    ) throws(SecretError) {
        var generator = SystemRandomNumberGenerator()
        var draft: [UInt8] = []
        for secret in secrets {
            for byte in secret { HexDigits.append(UInt64(byte), digits: 2, to: &draft) }
            draft.append(0x0A)
        }
        var suffix: [UInt8] = []
        HexDigits.append(generator.next(), digits: 16, to: &suffix)
        let temporary = file + "." + String(decoding: suffix, as: UTF8.self)

        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw KeyFile.failure("create", file) }
        defer {
            close(descriptor)
            unlink(temporary)
        }
        let written = draft.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard written == draft.count, fsync(descriptor) == 0 else { throw KeyFile.failure("write", file) }
        let isDone = replacing ? rename(temporary, file) == 0 : link(temporary, file) == 0 || errno == EEXIST
        guard isDone else { throw KeyFile.failure("create", file) }
        try flush(path)
    }

    /// Syncs the directory, so that the new file survives a power failure.
    private static func flush(_ path: String) throws(SecretError) {
        let directory = open(path, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw KeyFile.failure("open", path) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw KeyFile.failure("write", path) }
    }
}
