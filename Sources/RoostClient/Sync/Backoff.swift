/// When to connect again: with full jitter, so that the clients of a restarted server do not all connect at once.
struct Backoff {
    /// At most one attempt per half a second.
    static let spacing: Int64 = 500
    /// At most one attempt per two seconds while the user acts without a connection.
    static let urgentSpacing: Int64 = 2_000
    static let maxDelay: Int64 = 30_000
    /// A connection that lasted this long counts as good.
    static let goodAfter: Int64 = 30_000

    private(set) var failures = 0
    private var random: RandomSource

    init(random: RandomSource) { self.random = random }

    /// How long to wait after a connection was lost or could not be made.
    ///
    /// The first retry after a good connection comes within two seconds.
    mutating func delay(wasLiveFor live: Int64?) -> Int64 { jitter(longestDelay(wasLiveFor: live)) }

    /// The longest wait after such an end of a connection, which counts.
    mutating func longestDelay(wasLiveFor live: Int64?) -> Int64 {
        if let live, live >= Self.goodAfter { failures = 0 }
        let ceiling: Int64
        if failures == 0, live != nil {
            ceiling = 2_000
        } else {
            ceiling = min(Self.maxDelay, Int64(500) << Int64(min(failures, 7)))
        }
        failures += 1
        return ceiling
    }

    /// A random wait of at most this many ms.
    mutating func jitter(_ ceiling: Int64) -> Int64 { Int64(random.next() % UInt64(max(0, ceiling) + 1)) }
}

/// Random numbers from a seed (SplitMix64), good enough for jitter and for unique transIDs.
struct RandomSource: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
