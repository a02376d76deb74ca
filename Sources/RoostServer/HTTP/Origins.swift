import HTTPTypes
import Hummingbird
import NIOHTTP1
import RoostWire

/// Decides by the Origin and Host headers which requests are allowed: the single rule for HTTP and WebSockets.
///
/// A page of another origin may not connect, and may not send commands: it could try passwords with the addresses of its
/// visitors. In dev mode, where anyone can log in as any user, the rule applies to
/// every request but those for the modules of the page, whose elements say what is wrong, and the host must be a name of this machine: otherwise a foreign name that resolves to it (DNS
/// rebinding) would let any web page read as any user. Outside dev mode, plain HTTP requires a token, which no page
/// of another origin has.
enum Origins {
    /// A forbidden request.
    struct Refusal: Hashable {
        /// The origin of the page, as far as it is one.
        var origin: String?
        /// The names that the request has for this server: that of `Host`, and behind a proxy that of `X-Forwarded-Host`.
        var hosts: [String]
        /// What an operator or developer can do about it, in ASCII, as it travels in a header.
        var sentence: String
    }

    /// The names of this machine that DNS cannot assign to another machine.
    private static let ownNames = ["localhost", "127.0.0.1", "[::1]"]
    /// The number of allowed origins that a refusal names.
    private static let maxNamed = 3

    /// Why a request is forbidden; nil if it is allowed.
    ///
    /// Clients other than browsers send no origin. They may use any server except one in dev mode that listens on
    /// this machine only; such a server requires one of this machine's names, or the name of an allowed origin.
    /// - Parameter isConnecting: whether it asks for a WebSocket, or whether it could have one, or is a command.
    static func refusal(
        of head: HTTPRequestHead, isConnecting: Bool, _ configuration: ServerConfiguration
    ) -> Refusal? {
        guard isConnecting || configuration.isDevelopment && !WebController.isModule(head) else { return nil }
        let origins = head.headers["origin"].map { $0.lowercased() }
        let hosts = head.headers["host"].map { $0.lowercased() }
        // A page could send this header, but only to a server of its own name.
        let forwarded = configuration.forwardedHost(in: head.headers).map { [$0.lowercased()] } ?? []
        let isAllowed = isAllowed(
            origins: origins, hosts: hosts, forwarded: forwarded, isOfThisMachine: isOfThisMachine(head.uri),
            configuration)
        return isAllowed ? nil : refusal(origins: origins, hosts: hosts + forwarded, configuration)
    }

    private static func isAllowed(
        origins: [String], hosts: [String], forwarded: [String], isOfThisMachine: Bool,
        _ configuration: ServerConfiguration
    ) -> Bool {
        guard origins.count <= 1 else { return false }
        if let origin = origins.first {
            if isAllowed(origin, configuration) { return true }
        } else if !configuration.isDevelopment || !configuration.isLoopback {
            return true
        }
        guard hosts.count == 1, let host = hosts.first, !host.isEmpty else { return false }
        let names = hosts + forwarded
        let isOwn = names.allSatisfy(isOwnName) && isOfThisMachine
        guard let origin = origins.first else {
            // What a proxy says counts only if it spoke to this machine by a name that no page can have.
            return isOwn
                || names.allSatisfy { name in
                    isOwnName(name) && isOfThisMachine
                        || pages(of: name, configuration).contains { isAllowed($0, configuration) }
                }
        }
        return (isOwn || !configuration.isDevelopment)
            && names.flatMap { pages(of: $0, configuration) }.contains(normalized(origin))
    }

    /// Whether a page of this server itself has sent a request: its browser says so, or it has the name of the server.
    ///
    /// A browser says so only to a server behind TLS, or on its own machine.
    static func isOwnPage(_ request: Request, _ configuration: ServerConfiguration) -> Bool {
        let origins = request.headers[values: .origin]
        guard origins.count == 1, let origin = origins.first else { return false }
        if let site = HTTPField.Name("Sec-Fetch-Site").map({ request.headers[values: $0] }), !site.isEmpty {
            return site == ["same-origin"]
        }
        var names = [request.head.authority ?? ""]
        if let forwarded = configuration.forwardedHost(in: request.headers) { names.append(forwarded) }
        let own =
            names.map { $0.lowercased() }.flatMap { pages(of: $0, configuration) }
            + configuration.publicOrigins.map(normalized)
        return own.contains(normalized(origin))
    }

