import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Testing

extension Screens {
    /// The screen of a conversation: J-17 to J-33, Z-1 to Z-3 and Z-10 to Z-18.
    @MainActor @Suite struct ConversationTests {
        /// Ann and Bob with `m1` … in their 1-on-1, written by Bob before Ann connects.
        private func pair(_ count: Int) async throws -> (ScreenServer, ChatClient, ChatClient) {
            let server = try await ScreenServer()
            let bob = try await server.connectedClient(Cast.bob)
            _ = try await server.connectedClient(Cast.ann, device: "0")
            _ = try await bob.startMessaging(with: Cast.ann.userID)
            if count > 0 { try await bob.fill(Cast.annAndBob, 1...count) }
            return (server, try await server.connectedClient(Cast.ann), bob)
        }

        private func conversation(_ client: ChatClient, clock: ManualClock = ManualClock()) -> ConversationModel {
            ConversationModel(client: client, channel: Cast.annAndBob, clock: clock.clock)
        }

        @Test func `a new conversation is empty, not loading, at its end, and knows no cursors [J-17 Z-3]`()
            async throws
        {
            let client = try await ScreenServer().unconnectedClient(Cast.ann)
            let model = conversation(client)
            #expect(model.id == Cast.annAndBob)
            #expect(model.items.isEmpty)
            #expect(!model.isLoadingPrevious && !model.isLoadingNext && !model.hasLoaded)
            #expect(model.isAtBottom && model.newMessages == 0)
            #expect(model.scroll == nil)
            #expect(!model.hasPrevious)
            #expect(await model.loadPrevious() == false)
            #expect(await model.loadNext() == false)
            let other = ConversationModel(client: client, channel: Cast.club)
            #expect(other.id != model.id && other.items.isEmpty)
        }

        @Test func `a reaction shows on its message, on all devices, and goes where it is chosen again`() async throws {
            let (server, ann, bob) = try await pair(2)
            let model = conversation(ann)
            model.start()
            let message = try await model.waitFor("m1")
            let other = conversation(try await server.connectedClient(Cast.ann, device: "2"))
            other.start()
            _ = try await other.waitFor("m2")
            let count = model.items.count

            await model.toggleReaction("👍", on: message.id)
            let mine = [Reaction(emoji: "👍", count: 1, isMine: true)]
            for screen in [model, other] {
                try await wait("the reaction") { screen.item("m1")?.reactions == mine }
            }
            #expect(model.items.count == count && model.item("m2")?.reactions == [])
            #expect(model.splices.map(\.inserted) == [1] && model.problem == nil && model.newMessages == 0)
            let id = try #require(message.messageID)
            try await bob.channel(Cast.annAndBob).react(with: "👍", to: id)
            try await wait("both") { model.item("m1")?.reactions.first?.count == 2 }
            await model.toggleReaction("👍", on: message.id)
            let his = [Reaction(emoji: "👍", count: 1, isMine: false)]
            for screen in [model, other] {
                try await wait("only his") { screen.item("m1")?.reactions == his }
            }
            // A user who opens the screen later sees the same.
            let late = conversation(try await server.connectedClient(Cast.ann, device: "3"))
            late.start()
            try await wait("the first page") { late.item("m1")?.reactions == his }
            await model.toggleReaction("no emoji", on: message.id)
            #expect(model.problem?.code == .server(.dataFormat))
            await model.toggleReaction("👍", on: .gap(7))
            try await bob.channel(Cast.annAndBob).recall([id])
            try await wait("the shell") { model.items.contains { if case .recalled = $0.kind { true } else { false } } }
            #expect(model.items.allSatisfy { $0.reactions.isEmpty })
            for screen in [model, other, late] { screen.stop() }
        }

