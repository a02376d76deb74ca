import RoostCore
import RoostTesting
import RoostWire
import Testing

extension TestSession {
    fileprivate func shown(
        before: Int64? = nil, after: Int64? = nil, around: Int64? = nil, limit: Int = 3,
        in channel: ChannelID = Cast.club
    ) async throws -> ListMessages.Answer {
        try await perform(
            ListMessages(
                channel: channel, before: before, after: after, around: around, limit: limit, onlyShown: true))
    }
}

extension ListMessages.Answer {
    fileprivate var seqs: [Int64] { events.compactMap(\.seq) }
}

/// Pages of what shows in a conversation, however many rows that show nothing are between.
@Suite struct LogPagesTests {
    /// 1 to 4 messages, 5 to 64 reactions to the last one, 65 a message, 66 a recall of it.
    private func stage(_ backend: Backend) async throws -> Stage {
        let stage = try await Stage(backend, isDevelopment: false)
        try await stage.makeClub()
        var last: MessageID?
        for number in 1...4 { last = try await stage.ann.post("\(number)", to: Cast.club) }
        let message = try #require(last)
        let emoji = [
            "😀", "😁", "😂", "😃", "😄", "😅", "😆", "😇", "😈", "😉", "😊", "😋", "😌", "😍", "😎", "😏", "😐", "😑",
            "😒", "😓",
        ]
        for session in [stage.ann, stage.bob, stage.cid] {
            for each in emoji { try await session.react(each, to: message) }
        }
        let gone = try await stage.ann.post("gone", to: Cast.club)
        try await stage.ann.perform(RecallMessages(channel: Cast.club, messageIDs: [gone], isSilent: false))
        return stage
    }

    @Test(arguments: Backend.available)
    func `a page of what shows has the messages before sixty reactions, and tells which rows it covers`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        let all = try await stage.bob.perform(ListMessages(channel: Cast.club))
        #expect(all.seq == 66 && all.seqs == Array(17...66) && all.from == 17 && all.to == 66)

        let newest = try await stage.bob.shown()
        #expect(newest.seqs == [3, 4, 65] && newest.from == 3 && newest.to == 66 && newest.seq == 66)
        #expect(newest.hasBefore && !newest.hasAfter)
        #expect(newest.events[1].reactions?.kinds.map(\.count) == Array(repeating: 3, count: 20))
        let older = try await stage.bob.shown(before: newest.from)
        #expect(older.seqs == [1, 2] && older.from == 1 && older.to == 2 && !older.hasBefore && older.hasAfter)
        let newer = try await stage.bob.shown(after: 2)
        #expect(newer.seqs == [3, 4, 65] && newer.from == 3 && newer.to == 66)
        #expect(newer.hasBefore && !newer.hasAfter)
        let next = try await stage.bob.shown(after: 2, limit: 2)
        #expect(next.seqs == [3, 4] && next.to == 4 && next.hasAfter)
        let rest = try await stage.bob.shown(after: next.to, limit: 2)
        #expect(rest.seqs == [65] && rest.from == 5 && rest.to == 66 && !rest.hasAfter)
        let around = try await stage.bob.shown(around: 30, limit: 4)
        #expect(around.seqs == [3, 4, 65] && around.from == 3 && around.to == 66 && around.hasBefore)
        let nothing = try await stage.bob.shown(after: 66)
        #expect(nothing.seqs == [] && nothing.from == 67 && nothing.to == 66 && !nothing.hasAfter)
        let first = try await stage.bob.shown(before: 1)
        #expect(first.seqs == [] && first.from == 1 && first.to == 0 && !first.hasBefore)
    }

    @Test(arguments: Backend.available)
    func `the rows that a page of what shows leaves out are those whose type does not show`(backend: Backend)
        async throws
    {
        let stage = try await stage(backend)
        try await stage.ann.perform(SetChannelProfile(channel: Cast.club, profile: ChannelProfile(title: "Tea")))
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))
        let all = try await stage.bob.log(of: Cast.club)
        let wanted = all.filter { EventName(rawValue: $0.name)?.isShown == true }
        #expect(wanted.count == 7 && wanted.count < all.count)
        #expect(try await stage.bob.shown(limit: 100).events == wanted)
        var read: [Event] = []
        var before: Int64?
        repeat {
            let page = try await stage.bob.shown(before: before, limit: 2)
            read = page.events + read
            before = page.hasBefore ? page.from : nil
        } while before != nil
        #expect(read == wanted)
        let byTime = try await stage.bob.perform(
            QueryMessages(
                channel: Cast.club, time: .init(milliseconds: 0), direction: .after, limit: 100, onlyShown: true))
        #expect(byTime.events == wanted)
        var cursor: String?
        var found: [Event] = []
        repeat {
            let page = try await stage.bob.perform(
                QueryMessages(
                    time: .init(milliseconds: .max), direction: .before, limit: 7, cursor: cursor, onlyShown: true))
            found = page.events + found
            cursor = page.next
        } while cursor != nil
        #expect(found == wanted)
    }

    @Test(arguments: Backend.available)
    func `one page examines a bounded number of rows, and the next one goes on behind them`(backend: Backend)
        async throws
    {
        let stage = try await Stage(backend, isDevelopment: false)
        try await stage.makeClub()
        let id = try await stage.ann.post("first", to: Cast.club)
        // 2,200 rows that do not show.
        for _ in 0..<1_100 {
            try await stage.bob.react("👍", to: id)
            try await stage.bob.removeReaction("👍", from: id)
        }
        let page = try await stage.cid.shown()
        #expect(page.events.isEmpty && page.hasBefore && page.from == 202 && page.to == 2_201)
        let older = try await stage.cid.shown(before: page.from)
        #expect(older.seqs == [1] && !older.hasBefore && older.from == 1 && older.to == 201)
        let newer = try await stage.cid.shown(after: 1)
        #expect(newer.events.isEmpty && newer.hasAfter && newer.from == 2 && newer.to == 2_001)
        let end = try await stage.cid.shown(after: newer.to)
        #expect(end.events.isEmpty && !end.hasAfter && end.to == 2_201)
    }

    @Test(arguments: Backend.available)
    func `pages of what shows hide what a reader may not see, as all pages do`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let third = try #require(try await stage.bob.log(of: Cast.club)[2].messageID)
        try await stage.bob.perform(DeleteMessages([third], in: Cast.club))
        #expect(try await stage.bob.shown().seqs == [2, 4, 65])
        #expect(try await stage.cid.shown().seqs == [3, 4, 65])
        #expect(
            try await stage.dee.refusal(ListMessages(channel: Cast.club, onlyShown: true))?.entry
                == .channelNotFound)
    }
}
