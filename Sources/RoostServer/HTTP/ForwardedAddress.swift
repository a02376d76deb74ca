import HTTPTypes
import NIOCore
import NIOHTTP1

extension ServerConfiguration {
    /// The address of a client, as the proxy names it in the last `X-Forwarded-For`, with or without a port; nil without
    /// a proxy, or if it is no address.
    ///
    /// What stands before its last comma comes from the client.
    func forwardedAddress(_ values: [String]) -> String? {
        guard isBehindProxy, let last = Self.lastElement(values) else { return nil }
        var address = last
        if last.hasPrefix("["), let end = last.firstIndex(of: "]") {
            guard Self.isPort(last[last.index(after: end)...]) else { return nil }
            address = last[last.index(after: last.startIndex)..<end]
        } else if let colon = last.firstIndex(of: ":"), last.lastIndex(of: ":") == colon {
            // Two colons or more are an IPv6 address without a port.
            guard Self.isPort(last[colon...]) else { return nil }
            address = last[..<colon]
        }
        let text = String(address)
        return (try? SocketAddress(ipAddress: text, port: 0)) == nil ? nil : text
    }

    func forwardedAddress(in fields: HTTPFields) -> String? {
        HTTPField.Name("X-Forwarded-For").flatMap { forwardedAddress(fields[values: $0]) }
    }

    func forwardedAddress(in headers: HTTPHeaders) -> String? { forwardedAddress(headers["X-Forwarded-For"]) }

    /// Whether a proxy names an address that cannot be read.
    func hasUnreadableAddress(_ headers: HTTPHeaders) -> Bool {
        guard isBehindProxy else { return false }
        let values = headers["X-Forwarded-For"]
        return !values.isEmpty && forwardedAddress(values) == nil
    }

    /// Whether a request seems to come through a proxy that the server was not told of: it names another address, and comes
    /// from this machine or a private network.
    func hasUnknownProxy(_ headers: HTTPHeaders, from address: String) -> Bool {
        guard !isBehindProxy, headers.contains(name: "x-forwarded-for") || headers.contains(name: "forwarded") else {
            return false
        }
        return Connections.isLocal(address) || Self.isPrivate(address)
    }

    /// Whether an address is one of a private network (RFC 1918, RFC 4193), of a link (RFC 3927, RFC 4291), or one that a
    /// provider shares among its customers (RFC 6598).
    static func isPrivate(_ address: String) -> Bool {
        let text = address.lowercased()
        guard text.contains(".") else {
            return ["fc", "fd"].contains(text.prefix(2)) && text.prefix { $0 != ":" }.utf8.count == 4
                || ["fe8", "fe9", "fea", "feb"].contains(text.prefix(3)) && text.prefix { $0 != ":" }.utf8.count == 4
        }
        let parts = (text.split(separator: ":").last ?? "").split(separator: ".").compactMap { UInt8($0) }
        guard parts.count == 4 else { return false }
        return switch (parts[0], parts[1]) {
        case (10, _), (172, 16...31), (192, 168), (169, 254), (100, 64...127): true
        default: false
        }
    }

    /// The name by which the client asked the proxy for this server; nil without a proxy, or if it does not say so.
    func forwardedHost(in headers: HTTPHeaders) -> String? { forwardedHost(headers["X-Forwarded-Host"]) }

    func forwardedHost(in fields: HTTPFields) -> String? {
        HTTPField.Name("X-Forwarded-Host").flatMap { forwardedHost(fields[values: $0]) }
    }

    private func forwardedHost(_ values: [String]) -> String? {
        guard isBehindProxy, let last = Self.lastElement(values), !last.isEmpty else { return nil }
        return String(last)
    }

    private static func lastElement(_ values: [String]) -> Substring? {
        guard let last = values.last?.split(separator: ",").last else { return nil }
        return last.drop { $0 == " " }.prefix { $0 != " " }
    }

    /// Whether this is nothing, or a colon and a port.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty
            || text.first == ":" && (1...5).contains(text.dropFirst().utf8.count)
                && text.dropFirst().utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
