import RoostWire

/// News channels. The writer caches no members of them, because there may be very many: a batch loads only the
/// members who act in it.
extension Transaction {
    private static let newsRows = Upsert("news", ["channel", "kind", "walk", "after_user"], keys: ["channel"])
    private static let expiryRows = Upsert("news_expiry", ["channel", "seq", "valid_until"], keys: ["channel", "seq"])

    /// A pending change to all subscribers of a channel, applied in steps.
    private enum BulkChange: String {
        /// Subscribe all users.
        case subscribing
        /// Notify all subscribers of a dismissed channel.
        case dismissing
    }

    mutating func createNews(_ create: CreateChannel) throws -> Outcome {
        guard try actor.isOperator else {
            throw WireError(
                .noPrivilege, "Only an operator can create a news channel. Create a token with: roost token --operator."
            )
        }
        guard create.members ?? [] == [] else {
            throw WireError(
                .dataFormat, field: "members", "Users subscribe to news by themselves. Omit \"members\".")
        }
        if create.kind == .corporateNews, isShared { try holdNews(.forUpdate) }
        let id = try freshID(create.channel)
        let title = create.title ?? id.rawValue
        var channel = ChannelState(id: id, kind: create.kind, title: title, lastSentAt: batch.now)
        batch.add(channel)
        let row = try append(to: &channel, as: RowTraits(names: .author, holdsKey: false)) { _, _ in
            .newsCreated(NewsCreated(kind: create.kind, title: title))
        }
        batch.channels[id] = channel
        let change: BulkChange? = create.kind == .corporateNews ? .subscribing : nil
        batch.put(
            [.text(id.rawValue), .text(create.kind.rawValue), SQLValue(change?.rawValue), .text("")], Self.newsRows)
        if change != nil { batch.schedule(at: batch.now) }
        return Outcome(
            acknowledgement: Acknowledgement(
                channel: id, seq: row.seq, transID: try transID, sentAt: .init(milliseconds: row.sentAt)),
            needsKeyRow: true)
    }

    mutating func publish(_ publish: PublishNews) throws -> Outcome {
        guard try actor.isOperator else {
            throw WireError(
                .noPrivilege, "Only an operator can publish news. Create a token with: roost token --operator.")
        }
        try publish.check(now: .init(milliseconds: batch.now), limits: configuration.limits)
        guard let kind = try row(of: publish.channel)?.kind else { throw WireError(.channelNotFound) }
        let content = try completingFiles(
            of: MessageContent(
                .news(kind, file: publish.file, thumbnail: publish.thumbnail), text: publish.text ?? "",
                extras: publish.extras, category: publish.category))
        guard var channel = try row(of: publish.channel), channel.dismissedAt == nil else {
            throw WireError(.channelNotFound)
        }
        guard channel.kind.isNews else {
            throw WireError(.channelTypeMismatch, "This is not a news channel. Use an announcement instead.")
        }
        try flush()
        let isSubscribing = try isSubscribing(channel.id)
        batch.channels[channel.id] = nil
        channel.count += 1
        let (title, avatar, count) = (channel.title ?? channel.id.rawValue, channel.settings.avatar, channel.count)
        let isEncrypted = encryptedFlag
        let salt = UInt32(truncatingIfNeeded: effects.random())
        var messageID: MessageID?
        let row = try append(
            to: &channel,
            as: RowTraits(
                names: .author, flags: .counted, category: publish.category, isPushed: !isSubscribing)
        ) { seq, sentAt in
            let id = MessageID(sentAt: sentAt, seq: seq, salt: salt)
            messageID = id
            return .messageSent(
                Message(
                    messageID: id, content: content, senderName: title, senderImageURL: avatar, count: count,
                    validUntil: publish.validUntil, isEncrypted: isEncrypted))
        }
        channel.newestPieceSeq = row.seq
        batch.channels[channel.id] = channel
        if let end = publish.$validUntil {
            batch.put([.text(channel.id.rawValue), .int(row.seq), .int(end)], Self.expiryRows)
            batch.schedule(at: end)
        }
        return Outcome(
            acknowledgement: Acknowledgement(
                channel: channel.id, seq: row.seq, messageID: messageID, transID: try transID,
                sentAt: .init(milliseconds: row.sentAt)),
            needsKeyRow: false)
    }

    mutating func subscribe(to channel: ChannelState) throws -> Outcome {
        let me = try me
        if channel.members[me] == nil {
            // This flushes the batch, so that an earlier departure is written before the arrival.
            try checkChannelLimit(for: [me])
            try subscribe([me], to: channel)
        }
        return try outcome(in: channel.id)
    }

    mutating func unsubscribe(from news: ChannelState) throws -> Outcome {
        let me = try me
        var channel = news
        _ = try member(me, of: channel)
        guard channel.kind != .corporateNews else {
            throw WireError(.noPrivilege, "This news channel is for all users. Mute or hide it instead.")
        }
        try lockMe()
        try remove(me, from: &channel, .left)
        channel.subscribers -= 1
        batch.channels[channel.id] = channel
        try notifyLeft([me], ChannelLeft(channel: channel.id, reason: .left))
        endSubscriptions(of: [me], to: channel)
        return try outcome(in: channel.id)
    }

