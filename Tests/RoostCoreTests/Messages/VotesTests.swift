import RoostCore
import RoostTesting
import RoostWire
import Testing

extension Vote {
    /// A vote with this many text options.
    static func between(
        _ count: Int = 3, choices: Int = 1, isSecret: Bool = false, results: VoteResults = .live,
        canChange: Bool = false, opensAt: Int64? = nil, closesAt: Int64? = nil
    ) -> Vote {
        Vote(
            options: (0..<count).map { MessageContent(text: "option \($0)") }, choices: choices, isSecret: isSecret,
            results: results, canChange: canChange, opensAt: opensAt.map { .init(milliseconds: $0) },
            closesAt: closesAt.map { .init(milliseconds: $0) })
    }
}

extension TestSession {
    /// Creates a vote in the club or another channel.
    func sendVote(_ vote: Vote, _ subject: String = "Which?", in channel: ChannelID = Cast.club) async throws
        -> MessageID
    {
        let answer = try await perform(CreateVote(channel: channel, subject: subject, vote: vote))
        return try #require(answer.messageID)
    }

    @discardableResult
    func cast(_ options: Int..., in vote: MessageID, of channel: ChannelID = Cast.club) async throws -> Acknowledgement
    {
        try await perform(CastVote(channel: channel, messageID: vote, options: options))
    }

    func vote(_ id: MessageID, in channel: ChannelID = Cast.club) async throws -> VoteState {
        try #require(try await perform(GetVotes(channel: channel, messageIDs: [id])).votes.first)
    }

    func ballots(
        _ vote: MessageID, option: Int? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws -> ListBallots.Answer {
        try await perform(
            ListBallots(channel: Cast.club, messageID: vote, option: option, limit: limit, cursor: cursor))
    }
}

extension Event {
    var voteCast: VoteCast? { if case .channel(.voteCast(let cast)) = body { cast } else { nil } }
    var voteClosed: VoteClosed? { if case .channel(.voteClosed(let closed)) = body { closed } else { nil } }
}

@Suite struct VotesTests {
    private func stage(_ backend: Backend) async throws -> Stage {
        let stage = try await Stage(backend, isDevelopment: false)
        try await stage.makeClub()
        return stage
    }

    private func refusal(_ session: TestSession, _ options: Int..., in vote: MessageID) async throws -> ErrorCode? {
        try await session.refusal(CastVote(channel: Cast.club, messageID: vote, options: options))?.entry
    }

    @Test(arguments: Backend.available)
    func `a vote is created, cast and counted; too many choices are 1122 and late ones 1121 [L-106 LE-1121 LE-1122]`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        let tablet = try await stage.roost.session(Cast.bob, device: "tablet")
        let vote = Vote.between(3, choices: 2, closesAt: stage.roost.clock.now + 10_000)
        await stage.forgetEvents()

        let id = try await stage.ann.sendVote(vote, "Where do we eat?")

        for session in [stage.ann, stage.bob, stage.cid, tablet] {
            let row = try #require(session.rows(of: Cast.club).last)
            #expect(row.messageID == id && row.senderID == Cast.ann.userID)
            #expect(row.message?.type == "voteText" && row.text == "Where do we eat?" && row.message?.vote == vote)
        }
        #expect(stage.dee.events.isEmpty)
        #expect(try await stage.bob.unread(Cast.club) == 1)
        let asked = try #require(try await stage.bob.row(id, in: Cast.club))
        var state = VoteState(event: asked, phase: .open, tally: VoteTally(counts: [0, 0, 0], voters: 0))
        #expect(try await stage.bob.vote(id) == state)
        await stage.forgetEvents()
        _ = tablet.drainEvents()

        let answer = try await stage.bob.cast(2, in: id)

