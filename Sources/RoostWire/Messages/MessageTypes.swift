/// A flag in the table of message types: yes, no, or decided by each message.
public enum MessageFlag: String, Codable, Sendable {
    /// Always.
    case yes = "Y"
    /// Never.
    case no = "N"
    /// Decided by the attributes of the message (type `custom` only).
    case option = "O"
    /// Not defined by the reference table; behaves as `no`.
    case unspecified = "–"
}

/// The devices that get messages of a type.
public enum Audience: String, Codable, Sendable {
    /// Every device of every member after the change, the acting user's devices included.
    case members
    /// Every device of every member before the change, so that those who leave, are removed
    /// or lose their channel get it too.
    case membersBeforeChange
    /// The devices of all members except the one that acts.
    case membersExceptActingDevice
    /// Every device of the acting user only.
    case ownDevices
    /// Every device of the acting user and of the users who share a 1-on-1 or a group with that user.
    case ownDevicesAndPeers
}

/// One row of the table of message types.
///
/// Types travel by `name`; `number` is the number of the reference table. A
/// name is never changed.
public struct MessageType: Hashable, Sendable {
    /// The string on the wire, in lower camel case.
    public let name: String
    /// The number in the reference table.
    public let number: Int
    /// Whether it is written to a log and found by queries (column I).
    public let isStored: MessageFlag
    /// Whether it becomes the last message of its channel (column L).
    public let isLastMessage: MessageFlag
    /// Whether it is sent to connected devices at once (column S).
    public let isRealtime: MessageFlag
    /// Whether it makes a push notification (column N).
    public let isPushed: MessageFlag
    /// Whether it adds to the unread counts (column U).
    public let countsAsUnread: MessageFlag
    /// The devices that get it.
    public let audience: Audience
    /// Whether a server sends it; the others are only accepted.
    public let isEmitted: Bool
    /// One sentence that describes it.
    public let meaning: String

    private init(
        _ number: Int, _ name: String, _ isStored: MessageFlag, _ isLastMessage: MessageFlag, _ isRealtime: MessageFlag,
        _ isPushed: MessageFlag,
        _ countsAsUnread: MessageFlag, _ audience: Audience, _ meaning: String, isEmitted: Bool = true
    ) {
        self.name = name
        self.number = number
        self.isStored = isStored
        self.isLastMessage = isLastMessage
        self.isRealtime = isRealtime
        self.isPushed = isPushed
        self.countsAsUnread = countsAsUnread
        self.audience = audience
        self.isEmitted = isEmitted
        self.meaning = meaning
    }

    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    private static let byNumber = Dictionary(all.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })

    /// The type with this name; nil if the registry does not have it.
    public static func named(_ name: String) -> MessageType? {
        byName[name]
    }

    /// The type with this reference number; nil if there is none.
    public static func numbered(_ number: Int) -> MessageType? {
        byNumber[number]
    }

    /// The type that a server sends in place of this one: the type itself, unless it is a duplicate that is only
    /// accepted.
    public var emitted: MessageType {
        switch number {
        case 201, 203: .numbered(205) ?? self
        case 206: .numbered(202) ?? self
        case 1017: .channelCreated
        default: self
        }
    }
}

// One letter each, so that the rows below read like the table.
extension MessageFlag {
    fileprivate static var y: MessageFlag { .yes }
    fileprivate static var n: MessageFlag { .no }
    fileprivate static var o: MessageFlag { .option }
    fileprivate static var u: MessageFlag { .unspecified }
}

extension MessageType {
    /// A text.
    public static let text = MessageType(1, "text", .y, .y, .y, .y, .y, .members, "A text.")

    /// A channel was created.
    public static let channelCreated = MessageType(
        1001, "channelCreated", .y, .n, .y, .y, .u, .members, "A channel was created.")

    /// Somebody left the channel.
    public static let memberLeft = MessageType(
        1003, "memberLeft", .y, .n, .y, .n, .n, .membersBeforeChange, "Somebody left the channel.")

    /// Members were invited.
    public static let membersInvited = MessageType(
        1004, "membersInvited", .y, .n, .y, .y, .n, .members, "Somebody invited new members.")

