// iOS has no `Process`.
#if os(macOS) || os(Linux)
    import Foundation
    import NIOSSL

    /// A key and a certificate for `localhost`, which nobody else trusts; made by openssl.
    package final class TestCertificate: Sendable {
        private let folder: TemporaryFolder

        /// The path of the certificate, as PEM.
        package var certificate: String { folder.path + "/certificate.pem" }
        /// The path of the key of P-256, as PEM.
        package var key: String { folder.path + "/key.pem" }

        package init() throws {
            folder = try TemporaryFolder()
            try Self.openssl(["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", folder.path + "/ec.pem"])
            // As Apple writes it: PKCS #8.
            try Self.openssl(["pkcs8", "-topk8", "-nocrypt", "-in", folder.path + "/ec.pem", "-out", key])
            try Self.openssl([
                "req", "-x509", "-key", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost,IP:127.0.0.1",
            ])
        }

        /// Runs openssl.
        /// - Throws: `ServerProcessError` if it fails.
        package static func openssl(_ arguments: [String]) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["openssl"] + arguments
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw ServerProcessError(description: "openssl \(arguments.joined(separator: " ")) has failed")
            }
        }

        /// The TLS of a server with this certificate, for clients with the other one.
        func server(for client: TestCertificate?) throws -> NIOSSLContext {
            var tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
            tls.applicationProtocols = ["h2", "http/1.1"]
            if let client {
                tls.certificateVerification = .noHostnameVerification
                tls.trustRoots = .file(client.certificate)
            }
            return try NIOSSLContext(configuration: tls)
        }
    }
#endif
