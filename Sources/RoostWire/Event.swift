#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Something that happened: a row of a log, or an ephemeral notice.
///
/// It travels as one JSON object: `{"event","channel","seq","senderID","transID","sentAt","body"}`.
/// A row of a channel's log has `channel` and `seq`; a row of the user's log has `userSeq`; an
/// ephemeral event has neither number. If a client does not know the event's name, it still counts
/// the number, so that it sees no gap.
public struct Event: Codable, Hashable, Sendable {
    /// The channel that it belongs to.
    public var channel: ChannelID?
    /// Its row in the channel's log: 1, 2, 3 … without gaps.
    public var seq: Int64?
    /// Its row in the user's log: 1, 2, 3 … without gaps.
    public var userSeq: Int64?
    /// The user who caused it; absent for an operator's announcement and for the server itself.
    public var senderID: UserID?
    /// The transID of the command that caused it.
    public var transID: TransID?
    /// When the server accepted it; never decreases within a log. To show, not to sort by: order by the row's number.
    @OptionalTimestamp public var sentAt: Date?
    /// What happened.
    public var body: EventBody

    /// Creates an event.
    public init(
        channel: ChannelID? = nil, seq: Int64? = nil, userSeq: Int64? = nil, senderID: UserID? = nil,
        transID: TransID? = nil, sentAt: Date? = nil, body: EventBody
    ) {
        self.channel = channel
        self.seq = seq
        self.userSeq = userSeq
        self.senderID = senderID
        self.transID = transID
        self.sentAt = sentAt
        self.body = body
    }

    /// The event's name in the catalogue.
    public var name: String { body.name }

    /// The id of the message in it; nil if there is none.
    public var messageID: MessageID? {
        sentMessage?.messageID ?? announcement?.messageID
    }

    private enum CodingKeys: String, CodingKey {
        case event, channel, seq, userSeq, senderID, transID, sentAt, body
    }

