import Logging
import RoostWire

/// How many members of each group are connected, and when that is to be told again.
///
/// A user who comes or goes only leaves a note; every few seconds the groups of
/// all those users are counted together, so that a server start with thousands
/// of connections costs a few statements and not one per connection.
struct ActiveCounts {
    private var pending: Set<UserID> = []
    private var told: [ChannelID: Int] = [:]
    private var lastAt: Int64
    private let interval: Int64

    init(now: Int64, interval: Int64) {
        lastAt = now
        self.interval = interval
    }

    /// When the next announcement is due, ms since 1970.
    var nextDue: Int64? { pending.isEmpty ? nil : lastAt + interval }

    /// Notes that a user's first connection came or the last one went.
    mutating func note(_ user: UserID) { pending.insert(user) }

    /// Takes the users whose groups are to be counted, if it is time.
    mutating func takeDue(now: Int64) -> Set<UserID>? {
        guard let due = nextDue, due <= now || lastAt > now else { return nil }
        lastAt = now
        defer { pending = [] }
        return pending
    }

    /// Whether a count is news.
    mutating func isNews(_ active: Int, in channel: ChannelID) -> Bool {
        guard told[channel, default: 0] != active else { return false }
        told[channel] = active == 0 ? nil : active
        return true
    }
}

extension Writer {
    /// Tells groups how many of their members are connected now, where that has changed.
    func announceActiveCounts() {
        guard let users = activeCounts.takeDue(now: effects.now()) else { return }
        do {
            let members = try database.write { connection in
                try connection.rows(
                    """
                    WITH k (id) AS (\(keys: users.map { [.text($0.rawValue)] })),
                        g (id) AS (SELECT DISTINCT m.channel FROM k JOIN members m ON m.user_id = k.id
                            JOIN channels c ON c.id = m.channel
                            WHERE m.left_seq IS NULL AND c.kind = 'group'
                            AND c.member_count <= \(configuration.limits.activeCountMembers))
                    SELECT m.channel, m.user_id FROM g JOIN members m ON m.channel = g.id WHERE m.left_seq IS NULL
                    """
                ) { (try $0.id(0) as ChannelID, try $0.id(1) as UserID) }
            }
            var counts: [ChannelID: (active: Int, all: Int)] = [:]
            for (channel, user) in members {
                counts[channel, default: (0, 0)].all += 1
                if !caches.sessions.sessions(of: user).isEmpty { counts[channel, default: (0, 0)].active += 1 }
            }
            var batch = Batch(now: effects.now(), over: caches)
            for (channel, count) in counts where activeCounts.isNews(count.active, in: channel) {
                try batch.notify(
                    .channel(channel), channel: channel,
                    body: .channelActiveCountChanged(
                        ActiveCountChanged(active: count.active, memberCount: count.all)))
            }
            if !batch.deliveries.isEmpty { publish(batch.deliveries) }
        } catch {
            for user in users { activeCounts.note(user) }
            logger.warning("connected members could not be counted", metadata: ["error": "\(error)"])
        }
    }
}
