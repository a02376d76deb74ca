public import RoostWire

extension ChannelHandle {
    /// Adds this user's reaction, an emoji, to a message: one character of at most 64 bytes.
    ///
    /// A user can react once with each emoji; if the reaction is there already,
    /// nothing changes. Otherwise everybody in the channel gets
    /// `reaction.added`; `Event.after(_:viewer:)` keeps a message up to
    /// date with it, and a local store does so by itself. With the same `transID` it
    /// is executed once.
    /// - Throws: `.server(.dataFormat)` if it is not a single character; `.limitReached` beyond `limits.reactionKinds`
    ///   different emoji on a message; `.messageNotFound`; `.channelTypeMismatch` for news; `.blocked`.
    public func react(
        with emoji: String, to message: MessageID, transID: TransID? = nil
    ) async throws(RoostError) {
        _ = try await client.perform(AddReaction(channel: id, messageID: message, emoji: emoji), under: transID)
    }

    /// Removes this user's reaction from a message; if it is not there, nothing changes.
    ///
    /// Otherwise everybody in the channel gets `reaction.removed`. With the same `transID` it is executed once.
    /// - Throws: as ``react(with:to:transID:)``.
    public func removeReaction(
        _ emoji: String, from message: MessageID, transID: TransID? = nil
    ) async throws(RoostError) {
        _ = try await client.perform(RemoveReaction(channel: id, messageID: message, emoji: emoji), under: transID)
    }

    /// A page of the reactions to a message, the first reaction first: at most `limit` (1 to 100).
    ///
    /// `cursor` is the `next` of the previous page.
    ///
    /// With `emoji`, only the reactions with that one.
    /// - Throws: `.server(.messageNotFound)` if it may not be read or was recalled; `.channelTypeMismatch` for news.
    public func reactions(
        to message: MessageID, emoji: String? = nil, limit: Int = 100, cursor: String? = nil
    ) async throws(RoostError) -> Page<UserReaction> {
        try await client.page(
            ListReactions(channel: id, messageID: message, emoji: emoji, limit: limit, cursor: cursor))
    }
}

// Reactions in the local store: they are a part of the row of their message.
extension LocalTransaction {
    /// Updates the message of a reaction, if it is stored.
    func react(to seq: Int64, by row: Event, in id: ChannelID) throws {
        guard let message = try LocalStore.row(seq, in: id, db) else { return }
        let changed = message.after(row, viewer: me)
        if changed != message { try rewrite(changed, in: id) }
    }

    /// A row of a page that was read when `head` was the newest row. The stored row may be newer; if the page has no
    /// reactions, the stored ones are removed.
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
