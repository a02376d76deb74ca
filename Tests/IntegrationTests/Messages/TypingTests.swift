import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Typing states: J-45 to J-49, JCB-15 and JCB-16.
@Suite(.serialized, .needsBus, .timeLimit(.minutes(1))) struct TypingTests {
    @Test func `typing notifies the other members when it starts and stops, and stores nothing [J-45]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let channel = try await ann.start(with: Cast.bob)
        try await channel.typing(true)
        guard case .ephemeral(.typingStarted(let start)) = try await bob.event(.typingStarted, in: Cast.annAndBob).body
        else {
            throw ExpectationFailure.other
        }
        #expect(start.userID == Cast.ann.userID)
        #expect(start.name == "Ann")
        try await channel.typing(false)
        try await bob.event(.typingEnded, in: Cast.annAndBob)

        #expect(try await channel.history().events.isEmpty)
        #expect(try await bob.client.unread().total == 0)
        #expect(try await bob.client.channels().isEmpty)
        #expect(try await channel.get().seq == 0)
        let dee = try await harness.guest(Cast.dee)
        #expect(
            await refusal { () throws(RoostError) in try await dee.channel(Cast.annAndBob).typing(true) }
                == .server(.channelNotFound))
    }

    @Test func `the set of people typing follows starts and ends [J-46]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let cid = try await harness.guest(Cast.cid)
        _ = try await ann.client.createGroup(channel: Cast.club, members: [Cast.bob.userID, Cast.cid.userID])
        try await bob.channel(Cast.club).typing(true)
        try await cid.channel(Cast.club).typing(true)
        try await bob.channel(Cast.club).typing(false)
        try await ann.event(.typingEnded, in: Cast.club)
        try await ann.wait("Cid types") { event in
            if case .ephemeral(.typingStarted(let typing)) = event.row?.body {
                typing.userID == Cast.cid.userID
            } else {
                false
            }
        }
        var typing = TypingUsers(viewer: Cast.ann.userID)
        var most = 0
        for event in ann.events.compactMap(\.row) {
            typing.apply(event, now: .init(milliseconds: 0))
            most = max(most, typing.count)
        }
        #expect(typing.userIDs == [Cast.cid.userID])
        #expect(typing.names == ["Cid"])
        #expect(most == 2)
    }

    @Test func `a lost end of typing is repaired after ten seconds per user, or at once if the connection ends [J-48]`()
        async throws
    {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let cid = try await harness.guest(Cast.cid)
        _ = try await ann.client.createGroup(channel: Cast.club, members: [Cast.bob.userID, Cast.cid.userID])
        try await bob.channel(Cast.club).typing(true)
        let first = try await ann.event(.typingStarted, in: Cast.club)
        let mark = ann.mark
        try await cid.channel(Cast.club).typing(true)
        let second = try await ann.event(.typingStarted, in: Cast.club, since: mark)

        // Nobody ends typing; Cid's typing is reported again after six seconds.
        var typing = TypingUsers(viewer: Cast.ann.userID)
        typing.apply(first, now: .init(milliseconds: 0))
        typing.apply(second, now: .init(milliseconds: 1_000))
        typing.apply(second, now: .init(milliseconds: 7_000))
        #expect(typing.nextExpiry?.milliseconds == 10_000)
        let early = typing.expire(now: .init(milliseconds: 9_999))
        #expect(!early)
        #expect(typing.count == 2)
        let isOneGone = typing.expire(now: .init(milliseconds: 10_000))
        #expect(isOneGone)
        #expect(typing.userIDs == [Cast.cid.userID])
        let isOtherGone = typing.expire(now: .init(milliseconds: 17_000))
        #expect(isOtherGone)
        #expect(typing.isEmpty)

        // Bob's connection is lost while he types.
        await bob.client.disconnect()
        guard case .ephemeral(.typingEnded(let ended)) = try await ann.event(.typingEnded, in: Cast.club).body else {
            throw ExpectationFailure.other
        }
        #expect(ended.userID == Cast.bob.userID)
    }

    @Test func `sending a message ends the sender's typing for the others [J-49]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let channel = try await bob.start(with: Cast.ann)
        try await channel.typing(true)
        try await channel.send("done")
        try await ann.message("done")
        var typing = TypingUsers(viewer: Cast.ann.userID)
        var counts: [Int] = []
        for event in ann.events.compactMap(\.row) where event.channel == Cast.annAndBob {
            typing.apply(event, now: .init(milliseconds: 0))
            counts.append(typing.count)
        }
        #expect(counts.prefix(2) == [1, 0])
        #expect(typing.isEmpty)
    }

    @Test func `the other members, but not the user, learn that a user is typing [JCB-15]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let phone = try await harness.guest(Cast.bob, device: "phone")
        for person in [ann, bob, phone] { try await person.channel(Cast.lobby).join() }
        try await bob.channel(Cast.lobby).typing(true)
        try await ann.event(.typingStarted, in: Cast.lobby)
        try await ann.channel(Cast.lobby).send("I see")
        for device in [bob, phone] {
            try await device.message("I see")
            #expect(!device.events.contains { $0.row?.name == EventName.typingStarted.rawValue })
        }
    }

    @Test func `the other members learn that a user has stopped typing [JCB-16]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        for person in [ann, bob] { try await person.channel(Cast.lobby).join() }
        try await bob.channel(Cast.lobby).typing(true)
        try await bob.channel(Cast.lobby).typing(false)
        guard case .ephemeral(.typingEnded(let ended)) = try await ann.event(.typingEnded, in: Cast.lobby).body else {
            throw ExpectationFailure.other
        }
        #expect(ended.userID == Cast.bob.userID)
        #expect(ended.$at > 0)
        try await ann.channel(Cast.lobby).send("I see")
        try await bob.message("I see")
        #expect(!bob.events.contains { $0.row?.name == EventName.typingEnded.rawValue })
    }
}
