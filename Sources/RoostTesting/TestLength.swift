import Foundation

/// The length of tests that could run indefinitely.
package enum TestLength {
    /// Whether `ROOST_LONG` is 1, as `dev/test --long` sets it.
    package static let isLong = ProcessInfo.processInfo.environment["ROOST_LONG"] == "1"

    /// The number of rounds: `short` for checks at each commit, `long` for long runs.
    package static func rounds(_ short: Int, long: Int) -> Int { isLong ? long : short }
}
