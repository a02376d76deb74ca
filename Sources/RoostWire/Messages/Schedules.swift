#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Messages, or a vote, that the server sends for a user at a scheduled time.
///
/// It is the body of `schedule.created` and `schedule.changed`, in the user log.
public struct Schedule: Codable, Hashable, Sendable {
    /// Its id, made by the server.
    public var scheduleID: ScheduleID
    /// The messages, 1 to `limits.messagesPerCommand`; empty for a vote.
    public var messages: [MessageContent]
    /// The channels to send to, 1 to `limits.channelsPerCommand`, none of them twice.
    public var channels: [ChannelID]
    /// When it is due, by the server's clock.
    @Timestamp public var sendAt: Date
    /// The question of the vote; absent if messages are scheduled.
    public var subject: String?
    /// The options and rules of the vote, the same in every channel; absent if messages are scheduled.
    public var vote: Vote?

    /// Creates it.
    public init(
        scheduleID: ScheduleID, messages: [MessageContent] = [], channels: [ChannelID], sendAt: Date,
        subject: String? = nil, vote: Vote? = nil
    ) {
        self.scheduleID = scheduleID
        self.messages = messages
        self.channels = channels
        self.sendAt = sendAt
        self.subject = subject
        self.vote = vote
    }
}

/// The answer to a command that made or changed a schedule.
public struct ScheduleAnswer: Codable, Hashable, Sendable {
    /// The transID of the command.
    public var transID: TransID
    /// When the server accepted it.
    @Timestamp public var sentAt: Date
    /// The schedule after the command.
    public var schedule: Schedule

    /// Creates a value with these fields.
    public init(transID: TransID, sentAt: Date, schedule: Schedule) {
        self.transID = transID
        self.sentAt = sentAt
        self.schedule = schedule
    }
}

/// Schedules messages, or a vote: when the time comes, they go to every channel as `message.sendMany` or `vote.create`
/// sends them.
///
/// Give either `messages`, or `subject` and `vote` (else 6). Fails with 1008 unless the time is
/// more than `limits.scheduleMinMs` and at most `limits.scheduleMaxMs` ahead by the server's clock.
/// A vote's `closesAt` must be after that time (else 6). If any part could not be sent now to one
/// of the channels, the whole command fails with the code of `message.send`; the same is checked
/// again when it is due. Fails with 7018 if more than `limits.schedules` are waiting. It uses as
/// much of the rate limits as `message.sendMany`.
///
/// All devices of the caller get `schedule.created`; nobody else learns of it. When it is due, each
/// message goes out once, whatever happens to the server meanwhile. If no server was running at
/// that time, what is late goes out in the order of its times. The messages carry the time at which
/// they went out and the transID `schedule:` with the schedule's id. The devices of the owner then
/// get `schedule.sent`, with the result for each pair of channel and message.
public struct CreateSchedule: WriteCommand {
    /// What the server answers.
    public typealias Answer = ScheduleAnswer
    /// The name on the wire.
    public static let name = "schedule.create"
    /// All channels that it names.
    public var changedChannels: [ChannelID] { channels }
    /// The cost of the messages that it sends.
    public var cost: CommandCost { .sends(messages?.count ?? 1, to: channels) }
    /// The messages, 1 to `limits.messagesPerCommand`; absent for a vote.
    public var messages: [MessageContent]?
    /// The channels to send to, 1 to `limits.channelsPerCommand`, none of them twice.
    public var channels: [ChannelID]
    /// When the messages are to be sent, by the server's clock.
    @Timestamp public var sendAt: Date
    /// The question of a vote, which becomes the text of its message; absent if messages are scheduled.
    public var subject: String?
    /// The options and rules of a vote, the same in every channel; absent if messages are scheduled.
    public var vote: Vote?

    /// Creates a value with these fields.
    public init(
        messages: [MessageContent]? = nil, channels: [ChannelID], sendAt: Date, subject: String? = nil,
        vote: Vote? = nil
    ) {
        self.messages = messages
        self.channels = channels
        self.sendAt = sendAt
        self.subject = subject
        self.vote = vote
    }
}

