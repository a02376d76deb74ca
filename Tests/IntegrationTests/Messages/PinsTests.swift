import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Pinned messages through a real server: the SDK, HTTP, the command line, and a restart.
@Suite(.serialized, .timeLimit(.minutes(2))) struct PinsTests {
    private func people(_ harness: ServerHarness) async throws -> (
        ann: RecordingClient, bob: RecordingClient, id: MessageID
    ) {
        let ann = try await harness.guest(Cast.ann)
        let bob = try await harness.guest(Cast.bob)
        _ = try await ann.client.createGroup(channel: Cast.club, members: [Cast.bob.userID])
        let id = try await ann.channel(Cast.club).send("hello").messageID
        return (ann, bob, id)
    }

    @Test func `everybody sees a pin at once, it does not count, and it is there after a restart`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob, id) = try await people(harness)
        let tablet = try await harness.guest(Cast.bob, device: "2")
        let key = bob.client.makeTransID()

        try await bob.channel(Cast.club).pin(id, transID: key)

        for person in [ann, bob, tablet] {
            let row = try await person.event(.pinAdded, in: Cast.club)
            #expect(row.senderID == Cast.bob.userID && row.transID == key && row.seq == 2)
        }
        #expect(try await tablet.client.perform(AddPin(channel: Cast.club, messageID: id)).seq == nil)
        #expect(try await ann.channel(Cast.club).get().unread == 0)
        #expect(try await bob.channel(Cast.club).get().lastMessage?.messageID == id)
        // The same over HTTP.
        let listed = try HTTPClient(harness).perform(
            ListPins(channel: Cast.club), from: .guest(try makeUser("bob"), device: "3"))
        #expect(listed.pins.map(\.messageID) == [id] && listed.pins.map(\.userID) == [Cast.bob.userID])
        #expect(listed.head == 2)
        let none = MessageID(sentAt: 0, seq: 1, salt: 0)
        #expect(
            await refusal { () throws(RoostError) in try await bob.channel(Cast.club).pin(none) } == .server(1118))

        harness.stop()
        try await harness.start()
        let later = try await harness.guest(Cast.ann, device: "4")
        #expect(try await later.channel(Cast.club).pins() == listed)
        try await later.channel(Cast.club).unpin(id)
        #expect(try await later.channel(Cast.club).pins().pins.isEmpty)
    }

    @Test(.firstPassOnly) func `the command line pins, unpins and lists messages`() async throws {
        let harness = try await ServerHarness()
        let (_, _, id) = try await people(harness)
        let message = id.rawValue
        func roost(_ user: String, _ arguments: String...) async throws -> Child.Result {
            try await Child.roost(
                arguments + ["--as", user], server: harness.url, profile: user, in: harness.folder
            ).result()
        }
        let pinned = try await roost("bob", "message", "pin", "--channel", "club", message, "--json")
        #expect(try pinned.objects().first?["seq"] as? Int == 2)
        let again = try await roost("ann", "message", "pin", "--channel", "club", message)
        #expect(again.output == ["already pinned in club"])
        let list = try await roost("ann", "message", "pins", "--channel", "club")
        #expect(list.output == ["\(message)  pinned by Bob (bob)"])
        let json = try await roost("ann", "message", "pins", "--channel", "club", "--json")
        #expect(try json.objects().map { $0["messageID"] as? String } == [message])
        let log = try await roost("bob", "message", "list", "--channel", "club")
        #expect(log.output.contains { $0.hasSuffix("- Bob pinned row 1") })
        let set = try await roost("ann", "channel", "set", "--channel", "club", "--pinners", "moderators")
        #expect(set.status == 0)
        let refused = try await roost("bob", "message", "unpin", "--channel", "club", message, "--json")
        #expect(refused.status == 1 && refused.errors.contains("\"code\":1107"))
        let removed = try await roost("ann", "message", "unpin", "--channel", "club", message)
        #expect(removed.output == ["unpinned in club, row 4"])
        let gone = try await roost("ann", "message", "unpin", "--channel", "club", message)
        #expect(gone.output == ["not pinned in club"])
    }
}
