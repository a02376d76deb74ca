/// How far a user has read a channel.
public struct ReadMark: Codable, Hashable, Sendable {
    /// The reader.
    public var userID: UserID
    /// The newest row read.
    public var seq: Int64
    /// The channel's `count` at that row.
    public var count: Int64
    /// When it was read, ms since 1970.
    public var readAt: Int64

    /// Makes a read mark.
    public init(userID: UserID, seq: Int64, count: Int64, readAt: Int64) {
        self.userID = userID
        self.seq = seq
        self.count = count
        self.readAt = readAt
    }
}

/// Marks everything up to a row of a channel as read.
///
/// A mark never moves back and never beyond the channel's newest row: a smaller
/// value changes nothing, a larger one counts as the newest row.
public struct SetReadMark: Command {
    /// The name on the wire.
    public static let name = "readMark.set"
    /// The channel, not an open one.
    public var channel: ChannelID
    /// The newest row read; absent means everything there is.
    public var seq: Int64?

    /// Makes the command.
    public init(channel: ChannelID, seq: Int64? = nil) {
        self.channel = channel
        self.seq = seq
    }

    /// Where the caller's mark is now.
    public struct Answer: Codable, Hashable, Sendable {
        /// The channel.
        public var channel: ChannelID
        /// The caller's mark.
        public var mark: ReadMark
        /// What is left unread in this channel.
        public var unread: Int

        /// Makes the answer.
        public init(channel: ChannelID, mark: ReadMark, unread: Int) {
            self.channel = channel
            self.mark = mark
            self.unread = unread
        }
    }
}

/// Reads unread counts: of the caller's channels that have any, and in total.
public struct GetUnread: Command {
    /// The name on the wire.
    public static let name = "unread.get"

    /// Makes the command.
    public init() {}

    /// The caller's unread counts.
    public struct Answer: Codable, Hashable, Sendable {
        /// Over all channels.
        public var total: Int
        /// The channels with something unread, ordered by id.
        public var channels: [ChannelUnread]

        /// Makes the answer.
        public init(total: Int, channels: [ChannelUnread]) {
            self.total = total
            self.channels = channels
        }
    }
}

/// The unread count of one channel.
public struct ChannelUnread: Codable, Hashable, Sendable {
    /// The channel.
    public var channel: ChannelID
    /// How many messages are unread.
    public var unread: Int

    /// Makes the count.
    public init(channel: ChannelID, unread: Int) {
        self.channel = channel
        self.unread = unread
    }
}

/// The body of `readMark.moved`: members have read further. Ephemeral; marks are state and are read with `member.list`.
public struct ReadMarksMoved: Codable, Hashable, Sendable {
    /// The new marks; empty in a channel of more than 50 members, except on the reader's own devices.
    public var marks: [ReadMark]
    /// How many marks moved.
    public var moved: Int

    /// Makes the body.
    public init(marks: [ReadMark], moved: Int) {
        self.marks = marks
        self.moved = moved
    }
}
