/// Which refused logins get a line in the log: the first few of a second, and then only their number.
///
/// Whoever sends bad logins would fill the disk otherwise. Seconds are told by whoever keeps the book, so one
/// second lasts from the first refusal in it until ``endSecond()``.
struct RefusalLogLimiter {
    /// How many of a second get a line.
    static let lines = 5

    private var refused = 0
    private var suppressed = 0

    /// Takes down a refusal.
    /// - Returns: whether it gets a line, and whether a second begins with it that has to be ended.
    mutating func record() -> (shouldLog: Bool, startsSecond: Bool) {
        guard refused < Self.lines else {
            suppressed &+= 1
            return (false, false)
        }
        refused += 1
        return (true, refused == 1)
    }

    /// Ends the second.
    /// - Returns: how many of it got no line.
    mutating func endSecond() -> Int {
        defer { self = RefusalLogLimiter() }
        return suppressed
    }
}
