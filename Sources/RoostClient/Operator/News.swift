public import RoostWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ChannelHandle {
    /// Subscribes to this channel for news: later news reaches all devices, and counts as unread.
    ///
    /// Nothing happens if this user is already subscribed. With the same `transID` it is executed once.
    /// - Throws: `.server(.channelNotFound)`; `.tooManyChannels` if this user is in too many channels.
    public func subscribe(transID: TransID? = nil) async throws(RoostError) {
        try await becomeMember(transID: transID)
    }

    /// Ends the subscription to this channel of news.
    /// - Throws: `.server(.noPrivilege)` for the news of all users, which can be muted and hidden; `.channelNotFound`
    ///   if this user was never subscribed, `.notMember` after unsubscribing.
    public func unsubscribe(transID: TransID? = nil) async throws(RoostError) {
        try await leave(transID: transID)
    }

    /// Publishes a piece of news in this channel. For operators.
    ///
    /// `PublishNews` says what every subscriber gets. At `validUntil`
    /// it is recalled silently. With the same `transID`
    /// it is executed once.
    /// - Throws: `.server(.noPrivilege)`; `.channelTypeMismatch` if the channel is not for news; `.invalidContent` for
    ///   an empty or too long text; `.dataFormat` for anything else, such as a time in the past.
    @discardableResult
    public func publish(
        _ text: String, file: FileReference? = nil, thumbnail: FileReference? = nil, extras: [String: String]? = nil,
        category: String? = nil, validUntil: Date? = nil, transID: TransID? = nil
    ) async throws(RoostError) -> SentMessage {
        let publish = PublishNews(
            channel: id, text: text.isEmpty ? nil : text, file: file, thumbnail: thumbnail, extras: extras,
            category: category, validUntil: validUntil)
        return try SentMessage(try await client.perform(publish, under: transID))
    }
}

extension ChatClient {
    /// Creates a channel that carries news, for those who subscribe or for all users, and returns its id.
    ///
    /// For operators. Without `channel` the server chooses the id. With the same `transID` it is executed once.
    /// - Throws: `.server(.noPrivilege)`; `.channelIDFormat` or `.channelIDExists` for the id.
    @discardableResult
    public func createNews(
        title: String, channel: ChannelID? = nil, isForEverybody: Bool = false, transID: TransID? = nil
    ) async throws(RoostError) -> ChannelID {
        let command = CreateChannel(
            kind: isForEverybody ? .corporateNews : .publicNews, channel: channel, title: title)
        guard let id = try await perform(command, under: transID).channel else {
            throw RoostError(.invalidAnswer, "The server did not say which channel it made.")
        }
        return id
    }

    /// A page of the channels that carry news, by id; `limit` is 1 to 100, `cursor` the `next` of the previous page.
    public func news(limit: Int = 15, cursor: String? = nil) async throws(RoostError) -> Page<NewsChannel> {
        try await page(ListNews(limit: limit, cursor: cursor))
    }
}
