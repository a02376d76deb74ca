import NIOHTTP1
import RoostWire

/// Who may ask this server, by the names that a request gives: the one rule for HTTP and WebSockets.
///
/// A page of another origin may not connect. In dev mode, where anybody can be anybody, the rule holds for every
/// request, and the server's own name has to be this machine's: a foreign name that resolves to it (DNS
/// rebinding) would let any web page read as anybody. Outside dev mode plain HTTP needs a token that no page of
/// another origin has.
enum Origins {
    /// What a request is told that may not ask.
    static func refusal(_ configuration: ServerConfiguration) -> WireError {
        WireError(
            .noPrivilege,
            configuration.isDevelopment
                ? """
                In dev mode this server answers to localhost, 127.0.0.1 and [::1] only, and to pages from there. Use \
                one of these names, or allow another one with --allow-origin http://NAME:PORT.
                """ : "This origin may not connect. Allow it with --allow-origin.")
    }

    /// The names of this machine that no name server can give to another one.
    private static let ownNames = ["localhost", "127.0.0.1", "[::1]"]

    /// Whether a request may be answered.
    ///
    /// What is no browser sends no origin. It may ask any server but one in dev mode that listens on this machine
    /// only: that one wants one of this machine's names, or the name of an allowed origin.
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

    /// Whether this is one of the names of this machine, with or without a port; lowercased before.
    private static func isOwnName(_ host: String) -> Bool {
        ownNames.contains { name in
            guard host.hasPrefix(name) else { return false }
            let rest = host.dropFirst(name.count)
            return rest.isEmpty || rest.first == ":" && rest.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
        }
    }

    /// Whether a request's target names no other machine: it is a path, or an address with one of our names.
    private static func isOfThisMachine(_ target: String) -> Bool {
        if target.hasPrefix("/") || target == "*" { return true }
        guard let start = target.firstRange(of: "://") else { return false }
        return isOwnName(target[start.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }.lowercased())
    }
}
