public import RoostWire

extension ChannelHandle {
    /// Forwards messages of this channel to others: the server copies them, files included.
    ///
    /// 1 to `limits.idsPerCommand` messages and as many channels, at most 2,000 pairs.
    /// All that can be forwarded are forwarded, in the order of `messages`. There is one
    /// result for each pair: for the first channel all messages, then for the next. With
    /// the same `transID` it happens once.
    /// - Throws: the error of the first pair if nothing could be forwarded: `.server(.messageNotFound)` for a message
    ///   that was recalled or deleted, `.invalidContent` for votes, notices and calls, `.channelNotFound`, `.notMember`
    ///   or `.blocked` for a target channel; `.tooLarge` for more than 8 MiB of content in all.
    @discardableResult
    public func forward(
        _ messages: [MessageID], to channels: [ChannelID], transID: TransID? = nil
    ) async throws(RoostError) -> [PairResult] {
        let command = ForwardMessages(channel: id, messageIDs: messages, channels: channels)
        return try await client.perform(command, under: transID).results
    }

    /// The source of a forwarded message of this channel, if this user can read the original.
    /// - Throws: `.server(.messageNotFound)` otherwise, and for a message that was not forwarded.
    public func origin(of message: MessageID) async throws(RoostError) -> ForwardOrigin {
        try await client.perform(GetOrigin(channel: id, messageID: message))
    }
}
