public import RoostWire

/// The changes of one commit of the local store, with the client's events of that moment.
///
/// A reader who has read the store before the commit and applies every change in its
/// order has the current contents of the store.
public struct LocalChange: Sendable {
    /// The changes in the log of one channel.
    public struct Rows: Sendable {
        /// New rows, ascending by `seq`, after all known rows.
        public var appended: [Event] = []
        /// Known rows with new contents, as after a recall.
        public var rewritten: [Event] = []
        /// Rows that were removed: recalled silently, or deleted by the user.
        public var removed: [Int64] = []
        /// Rows up to this one are not shown any more; 0 for no change.
        public var clearedTo: Int64 = 0
        /// Rows are missing between the known rows and those that follow: show a gap, or read again.
        public var isInterrupted = false
        /// All known rows of this channel are invalid: read it again.
        public var isVoid = false
    }

    /// The changes of the logs, by channel.
    public var rows: [ChannelID: Rows] = [:]
    /// The whole send queue of each channel in which it changed, in its order.
    public var queue: [ChannelID: [QueuedMessage]] = [:]
    /// Channels whose row in the channel list changed.
    public var channels: Set<ChannelID> = []
    /// Channels whose members, roles, names or read marks changed.
    public var members: Set<ChannelID> = []
    /// The client's events, in the order of its `events()`.
    public var events: [ClientEvent] = []
    /// The connection state, if it changed.
    public var state: ConnectionState?

    /// Creates an empty change.
    public init() {}
}

/// A text that was typed in a channel and not sent.
public struct Draft: Codable, Hashable, Sendable {
    /// What was typed, as it stands in the field: not trimmed.
    public var text: String
    /// The users mentioned in it.
    public var mentions: [Mention]
    /// The message to answer.
    public var replyTo: MessageID?
    /// The files that were picked: only their paths are kept, so they must stay where they are.
    public var files: [LocalFile]

    /// Creates a draft.
    public init(text: String, mentions: [Mention] = [], replyTo: MessageID? = nil, files: [LocalFile] = []) {
        self.text = text
        self.mentions = mentions
        self.replyTo = replyTo
        self.files = files
    }

    /// Reads a draft; those of earlier versions have no files.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        text = try container.decode(String.self, forKey: .text)
        mentions = try container.decode([Mention].self, forKey: .mentions)
        replyTo = try container.decodeIfPresent(MessageID.self, forKey: .replyTo)
        files = try container.decodeIfPresent([LocalFile].self, forKey: .files) ?? []
    }

    /// Whether there is nothing to keep.
    public var isEmpty: Bool { text.isEmpty && replyTo == nil && files.isEmpty }
}

/// Describes how a damaged local store was rebuilt from the server.
public struct LocalRecovery: Hashable, Sendable {
    /// How many messages of the send queue could be saved.
    public let savedMessages: Int
    /// Whether the send queue could not be read completely: unsent messages may be lost.
    public let hasLostMessages: Bool
}