    /// Reads the event; a name that this version does not know becomes `.unknown`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        channel = try container.decodeIfPresent(ChannelID.self, forKey: .channel)
        seq = try container.decodeIfPresent(Int64.self, forKey: .seq)
        userSeq = try container.decodeIfPresent(Int64.self, forKey: .userSeq)
        senderID = try container.decodeIfPresent(UserID.self, forKey: .senderID)
        transID = try container.decodeIfPresent(TransID.self, forKey: .transID)
        _sentAt = OptionalTimestamp(projectedValue: try container.decodeIfPresent(Int64.self, forKey: .sentAt))
        func read<T: Decodable>() throws -> T { try container.decode(T.self, forKey: .body) }
        let name = try container.decode(String.self, forKey: .event)
        body =
            switch EventName(rawValue: name) {
            case .messageSent: .channel(.messageSent(try read()))
            case .messageAnnounced: .channel(.messageAnnounced(try read()))
            case .messageRecalled: .channel(.messageRecalled(try read()))
            case .voteCast: .channel(.voteCast(try read()))
            case .voteClosed: .channel(.voteClosed(try read()))
            case .reactionAdded: .channel(.reactionAdded(try read()))
            case .reactionRemoved: .channel(.reactionRemoved(try read()))
            case .newsCreated: .channel(.newsCreated(try read()))
            case .rowRemoved: .channel(.rowRemoved(try read()))
            case .channelPurged: .channel(.channelPurged(try read()))
            case .memberInvited: .channel(.memberInvited(try read()))
            case .memberJoined: .channel(.memberJoined(try read()))
            case .memberLeft: .channel(.memberLeft(try read()))
            case .memberKicked: .channel(.memberKicked(try read()))
            case .memberBanned: .channel(.memberBanned(try read()))
            case .memberRoleChanged: .channel(.memberRoleChanged(try read()))
            case .memberProfileChanged: .channel(.memberProfileChanged(try read()))
            case .channelProfileChanged: .channel(.channelProfileChanged(try read()))
            case .channelJoined: .user(.channelJoined(try read()))
            case .channelInvited: .user(.channelInvited(try read()))
            case .channelLeft: .user(.channelLeft(try read()))
            case .channelDismissed: .user(.channelDismissed(try read()))
            case .channelHidden: .user(.channelHidden(try read()))
            case .channelEnded: .user(.channelEnded(try read()))
            case .channelCleared: .user(.channelCleared(try read()))
            case .messageDeleted: .user(.messageDeleted(try read()))
            case .channelPreferenceChanged: .user(.channelPreferenceChanged(try read()))
            case .channelUnreadMarked: .user(.channelUnreadMarked(try read()))
            case .userBlocked: .user(.userBlocked(try read()))
            case .userUnblocked: .user(.userUnblocked(try read()))
            case .userProfileChanged: .user(.userProfileChanged(try read()))
            case .userSettingsChanged: .user(.userSettingsChanged(try read()))
            case .scheduleCreated: .user(.scheduleCreated(try read()))
            case .scheduleChanged: .user(.scheduleChanged(try read()))
            case .scheduleCancelled: .user(.scheduleCancelled(try read()))
            case .scheduleSent: .user(.scheduleSent(try read()))
            case .messageRelayed: .ephemeral(.messageRelayed(try read()))
            case .typingStarted: .ephemeral(.typingStarted(try read()))
            case .typingEnded: .ephemeral(.typingEnded(try read()))
            case .readMarkMoved: .ephemeral(.readMarkMoved(try read()))
            case .channelActiveCountChanged: .ephemeral(.channelActiveCountChanged(try read()))
            case .sessionExpiring: .ephemeral(.sessionExpiring(try read()))
            case .positions: .ephemeral(.positions(try read()))
            case .goaway: .ephemeral(.goaway(try read()))
            case nil:
                .unknown(name, body: try container.decodeIfPresent(UnknownBody.self, forKey: .body) ?? UnknownBody())
            }
    }

    /// Writes the event.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .event)
        try container.encodeIfPresent(channel, forKey: .channel)
        try container.encodeIfPresent(seq, forKey: .seq)
        try container.encodeIfPresent(userSeq, forKey: .userSeq)
        try container.encodeIfPresent(senderID, forKey: .senderID)
        try container.encodeIfPresent(transID, forKey: .transID)
        try container.encodeIfPresent($sentAt, forKey: .sentAt)
        try container.encode(body.payload, forKey: .body)
    }
}