        @Test func `opening loads the newest 50, scrolls to the end, is live and marks as read [J-19 JCB-1 L-79 Z-1]`()
            async throws
        {
            let (_, ann, bob) = try await pair(120)
            let model = conversation(ann)
            try await bob.waitForEvent {
                model.start()
            } until: { event in
                guard case .event(let event, _) = event, case .ephemeral(.readMarkMoved(let moved)) = event.body else {
                    return false
                }
                return moved.marks.contains { $0.userID == Cast.ann.userID && $0.seq == 120 }
            }
            try await wait("the first page") { model.hasLoaded }
            #expect(model.texts == (71...120).map { "m\($0)" })
            #expect(model.scroll?.item == nil && model.scroll?.position == .bottom)
            #expect(model.connection == .live)
            #expect(try await ann.unread().total == 0)
            // And on each message that arrives.
            try await bob.waitForEvent {
                try await bob.channel(Cast.annAndBob).send("m121")
            } until: { event in
                guard case .event(let event, _) = event, case .ephemeral(.readMarkMoved(let moved)) = event.body else {
                    return false
                }
                return moved.marks.contains { $0.userID == Cast.ann.userID && $0.seq == 121 }
            }
        }

        @Test func `the opening state has a title and shows no sign of loading and nobody typing [J-18]`() async throws
        {
            let (_, ann, _) = try await pair(3)
            let model = conversation(ann)
            model.start()
            try await wait("the title") { model.title == "Bob" }
            try await wait("the first page") { model.hasLoaded }
            #expect(!model.isLoadingPrevious && !model.isLoadingNext)
            #expect(model.typingLine == nil && model.typingCount == 0)
        }

        @Test func `what is sent while the history is loaded is neither lost nor doubled [J-20 C-J18]`() async throws {
            let (_, ann, bob) = try await pair(60)
            let model = conversation(ann)
            model.start()
            try await bob.fill(Cast.annAndBob, 61...160)
            // Whichever page arrives first, there is no gap in the end.
            try await wait("all of them") {
                let numbers = model.texts.compactMap { Int($0.dropFirst()) }
                return numbers.last == 160 && numbers == Array((numbers.first ?? 0)...160)
            }
        }

        @Test(
            "previous pages go in front as a block, one at a time, and the top row stays [J-23 J-24 J-27 J-28 J-29 C-Z6 Z-11 Z-12]"
        )
        func previousPages() async throws {
            let (_, ann, _) = try await pair(120)
            let clock = ManualClock()
            var configuration = ConversationModel.Configuration()
            configuration.pagePauseMs = 1_000
            let model = ConversationModel(
                client: ann, channel: Cast.annAndBob, configuration: configuration, clock: clock.clock)
            model.start()
            try await wait("the first page") { model.hasLoaded && model.items.count > 50 }
            let top = try #require(model.items.first { $0.isContent })
            #expect(top.text == "m71")

            model.shown(top.id)
            try await wait("the sign") { model.isLoadingPrevious }
            #expect(await model.loadPrevious() == false, "one load at a time")
            while clock.sleepers == 0 { await Task.yield() }
            #expect(model.texts.first == "m71")
            clock.advance(by: 1_000)
            try await wait("the page") { !model.isLoadingPrevious }
            #expect(model.texts == (21...120).map { "m\($0)" })
            #expect(model.scroll?.item == top.id && model.scroll?.position == .top)
            #expect(model.splices.map { $0.inserted - $0.removed } == [50])

            async let loaded = model.loadPrevious()
            while clock.sleepers == 0 { await Task.yield() }
            clock.advance(by: 1_000)
            #expect(await loaded)
            #expect(model.texts == (1...120).map { "m\($0)" })
            #expect(!model.hasPrevious)
            let revision = model.revision
            #expect(await model.loadPrevious() == false)
            #expect(!model.isLoadingPrevious && model.revision == revision)
        }

        @Test func `a previous page that fails ends the loading sign and shows an error, and a later try works [J-30]`()
            async throws
        {
            let (_, ann, _) = try await pair(80)
            let model = conversation(ann)
            model.start()
            try await wait("the first page") { model.hasLoaded }
            await ann.disconnect()
            #expect(await model.loadPrevious() == false)
            #expect(!model.isLoadingPrevious)
            #expect(model.problem?.code == .notConnected)
            #expect(model.texts.count == 50)
            model.dismissProblem()
            #expect(model.problem == nil)
            try await ann.connect()
            #expect(await model.loadPrevious())
            #expect(model.texts.count == 80)
        }

