import ArgumentParser
import RoostClient
import RoostWire

/// The commands that manage news channels.
struct NewsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "news",
        abstract: "Publish news to subscribers or to all users, and manage subscriptions.",
        discussion: """
              roost news create --token "$(roost token --user house --operator)" --id offers "Offers"
              roost news publish --token … --channel offers "Two for one, today"
              roost news subscribe --as ann --channel offers
              roost history --as ann --channel offers

            Create, publish and dismiss require an operator token. Subscribers read news like any other channel.
            """,
        subcommands: [Create.self, Publish.self, List.self, Subscribe.self, Unsubscribe.self, Dismiss.self])

    struct Create: ClientCommand {
        static let configuration = CommandConfiguration(commandName: "create", abstract: "Create a news channel.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Option(name: .customLong("id"), help: "The id of the channel; chosen by the server if omitted.")
        var channel: ChannelID?

        @Flag(name: .customLong("all"), help: "Subscribe all users, including future ones.")
        var isForEverybody = false

        @Argument(help: "The title.")
        var title: [String]

        func run(_ client: ChatClient) async throws {
            let acknowledgement = try await client.perform(
                CreateChannel(
                    kind: isForEverybody ? .corporateNews : .publicNews, channel: channel,
                    title: title.joined(separator: " ")),
                under: key.transID)
            try options.show(acknowledgement, "created \(acknowledgement.channel?.rawValue ?? "")")
        }
    }

    struct Publish: ClientCommand {
        static let configuration = CommandConfiguration(commandName: "publish", abstract: "Publish a news item.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @OptionGroup var files: FileIDs

        @Option(help: "An app-defined category.")
        var category: String?

        @Option(help: "When the item expires and is removed, in ms since 1970; never if omitted.")
        var validUntil: Int64?

        @Argument(help: "The text; optional with a file.")
        var text: [String] = []

        func validate() throws {
            let hasFile = files.file != nil || files.path != nil
            if text.isEmpty, !hasFile { throw ValidationError("Give a text, --file or --file-id.") }
            if files.thumbnail != nil, !hasFile {
                throw ValidationError("--thumbnail-id can only be used with --file or --file-id.")
            }
        }

        func run(_ client: ChatClient) async throws {
            let transID = key.transID ?? client.makeTransID()
            let acknowledgement = try await client.perform(
                PublishNews(
                    channel: try await channelOption.handle(client).id,
                    text: text.isEmpty ? nil : text.joined(separator: " "),
                    file: try await files.fileReference(client, for: transID, options),
                    thumbnail: files.thumbnailReference,
                    category: category, validUntil: validUntil.map { .init(milliseconds: $0) }),
                transID: transID)
            try options.show(
                acknowledgement,
                "published in \(acknowledgement.channel?.rawValue ?? ""): \(acknowledgement.messageID?.rawValue ?? "")")
        }
    }

    struct List: ClientCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the news channels by id.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var page: Page

        func run(_ client: ChatClient) async throws {
            try await eachPage(upTo: page.limit, of: 100) { size, cursor in
                try await client.perform(ListNews(limit: size, cursor: cursor))
            } show: { page in
                for channel in page.channels { try options.show(channel, channel.line) }
            }
        }
    }

    struct Subscribe: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "subscribe", abstract: "Subscribe to a news channel.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        func run(_ client: ChatClient) async throws {
            try options.show(
                try await client.perform(
                    BecomeMember(channel: try await channelOption.handle(client).id), under: key.transID),
                done: "subscribed")
        }
    }

    struct Unsubscribe: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "unsubscribe",
            abstract: "Unsubscribe from a news channel; channels for all users can only be muted or hidden.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        func run(_ client: ChatClient) async throws {
            try options.show(
                try await client.perform(
                    LeaveChannel(channel: try await channelOption.handle(client).id), under: key.transID),
                done: "unsubscribed")
        }
    }

    struct Dismiss: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "dismiss", abstract: "Dissolve a news channel for everybody.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        func run(_ client: ChatClient) async throws {
            try options.show(
                try await client.perform(
                    DismissChannel(channel: try await channelOption.handle(client).id), under: key.transID),
                done: "dismissed")
        }
    }
}

extension NewsChannel {
    /// A one-line, human-readable description.
    fileprivate var line: String {
        let people = subscriberCount == 1 ? "1 subscriber" : "\(subscriberCount) subscribers"
        let subscription = kind == .corporateNews ? "for everybody" : isSubscribed ? "subscribed" : "not subscribed"
        return "\(channel)  \(title)  \(people)  \(subscription)"
    }
}
