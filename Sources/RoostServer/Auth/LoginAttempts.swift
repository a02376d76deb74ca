import RoostCore
import RoostWire
import Synchronization

/// Limits how often passwords can be tried: per login name and per address, within 15 minutes.
///
/// An attempt counts when it begins, so that many at the same time gain nothing; a right password takes back those of its
/// login name.
final class LoginAttempts: Sendable {
    private enum Key: Hashable {
        case login(String)
        case address(String)
    }

    private struct Window {
        /// When it began, in ms since 1970.
        var start: Int64
        var count = 0
    }

    /// How long attempts count, in ms.
    static let length: Int64 = 900_000
    /// The number of attempts for a login name, and from an address.
    static let mostPerLogin = 10
    static let mostPerAddress = 50
    /// The number of passwords from an address that are checked at the same time.
    static let mostAtOnce = 2
    private static let mostWindows = 100_000
    /// Nobody has a longer login name or user id.
    static let mostBytes = AccountRules.loginNameBytes

    private let windows = Mutex<[Key: Window]>([:])
    /// How many passwords are being checked, by address.
    private let checks = Mutex<[String: Int]>([:])

    /// Checks a password, as an attempt.
    ///
    /// A password that could not be checked does not count.
    /// - Throws: `WireError` 1004 if there were too many attempts, or if the address has enough passwords checked already.
    func check(
        _ login: String, from address: String?, now: Int64, isRight: () async throws(WireError) -> Bool
    ) async throws(WireError) -> Bool {
        let network = address.map(Self.network)
        try enter(network)
        defer { leave(network) }
        try begin(login, from: address, now: now)
        do throws(WireError) {
            let isRight = try await isRight()
            if isRight { succeeded(login, from: address) }
            return isRight
        } catch {
            windows.withLock { windows in
                windows[.login(LoginName.key(of: login))]?.count -= 1
                if let network { windows[.address(network)]?.count -= 1 }
            }
            throw error
        }
    }

    private func enter(_ network: String?) throws(WireError) {
        guard let network else { return }
        let isFull = checks.withLock { checks in
            guard checks[network, default: 0] < Self.mostAtOnce else { return true }
            checks[network, default: 0] += 1
            return false
        }
        guard isFull else { return }
        throw WireError(
            .tooManyRequests, "Too many logins at the same time from this address. Try again.", retryAfterMs: 1_000)
    }

    private func leave(_ network: String?) {
        guard let network else { return }
        checks.withLock { checks in
            let left = (checks[network] ?? 1) - 1
            checks[network] = left > 0 ? left : nil
        }
    }

    /// Counts an attempt.
    /// - Throws: `WireError` 1004 if there were too many.
    private func begin(_ login: String, from address: String?, now: Int64) throws(WireError) {
        let limits =
            [(Key.login(LoginName.key(of: login)), Self.mostPerLogin)]
            + (address.map { [(Key.address(Self.network(of: $0)), Self.mostPerAddress)] } ?? [])
        let wait = windows.withLock { windows -> Int64? in
            if windows.count >= Self.mostWindows {
                windows = windows.filter { now - $0.value.start < Self.length }
                // Whoever fills the table would otherwise make room for more attempts.
                if windows.count >= Self.mostWindows { return Self.length }
            }
            var counted: [(Key, Window)] = []
            for (key, most) in limits {
                var window = windows[key] ?? Window(start: now)
                if now - window.start >= Self.length || now < window.start { window = Window(start: now) }
                if window.count >= most { return window.start + Self.length - now }
                window.count += 1
                counted.append((key, window))
            }
            for (key, window) in counted { windows[key] = window }
            return nil
        }
        guard let wait else { return }
        throw WireError(
            .tooManyRequests, "Too many wrong passwords. Try again in \((wait + 59_999) / 60_000) min.",
            retryAfterMs: Int(clamping: wait))
    }

    /// What an address counts as: of IPv6, where somebody has many, the first half.
    static func network(of address: String) -> String {
        if address.contains(".") { return String(address.split(separator: ":").last ?? "") }
        let halves = address.split(separator: "::", omittingEmptySubsequences: false).map { $0.split(separator: ":") }
        guard address.contains(":"), let head = halves.first else { return address }
        let tail = halves.count > 1 ? halves[1] : []
        let zeros = Array(repeating: Substring("0"), count: max(0, 8 - head.count - tail.count))
        return (head + zeros + tail).prefix(4).joined(separator: ":")
    }

    /// Forgets the attempts for a login name after a right password, and takes back the one of the address.
    private func succeeded(_ login: String, from address: String?) {
        windows.withLock { windows in
            windows[.login(LoginName.key(of: login))] = nil
            if let address { windows[.address(Self.network(of: address))]?.count -= 1 }
        }
    }
}
