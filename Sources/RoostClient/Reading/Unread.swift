public import RoostWire

extension ChannelHandle {
    /// Marks the channel as unread for this user, and tells nobody else.
    ///
    /// The read mark stays where it is and no count changes; the next
    /// `markRead` removes the mark as unread. The user's devices get
    /// `channel.unreadMarked`. With the same `transID` it is executed once.
    /// - Throws: `.server(.channelTypeMismatch)` for an open channel.
    public func markUnread(transID: TransID? = nil) async throws(RoostError) {
        _ = try await client.perform(UnsetReadMark(channel: id), under: transID)
    }

    /// The explanation of this channel's unread count, in numbers and as a sentence; nil if the server does not return
    /// one.
    public func explainUnread() async throws(RoostError) -> UnreadExplanation? {
        try await client.perform(ExplainUnread(channel: id)).channels.first
    }
}

extension ChatClient {
    /// This user's unread counts: in total, in muted channels, of mentions, and by channel.
    ///
    /// `total` is the number for a badge: over all channels that are not muted.
    public func unread() async throws(RoostError) -> UnreadCounts { try await perform(GetUnread()) }

    /// The explanation of the badge: a page of the channels with unread messages, each with an explanation.
    ///
    /// At most `limit` (1 to 100); `cursor` is the `next` of the previous page.
    public func explainUnread(
        limit: Int = 100, cursor: String? = nil
    ) async throws(RoostError) -> Page<UnreadExplanation> {
        try await page(ExplainUnread(limit: limit, cursor: cursor))
    }
}
