public import RoostWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ChannelHandle {
    /// The messages with these ids (1 to `limits.idsPerCommand`), ascending by `seq`.
    ///
    /// Messages that do not exist or may not be read are left out.
    /// - Throws: `.server(.messageNotFound)` if nothing is left.
    public func messages(_ ids: [MessageID]) async throws(RoostError) -> [Event] {
        try await client.perform(GetMessages(channel: id, messageIDs: ids)).events
    }

    /// A page of rows by time, those nearest to a time: at most `limit` (1 to 100) after it, or before it.
    ///
    /// For search and export; a conversation uses `history`. Rows of exactly that time
    /// are left out; the rows ascend in both
    /// directions. Rows of the same time are on the same page if possible, so a page may be larger.
    /// For the next page pass its `next` as `cursor` and all other arguments unchanged.
    /// - Throws: `.server(.dataFormat)` for a limit beyond 100.
    public func messages(
        sent direction: TimeDirection, _ time: Date, category: String? = nil, limit: Int = 50, cursor: String? = nil
    ) async throws(RoostError) -> Page<Event> {
        try await client.page(
            QueryMessages(
                channel: id, time: max(time, Date(timeIntervalSince1970: 0)), direction: direction, category: category,
                limit: limit,
                cursor: cursor))
    }
}

extension ChatClient {
    /// A page of rows by time over all of this user's channels, open ones not included.
    ///
    /// As ``ChannelHandle/messages(sent:_:category:limit:cursor:)``; the order is by
    /// time, then channel, then `seq`.
    public func messages(
        sent direction: TimeDirection, _ time: Date, category: String? = nil, limit: Int = 50, cursor: String? = nil
    ) async throws(RoostError) -> Page<Event> {
        try await page(
            QueryMessages(
                time: max(time, Date(timeIntervalSince1970: 0)), direction: direction, category: category, limit: limit,
                cursor: cursor))
    }
}
