#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A member of a channel, with how far that member has read.
public struct Member: Codable, Hashable, Sendable {
    /// The member's user id.
    public var userID: UserID
    /// The name to show: the member's nickname in this channel, else the user's name.
    public var name: String
    /// The picture to show: the member's picture in this channel, else the user's.
    public var imageURL: String?
    /// The member's role.
    public var role: Role
    /// The newest row that the member has read; 0 for none.
    public var readSeq: Int64
    /// When the member read it; the start of 1970 (0) if never.
    @Timestamp public var readAt: Date
    /// Whether `name` is a nickname in this channel; false if absent.
    public var hasNickname: Bool?
    /// Whether `imageURL` is a picture for this channel only; false if absent.
    public var hasChannelImage: Bool?
    /// When the member joined, was invited or banned; in `channel.get` and `member.list` only.
    @OptionalTimestamp public var joinedAt: Date?
    /// How the member joined; in `channel.get` and `member.list` only, `normal` if absent there.
    public var joinMethod: JoinMethod?
    /// The user who invited or banned the member, or gave the link to join; absent if nobody did.
    public var byUserID: UserID?
    /// When the ban ends; absent if the user is not banned, or for good.
    @OptionalTimestamp public var bannedUntil: Date?

    /// Creates a member.
    public init(
        userID: UserID, name: String, imageURL: String? = nil, role: Role, readSeq: Int64, readAt: Date,
        hasNickname: Bool? = nil, hasChannelImage: Bool? = nil, joinedAt: Date? = nil, joinMethod: JoinMethod? = nil,
        byUserID: UserID? = nil, bannedUntil: Date? = nil
    ) {
        self.userID = userID
        self.name = name
        self.imageURL = imageURL
        self.role = role
        self.readSeq = readSeq
        self.readAt = readAt
        self.hasNickname = hasNickname
        self.hasChannelImage = hasChannelImage
        self.joinedAt = joinedAt
        self.joinMethod = joinMethod
        self.byUserID = byUserID
        _bannedUntil = OptionalTimestamp(wrappedValue: bannedUntil)
    }
}

/// How somebody became a member: for statistics only. A name on the wire.
public enum JoinMethod: String, Codable, CaseIterable, Sendable {
    /// No particular method.
    case normal
    /// The QR code of a user was scanned.
    case userCode
    /// A moderator added a phone number.
    case moderatorPhone
    /// Found by searching for a user.
    case userSearch
    /// The QR code of a moderator was scanned.
    case moderatorCode

    /// The number in the reference table.
    public var number: Int {
        switch self {
        case .normal: 0
        case .userCode: 1
        case .moderatorPhone: 2
        case .userSearch: 3
        case .moderatorCode: 4
        }
    }

    /// The method with this reference number; nil for any other number.
    public init?(number: Int) {
        guard let method = JoinMethod.allCases.first(where: { $0.number == number }) else { return nil }
        self = method
    }
}

/// A user who is to become a member.
///
/// On the wire it is a plain user id if the other fields are absent, and otherwise an object with
/// these fields. A list may contain both forms.
public struct NewMember: Codable, Hashable, Sendable {
    /// The user; 1106 if the server does not know that user, 7019 if that user is in too many channels.
    public var userID: UserID
    /// The role, at most the caller's own (1107); `participant` if absent. With `invited` the user is asked first;
    /// `none` and `outcast` fail with 1107.
    public var role: Role?
    /// A nickname in this channel, 1 to 200 UTF-16 units; the member may change it.
    public var nickname: String?
    /// A picture in this channel, at most 2,000 bytes; the member may change it. Not an uploaded one (6): only the member
    /// may set that.
    public var imageURL: String?

    /// Creates it.
    public init(_ userID: UserID, role: Role? = nil, nickname: String? = nil, imageURL: String? = nil) {
        self.userID = userID
        self.role = role
        self.nickname = nickname
        self.imageURL = imageURL
    }

    private enum CodingKeys: String, CodingKey {
        case userID, role, nickname, imageURL
    }

    /// Reads a user id or an object.
    public init(from decoder: any Decoder) throws {
        if let plain = try? decoder.singleValueContainer(), (try? plain.decode(String.self)) != nil {
            self.init(try plain.decode(UserID.self))
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(UserID.self, forKey: .userID),
            role: try container.decodeIfPresent(Role.self, forKey: .role),
            nickname: try container.decodeIfPresent(String.self, forKey: .nickname),
            imageURL: try container.decodeIfPresent(String.self, forKey: .imageURL))
    }

