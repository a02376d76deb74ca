public import RoostWire

extension ChannelHandle {
    /// Recalls messages for everybody: their content is removed, a shell remains.
    ///
    /// 1 to `limits.idsPerCommand` messages: the user's, within
    /// `limits.recallWindowMs`; moderators and admins also those of others, unless
    /// the channel forbids it. With `isSilent` no query returns them any more.
    /// All that can be recalled are recalled, with one result for each. Everybody gets
    /// `message.recalled`. With the same `transID` it is executed once.
    /// - Throws: the error of the first message if none could be recalled: `.server(.messageNotOwned)`, `.timeExpired`,
    ///   or `.messageNotFound` if it does not exist or was recalled already.
    @discardableResult
    public func recall(
        _ messages: [MessageID], isSilent: Bool = false, transID: TransID? = nil
    ) async throws(RoostError) -> [MessageResult] {
        let command = RecallMessages(channel: id, messageIDs: messages, isSilent: isSilent ? true : nil)
        return try await client.perform(command, under: transID).results
    }
}
