#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The version of the protocol that this package speaks.
public enum ProtocolVersion {
    /// The version that the client sends in `hello`.
    public static let current = 1
}

/// A user who logs in without a token; only if the server runs with `--dev`.
public struct Guest: Codable, Hashable, Sendable {
    /// The user id.
    public var userID: UserID
    /// The name to show; the previous one if absent, or the user id if there is none.
    public var name: String?
    /// The address of a picture.
    public var imageURL: String?

    /// Creates a value with these fields.
    public init(userID: UserID, name: String? = nil, imageURL: String? = nil) {
        self.userID = userID
        self.name = name
        self.imageURL = imageURL
    }
}

/// Logs in: the first frame of a connection.
///
/// Give either `token` (not empty) or `guest`. The connection closes with 4401 if ten seconds pass
/// without a valid `hello`.
public struct Hello: Command {
    /// What the server answers.
    public typealias Answer = Welcome
    /// The name on the wire.
    public static let name = "hello"
    /// The command as a case of ``AnyCommand``.
    public var any: AnyCommand { .hello(self) }
    /// The client library sends it by itself.
    public static let reach = CommandReach.client
    /// Free: the limits for connections apply instead.
    public var cost: CommandCost { .commands(0) }
    /// The protocol's version, 1.
    public var version: Int
    /// A signed token of at most 4 KiB; absent or empty for a guest.
    public var token: String?
    /// The guest; only if the server runs with `--dev`.
    public var guest: Guest?
    /// The id of the device; the client creates it once and keeps it.
    public var deviceID: DeviceID

    /// Creates the frame.
    public init(version: Int = ProtocolVersion.current, token: String? = nil, guest: Guest? = nil, deviceID: DeviceID) {
        self.version = version
        self.token = token
        self.guest = guest
        self.deviceID = deviceID
    }
}

/// The answer to `hello`. From then on the connection gets the events of the user's channels.
public struct Welcome: Codable, Hashable, Sendable {
    /// The user who is logged in.
    public var user: User
    /// Whether the user is an operator.
    public var isOperator: Bool
    /// The time of the server's clock.
    @Timestamp public var serverTime: Date
    /// Identifies the server's database. It changes when a backup is restored; positions of another epoch are invalid.
    public var epoch: String
    /// How often the server sends a ping, in ms.
    public var heartbeat: Int
    /// The limits that hold for this connection.
    public var limits: Limits
    /// The newest row of the user's log.
    public var userSeq: Int64
    /// When the server closes this connection with 4401 unless `session.renew` comes first: 60 s after the token's
    /// `exp`. Absent for a guest.
    @OptionalTimestamp public var expiresAt: Date?
    /// The web origins, such as `https://images.example.com`, from which the operator lets web pages load pictures of
    /// users and channels. Absent if there are none: then only uploaded pictures show, because a picture from elsewhere
    /// tells its host who looks at it.
    public var imageOrigins: [String]?

    /// Creates a value with these fields.
    public init(
        user: User, isOperator: Bool, serverTime: Date, epoch: String, heartbeat: Int, limits: Limits, userSeq: Int64,
        expiresAt: Date? = nil, imageOrigins: [String]? = nil
    ) {
        self.user = user
        self.isOperator = isOperator
        self.serverTime = serverTime
        self.epoch = epoch
        self.heartbeat = heartbeat
        self.limits = limits
        self.userSeq = userSeq
        self.expiresAt = expiresAt
        self.imageOrigins = imageOrigins
    }
}

/// Gives the connection a new token, so that it stays open after the old one has expired.
///
/// The token must name the same user; one of another user is refused with 6000, and a guest, who
/// has none, with 7. A bad token is refused with the same error as in `hello`. After a refusal the
/// connection goes on until its old end. Commands that are sent after this one have the rights of
/// the new token; name and picture stay those of the login. Giving the same token again changes
/// nothing.
public struct RenewSession: Command {
    /// The name on the wire.
    public static let name = "session.renew"
    /// The command as a case of ``AnyCommand``.
    public var any: AnyCommand { .renew(self) }
    /// The client library sends it by itself.
    public static let reach = CommandReach.client
    /// A signed token of at most 4 KiB.
    public var token: String

    /// Creates a value with these fields.
    public init(token: String) {
        self.token = token
    }

    /// What the server answers.
    public struct Answer: Codable, Hashable, Sendable {
        /// When the server now closes this connection: 60 s after the `exp` of the new token.
        @Timestamp public var expiresAt: Date

        /// Creates a value with these fields.
        public init(expiresAt: Date) {
            self.expiresAt = expiresAt
        }
    }
}

/// Reads everything that was missed since the client's positions.
///
/// It is the first command after `welcome`. Repeat it with the new positions while `hasMore` is
/// true. A channel that is not named is not replayed; the answer only has its newest position. An
/// open channel that is named is joined again; beyond `limits.openChannelsPerConnection` it is not
/// joined, and comes as a reset with the reason `gone`.
public struct Resume: ReadCommand {
    /// The name on the wire.
    public static let name = "resume"
    /// The client library sends it by itself.
    public static let reach = CommandReach.client
    /// One command, and one more for every 50 channels.
    public var cost: CommandCost { .commands(1 + channels.count / 50) }
    /// The epoch in which the positions are valid; absent on the first connect.
    public var epoch: String?
    /// The newest row of the user's log that the client has, 0 or more; absent on the first connect.
    public var userSeq: Int64?
    /// The newest row per channel that the client has: at most 1,000 channels, each of them once, 0 or more.
    ///
    /// They have to fit in a frame (`limits.frameBytes`). A client with more of them sends several commands.
    public var channels: [ChannelPosition]
    /// Whether the answer covers only the named channels, which is enough to close a gap; false if absent.
    public var onlyNamed: Bool?

