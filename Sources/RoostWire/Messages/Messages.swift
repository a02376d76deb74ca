#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A user who is named in a message.
public struct Mention: Codable, Hashable, Sendable {
    /// The user who is named.
    public var userID: UserID
    /// Where the name starts in the text, in UTF-16 units; absent if no part of the text is the name.
    public var start: Int?
    /// The length of the name, in UTF-16 units; present if `start` is, and only then.
    public var length: Int?

    /// Creates a value with these fields.
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
    /// The users who are named, in the order of the text.
    public var mentions: [Mention]? {
        get { content.mentions }
        set { content.mentions = newValue }
    }
    /// How many messages in the channel's log count as unread, up to and including this one: 1, 2, 3 … without gaps.
    ///
    /// If a message of this type does not count, it is the `count` of the row before.
    public var count: Int64 {
        get { facts.count }
        set { facts.count = newValue }
    }
    /// The message that this one answers, as it was when this one was sent.
    public var replyTo: ReplySnapshot? {
        get { facts.replyTo }
        set { facts.replyTo = newValue }
    }
    /// The file of a message with one, otherwise nil.
    public var file: FileReference? { content.file }
    /// A small picture to show for the file.
    public var thumbnail: FileReference? { content.thumbnail }
    /// The place.
    public var location: Location? { content.location }
    /// App-defined data, as strings by name.
    public var extras: [String: String]? {
        get { content.extras }
        set { content.extras = newValue }
    }
    /// An app-defined category, a filter of `message.query`.
    public var category: String? {
        get { content.category }
        set { content.category = newValue }
    }
    /// How a `custom` message is delivered: the bits of `message.send`.
    public var attributes: Int? { content.attributes }
    /// The call of a notice about a call; absent in other messages.
    public var call: CallNotice? { content.call }
    /// The options and rules, if the message is a vote; its question is `text`.
    public var vote: Vote? { content.vote }
    /// For news: when the server recalls it silently; never if absent.
    public var validUntil: Date? {
        get { facts.validUntil }
        set { facts.validUntil = newValue }
    }
    /// Whether it was forwarded from another message; false if absent. `message.origin` returns its source to a
    /// caller who may read that.
    public var isForwarded: Bool? {
        get { facts.isForwarded }
        set { facts.isForwarded = newValue }
    }
    /// Whether the server has stored it encrypted; absent if it was stored while that was off.
    public var isEncrypted: Bool? {
        get { facts.isEncrypted }
        set { facts.isEncrypted = newValue }
    }
    /// Present if the message was recalled: then text and all other content are empty or absent.
    public var recall: Recall? {
        get { facts.recall }
        set { facts.recall = newValue }
    }
    /// The reactions to it; only in answers to queries, because they are different for each reader. Absent if there are
    /// none.
    public var reactions: MessageReactions? {
        get { facts.reactions }
        set { facts.reactions = newValue }
    }
    /// Whether it was read: an own message by at least one other member, a message of somebody else by the caller. Only
    /// in the answer to `message.get`, because it is different for each reader; absent if it was not read, and in open
    /// channels.
    public var isRead: Bool? {
        get { facts.isRead }
        set { facts.isRead = newValue }
    }
    /// The content: text, file, place or app-defined data.
    public var content: MessageContent
    private var facts: Facts

    /// What the server adds to a message's content: a field that is added here is encoded and decoded.
    private struct Facts: Codable, Hashable {
        var messageID: MessageID
        var senderName: String
        var senderImageURL: String?
        var count: Int64
        var replyTo: ReplySnapshot?
        @OptionalTimestamp var validUntil: Date?
        var isForwarded: Bool?
        var isEncrypted: Bool?
        var recall: Recall?
        var reactions: MessageReactions?
        var isRead: Bool?

        /// Whether only the fields that every message may have are set.
        var isPlain: Bool {
            self
                == Facts(
                    messageID: messageID, senderName: senderName, senderImageURL: senderImageURL, count: count,
                    isEncrypted: isEncrypted)
        }
    }

