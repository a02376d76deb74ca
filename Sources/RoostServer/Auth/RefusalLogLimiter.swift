/// Limits log lines about refused logins: the first few per second are logged, the rest are only counted.
///
/// Without a limit, an attacker could fill the disk. The caller measures the time: a second lasts from its first
/// refusal until ``endSecond()``.
struct RefusalLogLimiter {
    /// The number of log lines per second.
    static let lines = 5

    private var refused = 0
    private var suppressed = 0

    /// Records a refusal.
    /// - Returns: whether to log the refusal, and whether it starts a second that the caller must end.
    mutating func record() -> (shouldLog: Bool, startsSecond: Bool) {
        guard refused < Self.lines else {
            suppressed &+= 1
            return (false, false)
        }
        refused += 1
        return (true, refused == 1)
    }

    /// Ends the current second.
    /// - Returns: the number of refusals in it that were not logged.
    mutating func endSecond() -> Int {
        defer { self = RefusalLogLimiter() }
        return suppressed
    }
}
