public import RoostClient
public import RoostWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A row of the channel list, ready to draw.
public struct ChannelRow: Hashable, Sendable, Identifiable {
    /// The channel's id, by which a list keeps its rows apart.
    public let id: ChannelID
    /// The channel's kind.
    public var kind: ChannelKind
    /// Its title, else the names of the other members.
    public var title: String
    /// How many members it has.
    public var memberCount: Int
    /// The text of the last message, or a word for its type; nil if there is none.
    public var lastText: String?
    /// When the last message was sent; nil if there is none.
    public var lastSentAt: Date?
    /// How many messages the user has not read.
    public var unread: Int
    /// The unread count for a badge: at most `99+`; nil if it is 0.
    public var badge: String?
    /// How many of them mention the user.
    public var mentions: Int
    /// Whether the channel makes no push notifications.
    public var isMuted: Bool
    /// Whether the user has marked it as unread.
    public var isMarkedUnread: Bool
    /// The text of its draft; nil if there is none.
    public var draft: String?
    /// When the newest row was added; the list is sorted by it.
    public var lastActivityAt: Date

    /// Creates the row of a channel for one of its members.
    public init(_ channel: Channel, viewer: UserID, draft: Draft? = nil, texts: ChatTexts = .english) {
        id = channel.channel
        kind = channel.kind
        title = ChannelRules.title(of: channel, for: viewer)
        memberCount = channel.memberCount
        lastText = channel.lastMessage.flatMap { Self.text(of: $0, texts: texts) }
        lastSentAt = channel.lastMessage?.sentAt
        unread = channel.unread ?? 0
        badge = Self.badge(unread)
        mentions = channel.mentions ?? 0
        isMuted = channel.preference?.isMuted == true
        isMarkedUnread = channel.isMarkedUnread == true
        self.draft = draft?.text
        lastActivityAt = channel.lastActivityAt
    }

    /// A count for a badge: at most `99+`; nil for 0.
    public static func badge(_ count: Int) -> String? {
        if count <= 0 { return nil }
        return count > 99 ? "99+" : String(count)
    }

    /// A message in one line: its text, or a word for its type.
    public static func text(of event: Event, texts: ChatTexts = .english) -> String? {
        switch event.body {
        case .channel(.messageSent(let message)):
            if message.recall != nil { return texts.preview(.recalled) }
            return message.text.isEmpty || message.type == "sticker"
                ? texts.preview(preview(of: message)) : message.text
        case .channel(.messageAnnounced(let announcement)):
            return announcement.recall == nil ? announcement.text : texts.preview(.recalled)
        default: return ServerLine(event, texts: texts)?.text
        }
    }

    private static func preview(of message: Message) -> ChatTexts.Preview {
        switch message.type {
        case "sticker": .sticker
        case "image": .picture
        case "video": .video
        case "voice": .voiceMessage
        case "contact": .contact
        case "document": .file
        case "location": .place
        case "screenshotTaken": .screenshot
        case "messageCopied": .copy
        case "messagesForwarded": .forward
        case "messageSaved": .save
        default: message.content.payload.fields.call == nil ? .message : .call
        }
    }

    /// Whether this row is above another one: the newest activity first, then by id.
    func isAbove(_ other: ChannelRow) -> Bool {
        lastActivityAt != other.lastActivityAt ? lastActivityAt > other.lastActivityAt : id < other.id
    }
}
