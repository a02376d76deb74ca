/// How much `message.delete` takes away. A name on the wire.
public enum DeletionScope: String, Codable, CaseIterable, Sendable {
    /// The messages that are named.
    case messages
    /// Everything in one channel up to now.
    case channel
    /// Everything in all of the user's channels up to now.
    case everything
}

/// Deletes messages for the caller only: everybody else keeps them.
///
/// Deleted messages do not come back in any query of the caller, and do not count as unread any
/// more. Later messages are not touched, and channels stay in the list. By id only messages can be
/// deleted; with a whole channel all rows of its log go. The caller must be a member (1107, 1117);
/// an open channel fails with 1104.
///
/// All devices of the caller get `message.deleted` or `channel.cleared` in the user log. Others
/// learn nothing, except that the caller's read mark moves to the end of a channel that is deleted
/// as a whole. Of the named messages, those that exist are deleted. The answer tells the result for
/// each: 1118 if it does not exist or was deleted before. If none exists, the command fails with
/// 1118.
public struct DeleteMessages: WriteCommand {
    /// What the server answers.
    public typealias Answer = MessageResults
    /// The name on the wire.
    public static let name = "message.delete"
    /// The channel, if it names one.
    public var changedChannels: [ChannelID] { channel.map { [$0] } ?? [] }
    /// More if it names no channel.
    public var cost: CommandCost { channel == nil ? .allChannels : .commands(1) }
    /// What to delete.
    public var scope: DeletionScope
    /// The channel; not with `everything`.
    public var channel: ChannelID?
    /// 1 to `limits.idsPerCommand` messages of the channel; with `messages` only.
    public var messageIDs: [MessageID]?

    private init(_ scope: DeletionScope, channel: ChannelID?, messageIDs: [MessageID]?) {
        self.scope = scope
        self.channel = channel
        self.messageIDs = messageIDs
    }

    /// Deletes some messages of a channel.
    public init(_ messageIDs: [MessageID], in channel: ChannelID) {
        self.init(.messages, channel: channel, messageIDs: messageIDs)
    }

    /// Deletes everything in a channel.
    public init(allIn channel: ChannelID) { self.init(.channel, channel: channel, messageIDs: nil) }

    /// Deletes everything in all of the caller's channels.
    public static var everything: DeleteMessages { DeleteMessages(.everything, channel: nil, messageIDs: nil) }
}

extension DeleteMessages {
    /// Checks that exactly the fields of the scope are there.
    /// - Throws: `WireError` 6.
    public func check(limits: Limits) throws(WireError) {
        guard (channel != nil) == (scope != .everything) else {
            throw WireError(
                .dataFormat, field: "channel", "\"channel\" goes with the scopes \"messages\" and \"channel\" only.")
        }
        guard (messageIDs != nil) == (scope == .messages) else {
            throw WireError(
                .dataFormat, field: "messageIDs", "\"messageIDs\" goes with the scope \"messages\" only.")
        }
        if let messageIDs { try IDRules.check(messageIDs, "messageIDs", limits: limits) }
    }
}

/// How many ids a command may name. Pure rules, the same in the server and the SDK.
public enum IDRules {
    /// Checks a list of ids: 1 to `limits.idsPerCommand`, none of them twice.
    /// - Throws: `WireError` 6.
    public static func check<ID: Identifier>(_ ids: [ID], _ field: String, limits: Limits) throws(WireError) {
        try check(ids, field, most: limits.idsPerCommand)
    }

    /// Checks a list of 1 to `most` ids, or of 0 to `most`.
    package static func check<ID: Identifier>(
        _ ids: [ID], _ field: String, mayBeEmpty: Bool = false, most: Int
    ) throws(WireError) {
        func refusal(_ field: String, _ name: String) -> WireError {
            WireError(
                .dataFormat, field: field,
                "\"\(name)\" must name \(mayBeEmpty ? "at most" : "1 to") \(most) ids, each of them once.")
        }
        guard ids.count <= max(1, most), mayBeEmpty || !ids.isEmpty else { throw refusal(field, field) }
        guard Set(ids).count < ids.count else { return }
        var seen: Set<ID> = []
        let second = ids.firstIndex { !seen.insert($0).inserted } ?? 0
        throw refusal("\(field)[\(second)]", field)
    }
}

/// The body of `message.deleted`, in the user log: the user deleted messages of a channel from their own view.
public struct MessagesDeleted: Codable, Hashable, Sendable {
    /// The channel in which the messages were.
    public var channel: ChannelID
    /// The messages, ascending by `seq`.
    public var messages: [DeletedMessage]
    /// How many messages of the channel are unread for the user after the deletion.
    public var unread: Int

    /// Creates a value with these fields.
    public init(channel: ChannelID, messages: [DeletedMessage], unread: Int) {
        self.channel = channel
        self.messages = messages
        self.unread = unread
    }
}

/// One message that a user deleted from their own view.
public struct DeletedMessage: Codable, Hashable, Sendable {
    /// The message that the user no longer sees.
    public var messageID: MessageID
    /// Its row in the channel's log.
    public var seq: Int64

    /// Creates a value with these fields.
    public init(messageID: MessageID, seq: Int64) {
        self.messageID = messageID
        self.seq = seq
    }
}

/// The body of `row.removed`: a row that the reader may not see; only its number counts.
///
/// `resume` puts it in the place of what the reader has deleted, so that the log has no gap; pages
/// of `message.list` and `message.query` leave such rows out. All of them put it in the place of a
/// row that was damaged on the server's disk; those with `onlyShown` leave that out, too. It has no
/// sender, no transID and no time.
public struct RowRemoved: Codable, Hashable, Sendable {
    /// How many messages in the channel's log count as unread, up to and including this row; absent for a row that was
    /// purged.
    public var count: Int64?

    /// Creates a value with these fields.
    public init(count: Int64? = nil) {
        self.count = count
    }
}
