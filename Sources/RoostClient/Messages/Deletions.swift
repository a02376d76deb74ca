public import RoostWire

extension ChannelHandle {
    /// Deletes messages of this channel for this user only; other users keep them.
    ///
    /// 1 to `limits.idsPerCommand` messages; all that can be deleted are deleted, and there
    /// is one result for each. They do not return and are no longer unread. All
    /// devices of the user get `message.deleted`. With the same `transID` it
    /// is executed once.
    /// - Throws: `.server(.messageNotFound)` if none of them exists; `.channelTypeMismatch` for an open channel.
    @discardableResult
    public func delete(
        _ messages: [MessageID], transID: TransID? = nil
    ) async throws(RoostError) -> [MessageResult] {
        try await client.perform(DeleteMessages(messages, in: id), under: transID).results
    }

    /// Deletes everything in this channel up to now, for this user only; the channel stays in the list.
    ///
    /// All devices of the user get `channel.cleared`. With the same `transID` it
    /// is executed once.
    public func deleteAll(transID: TransID? = nil) async throws(RoostError) {
        _ = try await client.perform(DeleteMessages(allIn: id), under: transID)
    }
}

extension ChatClient {
    /// Deletes everything in all of this user's channels up to now, for this user only; the channels stay in the list.
    ///
    /// All devices of the user get `channel.cleared`. With the same `transID` it
    /// is executed once.
    public func deleteEverything(transID: TransID? = nil) async throws(RoostError) {
        _ = try await perform(DeleteMessages.everything, under: transID)
    }
}
