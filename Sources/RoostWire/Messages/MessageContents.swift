#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The content of a message: a text, a file, a place or app-defined data.
///
/// The fields and their limits are those of `message.send`, which sends one content into one
/// channel.
public struct MessageContent: Codable, Hashable, Sendable, LiesFlat {
    /// The type, a name of the registry of message types; `text` if absent.
    public var type: String { payload.type }
    /// The text; empty or left out if the type needs none.
    public var text: String
    /// The users who are named.
    public var mentions: [Mention]? {
        get { common.mentions }
        set { common.mentions = newValue }
    }
    /// The file; the server fills in all but its id.
    public var file: FileReference? { payload.fields.file }
    /// A small picture to show for the file.
    public var thumbnail: FileReference? { payload.fields.thumbnail }
    /// The place.
    public var location: Location? { payload.fields.location }
    /// App-defined data.
    public var extras: [String: String]? {
        get { common.extras }
        set { common.extras = newValue }
    }
    /// An app-defined category.
    public var category: String? {
        get { common.category }
        set { common.category = newValue }
    }
    /// How a `custom` message is delivered.
    public var attributes: Int? { payload.attributes }
    /// The call of a notice about a call.
    public var call: CallNotice? { payload.fields.call }
    /// The options and rules, if it is a vote; its text is the question.
    package var vote: Vote? { payload.vote }
    /// The fields beside the text that depend on the type.
    public var payload: Payload
    /// The fields beside the text that any type may have.
    private var common: Common

    /// The fields beside the text that any type may have: one that is added here is encoded, decoded and copied
    /// everywhere.
    private struct Common: Codable, Hashable {
        var mentions: [Mention]?
        var extras: [String: String]?
        var category: String?
    }

    /// Creates a content.
    public init(
        _ payload: Payload, text: String = "", mentions: [Mention]? = nil, extras: [String: String]? = nil,
        category: String? = nil
    ) {
        self.text = text
        self.payload = payload
        common = Common(mentions: mentions, extras: extras, category: category)
    }

    /// Creates a content from the fields on the wire, which are not checked against the type.
    public init(
        type: String = MessageType.text.name, text: String = "", mentions: [Mention]? = nil,
        file: FileReference? = nil, thumbnail: FileReference? = nil, location: Location? = nil,
        extras: [String: String]? = nil, category: String? = nil, attributes: Int? = nil, call: CallNotice? = nil
    ) {
        let fields = Fields(file: file, thumbnail: thumbnail, location: location, attributes: attributes, call: call)
        self.init(
            Payload(type: type, fields: fields), text: text, mentions: mentions, extras: extras, category: category)
    }

    private enum CodingKeys: CodingKey { case type, text }

    /// Reads a content; type and text may be absent.
    public init(from decoder: any Decoder) throws {
        let type = try Self.type(from: decoder) ?? MessageType.text.name
        try self.init(from: decoder, type: type, needsText: false)
    }

    /// Reads the rest of a content whose type is known.
    init(from decoder: any Decoder, type: String, needsText: Bool) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        text =
            needsText
            ? try container.decode(String.self, forKey: .text)
            : try container.decodeIfPresent(String.self, forKey: .text) ?? ""
        payload = Payload(type: type, fields: try Fields(from: decoder))
        common = try Common(from: decoder)
    }

    /// Reads a content that has a type and a text, which may be empty.
    init(whole decoder: any Decoder) throws {
        let type = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .type)
        try self.init(from: decoder, type: type, needsText: true)
    }

    /// The name of the type in a content.
    static func type(from decoder: any Decoder) throws -> String? {
        try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .type)
    }

    /// Writes the content.
    public func encode(to encoder: any Encoder) throws { try encode(to: encoder, namesType: true) }

    /// Writes the content, with or without its type.
    func encode(to encoder: any Encoder, namesType: Bool) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if namesType { try container.encode(type, forKey: .type) }
        try container.encode(text, forKey: .text)
        try payload.fields.encode(to: encoder)
        try common.encode(to: encoder)
    }
}

