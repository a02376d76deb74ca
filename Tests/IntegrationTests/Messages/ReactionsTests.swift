import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Reactions through a real server: the SDK, HTTP, the local store, the command line, and a restart.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ReactionsTests {
    private func people(_ harness: ServerHarness) async throws -> (
        ann: RecordingClient, bob: RecordingClient, id: MessageID
    ) {
        let ann = try await harness.guest(Cast.ann)
        let bob = try await harness.guest(Cast.bob)
        _ = try await ann.client.createGroup(channel: Cast.club, members: [Cast.bob.userID])
        let id = try await ann.channel(Cast.club).send("hello").messageID
        return (ann, bob, id)
    }

    private func shown(_ id: MessageID, to person: RecordingClient) async throws -> [Reaction] {
        try await person.channel(Cast.club).messages([id]).first?.reactions?.kinds ?? []
    }

    @Test func `two devices of one user and everybody else see the same reactions, after a restart too`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob, id) = try await people(harness)
        let tablet = try await harness.guest(Cast.bob, device: "2")
        let mine = bob.channel(Cast.club)

        let key = bob.client.makeTransID()
        try await mine.react(with: "👍", to: id, transID: key)

        for person in [ann, bob, tablet] {
            let row = try await person.event(.reactionAdded, in: Cast.club)
            #expect(row.senderID == Cast.bob.userID && row.transID == key)
        }
        let again = AddReaction(channel: Cast.club, messageID: id, emoji: "👍")
        #expect(try await tablet.client.perform(again).seq == nil)
        try await ann.channel(Cast.club).react(with: "❤️", to: id)
        let expected = [
            Reaction(emoji: "👍", count: 1, isMine: true), Reaction(emoji: "❤️", count: 1, isMine: false),
        ]
        for device in [bob, tablet] { #expect(try await shown(id, to: device) == expected) }
        // The same over HTTP.
        let http = HTTPClient(harness)
        let told = try http.perform(
            ListReactions(channel: Cast.club, messageID: id), from: .guest(try makeUser("bob"), device: "3"))
        #expect(told.reactions.map(\.userID) == [Cast.bob.userID, Cast.ann.userID] && told.next == nil)
        let page = try http.perform(
            ListMessages(channel: Cast.club), from: .guest(try makeUser("bob"), device: "3"))
        #expect(page.events.first?.reactions == MessageReactions(head: page.seq, kinds: expected))
        #expect(try await mine.get().unread == 1)
        #expect(
            await refusal { () throws(RoostError) in try await mine.react(with: "no", to: id) } == .server(6))
        #expect(
            await refusal { () throws(RoostError) in
                try await mine.react(with: "👍", to: MessageID(sentAt: 0, seq: 1, salt: 0))
            } == .server(1118))

        harness.stop()
        try await harness.start()
        let later = try await harness.guest(Cast.bob, device: "4")
        #expect(try await shown(id, to: later) == expected)
        try await later.channel(Cast.club).removeReaction("👍", from: id)
        #expect(try await shown(id, to: later) == [expected[1]])
        #expect(try await later.channel(Cast.club).reactions(to: id, emoji: "👍").isEmpty)
    }

    @Test func `reactions are on a device without a connection, as the server has them`() async throws {
        let harness = try await ServerHarness()
        let device = try await StoreClient(
            Cast.bob, url: harness.url, direct: harness.url, store: try LocalStore.inMemory())
        try await device.client.connect()
        let (ann, bob, id) = try await people(harness)
        let mine = device.client.channel(Cast.club)
        try await mine.react(with: "👍", to: id)
        try await ann.channel(Cast.club).react(with: "👍", to: id)
        // On another device of the same user.
        try await bob.channel(Cast.club).react(with: "🎉", to: id)
        try await bob.channel(Cast.club).removeReaction("👍", from: id)
        let gone = try await ann.channel(Cast.club).send("gone").messageID
        try await mine.react(with: "👍", to: gone)
        try await ann.channel(Cast.club).recall([gone])
        try await device.settle()
        let server = try await mine.history(limit: 100).events
        let rows = try await mine.history(limit: 100, from: .device).events
        #expect(rows.map(\.seq) == server.map(\.seq))
        #expect(rows.map { $0.reactions?.kinds ?? [] } == server.map { $0.reactions?.kinds ?? [] })
        #expect(
            rows.first?.reactions?.kinds == [
                Reaction(emoji: "👍", count: 1, isMine: false), Reaction(emoji: "🎉", count: 1, isMine: true),
            ])
        await device.stop()
    }

    /// Runs a command of a guest and waits until it exits.
    private func roost(_ harness: ServerHarness, _ user: String, _ arguments: String...) async throws -> Child.Result {
        try await Child.roost(
            arguments + ["--as", user], server: harness.url, profile: user, in: harness.folder
        ).result()
    }

    @Test(.firstPassOnly) func `the command line adds, removes and lists reactions`() async throws {
        let harness = try await ServerHarness()
        let (_, _, id) = try await people(harness)
        let message = id.rawValue
        let added = try await roost(harness, "bob", "message", "react", "--channel", "club", message, "👍", "--json")
        #expect(try added.objects().first?["seq"] as? Int == 2)
        let again = try await roost(harness, "bob", "message", "react", "--channel", "club", message, "👍")
        #expect(again.output == ["already there in club"])
        _ = try await roost(harness, "ann", "message", "react", "--channel", "club", message, "❤️")
        let told = try await roost(harness, "ann", "message", "reactions", "--channel", "club", message)
        #expect(told.output == ["👍  Bob (bob)", "❤️  Ann (ann)"])
        let one = try await roost(
            harness, "ann", "message", "reactions", "--channel", "club", "--emoji", "👍", message, "--json")
        #expect(try one.objects().map { $0["userID"] as? String } == ["bob"])
        let log = try await roost(harness, "bob", "message", "list", "--channel", "club")
        #expect(log.output.first?.hasSuffix("Ann: hello  [👍 1]  ❤️ 1") == true)
        #expect(log.output.contains { $0.hasSuffix("- Bob reacted to row 1: 👍 1") })
        let removed = try await roost(harness, "bob", "message", "unreact", "--channel", "club", message, "👍")
        #expect(removed.output == ["removed in club, row 4"])
        let bad = try await roost(harness, "bob", "message", "react", "--channel", "club", message, "no", "--json")
        #expect(bad.status == 1 && bad.errors.contains("\"code\":6"))
    }
}