    /// Whether an origin is one of those that the operator allows.
    static func isAllowed(_ origin: String, _ configuration: ServerConfiguration) -> Bool {
        let origin = normalized(origin)
        return configuration.allowedOrigins.contains { normalized($0) == origin }
    }

    /// The origins of a server's own pages: of one with TLS there are none without it.
    private static func pages(of host: String, _ configuration: ServerConfiguration) -> [String] {
        let schemes = configuration.certificate == nil ? ["https://", "http://"] : ["https://"]
        return schemes.map { normalized($0 + host) }
    }

    /// An origin in the form in which browsers send it: in lower case, without the usual port, and without a slash at its
    /// end.
    static func normalized(_ origin: String) -> String {
        var text = origin.lowercased()
        if text.hasSuffix("/") { text.removeLast() }
        for (scheme, port) in [("https://", ":443"), ("http://", ":80")]
        where text.hasPrefix(scheme) && text.hasSuffix(port) {
            text.removeLast(port.count)
        }
        return text
    }

    private static func refusal(origins: [String], hosts: [String], _ configuration: ServerConfiguration) -> Refusal {
        let origin = origins.count == 1 ? origins.first.flatMap { isPlain($0) ? $0 : nil } : nil
        let names = hosts.filter(isPlain)
        let asked = names.isEmpty ? "no name" : names.joined(separator: " and ")
        let example = origin.flatMap { $0.hasPrefix("http") ? $0 : nil } ?? "https://NAME"
        let page = origin.map { "a page of \($0)" } ?? "a page without a usable origin"
        var sentence: String
        if configuration.isDevelopment {
            sentence = """
                In dev mode this server only accepts requests to localhost, 127.0.0.1 and [::1], and from pages there, but this \
                one is to \(asked)\(origins.isEmpty ? "" : " from \(page)"). Use one of these names, or allow another one with \
                --public-url http://NAME:PORT, or for pages of other servers --allow-origin http://NAME:PORT.
                """
        } else {
            let allowed = configuration.allowedOrigins.filter(isPlain).prefix(maxNamed)
            let scheme = example.hasPrefix("http://") ? "http" : "https"
            var expected = names.map { "\(scheme)://\($0)" } + allowed
            if names.count == 2, names[0] == names[1] { expected.removeFirst() }
            sentence = """
                This is \(page), but the server expects one of \(expected.joined(separator: " or ")). Start it with \
                --public-url \(example), or let the proxy pass the name on: proxy_set_header Host $http_host; for pages of other \
                servers use --allow-origin \(example).
                """
        }
        if sentence.utf8.count > 2_000 { sentence = "This origin may not connect. Allow it with --public-url." }
        return Refusal(origin: origin, hosts: names, sentence: sentence)
    }

    /// Whether this can be an origin or a host, so that it can be shown and logged.
    private static func isPlain(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: ":/.-_[]".utf8.contains(byte)
                }
            }
    }

    /// Whether this lowercased host is a name of this machine, with or without a port.
    private static func isOwnName(_ host: String) -> Bool {
        ownNames.contains { name in
            guard host.hasPrefix(name) else { return false }
            let rest = host.dropFirst(name.count)
            return rest.isEmpty || rest.first == ":" && rest.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
        }
    }

    /// Whether a request's target refers to this machine: it is a path, or a URL with one of its names.
    private static func isOfThisMachine(_ target: String) -> Bool {
        if target.hasPrefix("/") || target == "*" { return true }
        guard let start = target.firstRange(of: "://") else { return false }
        return isOwnName(target[start.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }.lowercased())
    }
}
