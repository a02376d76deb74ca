#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Lists all of the caller's channels of some kinds, or those that changed since a time, in numbered batches.
///
/// Use it to keep a copy of the list; for the list on a screen use `channel.list`. The order is by
/// id, so nothing is missed or doubled while channels change. A change is: a new profile, a change
/// of members, anything new in the log, a recalled message, and the caller's own preference, mark
/// or hiding. Channels that the caller has lost since `changedSince` come in `gone`.
public struct QueryChannels: ListingCommand {
    /// The name on the wire.
    public static let name = "channel.query"
    /// The kinds, not `open` (1103); all if absent.
    public var kinds: [ChannelKind]?
    /// The caller's roles; if absent, all roles of members. `invited` lists open invitations.
    public var roles: [Role]?
    /// Only channels that changed after this time: give the `asOf` of an earlier answer.
    @OptionalTimestamp public var changedSince: Date?
    /// How many channels and tombstones a batch has at most: 1 to 100, with members 1 to 30; 30 if absent. A batch that
    /// would become larger than 1 MiB has fewer.
    public var limit: Int?
    /// The `next` of the previous page; absent for the first page.
    public var cursor: String?
    /// Whether each channel has up to 100 of its members; false if absent: then `members` is empty.
    public var withMembers: Bool?

    /// Creates a value with these fields.
    public init(
        kinds: [ChannelKind]? = nil, roles: [Role]? = nil, changedSince: Date? = nil, limit: Int? = nil,
        cursor: String? = nil, withMembers: Bool? = nil
    ) {
        self.kinds = kinds
        self.roles = roles
        self.changedSince = changedSince
        self.limit = limit
        self.cursor = cursor
        self.withMembers = withMembers
    }

    /// One batch.
    public typealias Answer = ChannelBatch
}

/// One batch.
public struct ChannelBatch: ListingAnswer {
    /// The channels, ordered by id.
    public var channels: [Channel]
    /// Channels that the caller lost after `changedSince`, ordered by id; empty without `changedSince`.
    public var gone: [GoneChannel]
    /// The number of this batch: 1, 2, 3 …
    public var batch: Int
    /// How many batches there are, counted when this one was read; 1 if there are no channels.
    public var batchTotal: Int
    /// The `cursor` of the next page; absent on the last one.
    public var next: String?
    /// The time to give as `changedSince` in the next query; use that of the first batch. All later changes are after
    /// it.
    @Timestamp public var asOf: Date
    /// What the page lists.
    public var elements: [Channel] { channels }

    /// Creates a batch.
    public init(
        channels: [Channel], gone: [GoneChannel] = [], batch: Int, batchTotal: Int, next: String? = nil,
        asOf: Date
    ) {
        self.channels = channels
        self.gone = gone
        self.batch = batch
        self.batchTotal = batchTotal
        self.next = next
        self.asOf = asOf
    }
}

/// The tombstone of a channel that a user has lost.
public struct GoneChannel: Codable, Hashable, Sendable {
    /// The channel that is no longer the user's.
    public var channel: ChannelID
    /// How it was lost.
    public var reason: DepartureReason
    /// When it was lost.
    @Timestamp public var at: Date

    /// Creates a value with these fields.
    public init(channel: ChannelID, reason: DepartureReason, at: Date) {
        self.channel = channel
        self.reason = reason
        self.at = at
    }
}

/// How a user lost a channel, or an invitation to one. A name on the wire.
public enum DepartureReason: String, Codable, CaseIterable, Sendable {
    /// The user left.
    case left
    /// The user was removed, or the invitation was withdrawn.
    case kicked
    /// The user was banned.
    case banned
    /// The user declined the invitation.
    case declined
    /// The channel was dismissed for everybody.
    case dismissed
}
