import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Testing

extension Screens {
    /// The channel list: J-54 to J-62.
    @MainActor @Suite struct ChannelListTests {
        /// Groups of Ann and Bob named `c01`, `c02` …, each with one message of Bob's; the last one is the newest.
        private func clubs(_ count: Int) async throws -> (ScreenServer, ChatClient, ChatClient) {
            let server = try await ScreenServer()
            let bob = try await server.connectedClient(Cast.bob)
            _ = try await server.connectedClient(Cast.ann, device: "0")
            for number in 1...count {
                let id = try name(number)
                _ = try await bob.createGroup(title: "Club \(number)", channel: id, members: [Cast.ann.userID])
                try await bob.channel(id).send("in \(id)")
            }
            return (server, try await server.connectedClient(Cast.ann), bob)
        }

        private func name(_ number: Int) throws -> ChannelID {
            try channelID(number < 10 ? "c0\(number)" : "c\(number)")
        }

        private func ids(_ numbers: [Int]) throws -> [ChannelID] { try numbers.map(name) }

        private func loaded(_ client: ChatClient) async throws -> ChannelListModel {
            let list = ChannelListModel(client: client)
            list.start()
            try await wait("the first page") { list.hasLoaded && !list.isLoading }
            return list
        }

        @Test
        func `the list has the user's own conversations, newest activity first, without hidden ones [J-54 XC-16]`()
            async throws
        {
            let (_, ann, bob) = try await clubs(3)
            try await bob.channel(Cast.lobby).send("an open channel is not in the list")
            _ = try await bob.createGroup(channel: Cast.club, members: [])
            let list = try await loaded(ann)
            #expect(list.rows.map(\.id) == (try ids([3, 2, 1])))
            #expect(!list.hasMore)
            try await bob.channel(try name(1)).send("newer")
            let first = try ids([1, 3, 2])
            try await wait("the new order") { list.rows.map(\.id) == first }
            // A read mark changes the row in place.
            try await ann.channel(try name(2)).markRead()
            try await wait("read in place") { list.rows.last?.unread == 0 }
            #expect(list.rows.map(\.id) == first)
            try await ann.channel(try name(3)).hide()
            let second = try ids([1, 2])
            try await wait("hidden") { list.rows.map(\.id) == second }
        }

        @Test func `a 1-on-1 shows the new name of the other user`() async throws {
            let server = try await ScreenServer()
            let (ann, bob) = (try await server.connectedClient(Cast.ann), try await server.connectedClient(Cast.bob))
            let list = try await loaded(ann)
            _ = try await bob.startMessaging(with: Cast.ann.userID)
            try await bob.channel(Cast.annAndBob).send("yo")
            try await wait("the row") { list.rows.first?.title == "Bob" }
            try await bob.setName("Robert")
            try await wait("the new name") { list.rows.first?.title == "Robert" }
            #expect(try await ann.store?.members(of: Cast.annAndBob).map(\.name) == ["Ann", "Robert"])
            #expect(await bob.user?.name == "Robert")
        }

        @Test func `a row has title, number of members, last message with its date, and unread [J-55]`() async throws {
            let server = try await ScreenServer()
            let (ann, bob) = (try await server.connectedClient(Cast.ann), try await server.connectedClient(Cast.bob))
            let list = try await loaded(ann)
            #expect(list.rows.isEmpty)
            _ = try await bob.startMessaging(with: Cast.ann.userID)
            try await bob.channel(Cast.annAndBob).send("yo")
            try await wait("the row") { list.rows.first?.unread == 1 && list.rows.first?.lastText == "yo" }
            let row = try #require(list.rows.first)
            #expect(row.title == "Bob" && row.memberCount == 2 && row.badge == "1" && row.kind == .single)
            let sentAt = try await ann.channel(Cast.annAndBob).history().events.first?.sentAt
            #expect(row.lastSentAt == sentAt && row.lastSentAt != nil)
            try await bob.channel(Cast.annAndBob).send(.voice(try await bob.uploadSample("note.ogg")))
            try await wait("a word for the type") { list.rows.first?.lastText == "Voice message" }
            try await bob.channel(Cast.annAndBob).send(
                "@Ann?", mentions: [Mention(userID: Cast.ann.userID, start: 0, length: 4)])
            try await wait("a mention") { list.rows.first?.mentions == 1 }
            try await ann.channel(Cast.annAndBob).mute()
            try await wait("muted") { list.rows.first?.isMuted == true }
            try await wait("no total") { list.totalUnread == 0 && list.badge == nil }
        }

