/// Reads unread counts: of the caller's channels that have any, and in total.
public struct GetUnread: ReadCommand {
    /// Creates a value with these fields.
    public init() {}

    /// The name on the wire.
    public static let name = "unread.get"

    /// The caller's unread counts.
    public typealias Answer = UnreadCounts
}

/// The caller's unread counts.
public struct UnreadCounts: Codable, Hashable, Sendable {
    /// Over all channels that are not muted: the number for a badge.
    public var total: Int
    /// The channels with something unread or marked as unread, ordered by id.
    public var channels: [ChannelUnread]
    /// Over all channels that are muted; 0 if absent.
    public var muted: Int?
    /// How many unread messages mention the caller, in muted channels too; they are in `total` or `muted` already.
    public var mentions: Int?

    /// Creates a value with these fields.
    public init(total: Int, channels: [ChannelUnread], muted: Int? = nil, mentions: Int? = nil) {
        self.total = total
        self.channels = channels
        self.muted = muted
        self.mentions = mentions
    }
}

/// The unread count of one channel.
public struct ChannelUnread: Codable, Hashable, Sendable {
    /// The channel that is counted.
    public var channel: ChannelID
    /// How many messages are unread.
    public var unread: Int
    /// How many of them mention the caller; 0 if absent.
    public var mentions: Int?
    /// Whether the channel is muted; false if absent.
    public var isMuted: Bool?
    /// Whether the caller has marked it as unread; false if absent.
    public var isMarkedUnread: Bool?
    /// How many messages in the channel's log count as unread; absent from older servers.
    public var count: Int64?

    /// Creates a value with these fields.
    public init(
        channel: ChannelID, unread: Int, mentions: Int? = nil, isMuted: Bool? = nil, isMarkedUnread: Bool? = nil,
        count: Int64? = nil
    ) {
        self.channel = channel
        self.unread = unread
        self.mentions = mentions
        self.isMuted = isMuted
        self.isMarkedUnread = isMarkedUnread
        self.count = count
    }
}

/// Explains unread counts: why a badge has its number.
public struct ExplainUnread: ListingCommand {
    /// The name on the wire.
    public static let name = "unread.explain"
    /// The channel; absent for all with something unread or marked as unread.
    public var channel: ChannelID?
    /// How many channels at most: 1 to 100, 100 if absent.
    public var limit: Int?
    /// The `next` of the previous page; absent for the first page.
    public var cursor: String?

    /// Creates a value with these fields.
    public init(channel: ChannelID? = nil, limit: Int? = nil, cursor: String? = nil) {
        self.channel = channel
        self.limit = limit
        self.cursor = cursor
    }

    /// The sums, and channel by channel where they come from.
    public struct Answer: ListingAnswer {
        /// Unread messages over all channels that are not muted, not only those of this page.
        public var total: Int
        /// Unread messages over all channels that are muted.
        public var muted: Int
        /// Unread messages that mention the caller, in muted channels too.
        public var mentions: Int
        /// The channels, ordered by id.
        public var channels: [UnreadExplanation]
        /// The `cursor` of the next page; absent on the last one.
        public var next: String?

        /// Creates a value with these fields.
        public init(total: Int, muted: Int, mentions: Int, channels: [UnreadExplanation], next: String? = nil) {
            self.total = total
            self.muted = muted
            self.mentions = mentions
            self.channels = channels
            self.next = next
        }

        /// What the page lists.
        public var elements: [UnreadExplanation] { channels }
    }
}

/// Why a channel has its unread count: `unread = count − readCount − own − recalled − deleted`.
///
/// Of the messages above the mark that count, each is in at most one of the three corrections: own
/// before recalled before deleted.
public struct UnreadExplanation: Codable, Hashable, Sendable {
    /// The channel whose count is explained.
    public var channel: ChannelID
    /// How many messages are unread.
    public var unread: Int
    /// How many messages in the channel's log count as unread, read or not.
    public var count: Int64
    /// How many of them lie at or before the caller's mark, or before the caller's history begins.
    public var readCount: Int64
    /// The row of the caller's mark.
    public var readSeq: Int64
    /// Above the mark: the caller's own messages.
    public var own: Int64
    /// Above the mark: messages of others that were recalled.
    public var recalled: Int64
    /// Above the mark: messages of others that the caller has deleted.
    public var deleted: Int64
    /// How many of the unread messages mention the caller.
    public var mentions: Int
    /// Whether the channel is muted: then it is not in the total.
    public var isMuted: Bool
    /// Whether the caller has marked it as unread.
    public var isMarkedUnread: Bool
    /// The explanation as a sentence.
    public var words: String

    /// Creates an explanation; unread count and words follow from the numbers.
    public init(
        channel: ChannelID, count: Int64, readCount: Int64, readSeq: Int64, own: Int64 = 0, recalled: Int64 = 0,
        deleted: Int64 = 0, mentions: Int = 0, isMuted: Bool = false, isMarkedUnread: Bool = false
    ) {
        self.channel = channel
        self.count = count
        self.readCount = readCount
        self.readSeq = readSeq
        self.own = own
        self.recalled = recalled
        self.deleted = deleted
        self.mentions = mentions
        self.isMuted = isMuted
        self.isMarkedUnread = isMarkedUnread
        unread = ReadRules.unread(count: count, markCount: readCount, own: own + recalled + deleted)
        words = ""
        words = sentences.joined(separator: " ")
    }

    private var sentences: [String] {
        var said = [
            count == 1
                ? "1 message of this channel counts; \(min(readCount, 1)) is read."
                : "\(count) messages of this channel count; \(readCount) of them are read."
        ]
        let parts = [(own, "your own"), (recalled, "recalled"), (deleted, "deleted by you")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        if !parts.isEmpty {
            let above = max(0, count - readCount)
            said.append("Of the \(above) after the mark some do not count for you: \(parts.joined(separator: ", ")).")
        }
        said.append(unread == 0 ? "Nothing is unread." : "That leaves \(unread) unread.")
        if mentions > 0 { said.append(mentions == 1 ? "1 of them mentions you." : "\(mentions) of them mention you.") }
        if isMuted { said.append("The channel is muted: it is not in the total.") }
        if isMarkedUnread { said.append("You have marked the channel as unread.") }
        return said
    }
}

/// Marks a channel as unread for the caller; nobody else learns of it.
///
/// The read mark stays where it is, and no count changes: the channel is only marked until the next
/// `readMark.set` on it. All devices of the caller get `channel.unreadMarked`, both times. An open channel has no marks
/// (1104).
public struct UnsetReadMark: WriteCommand, ChannelCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "readMark.unset"
    /// A channel of which the caller is a member. To a stranger it does not exist (1105).
    public var channel: ChannelID

    /// Creates a value with these fields.
    public init(channel: ChannelID) {
        self.channel = channel
    }
}

/// The body of `channel.unreadMarked`, in the user log: the user marked a channel as unread, or removed that mark by
/// reading.
public struct UnreadMarked: Codable, Hashable, Sendable {
    /// The channel that is marked, or no longer.
    public var channel: ChannelID
    /// Whether it is marked as unread now.
    public var isMarkedUnread: Bool

    /// Creates a value with these fields.
    public init(channel: ChannelID, isMarkedUnread: Bool) {
        self.channel = channel
        self.isMarkedUnread = isMarkedUnread
    }
}
