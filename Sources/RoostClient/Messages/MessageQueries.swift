public import RoostWire

extension ChannelHandle {
    /// The messages with these ids (1 to `limits.idsPerCommand`), ascending by `seq`.
    ///
    /// What does not exist or may not be read is left out.
    /// - Throws: `.server(.messageNotFound)` when nothing is left.
    public func messages(_ ids: [MessageID]) async throws(RoostError) -> [Event] {
        try await client.perform(GetMessages(channel: id, messageIDs: ids)).events
    }

    /// A page of rows by time: `count` of them after the moment, or before it when `count` is negative.
    ///
    /// For search and export; a conversation pages with `history`. The moment is
    /// in ms since 1970 and is itself left out; 1 to 100 rows, ascending in both
    /// directions. Rows of one time are never cut apart, so a page may be larger.
    /// For the next page give its `next` as `after` and everything else as before.
    /// - Throws: `.server(.dataFormat)` for a count of 0 or beyond 100.
    public func messages(
        time: Int64, count: Int, category: String? = nil, after: String? = nil
    ) async throws(RoostError) -> QueryMessages.Answer {
        try await client.perform(
            QueryMessages(channel: id, time: time, count: count, category: category, after: after))
    }
}

extension RoostClient {
    /// A page of rows by time over all of this user's channels, open ones not included.
    ///
    /// As ``ChannelHandle/messages(time:count:category:after:)``; the order is by
    /// time, then channel, then `seq`.
    public func messages(
        time: Int64, count: Int, category: String? = nil, after: String? = nil
    ) async throws(RoostError) -> QueryMessages.Answer {
        try await perform(QueryMessages(time: time, count: count, category: category, after: after))
    }
}
