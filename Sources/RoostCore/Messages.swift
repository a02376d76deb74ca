import RoostWire

extension Writer {
    /// Decides one send. Everything is checked before the first value changes, so that a refusal needs no undoing.
    func send(
        _ send: SendMessage, transID: TransID, hash: Int64, _ actor: Actor, in batch: inout Batch,
        _ connection: any SQLConnection
    ) throws -> Acknowledgement {
        let sender = actor.user.userID
        guard send.type ?? MessageType.text.name == MessageType.text.name else {
            throw WireError(.formatNotSupported, "Messages of this type cannot be sent yet. Send \"text\".")
        }
        try TextRules.check(send.text, limits: configuration.limits)
        if let mentions = send.mentions {
            try TextRules.check(mentions, in: send.text, limits: configuration.limits)
        }
        if let after = send.after {
            let key = CommandKey(user: sender, transID: after)
            guard batch.known[key] != nil || batch.accepted.contains(key) else {
                throw WireError(
                    .orderBroken, "The send before this one is not known. Send that one again first.")
            }
        }
        var channel = try existingOrOpened(send.channel, in: &batch, connection)
        var behind = false
        if channel.kind != .open {
            let member = try member(sender, of: channel, &batch, connection)
            guard member.role.number >= Role.participant.number else { throw WireError(.noPrivilege) }
            behind = channel.unread(of: member) > 0
            for mention in send.mentions ?? [] where channel.members[mention.userID] == nil {
                throw WireError(.notAllMembers, "\"\(mention.userID)\" is mentioned but is not a member.")
            }
        }
        // From here on nothing is refused. The value leaves the batch while it changes, so that its members are not copied.
        batch.channels[send.channel] = nil
        channel.count += 1
        channel.lastMessageSeq = channel.seq + 1
        let count = channel.count
        let salt = UInt32(truncatingIfNeeded: effects.random())
        var messageID: MessageID?
        let (seq, sentAt) = try batch.append(
            to: &channel, sender: sender, author: sender, transID: transID, hash: hash, behind: behind
        ) { seq, sentAt in
            let id = MessageID(sentAt: sentAt, seq: seq, salt: salt)
            messageID = id
            return .messageSent(
                Message(
                    messageID: id, type: MessageType.text.name, text: send.text, senderName: actor.user.name,
                    senderImageURL: actor.user.imageURL, mentions: send.mentions, count: count))
        }
        if channel.kind != .open {
            if behind {
                channel.members[sender]?.own += 1
            } else {
                _ = batch.moveMark(of: sender, in: &channel, to: seq, count: count, own: 0)
            }
        }
        batch.channels[send.channel] = channel
        return Acknowledgement(
            channel: channel.id, seq: seq, messageID: messageID, transID: transID, sentAt: sentAt)
    }

    func announce(
        _ announce: AnnounceMessage, transID: TransID, hash: Int64, _ actor: Actor, in batch: inout Batch,
        _ connection: any SQLConnection
    ) throws -> Outcome {
        guard actor.isOperator else {
            throw WireError(.noPrivilege, "Only an operator can announce. Make a token with: roost token --operator.")
        }
        try TextRules.check(announce.text, limits: configuration.limits)
        guard var channel = try channel(announce.channel, in: &batch, connection) else {
            throw WireError(.channelNotFound)
        }
        channel.count += 1
        channel.lastMessageSeq = channel.seq + 1
        let count = channel.count
        let salt = UInt32(truncatingIfNeeded: effects.random())
        var messageID: MessageID?
        let (seq, sentAt) = try batch.append(
            to: &channel, sender: nil, author: actor.user.userID, transID: transID, hash: hash
        ) { seq, sentAt in
            let id = MessageID(sentAt: sentAt, seq: seq, salt: salt)
            messageID = id
            return .messageAnnounced(Announcement(messageID: id, text: announce.text, count: count))
        }
        batch.channels[channel.id] = channel
        return Outcome(
            acknowledgement: Acknowledgement(
                channel: channel.id, seq: seq, messageID: messageID, transID: transID, sentAt: sentAt),
            needsKeyRow: false)
    }
}

