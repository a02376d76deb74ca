#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The options and rules of a vote: a part of its message, whose text is the question.
public struct Vote: Codable, Hashable, Sendable {
    /// The options, 2 to 20; an option is named by its index, 0 for the first.
    public var options: [MessageContent]
    /// How many options a voter may choose: 1 to their number; 1 if absent.
    public var choices: Int
    /// Whether the ballots are secret: nobody sees who voted; false if absent.
    public var isSecret: Bool
    /// When the results are shown; `live` if absent.
    public var results: VoteResults
    /// Whether a voter may take back a choice; false if absent.
    public var canChange: Bool
    /// When it opens; immediately if absent.
    @OptionalTimestamp public var opensAt: Date?
    /// When it closes; if absent, it stays open until somebody closes it.
    @OptionalTimestamp public var closesAt: Date?

    /// Creates it.
    public init(
        options: [MessageContent], choices: Int = 1, isSecret: Bool = false, results: VoteResults = .live,
        canChange: Bool = false, opensAt: Date? = nil, closesAt: Date? = nil
    ) {
        self.options = options
        self.choices = choices
        self.isSecret = isSecret
        self.results = results
        self.canChange = canChange
        self.opensAt = opensAt
        self.closesAt = closesAt
    }

    /// Reads it; everything but the options and the times has a default.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        options = try container.decode([MessageContent].self, forKey: .options)
        choices = try container.decodeIfPresent(Int.self, forKey: .choices) ?? 1
        isSecret = try container.decodeIfPresent(Bool.self, forKey: .isSecret) ?? false
        results = try container.decodeIfPresent(VoteResults.self, forKey: .results) ?? .live
        canChange = try container.decodeIfPresent(Bool.self, forKey: .canChange) ?? false
        _opensAt = OptionalTimestamp(projectedValue: try container.decodeIfPresent(Int64.self, forKey: .opensAt))
        _closesAt = OptionalTimestamp(projectedValue: try container.decodeIfPresent(Int64.self, forKey: .closesAt))
    }
}

/// When the results of a vote are shown. A name on the wire.
public enum VoteResults: String, Codable, CaseIterable, Sendable {
    /// At once, with every ballot.
    case live
    /// When the vote is closed; before that only how many have voted and, unless it is secret, who.
    case atEnd
}

/// The phase of a vote. A name on the wire.
public enum VotePhase: String, Codable, CaseIterable, Sendable {
    /// It opens later.
    case waiting
    /// It accepts ballots.
    case open
    /// It is over.
    case closed
}

/// The counts of a vote.
public struct VoteTally: Codable, Hashable, Sendable {
    /// How many users chose each option, in the order of the options; absent while the results are hidden.
    public var counts: [Int]?
    /// How many users have voted.
    public var voters: Int

    /// Creates a value with these fields.
    public init(counts: [Int]? = nil, voters: Int) {
        self.counts = counts
        self.voters = voters
    }
}

/// A vote with all data about it that the caller may see.
public struct VoteState: Codable, Hashable, Sendable {
    /// The row of its message: the text is the question, and `vote` has the rest.
    public var event: Event
    /// Its phase.
    public var phase: VotePhase
    /// The `revision` of the newest `vote.cast` or `vote.closed`; 0 before the first.
    public var revision: Int64
    /// The counts, as far as the caller may see them.
    public var tally: VoteTally
    /// The options that the caller has chosen, ascending; empty if none.
    public var ownOptions: [Int]
    /// When it was closed; absent if it is not closed.
    @OptionalTimestamp public var closedAt: Date?

    /// Creates it.
    public init(
        event: Event, phase: VotePhase, revision: Int64 = 0, tally: VoteTally, ownOptions: [Int] = [],
        closedAt: Date? = nil
    ) {
        self.event = event
        self.phase = phase
        self.revision = revision
        self.tally = tally
        self.ownOptions = ownOptions
        self.closedAt = closedAt
    }
}

