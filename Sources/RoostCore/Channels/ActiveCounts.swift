import Logging
import RoostWire

/// How many members of each group are connected, and when that is to be told again.
///
/// A user who comes or goes only leaves a note; every few seconds the groups of
/// all those users are counted together, so that a server start with thousands
/// of connections counts each group once and not once per connection. They may be
/// in very many groups, so these are counted in turns, between the batches.
struct ActiveCounts {
    /// The users whose groups are being counted, and how far that has come.
    struct Scan {
        /// The users who are left; of the last one the groups up to `group` are counted.
        var users: [UserID] = []
        var group = ""
        var counted: Set<ChannelID> = []
    }

    private var pending: Set<UserID> = []
    /// What is being counted now.
    private(set) var scan = Scan()
    private var told: [ChannelID: Int] = [:]
    private var lastAt: Int64
    private let interval: Int64

    init(now: Int64, interval: Int64) {
        lastAt = now
        self.interval = interval
    }

    /// When the next announcement is due, ms since 1970.
    var nextDue: Int64? {
        guard scan.users.isEmpty else { return 0 }
        return pending.isEmpty ? nil : lastAt + interval
    }

    /// Notes that a user's first connection came or the last one went.
    mutating func note(_ user: UserID) { pending.insert(user) }

    /// Begins with the groups of those who were noted, if it is time and nothing is being counted.
    /// - Returns: whether there is something to count.
    mutating func begin(now: Int64) -> Bool {
        guard scan.users.isEmpty, let due = nextDue, due <= now || lastAt > now else { return !scan.users.isEmpty }
        lastAt = now
        scan = Scan(users: pending.sorted())
        pending = []
        return true
    }

    /// A turn is over.
    mutating func advance(to next: Scan) { scan = next }

    /// What is left could not be counted, and is counted with the next announcement.
    mutating func postpone() {
        pending.formUnion(scan.users)
        scan = Scan()
    }

    /// Whether a count is news.
    mutating func isNews(_ active: Int, in channel: ChannelID) -> Bool {
        guard told[channel, default: 0] != active else { return false }
        told[channel] = active == 0 ? nil : active
        return true
    }
}

extension Writer {
    /// Tells groups how many of their members are connected now, where that has changed: some groups in a turn.
    func announceActiveCounts() {
        guard activeCounts.begin(now: effects.now()) else { return }
        do {
            let (scan, members) = try database.write { connection in
                var scan = activeCounts.scan
                let groups = try nextGroups(&scan, connection)
                guard !groups.isEmpty else { return (scan, [(ChannelID, UserID)]()) }
                let members = try connection.rows(
                    """
                    WITH k (id) AS (\(keys: groups.map { [.text($0.rawValue)] }))
                    SELECT m.channel, m.user_id FROM k JOIN members m ON m.channel = k.id WHERE m.left_seq IS NULL
                    """
                ) { (try $0.id(0) as ChannelID, try $0.id(1) as UserID) }
                return (scan, members)
            }
            activeCounts.advance(to: scan)
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
            activeCounts.postpone()
            logger.warning("connected members could not be counted", metadata: ["error": "\(error)"])
        }
    }

    /// Takes the groups of the next turn: those of some users, as far as they are not too large and not counted yet.
    private func nextGroups(_ scan: inout ActiveCounts.Scan, _ connection: any SQLConnection) throws -> [ChannelID] {
        let most = configuration.limits.activeCountMembers
        var groups: [ChannelID] = []
        // What a turn looks at: memberships of the users, and members of their groups; a statement is as dear as some.
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
