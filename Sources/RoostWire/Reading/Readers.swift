#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Lists who has read a message, the earliest reader first.
///
/// Every member may ask. The sender is not among the readers. Fails with 1104 in an open channel,
/// and with 1118 if the message does not exist or may not be read. A user who reads further
/// meanwhile moves to the end of the list: over all pages nobody is missed, but a user may appear
/// twice.
public struct ListReaders: ListingCommand {
    /// The name on the wire.
    public static let name = "message.listReaders"
    /// A channel of which the caller is a member. To a stranger it does not exist (1105).
    public var channel: ChannelID
    /// The message, which must be readable for the caller (1118).
    public var messageID: MessageID
    /// How many at most: 1 to 100, 100 if absent.
    public var limit: Int?
    /// The `next` of the previous page; absent for the first page.
    public var cursor: String?

    /// Creates a value with these fields.
    public init(channel: ChannelID, messageID: MessageID, limit: Int? = nil, cursor: String? = nil) {
        self.channel = channel
        self.messageID = messageID
        self.limit = limit
        self.cursor = cursor
    }

    /// A page of readers.
    public struct Answer: ListingAnswer {
        /// The members who have read it, by `readAt`, then by user id.
        public var readers: [Reader]
        /// The `cursor` of the next page; absent on the last one.
        public var next: String?

        /// Creates a value with these fields.
        public init(readers: [Reader], next: String? = nil) {
            self.readers = readers
            self.next = next
        }

        /// What the page lists.
        public var elements: [Reader] { readers }
    }
}

/// A user who has read a message.
public struct Reader: Codable, Hashable, Sendable {
    /// The reader.
    public var userID: UserID
    /// When the reader's mark last moved, to this message or beyond it.
    @Timestamp public var readAt: Date

    /// Creates a value with these fields.
    public init(userID: UserID, readAt: Date) {
        self.userID = userID
        self.readAt = readAt
    }
}

/// Counts who has read some messages. Every member may ask.
public struct CountReads: ReadCommand {
    /// The name on the wire.
    public static let name = "message.countReads"
    /// The channel, not an open one (1104).
    public var channel: ChannelID
    /// 1 to `limits.idsPerCommand` messages.
    public var messageIDs: [MessageID]

    /// Creates a value with these fields.
    public init(channel: ChannelID, messageIDs: [MessageID]) {
        self.channel = channel
        self.messageIDs = messageIDs
    }

    /// The counts.
    public struct Answer: Codable, Hashable, Sendable {
        /// One per message, ascending by `seq`. Messages that the caller may not read are left out; 1118 if none is
        /// left.
        public var messages: [ReadCount]

        /// Creates a value with these fields.
        public init(messages: [ReadCount]) {
            self.messages = messages
        }
    }
}

/// How many members have read a message.
public struct ReadCount: Codable, Hashable, Sendable {
    /// The message that is counted for.
    public var messageID: MessageID
    /// How many members have read it, without its sender.
    public var readBy: Int
    /// How many members have not, without its sender.
    public var unreadBy: Int

    /// Creates a value with these fields.
    public init(messageID: MessageID, readBy: Int, unreadBy: Int) {
        self.messageID = messageID
        self.readBy = readBy
        self.unreadBy = unreadBy
    }
}

/// Lists how far each member of a channel has read. Use it after a reconnect, because `readMark.moved` is not repeated.
///
/// Members only, by user id. An open channel has no marks (1104).
public struct ListMemberReads: ListingCommand {
    /// The name on the wire.
    public static let name = "member.listReads"
    /// A channel of which the caller is a member. To a stranger it does not exist (1105).
    public var channel: ChannelID
    /// How many at most: 1 to 500, 100 if absent.
    public var limit: Int?
    /// The `next` of the previous page; absent for the first page.
    public var cursor: String?

    /// Creates a value with these fields.
    public init(channel: ChannelID, limit: Int? = nil, cursor: String? = nil) {
        self.channel = channel
        self.limit = limit
        self.cursor = cursor
    }

    /// A page of marks.
    public struct Answer: ListingAnswer {
        /// The members, ordered by user id.
        public var members: [MemberRead]
        /// The `cursor` of the next page; absent on the last one.
        public var next: String?

        /// Creates a value with these fields.
        public init(members: [MemberRead], next: String? = nil) {
            self.members = members
            self.next = next
        }

        /// What the page lists.
        public var elements: [MemberRead] { members }
    }
}

/// The read mark of a member.
public struct MemberRead: Codable, Hashable, Sendable {
    /// Whose mark it is.
    public var userID: UserID
    /// The newest row read; 0 for none.
    public var seq: Int64
    /// When that row was sent; the start of 1970 (0) if there is none.
    @Timestamp public var sentAt: Date
    /// When it was read; the start of 1970 (0) if never.
    @Timestamp public var readAt: Date

    /// Creates a value with these fields.
    public init(userID: UserID, seq: Int64, sentAt: Date, readAt: Date) {
        self.userID = userID
        self.seq = seq
        self.sentAt = sentAt
        self.readAt = readAt
    }
}

/// Lists how far the caller has read: in one channel, or in all messaging channels page by page.
public struct ListReadMarks: ListingCommand {
    /// The name on the wire.
    public static let name = "readMark.list"
    /// The channel; all but open channels if absent.
    public var channel: ChannelID?
    /// How many at most: 1 to 100, 100 if absent.
    public var limit: Int?
    /// The `next` of the previous page; absent for the first page.
    public var cursor: String?

    /// Creates a value with these fields.
    public init(channel: ChannelID? = nil, limit: Int? = nil, cursor: String? = nil) {
        self.channel = channel
        self.limit = limit
        self.cursor = cursor
    }

    /// A page of the caller's marks.
    public struct Answer: ListingAnswer {
        /// The channels, ordered by id.
        public var channels: [ChannelRead]
        /// The `cursor` of the next page; absent on the last one.
        public var next: String?

        /// Creates a value with these fields.
        public init(channels: [ChannelRead], next: String? = nil) {
            self.channels = channels
            self.next = next
        }

        /// What the page lists.
        public var elements: [ChannelRead] { channels }
    }
}

/// The caller's read mark in a channel.
public struct ChannelRead: Codable, Hashable, Sendable {
    /// The channel that was read.
    public var channel: ChannelID
    /// Its kind.
    public var kind: ChannelKind
    /// The newest row read; 0 for none.
    public var seq: Int64
    /// When that row was sent; the start of 1970 (0) if there is none.
    @Timestamp public var sentAt: Date
    /// When it was read; the start of 1970 (0) if never.
    @Timestamp public var readAt: Date

    /// Creates a value with these fields.
    public init(channel: ChannelID, kind: ChannelKind, seq: Int64, sentAt: Date, readAt: Date) {
        self.channel = channel
        self.kind = kind
        self.seq = seq
        self.sentAt = sentAt
        self.readAt = readAt
    }
}