    /// Dismisses a news channel immediately; its subscribers are notified in steps.
    mutating func dismissNews(_ news: ChannelState) throws -> Outcome {
        guard try actor.isOperator else {
            throw WireError(.noPrivilege, "Only an operator can dismiss a news channel.")
        }
        var channel = news
        channel.dismissedAt = batch.now
        batch.channels[channel.id] = channel
        batch.changedChannels.insert(channel.id)
        batch.put(
            [
                .text(channel.id.rawValue), .text(channel.kind.rawValue), .text(BulkChange.dismissing.rawValue),
                .text(""),
            ],
            Self.newsRows)
        batch.schedule(at: batch.now)
        return try outcome(in: channel.id)
    }

    /// Subscribes users who are not subscribed yet; the batch must have been flushed.
    private mutating func subscribe(_ users: [UserID], to news: ChannelState, asFounders: Bool = false) throws {
        var channel = news
        try load(users: Set(users))
        let cleared = try cleared(by: nonMembers(users, of: channel.id), in: channel.id)
        for id in users {
            admit(
                id, to: &channel,
                Admission(seq: channel.seq, clearedSeq: cleared[id], isFounder: asFounders))
            channel.subscribers += 1
        }
        batch.channels[channel.id] = channel
        try notifyJoined(users, channel, .joined)
    }

    /// Serializes, until the transaction ends, the creation of users and of news channels for all users across
    /// processes.
    ///
    /// Either the user exists before the subscription of all users begins, or the new user sees the channel. The
    /// locked row never changes.
    private func holdNews(_ lock: SQLWord) throws {
        var query: Query = "SELECT value FROM meta WHERE name = 'epoch' "
        query.append("\(lock)")
        _ = try connection.rows(query) { try $0.text(0) }
    }

    /// Subscribes a new or returning user to those news channels for all users to which the user is not subscribed
    /// yet; it flushes the batch.
    mutating func subscribeToCorporateNews(_ user: UserID, isNew: Bool) throws {
        guard batch.users[user]?.host == nil else { return }
        try flush()
        if isNew, isShared { try holdNews(.forShare) }
        let missing = try connection.rows(
            """
            SELECT n.channel, n.walk FROM news n WHERE n.kind = \(ChannelKind.corporateNews.rawValue)
            AND NOT EXISTS (SELECT 1 FROM members m
                WHERE m.channel = n.channel AND m.user_id = \(user) AND m.left_seq IS NULL)
            ORDER BY n.channel
            """
        ) { (id: try $0.id(0) as ChannelID, change: try $0.optionalText(1).flatMap(BulkChange.init)) }
        batch.actors.insert(user)
        for (id, change) in missing {
            guard let channel = try channel(id), channel.members[user] == nil else { continue }
            try subscribe([user], to: channel, asFounders: !isNew && change == .subscribing)
        }
    }
}

/// Background processing of news.
extension Transaction {
    /// The maximum number of users processed per turn, so that waiting commands are not delayed for long.
    private static let usersPerTurn = 16

    /// Continues the pending change to all subscribers of a channel.
    /// - Returns: the current time if there is more to do, otherwise nil.
    mutating func continueBulkChange() throws -> Int64? {
        let found = try connection.rows(
            """
            SELECT channel, kind, walk, after_user FROM news WHERE walk IS NOT NULL ORDER BY channel LIMIT 1
            \(.forUpdateSkipLocked)
            """
        ) { row in
            (
                id: try row.id(0) as ChannelID, kind: try row.text(1), change: BulkChange(rawValue: try row.text(2)),
                after: try row.text(3)
            )
        }.first
        guard let found else { return nil }
        let last: UserID?
        switch found.change {
        case .subscribing:
            last = try subscribeMore(to: found.id, after: found.after)
            if last == nil { try notePushes(of: found.id) }
        case .dismissing: last = try dismissMore(of: found.id, after: found.after)
        case nil: last = nil
        }
        if found.change == .dismissing, last == nil {
            try connection.execute("DELETE FROM news WHERE channel = \(found.id)")
        } else {
            batch.put(
                [
                    .text(found.id.rawValue), .text(found.kind), SQLValue(last == nil ? nil : found.change?.rawValue),
                    .text(last?.rawValue ?? ""),
                ], Self.newsRows)
        }
        return batch.now
    }

    private mutating func subscribeMore(to id: ChannelID, after: String) throws -> UserID? {
        // The channel is locked before the users are read: a user who logs in at another process now is subscribed
        // there.
        guard let channel = try channel(id) else { return nil }
        let users = try connection.rows(
            """
            SELECT u.id, m.user_id FROM users u
            LEFT JOIN members m ON m.channel = \(id) AND m.user_id = u.id AND m.left_seq IS NULL
            WHERE u.id > \(after) AND u.deleted_at IS NULL AND u.host IS NULL ORDER BY u.id LIMIT \(Self.usersPerTurn)
            """
        ) { (id: try $0.id(0) as UserID, isSubscribed: !$0.isNull(1)) }
        let new = users.filter { !$0.isSubscribed }.map(\.id)
        if !new.isEmpty { try subscribe(new, to: channel, asFounders: true) }
        return users.last?.id
    }

