import Foundation
import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Testing

extension Screens {
    /// Actions on messages on the screen: reacting, recalling, forwarding, scheduling.
    @MainActor @Suite struct ActionsTests {
        private let clock = TestClock()

        /// Ann's and Bob's screens of a channel, with their first page loaded.
        private func screens(_ clients: [ChatClient], of channel: ChannelID) async throws -> [ConversationModel] {
            var models: [ConversationModel] = []
            for client in clients {
                let model = ConversationModel(client: client, channel: channel)
                model.start()
                try await wait("the first page") {
                    model.hasLoaded && model.channel?.role != nil && model.viewer != nil
                }
                models.append(model)
            }
            return models
        }

        @Test func `a reaction is added and removed, and the item counts it for everybody`() async throws {
            let server = try await TestServer.start(clock: clock)
            let (ann, bob) = (try await server.client(Cast.ann), try await server.client(Cast.bob))
            _ = try await bob.startMessaging(with: Cast.ann.userID)
            try await bob.channel(Cast.annAndBob).send("Hi")
            let models = try await screens([ann, bob], of: Cast.annAndBob)
            let id = try await models[0].waitFor("Hi").id
            let bobs = try await models[1].waitFor("Hi").id
            await models[0].addReaction("❤️", to: id)
            await models[0].addReaction("❤", to: id)
            await models[1].toggleReaction("❤️", on: bobs)
            for model in models {
                try await wait("both") { model.item("Hi")?.reactions.map(\.count) == [2] }
                #expect(model.item("Hi")?.hasReaction("❤️") == true && model.item("Hi")?.hasReaction("👍") == false)
            }
            await models[0].removeReaction("❤️", from: id)
            await models[0].removeReaction("❤️", from: id)
            try await wait("Bob's alone") { models[1].item("Hi")?.reactions.map(\.count) == [1] }
            try await wait("not mine") { models[0].item("Hi")?.hasReaction("❤️") == false }
            await models[1].toggleReaction("❤️", on: bobs)
            try await wait("none") { models[0].item("Hi")?.reactions.isEmpty == true }
            #expect(models.allSatisfy { $0.problem == nil })
            await models[0].addReaction("no emoji", to: id)
            #expect(models[0].problem?.code == .server(.dataFormat))
            for model in models { model.stop() }
            await server.stop()
        }

