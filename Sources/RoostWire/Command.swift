#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One operation of the protocol: what the client sends and what it gets back.
///
/// Over a WebSocket it travels as `{"id","cmd","body"}`, over HTTP as
/// `POST /v1/<name>` with the body as JSON; both have the same effect.
public protocol Command: Codable, Hashable, Sendable {
    /// What the server answers if it accepts the command.
    associatedtype Answer: Codable & Sendable
    /// The name on the wire, `noun.verb`.
    static var name: String { get }
    /// How it may be sent to the server; `anywhere` by default.
    static var reach: CommandReach { get }
    /// The command as a case of ``AnyCommand``; `dev/wire` makes it from the protocol of its group, such as ``WriteCommand``.
    var any: AnyCommand { get }
    /// The channels that it names and may change; none by default.
    var changedChannels: [ChannelID] { get }
    /// The channels that a command which is not a read names but does not change; none by default.
    var seenChannels: [ChannelID] { get }
    /// What it uses of the rate limits of its user; one command by default.
    var cost: CommandCost { get }
    /// What a key needs to send it; `messages` by default.
    static var scope: KeyScope { get }
}

extension Command {
    /// Anywhere.
    public static var reach: CommandReach { .anywhere }
    /// None.
    public var changedChannels: [ChannelID] { [] }
    /// None.
    public var seenChannels: [ChannelID] { [] }
    /// One command.
    public var cost: CommandCost { .commands(1) }
    /// Messages.
    public static var scope: KeyScope { .messages }
}

/// A command that reads stored state: it waits for the commands before it on its connection.
public protocol ReadCommand: Command {}

/// A command that changes stored state: it happens once under its transID, however often it is sent.
public protocol WriteCommand: Command {}

/// A command that changes nothing durable, or only moves something forward: it takes no transID.
public protocol MoveCommand: Command {}

/// A command that changes one channel.
public protocol ChannelCommand: Command {
    /// The channel that it changes.
    var channel: ChannelID { get }
}

extension ChannelCommand {
    /// The one channel.
    public var changedChannels: [ChannelID] { [channel] }
}

/// A command that needs what only the server has, such as passwords or the push services: it travels over HTTP only.
public protocol ServeCommand: Command {}

/// A command that lists something, page by page.
///
/// Request the first page without `cursor`, and each further one with the `next` of the
/// previous page and all other fields unchanged. The last page has no `next`. A cursor is
/// opaque to the client; one that the server did not make fails with 6.
public protocol ListingCommand: ReadCommand where Answer: ListingAnswer {
    /// The most elements of a page.
    var limit: Int? { get set }
    /// The `next` of the previous page; absent for the first page.
    var cursor: String? { get set }
}

/// A page of what a command lists.
public protocol ListingAnswer: Codable, Hashable, Sendable {
    /// The type of the elements.
    associatedtype Element: Sendable
    /// What the page lists.
    var elements: [Element] { get }
    /// The `cursor` of the next page; absent on the last one.
    var next: String? { get }
}

/// How a command may be sent to the server.
public enum CommandReach: Sendable {
    /// Over a WebSocket and over HTTP.
    case anywhere
    /// Over a WebSocket only: it is about the connection.
    case socket
    /// Over a WebSocket only, and the client library sends it by itself.
    case client
    /// Over HTTP only: it contains a password, or needs more of the server than a connection has.
    case request
}

/// What a command uses of the rate limits of its user.
public enum CommandCost: Hashable, Sendable {
    /// This many commands of a device; 0 is free.
    case commands(Int)
    /// This many messages to each of these channels.
    case sends(Int, to: [ChannelID])
    /// One command, and this many lookups of the user.
    case lookups(Int)

    /// The cost of a command about all channels of its user.
    public static let allChannels = CommandCost.commands(20)
}

/// The answer to most commands that change something.
///
/// If the command is sent again with the same transID, the answer is the same.
public struct Acknowledgement: Codable, Hashable, Sendable {
    /// The channel that the command was about.
    public var channel: ChannelID?
    /// The row that the command wrote into the channel's log.
    public var seq: Int64?
    /// All rows that the command wrote into the channel's log; absent unless there are several.
    public var seqs: [Int64]?
    /// The id of the message that the command created.
    public var messageID: MessageID?
    /// The transID of the command.
    public var transID: TransID
    /// When the server accepted it.
    @Timestamp public var sentAt: Date

    /// Creates a value with these fields.
    public init(
        channel: ChannelID? = nil, seq: Int64? = nil, seqs: [Int64]? = nil, messageID: MessageID? = nil,
        transID: TransID, sentAt: Date
    ) {
        self.channel = channel
        self.seq = seq
        self.seqs = seqs
        self.messageID = messageID
        self.transID = transID
        self.sentAt = sentAt
    }
}

/// The empty answer of a command.
public struct Done: Codable, Hashable, Sendable {
    /// Creates a value with these fields.
    public init() {}
}
