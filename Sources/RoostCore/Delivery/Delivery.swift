package import RoostWire

/// Identifies a connection: a lane (an event loop of the transport) and a number.
package struct SessionID: Hashable, Sendable {
    package let lane: Int
    package let number: UInt64

    package init(lane: Int, number: UInt64) {
        self.lane = lane
        self.number = number
    }
}

/// The sender of a command: an authenticated user on a device, and the connection if there is one.
package struct Actor: Sendable {
    package var user: User
    package var deviceID: DeviceID
    package var isOperator: Bool
    package var session: SessionID?
    /// The token that the user has shown, if any.
    package var access: Access?
    /// What the key may be used for with which the command was sent; nil without a key.
    package var scopes: Set<KeyScope>?
    /// The name of that key.
    package var keyName: String?
    /// The address of the connection, for the log.
    package var address: String?
    /// The web origin of the connection, for the log.
    package var origin: String?
    /// When the command was received, in µs of `Effects.uptime`.
    var receivedAt: Int64 = 0

    /// Whether the sender may manage the accounts of others.
    package var managesAccounts: Bool { isOperator || scopes?.contains(.accounts) == true }

    /// Checks that the key of the sender, if any, may be used for this.
    /// - Throws: `WireError` 1107.
    package func check(_ scope: KeyScope) throws(WireError) {
        guard let scopes, !scopes.contains(.operator), !scopes.contains(scope) else { return }
        throw WireError(
            .noPrivilege, "The key may not be used for this. Create one with the scope \"\(scope.rawValue)\".")
    }

    package init(
        user: User, deviceID: DeviceID, isOperator: Bool, session: SessionID? = nil, access: Access? = nil
    ) {
        self.user = user
        self.deviceID = deviceID
        self.isOperator = isOperator
        self.session = session
        self.access = access
    }
}

/// The result of a command: the JSON of its answer, or an error.
package enum Reply: Sendable {
    case accepted([UInt8])
    case refused(WireError)
}

/// The connected sessions that receive an event.
package enum Receivers: Sendable {
    /// Every session subscribed to the channel: all devices of all members, or all participants.
    case channel(ChannelID)
    /// The same, except for one user's devices.
    case others(ChannelID, except: UserID)
    /// Every device of one user.
    case user(UserID)
}

/// A log whose rows reach sessions in the order of their numbers.
package enum LogID: Hashable, Sendable {
    case channel(ChannelID)
    case user(UserID)
}

/// Rows of a log: those above `after`, up to `through`.
package struct LogRange: Hashable, Sendable {
    package var log: LogID
    package var after: Int64
    package var through: Int64

    /// The end of a range that has all rows there are.
    package static let end = Int64.max

    package init(_ log: LogID, after: Int64, through: Int64) {
        self.log = log
        self.after = after
        self.through = through
    }
}

/// Where the subscription of a user to a channel begins or ends.
package struct SubscriptionPlace: Codable, Hashable, Sendable {
    /// The row of the channel's log above which it holds, or does not hold any more.
    package var seq: Int64
    /// The row of the user's log that says so; it orders the changes to the subscriptions of a user.
    package var userSeq: Int64

    package init(seq: Int64, userSeq: Int64) {
        self.seq = seq
        self.userSeq = userSeq
    }
}

/// One action of a lane after a commit; deliveries are performed in order.
///
/// Those of other servers of the database may arrive in any order, twice, or late: what belongs to a log carries its
/// place there and takes effect at that place. Only a change to a subscription has to arrive before the row of the
/// user's log that it is about.
package enum Delivery: Sendable {
    /// Write this encoded event, a row of a log, to all who follow the log.
    case row([UInt8], of: LogID, seq: Int64)
    /// Write this encoded event, which is in no log, to its receivers; not before they have this row of the channel.
    case event([UInt8], to: Receivers, after: Int64 = 0)
    /// A log has got rows, up to this one.
    case moved(LogID, seq: Int64)
    /// Rows that were asked for; those of the range that are not there do not exist any more. `read` is the place of the
    /// read among all reads.
    case filled(LogRange, [Int64: [UInt8]], read: Int64)
    /// Answer a command of a session.
    case reply(SessionID, id: String, Reply)
    /// A session is authenticated: subscribe it to these channels from these heads on.
    case attach(SessionID, user: UserID, userSeq: Int64, channels: [ChannelPosition])
    /// Subscribe all sessions of a user to a channel.
    case subscribe(UserID, ChannelID, at: SubscriptionPlace)
    /// Unsubscribe all sessions of a user from a channel.
    case unsubscribe(UserID, ChannelID, at: SubscriptionPlace)
    /// Subscribe one session to an open channel.
    case participate(SessionID, ChannelID, at: SubscriptionPlace)
    /// Unsubscribe one session from an open channel.
    case withdraw(SessionID, ChannelID)
    /// End the connection of a session, for this reason.
    case end(SessionID, WireError)

    /// The channel that its event is about, if the followers of the channel receive it.
    var channel: ChannelID? {
        switch self {
        case .row(_, of: .channel(let id), _), .event(_, to: .channel(let id), _),
            .event(_, to: .others(let id, _), _):
            id
        default: nil
        }
    }
}
