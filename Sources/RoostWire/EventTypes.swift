extension EventBody {
    /// The message type of this event; nil if it has none.
    ///
    /// The flags of the type decide how the event is handled: store, last message, live
    /// delivery, push, unread. A change of settings has the type of the first setting that
    /// it carries, in the order title, picture, anything else.
    public var messageType: MessageType? {
        switch self {
        case .channel(let body): body.messageType
        case .user(let body): body.messageType
        case .ephemeral(let body): body.messageType
        case .unknown: nil
        }
    }

    /// How this event is handled in a channel: the flags of its type; an announcement is treated as a text.
    ///
    /// It is nil for an event without a message type. For the user who is invited or added, an invitation makes a
    /// push notification too, as its row `member.invited` does for the others.
    public var behaviour: MessageBehaviour? {
        switch self {
        case .channel(.messageSent(let message)), .ephemeral(.messageRelayed(let message)):
            messageType?.behaviour(attributes: message.attributes)
        case .channel(.messageAnnounced): MessageType.text.behaviour()
        case .user(.channelInvited): MessageType.membersInvited.behaviour()
        case .user(.channelJoined(let joined)) where joined.reason == .invited: MessageType.membersInvited.behaviour()
        default: messageType?.behaviour()
        }
    }
}

extension ChannelRowBody {
    fileprivate var messageType: MessageType? {
        switch self {
        case .messageSent(let message): .named(message.type)
        case .messageRecalled: .numbered(1104)
        case .memberInvited: .membersInvited
        case .memberJoined: .memberJoined
        case .memberLeft: .memberLeft
        case .memberKicked: .numbered(1006)
        case .memberBanned: .numbered(1007)
        case .memberRoleChanged(let body): .numbered(body.members.count == 1 ? 1010 : 1018)
        case .memberProfileChanged: .numbered(1013)
        case .channelProfileChanged(let body):
            .numbered(body.profile.title != nil ? 1008 : body.profile.avatar != nil ? 1009 : 1015)
        case .newsCreated(let body): .numbered(body.kind == .corporateNews ? 1203 : 1201)
        case .messageAnnounced, .voteCast, .voteClosed, .reactionAdded, .reactionRemoved, .pinAdded, .pinRemoved,
            .rowRemoved, .channelPurged:
            nil
        }
    }
}

extension UserRowBody {
    fileprivate var messageType: MessageType? {
        switch self {
        case .channelJoined(let body): body.reason == .created ? .channelCreated : nil
        case .channelDismissed: .numbered(1002)
        case .channelCleared(let body): .numbered(body.isAll ? 1105 : 1103)
        case .messageDeleted: .numbered(1102)
        case .channelPreferenceChanged: .channelPreferenceChanged
        case .userProfileChanged: .userProfileChanged
        case .scheduleCreated: .numbered(205)
        case .scheduleSent(let body): .numbered(body.isVote == true ? 204 : 202)
        case .channelInvited, .channelLeft, .channelHidden, .channelEnded, .channelUnreadMarked, .userBlocked,
            .userUnblocked, .userSettingsChanged, .scheduleChanged, .scheduleCancelled:
            nil
        }
    }
}

extension EphemeralBody {
    fileprivate var messageType: MessageType? {
        switch self {
        case .messageRelayed(let message): .named(message.type)
        case .readMarkMoved: .readMarkMoved
        case .channelActiveCountChanged: .numbered(1106)
        case .typingStarted, .typingEnded, .sessionExpiring, .positions, .goaway: nil
        }
    }
}

/// The parts of a channel that an event changed, as the bits of the reference documents.
public struct ChannelUpdate: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Creates it from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Bit 0: somebody's role.
    public static let role = ChannelUpdate(rawValue: 1)
    /// Bit 1: the user's own settings.
    public static let preference = ChannelUpdate(rawValue: 2)
    /// Bit 2: who is a member.
    public static let members = ChannelUpdate(rawValue: 4)

    /// The parts that an event changes.
    public init(of body: EventBody) {
        switch body {
        case .channel(.memberInvited), .channel(.memberJoined), .channel(.memberKicked), .channel(.memberBanned):
            self = .members
        case .channel(.memberLeft(let left)): self = left.successor == nil ? .members : [.members, .role]
        case .channel(.memberRoleChanged): self = .role
        case .user(.channelPreferenceChanged): self = .preference
        default: self = []
        }
    }
}
