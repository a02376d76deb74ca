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
        case .messageSent(let message): message.messageID
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
            case .memberInvited: .memberInvited(try read(MembersInvited.self))
            case .memberLeft: .memberLeft(try read(MemberLeft.self))
            case .channelJoined: .channelJoined(try read(ChannelJoined.self))
            case .channelLeft: .channelLeft(try read(ChannelLeft.self))
            case .channelHidden: .channelHidden(try read(ChannelsHidden.self))
            case .channelEnded: .channelEnded(try read(ChannelsHidden.self))
            case .typingStarted: .typingStarted(try read(TypingChanged.self))
            case .typingEnded: .typingEnded(try read(TypingChanged.self))
            case .readMarkMoved: .readMarkMoved(try read(ReadMarksMoved.self))
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
        case .memberInvited(let body): try container.encode(body, forKey: .body)
        case .memberLeft(let body): try container.encode(body, forKey: .body)
        case .channelJoined(let body): try container.encode(body, forKey: .body)
        case .channelLeft(let body): try container.encode(body, forKey: .body)
        case .channelHidden(let body), .channelEnded(let body): try container.encode(body, forKey: .body)
        case .typingStarted(let body), .typingEnded(let body): try container.encode(body, forKey: .body)
        case .readMarkMoved(let body): try container.encode(body, forKey: .body)
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
    /// Users were made members. Channel log.
    case memberInvited = "member.invited"
    /// A member left. Channel log.
    case memberLeft = "member.left"
    /// The user became a member of a channel. User log.
    case channelJoined = "channel.joined"
    /// The user is no longer a member of a channel. User log.
    case channelLeft = "channel.left"
    /// The user hid channels. User log.
    case channelHidden = "channel.hidden"
    /// The user ended channels. User log.
    case channelEnded = "channel.ended"
    /// Somebody types. Ephemeral.
    case typingStarted = "typing.started"
    /// Somebody stopped typing. Ephemeral.
    case typingEnded = "typing.ended"
    /// Members have read further. Ephemeral.
    case readMarkMoved = "readMark.moved"
    /// The heartbeat's positions. Ephemeral.
    case positions
    /// The server is about to stop. Ephemeral.
    case goaway
}

/// What happened, with its details.
public enum EventBody: Hashable, Sendable {
    /// A user's message.
    case messageSent(Message)
    /// An operator's line.
    case messageAnnounced(Announcement)
    /// Users were made members.
    case memberInvited(MembersInvited)
    /// A member left.
    case memberLeft(MemberLeft)
    /// The user became a member of a channel.
    case channelJoined(ChannelJoined)
    /// The user is no longer a member of a channel.
    case channelLeft(ChannelLeft)
    /// The user hid channels.
    case channelHidden(ChannelsHidden)
    /// The user ended channels.
    case channelEnded(ChannelsHidden)
    /// Somebody types.
    case typingStarted(TypingChanged)
    /// Somebody stopped typing.
    case typingEnded(TypingChanged)
    /// Members have read further.
    case readMarkMoved(ReadMarksMoved)
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
        case .memberInvited: EventName.memberInvited.rawValue
        case .memberLeft: EventName.memberLeft.rawValue
        case .channelJoined: EventName.channelJoined.rawValue
        case .channelLeft: EventName.channelLeft.rawValue
        case .channelHidden: EventName.channelHidden.rawValue
        case .channelEnded: EventName.channelEnded.rawValue
        case .typingStarted: EventName.typingStarted.rawValue
        case .typingEnded: EventName.typingEnded.rawValue
        case .readMarkMoved: EventName.readMarkMoved.rawValue
        case .positions: EventName.positions.rawValue
        case .goaway: EventName.goaway.rawValue
        case .unknown(let name): name
        }
    }
}
