import RoostClient
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// A client with a store on disk, and all changes that its store has reported.
private final class StoringClient: Sendable {
    let client: ChatClient
    let store: LocalStore
    private let recorded = Mutex<[LocalChange]>([])
    private let (news, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let reader = Mutex<Task<Void, Never>?>(nil)

    init(_ url: String, _ user: User, file: String, device: String = "phone") async throws {
        store = try await LocalStore.open(file)
        let deviceID = try #require(DeviceID(rawValue: device))
        var configuration = ClientConfiguration(
            server: url, credentials: .guest(user.userID, name: user.name), deviceID: deviceID)
        configuration.store = store
        configuration.keepsTryingToConnect = true
        client = ChatClient(configuration: configuration)
        let changes = client.changes()
        reader.withLock {
            $0 = Task { [weak self] in
                for await change in changes { self?.record(change) }
            }
        }
    }

    private func record(_ change: LocalChange) {
        recorded.withLock { $0.append(change) }
        signal.yield()
    }

    var changes: [LocalChange] { recorded.withLock { $0 } }

    /// Waits until the recorded changes fit; checks again after every commit.
    func wait(_ what: String, until fits: ([LocalChange]) async throws -> Bool) async throws {
        if try await fits(changes) { return }
        for await _ in news where try await fits(changes) { return }
        throw ExpectationFailure(description: "never: \(what)")
    }

    /// For the store, this is the end of the process.
    func end() async throws {
        await client.disconnect()
        reader.withLock { $0 }?.cancel()
        try store.close()
    }

    /// The texts of the newest messages of a channel, as they are in the store.
    func texts(in id: ChannelID, limit: Int = 100) async throws -> [String] {
        try await client.channel(id).history(limit: limit).events.compactMap(\.text)
    }
}

/// The store of a client on disk, with a real server.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(2))) struct StoreTests {
    @Test func `missed events are in the store before the app is informed, and the next start shows them offline`()
        async throws
    {
        let harness = try await ServerHarness()
        let file = harness.folder.path + "/ann.sqlite"
        let bob = try await harness.guest(Cast.bob)
        // A user is known after the first login.
        await (try await harness.guest(Cast.ann)).client.disconnect()
        let chat = try await bob.start(with: Cast.ann)
        for number in 1...120 { try await chat.send("\(number)") }

        var ann = try await StoringClient(harness.url, Cast.ann, file: file)
        try await ann.client.connect()
        _ = try await ann.client.channels()
        let first = try await ann.client.channel(chat.id).history()
        #expect(first.events.compactMap(\.text) == (71...120).map { "\($0)" })
        #expect(first.hasBefore)
        let second = try await ann.client.channel(chat.id).history(before: first.events.first?.seq)
        #expect(second.events.compactMap(\.text) == (21...70).map { "\($0)" })
        try await ann.end()

        for number in 121...180 { try await chat.send("\(number)") }
        ann = try await StoringClient(harness.url, Cast.ann, file: file)
        // Not connected yet: this is the content of the store.
        #expect(try await ann.texts(in: chat.id, limit: 100) == (21...120).map { "\($0)" })
        #expect(try await ann.store.channels(limit: 15).map(\.unread) == [120])
        try await ann.client.connect()
        #expect(try await ann.texts(in: chat.id, limit: 100) == (81...180).map { "\($0)" })
        #expect(try await ann.store.channels(limit: 15).map(\.unread) == [180])
        try await ann.wait("the rows") {
            $0.compactMap { $0.rows[chat.id] }.flatMap(\.appended).last?.text == "180"
        }
        let rows = ann.changes.compactMap { $0.rows[chat.id] }.flatMap(\.appended).compactMap(\.text)
        #expect(rows == (121...180).map { "\($0)" })
        // Live from here on: one commit reports the row and the channel together.
        try await chat.send("live")
        try await ann.wait("live row") { $0.last?.rows[chat.id]?.appended.last?.text == "live" }
        #expect(ann.changes.last?.channels == [chat.id])
        #expect(try await ann.store.channels(limit: 15).first?.lastMessage?.text == "live")

        // Offline again, only from the store, page by page to the very first row.
        try await ann.end()
        ann = try await StoringClient("http://127.0.0.1:1", Cast.ann, file: file)
        var texts: [String] = []
        var page = try await ann.client.channel(chat.id).history()
        texts = page.events.compactMap(\.text)
        while let seq = page.events.first?.seq, seq > 21 {
            page = try await ann.client.channel(chat.id).history(before: seq)
            texts = page.events.compactMap(\.text) + texts
        }
        #expect(texts == (21...180).map { "\($0)" } + ["live"])
        #expect(page.hasBefore)
        #expect(await code { try await ann.client.channel(chat.id).history(before: 21) } == .notConnected)
        try await ann.end()
    }