    /// Somebody joined the channel.
    public static let memberJoined = MessageType(
        1005, "memberJoined", .y, .n, .y, .n, .n, .members, "Somebody joined or accepted an invitation.")

    /// The user changed their own preferences for a channel.
    public static let channelPreferenceChanged = MessageType(
        1011, "channelPreferenceChanged", .y, .n, .y, .n, .n, .ownDevices,
        "The user changed their own preferences for a channel.")

    /// A user changed their own profile.
    public static let userProfileChanged = MessageType(
        1012, "userProfileChanged", .y, .n, .y, .n, .n, .ownDevicesAndPeers,
        "A user changed their own nickname or profile image.")

    /// A read mark moved.
    public static let readMarkMoved = MessageType(
        1101, "readMarkMoved", .u, .n, .y, .n, .n, .membersExceptActingDevice,
        "A member read the channel up to a message.")

    /// The 58 types of the reference table, in its order.
    public static let all: [MessageType] = messages + reports + channelChanges + marksAndDeletions + newsCallsAndCustom

    private static let messages: [MessageType] = [
        .text,
        MessageType(2, "sticker", .y, .y, .y, .y, .y, .members, "A sticker."),
        MessageType(3, "image", .y, .y, .y, .y, .y, .members, "A picture."),
        MessageType(4, "video", .y, .y, .y, .y, .y, .members, "A video."),
        MessageType(5, "voice", .y, .y, .y, .y, .y, .members, "A voice message."),
        MessageType(6, "contact", .y, .y, .y, .y, .y, .members, "A contact."),
        MessageType(7, "location", .y, .y, .y, .y, .y, .members, "A location."),
        MessageType(8, "document", .y, .y, .y, .y, .y, .members, "A file."),
        MessageType(101, "voteText", .y, .y, .y, .y, .y, .members, "A vote with a text."),
        MessageType(102, "voteSticker", .y, .n, .y, .y, .y, .members, "A vote with a sticker."),
        MessageType(103, "voteImage", .y, .n, .y, .y, .y, .members, "A vote with a picture."),
        MessageType(104, "voteVideo", .y, .n, .y, .y, .y, .members, "A vote with a video."),
        MessageType(105, "voteVoice", .y, .n, .y, .y, .y, .members, "A vote with a voice message."),
        MessageType(106, "voteContact", .y, .n, .y, .y, .y, .members, "A vote with a contact."),
        MessageType(107, "voteLocation", .y, .n, .y, .y, .y, .members, "A vote with a location."),
        MessageType(108, "voteDocument", .y, .n, .y, .y, .y, .members, "A vote with a file."),
    ]

    // 201/205, 203/205, 202/206 and 1001/1017 mean the same with different flags. A
    // server sends the one whose flags fit; `emitted` maps both to it.
    private static let reports: [MessageType] = [
        MessageType(
            201, "messageScheduledVariant", .n, .n, .n, .n, .n, .ownDevices,
            "A message was scheduled; understood like messageScheduled.", isEmitted: false),
        MessageType(
            202, "scheduledMessageSent", .y, .n, .y, .y, .n, .ownDevices, "A scheduled message of the user was sent."),
        MessageType(
            203, "voteScheduled", .n, .n, .n, .n, .n, .ownDevices,
            "A vote was scheduled; understood like messageScheduled.", isEmitted: false),
        MessageType(
            204, "scheduledVoteSent", .y, .n, .y, .y, .n, .ownDevices, "A scheduled vote of the user was sent."),
        MessageType(205, "messageScheduled", .y, .n, .y, .y, .n, .ownDevices, "The user scheduled a message."),
        MessageType(
            206, "scheduledMessageSentVariant", .n, .n, .n, .n, .n, .ownDevices,
            "A scheduled message was sent; understood like scheduledMessageSent.", isEmitted: false),
        MessageType(221, "screenshotTaken", .y, .y, .y, .n, .n, .members, "Somebody took a screenshot."),
        MessageType(222, "messageCopied", .y, .y, .y, .n, .n, .members, "Somebody copied a message."),
        MessageType(223, "messagesForwarded", .y, .y, .y, .n, .n, .members, "Somebody forwarded messages."),
        MessageType(224, "messageSaved", .y, .y, .y, .n, .n, .members, "Somebody saved a message or its file."),
    ]

