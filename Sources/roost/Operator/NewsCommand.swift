import ArgumentParser
import RoostClient
import RoostWire

/// What there is to do with news.
struct NewsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "news",
        abstract: "Publish news for those who subscribe or for all users, and subscribe to them.",
        discussion: """
              roost news create --token "$(roost token --user house --operator)" --id offers "Offers"
              roost news publish --token … --channel offers "Two for one, today"
              roost news subscribe --as ann --channel offers
              roost history --as ann --channel offers

            Making, publishing and dismissing takes an operator's token. Subscribers read news as any channel.
            """,
        subcommands: [Create.self, Publish.self, List.self, Subscribe.self, Unsubscribe.self, Dismiss.self])

    struct Create: ClientCommand {
        static let configuration = CommandConfiguration(abstract: "Make a channel that carries news.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Option(name: .customLong("id"), help: "The channel's id; the server makes one when it is left out.")
        var channel: ChannelID?

        @Flag(name: .customLong("all"), help: "Subscribe all users, also those who come later.")
        var isForEverybody = false

        @Argument(help: "The title.")
        var title: [String]

        func run(_ client: RoostClient) async throws {
            let acknowledgement = try await client.createNews(
                title: title.joined(separator: " "), channel: channel, isForEverybody: isForEverybody,
                transID: key.transID)
            try options.show(acknowledgement, "made \(acknowledgement.channel?.rawValue ?? "")")
        }
    }

    struct Publish: ClientCommand {
        static let configuration = CommandConfiguration(abstract: "Publish a piece of news.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Option(help: "The id of a file that goes with it, as its upload named it.")
        var file: String?

        @Option(help: "The id of the small picture that stands for the file.")
        var thumbnail: String?

        @Option(help: "A category of the app's own.")
        var category: String?

        @Option(help: "When it is over and taken back, ms since 1970; never when left out.")
        var validUntil: Int64?

        @Argument(help: "The text; may be left out with a file.")
        var text: [String] = []

        func validate() throws {
            if text.isEmpty, file == nil { throw ValidationError("Give a text, or a --file.") }
            if thumbnail != nil, file == nil { throw ValidationError("--thumbnail goes with a --file.") }
        }

        func run(_ client: RoostClient) async throws {
            let acknowledgement = try await channelOption.handle(client).publish(
                text.joined(separator: " "), file: file.map { FileReference(fileID: $0) },
                thumbnail: thumbnail.map { FileReference(fileID: $0) }, category: category, validUntil: validUntil,
                transID: key.transID)
            try options.show(
                acknowledgement,
                "published in \(acknowledgement.channel?.rawValue ?? ""): \(acknowledgement.messageID?.rawValue ?? "")")
        }
    }

    struct List: ClientCommand {
        static let configuration = CommandConfiguration(abstract: "List the channels that carry news, by id.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var page: Page

        func run(_ client: RoostClient) async throws {
            try await eachPage(upTo: page.limit, of: 100) { size, cursor in
                try await client.news(limit: size, cursor: cursor)
            } show: { page in
                for channel in page.channels { try options.show(channel, channel.line) }
            }
        }
    }

    struct Subscribe: ClientCommand {
        static let configuration = CommandConfiguration(abstract: "Subscribe to a channel of news.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        func run(_ client: RoostClient) async throws {
            try options.show(try await channelOption.handle(client).subscribe(transID: key.transID), done: "subscribed")
        }
    }

    struct Unsubscribe: ClientCommand {
        static let configuration = CommandConfiguration(
            abstract: "End a subscription; the news of all users can only be muted or hidden.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        func run(_ client: RoostClient) async throws {
            try options.show(
                try await channelOption.handle(client).unsubscribe(transID: key.transID), done: "unsubscribed")
        }
    }

    struct Dismiss: ClientCommand {
        static let configuration = CommandConfiguration(abstract: "Dismiss a channel of news for everybody.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        func run(_ client: RoostClient) async throws {
            try options.show(try await channelOption.handle(client).dismiss(transID: key.transID), done: "dismissed")
        }
    }
}

extension NewsChannel {
    /// The channel in one line for people.
    fileprivate var line: String {
        let people = subscriberCount == 1 ? "1 subscriber" : "\(subscriberCount) subscribers"
        let who = kind == .corporateNews ? "for everybody" : isSubscribed ? "subscribed" : "not subscribed"
        return "\(channel)  \(title)  \(people)  \(who)"
    }
}
