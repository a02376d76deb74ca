#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One operation of the protocol: what the client sends and what it gets back.
///
/// Over a WebSocket it travels as `{"id","cmd","body"}`, over HTTP as
/// `POST /v1/<name>` with the body as JSON; both enter by the same door.
public protocol Command: Codable, Hashable, Sendable {
    /// What the server answers when it accepts.
    associatedtype Answer: Codable & Sendable
    /// The name on the wire, `noun.verb`.
    static var name: String { get }
    /// The ways that it may take to the server; `anywhere` where nothing else is said.
    static var reach: CommandReach { get }
    /// The command as a case of the closed list: what it reads, writes or moves is said there.
    var any: AnyCommand { get }
    /// The channels that it names and may change; none where nothing else is said.
    var changedChannels: [ChannelID] { get }
    /// The channels that it names and only looks at, of those that do not read; none where nothing else is said.
    var seenChannels: [ChannelID] { get }
    /// What it takes from the allowances of its user; one command where nothing else is said.
    var cost: CommandCost { get }
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
}

/// A command that lists something, page by page.
///
/// The first page is asked for without `cursor`, each further one with the `next`
/// of the page before and all other fields as they were. The last page has no
/// `next`. What a cursor holds is the server's business; one that is not from there is 6.
public protocol ListingCommand: Command where Answer: ListingAnswer {
    /// How many at most.
    var limit: Int? { get set }
    /// The `next` of the page before; absent for the first page.
    var cursor: String? { get set }
}

/// A page of what a command lists.
public protocol ListingAnswer: Codable, Hashable, Sendable {
    /// What is listed.
    associatedtype Element: Sendable
    /// What the page lists.
    var elements: [Element] { get }
    /// The `cursor` of the next page; absent on the last one.
    var next: String? { get }
}

/// The ways that a command may take to the server.
public enum CommandReach: Sendable {
    /// Over a WebSocket and over HTTP.
    case anywhere
    /// Over a WebSocket only: it is about the connection.
    case socket
    /// Over a WebSocket only, and the client library gives it by itself.
    case client
}

/// What a command takes from the allowances of its user.
public enum CommandCost: Hashable, Sendable {
    /// So many commands of a device; 0 is free.
    case commands(Int)
    /// So many messages to each of some channels.
    case sends(Int, to: [ChannelID])

    /// What a command costs that goes through all channels of its user.
    public static let allChannels = CommandCost.commands(20)
}

/// The answer to most commands that change something.
///
/// The same command sent again with the same transID gets the same answer.
public struct Acknowledgement: Codable, Hashable, Sendable {
    /// The channel that the command was about.
    public var channel: ChannelID?
    /// The row that the command wrote into the channel's log.
    public var seq: Int64?
    /// Every row that the command wrote into the channel's log, when there is more than one.
    public var seqs: [Int64]?
    /// The id of the message that the command made.
    public var messageID: MessageID?
    /// The key of the command.
    public var transID: TransID
    /// When the server accepted it.
    @Timestamp public var sentAt: Date

    /// Makes an acknowledgement.
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

/// The answer to a command that has nothing to tell.
public struct Done: Codable, Hashable, Sendable {
    /// Makes it.
    public init() {}
}
