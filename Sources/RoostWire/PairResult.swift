#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What became of one message in one channel: a command about several messages and several channels answers one per pair.
public struct PairResult: Codable, Hashable, Sendable {
    /// The channel.
    public var channel: ChannelID
    /// Which of the command's messages: 0 for the first.
    public var index: Int
    /// 0 when it was done, else the number of an error.
    public var code: Int
    /// The row that it became; absent if it was refused or is not stored.
    public var seq: Int64?
    /// The id of the message that was made; absent if it was refused.
    public var messageID: MessageID?

    /// Makes a result.
    public init(channel: ChannelID, index: Int, code: Int = 0, seq: Int64? = nil, messageID: MessageID? = nil) {
        self.channel = channel
        self.index = index
        self.code = code
        self.seq = seq
        self.messageID = messageID
    }
}

/// What became of each message in each channel.
public struct PairResults: Codable, Hashable, Sendable {
    /// The key of the command.
    public var transID: TransID
    /// When the server accepted it.
    @Timestamp public var sentAt: Date
    /// One result per pair: for each channel in the order of the command, all messages in their order.
    public var results: [PairResult]

    /// Makes the answer.
    public init(transID: TransID, sentAt: Date, results: [PairResult]) {
        self.transID = transID
        self.sentAt = sentAt
        self.results = results
    }
}