    @Test func `messages written offline outlive the process and are sent once and in order`() async throws {
        let harness = try await ServerHarness()
        let file = harness.folder.path + "/ann.sqlite"
        let bob = try await harness.guest(Cast.bob)
        var ann = try await StoringClient(harness.url, Cast.ann, file: file)
        try await ann.client.connect()
        let chat = ann.client.channel(try await ann.client.startMessaging(with: Cast.bob.userID).channel)
        try await chat.send("before")
        harness.kill()
        for number in 1...20 { _ = chat.enqueue("offline \(number)") }
        try await ann.wait("the queue") { $0.last { $0.queue[chat.id] != nil }?.queue[chat.id]?.count == 20 }
        try await ann.end()

        ann = try await StoringClient(harness.url, Cast.ann, file: file)
        let queue = try await ann.store.queue(in: chat.id)
        #expect(queue.map(\.message.text) == (1...20).map { "offline \($0)" })
        #expect(queue.allSatisfy { $0.state == .sending })
        // More messages are written before it is connected; they come after the waiting ones.
        _ = ann.client.channel(chat.id).enqueue("offline 21")
        try await harness.start()
        try await ann.client.connect()
        try await ann.wait("an empty queue") { _ in try await ann.store.queue(in: chat.id).isEmpty }
        let texts = try await bob.channel(chat.id).history(limit: 100).events.compactMap(\.text)
        #expect(texts == ["before"] + (1...21).map { "offline \($0)" })
        #expect(try await ann.texts(in: chat.id) == texts)
        // A pending message becomes its row in one commit, so it is always shown exactly once.
        var shown: Set<String> = []
        var waiting: Set<String> = Set((1...20).map { "offline \($0)" })
        for change in ann.changes {
            for row in change.rows[chat.id]?.appended ?? [] { if let text = row.text { shown.insert(text) } }
            if let queue = change.queue[chat.id] { waiting = Set(queue.map(\.message.text)) }
            #expect(shown.isDisjoint(with: waiting))
            #expect(shown.union(waiting).isSuperset(of: (1...20).map { "offline \($0)" }))
        }
        try await ann.end()
    }

