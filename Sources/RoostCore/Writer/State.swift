import RoostWire

/// A member as the writer knows it.
struct MemberState {
    var role: Role
    var flags: MemberFlags = []
    /// The name and the picture in this channel, where the member has set them: kept apart because few have.
    var appearance: MemberAppearance?
    var floorSeq: Int64 = 0
    var hiddenSeq: Int64 = -1
    var markSeq: Int64 = 0
    var markCount: Int64 = 0
    var markAt: Int64 = 0
    var joinedSeq: Int64 = 0
    /// Messages above the mark that count in the channel but not as unread: own, recalled or deleted ones, each once.
    var own: Int64 = 0
}

/// What is switched on for a member of a channel.
struct MemberFlags: OptionSet {
    let rawValue: Int64

    static let muted = MemberFlags(rawValue: 1)
    static let markedUnread = MemberFlags(rawValue: 2)
    /// In a 1-on-1: the member has blocked the other one.
    static let blocksOther = MemberFlags(rawValue: 4)
}

/// How a member appears in one channel.
final class MemberAppearance: Sendable {
    let nickname: String?
    let imageURL: String?

    /// Nothing when there is neither.
    init?(nickname: String?, imageURL: String?) {
        guard nickname != nil || imageURL != nil else { return nil }
        self.nickname = nickname
        self.imageURL = imageURL
    }
}

extension MemberState {
    /// The member as shown in this channel.
    func shown(_ user: User) -> User {
        guard let appearance else { return user }
        return User(
            userID: user.userID, name: appearance.nickname ?? user.name, imageURL: appearance.imageURL ?? user.imageURL)
    }
}

/// What a row of a channel's log is, as bits in its column `flags`.
struct RowFlags: OptionSet {
    let rawValue: Int64

    /// It counts as unread.
    static let counted = RowFlags(rawValue: 1)
    /// It was recalled silently: only `resume` gives it.
    static let silent = RowFlags(rawValue: 2)
    /// It was recalled.
    static let recalled = RowFlags(rawValue: 4)
}

/// What `RowFlags` say, as SQL. The numbers stand in the text, so that the partial index on `flags` fits.
///
/// A row is silent only where it is recalled, so 2 and 3 do not occur.
extension RowFlags {
    /// The row is there with its content: it was not recalled.
    static func isIntact(_ flags: Query) -> Query { "\(flags) < 4" }
    /// The row is shown, perhaps as the shell that a recall has left.
    static func isShown(_ flags: Query) -> Query { "\(flags) < 6" }
    /// The row counted as unread and was recalled, silently or not.
    static func isCountedAndRecalled(_ flags: Query) -> Query { "\(flags) >= 5 AND \(flags) <> 6" }
}

/// Somebody who is not, or not any more, a member, but has a row.
struct NonMember {
    var role: Role = .none
    var leftSeq: Int64
    var joinedSeq: Int64 = Self.neverJoined
    var appearance: MemberAppearance?

    /// The `joinedSeq` of who was banned or invited without ever having been a member.
    static let neverJoined: Int64 = -1

    var wasMember: Bool { joinedSeq >= 0 }
}

/// A channel's head and members as the writer knows them.
struct ChannelState {
    var id: ChannelID
    var kind: ChannelKind
    var title: String?
    /// The settings without the title; nothing when all are at their default.
    var profile: ProfileBox?
    var seq: Int64 = 0
    var count: Int64 = 0
    var lastSentAt: Int64 = 0
    var lastMessageSeq: Int64 = 0
    /// The newest piece of news: it brings back a channel that is hidden, though it is no last message.
    var newestPieceSeq: Int64 = 0
    var version: Int64 = 1
    var createdAt: Int64 = 0
    var createdBy: UserID?
    /// Nothing up to this row is kept; the marks of all members stand there or behind it.
    var purgedSeq: Int64 = 0
    /// When it was dismissed: its id stays taken.
    var dismissedAt: Int64?
    /// Empty for an open channel: participation belongs to sessions. Of news only who acts in the batch, outside of one
    /// nobody.
    var members: [UserID: MemberState] = [:]
    /// How many there are where `members` does not hold them all.
    var subscribers = 0
    /// The batch in which it was last used.
    var usedIn: UInt64 = 0