/// Creates a vote in a channel: one message, which counts as one unread message.
///
/// Every user who may send to the channel may create one. The message's type is that of the first option that is
/// not a text, such as `voteImage`, else `voteText`. An option is a text, a sticker, a file of any
/// kind or a place, without mentions. Fails with 1001 for any other kind of option, and with 6 for
/// a number or a time outside its bounds. The vote's id is the `messageID` of the acknowledgement.
/// Recalling the message ends the vote. It counts as a send: too many in a short time fail with
/// 1004 and `retryAfterMs`.
public struct CreateVote: WriteCommand, ChannelCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "vote.create"
    /// The cost of the messages that it sends.
    public var cost: CommandCost { .sends(1, to: [channel]) }
    /// A channel to which the caller may send. To a stranger it does not exist (1105).
    public var channel: ChannelID
    /// The question, which becomes the text of the message.
    public var subject: String
    /// The options and the rules.
    ///
    /// `closesAt` must be after now and after `opensAt`. The whole message must fit in a frame.
    public var vote: Vote

    /// Creates a value with these fields.
    public init(channel: ChannelID, subject: String, vote: Vote) {
        self.channel = channel
        self.subject = subject
        self.vote = vote
    }
}

/// Sets the caller's ballot in a vote.
///
/// The options replace those that were chosen before. Without `canChange` all of these have to be
/// named again, and more may be added. With `canChange` any options may be named, and none at all
/// takes the ballot back. The same ballot once more changes nothing. Ballots of users who have left
/// stay.
///
/// Fails with 1122 for more options than `choices` and for a change that the vote does not allow,
/// with 7015 before it opens, with 1121 after it has closed, and with 6 for an option that it does
/// not have. Fails with 1118 if the vote does not exist or was recalled, and with 7014 if the
/// message is no vote. A ballot counts as a send to the channel: too many in a short time fail with
/// 1004 and `retryAfterMs`.
public struct CastVote: WriteCommand, ChannelCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "vote.cast"
    /// A ballot is a row in the log of the channel, as a message is.
    public var cost: CommandCost { .sends(1, to: [channel]) }
    /// The channel in which the vote is. To a stranger it does not exist (1105).
    public var channel: ChannelID
    /// The vote.
    public var messageID: MessageID
    /// The indexes of the options, 0 for the first, each once; empty to take the ballot back.
    public var options: [Int]

    /// Creates a value with these fields.
    public init(channel: ChannelID, messageID: MessageID, options: [Int]) {
        self.channel = channel
        self.messageID = messageID
        self.options = options
    }
}

/// Closes a vote at once. Only its author, a moderator or an admin may (else 1107). A closed vote stays as it is.
public struct CloseVote: WriteCommand, ChannelCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "vote.close"
    /// The channel in which the vote is. To a stranger it does not exist (1105).
    public var channel: ChannelID
    /// The vote; 1118 if it does not exist, 7014 if the message is no vote.
    public var messageID: MessageID

    /// Creates a value with these fields.
    public init(channel: ChannelID, messageID: MessageID) {
        self.channel = channel
        self.messageID = messageID
    }
}

/// Lists the votes of a channel that the caller may read, the newest first; recalled ones are left out.
public struct ListVotes: ListingCommand {
    /// The name on the wire.
    public static let name = "vote.list"
    /// A channel that the caller may read. To a stranger it does not exist (1105).
    public var channel: ChannelID
    /// How many at most: 1 to 50, 20 if absent; fewer when they are larger than 256 KiB together.
    public var limit: Int?
    /// The `next` of the previous page; absent for the first page.
    public var cursor: String?

    /// Creates a value with these fields.
    public init(channel: ChannelID, limit: Int? = nil, cursor: String? = nil) {
        self.channel = channel
        self.limit = limit
        self.cursor = cursor
    }

    /// A page of votes.
    public struct Answer: ListingAnswer {
        /// The votes, the newest first.
        public var votes: [VoteState]
        /// The `cursor` of the next page; absent on the last one.
        public var next: String?

        /// Creates a value with these fields.
        public init(votes: [VoteState], next: String? = nil) {
            self.votes = votes
            self.next = next
        }

        /// What the page lists.
        public var elements: [VoteState] { votes }
    }
}

/// Reads votes of a channel by their ids. Fails with 7005 if they are more than 512 KiB together: ask for fewer.
public struct GetVotes: ReadCommand {
    /// The name on the wire.
    public static let name = "vote.get"
    /// A channel that the caller may read. To a stranger it does not exist (1105).
    public var channel: ChannelID
    /// 1 to `limits.idsPerCommand` votes.
    public var messageIDs: [MessageID]

    /// Creates a value with these fields.
    public init(channel: ChannelID, messageIDs: [MessageID]) {
        self.channel = channel
        self.messageIDs = messageIDs
    }

