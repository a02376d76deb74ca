/// The address of a server: the parts of `http://host:port/path` that a connection needs.
struct ServerAddress: Hashable, Sendable {
    var host: String
    var port: Int
    var usesTLS: Bool
    /// The path of the address, without a slash at its end; empty if it has none.
    var prefix: String

    /// The path of the upgrade.
    var path: String { prefix + "/v1/connect" }

    /// Parses an address; nil if it is invalid.
    init?(_ text: String) {
        guard let separator = text.range(of: "://") else { return nil }
        switch text[..<separator.lowerBound].lowercased() {
        case "http", "ws": usesTLS = false
        case "https", "wss": usesTLS = true
        default: return nil
        }
        let rest = text[separator.upperBound...]
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        let authority = rest[..<end]
        var prefix = rest[end...]
        while prefix.hasSuffix("/") { prefix.removeLast() }
        guard !prefix.contains("?"), !prefix.contains("#"), !authority.contains("@"),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        self.prefix = String(prefix)
        let portText: Substring
        if authority.hasPrefix("[") {
            guard let close = authority.firstIndex(of: "]") else { return nil }
            host = String(authority[authority.index(after: authority.startIndex)..<close])
            portText = authority[authority.index(after: close)...]
        } else {
            let colon = authority.firstIndex(of: ":") ?? authority.endIndex
            host = String(authority[..<colon])
            portText = authority[colon...]
        }
        if portText.isEmpty {
            port = usesTLS ? 443 : 80
        } else {
            guard portText.hasPrefix(":"), let number = Int(portText.dropFirst()), (1...65_535).contains(number) else {
                return nil
            }
            port = number
        }
        guard !host.isEmpty else { return nil }
    }

    /// The value of the `Host` header.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (usesTLS ? 443 : 80) ? name : "\(name):\(port)"
    }
}

extension String {
    /// The position of the first occurrence of a text in this one, without Foundation.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            formIndex(after: &start)
        }
        return nil
    }
}
