#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The read mark of a user in a channel.
public struct ReadMark: Codable, Hashable, Sendable {
    /// The reader.
    public var userID: UserID
    /// The newest row read.
    public var seq: Int64
    /// The channel's `count` at that row.
    public var count: Int64
    /// When it was read.
    @Timestamp public var readAt: Date

    /// Creates a value with these fields.
    public init(userID: UserID, seq: Int64, count: Int64, readAt: Date) {
        self.userID = userID
        self.seq = seq
        self.count = count
        self.readAt = readAt
    }
}

/// Marks everything up to a row of a channel as read.
///
/// A mark never moves back and never beyond the channel's newest row: a smaller value changes
/// nothing, a larger one counts as the newest row. Name the row by at most one of `seq`,
/// `messageID` and `time`; without them everything is marked. In any case the channel is
/// no longer marked as unread.
public struct SetReadMark: MoveCommand, ChannelCommand {
    /// The name on the wire.
    public static let name = "readMark.set"
    /// The channel, not an open one.
    public var channel: ChannelID
    /// The newest row read.
    public var seq: Int64?
    /// The newest message read; 1118 if it does not exist or may not be read.
    public var messageID: MessageID?
    /// Everything sent up to this time is read; 1118 if the caller may not read any row of that time or before.
    @OptionalTimestamp public var time: Date?

    /// Creates the command.
    public init(channel: ChannelID, seq: Int64? = nil) {
        self.channel = channel
        self.seq = seq
    }

    /// Creates the command for everything up to a message.
    public init(channel: ChannelID, messageID: MessageID) {
        self.channel = channel
        self.messageID = messageID
    }

    /// Creates the command for everything sent up to a time.
    public init(channel: ChannelID, time: Date) {
        self.channel = channel
        self.time = time
    }

    /// Where the caller's mark is now.
    public struct Answer: Codable, Hashable, Sendable {
        /// The channel whose mark it is.
        public var channel: ChannelID
        /// The caller's mark.
        public var mark: ReadMark
        /// How many messages in this channel are still unread.
        public var unread: Int

        /// Creates a value with these fields.
        public init(channel: ChannelID, mark: ReadMark, unread: Int) {
            self.channel = channel
            self.mark = mark
            self.unread = unread
        }
    }
}

/// Marks all of the caller's messaging channels as read, each up to its newest row.
///
/// The effect is that of `readMark.set` on each of them: members get the new read marks, and no
/// channel stays marked as unread.
public struct SetAllReadMarks: MoveCommand {
    /// Creates a value with these fields.
    public init() {}

    /// The name on the wire.
    public static let name = "readMark.setAll"
    /// It goes through all channels.
    public var cost: CommandCost { .allChannels }

    /// The number of marks that moved.
    public struct Answer: Codable, Hashable, Sendable {
        /// How many marks moved.
        public var moved: Int

        /// Creates a value with these fields.
        public init(moved: Int) {
            self.moved = moved
        }
    }
}

/// The body of `readMark.moved`: members have read further. Ephemeral.
///
/// It is not repeated: read the marks with `member.list`.
public struct ReadMarksMoved: Codable, Hashable, Sendable {
    /// The new marks; empty in a channel of more than 50 members, except on the reader's own devices.
    public var marks: [ReadMark]
    /// How many marks moved.
    public var moved: Int

    /// Creates a value with these fields.
    public init(marks: [ReadMark], moved: Int) {
        self.marks = marks
        self.moved = moved
    }
}
