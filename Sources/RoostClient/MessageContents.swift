public import RoostWire

/// What a message says: a text, a file, a place, or something of the app's own.
///
/// ```swift
/// try await channel.send(.image(picture, thumbnail: small, text: "The new roof"))
/// try await channel.send(.location(Location(latitude: 52.5, longitude: 13.4)), replyTo: question)
/// ```
///
/// The limits are those of `message.send`; what breaks them is refused before
/// anything leaves, with the server's own codes.
public struct MessageContent: Hashable, Sendable {
    /// The type, a name of the registry of message types.
    public let type: String
    /// The text; empty for none.
    public let text: String
    /// Who is named in the text.
    public let mentions: [Mention]?
    /// The file.
    public let file: FileReference?
    /// The small picture that stands for the file.
    public let thumbnail: FileReference?
    /// The place.
    public let location: Location?
    /// How a `custom` message is delivered.
    public let attributes: Int?

    private init(
        _ type: String, text: String = "", mentions: [Mention]? = nil, file: FileReference? = nil,
        thumbnail: FileReference? = nil, location: Location? = nil, attributes: Int? = nil
    ) {
        self.type = type
        self.text = text
        self.mentions = mentions
        self.file = file
        self.thumbnail = thumbnail
        self.location = location
        self.attributes = attributes
    }

    /// A text: 1 to 8,000 UTF-16 units, and who is named in it.
    public static func text(_ text: String, mentions: [Mention]? = nil) -> MessageContent {
        MessageContent("text", text: text, mentions: mentions)
    }

    /// A sticker: the app's own code for it, 1 to 8,000 UTF-16 units.
    public static func sticker(_ code: String) -> MessageContent { MessageContent("sticker", text: code) }

    /// A picture that an upload has made, perhaps with a small one that stands for it and a text below it.
    public static func image(
        _ file: FileReference, thumbnail: FileReference? = nil, text: String = "", mentions: [Mention]? = nil
    ) -> MessageContent {
        MessageContent("image", text: text, mentions: mentions, file: file, thumbnail: thumbnail)
    }

    /// A video that an upload has made, perhaps with a picture that stands for it and a text below it.
    public static func video(
        _ file: FileReference, thumbnail: FileReference? = nil, text: String = "", mentions: [Mention]? = nil
    ) -> MessageContent {
        MessageContent("video", text: text, mentions: mentions, file: file, thumbnail: thumbnail)
    }

    /// A voice message that an upload has made.
    public static func voice(
        _ file: FileReference, text: String = "", mentions: [Mention]? = nil
    ) -> MessageContent {
        MessageContent("voice", text: text, mentions: mentions, file: file)
    }

    /// A contact, as a file that an upload has made, perhaps with a picture.
    public static func contact(
        _ file: FileReference, thumbnail: FileReference? = nil, text: String = "", mentions: [Mention]? = nil
    ) -> MessageContent {
        MessageContent("contact", text: text, mentions: mentions, file: file, thumbnail: thumbnail)
    }

    /// Any other file that an upload has made.
    public static func document(
        _ file: FileReference, text: String = "", mentions: [Mention]? = nil
    ) -> MessageContent {
        MessageContent("document", text: text, mentions: mentions, file: file)
    }

    /// A place: −90 to 90 and −180 to 180 degrees.
    public static func location(
        _ location: Location, text: String = "", mentions: [Mention]? = nil
    ) -> MessageContent {
        MessageContent("location", text: text, mentions: mentions, location: location)
    }

    /// A notice that this user did something with a message; name the message as `replyTo` of the send.
    public static func notice(_ notice: MessageNotice, text: String = "") -> MessageContent {
        MessageContent(notice.rawValue, text: text)
    }

    /// A message of the app's own that is delivered as it says itself.
    ///
    /// What is not stored reaches those who are connected as `message.relayed`, has
    /// no `seq`, and is not kept for anybody.
    public static func custom(
        _ delivery: CustomDelivery, text: String = "", mentions: [Mention]? = nil
    ) -> MessageContent {
        MessageContent("custom", text: text, mentions: mentions, attributes: delivery.rawValue)
    }

    /// A message of the app's own that is stored, makes no push, never is the last message and does not count as unread.
    public static func customQuiet(text: String = "", mentions: [Mention]? = nil) -> MessageContent {
        MessageContent("customQuiet", text: text, mentions: mentions)
    }

    /// A message of the app's own like any other, but that does not count as unread.
    public static func customUncounted(text: String = "", mentions: [Mention]? = nil) -> MessageContent {
        MessageContent("customUncounted", text: text, mentions: mentions)
    }
}

/// What a user did with a message, told to all members.
public enum MessageNotice: String, Hashable, Sendable, CaseIterable {
    /// A picture of the screen was taken.
    case screenshotTaken
    /// The message was copied.
    case messageCopied
    /// Messages were passed on.
    case messagesForwarded
    /// The message or its file was saved.
    case messageSaved
}

/// How a message of the type `custom` is delivered; at least one of these.
public struct CustomDelivery: OptionSet, Hashable, Sendable {
    /// The bits, as they travel.
    public let rawValue: Int

    /// Makes it of bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// It is stored and becomes a row of the log.
    public static let stored = CustomDelivery(rawValue: 1)
    /// Apps are told at once.
    public static let live = CustomDelivery(rawValue: 2)
    /// Apps that show the channel are told at once.
    public static let whereOpen = CustomDelivery(rawValue: 4)
    /// It makes a push notification.
    public static let pushed = CustomDelivery(rawValue: 8)
    /// It counts as unread, and is stored.
    public static let unread = CustomDelivery(rawValue: 16)
    /// It becomes the last message of the channel, and is stored.
    public static let lastMessage = CustomDelivery(rawValue: 32)
}
