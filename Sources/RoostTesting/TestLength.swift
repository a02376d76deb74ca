import Foundation

/// How long the tests run that could go on for ever.
package enum TestLength {
    /// Whether `ROOST_LONG` is 1, as `dev/test --long` sets it.
    package static let isLong = ProcessInfo.processInfo.environment["ROOST_LONG"] == "1"

    /// How many rounds: the first number for a check at each commit, the other one for the long version.
    package static func rounds(_ short: Int, long: Int) -> Int { isLong ? long : short }
}
