import RoostWire

/// The author of a message that is about to be sent.
private struct Author {
    /// The user as the channel shows it.
    var shown: User
    /// Whether the user has unread messages there, so that the new message counts above the user's read mark.
    var isBehind = false
    /// Whether the user has written nothing there since another user gave the membership.
    var isGiven = false
}

/// A message that is about to be sent, without its id.
private struct MessageDraft {
    var content: MessageContent
    var author: User
    var parent: ReplySnapshot?
    var isForwarded: Bool
    /// The random part of the id.
    var salt: UInt32

    func id(sentAt: Int64, seq: Int64) -> MessageID { MessageID(sentAt: sentAt, seq: seq, salt: salt) }

    func message(_ id: MessageID, count: Int64, isEncrypted: Bool? = nil) -> Message {
        Message(
            messageID: id, content: content, senderName: author.name, senderImageURL: author.imageURL, count: count,
            replyTo: parent, isForwarded: isForwarded ? true : nil, isEncrypted: isEncrypted)
    }
}

extension Transaction {
    /// Sends one message. Everything is checked before any value changes, so a refusal needs no rollback.
    mutating func send(_ send: SendMessage, as context: SendContext = SendContext()) throws -> Acknowledgement {
        let sender = try me
        var send = send
        if !context.isChecked { try MessageRules.check(send, limits: configuration.limits) }
        if !context.hasCompleteFiles { send.content = try completingFiles(of: send.content) }
        if let after = send.after { try checkIsKnown(after, of: sender) }
        var channel = try channel(for: send)
        let registered = send.type.map { MessageType.named($0) ?? .text } ?? .text
        if registered.isOfCall, batch.features.logins.restrictions[sender]?.cannotCall == true {
            throw WireError(.noPrivilege, "An operator has not allowed this user to call.")
        }
        let behaviour = registered.behaviour(attributes: send.attributes)
        let author = try author(of: send, behaviour, in: channel)
        let parent = try send.replyTo.map { try snapshot(of: $0, in: channel, for: sender) }
        let draft = MessageDraft(
            content: send.content, author: author.shown, parent: parent, isForwarded: context.isForwarded,
            salt: UInt32(truncatingIfNeeded: effects.random()))
        // No errors are thrown from here on.
        guard behaviour.isStored else { return try relay(draft, behaviour, in: channel, context) }
        // The value is removed from the batch while it changes, so that its members are not copied.
        batch.channels[send.channel] = nil
        if behaviour.countsAsUnread { channel.count += 1 }
        if behaviour.isLastMessage { channel.lastMessageSeq = channel.seq + 1 }
        let (count, isEncrypted) = (channel.count, encryptedFlag)
        var messageID: MessageID?
        let (seq, sentAt) = try append(
            to: &channel,
            as: RowTraits(
                holdsKey: context.holdsKey, isBehind: author.isBehind, flags: behaviour.countsAsUnread ? .counted : [],
                category: send.category)
        ) { seq, sentAt in
            let id = draft.id(sentAt: sentAt, seq: seq)
            messageID = id
            return .messageSent(draft.message(id, count: count, isEncrypted: isEncrypted))
        }
        if channel.kind != .open { try noteSent(send.mentions, behaviour, by: author, seq, in: &channel) }
        if let parent {
            batch.put([.text(channel.id.rawValue), .int(parent.seq), .int(seq)], Self.replies)
        }
        batch.channels[send.channel] = channel
        batch.endTypingBySending(sender, try actor.session, in: channel.id)
        return Acknowledgement(
            channel: channel.id, seq: seq, messageID: messageID, transID: try transID,
            sentAt: .init(milliseconds: sentAt))
    }

    /// Checks that the command before a send was accepted.
    /// - Throws: `WireError` 7004.
    private func checkIsKnown(_ transID: TransID, of sender: UserID) throws(WireError) {
        let key = CommandKey(user: sender, transID: transID)
        guard batch.known[key] != nil || batch.accepted.contains(key) else {
            throw WireError(
                .orderBroken,
                "The preceding send is not known. Send it again first; if it was acknowledged, omit \"after\".")
        }
    }

    /// Checks that the caller may send a message to a channel.
    private func author(
        of send: SendMessage, _ behaviour: MessageBehaviour, in channel: ChannelState
    ) throws -> Author {
        let user = try actor.user
        guard channel.kind != .open else { return Author(shown: user) }
        let member = try member(user.userID, of: channel)
        try check(send.kind, of: channel)
        if channel.kind.isNews { throw WireError(.noPrivilege, "Only an operator can publish news.") }
        if channel.isBlocked(user.userID) { throw WireError(.blocked, "This user does not want to hear from you.") }
        for mention in send.mentions ?? [] where channel.members[mention.userID] == nil {
            throw WireError(.notAllMembers, "\"\(mention.userID)\" is mentioned but is not a member.")
        }
        return Author(
            shown: member.shown(user), isBehind: behaviour.countsAsUnread && channel.unread(of: member) > 0,
            isGiven: member.flags.contains(.given))
    }

