public import RoostWire

/// A factory method for each kind of content.
///
/// ```swift
/// try await channel.send(.image(picture, thumbnail: small, text: "The new roof"))
/// try await channel.send(.location(Location(latitude: 52.5, longitude: 13.4)), replyTo: question)
/// ```
///
/// The limits are those of `message.send`; a content that exceeds them is refused before
/// it is sent, with the server's codes.
extension MessageContent {
    /// A text: 1 to 8,000 UTF-16 units, and the users mentioned in it.
    public static func text(_ text: String, mentions: [Mention]? = nil) -> MessageContent {
        MessageContent(.text, text: text, mentions: mentions)
    }

    /// A sticker: the app's code for it, 1 to 8,000 UTF-16 units.
    public static func sticker(_ code: String) -> MessageContent { MessageContent(.sticker, text: code) }

    /// An uploaded picture, with an optional thumbnail and caption.
    public static func image(
        _ file: FileReference, thumbnail: FileReference? = nil, text: String = "", mentions: [Mention]? = nil
    ) -> MessageContent {
        MessageContent(.image(file, thumbnail: thumbnail), text: text, mentions: mentions)
    }

    /// An uploaded video, with an optional poster and caption.
    public static func video(
        _ file: FileReference, thumbnail: FileReference? = nil, text: String = "", mentions: [Mention]? = nil
    ) -> MessageContent {
        MessageContent(.video(file, thumbnail: thumbnail), text: text, mentions: mentions)
    }

    /// An uploaded voice message.
    public static func voice(
        _ file: FileReference, text: String = "", mentions: [Mention]? = nil
    ) -> MessageContent {
        MessageContent(.voice(file), text: text, mentions: mentions)
    }

    /// A contact, as an uploaded file, with an optional picture.
    public static func contact(
        _ file: FileReference, thumbnail: FileReference? = nil, text: String = "", mentions: [Mention]? = nil
    ) -> MessageContent {
        MessageContent(.contact(file, thumbnail: thumbnail), text: text, mentions: mentions)
    }

    /// Any other uploaded file.
    public static func document(
        _ file: FileReference, text: String = "", mentions: [Mention]? = nil
    ) -> MessageContent {
        MessageContent(.document(file), text: text, mentions: mentions)
    }

    /// The kind of content that fits the file's media type: an image, a video, a voice message, a contact, else a
    /// document. A document and a voice message have no thumbnail.
    public static func file(
        _ file: FileReference, thumbnail: FileReference? = nil, text: String = "", mentions: [Mention]? = nil
    ) -> MessageContent {
        let type = file.contentType ?? ""
        if pictures.contains(type) {
            return .image(file, thumbnail: thumbnail, text: text, mentions: mentions)
        }
        if films.contains(type) { return .video(file, thumbnail: thumbnail, text: text, mentions: mentions) }
        if type.hasPrefix("audio/") { return .voice(file, text: text, mentions: mentions) }
        if type == "text/vcard" { return .contact(file, thumbnail: thumbnail, text: text, mentions: mentions) }
        return .document(file, text: text, mentions: mentions)
    }

    // Browsers and systems also call what no device shows a picture or a film, such as TypeScript.
    private static let pictures = Set(
        ["jpeg", "png", "gif", "webp", "avif", "bmp", "heic", "heif", "tiff"].map { "image/" + $0 })
    private static let films = Set(["mp4", "quicktime", "webm", "3gpp", "ogg"].map { "video/" + $0 })

    /// A place: −90 to 90 and −180 to 180 degrees.
    public static func location(
        _ location: Location, text: String = "", mentions: [Mention]? = nil
    ) -> MessageContent {
        MessageContent(.location(location), text: text, mentions: mentions)
    }

    /// A notice that this user did something with a message; name the message as `replyTo` of the send.
    public static func notice(_ notice: MessageNotice, text: String = "") -> MessageContent {
        let payload: Payload =
            switch notice {
            case .screenshotTaken: .screenshotTaken
            case .messageCopied: .messageCopied
            case .messagesForwarded: .messagesForwarded
            case .messageSaved: .messageSaved
            }
        return MessageContent(payload, text: text)
    }

    /// A notice about a call of the app's own: a call rings, was cancelled, or is recorded in the list of calls.
    public static func call(
        _ notice: CallMessage, _ call: CallNotice, text: String = ""
    ) -> MessageContent {
        let payload: Payload =
            switch notice {
            case .callReceived: .callReceived(call)
            case .callCancelled: .callCancelled(call)
            case .callRecorded: .callRecorded(call)
            }
        return MessageContent(payload, text: text)
    }

    /// An app-defined message that is delivered as its attributes say.
    ///
    /// A message that is not stored reaches connected devices as `message.relayed`, and has
    /// no `seq`.
    public static func custom(
        _ delivery: CustomDelivery, text: String = "", mentions: [Mention]? = nil
    ) -> MessageContent {
        MessageContent(.custom(attributes: delivery.rawValue), text: text, mentions: mentions)
    }

    /// An app-defined message that is stored, makes no push, never is the last message and does not count as unread.
    public static func customQuiet(text: String = "", mentions: [Mention]? = nil) -> MessageContent {
        MessageContent(.customQuiet, text: text, mentions: mentions)
    }

    /// An app-defined message like any other, but that does not count as unread.
    public static func customUncounted(text: String = "", mentions: [Mention]? = nil) -> MessageContent {
        MessageContent(.customUncounted, text: text, mentions: mentions)
    }
}

/// An action of a user on a message, of which all members are notified.
public enum MessageNotice: String, Hashable, Sendable, CaseIterable {
    /// A screenshot was taken.
    case screenshotTaken
    /// The message was copied.
    case messageCopied
    /// Messages were forwarded.
    case messagesForwarded
    /// The message or its file was saved.
    case messageSaved
}

/// The event of a notice about a call.
public enum CallMessage: String, Hashable, Sendable, CaseIterable {
    /// A call rings.
    case callReceived
    /// The caller cancelled, or the call was answered elsewhere.
    case callCancelled
    /// An entry for the list of calls.
    case callRecorded
}

/// How a message of the type `custom` is delivered; at least one of these.
public struct CustomDelivery: OptionSet, Hashable, Sendable {
    /// The bits on the wire.
    public let rawValue: Int

    /// Creates it from bits.
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
