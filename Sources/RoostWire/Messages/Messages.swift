#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Somebody named in a message.
public struct Mention: Codable, Hashable, Sendable {
    /// Who is named.
    public var userID: UserID
    /// Where the name starts in the text, in UTF-16 units; absent when no part of the text stands for it.
    public var start: Int?
    /// How long the name is, in UTF-16 units; present exactly when `start` is.
    public var length: Int?

    /// Makes a mention.
    public init(userID: UserID, start: Int? = nil, length: Int? = nil) {
        self.userID = userID
        self.start = start
        self.length = length
    }
}

/// The body of `message.sent`: one message of a user, or a piece of news, which has no sender.
///
/// `message.send` tells which optional fields a type has. A recalled message keeps its row and
/// loses its content: see `recall`.
public struct Message: Codable, Hashable, Sendable {
    /// The message's id, made by the server.
    public var messageID: MessageID {
        get { facts.messageID }
        set { facts.messageID = newValue }
    }
    /// The message's type, a name of the registry of message types.
    public var type: String { content.type }
    /// The text: at most 8,000 UTF-16 units and 32 KiB of UTF-8; empty if the message has none.
    public var text: String {
        get { content.text }
        set { content.text = newValue }
    }
    /// The sender's name in this channel when the message was sent.
    public var senderName: String {
        get { facts.senderName }
        set { facts.senderName = newValue }
    }
    /// The sender's picture in this channel when the message was sent.
    public var senderImageURL: String? {
        get { facts.senderImageURL }
        set { facts.senderImageURL = newValue }
    }
    /// Who is named in the text, in the order of the text.
    public var mentions: [Mention]? {
        get { content.mentions }
        set { content.mentions = newValue }
    }
    /// How many messages of this channel count as unread, up to and with this one: 1, 2, 3 … without gaps.
    ///
    /// If the type of this one does not count, it is that of the row before.
    public var count: Int64 {
        get { facts.count }
        set { facts.count = newValue }
    }
    /// The message that this one answers, as it was when this one was sent.
    public var replyTo: ReplySnapshot? {
        get { facts.replyTo }
        set { facts.replyTo = newValue }
    }
    /// The file.
    public var file: FileReference? { content.file }
    /// The small picture that stands for the file.
    public var thumbnail: FileReference? { content.thumbnail }
    /// The place.
    public var location: Location? { content.location }
    /// Data of the app's own, as strings by name.
    public var extras: [String: String]? {
        get { content.extras }
        set { content.extras = newValue }
    }
    /// A category of the app's own, to ask for.
    public var category: String? {
        get { content.category }
        set { content.category = newValue }
    }
    /// How a `custom` message is delivered: the bits of `message.send`.
    public var attributes: Int? { content.attributes }
    /// What a notice about a call says; absent in other messages.
    public var call: CallNotice? { content.call }
    /// What the message asks, where it is a vote; `text` is the subject.
    public var vote: Vote? { content.payload.vote }
    /// Until when a piece of news is valid; then it is recalled silently. Absent if it does not end.
    public var validUntil: Date? {
        get { facts.validUntil }
        set { facts.validUntil = newValue }
    }
    /// Whether it was forwarded from another message; absent for no. `message.origin` tells from where, to who may know.
    public var isForwarded: Bool? {
        get { facts.isForwarded }
        set { facts.isForwarded = newValue }
    }
    /// That the message was recalled: then text and all other content are empty or absent.
    public var recall: Recall? {
        get { facts.recall }
        set { facts.recall = newValue }
    }
    /// The reactions to it, in what a reader asks for; absent in the row itself, which is the same for all, and for none.
    public var reactions: MessageReactions? {
        get { facts.reactions }
        set { facts.reactions = newValue }
    }
    /// What it says.
    public var content: MessageContent
    private var facts: Facts

