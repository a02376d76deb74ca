import Foundation
import RoostServer

/// Where users reach the server.
extension Doctor {
    /// The certificate of the server itself.
    func certificate() -> [Finding] {
        guard let file = serve.tls.tlsCertificate else { return [.skipped("there is no --tls-certificate")] }
        do {
            guard let certificate = try serve.tls.certificate() else { return [] }
            let advice = "Renew it; the server takes the new files over within a second."
            let now = Clock.now()
            if certificate.hasExpired(now: now) { return [.fault("the certificate in \(file) has expired", advice)] }
            if let days = certificate.daysLeft(now: now) {
                return [.warning("the certificate in \(file) expires in \(days) \(days == 1 ? "day" : "days")", advice)]
            }
            return [.good("\(file) can be used")]
        } catch {
            return [.fault(error, "See docs/proxy.md.")]
        }
    }

    /// The host to which this machine connects to reach the server.
    private var ownHost: String {
        ["0.0.0.0", "::", ""].contains(serve.host) ? "127.0.0.1" : serve.host
    }

    /// Whether the port is that of the server, or free.
    func port() async -> [Finding] {
        guard serve.port != 0 else { return [.skipped("the port is chosen at the start")] }
        let place = "\(ownHost):\(serve.port)"
        do {
            let answer = try await Self.health(
                ownHost, serve.port, host: ownHost, isTLS: serve.tls.isOn, checksName: false)
            guard answer.contains(#""alive":true"#) else {
                return [
                    .fault("something else than Roost listens at \(place)", "Stop it, or name another --port.")
                ]
            }
            return [.good("a server answers at \(place)")]
        } catch let failure as SocketProbe.Failure where failure.isRefused {
            return [.good("no server runs, and the port \(serve.port) is free")]
        } catch {
            return [
                .fault(
                    "what listens at \(place) does not answer as Roost: \(error)", "Stop it, or name another --port.")
            ]
        }
    }

    /// The way that users take, through the proxy.
    func addresses() async -> [Finding] {
        var findings = proxy()
        if serve.publicURLs.isEmpty {
            return findings.isEmpty ? [.skipped("there is no --public-url to try")] : findings
        }
        for url in serve.publicURLs { findings += await look(at: url) }
        return findings
    }

    /// What the settings say about the proxy.
    private func proxy() -> [Finding] {
        let isPublic = !ServerConfiguration(host: serve.host).isLoopback
        if serve.behindProxy, isPublic {
            return [
                .warning(
                    "--behind-proxy believes the addresses that clients name, and \(serve.host) can be reached around the proxy",
                    "Listen on 127.0.0.1, or let a firewall admit the proxy only.")
            ]
        }
        if !serve.behindProxy, !serve.tls.isOn, serve.publicURLs.contains(where: { $0.hasPrefix("https:") }) {
            return [
                .fault(
                    "users come through a proxy, and all count as one address for limits and bans",
                    "Add --behind-proxy, and let the proxy set X-Forwarded-For: see docs/proxy.md.")
            ]
        }
        if !serve.tls.isOn, isPublic, !serve.behindProxy {
            return [
                .warning(
                    "what users write, and their tokens, cross the network in plain text",
                    "Use --tls-certificate and --tls-key, or a proxy: see docs/proxy.md.")
            ]
        }
        return []
    }

    private func look(at text: String) async -> [Finding] {
        guard let url = URLComponents(string: text), let host = url.host else { return [] }
        let isTLS = url.scheme?.lowercased() == "https"
        let port = url.port ?? (isTLS ? 443 : 80)
        let name = url.port.map { "\(host):\($0)" } ?? host
        do {
            let answer = try await Self.health(host, port, host: name, isTLS: isTLS, checksName: true)
            guard answer.contains(#""alive":true"#) else {
                let line = answer.prefix { $0 != "\r\n" && $0 != "\n" }
                return [
                    .fault(
                        "\(text) answers, but not as Roost: \(line)",
                        "If the server runs, look at what the proxy passes on to which port.")
                ]
            }
            let greeting = try await SocketProbe.exchange(
                host, port, isTLS: isTLS, sending: Self.upgrade(name, isTLS: isTLS), until: "\r\n\r\n")
            let line = greeting.text.prefix { $0 != "\r\n" && $0 != "\n" }
            guard line.contains(" 101") else {
                return [
                    .fault(
                        "\(text) passes no WebSockets on: \(line)",
                        "Let the proxy pass on Upgrade and Connection: see docs/proxy.md.")
                ]
            }
            // As for a certificate of the server itself.
            if let valid = greeting.certificate, case let (end, now) = (valid.upperBound, Clock.now()),
                end - now < min(14 * 86_400_000, (end - valid.lowerBound) / 4)
            {
                return [
                    .warning(
                        "the certificate of \(text) expires in \(max(0, end - now) / 86_400_000) days",
                        "Look why the proxy, or certbot, does not renew it.")
                ]
            }
            return [.good("\(text) leads to a server, with WebSockets")]
        } catch {
            return [
                .fault(
                    "\(text) does not lead to a server: \(error)",
                    "Start the server, and look at DNS, the firewall, the proxy and its certificate.")
            ]
        }
    }

    /// The answer of `/healthz`, with its body.
    private static func health(
        _ address: String, _ port: Int, host: String, isTLS: Bool, checksName: Bool
    ) async throws -> String {
        let head = "GET /healthz HTTP/1.1\r\nHost: \(host)\r\nUser-Agent: roost-doctor\r\nConnection: close\r\n\r\n"
        return try await SocketProbe.exchange(
            address, port, isTLS: isTLS, checksName: checksName, sending: head, until: nil
        ).text
    }

    private static func upgrade(_ host: String, isTLS: Bool) -> String {
        let key = Data((0..<16).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
        return """
            GET /v1/connect HTTP/1.1\r\nHost: \(host)\r\nUser-Agent: roost-doctor\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
            Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \(key)\r\nOrigin: \(isTLS ? "https" : "http")://\(host)\r\n\r\n
            """
    }
}
