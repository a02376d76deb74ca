import RoostWire
import Synchronization

/// Counts links with a wrong signature by address, so that nobody can try them without end.
///
/// Only wrong links are refused for it: others at the same address go on with theirs.
final class WrongLinks: Sendable {
    private struct Window {
        /// When it began, in ms since 1970.
        var start: Int64
        var count = 0
    }

    /// How long a wrong link counts, in ms.
    static let length: Int64 = 60_000
    /// The number of wrong links of an address in this time.
    static let most = 100
    private static let maxWindows = 10_000

    private let windows = Mutex<[String: Window]>([:])

    /// Counts a wrong link.
    /// - Parameter now: in ms since 1970.
    /// - Returns: the error to answer with.
    func refusal(_ error: WireError, from address: String?, now: Int64) -> WireError {
        guard let address else { return error }
        let network = LoginAttempts.network(of: address)
        let wait = windows.withLock { windows -> Int64? in
            if windows.count >= Self.maxWindows, windows[network] == nil {
                windows = windows.filter { now - $0.value.start < Self.length }
                if windows.count >= Self.maxWindows { return Self.length }
            }
            var window = windows[network] ?? Window(start: now)
            if now - window.start >= Self.length || now < window.start { window = Window(start: now) }
            window.count += 1
            windows[network] = window
            return window.count > Self.most ? window.start + Self.length - now : nil
        }
        guard let wait else { return error }
        return WireError(
            .tooManyRequests, "Too many links that are not valid. Get a new one with file.get.",
            retryAfterMs: Int(clamping: wait))
    }
}
