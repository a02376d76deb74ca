import Logging
import RoostWire

extension Transaction {
    mutating func setReadMark(_ set: SetReadMark) throws -> [UInt8] {
        let me = try me
        let named = [("seq", set.seq != nil), ("messageID", set.messageID != nil), ("time", set.time != nil)]
            .filter(\.1).map(\.0)
        guard named.count <= 1 else {
            throw WireError(
                .dataFormat, field: named[1], "Give at most one of \"seq\", \"messageID\" and \"time\".")
        }
        guard set.seq ?? 0 >= 0 else {
            throw WireError(.dataFormat, field: "seq", "\"seq\" cannot be negative.")
        }
        guard var channel = try channel(set.channel) else { throw WireError(.channelNotFound) }
        guard channel.kind != .open else {
            throw WireError(.channelTypeMismatch, "An open channel has no read marks.")
        }
        let member = try member(me, of: channel)
        let seq: Int64
        if let messageID = set.messageID {
            seq = messageID.seq
            _ = try message(messageID, of: channel, for: me)
        } else if let time = set.$time {
            seq = try newestRow(upTo: time, of: channel, for: me)
        } else {
            seq = min(set.seq ?? channel.seq, channel.seq)
        }
        if member.flags.contains(.markedUnread) { try lockMe() }
        if seq > member.markSeq {
            let position = try position(of: me, in: channel, at: seq)
            batch.channels[channel.id] = nil
            read(&channel, for: me, to: position)
            batch.channels[channel.id] = channel
        }
        if member.flags.contains(.markedUnread) { try markUnread(false, channel.id) }
        guard let now = channel.members[me] else { throw WireError(.notMember) }
        return try WireCodec.encode(
            SetReadMark.Answer(
                channel: channel.id,
                mark: ReadMark(
                    userID: me, seq: now.markSeq, count: now.markCount, readAt: .init(milliseconds: now.markAt)),
                unread: channel.unread(of: now)))
    }

    mutating func setAllReadMarks() throws -> [UInt8] {
        let me = try me
        let unread = try nextChannels(areUnread: true)
        try lockMe()
        for id in unread {
            guard var channel = try channel(id), channel.members[me] != nil else { continue }
            batch.channels[id] = nil
            if read(&channel, for: me, to: MarkPosition(seq: channel.seq, count: channel.count)) {
                command?.progress.moved += 1
            }
            batch.channels[id] = channel
            try markUnread(false, id)
        }
        return try WireCodec.encode(SetAllReadMarks.Answer(moved: command?.progress.moved ?? 0))
    }

    /// Moves a member's read mark and schedules its announcement.
    @discardableResult
    mutating func read(_ channel: inout ChannelState, for user: UserID, to position: MarkPosition) -> Bool {
        guard batch.moveMark(of: user, in: &channel, to: position) else { return false }
        batch.features.marks[channel.id, default: [:]][user] = ReadMark(
            userID: user, seq: position.seq, count: position.count, readAt: .init(milliseconds: batch.now))
        return true
    }

    /// Moves a member's read mark to the newest row, which is the member's own.
    ///
    /// It is announced only if it leaves rows behind, such as reactions or messages that the member has deleted: clients
    /// know where it is if it was at the row before. Members of large channels are not told each other's marks.
    mutating func moveMark(of user: UserID, in channel: inout ChannelState, toOwn seq: Int64) {
        let position = MarkPosition(seq: seq, count: channel.count)
        if channel.members[user]?.markSeq == seq - 1 || channel.members.count > Self.maxSharing {
            _ = batch.moveMark(of: user, in: &channel, to: position)
        } else {
            read(&channel, for: user, to: position)
        }
    }

    /// The most members of a channel in which each is told the marks of the others.
    static let maxSharing = 50

    /// Returns the count of messages up to a row, and the correction for those above it.
    private mutating func position(of user: UserID, in channel: ChannelState, at seq: Int64) throws -> MarkPosition {
        if seq == channel.seq { return MarkPosition(seq: seq, count: channel.count) }
        try flush()
        let found = try connection.rows(
            """
            SELECT l.count, \(Reads.correction(above: "l.seq")) FROM channel_log l
            JOIN members m ON m.channel = l.channel AND m.user_id = \(user)
            WHERE l.channel = \(channel.id) AND l.seq = \(seq)
            """
        ) { MarkPosition(seq: seq, count: try $0.int(0), own: try $0.int(1)) }.first
        guard let found else { throw DatabaseFailure(.corrupt, "a log has a hole") }
        return found
    }

    /// Returns the newest row that was sent up to a time.
    /// - Throws: `WireError` 1118 if there is no row up to it that the user may read.
    private mutating func newestRow(upTo time: Int64, of channel: ChannelState, for user: UserID) throws -> Int64 {
        try flush()
        let floor = channel.floor(of: user)
        var seq = channel.seq
        if time < channel.lastSentAt {
            let span = TimeSpan(channel: channel.id, low: floor, high: channel.seq, time: time)
            seq = try connection.lastRows(in: [span])[channel.id] ?? 0
        }
        let seen = try connection.rows(
            """
            SELECT l.seq FROM channel_log l WHERE l.channel = \(channel.id) AND l.seq > \(floor) AND l.seq <= \(seq)
            AND \(Reads.isVisible(to: user, in: channel.id)) ORDER BY l.seq DESC LIMIT 1
            """
        ) { try $0.int(0) }
        guard !seen.isEmpty else { throw WireError(.messageNotFound, "There are no messages up to that time.") }
        return seq
    }
}

