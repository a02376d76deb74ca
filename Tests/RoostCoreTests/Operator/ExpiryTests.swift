import RoostCore
import RoostTesting
import RoostWire
import Testing

/// The number of a user's rows in a table, and whether they are contiguous.
private struct Left: Equatable {
    var first: Int64
    var last: Int64
    var count: Int64

    var isDense: Bool { count == 0 || count == last - first + 1 }
}

extension SQLDatabase {
    fileprivate func keys(of user: User) async throws -> Int64 {
        try await read { connection in
            try connection.rows("SELECT COUNT(*) FROM command_keys WHERE user_id = \(user.userID)") { try $0.int(0) }
        }.first ?? 0
    }

    fileprivate func userRows(of user: User) async throws -> Left {
        try await read { connection in
            try connection.rows(
                """
                SELECT COALESCE(MIN(seq), 0), COALESCE(MAX(seq), 0), COUNT(*) FROM user_log
                WHERE user_id = \(user.userID)
                """
            ) { Left(first: try $0.int(0), last: try $0.int(1), count: try $0.int(2)) }
        }.first ?? Left(first: 0, last: 0, count: 0)
    }

    /// Inserts the keys and the rows of the user's own log that many commands would have left at these times.
    fileprivate func fill(_ user: User, keysAt: [Int64], rowsAt: [Int64]) throws {
        let id = SQLValue.text(user.userID.rawValue)
        let keys = keysAt.enumerated().map { number, time in
            [id, .text("old-\(number)"), .int(1), .int(time), .blob(Array("{}".utf8))]
        }
        let rows = try rowsAt.enumerated().map { number, time in
            let body = UserRowBody.channelHidden(ChannelsHidden(channels: [], isAll: true))
            let event = Event(
                userSeq: Int64(number) + 1, senderID: user.userID, sentAt: .init(milliseconds: time), body: .user(body))
            return [id, .int(Int64(number) + 1), .int(time), .blob(try WireCodec.encode(event))]
        }
        try write { connection in
            try connection.write(
                keys, Upsert("command_keys", ["user_id", "trans_id", "hash", "sent_at", "answer"]))
            try connection.write(rows, Upsert("user_log", ["user_id", "seq", "sent_at", "frame"]))
            try connection.write(
                [[id, .text(user.name), .null, .int(Int64(rows.count)), .int(rowsAt.last ?? 0)]],
                Upsert("users", ["id", "name", "image_url", "seq", "last_sent_at"]))
        }
    }
}

extension Stage {
    fileprivate func age(_ ms: Int64) async {
        roost.clock.advance(by: ms)
        await settle()
    }
}

/// The times of this many events, several per ms; the last one is just too old to be kept.
private func times(_ count: Int, _ keptFor: Int64, before now: Int64) -> [Int64] {
    (0..<count).map { now - keptFor - Int64((count - 1 - $0) / 7) }
}

