import RoostWire

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

/// One (channel, user) pair.
struct MemberKey: Hashable {
    var channel: ChannelID
    var user: UserID
}