    @Test func `a channel that a message brought back stays in the list when that message is deleted`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        let ann = try await StoringClient(harness.url, Cast.ann, file: harness.folder.path + "/ann.sqlite")
        try await ann.client.connect()
        let id = try await ann.client.startMessaging(with: Cast.bob.userID).channel
        for round in 0..<2 {
            try await ann.client.channel(id).hide()
            try await ann.wait("an empty list") { _ in try await ann.store.channels(limit: 15).isEmpty }
            let sent = try await bob.channel(id).send("round \(round)")
            try await ann.wait("the message") { _ in
                try await ann.store.channels(limit: 15).first?.lastMessage?.text == "round \(round)"
            }
            if round == 0 {
                try await ann.client.channel(id).delete([sent.messageID])
            } else {
                try await ann.client.channel(id).deleteAll()
            }
            try await ann.wait("no message") { _ in try await ann.texts(in: id).isEmpty }
            #expect(try await ann.store.channels(limit: 15).map(\.channel) == [id])
            #expect(try await ann.client.channels().map(\.channel) == [id])
        }
        try await ann.end()
    }

    @Test func `a refused message stays until it is retried, changed or discarded`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        let ann = try await StoringClient(harness.url, Cast.ann, file: harness.folder.path + "/ann.sqlite")
        try await ann.client.connect()
        let chat = ann.client.channel(try await ann.client.startMessaging(with: Cast.bob.userID).channel)
        try await bob.client.block(Cast.ann.userID)
        let pending = ["one", "two", "three"].map { chat.enqueue($0) }
        for send in pending { #expect(await code { try await send.sent } == .server(.blocked)) }
        let failed = try await ann.store.queue(in: chat.id)
        #expect(failed.map(\.message.text) == ["one", "two", "three"])
        for message in failed {
            guard case .failed(let error) = message.state else { throw ExpectationFailure.other }
            #expect(error.code == .server(.blocked) && !error.isRetryable)
        }
        try await bob.client.unblock(Cast.ann.userID)
        try await ann.client.discard(pending[0].transID)
        try await ann.client.retry(pending[1].transID)
        try await ann.client.retry(pending[2].transID, with: SendMessage(channel: chat.id, text: "changed"))
        try await ann.wait("an empty queue") { _ in try await ann.store.queue(in: chat.id).isEmpty }
        let rows = try await bob.channel(chat.id).history(from: .server).events
        #expect(rows.compactMap(\.text) == ["two", "changed"])
        #expect(rows.map(\.transID) == [pending[1].transID, pending[2].transID])
        // A message that no longer exists cannot be retried; discarding it does nothing.
        #expect(await code { try await ann.client.retry(pending[1].transID) } == .tooLate)
        #expect(await code { try await ann.client.discard(pending[0].transID) } == nil)
        try await ann.end()
    }

    @Test func `history comes from the device where it has it, and from the server on request`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        let ann = try await StoringClient(harness.url, Cast.ann, file: harness.folder.path + "/ann.sqlite")
        try await ann.client.connect()
        let chat = try await bob.start(with: Cast.ann)
        for number in 1...4 { try await chat.send("\(number)") }
        _ = try await ann.client.channels()
        let mine = ann.client.channel(chat.id)
        #expect(try await mine.history().events.compactMap(\.text) == ["1", "2", "3", "4"])
        let second = try #require(try await mine.history(limit: 3, from: .server).events.first?.seq)
        await ann.client.disconnect()
        #expect(try await mine.history().events.compactMap(\.text) == ["1", "2", "3", "4"])
        #expect(try await mine.history(before: second, from: .device).events.compactMap(\.text) == ["1"])
        #expect(try await mine.history(after: second, from: .device).events.compactMap(\.text) == ["3", "4"])
        await #expect(throws: RoostError.self) { try await mine.history(from: .server) }
        await #expect(throws: RoostError.self) { try await mine.history(after: 0, from: .server) }
        // Without a store, nothing is kept on the device.
        let page = try await chat.history(from: .device)
        #expect(page == HistoryPage(events: [], hasBefore: true, hasAfter: true, from: 1, to: 0))
        #expect(try await chat.history(after: 0, from: .device).events.isEmpty)
        try await ann.end()
    }

    @Test func `reading offline takes effect at once and is sent to the server later`() async throws {
        let harness = try await ServerHarness()
        let file = harness.folder.path + "/ann.sqlite"
        let bob = try await harness.guest(Cast.bob)
        // A user is known after the first login.
        await (try await harness.guest(Cast.ann)).client.disconnect()
        let chat = try await bob.start(with: Cast.ann)
        for number in 1...10 { try await chat.send("\(number)") }
        var ann = try await StoringClient(harness.url, Cast.ann, file: file)
        try await ann.client.connect()
        _ = try await ann.client.channels()
        _ = try await ann.client.channel(chat.id).history()
        await ann.client.disconnect()
        try await ann.client.channel(chat.id).markRead(upTo: 7)
        try await ann.client.channel(chat.id).markRead(upTo: 4)
        #expect(try await ann.store.channels(limit: 1).map(\.unread) == [3])
        #expect(try await ann.store.channels(limit: 1).map(\.readSeq) == [7])
        try await ann.end()
        ann = try await StoringClient(harness.url, Cast.ann, file: file)
        #expect(try await ann.store.totalUnread() == 3)
        let mark = bob.mark
        try await ann.client.connect()
        let told = try await bob.event(.readMarkMoved, in: chat.id, since: mark)
        guard case .ephemeral(.readMarkMoved(let moved)) = told.body else { throw ExpectationFailure.other }
        #expect(moved.marks.map(\.seq) == [7])
        #expect(try await ann.client.unread().total == 3)
        try await ann.end()
    }

    @Test func `a read mark set by a cancelled task still reaches the server`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        let ann = try await StoringClient(harness.url, Cast.ann, file: harness.folder.path + "/ann.sqlite")
        try await ann.client.connect()
        let chat = try await bob.start(with: Cast.ann)
        try await chat.send("one")
        _ = try await ann.client.channels()
        let handle = ann.client.channel(chat.id)
        let seq = try #require(try await handle.history().events.last?.seq)
        let mark = bob.mark
        let reading = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await handle.markRead(upTo: seq)
        }
        await #expect(throws: RoostError.self) { try await reading.value }
        let told = try await bob.event(.readMarkMoved, in: chat.id, since: mark)
        guard case .ephemeral(.readMarkMoved(let moved)) = told.body else { throw ExpectationFailure.other }
        #expect(moved.marks.map(\.seq) == [seq])
        #expect(try await ann.store.totalUnread() == 0)
        try await ann.end()
    }

    @Test func `two devices of one user hold the same, whatever each of them did`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        let phone = try await StoringClient(
            harness.url, Cast.ann, file: harness.folder.path + "/1.sqlite", device: "a1")
        let tablet = try await StoringClient(
            harness.url, Cast.ann, file: harness.folder.path + "/2.sqlite", device: "a2")
        for device in [phone, tablet] { try await device.client.connect() }
        let group = try await bob.client.createGroup(title: "Club", members: [Cast.ann.userID])
        let club = bob.channel(group.channel)
        for number in 1...10 { try await club.send("\(number)") }
        let rows = try await club.history().events
        let ids = rows.compactMap(\.messageID)
        try await phone.client.channel(club.id).delete([ids[1], ids[2]])
        _ = try await tablet.client.channel(club.id).mute()
        try await tablet.client.channel(club.id).markRead(upTo: rows[4].seq ?? 0)
        try await phone.client.channel(club.id).send("from the phone")
        _ = try await club.recall([ids[9]], isSilent: true)
        try await club.send("last")
        for device in [phone, tablet] {
            try await device.wait("everything") { _ in
                let channel = try await device.store.channels(limit: 1).first
                return channel?.lastMessage?.text == "last" && channel?.preference?.isMuted == true
                    && channel?.unread == 5
            }
            let page = try await device.client.channel(club.id).history(limit: 100)
            #expect(page.events == (try await phone.client.channel(club.id).history(limit: 100).events))
            #expect(!page.events.contains { [ids[1], ids[2], ids[9]].contains($0.messageID) })
        }
        let one = try await phone.store.channels([club.id])[club.id]
        let other = try await tablet.store.channels([club.id])[club.id]
        #expect(one?.channel.unread == other?.channel.unread)
        #expect(one?.channel.lastMessage == other?.channel.lastMessage)
        #expect(one?.channel.readSeq == other?.channel.readSeq)
        // A removed member keeps none of its rows.
        try await club.kick([Cast.ann.userID])
        for device in [phone, tablet] {
            try await device.wait("the end") { _ in try await device.store.channels(limit: 1).isEmpty }
            #expect(try await device.store.members(of: club.id).isEmpty)
            #expect(await code { try await device.client.channel(club.id).history() } == .server(.notMember))
        }
        try await phone.end()
        try await tablet.end()
    }

    @Test func `a device that was away when its user cleared a channel has its new title and members`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        await (try await harness.guest(Cast.cid)).client.disconnect()
        let tablet = try await harness.guest(Cast.ann)
        let phone = try await StoringClient(harness.url, Cast.ann, file: harness.folder.path + "/1.sqlite")
        try await phone.client.connect()
        let group = try await bob.client.createGroup(
            title: "Old", members: [Cast.ann.userID, Cast.cid.userID])
        try await phone.wait("the group") { _ in
            try await phone.store.members(of: group.channel).count == 3
        }
        await phone.client.disconnect()
        let club = bob.channel(group.channel)
        _ = try await club.setTitle("New")
        try await club.kick([Cast.cid.userID])
        _ = try await tablet.client.perform(DeleteMessages(allIn: group.channel))
        try await phone.client.connect()
        try await phone.wait("what has changed") { _ in
            let channel = try await phone.store.channels([group.channel])[group.channel]?.channel
            let members = try await phone.store.members(of: group.channel).map(\.userID)
            return channel?.title == "New" && members.sorted() == [Cast.ann.userID, Cast.bob.userID]
        }
        try await phone.end()
    }

    @Test func `a conversation started by another user is in the list with its first message`() async throws {
        let harness = try await ServerHarness()
        let ann = try await StoringClient(harness.url, Cast.ann, file: harness.folder.path + "/ann.sqlite")
        try await ann.client.connect()
        let bob = try await harness.guest(Cast.bob)
        let chat = try await bob.start(with: Cast.ann)
        try await ann.wait("the channel") { _ in try await ann.store.channels([chat.id])[chat.id] != nil }
        #expect(try await ann.store.channels(limit: 1).isEmpty)
        for (number, text) in ["first", "second"].enumerated() {
            try await chat.send(text)
            try await ann.wait(text) { _ in
                let channel = try await ann.store.channels(limit: 1).first
                return channel?.lastMessage?.text == text && channel?.unread == number + 1
            }
        }
        #expect(try await ann.store.totalUnread() == 2)
        try await ann.end()
    }

    @Test func `an app in the background stays disconnected, and catches up when it returns`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        let ann = try await StoringClient(harness.url, Cast.ann, file: harness.folder.path + "/ann.sqlite")
        try await ann.client.connect()
        let chat = try await bob.start(with: Cast.ann)
        try await chat.send("one")
        try await ann.wait("one") { $0.contains { $0.rows[chat.id]?.appended.isEmpty == false } }
        ann.client.enterBackground()
        try await ann.wait("offline") { $0.last { $0.state != nil }?.state == .offline }
        try await chat.send("two")
        _ = ann.client.channel(chat.id).enqueue("three")
        try await ann.wait("the queue") { $0.last { $0.queue[chat.id] != nil }?.queue[chat.id]?.count == 1 }
        ann.client.enterForeground()
        try await ann.wait("an empty queue") { _ in try await ann.store.queue(in: chat.id).isEmpty }
        #expect(try await ann.texts(in: chat.id) == ["one", "two", "three"])
        try await ann.end()
    }
}
