import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Pages of history and sending: J-23 to J-26 and J-34 to J-37.
@Suite(.serialized, .timeLimit(.minutes(1))) struct MessagesTests {
    @Test func `older pages go in front and newer rows to the end, so that a list ends up ascending [J-23]`()
        async throws
    {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let channel = try await bob.start(with: Cast.ann)
        for number in 1...9 { try await channel.send("\(number)") }
        try await ann.message("9")

        let mine = ann.channel(Cast.annAndBob)
        var list = try await mine.history(limit: 3).events
        list = try await mine.history(before: list.first?.seq, limit: 3).events + list
        list = try await mine.history(before: list.first?.seq, limit: 3).events + list
        let mark = ann.mark
        try await channel.send("10")
        list.append(try await ann.message("10", since: mark))
        #expect(list.compactMap(\.text) == (1...10).map { "\($0)" })
        #expect(list.map(\.seq) == (1...10).map { Int64($0) })
        let times = list.compactMap(\.sentAt)
        #expect(times == times.sorted())
    }

    @Test func `rows of every kind are the cursors for the pages before and after [J-24]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        _ = try await harness.guest(Cast.cid)
        let boss = try await harness.operatorRecordingClient()
        _ = try await ann.client.createGroup(channel: Cast.club, members: [Cast.bob.userID])
        try await ann.channel(Cast.club).send("text 1")
        try await ann.channel(Cast.club).invite([Cast.cid.userID])
        try await bob.channel(Cast.club).send("text 2")
        try await boss.channel(Cast.club).announce("announcement")
        try await bob.channel(Cast.club).send("text 3")

        let names = ["message.sent", "member.invited", "message.sent", "message.announced", "message.sent"]
        let mine = ann.channel(Cast.club)
        #expect(try await mine.history().events.map(\.name) == names)
        // The oldest row of the page is the server's line, the newest one is the announcement.
        let middle = try await mine.history(around: 3, limit: 3)
        let (first, last) = (try #require(middle.events.first), try #require(middle.events.last))
        #expect(first.name == "member.invited")
        #expect(last.name == "message.announced")
        #expect(try await mine.history(before: first.seq).events.compactMap(\.text) == ["text 1"])
        #expect(try await mine.history(after: #require(last.seq)).events.compactMap(\.text) == ["text 3"])
    }

    @Test func `pages before a position are strictly older and never overlap [J-25]`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        let channel = bob.channel(Cast.lobby)
        let sends = (1...120).map { channel.enqueue("\($0)") }
        for send in sends { _ = try await send.sent }

        var seqs: [[Int64]] = []
        var before: Int64?
        for _ in 0..<3 {
            let page = try await channel.history(before: before, limit: 50)
            seqs.append(page.events.compactMap(\.seq))
            before = page.events.first?.seq
            #expect(page.hasBefore == (before != 1))
        }
        #expect(seqs.map(\.count) == [50, 50, 20])
        #expect(seqs.reversed().flatMap(\.self) == Array(1...120))
        #expect(try await channel.history(before: before).events.isEmpty)
        for limit in [0, 101] {
            let code = await refusal { () throws(RoostError) in try await channel.history(limit: limit) }
            #expect(code == .server(.dataFormat))
        }
    }

    @Test
    func `pages after a position are strictly newer and ascending, and around a message it is in the middle [J-26]`()
        async throws
    {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        let channel = bob.channel(Cast.lobby)
        let sends = (1...120).map { channel.enqueue("\($0)") }
        for send in sends { _ = try await send.sent }

        let page = try await channel.history(after: 60, limit: 50)
        #expect(page.events.compactMap(\.seq) == Array(61...110))
        #expect(page.hasAfter)
        let last = try await channel.history(after: 110, limit: 50)
        #expect(last.events.compactMap(\.seq) == Array(111...120))
        #expect(!last.hasAfter)
        let anchor = try #require(page.events.first { $0.seq == 80 }?.messageID)
        let around = try await channel.history(around: anchor, limit: 20)
        #expect(around.events.compactMap(\.seq) == Array(70...89))
        #expect(around.hasBefore)
        #expect(around.hasAfter)
    }

    @Test(.firstPassOnly)
    func `a text given at once and a line ended with return are sent alike [J-34]`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        try await bob.channel(Cast.lobby).join()
        let button = try await Child.roost(
            ["send", "--as", "ann", "--channel", "lobby", "by the button"], server: harness.url, in: harness.folder
        ).result()
        #expect(button.status == 0)
        #expect(button.output == ["sent 1 to lobby"])
        let keys = try Child.roost(
            ["send", "--as", "ann", "--channel", "lobby", "-"], server: harness.url, in: harness.folder)
        try keys.write("by the return key\n")
        #expect(await keys.line() == "sent 2 to lobby")
        #expect(await keys.result().status == 0)
        var rows: [Event] = []
        for text in ["by the button", "by the return key"] {
            var row = try await bob.message(text)
            #expect(row.senderID == Cast.ann.userID && row.transID != nil && row.sentAt != nil)
            guard case .channel(.messageSent(var message)) = row.body else { throw ExpectationFailure.other }
            #expect(message.type == "text")
            // All other fields are equal.
            message.messageID = MessageID(sentAt: 0, seq: 0, salt: 0)
            (message.text, message.count) = ("", 0)
            (row.seq, row.transID, row.sentAt, row.body) = (nil, nil, nil, .channel(.messageSent(message)))
            rows.append(row)
        }
        #expect(rows.first == rows.last)
    }

    @Test(.firstPassOnly, arguments: ["", " ", "\n\t ", "\u{3000}"])
    func `empty text is not sent [J-35]`(text: String) async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let channel = try await ann.start(with: Cast.bob)
        let code = await refusal { () throws(RoostError) in try await channel.send(text) }
        #expect(code == .server(.invalidContent))
        try await channel.send("something")
        try await bob.message("something")
        #expect(bob.texts(in: Cast.annAndBob) == ["something"])
        #expect(try await channel.history().events.count == 1)
    }

    @Test(.needsBus) func `a send is followed by the end of typing at the others [J-36]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let channel = try await ann.start(with: Cast.bob)
        try await channel.typing(true)
        try await channel.send("yo")
        try await channel.typing(false)
        try await bob.event(.typingEnded, in: Cast.annAndBob)
        let names = bob.events.compactMap(\.row).filter { $0.channel == Cast.annAndBob }.map(\.name)
        #expect(names == ["typing.started", "message.sent", "typing.ended"])
    }

    @Test func `a sent message arrives at once with an id and a time of the server [J-37]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let channel = try await ann.start(with: Cast.bob)
        let before = Int64(Date().timeIntervalSince1970 * 1_000)
        let acknowledgement = try await channel.send("now")
        let row = try await bob.message("now")
        let after = Int64(Date().timeIntervalSince1970 * 1_000)
        #expect(row.messageID == acknowledgement.messageID)
        #expect(row.messageID != nil)
        #expect(row.transID == acknowledgement.transID)
        #expect(row.$sentAt == acknowledgement.sentAt.milliseconds)
        #expect((before - 1...after + 1).contains(acknowledgement.sentAt.milliseconds))
        #expect(bob.events.first { $0.text == "now" }?.isPast == false)
    }

    @Test func `the same transID sends once, and another text under it is refused`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let channel = try await ann.start(with: Cast.bob)
        let key = ann.client.makeTransID()
        let first = try await channel.send("once", transID: key)
        let again = try await channel.send("once", transID: key)
        #expect(first == again)
        let code = await refusal { () throws(RoostError) in try await channel.send("other", transID: key) }
        #expect(code == .server(.duplicateTransID))
        try await channel.send("end")
        try await bob.message("end")
        #expect(bob.texts(in: Cast.annAndBob) == ["once", "end"])
    }

    @Test func `a text of 8,000 UTF-16 units is sent, one more is refused`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let channel = try await ann.start(with: Cast.bob)
        let longest = String(repeating: "😀", count: 4_000)
        try await channel.send(longest)
        try await bob.message(longest)
        let code = await refusal { () throws(RoostError) in try await channel.send(longest + "x") }
        #expect(code == .server(.invalidContent))
    }
}