        @Test func `a badge stops at 99`() {
            #expect([0, 1, 99, 100, 12_345].map(ChannelRow.badge) == [nil, "1", "99", "99+", "99+"])
        }

        @Test
        func `pages of 15: the last row drawn loads the next one, once, without duplicates [J-57 J-59 J-73 C-J11]`()
            async throws
        {
            let (_, ann, bob) = try await clubs(40)
            let list = try await loaded(ann)
            #expect(list.rows.map(\.id) == (try ids((26...40).reversed())))
            #expect(list.hasMore && list.connection == .live)
            list.shown(try name(30))
            #expect(!list.isLoading, "it is not the last row")
            // A row of a later page moves to the top before its page is loaded.
            try await bob.channel(try name(20)).send("newer")
            let top = try name(20)
            try await wait("the top") { list.rows.first?.id == top && list.rows.count == 16 }
            let (first, second) = (Task { await list.loadNext() }, Task { await list.loadNext() })
            let loads = [await first.value, await second.value]
            #expect(loads.filter { $0 }.count == 1, "one load at a time")
            #expect(Set(list.rows.map(\.id)).count == list.rows.count)
            #expect(list.rows.count == 31)
            let last = try #require(list.rows.last)
            list.shown(last.id)
            list.shown(last.id)
            try await wait("all") { list.rows.count == 40 && !list.isLoading }
            #expect(!list.hasMore)
            #expect(Set(list.rows.map(\.id)).count == 40)
            #expect(await list.loadNext() == false)
            #expect(!list.isLoading)
        }

        @Test
        func `a conversation with something new moves to the top, once; an unknown one is put there [J-58 JCB-17]`()
            async throws
        {
            let (_, ann, bob) = try await clubs(8)
            let list = try await loaded(ann)
            try await bob.channel(try name(2)).send("psst")
            let id = try name(2)
            try await wait("the top") { list.rows.first?.id == id && list.rows.first?.unread == 2 }
            #expect(list.rows.count == 8)
            #expect(list.rows.filter { $0.id == id }.count == 1)
            _ = try await bob.startMessaging(with: Cast.ann.userID)
            try await bob.channel(Cast.annAndBob).send("new here")
            try await wait("a new row") { list.rows.first?.id == Cast.annAndBob && list.rows.count == 9 }
        }

        @Test func `a conversation that begins while the first page is on its way is in the list [J-57 J-58]`()
            async throws
        {
            let gate = AnswerGate()
            let server = try await TestServer.start(clock: TestClock(), keeping: [:], gate: gate)
            defer { gate.release() }
            let (ann, bob) = (try await server.client(Cast.ann), try await server.client(Cast.bob))
            let list = try await loaded(bob)
            #expect(list.rows.isEmpty)
            gate.hold("totalUnread")
            let load = Task { await list.loadFirst() }
            await gate.untilHeld()
            _ = try await ann.startMessaging(with: Cast.bob.userID)
            try await ann.channel(Cast.annAndBob).send("hello")
            try await wait("the row") { list.rows.first?.lastText == "hello" && list.rows.first?.unread == 1 }
            gate.release()
            #expect(await load.value)
            #expect(list.rows.map(\.lastText) == ["hello"] && list.rows.first?.unread == 1)
            #expect(list.totalUnread == 1 && !list.hasMore)
        }

        @Test func `the total holds what came while a page was on its way, and what is unread behind it [J-79]`()
            async throws
        {
            let gate = AnswerGate()
            let server = try await TestServer.start(clock: TestClock(), keeping: [:], gate: gate)
            defer { gate.release() }
            let (ann, bob) = (try await server.client(Cast.ann), try await server.client(Cast.bob))
            for number in 1...2 {
                let id = try channelID("c\(number)")
                _ = try await ann.createGroup(channel: id, members: [Cast.bob.userID])
                try await ann.channel(id).send("hello")
            }
            // A device that knows neither of them.
            await bob.disconnect()
            let other = try await server.client(Cast.bob)
            let list = ChannelListModel(client: other, pageSize: 1)
            list.start()
            try await wait("the first page") { list.hasLoaded && !list.isLoading && list.totalUnread == 2 }
            #expect(list.rows.count == 1)
            gate.hold("totalUnread")
            let load = Task { await list.loadFirst() }
            await gate.untilHeld()
            // Both were created at the same time, so they are ordered by id.
            try await ann.channel(channelID("c1")).send("again")
            try await wait("the row") { list.rows.first?.unread == 2 && list.totalUnread == 3 }
            gate.release()
            #expect(await load.value)
            #expect(list.totalUnread == 3)
            list.stop()
            await server.stop()
        }

