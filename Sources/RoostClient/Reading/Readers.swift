public import RoostWire

extension ChannelHandle {
    /// A page of the users who have read a message, the earliest reader first.
    ///
    /// At most `limit` (1 to 100); `cursor` is the `next` of the previous page. The
    /// sender is not included. Over all pages nobody is missed, but a user who reads further
    /// meanwhile may appear twice.
    /// - Throws: `.server(.messageNotFound)`; `.channelTypeMismatch` for an open channel.
    public func readers(
        of message: MessageID, limit: Int = 100, cursor: String? = nil
    ) async throws(RoostError) -> Page<Reader> {
        try await client.page(ListReaders(channel: id, messageID: message, limit: limit, cursor: cursor))
    }

    /// How many members have read each of these messages (1 to `limits.idsPerCommand`) and how many have not.
    ///
    /// Ascending by `seq`, without their senders. Messages that may not be read are left out.
    /// - Throws: `.server(.messageNotFound)` if nothing is left; `.channelTypeMismatch` for an open channel.
    public func readCounts(of messages: [MessageID]) async throws(RoostError) -> [ReadCount] {
        try await client.perform(CountReads(channel: id, messageIDs: messages)).messages
    }

    /// A page of the read marks of all members, by user id: at most `limit` (1 to 500).
    ///
    /// `cursor` is the `next` of the previous page.
    ///
    /// Read it after a reconnect: `readMark.moved` is not repeated.
    /// - Throws: `.server(.channelTypeMismatch)` for an open channel.
    public func readMarks(limit: Int = 100, cursor: String? = nil) async throws(RoostError) -> Page<MemberRead> {
        try await client.page(ListMemberReads(channel: id, limit: limit, cursor: cursor))
    }

    /// This user's read mark in this channel; nil if the server does not return one.
    public func readMark() async throws(RoostError) -> ChannelRead? {
        try await client.perform(ListReadMarks(channel: id)).channels.first
    }
}

extension ChatClient {
    /// A page of this user's read marks, by channel: at most `limit` (1 to 100).
    ///
    /// `cursor` is the `next` of the previous page. Open channels have no marks.
    public func readMarks(
        limit: Int = 100, cursor: String? = nil
    ) async throws(RoostError) -> Page<ChannelRead> {
        try await page(ListReadMarks(limit: limit, cursor: cursor))
    }
}
