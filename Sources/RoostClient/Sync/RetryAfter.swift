import RoostWire

/// How long a server may have a client wait before the same thing is tried again.
///
/// Longer than a minute is a mistake or malice: the client then asks again after a minute, and the server
/// may refuse it again.
enum RetryAfter {
    /// The longest wait, in ms.
    static let longest = 60_000
    /// The shortest wait between two tries of the client's own, in ms.
    static let shortest = 100

    /// A wait that a server asked for, without what is negative or too long.
    static func capped(_ ms: Int) -> Int { min(max(ms, 0), longest) }

    /// How long the client waits before it tries again by itself, in ms.
    static func wait(_ asked: Int?, otherwise usual: Int) -> Int { max(shortest, capped(asked ?? usual)) }
}
