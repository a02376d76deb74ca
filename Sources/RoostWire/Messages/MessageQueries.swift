#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Reads rows after or before a time, of one channel or of all of the caller's channels.
///
/// Use it for screens that are ordered by time, such as search and export; a conversation pages through its
/// log with `message.list`. The rows are those of `message.list`: every stored row that the caller
/// may see, of messages and of changes alike.
///
/// Several rows may have the same time. A page is not cut between them if possible, so it may have
/// up to 500 rows more than `limit`. Then a new query that starts at the time of the last row (the
/// first one when reading back) neither misses nor repeats a row. `next` always continues at the right row.
public struct QueryMessages: ListingCommand {
    /// The name on the wire.
    public static let name = "message.query"
    /// The channel; all of the caller's channels if absent, open ones not included.
    public var channel: ChannelID?
    /// The time; rows of exactly this time are left out.
    @Timestamp public var time: Date
    /// Whether to read rows after or before the time.
    public var direction: TimeDirection
    /// Only messages of this category.
    public var category: String?
    /// How many rows at most: 1 to 100, 50 if absent.
    public var limit: Int?
    /// The `next` of the previous page; absent for the first page.
    public var cursor: String?
    /// Whether to leave out rows that do not show in a conversation, as in `message.list`; false if absent.
    ///
    /// They are counted for `limit`, so a page with `next` may have few events, or none.
    public var onlyShown: Bool?

    /// Creates a value with these fields.
    public init(
        channel: ChannelID? = nil, time: Date, direction: TimeDirection, category: String? = nil, limit: Int? = nil,
        cursor: String? = nil, onlyShown: Bool? = nil
    ) {
        self.channel = channel
        self.time = time
        self.direction = direction
        self.category = category
        self.limit = limit
        self.cursor = cursor
        self.onlyShown = onlyShown
    }

    /// A page of rows.
    public struct Answer: ListingAnswer {
        /// The rows nearest to the time, ascending by `sentAt`, then channel, then `seq`, in both directions.
        ///
        /// A page also ends at 256 KiB; only a page without `next` is the last one.
        public var events: [Event]
        /// The `cursor` of the next page; absent on the last one.
        public var next: String?

        /// Creates a value with these fields.
        public init(events: [Event], next: String? = nil) {
            self.events = events
            self.next = next
        }

        /// What the page lists.
        public var elements: [Event] { events }
    }
}

/// Whether a query reads rows after or before a time.
public enum TimeDirection: String, Codable, CaseIterable, Sendable {
    /// Rows after it, the nearest ones first.
    case after
    /// Rows before it, the nearest ones first.
    case before
}

/// Reads messages of a channel by their ids. Fails with 7005 if they are more than 512 KiB together: ask for fewer.
public struct GetMessages: ReadCommand {
    /// The name on the wire.
    public static let name = "message.get"
    /// A channel that the caller may read. To a stranger it does not exist (1105).
    public var channel: ChannelID
    /// 1 to `limits.idsPerCommand` messages.
    public var messageIDs: [MessageID]

    /// Creates a value with these fields.
    public init(channel: ChannelID, messageIDs: [MessageID]) {
        self.channel = channel
        self.messageIDs = messageIDs
    }

    /// The messages that were found.
    public struct Answer: Codable, Hashable, Sendable {
        /// The rows, ascending by `seq`. Messages that do not exist or may not be read are left out; 1118 if none is
        /// left.
        public var events: [Event]

        /// Creates a value with these fields.
        public init(events: [Event]) {
            self.events = events
        }
    }
}
