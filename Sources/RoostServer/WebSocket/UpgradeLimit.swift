import NIOCore
import RoostWire
import Synchronization

/// Limits how many WebSockets the clients of a network may begin without logging in: as many at once as it may have sockets,
/// and then a tenth of them a second.
///
/// Those who connect and drop without an end would otherwise keep the server busy within the limit of sockets. A login takes
/// its upgrade back, so that many users behind one address come back together. An address of this machine has no limit. Of
/// IPv6, a network of 64 bits counts as an address.
final class UpgradeLimit: Sendable {
    /// The time that one upgrade takes from the budget, and the budget, in µs.
    private let cost: Int64
    private let budget: Int64
    private let maxNetworks: Int
    /// When the budget of a network will be whole again, in µs of the monotonic clock.
    private let wholeAt = Mutex<[String: Int64]>([:])

    /// - Parameter burst: how many upgrades may begin at once, at least 1.
    init(burst: Int, maxNetworks: Int = 50_000) {
        let burst = Int64(min(max(1, burst), 1_000_000))
        cost = 10_000_000 / burst
        budget = burst * cost
        self.maxNetworks = maxNetworks
    }

    /// How many networks are kept.
    var networks: Int { wholeAt.withLock { $0.count } }

    /// Counts an upgrade of a client.
    /// - Parameter now: a time of the monotonic clock, in ms.
    /// - Returns: the error with the time to wait; nil if it may go on.
    func count(_ address: String?, now: Int64) -> WireError? {
        guard let address, !Connections.isLocal(address) else { return nil }
        let network = LoginAttempts.network(of: address)
        let now = now * 1_000
        let wait = wholeAt.withLock { wholeAt -> Int64 in
            let whole = max(now, wholeAt[network] ?? now) + cost
            guard whole - now <= budget else { return whole - now - budget }
            if wholeAt.count >= maxNetworks { makeRoom(in: &wholeAt, now: now) }
            wholeAt[network] = whole
            return 0
        }
        guard wait > 0 else { return nil }
        let ms = (wait + 999) / 1_000
        return WireError(
            .tooManyRequests, "Too many connections begin at this address. Try again in \((ms + 999) / 1_000) s.",
            retryAfterMs: Int(ms))
    }

    /// The time of the monotonic clock, in ms.
    static var now: Int64 { Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000) }

    /// Takes an upgrade back, as its client has logged in.
    func takeBack(_ address: String?, now: Int64) {
        guard let address, !Connections.isLocal(address) else { return }
        let network = LoginAttempts.network(of: address)
        wholeAt.withLock { wholeAt in
            guard let whole = wholeAt[network] else { return }
            wholeAt[network] = whole - cost > now * 1_000 ? whole - cost : nil
        }
    }

    /// Forgets the networks whose budget is whole, and if there are too many still, the quarter with the most left: whoever
    /// fills the table shuts out nobody, and frees nobody who is held up.
    private func makeRoom(in wholeAt: inout [String: Int64], now: Int64) {
        wholeAt = wholeAt.filter { $0.value > now }
        guard wholeAt.count >= maxNetworks else { return }
        let order = wholeAt.sorted { $0.value < $1.value }
        for (network, _) in order.prefix(max(1, wholeAt.count / 4)) { wholeAt[network] = nil }
    }
}
