import Synchronization

/// A wall clock that only moves when a test advances it.
public final class TestClock: Sendable {
    private let time: Mutex<Int64>

    /// Creates a clock set to `now`, in ms since 1970; by default 2026-01-01 00:00 UTC.
    public init(now: Int64 = 1_767_225_600_000) { time = Mutex(now) }

    /// The current time, in ms since 1970.
    public var now: Int64 { time.withLock { $0 } }

    /// Advances the clock by a number of ms; a negative number moves it back.
    public func advance(by ms: Int64) { time.withLock { $0 += ms } }
}
