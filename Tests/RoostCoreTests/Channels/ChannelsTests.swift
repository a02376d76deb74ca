import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct ChannelsTests {
    @Test(arguments: Backend.available)
    func `two users always get the same channel, whoever starts it [J-14]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let first = try await stage.ann.perform(CreateChannel(kind: .single, members: [Cast.bob.userID]))
        let second = try await stage.ann.perform(CreateChannel(kind: .single, members: [Cast.bob.userID]))
        let third = try await stage.bob.perform(CreateChannel(kind: .single, members: [Cast.ann.userID]))
        #expect([first, second, third].map(\.channel) == Array(repeating: Cast.annAndBob, count: 3))
        let stranger = try await stage.ann.refusal(CreateChannel(kind: .single, members: [user("nobody").userID]))
        #expect(stranger?.entry == .userMissing)
        // Starting one with the own id gives the user's channel with themselves.
        let own = try await stage.ann.perform(CreateChannel(kind: .single, members: [Cast.ann.userID]))
        #expect(own.channel == ChannelID(single: Cast.ann.userID, Cast.ann.userID))
        #expect(try await stage.ann.channel(#require(own.channel)).kind == .own)
        let same = try await stage.ann.perform(CreateChannel(kind: .own))
        #expect(same.channel == own.channel)
        // The other user's list shows the channel from the first message on.
        #expect(try await stage.bob.list().isEmpty)
        try await stage.ann.send("hi", to: Cast.annAndBob)
        #expect(try await stage.bob.list().map(\.channel) == [Cast.annAndBob])
        #expect(try await stage.ann.list().count == 2)
    }

    @Test(arguments: Backend.available)
    func `starting a 1-on-1 answers with the channel of the two [JCB-8]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let answer = try await stage.ann.perform(CreateChannel(kind: .single, members: [Cast.bob.userID]))
        let channel = try await stage.ann.channel(#require(answer.channel))
        #expect(channel.members.map(\.userID) == [Cast.ann.userID, Cast.bob.userID])
        #expect(channel.memberCount == 2)
        guard case .user(.channelJoined(let joined))? = stage.ann.events(named: .channelJoined).first?.body else {
            Issue.record("the starter's devices were not told")
            return
        }
        #expect(joined.members == [Cast.ann, Cast.bob])
        #expect(!joined.isHidden)
        guard case .user(.channelJoined(let other))? = stage.bob.events(named: .channelJoined).first?.body else {
            Issue.record("the other user's devices were not told")
            return
        }
        #expect(other.isHidden)
        #expect(stage.cid.events.isEmpty)
    }

    @Test(arguments: Backend.available)
    func `a 1-on-1 takes one other user, no title and no id of its own`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let bob = Cast.bob.userID
        let table: [(CreateChannel, ErrorCode)] = [
            (CreateChannel(kind: .single), .dataFormat), (CreateChannel(kind: .single, members: []), .dataFormat),
            (CreateChannel(kind: .single, members: [bob, Cast.cid.userID]), .dataFormat),
            (CreateChannel(kind: .single, title: "x", members: [bob]), .dataFormat),
            (CreateChannel(kind: .own, members: [bob]), .dataFormat),
            (CreateChannel(kind: .own, members: []), .dataFormat),
            (CreateChannel(kind: .single, channel: Cast.club, members: [bob]), .channelIDFormat),
            (
                CreateChannel(kind: .single, channel: ChannelID(single: bob, Cast.cid.userID), members: [bob]),
                .channelIDFormat
            ),
            (CreateChannel(kind: .group, channel: Cast.annAndBob, members: [bob]), .channelIDFormat),
            (CreateChannel(kind: .open, channel: Cast.annAndBob), .channelIDFormat),
            (CreateChannel(kind: .open, channel: Cast.club, members: [bob]), .dataFormat),
            (CreateChannel(kind: .group, channel: Cast.club, title: ""), .dataFormat),
            (CreateChannel(kind: .group, channel: Cast.club, title: "a\u{0}"), .dataFormat),
            (CreateChannel(kind: .group, channel: Cast.club, title: String(repeating: "x", count: 201)), .dataFormat),
            (CreateChannel(kind: .group, channel: Cast.club, members: [try user("nobody").userID]), .userMissing),
        ]
        for (command, code) in table { #expect(try await stage.ann.refusal(command)?.code == code.code, "\(command)") }
        #expect(try await stage.ann.list().isEmpty)
        #expect(stage.all.allSatisfy { $0.events.isEmpty })
        #expect(try await stage.ann.refusal(GetChannel(channel: Cast.club))?.entry == .channelNotFound)
        let fits = CreateChannel(kind: .single, channel: Cast.annAndBob, members: [bob])
        #expect(try await stage.ann.perform(fits).channel == Cast.annAndBob)
    }

    @Test(arguments: Backend.available)
    func `a group has its maker as admin and its members at once`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let answer = try await stage.ann.perform(
            CreateChannel(
                kind: .group, title: "Club", members: [Cast.bob.userID, Cast.ann.userID]))
        let id = try #require(answer.channel)
        #expect(id.pair == nil)
        let channel = try await stage.bob.channel(id)
        #expect(channel.kind == .group)
        #expect(channel.title == "Club")
        #expect(channel.members.map(\.userID) == [Cast.ann.userID, Cast.bob.userID])
        #expect(channel.members.map(\.role) == [.admin, .participant])
        #expect(channel.role == .participant)
        #expect(channel.unread == 0)
        #expect(try await stage.bob.list().map(\.channel) == [id])
        let other = try await stage.ann.perform(CreateChannel(kind: .group))
        #expect(other.channel != id)
        let taken = try await stage.dee.refusal(CreateChannel(kind: .group, channel: id))
        #expect(taken?.entry == .channelIDExists)
    }

    @Test(arguments: Backend.available)
    func `a group has at most as many members as the limit says`(backend: Backend) async throws {
        let stage = try await Stage(backend, limits: Limits(members: 3))
        let others = [Cast.bob, Cast.cid, Cast.dee].map(\.userID)
        let tooMany = try await stage.ann.refusal(CreateChannel(kind: .group, channel: Cast.club, members: others))
        #expect(tooMany?.entry == .tooManyMembers)
        let fits = CreateChannel(kind: .group, channel: Cast.club, members: Array(others.prefix(2)))
        try await stage.ann.perform(fits)
        let invite = try await stage.ann.refusal(InviteMembers(channel: Cast.club, members: [others[2]]))
        #expect(invite?.entry == .tooManyMembers)
        #expect(try await stage.ann.channel(Cast.club).memberCount == 3)
    }

    @Test(arguments: Backend.available)
    func `the list holds the channels that the user is a member of [J-54]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.makeClub()
        try await stage.ann.perform(CreateChannel(kind: .own))
        try await stage.ann.send("not a messaging channel", to: Cast.lobby)
        try await stage.bob.perform(CreateChannel(kind: .group, channel: channel("other")))
        #expect(try await stage.ann.list().count == 3)
        #expect(try await stage.dee.list().isEmpty)
    }

    @Test(arguments: Backend.available)
    func `a row shows members, count, last message, its date and what is unread [J-55]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        stage.roost.clock.advance(by: 1_000)
        let sent = try await stage.bob.send("yo", to: Cast.annAndBob)
        let row = try #require(try await stage.ann.list().first)
        #expect(ChannelRules.title(of: row, for: Cast.ann.userID) == "Bob")
        #expect(row.memberCount == 2)
        #expect(row.lastMessage?.text == "yo")
        #expect(row.lastMessage?.sentAt == sent.sentAt)
        #expect(row.lastActivityAt == sent.sentAt)
        #expect(row.unread == 1)
        #expect(row.readSeq == 0)
        #expect(try await stage.bob.list().first?.unread == 0)
    }

    /// Creates forty groups of Ann's; the last one has the newest activity.
    private func makeForty(_ stage: Stage) async throws -> [ChannelID] {
        var ids: [ChannelID] = []
        for number in 10..<50 {
            stage.roost.clock.advance(by: 10)
            let id = try channel("g-\(number)")
            try await stage.ann.perform(CreateChannel(kind: .group, channel: id, members: [Cast.bob.userID]))
            try await stage.ann.send("first", to: id)
            ids.append(id)
        }
        return ids
    }

    @Test(arguments: Backend.available)
    func `the first page of the list has 15 rows, the newest activity first [J-57]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let ids = try await makeForty(stage)
        let page = try await stage.ann.perform(ListChannels())
        #expect(page.channels.map(\.channel) == Array(ids.reversed().prefix(15)))
        #expect(page.next != nil)
    }

    @Test(arguments: Backend.available)
    func `further pages bring the list to 30 and then 40 rows, and none comes twice [J-59]`(backend: Backend)
        async throws
    {
        let stage = try await Stage(backend)
        let ids = try await makeForty(stage)
        var rows: [ChannelID] = []
        var sizes: [Int] = []
        var next: String?
        repeat {
            let page = try await stage.ann.perform(ListChannels(cursor: next))
            // The same page again gives the same rows.
            #expect(try await stage.ann.perform(ListChannels(cursor: next)).channels == page.channels)
            rows += page.channels.map(\.channel)
            sizes.append(rows.count)
            next = page.next
        } while next != nil
        #expect(sizes == [15, 30, 40])
        #expect(rows == ids.reversed())
    }

    @Test(arguments: Backend.available)
    func `a row that moves between two pages hides no other row`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let ids = try await makeForty(stage)
        let first = try await stage.ann.perform(ListChannels())
        stage.roost.clock.advance(by: 10)
        try await stage.bob.send("moved", to: ids[0])
        try await stage.bob.send("moved", to: ids[30])
        var rows = Set(first.channels.map(\.channel))
        var next = first.next
        while next != nil {
            let page = try await stage.ann.perform(ListChannels(cursor: next))
            rows.formUnion(page.channels.map(\.channel))
            next = page.next
        }
        // The row that moved is known from its event; all the others are on the pages.
        #expect(rows.union([ids[0]]) == Set(ids))
    }

    @Test(arguments: Backend.available)
    func `channels with the same time are paged without loss`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        for number in 10..<30 {
            try await stage.ann.perform(CreateChannel(kind: .group, channel: channel("g-\(number)")))
        }
        var rows: [ChannelID] = []
        var next: String?
        repeat {
            let page = try await stage.ann.perform(ListChannels(limit: 3, cursor: next))
            rows += page.channels.map(\.channel)
            next = page.next
        } while next != nil
        #expect(rows.count == 20)
        #expect(Set(rows).count == 20)
    }

    @Test(arguments: Backend.available)
    func `a message brings its row to the top with one more unread [J-58]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let ids = try await makeForty(stage)
        let before = try await stage.ann.list()
        #expect(before.firstIndex { $0.channel == ids[33] } == 6)
        stage.roost.clock.advance(by: 10)
        try await stage.bob.send("here", to: ids[33])
        let after = try await stage.ann.list()
        #expect(after.count == 40)
        #expect(after.first?.channel == ids[33])
        #expect(after.first?.unread == 1)
        #expect(Array(after.dropFirst()).map(\.channel) == before.map(\.channel).filter { $0 != ids[33] })
        // A read mark changes the row in place.
        stage.roost.clock.advance(by: 10)
        try await stage.ann.perform(SetReadMark(channel: ids[5]))
        try await stage.bob.perform(SetReadMark(channel: ids[20]))
        #expect(try await stage.ann.list().map(\.channel) == after.map(\.channel))
    }

    @Test(arguments: Backend.available)
    func `a hidden channel is gone until its next message [JCB-12]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.makeClub()
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        try await stage.bob.send("one", to: Cast.annAndBob)
        await stage.forgetEvents()
        try await stage.ann.perform(HideChannel(channel: Cast.annAndBob))
        for device in [stage.ann, tablet] {
            guard case .user(.channelHidden(let hidden))? = device.events(named: .channelHidden).first?.body else {
                Issue.record("a device was not told")
                return
            }
            #expect(hidden.channels == [ChannelPosition(channel: Cast.annAndBob, seq: 1)])
            #expect(!hidden.isAll)
        }
        #expect(stage.bob.events.isEmpty)
        #expect(try await stage.ann.list().map(\.channel) == [Cast.club])
        #expect(try await stage.bob.list().count == 2)
        #expect(try await stage.ann.channel(Cast.annAndBob).isHidden == true)
        #expect(try await stage.bob.channel(Cast.annAndBob).isHidden == nil)
        #expect(try await stage.ann.log(of: Cast.annAndBob).count == 1)
        stage.roost.clock.advance(by: 10)
        try await stage.bob.send("two", to: Cast.annAndBob)
        let list = try await stage.ann.list()
        #expect(list.map(\.channel) == [Cast.annAndBob, Cast.club])
        let all = try await stage.ann.perform(QueryChannels()).channels
        #expect((list + all).allSatisfy { $0.isHidden == nil })
        #expect(try await stage.ann.log(of: Cast.annAndBob).map(\.text) == ["one", "two"])
    }

    @Test(arguments: Backend.available)
    func `hiding all empties the list and keeps the memberships [JCB-13]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.makeClub()
        try await stage.ann.perform(HideChannel())
        guard case .user(.channelHidden(let hidden))? = stage.ann.events(named: .channelHidden).first?.body else {
            Issue.record("the device was not told")
            return
        }
        #expect(hidden.isAll)
        #expect(hidden.channels.count == 2)
        #expect(try await stage.ann.list().isEmpty)
        #expect(try await stage.ann.channel(Cast.club).memberCount == 3)
        try await stage.ann.send("still a member", to: Cast.club)
        #expect(try await stage.ann.list().map(\.channel) == [Cast.club])
        // If there is nothing to hide, that is not an error.
        try await stage.dee.perform(HideChannel())
    }

    @Test(arguments: Backend.available)
    func `an ended 1-on-1 is gone from the list of the user who ended it and stays in the other's [JCB-10 XC-4]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.bob.send("one", to: Cast.annAndBob)
        try await stage.bob.send("two", to: Cast.annAndBob)
        await stage.forgetEvents()
        try await stage.ann.perform(EndChannel(channel: Cast.annAndBob))
        #expect(stage.ann.events(named: .channelEnded).count == 1)
        #expect(stage.bob.events.filter { $0.seq != nil || $0.userSeq != nil }.isEmpty)
        #expect(try await stage.ann.list().isEmpty)
        #expect(try await stage.ann.perform(GetUnread()).total == 0)
        #expect(try await stage.ann.log(of: Cast.annAndBob).isEmpty)
        #expect(try await stage.ann.channel(Cast.annAndBob).lastMessage == nil)
        #expect(try await stage.bob.list().map(\.channel) == [Cast.annAndBob])
        #expect(try await stage.bob.log(of: Cast.annAndBob).count == 2)
        // Clearing also reads: the other user sees the mark that the server has.
        await stage.settle()
        #expect(stage.bob.events(named: .readMarkMoved).count == 1)
        // The next message brings the channel back without what was cleared.
        try await stage.bob.send("three", to: Cast.annAndBob)
        let row = try #require(try await stage.ann.list().first)
        #expect(row.unread == 1)
        #expect(row.lastMessage?.text == "three")
        let page = try await stage.ann.perform(ListMessages(channel: Cast.annAndBob))
        #expect(page.events.map(\.seq) == [3])
        #expect(!page.hasBefore)
    }

    @Test(arguments: Backend.available)
    func `ending all leaves an empty list and no group [JCB-11]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.makeClub()
        try await stage.ann.send("one", to: Cast.annAndBob)
        try await stage.ann.send("one", to: Cast.club)
        await stage.forgetEvents()
        try await stage.bob.perform(EndChannel())
        guard case .user(.channelEnded(let ended))? = stage.bob.events(named: .channelEnded).first?.body else {
            Issue.record("the device was not told")
            return
        }
        #expect(ended.isAll)
        #expect(Set(ended.channels.map(\.channel)) == [Cast.annAndBob, Cast.club])
        #expect(try await stage.bob.list().isEmpty)
        #expect(try await stage.bob.perform(GetUnread()).total == 0)
        #expect(try await stage.bob.refusal(GetChannel(channel: Cast.club))?.entry == .notMember)
        #expect(try await stage.ann.channel(Cast.club).memberCount == 2)
        #expect(stage.ann.events(named: .memberLeft).count == 1)
        #expect(stage.bob.events(named: .channelLeft).count == 1)
        try await stage.dee.perform(EndChannel())
    }

    @Test(arguments: Backend.available)
    func `a page of the list has 1 to 100 rows and only a cursor that the server gave`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        for limit in [Int.min, -1, 0, 101, Int.max] {
            #expect(try await stage.ann.refusal(ListChannels(limit: limit))?.entry == .dataFormat, "\(limit)")
            #expect(try await stage.ann.refusal(ListOpenChannels(limit: limit))?.entry == .dataFormat, "\(limit)")
        }
        for limit in [1, 100] {
            #expect(try await stage.ann.refusal(ListChannels(limit: limit)) == nil)
            #expect(try await stage.ann.refusal(ListOpenChannels(limit: limit)) == nil)
        }
        for cursor in ["", "x", "/", "1/", "/club", "x/club", "99999999999999999999/club", "1/a b", "1//"] {
            #expect(try await stage.ann.refusal(ListChannels(cursor: cursor))?.entry == .dataFormat, "\(cursor)")
        }
        for cursor in ["\(Int64.max)/club", "\(Int64.min)/club", "-1/a:b"] {
            #expect(try await stage.ann.refusal(ListChannels(cursor: cursor)) == nil, "\(cursor)")
        }
        for cursor in ["", "'; --", "\u{0}", "😀", String(repeating: "x", count: 5_000)] {
            #expect(try await stage.ann.refusal(ListOpenChannels(cursor: cursor))?.entry == .dataFormat)
        }
    }
}
