public import RoostWire

/// The state of a client's connection.
public enum ConnectionState: String, Hashable, Sendable {
    /// Not connected, and not trying: before `connect()`, after `disconnect()`, or refused permanently.
    case offline
    /// Trying to reach the server, or waiting before the next try.
    case connecting
    /// Authenticated; missed rows are being delivered.
    case catchingUp
    /// All missed rows were delivered, and new events arrive as they happen.
    case live
}

/// An event for the app. Cases may be added; a switch needs a `default`.
///
/// The rows of each log arrive in the order of their numbers, each exactly
/// once per subscription, whether they were received live, missed and resumed, or
/// read again after a lost connection. Rows of different logs have no order among each
/// other.
public enum ClientEvent: Sendable {
    /// A row of a log, or something ephemeral (typing, read marks, relayed messages, the number of connected members).
    ///
    /// `isPast` is true for a row that was read from the log later, as after
    /// a lost connection; it is new to this client nevertheless. Numbers may be
    /// missing: rows that the user may not see. Some of them come as
    /// `row.removed`, which is not shown.
    case event(Event, isPast: Bool)
    /// The channel's row in the channel list changed: by a row of its log, a read mark, the user's settings,
    /// unread marker or deletions, joined, left, dismissed, hidden, ended, cleared; in a 1-on-1 also by blocking or
    /// unblocking the other user, which hides or shows that user's read mark.
    ///
    /// It follows the event that caused it. Open channels have none.
    case channelUpdated(ChannelID)
    /// Another user mentioned the connected user in this message. It follows the message's own event.
    case mentioned(ChannelID, Event)
    /// How many missed rows of one kind were delivered. Once per kind with any rows, before `connected`.
    case backlogDelivered(BacklogKind, count: Int)
    /// The connected user's read marks and unread counts after catching up, of channels with unread messages.
    case readMarks([OwnMark])
    /// Live: authenticated, and all missed rows were delivered. Repeated after each reconnect.
    case connected(User)
    /// Catching up: how many of the missed rows were delivered. After each page with rows.
    case catchingUp(done: Int, of: Int)
    /// The connection was lost. The client reconnects by itself unless the error is not retryable; nil after
    /// `disconnect()`.
    case disconnected(RoostError?)
    /// A log cannot be continued: delete what is cached of it, and read it again when needed.
    case reset(Reset)
    /// This client is no longer in an open channel, or the user is no longer a member: left, was removed or
    /// banned, or the channel was dismissed. Once, after the first event that says so.
    case left(ChannelID)
    /// A message of this client is on the server's disk.
    case sent(SentMessage)
    /// A message of this client was refused, timed out, or could not be stored on the device; its text is included.
    case sendFailed(FailedSend)
    /// This sequence was read too slowly: more than 100,000 events waited. It has ended; nothing follows.
    case lagged

    /// Whether it is about this channel, or about the connection as a whole.
    func concerns(_ id: ChannelID) -> Bool {
        switch self {
        case .event(let event, _):
            if let channel = event.channel { return channel == id }
            switch event.body {
            case .user(.userBlocked(let changed)), .user(.userUnblocked(let changed)):
                return id.isPair(with: changed.user.userID)
            case .user(.userProfileChanged(let changed)): return id.isPair(with: changed.userID)
            default: return event.body.channels.contains(id)
            }
        case .channelUpdated(let channel), .mentioned(let channel, _), .left(let channel): return channel == id
        case .reset(let reset): return reset.channel == id
        case .sent(let message): return message.channel == id
        case .sendFailed(let send): return send.channel == id
        case .backlogDelivered, .readMarks, .catchingUp: return false
        case .connected, .disconnected, .lagged: return true
        }
    }
}

extension ChannelID {
    /// Whether this is the id of a 1-on-1 of another user with this user.
    func isPair(with user: UserID) -> Bool { pair.map { ($0 == user) != ($1 == user) } ?? false }
}

extension EventBody {
    /// The channels that a row of the user's log is about.
    var channels: [ChannelID] {
        switch self {
        case .user(.channelJoined(let body)): [body.channel]
        case .user(.channelInvited(let body)): [body.channel]
        case .user(.channelLeft(let body)): [body.channel]
        case .user(.channelDismissed(let body)): [body.channel]
        case .user(.channelHidden(let body)), .user(.channelEnded(let body)), .user(.channelCleared(let body)):
            body.channels.map(\.channel)
        case .user(.messageDeleted(let body)): [body.channel]
        case .user(.channelPreferenceChanged(let body)): [body.channel]
        case .user(.channelUnreadMarked(let body)): [body.channel]
        case .user(.scheduleCreated(let body)), .user(.scheduleChanged(let body)): body.channels
        case .user(.scheduleSent(let body)): body.results.map(\.channel)
        case .user(.userBlocked), .user(.userUnblocked), .user(.userProfileChanged), .user(.userSettingsChanged),
            .user(.scheduleCancelled), .unknown:
            []
        // Events that name their channel themselves, or that have none.
        case .channel, .ephemeral: []
        }
    }
}

/// The kinds of rows that can be missed.
public enum BacklogKind: String, Hashable, Sendable, CaseIterable {
    /// Messages of users.
    case messages
    /// Announcements of operators.
    case announcements
    /// System lines about members, roles, settings, recalls and votes, and events of a newer protocol.
    case system
    /// Rows of the user's log: channels joined, left, hidden, ended, cleared; preferences, deletions, blocks,
    /// profiles, settings and schedules.
    case own
}

/// A send that failed.
public struct FailedSend: Sendable {
    /// The transID of the send: sending the same text again with it cannot duplicate the message.
    public let transID: TransID
    /// The message, with all its fields.
    public let message: SendMessage
    /// The channel to which the message was to go.
    public var channel: ChannelID { message.channel }
    /// The text; empty if there is none.
    public var text: String { message.text }
    /// Why it failed.
    public let error: RoostError
}
