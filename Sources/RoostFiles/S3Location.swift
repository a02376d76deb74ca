/// Where files are in an object store: the server, the bucket and the prefix of the keys.
package struct S3Location: Hashable, Sendable {
    /// Whether requests go over TLS.
    package var isSecure: Bool
    /// The host of the server, without the bucket, and its port if it is not the usual one.
    package var server: String
    package var bucket: String
    /// Empty, or a path that ends with `/`.
    package var prefix: String
    package var region: String
    /// Whether the bucket is a part of the path (`https://host/bucket/key`) or of the host (`https://bucket.host/key`).
    package var isPathStyle: Bool

    /// Reads `s3://bucket/prefix?endpoint=https://host:port&region=name&style=path`.
    ///
    /// Without `endpoint` it is Amazon S3, and `region` is needed; with it, the region is `us-east-1` if omitted. The
    /// style is `path` or `virtual`; if omitted, `virtual` for Amazon S3 if the bucket's name has no dot, else `path`.
    /// - Throws: `FileStoreError`, whose text contains no value of the URL that may be a secret.
    package init(url: String) throws(FileStoreError) {
        guard url.hasPrefix("s3://") else { throw Self.wrong("it must begin with s3://") }
        let parts = url.dropFirst(5).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(path[0])
        if name.contains("@") { throw Self.secret }
        guard Self.isBucket(name) else {
            throw Self.wrong("the bucket's name has 3 to 63 lower-case letters, digits, dots and hyphens")
        }
        let folders = path.count == 1 ? [] : path[1].split(separator: "/").map(String.init)
        guard folders.allSatisfy({ $0 != "." && $0 != ".." && $0.allSatisfy(Self.isPlain) }) else {
            throw Self.wrong("the prefix may have letters, digits, and the characters . _ - /")
        }
        let query = try Self.query(parts.count == 1 ? "" : parts[1])
        bucket = name
        prefix = folders.isEmpty ? "" : folders.joined(separator: "/") + "/"
        if let region = query["region"] {
            guard !region.isEmpty, region.allSatisfy(Self.isPlain) else { throw Self.wrong("region is not a name") }
        }
        let usualStyle: String
        if let endpoint = query["endpoint"] {
            (isSecure, server) = try Self.server(endpoint)
            region = query["region"] ?? "us-east-1"
            usualStyle = "path"
        } else {
            guard let region = query["region"] else {
                throw Self.wrong("region is missing, such as region=eu-central-1")
            }
            (isSecure, server, self.region) = (true, "s3.\(region).amazonaws.com", region)
            usualStyle = name.contains(".") ? "path" : "virtual"
        }
        switch query["style"] ?? usualStyle {
        case "path": isPathStyle = true
        case "virtual": isPathStyle = false
        default: throw Self.wrong("style is path or virtual")
        }
    }

    /// The host of requests.
    package var host: String { isPathStyle ? server : bucket + "." + server }

    /// The path of the bucket in requests, without a slash at its end.
    var root: String { isPathStyle ? "/" + bucket : "" }

    /// For messages to the operator.
    var address: String { (isSecure ? "https://" : "http://") + server }

    private static func query(_ text: Substring) throws(FileStoreError) -> [String: String] {
        var values: [String: String] = [:]
        for item in text.split(separator: "&") {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(pair[0])
            guard ["endpoint", "region", "style"].contains(name) else {
                let word = name.lowercased()
                if ["key", "secret", "token", "password", "credential"].contains(where: { word.contains($0) }) {
                    throw secret
                }
                let shown = name.allSatisfy(isPlain) && name.utf8.count <= 40 ? "\"\(name)\"" : "one of its parameters"
                throw wrong("\(shown) is not endpoint, region or style")
            }
            guard pair.count == 2, let value = decoded(pair[1]) else { throw wrong("\(name) has no readable value") }
            guard values.updateValue(value, forKey: name) == nil else { throw wrong("\(name) is given twice") }
        }
        return values
    }

    private static func server(_ endpoint: String) throws(FileStoreError) -> (Bool, String) {
        let isSecure = endpoint.hasPrefix("https://")
        guard isSecure || endpoint.hasPrefix("http://") else {
            throw wrong("endpoint must begin with https:// or http://")
        }
        var rest = endpoint.dropFirst(isSecure ? 8 : 7)
        if rest.contains("@") { throw secret }
        if rest.last == "/" { rest.removeLast() }
        let usualPort = isSecure ? 443 : 80
        var host = rest
        if rest.last != "]", let colon = rest.lastIndex(of: ":") {
            host = rest[..<colon]
            guard let port = Int(rest[rest.index(after: colon)...]), (1...65_535).contains(port) else {
                throw wrong("the port of endpoint is 1 to 65535")
            }
            // A signed host must be what the client sends, which leaves the usual port out.
            if port != usualPort { host = rest }
        }
        let name = host.prefix { $0 != ":" || host.first == "[" }
        guard !name.isEmpty, host.allSatisfy({ isPlain($0) && $0 != "_" || ":[]".contains($0) }) else {
            throw wrong("endpoint has a scheme, a host and perhaps a port, nothing else")
        }
        return (isSecure, host.lowercased())
    }

    private static func isBucket(_ name: String) -> Bool {
        (3...63).contains(name.utf8.count)
            && name.utf8.allSatisfy { isAlphanumeric($0) && !isUpper($0) || [0x2D, 0x2E].contains($0) }
            && name.first != "-" && name.first != "." && name.last != "-" && name.last != "."
    }

    private static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || isUpper(byte) || (0x61...0x7A).contains(byte)
    }

    private static func isPlain(_ character: Character) -> Bool {
        guard let byte = character.asciiValue else { return false }
        return isAlphanumeric(byte) || character == "." || character == "_" || character == "-"
    }

    /// Decodes `%41`; nil if a sequence is incomplete or the bytes are not UTF-8.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard rest.count >= 2, !digits.contains("+"), let value = UInt8(digits, radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func wrong(_ reason: String) -> FileStoreError {
        FileStoreError(
            .unavailable,
            "The address of the object store is wrong: \(reason). "
                + "Example: s3://bucket/prefix?endpoint=https://s3.example.org&region=eu-central-1")
    }

    private static let secret = FileStoreError(
        .unavailable,
        "The address of the object store contains keys, which other users of the machine could read. "
            + "Remove them and set ROOST_S3_ACCESS_KEY_ID and ROOST_S3_SECRET_ACCESS_KEY, or "
            + "ROOST_S3_CREDENTIALS_FILE.")
}
