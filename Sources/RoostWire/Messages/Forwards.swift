#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Forwards messages of one channel to others: each becomes a new message of the caller there.
///
/// The server copies the content, and files as references: type, text, file, thumbnail, place,
/// `extras`, `category` and, of a `custom` message, `attributes`. Id, time and sender are new, and
/// the message says `isForwarded`. It does not copy the message that the original answers, nor its
/// mentions. An operator's line and a piece of news become a text, or a picture if there is a file.
///
/// The caller must be able to read the source (1105, 1107 or 1117). A message that does not exist
/// there, was recalled, or was deleted by the caller is 1118. Votes, notices and calls cannot be
/// forwarded (1001). For each target channel the rules are those of a message that the caller sends
/// there: 1105, 1107 or 1117 if the caller is no member, 7003 if the caller is blocked. Whatever
/// can be forwarded is forwarded, in the order of the messages, and the answer tells the result for
/// each pair of channel and message. If nothing can be forwarded, the command fails with the error
/// of the first pair.
///
/// Fails with 6 for more than 2,000 pairs, and with 7005 for more than 8 MiB of content over all of
/// them. Each pair counts as a send of the caller and may go beyond what is left of the allowance,
/// as in `message.sendMany`: further sends fail with 1004 and `retryAfterMs` until the allowance
/// has filled up again. If the source's profile has `noticesForwards`, the source gets a notice
/// `messagesForwarded` for each forwarded message.
public struct ForwardMessages: WriteCommand {
    /// The name on the wire.
    public static let name = "message.forward"
    /// All channels that it names.
    public var changedChannels: [ChannelID] { [channel] + channels }
    /// The cost of the messages that it sends.
    public var cost: CommandCost { .sends(messageIDs.count, to: channels) }
    /// The channel where the messages are.
    public var channel: ChannelID
    /// 1 to `limits.idsPerCommand` messages of it.
    public var messageIDs: [MessageID]
    /// 1 to `limits.idsPerCommand` channels to forward them to.
    public var channels: [ChannelID]

    /// Creates a value with these fields.
    public init(channel: ChannelID, messageIDs: [MessageID], channels: [ChannelID]) {
        self.channel = channel
        self.messageIDs = messageIDs
        self.channels = channels
    }

    /// The result for each message in each channel.
    public typealias Answer = PairResults
}

extension ForwardMessages {
    /// The number of messages that it creates.
    public var pairs: Int { messageIDs.count.multipliedReportingOverflow(by: channels.count).partialValue }

    /// Checks the numbers of messages and channels.
    /// - Throws: `WireError` 6.
    public func check(limits: Limits) throws(WireError) {
        try IDRules.check(messageIDs, "messageIDs", limits: limits)
        try IDRules.check(channels, "channels", limits: limits)
        guard pairs <= ForwardRules.maxPairs else {
            throw WireError(
                .dataFormat, field: "channels",
                "A command forwards at most \(ForwardRules.maxPairs) times. Name fewer channels at once.")
        }
    }
}

/// Returns the source of a forwarded message.
///
/// The message's row does not tell it, because not everybody who reads the copy may know of the
/// source. Only a caller who can read the original now gets an answer. For everybody else, and for
/// a message that was not forwarded, the command fails with 1118. For a message that was forwarded
/// several times the answer is the first original.
public struct GetOrigin: ReadCommand {
    /// The name on the wire.
    public static let name = "message.origin"
    /// The channel of the forwarded message.
    public var channel: ChannelID
    /// The forwarded message.
    public var messageID: MessageID

    /// Creates a value with these fields.
    public init(channel: ChannelID, messageID: MessageID) {
        self.channel = channel
        self.messageID = messageID
    }

    /// The source of a forwarded message.
    public typealias Answer = ForwardOrigin
}

/// The source of a forwarded message.
public struct ForwardOrigin: Codable, Hashable, Sendable {
    /// The channel of the original.
    public var channel: ChannelID
    /// The original.
    public var messageID: MessageID
    /// The sender; absent for an operator's announcement.
    public var senderID: UserID?
    /// The sender's name when it was sent.
    public var senderName: String?
    /// When it was sent.
    @Timestamp public var sentAt: Date

    /// Creates a value with these fields.
    public init(
        channel: ChannelID, messageID: MessageID, senderID: UserID? = nil, senderName: String? = nil, sentAt: Date
    ) {
        self.channel = channel
        self.messageID = messageID
        self.senderID = senderID
        self.senderName = senderName
        self.sentAt = sentAt
    }
}

/// What can be forwarded. Pure rules, the same in the server and the SDK.
public enum ForwardRules {
    /// The most messages that one command creates.
    public static let maxPairs = 2_000

    /// The most bytes of content that one command copies, over all channels.
    public static let maxBytes = 8 * 1_024 * 1_024

    /// The content of a row that is copied.
    /// - Throws: `WireError` 1118 for a row that is not a message or was recalled, 1001 for votes, notices and calls.
    public static func content(of event: Event) throws(WireError) -> MessageContent {
        switch event.body {
        case .channel(.messageSent(let message)):
            guard message.recall == nil else { throw WireError(.messageNotFound, "The message was recalled.") }
            var content = message.content
            let fields = content.payload.fields
            let number = MessageType.named(content.type)?.number ?? 0
            guard message.vote == nil, fields.call == nil, !(221...224).contains(number) else {
                throw WireError(.invalidContent, "Votes, notices and calls cannot be forwarded.")
            }
            // What an operator has published is somebody's message from there on.
            if ChannelKind(rawValue: content.type)?.isNews == true {
                content.payload = MessageContent.Payload(
                    type: fields.file == nil ? MessageType.text.name : "image", fields: fields)
            }
            content.mentions = nil
            return content
        case .channel(.messageAnnounced(let announcement)):
            guard announcement.recall == nil else { throw WireError(.messageNotFound, "The message was recalled.") }
            return MessageContent(text: announcement.text)
        default: throw WireError(.messageNotFound)
        }
    }
}

extension MessageContent {
    /// About how many bytes it takes.
    package var weight: Int {
        let fields = payload.fields
        let files = [fields.file, fields.thumbnail].flatMap { [$0?.fileID.rawValue, $0?.name] }
        let texts = files + [text, fields.location?.address]
        return texts.reduce(256) { $0 + ($1?.utf8.count ?? 0) }
            + (extras ?? [:]).reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }
}
