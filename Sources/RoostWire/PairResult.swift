#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The result for one message in one channel: a command with several messages and channels answers with one per pair.
public struct PairResult: Codable, Hashable, Sendable {
    /// The channel of the pair.
    public var channel: ChannelID
    /// The index of the message in the command: 0 for the first.
    public var index: Int
    /// 0 if it was done, else the code of an error.
    public var code: Int
    /// The row of the message; absent if it was refused or is not stored.
    public var seq: Int64?
    /// The id of the new message; absent if it was refused.
    public var messageID: MessageID?

    /// Creates a result.
    public init(channel: ChannelID, index: Int, code: Int = 0, seq: Int64? = nil, messageID: MessageID? = nil) {
        self.channel = channel
        self.index = index
        self.code = code
        self.seq = seq
        self.messageID = messageID
    }
}

/// The result for each message in each channel.
public struct PairResults: Codable, Hashable, Sendable {
    /// The transID of the command.
    public var transID: TransID
    /// When the server accepted it.
    @Timestamp public var sentAt: Date
    /// One result per pair: for each channel in the order of the command, all messages in their order.
    public var results: [PairResult]

    /// Creates a value with these fields.
    public init(transID: TransID, sentAt: Date, results: [PairResult]) {
        self.transID = transID
        self.sentAt = sentAt
        self.results = results
    }
}
