import RoostWire
import Synchronization

/// How much of an allowance is used: the generic cell rate algorithm, in one number and without a clock of its own.
struct RateLimit {
    /// When the allowance is whole again, µs since 1970.
    private(set) var fullAt: Int64 = .min
    /// By how much more than the whole allowance was taken the last time, µs.
    private var debt: Int64 = 0

    /// Takes `count` from an allowance of `burst` that fills up by `perSecond`.
    ///
    /// One of them must be there; what is taken beyond the allowance fills up first.
    /// - Parameter now: ms since 1970.
    /// - Returns: nothing when one was there, else after how many ms it will be; then nothing was taken.
    mutating func consume(_ count: Int = 1, now: Int64, perSecond: Int, burst: Int) -> Int? {
        let interval = max(1, 1_000_000 / Int64(max(1, perSecond)))
        let (whole, isTooMuch) = interval.multipliedReportingOverflow(by: Int64(max(1, burst)))
        let span = isTooMuch ? .max / 4 : min(whole, .max / 4)
        let now = min(max(now, 0), .max / 4_000) * 1_000
        // A clock that was set back costs one span at the most, and what was taken beyond it.
        fullAt = min(fullAt, now + span + debt)
        let next = max(now, fullAt) + interval
        guard next <= now + span else { return Int((next - now - span + 999) / 1_000) }
        let (more, isMuchMore) = interval.multipliedReportingOverflow(by: Int64(max(1, count) - 1))
        fullAt = next + (isMuchMore ? .max / 4 : min(more, .max / 4))
        debt = max(0, fullAt - now - span)
        return nil
    }

    /// Whether nothing of the allowance is used, so that this need not be kept.
    func isFull(now: Int64) -> Bool { fullAt / 1_000 <= now }
}

/// What users and devices have used of their allowances. It remembers only those who used some of it lately.
final class RateLimits: Sendable {
    private enum Key: Hashable {
        case user(UserID)
        case channel(UserID, ChannelID)
        case device(UserID, DeviceID)
        /// All devices of a user together: who invents devices gains nothing by it.
        case devices(UserID)
    }

    private struct Table {
        var limits: [Key: RateLimit] = [:]
        /// At how many entries it is looked through for those that can go.
        var sweepAt = RateLimits.least
    }

    private static let least = 1_024
    private let most: Int
    private let table = Mutex(Table())

    /// Makes a store of at most that many entries.
    init(most: Int = 100_000) { self.most = most }

    /// How many entries are kept.
    var count: Int { table.withLock { $0.limits.count } }

    /// Counts a command against the allowances of who gives it.
    /// - Returns: why it is refused, or nothing.
    func check(_ command: AnyCommand, _ actor: Actor, now: Int64, limits: Limits) -> WireError? {
        let user = actor.user.userID
        let wait: Int?
        switch command.value.cost {
        case .sends(let messages, let channels): wait = consumeSends(messages, to: channels, user, now, limits)
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
        return wait.map { wait in
            WireError(.tooManyRequests, "Too many requests in a short time. Wait \(wait) ms.", retryAfterMs: wait)
        }
    }

    /// Takes the sends of some messages to each of some channels; of more than a command may name, those do not matter.
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

    /// Takes from each of some allowances or, where one of them refuses, from none; those of 0 per second have no end.
    /// - Returns: after how many ms all of them have one, when one refuses.
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
            // Who refuses has given nothing, but knows now that the clock was set back.
            for entry in limits where wait == nil || entry.wait != nil { table.limits[entry.key] = entry.limit }
            if wait == nil { sweep(&table, now) }
            return wait
        }
    }

    /// Forgets, now and then, what need not be kept.
    private func sweep(_ table: inout Table, _ now: Int64) {
        guard table.limits.count >= table.sweepAt else { return }
        table.limits = table.limits.filter { !$0.value.isFull(now: now) }
        if table.limits.count >= most {
            // Whoever used least is forgotten first: what is lost is the memory of a few commands.
            let middle = table.limits.values.map(\.fullAt).sorted()[table.limits.count / 2]
            table.limits = table.limits.filter { $0.value.fullAt > middle }
        }
        table.sweepAt = min(most, max(Self.least, 2 * table.limits.count))
    }
}
