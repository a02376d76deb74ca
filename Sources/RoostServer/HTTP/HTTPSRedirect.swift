import HTTPTypes
import Hummingbird
import NIOCore
import RoostWire

/// What the port for plain HTTP answers: where the page is.
struct HTTPSRedirect {
    private let configuration: ServerConfiguration
    private let port: Int

    /// - Parameter port: that of the server behind TLS.
    init(_ configuration: ServerConfiguration, port: Int) {
        self.configuration = configuration
        self.port = port
    }

    /// Sends browsers to the page; commands are refused, as whoever sends them would go on to send tokens in the open.
    func response(to request: HTTPRequest) -> Response {
        if let challenge = challenge(request) { return challenge }
        guard let base = base(request) else {
            return HTTPAnswer.response(WireError(.dataFormat, "The request has no usable Host: use https://."))
        }
        guard request.method == .get || request.method == .head else {
            return HTTPAnswer.response(WireError(.wrongEndpoint, "Use \(base): nothing else is encrypted."))
        }
        let path = request.path.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/"
        // Not stored, or a browser would remember it for ever.
        return Response(status: .permanentRedirect, headers: [.location: base + path, .cacheControl: "no-store"])
    }

    private static let challenges = "/.well-known/acme-challenge/"

    /// What a program for certificates has put into its folder, so that an authority sees whose server this is (RFC 8555, 8.3); nil
    /// if nothing of that is asked for.
    private func challenge(_ request: HTTPRequest) -> Response? {
        guard let folder = configuration.challengeFolder, let path = request.path, path.hasPrefix(Self.challenges),
            request.method == .get
        else { return nil }
        let name = path.dropFirst(Self.challenges.count)
        guard name.wholeMatch(of: /[A-Za-z0-9_-]{1,200}/) != nil,
            let bytes = try? KeyFile.bytes(of: folder + path, atMost: 4_096, forbidden: 0)
        else { return HTTPAnswer.response(WireError(.wrongEndpoint, "There is no such challenge.")) }
        return Response(
            status: .ok, headers: [.contentType: "application/octet-stream", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// The address of the page: one that the operator has given, or the name that was asked for.
    private func base(_ request: HTTPRequest) -> String? {
        let origins = configuration.publicOrigins.map(Origins.normalized).filter { $0.hasPrefix("https://") }
        let host = request.authority?.wholeMatch(of: /(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?/)?.1
            .lowercased()
        if let first = origins.first {
            return origins.first { $0 == "https://\(host ?? "")" || $0.hasPrefix("https://\(host ?? ""):") } ?? first
        }
        return host.map { Origins.normalized("https://\($0):\(port)") }
    }
}