        @Test func `pinned messages follow what happens to them, on every screen`() async throws {
            let server = try await TestServer.start(clock: clock)
            let (ann, bob) = (try await server.client(Cast.ann), try await server.client(Cast.bob))
            _ = try await ann.createGroup(channel: Cast.club, members: [Cast.bob.userID])
            for text in ["one", "two", "three"] { try await ann.channel(Cast.club).send(text) }
            let models = try await screens([ann, bob], of: Cast.club)
            for model in models {
                try await model.waitFor("three")
                #expect(model.mayPin && model.pins.isEmpty)
                #expect(await model.loadPins())
            }
            let (anns, bobs) = (models[0], models[1])
            let (one, two) = (try #require(anns.item("one")), try #require(bobs.item("two")))
            #expect(await anns.pin(one.id))
            #expect(await bobs.pin(two.id))
            for model in models {
                try await wait("both") { model.pins.map(\.item.text) == ["two", "one"] }
                #expect(model.pins.map(\.pin.name) == ["Bob", "Ann"])
                #expect(model.isPinned(try #require(one.messageID)))
            }
            #expect(bobs.items.last?.text == "Bob pinned a message")
            // What is pinned is pinned; a line is no message.
            let own = try #require(anns.item("two")).id
            #expect(await anns.pin(own))
            let line = try #require(bobs.items.last).id
            #expect(await !bobs.pin(line))
            #expect(await anns.recall([own]))
            for model in models { try await wait("one") { model.pins.map(\.item.text) == ["one"] } }
            _ = try await ann.channel(Cast.club).setProfile(ChannelProfile(pinners: .moderators))
            try await wait("the rule") { !bobs.mayPin }
            #expect(await !bobs.unpin(try #require(one.messageID)))
            #expect(bobs.problem?.code == .server(.noPrivilege) && anns.mayPin)
            #expect(await anns.unpin(try #require(one.messageID)))
            for model in models { try await wait("none") { model.pins.isEmpty } }
            #expect(anns.problem == nil)

            // Without a connection they are loaded once there is one.
            await bob.disconnect()
            try await wait("offline") { bobs.connection != .live }
            #expect(await !bobs.loadPins())
            #expect(await anns.pin(one.id))
            try await bob.connect()
            try await wait("again") { bobs.pins.map(\.item.text) == ["one"] }
            for model in models { model.stop() }
            await server.stop()
        }

        @Test func `pinned messages that the device does not have go with a recall, and all of them with the channel`()
            async throws
        {
            let server = try await TestServer.start(clock: clock)
            let (ann, bob) = (try await server.client(Cast.ann), try await server.client(Cast.bob))
            let cid = try await server.client(Cast.cid)
            _ = try await ann.createGroup(channel: Cast.club, members: [Cast.bob.userID])
            let talk = ann.channel(Cast.club)
            var ids: [MessageID] = []
            for number in 1...70 { ids.append(try await talk.send("\(number)").messageID) }
            for id in ids.prefix(12) { try await talk.pin(id) }
            try await talk.invite([Cast.cid.userID])
            let model = try await screens([cid], of: Cast.club)[0]
            #expect(await model.loadPins())
            #expect(model.pins.map(\.item.text) == (1...12).reversed().map(String.init))
            #expect(model.item("1") == nil)
            try await talk.recall([ids[0]])
            try await wait("one less") { model.pins.count == 11 && !model.isPinned(ids[0]) }
            try await cid.channel(Cast.club).delete([ids[1]])
            try await wait("two less") { model.pins.count == 10 && !model.isPinned(ids[1]) }
            try await bob.channel(Cast.club).unpin(ids[2])
            try await wait("three less") { model.pins.count == 9 }
            #expect(model.problem == nil)
            try await talk.kick([Cast.cid.userID])
            try await wait("none") { model.isClosed && model.pins.isEmpty }
            #expect(await !model.loadPins())
            model.stop()
            await server.stop()
        }

        @Test
        func
            `a message is recalled for everybody by its author or by who may, silently or with its shell [L-86 L-87 LCB-20]`()
            async throws
        {
            let server = try await TestServer.start(clock: clock)
            let (ann, bob) = (try await server.client(Cast.ann), try await server.client(Cast.bob))
            _ = try await ann.createGroup(channel: Cast.club, members: [Cast.bob.userID])
            let talk = ann.channel(Cast.club)
            for text in ["one", "two", "three"] { try await talk.send(text) }
            try await bob.channel(Cast.club).send("by Bob")
            let models = try await screens([ann, bob], of: Cast.club)
            let (anns, bobs) = (models[0], models[1])
            for model in models { try await model.waitFor("by Bob") }
            let ids = try ["one", "two", "three"].map { try #require(anns.item($0)).id }

            // Bob may recall his own messages; Ann, who made the group, all of them.
            let foreign = try #require(bobs.item("one")).id
            let (own, others) = (try #require(bobs.item("by Bob")).id, try #require(anns.item("by Bob")).id)
            #expect(!bobs.canRecall(foreign) && bobs.canRecall(own))
            #expect(anns.canRecall(ids[0]) && anns.canRecall(others))
            #expect(await bobs.recall([foreign]) == false)
            #expect(bobs.problem == nil, "what cannot be recalled is passed over")

            #expect(await anns.recall([ids[0]]))
            #expect(await anns.recall([ids[1]], isSilent: true))
            for model in models {
                try await wait("the shell") { model.item("one") == nil && model.item("two") == nil }
                let shells = model.items.compactMap { item -> Recall? in
                    if case .recalled(let recall) = item.kind { recall } else { nil }
                }
                #expect(shells.map(\.byName) == ["Ann"] && shells.map(\.isSilent) == [false])
                #expect(shells.allSatisfy { $0.$at == clock.now && $0.byUserID == Cast.ann.userID })
            }
            #expect(anns.items.contains { $0.text == "You recalled this message" })
            #expect(bobs.items.contains { $0.text == "Ann recalled this message" })
            #expect(!anns.canRecall(ids[0]))
            #expect(await anns.recall([ids[0]]) == false, "once is enough")
            #expect(await anns.recall([ids[2], others]))
            try await wait("all are gone") { bobs.texts.isEmpty }
            #expect(models.allSatisfy { $0.problem == nil })
            for model in models { model.stop() }
            await server.stop()
        }

        @Test func `messages are forwarded to several channels in their order, and failures are shown [L-69]`()
            async throws
        {
            let server = try await TestServer.start(clock: clock)
            let (ann, bob) = (try await server.client(Cast.ann), try await server.client(Cast.bob))
            _ = try await bob.startMessaging(with: Cast.ann.userID)
            _ = try await bob.createGroup(channel: Cast.club, members: [Cast.ann.userID])
            let talk = bob.channel(Cast.annAndBob)
            for text in ["one", "two"] { try await talk.send(text) }
            let picture = try await bob.uploadSample()
            try await talk.send(.image(picture))
            try await talk.createVote("vote", Vote(options: [.text("x"), .text("y")]))
            let model = try await screens([ann], of: Cast.annAndBob)[0]
            let club = try await screens([ann], of: Cast.club)[0]
            let vote = try await model.waitFor("vote").id
            let ids = try ["", "two", "one"].map { try #require(model.item($0)).id }
            #expect(!model.canForward(vote) && ids.allSatisfy(model.canForward))

            let results = await model.forward(ids + [vote], to: [Cast.club])
            #expect(results.map(\.code) == [0, 0, 0] && results.allSatisfy { $0.channel == Cast.club })
            try await wait("the copies") { club.texts == ["one", "two", ""] }
            #expect(club.item("")?.content?.file == picture)
            #expect(club.items.filter { $0.kind == .message }.allSatisfy { $0.isForwarded && $0.isOwn })
            #expect(model.problem == nil)

            // One of two channels does not exist for Ann.
            let nowhere = try channelID("nowhere")
            _ = try await bob.createGroup(channel: nowhere, members: [])
            let some = await model.forward([ids[2]], to: [Cast.club, nowhere])
            #expect(some.map(\.code) == [0, ErrorCode.channelNotFound.code])
            #expect(model.problem?.code == .server(.channelNotFound))
            #expect(model.problem?.message.hasPrefix("1 of 2 failed.") == true)
            try await wait("one more copy") { club.texts == ["one", "two", "", "one"] }
            model.dismissProblem()
            #expect(await model.forward([vote], to: [Cast.club]).isEmpty)
            #expect(await model.forward(ids, to: []).isEmpty && model.problem == nil)
            #expect(await model.forward([ids[0]], to: [nowhere]).isEmpty)
            #expect(model.problem?.code == .server(.channelNotFound))
            for model in [model, club] { model.stop() }
            await server.stop()
        }

        @Test
        func
            `what is scheduled for a channel is listed by its time, changed, cancelled and sent, on all devices [L-66 L-67 L-X3 LCB-14 LCB-15]`()
            async throws
        {
            let server = try await TestServer.start(clock: clock)
            let (ann, other) = (try await server.client(Cast.ann), try await server.client(Cast.ann))
            _ = try await server.client(Cast.bob)
            _ = try await ann.createGroup(channel: Cast.club, members: [Cast.bob.userID])
            _ = try await ann.startMessaging(with: Cast.bob.userID)
            let models = try await screens([ann, other], of: Cast.club)
            let (here, there) = (models[0], models[1])
            #expect(await there.loadSchedules())
            #expect(there.schedules.isEmpty)
            let (hour, now) = (3_600.0, Date(milliseconds: clock.now))

            #expect(await here.schedule([.text("late")], at: now + 3 * hour))
            #expect(await here.schedule([.text("early")], at: now + hour))
            let ask = Vote(options: [.text("x"), .text("y")])
            #expect(await here.scheduleVote("ask", ask, at: now + 2 * hour))
            // A schedule that is only for another channel is not in the list.
            try await ann.schedule(
                [.text("elsewhere")], to: [Cast.annAndBob], at: now + hour)
            for model in models {
                try await wait("three, by time") {
                    model.schedules.map { $0.messages.first?.text ?? $0.subject } == ["early", "ask", "late"]
                }
            }
            #expect(await here.schedule([.text("never")], at: now + 1) == false)
            #expect(here.problem?.code == .server(.scheduleTime))
            #expect(await here.schedule([.text("never")], at: now + 31 * 24 * hour) == false)
            #expect(here.problem?.code == .server(.scheduleTime))
            here.dismissProblem()

            let late = try #require(there.schedules.last)
            #expect(await there.changeSchedule(late.scheduleID, messages: [.text("first")], at: now + hour / 2))
            #expect(await there.changeSchedule(late.scheduleID, messages: [.text("first")], at: now + hour / 2))
            try await wait("the other order") {
                here.schedules.map { $0.messages.first?.text ?? $0.subject } == ["first", "early", "ask"]
            }
            let early = here.schedules[1].scheduleID
            #expect(await here.cancelSchedule(early))
            try await wait("cancelled") { here.schedules.count == 2 && there.schedules.count == 2 }
            #expect(await here.cancelSchedule(early) == false)
            #expect(here.problem == nil && there.problem == nil)

            clock.advance(by: 3_600_000)
            try await wait("sent") { here.item("first") != nil && here.schedules.map(\.subject) == ["ask"] }
            // While a device is offline, it misses that the rest is sent.
            await other.disconnect()
            clock.advance(by: 3_600_000)
            try await wait("all sent") { here.item("ask")?.voteState != nil && here.schedules.isEmpty }
            try await other.connect()
            try await wait("nothing is left") { there.schedules.isEmpty && there.item("ask") != nil }
            #expect(await here.changeSchedule(late.scheduleID, at: now + 9 * hour) == false)
            #expect(here.problem?.code == .server(.scheduleNotFound))
            for model in models { model.stop() }
            await server.stop()
        }
    }
}
