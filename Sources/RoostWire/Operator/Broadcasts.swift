#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The users that a broadcast is for. `kind` is always required, so that nobody writes to everybody by mistake.
public struct BroadcastSegment: Codable, Hashable, Sendable {
    /// The kind of the segment.
    public var kind: Kind
    /// The channel, with the kind `members` only: a group or a 1-on-1.
    public var channel: ChannelID?
    /// The users, with the kind `users` only: 1 to `limits.idsPerCommand`, none of them twice.
    public var userIDs: [UserID]?

    /// Creates a value with these fields.
    public init(kind: Kind, channel: ChannelID? = nil, userIDs: [UserID]? = nil) {
        self.kind = kind
        self.channel = channel
        self.userIDs = userIDs
    }

    /// The kind of a segment. A name on the wire.
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// All users whom the server knows.
        case everybody
        /// The members of one channel.
        case members
        /// The users in `userIDs`.
        case users
    }
}

extension BroadcastSegment {
    /// All users whom the server knows when it sends to them.
    public static let everybody = BroadcastSegment(kind: .everybody)

    /// The users who are members of a channel when the server sends to them.
    public static func members(of channel: ChannelID) -> BroadcastSegment {
        BroadcastSegment(kind: .members, channel: channel)
    }

    /// The given users.
    public static func users(_ userIDs: [UserID]) -> BroadcastSegment {
        BroadcastSegment(kind: .users, userIDs: userIDs)
    }

    /// Checks that the fields of its kind are present, and no others.
    /// - Throws: `WireError` 6.
    public func check(limits: Limits) throws(WireError) {
        let hasChannel = (channel != nil) == (kind == .members)
        guard hasChannel, (userIDs != nil) == (kind == .users) else {
            throw WireError(
                .dataFormat, field: hasChannel ? "userIDs" : "channel",
                "A segment is of the kind \"everybody\", or \"members\" with a \"channel\", or \"users\" with "
                    + "\"userIDs\".")
        }
        if let userIDs { try IDRules.check(userIDs, "userIDs", limits: limits) }
    }
}

/// The state of a broadcast. A name on the wire.
public enum BroadcastState: String, Codable, CaseIterable, Sendable {
    /// The server sends it, a few users at a time.
    case running
    /// It is paused until an operator resumes or cancels it.
    case paused
    /// The server has tried every user of its segment.
    case done
    /// It was stopped for good; messages that were sent stay.
    case cancelled

    /// Whether the state is final.
    public var isFinished: Bool { self == .done || self == .cancelled }
}

/// How many users of a broadcast did not get all of its messages, for one reason.
public struct BroadcastRefusal: Codable, Hashable, Sendable {
    /// The code of the error: 7011 if the user is not known, 1114 if a mention names somebody who is not in the
    /// 1-on-1, 7019 if the user is in too many channels, 7003 if the user has blocked the sender.
    public var code: Int
    /// How many users.
    public var count: Int

    /// Creates a value with these fields.
    public init(code: Int, count: Int) {
        self.code = code
        self.count = count
    }
}

/// Messages that an operator sends to many users in somebody's name, as a job of the server.
///
/// Each user gets them in the 1-on-1 with the sender, as ordinary messages.
public struct Broadcast: Codable, Hashable, Sendable {
    /// Its id, made by the server.
    public var broadcastID: BroadcastID
    /// Its state.
    public var state: BroadcastState
    /// The operator who created it.
    public var createdBy: UserID
    /// The sender of the messages.
    public var senderID: UserID
    /// The recipients.
    public var segment: BroadcastSegment
    /// The messages, 1 to `limits.messagesPerCommand`.
    public var messages: [MessageContent]
    /// When it was made.
    @Timestamp public var createdAt: Date
    /// When it was done or cancelled; absent until then.
    @OptionalTimestamp public var finishedAt: Date?
    /// How many users the segment had when the broadcast was created, without the sender; `done` may differ at the end.
    public var users: Int
    /// How many users the server has tried, including those who were refused.
    public var done: Int
    /// How many messages were sent.
    public var sent: Int
    /// How many users did not get all messages, by the error of the first that they did not get, ascending by code.
    public var refusals: [BroadcastRefusal]

    /// Creates it.
    public init(
        broadcastID: BroadcastID, state: BroadcastState = .running, createdBy: UserID, senderID: UserID,
        segment: BroadcastSegment, messages: [MessageContent], createdAt: Date, finishedAt: Date? = nil, users: Int,
        done: Int = 0, sent: Int = 0, refusals: [BroadcastRefusal] = []
    ) {
        self.broadcastID = broadcastID
        self.state = state
        self.createdBy = createdBy
        self.senderID = senderID
        self.segment = segment
        self.messages = messages
        self.createdAt = createdAt
        self.finishedAt = finishedAt
        self.users = users
        self.done = done
        self.sent = sent
        self.refusals = refusals
    }
}

/// The answer to a command that made or changed a broadcast.
public struct BroadcastAnswer: Codable, Hashable, Sendable {
    /// The transID of the command.
    public var transID: TransID
    /// When the server accepted it.
    @Timestamp public var sentAt: Date
    /// The broadcast after the command.
    public var broadcast: Broadcast

