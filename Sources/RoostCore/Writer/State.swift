package import RoostWire

/// The writer's state of a member.
struct MemberState {
    var role: Role
    var flags: MemberFlags = []
    /// The name and picture in this channel, if the member has set them; a separate object because few members have.
    var appearance: MemberAppearance?
    var floorSeq: Int64 = 0
    /// The last row from before the join that the member may not read; 0 if the whole history is visible. What the
    /// member has cleared since does not change it.
    var pastSeq: Int64 = 0
    var hiddenSeq: Int64 = -1
    var markSeq: Int64 = 0
    var markCount: Int64 = 0
    var markAt: Int64 = 0
    var joinedSeq: Int64 = 0
    /// The number of messages above the mark that count in the channel but not as unread: own, recalled or deleted
    /// ones.
    var own: Int64 = 0
}

/// The flags of a member.
struct MemberFlags: OptionSet {
    let rawValue: Int64

    static let muted = MemberFlags(rawValue: 1)
    static let markedUnread = MemberFlags(rawValue: 2)
    /// In a 1-on-1: the member has blocked the other user.
    static let blocksOther = MemberFlags(rawValue: 4)
    /// Another user has made the user a member, or has created the 1-on-1, and the user has written nothing there since.
    /// It is never set for what an operator or an API key has done in a group.
    static let given = MemberFlags(rawValue: 8)

    /// ``given`` as an SQL condition.
    static func isGiven(_ flags: Query) -> Query { "(\(flags) & 8) > 0" }
}

/// The name and picture of a member in one channel.
final class MemberAppearance: Sendable {
    let nickname: String?
    let imageURL: String?

    /// Returns nil if there is neither.
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

/// The flags of a row in a channel's log, as stored in the column `flags`.
struct RowFlags: OptionSet {
    let rawValue: Int64

    /// It counts as unread.
    static let counted = RowFlags(rawValue: 1)
    /// It was recalled silently: only `resume` returns it.
    static let silent = RowFlags(rawValue: 2)
    /// It was recalled.
    static let recalled = RowFlags(rawValue: 4)
}

/// `RowFlags` as SQL conditions. The numbers are literals, so that the partial index on `flags` can be used.
///
/// A silent row is always recalled, so 2 and 3 do not occur.
extension RowFlags {
    /// The row has its content: it was not recalled.
    static func isIntact(_ flags: Query) -> Query { "\(flags) < 4" }
    /// The row is shown, possibly as the placeholder of a recalled message.
    static func isShown(_ flags: Query) -> Query { "\(flags) < 6" }
    /// The row counted as unread and was recalled, silently or not.
    static func isCountedAndRecalled(_ flags: Query) -> Query { "\(flags) >= 5 AND \(flags) <> 6" }
}

/// A user who is not a member but has a row: a former member, or a banned or invited user.
struct NonMember {
    var role: Role = .none
    var leftSeq: Int64
    var joinedSeq: Int64 = Self.neverJoined
    var appearance: MemberAppearance?
    /// When the ban ends; nil if the user is not banned, or for good.
    var bannedUntil: Int64?

    /// The `joinedSeq` of a user who was banned or invited without ever having been a member.
    static let neverJoined: Int64 = -1

    var wasMember: Bool { joinedSeq >= 0 }
}

/// The writer's state of a channel, with its members.
struct ChannelState {
    var id: ChannelID
    var kind: ChannelKind
    var title: String?
    /// The settings without the title; nil if all have their default values.
    var profile: ProfileBox?
    var seq: Int64 = 0
    var count: Int64 = 0
    var lastSentAt: Int64 = 0
    var lastMessageSeq: Int64 = 0
    /// The newest news item: it unhides a channel, although it is not a last message.
    var newestPieceSeq: Int64 = 0
    var version: Int64 = 1
    var createdAt: Int64 = 0
    var createdBy: UserID?
    /// Rows up to this one are purged; the marks of all members are at or after it.
    var purgedSeq: Int64 = 0
    /// When the channel was dismissed; its id stays reserved.
    var dismissedAt: Int64?
    /// Empty for an open channel, because participation belongs to sessions. For news, only the users who act in the
    /// batch, and nobody outside of one.
    var members: [UserID: MemberState] = [:]
    /// The number of subscribers of a news channel, as `members` does not contain all of them.
    var subscribers = 0
    /// The number of the batch in which it was last used.
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

