import RoostWire

/// The limits for a server's `retryAfterMs`.
///
/// Longer than a minute is an error or an attack: the client then tries again after a minute, and the server
/// may refuse it again.
enum RetryAfter {
    /// The longest wait, in ms.
    static let longest = 60_000
    /// The shortest wait between two attempts by the client itself, in ms.
    static let shortest = 100

    /// A wait that a server asked for, limited to 0 to the longest wait.
    static func capped(_ ms: Int) -> Int { min(max(ms, 0), longest) }

    /// How long the client waits before it tries again by itself, in ms.
    static func wait(_ asked: Int?, otherwise usual: Int) -> Int { max(shortest, capped(asked ?? usual)) }
}
