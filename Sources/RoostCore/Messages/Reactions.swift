import RoostWire

/// A stored emoji on a message.
private struct ReactionKind {
    var emoji: [UInt8]
    /// The displayed spelling: the first one used.
    var shown: String
    var count: Int64
    /// The row that announced the first of the current reactions.
    var firstSeq: Int64

    static let upsert = Upsert(
        "reaction_kinds", ["channel", "seq", "emoji", "shown", "count", "first_seq"],
        keys: ["channel", "seq", "emoji"])
}

extension Transaction {
    private static let reactions = Upsert(
        "reactions", ["channel", "seq", "emoji", "user_id", "added_seq"],
        keys: ["channel", "seq", "emoji", "user_id"])

    mutating func react(_ add: AddReaction) throws -> Outcome {
        try setReaction(add.emoji, to: add.messageID, in: add.channel, isOn: true)
    }

    mutating func removeReaction(_ remove: RemoveReaction) throws -> Outcome {
        try setReaction(remove.emoji, to: remove.messageID, in: remove.channel, isOn: false)
    }

    /// Adds or removes the caller's emoji on a message; no event is sent if nothing changes. It flushes the batch.
    private mutating func setReaction(
        _ emoji: String, to id: MessageID, in channelID: ChannelID, isOn: Bool
    ) throws -> Outcome {
        let (actor, me) = (try actor, try me)
        if isOn { try ReactionRules.check(emoji) } else { try ReactionRules.checkStored(emoji) }
        try flush()
        guard var channel = try channel(channelID) else { throw WireError(.channelNotFound) }
        let member = channel.kind == .open ? nil : try member(me, of: channel)
        if channel.kind.isNews { throw WireError(.channelTypeMismatch, "Reactions to news are not supported.") }
        if channel.isBlocked(me) { throw WireError(.blocked, "This user does not want to hear from you.") }
        guard try !message(id, of: channel, for: me).flags.contains(.recalled) else {
            throw WireError(.messageNotFound, "The message was recalled.")
        }
        let key = ReactionRules.key(of: emoji)
        let kinds = try connection.rows(
            """
            SELECT k.emoji, k.shown, k.count, k.first_seq FROM reaction_kinds k
            WHERE k.channel = \(channelID) AND k.seq = \(id.seq)
            """
        ) { ReactionKind(emoji: try $0.blob(0), shown: try $0.text(1), count: try $0.int(2), firstSeq: try $0.int(3)) }
        let own = try connection.rows(
            """
            SELECT r.added_seq FROM reactions r
            WHERE r.channel = \(channelID) AND r.seq = \(id.seq) AND r.emoji = \(blob: key) AND r.user_id = \(me)
            """
        ) { try $0.int(0) }
        guard own.isEmpty == isOn else { return try outcome(in: channelID) }
        let known = kinds.first { $0.emoji == key }
        let most = configuration.limits.reactionKinds
        guard known != nil || kinds.count < most else {
            throw WireError(
                .limitReached, "This message has the maximum of \(most) different emoji. React with one of them.")
        }

        // No errors are thrown from here on.
        var kind = known ?? ReactionKind(emoji: key, shown: emoji, count: 0, firstSeq: channel.seq + 1)
        kind.count += isOn ? 1 : -1
        let body = ReactionChanged(
            messageID: id, seq: id.seq, emoji: kind.shown, count: Int(clamping: kind.count),
            byName: member?.shown(actor.user).name ?? actor.user.name)
        let row = try append(to: &channel) { _, _ in isOn ? .reactionAdded(body) : .reactionRemoved(body) }
        batch.channels[channelID] = channel
        let place: [SQLValue] = [.text(channelID.rawValue), .int(id.seq), .blob(key)]
        if isOn {
            batch.put(place + [.text(me.rawValue), .int(row.seq)], Self.reactions)
        } else {
            try connection.execute(
                """
                DELETE FROM reactions
                WHERE channel = \(channelID) AND seq = \(id.seq) AND emoji = \(blob: key) AND user_id = \(me)
                """)
        }
        if kind.count > 0 {
            batch.put(place + [.text(kind.shown), .int(kind.count), .int(kind.firstSeq)], ReactionKind.upsert)
        } else {
            try connection.execute(
                "DELETE FROM reaction_kinds WHERE channel = \(channelID) AND seq = \(id.seq) AND emoji = \(blob: key)")
        }
        return try outcome(row, in: channelID)
    }

    /// Deletes all reactions to recalled messages; the batch must have been flushed.
    func deleteReactions(to rows: [Int64], in channel: ChannelID) throws {
        let keys = rows.map { [SQLValue.int($0)] }
        for table in ["reactions", "reaction_kinds"] as [Query] {
            try connection.execute("DELETE FROM \(table) WHERE channel = \(channel) AND seq IN (\(keys: keys))")
        }
    }
}