        @Test
        func `the list follows at its end; scrolled up a banner counts, and an own send goes back [J-32 J-33 XC-18]`()
            async throws
        {
            let (_, ann, bob) = try await pair(3)
            let model = conversation(ann)
            model.start()
            try await wait("the first page") { model.hasLoaded }
            let before = try #require(model.scroll?.number)
            try await bob.channel(Cast.annAndBob).send("new")
            try await model.waitFor("new")
            try await wait("the list follows") { (model.scroll?.number ?? 0) > before && model.scroll?.item == nil }
            #expect(model.newMessages == 0)
            try await wait("it is read") { model.channel?.readSeq == 4 }

            model.setAtBottom(false)
            let locked = model.scroll
            try await bob.channel(Cast.annAndBob).send("later")
            try await wait("the banner") { model.newMessages == 1 }
            try await bob.channel(Cast.annAndBob).send("even later")
            try await wait("the banner") { model.newMessages == 2 }
            #expect(model.scroll == locked, "the position does not move")
            #expect(try await ann.unread().total == 2, "what nobody has seen is not read")

            _ = ann.channel(Cast.annAndBob).enqueue("mine")
            try await wait("the end") { model.isAtBottom && model.newMessages == 0 && model.scroll != locked }
            try await wait("it is read") { (model.channel?.readSeq ?? 0) >= 6 }
            model.setAtBottom(false)
            try await bob.channel(Cast.annAndBob).send("and on")
            try await wait("the banner") { model.newMessages == 1 }
            let last = try #require(model.items.last)
            model.shown(last.id)
            #expect(model.isAtBottom && model.newMessages == 0)
        }

        @Test func `an open channel marks nothing as read [J-32]`() async throws {
            let server = try await ScreenServer()
            let (ann, bob) = (try await server.connectedClient(Cast.ann), try await server.connectedClient(Cast.bob))
            let lobby = OpenChannelModel(client: ann, channel: Cast.lobby)
            lobby.start()
            try await wait("joined") { lobby.isJoined }
            try await bob.channel(Cast.lobby).send("hello")
            let item = try await lobby.conversation.waitFor("hello")
            #expect(item.unreadBy == 0)
            #expect(lobby.conversation.problem == nil)
            #expect(try await ann.channel(Cast.lobby).get().readSeq == nil)
        }

        @Test func `a hidden conversation is read only when it is seen`() async throws {
            let (_, ann, bob) = try await pair(1)
            let model = conversation(ann)
            model.setVisible(false)
            model.start()
            try await wait("the first page") { model.hasLoaded }
            try await bob.channel(Cast.annAndBob).send("psst")
            try await model.waitFor("psst")
            #expect(try await ann.unread().total == 2)
            model.setVisible(true)
            try await wait("it is read") { model.channel?.unread == 0 }
        }

        @Test
        func
            `own sends show at once, fail visibly, and become the same item when they are sent [Z-2 Z-15 Z-16 Z-18 XC-10 JCB-20]`()
            async throws
        {
            let (_, ann, bob) = try await pair(2)
            let model = conversation(ann)
            model.start()
            try await wait("the first page") { model.hasLoaded }
            await ann.disconnect()
            _ = ann.channel(Cast.annAndBob).enqueue("a1")
            _ = ann.channel(Cast.annAndBob).enqueue("a2")
            let pending = try await model.waitFor("a2")
            #expect(pending.state == .sending && pending.isOwn && pending.seq == nil)
            #expect(model.texts == ["m1", "m2", "a1", "a2"])
            try await bob.channel(Cast.annAndBob).send("b1")
            try await ann.connect()
            try await wait("a2 is sent") { model.item("a2")?.state == .sent && model.item("a2")?.seq != nil }
            #expect(model.texts == ["m1", "m2", "b1", "a1", "a2"])
            #expect(model.item("a2")?.id == pending.id)
            #expect(model.item("a2")?.messageID != nil)

            try await bob.block(Cast.ann.userID)
            let refused = ann.channel(Cast.annAndBob).enqueue("a3")
            try await wait("a3 has failed") {
                if case .failed(let error) = model.item("a3")?.state { error.code == .server(.blocked) } else { false }
            }
            let failed = try #require(model.item("a3"))
            try await bob.unblock(Cast.ann.userID)
            await model.retry(refused.transID)
            try await wait("a3 is sent") { model.item("a3")?.state == .sent && model.item("a3")?.seq != nil }
            #expect(model.item("a3")?.id == failed.id)
            #expect(model.texts == ["m1", "m2", "b1", "a1", "a2", "a3"])
        }

