import RoostClient
import RoostTesting
import RoostWire
import Testing

/// The events that a client receives about its connection, its sends and its messages.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ClientEventsTests {
    @Test func `connected comes once per connection, and marking read then works [JCB-1]`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        _ = try await harness.guest(Cast.ann, device: "earlier")
        let sent = try await bob.start(with: Cast.ann).send("hi")
        let ann = try await harness.guest(Cast.ann)
        let connected = ann.events.compactMap { if case .connected(let user) = $0 { user } else { nil } }
        #expect(connected == [Cast.ann])
        #expect(try await ann.client.perform(SetReadMark(channel: Cast.annAndBob)).mark.seq == sent.seq)
        #expect(try await bob.channel(Cast.annAndBob).get().members.first?.readSeq == sent.seq)
    }

    @Test(.firstPassOnly) func `a failed command reports a stable code to its caller [JCB-2]`() async throws {
        let harness = try await ServerHarness()
        let ann = try await harness.guest(Cast.ann)
        do {
            _ = try await ann.channel(try channelID("nowhere:nowhere")).history()
            Issue.record("a channel that does not exist has no history")
        } catch let error as RoostError {
            #expect(error.code == .server(.channelNotFound))
            #expect(error.wire?.entry == .channelNotFound)
            #expect(error.wire?.name == "channelNotFound")
            #expect(!error.isRetryable)
        }
        let forged = try RecordingClient(harness.url, .token { "not.a.token" }, device: "x", positions: nil)
        do throws(RoostError) {
            try await forged.client.connect()
            Issue.record("a forged token logs nobody in")
        } catch {
            #expect(error.code == .refused)
            #expect(error.wire != nil)
        }
    }

    @Test func `a text reaches everybody, live or replayed, its sender included [JCB-4]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let cid = try await harness.guest(Cast.cid)
        _ = try await ann.client.createGroup(channel: Cast.club, members: [Cast.bob.userID, Cast.cid.userID])
        try await cid.event(.channelJoined)
        let positions = try #require(await cid.client.positions)
        await cid.client.disconnect()
        let sent = try await bob.channel(Cast.club).send("hi")
        let back = try await harness.guest(Cast.cid, positions: positions)
        for (person, isPast) in [(ann, false), (bob, false), (back, true)] {
            let row = try await person.message("hi", in: Cast.club)
            #expect(row.messageID == sent.messageID)
            #expect(row.senderID == Cast.bob.userID)
            #expect(person.events.filter { $0.text == "hi" }.map(\.isPast) == [isPast])
        }
    }

    @Test func `only the people mentioned get the mention event [JCB-18]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let cid = try await harness.guest(Cast.cid)
        _ = try await ann.client.createGroup(channel: Cast.club, members: [Cast.bob.userID, Cast.cid.userID])
        let mention = Mention(userID: Cast.ann.userID, start: 0, length: 4)
        try await bob.channel(Cast.club).send("@Ann look", mentions: [mention])
        let told = try await ann.wait("mention") { if case .mentioned = $0 { true } else { false } }
        guard case .mentioned(let channel, let row) = told else { throw ExpectationFailure.other }
        #expect(channel == Cast.club)
        #expect(row.senderID == Cast.bob.userID)
        guard case .channel(.messageSent(let message)) = row.body else { throw ExpectationFailure.other }
        #expect(message.mentions == [mention])

        try await ann.channel(Cast.club).send("seen")
        for person in [bob, cid] {
            try await person.message("seen")
            #expect(!person.events.contains { if case .mentioned = $0 { true } else { false } })
        }
        let stranger = Mention(userID: Cast.dee.userID)
        let code = await refusal { () throws(RoostError) in
            try await bob.channel(Cast.club).send("@Dee", mentions: [stranger])
        }
        #expect(code == .server(.notAllMembers))
    }

    @Test func `after a backlog the client receives its kind and size [JCB-19]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let boss = try await harness.operatorRecordingClient()
        let channel = try await bob.start(with: Cast.ann)
        try await channel.send("seen")
        try await ann.message("seen")
        let positions = try #require(await ann.client.positions)
        await ann.client.disconnect()
        for number in 1...3 { try await channel.send("\(number)") }
        try await boss.channel(Cast.annAndBob).announce("news")

        let back = try await harness.guest(Cast.ann, positions: positions)
        var order: [String] = []
        for event in back.events {
            switch event {
            case .event(let event, isPast: true): order.append(event.text ?? event.name)
            case .backlogDelivered(let kind, let count): order.append("\(kind.rawValue) \(count)")
            case .connected: order.append("connected")
            default: break
            }
        }
        #expect(order.prefix(4) == ["1", "2", "3", "news"])
        #expect(Set(order.dropFirst(4).dropLast()) == ["messages 3", "announcements 1"])
        #expect(order.count == 7)
        #expect(order.last == "connected")
    }

    @Test func `each send ends in a result with the client's id of the message [JCB-20]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let channel = try await ann.start(with: Cast.bob)
        let good = channel.enqueue("x")
        let bad = channel.enqueue("@Dee", mentions: [Mention(userID: Cast.dee.userID)])
        let last = channel.enqueue("y")
        for (pending, text) in [(good, "x"), (last, "y")] {
            let acknowledgement = try await pending.sent
            #expect(acknowledgement.transID == pending.transID)
            let told = try await ann.wait("sent \(text)") {
                if case .sent(let sent) = $0 { sent.transID == pending.transID } else { false }
            }
            guard case .sent(let sent) = told else { throw ExpectationFailure.other }
            #expect(sent == acknowledgement)
            #expect(try await bob.message(text).transID == pending.transID)
        }
        #expect(await refusal { () throws(RoostError) in try await bad.sent } == .server(.notAllMembers))
        let failed = try #require(try await ann.wait("failed send") { $0.failed != nil }.failed)
        #expect(failed.transID == bad.transID)
        #expect(failed.text == "@Dee")
        #expect(failed.channel == Cast.annAndBob)
        #expect(failed.error.code == .server(.notAllMembers))
        #expect(bob.texts(in: Cast.annAndBob) == ["x", "y"])
    }

    /// The type numbers of the events that a client has received since `mark`, in order.
    private func types(_ person: RecordingClient, since mark: Int) -> [Int] {
        person.events.dropFirst(mark).compactMap { $0.row?.body.messageType?.number }
    }

    @Test func `notices, calls, custom messages, news and changes of members come as the general event [LCB-3]`()
        async throws
    {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let dee = try await harness.guest(Cast.dee)
        _ = try await harness.guest(Cast.cid)
        let editor = try await harness.operatorRecordingClient()
        _ = try await ann.client.createGroup(channel: Cast.club, members: [Cast.bob.userID])
        try await bob.event(.channelJoined)
        let club = ann.channel(Cast.club)
        let mark = bob.mark

        let notices: [MessageNotice] = [.screenshotTaken, .messageCopied, .messagesForwarded, .messageSaved]
        for notice in notices { try await club.send(.notice(notice)) }
        for call in CallMessage.allCases { try await club.send(.call(call, CallNotice(callID: "c-1", kind: .voice))) }
        try await club.send(.custom(.stored, text: "own"))
        try await club.send(.custom(.live, text: "relayed"))
        try await club.send(.customQuiet(text: "quiet"))
        try await club.send(.customUncounted(text: "uncounted"))
        try await club.setProfile(ChannelProfile(background: "b", canJoin: true))
        try await club.setPreference(nickname: "Annie")
        try await dee.channel(Cast.club).becomeMember()
        let invited = [Cast.cid, try makeUser("op")].map { NewMember($0.userID, role: .invited) }
        try await club.invite(invited)
        try await club.kick(invited.map(\.userID))
        try await club.ban([Cast.dee.userID])
        try await club.send("the end")
        try await bob.message("the end", in: Cast.club)
        let expected = [
            221, 222, 223, 224, 2001, 2002, 2003, 3000, 3000, 3001, 3002, 1015, 1013, 1005, 1004, 1018, 1007, 1,
        ]
        // The number of connected members and read marks are sent in between, at their own times.
        #expect(types(bob, since: mark).filter { ![1101, 1106].contains($0) } == expected)

        let offers = try channelID("offers")
        try await editor.client.createNews(title: "Offers", channel: offers)
        try await bob.channel(offers).subscribe()
        try await editor.channel(offers).publish("two for one")
        let piece = try await bob.wait("a piece of news") { $0.row?.text == "two for one" }
        #expect(piece.row?.body.messageType?.number == 1202)
        let home = try channelID("harness")
        try await editor.client.createNews(title: "The harness", channel: home, isForEverybody: true)
        try await bob.wait("the news of the harness") { $0.row?.body.channelOfNews == home }
        try await editor.channel(home).publish("at nine")
        let notice = try await bob.wait("a piece of news of the harness") { $0.row?.text == "at nine" }
        #expect(notice.row?.body.messageType?.number == 1204)
    }
}

extension EventBody {
    /// The news channel to which the user was subscribed.
    fileprivate var channelOfNews: ChannelID? {
        if case .user(.channelJoined(let joined)) = self, joined.kind.isNews { joined.channel } else { nil }
    }
}
