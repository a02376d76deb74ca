import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Testing

/// Sends and receives the messages of a text chat over a channel: all the code that an app needs.
@MainActor private final class ChannelTransport: TextChatDelegate {
    let client: ChatClient
    let chat: TextChatModel
    var isOpen = true
    private var task: Task<Void, Never>?

    init(_ client: ChatClient, _ user: User, clock: ManualClock) {
        self.client = client
        chat = TextChatModel(clock: clock.clock)
        chat.setSender(id: user.userID.rawValue, alias: user.name)
        chat.delegate = self
        chat.start()
        let events = client.events()
        task = Task { [weak self] in
            for await case .event(let event, _) in events where event.senderID != user.userID {
                guard case .channel(.messageSent(let message)) = event.body else { continue }
                self?.chat.addMessage(
                    senderID: event.senderID?.rawValue, senderAlias: message.senderName, text: message.text)
            }
        }
    }

    deinit { task?.cancel() }

    func textChat(_ chat: TextChatModel, isReadyToSend message: ChatMessage) -> Bool {
        guard isOpen else { return false }
        _ = client.channel(Cast.lobby).enqueue(message.text)
        return true
    }
}

extension Screens {
    /// The reference documents from start to end on models, against a real server.
    @MainActor @Suite struct StoryTests {
        @Test func `two text chats talk to each other over an open channel [O-3 SC-004]`() async throws {
            let server = try await ScreenServer()
            let clock = ManualClock()
            let (me, you) = (try makeUser("1234", "Me"), try makeUser("5678", "Bob"))
            let (ann, bob) = (try await server.connectedClient(me), try await server.connectedClient(you))
            for client in [ann, bob] { try await client.channel(Cast.lobby).join() }
            let (one, two) = (ChannelTransport(ann, me, clock: clock), ChannelTransport(bob, you, clock: clock))

            // Sent without addMessage, received with the name that the transport brought; nothing for an empty field.
            await one.chat.send()
            one.chat.edit("Hi")
            await one.chat.send()
            try await wait("Hi") { two.chat.rows.count == 1 }
            #expect(one.chat.rows.map(\.isSent) == [true] && two.chat.rows.map(\.isSent) == [false])
            #expect(two.chat.rows.first?.message.senderAlias == "Me")

            // The limit.
            let long = String(repeating: "x", count: 1_000)
            #expect(one.chat.edit(long) && !one.chat.edit(long + "x"))
            #expect(one.chat.remaining == 0 && one.chat.isCounterRed)
            one.chat.setMaxLength(1_050)
            #expect(one.chat.remaining == 50 && !one.chat.isCounterRed)
            one.chat.edit(String(repeating: "x", count: 1_040))
            #expect(one.chat.isCounterRed)

            // Own and foreign ids, with and without times.
            one.chat.addMessage(
                senderID: "1234", senderAlias: "Me", text: "own", sentAt: .init(milliseconds: 36_300_000))
            one.chat.addMessage(senderID: "9", senderAlias: "Cid", text: "other")
            #expect(one.chat.rows.suffix(2).map(\.isSent) == [true, false])
            #expect(one.chat.rows.suffix(2).map(\.message.sentAt.milliseconds) == [36_300_000, clock.now])

            // A refusal.
            one.isOpen = false
            let rows = one.chat.rows.count
            await one.chat.send()
            #expect(one.chat.text.count == 1_040 && one.chat.errorText != nil && one.chat.rows.count == rows)
            while clock.sleepers == 0 { await Task.yield() }
            clock.advance(by: 4_500)
            try await wait("the error goes") { one.chat.errorText == nil }
            one.isOpen = true
            one.chat.edit("")

            // Grouping at 0, 60 and 200 s.
            clock.advance(by: 1_000_000)
            for pause in [0, 60_000, 140_000] as [Int64] {
                clock.advance(by: pause)
                one.chat.edit("after \(pause)")
                await one.chat.send()
            }
            #expect(one.chat.rows.suffix(3).map(\.isGrouped) == [false, true, false])

            // Scrolled up, a banner; a tap on it goes down.
            try await wait("all are there") { two.chat.rows.count == 4 }
            two.chat.setAtBottom(false)
            let scrolls = two.chat.scrolls
            one.chat.setMaxLength(9_000)
            #expect(one.chat.maxLength == 8_000)
            let longest = String(repeating: "ß", count: 8_000)
            one.chat.edit(longest)
            await one.chat.send()
            try await wait("the banner") { two.chat.newMessages == 1 }
            #expect(two.chat.scrolls == scrolls)
            #expect(two.chat.rows.last?.message.text == longest)
            two.chat.goToNewest()
            #expect(two.chat.newMessages == 0 && two.chat.isAtBottom && two.chat.scrolls == scrolls + 1)
        }

