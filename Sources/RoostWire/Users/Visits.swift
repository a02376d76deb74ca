#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Lets somebody without an account talk to the user of a key, and returns a token for 30 days: needs no token.
///
/// The key has the scope ``KeyScope/visitors`` alone, and may be public, as in the source of a page. The server makes the user
/// id of the visitor. With the token, the visitor may create and use the 1-on-1 with the user of the key: read, send, react,
/// mark as read, upload up to 10 MiB and download files, report and block. Everything else is refused (1107): other channels, groups,
/// looking for people, accounts. If `token` is one of an earlier visit to the same user, the answer has a new one for the same visitor.
///
/// Fails with 1 if the key is not valid, or has another scope; with 1 or 7002 if `token` is not valid or has expired, with 7026
/// if its visitor is banned, with 7027 if the visitor was deleted; with 6 if `name` is not a name; and with 1004 after 20
/// commands from a network, and 500 with a key, within 15 minutes.
public struct StartVisit: ServeCommand {
    /// The name on the wire.
    public static let name = "visitor.start"
    /// It needs the keys of the server.
    public static let reach = CommandReach.request
    /// The whole key, `roost-key-` and 64 digits.
    public var key: String
    /// The name to show, 1 to 200 UTF-16 units; "Visitor" if absent.
    public var name: String?
    /// The token of an earlier visit.
    public var token: String?

    /// Creates a value with these fields.
    public init(key: String, name: String? = nil, token: String? = nil) {
        self.key = key
        self.name = name
        self.token = token
    }

    /// A visitor, and the token to connect with.
    public struct Answer: Codable, Hashable, Sendable {
        /// The visitor.
        public var userID: UserID
        /// The user whom the visitor may talk to.
        public var host: UserID
        /// The 1-on-1 of the two, which the visitor makes with `channel.create`.
        public var channel: ChannelID
        /// The token to connect with.
        public var token: String
        /// When the token expires.
        @Timestamp public var expiresAt: Date

        /// Creates the answer.
        public init(userID: UserID, host: UserID, token: String, expiresAt: Date) {
            self.userID = userID
            self.host = host
            channel = ChannelID(single: userID, host)
            self.token = token
            self.expiresAt = expiresAt
        }
    }
}