    /// Whether users are still being subscribed to a channel, whose row is locked; the batch must have been flushed.
    private func isSubscribing(_ id: ChannelID) throws -> Bool {
        try !connection.rows(
            "SELECT 1 FROM news WHERE channel = \(id) AND walk = \(BulkChange.subscribing.rawValue)"
        ) { try $0.int(0) }.isEmpty
    }

    /// Notes the pushes of what was published while users were being subscribed, now that all of them are.
    private mutating func notePushes(of id: ChannelID) throws {
        guard let channel = try row(of: id), channel.dismissedAt == nil else { return }
        let rows = try connection.rows(
            """
            SELECT \(LogRow.columns) FROM channel_log l WHERE l.channel = \(id) AND l.seq > \(channel.purgedSeq)
            AND \(RowFlags.isIntact("l.flags")) ORDER BY l.seq
            """, LogRow.init)
        for row in rows {
            guard case .channel(let body) = row.event.body, case .messageSent = body else { continue }
            notePush(of: body, id, row.seq)
        }
    }

    private mutating func dismissMore(of id: ChannelID, after: String) throws -> UserID? {
        guard var channel = try row(of: id) else { return nil }
        let users = try connection.rows(
            """
            SELECT m.user_id FROM members m WHERE m.channel = \(id) AND m.user_id > \(after) AND m.left_seq IS NULL
            ORDER BY m.user_id LIMIT \(Self.usersPerTurn)
            """
        ) { try $0.id(0) as UserID }
        try load(users: Set(users))
        let body = ChannelDismissed(channel: id, byName: channel.title ?? id.rawValue)
        for user in users {
            try remove(user, from: &channel, .dismissed)
            channel.subscribers -= 1
            try append(to: user, body: .channelDismissed(body))
        }
        endSubscriptions(of: users, to: channel)
        batch.channels[id] = channel
        return users.last
    }

    /// The maximum number of news items recalled per turn.
    private static let piecesPerTurn = 32

    /// Recalls expired news items.
    /// - Returns: when the next item expires.
    mutating func expireNews() throws -> Int64? {
        let found = try connection.rows(
            """
            SELECT channel, seq, valid_until FROM news_expiry ORDER BY valid_until, channel, seq
            LIMIT \(Self.piecesPerTurn + 1)
            """
        ) { (channel: try $0.id(0) as ChannelID, seq: try $0.int(1), end: try $0.int(2)) }
        let due = found.prefix(Self.piecesPerTurn).prefix { $0.end <= batch.now }
        // Lock the channels first, because another process may do the same.
        try load(Set(due.map(\.channel)))
        for (id, pieces) in Dictionary(grouping: due, by: \.channel).sorted(by: { $0.key < $1.key }) {
            let keys = pieces.map { [SQLValue.int($0.seq)] }
            if var channel = try channel(id) {
                let rows = try connection.rows(
                    """
                    SELECT \(LogRow.columns) FROM news_expiry e
                    JOIN channel_log l ON l.channel = e.channel AND l.seq = e.seq
                    WHERE e.channel = \(id) AND e.seq IN (\(keys: keys)) AND \(RowFlags.isIntact("l.flags"))
                    AND l.seq > \(channel.purgedSeq)
                    """, LogRow.init)
                if !rows.isEmpty {
                    let shell = Recall(
                        isSilent: true, at: .init(milliseconds: max(channel.lastSentAt, batch.now)), byUserID: nil,
                        byName: channel.title ?? id.rawValue)
                    _ = try recall(rows, in: &channel, leaving: shell)
                }
            }
            try connection.execute("DELETE FROM news_expiry WHERE channel = \(id) AND seq IN (\(keys: keys))")
        }
        return found.dropFirst(due.count).first?.end
    }
}

extension Reads {
    func listNews(_ list: ListNews) throws -> [UInt8] {
        let limit = try limit(list.limit, default: 15, most: 100)
        let after = try cursor(list.cursor, ChannelID.init)?.rawValue ?? ""
        let found = try connection.rows(
            """
            SELECT c.id, c.kind, c.title, c.profile, c.member_count, c.last_sent_at, m.user_id
            FROM news n JOIN channels c ON c.id = n.channel
            LEFT JOIN members m ON m.channel = c.id AND m.user_id = \(me) AND m.left_seq IS NULL
            WHERE n.channel > \(after) AND c.dismissed_at IS NULL
            ORDER BY n.channel LIMIT \(limit + 1)
            """
        ) { row in
            let id: ChannelID = try row.id(0)
            return NewsChannel(
                channel: id, kind: try row.kind(1), title: try row.optionalText(2) ?? id.rawValue,
                profile: try row.profile(3), subscriberCount: Int(clamping: try row.int(4)),
                isSubscribed: !row.isNull(6), lastActivityAt: try row.time(5))
        }
        let (page, next) = page(found, limit: limit) { $0.channel.rawValue }
        return try WireCodec.encode(ListNews.Answer(channels: Array(page), next: next))
    }
}
