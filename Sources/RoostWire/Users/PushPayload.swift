#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a push notification carries, under the key `roost`: enough to show it and to open the right place, without a
/// connection.
///
/// A device whose settings hide the sender gets none of `senderID`, `senderName`, `imageURL` and `channelTitle`; one whose
/// settings hide the content gets no `text`.
public struct PushPayload: Codable, Hashable, Sendable {
    /// The id of the notification, a UUID: the same one if it is sent again.
    public var pushID: String
    /// Whether it is to be shown, makes the device ring, or removes what is shown: see ``withdraws(_:)``.
    public var kind: PushKind
    /// The user whom it is for: an app may be logged in as several.
    public var userID: UserID
    /// The name of the event, such as `message.sent`; of a withdrawal, `readMark.moved` or `message.recalled`.
    public var event: String
    /// The type of the message; absent if it is not a message.
    public var type: String?
    /// The channel that it is about; absent for a schedule.
    public var channel: ChannelID?
    /// The kind of the channel.
    public var channelKind: ChannelKind?
    /// The title of the channel, if it has one.
    public var channelTitle: String?
    /// The message that it is about.
    public var messageID: MessageID?
    /// The row in the channel's log; absent for what is not stored there. After `readMark.moved`, what is shown of the
    /// channel up to this row is to go.
    public var seq: Int64?
    /// When it happened.
    @Timestamp public var sentAt: Date
    /// Who caused it; absent for an operator and the server.
    public var senderID: UserID?
    /// The sender's name, as shown in the channel: its first 100 bytes.
    public var senderName: String?
    /// The sender's picture, as shown in the channel; absent if its address has more than 300 bytes.
    public var imageURL: String?
    /// The text of the message, or a file's caption: at most 400 bytes of UTF-8, the last of which are
    /// "…" if there is more.
    public var text: String?
    /// The app's category of the message.
    public var category: String?
    /// The bits of a custom message.
    public var attributes: Int?
    /// The app's strings of the message; absent if they have more than 500 bytes.
    public var extras: [String: String]?
    /// The call of a notice about a call.
    public var call: CallNotice?
    /// Whether the server has stored the message encrypted; absent if not.
    public var isEncrypted: Bool?
    /// Whether the message mentions the user; absent if not.
    public var isMention: Bool?
    /// The user's unread messages in the channel; absent without a channel.
    public var unread: Int?
    /// The number on the icon of the app: the user's unread messages, of all channels that are not muted, of which the
    /// settings let the device be notified. With `mentionsOnly` these are mentions and messages of 1-on-1s, with
    /// `mutesAll` none.
    public var badge: Int
    /// The sound: that of the channel, otherwise that of the device; absent for the usual one.
    public var sound: String?
    /// The line above the text, in English; absent if there is none.
    public var title: String?
    /// The text to show, in English.
    public var body: String
    /// The key of the text in the app's own languages, such as `roost.image`; see "Push notifications".
    public var locKey: String
    /// The values for the places in that text.
    public var locArgs: [String]

    /// Creates a payload.
    public init(
        pushID: String, kind: PushKind, userID: UserID, event: String, sentAt: Date, badge: Int, body: String,
        locKey: String, locArgs: [String]
    ) {
        self.pushID = pushID
        self.kind = kind
        self.userID = userID
        self.event = event
        _sentAt = Timestamp(wrappedValue: sentAt)
        self.badge = badge
        self.body = body
        self.locKey = locKey
        self.locArgs = locArgs
    }

    /// Whether this is a withdrawal that removes another notification, which the device shows.
    ///
    /// It is if the user has read the channel up to that one, or if its message was recalled.
    public func withdraws(_ shown: PushPayload) -> Bool {
        guard kind == .withdrawal, shown.kind == .alert, userID == shown.userID, let channel, channel == shown.channel,
            let seq, let shownSeq = shown.seq
        else { return false }
        return event == EventName.messageRecalled.rawValue ? shownSeq == seq : shownSeq <= seq
    }
}

/// What a webhook gets, as the JSON body of a `POST`.
public struct PushDelivery: Codable, Hashable, Sendable {
    /// Which device the push is for.
    public var deviceID: DeviceID
    /// Its token: the one for calls if the notification is of a call and it has one.
    public var token: String
    /// Under which id a device shows only the newest notification.
    public var collapseID: String
    /// When the notification is no longer of use.
    @Timestamp public var expiresAt: Date
    /// What the notification carries.
    public var roost: PushPayload

    /// Creates it.
    public init(deviceID: DeviceID, token: String, collapseID: String, expiresAt: Date, roost: PushPayload) {
        self.deviceID = deviceID
        self.token = token
        self.collapseID = collapseID
        _expiresAt = Timestamp(wrappedValue: expiresAt)
        self.roost = roost
    }
}
