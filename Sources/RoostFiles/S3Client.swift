import AsyncHTTPClient
import Crypto
import NIOCore
import NIOHTTP1
import Synchronization

/// Sends signed requests to an object store, and sends them again if that may help.
final class S3Client: Sendable {
    let location: S3Location
    let signature: S3Signature
    private let http: HTTPClient
    private let now: @Sendable () -> Int64
    /// How far the server's clock is ahead of this one, in ms; known once a request was refused for it.
    private let skew = Atomic<Int64>(0)

    init(_ location: S3Location, _ credentials: S3Credentials, now: @escaping @Sendable () -> Int64) {
        self.location = location
        self.now = now
        signature = S3Signature(credentials, region: location.region)
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(5), read: .seconds(30), write: .seconds(30)))
        configuration.httpVersion = .http1Only
        // A download holds a connection for as long as its reader takes.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 512
        configuration.connectionPool.retryConnectionEstablishment = false
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit { http.shutdown { _ in } }

    /// The time by the server's clock, in ms since 1970.
    var time: Int64 { now() + skew.load(ordering: .relaxed) }

    /// A request for an object, or for the bucket.
    func request(_ method: String, _ object: String = "", _ query: [(String, String)] = []) -> S3Request {
        let path = location.root + "/" + object
        var request = S3Request(method, host: location.host, path: path)
        request.query = query.map { (name: $0.0, value: $0.1) }
        return request
    }

    /// An answer, read to its end.
    struct Answer {
        var headers: HTTPHeaders
        var body: ByteBuffer
        /// The code of an error that the caller expects.
        var code: String?
    }

    /// Sends a request and reads the answer; tries three times.
    /// - Parameters:
    ///   - action: completes "Cannot …", for the operator.
    ///   - expected: codes of errors that are answers to the caller.
    func send(
        _ request: S3Request, _ body: S3Body = .empty, to action: String, expecting expected: [String] = []
    ) async throws(FileStoreError) -> Answer {
        var attempts = S3Attempts()
        while true {
            let failure: S3Failure
            do {
                let response = try await start(request, body)
                if let found = try await self.failure(in: response) {
                    if expected.contains(found.code) {
                        return Answer(headers: response.headers, body: .init(), code: found.code)
                    }
                    failure = found
                } else {
                    let bytes = try await response.body.collect(upTo: 4 << 20)
                    // Some requests are answered with 200 before they are done, and with an error as the content.
                    guard request.method == "POST", let error = S3Document(bytes), error.root == "Error" else {
                        return Answer(headers: response.headers, body: bytes)
                    }
                    let code = S3Failure.plain(error.text("Code"))
                    if expected.contains(code) { return Answer(headers: response.headers, body: .init(), code: code) }
                    failure = S3Failure(status: 500, code: code)
                }
            } catch let error as FileStoreError {
                throw error
            } catch {
                failure = S3Failure(connection: error)
            }
            try await pause(after: failure, &attempts, action)
        }
    }

    /// Sends a request once, and returns when the answer begins.
    func start(_ request: S3Request, _ body: S3Body = .empty) async throws -> HTTPClientResponse {
        var request = request
        let payload = location.isSecure ? S3Signature.unsignedPayload : try await body.hash()
        signature.sign(&request, payload: payload, at: time)
        let scheme = location.isSecure ? "https://" : "http://"
        var message = HTTPClientRequest(url: scheme + location.host + request.target)
        message.method = HTTPMethod(rawValue: request.method)
        message.headers = HTTPHeaders(request.headers.map { ($0.name, $0.value) } + [("host", location.host)])
        message.body = body.body
        // Only a limit for a server that makes progress too slowly to be of use.
        return try await http.execute(message, timeout: .hours(1))
    }

    /// The error of an answer; nil if it is none.
    func failure(in response: HTTPClientResponse) async throws -> S3Failure? {
        if (200..<300).contains(response.status.code) { return nil }
        var failure = S3Failure(status: Int(response.status.code), code: "")
        failure.region = response.headers.first(name: "x-amz-bucket-region").map { S3Failure.plain($0) }
        failure.date = response.headers.first(name: "date").flatMap(S3Time.parse(header:))
        if let body = try? await response.body.collect(upTo: 65_536), let error = S3Document(body),
            error.root == "Error"
        {
            failure.code = S3Failure.plain(error.text("Code"))
            failure.region = failure.region ?? error.text("Region").map { S3Failure.plain($0) }
        }
        return failure
    }

    /// Waits until a request may be sent again.
    /// - Throws: the failure as a `FileStoreError`, if it should not be sent again.
    func pause(
        after failure: S3Failure, _ attempts: inout S3Attempts, _ action: String
    ) async throws(FileStoreError) {
        if Task.isCancelled { throw FileStoreError(.unavailable, "Cannot \(action): it was cancelled.") }
        if failure.code == "RequestTimeTooSkewed", let date = failure.date, !attempts.isSignedAgain {
            attempts.isSignedAgain = true
            skew.store(date - now(), ordering: .relaxed)
            return
        }
        attempts.failures += 1
        guard failure.isTemporary, attempts.failures < 3 else { throw failure.error(action, location) }
        let pause = attempts.failures == 1 ? 100 : 400
        try? await Task.sleep(for: .milliseconds(pause + Int.random(in: 0..<pause)))
    }
}

/// How often a request was sent in vain.
struct S3Attempts {
    var failures = 0
    var isSignedAgain = false
}

/// The body of a request, which can be sent again.
enum S3Body: Sendable {
    case empty
    case text(String)
    case file(S3FilePart)

    var body: HTTPClientRequest.Body? {
        switch self {
        case .empty: nil
        case .text(let text): .bytes(ByteBuffer(string: text))
        case .file(let part): .stream(part, length: .known(part.range.upperBound - part.range.lowerBound))
        }
    }

    /// The SHA-256 in hexadecimal digits.
    func hash() async throws(FileStoreError) -> String {
        switch self {
        case .empty: S3Signature.hex(SHA256.hash(data: [UInt8]()))
        case .text(let text): S3Signature.hex(SHA256.hash(data: Array(text.utf8)))
        case .file(let part): try await part.hash()
        }
    }
}