/// Changes what the caller has scheduled, before it is due.
///
/// Absent fields stay unchanged; it fails with 6 if all are absent. Messages replace a vote, and
/// `subject` with `vote` replaces messages; giving both fails with 6. Content and time obey the
/// rules of `schedule.create`. Fails with 7013 if it does not exist, was sent or cancelled, or
/// belongs to somebody else, and with 1121 if it is due. All devices of the caller get
/// `schedule.changed`.
public struct ChangeSchedule: WriteCommand {
    /// What the server answers.
    public typealias Answer = ScheduleAnswer
    /// The name on the wire.
    public static let name = "schedule.change"
    /// The cost of sending if messages, channels or vote change; otherwise one command.
    public var cost: CommandCost {
        let isContent = messages != nil || channels != nil || subject != nil || vote != nil
        return isContent ? .sends(messages?.count ?? 1, to: channels ?? []) : .commands(1)
    }
    /// The id of the schedule.
    public var scheduleID: ScheduleID
    /// The new messages.
    public var messages: [MessageContent]?
    /// The new channels to send to.
    public var channels: [ChannelID]?
    /// The new time, by the server's clock.
    @OptionalTimestamp public var sendAt: Date?
    /// The new question of the vote.
    public var subject: String?
    /// The new vote, with all of its options and rules.
    public var vote: Vote?

    /// Creates a value with these fields.
    public init(
        scheduleID: ScheduleID, messages: [MessageContent]? = nil, channels: [ChannelID]? = nil, sendAt: Date? = nil,
        subject: String? = nil, vote: Vote? = nil
    ) {
        self.scheduleID = scheduleID
        self.messages = messages
        self.channels = channels
        self.sendAt = sendAt
        self.subject = subject
        self.vote = vote
    }
}

/// Cancels what the caller has scheduled, before it is due.
///
/// Fails with 7013 if it does not exist, was sent or cancelled, or belongs to somebody else, and
/// with 1121 if it is due. All devices of the caller get `schedule.cancelled`.
public struct CancelSchedule: WriteCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "schedule.cancel"
    /// The id of the schedule.
    public var scheduleID: ScheduleID

    /// Creates a value with these fields.
    public init(scheduleID: ScheduleID) {
        self.scheduleID = scheduleID
    }
}

/// Lists the caller's schedules that are not sent yet, ordered by time.
public struct ListSchedules: ListingCommand {
    /// The name on the wire.
    public static let name = "schedule.list"
    /// How many at most: 1 to 100, 50 if absent; fewer when they are larger than 256 KiB together.
    public var limit: Int?
    /// The `next` of the previous page; absent for the first page.
    public var cursor: String?

    /// Creates a value with these fields.
    public init(limit: Int? = nil, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }

    /// A page of schedules.
    public struct Answer: ListingAnswer {
        /// The schedules, the earliest first.
        public var schedules: [Schedule]
        /// The `cursor` of the next page; absent on the last one.
        public var next: String?

        /// Creates a value with these fields.
        public init(schedules: [Schedule], next: String? = nil) {
            self.schedules = schedules
            self.next = next
        }

        /// What the page lists.
        public var elements: [Schedule] { schedules }
    }
}

/// The body of `schedule.cancelled`, in the user log: the user cancelled what was scheduled.
public struct ScheduleCancelled: Codable, Hashable, Sendable {
    /// The id of the schedule.
    public var scheduleID: ScheduleID

    /// Creates a value with these fields.
    public init(scheduleID: ScheduleID) {
        self.scheduleID = scheduleID
    }
}

