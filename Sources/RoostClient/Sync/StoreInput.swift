import GRDB
import RoostWire

/// An input of the store, in the order in which the client received it.
enum StoreInput: Sendable {
    /// An event for the app, sent after its changes are stored.
    case event(ClientEvent)
    case state(ConnectionState)
    case user(User)
    case epoch(String)
    /// There is a connection on which waiting sends go out, since this time of the server's clock.
    case tried(at: Int64)
    case move(LogKey, LogMove)
    /// This user's read marks after catching up, which include the rows up to the heads.
    case marks([OwnMark], heads: [ChannelID: Int64])
    /// A channel that was read because its snapshot was missing or stale.
    case snapshot(Channel, since: Int64)
    /// The answer to a command that set a read mark.
    case marked(SetReadMark.Answer)
    /// A callback for when everything before it is stored.
    case finish(@Sendable () -> Void)
}

// The changes of the store for each event.
extension LocalTransaction {
    func apply(_ input: StoreInput) throws {
        switch input {
        case .event(let event):
            try apply(event)
            change.events.append(event)
        case .state(let state): change.state = state
        case .user(let user): try setOwner(user.userID)
        case .epoch(let epoch): try Info.epoch.write(epoch, db)
        case .tried(let time): try noteTried(at: time)
        case .move(let key, let move):
            try self.move(key, move)
            if case .channel(let id) = key {
                try dropAccepted(upTo: move.to, in: id)
                // Rows that are not shown count too.
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
                if case .user(let body) = event.body { try apply(body, at: userSeq, event.$sentAt ?? 0) }
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
            // What has changed the stored rows and members is among the rows that do not come.
            for table in ["rows", "members"] {
                try db.cachedStatement(sql: "DELETE FROM \(table) WHERE channel = ?").execute(arguments: [id.rawValue])
            }
            change.members.insert(id)
            try edit(id) { record in
                record.stretches = []
                record.position = reset.seq
            }
            change.rows[id, default: .init()].isInterrupted = true
            want(id)
        case .epoch, .ahead:
            // The row numbers belong to other rows now, so everything stored for them is invalid.
            for table in ["rows", "deletions", "members"] {
                try db.cachedStatement(sql: "DELETE FROM \(table) WHERE channel = ?").execute(arguments: [id.rawValue])
            }
            try db.cachedStatement(sql: "DELETE FROM sends WHERE channel = ? AND seq IS NOT NULL")
                .execute(arguments: [id.rawValue])
            queueChanged(in: id)
            change.members.insert(id)
            try edit(id) { record in
                record.stretches = []
                // The next move sets the position; until then rows are not consecutive.
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

    /// The user's log is reset.
    private func applyToUserLog(_ reset: Reset) throws {
        switch reset.reason {
        case .gone: break
        case .epoch, .ahead:
            // The log moves of its rows belong to the previous log.
            for id in try channelIDs() {
                try edit(id) { record in
                    record.userSeq = 0
                    // A channel that is only cached has no reset.
                    guard record.position == nil else { return }
                    record.staleSeq = nil
                    record.snapshot?.seq = 0
                }
            }
        case .tooFar:
            hasLostOwnRows = true
            // No event says which of the stored rows the user has deleted meanwhile.
            try db.cachedStatement(sql: "DELETE FROM rows").execute()
            for id in try channelIDs() {
                try edit(id) { record in
                    record.stretches = []
                    record.userSeq = max(record.userSeq, reset.seq)
                    record.isHiddenUnknown = true
                }
                // The changes earlier in this commit are invalid too.
                change.rows[id] = LocalChange.Rows()
                change.rows[id]?.isVoid = true
                want(id)
            }
        }
    }

    /// Inserts a row that follows all known rows.
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
            let record = try record(id)
            let last = record.snapshot?.lastMessage
            // It may quote one of them, too.
            let parent = last?.message?.replyTo?.messageID
            if recalled.messages.contains(where: { $0.seq == last?.seq || $0.messageID == parent }) {
                try settleLast(in: id)
            }
            if recalled.messages.contains(where: { $0.wasCounted && $0.seq > record.mark }) { try settleUnread(in: id) }
            // Without its last message, a channel that was hidden before it is hidden again; only the server knows.
            if recalled.isSilent, recalled.messages.contains(where: { $0.seq >= last?.seq ?? 0 }) { want(id) }
        }
    }

    /// Applies a row of the user's log.
    private func apply(_ body: UserRowBody, at userSeq: Int64, _ sentAt: Int64) throws {
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
        case .userProfileChanged(let changed): try changeMembers(by: changed, at: sentAt)
        case .channelInvited, .userBlocked, .userUnblocked, .userSettingsChanged, .scheduleCreated, .scheduleChanged,
            .scheduleCancelled, .scheduleSent:
            break
        }
    }

    /// The deletion of its last message does not hide a channel that a message has made visible.
    func keepListed(_ id: ChannelID) throws {
        if try record(id).isListed { try edit(id) { $0.hiddenTo = -1 } }
    }

    private func clear(_ position: ChannelPosition) throws {
        // Rows that are missing below it never come, and they may have changed title, settings and members.
        if let known = try record(position.channel).position, known < position.seq {
            want(position.channel)
            try edit(position.channel) { $0.staleSeq = max($0.staleSeq ?? 0, position.seq) }
        }
        try clear(position.channel, to: position.seq)
        // Deleting a whole channel also marks it as read.
        try moveMark(to: position.seq, in: position.channel, isConfirmed: true)
        try settleUnread(in: position.channel)
    }
}
