#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ChannelKind {
    /// Whether it carries news: one way, from operators to subscribers.
    public var isNews: Bool { self == .publicNews || self == .corporateNews }
}

/// Publishes a piece of news. Only an operator may (1107), and only in a channel that carries news (1104).
///
/// Every device of every subscriber gets `message.sent` of the type `publicNews` or
/// `corporateNews`, without a sender and with the channel's title as the name. It counts as unread
/// and is pushed, and is not the last message of its channel.
///
/// When `validUntil` comes, the server recalls it silently: it is not shown or counted any more.
/// The rules of text, file, `extras` and `category` are those of `message.send`; a file may go
/// without a text. Sending again with the same transID changes nothing and gives the same answer.
public struct PublishNews: WriteCommand, ChannelCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "news.publish"
    /// A channel that carries news.
    public var channel: ChannelID
    /// The text: at most 8,000 UTF-16 units; may be absent if there is a file.
    public var text: String?
    /// The attached file.
    public var file: FileReference?
    /// A small picture to show for the file.
    public var thumbnail: FileReference?
    /// App-defined data: at most 32 strings with names of 1 to 64 bytes, 4 KiB in all.
    public var extras: [String: String]?
    /// An app-defined category, 1 to 64 UTF-16 units without control characters; `message.query` asks for it.
    public var category: String?
    /// When the server recalls it, later than now (6); never if absent.
    @OptionalTimestamp public var validUntil: Date?

    /// Creates a value with these fields.
    public init(
        channel: ChannelID, text: String? = nil, file: FileReference? = nil, thumbnail: FileReference? = nil,
        extras: [String: String]? = nil, category: String? = nil, validUntil: Date? = nil
    ) {
        self.channel = channel
        self.text = text
        self.file = file
        self.thumbnail = thumbnail
        self.extras = extras
        self.category = category
        self.validUntil = validUntil
    }
}

extension PublishNews {
    /// Checks all rules that do not depend on the channel.
    /// - Throws: `WireError` 1001 for an empty or too long text without a file, 6 for anything else.
    public func check(now: Date, limits: Limits) throws(WireError) {
        if let validUntil = $validUntil, validUntil <= now.milliseconds {
            throw WireError(.dataFormat, field: "validUntil", "\"validUntil\" must be later than now.")
        }
        // A picture may go with or without text and thumbnail, as a piece of news may.
        let content = MessageContent(
            type: file == nil && thumbnail == nil ? MessageType.text.name : "image", text: text ?? "", file: file,
            thumbnail: thumbnail, extras: extras, category: category)
        try MessageRules.check(content, limits: limits)
    }
}

/// Lists the channels that carry news, by id: those that anybody may subscribe to, and those of all users.
///
/// Subscribe with `member.join`, and end the subscription with `channel.leave`. News of the kind
/// `corporateNews` can only be muted or hidden.
public struct ListNews: ListingCommand {
    /// The name on the wire.
    public static let name = "news.list"
    /// How many at most: 1 to 100, 15 if absent.
    public var limit: Int?
    /// The `next` of the previous page; absent for the first page.
    public var cursor: String?

    /// Creates a value with these fields.
    public init(limit: Int? = nil, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }

    /// A page of news channels.
    public struct Answer: ListingAnswer {
        /// The channels, ordered by id.
        public var channels: [NewsChannel]
        /// The `cursor` of the next page; absent on the last one.
        public var next: String?

        /// Creates a value with these fields.
        public init(channels: [NewsChannel], next: String? = nil) {
            self.channels = channels
            self.next = next
        }

        /// What the page lists.
        public var elements: [NewsChannel] { channels }
    }
}

/// A channel that carries news, as everybody may see it.
public struct NewsChannel: Codable, Hashable, Sendable {
    /// The channel's id.
    public var channel: ChannelID
    /// `publicNews` or `corporateNews`.
    public var kind: ChannelKind
    /// Its title.
    public var title: String
    /// Its settings without the title; absent if all have their default values.
    public var profile: ChannelProfile?
    /// How many users are subscribed. While a new channel of all users is being given to them, it is the number of
    /// those who have it.
    public var subscriberCount: Int
    /// Whether the caller is subscribed.
    public var isSubscribed: Bool
    /// When something was last published or changed.
    @Timestamp public var lastActivityAt: Date

    /// Creates a value with these fields.
    public init(
        channel: ChannelID, kind: ChannelKind, title: String, profile: ChannelProfile? = nil, subscriberCount: Int,
        isSubscribed: Bool, lastActivityAt: Date
    ) {
        self.channel = channel
        self.kind = kind
        self.title = title
        self.profile = profile
        self.subscriberCount = subscriberCount
        self.isSubscribed = isSubscribed
        self.lastActivityAt = lastActivityAt
    }
}

/// The body of `news.created`: the first row of a channel that carries news.
public struct NewsCreated: Codable, Hashable, Sendable {
    /// `publicNews` or `corporateNews`.
    public var kind: ChannelKind
    /// Its title.
    public var title: String

    /// Creates a value with these fields.
    public init(kind: ChannelKind, title: String) {
        self.kind = kind
        self.title = title
    }
}
