/// Something that happened: a row of a log, or an ephemeral notice.
///
/// It travels as one JSON object:
/// `{"event","channel","seq","senderID","transID","sentAt","body"}`. A row of a
/// channel's log has `channel` and `seq`; a row of the user's own log has
/// `userSeq`; an ephemeral event has neither number. A client that does not
/// know the name still counts the number, so that it sees no gap.
public struct Event: Codable, Hashable, Sendable {
    /// The channel that it belongs to.
    public var channel: ChannelID?
    /// Its row in the channel's log: 1, 2, 3 … without gaps.
    public var seq: Int64?
    /// Its row in the user's own log: 1, 2, 3 … without gaps.
    public var userSeq: Int64?
    /// Who caused it; absent for an operator's announcement and for the server itself.
    public var senderID: UserID?
    /// The transID of the command that caused it.
    public var transID: TransID?
    /// When the server accepted it, ms since 1970; never decreases within a log. For people, never for order.
    public var sentAt: Int64?
    /// What happened.
    public var body: EventBody

    /// Makes an event.
    public init(
        channel: ChannelID? = nil, seq: Int64? = nil, userSeq: Int64? = nil, senderID: UserID? = nil,
        transID: TransID? = nil, sentAt: Int64? = nil, body: EventBody
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

    /// The id of the message that it carries, if it carries one.
    public var messageID: MessageID? {
        switch body {
        case .messageSent(let message), .messageRelayed(let message): message.messageID
        case .messageAnnounced(let announcement): announcement.messageID
        default: nil
        }
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
        sentAt = try container.decodeIfPresent(Int64.self, forKey: .sentAt)
        func read<T: Decodable>(_ type: T.Type) throws -> T { try container.decode(type, forKey: .body) }
        let name = try container.decode(String.self, forKey: .event)
        body =
            switch EventName(rawValue: name) {
            case .messageSent: .messageSent(try read(Message.self))
            case .messageAnnounced: .messageAnnounced(try read(Announcement.self))
            case .messageRecalled: .messageRecalled(try read(MessagesRecalled.self))
            case .voteCast: .voteCast(try read(VoteCast.self))
            case .voteClosed: .voteClosed(try read(VoteClosed.self))
            case .newsCreated: .newsCreated(try read(NewsCreated.self))
            case .rowRemoved: .rowRemoved(try read(RowRemoved.self))
            case .channelPurged: .channelPurged(try read(ChannelPurged.self))
            case .memberInvited: .memberInvited(try read(MembersInvited.self))
            case .memberJoined: .memberJoined(try read(MemberJoined.self))
            case .memberLeft: .memberLeft(try read(MemberLeft.self))
            case .memberKicked: .memberKicked(try read(MembersRemoved.self))
            case .memberBanned: .memberBanned(try read(MembersRemoved.self))
            case .memberRoleChanged: .memberRoleChanged(try read(RolesChanged.self))
            case .memberProfileChanged: .memberProfileChanged(try read(MemberProfileChanged.self))
            case .channelProfileChanged: .channelProfileChanged(try read(ChannelProfileChanged.self))
            case .channelJoined: .channelJoined(try read(ChannelJoined.self))
            case .channelInvited: .channelInvited(try read(ChannelInvited.self))
            case .channelLeft: .channelLeft(try read(ChannelLeft.self))
            case .channelDismissed: .channelDismissed(try read(ChannelDismissed.self))
            case .channelHidden: .channelHidden(try read(ChannelsHidden.self))
            case .channelEnded: .channelEnded(try read(ChannelsHidden.self))
            case .channelCleared: .channelCleared(try read(ChannelsHidden.self))
            case .messageDeleted: .messageDeleted(try read(MessagesDeleted.self))
            case .channelPreferenceChanged: .channelPreferenceChanged(try read(PreferenceChanged.self))
            case .channelUnreadMarked: .channelUnreadMarked(try read(UnreadMarked.self))
            case .userBlocked: .userBlocked(try read(BlockChanged.self))
            case .userUnblocked: .userUnblocked(try read(BlockChanged.self))
            case .scheduleCreated: .scheduleCreated(try read(Schedule.self))
            case .scheduleChanged: .scheduleChanged(try read(Schedule.self))
            case .scheduleCancelled: .scheduleCancelled(try read(ScheduleCancelled.self))
            case .scheduleSent: .scheduleSent(try read(ScheduleSent.self))
            case .messageRelayed: .messageRelayed(try read(Message.self))
            case .typingStarted: .typingStarted(try read(TypingChanged.self))
            case .typingEnded: .typingEnded(try read(TypingChanged.self))
            case .readMarkMoved: .readMarkMoved(try read(ReadMarksMoved.self))
            case .channelActiveCountChanged: .channelActiveCountChanged(try read(ActiveCountChanged.self))
            case .positions: .positions(try read(Positions.self))
            case .goaway: .goaway(try read(GoAway.self))
            case nil: .unknown(name)
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
        try container.encodeIfPresent(sentAt, forKey: .sentAt)
        switch body {
        case .messageSent(let body): try container.encode(body, forKey: .body)
        case .messageAnnounced(let body): try container.encode(body, forKey: .body)
        case .messageRecalled(let body): try container.encode(body, forKey: .body)
        case .voteCast(let body): try container.encode(body, forKey: .body)
        case .voteClosed(let body): try container.encode(body, forKey: .body)
        case .newsCreated(let body): try container.encode(body, forKey: .body)
        case .rowRemoved(let body): try container.encode(body, forKey: .body)
        case .channelPurged(let body): try container.encode(body, forKey: .body)
        case .memberInvited(let body): try container.encode(body, forKey: .body)
        case .memberJoined(let body): try container.encode(body, forKey: .body)
        case .memberLeft(let body): try container.encode(body, forKey: .body)
        case .memberKicked(let body): try container.encode(body, forKey: .body)
        case .memberBanned(let body): try container.encode(body, forKey: .body)
        case .memberRoleChanged(let body): try container.encode(body, forKey: .body)
        case .memberProfileChanged(let body): try container.encode(body, forKey: .body)
        case .channelProfileChanged(let body): try container.encode(body, forKey: .body)
        case .channelJoined(let body): try container.encode(body, forKey: .body)
        case .channelInvited(let body): try container.encode(body, forKey: .body)
        case .channelLeft(let body): try container.encode(body, forKey: .body)
        case .channelDismissed(let body): try container.encode(body, forKey: .body)
        case .channelHidden(let body): try container.encode(body, forKey: .body)
        case .channelEnded(let body): try container.encode(body, forKey: .body)
        case .channelCleared(let body): try container.encode(body, forKey: .body)
        case .messageDeleted(let body): try container.encode(body, forKey: .body)
        case .channelPreferenceChanged(let body): try container.encode(body, forKey: .body)
        case .channelUnreadMarked(let body): try container.encode(body, forKey: .body)
        case .userBlocked(let body): try container.encode(body, forKey: .body)
        case .userUnblocked(let body): try container.encode(body, forKey: .body)
        case .scheduleCreated(let body): try container.encode(body, forKey: .body)
        case .scheduleChanged(let body): try container.encode(body, forKey: .body)
        case .scheduleCancelled(let body): try container.encode(body, forKey: .body)
        case .scheduleSent(let body): try container.encode(body, forKey: .body)
        case .messageRelayed(let body): try container.encode(body, forKey: .body)
        case .typingStarted(let body): try container.encode(body, forKey: .body)
        case .typingEnded(let body): try container.encode(body, forKey: .body)
        case .readMarkMoved(let body): try container.encode(body, forKey: .body)
        case .channelActiveCountChanged(let body): try container.encode(body, forKey: .body)
        case .positions(let body): try container.encode(body, forKey: .body)
        case .goaway(let body): try container.encode(body, forKey: .body)
        case .unknown: try container.encode(Done(), forKey: .body)
        }
    }
}

/// The names of all events: the closed list of the catalogue.
public enum EventName: String, CaseIterable, Sendable {
    /// A user's message. Channel log.
    case messageSent = "message.sent"
    /// An operator's line. Channel log.
    case messageAnnounced = "message.announced"
    /// Messages were recalled. Channel log.
    case messageRecalled = "message.recalled"
    /// Somebody voted. Channel log.
    case voteCast = "vote.cast"
    /// A vote is over. Channel log.
    case voteClosed = "vote.closed"
    /// A channel for news was made. Channel log.
    case newsCreated = "news.created"
    /// A row that the reader may not see. Channel log.
    case rowRemoved = "row.removed"
    /// What is older than the operator keeps was taken away. Channel log.
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
    /// The user deleted everything in channels from the own view. User log.
    case channelCleared = "channel.cleared"
    /// The user deleted messages from the own view. User log.
    case messageDeleted = "message.deleted"
    /// The user's own settings in a channel changed. User log.
    case channelPreferenceChanged = "channel.preferenceChanged"
    /// The user marked a channel as unread, or read it since. User log.
    case channelUnreadMarked = "channel.unreadMarked"
    /// The user blocked somebody. User log.
    case userBlocked = "user.blocked"
    /// The user took a block back. User log.
    case userUnblocked = "user.unblocked"
    /// The user scheduled messages. User log.
    case scheduleCreated = "schedule.created"
    /// The user changed what was scheduled. User log.
    case scheduleChanged = "schedule.changed"
    /// The user cancelled what was scheduled. User log.
    case scheduleCancelled = "schedule.cancelled"
    /// What the user had scheduled was due and is done. User log.
    case scheduleSent = "schedule.sent"
    /// A custom message that is not stored. Ephemeral.
    case messageRelayed = "message.relayed"
    /// Somebody types. Ephemeral.
    case typingStarted = "typing.started"
    /// Somebody stopped typing. Ephemeral.
    case typingEnded = "typing.ended"
    /// Members have read further. Ephemeral.
    case readMarkMoved = "readMark.moved"
    /// How many members are connected changed. Ephemeral.
    case channelActiveCountChanged = "channel.activeCountChanged"
    /// The heartbeat's positions. Ephemeral.
    case positions
    /// The server is about to stop. Ephemeral.
    case goaway
}

/// What happened, with its details.
public enum EventBody: Hashable, Sendable {
    /// A user's message.
    indirect case messageSent(Message)
    /// An operator's line.
    case messageAnnounced(Announcement)
    /// Messages were recalled.
    case messageRecalled(MessagesRecalled)
    /// Somebody voted.
    case voteCast(VoteCast)
    /// A vote is over.
    case voteClosed(VoteClosed)
    /// A channel for news was made.
    case newsCreated(NewsCreated)
    /// A row that the reader may not see.
    case rowRemoved(RowRemoved)
    /// What is older than the operator keeps was taken away.
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
    /// The user deleted everything in channels from the own view.
    case channelCleared(ChannelsHidden)
    /// The user deleted messages from the own view.
    case messageDeleted(MessagesDeleted)
    /// The user's own settings in a channel changed.
    case channelPreferenceChanged(PreferenceChanged)
    /// The user marked a channel as unread, or read it since.
    case channelUnreadMarked(UnreadMarked)
    /// The user blocked somebody.
    case userBlocked(BlockChanged)
    /// The user took a block back.
    case userUnblocked(BlockChanged)
    /// The user scheduled messages.
    case scheduleCreated(Schedule)
    /// The user changed what was scheduled.
    case scheduleChanged(Schedule)
    /// The user cancelled what was scheduled.
    case scheduleCancelled(ScheduleCancelled)
    /// What the user had scheduled was due and is done.
    case scheduleSent(ScheduleSent)
    /// A custom message that is not stored.
    indirect case messageRelayed(Message)
    /// Somebody types.
    case typingStarted(TypingChanged)
    /// Somebody stopped typing.
    case typingEnded(TypingChanged)
    /// Members have read further.
    case readMarkMoved(ReadMarksMoved)
    /// How many members are connected changed.
    case channelActiveCountChanged(ActiveCountChanged)
    /// The heartbeat's positions.
    case positions(Positions)
    /// The server is about to stop.
    case goaway(GoAway)
    /// An event of a newer protocol, by its name.
    case unknown(String)

    /// The event's name in the catalogue.
    public var name: String {
        switch self {
        case .messageSent: EventName.messageSent.rawValue
        case .messageAnnounced: EventName.messageAnnounced.rawValue
        case .messageRecalled: EventName.messageRecalled.rawValue
        case .voteCast: EventName.voteCast.rawValue
        case .voteClosed: EventName.voteClosed.rawValue
        case .newsCreated: EventName.newsCreated.rawValue
        case .rowRemoved: EventName.rowRemoved.rawValue
        case .channelPurged: EventName.channelPurged.rawValue
        case .memberInvited: EventName.memberInvited.rawValue
        case .memberJoined: EventName.memberJoined.rawValue
        case .memberLeft: EventName.memberLeft.rawValue
        case .memberKicked: EventName.memberKicked.rawValue
        case .memberBanned: EventName.memberBanned.rawValue
        case .memberRoleChanged: EventName.memberRoleChanged.rawValue
        case .memberProfileChanged: EventName.memberProfileChanged.rawValue
        case .channelProfileChanged: EventName.channelProfileChanged.rawValue
        case .channelJoined: EventName.channelJoined.rawValue
        case .channelInvited: EventName.channelInvited.rawValue
        case .channelLeft: EventName.channelLeft.rawValue
        case .channelDismissed: EventName.channelDismissed.rawValue
        case .channelHidden: EventName.channelHidden.rawValue
        case .channelEnded: EventName.channelEnded.rawValue
        case .channelCleared: EventName.channelCleared.rawValue
        case .messageDeleted: EventName.messageDeleted.rawValue
        case .channelPreferenceChanged: EventName.channelPreferenceChanged.rawValue
        case .channelUnreadMarked: EventName.channelUnreadMarked.rawValue
        case .userBlocked: EventName.userBlocked.rawValue
        case .userUnblocked: EventName.userUnblocked.rawValue
        case .scheduleCreated: EventName.scheduleCreated.rawValue
        case .scheduleChanged: EventName.scheduleChanged.rawValue
        case .scheduleCancelled: EventName.scheduleCancelled.rawValue
        case .scheduleSent: EventName.scheduleSent.rawValue
        case .messageRelayed: EventName.messageRelayed.rawValue
        case .typingStarted: EventName.typingStarted.rawValue
        case .typingEnded: EventName.typingEnded.rawValue
        case .readMarkMoved: EventName.readMarkMoved.rawValue
        case .channelActiveCountChanged: EventName.channelActiveCountChanged.rawValue
        case .positions: EventName.positions.rawValue
        case .goaway: EventName.goaway.rawValue
        case .unknown(let name): name
        }
    }
}
