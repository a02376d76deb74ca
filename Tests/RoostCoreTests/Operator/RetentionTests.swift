import RoostCore
import RoostTesting
import RoostWire
import Testing

private let day: Int64 = 86_400_000

extension Stage {
    /// Advances the clock and purges rows that are old by then.
    fileprivate func age(_ ms: Int64) async {
        roost.clock.advance(by: ms)
        await settle()
    }
}

extension TestSession {
    /// The event of the last purge of a channel.
    fileprivate func purges(of id: ChannelID) -> [ChannelPurged] {
        rows(of: id).compactMap { if case .channel(.channelPurged(let purged)) = $0.body { purged } else { nil } }
    }
}

extension SQLDatabase {
    /// The number of rows of a channel in a table.
    fileprivate func rows(_ table: Query, of id: ChannelID) async throws -> Int64 {
        try await read { try $0.rows("SELECT COUNT(*) FROM \(table) WHERE channel = \(id)") { try $0.int(0) } }.first
            ?? 0
    }
}

/// All tables with data of a channel's rows.
private let tables: [Query] = [
    "channel_log", "mentions", "replies", "deletions", "forwards", "votes", "ballots",
]

@Suite struct RetentionTests {
    private func stage(
        _ backend: Backend, _ policies: [ChannelKind: RetentionPolicy], limits: Limits = .withoutRates
    ) async throws -> Stage {
        let stage = try await Stage(try TestCore(backend, limits: limits, retention: policies))
        try await stage.makeClub()
        try await stage.makePair()
        // The server looks for old rows again after the clock has moved.
        await stage.settle()
        return stage
    }

    @Test(arguments: Backend.available)
    func `a policy that is set while the server runs purges what is old at the next scan`(backend: Backend) async throws
    {
        let stage = try await stage(backend, [:])
        try await stage.ann.send("one", to: Cast.club)
        await stage.age(5 * day)
        try await stage.ann.send("two", to: Cast.club)
        #expect(stage.bob.purges(of: Cast.club).isEmpty)
        let core = stage.ann.harness.core
        try core.replace(limits: core.configuration.limits, retention: [.group: RetentionPolicy(keepFor: day)])
        await stage.age(3_600_000)
        #expect(stage.bob.purges(of: Cast.club) == [ChannelPurged(upTo: 1, count: 1)])
        try core.replace(limits: core.configuration.limits, retention: [:])
        await stage.age(5 * day)
        #expect(stage.bob.purges(of: Cast.club).count == 1)
    }

