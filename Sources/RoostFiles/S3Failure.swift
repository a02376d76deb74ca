import AsyncHTTPClient
import NIOPosix

/// Why a request to an object store was not answered as it should be.
struct S3Failure {
    /// The status of the answer; 0 if there was none.
    var status: Int
    /// The code of the answer's error; empty if there was none.
    var code: String
    /// The region in which the bucket is, if the server says so.
    var region: String?
    /// The server's clock, in ms since 1970.
    var date: Int64?
    /// What happened to the connection.
    private var connection = ""

    init(status: Int, code: String) {
        self.status = status
        self.code = code
    }

    init(connection error: any Error) {
        self.init(status: 0, code: "")
        connection =
            switch error {
            case let error as HTTPClientError: error.shortDescription
            case let error as NIOConnectionError: error.connectionErrors.first.map { "\($0.error)" } ?? "\(error)"
            default: "\(error)"
            }
        connection = String(connection.prefix(200))
    }

    /// The answer ended before all of its bytes had come.
    static var cut: S3Failure {
        var failure = S3Failure(status: 0, code: "")
        failure.connection = "the answer was cut off"
        return failure
    }

    /// What a server says, without what would disturb a line of a log.
    static func plain(_ text: String?) -> String {
        String((text ?? "").prefix(64).filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
    }

    /// Whether the same request may succeed a moment later.
    var isTemporary: Bool {
        if kind == .full { return false }
        return status == 0 || status == 429 || status >= 500
            || ["SlowDown", "RequestTimeout", "InternalError", "OperationAborted"].contains(code)
    }

    var kind: FileStoreError.Kind {
        switch code {
        case "NoSuchKey": .missing
        case "QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded", "InsufficientStorage": .full
        default: status == 507 ? .full : .unavailable
        }
    }

    /// The error for the operator.
    func error(_ action: String, _ location: S3Location) -> FileStoreError {
        FileStoreError(kind, "Cannot \(action): \(reason(location)).")
    }

    private func reason(_ location: S3Location) -> String {
        let bucket = "the bucket \"\(location.bucket)\""
        if let region, region != location.region, !region.isEmpty, status == 301 || status == 307 || status == 400 {
            return "\(bucket) is in the region \"\(region)\", not in \"\(location.region)\". Set region=\(region)"
        }
        switch code {
        case "NoSuchBucket": return "there is no bucket \"\(location.bucket)\" at \(location.address)"
        case "InvalidAccessKeyId", "SignatureDoesNotMatch":
            return "\(location.address) does not accept the keys (\(code)). Check both keys"
        case "ExpiredToken", "InvalidToken", "TokenRefreshRequired":
            return "the temporary keys are no longer valid. Restart with new ones"
        case "AccessDenied", "AllAccessDisabled": return "the keys do not have the right to do this in \(bucket)"
        case "RequestTimeTooSkewed": return "the clocks of this machine and of \(location.address) differ too much"
        case "PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed":
            return "\(bucket) is not in the region \"\(location.region)\", or not at \(location.address)"
        default: break
        }
        switch status {
        case 0: return "\(location.address) cannot be reached (\(connection))"
        case 301, 302, 307, 308: return "\(location.address) redirects to another server. Correct endpoint or region"
        case 507: return "\(location.address) has no space left"
        default:
            return "\(location.address) answered \(status)" + (code.isEmpty ? "" : " (\(code))")
        }
    }
}