    /// Hands a message that is not stored to connected clients and to push services.
    private mutating func relay(
        _ draft: MessageDraft, _ behaviour: MessageBehaviour, in channel: ChannelState, _ context: SendContext
    ) throws -> Acknowledgement {
        let (sender, transID) = (try me, try transID)
        let sentAt = max(channel.lastSentAt, batch.now)
        let message = draft.message(draft.id(sentAt: sentAt, seq: 0), count: channel.count)
        let answer = Acknowledgement(
            channel: channel.id, messageID: message.messageID, transID: transID, sentAt: .init(milliseconds: sentAt))
        // A message that is only for a push is not delivered to connected clients.
        if behaviour.isRealtime {
            let event = Event(
                channel: channel.id, senderID: sender, transID: transID, sentAt: .init(milliseconds: sentAt),
                body: .ephemeral(.messageRelayed(message)))
            let frame = try WireCodec.encode(event)
            batch.deliveries.append(.event(frame, to: .channel(channel.id), after: channel.seq))
            batch.features.elsewhere.relayed.append(
                CommitRecord.Relayed(
                    channel: channel.id, after: channel.seq, event: String(decoding: frame, as: UTF8.self)))
        }
        if channel.kind != .open, behaviour.isPushed { try notePush(of: message, channel.id, sentAt) }
        if context.holdsKey, let hash = command?.hash {
            batch.keyRows.append([
                .text(sender.rawValue), .text(transID.rawValue), .int(hash), .int(batch.now),
                .content(WireCodec.encode(answer)),
            ])
        }
        return answer
    }

    /// Changes what a stored message of a member changes: the member's read mark, mentions, and who gave the membership.
    private mutating func noteSent(
        _ mentions: [Mention]?, _ behaviour: MessageBehaviour, by author: Author, _ seq: Int64,
        in channel: inout ChannelState
    ) throws {
        let sender = author.shown.userID
        if author.isBehind {
            channel.members[sender]?.own += 1
        } else if behaviour.countsAsUnread || channel.members[sender].map(channel.unread(of:)) == 0 {
            moveMark(of: sender, in: &channel, toOwn: seq)
        }
        if behaviour.countsAsUnread { try note(mentions, in: channel.id, seq) }
        if author.isGiven {
            channel.members[sender]?.flags.remove(.given)
            batch.changedMembers.insert(MemberKey(channel: channel.id, user: sender))
        }
    }

    private static let mentions = Upsert("mentions", ["channel", "user_id", "seq"])
    private static let replies = Upsert("replies", ["channel", "parent_seq", "seq"])

    /// The channel of a send. An open channel is created only if the send cannot be refused any more.
    private mutating func channel(for send: SendMessage) throws -> ChannelState {
        if send.hasOnlyText || send.kind ?? .open == .open && send.replyTo == nil {
            return try existingOrOpened(send.channel)
        }
        guard let channel = try channel(send.channel) else { throw WireError(.channelNotFound) }
        if channel.kind == .open { try check(send.kind, of: channel) }
        return channel
    }

    private func check(_ kind: ChannelKind?, of channel: ChannelState) throws(WireError) {
        guard kind ?? channel.kind == channel.kind else {
            throw WireError(
                .channelTypeMismatch, field: "kind",
                "The kind of this channel is \"\(channel.kind.rawValue)\". Use that, or omit \"kind\".")
        }
    }

    /// Records the mentions of a message that counts as unread, so that unread mentions can be counted.
    private mutating func note(_ mentions: [Mention]?, in channel: ChannelID, _ seq: Int64) throws {
        let me = try me
        for mention in mentions ?? [] where mention.userID != me {
            batch.put([.text(channel.rawValue), .text(mention.userID.rawValue), .int(seq)], Self.mentions)
        }
    }

    /// The snapshot of a message for a reply to it.
    /// - Throws: `WireError` 1118.
    private func snapshot(
        of id: MessageID, in channel: ChannelState, for user: UserID
    ) throws -> ReplySnapshot {
        let (event, flags) = try message(id, of: channel, for: user)
        guard !flags.contains(.recalled), let snapshot = ReplySnapshot(of: event) else {
            throw WireError(.messageNotFound, "The message to reply to was recalled.")
        }
        return channel.isHidden(snapshot.seq) ? snapshot.withoutContent() : snapshot
    }

