import RoostWire

/// Why a notification that a device shows is to go.
enum Withdrawal: String, Codable {
    /// The user has read the channel up to the row.
    case read
    /// The message was recalled.
    case recalled
}

// What devices show is noted in the table `shown_pushes` when it was sent, and forgotten when it is withdrawn or too old.
extension Transaction {
    private static let shown = Upsert(
        "shown_pushes", ["user_id", "channel", "seq", "device_id", "expires_at"],
        keys: ["user_id", "channel", "seq", "device_id"])

    /// Notes the notifications that devices show now, and withdraws those that were read or recalled while they were on
    /// their way.
    mutating func noteShown(_ requests: [PushRequest]) throws {
        // Browsers may show something of their own for a notification that shows nothing, so they get no withdrawals.
        var rows: [[SQLValue]: [SQLValue]] = [:]
        for request in requests where request.payload.kind == .alert && request.address.gateway != .web {
            guard let channel = request.push.channel, let seq = request.push.seq else { continue }
            let key: [SQLValue] = [
                .text(request.push.user.rawValue), .text(channel.rawValue), .int(seq),
                .text(request.push.device.rawValue),
            ]
            rows[key] = key + [.int(request.expiresAt)]
        }
        guard !rows.isEmpty else { return }
        try connection.write(Array(rows.values), Self.shown)
        batch.features.pushes.known.hasShown = true
        let keys = Set(rows.keys.map { Array($0.prefix(3)) })
        let read = try connection.rows(
            """
            WITH k (user_id, channel, seq) AS (\(keys: Array(keys)))
            SELECT k.channel, k.user_id, MAX(r.seq) FROM k
            JOIN read_marks r ON r.channel = k.channel AND r.user_id = k.user_id AND r.seq >= k.seq
            GROUP BY k.channel, k.user_id
            """
        ) { (channel: try $0.id(0) as ChannelID, user: try $0.id(1) as UserID, seq: try $0.int(2)) }
        try withdrawRead(read)
        let recalled = try connection.rows(
            """
            WITH k (user_id, channel, seq) AS (\(keys: Array(keys)))
            SELECT DISTINCT l.channel, l.seq FROM k JOIN channel_log l ON l.channel = k.channel AND l.seq = k.seq
            WHERE NOT (\(RowFlags.isIntact("l.flags")))
            """
        ) { (channel: try $0.id(0) as ChannelID, seq: try $0.int(1)) }
        for row in recalled { try noteRecalled([row.seq], in: row.channel) }
    }

    /// Notes those of the recalled messages that a device shows; their notifications are withdrawn in the background.
    mutating func noteRecalled(_ seqs: [Int64], in channel: ChannelID) throws {
        guard isShared || batch.features.pushes.known.hasShown, !seqs.isEmpty else { return }
        let shown = try connection.rows(
            """
            WITH k (seq) AS (\(keys: seqs.map { [.int($0)] }))
            SELECT DISTINCT s.seq FROM shown_pushes s WHERE s.channel = \(channel) AND s.seq IN (SELECT seq FROM k)
            """
        ) { try $0.int(0) }
        batch.features.pushes.items += shown.map { .recalled(channel, seq: $0) }
    }

    /// Withdraws what was read by the read marks that this batch has moved.
    mutating func withdrawRead() throws {
        let moved = batch.features.marks
        guard !moved.isEmpty, isShared || batch.features.pushes.known.hasShown else { return }
        try withdrawRead(
            moved.flatMap { channel, marks in
                marks.values.map { (channel: channel, user: $0.userID, seq: $0.seq) }
            })
    }

    /// Withdraws the notifications of channels that users have read up to a row: one withdrawal per device and channel.
    private mutating func withdrawRead(_ marks: [(channel: ChannelID, user: UserID, seq: Int64)]) throws {
        guard !marks.isEmpty else { return }
        let keys = marks.map { [SQLValue.text($0.user.rawValue), .text($0.channel.rawValue), .int($0.seq)] }
        let targets = try connection.rows(
            """
            WITH k (user_id, channel, seq) AS (\(keys: keys))
            SELECT s.user_id, s.device_id, d.gateway, s.channel, k.seq FROM k
            JOIN shown_pushes s ON s.user_id = k.user_id AND s.channel = k.channel AND s.seq <= k.seq
            LEFT JOIN devices d ON d.user_id = s.user_id AND d.device_id = s.device_id AND d.token IS NOT NULL
            GROUP BY s.user_id, s.device_id, d.gateway, s.channel, k.seq
            """
        ) { try target(of: $0, .read) }
        guard !targets.isEmpty else { return }
        try connection.execute(
            """
            WITH k (user_id, channel, seq) AS (\(keys: keys))
            DELETE FROM shown_pushes WHERE (user_id, channel, seq, device_id) IN (
                SELECT s.user_id, s.channel, s.seq, s.device_id FROM k
                JOIN shown_pushes s ON s.user_id = k.user_id AND s.channel = k.channel AND s.seq <= k.seq)
            """)
        try add(targets.compactMap { $0 })
    }

