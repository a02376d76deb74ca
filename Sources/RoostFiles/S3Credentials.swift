import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The keys to an object store. Their texts for logs contain no secret.
package struct S3Credentials: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package let accessKey: String
    let secretKey: String
    /// A token of temporary keys.
    let sessionToken: String?

    package init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
    }

    package var description: String { "S3Credentials(\(accessKey))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// Reads the keys from the environment: from the file that `ROOST_S3_CREDENTIALS_FILE` names, else from
    /// `ROOST_S3_ACCESS_KEY_ID` and `ROOST_S3_SECRET_ACCESS_KEY`, else from `AWS_ACCESS_KEY_ID`,
    /// `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`.
    /// - Throws: `FileStoreError` if there are none, only one of two, or the file cannot be used.
    package init(environment: [String: String]) throws(FileStoreError) {
        if let path = environment["ROOST_S3_CREDENTIALS_FILE"] {
            self = try Self.read(path)
            return
        }
        for (start, hasToken) in [("ROOST_S3_", false), ("AWS_", true)] {
            let accessKey = environment[start + "ACCESS_KEY_ID"] ?? ""
            let secretKey = environment[start + "SECRET_ACCESS_KEY"] ?? ""
            if accessKey.isEmpty, secretKey.isEmpty { continue }
            self = try Self.make(
                accessKey, secretKey, hasToken ? environment["AWS_SESSION_TOKEN"] : nil,
                "\(start)ACCESS_KEY_ID and \(start)SECRET_ACCESS_KEY")
            return
        }
        throw FileStoreError(
            .unavailable,
            "There are no keys for the object store. Set ROOST_S3_ACCESS_KEY_ID and ROOST_S3_SECRET_ACCESS_KEY, or "
                + "ROOST_S3_CREDENTIALS_FILE.")
    }

    /// The keys, unless one is missing or has characters that no key has, such as a line break.
    private static func make(
        _ accessKey: String, _ secretKey: String, _ token: String?, _ source: String
    ) throws(FileStoreError) -> S3Credentials {
        let token = token.flatMap { $0.isEmpty ? nil : $0 }
        guard !accessKey.isEmpty, !secretKey.isEmpty else {
            throw FileStoreError(.unavailable, "Set both \(source).")
        }
        guard [accessKey, secretKey, token ?? ""].allSatisfy({ $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } })
        else {
            throw FileStoreError(.unavailable, "\(source) must not contain spaces or line breaks.")
        }
        return S3Credentials(accessKey: accessKey, secretKey: secretKey, sessionToken: token)
    }

    /// Reads lines such as `aws_access_key_id = …`, as in the credentials file of Amazon's tools.
    private static func read(_ path: String) throws(FileStoreError) -> S3Credentials {
        let text = try LocalFile.open(path, O_RDONLY) { descriptor throws(FileStoreError) in
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & 0o077 == 0 else {
                throw FileStoreError(
                    .unavailable, "Other users can read \(path), which holds keys. Run: chmod 600 \(path)")
            }
            return String(buffer: try LocalFile.read(16_384, at: 0, descriptor, path))
        }
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.filter { $0 != " " && $0 != "\t" }
            if line.isEmpty || line.hasPrefix("#") || line.hasPrefix("[") { continue }
            let pair = line.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2, values.updateValue(pair[1], forKey: pair[0]) == nil else {
                throw FileStoreError(
                    .unavailable, "\(path) must have each name once, in lines such as aws_access_key_id = KEY.")
            }
        }
        return try make(
            values["aws_access_key_id"] ?? "", values["aws_secret_access_key"] ?? "", values["aws_session_token"],
            "aws_access_key_id and aws_secret_access_key in \(path)")
    }
}
