import Synchronization

/// A wall clock that stands until a test moves it.
public final class TestClock: Sendable {
    private let time: Mutex<Int64>

    /// Makes a clock that stands at `now`, ms since 1970; by default 2026-01-01 00:00 UTC.
    public init(now: Int64 = 1_767_225_600_000) { time = Mutex(now) }

    /// The time, ms since 1970.
    public var now: Int64 { time.withLock { $0 } }

    /// Moves the clock; backwards with a negative number of ms.
    public func advance(by ms: Int64) { time.withLock { $0 += ms } }
}
