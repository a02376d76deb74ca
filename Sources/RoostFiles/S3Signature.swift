import Crypto

/// What is signed of a request to an object store.
package struct S3Request: Sendable {
    package var method: String
    package var host: String
    /// The path, not encoded.
    package var path: String
    package var query: [(name: String, value: String)] = []
    /// Headers with names in lower case, without `host`.
    package var headers: [(name: String, value: String)] = []

    package init(_ method: String, host: String, path: String) {
        self.method = method
        self.host = host
        self.path = path
    }

    /// The path and the query as they are sent and signed.
    package var target: String { encodedPath + (query.isEmpty ? "" : "?" + canonicalQuery) }

    var encodedPath: String { S3Signature.encoded(path, keepsSlash: true) }

    var canonicalQuery: String {
        let pairs = query.map { item -> (name: String, value: String) in
            (S3Signature.encoded(item.name), S3Signature.encoded(item.value))
        }
        let sorted = pairs.sorted { $0.name == $1.name ? $0.value < $1.value : $0.name < $1.name }
        return sorted.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }
}

/// Signs requests with AWS Signature Version 4.
package struct S3Signature: Sendable {
    private let credentials: S3Credentials
    private let region: String

    package init(_ credentials: S3Credentials, region: String) {
        self.credentials = credentials
        self.region = region
    }

    /// The payload of a request whose body is not signed.
    package static let unsignedPayload = "UNSIGNED-PAYLOAD"

    /// Adds the headers of the signature.
    /// - Parameters:
    ///   - payload: the SHA-256 of the body in hexadecimal digits, or `unsignedPayload`.
    ///   - time: when it is signed, in ms since 1970.
    package func sign(_ request: inout S3Request, payload: String, at time: Int64) {
        let stamp = S3Time.stamp(time)
        request.headers.append(("x-amz-content-sha256", payload))
        request.headers.append(("x-amz-date", stamp))
        if let token = credentials.sessionToken { request.headers.append(("x-amz-security-token", token)) }
        let (names, signature) = signature(of: request, payload: payload, stamp)
        request.headers.append(
            (
                "authorization",
                "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope(stamp)), SignedHeaders=\(names), "
                    + "Signature=\(signature)"
            ))
    }

    /// Adds the parameters of a signature to the query, with which anybody may send the request for some time.
    /// - Parameters:
    ///   - lifetime: in seconds.
    ///   - time: when it is signed, in ms since 1970.
    package func presign(_ request: inout S3Request, lifetime: Int64, at time: Int64) {
        let stamp = S3Time.stamp(time)
        let names = (request.headers.map(\.name) + ["host"]).sorted().joined(separator: ";")
        request.query += [
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"), ("X-Amz-Credential", credentials.accessKey + "/" + scope(stamp)),
            ("X-Amz-Date", stamp), ("X-Amz-Expires", "\(lifetime)"), ("X-Amz-SignedHeaders", names),
        ]
        if let token = credentials.sessionToken { request.query.append(("X-Amz-Security-Token", token)) }
        let (_, signature) = signature(of: request, payload: Self.unsignedPayload, stamp)
        request.query.append(("X-Amz-Signature", signature))
    }

    private func scope(_ stamp: String) -> String { "\(stamp.prefix(8))/\(region)/s3/aws4_request" }

    private func signature(
        of request: S3Request, payload: String, _ stamp: String
    ) -> (names: String, signature: String) {
        let headers = (request.headers + [("host", request.host)]).sorted { $0.name < $1.name }
        let names = headers.map(\.name).joined(separator: ";")
        let lines =
            [request.method, request.encodedPath, request.canonicalQuery]
            + headers.map { $0.name + ":" + $0.value } + ["", names, payload]
        let digest = Self.hex(SHA256.hash(data: Array(lines.joined(separator: "\n").utf8)))
        let text = ["AWS4-HMAC-SHA256", stamp, scope(stamp), digest].joined(separator: "\n")
        var key = Array(("AWS4" + credentials.secretKey).utf8)
        for word in [String(stamp.prefix(8)), region, "s3", "aws4_request", text] {
            key = Array(HMAC<SHA256>.authenticationCode(for: Array(word.utf8), using: SymmetricKey(data: key)))
        }
        return (names, Self.hex(key))
    }

    static func hex(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Encodes everything but letters, digits and `-._~`, as S3 signs it.
    static func encoded(_ text: String, keepsSlash: Bool = false) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: result.append(byte)
            case 0x2F where keepsSlash: result.append(byte)
            default: result += Array(("%" + hex([byte]).uppercased()).utf8)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
