import Foundation
import Testing

/// Numbers that are the same in every run with the same `ROOST_SEED`.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    /// `ROOST_SEED`, and 0 where it is not set.
    static let base = ProcessInfo.processInfo.environment["ROOST_SEED"].flatMap { UInt64($0) } ?? 0

    /// The numbers of one test.
    init(_ number: UInt64) { state = Self.base &* 0xD1B5_4A32_D192_ED03 &+ number }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension Trait where Self == IssueHandlingTrait {
    /// Names `ROOST_SEED` in each failure, so that it can be brought about again.
    static var seeded: Self {
        .compactMapIssues { issue in
            var issue = issue
            issue.comments.append("ROOST_SEED=\(Seeded.base)")
            return issue
        }
    }
}