    /// What the server says of a message beside its content: a field that is added here is read and written.
    private struct Facts: Codable, Hashable {
        var messageID: MessageID
        var senderName: String
        var senderImageURL: String?
        var count: Int64
        var replyTo: ReplySnapshot?
        @OptionalTimestamp var validUntil: Date?
        var isForwarded: Bool?
        var recall: Recall?
        var reactions: MessageReactions?

        /// Whether there is nothing but what every message has.
        var isPlain: Bool {
            self == Facts(messageID: messageID, senderName: senderName, senderImageURL: senderImageURL, count: count)
        }
    }

    /// Makes a message.
    public init(
        messageID: MessageID, content: MessageContent, senderName: String, senderImageURL: String? = nil, count: Int64,
        replyTo: ReplySnapshot? = nil, validUntil: Date? = nil, isForwarded: Bool? = nil, recall: Recall? = nil
    ) {
        self.content = content
        facts = Facts(
            messageID: messageID, senderName: senderName, senderImageURL: senderImageURL, count: count,
            replyTo: replyTo, validUntil: validUntil, isForwarded: isForwarded, recall: recall)
    }

    /// A vote does not come with a send, so it is no part of a content on the wire.
    private enum CodingKeys: CodingKey { case vote }

    /// Reads a message.
    public init(from decoder: any Decoder) throws {
        facts = try Facts(from: decoder)
        content = try MessageContent(whole: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let vote = try container.decodeIfPresent(Vote.self, forKey: .vote) {
            let payload = content.payload
            content.payload = MessageContent.Payload(type: payload.type, fields: payload.fields, vote: vote)
        }
    }

    /// Writes the message.
    public func encode(to encoder: any Encoder) throws {
        try facts.encode(to: encoder)
        try content.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(vote, forKey: .vote)
    }
}

extension Message {
    /// Whether it holds nothing but a text with its mentions: nearly all messages.
    var hasOnlyText: Bool { content.hasOnlyText && facts.isPlain }
}

/// The body of `message.announced`: a line of the operator, without a sender.
public struct Announcement: Codable, Hashable, Sendable {
    /// The message's id, made by the server.
    public var messageID: MessageID
    /// The text: 1 to 8,000 UTF-16 units.
    public var text: String
    /// How many messages of this channel count as unread up to and with this one.
    public var count: Int64
    /// That the line was recalled: then the text is empty.
    public var recall: Recall?
    /// The reactions to it, as those of a message.
    public var reactions: MessageReactions?

