package import CoreMetrics
package import RoostWire
import Synchronization

/// The configuration of the core, with safe defaults.
package struct CoreConfiguration: Sendable {
    /// The limits announced to clients.
    package var limits: Limits
    /// Whether anyone may create open channels and guests may log in.
    package var isDevelopment: Bool
    /// The interval of pings and positions sent to a session, in ms.
    package var heartbeat: Int
    /// The maximum number of commands per commit.
    package var batchSize: Int
    /// The minimum time between two announcements of read marks in a channel, in ms.
    package var readMarkInterval: Int64
    /// The minimum time between two announcements of active counts, in ms.
    package var activeCountInterval: Int64
    /// The number of members and channels that the writer caches.
    package var cachedMembers: Int
    /// The retention policy for each kind of channel; without one, everything is kept.
    package var retention: [ChannelKind: RetentionPolicy]
    /// The time from the end of one retention scan to the next one, in ms.
    package var retentionInterval: Int64
    /// Creates the links to download files.
    package var fileLinks: FileLinks
    /// What answers about users name this installation.
    package var brand = "roost"
    /// Whether users may look up others by login name and phone number.
    package var allowsLookups = true
    /// The maximum number of registered accounts; nil for no limit.
    package var maxAccounts: Int?
    /// What deleted users are called.
    package var deletedUserName = "Deleted user"
    /// Whether the messages of a deleted user are deleted, too.
    package var deletesMessagesOfDeletedUsers = false
    /// This server as one of those that use the database; nil if it notes itself nowhere.
    package var node: LocalNode?
    /// Whether nothing but the erasure of deleted users falls due, for a database that no server uses.
    package var onlyErases = false
    /// The web origins from which web pages may load pictures of users and channels.
    package var imageOrigins: [String] = []
    /// The migrations of the database, which only tests replace.
    package var migrations = Migrations.all
    /// Keeps what the server counts and measures.
    package var metrics: any MetricsFactory = NOOPMetricsHandler.instance

    package init(
        limits: Limits = Limits(), isDevelopment: Bool = false, heartbeat: Int = 25_000, batchSize: Int = 1_000,
        readMarkInterval: Int64 = 250, activeCountInterval: Int64 = 5_000, cachedMembers: Int = 200_000,
        retention: [ChannelKind: RetentionPolicy] = [:], retentionInterval: Int64 = 3_600_000,
        fileLinks: FileLinks = FileLinks { id, _, _ in FileRules.path(of: id) }
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
        self.fileLinks = fileLinks
    }
}

/// The configuration of a running core, parts of which can be changed.
final class LiveConfiguration: Sendable {
    private let state: Mutex<(configuration: CoreConfiguration, limits: [UInt8])>

    init(_ configuration: CoreConfiguration) throws {
        state = Mutex((configuration, try WireCodec.encode(configuration.limits)))
    }

    var value: CoreConfiguration { state.withLock { $0.configuration } }

    /// The limits as JSON.
    var limits: [UInt8] { state.withLock { $0.limits } }

    func replace(limits: Limits, retention: [ChannelKind: RetentionPolicy]) throws {
        let json = try WireCodec.encode(limits)
        state.withLock { state in
            state.configuration.limits = limits
            state.configuration.retention = retention
            state.limits = json
        }
    }
}

extension Core {
    /// Replaces the limits and the retention policies. What runs ends with the old ones; clients get to know new limits when
    /// they connect again, and the next scan for old rows has the new policies, within an hour.
    ///
    /// Servers of one database have to agree on both, so one of several must not do this alone.
    /// - Throws: an error if the limits cannot be encoded.
    package func replace(limits: Limits, retention: [ChannelKind: RetentionPolicy]) throws {
        try live.replace(limits: limits, retention: retention)
    }
}

/// The external inputs of the core: time and randomness.
package struct Effects: Sendable {
    /// The wall clock, in ms since 1970.
    package var now: @Sendable () -> Int64
    /// 64 random bits.
    package var random: @Sendable () -> UInt64
    /// A monotonic clock in µs, for measuring durations.
    package var uptime: @Sendable () -> Int64

    package init(
        now: @escaping @Sendable () -> Int64, random: @escaping @Sendable () -> UInt64,
        uptime: @escaping @Sendable () -> Int64 = Effects.uptime
    ) {
        self.now = now
        self.random = random
        self.uptime = uptime
    }

    /// 64 random bits of the system: nobody can compute them from others that were seen. Ids are made of them.
    @Sendable package static func systemRandom() -> UInt64 {
        var system = SystemRandomNumberGenerator()
        return system.next()
    }

    private static let start = ContinuousClock.now

    /// The time since the first call in this process, in µs.
    @Sendable package static func uptime() -> Int64 {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
