import RoostWire

extension Transaction {
    private static let pins = Upsert(
        "pins", ["channel", "seq", "message_id", "pinned_seq", "user_id", "pinned_at"], keys: ["channel", "seq"])

    mutating func pin(_ add: AddPin) throws -> Outcome { try setPin(add.messageID, in: add.channel, isOn: true) }

    mutating func unpin(_ remove: RemovePin) throws -> Outcome {
        try setPin(remove.messageID, in: remove.channel, isOn: false)
    }

    /// Pins a message or takes it down; no event is sent if nothing changes. It flushes the batch.
    private mutating func setPin(_ id: MessageID, in channelID: ChannelID, isOn: Bool) throws -> Outcome {
        let (actor, me) = (try actor, try me)
        try flush()
        guard var channel = try channel(channelID) else { throw WireError(.channelNotFound) }
        let byName = try checkMayPin(in: channel)
        let isPinned = try pinned(in: channelID).contains(id.rawValue)
        // Who may pin may also take down what they have deleted for themselves.
        if isOn || !isPinned {
            guard try !message(id, of: channel, for: me).flags.contains(.recalled) else {
                throw WireError(.messageNotFound, "The message was recalled.")
            }
        }
        guard isPinned != isOn else { return try outcome(in: channelID) }
        if isOn { try checkPins(in: channel) }

        // No errors are thrown from here on.
        let body = PinChanged(messageID: id, seq: id.seq, byName: byName)
        let row = try append(to: &channel) { _, _ in isOn ? .pinAdded(body) : .pinRemoved(body) }
        batch.channels[channelID] = channel
        if isOn {
            batch.put(
                [
                    .text(channelID.rawValue), .int(id.seq), .text(id.rawValue), .int(row.seq),
                    .text(actor.user.userID.rawValue), .int(row.sentAt),
                ], Self.pins)
        } else {
            try deletePins(of: [id.seq], in: channelID)
        }
        return try outcome(row, in: channelID)
    }

    /// Checks that the caller may pin messages in a channel.
    /// - Returns: the caller's name there.
    private func checkMayPin(in channel: ChannelState) throws -> String {
        let actor = try actor
        if channel.kind == .open {
            guard actor.isOperator else {
                throw WireError(.noPrivilege, "Only an operator can pin messages in an open channel.")
            }
            return actor.user.name
        }
        let me = actor.user.userID
        let member = try member(me, of: channel)
        if channel.kind.isNews { throw WireError(.channelTypeMismatch, "News cannot be pinned.") }
        guard channel.kind != .group || RoleRules.allows(.pin, member.role, profile: channel.settings) else {
            throw WireError(.noPrivilege, "Only moderators can pin messages in this channel.")
        }
        if channel.isBlocked(me) { throw WireError(.blocked, "This user does not want to hear from you.") }
        return member.shown(actor.user).name
    }

    private func pinned(in channel: ChannelID) throws -> Set<String> {
        Set(try connection.rows("SELECT p.message_id FROM pins p WHERE p.channel = \(channel)") { try $0.text(0) })
    }

    /// Checks that a channel has room for one more pin. Those that no member can read any more do not count: everybody
    /// has cleared the channel up to there, or the one user of the self channel has deleted the message.
    private func checkPins(in channel: ChannelState) throws {
        let most = configuration.limits.pins
        if try pinned(in: channel.id).count < most { return }
        try connection.execute(
            """
            DELETE FROM pins WHERE channel = \(channel.id) AND seq <= COALESCE((
                SELECT MIN(m.floor_seq) FROM members m WHERE m.channel = \(channel.id) AND m.left_seq IS NULL), 0)
            """)
        if channel.kind == .own {
            try connection.execute(
                """
                DELETE FROM pins WHERE channel = \(channel.id) AND EXISTS (SELECT 1 FROM deletions x
                    WHERE x.channel = pins.channel AND x.user_id = \(try me) AND x.seq = pins.seq)
                """)
        }
        guard try pinned(in: channel.id).count < most else {
            throw WireError(.limitReached, "This channel has the maximum of \(most) pinned messages. Unpin one first.")
        }
    }

    /// Forgets that messages are pinned, because they are recalled or unpinned; the batch must have been flushed.
    func deletePins(of rows: [Int64], in channel: ChannelID) throws {
        let keys = rows.map { [SQLValue.int($0)] }
        try connection.execute("DELETE FROM pins WHERE channel = \(channel) AND seq IN (\(keys: keys))")
    }
}

extension Reads {
    func listPins(_ list: ListPins) throws -> [UInt8] {
        let access = try access(to: list.channel)
        if access.kind.isNews { throw WireError(.channelTypeMismatch, "News cannot be pinned.") }
        let pins = try connection.rows(
            """
            SELECT p.message_id, p.user_id, COALESCE(m.nickname, u.name), p.pinned_at FROM pins p
            JOIN channel_log l ON l.channel = p.channel AND l.seq = p.seq
            JOIN users u ON u.id = p.user_id
            LEFT JOIN members m ON m.channel = p.channel AND m.user_id = p.user_id
            WHERE p.channel = \(list.channel) AND p.seq > \(access.floorSeq)
            AND \(Self.isVisible(to: me, in: list.channel))
            ORDER BY p.pinned_seq DESC
            """
        ) { row in
            Pin(messageID: try row.id(0), userID: try row.id(1), name: try row.text(2), pinnedAt: try row.time(3))
        }
        return try WireCodec.encode(ListPins.Answer(head: access.seq, pins: pins))
    }
}