extension Reads {
    /// A page of a channel's log; the stored frames are spliced in as they are.
    func listMessages(_ list: ListMessages, _ actor: Actor) throws -> [UInt8] {
        let limit = list.limit ?? 50
        guard (1...configuration.limits.pageRows).contains(limit) else {
            throw WireError(.dataFormat, "\"limit\" must be 1 to \(configuration.limits.pageRows).")
        }
        let cursors = [list.before, list.after, list.around, list.aroundMessage?.seq].compactMap { $0 }
        guard cursors.count <= 1, cursors.allSatisfy({ $0 >= 0 }) else {
            throw WireError(.dataFormat, "Give at most one of before, after, around and aroundMessage, not negative.")
        }
        let access = try access(to: list.channel, actor.user.userID)
        let floor = access.floorSeq
        let rows: [(seq: Int64, frame: [UInt8])]
        if let after = list.after {
            rows = try page(list.channel, after: max(after, floor), limit: limit)
        } else if let around = list.around ?? list.aroundMessage?.seq {
            let older = try page(list.channel, before: around, floor: floor, limit: limit / 2)
            rows = older + (try page(list.channel, after: max(around - 1, floor), limit: limit - older.count))
            if let wanted = list.aroundMessage {
                let row = rows.first { $0.seq == around }
                guard let row, try WireCodec.decodeEvent(row.frame).messageID == wanted else {
                    throw WireError(.messageNotFound)
                }
            }
        } else {
            rows = try page(list.channel, before: list.before ?? .max, floor: floor, limit: limit)
        }
        // Where an empty page stands, within what the caller may read: a cursor from outside may be any number.
        let edge = min(max(list.after ?? (list.before ?? .max) - 1, floor), access.seq)
        let first = rows.first?.seq ?? edge + 1
        let last = rows.last?.seq ?? edge
        var writer = JSONWriter(capacity: rows.reduce(128) { $0 + $1.frame.count })
        writer.open("{")
        writer.key("events")
        writer.open("[")
        for row in rows { writer.splice(row.frame) }
        writer.close("]")
        writer.key("hasBefore")
        writer.bool(first > floor + 1)
        writer.key("hasAfter")
        writer.bool(last < access.seq)
        writer.key("seq")
        writer.int(access.seq)
        writer.close("}")
        return writer.bytes
    }

    private func page(_ channel: ChannelID, before: Int64, floor: Int64, limit: Int) throws -> [(
        seq: Int64, frame: [UInt8]
    )] {
        guard limit > 0 else { return [] }
        return Self.fitting(
            try connection.rows(
                """
                SELECT seq, frame FROM channel_log WHERE channel = \(channel) AND seq < \(before) AND seq > \(floor)
                ORDER BY seq DESC LIMIT \(limit)
                """
            ) { (try $0.int(0), try $0.blob(1)) }
        ).reversed()
    }

    private func page(_ channel: ChannelID, after: Int64, limit: Int) throws -> [(seq: Int64, frame: [UInt8])] {
        Self.fitting(
            try connection.rows(
                "SELECT seq, frame FROM channel_log WHERE channel = \(channel) AND seq > \(after) ORDER BY seq LIMIT \(limit)"
            ) { (try $0.int(0), try $0.blob(1)) })
    }

    /// The nearest rows that fit 256 KiB together, at least one: a page must never fill a client's whole queue.
    private static func fitting(_ rows: [(seq: Int64, frame: [UInt8])]) -> [(seq: Int64, frame: [UInt8])] {
        var bytes = 0
        let end = rows.dropFirst().firstIndex { row in
            bytes += row.frame.count
            return bytes > 256 * 1_024
        }
        return Array(rows[..<(end ?? rows.endIndex)])
    }
}
