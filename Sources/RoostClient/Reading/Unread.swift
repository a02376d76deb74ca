public import RoostWire

extension ChannelHandle {
    /// Marks the channel as unread for this user, and tells nobody else.
    ///
    /// The read mark stays where it is and no count changes; the next
    /// `markRead` takes the marker away. The user's devices get
    /// `channel.unreadMarked`. With the same `transID` it is executed once.
    /// - Throws: `.server(.channelTypeMismatch)` for an open channel.
    public func markUnread(transID: TransID? = nil) async throws(RoostError) {
        _ = try await client.perform(UnsetReadMark(channel: id), under: transID)
    }

    /// Why this channel has its unread count, in numbers and in words; nil if the server does not say.
    public func explainUnread() async throws(RoostError) -> UnreadExplanation? {
        try await client.perform(ExplainUnread(channel: id)).channels.first
    }
}

extension ChatClient {
    /// The unread messages of this user: in total, in muted channels, those that mention the user, and channel by channel.
    ///
    /// `total` is the number for a badge: over all channels that are not muted.
    public func unread() async throws(RoostError) -> UnreadCounts { try await perform(GetUnread()) }

    /// Why the badge has its number: a page of the channels with something unread, each with an explanation.
    ///
    /// At most `limit` (1 to 100); `cursor` is the `next` of the page before.
    public func explainUnread(
        limit: Int = 100, cursor: String? = nil
    ) async throws(RoostError) -> Page<UnreadExplanation> {
        try await page(ExplainUnread(limit: limit, cursor: cursor))
    }
}