extension MessageContent {
    /// Whether it has only a type, a text and mentions, as nearly all messages do.
    var hasOnlyText: Bool { payload.isBare && common == Common(mentions: common.mentions) }

    /// The part of it that a snapshot in a reply has.
    var quoted: MessageContent { MessageContent(payload.quoted, text: text, mentions: mentions, extras: extras) }

    /// The content with its text cut to at most `length` UTF-16 units, and the mentions inside that text.
    func cut(to length: Int) -> MessageContent {
        var content = self
        content.text = Self.beginning(of: text, length: length)
        let end = content.text.utf16.count
        let mentions = mentions?.filter { ($0.start ?? 0) <= end - ($0.length ?? 0) }
        content.mentions = mentions?.isEmpty == true ? nil : mentions
        return content
    }

    /// The longest prefix of whole characters that fits.
    static func beginning(of text: String, length: Int) -> String {
        guard text.utf16.count > length else { return text }
        var units = 0
        return String(
            text.prefix { character in
                units += character.utf16.count
                return units <= length
            })
    }

    /// The content after a recall: only its type and its `attributes`.
    var shell: MessageContent { MessageContent(payload.shell) }
}

/// A place on the map.
public struct Location: Codable, Hashable, Sendable {
    /// Degrees north of the equator, −90 to 90.
    public var latitude: Double
    /// Degrees east of Greenwich, −180 to 180.
    public var longitude: Double
    /// The address or name of the place, at most 1,000 UTF-16 units.
    public var address: String?

    /// Creates a value with these fields.
    public init(latitude: Double, longitude: Double, address: String? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.address = address
    }
}

/// A copy of the message that another message answers, as it was when the answer was sent.
///
/// The server creates it. If the answered message is recalled, the stored snapshot loses its
/// content too, and `isRecalled` is true.
public struct ReplySnapshot: Codable, Hashable, Sendable {
    /// The answered message.
    public var messageID: MessageID { facts.messageID }
    /// Its row in the channel's log.
    public var seq: Int64 { facts.seq }
    /// The sender; absent for an operator's announcement.
    public var senderID: UserID? { facts.senderID }
    /// The sender's name when it was sent.
    public var senderName: String? { facts.senderName }
    /// Its type.
    public var type: String { content.type }
    /// When it was sent.
    public var sentAt: Date { facts.sentAt }
    /// The beginning of its text, at most 500 UTF-16 units; empty for a reader whose history begins after that message.
    public var text: String { content.text }
    /// The users who are named in that part of the text.
    public var mentions: [Mention]? { content.mentions }
    /// Its app-defined data.
    public var extras: [String: String]? { content.extras }
    /// Its file.
    public var file: FileReference? { content.file }
    /// A small picture to show for its file.
    public var thumbnail: FileReference? { content.thumbnail }
    /// Its place.
    public var location: Location? { content.location }
    /// Whether it was recalled since; false if absent.
    public var isRecalled: Bool? { facts.isRecalled }
    /// Its content, as far as it is copied.
    public var content: MessageContent
    private var facts: Facts

    /// The fields beside its content: one that is added here is encoded and decoded.
    private struct Facts: Codable, Hashable {
        var messageID: MessageID
        var seq: Int64
        var senderID: UserID?
        var senderName: String?
        @Timestamp var sentAt: Date
        var isRecalled: Bool?
    }

    /// Creates a snapshot.
    public init(
        messageID: MessageID, seq: Int64, senderID: UserID? = nil, senderName: String? = nil, sentAt: Date,
        content: MessageContent, isRecalled: Bool? = nil
    ) {
        self.content = content
        facts = Facts(
            messageID: messageID, seq: seq, senderID: senderID, senderName: senderName, sentAt: sentAt,
            isRecalled: isRecalled)
    }

    /// Reads a snapshot.
    public init(from decoder: any Decoder) throws {
        facts = try Facts(from: decoder)
        content = try MessageContent(whole: decoder).quoted
    }