    /// Creates a message.
    public init(
        messageID: MessageID, content: MessageContent, senderName: String, senderImageURL: String? = nil, count: Int64,
        replyTo: ReplySnapshot? = nil, validUntil: Date? = nil, isForwarded: Bool? = nil, isEncrypted: Bool? = nil,
        recall: Recall? = nil
    ) {
        self.content = content
        facts = Facts(
            messageID: messageID, senderName: senderName, senderImageURL: senderImageURL, count: count,
            replyTo: replyTo, validUntil: validUntil, isForwarded: isForwarded, isEncrypted: isEncrypted, recall: recall
        )
    }

    /// The vote is not part of a content on the wire, because `message.send` cannot send one.
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
    /// Whether it has only a text and mentions, as nearly all messages do.
    var hasOnlyText: Bool { content.hasOnlyText && facts.isPlain }
}

/// The body of `message.announced`: an announcement of an operator, without a sender.
public struct Announcement: Codable, Hashable, Sendable {
    /// The message's id, made by the server.
    public var messageID: MessageID
    /// The text: 1 to 8,000 UTF-16 units.
    public var text: String
    /// How many messages in the channel's log count as unread, up to and including this one.
    public var count: Int64
    /// Whether the server has stored it encrypted, as in ``Message``.
    public var isEncrypted: Bool?
    /// Present if the announcement was recalled: then the text is empty.
    public var recall: Recall?
    /// The reactions to it, as in ``Message``.
    public var reactions: MessageReactions?

