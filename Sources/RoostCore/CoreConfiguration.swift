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

    package init(
        limits: Limits = Limits(), isDevelopment: Bool = false, heartbeat: Int = 25_000, batchSize: Int = 1_000,
        readMarkInterval: Int64 = 250, activeCountInterval: Int64 = 5_000, cachedMembers: Int = 200_000
    ) {
        self.limits = limits
        self.isDevelopment = isDevelopment
        self.heartbeat = heartbeat
        self.batchSize = batchSize
        self.readMarkInterval = readMarkInterval
        self.activeCountInterval = activeCountInterval
        self.cachedMembers = cachedMembers
    }
}

/// What the core takes from outside: the time and randomness.
package struct Effects: Sendable {
    /// The wall clock, ms since 1970.
    package var now: @Sendable () -> Int64
    /// 64 random bits.
    package var random: @Sendable () -> UInt64

    package init(now: @escaping @Sendable () -> Int64, random: @escaping @Sendable () -> UInt64) {
        self.now = now
        self.random = random
    }
}