    /// Creates a value with these fields.
    public init(transID: TransID, sentAt: Date, broadcast: Broadcast) {
        self.transID = transID
        self.sentAt = sentAt
        self.broadcast = broadcast
    }
}

/// Has the server send messages to many users, each in the 1-on-1 with the sender: an operator's command.
///
/// It answers at once, and the server goes on by itself, also after a restart. It sends to a few
/// users at a time, in the order of their ids, so that other commands are not held up. Each user
/// gets each message once, whatever happens to the server. A user who becomes known meanwhile is
/// reached if the id comes later in that order. The sender gets nothing. A 1-on-1 that does not
/// exist is made, as by `channel.create`; the limit `channelsPerUser` holds for the recipient and
/// not for the sender. Users who cannot be sent to are counted in `refusals`; the others get it all
/// the same. Several running broadcasts take turns. Rate limits do not apply to broadcasts.
///
/// The messages carry the time at which they went out and the transID `broadcast:` with the
/// broadcast's id. Fails with 1107 if the caller is no operator. Fails with the codes of
/// `message.send` if a content breaks its rules, with 7011 for an unknown sender, with 1105 for an
/// unknown channel, with 1104 for an open channel, and with 7018 for more than `limits.broadcasts`
/// that are not finished.
public struct CreateBroadcast: WriteCommand {
    /// What the server answers.
    public typealias Answer = BroadcastAnswer
    /// The name on the wire.
    public static let name = "broadcast.create"
    /// The sender: a user whom the server knows.
    public var senderID: UserID
    /// The messages, 1 to `limits.messagesPerCommand`.
    public var messages: [MessageContent]
    /// The recipients.
    public var segment: BroadcastSegment

    /// Creates a value with these fields.
    public init(senderID: UserID, messages: [MessageContent], segment: BroadcastSegment) {
        self.senderID = senderID
        self.messages = messages
        self.segment = segment
    }
}

/// Pauses a broadcast: an operator's command.
///
/// Nothing of it is sent after the answer. A paused broadcast stays paused. Fails with 7016 if it
/// is done or cancelled, with 7012 if it does not exist, and with 1107 if the caller is no
/// operator.
public struct PauseBroadcast: WriteCommand {
    /// What the server answers.
    public typealias Answer = BroadcastAnswer
    /// The name on the wire.
    public static let name = "broadcast.pause"
    /// The id of the broadcast.
    public var broadcastID: BroadcastID

    /// Creates a value with these fields.
    public init(broadcastID: BroadcastID) {
        self.broadcastID = broadcastID
    }
}

/// Lets a paused broadcast go on from where it stopped: an operator's command.
///
/// A running broadcast goes on running. Fails with 7016 if it is done or cancelled, with 7012 if it
/// does not exist, and with 1107 if the caller is no operator.
public struct ResumeBroadcast: WriteCommand {
    /// What the server answers.
    public typealias Answer = BroadcastAnswer
    /// The name on the wire.
    public static let name = "broadcast.resume"
    /// The id of the broadcast.
    public var broadcastID: BroadcastID

    /// Creates a value with these fields.
    public init(broadcastID: BroadcastID) {
        self.broadcastID = broadcastID
    }
}

/// Stops a broadcast for good: an operator's command. What was sent stays.
///
/// Nothing of it is sent after the answer. A cancelled broadcast stays cancelled. Fails with 7016
/// if it is done, with 7012 if it does not exist, and with 1107 if the caller is no operator.
public struct CancelBroadcast: WriteCommand {
    /// What the server answers.
    public typealias Answer = BroadcastAnswer
    /// The name on the wire.
    public static let name = "broadcast.cancel"
    /// The id of the broadcast.
    public var broadcastID: BroadcastID

    /// Creates a value with these fields.
    public init(broadcastID: BroadcastID) {
        self.broadcastID = broadcastID
    }
}

/// Reads a broadcast and how far it has come: an operator's command.
///
/// Fails with 7012 if it does not exist, and with 1107 if the caller is no operator.
public struct GetBroadcast: ReadCommand {
    /// The name on the wire.
    public static let name = "broadcast.get"
    /// The id of the broadcast.
    public var broadcastID: BroadcastID

    /// Creates a value with these fields.
    public init(broadcastID: BroadcastID) {
        self.broadcastID = broadcastID
    }

    /// The broadcast with its current counts.
    public typealias Answer = Broadcast
}

/// Lists the broadcasts of all operators, the newest first: an operator's command.
///
/// Fails with 1107 if the caller is no operator.
public struct ListBroadcasts: ListingCommand {
    /// The name on the wire.
    public static let name = "broadcast.list"
    /// How many at most: 1 to 100, 50 if absent; fewer when they are larger than 256 KiB together.
    public var limit: Int?
    /// The `next` of the previous page; absent for the first page.
    public var cursor: String?

    /// Creates a value with these fields.
    public init(limit: Int? = nil, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }

    /// A page of broadcasts.
    public struct Answer: ListingAnswer {
        /// The broadcasts, the newest first.
        public var broadcasts: [Broadcast]
        /// The `cursor` of the next page; absent on the last one.
        public var next: String?

        /// Creates a value with these fields.
        public init(broadcasts: [Broadcast], next: String? = nil) {
            self.broadcasts = broadcasts
            self.next = next
        }

        /// What the page lists.
        public var elements: [Broadcast] { broadcasts }
    }
}