        @Test func `one merged page: pages, slow sends, failure and retry, a second device, a restart [SC-003]`()
            async throws
        {
            let server = try await ScreenServer()
            let bob = try await server.connectedClient(Cast.bob)
            let phone = try await server.connectedClient(Cast.ann, device: "2")
            let cid = try await server.connectedClient(Cast.cid)
            _ = try await bob.startMessaging(with: Cast.ann.userID)
            try await bob.fill(Cast.annAndBob, 1...50)
            let ann = try await server.connectedClient(Cast.ann)
            var configuration = ConversationModel.Configuration()
            configuration.pageSize = 20
            let model = ConversationModel(client: ann, channel: Cast.annAndBob, configuration: configuration)
            model.start()
            try await wait("20") { model.texts == (31...50).map { "m\($0)" } }
            #expect(await model.loadPrevious())
            #expect(model.texts == (11...50).map { "m\($0)" })
            #expect(await model.loadPrevious())
            #expect(model.texts == (1...50).map { "m\($0)" })

            await ann.disconnect()
            for text in ["a1", "a2"] { _ = ann.channel(Cast.annAndBob).enqueue(text) }
            try await model.waitFor("a2")
            #expect(model.texts.suffix(2) == ["a1", "a2"])
            let ids = model.items.suffix(2).map(\.id)
            #expect(model.items.suffix(2).allSatisfy { $0.state == .sending && $0.messageID == nil })
            try await bob.channel(Cast.annAndBob).send("b1")
            try await ann.connect()
            try await wait("sent") { model.item("a2")?.seq != nil }
            #expect(model.texts.suffix(3) == ["b1", "a1", "a2"])
            #expect(model.items.suffix(2).map(\.id) == ids)
            #expect(model.items.suffix(2).allSatisfy { $0.state == .sent && $0.messageID != nil })
            #expect(model.texts.count == 53)

            try await bob.block(Cast.ann.userID)
            let refused = ann.channel(Cast.annAndBob).enqueue("a3")
            try await wait("failed") { if case .failed = model.item("a3")?.state { true } else { false } }
            let failed = try #require(model.item("a3"))
            try await bob.unblock(Cast.ann.userID)
            await model.retry(refused.transID)
            try await wait("sent") { model.item("a3")?.seq != nil }
            #expect(model.item("a3")?.id == failed.id)

            let snapshot = model.items
            _ = try await cid.startMessaging(with: Cast.ann.userID)
            let annAndCid = ChannelID(single: Cast.ann.userID, Cast.cid.userID)
            try await cid.channel(annAndCid).send("from Cid")
            let other = ConversationModel(client: ann, channel: annAndCid)
            other.start()
            try await other.waitFor("from Cid")
            #expect(model.items == snapshot)
            try await phone.channel(Cast.annAndBob).send("from my phone")
            #expect(try await model.waitFor("from my phone").isOwn)

            // The same again: the page overlaps the loaded rows.
            let whole = model.items
            model.stop()
            model.start()
            try await bob.channel(Cast.annAndBob).send("last")
            try await model.waitFor("last")
            #expect(Array(model.items.dropLast()) == whole)
            #expect(Set(model.items.map(\.id)).count == model.items.count)
            #expect(snapshot.last?.text == "a3")

            let again = ConversationModel(
                client: try await server.connectedClient(Cast.ann, device: "3"), channel: Cast.annAndBob)
            again.start()
            try await again.waitFor("last")
            while await again.loadPrevious() {}
            try await wait("the same marks") { again.items == model.items }
        }