    /// Makes an announcement.
    public init(messageID: MessageID, text: String, count: Int64, recall: Recall? = nil) {
        self.messageID = messageID
        self.text = text
        self.count = count
        self.recall = recall
    }
}

/// Sends a message into a channel of which the caller is a member, or into an open channel.
///
/// The acknowledgement comes after the message is on disk. Every device of every member then gets
/// `message.sent`, the sender's own devices included. Sending again with the same transID changes
/// nothing and gives the same answer.
///
/// - `text`: a text. `sticker`: the app's own code for it, as its text.
/// - `image`, `video`, `contact`: a file, perhaps with a thumbnail. `voice`, `document`: a file.
/// - `location`: a place.
/// - `screenshotTaken`, `messageCopied`, `messagesForwarded`, `messageSaved`: notices that the user
///   did so, with the message in `replyTo`.
/// - `callReceived`, `callCancelled`, `callRecorded`: notices about a call, in `call`.
/// - `custom`: as its `attributes` say. `customQuiet`: stored, without push, never the last
///   message, not counted. `customUncounted`: not counted.
///
/// All types but `text` and `sticker` may go without a text. All may have `replyTo`, `extras` and
/// `category`. Fails with 6 for a field that the type does not have, and with 1001 for any other
/// type and for a text that is empty or too long. A `custom` message that is not stored goes out as
/// `message.relayed`; its acknowledgement has no `seq`.
///
/// Fails with 7003 in a 1-on-1 with somebody who has blocked the caller, and with 1004 and
/// `retryAfterMs` for too many sends in a short time.
public struct SendMessage: Command {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "message.send"
    /// As a case of the closed list.
    public var any: AnyCommand { .write(.sendMessage(self)) }
    /// The channel.
    public var changedChannels: [ChannelID] { [channel] }
    /// As much as the messages that it sends.
    public var cost: CommandCost { .sends(1, to: [channel]) }
    /// The channel.
    public var channel: ChannelID {
        get { address.channel }
        set { address.channel = newValue }
    }
    /// The type, a name of the registry; absent means `text`.
    public var type: String? { content.type == MessageType.text.name ? nil : content.type }
    /// The text: at most 8,000 UTF-16 units. If the type needs one, not only white space; otherwise it may be left out.
    public var text: String {
        get { content.text }
        set { content.text = newValue }
    }
    /// Who is named: at most 50 members, ranges in order, in bounds, not overlapping.
    public var mentions: [Mention]? {
        get { content.mentions }
        set { content.mentions = newValue }
    }
    /// The transID of the send before this one from the same device into the same channel, while that one has no answer;
    /// absent otherwise, because what is acknowledged is on disk.
    ///
    /// When the server does not know that one, it answers 7004 and stores
    /// nothing, so that a lane of sends never changes its order.
    public var after: TransID? {
        get { address.after }
        set { address.after = newValue }
    }
    /// The kind of channel that the caller expects; if it is another one, nothing is sent (1104).
    public var kind: ChannelKind? {
        get { address.kind }
        set { address.kind = newValue }
    }
    /// The message of this channel that this one answers, or that a notice is about; 1118 when it cannot be read.
    public var replyTo: MessageID? {
        get { address.replyTo }
        set { address.replyTo = newValue }
    }
    /// The file, as its upload named it.
    public var file: FileReference? { content.file }
    /// The small picture that stands for the file.
    public var thumbnail: FileReference? { content.thumbnail }
    /// The place.
    public var location: Location? { content.location }
    /// Data of the app's own: at most 32 strings with names of 1 to 64 bytes, 4 KiB in all.
    public var extras: [String: String]? {
        get { content.extras }
        set { content.extras = newValue }
    }
    /// A category of the app's own, 1 to 64 UTF-16 units without control characters; `message.query` asks for it.
    public var category: String? {
        get { content.category }
        set { content.category = newValue }
    }
    /// How a `custom` message is delivered: a sum of 1 store it, 2 tell the apps at once,
    /// 4 tell those that show the channel, 8 push, 16 count as unread, 32 make it the last message.
    ///
    /// 16 and 32 include 1. Every stored row reaches every device; 2 and 4 tell
    /// an app whether to show it at once. Required for `custom`, at least 1.
    public var attributes: Int? { content.attributes }
    /// What a notice about a call says; required for these types.
    public var call: CallNotice? { content.call }
    /// What is sent.
    public var content: MessageContent
    private var address: Address

    /// Where a content goes, and in which place: a field that is added here is read and written.
    private struct Address: Codable, Hashable {
        var channel: ChannelID
        var after: TransID?
        var kind: ChannelKind?
        var replyTo: MessageID?
    }

    /// Makes the command that sends a content; a text does not name its type, which is the usual one.
    ///
    /// Data and category of the app's own that are given here stand before those of the content.
    public init(
        _ content: MessageContent, to channel: ChannelID, after: TransID? = nil, kind: ChannelKind? = nil,
        replyTo: MessageID? = nil, extras: [String: String]? = nil, category: String? = nil
    ) {
        self.content = content
        self.content.extras = extras ?? content.extras
        self.content.category = category ?? content.category
        address = Address(channel: channel, after: after, kind: kind, replyTo: replyTo)
    }