        @Test func `a page that failed leaves the list, and a later try works [J-60]`() async throws {
            let (_, ann, _) = try await clubs(20)
            let list = try await loaded(ann)
            await ann.disconnect()
            #expect(await list.loadNext() == false)
            #expect(!list.isLoading && list.rows.count == 15 && list.hasMore)
            #expect(list.problem != nil)
            try await ann.connect()
            try await wait("live again") { list.connection == .live && !list.isLoading && list.problem == nil }
            #expect(await list.loadNext())
            #expect(list.rows.count == 20)
        }

        @Test func `choosing a row opens it; when it closes the list starts again [J-61 J-62]`() async throws {
            let (_, ann, bob) = try await clubs(2)
            let list = try await loaded(ann)
            list.choose(try channelID("nowhere"))
            #expect(list.opened == nil)
            list.choose(try name(1))
            #expect(list.opened == (try name(1)))
            let composer = ComposerModel(client: ann, channel: try name(1))
            composer.start()
            composer.edit("not sent yet")
            await composer.stop()
            try await bob.channel(try name(2)).send("meanwhile")
            list.conversationClosed()
            #expect(list.opened == nil)
            try await wait("the first page again") {
                list.rows.first?.unread == 2 && list.rows.last?.draft == "not sent yet"
            }
        }

        @Test func `the total of unread messages is over all conversations, loaded or not [J-79]`() async throws {
            let (_, ann, bob) = try await clubs(20)
            let list = try await loaded(ann)
            #expect(list.rows.count == 15)
            try await wait("the total") { list.totalUnread == 20 }
            try await bob.channel(try name(1)).send("one more, in a channel that is not here")
            try await wait("one more") { list.totalUnread == 21 }
            try await ann.channel(try name(20)).markRead()
            try await wait("one less") { list.totalUnread == 20 && list.badge == "20" }
            try await ann.markAllRead()
            try await wait("none") { list.totalUnread == 0 && list.badge == nil }
        }

        @Test
        func
            `what is ended or hidden leaves the list, and a hidden one comes back with its next message [JCB-10 JCB-11 JCB-12 JCB-13]`()
            async throws
        {
            let (server, ann, bob) = try await clubs(3)
            _ = try await bob.startMessaging(with: Cast.ann.userID)
            try await bob.channel(Cast.annAndBob).send("hello")
            let list = try await loaded(ann)
            let bobs = try await loaded(try await server.connectedClient(Cast.bob, device: "2"))
            #expect(list.rows.count == 4)
            try await ann.channel(Cast.annAndBob).end()
            try await wait("ended") { list.rows.count == 3 }
            #expect(bobs.rows.count == 4)
            try await ann.channel(try name(2)).hide()
            try await wait("hidden") { list.rows.count == 2 }
            try await bob.channel(try name(2)).send("back")
            let id = try name(2)
            try await wait("back at the top") { list.rows.first?.id == id && list.rows.count == 3 }
            try await ann.hideAll()
            try await wait("all hidden") { list.rows.isEmpty }
            #expect(try await ann.channel(id).get().role == .participant)
            try await bob.channel(id).send("and again")
            try await wait("back") { list.rows.map(\.id) == [id] }
            try await ann.endAll()
            try await wait("all ended") { list.rows.isEmpty }
        }

        @Test func `the list shows what is on the device without a server`() async throws {
            let server = try await ScreenServer()
            let store = try LocalStore.inMemory()
            weak var first: ChatClient?
            do {
                let (ann, bob) = (
                    try await server.connectedClient(Cast.ann, store: store), try await server.connectedClient(Cast.bob)
                )
                _ = try await bob.startMessaging(with: Cast.ann.userID)
                try await bob.channel(Cast.annAndBob).send("kept")
                let list = try await loaded(ann)
                try await wait("the row") { list.rows.first?.lastText == "kept" }
                await ann.disconnect()
                list.stop()
                first = ann
            }
            while first != nil { await Task.yield() }
            server.process.kill()
            let list = ChannelListModel(client: try await server.unconnectedClient(Cast.ann, store: store))
            list.start()
            try await wait("the row") { list.rows.first?.lastText == "kept" && list.rows.first?.title == "Bob" }
            try await wait("the total") { list.totalUnread == 1 }
        }
    }
}
