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

    /// The name by which the client asked the proxy for this server; nil without a proxy, or if it does not say so.
    func forwardedHost(in headers: HTTPHeaders) -> String? {
        guard isBehindProxy, let last = Self.lastElement(headers["X-Forwarded-Host"]), !last.isEmpty else { return nil }
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
