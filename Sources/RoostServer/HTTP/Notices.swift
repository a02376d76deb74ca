import Logging
import Synchronization

/// Warnings about what a proxy or a page sends, each logged once, and only so many that nobody can fill the disk.
final class Notices: Sendable {
    private static let most = 100

    private let logger: Logger
    private let known = Mutex<Set<String>>([])

    init(logger: Logger) { self.logger = logger }

    /// Logs that a page may not connect, once per origin.
    func warn(of refusal: Origins.Refusal) {
        let origin = refusal.origin ?? "unknown"
        guard isNew("origin " + origin) else { return }
        logger.warning(
            "a page may not connect: start with --public-url or --allow-origin, or let the proxy pass on Host",
            metadata: ["origin": "\(origin)", "host": "\(refusal.hosts.joined(separator: " "))"])
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

    private func isNew(_ key: String) -> Bool {
        known.withLock { known in
            guard known.count < Self.most else { return false }
            return known.insert(key).inserted
        }
    }
}
