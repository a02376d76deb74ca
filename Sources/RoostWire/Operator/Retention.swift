/// The body of `channel.purged`: rows older than the operator keeps were deleted for everybody.
///
/// Remove every row up to `upTo` from what you have stored, and empty the snapshots of answers to
/// those messages as after a recall. The read mark of every member is now at `upTo` or above, so
/// no deleted message is unread. The channel's place in the list, its members and its settings
/// stay; it may have no last message any more. A command that names a message up to `upTo` fails
/// with 1118. A command that was executed still gets its first answer again for 7 days.
///
/// It is a row of the channel's log that does not count as unread. Its `sentAt` is that of the row
/// before it, so that no channel moves to the top of the list. `resume` gives a `row.removed` for
/// each row up to `upTo`, so that the numbers have no gap. If you reconnect so late that `resume`
/// answers `tooFar`, `purgedTo` of the channel has the same row.
public struct ChannelPurged: Codable, Hashable, Sendable {
    /// The newest row that was deleted.
    public var upTo: Int64
    /// The channel's `count` at that row.
    public var count: Int64

    /// Creates a value with these fields.
    public init(upTo: Int64, count: Int64) {
        self.upTo = upTo
        self.count = count
    }
}

extension Message {
    /// This message after a purge of other ones: if it answers one of those, its snapshot is emptied.
    ///
    /// The server writes it into the message's row, and a client does the same to
    /// what it has stored.
    public func afterPurge(upTo seq: Int64) -> Message {
        guard let replyTo, replyTo.messageID.seq <= seq else { return self }
        return afterRecall(of: replyTo.messageID)
    }
}
