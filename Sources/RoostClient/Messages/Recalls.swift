public import RoostWire

extension ChannelHandle {
    /// Recalls messages for everybody: their content is gone, a shell is left.
    ///
    /// 1 to `limits.idsPerCommand` messages: one's own, within
    /// `limits.recallWindowMs`; moderators and admins also those of others, unless
    /// the channel forbids it. With `isSilent` they vanish from all queries, too.
    /// What can be recalled is, and the result tells it for each. Everybody gets
    /// `message.recalled`. With the same `transID` it is executed once.
    /// - Throws: the error of the first one when none could be recalled: `.server(.messageNotOwned)`, `.timeExpired`,
    ///   or `.messageNotFound` for one that is not there or was recalled already.
    @discardableResult
    public func recall(
        _ messages: [MessageID], isSilent: Bool = false, transID: TransID? = nil
    ) async throws(RoostError) -> [MessageResult] {
        let command = RecallMessages(channel: id, messageIDs: messages, isSilent: isSilent ? true : nil)
        return try await client.perform(command, under: transID).results
    }
}
