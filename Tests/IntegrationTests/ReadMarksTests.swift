import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Read marks and unread counts: J-50 to J-53 and JCB-14.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ReadMarksTests {
    @Test func `marking read on connecting and on each message tells the others [J-50]`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        _ = try await harness.guest(Cast.ann, device: "earlier")
        let channel = try await bob.start(with: Cast.ann)
        for number in 1...3 { try await channel.send("\(number)") }

        let ann = try await harness.guest(Cast.ann)
        #expect(try await ann.client.unread().total == 3)
        let answer = try await ann.client.perform(SetReadMark(channel: Cast.annAndBob))
        #expect(answer.mark.seq == 3)
        #expect(answer.unread == 0)
        try await bob.wait("Ann's mark at 3") { $0.mark(of: Cast.ann.userID) == 3 }
        #expect(try await ann.client.unread().total == 0)

        let mark = bob.mark
        let sent = try await channel.send("4")
        try await ann.message("4")
        #expect(try await ann.client.unread().total == 1)
        try await ann.channel(Cast.annAndBob).markRead(upTo: sent.seq)
        try await bob.wait("Ann's mark at 4", since: mark) { $0.mark(of: Cast.ann.userID) == 4 }
        #expect(try await ann.client.unread().total == 0)
        let code = await refusal { () throws(RoostError) in try await ann.channel(Cast.lobby).markRead() }
        #expect(code == .server(.channelNotFound))
    }

    @Test func `the other members learn how far a member has read [JCB-14]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let cid = try await harness.guest(Cast.cid)
        _ = try await ann.client.createGroup(channel: Cast.club, members: [Cast.bob.userID, Cast.cid.userID])
        for number in 1...3 { try await ann.channel(Cast.club).send("\(number)") }
        try await bob.message("3")
        try await bob.channel(Cast.club).markRead(upTo: 2)
        for person in [ann, cid] {
            let told = try await person.wait("Bob's mark") { $0.mark(of: Cast.bob.userID) == 2 }
            #expect(told.row?.channel == Cast.club)
            guard case .ephemeral(.readMarkMoved(let moved)) = told.row?.body else { throw ExpectationFailure.other }
            #expect(moved.marks.first { $0.userID == Cast.bob.userID }?.$readAt ?? 0 > 0)
        }
    }

    @Test func `a read mark only moves forward, and a late smaller one has no effect [J-51]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let channel = try await bob.start(with: Cast.ann)
        for number in 1...5 { try await channel.send("\(number)") }
        #expect(try await ann.client.perform(SetReadMark(channel: Cast.annAndBob, seq: 5)).mark.seq == 5)
        try await bob.wait("Ann's mark at 5") { $0.mark(of: Cast.ann.userID) == 5 }
        let late = try await ann.client.perform(SetReadMark(channel: Cast.annAndBob, seq: 3))
        #expect(late.mark.seq == 5)
        #expect(late.unread == 0)
        try await channel.send("6")
        #expect(try await ann.client.perform(SetReadMark(channel: Cast.annAndBob, seq: 6)).mark.seq == 6)
        try await bob.wait("Ann's mark at 6") { $0.mark(of: Cast.ann.userID) == 6 }
        #expect(bob.events.compactMap { $0.mark(of: Cast.ann.userID) } == [5, 6])

        var marks = ReadMarks()
        marks.apply(try await bob.channel(Cast.annAndBob).get())
        marks.apply(
            ReadMarksMoved(
                marks: [ReadMark(userID: Cast.ann.userID, seq: 3, count: 3, readAt: .init(milliseconds: 1))], moved: 1))
        #expect(marks.readSeq(of: Cast.ann.userID) == 6)
    }

    @Test func `applying a channel merges the marks, drops former members and sets the title [J-52]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let cid = try await harness.guest(Cast.cid)
        let dee = try await harness.guest(Cast.dee)
        _ = try await ann.client.createGroup(
            channel: Cast.club, members: [Cast.bob.userID, Cast.cid.userID, Cast.dee.userID])
        for number in 1...4 { try await ann.channel(Cast.club).send("\(number)") }
        try await bob.channel(Cast.club).markRead(upTo: 3)
        try await dee.channel(Cast.club).markRead(upTo: 2)
        var marks = ReadMarks()
        let first = try await ann.channel(Cast.club).get()
        marks.apply(first)
        #expect(marks.readSeq(of: Cast.bob.userID) == 3)
        #expect(marks.readSeq(of: Cast.dee.userID) == 2)
        #expect(ChannelRules.screenTitle(of: first, for: Cast.ann.userID) == "Group(4)")

        // Bob's known mark is newer than the channel's data; Cid has read further, Dee has left.
        marks.apply(
            ReadMarksMoved(
                marks: [ReadMark(userID: Cast.bob.userID, seq: 9, count: 9, readAt: .init(milliseconds: 1))], moved: 1))
        try await cid.channel(Cast.club).markRead()
        try await dee.channel(Cast.club).leave()
        let second = try await ann.channel(Cast.club).get()
        marks.apply(second)
        #expect(marks.readSeq(of: Cast.bob.userID) == 9)
        #expect(marks.readSeq(of: Cast.cid.userID) == 4)
        #expect(marks.readSeq(of: Cast.ann.userID) == 4)
        #expect(marks.readSeq(of: Cast.dee.userID) == nil)
        #expect(ChannelRules.screenTitle(of: second, for: Cast.ann.userID) == "Group(3)")
    }

    @Test func `a message has the number of other members who have not read it [J-53]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let cid = try await harness.guest(Cast.cid)
        _ = try await ann.client.createGroup(channel: Cast.club, members: [Cast.bob.userID, Cast.cid.userID])
        let seq = try #require(try await ann.channel(Cast.club).send("yo").seq)
        var marks = ReadMarks()
        marks.apply(try await ann.channel(Cast.club).get())
        #expect(marks.unreadBy(seq: seq, viewer: Cast.ann.userID) == 2)
        for (reader, left) in [(bob, 1), (cid, 0)] {
            try await reader.channel(Cast.club).markRead(upTo: seq)
            let user = try #require(await reader.client.user).userID
            let told = try await ann.wait("mark of \(user)") { $0.mark(of: user) == seq }
            marks.apply(try #require(told.row))
            #expect(marks.unreadBy(seq: seq, viewer: Cast.ann.userID) == left)
        }
    }

    @Test func `sending moves the sender's read mark only if nothing before it is unread`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let channel = try await ann.start(with: Cast.bob)
        try await channel.send("one")
        #expect(try await channel.get().readSeq == 1)
        try await bob.message("one")
        try await bob.channel(Cast.annAndBob).send("two, with one unread")
        #expect(try await bob.channel(Cast.annAndBob).get().readSeq == 0)
        #expect(try await bob.client.unread().total == 1)
        #expect(try await ann.client.unread().total == 1)
    }
}

extension ClientEvent {
    /// The new mark of a user in this event.
    fileprivate func mark(of user: UserID) -> Int64? {
        guard case .ephemeral(.readMarkMoved(let moved)) = row?.body else { return nil }
        return moved.marks.first { $0.userID == user }?.seq
    }
}
