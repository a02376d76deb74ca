public import RoostWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ChannelHandle {
    /// Marks everything up to a position as read; without one, everything there is.
    ///
    /// A mark never moves back; a late smaller one changes nothing. The others are told, and the marker of
    /// ``markUnread(transID:)`` goes away. Repeating it is harmless.
    ///
    /// With a store the mark is set on this device at once, offline too, not beyond the newest event that is known; it
    /// outlives the process, and the server is told as soon as it can be reached. Without a store it returns when the
    /// server has it.
    /// - Throws: `storeFailed`; without a store what the server refused, as `.server(.channelTypeMismatch)` for an open
    ///   channel.
    public func markRead(upTo seq: Int64? = nil) async throws(RoostError) {
        guard let writer = client.engine.writer else {
            _ = try await client.perform(SetReadMark(channel: id, seq: seq))
            return
        }
        let (id, engine) = (id, client.engine)
        let isKnown = try await client.toTheEnd { () async throws(RoostError) -> Bool in
            let moved = try await writer.edit { transaction -> (isKnown: Bool, to: Int64?) in
                let record = try transaction.record(id)
                // Nobody has read what is not there; what comes later is unread.
                let head = max(record.snapshot?.seq ?? 0, record.position ?? 0)
                guard head > 0 || seq != nil else { return (false, nil) }
                let seq = head > 0 ? min(seq ?? head, head) : seq ?? 0
                guard seq > record.mark else { return (true, nil) }
                try transaction.moveMark(to: seq, in: id, isConfirmed: false)
                return (true, seq)
            }
            if let seq = moved.to { engine.submit(.mark(id, seq)) }
            return moved.isKnown
        }
        // Where nothing is known of the channel, only the server knows what there is.
        if !isKnown { _ = try await client.perform(SetReadMark(channel: id)) }
    }

    /// Marks everything up to a message as read.
    /// - Throws: `.server(.messageNotFound)` for a message that does not exist or may not be read.
    public func markRead(upTo message: MessageID) async throws(RoostError) {
        _ = try await client.perform(SetReadMark(channel: id, messageID: message))
    }

    /// Marks everything that was sent up to a time as read.
    /// - Throws: `.server(.messageNotFound)` if that is nothing that this user may read.
    public func markRead(upTo time: Date) async throws(RoostError) {
        _ = try await client.perform(SetReadMark(channel: id, time: time))
    }
}

extension ChatClient {
    /// Marks all of this user's messaging channels as read, each up to its newest event, and returns how many marks moved.
    ///
    /// Repeating it is harmless.
    @discardableResult
    public func markAllRead() async throws(RoostError) -> Int { try await perform(SetAllReadMarks()).moved }
}

/// How far each member of a channel has read: enough to say how many have not read a message yet.
///
/// If the viewer has blocked the other user, a 1-on-1 shows no mark: from the
/// viewer's own `user.blocked` on it counts as 0. After `user.unblocked` read
/// the channel again and apply it.
public struct ReadMarks: Hashable, Sendable {
    private var marks: [UserID: Int64] = [:]
    /// The 1-on-1 that these are the marks of, if it is one.
    private var single: ChannelID?
    /// The other one of the 1-on-1, while blocked.
    private var hidden: UserID?

    /// Creates an empty set of marks.
    public init() {}

    /// Applies the current members of a channel: newer marks win, former members are dropped.
    ///
    /// Members must be all members; for a channel with more members than it
    /// carries use ``apply(members:)`` with all pages of `members()`.
    public mutating func apply(_ channel: Channel) {
        let single = channel.kind == .single ? channel.channel : nil
        if self.single != single { hidden = nil }
        self.single = single
        apply(members: channel.members)
    }

    /// Applies the full list of current members: newer marks win, former members are dropped.
    public mutating func apply(members: [Member]) {
        var current: [UserID: Int64] = [:]
        for member in members {
            current[member.userID] =
                member.userID == hidden ? 0 : ReadRules.merge(marks[member.userID] ?? 0, member.readSeq)
        }
        marks = current
    }

    /// Takes over marks that moved; a smaller one than is known changes nothing, and users who are no members are skipped.
    public mutating func apply(_ moved: ReadMarksMoved) {
        for mark in moved.marks where mark.userID != hidden {
            if let old = marks[mark.userID] { marks[mark.userID] = ReadRules.merge(old, mark.seq) }
        }
    }

    /// Takes over what an event of the channel, or of the user's log, says about members and marks.
    ///
    /// Sending a message reads the channel up to it only if nothing unread
    /// lay before; the marks of the server decide, so a message changes nothing.
    public mutating func apply(_ event: Event) {
        switch event.body {
        case .ephemeral(.readMarkMoved(let moved)): apply(moved)
        case .channel(.memberInvited(let invited)):
            for user in invited.members where marks[user.userID] == nil {
                marks[user.userID] = max(0, event.seq ?? 0)
            }
        case .channel(.memberJoined(let joined)):
            if marks[joined.member.userID] == nil { marks[joined.member.userID] = max(0, event.seq ?? 0) }
        case .user(.userBlocked(let changed)):
            guard single?.isPair(with: changed.user.userID) == true else { return }
            hidden = changed.user.userID
            if marks[changed.user.userID] != nil { marks[changed.user.userID] = 0 }
        case .user(.userUnblocked(let changed)): if hidden == changed.user.userID { hidden = nil }
        case .channel(.memberLeft(let left)): marks[left.userID] = nil
        case .channel(.memberKicked(let removed)), .channel(.memberBanned(let removed)):
            for user in removed.members { marks[user.userID] = nil }
        default: break
        }
    }

    /// The newest row that a member has read; nil if the user is not a member.
    public func readSeq(of user: UserID) -> Int64? { marks[user] }

    /// How many members other than the viewer have not read the row `seq`.
    public func unreadBy(seq: Int64, viewer: UserID) -> Int {
        ReadRules.unreadBy(seq: seq, marks: marks, viewer: viewer)
    }
}
