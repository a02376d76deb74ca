import RoostClient
import RoostTesting
import RoostWire
import Testing

/// The life of a connection as an app sees it.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ConnectionTests {
    private func state(_ person: RecordingClient) async -> ConnectionState { await person.client.state }

    private func isConnected(_ event: ClientEvent) -> Bool {
        if case .connected = event { true } else { false }
    }

    @Test(.firstPassOnly)
    func `connecting comes first: commands before it fail in a typed way, and work after it [L-15 L-17 LCB-1]`()
        async throws
    {
        let harness = try await ServerHarness()
        let ann = try harness.disconnectedClient(Cast.ann)
        #expect(await state(ann) == .offline)
        #expect(await code { try await ann.client.channels() } == .notConnected)
        #expect(await code { try await ann.channel(Cast.lobby).send("too early") } == .notConnected)
        #expect(await code { try await ann.channel(Cast.lobby).typing(true) } == .notConnected)
        try await ann.connect()
        #expect(await state(ann) == .live)
        #expect(ann.events.count { isConnected($0) } == 1)
        try await ann.channel(Cast.lobby).join()
        try await ann.channel(Cast.lobby).send("now")
        try await ann.message("now")
        #expect(await ann.client.user == Cast.ann)
    }

    @Test(.firstPassOnly) func `a connection that cannot be made ends in an error with the reason [L-15]`() async throws
    {
        let harness = try await ServerHarness(isRecorded: false)
        let ann = try harness.disconnectedClient(Cast.ann)
        harness.kill()
        #expect(await code { try await ann.client.connect() } == .unreachable)
        #expect(await state(ann) == .offline)
    }

    @Test(.firstPassOnly) func `an intentional disconnect is reported without an error [L-16 L-17]`() async throws {
        let harness = try await ServerHarness()
        let ann = try await harness.guest(Cast.ann)
        let mark = ann.mark
        await ann.client.disconnect()
        let end = try await ann.wait("the end", since: mark) { if case .disconnected = $0 { true } else { false } }
        guard case .disconnected(nil) = end else { throw ExpectationFailure.other }
        #expect(await state(ann) == .offline)
        #expect(await code { try await ann.client.channels() } == .notConnected)
    }

    @Test func `a lost connection is reported with an error, reconnects, and delivers missed events once [L-19 LCB-2]`()
        async throws
    {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let chat = try await bob.start(with: Cast.ann)
        try await chat.send("before")
        try await ann.message("before")
        let (mark, bobs) = (ann.mark, bob.mark)
        harness.kill()
        let end = try await ann.wait("the loss", since: mark) { if case .disconnected = $0 { true } else { false } }
        guard case .disconnected(let error?) = end else { throw ExpectationFailure.other }
        #expect(error.isRetryable)
        try await harness.start()
        try await bob.wait("connected again", since: bobs) { isConnected($0) }
        try await chat.send("meanwhile")
        try await ann.wait("connected again", since: mark) { isConnected($0) }
        try await chat.send("after")
        try await ann.message("after")
        #expect(ann.texts(in: chat.id) == ["before", "meanwhile", "after"])
        await ann.client.disconnect()
        try await ann.wait("the own end", since: mark) { if case .disconnected(nil) = $0 { true } else { false } }
    }

    @Test func `a listener added before connecting misses nothing [L-18]`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        let first = try await harness.guest(Cast.ann)
        let chat = try await bob.start(with: Cast.ann)
        try await chat.send("one")
        try await first.message("one")
        let positions = await first.client.positions
        await first.client.disconnect()
        for text in ["two", "three"] { try await chat.send(text) }
        // The event sequence is created before the client connects.
        let ann = try harness.disconnectedClient(Cast.ann, positions: positions)
        try await ann.connect()
        #expect(ann.texts(in: chat.id) == ["two", "three"])
        #expect(await ann.client.user?.userID == Cast.ann.userID)
    }

    @Test func `with a known position newer events arrive, without one only future events [C-J6]`()
        async throws
    {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        let first = try await harness.guest(Cast.ann)
        let chat = try await bob.start(with: Cast.ann)
        try await chat.send("known")
        try await first.message("known")
        let positions = try #require(await first.client.positions)
        await first.client.disconnect()
        try await chat.send("missed")
        let fresh = try await harness.guest(Cast.ann, device: "fresh")
        let back = try await harness.guest(Cast.ann, positions: positions)
        try await chat.send("live")
        for person in [fresh, back] { try await person.message("live") }
        #expect(fresh.texts(in: chat.id) == ["live"])
        #expect(back.texts(in: chat.id) == ["missed", "live"])
    }

    @Test(.firstPassOnly)
    func `a device receives its own messages unless it opts out [C-L29]`() async throws {
        let harness = try await ServerHarness()
        let ann = try await harness.guest(Cast.ann)
        let other = try await harness.guest(Cast.ann, device: "other")
        let bob = try await harness.guest(Cast.bob)
        let rows = ann.client.events(ignoringOwn: true)
        let chat = try await ann.start(with: Cast.bob)
        try await chat.send("own")
        try await other.channel(chat.id).send("own, from elsewhere")
        try await bob.channel(chat.id).send("theirs")
        var texts: [String] = []
        for await case .event(let event, _) in rows {
            guard case .channel(.messageSent(let message)) = event.body else { continue }
            texts.append(message.text)
            if message.text == "theirs" { break }
        }
        #expect(texts == ["own, from elsewhere", "theirs"])
        try await ann.message("theirs")
        #expect(ann.texts(in: chat.id) == ["own", "own, from elsewhere", "theirs"])
    }

    @Test(.firstPassOnly) func `connecting again has no effect [C-J16]`() async throws {
        let harness = try await ServerHarness()
        let ann = try await harness.guest(Cast.ann)
        for _ in 0..<3 { try await ann.client.connect() }
        #expect(ann.events.count { isConnected($0) } == 1)
        #expect(await state(ann) == .live)
    }

    @Test(.firstPassOnly)
    func `the store of another user is refused with 6000 until it is cleaned [L-5 L-8 LE-6000]`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        let file = harness.folder.path + "/store.sqlite"
        func client(_ user: User, _ store: LocalStore) throws -> ChatClient {
            var configuration = ClientConfiguration(
                server: harness.url, credentials: .guest(user.userID, name: user.name),
                deviceID: try #require(DeviceID(rawValue: "phone-\(user.userID)")))
            configuration.store = store
            return ChatClient(configuration: configuration)
        }
        do {
            let store = try await LocalStore.open(file)
            let ann = try client(Cast.ann, store)
            try await ann.connect()
            let chat = ann.channel(try await ann.startMessaging(with: Cast.bob.userID).channel)
            try await chat.send("only for Bob")
            try await bob.message("only for Bob")
            _ = try await chat.history()
            await ann.disconnect()
            try store.close()
        }
        let store = try await LocalStore.open(file)
        #expect(try await store.owner == Cast.ann.userID)
        let cid = try client(Cast.cid, store)
        #expect(await code { try await cid.connect() } == .server(6000))
        #expect(await cid.state == .offline)
        #expect(try await store.members(of: Cast.annAndBob).isEmpty == false)
        try await cid.clean()
        #expect(try await store.owner == nil)
        #expect(try await store.members(of: Cast.annAndBob).isEmpty)
        try await cid.connect()
        #expect(try await store.owner == Cast.cid.userID)
        #expect(try await store.channels(limit: 10).isEmpty)
        await cid.disconnect()
    }
}
