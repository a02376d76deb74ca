import Foundation
import RoostTesting
import RoostWire
import Testing

@testable import RoostClient

/// The vectors of `Protocol/vectors` about rules that need no store.
@Suite struct RuleVectorsTests {
    private func check<Given: Encodable, Result: Encodable>(
        _ family: String, _ cases: [(String?, Given)], _ rule: (Given) throws -> Result?
    ) throws {
        let isKept = try Vectors.isKept(family, cases, rule)
        #expect(isKept, "\(family).json differs; run this test with ROOST_WRITE_VECTORS=1")
    }

    // MARK: Waiting

    /// The end of a connection or of an attempt.
    private struct End: Encodable {
        /// How long everything that was missed had been there, in ms; absent if that never was.
        var liveFor: Int64?
    }

    @Test func `how long at most until the next attempt to connect`() throws {
        let failed = End()
        let cases: [(String, [End])] = [
            ("no attempt succeeds", Array(repeating: failed, count: 10)),
            ("the first loss of a connection", [End(liveFor: 600), failed, failed]),
            ("a connection that was good", Array(repeating: failed, count: 5) + [End(liveFor: 30_000), failed]),
            ("one that was almost good", Array(repeating: failed, count: 5) + [End(liveFor: 29_999), failed]),
            ("connections that end soon", Array(repeating: End(liveFor: 1_000), count: 5)),
            ("good connections only", Array(repeating: End(liveFor: 60_000), count: 3)),
        ]
        try check("backoff", cases) { ends in
            var backoff = Backoff(random: RandomSource(seed: 1))
            return ends.map { backoff.longestDelay(wasLiveFor: $0.liveFor) }
        }
    }

    private struct Refusal: Encodable {
        var retryAfterMs: Int?
    }

    @Test func `how long until a refused command is repeated`() throws {
        let all = [nil, 0, 1, 99, 100, 101, 1_000, 59_999, 60_000, 60_001, 1_000_000_000_000, -1]
        try check("waits", all.map { (nil, Refusal(retryAfterMs: $0)) }) {
            RetryAfter.wait($0.retryAfterMs, otherwise: 1_000)
        }
    }

    // MARK: Votes

    private struct Voted: Encodable {
        var viewer: UserID
        var vote: VoteState
        var rows: [Event]
    }

    private struct Voting: Encodable {
        var phase: VotePhase
        var revision: Int64
        var tally: VoteTally
        var ownOptions: [Int]
        var closedAt: Int64?
    }

    private let vote = MessageID(sentAt: 1_000, seq: 1, salt: 1)

    private func state(isSecret: Bool = false, revision: Int64 = 0, ownOptions: [Int] = []) -> VoteState {
        var message = Message(
            messageID: vote, content: MessageContent(text: "Which?"), senderName: "Bob", count: 1)
        message.content.payload = .vote(
            Vote(options: [.text("tea"), .text("coffee")], isSecret: isSecret), type: "voteText")
        return VoteState(
            event: row(1, by: Cast.bob, .messageSent(message)), phase: .open, revision: revision,
            tally: VoteTally(counts: [0, 0], voters: 0), ownOptions: ownOptions)
    }

    private func row(_ seq: Int64, by user: User?, _ body: ChannelRowBody) -> Event {
        Event(
            channel: Cast.club, seq: seq, senderID: user?.userID, sentAt: .init(milliseconds: seq * 1_000),
            body: .channel(body))
    }

    private func cast(
        _ seq: Int64, by user: User, _ options: [Int]?, counts: [Int]?, of message: MessageID? = nil
    ) -> Event {
        let cast = VoteCast(
            messageID: message ?? vote, seq: 1, revision: seq, tally: VoteTally(counts: counts, voters: 1),
            voterName: options.map { _ in user.name }, options: options)
        return row(seq, by: user, .voteCast(cast))
    }

    private func close(_ seq: Int64, by user: User?) -> Event {
        let closed = VoteClosed(
            messageID: vote, seq: 1, revision: seq, tally: VoteTally(counts: [2, 1], voters: 3), byName: user?.name)
        return row(seq, by: user, .voteClosed(closed))
    }

