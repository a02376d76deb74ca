#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// When and by whom a message was recalled.
public struct Recall: Codable, Hashable, Sendable {
    /// Whether the message is not shown any more; its row only stays so that no `seq` is missing.
    ///
    /// Of all queries, only `resume` returns such a message.
    public var isSilent: Bool
    /// When it was recalled.
    @Timestamp public var at: Date
    /// The user who recalled it; absent if the server did, because the `validUntil` of news has passed.
    public var byUserID: UserID?
    /// The name of the user who recalled it, in this channel; the channel's title if it was the server.
    public var byName: String
    /// By which right it was recalled, if not by that of its sender; also there on a user's own message that the user
    /// recalled together with those of others.
    public var byRole: RecallRole?

    /// Creates it.
    public init(isSilent: Bool, at: Date, byUserID: UserID?, byName: String, byRole: RecallRole? = nil) {
        self.isSilent = isSilent
        self.at = at
        self.byUserID = byUserID
        self.byName = byName
        self.byRole = byRole
    }
}

/// By which right somebody recalls messages of others. A name on the wire.
public enum RecallRole: String, Codable, CaseIterable, Sendable {
    /// As a moderator or admin of the group.
    case moderator
    /// As an operator of the server.
    case `operator`
}

extension Message {
    /// The shell of this message after a recall: id, type, `attributes`, sender and `count` stay, all content is gone.
    ///
    /// The server writes it into the message's row, and a client does the same to
    /// what it has stored.
    public func recalled(_ recall: Recall) -> Message {
        Message(
            messageID: messageID, content: content.shell, senderName: senderName, senderImageURL: senderImageURL,
            count: count, recall: recall)
    }

    /// This message after the recall of another one: if it answers that one, its snapshot is emptied.
    public func afterRecall(of recalled: MessageID) -> Message {
        guard let replyTo, replyTo.messageID == recalled else { return self }
        var message = self
        message.replyTo = replyTo.recalled()
        return message
    }
}

extension Announcement {
    /// This announcement after a recall: id and `count` stay, the text is removed.
    public func recalled(_ recall: Recall) -> Announcement {
        Announcement(messageID: messageID, text: "", count: count, recall: recall)
    }
}

/// Recalls messages for everybody.
///
/// Users recall their own messages; if `limits.recallWindowMs` is set, only within that time
/// (1121). Moderators and admins of a group also recall messages of others, at any time, unless
/// `moderatorsMayRecall` is off. Operators recall any message in a channel of any kind, at any
/// time, whether they are members or not. `byRole` says if it was not the sender who recalled.
/// Fails with 1113 if the caller may not recall messages of others, and with 1118 if the message does
/// not exist, was recalled already or may not be read.
///
/// The messages lose their content in the log; see `recall` of the message. Without `isSilent`
/// queries return the empty message, with it they leave out the message and the row `message.recalled`: only `resume`
/// gives them, to devices that may hold the message. Answers to it lose their snapshot,
/// unread counts no longer include it, and after a silent recall the channel's last message is the
/// one before. Everything that can be recalled is recalled, and the answer has the result for each. If
/// nothing can be recalled, the command fails with the error of the first one.
public struct RecallMessages: WriteCommand, ChannelCommand {
    /// What the server answers.
    public typealias Answer = MessageResults
    /// The name on the wire.
    public static let name = "message.recall"
    /// The channel in which all of the messages are. To a stranger it does not exist (1105).
    public var channel: ChannelID
    /// 1 to `limits.idsPerCommand` messages of the channel.
    public var messageIDs: [MessageID]
    /// Whether the messages are removed without leaving a shell; false if absent.
    public var isSilent: Bool?

    /// Creates a value with these fields.
    public init(channel: ChannelID, messageIDs: [MessageID], isSilent: Bool? = nil) {
        self.channel = channel
        self.messageIDs = messageIDs
        self.isSilent = isSilent
    }
}

/// The answer to a command about several messages: one result for each.
public struct MessageResults: Codable, Hashable, Sendable {
    /// The acknowledgement, with the row about the messages that succeeded.
    public var acknowledgement: Acknowledgement
    /// One result per message, in the order of the command.
    public var results: [MessageResult]

    /// Creates a value with these fields.
    public init(acknowledgement: Acknowledgement, results: [MessageResult]) {
        self.acknowledgement = acknowledgement
        self.results = results
    }
}

/// The result for one message of a command about several.
public struct MessageResult: Codable, Hashable, Sendable {
    /// The message of which the result is.
    public var messageID: MessageID
    /// 0 if it was done, else the code of an error.
    public var code: Int

    /// Creates a result.
    public init(messageID: MessageID, code: Int = 0) {
        self.messageID = messageID
        self.code = code
    }
}

/// The body of `message.recalled`: messages were recalled.
///
/// Replace each message with the empty one, or remove it if `isSilent`, and empty the snapshots of
/// answers to it. A recalled message that was unread no longer counts; if you had deleted it for yourself
/// before, it did not count any more anyway. If the channel's last message was recalled silently, read the channel
/// again.
public struct MessagesRecalled: Codable, Hashable, Sendable {
    /// The messages, ascending by `seq`.
    public var messages: [RecalledMessage]
    /// Whether the messages are not shown any more.
    public var isSilent: Bool
    /// The name in this channel of the user who recalled them; the channel's title if the server recalled news. The
    /// user's id is the event's `senderID`, the time its `sentAt`.
    public var byName: String
    /// By which right they were recalled, if the user did not send all of them.
    public var byRole: RecallRole?

    /// Creates a value with these fields.
    public init(messages: [RecalledMessage], isSilent: Bool, byName: String, byRole: RecallRole? = nil) {
        self.messages = messages
        self.isSilent = isSilent
        self.byName = byName
        self.byRole = byRole
    }
}

/// One message that was recalled.
public struct RecalledMessage: Codable, Hashable, Sendable {
    /// The message that nobody can read any more.
    public var messageID: MessageID
    /// Its row in the channel's log.
    public var seq: Int64
    /// The user who sent it; absent for an operator's announcement.
    public var senderID: UserID?
    /// Whether it counted as unread.
    public var wasCounted: Bool

    /// Creates a value with these fields.
    public init(messageID: MessageID, seq: Int64, senderID: UserID? = nil, wasCounted: Bool) {
        self.messageID = messageID
        self.seq = seq
        self.senderID = senderID
        self.wasCounted = wasCounted
    }
}

/// Which messages a user may recall. Pure rules, the same in the server and the SDK.
public enum RecallRules {
    /// Why a message cannot be recalled; nil if it can.
    ///
    /// `age` is how long ago the message was sent, in ms.
    public static func refusal(
        isOwn: Bool, age: Int64, role: Role, profile: ChannelProfile, limits: Limits
    ) -> ErrorCode? {
        if RoleRules.allows(.recallOthers, role, profile: profile) { return nil }
        guard isOwn else { return .messageNotOwned }
        return limits.recallWindowMs > 0 && age > Int64(limits.recallWindowMs) ? .timeExpired : nil
    }
}
