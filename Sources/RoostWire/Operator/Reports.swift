#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Reports a message, or a user, to the operators of the server.
///
/// A message is named by `channel` and `messageID`, a user by `userID`; give one of the two. The caller
/// must be able to read the message. The report keeps a copy of it and of up to ten rows that the
/// caller could read before it, because the sender may recall it. Nobody is told; operators find it with
/// `report.list`.
///
/// The same message or user is reported once per caller: again changes nothing and is accepted, also after
/// the report was closed. Fails with 6 for oneself or an own message, with 1118 for a message that may not be
/// read, with 7011 for an unknown user, and with 7018 for more than `limits.reportsPerDay` in 24 hours.
public struct CreateReport: WriteCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "report.create"
    /// The channel.
    public var seenChannels: [ChannelID] { channel.map { [$0] } ?? [] }
    /// The channel of the message; absent for a user.
    public var channel: ChannelID?
    /// The message; absent for a user.
    public var messageID: MessageID?
    /// The user; absent for a message, whose sender is reported.
    public var userID: UserID?
    /// A word of the app for the kind of report, such as `spam`: 1 to 200 UTF-16 units.
    public var category: String?
    /// What the caller says about it: at most 1,000 UTF-16 units.
    public var text: String?

    /// Creates the command for a message.
    public init(channel: ChannelID, messageID: MessageID, category: String? = nil, text: String? = nil) {
        self.channel = channel
        self.messageID = messageID
        self.category = category
        self.text = text
    }

    /// Creates the command for a user.
    public init(userID: UserID, category: String? = nil, text: String? = nil) {
        self.userID = userID
        self.category = category
        self.text = text
    }

    /// The largest `text` and `note`, in UTF-16 units.
    public static let textLength = 1_000
    /// How many rows before the message a report keeps.
    public static let rowsBefore = 10
}

/// Lists reports, the oldest first. For operators (1107).
public struct ListReports: ListingCommand {
    /// The name on the wire.
    public static let name = "report.list"
    /// Whether to list the closed reports instead of the open ones; false if absent.
    public var isClosed: Bool?
    /// How many at most: 1 to 50, 20 if absent.
    public var limit: Int?
    /// The `next` of the previous page; absent for the first page.
    public var cursor: String?

    /// Creates a value with these fields.
    public init(isClosed: Bool? = nil, limit: Int? = nil, cursor: String? = nil) {
        self.isClosed = isClosed
        self.limit = limit
        self.cursor = cursor
    }

    /// A page of reports.
    public struct Answer: ListingAnswer {
        /// The reports, by `reportID`: in the order in which they were made.
        public var reports: [Report]
        /// The `cursor` of the next page; absent on the last one.
        public var next: String?

        /// Creates a value with these fields.
        public init(reports: [Report], next: String? = nil) {
            self.reports = reports
            self.next = next
        }

        /// What the page lists.
        public var elements: [Report] { reports }
    }
}

/// Closes a report: an operator has dealt with it. For operators (1107).
///
/// Nobody is told. The copies of messages that it holds are deleted 90 days later, with the report. If it is
/// closed already, nothing changes. Fails with 7028 for an unknown report.
public struct CloseReport: WriteCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "report.close"
    /// The report.
    public var reportID: String
    /// What was done, for other operators: at most 1,000 UTF-16 units.
    public var note: String?

    /// Creates a value with these fields.
    public init(reportID: String, note: String? = nil) {
        self.reportID = reportID
        self.note = note
    }
}

/// A report of a message or a user.
public struct Report: Codable, Hashable, Sendable {
    /// The id, 28 hexadecimal digits; ids ascend with time.
    public var reportID: String
    /// When it was made.
    @Timestamp public var at: Date
    /// The user who made it.
    public var byUser: User
    /// The user whom it is about; absent for an announcement without a sender.
    public var user: User?
    /// The channel of the message; absent if a user was reported.
    public var channel: ChannelID?
    /// The message as it was when it was reported; absent if a user was reported, or if its sender was deleted with all
    /// messages since. Its files may be gone.
    public var message: Event?
    /// The rows that the caller could read before it, ascending; absent if a user was reported.
    public var before: [Event]?
    /// The word of the app for the kind of report.
    public var category: String?
    /// What the caller said about it.
    public var text: String?
    /// When it was closed; absent while it is open.
    @OptionalTimestamp public var closedAt: Date?
    /// The operator who closed it.
    public var closedBy: UserID?
    /// What the operator said about it.
    public var note: String?

    /// Creates a report.
    public init(
        reportID: String, at: Date, byUser: User, user: User?, channel: ChannelID? = nil, message: Event? = nil,
        before: [Event]? = nil, category: String? = nil, text: String? = nil, closedAt: Date? = nil,
        closedBy: UserID? = nil, note: String? = nil
    ) {
        self.reportID = reportID
        self.at = at
        self.byUser = byUser
        self.user = user
        self.channel = channel
        self.message = message
        self.before = before
        self.category = category
        self.text = text
        _closedAt = OptionalTimestamp(wrappedValue: closedAt)
        self.closedBy = closedBy
        self.note = note
    }
}
