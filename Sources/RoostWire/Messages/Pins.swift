#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Pins a message: it stands at the top of its channel for everybody until somebody takes it down.
///
/// In a group every member may pin, unless `pinners` of the channel's profile is `moderators`
/// (1107); in a 1-on-1 both users may, in an open channel operators (1107). If the message is
/// pinned already, nothing changes and the acknowledgement has no `seq`. Otherwise everybody who
/// reads the channel gets `pin.added`, which does not count as unread and causes no push.
///
/// Fails with 7018 for more than `limits.pins` pinned messages, also of messages that the caller cannot read but other
/// members can, and with 1118 if the caller cannot
/// read the message or it was recalled. News cannot be pinned (1104). Fails with 7003 in a 1-on-1
/// with somebody who has blocked the caller. It counts as a send to the channel: too many in a
/// short time fail with 1004 and `retryAfterMs`.
public struct AddPin: WriteCommand, ChannelCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "pin.add"
    /// A pin is a row in the log of the channel, as a message is.
    public var cost: CommandCost { .sends(1, to: [channel]) }
    /// The channel of the message.
    public var channel: ChannelID
    /// The message; it is pinned until it is recalled, purged or unpinned.
    public var messageID: MessageID

    /// Creates a value with these fields.
    public init(channel: ChannelID, messageID: MessageID) {
        self.channel = channel
        self.messageID = messageID
    }
}

/// Takes down a pinned message, whoever pinned it.
///
/// If it is not pinned, nothing changes and the acknowledgement has no `seq`. Otherwise everybody
/// who reads the channel gets `pin.removed`. It fails as `pin.add` does, except for the limit; a message that is pinned
/// need not be one that the caller can read.
public struct RemovePin: WriteCommand, ChannelCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "pin.remove"
    /// The removal is a row in the log of the channel, too.
    public var cost: CommandCost { .sends(1, to: [channel]) }
    /// The channel of the message.
    public var channel: ChannelID
    /// The pinned message.
    public var messageID: MessageID

    /// Creates a value with these fields.
    public init(channel: ChannelID, messageID: MessageID) {
        self.channel = channel
        self.messageID = messageID
    }
}

/// Lists the pinned messages of a channel that the caller may read, the one that was pinned last first.
///
/// Messages that the caller has deleted, or that were sent before the caller could read the
/// channel, are not in the list. `message.get` has the messages themselves.
/// It fails with 1104 for news.
public struct ListPins: ReadCommand {
    /// The name on the wire.
    public static let name = "pin.list"
    /// The channel of the messages.
    public var channel: ChannelID

    /// Creates a value with these fields.
    public init(channel: ChannelID) {
        self.channel = channel
    }

    /// The pinned messages.
    public struct Answer: Codable, Hashable, Sendable {
        /// The newest row of the channel's log when they were read: pins up to that row are included.
        public var head: Int64
        /// At most `limits.pins`.
        public var pins: [Pin]

        /// Creates a value with these fields.
        public init(head: Int64, pins: [Pin]) {
            self.head = head
            self.pins = pins
        }
    }
}

/// A pinned message.
public struct Pin: Codable, Hashable, Sendable {
    /// The id of the message.
    public var messageID: MessageID
    /// The user who pinned it.
    public var userID: UserID
    /// That user's name in the channel.
    public var name: String
    /// When it was pinned.
    @Timestamp public var pinnedAt: Date

    /// Creates a value with these fields.
    public init(messageID: MessageID, userID: UserID, name: String, pinnedAt: Date) {
        self.messageID = messageID
        self.userID = userID
        self.name = name
        self.pinnedAt = pinnedAt
    }
}

/// The body of `pin.added` and `pin.removed`: the user `senderID` of the event has pinned a message or taken it down.
///
/// A reader who cannot read the message learns its id and row, and who pinned it, but not what it says. A message that is recalled or purged is pinned no longer;
/// that needs no event of its own.
public struct PinChanged: Codable, Hashable, Sendable {
    /// The id of the message.
    public var messageID: MessageID
    /// The row of the message in the channel's log.
    public var seq: Int64
    /// The user's name in the channel.
    public var byName: String

    /// Creates a value with these fields.
    public init(messageID: MessageID, seq: Int64, byName: String) {
        self.messageID = messageID
        self.seq = seq
        self.byName = byName
    }
}
