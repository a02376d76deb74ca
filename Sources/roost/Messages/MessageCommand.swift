public import ArgumentParser
import RoostClient
import RoostTerminal
public import RoostWire

/// The commands that send, read and change messages.
struct MessageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "message",
        abstract:
            "Send, read, forward, recall, pin and delete messages, react to them, and see who has read them.",
        discussion: """
              roost message send --as ann --channel roof --type image --file-id 7c21… --text "The new roof"
              roost message query --as ann --channel roof --time 1767225600000 --count -10
              roost message forward --as ann --channel roof --into lobby MESSAGE
              roost message recall --as ann --channel roof --silent MESSAGE
              roost message react --as ann --channel roof MESSAGE 👍
            """,
        subcommands: [
            Send.self, SendMany.self, Announce.self, List.self, Query.self, Get.self, Forward.self, Origin.self,
            Recall.self, Delete.self, Readers.self, Reads.self, React.self, Unreact.self, Reactions.self,
            Pin.self, Unpin.self, Pins.self,
        ])

    struct Send: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "send",
            abstract: "Send a message of any type.",
            discussion: """
                --file uploads a file; its type follows from the extension unless --type is given. --file-id names a \
                file that was uploaded before. --attributes is a sum of 1 store it, 2 deliver it \
                live, 4 deliver it to apps that show the channel, 8 push, 16 count it as unread, 32 make it the last message.
                """)

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption
        @OptionGroup var files: FileIDs
        @OptionGroup var call: Call

        @Option(help: ArgumentHelp("The type: \(MessageRules.types.joined(separator: ", "))."))
        var type = MessageType.text.name

        @Option(parsing: .unconditional, help: "The text.")
        var text: String?

        @Option(name: .customLong("mention"), help: "A mentioned user, as USER or USER:START:LENGTH. Repeatable.")
        var mentions: [Mention] = []

        @Option(help: "The message that this one replies to, or that a notice refers to.")
        var replyTo: MessageID?

        @Option(parsing: .unconditional, help: "A location's latitude in degrees, -90 to 90.")
        var latitude: Double?

        @Option(parsing: .unconditional, help: "A location's longitude in degrees, -180 to 180.")
        var longitude: Double?

        @Option(help: "A location's address.")
        var address: String?

        @Option(name: .customLong("extra"), help: "App-defined data, as NAME=VALUE. Repeatable.")
        var extras: [String] = []

        @Option(help: "An app-defined category.")
        var category: String?

        @Option(help: "How a message of the type custom is delivered, 1 to 63.")
        var attributes: Int?

        @Option(
            help: "The expected kind of the channel: group, single, open or self; the message is refused if it differs."
        )
        var kind: ChannelKind?

        @Argument(help: "The text, instead of --text.")
        var words: [String] = []

        func validate() throws {
            if text != nil, !words.isEmpty {
                throw ValidationError("Give the text only once, as --text or as an argument.")
            }
            if (latitude == nil) != (longitude == nil) {
                throw ValidationError("A location needs both --latitude and --longitude.")
            }
            if extras.contains(where: { !$0.contains("=") }) { throw ValidationError("Write --extra NAME=VALUE.") }
        }

        func run(_ client: ChatClient) async throws {
            let pairs = extras.compactMap { extra in
                extra.firstIndex(of: "=").map { (String(extra[..<$0]), String(extra[extra.index(after: $0)...])) }
            }
            let place = latitude.flatMap { north in
                longitude.map { Location(latitude: north, longitude: $0, address: address) }
            }
            let transID = key.transID ?? client.makeTransID()
            let file = try await files.fileReference(client, for: transID, options)
            // A text has no file: the type follows from it.
            let type = type == MessageType.text.name && files.path != nil ? file.map(MessageContent.type) ?? type : type
            let content = MessageContent(
                type: type, text: text ?? words.joined(separator: " "),
                mentions: mentions.isEmpty ? nil : mentions, file: file,
                thumbnail: files.thumbnailReference, location: place,
                extras: pairs.isEmpty ? nil : Dictionary(pairs, uniquingKeysWith: { $1 }), category: category,
                attributes: attributes, call: call.notice)
            let send = SendMessage(
                content, to: try await channelOption.handle(client).id, kind: kind, replyTo: replyTo)
            let acknowledgement = try await client.perform(send, transID: transID)
            try options.show(acknowledgement, done: "sent")
        }
    }

    struct List: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Print rows of a channel's log with their full content, oldest first.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption

        @Option(help: "Only the rows immediately before this seq.")
        var before: Int64?

        @Option(help: "Only the rows immediately after this seq.")
        var after: Int64?

        @Option(help: "The rows around this seq.")
        var around: Int64?

        @Option(help: "The rows around this message.")
        var aroundMessage: MessageID?

        @Option(help: "The maximum number of rows.")
        var limit = 50

        func validate() throws {
            let given = [before != nil, after != nil, around != nil, aroundMessage != nil]
            if given.filter({ $0 }).count > 1 {
                throw ValidationError("Give at most one of --before, --after, --around and --around-message.")
            }
            if limit < 1 { throw ValidationError("--limit must be at least 1.") }
        }

        func run(_ client: ChatClient) async throws {
            let handle = try await channelOption.handle(client)
            let rows: [Event]
            if let around {
                rows = try await handle.history(around: around, limit: min(limit, 100)).events
            } else if let aroundMessage {
                rows = try await handle.history(around: aroundMessage, limit: min(limit, 100)).events
            } else {
                rows = try await handle.rows(before: before, after: after, limit: limit)
            }
            for row in rows { try options.show(row, withBody: true) }
        }
    }

    struct Query: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "query",
            abstract: "Print rows sent after or before a time, in one channel or in all of mine.",
            discussion: """
                Rows with the same time stay on one page, so there may be a few more than --limit. Each page is printed \
                in chronological order; with --before, the pages go back in time.
                """)

        @OptionGroup var options: ClientOptions

        @Option(help: "The channel; all of my channels if omitted.")
        var channel: ChannelID?

        @OptionGroup var page: Page

        @Option(help: "Rows sent after this time, in ms since 1970; 0 starts at the beginning.")
        var after: Int64?

        @Option(help: "Rows sent before this time, in ms since 1970, most recent page first.")
        var before: Int64?

        @Option(help: "Only messages of this category.")
        var category: String?

        @Option(name: .customLong("page"), help: "The maximum number of rows per page, 1 to 100.")
        var size = 100

        func validate() throws {
            if (after == nil) == (before == nil) { throw ValidationError("Give either --after or --before.") }
            if !(1...100).contains(size) { throw ValidationError("--page must be 1 to 100.") }
        }

        func run(_ client: ChatClient) async throws {
            let (time, direction) = after.map { ($0, TimeDirection.after) } ?? (before ?? 0, .before)
            try await eachPage(upTo: page.limit, of: size) { size, cursor in
                try await client.perform(
                    QueryMessages(
                        channel: channel, time: .init(milliseconds: time), direction: direction, category: category,
                        limit: size,
                        cursor: cursor))
            } show: { page in
                for row in page.events {
                    let place = channel == nil ? row.channel.map { "[\($0)] " } ?? "" : ""
                    try options.show(row, withBody: true, before: place)
                }
            }
        }
    }

    struct Get: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "get",
            abstract: "Print messages by id; messages that I may not read are left out.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption

        @Argument(help: "The messages.")
        var messages: [MessageID]

        func run(_ client: ChatClient) async throws {
            for row in try await channelOption.handle(client).messages(messages) {
                try options.show(row, withBody: true)
            }
        }
    }

    struct Forward: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "forward",
            abstract: "Forward messages of a channel to others.",
            discussion: "Forwards every message that can be forwarded and prints a reason for each of the others.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Option(name: .customLong("into"), help: "A channel to forward them to. Repeatable.")
        var targets: [ChannelID]

        @Argument(help: "The messages.")
        var messages: [MessageID]

        func run(_ client: ChatClient) async throws {
            let results = try await channelOption.handle(client).forward(messages, to: targets, transID: key.transID)
            if options.json { return try Terminal.printLine(json: results) }
            let failed = results.filter { $0.code != 0 }.map { result in
                let id = messages.indices.contains(result.index) ? messages[result.index].rawValue : ""
                return "\(id) to \(result.channel): \(ErrorCode.find(result.code)?.meaning ?? "error \(result.code)")"
            }
            let done = "\(results.count - failed.count) forwarded"
            Terminal.printLine(Printable.safe(([done] + failed).joined(separator: "; ")))
        }
    }

    struct Origin: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "origin",
            abstract: "Print the origin of a forwarded message, if I can read the original.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption

        @Argument(help: "The message.")
        var message: MessageID

        func run(_ client: ChatClient) async throws {
            let origin = try await channelOption.handle(client).origin(of: message)
            try options.show(
                origin, "\(origin.messageID) in \(origin.channel) by \(origin.senderName ?? "the operator")")
        }
    }

    struct Announce: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "announce",
            abstract: "Post an announcement without a sender in a channel, as an operator.",
            discussion: """
                Requires an operator token, in ROOST_TOKEN or with --token:

                  roost token --data ./roost-data --user house --operator
                  roost message announce --channel lobby "We close at eight."
                """)

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Argument(help: "The text.")
        var text: String

        func run(_ client: ChatClient) async throws {
            let acknowledgement = try await client.perform(
                AnnounceMessage(channel: try await channelOption.handle(client).id, text: text), under: key.transID)
            try options.show(acknowledgement, done: "announced")
        }
    }

    struct Recall: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "recall",
            abstract: "Recall messages for everybody; their content is deleted.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Flag(help: "Remove the messages completely instead of leaving a placeholder.")
        var silent = false

        @Argument(help: "The messages.")
        var messages: [MessageID]

        func run(_ client: ChatClient) async throws {
            let answer = try await client.perform(
                RecallMessages(
                    channel: try await channelOption.handle(client).id, messageIDs: messages,
                    isSilent: silent ? true : nil),
                under: key.transID)
            try options.show(answer, answer.line("recalled"))
        }
    }

    struct Delete: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete messages only for me: some, all in a channel, or everything.",
            discussion: """
                Other users keep the messages. --all deletes everything in the channel; --everything deletes \
                everything in all of my channels.
                """)

        @OptionGroup var options: ClientOptions
        @OptionGroup var key: TransIDOption

        @Option(help: "The channel.")
        var channel: ChannelID?

        @Option(help: "The other user of a 1-on-1, or myself for my self channel.")
        var to: UserID?

        @Flag(help: "Delete everything in the channel.")
        var all = false

        @Flag(help: "Delete everything in all of my channels.")
        var everything = false

        @Argument(help: "The messages.")
        var messages: [MessageID] = []

        func validate() throws {
            let hasPlace = (channel != nil) != (to != nil)
            if [!messages.isEmpty, all, everything].filter({ $0 }).count != 1 || everything == hasPlace {
                throw ValidationError("Give messages of a channel, a channel and --all, or --everything.")
            }
        }

        func run(_ client: ChatClient) async throws {
            let answer: MessageResults
            if everything {
                answer = try await client.perform(DeleteMessages.everything, under: key.transID)
            } else {
                var channelOption = ChannelOption()
                channelOption.channel = channel
                channelOption.to = to
                let id = try await channelOption.handle(client).id
                answer = try await client.perform(
                    all ? DeleteMessages(allIn: id) : DeleteMessages(messages, in: id), under: key.transID)
            }
            try options.show(answer, answer.line("deleted"))
        }
    }

    struct Readers: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "readers",
            abstract: "List who has read a message, earliest reader first.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var page: Page

        @Option(name: .customLong("page"), help: "The number of readers per request, 1 to 100.")
        var size = 100

        @Argument(help: "The message.")
        var message: MessageID

        func validate() throws {
            if !(1...100).contains(size) { throw ValidationError("--page must be 1 to 100.") }
        }

        func run(_ client: ChatClient) async throws {
            let handle = try await channelOption.handle(client)
            try await eachPage(upTo: page.limit, of: size) { size, cursor in
                try await client.perform(
                    ListReaders(channel: handle.id, messageID: message, limit: size, cursor: cursor))
            } show: { page in
                for reader in page.readers { try options.show(reader, reader.userID.rawValue) }
            }
        }
    }

    struct Reads: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "reads",
            abstract: "Count how many members have read messages and how many have not.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption

        @Argument(help: "The messages.")
        var messages: [MessageID]

        func run(_ client: ChatClient) async throws {
            for count in try await channelOption.handle(client).readCounts(of: messages) {
                try options.show(count, "\(count.messageID)  read by \(count.readBy), not by \(count.unreadBy)")
            }
        }
    }
}

