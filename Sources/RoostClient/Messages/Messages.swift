public import RoostWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A message that the server has taken.
public struct SentMessage: Hashable, Sendable {
    /// The id of the message.
    public let messageID: MessageID
    /// The channel.
    public let channel: ChannelID
    /// Where it stands in the channel's log; nil for a message that is relayed without being stored.
    public let seq: Int64?
    /// When the server took it, to the millisecond.
    public let sentAt: Date
    /// The transID of the send.
    public let transID: TransID

    init(_ acknowledgement: Acknowledgement) throws(RoostError) {
        guard let messageID = acknowledgement.messageID, let channel = acknowledgement.channel else {
            throw RoostError(.invalidAnswer, "The server did not say which message it stored.")
        }
        self.messageID = messageID
        self.channel = channel
        seq = acknowledgement.seq
        sentAt = acknowledgement.sentAt
        transID = acknowledgement.transID
    }
}

extension Acknowledgement {
    /// What the server answered to the send of a message.
    package init(_ message: SentMessage) {
        self.init(
            channel: message.channel, seq: message.seq, messageID: message.messageID, transID: message.transID,
            sentAt: message.sentAt)
    }
}

/// A send on its way to the server.
public struct PendingMessage: Sendable {
    /// The transID of the send.
    public let transID: TransID
    /// The channel.
    public let channel: ChannelID
    let promise: Promise<SentMessage>

    /// Waits until the message is on the server's disk. It may be asked for any number of times.
    ///
    /// - Throws: what the server refused as `.server(…)`; `disconnected` if the client gave up, in which case the
    ///   message may have been stored: send it again under the same transID to be sure; `outcomeUnknown` if it was on
    ///   its way more than seven days ago and has no answer.
    public var sent: SentMessage {
        get async throws(RoostError) { try await promise.value }
    }
}

extension ChannelHandle {
    /// Sends a text and waits until it is on the server's disk.
    ///
    /// Sends to one channel keep the order in which this was called, through
    /// reconnects too. With the same `transID` the message exists once, however
    /// often it is sent. ``send(_:replyTo:extras:category:transID:)`` tells what
    /// the other arguments are.
    /// - Throws: as ``PendingMessage/sent``.
    @discardableResult
    public func send(
        _ text: String, mentions: [Mention]? = nil, replyTo: MessageID? = nil, extras: [String: String]? = nil,
        category: String? = nil, transID: TransID? = nil
    ) async throws(RoostError) -> SentMessage {
        try await send(
            .text(text, mentions: mentions), replyTo: replyTo, extras: extras, category: category, transID: transID)
    }

    /// Sends a message of any kind and waits until it is on the server's disk.
    ///
    /// Messages of all kinds go through the same lane: they keep the order in
    /// which this was called. With the same `transID` the message exists once.
    ///
    /// - Parameters:
    ///   - content: what it says.
    ///   - replyTo: the message of this channel that this one answers, or that a notice is about.
    ///   - extras: app-defined data: at most 32 strings with names of 1 to 64 bytes, 4 KiB in all.
    ///   - category: an app-defined category to ask for, 1 to 64 UTF-16 units.
    ///   - transID: the transID of the send; a new one by default.
    /// - Throws: as ``PendingMessage/sent``; `.server(.messageNotFound)` if `replyTo` cannot be read;
    ///   `.dataFormat` for a field outside its bounds; `.invalidContent` for a text that is none.
    @discardableResult
    public func send(
        _ content: MessageContent, replyTo: MessageID? = nil, extras: [String: String]? = nil,
        category: String? = nil, transID: TransID? = nil
    ) async throws(RoostError) -> SentMessage {
        try await enqueue(
            content, replyTo: replyTo, extras: extras, category: category, transID: transID
        ).sent
    }

    /// Puts a text into the channel's lane of sends and returns at once.
    ///
    /// Several may be on their way; they are stored in the order of these calls.
    /// A refused one does not hold up those behind it.
    public func enqueue(
        _ text: String, mentions: [Mention]? = nil, replyTo: MessageID? = nil, extras: [String: String]? = nil,
        category: String? = nil, transID: TransID? = nil
    ) -> PendingMessage {
        enqueue(
            .text(text, mentions: mentions), replyTo: replyTo, extras: extras, category: category, transID: transID)
    }

    /// Puts a message of any kind into the channel's lane of sends and returns at once.
    ///
    /// As for a text: several may be on their way, and they keep their order.
    public func enqueue(
        _ content: MessageContent, replyTo: MessageID? = nil, extras: [String: String]? = nil,
        category: String? = nil, transID: TransID? = nil
    ) -> PendingMessage {
        let transID = transID ?? client.makeTransID()
        let send = SendMessage(
            content, to: id, replyTo: replyTo, extras: extras, category: category)
        return PendingMessage(transID: transID, channel: id, promise: client.enqueue(send, transID: transID))
    }

    /// Publishes an announcement of an operator in the channel.
    /// - Throws: `.server(.noPrivilege)` unless this user is an operator.
    @discardableResult
    public func announce(_ text: String, transID: TransID? = nil) async throws(RoostError) -> SentMessage {
        try SentMessage(try await client.perform(AnnounceMessage(channel: id, text: text), under: transID))
    }
}
