#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One channel as one user sees it: a row of the channel list.
public struct Channel: Codable, Hashable, Sendable {
    /// The channel's id.
    public var channel: ChannelID
    /// What kind of channel it is.
    public var kind: ChannelKind
    /// The channel's own title; absent for a 1-on-1, which shows the names of its members.
    public var title: String?
    /// How many members it has; for an open channel, how many sessions participate now.
    public var memberCount: Int
    /// Up to eight members, ordered by id, for the title; `channel.get` gives up to 100.
    public var members: [Member]
    /// The newest row of the channel's log; 0 if it is empty.
    public var seq: Int64
    /// How many messages in the channel's log count as unread, whether they were read or not.
    public var count: Int64
    /// How many messages the caller has not read; absent for an open channel.
    public var unread: Int?
    /// The newest row that the caller has read; absent for an open channel.
    public var readSeq: Int64?
    /// The caller's role; absent for an open channel.
    public var role: Role?
    /// The newest message that the caller may see and whose type can be a channel's last message.
    public var lastMessage: Event?
    /// When the newest row was added to the channel's log; the channel list is sorted by it.
    @Timestamp public var lastActivityAt: Date
    /// The channel's settings without the title; absent if all have their default values.
    public var profile: ChannelProfile?
    /// The caller's own settings; absent if all have their default values, and for an open channel.
    public var preference: ChannelPreference?
    /// How many unread messages mention the caller; 0 if absent.
    public var mentions: Int?
    /// Whether the caller has marked the channel as unread; false if absent.
    public var isMarkedUnread: Bool?
    /// When the channel was created. This field and the next four are in `channel.get` and `channel.query` only.
    @OptionalTimestamp public var createdAt: Date?
    /// The user who created it; absent for a 1-on-1 and for an open channel.
    public var createdBy: UserID?
    /// When the caller joined or was invited.
    @OptionalTimestamp public var joinedAt: Date?
    /// The user who invited the caller, or gave the link; absent if nobody did.
    public var invitedBy: UserID?
    /// When it last changed for the caller, with the same changes as in `channel.query`.
    @OptionalTimestamp public var updatedAt: Date?
    /// The log was purged up to this row: delete what you have stored of it; absent if nothing was purged.
    public var purgedTo: Int64?
    /// Whether the caller has hidden or ended it, so that `channel.list` leaves it out until its next message; false if
    /// absent.
    public var isHidden: Bool?

    /// Creates a value with these fields.
    public init(
        channel: ChannelID, kind: ChannelKind, title: String? = nil, memberCount: Int, members: [Member], seq: Int64,
        count: Int64, unread: Int? = nil, readSeq: Int64? = nil, role: Role? = nil, lastMessage: Event? = nil,
        lastActivityAt: Date, profile: ChannelProfile? = nil, preference: ChannelPreference? = nil,
        mentions: Int? = nil, isMarkedUnread: Bool? = nil, createdAt: Date? = nil, createdBy: UserID? = nil,
        joinedAt: Date? = nil, invitedBy: UserID? = nil, updatedAt: Date? = nil, purgedTo: Int64? = nil,
        isHidden: Bool? = nil
    ) {
        self.channel = channel
        self.kind = kind
        self.title = title
        self.memberCount = memberCount
        self.members = members
        self.seq = seq
        self.count = count
        self.unread = unread
        self.readSeq = readSeq
        self.role = role
        self.lastMessage = lastMessage
        self.lastActivityAt = lastActivityAt
        self.profile = profile
        self.preference = preference
        self.mentions = mentions
        self.isMarkedUnread = isMarkedUnread
        self.createdAt = createdAt
        self.createdBy = createdBy
        self.joinedAt = joinedAt
        self.invitedBy = invitedBy
        self.updatedAt = updatedAt
        self.purgedTo = purgedTo
        self.isHidden = isHidden
    }
}

extension Channel {
    /// The newest row that a user has read according to `members`; 0 for a user who is not in `members`.
    public func readSeq(of user: UserID) -> Int64 { members.first { $0.userID == user }?.readSeq ?? 0 }
}

