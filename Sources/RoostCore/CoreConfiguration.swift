package import RoostWire

/// What an operator can set about the core; the defaults are safe.
package struct CoreConfiguration: Sendable {
    /// The limits that clients are told.
    package var limits: Limits
    /// Whether anybody may make open channels and guests may log in.
    package var isDevelopment: Bool
    /// How often a session gets a ping and its positions, in ms.
    package var heartbeat: Int
    /// The most commands of one commit.
    package var batchSize: Int
    /// The least time between two announcements of read marks in one channel, in ms.
    package var readMarkInterval: Int64
    /// The least time between two announcements of how many members are connected, in ms.
    package var activeCountInterval: Int64
    /// How many members and channels the writer keeps in memory.
    package var cachedMembers: Int
    /// Of which kinds of channels old rows are taken away, and which those are; of the others everything is kept.
    package var retention: [ChannelKind: RetentionPolicy]
    /// How long from the end of one look for old rows to the next one, in ms.
    package var retentionInterval: Int64

    package init(
        limits: Limits = Limits(), isDevelopment: Bool = false, heartbeat: Int = 25_000, batchSize: Int = 1_000,
        readMarkInterval: Int64 = 250, activeCountInterval: Int64 = 5_000, cachedMembers: Int = 200_000,
        retention: [ChannelKind: RetentionPolicy] = [:], retentionInterval: Int64 = 3_600_000
    ) {
        self.limits = limits
        self.isDevelopment = isDevelopment
        self.heartbeat = heartbeat
        self.batchSize = batchSize
        self.readMarkInterval = readMarkInterval
        self.activeCountInterval = activeCountInterval
        self.cachedMembers = cachedMembers
        self.retention = retention
        self.retentionInterval = retentionInterval
    }
}

/// What the core takes from outside: the time and randomness.
package struct Effects: Sendable {
    /// The wall clock, ms since 1970.
    package var now: @Sendable () -> Int64
    /// 64 random bits.
    package var random: @Sendable () -> UInt64
    /// A clock that nobody sets, in µs: how long something takes.
    package var uptime: @Sendable () -> Int64

    package init(
        now: @escaping @Sendable () -> Int64, random: @escaping @Sendable () -> UInt64,
        uptime: @escaping @Sendable () -> Int64 = Effects.uptime
    ) {
        self.now = now
        self.random = random
        self.uptime = uptime
    }

    private static let start = ContinuousClock.now

    /// The time since this process asked first, in µs.
    @Sendable package static func uptime() -> Int64 {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
