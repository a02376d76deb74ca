// One of these defines `stat` where it is imported first.
import CoreFoundation
import Dispatch
import RoostWire

#if canImport(CDispatch)
    import CDispatch
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file with keys that only its owner can read, one per line, in hexadecimal digits.
package enum KeyFile {
    private static let maximumBytes = 4096
    private static let maxEncryptionKeys = 32

    /// Reads the keys for content, the one that encrypts first; there is at least one.
    /// - Throws: `SecretError` if the file is missing or malformed, or if group or others have access to it.
    package static func encryptionKeys(inFile path: String) throws(SecretError) -> [[UInt8]] {
        let keys = try find(
            path, most: maxEncryptionKeys,
            advice:
                "Restore the file; without its keys, encrypted messages cannot be read. A new key: openssl rand -hex 32"
        )
        guard let keys else {
            throw SecretError(
                description:
                    "There is no key at \(path). For a new one: (umask 077 && openssl rand -hex 32 > \(path))")
        }
        return keys
    }

    /// Reads the keys of a file; nil if there is no such file.
    /// - Parameter advice: what to do if the file is malformed.
    static func find(_ file: String, most: Int, advice: String) throws(SecretError) -> [[UInt8]]? {
        guard let content = try bytes(of: file, atMost: maximumBytes, forbidden: 0o077) else { return nil }
        return try decode(content, file, most: most, advice: advice)
    }

    /// Reads a file; nil if there is none.
    /// - Parameter forbidden: the bits of its mode that it may not have.
    package static func bytes(of file: String, atMost most: Int, forbidden: UInt32) throws(SecretError) -> [UInt8]? {
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
        guard UInt32(status.st_mode) & forbidden == 0 else {
            let advice = forbidden == 0o007 ? "chmod o=" : "chmod 600"
            throw SecretError(
                description: "Other users can read or change \(file). Restrict it first: \(advice) \(file)")
        }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while content.count <= most {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("read", file) }
            if count == 0 { return content }
            content.append(contentsOf: chunk.prefix(count))
        }
        throw SecretError(description: "\(file) is not what it should be: it is larger than \(most) bytes.")
    }

    private static func decode(
        _ content: [UInt8], _ file: String, most: Int, advice: String
    ) throws(SecretError) -> [[UInt8]] {
        let text = content.last == 0x0A ? content.dropLast() : content[...]
        let lines = text.split(separator: 0x0A, maxSplits: most, omittingEmptySubsequences: false)
        guard lines.count <= most else {
            throw SecretError(description: "\(file) holds more than \(most) keys. \(advice)")
        }
        var keys: [[UInt8]] = []
        for line in lines { keys.append(try decode(line: line, file, advice: advice)) }
        return keys
    }

    private static func decode(
        line text: ArraySlice<UInt8>, _ file: String, advice: String
    ) throws(SecretError) -> [UInt8] {
        let digits = text.compactMap(HexDigits.value)
        let least = Secret.minimumBytes * 2
        guard digits.count == text.count, digits.count.isMultiple(of: 2), digits.count >= least else {
            throw SecretError(
                description: "Each line of \(file) must hold at least \(least) digits of 0-9 and a-f. \(advice)")
        }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    static func failure(_ verb: String, _ file: String) -> SecretError {
        SecretError(description: "Cannot \(verb) \(file): \(String(cString: strerror(errno)))")
    }
}
