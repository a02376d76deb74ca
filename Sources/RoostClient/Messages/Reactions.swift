public import RoostWire

extension ChannelHandle {
    /// Puts an emoji on a message, as this user's reaction: one character, of at most 64 bytes.
    ///
    /// A user has each emoji at most once on a message; what is there already
    /// changes nothing. Else everybody gets
    /// `reaction.added`; `Event.after(_:viewer:)` keeps a message up to
    /// date with it, and a local store does so by itself. With the same `transID` it
    /// is executed once.
    /// - Throws: `.server(.dataFormat)` for what is no single character; `.limitReached` beyond `limits.reactionKinds`
    ///   different emoji on a message; `.messageNotFound`; `.channelTypeMismatch` for news; `.blocked`.
    public func react(
        with emoji: String, to message: MessageID, transID: TransID? = nil
    ) async throws(RoostError) {
        _ = try await client.perform(AddReaction(channel: id, messageID: message, emoji: emoji), under: transID)
    }

    /// Takes this user's emoji from a message; what is not there changes nothing.
    ///
    /// Else everybody gets `reaction.removed`. With the same `transID` it is executed once.
    /// - Throws: as ``react(with:to:transID:)``.
    public func removeReaction(
        _ emoji: String, from message: MessageID, transID: TransID? = nil
    ) async throws(RoostError) {
        _ = try await client.perform(RemoveReaction(channel: id, messageID: message, emoji: emoji), under: transID)
    }

    /// A page of the reactions to a message, the first reaction first: at most `limit` (1 to 100).
    ///
    /// `cursor` is the `next` of the page before.
    ///
    /// With `emoji`, only those who have used that one.
    /// - Throws: `.server(.messageNotFound)` for what may not be read or was recalled; `.channelTypeMismatch` for news.
    public func reactions(
        to message: MessageID, emoji: String? = nil, limit: Int = 100, cursor: String? = nil
    ) async throws(RoostError) -> Page<UserReaction> {
        try await client.page(
            ListReactions(channel: id, messageID: message, emoji: emoji, limit: limit, cursor: cursor))
    }
}

// What a local store knows of reactions: they are kept in the row of their message, and go with it.
extension LocalTransaction {
    /// Changes the message that somebody has reacted to, if it is here.
    func react(to seq: Int64, by row: Event, in id: ChannelID) throws {
        guard let message = try LocalStore.row(seq, in: id, db) else { return }
        let changed = message.after(row, viewer: me)
        if changed != message { try rewrite(changed, in: id) }
    }

    /// A row of a page that was read when `head` was the newest row. What is here may be newer; and where the page tells
    /// of no reactions, those that are here are gone.
    func withReactions(_ event: Event, asOf head: Int64, in id: ChannelID) throws -> Event {
        guard event.messageID != nil, !event.isRecalled, let seq = event.seq,
            let known = try LocalStore.row(seq, in: id, db)?.reactions
        else { return event }
        var event = event
        if known.head > head {
            event.reactions = known
        } else if event.reactions == nil {
            event.reactions = MessageReactions(head: head, kinds: [])
        }
        return event
    }
}
