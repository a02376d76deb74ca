public import ArgumentParser
import RoostClient
import RoostTerminal
public import RoostWire

/// The commands that manage votes.
struct VoteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vote",
        abstract: "Create votes, cast a ballot, and show results.",
        discussion: """
              roost vote create --as ann --channel roof --option Soup --option Pizza "Where do we eat?"
              roost vote cast --as bob --channel roof VOTE 2
              roost vote show --as ann --channel roof VOTE

            A vote is identified by the id of its message. On the command line, options are numbered from 1; in JSON, from 0.
            """,
        subcommands: [Create.self, Cast.self, Close.self, List.self, Show.self, Ballots.self])

    struct Create: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Create a vote with 2 to 20 options.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @OptionGroup var terms: VoteTerms

        @Argument(help: "The question.")
        var subject: [String]

        func validate() throws {
            if terms.choices.isEmpty { throw ValidationError("Give each option with --option.") }
        }

        func run(_ client: ChatClient) async throws {
            let acknowledgement = try await client.perform(
                CreateVote(
                    channel: try await channelOption.handle(client).id, subject: subject.joined(separator: " "),
                    vote: terms.vote),
                under: key.transID)
            try options.show(
                acknowledgement, "asked in \(acknowledgement.channel?.rawValue ?? ""): vote \(id(acknowledgement))")
        }

        private func id(_ acknowledgement: Acknowledgement) -> String { acknowledgement.messageID?.rawValue ?? "" }
    }

    struct Cast: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "cast",
            abstract: "Vote for one or more options; without options, withdraw your vote.",
            discussion: "The given options replace your earlier choice.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Argument(help: "The vote.")
        var vote: MessageID

        @Argument(help: "The numbers of the options, starting at 1.")
        var choices: [Int] = []

        func validate() throws {
            if choices.contains(where: { !(1...VoteRules.optionCounts.upperBound).contains($0) }) {
                throw ValidationError("An option must be a number from 1 to \(VoteRules.optionCounts.upperBound).")
            }
        }

        func run(_ client: ChatClient) async throws {
            let acknowledgement = try await client.perform(
                CastVote(
                    channel: try await channelOption.handle(client).id, messageID: vote, options: choices.map { $0 - 1 }
                ),
                under: key.transID)
            try options.show(acknowledgement, done: choices.isEmpty ? "vote withdrawn" : "voted")
        }
    }

    struct Close: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "close",
            abstract: "Close a vote now: one that I created, or any vote as a moderator or admin.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Argument(help: "The vote.")
        var vote: MessageID

        func run(_ client: ChatClient) async throws {
            let acknowledgement = try await client.perform(
                CloseVote(channel: try await channelOption.handle(client).id, messageID: vote), under: key.transID)
            try options.show(acknowledgement, done: "closed")
        }
    }

    struct List: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the votes of a channel, newest first.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var page: Page

        func run(_ client: ChatClient) async throws {
            let handle = try await channelOption.handle(client)
            try await eachPage(upTo: page.limit, of: 20) { size, cursor in
                try await client.perform(ListVotes(channel: handle.id, limit: size, cursor: cursor))
            } show: { page in
                for vote in page.votes { try options.show(vote) }
            }
        }
    }

    struct Show: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show the current results of votes.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption

        @Argument(help: "The votes.")
        var votes: [MessageID]

        func run(_ client: ChatClient) async throws {
            for vote in try await channelOption.handle(client).votes(votes) { try options.show(vote) }
        }
    }

    struct Ballots: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "ballots",
            abstract: "List who voted for what; not available for secret votes.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var page: Page

        @Option(help: "Only ballots for this option, starting at 1.")
        var option: Int?

        @Option(name: .customLong("page"), help: "The number of ballots per request, 1 to 100.")
        var size = 100

        @Argument(help: "The vote.")
        var vote: MessageID

        func validate() throws {
            if !(1...100).contains(size) { throw ValidationError("--page must be 1 to 100.") }
            if let option, !(1...VoteRules.optionCounts.upperBound).contains(option) {
                throw ValidationError("--option must be 1 to \(VoteRules.optionCounts.upperBound).")
            }
        }

        func run(_ client: ChatClient) async throws {
            let handle = try await channelOption.handle(client)
            try await eachPage(upTo: page.limit, of: size) { size, cursor in
                try await client.perform(
                    ListBallots(
                        channel: handle.id, messageID: vote, option: option.map { $0 - 1 }, limit: size, cursor: cursor)
                )
            } show: { page in
                for ballot in page.ballots {
                    let chosen = ballot.options.map { "  " + VoteState.places($0) } ?? ""
                    try options.show(ballot, "\(ballot.name) (\(ballot.userID))\(chosen)")
                }
            }
        }
    }
}

/// Options for the choices and rules of a vote.
struct VoteTerms: ParsableArguments {
    @Option(
        name: .customLong("option"), parsing: .unconditionalSingleValue,
        help:
            "An option: a text, or message content as JSON, such as {\"type\":\"image\",\"file\":…}. Repeatable."
    )
    var choices: [MessageContent] = []

    @Option(name: .customLong("choices"), help: "The number of options that a voter may choose; 1 if omitted.")
    var most: Int?

    @Flag(help: "Keep the voters secret.")
    var secret = false

    @Option(help: "When results are visible: live, or atEnd once the vote is closed.")
    var results = VoteResults.live

    @Flag(help: "Allow voters to change or withdraw their choice.")
    var canChange = false

    @Option(help: "When the vote opens, in ms since 1970; immediately if omitted.")
    var opensAt: Int64?

    @Option(help: "When the vote closes, in ms since 1970; if omitted, it stays open until somebody closes it.")
    var closesAt: Int64?

    /// The vote.
    var vote: Vote {
        Vote(
            options: choices, choices: most ?? 1, isSecret: secret, results: results, canChange: canChange,
            opensAt: opensAt.map { .init(milliseconds: $0) }, closesAt: closesAt.map { .init(milliseconds: $0) })
    }

    /// Whether none of these options was given.
    var isEmpty: Bool {
        choices.isEmpty && most == nil && !secret && results == .live && !canChange && opensAt == nil && closesAt == nil
    }
}

extension VoteResults: ExpressibleByArgument {}

extension MessageContent: ExpressibleByArgument {
    /// Parses a text, or message content as JSON.
    public init?(argument: String) {
        guard argument.hasPrefix("{") else {
            self.init(text: argument)
            return
        }
        guard let content = try? WireCodec.decode(MessageContent.self, from: Array(argument.utf8)) else { return nil }
        self = content
    }
}

extension VoteState {
    /// The current results as lines of text.
    fileprivate var lines: [String] {
        guard let message = event.message, let vote = message.vote else { return [] }
        let rows = vote.options.enumerated().map { place, option in
            let count = tally.counts.map { $0.indices.contains(place) ? "\($0[place])" : "?" } ?? "-"
            return "  \(place + 1)) \(option.line)  \(count)\(ownOptions.contains(place) ? "  ✓" : "")"
        }
        let head = "\(message.messageID)  \(phase.rawValue)  \(message.text)  (\(tally.voters) voted)"
        return [head] + rows
    }
}

extension ClientOptions {
    /// Prints the current results of a vote.
    fileprivate func show(_ vote: VoteState) throws {
        if json { return try Terminal.printLine(json: vote) }
        for line in vote.lines { Terminal.printLine(Printable.safe(line)) }
    }
}
