public import ArgumentParser
import RoostClient
import RoostTerminal
public import RoostWire

/// What there is to do with votes.
struct VoteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vote",
        abstract: "Ask the members of a channel to vote, vote, and see how it stands.",
        discussion: """
              roost vote create --as ann --channel roof --option Soup --option Pizza "Where do we eat?"
              roost vote cast --as bob --channel roof VOTE 2
              roost vote show --as ann --channel roof VOTE

            A vote is named by the id of its message. People count options from 1; in JSON the first one is 0.
            """,
        subcommands: [Create.self, Cast.self, Close.self, List.self, Show.self, Ballots.self])

    struct Create: ClientCommand {
        static let configuration = CommandConfiguration(abstract: "Ask a question with 2 to 20 options.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @OptionGroup var terms: VoteTerms

        @Argument(help: "What is asked.")
        var subject: [String]

        func validate() throws {
            if terms.choices.isEmpty { throw ValidationError("Give the options, each with --option.") }
        }

        func run(_ client: RoostClient) async throws {
            let acknowledgement = try await channelOption.handle(client).createVote(
                subject.joined(separator: " "), terms.vote, transID: key.transID)
            try options.show(
                acknowledgement, "asked in \(acknowledgement.channel?.rawValue ?? ""): vote \(id(acknowledgement))")
        }

        private func id(_ acknowledgement: Acknowledgement) -> String { acknowledgement.messageID?.rawValue ?? "" }
    }

    struct Cast: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "Vote for options, or with none of them take your vote back.",
            discussion: "The options replace those that were chosen before.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Argument(help: "The vote.")
        var vote: MessageID

        @Argument(help: "The options, 1 for the first.")
        var choices: [Int] = []

        func validate() throws {
            if choices.contains(where: { !(1...VoteRules.optionCounts.upperBound).contains($0) }) {
                throw ValidationError("An option is a number from 1 to \(VoteRules.optionCounts.upperBound).")
            }
        }

        func run(_ client: RoostClient) async throws {
            let acknowledgement = try await channelOption.handle(client).castVote(
                vote, options: choices.map { $0 - 1 }, transID: key.transID)
            try options.show(acknowledgement, done: choices.isEmpty ? "vote taken back" : "voted")
        }
    }

    struct Close: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "Close a vote at once: one that I have asked for, or as a moderator or admin.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Argument(help: "The vote.")
        var vote: MessageID

        func run(_ client: RoostClient) async throws {
            try options.show(
                try await channelOption.handle(client).closeVote(vote, transID: key.transID), done: "closed")
        }
    }

    struct List: ClientCommand {
        static let configuration = CommandConfiguration(abstract: "List the votes of a channel, the newest first.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var page: Page

        func run(_ client: RoostClient) async throws {
            let handle = try await channelOption.handle(client)
            try await eachPage(upTo: page.limit, of: 20) { size, cursor in
                try await handle.votes(limit: size, cursor: cursor)
            } show: { page in
                for vote in page.votes { try options.show(vote) }
            }
        }
    }

    struct Show: ClientCommand {
        static let configuration = CommandConfiguration(abstract: "Show how votes stand.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption

        @Argument(help: "The votes.")
        var votes: [MessageID]

        func run(_ client: RoostClient) async throws {
            for vote in try await channelOption.handle(client).votes(votes) { try options.show(vote) }
        }
    }

    struct Ballots: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "List who has voted, and what; of a secret vote nobody is told.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var page: Page

        @Option(help: "Only those who have chosen this option, 1 for the first.")
        var option: Int?

        @Option(name: .customLong("page"), help: "How many ballots are asked for at a time, 1 to 100.")
        var size = 100

        @Argument(help: "The vote.")
        var vote: MessageID

        func validate() throws {
            if !(1...100).contains(size) { throw ValidationError("--page must be 1 to 100.") }
            if let option, !(1...VoteRules.optionCounts.upperBound).contains(option) {
                throw ValidationError("--option must be 1 to \(VoteRules.optionCounts.upperBound).")
            }
        }

        func run(_ client: RoostClient) async throws {
            let handle = try await channelOption.handle(client)
            try await eachPage(upTo: page.limit, of: size) { size, cursor in
                try await handle.ballots(
                    of: vote, option: option.map { $0 - 1 }, limit: size, cursor: cursor)
            } show: { page in
                for ballot in page.ballots {
                    let chosen = ballot.options.map { "  " + VoteState.places($0) } ?? ""
                    try options.show(ballot, "\(ballot.name) (\(ballot.userID))\(chosen)")
                }
            }
        }
    }
}

/// The options and the rules of a vote.
struct VoteTerms: ParsableArguments {
    @Option(
        name: .customLong("option"), parsing: .unconditionalSingleValue,
        help:
            "An option: a text, or the JSON of a message's content, as {\"type\":\"image\",\"file\":…}. Repeatable."
    )
    var choices: [MessageContent] = []

    @Option(name: .customLong("choices"), help: "How many options a voter may choose; 1 when left out.")
    var most: Int?

    @Flag(help: "Nobody is told who has voted.")
    var secret = false

    @Option(help: "When the results are told: live, or atEnd when it is closed.")
    var results = VoteResults.live

    @Flag(help: "Voters may take back what they have chosen.")
    var canChange = false

    @Option(help: "When it opens, ms since 1970; at once when left out.")
    var opensAt: Int64?

    @Option(help: "When it closes, ms since 1970; when somebody closes it when left out.")
    var closesAt: Int64?

    /// The vote.
    var vote: Vote {
        Vote(
            options: choices, choices: most ?? 1, isSecret: secret, results: results, canChange: canChange,
            opensAt: opensAt, closesAt: closesAt)
    }

    /// Whether nothing is said of a vote.
    var isEmpty: Bool {
        choices.isEmpty && most == nil && !secret && results == .live && !canChange && opensAt == nil && closesAt == nil
    }
}

extension VoteResults: ExpressibleByArgument {}

extension MessageContent: ExpressibleByArgument {
    /// Reads a text, or a content as JSON.
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
    /// How it stands, for people.
    fileprivate var lines: [String] {
        guard case .channel(.messageSent(let message)) = event.body, let vote = message.vote else { return [] }
        let rows = vote.options.enumerated().map { place, option in
            let count = tally.counts.map { $0.indices.contains(place) ? "\($0[place])" : "?" } ?? "-"
            return "  \(place + 1)) \(option.line)  \(count)\(ownOptions.contains(place) ? "  ✓" : "")"
        }
        let head = "\(message.messageID)  \(phase.rawValue)  \(message.text)  (\(tally.voters) voted)"
        return [head] + rows
    }
}

extension ClientOptions {
    /// Prints how a vote stands.
    fileprivate func show(_ vote: VoteState) throws {
        if json { return try Terminal.printLine(json: vote) }
        for line in vote.lines { Terminal.printLine(Printable.safe(line)) }
    }
}
