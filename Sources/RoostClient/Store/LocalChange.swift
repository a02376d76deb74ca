public import RoostWire

/// What one commit of the local store changed, and what the client tells in the same moment.
///
/// Whoever read the store before the commit and takes over every change in its
/// order has what the store has now.
public struct LocalChange: Sendable {
    /// What changed in the log of one channel.
    public struct Rows: Sendable {
        /// New rows, ascending by `seq`, behind all that were known.
        public var appended: [Event] = []
        /// Rows that were known and read differently now, as after a recall.
        public var rewritten: [Event] = []
        /// Rows that are gone: recalled silently or deleted by the user.
        public var removed: [Int64] = []
        /// Nothing up to this row is shown any more; 0 for no change.
        public var clearedTo: Int64 = 0
        /// Rows are missing between those that were known and those that follow: show a gap, or read again.
        public var isInterrupted = false
        /// All that was known of this channel is void: read it again.
        public var isVoid = false
    }

    /// What changed in the logs.
    public var rows: [ChannelID: Rows] = [:]
    /// The whole send queue of each channel in which it changed, in its order.
    public var queue: [ChannelID: [QueuedMessage]] = [:]
    /// Channels whose row in the channel list changed.
    public var channels: Set<ChannelID> = []
    /// Channels of which members, roles, names or read marks changed.
    public var members: Set<ChannelID> = []
    /// What the client tells, in its order: the same that its `events()` give.
    public var events: [ClientEvent] = []
    /// How the client stands to the server, when that changed.
    public var state: ConnectionState?

    /// Makes a change of nothing.
    public init() {}
}

/// What a person has typed into a channel's field and not sent.
public struct Draft: Codable, Hashable, Sendable {
    /// The text.
    public var text: String
    /// The users mentioned in it.
    public var mentions: [Mention]
    /// The message that is to be answered.
    public var replyTo: MessageID?

    /// Makes a draft.
    public init(text: String, mentions: [Mention] = [], replyTo: MessageID? = nil) {
        self.text = text
        self.mentions = mentions
        self.replyTo = replyTo
    }
}

/// That the local store was damaged and made anew from the server.
public struct LocalRecovery: Hashable, Sendable {
    /// How many messages of the send queue could be saved.
    public let savedMessages: Int
    /// Whether the send queue could not be read to its end: messages that were not sent may be lost.
    public let hasLostMessages: Bool
}
