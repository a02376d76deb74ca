import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Logging in, choosing a channel, and reconnecting: J-1 to J-9 and J-20.
@Suite(.serialized, .timeLimit(.minutes(1))) struct SessionsTests {
    @Test func `a message names its sender, and the sender's id is enough to start a 1-on-1 [J-1]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        try await ann.channel(Cast.lobby).join()
        try await bob.channel(Cast.lobby).join()
        try await bob.channel(Cast.lobby).send("hello")

        let sender = try #require(try await ann.message("hello", in: Cast.lobby).senderID)
        #expect(sender == Cast.bob.userID)
        let channel = try await ann.client.startMessaging(with: sender)
        #expect(channel.kind == .single)
        #expect(channel.members.map(\.userID) == [Cast.ann.userID, Cast.bob.userID])
        try await ann.channel(channel.channel).send("just for you")
        #expect(try await bob.message("just for you").channel == channel.channel)
    }

    @Test func `a guest logs in with id, name and picture in dev mode only, and messages show them [J-2]`()
        async throws
    {
        let harness = try await ServerHarness()
        let user = User(userID: Cast.ann.userID, name: "Ann", imageURL: "https://example.org/ann.png")
        let ann = try await harness.guest(user)
        let bob = try await harness.guest(Cast.bob)
        #expect(await ann.client.user == user)
        try await bob.channel(Cast.lobby).join()
        try await ann.channel(Cast.lobby).send("look")
        guard case .channel(.messageSent(let message)) = try await bob.message("look").body else {
            throw ExpectationFailure.other
        }
        #expect(message.senderName == "Ann")
        #expect(message.senderImageURL == user.imageURL)

        let nameless = try RecordingClient(harness.url, .guest(Cast.cid.userID), device: "cid", positions: nil)
        try await nameless.connect()
        #expect(await nameless.client.user?.name == "cid")

        let strict = try await ServerHarness(isDevelopment: false)
        let refused = try strict.disconnectedClient(Cast.ann)
        do {
            try await refused.client.connect()
            Issue.record("a server without --dev let a guest in")
        } catch {
            #expect(error.wire?.entry == .wrongCredentials)
        }
        let empty = try RecordingClient(strict.url, .token { "" }, device: "ann", positions: nil)
        #expect(await refusal { () throws(RoostError) in try await empty.client.connect() } == .refused)
    }

    @Test(.firstPassOnly)
    func `without a chosen id the client makes one for the device and keeps it [J-3]`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        try await bob.channel(Cast.lobby).join()
        for (text, profile) in [("one", "first"), ("two", "first"), ("three", "second")] {
            let sent = try await Child.roost(
                ["send", "--channel", "lobby", text], server: harness.url, profile: profile, in: harness.folder
            ).result()
            try #require(sent.status == 0, "\(sent.errors)")
        }
        let first = try #require(try await bob.message("one").senderID)
        let again = try #require(try await bob.message("two").senderID)
        let other = try #require(try await bob.message("three").senderID)
        #expect(first == again)
        #expect(first != other)
    }

    @Test func `without a joined channel, only notifications about the user's channels arrive [J-4]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        try await bob.channel(Cast.lobby).send("not for Ann")
        try await bob.start(with: Cast.ann)
        try await bob.channel(Cast.annAndBob).send("for Ann")

        try await ann.wait("update of the 1-on-1") { $0.updated == Cast.annAndBob }
        #expect(try await ann.client.unread().total == 1)
        try await bob.channel(Cast.annAndBob).send("second")
        try await ann.message("second")
        #expect(ann.texts(in: Cast.lobby).isEmpty)
        #expect(!ann.events.contains { $0.updated == Cast.lobby })
    }

    @Test func `connecting live delivers no missed messages [J-5]`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        _ = try await harness.guest(Cast.ann, device: "earlier")
        try await bob.start(with: Cast.ann)
        for number in 1...3 { try await bob.channel(Cast.annAndBob).send("missed \(number)") }

        let ann = try await harness.guest(Cast.ann, device: "new")
        try await bob.channel(Cast.annAndBob).send("live")
        try await ann.message("live")
        #expect(ann.texts(in: Cast.annAndBob) == ["live"])
        #expect(!ann.events.contains { if case .backlogDelivered = $0 { true } else { false } })
        #expect(await ann.client.state == .live)
    }

    @Test func `connecting from a position delivers newer messages, each once [J-6]`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        let before = try await harness.guest(Cast.ann)
        try await bob.start(with: Cast.ann)
        try await bob.channel(Cast.annAndBob).send("seen")
        try await before.message("seen")
        let positions = try #require(await before.client.positions)
        await before.client.disconnect()
        for number in 1...3 { try await bob.channel(Cast.annAndBob).send("missed \(number)") }

        let ann = try await harness.guest(Cast.ann, positions: positions)
        try await bob.channel(Cast.annAndBob).send("live")
        try await ann.message("live")
        #expect(ann.texts(in: Cast.annAndBob) == ["missed 1", "missed 2", "missed 3", "live"])
        #expect(ann.events.filter { $0.text != nil }.map(\.isPast) == [true, true, true, false])
    }

    @Test(.firstPassOnly) func `the client knows its user id and the joined channels [J-7]`() async throws {
        let harness = try await ServerHarness()
        let ann = try harness.disconnectedClient(Cast.ann)
        #expect(await ann.client.user == nil)
        try await ann.connect()
        #expect(await ann.client.user?.userID == Cast.ann.userID)
        #expect(await ann.client.openChannels.isEmpty)
        #expect(try await ann.channel(Cast.lobby).join().channel == Cast.lobby)
        #expect(await ann.client.openChannels == [Cast.lobby])
        try await ann.channel(Cast.lobby).leave()
        #expect(await ann.client.openChannels.isEmpty)
    }

    @Test func `anybody joins an open channel, posts and sees posts live; the first page has 50 [J-8]`()
        async throws
    {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let sends = (1...60).map { bob.channel(Cast.lobby).enqueue("old \($0)") }
        for send in sends { _ = try await send.sent }

        let joined = try await ann.channel(Cast.lobby).join()
        #expect(joined.kind == .open)
        let page = try await ann.channel(Cast.lobby).history()
        #expect(page.events.compactMap(\.text) == (11...60).map { "old \($0)" })
        #expect(page.hasBefore)
        #expect(!page.hasAfter)
        try await bob.channel(Cast.lobby).join()
        try await ann.channel(Cast.lobby).send("new")
        let shown = try await bob.message("new")
        #expect(shown.senderID == Cast.ann.userID)
        #expect(try await ann.client.openChannels(keyword: "LOB").map(\.channel) == [Cast.lobby])
        #expect(try await ann.client.openChannels(keyword: "nothing").isEmpty)
    }

    @Test func `an open channel continues live after its page, and returning repeats nothing [J-9]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let sends = (1...60).map { bob.channel(Cast.lobby).enqueue("\($0)") }
        for send in sends { _ = try await send.sent }
        try await ann.channel(Cast.lobby).join()
        let page = try await ann.channel(Cast.lobby).history()
        var shown = page.events.compactMap(\.seq)
        #expect(shown.count == 50)

        // Elsewhere, in a 1-on-1, without participating; meanwhile a message is sent.
        try await ann.channel(Cast.lobby).leave()
        try await bob.channel(Cast.lobby).send("61")
        try await ann.channel(Cast.lobby).join()
        let events = ann.channel(Cast.lobby).events(after: shown.last)
        try await bob.channel(Cast.lobby).send("62")
        for try await event in events {
            guard let seq = event.row?.seq else { continue }
            shown.append(seq)
            if seq == 62 { break }
        }
        #expect(shown == Array(11...62))
    }

    @Test func `nothing sent between the page and going live is lost or duplicated [J-20]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        try await bob.start(with: Cast.ann)
        let channel = bob.channel(Cast.annAndBob)
        for number in 1...20 { try await channel.send("\(number)") }

        let sending = Task { for number in 21...80 { try await channel.send("\(number)") } }
        let page = try await ann.channel(Cast.annAndBob).history(limit: 10)
        var shown = page.events.compactMap(\.text)
        let first = try #require(page.events.first?.seq)
        try await bob.channel(Cast.annAndBob).send("between")
        for try await event in ann.channel(Cast.annAndBob).events(after: page.events.last?.seq) {
            if let text = event.text { shown.append(text) }
            if Int64(shown.count) == 81 - first + 1 { break }
        }
        try await sending.value
        #expect(shown.filter { $0 == "between" }.count == 1)
        #expect(shown.filter { $0 != "between" } == (first...80).map { "\($0)" })
    }
}
