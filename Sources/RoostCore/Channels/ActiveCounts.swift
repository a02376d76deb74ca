import Logging
import RoostWire

/// Counts the connected members of each group, and schedules the announcements of changes.
///
/// A user who connects or disconnects is only noted. Every few seconds the groups of all noted users are counted
/// together, so that a server start with thousands of connections counts each group once and not once per connection.
/// As there may be very many groups, they are counted in steps, between the batches.
struct ActiveCounts {
    /// The users whose groups are being counted, and the progress.
    struct Scan {
        /// The remaining users; for the last one, the groups up to `group` have been counted.
        var users: [UserID] = []
        var group = ""
        var counted: Set<ChannelID> = []
    }

    private var pending: Set<UserID> = []
    /// The current scan.
    private(set) var scan = Scan()
    private var reported: [ChannelID: Int] = [:]
    private var lastAt: Int64
    private let interval: Int64

    init(now: Int64, interval: Int64) {
        lastAt = now
        self.interval = interval
    }

    /// When the next announcement is due, in ms since 1970.
    var nextDue: Int64? {
        guard scan.users.isEmpty else { return 0 }
        return pending.isEmpty ? nil : lastAt + interval
    }

    /// Notes that a user's first connection was opened or the last one was closed.
    mutating func note(_ user: UserID) { pending.insert(user) }

    /// Starts a scan of the groups of the noted users, if one is due and none is running.
    /// - Returns: whether there is something to count.
    mutating func begin(now: Int64) -> Bool {
        guard scan.users.isEmpty, let due = nextDue, due <= now || lastAt > now else { return !scan.users.isEmpty }
        lastAt = now
        scan = Scan(users: pending.sorted())
        pending = []
        return true
    }

    /// Continues with the state after a step.
    mutating func advance(to next: Scan) { scan = next }

    /// Makes the noted users due now.
    mutating func hurry() { lastAt = 0 }

    /// Postpones the remaining users to the next announcement after a failure.
    mutating func postpone() {
        pending.formUnion(scan.users)
        scan = Scan()
    }

    /// Whether a count has changed since it was last announced.
    mutating func isNews(_ active: Int, in channel: ChannelID) -> Bool {
        guard reported[channel, default: 0] != active else { return false }
        reported[channel] = active == 0 ? nil : active
        return true
    }
}

extension Writer {
    /// Announces the number of connected members to groups where it has changed, some groups per step.
    /// - Parameter isLast: whether all sessions of this server have ended.
    func announceActiveCounts(isLast: Bool = false) {
        guard announcements.activeCounts.begin(now: effects.now()) else { return }
        let isElsewhere = ConnectionRows.isElsewhere(than: journal.hasOthers ? caches.features.lease?.id : nil)
        do {
            let (scan, members) = try database.write { connection in
                var scan = announcements.activeCounts.scan
                let groups = try nextGroups(&scan, connection)
                guard !groups.isEmpty else { return (scan, [(ChannelID, UserID, Bool)]()) }
                let members = try connection.rows(
                    """
                    WITH k (id) AS (\(keys: groups.map { [.text($0.rawValue)] }))
                    SELECT m.channel, m.user_id, \(isElsewhere)
                    FROM k JOIN members m ON m.channel = k.id WHERE m.left_seq IS NULL
                    """
                ) { (try $0.id(0) as ChannelID, try $0.id(1) as UserID, try $0.int(2) == 1) }
                return (scan, members)
            }
            announcements.activeCounts.advance(to: scan)
            var counts: [ChannelID: (active: Int, all: Int)] = [:]
            for (channel, user, isElsewhere) in members {
                counts[channel, default: (0, 0)].all += 1
                if isElsewhere || !isLast && !caches.sessions.sessions(of: user).isEmpty {
                    counts[channel, default: (0, 0)].active += 1
                }
            }
            var batch = Batch(now: effects.now(), over: caches)
            for (channel, count) in counts {
                // What another server has announced since is not known here.
                guard announcements.activeCounts.isNews(count.active, in: channel) || journal.hasOthers else {
                    continue
                }
                try batch.notify(
                    .channel(channel), channel: channel,
                    body: .channelActiveCountChanged(
                        ActiveCountChanged(active: count.active, memberCount: count.all)))
            }
            if !batch.deliveries.isEmpty { journal.publish(batch.deliveries, doorbell(of: batch)) }
        } catch {
            announcements.activeCounts.postpone()
            logger.warning("connected members could not be counted", metadata: ["error": "\(error)"])
        }
    }

    /// Announces to the clients of other servers that all sessions of this one have ended, in so far as there is time.
    func announceLastActiveCounts() {
        for live in caches.sessions.all.values { announcements.activeCounts.note(live.user.userID) }
        let end = effects.uptime() + 2_000_000
        // The first time, it may only go on with what it has begun.
        for _ in 0..<2 {
            announcements.activeCounts.hurry()
            repeat {
                announceActiveCounts(isLast: true)
            } while !announcements.activeCounts.scan.users.isEmpty && effects.uptime() < end
        }
    }

    /// Returns the groups of the next step: groups of the remaining users that are not too large and not counted yet.
    private func nextGroups(_ scan: inout ActiveCounts.Scan, _ connection: any SQLConnection) throws -> [ChannelID] {
        let most = configuration.limits.activeCountMembers
        var groups: [ChannelID] = []
        // The budget of a step in memberships and members read; each statement has a fixed cost too.
        var room = 2_000
        let looks = 500
        while room > 0, let user = scan.users.last {
            let found = try connection.rows(
                """
                SELECT m.channel, c.kind, c.member_count FROM (
                    SELECT channel FROM members
                    WHERE user_id = \(user) AND left_seq IS NULL AND channel > \(scan.group)
                    ORDER BY channel LIMIT \(looks)) m
                JOIN channels c ON c.id = m.channel ORDER BY m.channel
                """
            ) { (id: try $0.id(0) as ChannelID, kind: try $0.kind(1), members: Int(clamping: try $0.int(2))) }
            room -= found.count + 60
            for (place, channel) in found.enumerated() {
                guard room > 0 || place == 0 else { return groups }
                scan.group = channel.id.rawValue
                if channel.kind == .group, channel.members <= most, scan.counted.insert(channel.id).inserted {
                    groups.append(channel.id)
                    room -= channel.members
                }
            }
            guard found.count < looks else { continue }
            scan.users.removeLast()
            scan.group = ""
        }
        return groups
    }
}
