import HTTPTypes
import NIOCore
import NIOHTTP1

extension ServerConfiguration {
    /// The address of a client, as the proxy names it in the last `X-Forwarded-For`; nil without a proxy, or if it is no
    /// address.
    ///
    /// What stands before its last comma comes from the client.
    func forwardedAddress(_ values: [String]) -> String? {
        guard isBehindProxy, let last = values.last?.split(separator: ",").last else { return nil }
        let text = String(last.trimmingPrefix { $0 == " " }.prefix { $0 != " " })
        return (try? SocketAddress(ipAddress: text, port: 0)) == nil ? nil : text
    }

    func forwardedAddress(in fields: HTTPFields) -> String? {
        HTTPField.Name("X-Forwarded-For").flatMap { forwardedAddress(fields[values: $0]) }
    }

    func forwardedAddress(in headers: HTTPHeaders) -> String? { forwardedAddress(headers["X-Forwarded-For"]) }
}