@Suite struct ExpiryTests {
    @Test(arguments: Backend.available)
    func `a repeated command gets its first answer for seven days, and then it is carried out once more`(
        backend: Backend
    ) async throws {
        let (database, resource) = try backend.makeDatabase()
        let stage = try await Stage(try TestCore(database: database))
        try await stage.makeClub()
        let ann = stage.ann
        let group = CreateChannel(kind: .group, title: "Tea")
        let made = try await ann.perform(group, id: "make")
        let several = SendMany(messages: [MessageContent(text: "several")], channels: [Cast.club])
        let sent = try await ann.perform(several, id: "many")
        let text = SendMessage(channel: Cast.club, text: "one")
        let one = try await ann.perform(text, id: "one")
        await stage.age(RetentionRules.transIDs - 1)
        #expect(try await ann.perform(group, id: "make") == made)
        #expect(try await ann.perform(several, id: "many") == sent)
        #expect(try await ann.refusal(CreateChannel(kind: .group), id: "make")?.entry == .duplicateTransID)
        await stage.age(1)
        #expect(try await database.keys(of: Cast.ann) == 0)
        // Both exist: that of the first time and that of the second.
        let again = try await ann.perform(group, id: "make")
        #expect(again.channel != made.channel)
        #expect(try await ann.list().filter { $0.title == "Tea" }.count == 2)
        #expect(try await ann.perform(several, id: "many").results.compactMap(\.seq) == [3])
        #expect(try await ann.perform(group, id: "make") == again)
        // The key of a message stays as long as the message.
        await stage.age(1_000 * RetentionRules.transIDs)
        #expect(try await ann.perform(text, id: "one") == one)
        #expect(
            try await ann.refusal(SendMessage(channel: Cast.club, text: "two"), id: "one")?.entry == .duplicateTransID)
        #expect(try await stage.bob.log(of: Cast.club).compactMap(\.text) == ["several", "one", "several"])
        await stage.roost.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `a send of which nothing is left is unknown to the next one, which can be sent without naming it`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(try TestCore(backend, retention: [.group: RetentionPolicy(keepLast: 1)]))
        try await stage.makeClub()
        await stage.settle()
        let one = SendMessage(channel: Cast.club, text: "one")
        let first = try await stage.ann.perform(one, id: "one")
        try await stage.ann.send("two", to: Cast.club, id: "two", after: transID("one"))
        await stage.age(1)
        #expect(try await stage.bob.log(of: Cast.club).compactMap(\.text) == ["two"])
        #expect(try await stage.ann.perform(one, id: "one") == first)
        try await stage.ann.send("three", to: Cast.club, id: "three", after: transID("one"))
        await stage.age(RetentionRules.transIDs)
        let four = SendMessage(channel: Cast.club, text: "four", after: try transID("one"))
        #expect(try await stage.ann.refusal(four, id: "four")?.entry == .orderBroken)
        try await stage.ann.send("four", to: Cast.club, id: "four")
        let second = try await stage.ann.perform(one, id: "one")
        #expect(second.messageID != first.messageID)
        #expect(try await stage.bob.log(of: Cast.club).compactMap(\.text) == ["three", "four", "one"])
    }

    @Test(arguments: Backend.available)
    func `a user's own log is kept for ninety days, and a device with an older position is informed`(
        backend: Backend
    ) async throws {
        let (database, resource) = try backend.makeDatabase()
        let stage = try await Stage(try TestCore(database: database))
        let ann = stage.ann
        func resume(_ from: Int64?) async throws -> Resume.Answer {
            try await ann.perform(Resume(epoch: stage.roost.core.epoch, userSeq: from))
        }
        try await stage.makeClub()
        try await stage.makePair()
        await stage.age(RetentionRules.userLog - 1)
        try await ann.perform(HideChannel(channel: Cast.club))
        #expect(try await resume(0).events.compactMap(\.userSeq) == [1, 2, 3])
        await stage.age(1)
        #expect(try await database.userRows(of: Cast.ann) == Left(first: 3, last: 3, count: 1))
        for from in [0, 1] as [Int64] {
            let page = try await resume(from)
            #expect(page.resets == [Reset(seq: 3, reason: .tooFar)] && page.events.isEmpty && page.userSeq == 3)
            // The state that the rows reported can still be read.
            #expect(page.channels.map(\.channel) == [Cast.annAndBob, Cast.club])
        }
        #expect(try await ann.channel(Cast.club).isHidden == true)
        let page = try await resume(2)
        #expect(page.resets.isEmpty && page.events.compactMap(\.userSeq) == [3])
        for from in [nil, 3] as [Int64?] {
            let page = try await resume(from)
            #expect(page.resets.isEmpty && page.events.isEmpty && page.userSeq == 3)
        }
        // All of it is deleted, and the numbering continues.
        await stage.age(RetentionRules.userLog)
        #expect(try await database.userRows(of: Cast.ann).count == 0)
        #expect(try await resume(2).resets == [Reset(seq: 3, reason: .tooFar)])
        #expect(try await resume(3).resets.isEmpty)
        try await ann.perform(HideChannel(channel: Cast.annAndBob))
        #expect(try await resume(3).events.compactMap(\.userSeq) == [4])
        #expect(try await resume(2).resets == [Reset(seq: 4, reason: .tooFar)])
        #expect(try await resume(5).resets == [Reset(seq: 4, reason: .ahead)])
        // The rows of a channel come in the same page.
        try await stage.bob.send("hi", to: Cast.club)
        let both = try await ann.perform(
            Resume(
                epoch: stage.roost.core.epoch, userSeq: 0, channels: [ChannelPosition(channel: Cast.club, seq: 0)]))
        #expect(both.resets == [Reset(seq: 4, reason: .tooFar)] && both.events.compactMap(\.text) == ["hi"])
        await stage.roost.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `it runs in turns with commands between them, through failures and restarts, and leaves no gap`(
        backend: Backend
    ) async throws {
        let (inner, resource) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        let clock = TestClock()
        let empty = try TestCore(database: database, clock: clock)
        await empty.core.stop()
        let young = [clock.now - 1_000, clock.now]
        try database.fill(
            Cast.ann, keysAt: times(1_203, RetentionRules.transIDs, before: clock.now) + young,
            rowsAt: times(1_203, RetentionRules.userLog, before: clock.now) + young)
        try database.fill(
            Cast.bob, keysAt: [], rowsAt: times(400, RetentionRules.userLog, before: clock.now) + young)
        var keys: [Int64] = []
        var seq: Int64 = 0
        // Each of several processes starts with a turn that fails.
        for number in 0..<4 {
            let roost = try TestCore(database: database, clock: clock)
            clock.advance(by: 1)
            let ann = try await roost.session(Cast.ann)
            let before = (try await inner.keys(of: Cast.ann), try await inner.userRows(of: Cast.ann))
            database.poison(statement: "WITH k (user_id, seq)")
            await roost.settle()
            let poisoned = database.resetPoisoned()
            #expect(poisoned == (before.1.count > 2 ? 1 : 0))
            database.poison(statement: nil)
            if poisoned > 0 {
                #expect(try await inner.keys(of: Cast.ann) == before.0)
                #expect(try await inner.userRows(of: Cast.ann) == before.1)
            }
            clock.advance(by: 1_000)
            // The other work in the background has its turns, too.
            for _ in 0..<20 where try await inner.userRows(of: Cast.ann) == before.1 { await roost.turn() }
            seq += 1
            #expect(try await ann.send("\(number)", to: Cast.lobby, id: "send-\(number)").seq == seq)
            keys.append(try await inner.keys(of: Cast.ann))
            for user in [Cast.ann, Cast.bob] {
                let left = try await inner.userRows(of: user)
                #expect(left.isDense && left.count >= 2)
            }
            // Every device gets everything that it missed, or is informed that it cannot.
            let left = try await inner.userRows(of: Cast.ann)
            for from in [0, left.first - 2, left.first - 1, left.first, 1_204, 1_205] where from >= 0 {
                let page = try await ann.perform(Resume(epoch: roost.core.epoch, userSeq: from))
                if from < left.first - 1 {
                    #expect(page.resets == [Reset(seq: 1_205, reason: .tooFar)] && page.events.isEmpty)
                } else {
                    #expect(page.resets.isEmpty)
                    #expect(page.events.compactMap(\.userSeq) == Array((from + 1..<1_206).prefix(500)))
                }
            }
            await roost.core.stop()
        }
        #expect(keys == [705, 205, 2, 2])
        let roost = try TestCore(database: database, clock: clock)
        clock.advance(by: 1)
        await roost.settle()
        for user in [Cast.ann, Cast.bob] { #expect(try await inner.userRows(of: user).count == 2) }
        await roost.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(.enabled(if: Backend.available.contains(.postgres)))
    func `of two processes on one database one deletes at a time, and a repeated command is safe at both`()
        async throws
    {
        let url = try Postgres.makeSchema()
        let clock = TestClock()
        let database = try Postgres.open(url)
        let first = try TestCore(database: Postgres.open(url), clock: clock)
        let second = try TestCore(database: Postgres.open(url), clock: clock)
        try database.fill(
            Cast.ann, keysAt: times(2_000, RetentionRules.transIDs, before: clock.now),
            rowsAt: times(2_000, RetentionRules.userLog, before: clock.now))
        let stage = try await Stage(first, and: second)
        let again = try await second.session(Cast.ann, device: "other")
        clock.advance(by: 1)
        async let one: Void = first.settle()
        async let two: Void = second.settle()
        for number in 0..<20 {
            let create = CreateChannel(kind: .group, title: "\(number)")
            async let here = stage.ann.perform(create, id: "make-\(number)")
            async let there = again.perform(create, id: "make-\(number)")
            let answers = try await [here, there]
            #expect(answers[0] == answers[1])
            #expect(try await database.userRows(of: Cast.ann).isDense)
        }
        _ = await (one, two)
        clock.advance(by: 10_000)
        await first.settle()
        await second.settle()
        #expect(try await database.keys(of: Cast.ann) == 20)
        #expect(try await database.userRows(of: Cast.ann) == Left(first: 2_001, last: 2_020, count: 20))
        clock.advance(by: RetentionRules.transIDs)
        await first.settle()
        await second.settle()
        #expect(try await database.keys(of: Cast.ann) == 0)
        let create = CreateChannel(kind: .group, title: "0")
        async let here = stage.ann.perform(create, id: "make-0")
        async let there = again.perform(create, id: "make-0")
        let answers = try await [here, there]
        #expect(answers[0] == answers[1])
        #expect(try await stage.ann.list().filter { $0.title == "0" }.count == 2)
        await first.core.stop()
        await second.core.stop()
        try database.close()
    }
}
