public import RoostWire

extension ChatClient {
    /// Sends several messages to several channels: every message to every channel, in their order.
    ///
    /// 1 to `limits.messagesPerCommand` messages and 1 to `limits.channelsPerCommand`
    /// channels. A file is uploaded once and named in each. What can be sent is, and
    /// the result tells it for each pair. Unlike a send to one channel it does not wait
    /// for those that are on their way there, and is not kept in the send queue. With
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
    /// The 1-on-1s must be there, as ``startMessaging(with:)`` makes them; one that is not
    /// is `channelNotFound` among the results. Else it is `send(_:to:transID:)`.
    /// - Throws: as that; `notConnected` before the first login, which tells who this user is.
    @discardableResult
    public func send(
        _ messages: [MessageContent], toUsers users: [UserID], transID: TransID? = nil
    ) async throws(RoostError) -> [PairResult] {
        guard let me = await user?.userID else {
            throw RoostError(.notConnected, "Who this user is comes with the first login. Connect first.")
        }
        return try await send(messages, to: users.map { ChannelID(single: me, $0) }, transID: transID)
    }
}