// Reactions.
extension MessageCommand {
    struct React: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "react",
            abstract: "Add an emoji reaction to a message; adding it again changes nothing.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Argument(help: "The message.")
        var message: MessageID

        @Argument(help: "The emoji, or any other single character.")
        var emoji: String

        func run(_ client: ChatClient) async throws {
            let done = try await client.perform(
                AddReaction(channel: try await channelOption.handle(client).id, messageID: message, emoji: emoji),
                under: key.transID)
            try options.show(done, done: done.seq == nil ? "already there" : "reacted")
        }
    }

    struct Unreact: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "unreact",
            abstract: "Remove my emoji reaction from a message; if there is none, nothing changes.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Argument(help: "The message.")
        var message: MessageID

        @Argument(help: "The emoji.")
        var emoji: String

        func run(_ client: ChatClient) async throws {
            let done = try await client.perform(
                RemoveReaction(channel: try await channelOption.handle(client).id, messageID: message, emoji: emoji),
                under: key.transID)
            try options.show(done, done: done.seq == nil ? "not there" : "removed")
        }
    }

    struct Reactions: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "reactions",
            abstract: "List the reactions to a message, earliest first.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var page: Page

        @Option(help: "Only reactions with this emoji.")
        var emoji: String?

        @Argument(help: "The message.")
        var message: MessageID

        func run(_ client: ChatClient) async throws {
            let handle = try await channelOption.handle(client)
            try await eachPage(upTo: page.limit, of: 100) { size, cursor in
                try await client.perform(
                    ListReactions(channel: handle.id, messageID: message, emoji: emoji, limit: size, cursor: cursor))
            } show: { page in
                for reaction in page.reactions {
                    try options.show(reaction, "\(reaction.emoji)  \(reaction.name) (\(reaction.userID))")
                }
            }
        }
    }
}