    /// Makes the command of the fields of the wire, whether or not they fit the type.
    public init(
        channel: ChannelID, type: String? = nil, text: String = "", mentions: [Mention]? = nil, after: TransID? = nil,
        kind: ChannelKind? = nil, replyTo: MessageID? = nil, file: FileReference? = nil,
        thumbnail: FileReference? = nil, location: Location? = nil, extras: [String: String]? = nil,
        category: String? = nil, attributes: Int? = nil, call: CallNotice? = nil
    ) {
        let content = MessageContent(
            type: type ?? MessageType.text.name, text: text, mentions: mentions, file: file, thumbnail: thumbnail,
            location: location, extras: extras, category: category, attributes: attributes, call: call)
        self.init(content, to: channel, after: after, kind: kind, replyTo: replyTo)
    }

    /// Reads the command; the text may be left out where the type is not `text`.
    public init(from decoder: any Decoder) throws {
        address = try Address(from: decoder)
        let type = try MessageContent.type(from: decoder)
        let isText = type ?? MessageType.text.name == MessageType.text.name
        content = try MessageContent(from: decoder, type: type ?? MessageType.text.name, needsText: isText)
    }

    /// Writes the command.
    public func encode(to encoder: any Encoder) throws {
        try address.encode(to: encoder)
        try content.encode(to: encoder, namesType: type != nil)
    }
}

extension SendMessage {
    /// Whether nothing but text, mentions and the place in the order is given: nearly all messages.
    package var hasOnlyText: Bool {
        content.hasOnlyText && address == Address(channel: channel, after: after)
    }
}

/// Puts an operator's line without a sender into any channel; everybody who reads the channel gets `message.announced`.
public struct AnnounceMessage: Command {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "message.announce"
    /// As a case of the closed list.
    public var any: AnyCommand { .write(.announceMessage(self)) }
    /// The channel.
    public var changedChannels: [ChannelID] { [channel] }
    /// The channel.
    public var channel: ChannelID
    /// The text: 1 to 8,000 UTF-16 units.
    public var text: String

    /// Makes the command.
    public init(channel: ChannelID, text: String) {
        self.channel = channel
        self.text = text
    }
}

/// Reads a page of a channel's log, in ascending order of `seq`.
///
/// Give at most one of `before`, `after`, `around` and `aroundMessage`; without them you get the
/// newest page. Rows that the caller may not see are left out: what the caller has deleted, what
/// was recalled silently, what was there before a newcomer's history begins. Such holes are no
/// gaps.
public struct ListMessages: Command {
    /// The name on the wire.
    public static let name = "message.list"
    /// As a case of the closed list.
    public var any: AnyCommand { .read(.listMessages(self)) }
    /// The channel.
    public var channel: ChannelID
    /// Only rows with a smaller `seq`, the nearest ones.
    public var before: Int64?
    /// Only rows with a larger `seq`, the nearest ones.
    public var after: Int64?
    /// Rows on both sides of this `seq`, it included.
    public var around: Int64?
    /// Rows on both sides of this message, it included.
    public var aroundMessage: MessageID?
    /// How many rows at most: 1 to 100, 50 when absent; fewer when they are larger than 256 KiB together.
    public var limit: Int?

    /// Makes the command.
    public init(
        channel: ChannelID, before: Int64? = nil, after: Int64? = nil, around: Int64? = nil,
        aroundMessage: MessageID? = nil, limit: Int? = nil
    ) {
        self.channel = channel
        self.before = before
        self.after = after
        self.around = around
        self.aroundMessage = aroundMessage
        self.limit = limit
    }

    /// A page of a channel's log.
    public struct Answer: Codable, Hashable, Sendable {
        /// The rows, ascending, as they were delivered live; a message with the reactions to it as they are now.
        public var events: [Event]
        /// Whether older rows exist that the caller may read.
        public var hasBefore: Bool
        /// Whether newer rows exist.
        public var hasAfter: Bool
        /// The channel's newest `seq` when the page was read.
        public var seq: Int64

        /// Makes a page.
        public init(events: [Event], hasBefore: Bool, hasAfter: Bool, seq: Int64) {
            self.events = events
            self.hasBefore = hasBefore
            self.hasAfter = hasAfter
            self.seq = seq
        }
    }
}
