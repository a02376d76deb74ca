import ArgumentParser
import Foundation
import RoostClient
import RoostWire

/// The commands for reports of messages and users.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Report messages and users to the operators; as an operator list reports and close them.",
        discussion: """
              roost report message --as ann --channel lobby MESSAGE --category spam --text "Sells watches"
              roost report user --as ann bob --category harassment
              roost report list --token OPERATOR-TOKEN
              roost report close --token OPERATOR-TOKEN REPORT --note "Recalled, banned for a week"
            """,
        subcommands: [Message.self, User.self, List.self, Close.self])

    /// What a report says.
    struct Words: ParsableArguments {
        @Option(help: "A word of the app for the kind of report, such as spam.")
        var category: String?

        @Option(help: "What to tell the operators, at most \(CreateReport.textLength) characters.")
        var text: String?
    }

    struct Message: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "message", abstract: "Report a message that I can read.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var words: Words
        @OptionGroup var key: TransIDOption

        @Argument(help: "The message id.")
        var message: MessageID

        func run(_ client: ChatClient) async throws {
            let channel = try await channelOption.handle(client).id
            let answer = try await client.perform(
                CreateReport(channel: channel, messageID: message, category: words.category, text: words.text),
                under: key.transID)
            try options.show(answer, done: "reported")
        }
    }

    struct User: ClientCommand {
        static let configuration = CommandConfiguration(commandName: "user", abstract: "Report a user.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var words: Words
        @OptionGroup var key: TransIDOption

        @Argument(help: "The user.")
        var user: UserID

        func run(_ client: ChatClient) async throws {
            let answer = try await client.perform(
                CreateReport(userID: user, category: words.category, text: words.text), under: key.transID)
            try options.show(answer, done: "reported \(user)")
        }
    }

    struct List: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the open reports, the oldest first; for operators.",
            discussion: """
                With --json a report has the message as it was when it was reported, and up to \
                \(CreateReport.rowsBefore) rows before it.
                """)

        @OptionGroup var options: ClientOptions
        @OptionGroup var page: Page

        @Flag(help: "List the closed reports instead.")
        var closed = false

        func run(_ client: ChatClient) async throws {
            try await eachPage(upTo: page.limit, of: 50) { size, cursor in
                try await client.perform(ListReports(isClosed: closed ? true : nil, limit: size, cursor: cursor))
            } show: { page in
                for report in page.reports { try options.show(report, report.line) }
            }
        }
    }

    struct Close: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "close",
            abstract: "Close a report that has been dealt with; for operators.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Argument(help: "The report id.")
        var report: String

        @Option(help: "What was done, for other operators.")
        var note: String?

        func run(_ client: ChatClient) async throws {
            let answer = try await client.perform(CloseReport(reportID: report, note: note), under: key.transID)
            try options.show(answer, done: "closed \(report)")
        }
    }
}

extension Report {
    /// A one-line, human-readable description.
    fileprivate var line: String {
        let about = user.map { " about \($0.userID)" } ?? ""
        let place = channel.map { " in \($0)" } ?? ""
        let words = [category.map { "[\($0)]" }, text].compactMap(\.self).joined(separator: " ")
        let copy = message.map { "  reported: \($0.line())" } ?? ""
        let end = closedBy.map { "  closed by \($0)\(note.map { ": \($0)" } ?? "")" } ?? ""
        return "\(reportID)  \(at.ISO8601Format())  by \(byUser.userID)\(about)\(place)  \(words)\(copy)\(end)"
    }
}
