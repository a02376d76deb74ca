import ArgumentParser
import RoostServer

/// The options of `roost serve` about TLS.
struct TLSOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file in PEM with the certificate of the server, and behind it those that lead to its authority; needs --tls-key.",
            discussion: """
                The server then speaks HTTPS and nothing else. If the files are replaced, new connections get the new certificate within a \
                second. Without it a proxy has to encrypt: see docs/proxy.md.
                """, valueName: "file"))
    var tlsCertificate: String?

    @Option(
        help: ArgumentHelp(
            "A file in PEM with the key of --tls-certificate, without a passphrase.",
            discussion: "Only its owner and its group may have access to it.", valueName: "file"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "Another port that answers plain HTTP by sending browsers to HTTPS, such as 80.",
            discussion: "It sends them to the first --public-url with https, or to the name that they asked for.",
            valueName: "port"))
    var redirectPort: Int?

    @Option(
        help: ArgumentHelp(
            "A folder in which a program for certificates, such as certbot --webroot, puts its files; needs --redirect-port.",
            discussion: "They are served on that port, below /.well-known/acme-challenge/.", valueName: "folder"))
    var acmeFolder: String?

    /// Whether the server speaks HTTPS.
    var isOn: Bool { tlsCertificate != nil }

    /// The scheme of the server's URLs.
    var scheme: String { isOn ? "https" : "http" }

    func validate() throws {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key need each other.")
        }
        guard let redirectPort else {
            guard acmeFolder == nil else { throw ValidationError("--acme-folder needs --redirect-port 80.") }
            return
        }
        guard isOn else {
            throw ValidationError(
                "--redirect-port leads to HTTPS: add --tls-certificate and --tls-key, or let the proxy redirect.")
        }
        guard (1...65_535).contains(redirectPort) else { throw ValidationError("--redirect-port must be 1 to 65535.") }
    }

    /// Reads the certificate; nil if there is none.
    /// - Throws: `SecretError`.
    func certificate() throws -> ServerCertificate? {
        guard let tlsCertificate, let tlsKey else { return nil }
        return try ServerCertificate(certificate: tlsCertificate, key: tlsKey)
    }
}
