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

    /// Creates a value with these fields.
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

    enum CodingKeys: String, CodingKey {
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
        let name = try container.decode(String.self, forKey: .event)
        if let known = EventName(rawValue: name) {
            body = try EventBody(known, from: container)
        } else {
            body = .unknown(name, body: try container.decodeIfPresent(UnknownBody.self, forKey: .body) ?? UnknownBody())
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

extension EventName {
    /// Whether the event shows in a conversation, as a message or a line.
    ///
    /// All others change what is shown already or nothing that is shown, and `message.list` leaves them out with
    /// `onlyShown`. A message that was recalled silently does not show either.
    public var isShown: Bool {
        switch self {
        case .messageSent, .messageAnnounced, .newsCreated, .voteClosed, .memberInvited, .memberJoined, .memberLeft,
            .memberKicked, .memberBanned, .memberRoleChanged, .memberProfileChanged, .channelProfileChanged,
            .pinAdded:
            true
        case .messageRecalled, .voteCast, .reactionAdded, .reactionRemoved, .pinRemoved, .rowRemoved, .channelPurged,
            .channelJoined,
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
    /// A message was pinned.
    case pinAdded(PinChanged)
    /// A pinned message was taken down.
    case pinRemoved(PinChanged)
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
}