    private static let channelChanges: [MessageType] = [
        .channelCreated,
        MessageType(
            1002, "channelDismissed", .y, .n, .y, .n, .n, .membersBeforeChange,
            "The channel was dismissed for everybody."),
        .memberLeft,
        .membersInvited,
        .memberJoined,
        MessageType(1006, "membersKicked", .y, .n, .y, .n, .n, .membersBeforeChange, "Members were removed."),
        MessageType(1007, "membersBanned", .y, .n, .y, .n, .n, .members, "Members were banned."),
        MessageType(1008, "subjectChanged", .y, .n, .y, .n, .n, .members, "The subject of the channel changed."),
        MessageType(1009, "channelImageChanged", .y, .n, .y, .n, .n, .members, "The image of the channel changed."),
        MessageType(1010, "roleChanged", .y, .n, .y, .n, .n, .members, "The role of a member changed."),
        .channelPreferenceChanged,
        .userProfileChanged,
        // A row of the channel's log goes to every member, so the reference table's
        // "other members" is a filter in the client.
        MessageType(
            1013, "memberProfileChanged", .y, .n, .y, .n, .n, .members,
            "A member changed their own nickname or image in this channel."),
        MessageType(
            1015, "channelBackgroundChanged", .y, .n, .y, .n, .n, .members, "The background of the channel changed."),
        MessageType(
            1017, "channelCreatedVariant", .y, .n, .y, .n, .n, .members,
            "A channel was created; understood like channelCreated.", isEmitted: false),
        MessageType(1018, "rolesChanged", .y, .n, .y, .n, .n, .members, "The roles of several members changed."),
    ]

    private static let marksAndDeletions: [MessageType] = [
        .readMarkMoved,
        MessageType(
            1102, "messagesDeleted", .y, .n, .y, .n, .n, .ownDevices, "The user deleted messages from their own view."),
        MessageType(
            1103, "channelMessagesDeleted", .y, .n, .y, .n, .n, .ownDevices,
            "The user deleted the messages of a channel from their own view."),
        MessageType(1104, "messageRecalled", .y, .n, .y, .n, .n, .members, "A message was recalled for everybody."),
        MessageType(
            1105, "allMessagesDeleted", .y, .n, .y, .n, .n, .ownDevices,
            "The user deleted all messages from their own view."),
        MessageType(
            1106, "activeCountChanged", .n, .n, .y, .n, .n, .members,
            "The number of active users of the channel changed."),
    ]

    private static let newsCallsAndCustom: [MessageType] = [
        MessageType(
            1201, "publicNewsChannelCreated", .y, .n, .y, .n, .n, .members, "A channel for public news was created."),
        MessageType(1202, "publicNews", .y, .n, .y, .y, .y, .members, "A piece of public news."),
        MessageType(
            1203, "corporateNewsChannelCreated", .y, .n, .y, .n, .n, .members,
            "A channel for the news of a corporation was created."),
        MessageType(1204, "corporateNews", .y, .n, .y, .y, .y, .members, "A piece of news of a corporation."),
        MessageType(2001, "callReceived", .y, .n, .y, .y, .n, .members, "Somebody is calling."),
        MessageType(2002, "callCancelled", .y, .n, .y, .y, .n, .members, "A call was cancelled."),
        MessageType(2003, "callRecorded", .y, .n, .y, .n, .n, .members, "A call was written to the list of calls."),
        MessageType(
            3000, "custom", .o, .o, .o, .o, .o, .members, "A message of the app that says itself how it is delivered."),
        MessageType(
            3001, "customQuiet", .y, .n, .y, .n, .n, .members,
            "A message of the app without push, and never the last message."),
        MessageType(
            3002, "customUncounted", .y, .y, .y, .y, .n, .members, "A message of the app that never counts as unread."),
    ]
}