/// Options for the file of a message.
struct FileIDs: ParsableArguments {
    @Option(name: .customLong("file"), help: "The path of a file to upload.")
    var path: String?

    @Option(name: .customLong("file-id"), help: "The id of an uploaded file.")
    var file: FileID?

    @Option(name: .customLong("thumbnail-id"), help: "The id of an uploaded picture that stands for the file.")
    var thumbnail: FileID?

    func validate() throws {
        if path != nil, file != nil { throw ValidationError("Give either --file or --file-id, not both.") }
    }

    /// The reference to the file, which is uploaded first if it is a path; nil if no file was given.
    func fileReference(
        _ client: ChatClient, for transID: TransID, _ options: ClientOptions
    ) async throws -> FileReference? {
        guard let path else { return fileReference }
        return try await client.upload(
            LocalFile(path: path), as: TransID(uploadFor: transID), showing: ProgressLine(options))
    }

    /// The reference to the file that was uploaded; nil if no id was given.
    var fileReference: FileReference? { file.map { FileReference(fileID: $0) } }

    /// The reference to the thumbnail; nil if none was given.
    var thumbnailReference: FileReference? { thumbnail.map { FileReference(fileID: $0) } }
}

/// Options for a call notice.
struct Call: ParsableArguments {
    @Option(name: .customLong("call"), help: "For a call notice: the app-defined id of the call.")
    var id: String?

