import GRDB
import RoostWire

/// What a client hands to its store, in the order in which it came about.
enum StoreInput: Sendable {
    /// Something to tell the app, after what it changes is stored.
    case event(ClientEvent)
    case state(ConnectionState)
    case user(User)
    case epoch(String)
    /// There is a connection on which what waits goes out, since this time of the server's clock.
    case tried(at: Int64)
    case move(LogKey, LogMove)
    /// This user's marks after catching up, which account for the rows up to the heads.
    case marks([OwnMark], heads: [ChannelID: Int64])
    /// A channel that was asked for because its snapshot was missing or stale.
    case snapshot(Channel, since: Int64)
    /// The answer to a read mark that was set.
    case marked(SetReadMark.Answer)
    /// The end of a wait, once everything before it is stored.
    case finish(@Sendable () -> Void)
}

// What each event changes in the store: one switch.
extension LocalTransaction {
    func apply(_ input: StoreInput) throws {
        switch input {
        case .event(let event):
            try apply(event)
            change.events.append(event)
        case .state(let state): change.state = state
        case .user(let user): try own(user.userID)
        case .epoch(let epoch): try Info.epoch.write(epoch, db)
        case .tried(let time): try noteTried(at: time)
        case .move(let key, let move):
            try self.move(key, move)
            if case .channel(let id) = key {
                try dropAccepted(upTo: move.to, in: id)
                // Rows that are not to be seen count too.
                try edit(id) { record in
                    if let seq = record.snapshot?.seq, seq < move.to { record.snapshot?.seq = move.to }
                }
            }
        case .marks(let marks, let heads): try apply(marks, heads: heads)
        case .snapshot(let channel, let userSeq): try apply(channel, hasAllMembers: true, since: userSeq)
        case .marked(let answer):
            try moveMark(to: answer.mark.seq, in: answer.channel, isConfirmed: true)
        case .finish: break
        }
    }

    private func apply(_ event: ClientEvent) throws {
        switch event {
        case .event(let event, _):
            if let id = event.channel, event.seq != nil {
                try append(event, in: id)
            } else if let userSeq = event.userSeq {
                if case .user(let body) = event.body { try apply(body, at: userSeq) }
            } else if case .ephemeral(.readMarkMoved(let moved)) = event.body, let id = event.channel {
                try move(moved, in: id)
            }
        case .reset(let reset): try apply(reset)
        case .left(let id): try remove(id)
        case .sent(let message): try accept(message)
        case .sendFailed(let send): try fail(send)
        case .channelUpdated(let id):
            if try record(id).snapshot == nil { want(id) }
        case .mentioned, .backlogDelivered, .readMarks, .connected, .disconnected, .catchingUp, .lagged: break
        }
    }

    private func apply(_ reset: Reset) throws {
        guard let id = reset.channel else { return try applyToUserLog(reset) }
        switch reset.reason {
        case .gone: break  // `left` follows.
        case .tooFar:
            try edit(id) { $0.position = reset.seq }
            change.rows[id, default: .init()].isInterrupted = true
            want(id)
        case .epoch, .ahead:
            // The numbers belong to other rows now: what was noted under them means nothing.
            for table in ["rows", "deletions", "members"] {
                try db.cachedStatement(sql: "DELETE FROM \(table) WHERE channel = ?").execute(arguments: [id.rawValue])
            }
            try db.cachedStatement(sql: "DELETE FROM sends WHERE channel = ? AND seq IS NOT NULL")
                .execute(arguments: [id.rawValue])
            queueChanged(in: id)
            change.members.insert(id)
            try edit(id) { record in
                record.stretches = []
                // Where it goes on is told by the next move; until then rows do not follow each other.
                record.position = nil
                record.floor = 0
                record.purgedTo = nil
                record.userSeq = 0
                record.staleSeq = nil
                record.hiddenTo = min(record.hiddenTo, reset.seq)
                record.newestPiece = nil
                record.pendingMark = nil
                record.snapshot?.lastMessage = nil
                record.snapshot?.seq = 0
                record.snapshot?.readSeq = 0
            }
            change.rows[id, default: .init()].isVoid = true
            want(id)
        }
    }

