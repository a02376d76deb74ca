import HTTPTypes
import Hummingbird
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

    /// The address of the page: the one that the operator has given, or the name that was asked for.
    private func base(_ request: HTTPRequest) -> String? {
        if let origin = configuration.publicOrigins.map(Origins.normalized).first(where: { $0.hasPrefix("https://") }) {
            return origin
        }
        guard let match = request.authority?.wholeMatch(of: /(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?/) else {
            return nil
        }
        return Origins.normalized("https://\(match.1):\(port)")
    }
}