    init(
        id: ChannelID, kind: ChannelKind, title: String? = nil, lastSentAt: Int64 = 0, createdBy: UserID? = nil
    ) {
        self.id = id
        self.kind = kind
        self.title = title
        self.lastSentAt = lastSentAt
        createdAt = lastSentAt
        self.createdBy = createdBy
    }

    var memberCount: Int { kind.isNews ? subscribers : members.count }

    func unread(of member: MemberState) -> Int {
        ReadRules.unread(count: count, markCount: member.markCount, own: member.own)
    }

    /// The settings, with the title.
    var settings: ChannelProfile {
        var settings = profile?.profile ?? ChannelProfile()
        settings.title = title
        return settings
    }

    /// The row behind which a user may read.
    func floor(of user: UserID) -> Int64 { max(members[user]?.floorSeq ?? 0, purgedSeq) }

    /// Whether the other one of a 1-on-1 has blocked this user.
    func isBlocked(_ user: UserID) -> Bool {
        kind == .single && members.contains { $0.key != user && $0.value.flags.contains(.blocksOther) }
    }

    /// Whether one of the two of a 1-on-1 has blocked the other.
    var hasBlock: Bool { kind == .single && members.values.contains { $0.flags.contains(.blocksOther) } }

    var admins: Int { members.values.reduce(0) { $0 + ($1.role == .admin ? 1 : 0) } }
}

/// Settings of a channel, shared by the copies of its state.
final class ProfileBox: Sendable {
    let profile: ChannelProfile

    /// Nothing when all settings besides the title are at their default.
    init?(_ profile: ChannelProfile) {
        var rest = profile
        rest.title = nil
        guard rest != ChannelProfile() else { return nil }
        self.profile = rest
    }
}

/// A user's head as the writer knows it.
struct UserState {
    var user: User
    var seq: Int64 = 0
    var lastSentAt: Int64 = 0
}

/// The key of a command: unique per user.
struct CommandKey: Hashable {
    var user: UserID
    var transID: TransID
}

/// A command that was accepted before, and its answer.
struct KnownCommand {
    var hash: Int64
    var answer: [UInt8]
}

/// One (channel, user) pair.
struct MemberKey: Hashable {
    var channel: ChannelID
    var user: UserID
}

/// A hash of a command's content, the same in every process: FNV-1a over the fields.
///
/// It only tells a user's own retry from a user's own mistake, so it need not resist an attacker.
struct BodyHash {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func combine(_ text: String?) {
        guard let text else {
            combine(byte: 0xFF)
            return
        }
        for byte in text.utf8 { combine(byte: byte) }
        combine(byte: 0xFE)
    }

    mutating func combine(_ bytes: [UInt8]) {
        for byte in bytes { combine(byte: byte) }
    }

    private mutating func combine(byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }

    var value: Int64 { Int64(bitPattern: state) }
}

extension WritingCommand {
    /// What two sends of one transID must share.
    func bodyHash() throws -> Int64 {
        var hash = BodyHash()
        if case .sendMessage(let send) = self {
            hash.combine(SendMessage.name)
            hash.combine(send.channel.rawValue)
            hash.combine(send.type)
            hash.combine(send.text)
            for mention in send.mentions ?? [] {
                hash.combine(mention.userID.rawValue)
                hash.combine("\(mention.start ?? -1) \(mention.length ?? -1)")
            }
            if !send.hasOnlyText {
                // The place in the order is not a part of what is sent.
                var content = send
                content.after = nil
                hash.combine(try WireCodec.encodeSorted(content))
            }
        } else {
            hash.combine(type(of: value).name)
            hash.combine(try WireCodec.encodeSorted(value))
        }
        return hash.value
    }
}
