import RoostWire

// Forwards, votes and notices of calls: the commands with their answers, and the rows.
extension Story {
    /// The vote in the team.
    private func lunch() -> Vote {
        Vote(
            options: [
                MessageContent(text: "Soup"),
                MessageContent(.image(photo(), thumbnail: thumbnail()), text: "The new place"),
            ], canChange: true, closesAt: at(7_200))
    }

    private var question: MessageID { messageID(12, 310) }

    /// The row of the vote.
    private func asked() throws -> Event {
        Event(
            channel: team, seq: 12, senderID: ann.userID, transID: try Self.id("t-0051"), sentAt: at(310),
            body: .channel(
                .messageSent(
                    Message(
                        messageID: question,
                        content: MessageContent(.vote(lunch(), type: "voteImage"), text: "Where do we eat?"),
                        senderName: ann.name, senderImageURL: ann.imageURL, count: 9))))
    }

    /// The vote after Bob has voted.
    private func voted() throws -> VoteState {
        VoteState(
            event: try asked(), phase: .open, revision: 1, tally: VoteTally(counts: [1, 0], voters: 1),
            ownOptions: [])
    }

    func forwards() throws -> [Examples.Exchange] {
        let transID: TransID = try Self.id("t-0050")
        return [
            try exchange(
                ForwardMessages(
                    channel: pair, messageIDs: [messageID(2, 21), messageID(6, 155)], channels: [team, lobby]),
                id: "t-0050",
                answer: ForwardMessages.Answer(
                    transID: transID, sentAt: at(305),
                    results: [
                        PairResult(channel: team, index: 0, seq: 11, messageID: messageID(11, 305)),
                        PairResult(channel: team, index: 1, code: ErrorCode.messageNotFound.code),
                        PairResult(channel: lobby, index: 0, seq: 3, messageID: messageID(3, 305)),
                        PairResult(channel: lobby, index: 1, code: ErrorCode.messageNotFound.code),
                    ])),
            try exchange(
                GetOrigin(channel: team, messageID: messageID(11, 305)), id: "24",
                answer: GetOrigin.Answer(
                    channel: pair, messageID: messageID(2, 21), senderID: bob.userID, senderName: bob.name,
                    sentAt: at(21))),
        ]
    }

    func votes() throws -> [Examples.Exchange] {
        [
            try exchange(
                CreateVote(channel: team, subject: "Where do we eat?", vote: lunch()),
                id: "t-0051", answer: try acknowledged(team, 12, transID: "t-0051", at: 310, isMessage: true)),
            try exchange(
                CastVote(channel: team, messageID: question, options: [0]), id: "b-0003",
                answer: try acknowledged(team, 13, transID: "b-0003", at: 320)),
            try exchange(
                CastVote(channel: team, messageID: question, options: []), id: "b-0004",
                "back", answer: try acknowledged(team, 14, transID: "b-0004", at: 325)),
            try exchange(
                CloseVote(channel: team, messageID: question), id: "t-0052",
                answer: try acknowledged(team, 15, transID: "t-0052", at: 330)),
            try exchange(
                ListVotes(channel: team, limit: 10), id: "25",
                answer: ListVotes.Answer(votes: [try voted()])),
            try exchange(
                GetVotes(channel: team, messageIDs: [question]), id: "26",
                answer: GetVotes.Answer(votes: [try voted()])),
            try exchange(
                ListBallots(channel: team, messageID: question, option: 0), id: "27",
                answer: ListBallots.Answer(
                    ballots: [Ballot(userID: bob.userID, name: bob.name, options: [0], castAt: at(320))])),
        ]
    }

    /// The rows of messages that no plain send has created.
    func madeRows() throws -> [Examples.Notice] {
        let call = CallNotice(callID: "c-77", kind: .video, result: .answered, durationMs: 184_000)
        func row(_ seq: Int64, _ transID: String, at seconds: Int64, _ message: Message) throws -> Event {
            Event(
                channel: team, seq: seq, senderID: ann.userID, transID: try Self.id(transID), sentAt: at(seconds),
                body: .channel(.messageSent(message)))
        }
        return [
            Examples.Notice(
                variant: "forwarded",
                event: try row(
                    11, "t-0050", at: 305,
                    Message(
                        messageID: messageID(11, 305), content: MessageContent(text: "Hi Ann! Tea?"),
                        senderName: ann.name, senderImageURL: ann.imageURL, count: 8, isForwarded: true,
                        isEncrypted: true))),
            Examples.Notice(variant: "vote", event: try asked()),
            Examples.Notice(
                variant: "call",
                event: try row(
                    16, "t-0053", at: 340,
                    Message(
                        messageID: messageID(16, 340), content: MessageContent(.callRecorded(call)),
                        senderName: ann.name, senderImageURL: ann.imageURL, count: 9))),
        ]
    }

    func voteRows() throws -> [Examples.Notice] {
        let cast = VoteCast(
            messageID: question, seq: 12, revision: 1, tally: VoteTally(counts: [1, 0], voters: 1),
            voterName: bob.name, options: [0])
        let secret = VoteCast(messageID: question, seq: 12, revision: 1, tally: VoteTally(voters: 1))
        let closed = VoteClosed(
            messageID: question, seq: 12, revision: 3, tally: VoteTally(counts: [0, 0], voters: 0), byName: ann.name)
        return [
            Examples.Notice(
                event: Event(
                    channel: team, seq: 13, senderID: bob.userID, transID: try Self.id("b-0003"), sentAt: at(320),
                    body: .channel(.voteCast(cast)))),
            Examples.Notice(
                variant: "secret",
                event: Event(channel: team, seq: 13, sentAt: at(320), body: .channel(.voteCast(secret)))),
            Examples.Notice(
                event: Event(
                    channel: team, seq: 15, senderID: ann.userID, transID: try Self.id("t-0052"), sentAt: at(330),
                    body: .channel(.voteClosed(closed)))),
        ]
    }
}