    /// Writes a user id if the other fields are nil, else an object.
    public func encode(to encoder: any Encoder) throws {
        if role == nil, nickname == nil, imageURL == nil {
            try userID.encode(to: encoder)
            return
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(userID, forKey: .userID)
        try container.encodeIfPresent(role, forKey: .role)
        try container.encodeIfPresent(nickname, forKey: .nickname)
        try container.encodeIfPresent(imageURL, forKey: .imageURL)
    }
}

/// Makes known users members of a group, at once or after they have accepted.
///
/// Inviting somebody into a 1-on-1 makes a new group of the three and leaves the 1-on-1 as it is;
/// the acknowledgement names the new channel. Users who are members already are skipped. So are
/// users who are invited already, unless the new role is that of a member: then they become members
/// at once. A user whose `invitesFrom` leaves the caller out is asked, whatever role is named; see
/// `user.setSettings`. Fails with 1107 if a user is banned, and with 7003 if a user has blocked the
/// caller. Fails with 7019 as `channel.create` does. Either all users are invited or none.
///
/// Everybody who is a member afterwards gets `member.invited`. The new members also get
/// `channel.joined` in their user logs, and those who are asked get `channel.invited`. If nobody is
/// left to invite, nothing is written and the acknowledgement has no `seq`. An open channel fails
/// with 1104.
public struct InviteMembers: WriteCommand, ChannelCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "member.invite"
    /// The group or 1-on-1.
    public var channel: ChannelID
    /// 1 to 100 users, each named once, as plain ids or with role, nickname and picture.
    public var members: [NewMember]
    /// How they were found; `normal` if absent.
    public var joinMethod: JoinMethod?

    /// Creates the command.
    public init(channel: ChannelID, members: [NewMember], joinMethod: JoinMethod? = nil) {
        self.channel = channel
        self.members = members
        self.joinMethod = joinMethod
    }

    /// Creates the command for users who become participants at once.
    public init(channel: ChannelID, members: [UserID]) {
        self.init(channel: channel, members: members.map { NewMember($0) })
    }
}

/// Lists the members of a channel by user id, with their read marks.
///
/// A participant sees participants, moderators and admins. Moderators and admins also see who is
/// invited and who is banned; these two never count as members. An open channel has no members
/// (1104), but operators see who is banned from it, with `roles`.
public struct ListMembers: ListingCommand {
    /// The name on the wire.
    public static let name = "member.list"
    /// A channel that the caller may read. To a stranger it does not exist (1105).
    public var channel: ChannelID
    /// How many at most: 1 to 500, 100 if absent.
    public var limit: Int?
    /// The `next` of the previous page; absent for the first page.
    public var cursor: String?
    /// Only users with one of these roles; participants, moderators and admins if absent.
    public var roles: [Role]?

    /// Creates a value with these fields.
    public init(channel: ChannelID, limit: Int? = nil, cursor: String? = nil, roles: [Role]? = nil) {
        self.channel = channel
        self.limit = limit
        self.cursor = cursor
        self.roles = roles
    }

    /// A page of members.
    public struct Answer: ListingAnswer {
        /// The members, ordered by user id.
        public var members: [Member]
        /// How many members the channel has, without those invited or banned.
        public var memberCount: Int
        /// The `cursor` of the next page; absent on the last one.
        public var next: String?

        /// Creates a value with these fields.
        public init(members: [Member], memberCount: Int, next: String? = nil) {
            self.members = members
            self.memberCount = memberCount
            self.next = next
        }

        /// What the page lists.
        public var elements: [Member] { members }
    }
}

/// The body of `member.invited`: users were made members, or were asked to become members.
public struct MembersInvited: Codable, Hashable, Sendable {
    /// The users who joined at once, with the names to show in this channel.
    public var members: [User]
    /// How many members the channel has now.
    public var memberCount: Int
    /// The roles of the users in `members` who are not participants.
    public var roles: [MemberRole]?
    /// The users who were asked; they are not members yet.
    public var invited: [User]?
    /// How they were found; `normal` if absent.
    public var joinMethod: JoinMethod?

    /// Creates a value with these fields.
    public init(
        members: [User], memberCount: Int, roles: [MemberRole]? = nil, invited: [User]? = nil,
        joinMethod: JoinMethod? = nil
    ) {
        self.members = members
        self.memberCount = memberCount
        self.roles = roles
        self.invited = invited
        self.joinMethod = joinMethod
    }
}

/// The body of `member.left`: a member left.
public struct MemberLeft: Codable, Hashable, Sendable {
    /// The user who left.
    public var userID: UserID
    /// The name of the user who left.
    public var name: String
    /// How many members the channel has now.
    public var memberCount: Int
    /// The user who became admin instead; absent if nobody did.
    public var successor: UserID?

    /// Creates a value with these fields.
    public init(userID: UserID, name: String, memberCount: Int, successor: UserID? = nil) {
        self.userID = userID
        self.name = name
        self.memberCount = memberCount
        self.successor = successor
    }
}

/// The body of `member.profileChanged`: a member has another name or picture in this channel.
public struct MemberProfileChanged: Codable, Hashable, Sendable {
    /// The member, with the new name and picture to show in this channel.
    public var member: User
    /// Whether the name is a nickname in this channel.
    public var hasNickname: Bool
    /// Whether the picture is one for this channel only.
    public var hasChannelImage: Bool

    /// Creates a value with these fields.
    public init(member: User, hasNickname: Bool, hasChannelImage: Bool) {
        self.member = member
        self.hasNickname = hasNickname
        self.hasChannelImage = hasChannelImage
    }
}
