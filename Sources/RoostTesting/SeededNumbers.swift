import Foundation

/// A seeded random number generator (SplitMix64).
package struct SeededNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// Creates a generator for a test: different for each name, and identical in every run with the same
    /// `ROOST_SEED`.
    package init(for name: String) {
        var seed = Self.seed
        for byte in name.utf8 { seed = (seed ^ UInt64(byte)) &* 0x100_0000_01B3 }
        self.init(seed: seed)
    }

    /// `ROOST_SEED`, or 1 if it is not set; printed on first use.
    package static let seed: UInt64 = {
        let seed = ProcessInfo.processInfo.environment["ROOST_SEED"].flatMap { UInt64($0) } ?? 1
        print("# ROOST_SEED=\(seed)")
        return seed
    }()

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
