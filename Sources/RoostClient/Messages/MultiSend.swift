public import RoostWire

extension ChatClient {
    /// Sends several messages to several channels: every message to every channel, in their order.
    ///
    /// 1 to `limits.messagesPerCommand` messages and 1 to `limits.channelsPerCommand`
    /// channels. A file is uploaded once and named in each. All that can be sent are sent, with
    /// one result for each pair. Unlike a send to one channel it does not wait
    /// for sends in flight to the same channel, and is not kept in the send queue. With
    /// the same `transID` it happens once.
    /// - Throws: the error of the first pair when nothing could be sent; `.server(.invalidContent)` or `.dataFormat`
    ///   for a content that breaks the rules; `.tooManyRequests` after too many sends.
    @discardableResult
    public func send(
        _ messages: [MessageContent], to channels: [ChannelID], transID: TransID? = nil
    ) async throws(RoostError) -> [PairResult] {
        try await perform(SendMany(messages: messages, channels: channels), under: transID).results
    }

    /// Sends several messages to several users, each in the 1-on-1 with this user, or in the self channel.
    ///
    /// The 1-on-1s must exist, see ``startMessaging(with:)``; a missing one
    /// is `channelNotFound` in the results. Otherwise it is `send(_:to:transID:)`.
    /// - Throws: the same errors; `notConnected` before the first login, because this user is not known yet.
    @discardableResult
    public func send(
        _ messages: [MessageContent], toUsers users: [UserID], transID: TransID? = nil
    ) async throws(RoostError) -> [PairResult] {
        guard let me = await user?.userID else {
            throw RoostError(.notConnected, "The id of this user is known after the first login. Connect first.")
        }
        return try await send(messages, to: users.map { ChannelID(single: me, $0) }, transID: transID)
    }
}
