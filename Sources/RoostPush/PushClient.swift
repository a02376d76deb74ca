import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL

/// The HTTP client of a driver.
final class PushClient: Sendable {
    private let http: HTTPClient

    /// A certificate with which the client says who it is, and its key, as paths of PEM files.
    struct Identity {
        var certificate: String
        var key: String
    }

    /// - Parameter trust: the path of a file with further authorities for TLS, as PEM; nil for those of the system.
    /// - Throws: `PushConfigurationError` if a file cannot be read.
    init(trust: String?, identity: Identity? = nil) throws(PushConfigurationError) {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(5), read: .seconds(20), write: .seconds(20)))
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        configuration.connectionPool.retryConnectionEstablishment = false
        var tls = TLSConfiguration.makeClientConfiguration()
        if let trust {
            do {
                tls.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMFile(trust))]
            } catch {
                throw PushConfigurationError("\(trust) holds no certificates as PEM.")
            }
        }
        if let identity {
            do {
                tls.certificateChain = try NIOSSLCertificate.fromPEMFile(identity.certificate).map { .certificate($0) }
                tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: identity.key, format: .pem))
            } catch {
                throw PushConfigurationError(
                    "\(identity.certificate) and \(identity.key) hold no certificate with its key as PEM.")
            }
        }
        configuration.tlsConfiguration = tls
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit { http.shutdown { _ in } }

    /// An answer, with at most 16 KiB of its body.
    struct Answer {
        var status: Int
        var headers: HTTPHeaders
        var body: String

        /// The time of the header `Retry-After` in ms, at most an hour.
        var retryAfterMs: Int64? {
            headers.first(name: "retry-after").flatMap { Int64($0) }.map { min(max($0, 0), 3_600) * 1_000 }
        }
    }

    /// Posts a body.
    /// - Throws: an error if there is no answer within 25 seconds.
    func post(_ url: String, _ headers: [(String, String)], _ body: [UInt8]) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers = HTTPHeaders(headers)
        request.body = .bytes(ByteBuffer(bytes: body))
        let response = try await http.execute(request, timeout: .seconds(25))
        // A body that is longer than any answer of these services is not read to its end.
        let bytes = (try? await response.body.collect(upTo: 16_384)).map { String(buffer: $0) } ?? ""
        return Answer(status: Int(response.status.code), headers: response.headers, body: bytes)
    }

    /// The reason of a request without an answer, for the operator.
    static func reason(_ error: any Error) -> String {
        "no answer: \((error as? HTTPClientError).map { "\($0)" } ?? "\(type(of: error))")"
    }
}
