import ArgumentParser
import Foundation
import RoostClient
import RoostWire

extension MessageCommand {
    struct SendMany: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "send-many",
            abstract: "Send several messages to several channels: every message to every channel.",
            discussion: """
                Prints the result for each message in each channel; with --json, as one line. Channels are not joined \
                or created.

                  roost message send-many --as ann --channel roof --channel garden --text "Tea?" --text "At four"
                  roost message send-many --as ann --to bob --content '{"type":"image","file":{"fileID":"7c21…"}}'
                """)

        @OptionGroup var options: ClientOptions
        @OptionGroup var contents: Contents
        @OptionGroup var channelOptions: ChannelsOption
        @OptionGroup var key: TransIDOption

        func validate() throws {
            if contents.all.isEmpty { throw ValidationError("Give at least one message: --text or --content.") }
            if channelOptions.isEmpty { throw ValidationError("Give at least one target: --channel or --to.") }
        }

        func run(_ client: ChatClient) async throws {
            let answer = try await client.perform(
                RoostWire.SendMany(messages: contents.all, channels: try await channelOptions.channels(client)),
                under: key.transID)
            try options.show(answer, answer.results.line("sent"))
        }
    }
}

/// Options for one or more messages.
struct Contents: ParsableArguments {
    @Option(name: .customLong("text"), parsing: .unconditionalSingleValue, help: "A text message. Repeatable.")
    var texts: [String] = []

    @Option(
        name: .customLong("content"),
        help: "A message of any type, as JSON with the fields of the protocol (type, text, file, …). Repeatable.")
    var contents: [MessageContent] = []

    /// All messages: the texts, then the JSON messages.
    var all: [MessageContent] { texts.map { MessageContent(text: $0) } + contents }
}

/// Options that select one or more channels, without joining or creating them.
struct ChannelsOption: ParsableArguments {
    @Option(name: .customLong("channel"), help: "A channel. Repeatable.")
    var channels: [ChannelID] = []

    @Option(name: .customLong("to"), help: "The other user of a 1-on-1, or myself for my self channel. Repeatable.")
    var users: [UserID] = []

    /// Whether no channel was given.
    var isEmpty: Bool { channels.isEmpty && users.isEmpty }

    /// The ids of all channels: those given directly, then the 1-on-1s.
    func channels(_ client: ChatClient) async throws -> [ChannelID] {
        guard let me = await client.user?.userID else { throw ExitCode(ExitStatus.usage) }
        return channels + users.map { ChannelID(single: me, $0) }
    }
}

extension [PairResult] {
    /// The number of successes, followed by the failures with their errors.
    func line(_ done: String) -> String {
        let failed = filter { $0.code != 0 }
        let parts = failed.map { result in
            let meaning = ErrorCode.find(result.code)?.meaning ?? "error \(result.code)"
            return "message \(result.index.addingReportingOverflow(1).partialValue) to \(result.channel): \(meaning)"
        }
        return (["\(count - failed.count) \(done)"] + parts).joined(separator: "; ")
    }
}
