public import ArgumentParser
import Foundation
import RoostClient
public import RoostWire

/// What there is to do with messages for later.
struct ScheduleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule",
        abstract: "Schedule messages or a vote for later; list, change and cancel what is scheduled.",
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
            abstract: "Schedule messages or a vote: every channel gets them when their time has come.",
            discussion: """
                Give messages with --text and --content, or a vote with --vote and its options. The time is more than a minute and at most 30 days ahead. The server sends them, so this command and
                this machine are not needed any more then.
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
            if channelOptions.isEmpty { throw ValidationError("Give at least one place: --channel or --to.") }
            if moment.isEmpty { throw ValidationError("Say when: --in 2h or --at 2026-05-01T09:00:00Z.") }
        }

        func run(_ client: RoostClient) async throws {
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
            abstract: "Print what I have scheduled and has not gone out, the earliest first.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var page: Page

        func run(_ client: RoostClient) async throws {
            try await eachPage(upTo: page.limit, of: 100) { size, cursor in
                try await client.schedules(limit: size, cursor: cursor)
            } show: { page in
                for schedule in page.schedules { try options.show(schedule, schedule.line) }
            }
        }
    }

    struct Change: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Change what is scheduled, before it is due: other messages, another vote, other channels, another time.",
            discussion: "What is not given stays as it is. A vote is given with all of its options.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var contents: Contents
        @OptionGroup var question: Question
        @OptionGroup var channelOptions: ChannelsOption
        @OptionGroup var moment: DateOption
        @OptionGroup var key: TransIDOption

        @Argument(help: "What is scheduled, by the id that create and list print.")
        var schedule: ScheduleID

        func validate() throws {
            try question.check(with: contents)
            if contents.all.isEmpty, question.subject == nil, channelOptions.isEmpty, moment.isEmpty {
                throw ValidationError("Say what to change: messages, the vote, channels or the time.")
            }
        }

        func run(_ client: RoostClient) async throws {
            let channels = channelOptions.isEmpty ? nil : try await channelOptions.channels(client)
            let changed = try await client.changeSchedule(
                schedule, messages: contents.all.isEmpty ? nil : contents.all, subject: question.subject,
                vote: question.vote, channels: channels, at: moment.date, transID: key.transID)
            try options.show(changed, "changed \(changed.line)")
        }
    }

    struct Cancel: ClientCommand {
        static let configuration = CommandConfiguration(abstract: "Cancel what is scheduled, before it is due.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Argument(help: "What is scheduled, by the id that create and list print.")
        var schedule: ScheduleID

        func run(_ client: RoostClient) async throws {
            try options.show(try await client.cancelSchedule(schedule, transID: key.transID), done: "cancelled")
        }
    }
}

/// A vote for later.
struct Question: ParsableArguments {
    @Option(name: .customLong("vote"), help: "What a vote asks. Give its options with --option.")
    var subject: String?

    @OptionGroup(title: "Vote") var terms: VoteTerms

    /// The vote; nothing where only its subject is given, or none at all.
    var vote: Vote? { terms.choices.isEmpty ? nil : terms.vote }

    /// Checks that it says all of a vote or nothing of it, and that there are no messages beside it.
    func check(with contents: Contents) throws {
        if subject == nil, !terms.isEmpty { throw ValidationError("Say what the vote asks: --vote SUBJECT.") }
        if vote == nil, !terms.isEmpty { throw ValidationError("Give the options of the vote, each with --option.") }
        if subject != nil, !contents.all.isEmpty { throw ValidationError("Give either messages or a vote.") }
    }
}

/// A time to come.
struct DateOption: ParsableArguments {
    @Option(name: .customLong("in"), help: "How long from now: 90s, 30m, 2h, 7d.")
    var delay: String?

    @Option(help: "When: ms since 1970, or ISO 8601 as 2026-05-01T09:00:00Z.")
    var at: String?

    func validate() throws {
        if delay != nil, at != nil { throw ValidationError("Give one of --in and --at.") }
        if !isEmpty, date == nil {
            throw ValidationError("Write the time as --in 2h, or as --at 2026-05-01T09:00:00Z.")
        }
    }

    /// Whether none is given.
    var isEmpty: Bool { delay == nil && at == nil }

    /// The time that is meant.
    var date: Date? {
        if let delay { return TokenCommand.seconds(delay).map { Date(timeIntervalSinceNow: Double($0)) } }
        guard let at else { return nil }
        if let ms = Int64(at) { return Date(timeIntervalSince1970: Double(ms) / 1_000) }
        return try? Date(at, strategy: .iso8601)
    }
}

extension Schedule {
    /// One line for people.
    var line: String {
        // What lies beyond the year 9999 is no time that a server gave.
        let ms = min(max(sendAt, 0), 253_402_300_799_000)
        let time = Date(timeIntervalSince1970: Double(ms) / 1_000).ISO8601Format()
        let text =
            subject.map { "[vote] \($0)" } ?? messages.first.map { $0.text.isEmpty ? "[\($0.type)]" : $0.text } ?? ""
        let more = messages.count > 1 ? " and \(messages.count - 1) more" : ""
        let places = channels.prefix(3).map(\.rawValue).joined(separator: ", ") + (channels.count > 3 ? " …" : "")
        return "\(scheduleID)  \(time)  to \(places): \(text)\(more)"
    }
}

extension ScheduleID: ExpressibleByArgument {}
