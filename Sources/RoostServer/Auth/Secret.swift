import RoostWire

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What is wrong with the secret of a data directory, and what to do about it.
package struct SecretError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence for the operator, with the path and without the secret.
    package let description: String
}

/// The secret that signs the tokens: the file `secret` of a data directory.
///
/// The file holds hexadecimal digits and a line end. Whoever reads it can be
/// any user, so a file that others may read is refused.
package enum Secret {
    /// The fewest bytes of a secret, and how many a new one has.
    package static let minimumBytes = 32
    private static let maximumFileBytes = 4096

    /// Reads the secret of a data directory.
    /// - Throws: `SecretError` when there is none, it is short or malformed, or group or others have rights on it.
    package static func load(fromDirectory path: String) throws -> [UInt8] {
        let file = path + "/secret"
        guard let secret = try find(file) else {
            throw SecretError(
                description: "There is no secret at \(file). The server makes it: roost serve --data \(path)")
        }
        return secret
    }

    /// Reads the secret of a data directory, and makes it when there is none.
    /// - Throws: `SecretError`, as `load` does, or when the file cannot be made.
    package static func loadOrMake(inDirectory path: String) throws -> [UInt8] {
        let file = path + "/secret"
        if let secret = try find(file) { return secret }
        try make(file, in: path)
        return try load(fromDirectory: path)
    }

    static func checkLength(_ secret: [UInt8]) throws(SecretError) {
        guard secret.count >= minimumBytes else {
            throw SecretError(
                description: "The secret has \(secret.count) bytes; it must have at least \(minimumBytes).")
        }
    }

    private static func find(_ file: String) throws(SecretError) -> [UInt8]? {
        // Without O_NONBLOCK a FIFO of that name would hold the start forever.
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
            throw SecretError(description: "Others may read or change \(file). Close it first: chmod 600 \(file)")
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

    private static func decode(_ content: [UInt8], _ file: String) throws(SecretError) -> [UInt8] {
        let text = content.last == 0x0A ? content.dropLast() : content[...]
        let digits = text.compactMap(HexDigits.value)
        guard digits.count == text.count, digits.count % 2 == 0, digits.count >= minimumBytes * 2 else {
            throw SecretError(
                description: """
                    \(file) must hold at least \(minimumBytes * 2) digits of 0-9 and a-f. Restore it, or delete \
                    it and start the server: that makes a new one, and every token that was made so far stops working.
                    """)
        }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// Writes the file under another name and links it to its own: it is whole or not there, also after `kill -9`,
    /// and of two processes that start at once the second keeps what the first has made.
    private static func make(_ file: String, in path: String) throws(SecretError) {
        var generator = SystemRandomNumberGenerator()
        var draft: [UInt8] = []
        for _ in 0..<minimumBytes / 8 { HexDigits.append(generator.next(), digits: 16, to: &draft) }
        draft.append(0x0A)
        var suffix: [UInt8] = []
        HexDigits.append(generator.next(), digits: 16, to: &suffix)
        let temporary = file + "." + String(decoding: suffix, as: UTF8.self)

        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("make", file) }
        defer {
            close(descriptor)
            unlink(temporary)
        }
        let written = draft.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard written == draft.count, fsync(descriptor) == 0 else { throw failure("write", file) }
        guard link(temporary, file) == 0 || errno == EEXIST else { throw failure("make", file) }
        try flush(path)
    }

    /// Makes the new name last through a loss of power.
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