extension Reads {
    func listReactions(_ list: ListReactions) throws -> [UInt8] {
        let limit = try limit(list.limit, default: 100, most: 100)
        if let emoji = list.emoji { try ReactionRules.checkStored(emoji) }
        let after = try cursor(list.cursor, Self.seq) ?? 0
        let access = try access(to: list.channel)
        if access.kind.isNews { throw WireError(.channelTypeMismatch, "Reactions to news are not supported.") }
        guard let message = try messages([list.messageID], of: list.channel, access).first, message.event.recall == nil
        else { throw WireError(.messageNotFound) }
        var query: Query = """
            SELECT r.user_id, COALESCE(m.nickname, u.name), k.shown, l.sent_at, r.added_seq FROM reactions r
            JOIN reaction_kinds k ON k.channel = r.channel AND k.seq = r.seq AND k.emoji = r.emoji
            JOIN channel_log l ON l.channel = r.channel AND l.seq = r.added_seq
            JOIN users u ON u.id = r.user_id
            LEFT JOIN members m ON m.channel = r.channel AND m.user_id = r.user_id
            WHERE r.channel = \(list.channel) AND r.seq = \(message.seq) AND r.added_seq > \(after)
            """
        if let emoji = list.emoji { query.append(" AND r.emoji = \(blob: ReactionRules.key(of: emoji))") }
        query.append(" ORDER BY r.added_seq LIMIT \(limit + 1)")
        let found = try connection.rows(query) { row in
            let reaction = UserReaction(
                userID: try row.id(0), name: try row.text(1), emoji: try row.text(2), reactedAt: try row.time(3))
            return (reaction: reaction, seq: try row.int(4))
        }
        let (page, next) = page(found, limit: limit) { String($0.seq) }
        return try WireCodec.encode(ListReactions.Answer(reactions: page.map(\.reaction), next: next))
    }

    /// Returns stored rows of a channel with their reactions inserted, as seen by this reader.
    func reacted(
        _ rows: [(seq: Int64, frame: [UInt8])], in channel: ChannelID
    ) throws -> [(seq: Int64, frame: [UInt8])] {
        func key(_ seq: Int64) -> [SQLValue] { [.text(channel.rawValue), .int(seq)] }
        let reactions = try reactions(to: rows.map { key($0.seq) })
        guard !reactions.isEmpty else { return rows }
        return try rows.map { ($0.seq, try $0.frame.with(reactions[key($0.seq)])) }
    }

    /// Returns the reactions to the messages in some rows, by channel and `seq`, in one statement.
    func reactions(to rows: [[SQLValue]]) throws -> [[SQLValue]: MessageReactions] {
        guard !rows.isEmpty else { return [:] }
        let found = try connection.rows(
            """
            WITH k (channel, seq) AS (\(keys: rows)), d (channel, seq) AS (SELECT DISTINCT channel, seq FROM k)
            SELECT x.channel, x.seq, x.shown, x.count, COALESCE(r.added_seq, 0), c.seq FROM d
            JOIN reaction_kinds x ON x.channel = d.channel AND x.seq = d.seq
            JOIN channels c ON c.id = x.channel
            LEFT JOIN reactions r
                ON r.channel = x.channel AND r.seq = x.seq AND r.emoji = x.emoji AND r.user_id = \(me)
            ORDER BY x.channel, x.seq, x.first_seq
            """
        ) { row in
            let kind = Reaction(
                emoji: try row.text(2), count: Int(clamping: try row.int(3)), isMine: try row.int(4) > 0)
            return (key: [SQLValue.text(try row.text(0)), .int(try row.int(1))], head: try row.int(5), kind: kind)
        }
        return found.reduce(into: [:]) { reactions, row in
            reactions[row.key, default: MessageReactions(head: row.head, kinds: [])].kinds.append(row.kind)
        }
    }
}

extension [UInt8] {
    /// Inserts reactions into a stored message frame, at the end of its body without decoding it. The number of a damaged row
    /// gets none.
    func with(_ reactions: MessageReactions?) throws -> [UInt8] {
        guard let reactions, try Event.isShown(self) else { return self }
        return try with("reactions", try WireCodec.encode(reactions))
    }

    /// Inserts a field into a stored message frame, at the end of its body without decoding it.
    func with(_ name: String, _ value: [UInt8]) throws -> [UInt8] {
        var reader = JSONReader(self)
        var body: Range<Int>?
        try reader.object { reader, key in
            let value = try reader.skip()
            if key == "body" { body = value }
        }
        guard let end = body.map({ $0.upperBound - 1 }), end > 0 else {
            throw DatabaseFailure(.corrupt, "a stored message has no body")
        }
        return self[..<end] + Array(",\"\(name)\":".utf8) + value + self[end...]
    }
}
