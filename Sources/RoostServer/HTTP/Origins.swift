import NIOHTTP1
import RoostWire

/// Decides by the Origin and Host headers which requests are allowed: the single rule for HTTP and WebSockets.
///
/// A page of another origin may not connect. In dev mode, where anyone can log in as any user, the rule applies to
/// every request, and the host must be a name of this machine: otherwise a foreign name that resolves to it (DNS
/// rebinding) would let any web page read as any user. Outside dev mode, plain HTTP requires a token, which no page
/// of another origin has.
enum Origins {
    /// The error for a forbidden request.
    static func refusal(_ configuration: ServerConfiguration) -> WireError {
        WireError(
            .noPrivilege,
            configuration.isDevelopment
                ? """
                In dev mode this server only accepts requests to localhost, 127.0.0.1 and [::1], and from pages there. Use \
                one of these names, or allow another one with --allow-origin http://NAME:PORT.
                """ : "This origin may not connect. Allow it with --allow-origin.")
    }

    /// The names of this machine that DNS cannot assign to another machine.
    private static let ownNames = ["localhost", "127.0.0.1", "[::1]"]

    /// Whether a request is allowed.
    ///
    /// Clients other than browsers send no origin. They may use any server except one in dev mode that listens on
    /// this machine only; such a server requires one of this machine's names, or the name of an allowed origin.
    static func isAllowed(_ head: HTTPRequestHead, isUpgrade: Bool, _ configuration: ServerConfiguration) -> Bool {
        guard isUpgrade || configuration.isDevelopment else { return true }
        let origins = head.headers["origin"].map { $0.lowercased() }
        let hosts = head.headers["host"].map { $0.lowercased() }
        let allowed = configuration.allowedOrigins.map { $0.lowercased() }
        guard origins.count <= 1 else { return false }
        if let origin = origins.first {
            if allowed.contains(origin) { return true }
        } else if !configuration.isDevelopment || !configuration.isLoopback {
            return true
        }
        guard hosts.count == 1, let host = hosts.first, !host.isEmpty else { return false }
        let own = ["http://" + host, "https://" + host]
        let isOwn = isOwnName(host) && isOfThisMachine(head.uri)
        guard let origin = origins.first else { return isOwn || own.contains(where: allowed.contains) }
        return (isOwn || !configuration.isDevelopment) && own.contains(origin)
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
