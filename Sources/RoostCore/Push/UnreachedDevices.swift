import RoostWire

// A connection whose network has died takes what is sent to it for up to half a minute. Nothing is stored for a device
// while it is connected; instead, what it may have missed is looked up when its session ends without a sign of life.
// Several servers make more of these ends: what others write arrives later, and a server may die with its sessions.

/// A session that ends, and since when its device may have missed something, in ms since 1970.
struct UnreachedSession {
    var id: SessionID
    var live: LiveSession
    var since: Int64
}

/// Sessions that end in a batch, of which it is to be found out whether their devices have missed something.
struct EndedSessions {
    var sessions: [UnreachedSession] = []
    /// How many of those that ended while nothing could be written are among them.
    var notedCount = 0
}

extension Batch {
    /// What others have begun to write so many ms before a goodbye may not have arrived when it came.
    private static let deliveryTime: Int64 = 5_000

    /// A session that ends; nil if its device has got everything.
    /// - Parameter since: the last sign of life of its device; nil if it said goodbye.
    func unreached(_ session: SessionID, since: Int64?, _ journal: Journal) -> UnreachedSession? {
        guard let live = sessions[session], since != nil || live.lacksSince != nil || journal.hasOthers else {
            return nil
        }
        let silentSince = since ?? (journal.hasOthers ? now - Self.deliveryTime - journal.delay : now)
        return UnreachedSession(
            id: session, live: live,
            since: max(min(silentSince, live.lacksSince ?? .max), live.begunAt - LiveSession.beginning))
    }
}

extension Transaction {
    /// Notes that a session ends.
    /// - Parameter since: the last sign of life of its device; nil if it said goodbye.
    mutating func noteUnreached(_ session: SessionID, since: Int64?) {
        guard hasDevices, let ended = batch.unreached(session, since: since, journal) else { return }
        batch.features.ended.sessions.append(ended)
    }

    /// Notes that devices have not answered since a time each. What came later than now is for the usual way.
    mutating func noteUnreached(_ devices: [(key: DeviceKey, since: Int64)]) throws {
        guard hasDevices, !devices.isEmpty else { return }
        let until = try lastForUnreached()
        batch.features.pushes.items += devices.map { device in
            .unreached(device.key.user, device.key.device, since: device.since, until: until)
        }
    }

    /// Up to when what was sent was left out for devices that were connected until now. If there are several servers, some
    /// of it may be found both ways, which is noticed afterwards.
    private func lastForUnreached() throws -> Int64 {
        if journal.hasOthers { return batch.now + Self.clockDifference }
        let oldest = try connection.rows("SELECT id FROM push_outbox ORDER BY id LIMIT 1") { try $0.text(0) }
        return min(batch.now - 1, oldest.first.flatMap { Int64($0.prefix(12), radix: 16) } ?? .max)
    }

    private static let clockDifference: Int64 = 5_000

    /// Adds the sessions that have ended to what makes notifications, but those whose devices have begun another one since.
    mutating func addUnreached() throws {
        let ended = batch.features.ended.sessions
        batch.features.ended.sessions = []
        let first = try withoutNewerSession(ended)
        try noteUnreached(first.map { (DeviceKey(user: $0.live.user.userID, device: $0.live.deviceID), $0.since) })
    }
}

/// What a device may have missed: a row of a channel's log, or an event of the user's own.
private struct Missed: Hashable {
    var channel: ChannelID?
    var seq: Int64?
    var sentAt: Int64
    var frame: [UInt8]?
}

/// What is known of the devices of one turn.
private struct UnreachedTurn {
    /// The items in their order; a device may be there twice.
    var items: [(key: DeviceKey, since: Int64, until: Int64)] = []
    var devices: [DeviceKey: (gateway: String, since: Int64, until: Int64)] = [:]
    /// The channels of each user in which something was sent, and up to where the user has no interest in it.
    var channels: [UserID: [(id: ChannelID, after: Int64)]] = [:]
    var rows: [ChannelID: [(missed: Missed, sender: UserID?)]] = [:]
    var own: [UserID: [Missed]] = [:]
    var waiting: [DeviceKey: Set<Missed>] = [:]
    var shown: [DeviceKey: Set<Missed>] = [:]

    /// Drops all items after so many.
    mutating func keep(_ count: Int) {
        items.removeLast(items.count - count)
        let kept = Set(items.map(\.key))
        devices = devices.filter { kept.contains($0.key) }
    }

    /// The least time from which on something is asked for each user.
    var sinceOfUsers: [UserID: Int64] {
        Dictionary(devices.map { ($0.key.user, $0.value.since) }) { min($0, $1) }
    }
}

extension Transaction {
    /// The most notifications of the channels of a user together, and of the user's own log.
    private static let maxMissed = 200
    private static let maxOwn: Int64 = 50
    /// The most devices, channels and notifications of a turn, if there is more than one device.
    private static let devicesPerTurn = 50
    private static let channelsPerTurn = 50
    private static let targetsPerTurn = 500