    /// Creates an announcement.
    public init(
        messageID: MessageID, text: String, count: Int64, isEncrypted: Bool? = nil, recall: Recall? = nil
    ) {
        self.messageID = messageID
        self.text = text
        self.count = count
        self.isEncrypted = isEncrypted
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
public struct SendMessage: WriteCommand, ChannelCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "message.send"
    /// The cost of the messages that it sends.
    public var cost: CommandCost { .sends(1, to: [channel]) }
    /// The channel that gets the message. To a stranger it does not exist (1105).
    public var channel: ChannelID {
        get { address.channel }
        set { address.channel = newValue }
    }
    /// The type, a name of the registry; `text` if absent.
    public var type: String? { content.type == MessageType.text.name ? nil : content.type }
    /// The text: at most 8,000 UTF-16 units. If the type needs one, not only white space; otherwise it may be left out.
    public var text: String {
        get { content.text }
        set { content.text = newValue }
    }
    /// The members who are named, at most 50; their ranges are in order, inside the text and do not overlap.
    public var mentions: [Mention]? {
        get { content.mentions }
        set { content.mentions = newValue }
    }
    /// The transID of the previous send of this device to this channel, if that one has no answer yet; otherwise
    /// absent.
    ///
    /// If the server does not know that send, it answers 7004 and stores
    /// nothing, so that the order of the sends never changes.
    public var after: TransID? {
        get { address.after }
        set { address.after = newValue }
    }
    /// The kind of channel that the caller expects; if it is another one, nothing is sent (1104).
    public var kind: ChannelKind? {
        get { address.kind }
        set { address.kind = newValue }
    }
    /// The message of this channel that this one answers, or that a notice is about; 1118 if it cannot be read.
    public var replyTo: MessageID? {
        get { address.replyTo }
        set { address.replyTo = newValue }
    }
    /// The uploaded file.
    public var file: FileReference? { content.file }
    /// A small picture to show for the file.
    public var thumbnail: FileReference? { content.thumbnail }
    /// The place.
    public var location: Location? { content.location }
    /// App-defined data: at most 32 strings with names of 1 to 64 bytes, 4 KiB in all.
    public var extras: [String: String]? {
        get { content.extras }
        set { content.extras = newValue }
    }
    /// An app-defined category, 1 to 64 UTF-16 units without control characters; `message.query` asks for it.
    public var category: String? {
        get { content.category }
        set { content.category = newValue }
    }
    /// How a `custom` message is delivered: the sum of 1 (store it), 2 (tell apps at once),
    /// 4 (tell apps that show the channel), 8 (push), 16 (count as unread) and 32 (make it the last message).
    ///
    /// 16 and 32 include 1. Every stored row reaches every device; 2 and 4 say
    /// whether an app shows it at once. Required for `custom`, at least 1.
    public var attributes: Int? { content.attributes }
    /// The call of a notice about a call; required for these types.
    public var call: CallNotice? { content.call }
    /// The content to send.
    public var content: MessageContent
    private var address: Address

    /// The fields of a send around its content: a field that is added here is encoded and decoded.
    private struct Address: Codable, Hashable {
        var channel: ChannelID
        var after: TransID?
        var kind: ChannelKind?
        var replyTo: MessageID?
    }

    /// Creates the command that sends a content.
    ///
    /// `extras` and `category` given here replace those of the content.
    public init(
        _ content: MessageContent, to channel: ChannelID, after: TransID? = nil, kind: ChannelKind? = nil,
        replyTo: MessageID? = nil, extras: [String: String]? = nil, category: String? = nil
    ) {
        self.content = content
        self.content.extras = extras ?? content.extras
        self.content.category = category ?? content.category
        address = Address(channel: channel, after: after, kind: kind, replyTo: replyTo)
    }

    /// Creates the command from the fields on the wire, which are not checked against the type.
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

    /// Reads the command; the text may be absent if the type is not `text`.
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
public struct AnnounceMessage: WriteCommand, ChannelCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "message.announce"
    /// Any channel of the server.
    public var channel: ChannelID
    /// The text: 1 to 8,000 UTF-16 units.
    public var text: String

    /// Creates a value with these fields.
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
///
/// To show a conversation, set `onlyShown`: otherwise a page can consist of reactions alone. The
/// server then examines at most 2,000 rows on each side. A page without events and with `hasBefore`
/// is therefore not the beginning: go on with `before` at its `from`, or with `after` at its `to`.
public struct ListMessages: ReadCommand {
    /// The name on the wire.
    public static let name = "message.list"
    /// A channel that the caller may read. To a stranger it does not exist (1105).
    public var channel: ChannelID
    /// Only rows with a smaller `seq`, the nearest ones.
    public var before: Int64?
    /// Only rows with a larger `seq`, the nearest ones.
    public var after: Int64?
    /// Rows on both sides of this `seq`, it included.
    public var around: Int64?
    /// Rows on both sides of this message, it included.
    public var aroundMessage: MessageID?
    /// How many rows at most: 1 to 100, 50 if absent; fewer when they are larger than 256 KiB together.
    public var limit: Int?
    /// Whether to leave out rows that do not show in a conversation, such as reactions and ballots; false if absent.
    ///
    /// The chapter *Events* says for each event whether it shows. Messages have the reactions, the recalls and the ends
    /// of votes that are left out.
    public var onlyShown: Bool?

    /// Creates a value with these fields.
    public init(
        channel: ChannelID, before: Int64? = nil, after: Int64? = nil, around: Int64? = nil,
        aroundMessage: MessageID? = nil, limit: Int? = nil, onlyShown: Bool? = nil
    ) {
        self.channel = channel
        self.before = before
        self.after = after
        self.around = around
        self.aroundMessage = aroundMessage
        self.limit = limit
        self.onlyShown = onlyShown
    }

    /// A page of a channel's log.
    public struct Answer: Codable, Hashable, Sendable {
        /// The rows, ascending, as they were delivered live; a message with the reactions to it as they are now.
        public var events: [Event]
        /// Whether older rows exist that the caller may read; with `onlyShown`, perhaps none of them shows.
        public var hasBefore: Bool
        /// Whether newer rows exist; with `onlyShown`, perhaps none of them shows.
        public var hasAfter: Bool
        /// The channel's newest `seq` when the page was read.
        public var seq: Int64
        /// The first row that the page covers: of the rows from `from` to `to`, none is missing that was asked for and
        /// that the caller may see. 1 without `hasBefore`; larger than `to` if the page covers no row.
        public var from: Int64
        /// The last row that the page covers.
        public var to: Int64

        /// Creates a value with these fields.
        public init(events: [Event], hasBefore: Bool, hasAfter: Bool, seq: Int64, from: Int64, to: Int64) {
            self.events = events
            self.hasBefore = hasBefore
            self.hasAfter = hasAfter
            self.seq = seq
            self.from = from
            self.to = to
        }
    }
}
