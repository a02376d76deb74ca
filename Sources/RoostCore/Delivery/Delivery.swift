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

/// One action of a lane after a commit; deliveries are performed in order.
package enum Delivery: Sendable {
    /// Write this encoded event to its receivers; `seq` is the new head of its log.
    case event([UInt8], to: Receivers, seq: Int64?)
    /// Answer a command of a session.
    case reply(SessionID, id: String, Reply)
    /// A session is authenticated: subscribe it to these channels from these heads on.
    case attach(SessionID, user: UserID, userSeq: Int64, channels: [ChannelPosition])
    /// Subscribe all sessions of a user to a channel from this head on.
    case subscribe(UserID, ChannelID, seq: Int64)
    /// Unsubscribe all sessions of a user from a channel.
    case unsubscribe(UserID, ChannelID)
    /// Subscribe one session to an open channel from this head on.
    case participate(SessionID, ChannelID, seq: Int64)
    /// Unsubscribe one session from an open channel.
    case withdraw(SessionID, ChannelID)
    /// End the connection of a session, for this reason.
    case end(SessionID, WireError)
}