    /// The next devices that show a message which was recalled; they are forgotten.
    func withdraw(_ seq: Int64, in channel: ChannelID, most: Int) throws -> (targets: [PushTarget], isAll: Bool) {
        let found = try connection.rows(
            """
            SELECT s.user_id, s.device_id, d.gateway, s.channel, s.seq FROM shown_pushes s
            LEFT JOIN devices d ON d.user_id = s.user_id AND d.device_id = s.device_id AND d.token IS NOT NULL
            WHERE s.channel = \(channel) AND s.seq = \(seq) ORDER BY s.user_id, s.device_id LIMIT \(most)
            """
        ) { row in
            (
                key: [SQLValue.text(try row.text(0)), .text(try row.text(1))],
                target: try target(of: row, .recalled)
            )
        }
        if !found.isEmpty {
            try connection.execute(
                """
                WITH k (user_id, device_id) AS (\(keys: found.map(\.key)))
                DELETE FROM shown_pushes WHERE channel = \(channel) AND seq = \(seq)
                AND (user_id, device_id) IN (SELECT k.user_id, k.device_id FROM k)
                """)
        }
        return (found.compactMap(\.target), found.count < most)
    }

    /// A device from which to withdraw; nil if it has no address any more.
    private func target(of row: any SQLRow, _ withdrawal: Withdrawal) throws -> PushTarget? {
        guard let gateway = try row.optionalText(2) else { return nil }
        return PushTarget(
            user: try row.id(0), device: try row.id(1), gateway: gateway, channel: try row.id(3), seq: try row.int(4),
            sentAt: batch.now, withdrawal: withdrawal)
    }

    /// Forgets what a device shows, or all devices of a user if it is nil.
    func forgetShown(of user: UserID, on device: DeviceID?) throws {
        var query: Query = "DELETE FROM shown_pushes WHERE user_id = \(user)"
        if let device { query.append(" AND device_id = \(device)") }
        try connection.execute(query)
    }

    /// Forgets some notifications that are too old to be shown.
    /// - Returns: how many.
    func forgetOldShown(most: Int) throws -> Int {
        let keys = try connection.rows(
            """
            SELECT user_id, channel, seq, device_id FROM shown_pushes WHERE expires_at <= \(batch.now)
            ORDER BY expires_at LIMIT \(most)
            """
        ) { [SQLValue.text(try $0.text(0)), .text(try $0.text(1)), .int(try $0.int(2)), .text(try $0.text(3))] }
        guard !keys.isEmpty else { return 0 }
        try connection.execute(
            """
            WITH k (user_id, channel, seq, device_id) AS (\(keys: keys))
            DELETE FROM shown_pushes WHERE (user_id, channel, seq, device_id) IN (
                SELECT k.user_id, k.channel, k.seq, k.device_id FROM k)
            """)
        return keys.count
    }
}

extension Reads {
    /// Completes the withdrawal of a notification.
    func request(for push: LeasedPush, withdrawing withdrawal: Withdrawal) throws -> PushRequest.Decision {
        guard let device = try device(push.device), let address = device.address, address.token != nil else {
            return .skip("the device has no address any more")
        }
        guard let channel = push.channel, let seq = push.seq else { return .skip("it is not of a channel") }
        let expiresAt = push.createdAt + PushRequest.usualMs
        guard now < expiresAt else { return .skip("it is too old") }
        let all = try channels(of: me)
        var payload = PushPayload(
            pushID: push.id, kind: .withdrawal, userID: me,
            event: (withdrawal == .read ? EventName.readMarkMoved : .messageRecalled).rawValue,
            sentAt: .init(milliseconds: push.createdAt), badge: all.badge(device.settings), body: "", locKey: "",
            locArgs: [])
        (payload.channel, payload.seq) = (channel, seq)
        payload.unread = all.first { $0.channel == channel }?.unread
        if withdrawal == .recalled {
            payload.messageID =
                try connection.rows(
                    "SELECT l.frame FROM channel_log l WHERE l.channel = \(channel) AND l.seq = \(seq)"
                ) { try $0.event(0, of: channel, seq).messageID }.first ?? nil
        }
        return .send(
            PushRequest(push: push, address: address, payload: payload, collapseID: push.id, expiresAt: expiresAt))
    }
}
