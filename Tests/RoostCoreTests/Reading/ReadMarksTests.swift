import RoostCore
import RoostTesting
import RoostWire
import Testing

/// The read mark events that a session has received.
private func moves(_ session: TestSession) -> [ReadMarksMoved] {
    session.events.compactMap { event in
        if case .ephemeral(.readMarkMoved(let moved)) = event.body { moved } else { nil }
    }
}

@Suite struct ReadMarksTests {
    @Test(arguments: Backend.available)
    func `the others and the reader's own devices hear how far a member has read [JCB-14]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        let tablet = try await stage.roost.session(Cast.bob, device: "tablet")
        for text in ["one", "two", "three"] { try await stage.ann.send(text, to: Cast.annAndBob) }
        await stage.forgetEvents()
        stage.roost.clock.advance(by: 5)
        let answer = try await stage.bob.perform(SetReadMark(channel: Cast.annAndBob, seq: 2))
        await stage.settle()
        let mark = ReadMark(
            userID: Cast.bob.userID, seq: 2, count: 2, readAt: .init(milliseconds: stage.roost.clock.now))
        #expect(answer.mark == mark)
        #expect(answer.unread == 1)
        for session in [stage.ann, stage.bob, tablet] {
            #expect(moves(session) == [ReadMarksMoved(marks: [mark], moved: 1)])
        }
        #expect(moves(stage.cid).isEmpty)
        // Ephemeral: no log has a row for it.
        #expect(stage.ann.events(named: .readMarkMoved).allSatisfy { $0.seq == nil && $0.userSeq == nil })
        #expect(try await stage.ann.channel(Cast.annAndBob).seq == 3)
        #expect(try await stage.ann.channel(Cast.annAndBob).members.map(\.readSeq) == [3, 2])
    }

    @Test(arguments: Backend.available)
    func `marks are sent as usual if the writer has no room to cache channels`(backend: Backend) async throws {
        let (database, resource) = try backend.makeDatabase()
        let stage = try await Stage(try TestCore(database: database, cachedMembers: 1))
        try await stage.makePair()
        try await stage.makeClub()
        for channel in [Cast.annAndBob, Cast.club] { try await stage.ann.send("x", to: channel) }
        await stage.forgetEvents()
        for channel in [Cast.annAndBob, Cast.club] { try await stage.bob.perform(SetReadMark(channel: channel)) }
        await stage.settle()
        for session in [stage.ann, stage.bob] {
            #expect(moves(session).map { $0.marks.map(\.userID) } == [[Cast.bob.userID], [Cast.bob.userID]])
        }
        #expect(moves(stage.cid).count == 1)
        await stage.roost.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `a mark never moves back and never beyond the newest row [J-51 XC-7]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        for text in ["one", "two", "three", "four", "five"] { try await stage.ann.send(text, to: Cast.annAndBob) }
        await stage.forgetEvents()
        for (wanted, mark, unread) in [
            (3, 3, 2), (1, 3, 2), (0, 3, 2), (3, 3, 2), (4, 4, 1), (Int64.max, 5, 0), (5, 5, 0),
        ] {
            let answer = try await stage.bob.perform(SetReadMark(channel: Cast.annAndBob, seq: Int64(wanted)))
            #expect(answer.mark.seq == Int64(mark))
            #expect(answer.unread == unread)
            #expect(try await stage.bob.unread(Cast.annAndBob) == unread)
            await stage.settle()
        }
        #expect(moves(stage.ann).flatMap(\.marks).map(\.seq) == [3, 4, 5])
        for seq in [Int64.min, -1] {
            #expect(try await stage.bob.refusal(SetReadMark(channel: Cast.annAndBob, seq: seq))?.entry == .dataFormat)
        }
        #expect(try await stage.bob.perform(SetReadMark(channel: Cast.annAndBob)).mark.seq == 5)
    }

    @Test(arguments: Backend.available)
    func `a message is unread by those whose mark is older [J-53]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        let seq = try #require(try await stage.ann.send("read me", to: Cast.club).seq)
        func unreadBy() async throws -> Int {
            let members = try await stage.ann.channel(Cast.club).members
            let marks = Dictionary(uniqueKeysWithValues: members.map { ($0.userID, $0.readSeq) })
            return ReadRules.unreadBy(seq: seq, marks: marks, viewer: Cast.ann.userID)
        }
        #expect(try await unreadBy() == 2)
        try await stage.bob.perform(SetReadMark(channel: Cast.club, seq: seq))
        #expect(try await unreadBy() == 1)
        try await stage.cid.perform(SetReadMark(channel: Cast.club))
        #expect(try await unreadBy() == 0)
    }

    @Test(arguments: Backend.available)
    func `a new message counts one more for every member who has not read it`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.makeClub()
        await stage.forgetEvents()
        // Ann has opened no channel, but her device receives it.
        try await stage.bob.send("one", to: Cast.annAndBob)
        try await stage.bob.send("two", to: Cast.club)
        try await stage.cid.send("three", to: Cast.club)
        #expect(stage.ann.events.filter(\.isMessage).map(\.channel) == [Cast.annAndBob, Cast.club, Cast.club])
        let unread = try await stage.ann.perform(GetUnread())
        #expect(unread.total == 3)
        #expect(
            unread.channels == [
                ChannelUnread(channel: Cast.annAndBob, unread: 1, count: 1),
                ChannelUnread(channel: Cast.club, unread: 2, count: 2),
            ])
        #expect(try await stage.ann.perform(ListChannels()).totalUnread == 3)
        try await stage.ann.perform(SetReadMark(channel: Cast.club))
        #expect(try await stage.ann.perform(GetUnread()).channels.map(\.channel) == [Cast.annAndBob])
    }

    @Test(arguments: Backend.available)
    func `sending moves the read mark only if nothing before the message was unread`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.ann.send("one", to: Cast.annAndBob)
        #expect(try await stage.ann.channel(Cast.annAndBob).readSeq == 1)
        try await stage.bob.send("two, with one unread", to: Cast.annAndBob)
        #expect(try await stage.bob.channel(Cast.annAndBob).readSeq == 0)
        #expect(try await stage.bob.unread(Cast.annAndBob) == 1)
        #expect(try await stage.ann.unread(Cast.annAndBob) == 1)
        try await stage.bob.perform(SetReadMark(channel: Cast.annAndBob, seq: 1))
        #expect(try await stage.bob.unread(Cast.annAndBob) == 0)
        try await stage.bob.send("three, with none unread", to: Cast.annAndBob)
        #expect(try await stage.bob.channel(Cast.annAndBob).readSeq == 3)
        await stage.settle()
        // The last one leaves behind row 2, and only the server knows whether anything was unread there.
        #expect(moves(stage.ann).flatMap(\.marks).map(\.seq) == [1, 3])
    }

    @Test(arguments: Backend.available)
    func `a mark below own unread messages counts only those of others`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        for sender in [stage.ann, stage.bob, stage.ann, stage.bob, stage.bob, stage.ann] {
            try await sender.send("x", to: Cast.annAndBob)
        }
        for (seq, unread) in [(1, 2), (2, 2), (3, 1), (5, 1), (6, 0)] {
            let answer = try await stage.bob.perform(SetReadMark(channel: Cast.annAndBob, seq: Int64(seq)))
            #expect(answer.unread == unread, "\(seq)")
        }
    }

    @Test(arguments: Backend.available)
    func `with 50 members a mark is told with names, with 51 only as a number`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        var others: [UserID] = []
        for number in 0..<50 {
            let other = try user("u\(number)")
            stage.roost.disconnect(try await stage.roost.session(other))
            others.append(other.userID)
        }
        let members = [Cast.bob.userID] + others
        try await stage.ann.perform(
            CreateChannel(kind: .group, channel: Cast.club, members: Array(members.prefix(49))))
        try await stage.ann.send("one", to: Cast.club)
        await stage.forgetEvents()
        try await stage.bob.perform(SetReadMark(channel: Cast.club))
        await stage.settle()
        #expect(moves(stage.ann).map(\.moved) == [1])
        #expect(moves(stage.ann).flatMap(\.marks).map(\.userID) == [Cast.bob.userID])

        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [members[49]]))
        try await stage.ann.send("two", to: Cast.club)
        #expect(try await stage.ann.channel(Cast.club).memberCount == 51)
        let tablet = try await stage.roost.session(Cast.bob, device: "tablet")
        await stage.forgetEvents()
        try await stage.bob.perform(SetReadMark(channel: Cast.club))
        await stage.settle()
        #expect(moves(stage.ann) == [ReadMarksMoved(marks: [], moved: 1)])
        for own in [stage.bob, tablet] {
            #expect(moves(own).flatMap(\.marks).map(\.userID) == [Cast.bob.userID])
            #expect(own.events(named: .readMarkMoved).first?.channel == Cast.club)
        }
    }

    @Test(arguments: Backend.available)
    func `a user who opens the channel later finds the read marks in the member list`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        for text in ["one", "two"] { try await stage.ann.send(text, to: Cast.club) }
        stage.roost.clock.advance(by: 77)
        try await stage.bob.perform(SetReadMark(channel: Cast.club, seq: 1))
        let members = try await stage.cid.perform(ListMembers(channel: Cast.club)).members
        #expect(members.map(\.readSeq) == [2, 1, 0])
        #expect(members[1].$readAt == stage.roost.clock.now)
        #expect(members[2].$readAt == 0)
    }

    @Test(arguments: Backend.available)
    func `a send that leaves behind what its sender does not read announces the mark`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        // Read up to the row before: the others know where the mark is.
        try await stage.bob.send("one", to: Cast.club)
        await stage.settle()
        #expect(moves(stage.ann).isEmpty)
        // Bob deletes what he has not read.
        let unread = try #require(try await stage.ann.send("two", to: Cast.club).messageID)
        try await stage.bob.perform(DeleteMessages([unread], in: Cast.club))
        await stage.settle()
        #expect(moves(stage.ann).isEmpty)
        let seq = try #require(try await stage.bob.send("three", to: Cast.club).seq)
        await stage.settle()
        for session in [stage.ann, stage.bob, stage.cid] {
            #expect(moves(session).flatMap(\.marks).map(\.userID) == [Cast.bob.userID])
            #expect(moves(session).flatMap(\.marks).map(\.seq) == [seq])
        }
        #expect(try await stage.ann.channel(Cast.club).members[1].readSeq == seq)
        // Somebody who is behind stays there.
        await stage.forgetEvents()
        try await stage.cid.send("four", to: Cast.club)
        await stage.settle()
        #expect(moves(stage.ann).isEmpty)
    }

    @Test(arguments: Backend.available)
    func `a scheduled message announces the mark that it moves over others`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        let unread = try #require(try await stage.ann.send("unread", to: Cast.club).messageID)
        try await stage.bob.schedule(["later"], to: [Cast.club], at: stage.roost.clock.now + 120_000)
        try await stage.bob.perform(DeleteMessages([unread], in: Cast.club))
        await stage.forgetEvents()
        stage.roost.clock.advance(by: 119_999)
        try await stage.pass(1, until: 1, at: stage.bob)
        await stage.settle()
        #expect(moves(stage.ann).flatMap(\.marks).map(\.userID) == [Cast.bob.userID])
    }
}
