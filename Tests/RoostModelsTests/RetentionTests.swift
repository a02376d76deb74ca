import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Testing

extension Screens {
    /// What a user sees of rows that are no longer retained.
    @MainActor @Suite struct RetentionTests {
        @Test func `what is not kept any more leaves the screen, and what is new stays`() async throws {
            let day: Int64 = 86_400_000
            let clock = TestClock()
            let server = try await TestServer.start(clock: clock, keeping: [.single: 10 * day])
            let (ann, bob) = (try await server.client(Cast.ann), try await server.client(Cast.bob))
            let away = try await server.client(Cast.ann)
            _ = try await bob.startMessaging(with: Cast.ann.userID)
            let talk = bob.channel(Cast.annAndBob)
            for text in ["old", "older"] { try await talk.send(text) }
            let model = ConversationModel(
                client: ann, channel: Cast.annAndBob, clock: ManualClock(now: clock.now).clock)
            let list = ChannelListModel(client: ann)
            model.start()
            list.start()
            _ = try await model.waitFor("older")
            try await wait("the list") { list.rows.first?.lastText == "older" }
            let other = ConversationModel(
                client: away, channel: Cast.annAndBob, clock: ManualClock(now: clock.now).clock)
            other.start()
            _ = try await other.waitFor("older")
            other.stop()
            await away.disconnect()
            clock.advance(by: 6 * day)
            try await talk.send("new")
            _ = try await model.waitFor("new")
            clock.advance(by: 5 * day)
            try await wait("the old messages to go") { model.item("older") == nil }
            #expect(model.texts == ["new"] && model.isAtBottom && !model.hasPrevious)
            #expect(list.rows.map(\.id) == [Cast.annAndBob])
            clock.advance(by: 5 * day)
            try await wait("the last message to go") { model.item("new") == nil }
            #expect(model.texts.isEmpty)
            try await wait("a channel without a last message") {
                list.rows.first?.lastText == nil
            }
            #expect(list.rows.map(\.id) == [Cast.annAndBob] && list.rows.first?.unread == 0)
            // A user who was offline all the time sees the same.
            try await away.connect()
            let again = ConversationModel(
                client: away, channel: Cast.annAndBob, clock: ManualClock(now: clock.now).clock)
            again.start()
            try await wait("nothing to see") { again.hasLoaded && again.connection == .live && again.texts.isEmpty }
            try await talk.send("after")
            _ = try await again.waitFor("after")
            #expect(again.texts == ["after"])
            for model in [model, again] { model.stop() }
            list.stop()
            await server.stop()
        }

        @Test func `a device that was away for longer than the user log is kept shows what the other one shows`()
            async throws
        {
            let clock = TestClock()
            let server = try await TestServer.start(clock: clock)
            let (phone, tablet) = (try await server.client(Cast.ann), try await server.client(Cast.ann))
            let bob = try await server.client(Cast.bob)
            _ = try await bob.startMessaging(with: Cast.ann.userID)
            let talk = bob.channel(Cast.annAndBob)
            try await talk.send("one")
            let two = try await talk.send("two").messageID
            try await talk.send("three")
            let hidden = try await bob.createGroup(title: "Hidden", members: [Cast.ann.userID]).channel
            let left = try await bob.createGroup(title: "Left", members: [Cast.ann.userID]).channel
            for id in [hidden, left] { try await bob.channel(id).send("hello") }
            let model = conversation(phone, clock)
            let list = ChannelListModel(client: phone)
            model.start()
            list.start()
            try await model.waitFor("three")
            try await wait("the list") { list.rows.count == 3 && list.rows.allSatisfy { $0.lastText != nil } }
            model.stop()
            list.stop()
            await phone.disconnect()
            // Changes on the other device, and changes that affect the user.
            _ = try await tablet.channel(Cast.annAndBob).delete([two])
            _ = try await tablet.channel(Cast.annAndBob).mute()
            try await tablet.channel(hidden).hide()
            try await tablet.channel(left).leave()
            let gained = try await bob.createGroup(title: "Gained", members: [Cast.ann.userID]).channel
            try await bob.channel(gained).send("welcome")
            clock.advance(by: RetentionRules.userLog)
            let epoch = try #require(await tablet.positions?.epoch)
            while try await !hasForgotten(server, epoch) {}
            try await phone.connect()
            let here = ChannelListModel(client: phone)
            let there = ChannelListModel(client: tablet)
            here.start()
            there.start()
            try await wait("the same list on both devices") {
                here.hasLoaded && there.hasLoaded && here.rows == there.rows && here.rows.count == 2
            }
            #expect(Set(here.rows.map(\.id)) == [Cast.annAndBob, gained])
            #expect(here.rows.first { $0.id == Cast.annAndBob }?.isMuted == true)
            let again = conversation(phone, clock)
            again.start()
            try await wait("the messages") { again.hasLoaded && again.texts == ["one", "three"] }
            try await bob.channel(gained).send("after")
            try await wait("what follows") { here.rows.first { $0.id == gained }?.lastText == "after" }
            again.stop()
            for model in [here, there] { model.stop() }
            await server.stop()
        }

        private func conversation(_ client: ChatClient, _ clock: TestClock) -> ConversationModel {
            ConversationModel(client: client, channel: Cast.annAndBob, clock: ManualClock(now: clock.now).clock)
        }

        /// Whether the server can no longer deliver Ann's complete own log to a device without any of it.
        private func hasForgotten(_ server: TestServer, _ epoch: String) async throws -> Bool {
            var configuration = ClientConfiguration(
                server: server.url, credentials: .guest(Cast.ann.userID, name: Cast.ann.name),
                deviceID: try #require(DeviceID(rawValue: "probe")))
            configuration.positions = SyncPositions(epoch: epoch, userSeq: 0, channels: [])
            let client = ChatClient(configuration: configuration)
            let events = client.events()
            try await client.connect()
            var isForgotten = false
            for await event in events {
                if case .reset(let reset) = event, reset.channel == nil { isForgotten = reset.reason == .tooFar }
                if case .connected = event { break }
            }
            await client.disconnect()
            return isForgotten
        }
    }
}