extension Writer {
    func announceMarks(isLast: Bool) {
        let due = announcements.marks.dequeueDue(
            now: effects.now(), interval: configuration.readMarkInterval, all: isLast)
        guard !due.isEmpty else { return }
        var batch = Batch(now: effects.now(), over: caches)
        do {
            for moved in due { try batch.announce(moved) }
        } catch {
            logger.error("read marks could not be announced", metadata: ["error": "\(error)"])
        }
        // Other servers have them from the commit.
        journal.publish(batch.deliveries, nil)
    }
}

extension Batch {
    /// Announces to a channel which marks have moved since the last announcement.
    mutating func announce(_ moved: MovedMarks) throws {
        func tell(_ receivers: Receivers, _ marks: [ReadMark], _ count: Int) throws {
            try notify(
                receivers, channel: moved.channel, body: .readMarkMoved(ReadMarksMoved(marks: marks, moved: count)),
                after: moved.head)
        }
        let marks = moved.marks.sorted { $0.userID < $1.userID }
        // What is cached here may be older than what another server has committed, or newer.
        let cached = caches.channels[moved.channel].flatMap { $0.version > moved.version ? $0 : nil }
        let audience = cached.map(MovedMarks.Audience.init) ?? moved.audience
        guard audience != .members else { return try tell(.channel(moved.channel), marks, marks.count) }
        for mark in marks { try tell(.user(mark.userID), [mark], 1) }
        if audience == .readers { try tell(.channel(moved.channel), [], marks.count) }
    }
}

/// Read marks of a channel that have moved.
struct MovedMarks: Codable, Hashable, Sendable {
    /// To whom they are announced.
    enum Audience: Int, Codable, Sendable {
        /// All members of the channel.
        case members = 0
        /// Each to its own user. The members are told that marks have moved, but not whose, because there are many.
        case readers = 1
        /// Each to its own user.
        case nobodyElse = 2

        init(of channel: ChannelState) {
            // Readers of news are not disclosed. If one user of a 1-on-1 has blocked the other, neither sees how far the
            // other has read.
            if channel.kind.isNews || channel.id.pair != nil && channel.hasBlock {
                self = .nobodyElse
            } else {
                self = channel.members.count > Transaction.maxSharing ? .readers : .members
            }
        }
    }

    var channel: ChannelID
    /// The last row of the channel when they moved.
    var head: Int64
    /// To whom they are announced, as of a version of the channel.
    var audience: Audience
    var version: Int64
    /// One for each user.
    var marks: [ReadMark]

    // The names are short, as there is one for each commit that moves marks.
    private enum CodingKeys: String, CodingKey {
        case channel = "c"
        case head = "s"
        case audience = "a"
        case version = "v"
        case marks = "m"
    }
}

extension Batch {
    /// The read marks that this batch has moved.
    var movedMarks: [MovedMarks] {
        features.marks.compactMap { id, marks in
            guard let channel = channels[id] ?? caches.channels[id] else { return nil }
            return MovedMarks(
                channel: id, head: channel.seq, audience: .init(of: channel), version: channel.version,
                marks: Array(marks.values))
        }
    }
}

/// Pending announcements of read marks: immediate if the channel was quiet, otherwise batched after an interval.
struct MarkAnnouncements {
    private struct Waiting {
        var marks: [UserID: ReadMark] = [:]
        var head: Int64 = 0
        var audience = MovedMarks.Audience.nobodyElse
        var version: Int64 = .min
        var lastAt: Int64 = .min
    }

    private var channels: [ChannelID: Waiting] = [:]
    /// When the next announcement is due, in ms since 1970.
    private(set) var nextDue: Int64?

    mutating func add(_ moved: [MovedMarks]) {
        for moved in moved {
            var waiting = channels[moved.channel] ?? Waiting()
            for mark in moved.marks where waiting.marks[mark.userID].map({ $0.seq < mark.seq }) ?? true {
                waiting.marks[mark.userID] = mark
            }
            waiting.head = max(waiting.head, moved.head)
            if moved.version >= waiting.version {
                (waiting.audience, waiting.version) = (moved.audience, moved.version)
            }
            channels[moved.channel] = waiting
            nextDue = .min
        }
    }

    /// Removes and returns what is due, and drops channels that have been quiet for an interval.
    mutating func dequeueDue(now: Int64, interval: Int64, all: Bool) -> [MovedMarks] {
        guard let due = nextDue, all || due <= now else { return [] }
        var taken: [MovedMarks] = []
        nextDue = nil
        for (channel, waiting) in channels {
            let ready = waiting.lastAt.addingReportingOverflow(interval)
            // A clock that was set back must not delay announcements.
            let isReady = all || ready.overflow || ready.partialValue <= now || waiting.lastAt > now
            if waiting.marks.isEmpty {
                if isReady { channels[channel] = nil }
            } else if isReady {
                taken.append(
                    MovedMarks(
                        channel: channel, head: waiting.head, audience: waiting.audience, version: waiting.version,
                        marks: Array(waiting.marks.values)))
                channels[channel] = Waiting(lastAt: now)
            } else {
                nextDue = min(nextDue ?? .max, ready.partialValue)
            }
        }
        return taken
    }
}