/// Creates a channel, or finds the 1-on-1 that two users already have.
///
/// - `single`: exactly one member, the other user. The same pair always gets the same channel, and
///   the other user sees it with the first message. With oneself it is the self channel.
/// - `group`: members join at once, or are asked if their role is `invited`. The caller becomes
///   admin.
/// - `open`: public. Only an operator makes one, or anybody with `--dev`.
/// - `publicNews`, `corporateNews`: one way, from operators. Only operators make and dismiss them
///   (1107). Users subscribe to the first kind with `member.join`. All users are subscribed to the
///   second kind, also those who come later. Nobody is told who is subscribed: there is no list of
///   members, and `memberCount` is their number.
///
/// Fails with 1101 if the id has a wrong form, and with 1102 if it is taken or was taken by a group
/// that is dismissed. Fails with 1106 if the server does not know a member, and with 7003 if a
/// member has blocked the caller. Fails with 1115 for more members than `maxMembers` and with 1108
/// for fewer than `minMembers`; the caller counts, those who are only asked do not. Fails with 7018
/// if more are asked than `limits.invitations`, and with 7019 if somebody is already in as many
/// channels as `limits.channelsPerUser` allows, or has as many from others, or from the caller, as
/// `limits.channelsFromOthersPercent` and `limits.channelsPerInviter` allow. Every member gets
/// `channel.joined`, and everybody who is asked gets `channel.invited`. Whose `invitesFrom` leaves
/// the caller out is asked, whatever role is named; see `user.setSettings`.
public struct CreateChannel: WriteCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "channel.create"
    /// `single`, `group`, or with the rights of an operator another one; it stays for ever.
    public var kind: ChannelKind
    /// The id, for all but a 1-on-1; the server makes one if it is absent.
    public var channel: ChannelID?
    /// The title: 1 to 200 UTF-16 units; not for a 1-on-1.
    public var title: String?
    /// The other members, each named once (6), as plain ids or, in a group, with role, nickname and picture; they must
    /// be known users.
    public var members: [NewMember]?
    /// The settings of a group, without `title`.
    public var profile: ChannelProfile?

    /// Creates the command.
    public init(
        kind: ChannelKind, channel: ChannelID? = nil, title: String? = nil, members: [NewMember]? = nil,
        profile: ChannelProfile? = nil
    ) {
        self.kind = kind
        self.channel = channel
        self.title = title
        self.members = members
        self.profile = profile
    }

    /// Creates the command for members who become participants at once.
    public init(kind: ChannelKind, channel: ChannelID? = nil, title: String? = nil, members: [UserID]) {
        self.init(kind: kind, channel: channel, title: title, members: members.map { NewMember($0) })
    }

    /// Reads the command.
    /// - Throws: `WireError` 1101 for an id that is none.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        kind = try container.decode(ChannelKind.self, forKey: .kind)
        channel = try container.decodeIfPresent(String.self, forKey: .channel).map { id in
            guard let channel = ChannelID(rawValue: id) else {
                throw WireError(.channelIDFormat, field: CodingKeys.channel.stringValue)
            }
            return channel
        }
        title = try container.decodeIfPresent(String.self, forKey: .title)
        members = try container.decodeIfPresent([NewMember].self, forKey: .members)
        profile = try container.decodeIfPresent(ChannelProfile.self, forKey: .profile)
    }
}

/// Reads one channel, with up to 100 of its members and their read marks.
public struct GetChannel: ReadCommand {
    /// What the server answers.
    public typealias Answer = Channel
    /// The name on the wire.
    public static let name = "channel.get"
    /// A channel that the caller may read. To a stranger it does not exist (1105).
    public var channel: ChannelID
    /// Whether the members come with it; true if absent. Without them `members` is empty.
    public var withMembers: Bool?

    /// Creates a value with these fields.
    public init(channel: ChannelID, withMembers: Bool? = nil) {
        self.channel = channel
        self.withMembers = withMembers
    }
}

/// Lists the caller's messaging channels, the newest activity first; open, hidden and ended ones are left out.
public struct ListChannels: ListingCommand {
    /// The name on the wire.
    public static let name = "channel.list"
    /// How many at most: 1 to 100, 15 if absent.
    public var limit: Int?
    /// The `next` of the previous page; absent for the first page.
    public var cursor: String?

    /// Creates a value with these fields.
    public init(limit: Int? = nil, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }

    /// A page of the channel list.
    public struct Answer: ListingAnswer {
        /// The channels, the newest activity first.
        public var channels: [Channel]
        /// The `cursor` of the next page; absent on the last one.
        public var next: String?
        /// Unread messages over all of the caller's channels that are not muted, not only this page.
        public var totalUnread: Int

        /// Creates a value with these fields.
        public init(channels: [Channel], next: String? = nil, totalUnread: Int) {
            self.channels = channels
            self.next = next
            self.totalUnread = totalUnread
        }

        /// What the page lists.
        public var elements: [Channel] { channels }
    }
}

