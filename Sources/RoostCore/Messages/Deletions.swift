import RoostWire

extension Transaction {
    mutating func delete(_ delete: DeleteMessages) throws -> Outcome {
        try delete.check(limits: configuration.limits)
        try flush()
        let me = try me
        var results: [MessageResult] = []
        switch delete.scope {
        case .messages, .channel:
            guard let id = delete.channel, let channel = try channel(id) else { throw WireError(.channelNotFound) }
            guard channel.kind != .open else {
                throw WireError(.channelTypeMismatch, "Nothing can be deleted from an open channel.")
            }
            _ = try member(me, of: channel)
            if let ids = delete.messageIDs {
                results = try deleteMessages(ids, in: channel)
            } else {
                try clear([id], isAll: false)
            }
        case .everything:
            let ids = try nextChannels()
            try clear(ids, isAll: !needsAnotherTurn)
        }
        // Later commands of this batch must see the deletions.
        try flush()
        return try Outcome(
            answer: MessageResults(
                acknowledgement: Acknowledgement(
                    channel: delete.channel, transID: try transID, sentAt: .init(milliseconds: batch.now)),
                results: results))
    }

    private static let deletions = Upsert("deletions", ["channel", "user_id", "seq", "is_counted"])

    private mutating func deleteMessages(_ ids: [MessageID], in channel: ChannelState) throws -> [MessageResult] {
        let user = try me
        let rows = try logRows(ids, in: channel, for: user)
        guard !rows.isEmpty else { throw WireError(.messageNotFound) }
        try load(users: [user])
        guard var member = channel.members[user] else { throw WireError(.notMember) }
        for row in rows.values {
            let isCounted = row.flags.contains(.counted)
            batch.put(
                [.text(channel.id.rawValue), .text(user.rawValue), .int(row.seq), SQLValue(isCounted)],
                Self.deletions)
            // Recalled messages and the user's own are already excluded from the unread count.
            let isLeftOut = row.flags.contains(.recalled) || row.behind == 1 && row.author == user.rawValue
            if isCounted, !isLeftOut, row.seq > member.markSeq { member.own += 1 }
        }
        batch.channels[channel.id]?.members[user] = member
        batch.changedChannels.insert(channel.id)
        batch.touch(MemberKey(channel: channel.id, user: user))
        let deleted = rows.map { DeletedMessage(messageID: $0, seq: $1.seq) }.sorted { $0.seq < $1.seq }
        try append(
            to: user,
            body: .messageDeleted(
                MessagesDeleted(channel: channel.id, messages: deleted, unread: channel.unread(of: member))))
        return ids.map { MessageResult(messageID: $0, code: rows[$0] == nil ? ErrorCode.messageNotFound.code : 0) }
    }

    /// Removes everything in channels so far from the caller's view.
    private mutating func clear(_ ids: [ChannelID], isAll: Bool) throws {
        let user = try me
        try load(users: [user])
        var positions: [ChannelPosition] = []
        for id in ids {
            guard var channel = try channel(id), channel.members[user] != nil else { continue }
            clear(&channel, for: user)
            batch.channels[id] = channel
            try markUnread(false, id)
            positions.append(ChannelPosition(channel: id, seq: channel.seq))
        }
        try append(to: user, body: .channelCleared(ChannelsHidden(channels: positions, isAll: isAll)))
    }
}
