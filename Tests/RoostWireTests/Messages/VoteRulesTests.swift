import RoostWire
import Testing

@Suite struct VoteRulesTests {
    private func vote(
        _ count: Int = 4, choices: Int = 1, canChange: Bool = false, results: VoteResults = .live
    ) -> Vote {
        Vote(
            options: (0..<count).map { MessageContent(text: "\($0)") }, choices: choices, results: results,
            canChange: canChange)
    }

    private func ballot(_ options: [Int], after old: [Int] = [], in vote: Vote, _ phase: VotePhase = .open) -> String {
        do {
            return "\(try VoteRules.ballot(options, after: old, in: vote, phase: phase))"
        } catch {
            return "\(error.code)"
        }
    }

    @Test func `a ballot keeps to the vote`() {
        #expect(ballot([2], in: vote()) == "[2]")
        #expect(ballot([3, 1], in: vote(choices: 2)) == "[1, 3]")
        #expect(ballot([0, 1], in: vote()) == "1122")
        #expect(ballot([], in: vote()) == "[]")
        for options in [[4], [-1], [.max], [.min], [1, 1]] { #expect(ballot(options, in: vote(choices: 4)) == "6") }
        for options in [[], [0], [9], [0, 1]] {
            #expect(ballot(options, in: vote(), .waiting) == "7015")
            #expect(ballot(options, in: vote(), .closed) == "1121")
        }
    }

    @Test func `without a change what was chosen stays, and more may be added`() {
        #expect(ballot([0, 2], after: [2], in: vote(choices: 2)) == "[0, 2]")
        #expect(ballot([0], after: [2], in: vote(choices: 2)) == "1122")
        #expect(ballot([], after: [2], in: vote(choices: 2)) == "1122")
        #expect(ballot([2], after: [2], in: vote()) == "[2]")
        #expect(ballot([0], after: [2], in: vote(canChange: true)) == "[0]")
        #expect(ballot([], after: [2], in: vote(canChange: true)) == "[]")
    }

    @Test func `the phase follows the clock, and what was closed stays closed`() {
        var vote = vote()
        #expect(VoteRules.phase(of: vote, closedAt: nil, now: .init(milliseconds: .max)) == .open)
        (vote.$opensAt, vote.$closesAt) = (10, 20)
        let phases = [9, 10, 19, 20].map { VoteRules.phase(of: vote, closedAt: nil, now: .init(milliseconds: $0)) }
        #expect(phases == [.waiting, .open, .open, .closed])
        #expect(VoteRules.phase(of: vote, closedAt: .init(milliseconds: 5), now: .init(milliseconds: 9)) == .closed)
    }

    @Test func `a tally moves with each ballot and equals a count of all`() {
        var tally = VoteTally(counts: [0, 0, 0], voters: 0)
        var ballots: [Int: [Int]] = [:]
        let story: [(Int, [Int])] = [
            (1, [0]), (2, [0, 2]), (1, [1]), (3, [2]), (2, []), (3, [2]), (2, [1]), (1, []), (1, [0, 1, 2]),
        ]
        for (voter, options) in story {
            tally = tally.changed(from: ballots[voter] ?? [], to: options)
            ballots[voter] = options
            let chosen = ballots.values.filter { !$0.isEmpty }
            #expect(tally.voters == chosen.count)
            #expect(tally.counts == (0..<3).map { option in chosen.count { $0.contains(option) } })
        }
        #expect(VoteTally(voters: 1).changed(from: [], to: [7]) == VoteTally(voters: 2))
    }

    @Test func `results are shown live or at the end`() {
        let tally = VoteTally(counts: [1, 2], voters: 3)
        for phase in VotePhase.allCases {
            #expect(VoteRules.shown(tally, of: vote(), phase: phase) == tally)
            let late = VoteRules.shown(tally, of: vote(results: .atEnd), phase: phase)
            #expect(late == (phase == .closed ? tally : VoteTally(voters: 3)))
        }
    }

    @Test func `the type of a vote is that of its first option that is not text, and all eight are in the registry`() {
        func type(_ options: String...) -> String { VoteRules.type(of: options.map { MessageContent(type: $0) }) }
        #expect(type("text", "text") == "voteText")
        #expect(type("text", "image", "video") == "voteImage")
        #expect(type("document", "image") == "voteDocument")
        let numbers = VoteRules.voteTypes.values.compactMap { MessageType.named($0)?.number }
        #expect(numbers.sorted() == Array(101...108))
        for (kind, type) in VoteRules.voteTypes {
            let number = MessageType.named(kind)?.number ?? 0
            #expect(MessageType.named(type)?.number == number + 100)
        }
    }

    @Test func `a vote may leave out what has a default`() throws {
        let json = #"{"channel":"c","subject":"?","vote":{"options":[{"text":"a"},{"type":"sticker","text":"s"}]}}"#
        let create = try WireCodec.decode(CreateVote.self, from: Array(json.utf8))
        #expect(
            create.vote
                == Vote(options: [MessageContent(text: "a"), MessageContent(type: "sticker", text: "s")]))
        #expect(create.vote.choices == 1 && !create.vote.isSecret && !create.vote.canChange)
        #expect(create.vote.results == .live && create.vote.opensAt == nil && create.vote.closesAt == nil)
        #expect(try WireCodec.decode(CreateVote.self, from: WireCodec.encode(create)) == create)
    }