/// Lists open channels by id, all of them or those whose id or title contains a keyword.
public struct ListOpenChannels: ListingCommand {
    /// The name on the wire.
    public static let name = "channel.listOpen"
    /// A part of the id or the title, at most 200 bytes, case-insensitive for ASCII letters; all channels if absent.
    public var keyword: String?
    /// How many at most: 1 to 100, 15 if absent.
    public var limit: Int?
    /// The `next` of the previous page; absent for the first page.
    public var cursor: String?

    /// Creates a value with these fields.
    public init(keyword: String? = nil, limit: Int? = nil, cursor: String? = nil) {
        self.keyword = keyword
        self.limit = limit
        self.cursor = cursor
    }

    /// A page of open channels.
    public struct Answer: ListingAnswer {
        /// The channels, ordered by id.
        public var channels: [Channel]
        /// The `cursor` of the next page; absent on the last one.
        public var next: String?

        /// Creates a value with these fields.
        public init(channels: [Channel], next: String? = nil) {
            self.channels = channels
            self.next = next
        }

        /// What the page lists.
        public var elements: [Channel] { channels }
    }
}

/// Joins an open channel with this connection, which then gets the channel's events.
///
/// The `seq` of the answer is the connection's first position in this channel: the next event is
/// the row after it. Participation ends with the connection or with `channel.leave`. With `--dev`
/// the first join makes the channel. Joining again changes nothing.
public struct JoinChannel: MoveCommand {
    /// What the server answers.
    public typealias Answer = Channel
    /// The name on the wire.
    public static let name = "channel.join"
    /// It is about the connection.
    public static let reach = CommandReach.socket
    /// The channel.
    public var seenChannels: [ChannelID] { [channel] }
    /// The open channel.
    public var channel: ChannelID

    /// Creates a value with these fields.
    public init(channel: ChannelID) {
        self.channel = channel
    }
}

/// Leaves a group for good, leaves an open channel with this connection, or ends a subscription to news.
///
/// A 1-on-1 cannot be left (1104), nor can the news of all users (1107).
///
/// If other members remain, the last admin of a group has to name a `successor`, or make somebody
/// else an admin before (1107). Fails with 1108 if too few members would be left. The remaining members get
/// `member.left`.
///
/// A group ends with its only member: it is dismissed, as with `channel.dismiss`, and the caller
/// and the invited get `channel.dismissed`.
public struct LeaveChannel: WriteCommand, ChannelCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "channel.leave"
    /// The group, open channel or news to leave.
    public var channel: ChannelID
    /// The member who becomes admin in the caller's place; only an admin may name one (1107), and it must be a member
    /// (1106).
    public var successor: UserID?

    /// Creates a value with these fields.
    public init(channel: ChannelID, successor: UserID? = nil) {
        self.channel = channel
        self.successor = successor
    }
}

/// Hides a channel from the caller's list until its next message; membership and history stay.
public struct HideChannel: WriteCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "channel.hide"
    /// The channel, if it names one.
    public var changedChannels: [ChannelID] { channel.map { [$0] } ?? [] }
    /// More if it names no channel.
    public var cost: CommandCost { channel == nil ? .allChannels : .commands(1) }
    /// The channel; all of the caller's channels if absent.
    public var channel: ChannelID?

    /// Creates a value with these fields.
    public init(channel: ChannelID? = nil) {
        self.channel = channel
    }
}

/// Ends a conversation for the caller.
///
/// A 1-on-1 leaves the caller's list, and its history up to now is cleared for the caller. The
/// other user notices nothing, and the next message brings it back. A group is left, as with
/// `channel.leave`. If all channels are ended, a group that the caller cannot leave is hidden and
/// cleared like a 1-on-1.
public struct EndChannel: WriteCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "channel.end"
    /// The channel, if it names one.
    public var changedChannels: [ChannelID] { channel.map { [$0] } ?? [] }
    /// More if it names no channel.
    public var cost: CommandCost { channel == nil ? .allChannels : .commands(1) }
    /// The channel; all of the caller's channels if absent.
    public var channel: ChannelID?

    /// Creates a value with these fields.
    public init(channel: ChannelID? = nil) {
        self.channel = channel
    }
}