    @Test(arguments: Backend.available)
    func `messages older than the policy of their kind are purged for everybody, and everybody is told once`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend, [.group: RetentionPolicy(keepFor: 10 * day)])
        let (ann, bob) = (stage.ann, stage.bob)
        for text in ["one", "two", "three"] { try await ann.send(text, to: Cast.club) }
        try await ann.send("kept", to: Cast.annAndBob)
        await stage.age(5 * day)
        try await bob.send("four", to: Cast.club)
        try await bob.send("five", to: Cast.club)
        let before = try await bob.channel(Cast.club)
        await stage.forgetEvents()
        await stage.age(5 * day - 1)
        #expect(ann.purges(of: Cast.club).isEmpty)
        await stage.age(1)
        for session in [ann, bob, stage.cid] {
            #expect(session.purges(of: Cast.club) == [ChannelPurged(upTo: 3, count: 3)])
            let row = try #require(session.rows(of: Cast.club).last)
            #expect(row.seq == 6 && row.senderID == nil && row.transID == nil && row.sentAt == before.lastActivityAt)
            #expect(row.body.messageType == nil)
            #expect(session.rows(of: Cast.annAndBob).isEmpty)
        }
        #expect(stage.dee.events.isEmpty)
        // The channel keeps its place, and the remaining rows are as they were.
        let after = try await bob.channel(Cast.club)
        #expect(after.lastActivityAt == before.lastActivityAt && after.lastMessage == before.lastMessage)
        #expect(after.seq == 6 && after.count == 5 && after.purgedTo == 3 && after.memberCount == 3)
        #expect(try await bob.log(of: Cast.club).compactMap(\.seq) == [4, 5, 6])
        for after in [nil, 0, 2] as [Int64?] {
            let page = try await stage.cid.perform(ListMessages(channel: Cast.club, after: after, limit: 2))
            #expect(page.hasBefore == (after == nil), "\(String(describing: after))")
        }
        let first = try await stage.cid.perform(ListMessages(channel: Cast.club, before: 5))
        #expect(first.events.compactMap(\.seq) == [4] && !first.hasBefore)
        let around = try await stage.cid.perform(ListMessages(channel: Cast.club, around: 2))
        #expect(around.events.compactMap(\.seq) == [4, 5, 6] && !around.hasBefore)
        // A purged message is no longer unread.
        #expect(try await stage.cid.unread(Cast.club) == 2)
        #expect(try await stage.cid.channel(Cast.club).readSeq == 3)
        let why = try #require(try await stage.cid.perform(ExplainUnread(channel: Cast.club)).channels.first)
        #expect(why.count == 5 && why.readCount == 3 && why.unread == 2)
        #expect(try await ann.channel(Cast.annAndBob).purgedTo == nil)
        // Nothing more to do.
        await stage.age(1)
        #expect(try await ann.channel(Cast.club).seq == 6)
        // The rest is purged, and one row about this remains permanently.
        await stage.age(30 * day)
        #expect(bob.purges(of: Cast.club).last == ChannelPurged(upTo: 6, count: 5))
        for session in [ann, bob, stage.cid] {
            #expect(try await session.log(of: Cast.club).compactMap(\.seq) == [7])
            let channel = try await session.channel(Cast.club)
            #expect(
                channel.lastMessage == nil && channel.unread == 0 && channel.lastActivityAt == before.lastActivityAt)
            #expect(try await session.list().map(\.channel).contains(Cast.club))
        }
        for _ in 0..<3 { await stage.age(30 * day) }
        #expect(try await ann.channel(Cast.club).seq == 7)
        // A new message does not cause a purge of only the row about the last purge.
        try await ann.send("six", to: Cast.club)
        await stage.age(9 * day)
        #expect(try await ann.channel(Cast.club).seq == 8)
        await stage.age(day)
        #expect(bob.purges(of: Cast.club).last == ChannelPurged(upTo: 8, count: 6))
        #expect(try await bob.log(of: Cast.club).compactMap(\.seq) == [9])
    }

    @Test(arguments: Backend.available)
    func `the newest messages are kept by number, and a message that either part of a policy keeps stays`(
        backend: Backend
    ) async throws {
        let stage = try await stage(
            backend,
            [
                .group: RetentionPolicy(keepLast: 2), .single: RetentionPolicy(keepFor: day, keepLast: 2),
                .open: RetentionPolicy(keepLast: 1), .own: RetentionPolicy(keepLast: 1),
            ])
        try await stage.ann.perform(CreateChannel(kind: .own, members: [NewMember(Cast.ann.userID)]))
        let own = ChannelID(single: Cast.ann.userID, Cast.ann.userID)
        try await stage.bob.perform(JoinChannel(channel: Cast.lobby))
        for number in 1...4 {
            for id in [Cast.club, Cast.annAndBob, Cast.lobby, own] { try await stage.ann.send("\(number)", to: id) }
            // It does not count.
            try await stage.ann.perform(SendMessage(channel: Cast.club, type: "customQuiet", text: "quiet \(number)"))
        }
        await stage.age(1)
        func texts(_ id: ChannelID, _ session: TestSession) async throws -> [String] {
            try await session.log(of: id).compactMap(\.text)
        }
        #expect(try await texts(Cast.club, stage.bob) == ["3", "quiet 3", "4", "quiet 4"])
        #expect(try await texts(Cast.annAndBob, stage.bob) == ["1", "2", "3", "4"])
        #expect(try await texts(Cast.lobby, stage.cid) == ["4"])
        #expect(try await texts(own, stage.ann) == ["4"])
        #expect(stage.bob.purges(of: Cast.lobby) == [ChannelPurged(upTo: 3, count: 3)])
        let lobby = try await stage.cid.perform(Resume(channels: [ChannelPosition(channel: Cast.lobby, seq: 1)]))
        #expect(lobby.events.compactMap(\.seq) == [2, 3, 4, 5])
        #expect(lobby.events.map(\.name) == ["row.removed", "row.removed", "message.sent", "channel.purged"])
        #expect(try await stage.dee.channel(Cast.lobby).purgedTo == 3)
        let open = try await stage.dee.perform(ListOpenChannels()).channels
        #expect(open.first { $0.channel == Cast.lobby }?.purgedTo == 3)
        await stage.age(day)
        #expect(try await texts(Cast.annAndBob, stage.bob) == ["3", "4"])
    }

    @Test(arguments: Backend.available)
    func `a command on a purged message is refused as if it never existed, and a repeated one gets its answer again`(
        backend: Backend
    ) async throws {
        let stage = try await stage(
            backend, [.group: RetentionPolicy(keepLast: 2), .single: RetentionPolicy(keepLast: 100)])
        let (ann, bob) = (stage.ann, stage.bob)
        let send = SendMessage(channel: Cast.club, text: "@Bob one", mentions: [Mention(userID: Cast.bob.userID)])
        let sent = try await ann.perform(send, id: "sent")
        let one = try #require(sent.messageID)
        let vote = try await ann.perform(
            CreateVote(
                channel: Cast.club, subject: "?", vote: .between(2, closesAt: stage.roost.clock.now + 5 * day)),
            id: "vote")
        let asked = try #require(vote.messageID)
        let cast = try await bob.perform(CastVote(channel: Cast.club, messageID: asked, options: [1]), id: "cast")
        let copied = try await ann.perform(
            ForwardMessages(channel: Cast.club, messageIDs: [one], channels: [Cast.club, Cast.annAndBob]),
            id: "forward")
        let copy = try #require(copied.results.last?.messageID)
        let origin = try await bob.perform(GetOrigin(channel: Cast.annAndBob, messageID: copy))
        #expect(origin.messageID == one)
        let shell = try await ann.post("recalled", to: Cast.club)
        let recall = RecallMessages(channel: Cast.club, messageIDs: [shell])
        let recalled = try await ann.perform(recall, id: "recall")
        let gone = try await bob.perform(DeleteMessages([one], in: Cast.club), id: "delete")
        let answer = try await bob.post(SendMessage(channel: Cast.club, text: "answer", replyTo: asked))
        let last = try await bob.post("last", to: Cast.club)
        #expect(try await stage.cid.row(answer, in: Cast.club)?.message?.replyTo?.text == "?")
        await stage.forgetEvents()
        await stage.age(1)
        let purged = try #require(bob.purges(of: Cast.club).last)
        #expect(purged.upTo == answer.seq - 1)

        func code(_ command: some Command) async throws -> ErrorCode? { try await ann.refusal(command)?.entry }
        for id in [one, asked, shell] {
            #expect(try await code(GetMessages(channel: Cast.club, messageIDs: [id])) == .messageNotFound)
            #expect(try await code(ListMessages(channel: Cast.club, aroundMessage: id)) == .messageNotFound)
            #expect(try await code(SendMessage(channel: Cast.club, text: "x", replyTo: id)) == .messageNotFound)
            #expect(try await code(RecallMessages(channel: Cast.club, messageIDs: [id])) == .messageNotFound)
            #expect(try await code(DeleteMessages([id], in: Cast.club)) == .messageNotFound)
            #expect(try await code(SetReadMark(channel: Cast.club, messageID: id)) == .messageNotFound)
            #expect(try await code(CountReads(channel: Cast.club, messageIDs: [id])) == .messageNotFound)
            #expect(try await code(ListReaders(channel: Cast.club, messageID: id)) == .messageNotFound)
            let forward = ForwardMessages(channel: Cast.club, messageIDs: [id], channels: [Cast.annAndBob])
            #expect(try await code(forward) == .messageNotFound)
        }
        #expect(try await code(GetVotes(channel: Cast.club, messageIDs: [asked])) == .messageNotFound)
        #expect(try await code(CastVote(channel: Cast.club, messageID: asked, options: [0])) == .messageNotFound)
        #expect(try await code(CloseVote(channel: Cast.club, messageID: asked)) == .messageNotFound)
        #expect(try await code(ListBallots(channel: Cast.club, messageID: asked)) == .messageNotFound)
        #expect(try await ann.perform(ListVotes(channel: Cast.club)).votes.isEmpty)
        #expect(try await code(SetReadMark(channel: Cast.club, time: .init(milliseconds: 0))) == .messageNotFound)
        // The copy stays, but its origin cannot be found any more.
        #expect(try await bob.row(copy, in: Cast.annAndBob)?.message?.isForwarded == true)
        #expect(try await code(GetOrigin(channel: Cast.annAndBob, messageID: copy)) == .messageNotFound)
        // The answer has an empty snapshot.
        let reply = try #require(try await stage.cid.row(answer, in: Cast.club)?.message?.replyTo)
        #expect(reply.isRecalled == true && reply.text.isEmpty && reply.messageID == asked)
        #expect(try await stage.cid.row(last, in: Cast.club) != nil)

        // Repeated, each command gets its first answer; with another body it is 1119.
        #expect(try await ann.perform(send, id: "sent") == sent)
        let create = CreateVote(
            channel: Cast.club, subject: "?", vote: .between(2, closesAt: stage.roost.clock.now - 1 + 5 * day))
        #expect(try await ann.perform(create, id: "vote") == vote)
        #expect(
            try await bob.perform(CastVote(channel: Cast.club, messageID: asked, options: [1]), id: "cast") == cast)
        #expect(try await ann.perform(recall, id: "recall") == recalled)
        #expect(try await bob.perform(DeleteMessages([one], in: Cast.club), id: "delete") == gone)
        #expect(
            try await ann.refusal(SendMessage(channel: Cast.club, text: "other"), id: "sent")?.entry
                == .duplicateTransID)
        // A chain of sends continues after a purged one.
        try await ann.send("next", to: Cast.club, after: try transID("sent"))
        // At the closing time of the vote, no event is sent.
        await stage.age(6 * day)
        #expect(stage.all.allSatisfy { $0.events(named: .voteClosed).isEmpty })
        #expect(try await ann.perform(send, id: "sent") == sent)
    }

    @Test(arguments: Backend.available)
    func `nothing of a purged message stays in the database`(backend: Backend) async throws {
        let (database, resource) = try backend.makeDatabase()
        let roost = try TestCore(database: database, retention: [.group: RetentionPolicy(keepFor: day)])
        let stage = try await Stage(roost)
        try await stage.makeClub()
        let first = try await stage.ann.post(
            SendMessage(channel: Cast.club, text: "secret", mentions: [Mention(userID: Cast.bob.userID)]))
        _ = try await stage.bob.post(SendMessage(channel: Cast.club, text: "secret too", replyTo: first))
        try await stage.ann.perform(
            ForwardMessages(channel: Cast.club, messageIDs: [first], channels: [Cast.club]))
        let vote = try await stage.ann.perform(CreateVote(channel: Cast.club, subject: "secret?", vote: .between(2)))
        let asked = try #require(vote.messageID)
        try await stage.bob.perform(CastVote(channel: Cast.club, messageID: asked, options: [0]))
        try await stage.bob.delete(first, in: Cast.club)
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        for table in tables { #expect(try await database.rows(table, of: Cast.club) > 0) }
        let created = try channel("den")
        try await stage.ann.perform(CreateChannel(kind: .group, channel: created, members: [Cast.bob.userID]))
        try await stage.ann.send("secret of a channel that is dismissed", to: created)
        try await stage.ann.perform(DismissChannel(channel: created))
        await stage.age(8 * day)
        for table in tables {
            #expect(try await database.rows(table, of: Cast.club) == (table.isLog ? 1 : 0))
            #expect(try await database.rows(table, of: created) == 0)
        }
        let frames = try await database.read { try $0.rows("SELECT frame FROM channel_log") { try $0.content(0) } }
        #expect(frames.allSatisfy { !String(decoding: $0, as: UTF8.self).contains("secret") })
        await roost.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `users who were away and new members see the same as users who were there`(backend: Backend) async throws {
        let stage = try await stage(
            backend, [.group: RetentionPolicy(keepLast: 3)],
            limits: Limits(resumeRows: 8, sendsPerSecond: 0, channelSendsPerSecond: 0, commandsPerSecond: 0))
        for number in 1...4 { try await stage.ann.send("\(number)", to: Cast.club) }
        let away = try await stage.cid.perform(Resume(userSeq: 0))
        for round in 0..<3 {
            for number in 1...4 { try await stage.ann.send("\(round) \(number)", to: Cast.club) }
            await stage.age(1)
        }
        let log = try await stage.bob.log(of: Cast.club)
        let channel = try await stage.bob.channel(Cast.club)
        let upTo = try #require(channel.purgedTo)
        #expect(log.first?.seq == upTo + 1 && log.last?.seq == channel.seq)
        // Purged rows keep their numbers, so that a log has no gap; too many of them cause a reset.
        for seq in [0, 1, 4, upTo - 1, upTo, upTo + 1] {
            let position = [ChannelPosition(channel: Cast.club, seq: seq)]
            let page = try await stage.cid.perform(Resume(epoch: away.epoch, channels: position))
            if channel.seq - seq > 8 {
                #expect(page.resets.map(\.reason) == [.tooFar] && page.events.isEmpty)
                continue
            }
            #expect(page.resets.isEmpty && !page.hasMore)
            #expect(page.events.compactMap(\.seq) == Array(seq + 1...channel.seq))
            let (gone, kept) = (page.events.filter { $0.seq ?? 0 <= upTo }, page.events.filter { $0.seq ?? 0 > upTo })
            #expect(gone.allSatisfy { $0.name == EventName.rowRemoved.rawValue })
            #expect(kept == log.filter { ($0.seq ?? 0) > seq })
            let told = page.events.last.map {
                if case .channel(.channelPurged(let body)) = $0.body { body.upTo == upTo } else { false }
            }
            #expect(told == true)
        }
        // A later member sees what the channel shows, and starts with nothing unread.
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))
        #expect(try await stage.dee.log(of: Cast.club).map(\.seq) == log.map(\.seq) + [channel.seq + 1])
        #expect(try await stage.dee.unread(Cast.club) == 0)
        // If the user cleared beyond the purge, that stays; if the purge goes beyond it, the purge counts.
        try await stage.bob.perform(DeleteMessages(allIn: Cast.club))
        try await stage.ann.send("after", to: Cast.club)
        await stage.age(1)
        #expect(try await stage.bob.log(of: Cast.club).compactMap(\.text) == ["after"])
        for _ in 0..<5 { try await stage.ann.send("more", to: Cast.club) }
        await stage.age(1)
        #expect(try await stage.bob.log(of: Cast.club).compactMap(\.text) == ["more", "more", "more"])
        #expect(try await stage.bob.unread(Cast.club) == 3)
        for session in stage.all where session.userID != Cast.ann.userID {
            #expect(try await session.unread(Cast.club) == session.recount(Cast.club))
        }
    }

    @Test(arguments: Backend.available)
    func `reading by time begins after the purged rows`(backend: Backend) async throws {
        let stage = try await stage(backend, [.group: RetentionPolicy(keepFor: 100)])
        let start = stage.roost.clock.now
        for number in 0..<8 {
            stage.roost.clock.advance(by: 2)
            try await stage.ann.send("\(number)", to: Cast.club)
        }
        await stage.age(91)
        let purged = try #require(try await stage.bob.channel(Cast.club).purgedTo)
        #expect(purged == 3)
        func found(_ time: Int64, _ count: Int, in id: ChannelID?) async throws -> [Int64] {
            try await stage.bob.perform(QueryMessages(channel: id, time: time, count: count)).events.compactMap(\.seq)
        }
        for id in [Cast.club, nil] {
            #expect(try await found(0, 3, in: id) == [4, 5, 6])
            #expect(try await found(start + 6, 3, in: id) == [4, 5, 6])
            #expect(try await found(start + 8, 3, in: id) == [5, 6, 7])
            #expect(try await found(start + 8, -3, in: id).isEmpty)
            #expect(try await found(start + 9, -3, in: id) == [4])
            #expect(try await found(.max, -2, in: id) == [8, 9])
        }
        #expect(
            try await stage.bob.refusal(SetReadMark(channel: Cast.club, time: .init(milliseconds: start + 6)))?.code
                == 1118)
        try await stage.bob.perform(SetReadMark(channel: Cast.club, time: .init(milliseconds: start + 8)))
        #expect(try await stage.bob.channel(Cast.club).readSeq == 4)
        #expect(try await stage.bob.unread(Cast.club) == 4)
    }

    @Test(arguments: Backend.available)
    func `a big channel is hidden at once and purged bit by bit, through failures and restarts`(backend: Backend)
        async throws
    {
        let (inner, resource) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        let clock = TestClock()
        let policies: [ChannelKind: RetentionPolicy] = [.group: RetentionPolicy(keepFor: day)]
        var stage = try await Stage(try TestCore(database: database, clock: clock))
        try await stage.makeClub()
        try await stage.makePair()
        let texts = (0..<20).map { MessageContent(text: "\($0)") }
        for _ in 0..<80 { try await stage.ann.perform(SendMany(messages: texts, channels: [Cast.club])) }
        clock.advance(by: 2 * day)
        try await stage.ann.send("young", to: Cast.club)
        await stage.roost.core.stop()
        var told = 0
        var count = try await inner.rows("channel_log", of: Cast.club)
        #expect(count == 1_601)
        // Each of several processes ends after a turn that fails and one that purges some rows.
        for left in [1_102, 602, 102, 2] as [Int64] {
            stage = try await Stage(try TestCore(database: database, clock: clock, retention: policies))
            let before = try await stage.bob.channel(Cast.club)
            // All other work that is due is done, and this work fails.
            database.poison(statement: "DELETE FROM channel_log")
            await stage.roost.settle()
            #expect(database.resetPoisoned() == 1)
            #expect(try await inner.rows("channel_log", of: Cast.club) == count)
            #expect(try await stage.bob.channel(Cast.club) == before)
            database.poison(statement: nil)
            clock.advance(by: 1_000)
            // The other work in the background has its turns, too.
            for _ in 0..<10 where try await inner.rows("channel_log", of: Cast.club) == count {
                await stage.roost.turn()
            }
            count = try await inner.rows("channel_log", of: Cast.club)
            #expect(count == left)
            // Hidden with the first turn.
            #expect(try await stage.bob.channel(Cast.club).purgedTo == 1_600)
            #expect(try await stage.bob.log(of: Cast.club).compactMap(\.text) == ["young"])
            #expect(try await stage.bob.unread(Cast.club) == 1)
            // Every number is there, and nothing else of the purged rows.
            let rows = try await stage.bob.replay(Cast.club, after: 1_590)
            #expect(rows.compactMap(\.seq) == Array(1_591...1_602))
            #expect(rows.filter { $0.name == EventName.rowRemoved.rawValue }.count == 10)
            told += stage.bob.purges(of: Cast.club).count
            await stage.roost.core.stop()
        }
        #expect(told == 1)
        stage = try await Stage(try TestCore(database: database, clock: clock, retention: policies))
        await stage.age(1_000)
        #expect(try await inner.rows("channel_log", of: Cast.club) == 2)
        #expect(try await stage.ann.channel(Cast.club).seq == 1_602)
        await stage.roost.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(.enabled(if: Backend.available.contains(.postgres)))
    func `two processes on one database purge each row once`() async throws {
        let url = try Postgres.makeSchema()
        let clock = TestClock()
        let policies: [ChannelKind: RetentionPolicy] = [.group: RetentionPolicy(keepLast: 2)]
        let database = try Postgres.open(url)
        let first = try TestCore(database: database, clock: clock, retention: policies)
        let second = try TestCore(database: Postgres.open(url), clock: clock, retention: policies)
        let stage = try await Stage(first, and: second)
        try await stage.makeClub()
        for round in 0..<10 {
            for number in 0..<10 { try await stage.ann.send("\(round) \(number)", to: Cast.club) }
            clock.advance(by: 1)
            async let one: Void = first.settle()
            async let two: Void = second.settle()
            _ = await (one, two)
            // If they conflicted, the work is completed a little later.
            clock.advance(by: 10_000)
            await first.settle()
            await second.settle()
            #expect(try await stage.bob.log(of: Cast.club).compactMap(\.text) == ["\(round) 8", "\(round) 9"])
            // Each of the ten, and each purge, is one row.
            #expect(try await stage.cid.channel(Cast.club).seq == Int64(round + 1) * 11)
            #expect(try await database.rows("channel_log", of: Cast.club) == 3)
        }
        #expect(try await stage.bob.unread(Cast.club) == 2)
        await first.core.stop()
        await second.core.stop()
    }

    @Test func `a policy keeps every message that any of its parts keeps`() {
        let both = RetentionPolicy(keepFor: 10, keepLast: 3)
        #expect(both.keeps(sentAt: 91, behind: 9, now: 100) && both.keeps(sentAt: 0, behind: 2, now: 100))
        #expect(!both.keeps(sentAt: 90, behind: 3, now: 100))
        #expect(RetentionPolicy().keeps(sentAt: .min, behind: .max, now: .max))
        #expect(RetentionPolicy(keepFor: .max).keeps(sentAt: 0, behind: 0, now: 1))
    }
}

extension Query {
    /// Whether the statement names the table of the logs.
    fileprivate var isLog: Bool {
        if case .sql("channel_log") = pieces.first { true } else { false }
    }
}
