/// Reads rows after or before a moment, of one channel or of all of the caller's channels.
///
/// For screens that go by time, as search and export do; a conversation pages
/// through its log with `message.list`. The rows are those of `message.list`:
/// every stored one, of messages and of changes alike, that the caller may see.
///
/// Several rows may share a time. A page is not cut between them, so it may have
/// up to 500 rows more than were asked for, and whoever goes on from the time of
/// its last row (its first one, when reading back) misses and doubles nothing.
/// `next` goes on exactly.
public struct QueryMessages: Command {
    /// The name on the wire.
    public static let name = "message.query"
    /// As a case of the closed list.
    public var any: AnyCommand { .read(.queryMessages(self)) }
    /// The channel; absent for all of the caller's channels, open ones not included.
    public var channel: ChannelID?
    /// The moment, ms since 1970; rows of exactly this time are left out.
    public var time: Int64
    /// How many rows: 1 to 100 for those after the moment, −1 to −100 for those before it; 0 and more are 6.
    public var count: Int
    /// Only messages of this category.
    public var category: String?
    /// The `next` of the page before, with all other fields as they were; absent for the first page.
    public var after: String?

    /// Makes the command.
    public init(channel: ChannelID? = nil, time: Int64, count: Int, category: String? = nil, after: String? = nil) {
        self.channel = channel
        self.time = time
        self.count = count
        self.category = category
        self.after = after
    }

    /// A page of rows.
    public struct Answer: Codable, Hashable, Sendable {
        /// The rows nearest to the moment, ascending by `sentAt`, then channel, then `seq`, whichever side was asked for.
        ///
        /// Fewer than were asked for, and no `next`, means that this side has no more: a page also ends at 256 KiB.
        public var events: [Event]
        /// What to give as `after` for the next page on the same side; absent on the last one.
        public var next: String?

        /// Makes a page.
        public init(events: [Event], next: String? = nil) {
            self.events = events
            self.next = next
        }
    }
}

extension QueryMessages {
    /// Checks everything but the channel and the cursor.
    /// - Throws: `WireError` 6.
    public func check(limits: Limits) throws(WireError) {
        guard count != 0, (-limits.pageRows...limits.pageRows).contains(count) else {
            throw WireError(
                .dataFormat, "\"count\" must be 1 to \(limits.pageRows), or -1 to -\(limits.pageRows).")
        }
        if let category { try MessageRules.checkCategory(category) }
    }
}

/// Reads messages of a channel by their ids; more than 512 KiB together are 7005: ask for fewer.
public struct GetMessages: Command {
    /// The name on the wire.
    public static let name = "message.get"
    /// As a case of the closed list.
    public var any: AnyCommand { .read(.getMessages(self)) }
    /// The channel.
    public var channel: ChannelID
    /// 1 to `limits.idsPerCommand` messages.
    public var messageIDs: [MessageID]

    /// Makes the command.
    public init(channel: ChannelID, messageIDs: [MessageID]) {
        self.channel = channel
        self.messageIDs = messageIDs
    }

    /// The messages that were found.
    public struct Answer: Codable, Hashable, Sendable {
        /// The rows, ascending by `seq`. What does not exist or may not be read is left out; when all are, it is 1118.
        public var events: [Event]

        /// Makes the answer.
        public init(events: [Event]) { self.events = events }
    }
}
