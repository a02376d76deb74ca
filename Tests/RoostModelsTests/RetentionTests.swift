import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Testing

extension Screens {
    /// What a person sees of rows that the operator does not keep any longer.
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
            // Who was away all the time sees the same.
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
    }
}
