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

/// A problem with the secret of a data directory, and how to fix it.
package struct SecretError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence for the operator that includes the path but not the secret.
    package let description: String
}

/// The secret that signs tokens, stored in the file `secret` of a data directory.
///
/// Each line of the file contains hexadecimal digits: the first one signs tokens, and tokens of the others are accepted, too.
/// Anyone who can read it can impersonate any user, so a file that other users can read is rejected.
package enum Secret {
    /// The minimum length of a secret, and the length of a new one.
    package static let minimumBytes = 32
    private static let maximumFileBytes = 4096
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
        // Without O_NONBLOCK, a FIFO with this name would block the start forever.
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("read", file)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("read", file) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SecretError(description: "\(file) is not a file.") }
        guard status.st_mode & 0o077 == 0 else {
            throw SecretError(
                description: "Other users can read or change \(file). Restrict it first: chmod 600 \(file)")
        }
        return try decode(content(of: descriptor, file), file)
    }

    private static func content(of descriptor: Int32, _ file: String) throws(SecretError) -> [UInt8] {
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: maximumFileBytes)
        while content.count <= maximumFileBytes {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("read", file) }
            if count == 0 { return content }
            content.append(contentsOf: chunk.prefix(count))
        }
        throw SecretError(description: "\(file) is not a secret: it is larger than \(maximumFileBytes) bytes.")
    }

    private static func decode(_ content: [UInt8], _ file: String) throws(SecretError) -> [[UInt8]] {
        let text = content.last == 0x0A ? content.dropLast() : content[...]
        let lines = text.split(separator: 0x0A, maxSplits: most, omittingEmptySubsequences: false)
        var secrets: [[UInt8]] = []
        for line in lines { secrets.append(try decode(line: line, file)) }
        return secrets
    }

    private static func decode(line text: ArraySlice<UInt8>, _ file: String) throws(SecretError) -> [UInt8] {
        let digits = text.compactMap(HexDigits.value)
        guard digits.count == text.count, digits.count % 2 == 0, digits.count >= minimumBytes * 2 else {
            throw SecretError(
                description: """
                    Each line of \(file) must hold at least \(minimumBytes * 2) digits of 0-9 and a-f. Restore it, or delete \
                    it and start the server, which creates a new one and invalidates all existing tokens.
                    """)
        }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
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
        guard descriptor >= 0 else { throw failure("create", file) }
        defer {
            close(descriptor)
            unlink(temporary)
        }
        let written = draft.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard written == draft.count, fsync(descriptor) == 0 else { throw failure("write", file) }
        let isDone = replacing ? rename(temporary, file) == 0 : link(temporary, file) == 0 || errno == EEXIST
        guard isDone else { throw failure("create", file) }
        try flush(path)
    }

    /// Syncs the directory, so that the new file survives a power failure.
    private static func flush(_ path: String) throws(SecretError) {
        let directory = open(path, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw failure("open", path) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw failure("write", path) }
    }

    private static func failure(_ verb: String, _ file: String) -> SecretError {
        SecretError(description: "Cannot \(verb) \(file): \(String(cString: strerror(errno)))")
    }
}
