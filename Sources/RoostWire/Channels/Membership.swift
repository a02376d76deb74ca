/// Accepts or declines an invitation to a group.
///
/// Accepting makes the caller a participant: `member.joined` in the channel,
/// `channel.joined` in the user's own log. Declining leaves no trace but
/// `member.roleChanged` to `none` for the members and `channel.left` for the user's own
/// devices. Who is a member, or was one, and is not invited gets 1116; a full
/// channel 1115, and the invitation stands.
public struct AnswerInvitation: Command {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "member.answer"
    /// As a case of the closed list.
    public var any: AnyCommand { .write(.answerInvitation(self)) }
    /// The channel.
    public var changedChannels: [ChannelID] { [channel] }
    /// The group.
    public var channel: ChannelID
    /// Whether the caller joins.
    public var isAccepted: Bool

    /// Makes the command.
    public init(channel: ChannelID, isAccepted: Bool) {
        self.channel = channel
        self.isAccepted = isAccepted
    }
}

/// Makes the caller a participant of a group that lets people join by themselves, or subscribes to a channel of news.
///
/// News that are published from then on count as unread; the subscription is told
/// to nobody, and the acknowledgement has no `seq`.
///
/// To take part in an open channel, use `channel.join`; here it is 1104, as is a
/// 1-on-1. A group without `canJoin` does not exist for a stranger (1105) and
/// refuses a former member (1107); somebody banned is refused (1107), a full
/// group answers 1115. Who is a member already joins without effect.
public struct BecomeMember: Command {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "member.join"
    /// As a case of the closed list.
    public var any: AnyCommand { .write(.becomeMember(self)) }
    /// The channel.
    public var changedChannels: [ChannelID] { [channel] }
    /// The group.
    public var channel: ChannelID
    /// The way by which the caller found it; absent means `normal`.
    public var joinMethod: JoinMethod?
    /// Who gave the caller the link or the code.
    public var byUserID: UserID?

    /// Makes the command.
    public init(channel: ChannelID, joinMethod: JoinMethod? = nil, byUserID: UserID? = nil) {
        self.channel = channel
        self.joinMethod = joinMethod
        self.byUserID = byUserID
    }
}

/// Removes members from a group at once; an invitation that is not answered yet is taken back.
///
/// Moderators remove those below moderator, admins everybody but themselves
/// (1107). Nobody named is 1109; somebody who is neither member nor invited is
/// 1114; too few left is 1108. All or nothing. The removed get the row
/// `member.kicked` while they are connected, and `channel.left` in their own log;
/// after it the channel answers 1117 to them. They may be invited again.
public struct KickMembers: Command {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "member.kick"
    /// As a case of the closed list.
    public var any: AnyCommand { .write(.kickMembers(self)) }
    /// The channel.
    public var changedChannels: [ChannelID] { [channel] }
    /// The group.
    public var channel: ChannelID
    /// 1 to 100 members.
    public var members: [UserID]
    /// A number of the app's own, 0 or more, handed on to everybody; absent means 0.
    public var reason: Int?

    /// Makes the command.
    public init(channel: ChannelID, members: [UserID], reason: Int? = nil) {
        self.channel = channel
        self.members = members
        self.reason = reason
    }
}

/// Bans users from a group: they are removed and can neither join nor be invited until `member.unban`.
///
/// The same rights as `member.kick`. Nobody named is 1110. A user who is no
/// member may be banned too, so that somebody who left cannot come back; an
/// unknown user is 7011, and more than `limits.bans` 7018. Who is banned already
/// is passed over.
public struct BanMembers: Command {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "member.ban"
    /// As a case of the closed list.
    public var any: AnyCommand { .write(.banMembers(self)) }
    /// The channel.
    public var changedChannels: [ChannelID] { [channel] }
    /// The group.
    public var channel: ChannelID
    /// 1 to 100 users.
    public var members: [UserID]
    /// A number of the app's own, 0 or more, handed on to everybody; absent means 0.
    public var reason: Int?

    /// Makes the command.
    public init(channel: ChannelID, members: [UserID], reason: Int? = nil) {
        self.channel = channel
        self.members = members
        self.reason = reason
    }
}

/// Lifts bans. Those users are no members by that, but can be invited and can join again.
///
/// The same rights as `member.kick`. Nobody named is 1110, somebody who is not
/// banned 7017.
public struct UnbanMembers: Command {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "member.unban"
    /// As a case of the closed list.
    public var any: AnyCommand { .write(.unbanMembers(self)) }
    /// The channel.
    public var changedChannels: [ChannelID] { [channel] }
    /// The group.
    public var channel: ChannelID
    /// 1 to 100 users.
    public var members: [UserID]

    /// Makes the command.
    public init(channel: ChannelID, members: [UserID]) {
        self.channel = channel
        self.members = members
    }
}

/// The body of `member.joined`: somebody joined, or accepted an invitation.
public struct MemberJoined: Codable, Hashable, Sendable {
    /// Who joined, by the name to show in this channel.
    public var member: User
    /// How many members the channel has now.
    public var memberCount: Int
    /// Whether an invitation was accepted.
    public var isAnswer: Bool
    /// The way by which the member came; absent for `normal`.
    public var joinMethod: JoinMethod?
    /// Who invited the member, or gave the link.
    public var byUserID: UserID?

    /// Makes the body.
    public init(
        member: User, memberCount: Int, isAnswer: Bool, joinMethod: JoinMethod? = nil, byUserID: UserID? = nil
    ) {
        self.member = member
        self.memberCount = memberCount
        self.isAnswer = isAnswer
        self.joinMethod = joinMethod
        self.byUserID = byUserID
    }
}

/// The body of `member.kicked` and `member.banned`: users were removed, or banned.
///
/// A `member.kicked` row is the last one of the channel that the removed get; a
/// `member.banned` row goes to those who are left.
public struct MembersRemoved: Codable, Hashable, Sendable {
    /// Who was removed, by the names to show in this channel.
    public var members: [User]
    /// How many members the channel has now.
    public var memberCount: Int
    /// The number that the caller gave; 0 when there was none.
    public var reason: Int

    /// Makes the body.
    public init(members: [User], memberCount: Int, reason: Int = 0) {
        self.members = members
        self.memberCount = memberCount
        self.reason = reason
    }
}

/// The body of `channel.invited`, in the user log: somebody asks the user to become a member.
///
/// The answer is `member.answer`. Until then the channel's log is closed to the
/// user; `channel.query` with the role `invited` lists what waits. When the
/// invitation is taken back, `channel.left` or `channel.dismissed` follows.
public struct ChannelInvited: Codable, Hashable, Sendable {
    /// The channel.
    public var channel: ChannelID
    /// Its title; absent when it has none.
    public var title: String?
    /// The first members, at most eight, for the title.
    public var members: [User]
    /// How many members it has.
    public var memberCount: Int
    /// The name of who asks; the user id is the event's `senderID`.
    public var byName: String
    /// The way by which the user was found; absent for `normal`.
    public var joinMethod: JoinMethod?

    /// Makes the body.
    public init(
        channel: ChannelID, title: String? = nil, members: [User], memberCount: Int, byName: String,
        joinMethod: JoinMethod? = nil
    ) {
        self.channel = channel
        self.title = title
        self.members = members
        self.memberCount = memberCount
        self.byName = byName
        self.joinMethod = joinMethod
    }
}