    /// Writes the snapshot.
    public func encode(to encoder: any Encoder) throws {
        try facts.encode(to: encoder)
        try content.encode(to: encoder)
    }
}

extension ReplySnapshot {
    /// The longest text of a snapshot, in UTF-16 units.
    public static let textLength = 500

    /// The snapshot of the message in a row; nil if the row has none or it was recalled.
    ///
    /// It does not contain the message's own `replyTo`: a snapshot is never nested.
    public init?(of event: Event) {
        guard let seq = event.seq, let sentAt = event.sentAt else { return nil }
        switch event.body {
        case .channel(.messageSent(let message)) where message.recall == nil:
            self.init(
                messageID: message.messageID, seq: seq, senderID: event.senderID, senderName: message.senderName,
                sentAt: sentAt, content: message.content.quoted.cut(to: Self.textLength))
        case .channel(.messageAnnounced(let announcement)):
            self.init(
                messageID: announcement.messageID, seq: seq, sentAt: sentAt,
                content: MessageContent(
                    .text, text: MessageContent.beginning(of: announcement.text, length: Self.textLength)))
        default: return nil
        }
    }

    /// The snapshot after the message in it was recalled.
    public func recalled() -> ReplySnapshot {
        var snapshot = self
        snapshot.content = MessageContent(type: type)
        snapshot.facts.isRecalled = true
        return snapshot
    }
}

/// How a message is handled: the flags of its type, and for a `custom` message those of its attributes.
public struct MessageBehaviour: Hashable, Sendable {
    /// Whether it becomes a row of the channel's log.
    public var isStored: Bool
    /// Whether it becomes the last message of the channel.
    public var isLastMessage: Bool
    /// Whether apps are told at once. A stored row reaches every device in any case, so that no `seq` is missing.
    public var isRealtime: Bool
    /// Whether only apps that show the channel are told.
    public var isForOpenChannel: Bool
    /// The kind of its push notification; nil if there is none.
    public var pushKind: PushKind?
    /// Whether it takes the next `count` and so adds to the unread counts.
    public var countsAsUnread: Bool
}

/// The kind of a push notification.
public enum PushKind: String, Codable, CaseIterable, Sendable {
    /// One that is shown.
    case alert
    /// One that makes the device ring, or stops it, before anything is shown; devices may have a token of its own for it.
    case voip
    /// One that removes what is shown; the device shows nothing new.
    case withdrawal
}

extension MessageBehaviour {
    /// Whether it makes a push notification.
    public var isPushed: Bool { pushKind != nil }

    /// The behaviour for the bits of `SendMessage.attributes`, of a `custom` message.
    public init(attributes: Int) {
        func has(_ bits: Int) -> Bool { attributes & bits != 0 }
        isStored = has(1 | 16 | 32)
        isRealtime = has(2 | 4)
        isForOpenChannel = has(4) && !has(2)
        pushKind = has(8) ? .alert : nil
        countsAsUnread = has(16)
        isLastMessage = has(32)
    }

    /// All bits that a `custom` message may have.
    public static let allAttributes = 63
}

extension MessageType {
    /// Whether its messages are notices about calls.
    package var isOfCall: Bool { (2_001...2_003).contains(number) }

    /// The kind of push notification of this type; nil if there is none, and for `custom`, where the attributes decide.
    public var pushKind: PushKind? {
        guard isPushed == .yes else { return nil }
        return (2_001...2_002).contains(number) ? .voip : .alert
    }

    /// How a message of this type is handled; `attributes` are used for `custom` only.
    public func behaviour(attributes: Int? = nil) -> MessageBehaviour {
        if isStored == .option { return MessageBehaviour(attributes: attributes ?? 0) }
        return MessageBehaviour(
            isStored: isStored == .yes, isLastMessage: isLastMessage == .yes, isRealtime: isRealtime == .yes,
            isForOpenChannel: false, pushKind: pushKind, countsAsUnread: countsAsUnread == .yes)
    }
}
