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
    /// The picture to show: the member's own one in this channel, else the user's.
    public var imageURL: String?
    /// The member's role.
    public var role: Role
    /// The newest row that the member has read; 0 for none.
    public var readSeq: Int64
    /// When the member read it; 1970 (0 on the wire) for never.
    @Timestamp public var readAt: Date
    /// Whether `name` is a nickname in this channel; absent for no.
    public var hasNickname: Bool?
    /// Whether `imageURL` is a picture for this channel only; absent for no.
    public var hasChannelImage: Bool?
    /// When the member joined, was invited or banned; in `channel.get` and `member.list` only.
    @OptionalTimestamp public var joinedAt: Date?
    /// By which way the member came in; absent for `normal`, and outside `channel.get` and `member.list`.
    public var joinMethod: JoinMethod?
    /// Who invited or banned the member, or gave the link to join; absent for nobody.
    public var byUserID: UserID?

    /// Makes a member.
    public init(
        userID: UserID, name: String, imageURL: String? = nil, role: Role, readSeq: Int64, readAt: Date,
        hasNickname: Bool? = nil, hasChannelImage: Bool? = nil, joinedAt: Date? = nil, joinMethod: JoinMethod? = nil,
        byUserID: UserID? = nil
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
    }
}

/// How somebody became a member: for statistics only, it changes nothing. Travels by name.
public enum JoinMethod: String, Codable, CaseIterable, Sendable {
    /// No way in particular.
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

    /// The way with this reference number; nil for any other number.
    public init?(number: Int) {
        guard let method = JoinMethod.allCases.first(where: { $0.number == number }) else { return nil }
        self = method
    }
}

/// Somebody who is to become a member.
///
/// It travels as a plain user id if nothing else is to be said, and otherwise as an object with
/// these fields. Both may stand in one list.
public struct NewMember: Codable, Hashable, Sendable {
    /// The user; 1106 if the server does not know that user, 7019 if that user is in too many channels.
    public var userID: UserID
    /// The role, at most the caller's own (1107); absent means `participant`. `invited` asks first; `none` and
    /// `outcast` are 1107, too.
    public var role: Role?
    /// A nickname in this channel, 1 to 200 UTF-16 units; the member may change it.
    public var nickname: String?
    /// A picture in this channel, at most 2,000 bytes; the member may change it.
    public var imageURL: String?

    /// Makes it.
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

    /// Writes a user id where that says it all, else an object.
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
/// users who are invited already, unless the role is a member's this time: that makes them members
/// at once. Fails with 1107 if a user is banned, and with 7003 if a user has blocked the caller.
/// The command does all or nothing.
///
/// Everybody who is a member afterwards gets `member.invited`. The new members also get
/// `channel.joined` in their own log, and those who are asked get `channel.invited`. If nobody is
/// left to invite, nothing is written and the acknowledgement has no `seq`. An open channel fails
/// with 1104.
public struct InviteMembers: Command {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "member.invite"
    /// As a case of the closed list.
    public var any: AnyCommand { .write(.inviteMembers(self)) }
    /// The channel.
    public var changedChannels: [ChannelID] { [channel] }
    /// The group or 1-on-1.
    public var channel: ChannelID
    /// 1 to 100 users, each named once, as plain ids or with role, nickname and picture.
    public var members: [NewMember]
    /// The way by which they were found; absent means `normal`.
    public var joinMethod: JoinMethod?

    /// Makes the command.
    public init(channel: ChannelID, members: [NewMember], joinMethod: JoinMethod? = nil) {
        self.channel = channel
        self.members = members
        self.joinMethod = joinMethod
    }

    /// Makes the command for users who become participants at once.
    public init(channel: ChannelID, members: [UserID]) {
        self.init(channel: channel, members: members.map { NewMember($0) })
    }
}

/// Lists the members of a channel by user id, with their read marks.
///
/// A participant sees participants, moderators and admins. Moderators and admins also see who is
/// invited and who is banned; these two never count as members. An open channel has no members
/// (1104).
public struct ListMembers: ListingCommand {
    /// The name on the wire.
    public static let name = "member.list"
    /// As a case of the closed list.
    public var any: AnyCommand { .read(.listMembers(self)) }
    /// The channel.
    public var channel: ChannelID
    /// How many at most: 1 to 500, 100 when absent.
    public var limit: Int?
    /// The `next` of the page before; absent for the first page.
    public var cursor: String?
    /// Only members with one of these roles; absent for the three that are members.
    public var roles: [Role]?

    /// Makes the command.
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
        /// What the page lists.
        public var elements: [Member] { members }

        /// Makes a page.
        public init(members: [Member], memberCount: Int, next: String? = nil) {
            self.members = members
            self.memberCount = memberCount
            self.next = next
        }
    }
}

/// The body of `member.invited`: users were made members, or were asked to become members.
public struct MembersInvited: Codable, Hashable, Sendable {
    /// Who joined at once, by the names to show in this channel.
    public var members: [User]
    /// How many members the channel has now.
    public var memberCount: Int
    /// The roles of those in `members` who are not participants.
    public var roles: [MemberRole]?
    /// Who was asked and has not answered; they are no members yet.
    public var invited: [User]?
    /// The way by which they were found; absent for `normal`.
    public var joinMethod: JoinMethod?

    /// Makes the body.
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
    /// Who left.
    public var userID: UserID
    /// The name of the user who left.
    public var name: String
    /// How many members the channel has now.
    public var memberCount: Int
    /// Who became admin in that user's place; absent if nobody did.
    public var successor: UserID?

    /// Makes the body.
    public init(userID: UserID, name: String, memberCount: Int, successor: UserID? = nil) {
        self.userID = userID
        self.name = name
        self.memberCount = memberCount
        self.successor = successor
    }
}