    /// The notifications of what was sent to devices that did not answer any more.
    func unreachedTargets(_ items: [PushItem]) throws -> (targets: [PushTarget], done: Int, left: PushItem?) {
        var turn = UnreachedTurn()
        for case .unreached(let user, let device, let since, let until) in items.prefix(while: {
            if case .unreached = $0 { true } else { false }
        }).prefix(Self.devicesPerTurn) {
            turn.items.append((DeviceKey(user: user, device: device), since, until))
        }
        try findDevices(&turn)
        if !turn.devices.isEmpty {
            try findChannels(&turn)
            try findRows(&turn)
            try findOwnRows(&turn)
            try findKnown(&turn)
        }
        var targets: [PushTarget] = []
        var done = 0
        var seen: Set<DeviceKey> = []
        for item in turn.items {
            let found = seen.insert(item.key).inserted ? missed(item.key, turn) : []
            if targets.count + found.count > Self.targetsPerTurn, done > 0 { break }
            targets += found
            done += 1
        }
        return (targets, done, nil)
    }

    private func missed(_ key: DeviceKey, _ turn: UnreachedTurn) -> [PushTarget] {
        guard let device = turn.devices[key] else { return [] }
        var rows: [Missed] = []
        for channel in turn.channels[key.user] ?? [] where rows.count < Self.maxMissed {
            let found = (turn.rows[channel.id] ?? []).filter { row in
                row.sender != key.user && row.missed.seq.map { $0 > channel.after } ?? false
                    && device.since...device.until ~= row.missed.sentAt
            }
            rows += found.prefix(Self.maxMissed - rows.count).map(\.missed)
        }
        rows += (turn.own[key.user] ?? []).filter { device.since...device.until ~= $0.sentAt }
        let (waiting, shown) = (turn.waiting[key] ?? [], turn.shown[key] ?? [])
        // What was sent just before the end may be on its way already, or be there.
        return rows.filter { !waiting.contains($0) && !shown.contains($0.shown) }.sorted { $0.sentAt < $1.sentAt }.map {
            PushTarget(
                user: key.user, device: key.device, gateway: device.gateway, channel: $0.channel, seq: $0.seq,
                sentAt: $0.sentAt, frame: $0.frame)
        }
    }

    private func findDevices(_ turn: inout UnreachedTurn) throws {
        let times = Dictionary(turn.items.map { ($0.key, ($0.since, $0.until)) }) { (min($0.0, $1.0), max($0.1, $1.1)) }
        // Those that have connected meanwhile are left out again in the end.
        let keys = try Set(times.keys).subtracting(connected(Set(times.keys)))
        guard !keys.isEmpty else { return }
        _ = try connection.rows(
            """
            WITH k (user_id, device_id) AS (\(keys: keys.map(\.values)))
            SELECT d.user_id, d.device_id, d.gateway, d.address_at FROM k
            JOIN devices d ON d.user_id = k.user_id AND d.device_id = k.device_id WHERE d.gateway IS NOT NULL
            """
        ) { row in
            let key = DeviceKey(user: try row.id(0), device: try row.id(1))
            guard let (since, until) = times[key] else { return }
            let addressAt = try row.int(3)
            if max(since, addressAt) <= until { turn.devices[key] = (try row.text(2), max(since, addressAt), until) }
        }
    }

    /// Finds the channels in which something was sent, the latest first, but those that are muted. There may be too many
    /// for all devices.
    private func findChannels(_ turn: inout UnreachedTurn) throws {
        let keys = turn.sinceOfUsers.map { [SQLValue.text($0.rawValue), .int($1)] }
        _ = try connection.rows(
            """
            WITH k (user_id, since) AS (\(keys: keys))
            SELECT f.user_id, f.id, f.floor_seq, f.mark FROM (
                SELECT m.user_id, c.id, m.floor_seq, COALESCE(r.seq, 0) AS mark,
                    ROW_NUMBER() OVER (PARTITION BY m.user_id ORDER BY c.last_sent_at DESC, c.id) AS place
                FROM k JOIN members m ON m.user_id = k.user_id
                JOIN channels c ON c.id = m.channel AND c.dismissed_at IS NULL AND c.last_sent_at >= k.since
                LEFT JOIN read_marks r ON r.channel = m.channel AND r.user_id = m.user_id
                WHERE m.left_seq IS NULL AND m.flags % 2 = 0) f
            WHERE f.place <= \(Self.maxMissed) ORDER BY f.user_id, f.place
            """
        ) { row in
            let after = max(try row.int(2), try row.int(3))
            turn.channels[try row.id(0), default: []].append((try row.id(1), after))
        }
        var sum: Set<ChannelID> = []
        for (place, item) in turn.items.enumerated() where turn.devices[item.key] != nil {
            sum.formUnion((turn.channels[item.key.user] ?? []).map(\.id))
            if sum.count > Self.channelsPerTurn, place > 0 { return turn.keep(place) }
        }
    }