    /// Returns a message that a user may read, including changes of this batch.
    /// - Throws: `WireError` 1118.
    func message(
        _ id: MessageID, of channel: ChannelState, for user: UserID
    ) throws -> (event: Event, flags: RowFlags) {
        guard id.seq > channel.floor(of: user) else { throw WireError(.messageNotFound) }
        // Unwritten rows cannot have been recalled or deleted, because those commands flush.
        if let row = batch.channelRows.last(where: { $0[1] == .int(id.seq) && $0[0] == .text(channel.id.rawValue) }) {
            guard case .content(let frame)? = row.last else { throw WireError(.internalFault) }
            let event = try WireCodec.decodeEvent(frame)
            guard event.messageID == id else { throw WireError(.messageNotFound) }
            return (event, [])
        }
        let found = try connection.rows(
            """
            SELECT l.frame, l.flags FROM channel_log l WHERE l.channel = \(channel.id) AND l.seq = \(id.seq)
            AND \(Reads.isVisible(to: user, in: channel.id))
            """
        ) { (event: try $0.event(0, of: channel.id, id.seq), flags: RowFlags(rawValue: try $0.int(1))) }.first
        guard let found, found.event.messageID == id else { throw WireError(.messageNotFound) }
        return found
    }

    mutating func announce(_ announce: AnnounceMessage) throws -> Outcome {
        let actor = try actor
        guard actor.isOperator else {
            throw WireError(.noPrivilege, "Only an operator can announce. Create a token with: roost token --operator.")
        }
        try TextRules.check(announce.text, limits: configuration.limits)
        guard var channel = try channelForAnyUser(announce.channel) else { throw WireError(.channelNotFound) }
        channel.count += 1
        channel.lastMessageSeq = channel.seq + 1
        let (count, isEncrypted) = (channel.count, encryptedFlag)
        let salt = UInt32(truncatingIfNeeded: effects.random())
        var messageID: MessageID?
        let (seq, sentAt) = try append(to: &channel, as: RowTraits(names: .author, flags: .counted)) { seq, sentAt in
            let id = MessageID(sentAt: sentAt, seq: seq, salt: salt)
            messageID = id
            return .messageAnnounced(
                Announcement(messageID: id, text: announce.text, count: count, isEncrypted: isEncrypted))
        }
        batch.channels[channel.id] = channel
        return Outcome(
            acknowledgement: Acknowledgement(
                channel: channel.id, seq: seq, messageID: messageID, transID: try transID,
                sentAt: .init(milliseconds: sentAt)),
            needsKeyRow: false)
    }
}

extension Reads {
    /// Returns a page of a channel's log; stored frames are inserted unchanged.
    func listMessages(_ list: ListMessages) throws -> [UInt8] {
        let limit = list.limit ?? 50
        guard (1...configuration.limits.pageRows).contains(limit) else {
            throw WireError(
                .dataFormat, field: "limit", "\"limit\" must be 1 to \(configuration.limits.pageRows).")
        }
        let cursors = [
            ("before", list.before), ("after", list.after), ("around", list.around),
            ("aroundMessage", list.aroundMessage?.seq),
        ].compactMap { name, seq in seq.map { (name: name, seq: $0) } }
        guard cursors.count <= 1 else {
            throw WireError(
                .dataFormat, field: cursors[1].name,
                "Give at most one of \"before\", \"after\", \"around\" and \"aroundMessage\".")
        }
        if let cursor = cursors.first, cursor.seq < 0 {
            throw WireError(.dataFormat, field: cursor.name, "\"\(cursor.name)\" cannot be negative.")
        }
        let access = try access(to: list.channel)
        let window =
            if let after = list.after {
                LogWindow(place: min(after, access.seq) + 1, newer: limit)
            } else if let around = list.around ?? list.aroundMessage?.seq {
                LogWindow(place: around, older: limit / 2, newer: limit)
            } else {
                LogWindow(place: list.before ?? .max, older: limit)
            }
        let page = try logPage(of: list.channel, window, access, most: limit, onlyShown: list.onlyShown == true)
        if let wanted = list.aroundMessage {
            guard let row = page.newer.rows.first, row.seq == wanted.seq,
                try WireCodec.decodeEvent(row.frame).messageID == wanted
            else { throw WireError(.messageNotFound) }
        }
        return page.answer(window, head: access.seq)
    }

    /// The condition for the rows `l` of a channel's log that a user may see: not recalled silently, and not deleted
    /// by the user.
    ///
    /// Whether the user has deleted anything in the channel is checked once; only then is each row checked.
    static func isVisible(to user: UserID, in channel: ChannelID) -> Query {
        isVisible(to: user, inChannel: "\(channel)")
    }

    /// The same, with the channel as an SQL expression.
    static func isVisible(to user: UserID, inChannel channel: Query) -> Query {
        """
        \(RowFlags.isShown("l.flags")) AND (NOT EXISTS (SELECT 1 FROM deletions x WHERE x.channel = \(channel) AND x.user_id = \(user))
            OR NOT EXISTS (SELECT 1 FROM deletions x
                WHERE x.channel = \(channel) AND x.user_id = \(user) AND x.seq = l.seq))
        """
    }
}