        let cast = VoteCast(
            messageID: id, seq: 1, revision: 1, tally: VoteTally(counts: [0, 0, 1], voters: 1), voterName: "Bob",
            options: [2])
        for session in [stage.ann, stage.bob, stage.cid, tablet] {
            let row = try #require(session.rows(of: Cast.club).last)
            #expect(row.voteCast == cast && row.seq == answer.seq && row.senderID == Cast.bob.userID)
            #expect(row.transID == answer.transID)
            #expect(try await session.log(of: Cast.club).last == row)
        }
        // A cast vote is not unread, and does not change the last message.
        #expect(try await stage.cid.unread(Cast.club) == 1)
        #expect(try await stage.cid.channel(Cast.club).lastMessage?.messageID == id)
        (state.revision, state.tally, state.ownOptions) = (1, cast.tally, [2])
        #expect(try await stage.bob.vote(id) == state)
        // A second choice is added, a third is too many, and the previous choices stay.
        try await stage.bob.cast(2, 0, in: id)
        #expect(try await refusal(stage.bob, 0, 1, 2, in: id) == .tooManyVotes)
        #expect(try await refusal(stage.bob, 0, 1, in: id) == .tooManyVotes)
        #expect(try await refusal(stage.bob, in: id) == .tooManyVotes)
        try await stage.ann.cast(0, in: id)
        #expect(try await stage.cid.vote(id).tally == VoteTally(counts: [2, 0, 1], voters: 2))
        // The same again changes nothing.
        #expect(try await stage.bob.cast(0, 2, in: id).seq == nil)
        #expect(try await stage.cid.vote(id).revision == 3)
        stage.roost.clock.advance(by: 9_999)
        try await stage.cid.cast(1, in: id)
        await stage.forgetEvents()
        stage.roost.clock.advance(by: 1)
        #expect(try await refusal(stage.cid, 1, in: id) == .timeExpired)
        #expect(try await stage.cid.vote(id).phase == .closed)
        #expect(try await stage.cid.vote(id).tally == VoteTally(counts: [2, 1, 1], voters: 3))
        await stage.settle()
        let row = try #require(stage.cid.rows(of: Cast.club).last)
        #expect(
            row.voteClosed
                == VoteClosed(messageID: id, seq: 1, revision: 5, tally: VoteTally(counts: [2, 1, 1], voters: 3)))
        #expect(row.senderID == nil && row.transID == nil)
        await stage.settle()
        #expect(stage.cid.rows(of: Cast.club).compactMap(\.voteClosed).count == 1)
        #expect(try await stage.cid.vote(id).closedAt == row.sentAt)
        #expect(try await refusal(stage.cid, 1, in: id) == .timeExpired)
    }

    @Test(arguments: Backend.available)
    func `a ballot can be changed and withdrawn if the vote allows it`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let id = try await stage.ann.sendVote(.between(3, canChange: true))
        try await stage.bob.cast(0, in: id)
        try await stage.bob.cast(1, in: id)
        #expect(try await stage.ann.vote(id).tally == VoteTally(counts: [0, 1, 0], voters: 1))
        #expect(try await refusal(stage.bob, 0, 1, in: id) == .tooManyVotes)
        await stage.forgetEvents()
        try await stage.bob.cast(in: id)
        #expect(stage.ann.rows(of: Cast.club).last?.voteCast?.options == [])
        #expect(try await stage.ann.vote(id).tally == VoteTally(counts: [0, 0, 0], voters: 0))
        #expect(try await stage.bob.vote(id).ownOptions == [])
        #expect(try await stage.ann.ballots(id).ballots.isEmpty)
        // There is no vote to withdraw, so nothing happens.
        #expect(try await stage.cid.cast(in: id).seq == nil)
        try await stage.bob.cast(2, in: id)
        #expect(try await stage.ann.ballots(id).ballots.map(\.options) == [[2]])
    }

    @Test(arguments: Backend.available)
    func `nobody learns who voted in a secret vote, and nothing of the results before the end`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        let id = try await stage.ann.sendVote(.between(2, isSecret: true, results: .atEnd, canChange: true))
        await stage.forgetEvents()
        let answer = try await stage.roost.core.handle(
            .write(.castVote(CastVote(channel: Cast.club, messageID: id, options: [1]))), id: "bob-17",
            from: stage.bob.actor
        ).decode(Acknowledgement.self)
        #expect(answer.transID.rawValue == "bob-17" && answer.seq == 2)
        let row = try #require(stage.cid.rows(of: Cast.club).last)
        #expect(row.voteCast == VoteCast(messageID: id, seq: 1, revision: 1, tally: VoteTally(voters: 1)))
        #expect(row.senderID == nil && row.transID == nil)
        #expect(!String(decoding: try WireCodec.encode(row), as: UTF8.self).lowercased().contains("bob"))
        for session in [stage.ann, stage.cid] {
            let state = try await session.vote(id)
            #expect(state.tally == VoteTally(voters: 1) && state.ownOptions == [])
            #expect(
                try await session.refusal(ListBallots(channel: Cast.club, messageID: id))?.entry == .noPrivilege)
            // No mark that would disclose it has moved.
            let reads = try await session.perform(ListMemberReads(channel: Cast.club)).members
            #expect(reads.allSatisfy { $0.seq < 2 })
        }
        #expect(try await stage.bob.vote(id).ownOptions == [1])
        // The key keeps its answer, although no row names it.
        let cast = CastVote(channel: Cast.club, messageID: id, options: [1])
        #expect(try await stage.bob.perform(cast, id: "bob-17") == answer)
        let other = CastVote(channel: Cast.club, messageID: id, options: [0])
        #expect(try await stage.bob.refusal(other, id: "bob-17")?.entry == .duplicateTransID)
        try await stage.ann.cast(0, in: id)
        try await stage.ann.perform(CloseVote(channel: Cast.club, messageID: id))
        let closed = try #require(stage.cid.rows(of: Cast.club).last)
        #expect(closed.voteClosed?.tally == VoteTally(counts: [1, 1], voters: 2))
        #expect(closed.senderID == Cast.ann.userID && closed.voteClosed?.byName == "Ann")
        #expect(try await stage.cid.vote(id).tally == VoteTally(counts: [1, 1], voters: 2))
        #expect(try await stage.cid.refusal(ListBallots(channel: Cast.club, messageID: id))?.entry == .noPrivilege)
    }

    @Test(arguments: Backend.available)
    func `an open vote tells at once who voted, and for what when its results are told`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let id = try await stage.ann.sendVote(.between(2, results: .atEnd))
        await stage.forgetEvents()
        try await stage.bob.cast(1, in: id)
        let row = try #require(stage.cid.rows(of: Cast.club).last)
        #expect(
            row.voteCast
                == VoteCast(messageID: id, seq: 1, revision: 1, tally: VoteTally(voters: 1), voterName: "Bob"))
        #expect(row.senderID == Cast.bob.userID)
        let castAt = stage.roost.clock.now
        #expect(
            try await stage.cid.ballots(id).ballots == [
                Ballot(userID: Cast.bob.userID, name: "Bob", castAt: .init(milliseconds: castAt))
            ])
        #expect(
            try await stage.cid.refusal(ListBallots(channel: Cast.club, messageID: id, option: 1))?.entry
                == .noPrivilege)
        try await stage.ann.perform(CloseVote(channel: Cast.club, messageID: id))
        let told = Ballot(userID: Cast.bob.userID, name: "Bob", options: [1], castAt: .init(milliseconds: castAt))
        #expect(try await stage.cid.ballots(id).ballots == [told])
        #expect(try await stage.cid.ballots(id, option: 1).ballots == [told])
        #expect(try await stage.cid.ballots(id, option: 0).ballots.isEmpty)
        #expect(
            try await stage.cid.refusal(ListBallots(channel: Cast.club, messageID: id, option: 2))?.entry == .dataFormat
        )
    }

    @Test(arguments: Backend.available)
    func `a vote opens and closes at its times, and earlier by its author, a moderator or an admin`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        let now = stage.roost.clock.now
        let id = try await stage.cid.sendVote(.between(opensAt: now + 1_000, closesAt: now + 2_000))
        #expect(try await refusal(stage.bob, 0, in: id) == .voteNotOpen)
        #expect(try await stage.bob.vote(id).phase == .waiting)
        stage.roost.clock.advance(by: 1_000)
        try await stage.bob.cast(0, in: id)
        #expect(try await stage.bob.vote(id).phase == .open)
        let close = CloseVote(channel: Cast.club, messageID: id)
        #expect(try await stage.bob.refusal(close)?.entry == .noPrivilege)
        try await stage.cid.perform(close)
        #expect(try await refusal(stage.bob, 0, in: id) == .timeExpired)
        #expect(try await refusal(stage.ann, 1, in: id) == .timeExpired)
        // Once closed, it does not change any more, for any user and at any time.
        let before = try await stage.ann.channel(Cast.club)
        #expect(try await stage.ann.perform(close).seq == nil)
        stage.roost.clock.advance(by: 5_000)
        await stage.settle()
        #expect(stage.cid.rows(of: Cast.club).compactMap(\.voteClosed).count == 1)
        #expect(try await stage.ann.channel(Cast.club) == before)
        // The admin closes those of others, also before they open; so does a moderator.
        for session in [stage.ann, stage.bob] {
            if session === stage.bob {
                try await stage.ann.perform(
                    SetMemberRole(channel: Cast.club, userID: Cast.bob.userID, role: .moderator))
            }
            let other = try await stage.cid.sendVote(.between(opensAt: stage.roost.clock.now + 1_000))
            try await session.perform(CloseVote(channel: Cast.club, messageID: other))
            #expect(try await stage.cid.vote(other).phase == .closed)
        }
        // A vote that is due and also closed by a command has one last row, whichever comes first.
        let due = try await stage.cid.sendVote(.between(closesAt: stage.roost.clock.now + 10))
        stage.roost.clock.advance(by: 10)
        try await stage.cid.perform(CloseVote(channel: Cast.club, messageID: due))
        await stage.settle()
        let last = try await stage.cid.log(of: Cast.club).filter { $0.voteClosed?.messageID == due }
        #expect(last.count == 1)
    }

    @Test(arguments: Backend.available)
    func `a recalled vote is over, and a dismissed channel ends it silently`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let closesAt = stage.roost.clock.now + 10
        let recalled = try await stage.ann.sendVote(.between(closesAt: closesAt))
        let kept = try await stage.ann.sendVote(.between())
        try await stage.bob.cast(0, in: recalled)
        try await stage.ann.recall(recalled, in: Cast.club)
        #expect(try await refusal(stage.bob, 1, in: recalled) == .messageNotFound)
        for session in [stage.ann, stage.bob] {
            let close = CloseVote(channel: Cast.club, messageID: recalled)
            #expect(try await session.refusal(close)?.entry == .messageNotFound)
            #expect(try await session.perform(ListVotes(channel: Cast.club)).votes.map(\.event.messageID) == [kept])
            let ballots = ListBallots(channel: Cast.club, messageID: recalled)
            #expect(try await session.refusal(ballots)?.entry == .messageNotFound)
            #expect(try await session.row(recalled, in: Cast.club)?.message?.isShell == true)
            #expect(try await session.row(recalled, in: Cast.club)?.message?.vote == nil)
        }
        // It is gone for a user who has deleted it, and stays for the others.
        try await stage.bob.delete(kept, in: Cast.club)
        #expect(try await refusal(stage.bob, 1, in: kept) == .messageNotFound)
        #expect(try await stage.bob.perform(ListVotes(channel: Cast.club)).votes.isEmpty)
        try await stage.cid.cast(1, in: kept)
        stage.roost.clock.advance(by: 10)
        let seq = try await stage.cid.channel(Cast.club).seq
        await stage.settle()
        #expect(try await stage.cid.channel(Cast.club).seq == seq)
        let later = try await stage.ann.sendVote(.between(closesAt: stage.roost.clock.now + 10))
        try await stage.ann.perform(DismissChannel(channel: Cast.club))
        stage.roost.clock.advance(by: 10)
        await stage.forgetEvents()
        await stage.settle()
        #expect(stage.all.allSatisfy { $0.events.isEmpty })
        #expect(try await refusal(stage.bob, 1, in: later) == .channelNotFound)
    }

    @Test(arguments: Backend.available)
    func `ballots of former members stay, and only users who may read a vote may vote`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let id = try await stage.ann.sendVote(.between())
        try await stage.cid.cast(1, in: id)
        #expect(try await refusal(stage.dee, 1, in: id) == .channelNotFound)
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        #expect(try await refusal(stage.cid, 1, in: id) == .notMember)
        #expect(try await stage.bob.vote(id).tally == VoteTally(counts: [0, 1, 0], voters: 1))
        #expect(try await stage.bob.ballots(id).ballots.map(\.userID) == [Cast.cid.userID])
        // A newcomer who sees nothing of the past does not see its votes.
        try await stage.ann.perform(
            SetChannelProfile(channel: Cast.club, profile: ChannelProfile(history: .sinceJoin)))
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))
        #expect(try await refusal(stage.dee, 1, in: id) == .messageNotFound)
        #expect(try await stage.dee.perform(ListVotes(channel: Cast.club)).votes.isEmpty)
        // In a 1-on-1, a blocked user can neither create a vote nor vote.
        try await stage.makePair()
        let pair = try await stage.ann.sendVote(.between(), in: Cast.annAndBob)
        try await stage.bob.cast(0, in: pair, of: Cast.annAndBob)
        try await stage.ann.perform(BlockUser(userID: Cast.bob.userID))
        let cast = CastVote(channel: Cast.annAndBob, messageID: pair, options: [0, 1])
        #expect(try await stage.bob.refusal(cast)?.entry == .blocked)
        let ask = CreateVote(channel: Cast.annAndBob, subject: "?", vote: .between())
        #expect(try await stage.bob.refusal(ask)?.entry == .blocked)
        // An operator who is not a member cannot vote.
        let operatorSession = try await stage.roost.session(user("op"), isOperator: true)
        #expect(try await refusal(operatorSession, 1, in: id) == .channelNotFound)
    }

    @Test(arguments: Backend.available)
    func `in an open channel everybody who may write may create votes and vote`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.ann.perform(JoinChannel(channel: Cast.lobby))
        let id = try await stage.ann.sendVote(.between(), in: Cast.lobby)
        try await stage.dee.cast(1, in: id, of: Cast.lobby)
        #expect(stage.ann.rows(of: Cast.lobby).last?.voteCast?.tally.counts == [0, 1, 0])
        let close = CloseVote(channel: Cast.lobby, messageID: id)
        #expect(try await stage.dee.refusal(close)?.entry == .noPrivilege)
        try await stage.ann.perform(close)
        #expect(try await stage.dee.vote(id, in: Cast.lobby).phase == .closed)
    }

    @Test(arguments: Backend.available)
    func `votes and ballots are listed in pages, and read by their ids`(backend: Backend) async throws {
        let stage = try await stage(backend)
        var ids: [MessageID] = []
        for number in 1...5 {
            ids.append(try await stage.ann.sendVote(.between(), "\(number)"))
            try await stage.bob.send("between", to: Cast.club)
        }
        var seen: [MessageID] = []
        var cursor: String?
        repeat {
            let page = try await stage.bob.perform(ListVotes(channel: Cast.club, limit: 2, cursor: cursor))
            seen += page.votes.compactMap(\.event.messageID)
            cursor = page.next
        } while cursor != nil
        #expect(seen == ids.reversed())
        let forged = MessageID(sentAt: 0, seq: 1, salt: 7)
        let text = try #require(try await stage.bob.log(of: Cast.club).first { $0.text == "between" }?.messageID)
        let get = GetVotes(channel: Cast.club, messageIDs: [ids[3], forged, ids[1], text])
        #expect(try await stage.bob.perform(get).votes.map(\.event.messageID) == [ids[1], ids[3]])
        for (messageIDs, code) in [([forged, text], ErrorCode.notAVote), ([forged], ErrorCode.messageNotFound)] {
            let none = GetVotes(channel: Cast.club, messageIDs: messageIDs)
            #expect(try await stage.bob.refusal(none)?.code == code.code)
        }
        for (messageID, code) in [(text, ErrorCode.notAVote), (forged, ErrorCode.messageNotFound)] {
            let none = ListBallots(channel: Cast.club, messageID: messageID)
            #expect(try await stage.bob.refusal(none)?.code == code.code)
        }
        for session in [stage.ann, stage.bob, stage.cid] { try await session.cast(0, in: ids[0]) }
        var voters: [UserID] = []
        var page = try await stage.bob.ballots(ids[0], limit: 1)
        while true {
            voters += page.ballots.map(\.userID)
            guard let next = page.next else { break }
            page = try await stage.bob.ballots(ids[0], limit: 1, cursor: next)
        }
        #expect(voters == [Cast.ann.userID, Cast.bob.userID, Cast.cid.userID])
        for limit in [0, 51, -1] {
            #expect(try await stage.bob.refusal(ListVotes(channel: Cast.club, limit: limit))?.entry == .dataFormat)
        }
        for cursor in ["", "0", "-1", "x", "9223372036854775808"] {
            #expect(try await stage.bob.refusal(ListVotes(channel: Cast.club, cursor: cursor))?.entry == .dataFormat)
        }
        #expect(try await stage.bob.refusal(GetVotes(channel: Cast.club, messageIDs: []))?.entry == .dataFormat)
    }

    @Test(arguments: Backend.available)
    func `large votes make short pages, and none is lost`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let long = String(repeating: "語", count: 6_000)
        let vote = Vote(options: [MessageContent(text: long), MessageContent(text: long)])
        var ids: [MessageID] = []
        for _ in 0..<20 { ids.append(try await stage.ann.sendVote(vote)) }
        var seen: [MessageID] = []
        var page = try await stage.bob.perform(ListVotes(channel: Cast.club, limit: 50))
        #expect(page.votes.count < 20 && page.next != nil)
        while true {
            seen += page.votes.compactMap(\.event.messageID)
            guard let next = page.next else { break }
            page = try await stage.bob.perform(ListVotes(channel: Cast.club, limit: 50, cursor: next))
        }
        #expect(seen == ids.reversed())
        #expect(try await stage.bob.refusal(GetVotes(channel: Cast.club, messageIDs: ids))?.entry == .tooLarge)
    }

    @Test(arguments: Backend.available)
    func `an invalid vote is refused and told to nobody`(backend: Backend) async throws {
        let stage = try await stage(backend)
        await stage.forgetEvents()
        let now = stage.roost.clock.now
        func options(_ contents: MessageContent...) -> Vote { Vote(options: [MessageContent(text: "a")] + contents) }
        let file = FileReference(fileID: "f")
        let bad: [(Vote, ErrorCode)] = [
            (.between(1), .dataFormat), (.between(0), .dataFormat), (.between(21), .dataFormat),
            (.between(choices: 0), .dataFormat),
            (.between(choices: 4), .dataFormat), (.between(choices: .max), .dataFormat),
            (.between(choices: .min), .dataFormat),
            (.between(closesAt: now), .dataFormat), (.between(closesAt: .min), .dataFormat),
            (.between(opensAt: -1), .dataFormat),
            (.between(opensAt: now + 5, closesAt: now + 5), .dataFormat),
            (options(MessageContent(text: " ")), .invalidContent),
            (options(MessageContent(type: "image")), .dataFormat),
            (options(MessageContent(type: "custom", attributes: 1)), .invalidContent),
            (options(MessageContent(type: "messageCopied")), .invalidContent),
            (options(MessageContent(type: "voteText")), .invalidContent),
            (
                options(MessageContent(type: "callReceived", call: CallNotice(callID: "c", kind: .voice))),
                .invalidContent
            ),
            (options(MessageContent(type: "location")), .dataFormat),
            (options(MessageContent(type: "x")), .invalidContent),
            (options(MessageContent(text: "@Bob", mentions: [Mention(userID: Cast.bob.userID)])), .dataFormat),
            (options(MessageContent(text: "b", file: file)), .dataFormat),
            (options(MessageContent(text: String(repeating: "x", count: 8_001))), .invalidContent),
        ]
        for (vote, code) in bad {
            let create = CreateVote(channel: Cast.club, subject: "?", vote: vote)
            #expect(try await stage.ann.refusal(create)?.code == code.code, "\(vote)")
        }
        for subject in ["", " \n", "a\u{0}", String(repeating: "x", count: 8_001)] {
            let create = CreateVote(channel: Cast.club, subject: subject, vote: .between())
            #expect(try await stage.ann.refusal(create)?.entry == .invalidContent)
        }
        #expect(stage.all.allSatisfy { $0.events.isEmpty })
        let id = try await stage.ann.sendVote(.between(20, choices: 20, canChange: true))
        await stage.forgetEvents()
        for options in [[20], [-1], [.max], [.min], [0, 0], Array(0...20)] {
            let cast = CastVote(channel: Cast.club, messageID: id, options: options)
            #expect(try await stage.bob.refusal(cast)?.entry == .dataFormat, "\(options)")
        }
        let text = try await stage.ann.post("no vote", to: Cast.club)
        await stage.forgetEvents()
        let forged = [Int64(1), .max].map { MessageID(sentAt: 0, seq: $0, salt: 0) }
        for (other, code) in [
            (text, ErrorCode.notAVote), (forged[0], .messageNotFound), (forged[1], .messageNotFound),
        ] {
            #expect(try await refusal(stage.bob, 0, in: other) == code)
            #expect(try await stage.bob.refusal(CloseVote(channel: Cast.club, messageID: other))?.entry == code)
        }
        #expect(stage.all.allSatisfy { $0.events.isEmpty })
        try await stage.bob.perform(CastVote(channel: Cast.club, messageID: id, options: Array(0..<20)))
        #expect(try await stage.bob.vote(id).ownOptions == Array(0..<20))
    }

    @Test(arguments: Backend.available)
    func `votes sent twice happen once, after a restart too`(backend: Backend) async throws {
        let (database, resource) = try backend.makeDatabase()
        let stage = try await Stage(try TestCore(database: database))
        try await stage.makeClub()
        let create = CreateVote(channel: Cast.club, subject: "?", vote: .between(canChange: true))
        let made = try await stage.ann.perform(create, id: "ask")
        let id = try #require(made.messageID)
        let cast = CastVote(channel: Cast.club, messageID: id, options: [1])
        let close = CloseVote(channel: Cast.club, messageID: id)
        let (voted, closed) = (
            try await stage.ann.perform(cast, id: "cast"), try await stage.ann.perform(close, id: "close")
        )
        func again(_ session: TestSession) async throws {
            #expect(try await session.perform(create, id: "ask") == made)
            #expect(try await session.perform(cast, id: "cast") == voted)
            #expect(try await session.perform(close, id: "close") == closed)
            #expect(try await session.channel(Cast.club).seq == 3)
            let other = CastVote(channel: Cast.club, messageID: id, options: [2])
            #expect(try await session.refusal(other, id: "cast")?.entry == .duplicateTransID)
            #expect(try await session.refusal(cast, id: "close")?.entry == .duplicateTransID)
        }
        try await again(stage.ann)
        await stage.roost.core.stop()
        let later = try await Stage(try TestCore(database: database))
        try await again(later.ann)
        await later.roost.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `whatever is cast, tallies are recounts and states follow the events`(backend: Backend) async throws {
        var random = SeededNumbers(106)
        for round in 0..<(backend == .memory ? 12 : 3) {
            let stage = try await stage(backend)
            let people = [stage.ann, stage.bob, stage.cid]
            var ids: [MessageID] = []
            for _ in 0..<3 {
                ids.append(
                    try await random.pick(people).sendVote(
                        .between(
                            random.int(2...5), choices: random.int(1...2), isSecret: random.int(0...2) == 0,
                            results: random.int(0...2) == 0 ? .atEnd : .live, canChange: random.int(0...1) == 0,
                            closesAt: random.int(0...1) == 0 ? stage.roost.clock.now + 60 : nil)))
            }
            var states: [[VoteState?]] = []
            for session in people {
                var known: [VoteState?] = []
                for id in ids { known.append(try await session.vote(id)) }
                states.append(known)
            }
            await stage.forgetEvents()
            for _ in 0..<40 {
                stage.roost.clock.advance(by: 2)
                let (session, id) = (random.pick(people), random.pick(ids))
                switch random.int(0...19) {
                case 0: _ = try await session.refusal(CloseVote(channel: Cast.club, messageID: id))
                case 1: await stage.settle()
                case 2 where round % 4 == 0: _ = try? await session.recall(id, in: Cast.club)
                default:
                    let options = (0..<random.int(0...2)).map { _ in random.int(0...4) }
                    _ = try await session.refusal(CastVote(channel: Cast.club, messageID: id, options: options))
                }
            }
            await stage.settle()
            for (index, session) in people.enumerated() {
                let events = session.drainEvents()
                for (place, id) in ids.enumerated() {
                    var state = states[index][place]
                    for event in events { state = state?.after(event, viewer: session.userID) }
                    let fresh = try await session.perform(ListVotes(channel: Cast.club)).votes
                        .first { $0.event.messageID == id }
                    let vote = try #require(states[index][place]?.event.message?.vote)
                    // A reader's own choices are not in every row.
                    if vote.isSecret || vote.results == .atEnd { state?.ownOptions = fresh?.ownOptions ?? [] }
                    #expect(state == fresh, "\(seed), round \(round)")
                    guard let fresh, !vote.isSecret, let counts = fresh.tally.counts else { continue }
                    let ballots = try await session.ballots(id).ballots
                    let recount = vote.options.indices.map { option in
                        ballots.count { $0.options?.contains(option) == true }
                    }
                    #expect(counts == recount && fresh.tally.voters == ballots.count, "\(seed), round \(round)")
                }
            }
        }
    }

    @Test func `votes and ballots are counted against the allowance of sends`() async throws {
        let limits = Limits(sendsPerSecond: 10, sendBurst: 5, channelSendsPerSecond: 0, commandsPerSecond: 0)
        let stage = try await Stage(.memory, limits: limits)
        try await stage.makeClub()
        let id = try await stage.ann.sendVote(.between(2, canChange: true))
        for round in 0..<4 { try await stage.ann.cast(round % 2, in: id) }
        let refused = try #require(
            try await stage.ann.refusal(CastVote(channel: Cast.club, messageID: id, options: [0])))
        #expect(refused.entry == .tooManyRequests && refused.retryAfterMs == 100)
        let create = CreateVote(channel: Cast.club, subject: "?", vote: .between())
        #expect(try await stage.ann.refusal(create)?.entry == .tooManyRequests)
        // It does not count against the allowance of other users, and is available again later.
        try await stage.bob.cast(1, in: id)
        stage.roost.clock.advance(by: 100)
        try await stage.ann.cast(0, in: id)
    }

    @Test(arguments: Backend.available)
    func `many who vote at the same time are all counted, each once`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let id = try await stage.ann.sendVote(.between(2, choices: 2, canChange: true))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for session in [stage.ann, stage.bob, stage.cid] {
                for round in 0..<20 {
                    group.addTask {
                        let options = [[0], [1], [0, 1], []][round % 4]
                        try await session.perform(CastVote(channel: Cast.club, messageID: id, options: options))
                    }
                }
            }
            try await group.waitForAll()
        }
        let state = try await stage.bob.vote(id)
        let ballots = try await stage.bob.ballots(id).ballots
        #expect(state.tally.voters == ballots.count)
        let counts = [0, 1].map { option in ballots.count { $0.options?.contains(option) == true } }
        #expect(state.tally.counts == counts)
        let log = try await stage.bob.log(of: Cast.club).compactMap(\.voteCast)
        #expect(log.map(\.revision) == (0..<Int64(log.count)).map { $0 + 1 })
        #expect(log.last?.tally == state.tally)
    }

    @Test(.enabled(if: Backend.available.contains(.postgres)))
    func `two servers on one database count alike and close once`() async throws {
        let url = try Postgres.makeSchema()
        let one = try TestCore(database: Postgres.open(url))
        let two = try TestCore(database: Postgres.open(url), clock: one.clock)
        let stage = try await Stage(one, and: two)
        try await stage.makeClub()
        let id = try await stage.ann.sendVote(.between(2, canChange: true, closesAt: one.clock.now + 100))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for session in [stage.ann, stage.bob, stage.cid] {
                for round in 0..<10 {
                    group.addTask {
                        try await session.perform(CastVote(channel: Cast.club, messageID: id, options: [round % 2]))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await stage.ann.vote(id).tally.voters == 3)
        #expect(try await stage.ann.vote(id).tally == stage.bob.vote(id).tally)
        // Each server looks at least once a second.
        one.clock.advance(by: 1_100)
        async let first: Void = one.settle()
        async let second: Void = two.settle()
        _ = await (first, second)
        let closed = try await stage.bob.log(of: Cast.club).filter { $0.voteClosed != nil }
        #expect(closed.count == 1)
        #expect(closed.first?.voteClosed?.tally.counts?.reduce(0, +) == 3)
        await one.core.stop()
        await two.core.stop()
    }
}
