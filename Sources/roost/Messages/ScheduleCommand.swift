public import ArgumentParser
import Foundation
import RoostClient
public import RoostWire

/// The commands that manage scheduled messages.
struct ScheduleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule",
        abstract: "Schedule messages or a vote; list, change and cancel schedules.",
        discussion: """
              roost schedule create --as ann --to bob --in 2h --text "Tea is ready"
              roost schedule create --as ann --channel roof --in 2h --vote "Tea or cake?" --option Tea --option Cake
              roost schedule list --as ann
              roost schedule change --as ann --at 2026-05-01T09:00:00Z SCHEDULE
              roost schedule cancel --as ann SCHEDULE
            """,
        subcommands: [Create.self, List.self, Change.self, Cancel.self])

    struct Create: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Schedule messages or a vote to be sent to each channel at a given time.",
            discussion: """
                Give messages with --text and --content, or a vote with --vote and its options. The time must be more than a minute and at most 30 days ahead. \
                The server sends the messages, so this computer need not be running at that time.
                """)

        @OptionGroup var options: ClientOptions
        @OptionGroup var contents: Contents
        @OptionGroup var question: Question
        @OptionGroup var channelOptions: ChannelsOption
        @OptionGroup var moment: DateOption
        @OptionGroup var key: TransIDOption

        func validate() throws {
            try question.check(with: contents)
            if contents.all.isEmpty, question.vote == nil {
                throw ValidationError("Give at least one message: --text or --content; or a vote: --vote and --option.")
            }
            if channelOptions.isEmpty { throw ValidationError("Give at least one target: --channel or --to.") }
            if moment.isEmpty { throw ValidationError("Give a time: --in 2h or --at 2026-05-01T09:00:00Z.") }
        }

        func run(_ client: ChatClient) async throws {
            guard let date = moment.date else { throw ExitCode(ExitStatus.usage) }
            let channels = try await channelOptions.channels(client)
            let schedule: Schedule
            if let subject = question.subject, let vote = question.vote {
                schedule = try await client.scheduleVote(
                    subject, vote, to: channels, at: date, transID: key.transID)
            } else {
                schedule = try await client.schedule(contents.all, to: channels, at: date, transID: key.transID)
            }
            try options.show(schedule, "scheduled \(schedule.line)")
        }
    }

    struct List: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List my schedules that have not been sent yet, earliest first.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var page: Page

        func run(_ client: ChatClient) async throws {
            try await eachPage(upTo: page.limit, of: 100) { size, cursor in
                try await client.perform(ListSchedules(limit: size, cursor: cursor))
            } show: { page in
                for schedule in page.schedules { try options.show(schedule, schedule.line) }
            }
        }
    }

    struct Change: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "change",
            abstract:
                "Change the messages, the vote, the channels or the time of a schedule before it is due.",
            discussion: "Anything not given stays unchanged. A vote must be given with all of its options.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var contents: Contents
        @OptionGroup var question: Question
        @OptionGroup var channelOptions: ChannelsOption
        @OptionGroup var moment: DateOption
        @OptionGroup var key: TransIDOption

        @Argument(help: "The id of the schedule, as printed by create and list.")
        var schedule: ScheduleID

        func validate() throws {
            try question.check(with: contents)
            if contents.all.isEmpty, question.subject == nil, channelOptions.isEmpty, moment.isEmpty {
                throw ValidationError("Give something to change: messages, the vote, channels or the time.")
            }
        }

        func run(_ client: ChatClient) async throws {
            let channels = channelOptions.isEmpty ? nil : try await channelOptions.channels(client)
            let changed = try await client.changeSchedule(
                schedule, messages: contents.all.isEmpty ? nil : contents.all, subject: question.subject,
                vote: question.vote, channels: channels, at: moment.date, transID: key.transID)
            try options.show(changed, "changed \(changed.line)")
        }
    }

    struct Cancel: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel", abstract: "Cancel a schedule before it is due.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Argument(help: "The id of the schedule, as printed by create and list.")
        var schedule: ScheduleID

        func run(_ client: ChatClient) async throws {
            try options.show(
                try await client.perform(CancelSchedule(scheduleID: schedule), under: key.transID), done: "cancelled")
        }
    }
}

/// Options for a scheduled vote.
struct Question: ParsableArguments {
    @Option(name: .customLong("vote"), help: "The question of a vote. Give its options with --option.")
    var subject: String?

    @OptionGroup(title: "Vote") var terms: VoteTerms

    /// The vote; nil if no options were given.
    var vote: Vote? { terms.choices.isEmpty ? nil : terms.vote }

    /// Checks that the vote is either complete or absent, and that it is not combined with messages.
    func check(with contents: Contents) throws {
        if subject == nil, !terms.isEmpty { throw ValidationError("Give the question of the vote: --vote SUBJECT.") }
        if vote == nil, !terms.isEmpty { throw ValidationError("Give the options of the vote, each with --option.") }
        if subject != nil, !contents.all.isEmpty { throw ValidationError("Give either messages or a vote.") }
    }
}

/// Options for a time in the future.
struct DateOption: ParsableArguments {
    @Option(name: .customLong("in"), help: "The delay from now: 90s, 30m, 2h, 7d.")
    var delay: String?

    @Option(help: "The time, in ms since 1970 or in ISO 8601, such as 2026-05-01T09:00:00Z.")
    var at: String?

    func validate() throws {
        if delay != nil, at != nil { throw ValidationError("Give either --in or --at, not both.") }
        if !isEmpty, date == nil {
            throw ValidationError("Invalid time. Use, for example, --in 2h or --at 2026-05-01T09:00:00Z.")
        }
    }

    /// Whether no time was given.
    var isEmpty: Bool { delay == nil && at == nil }

    /// The resulting date.
    var date: Date? {
        if let delay { return TokenCommand.seconds(delay).map { Date(timeIntervalSinceNow: Double($0)) } }
        return at.flatMap(Self.date)
    }

    /// Reads a time in ms since 1970 or in ISO 8601.
    static func date(_ text: String) -> Date? {
        if let ms = Int64(text) { return Date(milliseconds: ms) }
        return try? Date(text, strategy: .iso8601)
    }
}

extension Schedule {
    /// A one-line, human-readable description.
    var line: String {
        // Clamped to the year 9999; a server never sends a later time.
        let ms = min(max($sendAt, 0), 253_402_300_799_000)
        let time = Date(milliseconds: ms).ISO8601Format()
        let text =
            subject.map { "[vote] \($0)" } ?? messages.first.map { $0.text.isEmpty ? "[\($0.type)]" : $0.text } ?? ""
        let more = messages.count > 1 ? " and \(messages.count - 1) more" : ""
        let places = channels.prefix(3).map(\.rawValue).joined(separator: ", ") + (channels.count > 3 ? " …" : "")
        return "\(scheduleID)  \(time)  to \(places): \(text)\(more)"
    }
}

extension ScheduleID: ExpressibleByArgument {}
