/// A value whose fields are part of the JSON object that contains it, instead of a nested object.
///
/// The containing type declares each of them again as a computed property with a doc comment;
/// the catalogue uses those.
public protocol LiesFlat {}

extension MessageContent {
    /// The fields of a content beside its text, by its type.
    ///
    /// Each type that can be sent has a case of the same name, with the fields that
    /// the type requires.
    public enum Payload: Hashable, Sendable, LiesFlat {
        /// A text.
        case text
        /// A sticker; the text is the app's code for it.
        case sticker
        /// A picture, with an optional thumbnail.
        indirect case image(FileReference, thumbnail: FileReference? = nil)
        /// A video, with an optional thumbnail.
        indirect case video(FileReference, thumbnail: FileReference? = nil)
        /// A voice message.
        indirect case voice(FileReference)
        /// A contact, with an optional thumbnail.
        indirect case contact(FileReference, thumbnail: FileReference? = nil)
        /// Any other file.
        indirect case document(FileReference)
        /// A place.
        indirect case location(Location)
        /// Somebody took a screenshot.
        case screenshotTaken
        /// Somebody copied a message.
        case messageCopied
        /// Somebody forwarded messages.
        case messagesForwarded
        /// Somebody saved a message or its file.
        case messageSaved
        /// Somebody is calling.
        indirect case callReceived(CallNotice)
        /// A call was cancelled.
        indirect case callCancelled(CallNotice)
        /// A call was written to the list of calls.
        indirect case callRecorded(CallNotice)
        /// A message of the app that is delivered as its `attributes` say.
        indirect case custom(attributes: Int)
        /// A message of the app without push, and never the last message.
        case customQuiet
        /// A message of the app that never counts as unread.
        case customUncounted
        /// A vote; the text is its question. `message.send` cannot send it.
        indirect case vote(Vote, type: String)
        /// A piece of news, in a channel of this kind. `message.send` cannot send it.
        indirect case news(ChannelKind, file: FileReference? = nil, thumbnail: FileReference? = nil)
        /// A content whose fields do not fit its type, the shell of a recalled message, or a type that this version
        /// does not know.
        ///
        /// It is kept unchanged, and can be read and stored. ``MessageRules`` refuses to send it.
        indirect case other(type: String, Fields, vote: Vote? = nil)
    }

    /// The types that `message.send` takes, by their names.
    enum SendableType: String, CaseIterable {
        case text, sticker, image, video, voice, contact, document, location
        case screenshotTaken, messageCopied, messagesForwarded, messageSaved
        case callReceived, callCancelled, callRecorded
        case custom, customQuiet, customUncounted
    }

    /// The fields of all payloads, as they stand on the wire.
    ///
    /// A field that is added here is encoded and decoded everywhere. Until a payload
    /// has it too, a content with that field is `Payload.other`, so that it is not lost. The
    /// vote is not one of them, because `message.send` cannot send one.
    public struct Fields: Codable, Hashable, Sendable {
        /// The uploaded file.
        public var file: FileReference?
        /// A small picture to show for the file.
        public var thumbnail: FileReference?
        /// The place.
        public var location: Location?
        /// How a `custom` message is delivered.
        public var attributes: Int?
        /// The call of a notice about a call.
        public var call: CallNotice?

        /// Creates a value with these fields.
        public init(
            file: FileReference? = nil, thumbnail: FileReference? = nil, location: Location? = nil,
            attributes: Int? = nil, call: CallNotice? = nil
        ) {
            self.file = file
            self.thumbnail = thumbnail
            self.location = location
            self.attributes = attributes
            self.call = call
        }
    }
}

extension MessageContent.Payload {
    /// The payload of a type with these fields: its case if the fields are exactly those of the case, else `other`.
    public init(type: String, fields: MessageContent.Fields, vote: Vote? = nil) {
        let payload: Self? =
            if let type = MessageContent.SendableType(rawValue: type) {
                switch type {
                case .text: .text
                case .sticker: .sticker
                case .image: fields.file.map { .image($0, thumbnail: fields.thumbnail) }
                case .video: fields.file.map { .video($0, thumbnail: fields.thumbnail) }
                case .voice: fields.file.map { .voice($0) }
                case .contact: fields.file.map { .contact($0, thumbnail: fields.thumbnail) }
                case .document: fields.file.map { .document($0) }
                case .location: fields.location.map { .location($0) }
                case .screenshotTaken: .screenshotTaken
                case .messageCopied: .messageCopied
                case .messagesForwarded: .messagesForwarded
                case .messageSaved: .messageSaved
                case .callReceived: fields.call.map { .callReceived($0) }
                case .callCancelled: fields.call.map { .callCancelled($0) }
                case .callRecorded: fields.call.map { .callRecorded($0) }
                case .custom: fields.attributes.map { .custom(attributes: $0) }
                case .customQuiet: .customQuiet
                case .customUncounted: .customUncounted
                }
            } else if let vote {
                .vote(vote, type: type)
            } else if let kind = ChannelKind(rawValue: type), kind.isNews {
                .news(kind, file: fields.file, thumbnail: fields.thumbnail)
            } else {
                nil
            }
        // Fields that the case does not have would be lost.
        if let payload, payload.fields == fields, payload.vote == vote {
            self = payload
        } else {
            self = .other(type: type, fields, vote: vote)
        }
    }

