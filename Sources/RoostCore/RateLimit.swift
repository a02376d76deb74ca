import RoostWire
import Synchronization

/// How much of an allowance is used: the generic cell rate algorithm, in one number and without a clock of its own.
struct RateLimit {
    /// When the allowance is whole again, µs since 1970.
    private(set) var fullAt: Int64 = .min

    /// Takes one from an allowance of `burst` that fills up by `perSecond`.
    ///
    /// - Parameter now: ms since 1970.
    /// - Returns: nothing when it was there, else after how many ms it will be; then nothing was taken.
    mutating func take(now: Int64, perSecond: Int, burst: Int) -> Int? {
        let interval = max(1, 1_000_000 / Int64(max(1, perSecond)))
        let (whole, isTooMuch) = interval.multipliedReportingOverflow(by: Int64(max(1, burst)))
        let span = isTooMuch ? .max / 4 : min(whole, .max / 4)
        let now = min(max(now, 0), .max / 4_000) * 1_000
        // A clock that was set back costs one span at the most.
        fullAt = min(fullAt, now + span)
        let next = max(now, fullAt) + interval
        guard next <= now + span else { return Int((next - now - span + 999) / 1_000) }
        fullAt = next
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
        switch command {
        case .hello: return nil
        case .sendMessage(let send):
            let (rate, channelRate) = (limits.sendsPerSecond, limits.channelSendsPerSecond)
            guard rate > 0 || channelRate > 0 else { return nil }
            wait = table.withLock { table in
                // From both or from none of them; what has refused has taken nothing.
                let all = Key.user(user)
                let here = Key.channel(user, send.channel)
                var ofAll = table.limits[all] ?? RateLimit()
                var ofHere = table.limits[here] ?? RateLimit()
                let wait = rate > 0 ? ofAll.take(now: now, perSecond: rate, burst: limits.sendBurst) : nil
                let waitHere =
                    channelRate > 0
                    ? ofHere.take(now: now, perSecond: channelRate, burst: limits.channelSendBurst) : nil
                if wait != nil || waitHere != nil {
                    // Who refuses has given nothing, but knows now that the clock was set back.
                    if wait != nil { table.limits[all] = ofAll }
                    if waitHere != nil { table.limits[here] = ofHere }
                    return max(wait ?? 0, waitHere ?? 0)
                }
                if rate > 0 { table.limits[all] = ofAll }
                if channelRate > 0 { table.limits[here] = ofHere }
                sweep(&table, now)
                return nil
            }
        default:
            guard limits.commandsPerSecond > 0 else { return nil }
            wait = table.withLock { table in
                let wait = table.limits[.device(user, actor.deviceID), default: RateLimit()]
                    .take(now: now, perSecond: limits.commandsPerSecond, burst: limits.commandBurst)
                sweep(&table, now)
                return wait
            }
        }
        return wait.map { wait in
            WireError(.tooManyRequests, "Too many requests in a short time. Wait \(wait) ms.", retryAfterMs: wait)
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
