import NIOCore
package import NIOSSL
import Synchronization

/// The certificate of the server and its key, from two files in PEM that may be replaced while it runs.
package final class ServerCertificate: Sendable {
    private struct Files: Equatable {
        var certificate: [UInt8]
        var key: [UInt8]
    }

    private struct State {
        var files: Files
        var context: NIOSSLContext
        var beginsAt: Int64
        var expiresAt: Int64
    }

    private static let maxBytes = 1 << 20

    private let certificate: String
    private let key: String
    private let state: Mutex<State>

    /// - Parameters:
    ///   - certificate: the path of a file with the certificate of the server, and behind it those that lead to its authority.
    ///   - key: the path of a file with its key, which only its owner and its group may use.
    /// - Throws: `SecretError` if one of them cannot be used, or they do not belong together.
    package init(certificate: String, key: String) throws(SecretError) {
        self.certificate = certificate
        self.key = key
        state = Mutex(try Self.load(try Self.read(certificate, key), certificate, key))
    }

    /// The TLS of new connections.
    package var context: NIOSSLContext { state.withLock { $0.context } }

    /// How many days are left of the certificate, if it expires soon: within two weeks, or in the last quarter of a shorter life.
    /// It is negative if it has expired.
    package func daysLeft(now: Int64) -> Int64? {
        let (begin, end) = state.withLock { ($0.beginsAt, $0.expiresAt) }
        guard end - now < min(14 * 86_400_000, (end - begin) / 4) else { return nil }
        return now > end ? -1 : (end - now) / 86_400_000
    }

    /// When it expires, in ms since 1970.
    var endsAt: Int64 { state.withLock { $0.expiresAt } }

    /// Whether it has expired at a time, in ms since 1970.
    package func hasExpired(now: Int64) -> Bool { now > state.withLock { $0.expiresAt } }

    /// Reads the files again, for new connections.
    /// - Throws: `SecretError` if they cannot be used, as while only one of them is replaced; those from before stay.
    /// - Returns: whether they were changed.
    package func reload() throws(SecretError) -> Bool {
        let files = try Self.read(certificate, key)
        guard files != state.withLock({ $0.files }) else { return false }
        let new = try Self.load(files, certificate, key)
        state.withLock { $0 = new }
        return true
    }

    private static func read(_ certificate: String, _ key: String) throws(SecretError) -> Files {
        guard let chain = try KeyFile.bytes(of: certificate, atMost: maxBytes, forbidden: 0) else {
            throw SecretError(description: "There is no certificate at \(certificate).")
        }
        guard let bytes = try KeyFile.bytes(of: key, atMost: maxBytes, forbidden: 0o007) else {
            throw SecretError(description: "There is no key at \(key).")
        }
        return Files(certificate: chain, key: bytes)
    }

    private static func load(_ files: Files, _ certificate: String, _ key: String) throws(SecretError) -> State {
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(files.certificate), let own = chain.first else {
            throw SecretError(description: "\(certificate) has no certificate in PEM.")
        }
        guard !String(decoding: files.key, as: UTF8.self).contains("ENCRYPTED") else {
            throw SecretError(
                description: "The key in \(key) needs a passphrase. Write it without: openssl pkey -in \(key) -out FILE"
            )
        }
        guard let privateKey = try? NIOSSLPrivateKey(bytes: files.key, format: .pem) else {
            throw SecretError(description: "\(key) has no private key in PEM.")
        }
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
        tls.minimumTLSVersion = .tlsv12
        tls.applicationProtocols = ["http/1.1"]
        // How long a connection that is closed waits until the client has closed it, too.
        tls.shutdownTimeout = .seconds(1)
        guard let context = try? NIOSSLContext(configuration: tls) else {
            throw SecretError(
                description: "The key in \(key) is not that of the first certificate in \(certificate).")
        }
        return State(
            files: files, context: context, beginsAt: Int64(own.notValidBefore) * 1_000,
            expiresAt: Int64(own.notValidAfter) * 1_000)
    }
}
