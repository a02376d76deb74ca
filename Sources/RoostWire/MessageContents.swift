/// What a message says, apart from where it goes: a text, a file, a place, or something of the app's own.
///
/// The fields and their limits are those of `SendMessage`, which sends one content
/// into one channel. `RoostClient` has a maker for each type, as `.image(_:)`.
public struct MessageContent: Codable, Hashable, Sendable {
    /// The type, a name of the registry of message types; `text` when it is left out.
    public var type: String
    /// The text; empty or left out where the type needs none.
    public var text: String
    /// Who is named.
    public var mentions: [Mention]?
    /// The file, as its upload named it.
    public var file: FileReference?
    /// The small picture that stands for the file.
    public var thumbnail: FileReference?
    /// The place.
    public var location: Location?
    /// Data of the app's own.
    public var extras: [String: String]?
    /// A category of the app's own.
    public var category: String?
    /// How a `custom` message is delivered.
    public var attributes: Int?
    /// What a notice about a call says.
    public var call: CallNotice?

    /// Makes a content.
    public init(
        type: String = MessageType.text.name, text: String = "", mentions: [Mention]? = nil,
        file: FileReference? = nil, thumbnail: FileReference? = nil, location: Location? = nil,
        extras: [String: String]? = nil, category: String? = nil, attributes: Int? = nil, call: CallNotice? = nil
    ) {
        self.type = type
        self.text = text
        self.mentions = mentions
        self.file = file
        self.thumbnail = thumbnail
        self.location = location
        self.extras = extras
        self.category = category
        self.attributes = attributes
        self.call = call
    }

    /// Reads a content; type and text may be left out.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        type = try container.decodeIfPresent(String.self, forKey: .type) ?? MessageType.text.name
        text = try container.decodeIfPresent(String.self, forKey: .text) ?? ""
        mentions = try container.decodeIfPresent([Mention].self, forKey: .mentions)
        file = try container.decodeIfPresent(FileReference.self, forKey: .file)
        thumbnail = try container.decodeIfPresent(FileReference.self, forKey: .thumbnail)
        location = try container.decodeIfPresent(Location.self, forKey: .location)
        extras = try container.decodeIfPresent([String: String].self, forKey: .extras)
        category = try container.decodeIfPresent(String.self, forKey: .category)
        attributes = try container.decodeIfPresent(Int.self, forKey: .attributes)
        call = try container.decodeIfPresent(CallNotice.self, forKey: .call)
    }
}

extension SendMessage {
    /// The command that sends a content; a text does not name its type, which is the usual one.
    ///
    /// Data and category of the app's own that are given here stand before those of the content.
    public init(
        _ content: MessageContent, to channel: ChannelID, replyTo: MessageID? = nil, extras: [String: String]? = nil,
        category: String? = nil
    ) {
        self.init(
            channel: channel, type: content.type == MessageType.text.name ? nil : content.type, text: content.text,
            mentions: content.mentions, replyTo: replyTo, file: content.file, thumbnail: content.thumbnail,
            location: content.location, extras: extras ?? content.extras, category: category ?? content.category,
            attributes: content.attributes, call: content.call)
    }
}

/// A file that an upload has made. What it names is opaque to whoever only passes it on.
public struct FileReference: Codable, Hashable, Sendable {
    /// The reference, 1 to 512 bytes without control characters.
    public var fileID: String
    /// The name to show, 1 to 200 UTF-16 units.
    public var name: String?
    /// What is in it, as `image/jpeg`: at most 255 bytes.
    public var contentType: String?
    /// How large it is, in bytes.
    public var size: Int64?

    /// Makes a reference.
    public init(fileID: String, name: String? = nil, contentType: String? = nil, size: Int64? = nil) {
        self.fileID = fileID
        self.name = name
        self.contentType = contentType
        self.size = size
    }
}

/// A place on the earth.
public struct Location: Codable, Hashable, Sendable {
    /// Degrees north of the equator, −90 to 90.
    public var latitude: Double
    /// Degrees east of Greenwich, −180 to 180.
    public var longitude: Double
    /// What to call the place, at most 1,000 UTF-16 units.
    public var address: String?

    /// Makes a place.
    public init(latitude: Double, longitude: Double, address: String? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.address = address
    }
}

/// The message that another one answers, as it was when that one was sent.
///
/// The server makes it. When the message is recalled, the stored snapshot loses
/// its content too and says `isRecalled`.
public struct ReplySnapshot: Codable, Hashable, Sendable {
    /// The answered message.
    public var messageID: MessageID
    /// Its row in the channel's log.
    public var seq: Int64
    /// Who sent it; absent for an operator's announcement.
    public var senderID: UserID?
    /// The sender's name when it was sent.
    public var senderName: String?
    /// Its type.
    public var type: String
    /// When it was sent, ms since 1970.
    public var sentAt: Int64
    /// The beginning of its text, at most 500 UTF-16 units.
    public var text: String
    /// Who is named in that beginning.
    public var mentions: [Mention]?
    /// Its data of the app's own.
    public var extras: [String: String]?
    /// Its file.
    public var file: FileReference?
    /// The small picture that stands for its file.
    public var thumbnail: FileReference?
    /// Its place.
    public var location: Location?
    /// Whether it was recalled since; absent for no.
    public var isRecalled: Bool?

