package import RoostWire

/// One connection of a device, as the core knows it: a lane (an event loop of the transport) and a number.
package struct SessionID: Hashable, Sendable {
    package let lane: Int
    package let number: UInt64

    package init(lane: Int, number: UInt64) {
        self.lane = lane
        self.number = number
    }
}

/// Who sends a command: an authenticated user on a device, and the connection if there is one.
package struct Actor: Sendable {
    package var user: User
    package var deviceID: DeviceID
    package var isOperator: Bool
    package var session: SessionID?
    /// When the session ends by itself, ms since 1970: for the welcome.
    package var expiresAt: Int64?

    package init(
        user: User, deviceID: DeviceID, isOperator: Bool, session: SessionID? = nil, expiresAt: Int64? = nil
    ) {
        self.user = user
        self.deviceID = deviceID
        self.isOperator = isOperator
        self.session = session
        self.expiresAt = expiresAt
    }
}

/// What a command came to: the JSON of its answer, or the refusal.
package enum Reply: Sendable {
    case accepted([UInt8])
    case refused(WireError)
}

/// Who gets an event, among the connected sessions.
package enum Receivers: Sendable {
    /// Every session that follows the channel: all devices of all members, or all participants.
    case channel(ChannelID)
    /// The same without one user's devices.
    case others(ChannelID, except: UserID)
    /// Every device of one user.
    case user(UserID)
}

/// One thing that a lane has to do after a commit, in this order.
package enum Delivery: Sendable {
    /// Write this event, encoded once, to its receivers; `seq` or `userSeq` is the new head of its log.
    case event([UInt8], to: Receivers, seq: Int64?)
    /// Answer a command of a session.
    case reply(SessionID, id: String, Reply)
    /// A session is authenticated: it follows these channels from these heads on.
    case attach(SessionID, user: UserID, userSeq: Int64, channels: [ChannelPosition])
    /// All sessions of a user follow a channel from this head on.
    case subscribe(UserID, ChannelID, seq: Int64)
    /// No session of a user follows a channel any more.
    case unsubscribe(UserID, ChannelID)
    /// One session takes part in an open channel from this head on.
    case participate(SessionID, ChannelID, seq: Int64)
    /// One session takes part no more.
    case withdraw(SessionID, ChannelID)
}