    @Test func `a vote after rows of its channel`() throws {
        let (ann, bob) = (Cast.ann, Cast.bob)
        let other = MessageID(sentAt: 2_000, seq: 2, salt: 1)
        let cases: [(String, VoteState, [Event])] = [
            ("a ballot of another member", state(), [cast(2, by: bob, [0], counts: [1, 0])]),
            ("the viewer's ballot", state(), [cast(2, by: ann, [1], counts: [0, 1])]),
            ("the viewer takes it back", state(ownOptions: [1]), [cast(2, by: ann, [], counts: [0, 0])]),
            ("a ballot that the state includes", state(revision: 2), [cast(2, by: ann, [1], counts: [0, 1])]),
            (
                "ballots in the wrong order", state(),
                [cast(3, by: ann, [1], counts: [0, 1]), cast(2, by: ann, [0], counts: [1, 0])]
            ),
            ("a secret ballot", state(isSecret: true, ownOptions: [0]), [cast(2, by: ann, nil, counts: [0, 1])]),
            ("results at the end", state(), [cast(2, by: bob, nil, counts: nil)]),
            ("it is closed", state(ownOptions: [0]), [close(2, by: bob)]),
            ("it closes at its time", state(), [close(2, by: nil)]),
            (
                "a ballot after the end that is older", state(),
                [close(3, by: bob), cast(2, by: bob, [0], counts: [1, 0])]
            ),
            ("a ballot of another vote", state(), [cast(2, by: ann, [0], counts: [1, 0], of: other)]),
            (
                "a row about something else", state(),
                [row(2, by: bob, .memberLeft(MemberLeft(userID: bob.userID, name: "Bob", memberCount: 2)))]
            ),
        ]
        try check("votes", cases.map { ($0, Voted(viewer: ann.userID, vote: $1, rows: $2)) }) { given in
            given.rows.reduce(given.vote as VoteState?) { $0?.after($1, viewer: given.viewer) }.map {
                Voting(
                    phase: $0.phase, revision: $0.revision, tally: $0.tally, ownOptions: $0.ownOptions,
                    closedAt: $0.closedAt?.milliseconds)
            }
        }
    }

    // MARK: Settings of a channel

    private struct Changes: Encodable {
        var profile: ChannelProfile
        var changes: [ChannelProfile]
    }

    /// All settings, each with its default if it is not set.
    private struct Settings: Encodable {
        var title: String
        var customAttributes: Int64
        var avatar: String
        var background: String
        var canJoin: Bool
        var editors: ProfileEditors
        var history: HistoryVisibility
        var historyRows: Int?
        var minMembers: Int
        var maxMembers: Int?
        var moderatorsMayRecall: Bool
        var noticesForwards: Bool
        var pinners: Pinners

        init(_ profile: ChannelProfile) {
            title = profile.title ?? ""
            customAttributes = profile.customAttributes ?? 0
            avatar = profile.avatar ?? ""
            background = profile.background ?? ""
            canJoin = profile.canJoin ?? false
            editors = profile.editors ?? .participants
            history = profile.history ?? .all
            historyRows = profile.historyRows
            minMembers = profile.minMembers ?? 1
            maxMembers = profile.maxMembers
            moderatorsMayRecall = profile.moderatorsMayRecall ?? true
            noticesForwards = profile.noticesForwards ?? false
            pinners = profile.pinners ?? .participants
        }
    }

    @Test func `the settings of a channel after changes`() throws {
        let rich = ChannelProfile(
            title: "Roof", customAttributes: 3, avatar: "a", background: "b", canJoin: true, editors: .moderators,
            history: .last, historyRows: 5, minMembers: 2, maxMembers: 9, moderatorsMayRecall: false,
            noticesForwards: true, pinners: .moderators)
        let plain = ChannelProfile(
            title: "", customAttributes: 0, avatar: "", background: "", canJoin: false, editors: .participants,
            history: .all, minMembers: 1, moderatorsMayRecall: true, noticesForwards: false, pinners: .participants)
        let cases: [(String, ChannelProfile, [ChannelProfile])] = [
            ("nothing is set, and all is", ChannelProfile(), [rich]),
            ("all is set, and goes", rich, [plain]),
            ("one of them changes", rich, [ChannelProfile(pinners: .participants)]),
            ("a title alone", rich, [ChannelProfile(title: "Garden")]),
            ("a title that goes", rich, [ChannelProfile(title: "")]),
            ("rows for newcomers that change", rich, [ChannelProfile(history: .last, historyRows: 7)]),
            ("newcomers see nothing", rich, [ChannelProfile(history: .sinceJoin)]),
            ("back and forth", ChannelProfile(), [ChannelProfile(canJoin: true), ChannelProfile(canJoin: false)]),
        ]
        try check("profiles", cases.map { ($0, Changes(profile: $1, changes: $2)) }) { given in
            Settings(given.changes.reduce(given.profile) { ProfileRules.merge($1, into: $0) })
        }
    }
}
