#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A device on which a user is logged in: it has connected with a token that has not expired.
public struct Login: Codable, Hashable, Sendable {
    /// The device, by the id that it logged in with.
    public var deviceID: DeviceID
    /// When it connected last.
    @Timestamp public var connectedAt: Date
    /// When its newest token expires.
    @Timestamp public var expiresAt: Date

    /// Creates a value with these fields.
    public init(deviceID: DeviceID, connectedAt: Date, expiresAt: Date) {
        self.deviceID = deviceID
        self.connectedAt = connectedAt
        self.expiresAt = expiresAt
    }
}

/// Lists the devices on which the caller is logged in, the most recent first.
///
/// The server knows a device from its WebSocket connections, and remembers the last 100 of a user with the tokens that
/// they showed; guests and HTTP requests are not among them.
public struct ListLogins: ReadCommand {
    /// Creates a value with these fields.
    public init() {}

    /// The name on the wire.
    public static let name = "login.list"

    /// The caller's logins, the most recent first.
    public struct Answer: Codable, Hashable, Sendable {
        /// The caller's logins, the most recent first.
        public var logins: [Login]

        /// Creates a value with these fields.
        public init(logins: [Login]) {
            self.logins = logins
        }
    }
}

/// Logs out one device, or all of them: their tokens are no longer accepted, and they are not notified any more.
///
/// For one device these are the tokens with which it has connected; another device with the same token is logged out,
/// too. For all devices it is every token issued up to now, in whole seconds: a token that is issued within the same
/// second is refused, too. Connections with such a token, on any server, are closed with 4401 within two seconds, and the
/// token is refused with 7002 from then on. To log out another user takes an operator (1107), or a key with the scope
/// `accounts`, which cannot log out operators. If no login of the device is known, as after 100 later ones, it fails with
/// 7029, and a token of the device may still be valid: log out all devices.
public struct EndLogins: WriteCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "login.end"
    /// What a key needs to send it.
    public static let scope = KeyScope.accounts
    /// The device, perhaps the calling one; all devices if absent.
    public var deviceID: DeviceID?
    /// The user; the caller if absent.
    public var userID: UserID?

    /// Creates a value with these fields.
    public init(deviceID: DeviceID? = nil, userID: UserID? = nil) {
        self.deviceID = deviceID
        self.userID = userID
    }
}

/// Changes what a user may do on this server; absent values stay unchanged. For operators and keys; a key with the scope
/// `accounts` cannot change what operators may do (1107).
///
/// A user who may not chat is banned from the server: connections are closed with 4403, and every login and request is
/// refused with 7026. The user's channels, messages and settings stay, but schedules that become due meanwhile are not
/// sent, and the user's devices are not notified. A user who may not call cannot send messages about calls (1107).
/// The user need not have logged in before. Fails with 6 if nothing is given, or if operators would ban themselves.
public struct SetUserAccess: WriteCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "user.setAccess"
    /// What a key needs to send it.
    public static let scope = KeyScope.accounts
    /// Whose access changes.
    public var userID: UserID
    /// Whether the user may use this server; true for a new user.
    public var canChat: Bool?
    /// Whether the user may send messages about calls; true for a new user.
    public var canCall: Bool?

    /// Creates a value with these fields.
    public init(userID: UserID, canChat: Bool? = nil, canCall: Bool? = nil) {
        self.userID = userID
        self.canChat = canChat
        self.canCall = canCall
    }
}
