#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Adds the caller's reaction, an emoji, to a message.
///
/// Every user who may read the message may react to it, once with each emoji. An emoji is one character as
/// people see it: one extended grapheme cluster of Unicode (else 6). If the reaction is there
/// already, nothing changes and the acknowledgement has no `seq`. Otherwise everybody who reads the
/// channel gets `reaction.added`, which does not count as unread.
///
/// Fails with 7018 for more than `limits.reactionKinds` different emoji on one message, and with
/// 1118 if the message does not exist or was recalled. News take no reactions, because subscribers
/// do not see each other (1104). Fails with 7003 in a 1-on-1 with somebody who has blocked the
/// caller. A reaction counts as a send to the channel: too many in a short time fail with 1004 and
/// `retryAfterMs`.
public struct AddReaction: WriteCommand, ChannelCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "reaction.add"
    /// A reaction is a row in the log of the channel, as a message is.
    public var cost: CommandCost { .sends(1, to: [channel]) }
    /// A channel that the caller may read. To a stranger it does not exist (1105).
    public var channel: ChannelID
    /// A message that the caller may read (1118), and that was not recalled.
    public var messageID: MessageID
    /// The emoji: one character as people see it, of at most 64 bytes.
    public var emoji: String

    /// Creates a value with these fields.
    public init(channel: ChannelID, messageID: MessageID, emoji: String) {
        self.channel = channel
        self.messageID = messageID
        self.emoji = emoji
    }
}

/// Removes the caller's reaction from a message.
///
/// If it is not there, nothing changes and the acknowledgement has no `seq`. Otherwise everybody
/// who reads the channel gets `reaction.removed`. It fails as `reaction.add` does.
public struct RemoveReaction: WriteCommand, ChannelCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "reaction.remove"
    /// The removal is a row in the log of the channel too.
    public var cost: CommandCost { .sends(1, to: [channel]) }
    /// A channel that the caller may read. To a stranger it does not exist (1105).
    public var channel: ChannelID
    /// The message from which to remove it.
    public var messageID: MessageID
    /// The emoji.
    public var emoji: String

    /// Creates a value with these fields.
    public init(channel: ChannelID, messageID: MessageID, emoji: String) {
        self.channel = channel
        self.messageID = messageID
        self.emoji = emoji
    }
}

/// Lists who has reacted to a message, the first reaction first.
///
/// It fails with 1118 if the caller may not read the message, and with 1104 for news. A new reaction
/// is added at the end, so nobody is missed over all pages. Nobody appears twice, except a user who
/// removes a reaction and reacts again meanwhile.
public struct ListReactions: ListingCommand {
    /// The name on the wire.
    public static let name = "reaction.list"
    /// A channel that the caller may read. To a stranger it does not exist (1105).
    public var channel: ChannelID
    /// The message that was reacted to.
    public var messageID: MessageID
    /// Only those with this emoji.
    public var emoji: String?
    /// How many at most: 1 to 100, 100 if absent.
    public var limit: Int?
    /// The `next` of the previous page; absent for the first page.
    public var cursor: String?

    /// Creates a value with these fields.
    public init(
        channel: ChannelID, messageID: MessageID, emoji: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) {
        self.channel = channel
        self.messageID = messageID
        self.emoji = emoji
        self.limit = limit
        self.cursor = cursor
    }

    /// A page of reactions.
    public struct Answer: ListingAnswer {
        /// The reactions, in the order in which they were made.
        public var reactions: [UserReaction]
        /// The `cursor` of the next page; absent on the last one.
        public var next: String?

        /// Creates a value with these fields.
        public init(reactions: [UserReaction], next: String? = nil) {
            self.reactions = reactions
            self.next = next
        }

        /// What the page lists.
        public var elements: [UserReaction] { reactions }
    }
}

/// One reaction of one user.
public struct UserReaction: Codable, Hashable, Sendable {
    /// The user who reacted.
    public var userID: UserID
    /// The user's name in the channel.
    public var name: String
    /// The emoji, spelled as on the message.
    public var emoji: String
    /// When the user reacted.
    @Timestamp public var reactedAt: Date

    /// Creates a value with these fields.
    public init(userID: UserID, name: String, emoji: String, reactedAt: Date) {
        self.userID = userID
        self.name = name
        self.emoji = emoji
        self.reactedAt = reactedAt
    }
}

/// The reactions to a message, as one reader sees them.
///
/// The rows `reaction.added` and `reaction.removed` keep them up to date; the chapter *Reactions*
/// tells how.
public struct MessageReactions: Codable, Hashable, Sendable {
    /// The newest row of the channel's log when they were read: changes up to that row are included.
    public var head: Int64
    /// The different emoji, in the order in which they were first used; at most `limits.reactionKinds`.
    public var kinds: [Reaction]

    /// Creates a value with these fields.
    public init(head: Int64, kinds: [Reaction]) {
        self.head = head
        self.kinds = kinds
    }
}

/// One emoji on a message.
public struct Reaction: Codable, Hashable, Sendable {
    /// The emoji, in the spelling of the user who used it first.
    public var emoji: String
    /// How many users have reacted with it.
    public var count: Int
    /// Whether the reader is one of them.
    public var isMine: Bool