/// The names of all events: the closed list of the catalogue.
public enum EventName: String, CaseIterable, Sendable {
    /// A user's message. Channel log.
    case messageSent = "message.sent"
    /// An operator's announcement. Channel log.
    case messageAnnounced = "message.announced"
    /// Messages were recalled. Channel log.
    case messageRecalled = "message.recalled"
    /// Somebody voted. Channel log.
    case voteCast = "vote.cast"
    /// A vote is over. Channel log.
    case voteClosed = "vote.closed"
    /// Somebody added an emoji to a message. Channel log.
    case reactionAdded = "reaction.added"
    /// Somebody removed an emoji from a message. Channel log.
    case reactionRemoved = "reaction.removed"
    /// A channel for news was created. Channel log.
    case newsCreated = "news.created"
    /// A row that the reader may not see. Channel log.
    case rowRemoved = "row.removed"
    /// Rows that are older than the operator keeps were removed. Channel log.
    case channelPurged = "channel.purged"
    /// Users were made members, or asked to become members. Channel log.
    case memberInvited = "member.invited"
    /// Somebody joined, or accepted an invitation. Channel log.
    case memberJoined = "member.joined"
    /// A member left. Channel log.
    case memberLeft = "member.left"
    /// Members were removed. Channel log.
    case memberKicked = "member.kicked"
    /// Users were banned. Channel log.
    case memberBanned = "member.banned"
    /// The roles of members changed. Channel log.
    case memberRoleChanged = "member.roleChanged"
    /// A member has another name or picture in the channel. Channel log.
    case memberProfileChanged = "member.profileChanged"
    /// Settings of the channel changed. Channel log.
    case channelProfileChanged = "channel.profileChanged"
    /// The user became a member of a channel. User log.
    case channelJoined = "channel.joined"
    /// The user is asked to become a member of a channel. User log.
    case channelInvited = "channel.invited"
    /// The user is no longer a member of a channel. User log.
    case channelLeft = "channel.left"
    /// A channel of the user was dismissed for everybody. User log.
    case channelDismissed = "channel.dismissed"
    /// The user hid channels. User log.
    case channelHidden = "channel.hidden"
    /// The user ended channels. User log.
    case channelEnded = "channel.ended"
    /// The user deleted everything in channels from their own view. User log.
    case channelCleared = "channel.cleared"
    /// The user deleted messages from their own view. User log.
    case messageDeleted = "message.deleted"
    /// The user's own settings in a channel changed. User log.
    case channelPreferenceChanged = "channel.preferenceChanged"
    /// The user marked a channel as unread, or removed that mark by reading. User log.
    case channelUnreadMarked = "channel.unreadMarked"
    /// The user blocked somebody. User log.
    case userBlocked = "user.blocked"
    /// The user unblocked somebody. User log.
    case userUnblocked = "user.unblocked"
    /// The user, or somebody who shares a channel with the user, has another name or picture. User log.
    case userProfileChanged = "user.profileChanged"
    /// The user's own settings changed. User log.
    case userSettingsChanged = "user.settingsChanged"
    /// The user scheduled messages. User log.
    case scheduleCreated = "schedule.created"
    /// The user changed what was scheduled. User log.
    case scheduleChanged = "schedule.changed"
    /// The user cancelled what was scheduled. User log.
    case scheduleCancelled = "schedule.cancelled"
    /// What the user had scheduled was due and was sent. User log.
    case scheduleSent = "schedule.sent"
    /// A custom message that is not stored. Ephemeral.
    case messageRelayed = "message.relayed"
    /// Somebody is typing. Ephemeral.
    case typingStarted = "typing.started"
    /// Somebody stopped typing. Ephemeral.
    case typingEnded = "typing.ended"
    /// Members have read further. Ephemeral.
    case readMarkMoved = "readMark.moved"
    /// The number of connected members changed. Ephemeral.
    case channelActiveCountChanged = "channel.activeCountChanged"
    /// The connection is about to end with its token. Ephemeral.
    case sessionExpiring = "session.expiring"
    /// The heartbeat's positions. Ephemeral.
    case positions
    /// The server is about to stop. Ephemeral.
    case goaway
}

extension EventName {
    /// Whether the event shows in a conversation, as a message or a line.
    ///
    /// All others change what is shown already or nothing that is shown, and `message.list` leaves them out with
    /// `onlyShown`. A message that was recalled silently does not show either.
    public var isShown: Bool {
        switch self {
        case .messageSent, .messageAnnounced, .newsCreated, .voteClosed, .memberInvited, .memberJoined, .memberLeft,
            .memberKicked, .memberBanned, .memberRoleChanged, .memberProfileChanged, .channelProfileChanged:
            true
        case .messageRecalled, .voteCast, .reactionAdded, .reactionRemoved, .rowRemoved, .channelPurged, .channelJoined,
            .channelInvited, .channelLeft, .channelDismissed, .channelHidden, .channelEnded, .channelCleared,
            .messageDeleted, .channelPreferenceChanged, .channelUnreadMarked, .userBlocked, .userUnblocked,
            .userProfileChanged, .userSettingsChanged, .scheduleCreated, .scheduleChanged, .scheduleCancelled,
            .scheduleSent, .messageRelayed, .typingStarted, .typingEnded, .readMarkMoved, .channelActiveCountChanged,
            .sessionExpiring, .positions,
            .goaway:
            false
        }
    }
}

/// What happened, with its details, by the log that keeps it.
public enum EventBody: Hashable, Sendable {
    /// A row of a channel's log.
    case channel(ChannelRowBody)
    /// A row of a user's log.
    case user(UserRowBody)
    /// An ephemeral event: it is in no log.
    case ephemeral(EphemeralBody)
    /// An event of a newer protocol, by its name; its body is kept, so that a later version can read it.
    case unknown(String, body: UnknownBody = UnknownBody())

