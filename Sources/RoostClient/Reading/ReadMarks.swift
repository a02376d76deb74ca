public import RoostWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ChannelHandle {
    /// Marks everything up to a position as read; without one, everything.
    ///
    /// A mark never moves back; a smaller value changes nothing. The other members are notified, and the channel is no
    /// longer marked as unread (see ``markUnread(transID:)``). Repeating it is harmless.
    ///
    /// With a store the mark is set on this device at once, also offline, up to the newest known event; it
    /// is stored, and sent to the server as soon as possible. Without a store the call returns when the
    /// server has set it.
    /// - Throws: `storeFailed`; without a store a refusal of the server, such as `.server(.channelTypeMismatch)` for an
    ///   open channel.
    public func markRead(upTo seq: Int64? = nil) async throws(RoostError) {
        guard let writer = client.engine.writer else {
            _ = try await client.perform(SetReadMark(channel: id, seq: seq))
            return
        }
        let (id, engine) = (id, client.engine)
        let isKnown = try await client.toTheEnd { () async throws(RoostError) -> Bool in
            let moved = try await writer.edit { transaction -> (isKnown: Bool, to: Int64?) in
                let record = try transaction.record(id)
                // Rows that are not here were not read; later rows stay unread.
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
        // If nothing is known of the channel, only the server knows its rows.
        if !isKnown { _ = try await client.perform(SetReadMark(channel: id)) }
    }

    /// Marks everything up to a message as read.
    /// - Throws: `.server(.messageNotFound)` for a message that does not exist or may not be read.
    public func markRead(upTo message: MessageID) async throws(RoostError) {
        _ = try await client.perform(SetReadMark(channel: id, messageID: message))
    }

    /// Marks everything that was sent up to a time as read.
    /// - Throws: `.server(.messageNotFound)` if there is no row up to that time that this user may read.
    public func markRead(upTo time: Date) async throws(RoostError) {
        _ = try await client.perform(SetReadMark(channel: id, time: time))
    }
}

extension ChatClient {
    /// Marks all of this user's messaging channels as read, each up to its newest event, and returns how many marks
    /// moved.
    ///
    /// Repeating it is harmless.
    @discardableResult
    public func markAllRead() async throws(RoostError) -> Int { try await perform(SetAllReadMarks()).moved }
}

/// The read marks of a channel's members, to show how many have not read a message yet.
///
/// If the viewer has blocked the other user of a 1-on-1, no mark is shown: from the
/// viewer's `user.blocked` on it counts as 0. After `user.unblocked` read
/// the channel again and apply it.
public struct ReadMarks: Hashable, Sendable {
    private var marks: [UserID: Int64] = [:]
    /// The 1-on-1 of these marks, if it is one.
    private var single: ChannelID?
    /// The other user of the 1-on-1, while blocked.
    private var hidden: UserID?

    /// Creates an empty set of marks.
    public init() {}

    /// Sets the current members of a channel: newer marks are kept, former members are removed.
    ///
    /// `channel` must have all members; if it has more members than it
    /// contains, use ``apply(members:)`` with all pages of `members()`.
    public mutating func apply(_ channel: Channel) {
        let single = channel.kind == .single ? channel.channel : nil
        if self.single != single { hidden = nil }
        self.single = single
        apply(members: channel.members)
    }

    /// Sets the full list of current members: newer marks are kept, former members are removed.
    public mutating func apply(members: [Member]) {
        var current: [UserID: Int64] = [:]
        for member in members {
            current[member.userID] =
                member.userID == hidden ? 0 : ReadRules.merge(marks[member.userID] ?? 0, member.readSeq)
        }
        marks = current
    }

    /// Applies marks that moved; one that is smaller than the known mark and one of a user who is not a member are
    /// ignored.
    public mutating func apply(_ moved: ReadMarksMoved) {
        for mark in moved.marks where mark.userID != hidden {
            if let old = marks[mark.userID] { marks[mark.userID] = ReadRules.merge(old, mark.seq) }
        }
    }

    /// Applies an event of the channel, or of the user's log, to members and marks.
    ///
    /// Sending a message marks the channel as read up to it only if nothing before
    /// was unread; the server decides that, so a message changes nothing here.
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
