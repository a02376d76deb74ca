public import RoostWire

extension ChannelHandle {
    /// Marks everything up to a row as read; without a row, everything there is.
    ///
    /// A mark never moves back; a late smaller one changes nothing. The others
    /// are told. Not for open channels.
    @discardableResult
    public func markRead(upTo seq: Int64? = nil) async throws(RoostError) -> SetReadMark.Answer {
        try await client.perform(SetReadMark(channel: id, seq: seq))
    }
}

extension RoostClient {
    /// The unread messages of this user: in total, and of the channels that have any.
    public func unread() async throws(RoostError) -> GetUnread.Answer { try await perform(GetUnread()) }
}

/// How far each member of a channel has read: enough to say how many have not read a message yet.
public struct ReadMarks: Hashable, Sendable {
    private var marks: [UserID: Int64] = [:]

    /// Makes the marks of nobody.
    public init() {}

    /// Takes over the current members of a channel: newer marks win, former members are dropped.
    ///
    /// Members must be all members; for a channel with more members than it
    /// carries use ``apply(members:)`` with all pages of `members()`.
    public mutating func apply(_ channel: Channel) { apply(members: channel.members) }

    /// Takes over the full list of current members: newer marks win, former members are dropped.
    public mutating func apply(members: [Member]) {
        var current: [UserID: Int64] = [:]
        for member in members {
            current[member.userID] = ReadRules.merge(marks[member.userID] ?? 0, member.readSeq)
        }
        marks = current
    }

    /// Takes over marks that moved; a smaller one than is known changes nothing, and who is no member is passed over.
    public mutating func apply(_ moved: ReadMarksMoved) {
        for mark in moved.marks {
            if let old = marks[mark.userID] { marks[mark.userID] = ReadRules.merge(old, mark.seq) }
        }
    }

    /// Takes over what an event of the channel says about members and marks.
    ///
    /// Who sends a message has read the channel up to it only if nothing unread
    /// lay before; the marks of the server decide, so a message changes nothing.
    public mutating func apply(_ event: Event) {
        switch event.body {
        case .readMarkMoved(let moved): apply(moved)
        case .memberInvited(let invited):
            for user in invited.members where marks[user.userID] == nil {
                marks[user.userID] = max(0, event.seq ?? 0)
            }
        case .memberJoined(let joined):
            if marks[joined.member.userID] == nil { marks[joined.member.userID] = max(0, event.seq ?? 0) }
        case .memberLeft(let left): marks[left.userID] = nil
        case .memberKicked(let removed), .memberBanned(let removed):
            for user in removed.members { marks[user.userID] = nil }
        default: break
        }
    }

    /// The newest row that a member has read; nil for somebody who is no member.
    public func readSeq(of user: UserID) -> Int64? { marks[user] }

    /// How many members other than the viewer have not read the row `seq`.
    public func unreadBy(seq: Int64, viewer: UserID) -> Int {
        ReadRules.unreadBy(seq: seq, marks: marks, viewer: viewer)
    }
}