/// The body of `schedule.sent`, in the user log: what the user had scheduled was due and was sent.
public struct ScheduleSent: Codable, Hashable, Sendable {
    /// The id of the schedule.
    public var scheduleID: ScheduleID
    /// When it was due. When it was sent is the `sentAt` of the event and of the messages.
    @Timestamp public var sendAt: Date
    /// One result per pair: for each channel in the order of the schedule, all messages in their order.
    ///
    /// A message that could not be sent has the code with which `message.send` would have failed; a vote that would
    /// have been over already has 1121. A vote has one result per channel.
    public var results: [PairResult]
    /// Whether it was a vote; false if absent.
    public var isVote: Bool?

    /// Creates a value with these fields.
    public init(scheduleID: ScheduleID, sendAt: Date, results: [PairResult], isVote: Bool? = nil) {
        self.scheduleID = scheduleID
        self.sendAt = sendAt
        self.results = results
        self.isVote = isVote
    }
}

/// What may be scheduled, and for which times. Pure rules, the same in the server and the SDK.
public enum ScheduleRules {
    /// Checks a time against the clock.
    /// - Throws: `WireError` 1008 unless it is more than `limits.scheduleMinMs` and at most `limits.scheduleMaxMs`
    ///   ahead.
    public static func check(_ sendAt: Date, now: Date, limits: Limits) throws(WireError) {
        let now = now.milliseconds
        let (ahead, isTooMuch) = sendAt.milliseconds.subtractingReportingOverflow(now)
        guard !isTooMuch, ahead > Int64(limits.scheduleMinMs), ahead <= Int64(limits.scheduleMaxMs) else {
            throw WireError(
                .scheduleTime, field: "sendAt",
                "\"sendAt\" must be more than \(limits.scheduleMinMs) ms and at most \(limits.scheduleMaxMs) ms ahead; "
                    + "it is \(now) now.")
        }
    }

    /// Checks the content and the channels of a schedule, except for the rules that depend on the channels' state.
    /// - Throws: `WireError` 6 for messages and a vote together or neither, and for numbers and times outside their
    ///   bounds; and the errors of ``MultiSendRules`` and
    ///   ``VoteRules`` for the content.
    public static func check(_ schedule: Schedule, limits: Limits) throws(WireError) {
        guard schedule.subject != nil || schedule.vote != nil else {
            return try MultiSendRules.check(schedule.messages, to: schedule.channels, limits: limits)
        }
        guard schedule.messages.isEmpty else { throw messagesOrVote("messages") }
        guard let subject = schedule.subject else { throw messagesOrVote("subject") }
        guard let vote = schedule.vote else { throw messagesOrVote("vote") }
        try MultiSendRules.check(schedule.channels, limits: limits)
        try VoteRules.check(
            CreateVote(channel: schedule.channels[0], subject: subject, vote: vote), now: schedule.sendAt,
            limits: limits)
    }

    /// The error for messages and a vote together, or for an incomplete vote; nil if neither.
    /// Its field is the one that is superfluous or missing.
    package static func messagesOrVote(_ field: String) -> WireError {
        WireError(.dataFormat, field: field, "Give either \"messages\", or \"subject\" and \"vote\".")
    }

    /// The schedule after a change; its content is not checked.
    /// - Throws: `WireError` 6 for a change without any field, and for messages and a vote together.
    public static func changed(_ schedule: Schedule, by change: ChangeSchedule) throws(WireError) -> Schedule {
        let hasVote = change.subject != nil || change.vote != nil
        guard change.messages != nil || change.channels != nil || change.sendAt != nil || hasVote else {
            throw WireError(
                .dataFormat, field: "messages",
                "Give \"messages\", \"channels\", \"sendAt\", \"subject\" or \"vote\" to be changed.")
        }
        guard change.messages == nil || !hasVote else { throw messagesOrVote("messages") }
        var new = schedule
        new.channels = change.channels ?? schedule.channels
        new.$sendAt = change.$sendAt ?? schedule.$sendAt
        if let messages = change.messages {
            (new.messages, new.subject, new.vote) = (messages, nil, nil)
        } else if hasVote {
            (new.messages, new.subject, new.vote) = ([], change.subject ?? new.subject, change.vote ?? new.vote)
        }
        return new
    }
}