    /// The event's name in the catalogue.
    public var name: String {
        switch self {
        case .channel(let body): body.contents.name.rawValue
        case .user(let body): body.contents.name.rawValue
        case .ephemeral(let body): body.contents.name.rawValue
        case .unknown(let name, _): name
        }
    }

    /// The value that is encoded as the event's `body`.
    fileprivate var payload: any Encodable {
        switch self {
        case .channel(let body): body.contents.payload
        case .user(let body): body.contents.payload
        case .ephemeral(let body): body.contents.payload
        case .unknown(_, let body): body
        }
    }
}

/// The body of an event that this version does not know: it is encoded as it was decoded.
public struct UnknownBody: Codable, Hashable, Sendable {
    private let tree: JSONTree

    /// Creates an empty body.
    public init() { tree = .object([:]) }

    /// Reads any JSON value.
    public init(from decoder: any Decoder) throws { tree = try JSONTree(from: decoder) }

    /// Writes the value that was read.
    public func encode(to encoder: any Encoder) throws { try tree.encode(to: encoder) }
}

/// The content of a row of a channel's log, which every member may see.
public enum ChannelRowBody: Hashable, Sendable {
    /// A user's message.
    indirect case messageSent(Message)
    /// An operator's announcement.
    case messageAnnounced(Announcement)
    /// Messages were recalled.
    case messageRecalled(MessagesRecalled)
    /// Somebody voted.
    case voteCast(VoteCast)
    /// A vote is over.
    case voteClosed(VoteClosed)
    /// Somebody added an emoji to a message.
    case reactionAdded(ReactionChanged)
    /// Somebody removed an emoji from a message.
    case reactionRemoved(ReactionChanged)
    /// A channel for news was created.
    case newsCreated(NewsCreated)
    /// A row that the reader may not see.
    case rowRemoved(RowRemoved)
    /// Rows that are older than the operator keeps were removed.
    case channelPurged(ChannelPurged)
    /// Users were made members, or asked to become members.
    case memberInvited(MembersInvited)
    /// Somebody joined, or accepted an invitation.
    case memberJoined(MemberJoined)
    /// A member left.
    case memberLeft(MemberLeft)
    /// Members were removed.
    case memberKicked(MembersRemoved)
    /// Users were banned.
    case memberBanned(MembersRemoved)
    /// The roles of members changed.
    case memberRoleChanged(RolesChanged)
    /// A member has another name or picture in the channel.
    case memberProfileChanged(MemberProfileChanged)
    /// Settings of the channel changed.
    case channelProfileChanged(ChannelProfileChanged)

    /// The event's name and the value of its `body`.
    fileprivate var contents: (name: EventName, payload: any Encodable) {
        switch self {
        case .messageSent(let body): (.messageSent, body)
        case .messageAnnounced(let body): (.messageAnnounced, body)
        case .messageRecalled(let body): (.messageRecalled, body)
        case .voteCast(let body): (.voteCast, body)
        case .voteClosed(let body): (.voteClosed, body)
        case .reactionAdded(let body): (.reactionAdded, body)
        case .reactionRemoved(let body): (.reactionRemoved, body)
        case .newsCreated(let body): (.newsCreated, body)
        case .rowRemoved(let body): (.rowRemoved, body)
        case .channelPurged(let body): (.channelPurged, body)
        case .memberInvited(let body): (.memberInvited, body)
        case .memberJoined(let body): (.memberJoined, body)
        case .memberLeft(let body): (.memberLeft, body)
        case .memberKicked(let body): (.memberKicked, body)
        case .memberBanned(let body): (.memberBanned, body)
        case .memberRoleChanged(let body): (.memberRoleChanged, body)
        case .memberProfileChanged(let body): (.memberProfileChanged, body)
        case .channelProfileChanged(let body): (.channelProfileChanged, body)
        }
    }
}