    /// The votes that were found.
    public struct Answer: Codable, Hashable, Sendable {
        /// The votes, ascending by `seq`. Messages that are not votes or may not be read are left out. If none is left,
        /// it fails with 7014 if one of them is a readable message, else with 1118.
        public var votes: [VoteState]

        /// Creates a value with these fields.
        public init(votes: [VoteState]) {
            self.votes = votes
        }
    }
}

/// Lists the ballots of a vote by user id. A secret vote has no such list (1107).
///
/// If a vote shows its results at the end, the chosen options are hidden until it closes.
/// Until then, `options` are absent, and asking for the ballots of one option fails with 1107.
public struct ListBallots: ListingCommand {
    /// The name on the wire.
    public static let name = "vote.listBallots"
    /// The channel in which the vote is. To a stranger it does not exist (1105).
    public var channel: ChannelID
    /// The vote; 1118 if it does not exist, 7014 if the message is no vote.
    public var messageID: MessageID
    /// Only those who have chosen this option.
    public var option: Int?
    /// How many at most: 1 to 100, 100 if absent.
    public var limit: Int?
    /// The `next` of the previous page; absent for the first page.
    public var cursor: String?

    /// Creates a value with these fields.
    public init(
        channel: ChannelID, messageID: MessageID, option: Int? = nil, limit: Int? = nil, cursor: String? = nil
    ) {
        self.channel = channel
        self.messageID = messageID
        self.option = option
        self.limit = limit
        self.cursor = cursor
    }

    /// A page of ballots.
    public struct Answer: ListingAnswer {
        /// The ballots, ordered by user id.
        public var ballots: [Ballot]
        /// The `cursor` of the next page; absent on the last one.
        public var next: String?

        /// Creates a value with these fields.
        public init(ballots: [Ballot], next: String? = nil) {
            self.ballots = ballots
            self.next = next
        }

        /// What the page lists.
        public var elements: [Ballot] { ballots }
    }
}

/// The choice of one user.
public struct Ballot: Codable, Hashable, Sendable {
    /// The user who voted.
    public var userID: UserID
    /// The voter's name in the channel.
    public var name: String
    /// The options, ascending; absent while the results are hidden.
    public var options: [Int]?
    /// When the ballot was cast or last changed.
    @Timestamp public var castAt: Date

    /// Creates a value with these fields.
    public init(userID: UserID, name: String, options: [Int]? = nil, castAt: Date) {
        self.userID = userID
        self.name = name
        self.options = options
        self.castAt = castAt
    }
}

/// The body of `vote.cast`: somebody has voted, changed a ballot or taken it back.
///
/// The voter is the event's `senderID`. For a secret vote the row has neither that nor a transID;
/// with live results it still shows by how much the numbers changed.
public struct VoteCast: Codable, Hashable, Sendable {
    /// The vote.
    public var messageID: MessageID
    /// The row of the vote's message.
    public var seq: Int64
    /// The number of this change of the vote: 1, 2, 3 … A ``VoteState`` with this or a later revision includes it.
    public var revision: Int64
    /// The counts after it, as far as they are shown.
    public var tally: VoteTally
    /// The voter's name in the channel; absent if the vote is secret.
    public var voterName: String?
    /// The options that the voter has now chosen, ascending; absent if the vote is secret or shows its results at the
    /// end.
    public var options: [Int]?

    /// Creates a value with these fields.
    public init(
        messageID: MessageID, seq: Int64, revision: Int64, tally: VoteTally, voterName: String? = nil,
        options: [Int]? = nil
    ) {
        self.messageID = messageID
        self.seq = seq
        self.revision = revision
        self.tally = tally
        self.voterName = voterName
        self.options = options
    }
}

/// The body of `vote.closed`: a vote is over.
///
/// The event's `senderID` is the user who closed it; absent if it closed at its `closesAt`.
public struct VoteClosed: Codable, Hashable, Sendable {
    /// The vote.
    public var messageID: MessageID
    /// The row of the vote's message.
    public var seq: Int64
    /// The number of this change of the vote, its last one.
    public var revision: Int64
    /// The final result, always with `counts`.
    public var tally: VoteTally
    /// The name in this channel of the user who closed it; absent if it closed at its `closesAt`.
    public var byName: String?

    /// Creates a value with these fields.
    public init(messageID: MessageID, seq: Int64, revision: Int64, tally: VoteTally, byName: String? = nil) {
        self.messageID = messageID
        self.seq = seq
        self.revision = revision
        self.tally = tally
        self.byName = byName
    }
}
