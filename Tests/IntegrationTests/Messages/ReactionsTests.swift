import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Reactions through a real server: the SDK, HTTP, the local store, the command line, and a restart.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ReactionsTests {
    private func people(_ house: House) async throws -> (ann: Person, bob: Person, id: MessageID) {
        let ann = try await house.guest(Cast.ann)
        let bob = try await house.guest(Cast.bob)
        _ = try await ann.client.createGroup(channel: Cast.club, members: [Cast.bob.userID])
        let id = try await ann.channel(Cast.club).send("hello").messageID
        return (ann, bob, id)
    }

    private func shown(_ id: MessageID, to person: Person) async throws -> [Reaction] {
        try await person.channel(Cast.club).messages([id]).first?.reactions?.kinds ?? []
    }

    @Test func `two devices of one user and everybody else see the same reactions, after a restart too`() async throws {
        let house = try await House()
        let (ann, bob, id) = try await people(house)
        let tablet = try await house.guest(Cast.bob, device: "2")
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
        // Over HTTP the same door.
        let door = Door(house.server)
        let told = try door.perform(
            ListReactions(channel: Cast.club, messageID: id), from: .guest(try makeUser("bob"), device: "3"))
        #expect(told.reactions.map(\.userID) == [Cast.bob.userID, Cast.ann.userID] && told.next == nil)
        let page = try door.perform(
            ListMessages(channel: Cast.club), from: .guest(try makeUser("bob"), device: "3"))
        #expect(page.events.first?.reactions == MessageReactions(head: page.seq, kinds: expected))
        #expect(try await mine.get().unread == 1)
        #expect(
            await refusal { () throws(RoostError) in try await mine.react(with: "no", to: id) } == .server(6))
        #expect(
            await refusal { () throws(RoostError) in
                try await mine.react(with: "👍", to: MessageID(sentAt: 0, seq: 1, salt: 0))
            } == .server(1118))

        house.server.stop()
        try await house.start()
        let later = try await house.guest(Cast.bob, device: "4")
        #expect(try await shown(id, to: later) == expected)
        try await later.channel(Cast.club).removeReaction("👍", from: id)
        #expect(try await shown(id, to: later) == [expected[1]])
        #expect(try await later.channel(Cast.club).reactions(to: id, emoji: "👍").isEmpty)
    }

    @Test func `reactions are on a device without a connection, as the server has them`() async throws {
        let house = try await House()
        let keeper = try await Keeper(
            Cast.bob, url: house.url, direct: house.url, store: try LocalStore.inMemory())
        try await keeper.client.connect()
        let (ann, bob, id) = try await people(house)
        let mine = keeper.client.channel(Cast.club)
        try await mine.react(with: "👍", to: id)
        try await ann.channel(Cast.club).react(with: "👍", to: id)
        // On another device of the same user.
        try await bob.channel(Cast.club).react(with: "🎉", to: id)
        try await bob.channel(Cast.club).removeReaction("👍", from: id)
        let gone = try await ann.channel(Cast.club).send("gone").messageID
        try await mine.react(with: "👍", to: gone)
        try await ann.channel(Cast.club).recall([gone])
        try await keeper.settle()
        let server = try await mine.history(limit: 100).events
        let rows = try await mine.history(limit: 100, from: .device).events
        #expect(rows.map(\.seq) == server.map(\.seq))
        #expect(rows.map { $0.reactions?.kinds ?? [] } == server.map { $0.reactions?.kinds ?? [] })
        #expect(
            rows.first?.reactions?.kinds == [
                Reaction(emoji: "👍", count: 1, isMine: false), Reaction(emoji: "🎉", count: 1, isMine: true),
            ])
        await keeper.stop()
    }

    /// Runs a command of a guest and waits for its end.
    private func roost(_ house: House, _ user: String, _ arguments: String...) async throws -> Child.Result {
        try await Child.roost(
            arguments + ["--as", user], server: house.url, profile: user, in: house.folder
        ).result()
    }

    @Test(.firstPassOnly) func `the command line reacts, takes it back and shows who has reacted`() async throws {
        let house = try await House()
        let (_, _, id) = try await people(house)
        let message = id.rawValue
        let added = try await roost(house, "bob", "message", "react", "--channel", "club", message, "👍", "--json")
        #expect(try added.objects().first?["seq"] as? Int == 2)
        let again = try await roost(house, "bob", "message", "react", "--channel", "club", message, "👍")
        #expect(again.output == ["it was there in club"])
        _ = try await roost(house, "ann", "message", "react", "--channel", "club", message, "❤️")
        let told = try await roost(house, "ann", "message", "reactions", "--channel", "club", message)
        #expect(told.output == ["👍  Bob (bob)", "❤️  Ann (ann)"])
        let one = try await roost(
            house, "ann", "message", "reactions", "--channel", "club", "--emoji", "👍", message, "--json")
        #expect(try one.objects().map { $0["userID"] as? String } == ["bob"])
        let log = try await roost(house, "bob", "message", "list", "--channel", "club")
        #expect(log.output.first?.hasSuffix("Ann: hello  [👍 1]  ❤️ 1") == true)
        #expect(log.output.contains { $0.hasSuffix("- Bob reacted to row 1: 👍 1") })
        let removed = try await roost(house, "bob", "message", "unreact", "--channel", "club", message, "👍")
        #expect(removed.output == ["taken back in club, row 4"])
        let bad = try await roost(house, "bob", "message", "react", "--channel", "club", message, "no", "--json")
        #expect(bad.status == 1 && bad.errors.contains("\"code\":6"))
    }
}
