#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Says that the caller is typing in a channel.
///
/// Repeat it every 3 s while the user types; readers forget it after 10 s. Others are told at most
/// once per second, over all devices of the user; what is repeated sooner is told at the end of
/// that second. The server ends it when the last connection that types goes away. Nothing is
/// stored.
public struct StartTyping: Command {
    /// What the server answers.
    public typealias Answer = Done
    /// The name on the wire.
    public static let name = "typing.start"
    /// As a case of the closed list.
    public var any: AnyCommand { .move(.startTyping(self)) }
    /// The channel.
    public var seenChannels: [ChannelID] { [channel] }
    /// The channel.
    public var channel: ChannelID

    /// Makes the command.
    public init(channel: ChannelID) { self.channel = channel }
}

/// Says that the caller stopped typing in a channel.
public struct EndTyping: Command {
    /// What the server answers.
    public typealias Answer = Done
    /// The name on the wire.
    public static let name = "typing.end"
    /// As a case of the closed list.
    public var any: AnyCommand { .move(.endTyping(self)) }
    /// The channel.
    public var seenChannels: [ChannelID] { [channel] }
    /// The channel.
    public var channel: ChannelID

    /// Makes the command.
    public init(channel: ChannelID) { self.channel = channel }
}

/// The body of `typing.started` and `typing.ended`. Ephemeral.
public struct TypingChanged: Codable, Hashable, Sendable {
    /// Who types, or stopped.
    public var userID: UserID
    /// The name to show.
    public var name: String
    /// When the user began or stopped to type.
    @Timestamp public var at: Date

    /// Makes the body.
    public init(userID: UserID, name: String, at: Date) {
        self.userID = userID
        self.name = name
        self.at = at
    }
}