    /// Finds rows of the channels that make notifications, among the newest ones: the time has no index.
    private func findRows(_ turn: inout UnreachedTurn) throws {
        var ranges: [ChannelID: (after: Int64, since: Int64)] = [:]
        for (user, since) in turn.sinceOfUsers {
            for channel in turn.channels[user] ?? [] {
                let known = ranges[channel.id, default: (.max, .max)]
                ranges[channel.id] = (min(known.after, channel.after), min(known.since, since))
            }
        }
        for (channel, range) in ranges {
            let rows = try connection.rows(
                """
                SELECT l.seq, l.sent_at, l.frame, l.sender FROM (
                    SELECT n.seq, n.sent_at, n.sender, n.flags, n.frame FROM channel_log n
                    WHERE n.channel = \(channel) AND n.seq > \(range.after)
                    ORDER BY n.seq DESC LIMIT \(Self.maxMissed)) l
                WHERE l.sent_at >= \(range.since) AND \(RowFlags.isIntact("l.flags")) ORDER BY l.seq DESC
                """
            ) { row -> (missed: Missed, sender: UserID?)? in
                let seq = try row.int(0)
                guard try row.event(2, of: channel, seq).body.behaviour?.isPushed == true else { return nil }
                return (Missed(channel: channel, seq: seq, sentAt: try row.int(1)), try row.optionalID(3))
            }
            turn.rows[channel] = rows.compactMap { $0 }
        }
    }

    /// Finds rows of the users' own logs that make notifications, but those that the users have caused.
    private func findOwnRows(_ turn: inout UnreachedTurn) throws {
        let keys = turn.sinceOfUsers.map { [SQLValue.text($0.rawValue), .int($1)] }
        let rows = try connection.rows(
            """
            WITH k (user_id, since) AS (\(keys: keys))
            SELECT l.user_id, l.sent_at, l.frame, l.seq FROM k JOIN users u ON u.id = k.user_id
            JOIN user_log l ON l.user_id = u.id AND l.seq > u.seq - \(Self.maxOwn) WHERE l.sent_at >= k.since
            """
        ) { row in
            let user: UserID = try row.id(0)
            return (user: user, sentAt: try row.int(1), frame: row.frame(2, of: user, try row.int(3)))
        }
        for row in rows {
            guard let frame = row.frame else { continue }
            let event = try WireCodec.decodeEvent(frame)
            guard event.senderID != row.user, event.body.behaviour?.isPushed == true else { continue }
            if case .user(.channelJoined(let joined)) = event.body, joined.isHidden { continue }
            turn.own[row.user, default: []].append(Missed(sentAt: row.sentAt, frame: frame))
        }
    }

    /// Finds what waits for the devices, and what they show.
    private func findKnown(_ turn: inout UnreachedTurn) throws {
        let keys = turn.devices.keys.map(\.values)
        guard !keys.isEmpty else { return }
        _ = try connection.rows(
            """
            WITH k (user_id, device_id) AS (\(keys: keys))
            SELECT p.user_id, p.device_id, p.channel, p.seq, p.created_at, p.event FROM k
            JOIN pushes p ON p.user_id = k.user_id AND p.device_id = k.device_id
            """
        ) { row in
            let missed = Missed(
                channel: try row.optionalID(2), seq: try row.optionalInt(3), sentAt: try row.int(4),
                frame: row.isNull(5) ? nil : try? row.content(5))
            turn.waiting[DeviceKey(user: try row.id(0), device: try row.id(1)), default: []].insert(missed)
        }
        let rows = turn.devices.keys.flatMap { key in
            missed(key, turn).compactMap { target -> [SQLValue]? in
                guard let channel = target.channel, let seq = target.seq else { return nil }
                return key.values + [.text(channel.rawValue), .int(seq)]
            }
        }
        guard !rows.isEmpty else { return }
        _ = try connection.rows(
            """
            WITH k (user_id, device_id, channel, seq) AS (\(keys: rows))
            SELECT s.user_id, s.device_id, s.channel, s.seq FROM k JOIN shown_pushes s
            ON s.user_id = k.user_id AND s.channel = k.channel AND s.seq = k.seq AND s.device_id = k.device_id
            """
        ) { row in
            let shown = Missed(channel: try row.id(2), seq: try row.int(3), sentAt: 0)
            turn.shown[DeviceKey(user: try row.id(0), device: try row.id(1)), default: []].insert(shown)
        }
    }
}

extension Missed {
    /// How it is noted that a device shows it.
    fileprivate var shown: Missed { Missed(channel: channel, seq: seq, sentAt: 0) }
}
