/// Sends several messages to several channels: every message to every channel.
///
/// What can be sent is sent, all of it at the same time, and the answer tells it
/// for each pair of channel and message: the code that `message.send` would have
/// answered, 0 for done. The messages keep their order in each channel. When
/// nothing could be sent, the command is refused with the error of the first
/// pair; a content that breaks the rules of `message.send` refuses the whole
/// command (1001, 6). A file is named once and not uploaded again.
///
/// Each pair counts as a send of the caller and of the channel. So that many can
/// go at once, the command is taken as long as one send is left of each
/// allowance, and what it takes beyond them has to be waited for afterwards: 1004
/// with `retryAfterMs` until then.
///
/// The rows carry the transID of the command. Sent again with the same transID it
/// changes nothing and gives the same answer.
public struct SendMany: Command {
    /// The name on the wire.
    public static let name = "message.sendMany"
    /// As a case of the closed list.
    public var any: AnyCommand { .write(.sendMany(self)) }
    /// All that it names.
    public var changedChannels: [ChannelID] { channels }
    /// As much as the messages that it sends.
    public var cost: CommandCost { .sends(messages.count, to: channels) }
    /// What is sent: 1 to `limits.messagesPerCommand` messages.
    public var messages: [MessageContent]
    /// Where it goes: 1 to `limits.channelsPerCommand` channels, none of them twice.
    public var channels: [ChannelID]

    /// Makes the command.
    public init(messages: [MessageContent], channels: [ChannelID]) {
        self.messages = messages
        self.channels = channels
    }

    /// What became of each message in each channel.
    public typealias Answer = PairResults
}

/// What may be sent to several channels at once. Pure rules, the same in the server and the SDK.
public enum MultiSendRules {
    /// Checks messages and channels, all but what only the channels can tell.
    /// - Throws: `WireError` 6 for too many, none, or a channel that is named twice; for a content what
    ///   ``MessageRules`` says.
    public static func check(
        _ messages: [MessageContent], to channels: [ChannelID], limits: Limits
    ) throws(WireError) {
        guard (1...max(1, limits.messagesPerCommand)).contains(messages.count) else {
            throw WireError(
                .dataFormat, field: "messages", "\"messages\" must hold 1 to \(limits.messagesPerCommand) messages.")
        }
        try check(channels, limits: limits)
        for (index, content) in messages.enumerated() {
            try WireError.inside("messages[\(index)]") { () throws(WireError) in
                try MessageRules.check(content, limits: limits)
            }
        }
    }

    /// Checks the channels to which something goes.
    /// - Throws: `WireError` 6 for too many, none, or one that is named twice.
    public static func check(_ channels: [ChannelID], limits: Limits) throws(WireError) {
        try IDRules.check(channels, "channels", most: limits.channelsPerCommand)
    }
}