    /// Makes a snapshot.
    public init(
        messageID: MessageID, seq: Int64, senderID: UserID? = nil, senderName: String? = nil, type: String,
        sentAt: Int64, text: String, mentions: [Mention]? = nil, extras: [String: String]? = nil,
        file: FileReference? = nil, thumbnail: FileReference? = nil, location: Location? = nil,
        isRecalled: Bool? = nil
    ) {
        self.messageID = messageID
        self.seq = seq
        self.senderID = senderID
        self.senderName = senderName
        self.type = type
        self.sentAt = sentAt
        self.text = text
        self.mentions = mentions
        self.extras = extras
        self.file = file
        self.thumbnail = thumbnail
        self.location = location
        self.isRecalled = isRecalled
    }
}

extension ReplySnapshot {
    /// The longest text of a snapshot, in UTF-16 units.
    public static let textLength = 500

    /// The snapshot of the message in a row, or nothing when the row holds none or one that is recalled.
    ///
    /// What the message itself answers is not in it: a snapshot is one message deep.
    public init?(of event: Event) {
        guard let seq = event.seq, let sentAt = event.sentAt else { return nil }
        switch event.body {
        case .messageSent(let message) where message.recall == nil:
            let text = Self.beginning(of: message.text)
            let end = text.utf16.count
            let mentions = message.mentions?.filter { ($0.start ?? 0) <= end - ($0.length ?? 0) }
            self.init(
                messageID: message.messageID, seq: seq, senderID: event.senderID, senderName: message.senderName,
                type: message.type, sentAt: sentAt, text: text, mentions: mentions?.isEmpty == true ? nil : mentions,
                extras: message.extras, file: message.file, thumbnail: message.thumbnail, location: message.location)
        case .messageAnnounced(let announcement):
            self.init(
                messageID: announcement.messageID, seq: seq, type: MessageType.text.name, sentAt: sentAt,
                text: Self.beginning(of: announcement.text))
        default: return nil
        }
    }

    /// Whole characters from the start that fit.
    private static func beginning(of text: String) -> String {
        guard text.utf16.count > textLength else { return text }
        var units = 0
        return String(
            text.prefix { character in
                units += character.utf16.count
                return units <= textLength
            })
    }

    /// The snapshot after the message in it was recalled.
    public func recalled() -> ReplySnapshot {
        ReplySnapshot(
            messageID: messageID, seq: seq, senderID: senderID, senderName: senderName, type: type, sentAt: sentAt,
            text: "", isRecalled: true)
    }
}

/// What becomes of a message: its type's flags, with a `custom` message's own ones put in.
public struct MessageBehaviour: Hashable, Sendable {
    /// Whether it becomes a row of the channel's log.
    public var isStored: Bool
    /// Whether it becomes the last message of the channel.
    public var isLastMessage: Bool
    /// Whether apps are told at once. A stored row reaches every device in any case, so that no `seq` is missing.
    public var isRealtime: Bool
    /// Whether only apps that show the channel are told.
    public var isForOpenChannel: Bool
    /// What kind of push notification it makes; nothing for none.
    public var pushKind: PushKind?
    /// Whether it takes the next `count` and so adds to the unread counts.
    public var countsAsUnread: Bool
}

/// What kind of push notification a message makes: they go to different tokens of a device.
public enum PushKind: String, CaseIterable, Sendable {
    /// One that is shown.
    case alert
    /// One that makes the device ring, or stops it, before anything is shown.
    case voip
}

extension MessageBehaviour {
    /// Whether it makes a push notification.
    public var isPushed: Bool { pushKind != nil }

    /// What bits mean, for `SendMessage.attributes` of a `custom` message.
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
    /// What kind of push notification a message of this type makes; nothing for none, and for `custom`, which says itself.
    public var pushKind: PushKind? {
        guard isPushed == .yes else { return nil }
        return (2_001...2_002).contains(number) ? .voip : .alert
    }

    /// What becomes of a message of this type; `attributes` count for `custom` only.
    public func behaviour(attributes: Int? = nil) -> MessageBehaviour {
        if isStored == .option { return MessageBehaviour(attributes: attributes ?? 0) }
        return MessageBehaviour(
            isStored: isStored == .yes, isLastMessage: isLastMessage == .yes, isRealtime: isRealtime == .yes,
            isForOpenChannel: false, pushKind: pushKind, countsAsUnread: countsAsUnread == .yes)
    }
}
