import RoostWire

// A connection whose network has died takes what is sent to it for up to half a minute. Nothing is stored for a device
// while it is connected; instead, what it may have missed is looked up when its session ends without a sign of life.
extension Transaction {
    /// The most notifications of the channels together, and of the user's own log.
    private static let maxMissed = 200
    private static let maxOwn = 50

    /// Notes that a session ends whose device has not answered since a time, unless the device has a newer one.
    mutating func noteUnreached(_ session: SessionID, since: Int64) {
        guard let live = batch.sessions[session], !live.isSuperseded else { return }
        noteUnreached(live.deviceID, of: live.user.userID, since: since)
    }

    /// Notes that a device has not answered since a time.
    mutating func noteUnreached(_ device: DeviceID, of user: UserID, since: Int64) {
        guard hasDevices else { return }
        batch.features.pushes.items.append(.unreached(user, device, since: since))
    }

    /// The notifications of what was sent to a device since a time.
    func unreachedTargets(of user: UserID, on device: DeviceID, since: Int64) throws -> [PushTarget] {
        let found = try connection.rows(
            """
            SELECT d.gateway, d.address_at FROM devices d
            WHERE d.user_id = \(user) AND d.device_id = \(device.rawValue) AND d.gateway IS NOT NULL
            """
        ) { (gateway: try $0.text(0), since: max(since, try $0.int(1))) }.first
        guard let found else { return [] }
        let events = try missedRows(of: user, since: found.since) + missedOwnRows(of: user, since: found.since)
        // What was sent just before the end may be on its way already.
        let waiting = Set(
            try connection.rows(
                """
                SELECT p.channel, p.seq, p.created_at, p.event FROM pushes p
                WHERE p.user_id = \(user) AND p.device_id = \(device.rawValue)
                """
            ) { row in
                Missed(
                    channel: try row.optionalID(0), seq: try row.optionalInt(1), sentAt: try row.int(2),
                    frame: row.isNull(3) ? nil : try? row.content(3))
            })
        return events.filter { !waiting.contains($0) }.sorted { $0.sentAt < $1.sentAt }.map { missed in
            PushTarget(
                user: user, device: device, gateway: found.gateway, channel: missed.channel, seq: missed.seq,
                sentAt: missed.sentAt, frame: missed.frame)
        }
    }

    /// What a notification is about: a row of a channel's log, or an event of the user's own.
    private struct Missed: Hashable {
        var channel: ChannelID?
        var seq: Int64?
        var sentAt: Int64
        var frame: [UInt8]?
    }

    /// Rows of the user's channels that make notifications, of the newest ones, but those of the user and those that were
    /// read.
    ///
    /// The time has no index, so only so many rows of each channel are looked at.
    private func missedRows(of user: UserID, since: Int64) throws -> [Missed] {
        let channels = try connection.rows(
            """
            SELECT c.id, m.floor_seq, COALESCE(r.seq, 0) FROM members m
            JOIN channels c ON c.id = m.channel AND c.dismissed_at IS NULL
            LEFT JOIN read_marks r ON r.channel = m.channel AND r.user_id = m.user_id
            WHERE m.user_id = \(user) AND m.left_seq IS NULL AND m.flags % 2 = 0 AND c.last_sent_at >= \(since)
            ORDER BY c.last_sent_at DESC, c.id LIMIT \(Self.maxMissed)
            """
        ) { (id: try $0.id(0) as ChannelID, after: max(try $0.int(1), try $0.int(2))) }
        var missed: [Missed] = []
        for channel in channels where missed.count < Self.maxMissed {
            _ = try connection.rows(
                """
                SELECT l.seq, l.sent_at, l.frame FROM (
                    SELECT n.seq, n.sent_at, n.sender, n.flags, n.frame FROM channel_log n
                    WHERE n.channel = \(channel.id) AND n.seq > \(channel.after)
                    ORDER BY n.seq DESC LIMIT \(Self.maxMissed - missed.count)) l
                WHERE l.sent_at >= \(since) AND (l.sender IS NULL OR l.sender <> \(user))
                AND \(RowFlags.isIntact("l.flags")) ORDER BY l.seq DESC
                """
            ) { row in
                let seq = try row.int(0)
                guard try row.event(2, of: channel.id, seq).body.behaviour?.isPushed == true else { return }
                missed.append(Missed(channel: channel.id, seq: seq, sentAt: try row.int(1)))
            }
        }
        return missed
    }

    /// Rows of the user's own log that make notifications, but those that the user has caused.
    private func missedOwnRows(of user: UserID, since: Int64) throws -> [Missed] {
        let rows = try connection.rows(
            """
            SELECT l.sent_at, l.frame, l.seq FROM (
                SELECT n.sent_at, n.frame, n.seq FROM user_log n WHERE n.user_id = \(user)
                ORDER BY n.seq DESC LIMIT \(Self.maxOwn)) l
            WHERE l.sent_at >= \(since)
            """
        ) { (sentAt: try $0.int(0), frame: $0.frame(1, of: user, try $0.int(2))) }
        return try rows.compactMap { row in
            guard let frame = row.frame else { return nil }
            let event = try WireCodec.decodeEvent(frame)
            guard event.senderID != user, event.body.behaviour?.isPushed == true else { return nil }
            if case .user(.channelJoined(let joined)) = event.body, joined.isHidden { return nil }
            return Missed(sentAt: row.sentAt, frame: frame)
        }
    }
}