/// The content of a row of a user's log, which only this user may see.
public enum UserRowBody: Hashable, Sendable {
    /// The user became a member of a channel.
    case channelJoined(ChannelJoined)
    /// The user is asked to become a member of a channel.
    case channelInvited(ChannelInvited)
    /// The user is no longer a member of a channel.
    case channelLeft(ChannelLeft)
    /// A channel of the user was dismissed for everybody.
    case channelDismissed(ChannelDismissed)
    /// The user hid channels.
    case channelHidden(ChannelsHidden)
    /// The user ended channels.
    case channelEnded(ChannelsHidden)
    /// The user deleted everything in channels from their own view.
    case channelCleared(ChannelsHidden)
    /// The user deleted messages from their own view.
    case messageDeleted(MessagesDeleted)
    /// The user's own settings in a channel changed.
    case channelPreferenceChanged(PreferenceChanged)
    /// The user marked a channel as unread, or removed that mark by reading.
    case channelUnreadMarked(UnreadMarked)
    /// The user blocked somebody.
    case userBlocked(BlockChanged)
    /// The user unblocked somebody.
    case userUnblocked(BlockChanged)
    /// The user, or somebody who shares a channel with the user, has another name or picture.
    case userProfileChanged(UserProfileChanged)
    /// The user's own settings changed.
    case userSettingsChanged(UserSettings)
    /// The user scheduled messages.
    case scheduleCreated(Schedule)
    /// The user changed what was scheduled.
    case scheduleChanged(Schedule)
    /// The user cancelled what was scheduled.
    case scheduleCancelled(ScheduleCancelled)
    /// What the user had scheduled was due and was sent.
    case scheduleSent(ScheduleSent)

    /// The event's name and the value of its `body`.
    fileprivate var contents: (name: EventName, payload: any Encodable) {
        switch self {
        case .channelJoined(let body): (.channelJoined, body)
        case .channelInvited(let body): (.channelInvited, body)
        case .channelLeft(let body): (.channelLeft, body)
        case .channelDismissed(let body): (.channelDismissed, body)
        case .channelHidden(let body): (.channelHidden, body)
        case .channelEnded(let body): (.channelEnded, body)
        case .channelCleared(let body): (.channelCleared, body)
        case .messageDeleted(let body): (.messageDeleted, body)
        case .channelPreferenceChanged(let body): (.channelPreferenceChanged, body)
        case .channelUnreadMarked(let body): (.channelUnreadMarked, body)
        case .userBlocked(let body): (.userBlocked, body)
        case .userUnblocked(let body): (.userUnblocked, body)
        case .userProfileChanged(let body): (.userProfileChanged, body)
        case .userSettingsChanged(let body): (.userSettingsChanged, body)
        case .scheduleCreated(let body): (.scheduleCreated, body)
        case .scheduleChanged(let body): (.scheduleChanged, body)
        case .scheduleCancelled(let body): (.scheduleCancelled, body)
        case .scheduleSent(let body): (.scheduleSent, body)
        }
    }
}

/// What is sent once and not stored: it is not repeated after a reconnect.
public enum EphemeralBody: Hashable, Sendable {
    /// A custom message that is not stored.
    indirect case messageRelayed(Message)
    /// Somebody is typing.
    case typingStarted(TypingChanged)
    /// Somebody stopped typing.
    case typingEnded(TypingChanged)
    /// Members have read further.
    case readMarkMoved(ReadMarksMoved)
    /// The number of connected members changed.
    case channelActiveCountChanged(ActiveCountChanged)
    /// The connection is about to end with its token.
    case sessionExpiring(SessionExpiring)
    /// The heartbeat's positions.
    case positions(Positions)
    /// The server is about to stop.
    case goaway(GoAway)

    /// The event's name and the value of its `body`.
    fileprivate var contents: (name: EventName, payload: any Encodable) {
        switch self {
        case .messageRelayed(let body): (.messageRelayed, body)
        case .typingStarted(let body): (.typingStarted, body)
        case .typingEnded(let body): (.typingEnded, body)
        case .readMarkMoved(let body): (.readMarkMoved, body)
        case .channelActiveCountChanged(let body): (.channelActiveCountChanged, body)
        case .sessionExpiring(let body): (.sessionExpiring, body)
        case .positions(let body): (.positions, body)
        case .goaway(let body): (.goaway, body)
        }
    }
}
