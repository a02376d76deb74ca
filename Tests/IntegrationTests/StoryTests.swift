import RoostClient
import RoostTesting
import RoostWire
import Testing

/// From an open channel to a 1-on-1: one story, three users, one real server.
@Suite(.timeLimit(.minutes(1))) struct StoryTests {
    @Test(.needsBus)
    func `three users meet in an open channel, and two of them continue in a 1-on-1 that becomes a group`()
        async throws
    {
        let harness = try await ServerHarness()
        func person(_ user: User) async throws -> RecordingClient {
            try await harness.guest(
                User(
                    userID: user.userID, name: user.name, imageURL: "https://example.org/\(user.userID).png"))
        }
        let (ann, bob, cid) = (try await person(Cast.ann), try await person(Cast.bob), try await person(Cast.cid))
        let people = [ann, bob, cid]

        // They join the lobby, which already has messages.
        let boss = try await harness.operatorRecordingClient()
        let past = (1...60).map { boss.channel(Cast.lobby).enqueue("old \($0)") }
        for send in past { _ = try await send.sent }
        for person in people {
            try await person.channel(Cast.lobby).join()
            let page = try await person.channel(Cast.lobby).history()
            #expect(page.events.compactMap(\.text) == (11...60).map { "old \($0)" })
        }

        // Bob says hello, an operator announces something, and Ann starts a 1-on-1 with Bob.
        try await boss.channel(Cast.lobby).announce("be nice")
        try await bob.channel(Cast.lobby).send("hello")
        for person in people {
            try await person.message("hello", in: Cast.lobby)
            #expect(person.texts(in: Cast.lobby) == ["be nice", "hello"])
        }
        #expect(try await ann.event(.messageAnnounced).senderID == nil)
        let sender = try #require(try await ann.message("hello").senderID)
        let pair = try await ann.client.startMessaging(with: sender)
        #expect(pair.channel == Cast.annAndBob)
        #expect(pair.members.map(\.name) == ["Ann", "Bob"])
        #expect(try await ann.client.startMessaging(with: sender).channel == pair.channel)

        try await readsTheConversation(ann, bob)
        let group = try await becomesAGroup(ann, bob, cid)
        try await countsWhoHasRead(ann, bob, cid, group)
        try await goesBackToTheList(ann, bob, group)
        harness.stop()
    }

    /// 120 messages: the newest page, its title and mark, and one message between the page and the live events.
    private func readsTheConversation(_ ann: RecordingClient, _ bob: RecordingClient) async throws {
        let sends = (1...120).map { bob.channel(Cast.annAndBob).enqueue("m\($0)") }
        for send in sends { _ = try await send.sent }
        let mine = ann.channel(Cast.annAndBob)
        let channel = try await mine.get()
        #expect(ChannelRules.screenTitle(of: channel, for: Cast.ann.userID) == "Bob")
        #expect(channel.unread == 120)
        let page = try await mine.history()
        var shown = page.events.compactMap(\.text)
        #expect(shown == (71...120).map { "m\($0)" })

        try await bob.channel(Cast.annAndBob).send("m121")
        let mark = bob.mark
        for try await event in mine.events(after: page.events.last?.seq) {
            guard let text = event.text else { continue }
            shown.append(text)
            if text == "m122" { break }
            if text == "m121" {
                try await mine.markRead()
                try await bob.channel(Cast.annAndBob).send("m122")
            }
        }
        #expect(shown == (71...122).map { "m\($0)" })
        try await bob.event(.readMarkMoved, in: Cast.annAndBob, since: mark)
        #expect(try await bob.channel(Cast.annAndBob).get().members.first?.readSeq == 121)
        let older = try await mine.history(before: page.events.first?.seq)
        #expect(older.events.compactMap(\.text) == (21...70).map { "m\($0)" })
        #expect(try await mine.history(before: older.events.first?.seq).events.count == 20)
    }

    /// Bob types and invites Cid into a new group, where the typing of both is shown and repaired.
    private func becomesAGroup(_ ann: RecordingClient, _ bob: RecordingClient, _ cid: RecordingClient) async throws
        -> ChannelID
    {
        var typing = TypingUsers(viewer: Cast.ann.userID)
        try await bob.channel(Cast.annAndBob).typing(true)
        typing.apply(try await ann.event(.typingStarted, in: Cast.annAndBob), now: .init(milliseconds: 0))
        #expect(typing.names == ["Bob"])
        #expect(typing.count == 1)
        try await bob.channel(Cast.annAndBob).typing(false)

        let group = try await bob.channel(Cast.annAndBob).invite([Cast.cid.userID])
        #expect(group != Cast.annAndBob)
        for person in [ann, bob, cid] {
            try await person.event(.memberInvited, in: group)
            try await person.wait("update") { $0.updated == group }
            let channel = try await person.channel(group).get()
            #expect(channel.memberCount == 3)
            let viewer = try #require(await person.client.user).userID
            #expect(ChannelRules.screenTitle(of: channel, for: viewer) == "Group(3)")
        }
        #expect(try await ann.channel(group).history().events.map(\.name) == ["member.invited"])
        #expect(try await ann.channel(Cast.annAndBob).get().memberCount == 2)

        typing = TypingUsers(viewer: Cast.ann.userID)
        let mark = ann.mark
        try await bob.channel(group).typing(true)
        typing.apply(try await ann.event(.typingStarted, in: group, since: mark), now: .init(milliseconds: 0))
        let later = ann.mark
        try await cid.channel(group).typing(true)
        let ofCid = try await ann.event(.typingStarted, in: group, since: later)
        typing.apply(ofCid, now: .init(milliseconds: 2_000))
        #expect(typing.names == ["Bob", "Cid"])
        // The end of Bob's typing is lost; Cid's typing is reported again.
        typing.apply(ofCid, now: .init(milliseconds: 5_000))
        typing.expire(now: .init(milliseconds: 10_000))
        #expect(typing.names == ["Cid"])
        return group
    }

    /// Ann sends a message; each reader lowers its unread count; a former member is no longer counted.
    private func countsWhoHasRead(
        _ ann: RecordingClient, _ bob: RecordingClient, _ cid: RecordingClient, _ group: ChannelID
    ) async throws {
        let nothing = await refusal { () throws(RoostError) in try await ann.channel(group).send("") }
        #expect(nothing == .server(.invalidContent))
        try await ann.channel(group).typing(true)
        let seq = try #require(try await ann.channel(group).send("yo").seq)
        try await ann.channel(group).typing(false)
        for person in [bob, cid] {
            try await person.event(.typingEnded, in: group)
            #expect(person.texts(in: group) == ["yo"])
        }
        try await ann.message("yo")
        #expect(ann.texts(in: group) == ["yo"])

        var marks = ReadMarks()
        marks.apply(try await ann.channel(group).get())
        #expect(marks.unreadBy(seq: seq, viewer: Cast.ann.userID) == 2)
        for (reader, user, left) in [(bob, Cast.bob, 1), (cid, Cast.cid, 0)] {
            try await reader.channel(group).markRead()
            let told = try await ann.wait("mark of \(user.name)") { event in
                guard case .ephemeral(.readMarkMoved(let moved)) = event.row?.body else { return false }
                return moved.marks.contains { $0.userID == user.userID && $0.seq == seq }
            }
            marks.apply(try #require(told.row))
            #expect(marks.unreadBy(seq: seq, viewer: Cast.ann.userID) == left)
        }
        #expect(try await bob.client.perform(SetReadMark(channel: group, seq: 1)).mark.seq == seq)
        try await bob.channel(group).leave(successor: Cast.ann.userID)
        marks.apply(try await ann.event(.memberLeft, in: group))
        #expect(marks.readSeq(of: Cast.bob.userID) == nil)
        let members = try await ann.channel(group).members()
        #expect(members.map(\.userID) == [Cast.ann.userID, Cast.cid.userID])
    }

    /// Ann's list of 40: pages of 15 without duplicates, and the oldest channel moves to the top when Bob writes in it.
    private func goesBackToTheList(_ ann: RecordingClient, _ bob: RecordingClient, _ group: ChannelID) async throws {
        var ids = [Cast.annAndBob, group]
        for number in 1...38 {
            let id = try channelID("c\(number)")
            _ = try await bob.client.createGroup(channel: id, members: [Cast.ann.userID])
            try await bob.channel(id).send("in \(number)")
            ids.append(id)
        }
        let order = Array(ids.reversed())
        var rows: [Channel] = []
        var sizes: [Int] = []
        var next: String?
        repeat {
            let page = try await ann.client.channels(cursor: next)
            rows += page
            sizes.append(page.count)
            next = page.next
        } while next != nil
        #expect(sizes == [15, 15, 10])
        #expect(rows.map(\.channel) == order)
        let row = try #require(rows.first)
        #expect(ChannelRules.title(of: row, for: Cast.ann.userID) == "Bob")
        #expect(row.memberCount == 2)
        #expect(row.lastMessage?.text == "in 38")
        #expect(row.unread == 1)

        let oldest = Cast.annAndBob
        try await ann.channel(oldest).markRead()
        let mark = ann.mark
        try await bob.channel(oldest).send("are you there?")
        try await ann.wait("update", since: mark) { $0.updated == oldest }
        let page = try await ann.client.channels()
        #expect(page.map(\.channel) == [oldest] + order.filter { $0 != oldest }.prefix(14))
        #expect(page.first?.unread == 1)
        #expect(try await ann.client.perform(ListChannels()).totalUnread == 39)
        #expect(try await ann.channel(oldest).history(limit: 1).events.first?.text == "are you there?")
    }
}
