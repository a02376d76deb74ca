/// A member of a channel, with how far that member has read.
public struct Member: Codable, Hashable, Sendable {
    /// The member's user id.
    public var userID: UserID
    /// The member's name.
    public var name: String
    /// The member's picture.
    public var imageURL: String?
    /// The member's role.
    public var role: Role
    /// The newest row that the member has read; 0 for none.
    public var readSeq: Int64
    /// When the member read it, ms since 1970; 0 for never.
    public var readAt: Int64

    /// Makes a member.
    public init(userID: UserID, name: String, imageURL: String? = nil, role: Role, readSeq: Int64, readAt: Int64) {
        self.userID = userID
        self.name = name
        self.imageURL = imageURL
        self.role = role
        self.readSeq = readSeq
        self.readAt = readAt
    }
}

/// Makes known users members of a group at once.
///
/// Inviting somebody into a 1-on-1 makes a new group of the three and leaves
/// the 1-on-1 as it is; the acknowledgement names the new channel. Who is a
/// member already is passed over.
public struct InviteMembers: Command {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "member.invite"
    /// The group or 1-on-1.
    public var channel: ChannelID
    /// 1 to 100 users.
    public var members: [UserID]

    /// Makes the command.
    public init(channel: ChannelID, members: [UserID]) {
        self.channel = channel
        self.members = members
    }
}

/// Lists the members of a channel by user id, with their read marks.
public struct ListMembers: Command {
    /// The name on the wire.
    public static let name = "member.list"
    /// The channel.
    public var channel: ChannelID
    /// The last user id of the page before; absent for the first page.
    public var after: UserID?
    /// How many at most: 1 to 500, 100 when absent.
    public var limit: Int?

    /// Makes the command.
    public init(channel: ChannelID, after: UserID? = nil, limit: Int? = nil) {
        self.channel = channel
        self.after = after
        self.limit = limit
    }

    /// A page of members.
    public struct Answer: Codable, Hashable, Sendable {
        /// The members, ordered by user id.
        public var members: [Member]
        /// How many members the channel has.
        public var memberCount: Int
        /// Whether more follow.
        public var hasMore: Bool

        /// Makes a page.
        public init(members: [Member], memberCount: Int, hasMore: Bool) {
            self.members = members
            self.memberCount = memberCount
            self.hasMore = hasMore
        }
    }
}

/// The body of `member.invited`: users were made members.
public struct MembersInvited: Codable, Hashable, Sendable {
    /// Who joined.
    public var members: [User]
    /// How many members the channel has now.
    public var memberCount: Int

    /// Makes the body.
    public init(members: [User], memberCount: Int) {
        self.members = members
        self.memberCount = memberCount
    }
}

/// The body of `member.left`: a member left.
public struct MemberLeft: Codable, Hashable, Sendable {
    /// Who left.
    public var userID: UserID
    /// The name of who left.
    public var name: String
    /// How many members the channel has now.
    public var memberCount: Int

    /// Makes the body.
    public init(userID: UserID, name: String, memberCount: Int) {
        self.userID = userID
        self.name = name
        self.memberCount = memberCount
    }
}