    @Option(name: .customLong("call-kind"), help: "For a call notice: voice or video; voice if omitted.")
    var kind: CallKind?

    @Option(
        name: .customLong("call-result"),
        help: "For a call record: answered, missed, declined, cancelled or failed.")
    var result: CallResult?

    @Option(name: .customLong("call-duration"), help: "For a call record: the duration of the call in ms.")
    var duration: Int64?

    func validate() throws {
        if id == nil, kind != nil || result != nil || duration != nil {
            throw ValidationError("--call-kind, --call-result and --call-duration can only be used with --call.")
        }
    }

    /// The call notice; nil if no call was given.
    var notice: CallNotice? {
        id.map { CallNotice(callID: $0, kind: kind ?? .voice, result: result, durationMs: duration) }
    }
}

extension CallKind: ExpressibleByArgument {}
extension CallResult: ExpressibleByArgument {}

extension Mention: ExpressibleByArgument {
    /// Reads `USER` or `USER:START:LENGTH`.
    public init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let user = UserID(rawValue: parts[0]), parts.count == 1 || parts.count == 3 else { return nil }
        if parts.count == 1 {
            self.init(userID: user)
        } else {
            guard let start = Int(parts[1]), let length = Int(parts[2]) else { return nil }
            self.init(userID: user, start: start, length: length)
        }
    }
}

extension MessageResults {
    /// The number of successes, followed by the failures with their errors.
    fileprivate func line(_ done: String) -> String {
        if results.isEmpty { return done }
        let failed = results.filter { $0.code != 0 }
        let parts = failed.map { result in
            "\(result.messageID): \(ErrorCode.find(result.code)?.meaning ?? "error \(result.code)")"
        }
        return (["\(results.count - failed.count) \(done)"] + parts).joined(separator: "; ")
    }
}

extension MessageContent {
    /// The type of a message with this file.
    fileprivate static func type(of file: FileReference) -> String { MessageContent.file(file).type }
}