    /// The row after which a user may read.
    func floor(of user: UserID) -> Int64 { max(members[user]?.floorSeq ?? 0, purgedSeq) }

    /// Whether the other user of a 1-on-1 has blocked this user.
    func isBlocked(_ user: UserID) -> Bool {
        kind == .single && members.contains { $0.key != user && $0.value.flags.contains(.blocksOther) }
    }

    /// Whether one user of a 1-on-1 has blocked the other.
    var hasBlock: Bool { kind == .single && members.values.contains { $0.flags.contains(.blocksOther) } }

    var admins: Int { members.values.reduce(0) { $0 + ($1.role == .admin ? 1 : 0) } }
}

/// The settings of a channel, shared by the copies of its state.
final class ProfileBox: Sendable {
    let profile: ChannelProfile

    /// Returns nil if all settings besides the title have their default values.
    init?(_ profile: ChannelProfile) {
        var rest = profile
        rest.title = nil
        guard rest != ChannelProfile() else { return nil }
        self.profile = rest
    }
}

/// The writer's state of a user.
struct UserState {
    var user: User
    /// What the user has chosen, instead of the token.
    var own: OwnFields = []
    var seq: Int64 = 0
    var lastSentAt: Int64 = 0
    /// The only user whom the user may talk to, if that is a visitor.
    var host: UserID?
}

/// The idempotency key of a command, unique per user.
struct CommandKey: Hashable {
    var user: UserID
    var transID: TransID
}

/// A command that was accepted earlier, and its answer.
struct KnownCommand {
    var hash: Int64
    var answer: [UInt8]
}

/// One (channel, user) pair.
struct MemberKey: Hashable {
    var channel: ChannelID
    var user: UserID
}

/// A hash of a command's content that is the same in every process: FNV-1a over the fields.
///
/// It only distinguishes a retry from a mistake by the same user, so it need not resist attacks.
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

extension Command {
    /// The hash of the content that two commands of the server itself with the same transID must share.
    package func contentHash() throws -> Int64 {
        var hash = BodyHash()
        hash.combine(Self.name)
        hash.combine(try WireCodec.encodeSorted(self))
        return hash.value
    }
}

extension WritingCommand {
    /// The hash of the content that two commands with the same transID must share.
    ///
    /// An optional field that is given with its default value makes no difference.
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
                // The position in the order is not part of the content.
                var content = send
                content.after = nil
                hash.combine(try WireCodec.encodeSorted(content))
            }
        } else {
            let command = withoutDefaults
            hash.combine(type(of: command.value).name)
            hash.combine(try WireCodec.encodeSorted(command.value))
        }
        return hash.value
    }

    private var withoutDefaults: WritingCommand {
        switch self {
        case .createChannel(var command):
            if command.members?.isEmpty == true { command.members = nil }
            command.members = command.members?.map(\.withoutDefaults)
            if command.profile == ChannelProfile() { command.profile = nil }
            return .createChannel(command)
        case .inviteMembers(var command):
            command.members = command.members.map(\.withoutDefaults)
            if command.joinMethod == .normal { command.joinMethod = nil }
            return .inviteMembers(command)
        case .becomeMember(var command):
            if command.joinMethod == .normal { command.joinMethod = nil }
            return .becomeMember(command)
        case .kickMembers(var command):
            if command.reason == 0 { command.reason = nil }
            return .kickMembers(command)
        case .banMembers(var command):
            if command.reason == 0 { command.reason = nil }
            return .banMembers(command)
        case .recallMessages(var command):
            if command.isSilent == false { command.isSilent = nil }
            return .recallMessages(command)
        default: return self
        }
    }
}

extension NewMember {
    fileprivate var withoutDefaults: NewMember {
        var member = self
        if role == .participant { member.role = nil }
        return member
    }
}
