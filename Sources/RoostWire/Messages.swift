/// Somebody named in a message.
public struct Mention: Codable, Hashable, Sendable {
    /// Who is named.
    public var userID: UserID
    /// Where the name starts in the text, in UTF-16 units; absent when no part of the text stands for it.
    public var start: Int?
    /// How long the name is, in UTF-16 units; present exactly when `start` is.
    public var length: Int?

    /// Makes a mention.
    public init(userID: UserID, start: Int? = nil, length: Int? = nil) {
        self.userID = userID
        self.start = start
        self.length = length
    }
}

/// The body of `message.sent`: one message of a user.
public struct Message: Codable, Hashable, Sendable {
    /// The message's id, made by the server.
    public var messageID: MessageID
    /// The message's type, a name of the registry of message types.
    public var type: String
    /// The text: 1 to 8,000 UTF-16 units, at most 32 KiB of UTF-8.
    public var text: String
    /// The sender's name when the message was sent.
    public var senderName: String
    /// The sender's picture when the message was sent.
    public var senderImageURL: String?
    /// Who is named in the text, in the order of the text.
    public var mentions: [Mention]?
    /// How many messages of this channel count as unread up to and with this one: a dense number of its own.
    public var count: Int64

    /// Makes a message.
    public init(
        messageID: MessageID, type: String, text: String, senderName: String, senderImageURL: String? = nil,
        mentions: [Mention]? = nil, count: Int64
    ) {
        self.messageID = messageID
        self.type = type
        self.text = text
        self.senderName = senderName
        self.senderImageURL = senderImageURL
        self.mentions = mentions
        self.count = count
    }
}

/// The body of `message.announced`: a line of the operator, without a sender.
public struct Announcement: Codable, Hashable, Sendable {
    /// The message's id, made by the server.
    public var messageID: MessageID
    /// The text: 1 to 8,000 UTF-16 units.
    public var text: String
    /// How many messages of this channel count as unread up to and with this one.
    public var count: Int64

    /// Makes an announcement.
    public init(messageID: MessageID, text: String, count: Int64) {
        self.messageID = messageID
        self.text = text
        self.count = count
    }
}

/// Sends a text message into a channel of which the caller is a member, or into an open channel.
///
/// The acknowledgement comes after the message is on disk; every device of every
/// member then gets `message.sent`, the sender's own devices included. Sending
/// again with the same transID changes nothing and gives the same answer.
public struct SendMessage: Command {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "message.send"
    /// The channel.
    public var channel: ChannelID
    /// The type, a name of the registry; absent means `text`.
    public var type: String?
    /// The text: 1 to 8,000 UTF-16 units, not only white space.
    public var text: String
    /// Who is named: at most 50, ranges in order, in bounds, not overlapping.
    public var mentions: [Mention]?
    /// The transID of the send before this one from the same device into the same channel.
    ///
    /// When the server does not know that one, it answers 7004 and stores
    /// nothing, so that a lane of sends never changes its order.
    public var after: TransID?

    /// Makes the command.
    public init(
        channel: ChannelID, type: String? = nil, text: String, mentions: [Mention]? = nil, after: TransID? = nil
    ) {
        self.channel = channel
        self.type = type
        self.text = text
        self.mentions = mentions
        self.after = after
    }
}

/// Lets an operator put a line without a sender into any channel; everybody who reads the channel gets `message.announced`.
public struct AnnounceMessage: Command {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "message.announce"
    /// The channel.
    public var channel: ChannelID
    /// The text: 1 to 8,000 UTF-16 units.
    public var text: String

    /// Makes the command.
    public init(channel: ChannelID, text: String) {
        self.channel = channel
        self.text = text
    }
}

/// Reads a page of a channel's log, in ascending order of `seq`.
///
/// At most one of `before`, `after`, `around` and `aroundMessage` is given; none
/// of them means the newest page.
public struct ListMessages: Command {
    /// The name on the wire.
    public static let name = "message.list"
    /// The channel.
    public var channel: ChannelID
    /// Only rows with a smaller `seq`, the nearest ones.
    public var before: Int64?
    /// Only rows with a larger `seq`, the nearest ones.
    public var after: Int64?
    /// Rows on both sides of this `seq`, it included.
    public var around: Int64?
    /// Rows on both sides of this message, it included.
    public var aroundMessage: MessageID?
    /// How many rows at most: 1 to 100, 50 when absent; fewer when they are larger than 256 KiB together.
    public var limit: Int?

    /// Makes the command.
    public init(
        channel: ChannelID, before: Int64? = nil, after: Int64? = nil, around: Int64? = nil,
        aroundMessage: MessageID? = nil, limit: Int? = nil
    ) {
        self.channel = channel
        self.before = before
        self.after = after
        self.around = around
        self.aroundMessage = aroundMessage
        self.limit = limit
    }

    /// A page of a channel's log.
    public struct Answer: Codable, Hashable, Sendable {
        /// The rows, ascending, exactly as they were delivered live.
        public var events: [Event]
        /// Whether older rows exist that the caller may read.
        public var hasBefore: Bool
        /// Whether newer rows exist.
        public var hasAfter: Bool
        /// The channel's newest `seq` when the page was read.
        public var seq: Int64

        /// Makes a page.
        public init(events: [Event], hasBefore: Bool, hasAfter: Bool, seq: Int64) {
            self.events = events
            self.hasBefore = hasBefore
            self.hasAfter = hasAfter
            self.seq = seq
        }
    }
}