    /// Creates a value with these fields.
    public init(emoji: String, count: Int, isMine: Bool) {
        self.emoji = emoji
        self.count = count
        self.isMine = isMine
    }
}

/// The body of `reaction.added` and `reaction.removed`: the user `senderID` of the event has reacted to a message or
/// removed a reaction.
///
/// The count is the one after the change, so the newest row is right even if others were missed. A reader
/// who cannot read the message learns only its id.
public struct ReactionChanged: Codable, Hashable, Sendable {
    /// The message that was reacted to.
    public var messageID: MessageID
    /// The row of the message.
    public var seq: Int64
    /// The emoji, spelled as on the message.
    public var emoji: String
    /// How many users have reacted with it now; remove the emoji at 0.
    public var count: Int
    /// The user's name in the channel.
    public var byName: String

    /// Creates a value with these fields.
    public init(messageID: MessageID, seq: Int64, emoji: String, count: Int, byName: String) {
        self.messageID = messageID
        self.seq = seq
        self.emoji = emoji
        self.count = count
        self.byName = byName
    }
}

/// Which reactions are valid. Pure rules, the same in the server and the SDK.
///
/// An emoji is one character as people see it: one extended grapheme cluster of
/// Unicode, so a flag, a family, a keycap or a skin tone is one. It begins with a character that
/// Unicode lists as an emoji, or that lies in the blocks U+1F000 to U+1FAFF, which are kept for
/// pictographs: there are new ones every year. A letter, a digit or a sign is none.
/// Custom emoji of an app that have a name of several characters are not possible.
public enum ReactionRules {
    /// How many bytes of UTF-8 an emoji may have.
    public static let maxBytes = 64

    /// Checks an emoji: one of 1 to 64 bytes, without control characters.
    /// - Throws: `WireError` 6.
    public static func check(_ emoji: String) throws(WireError) {
        let scalars = emoji.unicodeScalars
        guard emoji.utf8.count <= maxBytes, emoji.count == 1, let first = scalars.first,
            isEmoji(first, isKeycap: scalars.contains("\u{20E3}")),
            scalars.allSatisfy({ $0.properties.generalCategory != .control })
        else {
            throw WireError(.dataFormat, field: "emoji", "\"emoji\" must be one emoji, at most 64 bytes.")
        }
    }

    /// Checks what is removed or listed: one character of 1 to 64 bytes, because earlier versions took letters, too.
    /// - Throws: `WireError` 6.
    public static func checkStored(_ emoji: String) throws(WireError) {
        let scalars = emoji.unicodeScalars
        guard emoji.utf8.count <= maxBytes, emoji.count == 1, scalars.first?.hasInk == true,
            scalars.allSatisfy({ $0.properties.generalCategory != .control })
        else {
            throw WireError(.dataFormat, field: "emoji", "\"emoji\" must be one emoji, at most 64 bytes.")
        }
    }

    /// Whether an emoji may begin with this scalar. Digits are emoji to Unicode, because keycaps begin with them.
    private static func isEmoji(_ scalar: Unicode.Scalar, isKeycap: Bool) -> Bool {
        if scalar.isASCII { return isKeycap && scalar.properties.isEmoji }
        return scalar.properties.isEmoji || (0x1F000...0x1FAFF).contains(scalar.value)
    }

    /// The key for comparing emoji: its UTF-8 without U+FE0F, the variation selector for emoji style.
    ///
    /// Nothing else is normalized, so that every client computes the same bytes.
    public static func key(of emoji: String) -> [UInt8] {
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: emoji.unicodeScalars.lazy.filter { $0.value != 0xFE0F })
        return Array(String(kept).utf8)
    }
}

extension Event {
    private var isRecalled: Bool { recall != nil }

    /// The reactions to the message in this row; nil if it has no message, or if its reactions were not read.
    public var reactions: MessageReactions? {
        get { message?.reactions ?? announcement?.reactions }
        set {
            message?.reactions = newValue
            body.announcement?.reactions = newValue
        }
    }

    /// This row of a message after a row about a reaction to it; any other row, and one that its reactions include
    /// already, changes nothing.
    ///
    /// Apply the rows in their order to keep a message up to date.
    public func after(_ row: Event, viewer: UserID?) -> Event {
        let (change, isAdded): (ReactionChanged, Bool)
        switch row.body {
        case .channel(.reactionAdded(let body)): (change, isAdded) = (body, true)
        case .channel(.reactionRemoved(let body)): (change, isAdded) = (body, false)
        default: return self
        }
        guard let seq = row.seq, row.channel == channel, change.messageID == messageID, !isRecalled,
            seq > reactions?.head ?? 0
        else { return self }
        var kinds = reactions?.kinds ?? []
        let key = ReactionRules.key(of: change.emoji)
        let index = kinds.firstIndex { ReactionRules.key(of: $0.emoji) == key }
        var kind = index.map { kinds[$0] } ?? Reaction(emoji: change.emoji, count: 0, isMine: false)
        kind.count = change.count
        if let viewer, row.senderID == viewer { kind.isMine = isAdded }
        if let index { kinds[index] = kind } else { kinds.append(kind) }
        kinds.removeAll { $0.count <= 0 }
        var event = self
        event.reactions = MessageReactions(head: seq, kinds: kinds)
        return event
    }
}
