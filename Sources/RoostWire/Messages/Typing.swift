#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Says that the caller is typing in a channel.
///
/// Repeat it every 3 s while the user types; others stop showing it after 10 s. Others get at most
/// one event per second, over all devices of the user; a repetition within that second is sent at
/// its end. The server ends the typing when the last connection that types closes. Nothing is
/// stored.
public struct StartTyping: MoveCommand {
    /// What the server answers.
    public typealias Answer = Done
    /// The name on the wire.
    public static let name = "typing.start"
    /// The channel.
    public var seenChannels: [ChannelID] { [channel] }
    /// A channel to which the caller may write. To a stranger it does not exist (1105).
    public var channel: ChannelID

    /// Creates a value with these fields.
    public init(channel: ChannelID) {
        self.channel = channel
    }
}

/// Says that the caller stopped typing in a channel.
public struct EndTyping: MoveCommand {
    /// What the server answers.
    public typealias Answer = Done
    /// The name on the wire.
    public static let name = "typing.end"
    /// The channel.
    public var seenChannels: [ChannelID] { [channel] }
    /// The channel in which the caller was typing.
    public var channel: ChannelID

    /// Creates a value with these fields.
    public init(channel: ChannelID) {
        self.channel = channel
    }
}

/// The body of `typing.started` and `typing.ended`. Ephemeral.
public struct TypingChanged: Codable, Hashable, Sendable {
    /// The user who is typing or stopped.
    public var userID: UserID
    /// The name to show.
    public var name: String
    /// When the typing started or ended.
    @Timestamp public var at: Date

    /// Creates a value with these fields.
    public init(userID: UserID, name: String, at: Date) {
        self.userID = userID
        self.name = name
        self.at = at
    }
}
