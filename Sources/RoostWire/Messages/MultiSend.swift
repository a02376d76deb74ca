/// Sends several messages to several channels: every message to every channel.
///
/// Everything that can be sent is sent, all of it at the same time. The answer has the result for each
/// pair of channel and message: 0, or the code with which `message.send` would have failed. The
/// messages keep their order in each channel. If nothing can be sent, the command fails with the
/// error of the first pair. A content that breaks the rules of `message.send` refuses the whole
/// command (1001, 6). A file is uploaded and named only once.
///
/// Each pair counts as a send of the caller and of the channel. The command is accepted if each
/// rate limit allows at least one more send. Further sends fail with 1004 and `retryAfterMs` until
/// the limits have recovered from all pairs.
///
/// The rows carry the transID of the command. Sending it again with the same transID changes
/// nothing and gives the same answer.
public struct SendMany: WriteCommand {
    /// The name on the wire.
    public static let name = "message.sendMany"
    /// All channels that it names.
    public var changedChannels: [ChannelID] { channels }
    /// The cost of the messages that it sends.
    public var cost: CommandCost { .sends(messages.count, to: channels) }
    /// The messages, 1 to `limits.messagesPerCommand`.
    public var messages: [MessageContent]
    /// The channels to send to, 1 to `limits.channelsPerCommand`, none of them twice.
    public var channels: [ChannelID]

    /// Creates a value with these fields.
    public init(messages: [MessageContent], channels: [ChannelID]) {
        self.messages = messages
        self.channels = channels
    }

    /// The result for each message in each channel.
    public typealias Answer = PairResults
}

/// What may be sent to several channels at once. Pure rules, the same in the server and the SDK.
public enum MultiSendRules {
    /// Checks messages and channels, except for the rules that depend on the channels' state.
    /// - Throws: `WireError` 6 for too many, none, or a channel that is named twice; for a content the
    ///   errors of ``MessageRules``.
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