        @Test func `other conversations do not change the page, own messages of other devices do [Z-13 C-Z4]`()
            async throws
        {
            let (server, ann, bob) = try await pair(1)
            let cid = try await server.connectedClient(Cast.cid)
            let model = conversation(ann)
            model.start()
            try await wait("the first page") { model.hasLoaded }
            let revision = model.revision
            _ = try await cid.startMessaging(with: Cast.ann.userID)
            try await cid.channel(ChannelID(single: Cast.ann.userID, Cast.cid.userID)).send("of Cid")
            let phone = try await server.connectedClient(Cast.ann, device: "2")
            _ = bob
            try await phone.channel(Cast.annAndBob).send("from my phone")
            let item = try await model.waitFor("from my phone")
            #expect(item.isOwn)
            #expect(model.item("of Cid") == nil)
            #expect(model.revision == revision + 1)
        }

        @Test func `asking for the history of an unknown conversation is answered with an error code [Z-10]`()
            async throws
        {
            let ann = try await ScreenServer().connectedClient(Cast.ann)
            let model = ConversationModel(client: ann, channel: Cast.club)
            model.start()
            try await wait("the error") { model.problem != nil }
            #expect(model.problem?.code == .server(.channelNotFound))
            #expect(model.items.isEmpty)
        }

        @Test func `a jump loads what is around a message, next pages are newer and ascend, gaps close [J-26]`()
            async throws
        {
            let (_, ann, bob) = try await pair(300)
            let model = conversation(ann)
            model.start()
            try await wait("the first page") { model.hasLoaded }
            #expect(await model.jump(to: 100))
            #expect(model.scroll?.position == .center)
            #expect(!model.isAtBottom)
            let around = model.texts.compactMap { Int($0.dropFirst()) }.filter { $0 < 200 }
            #expect(around.contains(100) && around.count == 50)
            let end = try #require(around.last)
            #expect(await model.loadNext())
            let next = model.texts.compactMap { Int($0.dropFirst()) }.filter { $0 < 251 }
            #expect(next == Array((around.first ?? 0)...(end + 50)))
            let gap = try #require(model.items.first { if case .gap = $0.kind { true } else { false } })
            model.shown(gap.id)
            try await wait("the gap") { model.texts.contains("m\(end + 51)") && !model.isLoadingNext }
            while await model.loadNext() {}
            #expect(!model.items.contains { if case .gap = $0.kind { true } else { false } })
            let all = model.texts.compactMap { Int($0.dropFirst()) }
            #expect(all == Array((around.first ?? 0)...300))
            try await bob.channel(Cast.annAndBob).send("m301")
            try await wait("the banner") { model.newMessages == 1 }
            model.goToNewest()
            #expect(model.isAtBottom && model.newMessages == 0 && model.scroll?.item == nil)
        }

        @Test func `what is on the device shows without a server, in a new run too`() async throws {
            let server = try await ScreenServer()
            let store = try LocalStore.inMemory()
            weak var first: ChatClient?
            do {
                let bob = try await server.connectedClient(Cast.bob)
                let ann = try await server.connectedClient(Cast.ann, store: store)
                first = ann
                _ = try await bob.startMessaging(with: Cast.ann.userID)
                try await bob.fill(Cast.annAndBob, 1...5)
                let model = conversation(ann)
                model.start()
                try await model.waitFor("m5")
                try await wait("the title") { model.title == "Bob" }
                await ann.disconnect()
                model.stop()
            }
            while first != nil { await Task.yield() }
            server.process.kill()
            let again = try await server.unconnectedClient(Cast.ann, store: store)
            let model = conversation(again)
            model.start()
            try await wait("the page") { model.texts == (1...5).map { "m\($0)" } }
            #expect(model.title == "Bob")
            #expect(model.connection == .offline)
        }

        @Test func `a model that is dropped ends what it has begun`() async throws {
            let (_, ann, _) = try await pair(1)
            weak var dropped: ConversationModel?
            do {
                let model = conversation(ann)
                model.start()
                try await wait("the first page") { model.hasLoaded }
                dropped = model
            }
            while dropped != nil { await Task.yield() }
            #expect(dropped == nil)
        }
    }
}
