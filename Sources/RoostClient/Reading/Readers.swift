public import RoostWire

extension ChannelHandle {
    /// A page of the users who have read a message, the earliest reader first.
    ///
    /// At most `limit` (1 to 100); `cursor` is the `next` of the page before. The
    /// sender is not among them. Over all pages nobody is missed, but a user who reads on
    /// meanwhile may come twice.
    /// - Throws: `.server(.messageNotFound)`; `.channelTypeMismatch` for an open channel.
    public func readers(
        of message: MessageID, limit: Int = 100, cursor: String? = nil
    ) async throws(RoostError) -> Page<Reader> {
        try await client.page(ListReaders(channel: id, messageID: message, limit: limit, cursor: cursor))
    }

    /// How many members have read each of these messages (1 to `limits.idsPerCommand`) and how many have not.
    ///
    /// Ascending by `seq`, without their senders. What may not be read is left out.
    /// - Throws: `.server(.messageNotFound)` if nothing is left; `.channelTypeMismatch` for an open channel.
    public func readCounts(of messages: [MessageID]) async throws(RoostError) -> [ReadCount] {
        try await client.perform(CountReads(channel: id, messageIDs: messages)).messages
    }

    /// A page of how far each member has read, by user id: at most `limit` (1 to 500).
    ///
    /// `cursor` is the `next` of the page before.
    ///
    /// Read it after a reconnect: `readMark.moved` is not repeated.
    /// - Throws: `.server(.channelTypeMismatch)` for an open channel.
    public func readMarks(limit: Int = 100, cursor: String? = nil) async throws(RoostError) -> Page<MemberRead> {
        try await client.page(ListMemberReads(channel: id, limit: limit, cursor: cursor))
    }

    /// How far this user has read this channel; nil if the server does not say.
    public func readMark() async throws(RoostError) -> ChannelRead? {
        try await client.perform(ListReadMarks(channel: id)).channels.first
    }
}

extension ChatClient {
    /// A page of how far this user has read their channels, by channel: at most `limit` (1 to 100).
    ///
    /// `cursor` is the `next` of the page before. Open channels have no marks.
    public func readMarks(
        limit: Int = 100, cursor: String? = nil
    ) async throws(RoostError) -> Page<ChannelRead> {
        try await page(ListReadMarks(limit: limit, cursor: cursor))
    }
}
