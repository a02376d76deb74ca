import RoostWire

extension Writer {
    func delete(
        _ delete: DeleteMessages, transID: TransID, _ actor: Actor, in batch: inout Batch,
        _ connection: any SQLConnection
    ) throws -> Outcome {
        try delete.check(limits: configuration.limits)
        try batch.flush(to: connection)
        let me = actor.user.userID
        var results: [MessageResult] = []
        switch delete.scope {
        case .messages, .channel:
            guard let id = delete.channel, let channel = try channel(id, in: &batch, connection) else {
                throw WireError(.channelNotFound)
            }
            guard channel.kind != .open else {
                throw WireError(.channelTypeMismatch, "Nothing can be deleted from an open channel.")
            }
            _ = try member(me, of: channel, &batch, connection)
            if let ids = delete.messageIDs {
                results = try deleteMessages(ids, in: channel, transID, me, &batch, connection)
            } else {
                try clear([id], isAll: false, transID, me, &batch, connection)
            }
        case .everything:
            let ids = try memberships(of: me, &batch, connection)
            try load(Set(ids.filter { batch.channels[$0] == nil }), into: &batch, connection)
            try clear(ids, isAll: true, transID, me, &batch, connection)
        }
        // A later command of this batch must find them deleted.
        try batch.flush(to: connection)
        return try Outcome(
            answer: MessageResults(
                acknowledgement: Acknowledgement(channel: delete.channel, transID: transID, sentAt: batch.now),
                results: results))
    }

    private static let deletions = Upsert("deletions", ["channel", "user_id", "seq", "is_counted"])

    private func deleteMessages(
        _ ids: [MessageID], in channel: ChannelState, _ transID: TransID, _ user: UserID, _ batch: inout Batch,
        _ connection: any SQLConnection
    ) throws -> [MessageResult] {
        let rows = try logRows(ids, in: channel, for: user, connection)
        guard !rows.isEmpty else { throw WireError(.messageNotFound) }
        try load(users: [user], into: &batch, connection)
        guard var member = channel.members[user] else { throw WireError(.notMember) }
        for row in rows.values {
            let isCounted = row.flags.contains(.counted)
            batch.put(
                [.text(channel.id.rawValue), .text(user.rawValue), .int(row.seq), SQLValue(isCounted)],
                Self.deletions)
            // One that was recalled, or is the user's own, is left out of the unread count already.
            let isLeftOut = row.flags.contains(.recalled) || row.behind == 1 && row.author == user.rawValue
            if isCounted, !isLeftOut, row.seq > member.markSeq { member.own += 1 }
        }
        batch.channels[channel.id]?.members[user] = member
        batch.changedChannels.insert(channel.id)
        batch.touch(MemberKey(channel: channel.id, user: user))
        let deleted = rows.map { DeletedMessage(messageID: $0, seq: $1.seq) }.sorted { $0.seq < $1.seq }
        try batch.append(
            to: user, sender: user, transID: transID,
            body: .messageDeleted(
                MessagesDeleted(channel: channel.id, messages: deleted, unread: channel.unread(of: member))))
        return ids.map { MessageResult(messageID: $0, code: rows[$0] == nil ? ErrorCode.messageNotFound.code : 0) }
    }

    /// Takes everything in channels up to now from a user's view.
    private func clear(
        _ ids: [ChannelID], isAll: Bool, _ transID: TransID, _ user: UserID, _ batch: inout Batch,
        _ connection: any SQLConnection
    ) throws {
        try load(users: [user], into: &batch, connection)
        var positions: [ChannelPosition] = []
        for id in ids {
            guard var channel = try channel(id, in: &batch, connection), channel.members[user] != nil else { continue }
            clear(&channel, for: user, &batch)
            batch.channels[id] = channel
            positions.append(ChannelPosition(channel: id, seq: channel.seq))
        }
        try batch.append(
            to: user, sender: user, transID: transID,
            body: .channelCleared(ChannelsHidden(channels: positions, isAll: isAll)))
    }
}
