#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Accepts or declines an invitation to a group.
///
/// Accepting makes the caller a participant: `member.joined` in the channel, `channel.joined` in
/// the user's log. After declining, the members get `member.roleChanged` to `none`, and the
/// user's own devices get `channel.left`. Fails with 1116 if the caller is or was a member and is
/// not invited. Fails with 1115 if the channel is full, and with 7019 if the caller accepts and is in
/// as many channels as `limits.channelsPerUser` allows; the invitation stays.
public struct AnswerInvitation: WriteCommand, ChannelCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "member.answer"
    /// The group.
    public var channel: ChannelID
    /// Whether the caller joins.
    public var isAccepted: Bool

    /// Creates a value with these fields.
    public init(channel: ChannelID, isAccepted: Bool) {
        self.channel = channel
        self.isAccepted = isAccepted
    }
}

/// Makes the caller a participant of a group that lets people join on their own, or subscribes the caller to news.
///
/// News that are published from then on count as unread. Nobody is told of the subscription, and
/// the acknowledgement has no `seq`.
///
/// Fails with 1104 for an open channel (use `channel.join`) and for a 1-on-1. A group without
/// `canJoin` fails with 1105 if the caller never was a member, and with 1107 if the caller was a
/// member or is invited. Fails with 1107 if the caller is banned, and with 1115 if the group is
/// full. If the caller is a member already, nothing changes.
public struct BecomeMember: WriteCommand, ChannelCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "member.join"
    /// The group.
    public var channel: ChannelID
    /// How the caller found it; `normal` if absent.
    public var joinMethod: JoinMethod?
    /// The user who gave the caller the link or the code.
    public var byUserID: UserID?

    /// Creates a value with these fields.
    public init(channel: ChannelID, joinMethod: JoinMethod? = nil, byUserID: UserID? = nil) {
        self.channel = channel
        self.joinMethod = joinMethod
        self.byUserID = byUserID
    }
}

/// Removes members from a group at once, and withdraws invitations that are not answered yet.
///
/// Moderators remove members below moderator, admins everybody but themselves (1107). Fails with
/// 1109 if nobody is named, with 1114 if somebody is neither a member nor invited, and with 1108 if
/// too few members would be left. It removes all or none. Removed users who are connected get the
/// row `member.kicked`, and all get `channel.left` in their user logs. After that the channel fails
/// with 1117 for them. They may be invited again.
public struct KickMembers: WriteCommand, ChannelCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "member.kick"
    /// The group.
    public var channel: ChannelID
    /// 1 to 100 members.
    public var members: [UserID]
    /// An app-defined number, 0 or more, passed on to everybody; 0 if absent.
    public var reason: Int?

    /// Creates a value with these fields.
    public init(channel: ChannelID, members: [UserID], reason: Int? = nil) {
        self.channel = channel
        self.members = members
        self.reason = reason
    }
}

/// Bans users from a group or an open channel: they are removed, and cannot join or be invited until
/// `member.unban`, or until the ban ends.
///
/// In a group it needs the same rights as `member.kick`. A user who is not a member may be banned
/// too, so that somebody who left cannot join again. In an open channel it is for operators (1107):
/// the user's connections leave it, and until the ban ends every command of that user about the
/// channel fails with 1107. Nobody else is told there, and the acknowledgement has no `seq`.
///
/// A ban with `bannedUntil` ends by itself at that time, by the server's clock; no event follows.
/// Users who are banned already get the new end, and are skipped if it is the same. Fails with 1110
/// if nobody is named, with 7011 for an unknown user, with 6 for an end that has passed, and with
/// 7018 for more than `limits.bans`.
public struct BanMembers: WriteCommand, ChannelCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "member.ban"
    /// The group or open channel.
    public var channel: ChannelID
    /// 1 to 100 users.
    public var members: [UserID]
    /// An app-defined number, 0 or more, passed on to everybody; 0 if absent.
    public var reason: Int?
    /// When the ban ends; if absent, it holds until it is lifted.
    @OptionalTimestamp public var bannedUntil: Date?

    /// Creates the command.
    public init(channel: ChannelID, members: [UserID], reason: Int? = nil, bannedUntil: Date? = nil) {
        self.channel = channel
        self.members = members
        self.reason = reason
        _bannedUntil = OptionalTimestamp(wrappedValue: bannedUntil)
    }
}

/// Lifts bans. The users do not become members, but they can be invited and can join again.
///
/// It needs the same rights as `member.ban`. Fails with 1110 if nobody is named, and with 7017 if
/// somebody is not banned.
public struct UnbanMembers: WriteCommand, ChannelCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "member.unban"
    /// The group or open channel.
    public var channel: ChannelID
    /// 1 to 100 users.
    public var members: [UserID]

    /// Creates a value with these fields.
    public init(channel: ChannelID, members: [UserID]) {
        self.channel = channel
        self.members = members
    }
}

/// The body of `member.joined`: somebody joined, or accepted an invitation.
public struct MemberJoined: Codable, Hashable, Sendable {
    /// The user who joined, with the name to show in this channel.
    public var member: User
    /// How many members the channel has now.
    public var memberCount: Int
    /// Whether an invitation was accepted.
    public var isAnswer: Bool
    /// How the member joined; `normal` if absent.
    public var joinMethod: JoinMethod?
    /// The user who invited the member, or gave the link.
    public var byUserID: UserID?

    /// Creates a value with these fields.
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
/// A `member.kicked` row is the last one of the channel that the removed users get. A
/// `member.banned` row only goes to those who stay.
public struct MembersRemoved: Codable, Hashable, Sendable {
    /// The users who were removed, with the names to show in this channel.
    public var members: [User]
    /// How many members the channel has now.
    public var memberCount: Int
    /// The number that the caller gave; 0 by default.
    public var reason: Int
    /// When the ban ends; absent if there is none, or if it holds until it is lifted.
    @OptionalTimestamp public var bannedUntil: Date?

    /// Creates the body.
    public init(members: [User], memberCount: Int, reason: Int = 0, bannedUntil: Date? = nil) {
        self.members = members
        self.memberCount = memberCount
        self.reason = reason
        _bannedUntil = OptionalTimestamp(wrappedValue: bannedUntil)
    }
}

/// The body of `channel.invited`, in the user log: somebody asks the user to become a member.
///
/// Answer with `member.answer`. Until then the user cannot read the channel's log; `channel.query`
/// with the role `invited` lists the open invitations. If the invitation is withdrawn,
/// `channel.left` or `channel.dismissed` follows.
public struct ChannelInvited: Codable, Hashable, Sendable {
    /// The group that the user may join; until then nothing else of it can be read.
    public var channel: ChannelID
    /// Its title; absent if there is none.
    public var title: String?
    /// The first members, at most eight, for the title.
    public var members: [User]
    /// How many members it has.
    public var memberCount: Int
    /// The name of the user who asks; the user id is the event's `senderID`.
    public var byName: String
    /// How the user was found; `normal` if absent.
    public var joinMethod: JoinMethod?

    /// Creates a value with these fields.
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