    /// The user's own log starts anew.
    private func applyToUserLog(_ reset: Reset) throws {
        switch reset.reason {
        case .gone: break
        case .epoch, .ahead:
            // What was noted of its rows is of another one.
            for id in try channelIDs() {
                try edit(id) { record in
                    record.userSeq = 0
                    // A channel that is only cached has no reset of its own.
                    guard record.position == nil else { return }
                    record.staleSeq = nil
                    record.snapshot?.seq = 0
                }
            }
        case .tooFar:
            hasLostOwnRows = true
            // Which of the rows here the user has deleted meanwhile, nobody tells any more.
            try db.cachedStatement(sql: "DELETE FROM rows").execute()
            for id in try channelIDs() {
                try edit(id) { record in
                    record.stretches = []
                    record.userSeq = max(record.userSeq, reset.seq)
                    record.isHiddenUnknown = true
                }
                // What this commit has brought before is void, too.
                change.rows[id] = LocalChange.Rows()
                change.rows[id]?.isVoid = true
                want(id)
            }
        }
    }

    /// Puts in the row that follows all that are known.
    private func append(_ event: Event, in id: ChannelID) throws {
        let isShown = try insert(event, record(id))
        if isShown { change.rows[id, default: .init()].appended.append(event) }
        try edit(id) { record in
            if let seq = event.seq, let position = record.position, seq > position {
                record.move(LogMove(from: position, to: seq))
            }
        }
        try changeOthers(by: event, in: id)
        try update(id, with: event, isShown: isShown)
        if case .channel(.channelPurged(let purged)) = event.body { try purge(id, to: purged.upTo) }
        if case .channel(.messageRecalled(let recalled)) = event.body {
            let last = try record(id).snapshot?.lastMessage?.seq
            if recalled.messages.contains(where: { $0.seq == last }) { try settleLast(in: id) }
            if recalled.messages.contains(where: \.wasCounted) { try settleUnread(in: id) }
        }
    }

    /// A row of the user's own log.
    private func apply(_ body: UserRowBody, at userSeq: Int64) throws {
        func touch(_ id: ChannelID, _ body: (inout ChannelRecord) -> Void = { _ in }) throws {
            try edit(id) { record in
                record.userSeq = max(record.userSeq, userSeq)
                body(&record)
            }
            change.channels.insert(id)
        }
        switch body {
        case .channelJoined(let joined):
            try touch(joined.channel) { $0.hiddenTo = joined.isHidden ? joined.fromSeq : -1 }
            want(joined.channel)
        case .channelLeft(let left): try remove(left.channel)
        case .channelDismissed(let dismissed): try remove(dismissed.channel)
        case .channelHidden(let hidden):
            for position in hidden.channels { try touch(position.channel) { $0.hiddenTo = position.seq } }
        case .channelEnded(let ended):
            for position in ended.channels {
                try touch(position.channel) { $0.hiddenTo = position.seq }
                try clear(position)
            }
        case .channelCleared(let cleared):
            for position in cleared.channels {
                try touch(position.channel)
                try keepListed(position.channel)
                try clear(position)
            }
        case .messageDeleted(let deleted):
            try touch(deleted.channel)
            let last = try record(deleted.channel).snapshot?.lastMessage?.seq
            if deleted.messages.contains(where: { $0.seq == last }) { try keepListed(deleted.channel) }
            try delete(deleted.messages.map(\.seq), in: deleted.channel)
            if deleted.messages.contains(where: { $0.seq == last }) { try settleLast(in: deleted.channel) }
            try settleUnread(in: deleted.channel)
        case .channelPreferenceChanged(let changed):
            try touch(changed.channel) { record in
                record.snapshot?.preference = changed.preference == ChannelPreference() ? nil : changed.preference
            }
        case .channelUnreadMarked(let marked):
            try touch(marked.channel) { $0.snapshot?.isMarkedUnread = marked.isMarkedUnread ? true : nil }
        case .channelInvited, .userBlocked, .userUnblocked, .scheduleCreated, .scheduleChanged, .scheduleCancelled,
            .scheduleSent:
            break
        }
    }

    /// That its last message goes does not hide a channel that a message has brought back.
    func keepListed(_ id: ChannelID) throws {
        if try record(id).isListed { try edit(id) { $0.hiddenTo = -1 } }
    }

    private func clear(_ position: ChannelPosition) throws {
        try clear(position.channel, to: position.seq)
        // Deleting a whole channel reads it too.
        try moveMark(to: position.seq, in: position.channel, isConfirmed: true)
        try settleUnread(in: position.channel)
    }
}