    /// The payload of a type without any fields.
    init(bare type: String) {
        let isText = type == MessageContent.SendableType.text.rawValue
        self = isText ? .text : Self(type: type, fields: MessageContent.Fields())
    }

    /// The name of the type in the registry of message types.
    public var type: String {
        let type: MessageContent.SendableType
        switch self {
        case .text: type = .text
        case .sticker: type = .sticker
        case .image: type = .image
        case .video: type = .video
        case .voice: type = .voice
        case .contact: type = .contact
        case .document: type = .document
        case .location: type = .location
        case .screenshotTaken: type = .screenshotTaken
        case .messageCopied: type = .messageCopied
        case .messagesForwarded: type = .messagesForwarded
        case .messageSaved: type = .messageSaved
        case .callReceived: type = .callReceived
        case .callCancelled: type = .callCancelled
        case .callRecorded: type = .callRecorded
        case .custom: type = .custom
        case .customQuiet: type = .customQuiet
        case .customUncounted: type = .customUncounted
        case .vote(_, let name), .other(let name, _, _): return name
        case .news(let kind, _, _): return kind.rawValue
        }
        return type.rawValue
    }

    /// The fields on the wire. Setting them replaces the payload with that of the same type with these fields.
    public var fields: MessageContent.Fields {
        get {
            switch self {
            case .text, .sticker, .screenshotTaken, .messageCopied, .messagesForwarded, .messageSaved, .customQuiet,
                .customUncounted, .vote:
                MessageContent.Fields()
            case .image(let file, let thumbnail), .video(let file, let thumbnail), .contact(let file, let thumbnail):
                MessageContent.Fields(file: file, thumbnail: thumbnail)
            case .voice(let file), .document(let file): MessageContent.Fields(file: file)
            case .location(let location): MessageContent.Fields(location: location)
            case .callReceived(let call), .callCancelled(let call), .callRecorded(let call):
                MessageContent.Fields(call: call)
            case .custom(let attributes): MessageContent.Fields(attributes: attributes)
            case .news(_, let file, let thumbnail): MessageContent.Fields(file: file, thumbnail: thumbnail)
            case .other(_, let fields, _): fields
            }
        }
        set { self = Self(type: type, fields: newValue, vote: vote) }
    }

    /// Whether it has no fields: the hand-written codec writes such a content itself.
    var isBare: Bool {
        switch self {
        case .text, .sticker, .screenshotTaken, .messageCopied, .messagesForwarded, .messageSaved, .customQuiet,
            .customUncounted:
            true
        case .image, .video, .voice, .contact, .document, .location, .callReceived, .callCancelled, .callRecorded,
            .custom, .vote:
            false
        case .news(_, let file, let thumbnail): file == nil && thumbnail == nil
        case .other(_, let fields, let vote): vote == nil && fields == MessageContent.Fields()
        }
    }

    /// The part of it that a snapshot in a reply has.
    var quoted: Self {
        switch self {
        case .text, .sticker, .image, .video, .voice, .contact, .document, .location, .screenshotTaken, .messageCopied,
            .messagesForwarded, .messageSaved, .customQuiet, .customUncounted, .news:
            return self
        case .callReceived, .callCancelled, .callRecorded, .custom, .vote:
            return .other(type: type, MessageContent.Fields())
        case .other(let type, var fields, _):
            (fields.attributes, fields.call) = (nil, nil)
            return Self(type: type, fields: fields)
        }
    }

    /// The payload after a recall: only the type and `attributes`.
    var shell: Self { Self(type: type, fields: MessageContent.Fields(attributes: attributes)) }

    /// How a `custom` message is delivered.
    var attributes: Int? {
        switch self {
        case .custom(let attributes): attributes
        case .other(_, let fields, _): fields.attributes
        default: nil
        }
    }

    /// The options and rules, if it is a vote; else nil.
    public var vote: Vote? {
        switch self {
        case .vote(let vote, _): vote
        case .other(_, _, let vote): vote
        default: nil
        }
    }
}