    @Test func `a state follows the rows of its vote and no others`() throws {
        let (ann, bob) = (try #require(UserID(rawValue: "ann")), try #require(UserID(rawValue: "bob")))
        let team = try #require(ChannelID(rawValue: "team"))
        let id = MessageID(sentAt: 1, seq: 3, salt: 1)
        let message = Message(
            messageID: id, content: MessageContent(.vote(vote(2), type: "voteText"), text: "?"), senderName: "Ann",
            count: 1)
        let asked = Event(
            channel: team, seq: 3, senderID: ann, sentAt: .init(milliseconds: 1), body: .channel(.messageSent(message)))
        let state = VoteState(event: asked, phase: .open, tally: VoteTally(counts: [0, 0], voters: 0))
        func cast(_ id: MessageID, _ revision: Int64, in channel: ChannelID) -> Event {
            Event(
                channel: channel, seq: 3 + revision, senderID: bob, sentAt: .init(milliseconds: 2),
                body: .channel(
                    .voteCast(
                        VoteCast(
                            messageID: id, seq: 3, revision: revision, tally: VoteTally(counts: [0, 1], voters: 1),
                            voterName: "Bob", options: [1]))))
        }
        let one = try #require(state.after(cast(id, 1, in: team), viewer: bob))
        #expect(one.revision == 1 && one.tally.counts == [0, 1] && one.ownOptions == [1])
        #expect(state.after(cast(id, 1, in: team), viewer: ann)?.ownOptions == [])
        #expect(one.after(cast(id, 1, in: team), viewer: bob) == one)
        #expect(state.after(cast(MessageID(sentAt: 1, seq: 3, salt: 2), 1, in: team), viewer: bob) == state)
        #expect(state.after(cast(id, 1, in: ChannelID(single: ann, bob)), viewer: bob) == state)
        let end = VoteClosed(messageID: id, seq: 3, revision: 2, tally: VoteTally(counts: [0, 1], voters: 1))
        let closed = one.after(
            Event(channel: team, seq: 5, sentAt: .init(milliseconds: 9), body: .channel(.voteClosed(end))), viewer: ann)
        #expect(closed?.phase == .closed && closed?.$closedAt == 9 && closed?.revision == 2)
        let gone = MessagesRecalled(
            messages: [RecalledMessage(messageID: id, seq: 3, wasCounted: true)], isSilent: false, byName: "Ann")
        #expect(one.after(Event(channel: team, seq: 6, body: .channel(.messageRecalled(gone))), viewer: ann) == nil)
        let recall = Recall(isSilent: false, at: .init(milliseconds: 1), byUserID: ann, byName: "Ann")
        #expect(message.recalled(recall).vote == nil)
    }
}

@Suite struct ForwardRulesTests {
    private func code(_ event: EventBody) -> ErrorCode? {
        do {
            _ = try ForwardRules.content(of: Event(body: event))
            return nil
        } catch {
            return error.entry
        }
    }

    @Test func `only content is forwarded, and nothing of where it stood`() throws {
        let id = MessageID(sentAt: 1, seq: 3, salt: 1)
        let ann = try #require(UserID(rawValue: "ann"))
        var message = Message(
            messageID: id,
            content: MessageContent(
                type: "image", text: "x", mentions: [Mention(userID: ann)], file: FileReference(fileID: "f"),
                thumbnail: FileReference(fileID: "t"), extras: ["a": "b"], category: "app"), senderName: "Ann",
            count: 4,
            replyTo: ReplySnapshot(
                messageID: id, seq: 1, sentAt: .init(milliseconds: 1), content: MessageContent(text: "before")),
            isForwarded: true)
        #expect(
            try ForwardRules.content(of: Event(body: .channel(.messageSent(message))))
                == MessageContent(
                    type: "image", text: "x", file: FileReference(fileID: "f"), thumbnail: FileReference(fileID: "t"),
                    extras: ["a": "b"], category: "app"))
        message.recall = Recall(isSilent: false, at: .init(milliseconds: 1), byUserID: ann, byName: "Ann")
        #expect(code(.channel(.messageSent(message))) == .messageNotFound)
        let line = Announcement(messageID: id, text: "noon", count: 1)
        #expect(
            try ForwardRules.content(of: Event(body: .channel(.messageAnnounced(line)))) == MessageContent(text: "noon")
        )
        #expect(code(.channel(.rowRemoved(RowRemoved()))) == .messageNotFound)
        for type in ["screenshotTaken", "messageCopied", "messagesForwarded", "messageSaved"] {
            #expect(
                code(
                    .channel(
                        .messageSent(
                            Message(messageID: id, content: MessageContent(type: type), senderName: "A", count: 1)))
                ) == .invalidContent)
        }
    }
}
