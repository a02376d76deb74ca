/// The body of `channel.purged`: what is older than the operator keeps was taken away, for everybody and for good.
///
/// Remove every row up to `upTo` from what you have stored, whatever it is, and
/// empty the snapshots of answers to those messages as after a recall
/// (``Message/afterPurge(upTo:)``). The read mark of every member stands at `upTo`
/// or behind it now, so nothing that is gone is unread. The channel's place in
/// the list, its members and its settings stay; it may have no last message any
/// more. A command that names a message up to `upTo` is answered with 1118; a
/// command that was carried out gets its first answer again for 7 days all the same.
///
/// It is a row of the channel's log that counts as nothing. Its `sentAt` is that of the
/// row before it, so that no channel moves to the top of the list. `resume` gives
/// a `row.removed` for each row up to `upTo`, so that its numbers have no hole. Who
/// comes back so late that it answers `tooFar` finds the same in ``Channel/purgedTo``.
public struct ChannelPurged: Codable, Hashable, Sendable {
    /// Nothing up to this row is kept.
    public var upTo: Int64
    /// How many messages counted as unread up to there: what `count` was at that row.
    public var count: Int64

    /// Makes the body.
    public init(upTo: Int64, count: Int64) {
        self.upTo = upTo
        self.count = count
    }
}

extension Message {
    /// This message after a purge of other ones: when it answers one of those, its snapshot is emptied.
    ///
    /// The server writes it into the message's row, and a client does the same to
    /// what it has stored.
    public func afterPurge(upTo seq: Int64) -> Message {
        guard let replyTo, replyTo.messageID.seq <= seq else { return self }
        return afterRecall(of: replyTo.messageID)
    }
}