/// The body of `channel.joined`, in the user log: the user is now a member of this channel.
///
/// A client that has no position in the channel starts at `fromSeq`. Nothing before it is unread, but in corporate
/// news: what was published while the server was still subscribing the users is unread for all of them, and
/// `channel.get` tells how much that is.
public struct ChannelJoined: Codable, Hashable, Sendable {
    /// The channel of which the user is a member now.
    public var channel: ChannelID
    /// Its kind.
    public var kind: ChannelKind
    /// Its title; absent for a 1-on-1.
    public var title: String?
    /// The user's role in it.
    public var role: Role
    /// The first members, at most eight, for the title.
    public var members: [User]
    /// How many members it has.
    public var memberCount: Int
    /// The newest row of its log when the user joined, which is the user's first position there.
    ///
    /// A client that has a position there already keeps it.
    public var fromSeq: Int64
    /// How many messages in the channel's log counted as unread when the user joined.
    public var count: Int64
    /// Whether the channel list shows it only after its next message.
    public var isHidden: Bool
    /// How the user became a member; absent from older servers.
    public var reason: Reason?
    /// The channel's settings without the title; absent if all have their default values.
    public var profile: ChannelProfile?

    /// How somebody became a member.
    public enum Reason: String, Codable, CaseIterable, Sendable {
        /// The channel was created with the user as a member.
        case created
        /// Somebody invited the user.
        case invited
        /// The user accepted an invitation.
        case accepted
        /// The user joined.
        case joined
    }

    /// Creates the body.
    public init(
        channel: ChannelID, kind: ChannelKind, title: String?, role: Role, members: [User], memberCount: Int,
        fromSeq: Int64, count: Int64, isHidden: Bool, reason: Reason? = nil, profile: ChannelProfile? = nil
    ) {
        self.channel = channel
        self.kind = kind
        self.title = title
        self.role = role
        self.members = members
        self.memberCount = memberCount
        self.fromSeq = fromSeq
        self.count = count
        self.isHidden = isHidden
        self.reason = reason
        self.profile = profile
    }
}

/// The body of `channel.left`, in the user log: the user is no longer a member of this channel, or not invited any
/// more.
public struct ChannelLeft: Codable, Hashable, Sendable {
    /// The channel that the user has lost.
    public var channel: ChannelID
    /// How the user lost the channel; absent from older servers.
    public var reason: DepartureReason?
    /// The number that was given with a removal or a ban; 0 if absent.
    public var code: Int?
    /// When the ban ends; absent if the user was not banned, or for good.
    @OptionalTimestamp public var bannedUntil: Date?

    /// Creates the body.
    public init(channel: ChannelID, reason: DepartureReason? = nil, code: Int? = nil, bannedUntil: Date? = nil) {
        self.channel = channel
        self.reason = reason
        self.code = code
        _bannedUntil = OptionalTimestamp(wrappedValue: bannedUntil)
    }
}

/// The body of `channel.hidden`, `channel.ended` and `channel.cleared`, in the user log.
public struct ChannelsHidden: Codable, Hashable, Sendable {
    /// The channels, each with the row up to which it is hidden, or cleared, or (when ended) both.
    public var channels: [ChannelPosition]
    /// Whether the user asked for all of them at once; if that takes several events, only the last one says so.
    public var isAll: Bool

    /// Creates a value with these fields.
    public init(channels: [ChannelPosition], isAll: Bool) {
        self.channels = channels
        self.isAll = isAll
    }
}

/// A position in the log of a channel.
public struct ChannelPosition: Codable, Hashable, Sendable {
    /// The channel whose log it is.
    public var channel: ChannelID
    /// A row of its log; 0 is before the first one.
    public var seq: Int64

    /// Creates a value with these fields.
    public init(channel: ChannelID, seq: Int64) {
        self.channel = channel
        self.seq = seq
    }
}

/// Dismisses a group or a channel for news, for everybody.
///
/// Admins dismiss a group, operators a channel for news (1107). Other kinds of channels cannot be
/// dismissed (1104).
///
/// After that the channel does not exist for anybody (1105), and its id is never used again (1102).
/// Everybody who was a member or invited gets `channel.dismissed` in their user logs, so that devices
/// that are offline are informed too. The channel's log gets no row, because nobody could read it,
/// and the acknowledgement has no `seq`.
public struct DismissChannel: WriteCommand, ChannelCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "channel.dismiss"
    /// The group or the channel for news.
    public var channel: ChannelID

    /// Creates a value with these fields.
    public init(channel: ChannelID) {
        self.channel = channel
    }
}

/// The body of `channel.dismissed`, in the user log: the channel does not exist any more.
public struct ChannelDismissed: Codable, Hashable, Sendable {
    /// The channel that is gone.
    public var channel: ChannelID
    /// The name of the user who dismissed it; the user id is the event's `senderID`.
    public var byName: String

    /// Creates a value with these fields.
    public init(channel: ChannelID, byName: String) {
        self.channel = channel
        self.byName = byName
    }
}