        @Test func `from an open channel to a living 1-on-1 [SC-000]`() async throws {
            let server = try await ScreenServer()
            let clock = ManualClock()
            let op = try await server.unconnectedClient(try makeUser("op", "Op"), isOperator: true)
            try await op.connect()
            let (ann, bob, cid) = (
                try await server.connectedClient(Cast.ann), try await server.connectedClient(Cast.bob),
                try await server.connectedClient(Cast.cid)
            )

            // 1: the lobby with 60 old messages.
            try await bob.fill(Cast.lobby, 1...60)
            let lobbies = [ann, bob, cid].map { OpenChannelModel(client: $0, channel: Cast.lobby, clock: clock.clock) }
            for lobby in lobbies {
                lobby.start()
                try await wait("50") { lobby.conversation.texts == (11...60).map { "m\($0)" } }
                #expect(lobby.conversation.scroll?.position == .bottom)
            }
            let lobby = lobbies[0]

            // 2: taps.
            try await ann.channel(Cast.lobby).send("mine")
            try await op.channel(Cast.lobby).announce("hear, hear")
            try await bob.channel(Cast.lobby).send("hello")
            let hello = try await lobby.conversation.waitFor("hello")
            for text in ["mine", "hear, hear"] {
                lobby.choose(try #require(lobby.conversation.item(text)).id)
                #expect(lobby.sheet == nil)
            }
            lobby.choose(hello.id)
            #expect(lobby.sheet?.action == "Start messaging with Bob")
            lobby.cancelSheet()
            #expect(lobby.opened == nil)
            lobby.choose(hello.id)
            await lobby.startMessaging()
            let opened = try #require(lobby.opened)
            #expect(Set(opened.members.map(\.userID)) == [Cast.ann.userID, Cast.bob.userID])
            #expect(try await ann.startMessaging(with: Cast.bob.userID).channel == opened.channel)

            // 3: the 1-on-1 with 120 messages, and one more while it opens.
            try await bob.fill(opened.channel, 1...120)
            let model = ConversationModel(client: ann, channel: opened.channel, clock: clock.clock)
            model.start()
            try await bob.fill(opened.channel, 121...121)
            try await model.waitFor("m121")
            let shown = model.texts.compactMap { Int($0.dropFirst()) }
            #expect(shown == Array((shown.first ?? 0)...121))
            try await wait("the title") { model.title == "Bob" }
            try await wait("it is read") { model.channel?.readSeq == 121 }
            while try await ann.channel(opened.channel).get().readSeq != 121 { await Task.yield() }

            // 4: previous pages, and an error.
            await ann.disconnect()
            #expect(await lobby.conversation.loadPrevious() == false)
            #expect(!lobby.conversation.isLoadingPrevious && lobby.conversation.problem != nil)
            try await ann.connect()
            let top = try #require(model.items.first { $0.isContent })
            #expect(await model.loadPrevious())
            #expect(model.scroll?.item == top.id && model.scroll?.position == .top)
            while await model.loadPrevious() {}
            #expect(model.texts == (1...121).map { "m\($0)" })
            #expect(await model.loadPrevious() == false)

            // 5: a third user creates a group; typing.
            let group = try await bob.channel(opened.channel).invite([Cast.cid.userID])
            let club = ConversationModel(client: ann, channel: group, clock: clock.clock)
            let field = ComposerModel(client: ann, channel: group, conversation: club)
            club.start()
            field.start()
            try await wait("the group") { club.hasLoaded && club.title == "Group(3)" }
            try await bob.channel(group).typing(true)
            try await wait("Bob") { club.typingLine == "Bob" && club.typingCount == 1 }
            clock.advance(by: 5_000)
            try await cid.channel(group).typing(true)
            try await wait("both") { club.typingLine == "Bob, Cid" && club.typingCount == 2 }
            clock.advance(by: 5_000)
            try await wait("Bob is forgotten") { club.typingLine == "Cid" }

            // 6: sending and scrolling.
            field.edit("")
            #expect(field.send() == nil)
            field.edit("yo")
            try await bob.waitForEvent {
                _ = try await field.send()?.sent
            } until: { event in
                // The message itself ends typing, too, if it comes first.
                guard case .event(let event, _) = event else { return false }
                if case .ephemeral(.typingEnded) = event.body { return true }
                if case .channel(.messageSent(let message)) = event.body { return message.text == "yo" }
                return false
            }
            #expect(field.text.isEmpty)
            try await wait("sent") { club.item("yo")?.seq != nil }
            club.setAtBottom(false)
            let locked = club.scroll
            try await bob.channel(group).send("Bob's")
            try await wait("the banner") { club.newMessages == 1 }
            #expect(club.scroll == locked)
            field.edit("and on")
            field.send()
            #expect(club.isAtBottom && club.scroll != locked)

            // 7: read marks.
            let seq = try #require(club.item("yo")?.seq)
            try await bob.channel(group).markRead(upTo: seq)
            try await wait("Cid has not") { club.item("yo")?.unreadBy == 1 }
            try await cid.channel(group).markRead(upTo: seq)
            try await wait("all have") { club.item("yo")?.unreadBy == 0 }
            try await bob.channel(group).markRead(upTo: seq - 1)
            try await wait("sent") { club.item("and on")?.unreadBy == 2 }
            #expect(club.item("yo")?.unreadBy == 0)

            // 9: a refused send, whose text is restored.
            try await bob.block(Cast.ann.userID)
            let single = ComposerModel(client: ann, channel: opened.channel, conversation: model)
            single.start()
            single.edit("refused")
            let refused = try #require(single.send())
            try await wait("failed") { if case .failed = model.item("refused")?.state { true } else { false } }
            await single.takeBack(refused.transID)
            #expect(single.text == "refused")
            try await bob.unblock(Cast.ann.userID)
            await single.stop()

            // 8: the list of 40 channels.
            for number in 3...40 {
                let id = try channelID("c\(number)")
                _ = try await bob.createGroup(title: "Club \(number)", channel: id, members: [Cast.ann.userID])
            }
            let store = try #require(ann.store)
            while try await store.channels(limit: .max).count < 40 { await Task.yield() }
            lobby.conversationClosed()
            #expect(lobby.returns == 1)
            let list = ChannelListModel(client: ann)
            list.start()
            try await wait("15") { list.hasLoaded && list.rows.count == 15 && list.rows.first?.title == "Club 40" }
            for count in [30, 40] {
                list.shown(try #require(list.rows.last).id)
                try await wait("\(count)") { list.rows.count == count && !list.isLoading }
            }
            #expect(!list.hasMore)
            let oldest = try #require(list.rows.last)
            #expect(oldest.id == opened.channel && oldest.memberCount == 2 && oldest.title == "Bob")
            model.stop()
            try await bob.channel(oldest.id).send("are you there?")
            try await wait("on top") {
                list.rows.first?.id == oldest.id && list.rows.first?.unread == 1
                    && list.rows.first?.lastText == "are you there?"
            }
            #expect(list.rows.count == 40)
            list.choose(oldest.id)
            #expect(list.opened == oldest.id)
        }
    }
}
