public import RoostWire

/// How a client stands to the server.
public enum ConnectionState: String, Hashable, Sendable {
    /// Not connected, and not trying: before `connect()`, after `disconnect()`, or refused for good.
    case offline
    /// Trying to reach the server, or waiting before the next try.
    case connecting
    /// Authenticated; what was missed is being handed over.
    case catchingUp
    /// Everything missed has been handed over, and what happens arrives as it happens.
    case live
}

/// What a client tells its app. More cases may come; a switch needs a `default`.
///
/// The rows of each log arrive in the order of their numbers, each exactly
/// once per subscription, whether they were seen live, missed and resumed, or
/// read again after a loss. Rows of different logs have no order among each
/// other.
public enum ClientEvent: Sendable {
    /// A row of a log, or something ephemeral (typing, read marks, relayed messages, the number of connected members).
    ///
    /// `isPast` is true for a row that was read from the log afterwards, as after
    /// a lost connection; it is new to this client all the same. Numbers may be
    /// left out: rows that the user may not see (any more). Some of them come as
    /// `row.removed`, which is nothing to show.
    case event(Event, isPast: Bool)
    /// Something changed in the row that the channel list shows: a row of its log, a read mark, the user's own settings,
    /// marker or deletions, joined, left, dismissed, hidden, ended, cleared; in a 1-on-1 also that the user has blocked
    /// the other one or taken that back, which hides or shows that one's read mark.
    ///
    /// It follows the event that it is derived from. Open channels have none.
    case channelUpdated(ChannelID)
    /// Another user mentioned the connected user in this message. It follows the message's own event.
    case mentioned(ChannelID, Event)
    /// After missed rows were handed over: how many of one kind. Once per kind that had any, before `connected`.
    case backlogDelivered(BacklogKind, count: Int)
    /// The connected user's own read marks and unread counts after catching up, where anything is unread.
    case readMarks([OwnMark])
    /// Live: authenticated, and everything missed has been handed over. Comes again after each reconnect.
    case connected(User)
    /// Catching up: so many rows of those that were missed have been handed over. After each page that brought some.
    case catchingUp(done: Int, of: Int)
    /// The connection is gone. The client comes back by itself unless the error is not retryable; nil after `disconnect()`.
    case disconnected(RoostError?)
    /// A log could not be continued: forget what is cached of it, and read it again where it is needed.
    case reset(Reset)
    /// This client no longer takes part in an open channel, or the user is no longer a member: left, was removed or
    /// banned, or the channel was dismissed. Once, after the first event that says so.
    case left(ChannelID)
    /// An own send is on the server's disk.
    case sent(SentMessage)
    /// An own send was refused or given up; the text is handed back.
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
        case .user(.userBlocked), .user(.userUnblocked), .user(.scheduleCancelled), .unknown: []
        // What names its channel in the event itself, or none.
        case .channel, .ephemeral: []
        }
    }
}

/// The kinds of rows that a backlog can hold.
public enum BacklogKind: String, Hashable, Sendable, CaseIterable {
    /// Messages of users.
    case messages
    /// Lines of operators.
    case announcements
    /// Lines of the server about members, roles, settings, recalls and votes, and events of a newer protocol.
    case system
    /// Rows of the user's log: channels gained, lost, hidden, ended, cleared; own settings, deletions, blocks and
    /// schedules.
    case own
}

/// A send that came to nothing.
public struct FailedSend: Sendable {
    /// The key of the send: sending the same text again under it cannot double the message.
    public let transID: TransID
    /// What was to be sent, with all its fields.
    public let message: SendMessage
    /// The channel.
    public var channel: ChannelID { message.channel }
    /// The text of it; empty where it has none.
    public var text: String { message.text }
    /// Why it failed.
    public let error: RoostError
}
