import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Forwards, votes and notices of calls through a real server, the SDK and the command line.
@Suite(.serialized, .timeLimit(.minutes(2))) struct VotesAndForwardsTests {
    /// Ann, Bob and Cid in a club, and the 1-on-1 of Ann and Bob.
    private func people(_ harness: ServerHarness) async throws -> (
        ann: RecordingClient, bob: RecordingClient, cid: RecordingClient
    ) {
        let ann = try await harness.guest(Cast.ann)
        let (bob, cid) = (try await harness.guest(Cast.bob), try await harness.guest(Cast.cid))
        _ = try await ann.client.createGroup(channel: Cast.club, members: [Cast.bob.userID, Cast.cid.userID])
        try await ann.start(with: Cast.bob)
        return (ann, bob, cid)
    }

    @Test func `a forwarded message is complete, and its origin is visible only to authorized users [L-69]`()
        async throws
    {
        let harness = try await ServerHarness()
        let (ann, bob, cid) = try await people(harness)
        _ = try await ann.channel(Cast.lobby).join()
        let picture = try await cid.client.uploadSample("roof.jpg")
        let small = try await cid.client.uploadSample("small.jpg")
        let club = cid.channel(Cast.club)
        let text = try await club.send("the text", extras: ["a": "b"]).messageID
        let image = try await club.send(.image(picture, thumbnail: small, text: "below")).messageID
        let gone = try await club.send("gone").messageID
        try await club.recall([gone])
        let nowhere = try channelID("cid:dee")

        let key = ann.client.makeTransID()
        let targets = [Cast.annAndBob, Cast.lobby, nowhere]
        let results = try await ann.channel(Cast.club).forward([text, gone, image], to: targets, transID: key)

        #expect(results.map(\.code) == [0, 1118, 0, 0, 1118, 0, 1105, 1118, 1105])
        #expect(results.map(\.index) == [0, 1, 2, 0, 1, 2, 0, 1, 2])
        #expect(try await ann.channel(Cast.club).forward([text, gone, image], to: targets, transID: key) == results)
        let first = try await bob.message("the text", in: Cast.annAndBob)
        let second = try await bob.message("below", in: Cast.annAndBob)
        #expect([first.messageID, second.messageID] == [results[0].messageID, results[2].messageID])
        #expect([first, second].allSatisfy { $0.senderID == Cast.ann.userID && $0.transID == key })
        guard case .channel(.messageSent(let one)) = first.body, case .channel(.messageSent(let other)) = second.body
        else {
            throw ExpectationFailure.other
        }
        #expect(one.isForwarded == true && one.extras == ["a": "b"] && one.senderName == "Ann")
        #expect(other.file == picture && other.thumbnail == small && other.type == "image")
        #expect(try await bob.channel(Cast.annAndBob).get().unread == 2)
        let copy = try #require(first.messageID)
        let origin = try await bob.channel(Cast.annAndBob).origin(of: copy)
        #expect(origin.channel == Cast.club && origin.messageID == text && origin.senderName == "Cid")
        // Dee reads the copy in the open channel, but not its origin.
        let dee = try await harness.guest(Cast.dee)
        let open = try #require(results[3].messageID)
        #expect(try await dee.channel(Cast.lobby).messages([open]).count == 1)
        #expect(
            await refusal { () throws(RoostError) in try await dee.channel(Cast.lobby).origin(of: open) }
                == .server(1118))
        #expect(
            await refusal { () throws(RoostError) in
                try await ann.channel(Cast.club).forward([gone], to: [Cast.annAndBob])
            } == .server(1118))
        #expect(
            await refusal { () throws(RoostError) in
                try await dee.channel(Cast.club).forward([text], to: [Cast.lobby])
            } == .server(1105))
        // From now on, the group requests these notices.
        _ = try await ann.channel(Cast.club).setProfile(ChannelProfile(noticesForwards: true))
        let mark = cid.mark
        try await bob.channel(Cast.club).forward([text], to: [Cast.annAndBob])
        let notice = try await cid.wait("the notice", since: mark) {
            guard case .channel(.messageSent(let message))? = $0.row?.body else { return false }
            return message.type == "messagesForwarded" && message.replyTo?.messageID == text
        }
        #expect(notice.row?.senderID == Cast.bob.userID)
    }

    @Test func `every step of a vote from its creation to its end is sent to everybody [L-106]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob, cid) = try await people(harness)
        let club = ann.channel(Cast.club)
        let lunch = Vote(options: [.text("Soup"), .sticker("pizza"), .text("Nothing")])
        let id = try await club.createVote("Where do we eat?", lunch).messageID
        let asked = try await bob.message("Where do we eat?", in: Cast.club)
        guard case .channel(.messageSent(let message)) = asked.body else { throw ExpectationFailure.other }
        #expect(asked.messageID == id && message.type == "voteSticker" && message.vote == lunch)
        #expect(try await bob.channel(Cast.club).get().unread == 1)
        var shown = try #require(try await cid.channel(Cast.club).votes([id]).first)
        #expect(shown.phase == .open && shown.tally == VoteTally(counts: [0, 0, 0], voters: 0))

        let voted = try await bob.client.perform(CastVote(channel: Cast.club, messageID: id, options: [1]))
        #expect(voted.seq == 2)
        let mine = bob.channel(Cast.club)
        #expect(
            await refusal { () throws(RoostError) in try await mine.castVote(id, options: [1, 2]) } == .server(1122))
        #expect(await refusal { () throws(RoostError) in try await mine.castVote(id, options: []) } == .server(1122))
        #expect(await refusal { () throws(RoostError) in try await mine.castVote(id, options: [3]) } == .server(6))
        try await cid.channel(Cast.club).castVote(id, options: [0])
        #expect(try await club.ballots(of: id).map(\.options) == [[1], [0]])
        #expect(try await club.ballots(of: id, option: 1).map(\.name) == ["Bob"])
        #expect(await refusal { () throws(RoostError) in try await mine.closeVote(id) } == .server(1107))
        try await club.closeVote(id)
        #expect(await refusal { () throws(RoostError) in try await mine.castVote(id, options: [1]) } == .server(1121))

        // Cid's screen has followed the events, and shows the same as the server.
        try await cid.event(.voteClosed, in: Cast.club)
        for event in cid.events.compactMap(\.row) { shown = shown.after(event, viewer: Cast.cid.userID) ?? shown }
        #expect(shown.phase == .closed && shown.tally == VoteTally(counts: [1, 1, 0], voters: 2))
        #expect(try await cid.channel(Cast.club).votes([id]) == [shown])
        #expect(try await cid.channel(Cast.club).votes(limit: 1).elements == [shown])
        // Nobody was notified twice: each badge has one cause.
        #expect(try await bob.channel(Cast.club).get().unread == 1)
    }

    @Test func `what was forwarded, voted and called is on a device without a connection, as the server has it`()
        async throws
    {
        let harness = try await ServerHarness()
        let device = try await StoreClient(
            Cast.bob, url: harness.url, direct: harness.url, store: try LocalStore.inMemory())
        try await device.client.connect()
        let (ann, _, cid) = try await people(harness)
        let (club, mine) = (ann.channel(Cast.club), device.client.channel(Cast.club))
        let text = try await club.send("the text").messageID
        try await club.send(.call(.callReceived, CallNotice(callID: "c-1", kind: .video)))
        let record = CallNotice(callID: "c-1", kind: .video, result: .answered, durationMs: 9_000)
        try await club.send(.call(.callRecorded, record))
        // Two copies of one command in one channel.
        let results = try await mine.forward([text], to: [Cast.club, Cast.annAndBob])
        let copy = try #require(results[0].messageID)
        try await mine.forward([copy, text], to: [Cast.club])
        let open = try await club.createVote("open?", Vote(options: [.text("a"), .text("b")])).messageID
        let secret = Vote(options: [.text("a"), .text("b")], isSecret: true, results: .atEnd)
        let hidden = try await mine.createVote("secret?", secret).messageID
        let gone = try await club.createVote("gone?", secret).messageID
        for vote in [open, hidden, gone] {
            try await mine.castVote(vote, options: [1])
            try await cid.channel(Cast.club).castVote(vote, options: [0])
        }
        try await club.closeVote(open)
        try await club.recall([gone])
        try await device.settle()
        let rows = try #require(try await device.check()[Cast.club])
        #expect(rows.count { $0.name == EventName.voteCast.rawValue } == 6)
        let copies = rows.filter { row in
            if case .channel(.messageSent(let message)) = row.body { message.isForwarded == true } else { false }
        }
        #expect(copies.count == 3)
        await device.stop()
    }

    /// Runs a command of a guest and waits until it exits.
    private func roost(_ harness: ServerHarness, _ user: String, _ arguments: String...) async throws -> Child.Result {
        try await Child.roost(
            arguments + ["--as", user], server: harness.url, profile: user, in: harness.folder
        ).result()
    }

    @Test(.firstPassOnly) func `the command line forwards messages, creates votes, votes and shows results`()
        async throws
    {
        let harness = try await ServerHarness()
        let (ann, _, _) = try await people(harness)
        let text = try await ann.channel(Cast.club).send("pass it on").messageID.rawValue
        let forwarded = try await roost(
            harness, "bob", "message", "forward", "--channel", "club", "--into", "ann:bob", "--into", "none:x", text)
        #expect(forwarded.output == ["1 forwarded; \(text) to none:x: There is no such channel."])
        let copy = try await roost(harness, "ann", "message", "list", "--to", "bob")
        #expect(copy.output.last?.contains("Bob: [forwarded] pass it on") == true)
        let row = try #require(
            try await roost(harness, "ann", "message", "list", "--to", "bob", "--json").objects().last?["messageID"])
        let origin = try await roost(harness, "ann", "message", "origin", "--to", "bob", "\(row)", "--json").objects()
        #expect(origin.first?["channel"] as? String == "club" && origin.first?["senderName"] as? String == "Ann")

        let place = try SampleFile.write("place.jpg", in: harness.folder).path
        let put = try await roost(harness, "ann", "file", "put", "--json", place)
        let file = try #require(try put.objects().first?["fileID"] as? String)
        let image = #"{"type":"image","text":"new","file":{"fileID":"\#(file)"}}"#
        let asked = try await roost(
            harness, "ann", "vote", "create", "--channel", "club", "--option", "Soup", "--option", image,
            "--can-change",
            "Where do we eat?", "--json")
        let id = try #require(asked.objects().first?["messageID"] as? String)
        #expect(try await roost(harness, "bob", "vote", "cast", "--channel", "club", id, "2").status == 0)
        let shown = try await roost(harness, "bob", "vote", "show", "--channel", "club", id)
        #expect(
            shown.output == [
                "\(id)  open  Where do we eat?  (1 voted)", "  1) Soup  0", "  2) [image] place.jpg new  1  ✓",
            ])
        #expect(
            try await roost(harness, "ann", "vote", "ballots", "--channel", "club", id).output == ["Bob (bob)  2"])
        #expect(
            try await roost(harness, "ann", "vote", "list", "--channel", "club", "--limit", "1", "--json").output.count
                == 1)
        let late = try await roost(harness, "bob", "vote", "close", "--channel", "club", id, "--json")
        #expect(late.status == 1 && late.errors.contains("1107"))
        #expect(try await roost(harness, "ann", "vote", "close", "--channel", "club", id).status == 0)
        let closed = try await roost(harness, "bob", "vote", "cast", "--channel", "club", id, "1", "--json")
        #expect(closed.status == 1 && closed.errors.contains("1121"))
        let log = try await roost(harness, "bob", "message", "list", "--channel", "club").output
        #expect(log.contains { $0.hasSuffix("Ann: [voteImage] Where do we eat? (1) Soup (2) [image] place.jpg new") })
        #expect(log.contains { $0.hasSuffix("- Bob voted for 2: option 1: 0 and option 2: 1 (1 voter)") })
        #expect(log.last?.hasSuffix("- Ann closed a vote: option 1: 0 and option 2: 1 (1 voter)") == true)
        let call = try await roost(
            harness, "ann", "message", "send", "--channel", "club", "--type", "callRecorded", "--call", "c-1",
            "--call-result", "missed", "--call-duration", "0")
        #expect(call.status == 0)
        let line = try await roost(harness, "bob", "message", "list", "--channel", "club", "--limit", "1").output
        #expect(line.first?.hasSuffix("Ann: [callRecorded] voice, missed, 0 min 0 s") == true)
    }
}
