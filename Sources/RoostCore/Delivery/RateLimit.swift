import RoostWire
import Synchronization

/// A rate limit: the generic cell rate algorithm, stored as one number; the caller supplies the time.
struct RateLimit {
    /// When the allowance is full again, in µs since 1970.
    private(set) var fullAt: Int64 = .min
    /// By how much the last call exceeded the allowance, in µs.
    private var debt: Int64 = 0

    /// Consumes `count` from an allowance of `burst` that refills at `perSecond`.
    ///
    /// At least one must be available; any excess delays the refill.
    /// - Parameter now: the time in ms since 1970.
    /// - Returns: nil if one was available; otherwise nothing is consumed, and the result is the wait in ms.
    mutating func consume(_ count: Int = 1, now: Int64, perSecond: Int, burst: Int) -> Int? {
        let interval = max(1, 1_000_000 / Int64(max(1, perSecond)))
        let (whole, isTooMuch) = interval.multipliedReportingOverflow(by: Int64(max(1, burst)))
        let span = isTooMuch ? .max / 4 : min(whole, .max / 4)
        let now = min(max(now, 0), .max / 4_000) * 1_000
        // If the clock was set back, the wait is at most one span plus the excess.
        fullAt = min(fullAt, now + span + debt)
        let next = max(now, fullAt) + interval
        guard next <= now + span else { return Int((next - now - span + 999) / 1_000) }
        let (more, isMuchMore) = interval.multipliedReportingOverflow(by: Int64(max(1, count) - 1))
        fullAt = next + (isMuchMore ? .max / 4 : min(more, .max / 4))
        debt = max(0, fullAt - now - span)
        return nil
    }

    /// Whether the allowance is full, so that this entry need not be kept.
    func isFull(now: Int64) -> Bool { fullAt / 1_000 <= now }
}

/// The rate limits of users and devices. Only recently used entries are kept.
final class RateLimits: Sendable {
    private enum Key: Hashable {
        case user(UserID)
        case channel(UserID, ChannelID)
        case device(UserID, DeviceID)
        /// All devices of a user together, so that inventing devices gains nothing.
        case devices(UserID)
        case lookups(UserID)
    }

    private struct Table {
        var limits: [Key: RateLimit] = [:]
        /// The number of entries at which the table is swept.
        var sweepAt = RateLimits.least
    }

    private static let least = 1_024
    /// The users that a user may look up: 500 at once, and 3,600 per hour.
    static let lookups = (perSecond: 1, burst: 500)
    private let most: Int
    private let table = Mutex(Table())

    /// Creates a table with at most this many entries.
    init(most: Int = 100_000) { self.most = most }

    /// The number of entries.
    var count: Int { table.withLock { $0.limits.count } }

    /// Applies the rate limits of the sender to a command.
    /// - Returns: the error if the command is refused, otherwise nil.
    func check(_ command: AnyCommand, _ actor: Actor, now: Int64, limits: Limits) -> WireError? {
        let user = actor.user.userID
        let wait: Int?
        switch command.value.cost {
        case .sends(let messages, let channels): wait = consumeSends(messages, to: channels, user, now, limits)
        case .lookups(let count):
            let allowance = Allowance(
                key: .lookups(user), count: count, perSecond: Self.lookups.perSecond, burst: Self.lookups.burst)
            wait = actor.managesAccounts ? nil : consume([allowance], now)
        case .commands(let count):
            let rate = limits.commandsPerSecond
            guard rate > 0, count > 0 else { return nil }
            let devices = max(1, limits.connectionsPerUser)
            wait = consume(
                [
                    Allowance(
                        key: .device(user, actor.deviceID), count: count, perSecond: rate, burst: limits.commandBurst),
                    Allowance(
                        key: .devices(user), count: count, perSecond: Self.product(rate, devices),
                        burst: Self.product(limits.commandBurst, devices)),
                ], now)
        }
        return wait.map(Self.refusal)
    }

    static func refusal(_ wait: Int) -> WireError {
        WireError(.tooManyRequests, "Too many requests in a short time. Wait \(wait) ms.", retryAfterMs: wait)
    }

    /// Consumes the sends of some messages to each of some channels; counts beyond the limits of a command are
    /// capped.
    private func consumeSends(
        _ messages: Int, to channels: [ChannelID], _ user: UserID, _ now: Int64, _ limits: Limits
    ) -> Int? {
        let (rate, channelRate) = (limits.sendsPerSecond, limits.channelSendsPerSecond)
        guard rate > 0 || channelRate > 0 else { return nil }
        let messages = min(max(1, messages), max(1, limits.messagesPerCommand, limits.idsPerCommand))
        let channels = Set(channels.prefix(max(1, limits.channelsPerCommand)))
        let total = Self.product(messages, max(1, channels.count))
        return consume(
            [Allowance(key: .user(user), count: total, perSecond: rate, burst: limits.sendBurst)]
                + channels.map {
                    Allowance(
                        key: .channel(user, $0), count: messages, perSecond: channelRate,
                        burst: limits.channelSendBurst)
                }, now)
    }

    private struct Allowance {
        var key: Key
        var count = 1
        var perSecond: Int
        var burst: Int
    }

    private static func product(_ limit: Int, _ count: Int) -> Int {
        let (product, isTooMuch) = limit.multipliedReportingOverflow(by: count)
        return isTooMuch ? .max : product
    }

    /// Consumes from all allowances, or from none if one of them refuses; a rate of 0 per second means no limit.
    /// - Returns: the wait in ms if an allowance refuses, otherwise nil.
    private func consume(_ allowances: [Allowance], _ now: Int64) -> Int? {
        table.withLock { table in
            var limits: [(key: Key, limit: RateLimit, wait: Int?)] = []
            for allowance in allowances where allowance.perSecond > 0 {
                var limit = table.limits[allowance.key] ?? RateLimit()
                let wait = limit.consume(
                    allowance.count, now: now, perSecond: allowance.perSecond, burst: allowance.burst)
                limits.append((allowance.key, limit, wait))
            }
            let wait = limits.compactMap(\.wait).max()
            // A limit that refuses has not changed, except that it may have noticed a clock that was set back.
            for entry in limits where wait == nil || entry.wait != nil { table.limits[entry.key] = entry.limit }
            if wait == nil { sweep(&table, now) }
            return wait
        }
    }

    /// Removes entries that need not be kept, from time to time.
    private func sweep(_ table: inout Table, _ now: Int64) {
        guard table.limits.count >= table.sweepAt else { return }
        table.limits = table.limits.filter { !$0.value.isFull(now: now) }
        if table.limits.count >= most {
            // The least used entries are dropped first; this forgets a few commands at most.
            let middle = table.limits.values.map(\.fullAt).sorted()[table.limits.count / 2]
            table.limits = table.limits.filter { $0.value.fullAt > middle }
        }
        table.sweepAt = min(most, max(Self.least, 2 * table.limits.count))
    }
}
