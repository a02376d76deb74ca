import ArgumentParser
import RoostClient
import RoostWire

// Pinned messages.
extension MessageCommand {
    struct Pin: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "pin",
            abstract: "Pin a message for everybody in the channel; pinning it again changes nothing.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Argument(help: "The message.")
        var message: MessageID

        func run(_ client: ChatClient) async throws {
            let done = try await client.perform(
                AddPin(channel: try await channelOption.handle(client).id, messageID: message), under: key.transID)
            try options.show(done, done: done.seq == nil ? "already pinned" : "pinned")
        }
    }

    struct Unpin: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "unpin",
            abstract: "Take down a pinned message, whoever pinned it; if it is not pinned, nothing changes.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption
        @OptionGroup var key: TransIDOption

        @Argument(help: "The message.")
        var message: MessageID

        func run(_ client: ChatClient) async throws {
            let done = try await client.perform(
                RemovePin(channel: try await channelOption.handle(client).id, messageID: message),
                under: key.transID)
            try options.show(done, done: done.seq == nil ? "not pinned" : "unpinned")
        }
    }

    struct Pins: ClientCommand {
        static let configuration = CommandConfiguration(
            commandName: "pins",
            abstract: "List the pinned messages of a channel, the one that was pinned last first.")

        @OptionGroup var options: ClientOptions
        @OptionGroup var channelOption: ChannelOption

        func run(_ client: ChatClient) async throws {
            let answer = try await channelOption.handle(client).pins()
            for pin in answer.pins {
                try options.show(pin, "\(pin.messageID)  pinned by \(pin.name) (\(pin.userID))")
            }
        }
    }
}
