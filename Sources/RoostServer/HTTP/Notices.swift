import Logging
import RoostWire
import Synchronization

/// Warnings about what a proxy or a page sends, each logged once, and only so many that nobody can fill the disk.
final class Notices: Sendable {
    private static let most = 100

    private let logger: Logger
    private let known = Mutex<Set<String>>([])
    /// Reports a refusal to the audit log, with the address and the origin of the client.
    let audit: @Sendable (_ error: WireError, _ event: String, _ address: String?, _ origin: String?) -> Void

    init(
        logger: Logger,
        audit: @escaping @Sendable (WireError, String, String?, String?) -> Void = { _, _, _, _ in }
    ) {
        self.logger = logger
        self.audit = audit
    }

    /// Logs that a page may not connect, once per origin, and reports it each time.
    func warn(of refusal: Origins.Refusal, from address: String?) {
        audit(WireError(.noPrivilege), "origin", address, refusal.origin)
        let origin = refusal.origin ?? "unknown"
        guard isNew("origin " + origin) else { return }
        logger.warning(
            "a page may not connect: start with --public-url or --allow-origin, or let the proxy pass on Host",
            metadata: ["origin": "\(origin)", "host": "\(refusal.hosts.joined(separator: " "))"])
    }

    /// Logs that clients connect too often without logging in, once per network, and reports it each time.
    func warn(ofUpgrades error: WireError, from address: String?, _ origin: String?) {
        audit(error, "upgrade", address, origin)
        guard isNew("upgrades " + (address.map(LoginAttempts.network) ?? "")) else { return }
        logger.warning(
            "an address begins more connections than --sockets-per-address allows, and does not log in",
            metadata: ["address": "\(address ?? "")"])
    }

    /// Logs once that the address of a client cannot be read.
    func warnOfForwardedAddress() {
        guard isNew("address") else { return }
        logger.warning(
            """
            the proxy sends an X-Forwarded-For whose last element is no address, so that its clients share limits: \
            let it send an IP address, with or without a port
            """)
    }

    /// Logs once that a proxy names the addresses of its clients, and the server was not told that it may believe that.
    func warnOfProxy(_ address: String) {
        guard isNew("proxy") else { return }
        logger.warning(
            """
            a proxy seems to be before the server, so that its clients share the limits of one address: if all clients come \
            through it, start with --behind-proxy
            """, metadata: ["address": "\(address)"])
    }

    private func isNew(_ key: String) -> Bool {
        known.withLock { known in
            guard known.count < Self.most else { return false }
            return known.insert(key).inserted
        }
    }
}