    /// Creates the command.
    public init(
        epoch: String? = nil, userSeq: Int64? = nil, channels: [ChannelPosition] = [], onlyNamed: Bool? = nil
    ) {
        self.epoch = epoch
        self.userSeq = userSeq
        self.channels = channels
        self.onlyNamed = onlyNamed
    }

    /// One page of what was missed.
    public struct Answer: Codable, Hashable, Sendable {
        /// The epoch of the positions in this answer.
        public var epoch: String
        /// The rows missed, ascending within each log and without a gap: those of the user's log first.
        ///
        /// A row that the caller may not see comes as `row.removed`.
        public var events: [Event]
        /// Whether more is missing: ask again with the new positions.
        public var hasMore: Bool
        /// The newest row of the user's log.
        public var userSeq: Int64
        /// The newest row of every channel of the user and of the named open channels; with `onlyNamed`, of the named
        /// channels only.
        public var channels: [ChannelPosition]
        /// The caller's read marks in channels that have unread messages, are marked as unread or were named; with
        /// `onlyNamed`, in the named channels only.
        public var marks: [OwnMark]
        /// Logs that cannot be continued from the given position, with the reason.
        public var resets: [Reset]

        /// Creates a value with these fields.
        public init(
            epoch: String, events: [Event], hasMore: Bool, userSeq: Int64, channels: [ChannelPosition],
            marks: [OwnMark], resets: [Reset]
        ) {
            self.epoch = epoch
            self.events = events
            self.hasMore = hasMore
            self.userSeq = userSeq
            self.channels = channels
            self.marks = marks
            self.resets = resets
        }
    }
}

/// The caller's read mark in a channel, with its unread counts.
public struct OwnMark: Codable, Hashable, Sendable {
    /// The channel that was read.
    public var channel: ChannelID
    /// The newest row read.
    public var seq: Int64
    /// How many messages are unread.
    public var unread: Int
    /// How many of them mention the caller; 0 if absent.
    public var mentions: Int?
    /// Whether the caller has marked the channel as unread; false if absent.
    public var isMarkedUnread: Bool?
    /// How many messages in the channel's log count as unread, as of the number in `channels`; absent from older servers.
    public var count: Int64?

    /// Creates a value with these fields.
    public init(
        channel: ChannelID, seq: Int64, unread: Int, mentions: Int? = nil, isMarkedUnread: Bool? = nil,
        count: Int64? = nil
    ) {
        self.channel = channel
        self.seq = seq
        self.unread = unread
        self.mentions = mentions
        self.isMarkedUnread = isMarkedUnread
        self.count = count
    }
}

/// A log that cannot be continued: forget what you cached of it and start at `seq`.
public struct Reset: Codable, Hashable, Sendable {
    /// Why a log cannot be continued.
    public enum Reason: String, Codable, CaseIterable, Sendable {
        /// The database was restored from a backup: no position is valid any more.
        case epoch
        /// The position lies beyond the newest row.
        case ahead
        /// In a channel: more rows are missing than `limits.resumeRows`. In the user's log: some of the missing rows
        /// are older than 90 days and deleted, or damaged on the server's disk.
        case tooFar
        /// The channel does not exist for the caller (any more), or it is an open channel that `resume` could not join,
        /// because the connection has reached `limits.openChannelsPerConnection`.
        case gone
    }

    /// The channel; absent for the user's log.
    public var channel: ChannelID?
    /// The newest row.
    public var seq: Int64
    /// The reason.
    public var reason: Reason

    /// Creates a value with these fields.
    public init(channel: ChannelID? = nil, seq: Int64, reason: Reason) {
        self.channel = channel
        self.seq = seq
        self.reason = reason
    }
}

/// The body of `session.expiring`: this connection is about to end with its token. Ephemeral.
///
/// It comes once for each token, 60 s before the end. If less than two minutes were left when the
/// token was given, it comes halfway to the end. Renew the token with `session.renew`.
public struct SessionExpiring: Codable, Hashable, Sendable {
    /// When the server closes this connection with 4401.
    @Timestamp public var expiresAt: Date

    /// Creates a value with these fields.
    public init(expiresAt: Date) {
        self.expiresAt = expiresAt
    }
}

/// The body of `positions`: the newest rows, to compare with what the client has. Ephemeral.
///
/// It comes with a heartbeat if a log has new rows since the previous one.
public struct Positions: Codable, Hashable, Sendable {
    /// The newest row of the user's log.
    public var userSeq: Int64
    /// The newest row of each channel that has new rows since the previous heartbeat.
    public var channels: [ChannelPosition]

    /// Creates a value with these fields.
    public init(userSeq: Int64, channels: [ChannelPosition]) {
        self.userSeq = userSeq
        self.channels = channels
    }
}

/// The body of `goaway`: the server is about to stop. Ephemeral.
public struct GoAway: Codable, Hashable, Sendable {
    /// How long to wait before connecting again, in ms; different for each connection.
    public var reconnectInMs: Int

    /// Creates a value with these fields.
    public init(reconnectInMs: Int) {
        self.reconnectInMs = reconnectInMs
    }
}
