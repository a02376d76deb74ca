import RoostWire

extension Writer {
    func setReadMark(
        _ set: SetReadMark, _ actor: Actor, in batch: inout Batch, _ connection: any SQLConnection
    ) throws -> [UInt8] {
        let me = actor.user.userID
        guard var channel = try channel(set.channel, in: &batch, connection) else {
            throw WireError(.channelNotFound)
        }
        guard channel.kind != .open else {
            throw WireError(.channelTypeMismatch, "An open channel has no read marks.")
        }
        let member = try member(me, of: channel, &batch, connection)
        let seq = min(set.seq ?? channel.seq, channel.seq)
        guard seq >= 0 else { throw WireError(.dataFormat, "\"seq\" cannot be negative.") }
        if seq > member.markSeq {
            let place = try place(of: me, in: channel, at: seq, &batch, connection)
            batch.channels[channel.id] = nil
            if batch.moveMark(of: me, in: &channel, to: seq, count: place.count, own: place.own) {
                batch.movedMarks[channel.id, default: [:]][me] = ReadMark(
                    userID: me, seq: seq, count: place.count, readAt: batch.now)
            }
            batch.channels[channel.id] = channel
        }
        guard let now = channel.members[me] else { throw WireError(.notMember) }
        return try WireCodec.encode(
            SetReadMark.Answer(
                channel: channel.id,
                mark: ReadMark(userID: me, seq: now.markSeq, count: now.markCount, readAt: now.markAt),
                unread: channel.unread(of: now)))
    }

    /// How many messages count up to a row, and how many own ones lie above it.
    private func place(
        of user: UserID, in channel: ChannelState, at seq: Int64, _ batch: inout Batch,
        _ connection: any SQLConnection
    ) throws -> (count: Int64, own: Int64) {
        if seq == channel.seq { return (channel.count, 0) }
        try batch.flush(to: connection)
        let count = try connection.rows(
            "SELECT count FROM channel_log WHERE channel = \(channel.id) AND seq = \(seq)"
        ) { try $0.int(0) }
        let own = try connection.rows(
            """
            SELECT COUNT(*) FROM channel_log
            WHERE channel = \(channel.id) AND sender = \(user) AND seq > \(seq) AND behind = 1
            """
        ) { try $0.int(0) }
        return (count.first ?? 0, own.first ?? 0)
    }

    /// Tells a channel which marks moved since the last time.
    func announce(_ marks: [UserID: ReadMark], in id: ChannelID, _ batch: inout Batch) throws {
        let members = channels[id]?.members.count ?? .max
        let sorted = marks.values.sorted { $0.userID < $1.userID }
        if members <= 50 {
            try batch.notify(
                .channel(id), channel: id, body: .readMarkMoved(ReadMarksMoved(marks: sorted, moved: sorted.count)))
            return
        }
        for mark in sorted {
            try batch.notify(
                .user(mark.userID), channel: id, body: .readMarkMoved(ReadMarksMoved(marks: [mark], moved: 1)))
        }
        try batch.notify(
            .channel(id), channel: id, body: .readMarkMoved(ReadMarksMoved(marks: [], moved: sorted.count)))
    }
}

/// Read marks that wait to be announced: at once when a channel was quiet, else together after the interval.
struct MarkAnnouncements {
    private struct Waiting {
        var marks: [UserID: ReadMark] = [:]
        var lastAt: Int64 = .min
    }

    private var channels: [ChannelID: Waiting] = [:]
    /// When the next announcement is due, ms since 1970.
    private(set) var nextDue: Int64?

    mutating func add(_ moved: [ChannelID: [UserID: ReadMark]]) {
        for (channel, marks) in moved {
            channels[channel, default: Waiting()].marks.merge(marks) { _, new in new }
            nextDue = .min
        }
    }

    /// Takes what is due, and forgets channels that have been quiet for an interval.
    mutating func takeDue(now: Int64, interval: Int64, all: Bool) -> [(ChannelID, [UserID: ReadMark])] {
        guard let due = nextDue, all || due <= now else { return [] }
        var taken: [(ChannelID, [UserID: ReadMark])] = []
        nextDue = nil
        for (channel, waiting) in channels {
            let ready = waiting.lastAt.addingReportingOverflow(interval)
            // A clock that was set back must not hold announcements up.
            let isReady = all || ready.overflow || ready.partialValue <= now || waiting.lastAt > now
            if waiting.marks.isEmpty {
                if isReady { channels[channel] = nil }
            } else if isReady {
                taken.append((channel, waiting.marks))
                channels[channel] = Waiting(lastAt: now)
            } else {
                nextDue = min(nextDue ?? .max, ready.partialValue)
            }
        }
        return taken
    }
}

extension Reads {
    func getUnread(_ actor: Actor) throws -> [UInt8] {
        let rows = try channels(of: actor.user.userID)
        let unread = rows.filter { $0.unread > 0 }.map { ChannelUnread(channel: $0.channel, unread: $0.unread) }
        return try WireCodec.encode(
            GetUnread.Answer(
                total: unread.reduce(0) { $0 + $1.unread }, channels: unread.sorted { $0.channel < $1.channel }))
    }
}
