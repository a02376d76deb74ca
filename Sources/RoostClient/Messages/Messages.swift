public import RoostWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A message that the server has accepted.
public struct SentMessage: Hashable, Sendable {
    /// The id of the message.
    public let messageID: MessageID
    /// The channel in which the message is.
    public let channel: ChannelID
    /// Its row in the channel's log; nil for a message that is relayed without being stored.
    public let seq: Int64?
    /// When the server accepted it, to the millisecond.
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
    /// The server's answer to a send.
    package init(_ message: SentMessage) {
        self.init(
            channel: message.channel, seq: message.seq, messageID: message.messageID, transID: message.transID,
            sentAt: message.sentAt)
    }
}

/// A send without an answer yet.
public struct PendingMessage: Sendable {
    /// The transID of the send.
    public let transID: TransID
    /// The channel to which the message is to go.
    public let channel: ChannelID
    let promise = Promise<SentMessage>()
    /// Complete when the message is in the store of this device, or cannot be written there.
    let kept = Promise<Void>()

    /// Waits until the message is on the server's disk. It may be read any number of times.
    ///
    /// - Throws: a refusal of the server as `.server(…)`; `storeFailed` if the device could not store it, as with a
    ///   full disk: then it is not in the queue; `disconnected` if the client gave up, in which case the
    ///   message may have been stored: send it again with the same transID to be sure; `outcomeUnknown` if it was
    ///   first sent more than seven days ago and has no answer.
    public var sent: SentMessage {
        get async throws(RoostError) { try await promise.value }
    }

    /// The error if the device could not store the message, which is then not in the queue; nil if it is stored, or if
    /// the client has no store.
    package var storeFailure: RoostError? {
        get async {
            do throws(RoostError) { try await kept.value } catch { return error.code == .storeFailed ? error : nil }
            return nil
        }
    }
}

extension ChannelHandle {
    /// Sends a text and waits until it is on the server's disk.
    ///
    /// Sends to one channel keep the order of these calls, also after
    /// reconnects. With the same `transID` the message exists once, however
    /// often it is sent. ``send(_:replyTo:extras:category:transID:)`` describes
    /// the other arguments.
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
    /// Messages of all kinds are in one queue per channel: they keep the order of
    /// these calls. With the same `transID` the message exists once.
    ///
    /// - Parameters:
    ///   - content: the content to send.
    ///   - replyTo: the message of this channel that this one answers, or that a notice is about.
    ///   - extras: app-defined data: at most 32 strings with names of 1 to 64 bytes, 4 KiB in all.
    ///   - category: an app-defined category, a filter of `messages(sent:_:category:limit:cursor:)`, 1 to 64 UTF-16
    ///   units.
    ///   - transID: the transID of the send; a new one by default.
    /// - Throws: as ``PendingMessage/sent``; `.server(.messageNotFound)` if `replyTo` cannot be read;
    ///   `.dataFormat` for a field outside its bounds; `.invalidContent` for an invalid text.
    @discardableResult
    public func send(
        _ content: MessageContent, replyTo: MessageID? = nil, extras: [String: String]? = nil,
        category: String? = nil, transID: TransID? = nil
    ) async throws(RoostError) -> SentMessage {
        try await enqueue(
            content, replyTo: replyTo, extras: extras, category: category, transID: transID
        ).sent
    }

    /// Adds a text to the channel's queue of sends and returns at once.
    ///
    /// Several may be in flight; they are stored in the order of these calls.
    /// A refused message does not delay later ones.
    public func enqueue(
        _ text: String, mentions: [Mention]? = nil, replyTo: MessageID? = nil, extras: [String: String]? = nil,
        category: String? = nil, transID: TransID? = nil
    ) -> PendingMessage {
        enqueue(
            .text(text, mentions: mentions), replyTo: replyTo, extras: extras, category: category, transID: transID)
    }

    /// Adds a message of any kind to the channel's queue of sends and returns at once.
    ///
    /// As for a text: several may be in flight, and they keep their order.
    public func enqueue(
        _ content: MessageContent, replyTo: MessageID? = nil, extras: [String: String]? = nil,
        category: String? = nil, transID: TransID? = nil
    ) -> PendingMessage {
        let transID = transID ?? client.makeTransID()
        let send = SendMessage(
            content, to: id, replyTo: replyTo, extras: extras, category: category)
        return client.enqueue(send, transID: transID)
    }

    /// Publishes an announcement of an operator in the channel.
    /// - Throws: `.server(.noPrivilege)` unless this user is an operator.
    @discardableResult
    public func announce(_ text: String, transID: TransID? = nil) async throws(RoostError) -> SentMessage {
        try SentMessage(try await client.perform(AnnounceMessage(channel: id, text: text), under: transID))
    }
}
