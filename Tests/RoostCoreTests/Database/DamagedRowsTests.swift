import RoostTesting
import RoostWire
import Testing

@testable import RoostCore

extension SQLDatabase {
    /// What a check finds.
    func damages() async throws -> [StoredDamage] { try await DatabaseCheck(self) { _ in }.rows().damages }
}

/// Rows of logs that are not as they were stored.
@Suite struct DamagedRowsTests {
    private static let engines = Backend.available + Backend.encrypting

    /// A club with the messages one to five, of which the third is damaged.
    private struct Scene {
        let stage: Stage
        let database: any SQLDatabase
        let resource: (any Sendable)?
        let log = LogRecorder()
        var ids: [MessageID] = []
        var lost: MessageID { ids[2] }

        init(_ backend: Backend, retention: [ChannelKind: RetentionPolicy] = [:]) async throws {
            let (database, resource) = try backend.makeDatabase()
            (self.database, self.resource) = (database, resource)
            stage = try await Stage(TestCore(database: database, resource: resource, retention: retention, log: log))
            try await stage.makeClub()
            for text in ["one", "two", "three", "four", "five"] {
                ids.append(try await stage.ann.post(text, to: Cast.club))
            }
            await stage.settle()
            try flip(lost)
        }

        func flip(_ id: MessageID) throws {
            try DamagedDatabase.flipBit(in: Cast.club, id.seq, of: database)
        }

        /// The lines of the log about a row.
        func lines(_ id: MessageID) -> [String] {
            log.lines.filter { $0.contains("damaged") && $0.contains("of=club seq=\(id.seq) table=channel_log") }
        }
    }

    private func texts(_ events: [Event]) -> [String] { events.compactMap(\.text) }

    @Test(arguments: engines)
    func `a damaged message is a removed row for all who read it, its neighbours stay, and the log names it once`(
        backend: Backend
    ) async throws {
        let scene = try await Scene(backend)
        let (bob, lost) = (scene.stage.bob, scene.lost)
        let others = ["one", "two", "four", "five"]
        for _ in 0..<2 {
            let log = try await bob.log(of: Cast.club)
            #expect(texts(log) == others)
            let number = try #require(log.first { $0.seq == lost.seq })
            #expect(number.name == "row.removed" && number.senderID == nil && number.sentAt == nil)
            #expect(number.body == .channel(.rowRemoved(RowRemoved(count: 3))))
            let shown = try await bob.perform(ListMessages(channel: Cast.club, onlyShown: true)).events
            #expect(texts(shown) == others && !shown.contains { $0.seq == lost.seq })
            let missed = try await bob.perform(Resume(channels: [ChannelPosition(channel: Cast.club, seq: 0)]))
            #expect(!missed.hasMore && texts(missed.events) == others && missed.events.contains(number))
            let found = try await bob.perform(
                QueryMessages(time: .init(milliseconds: 0), direction: .after, limit: 100)
            ).events
            #expect(texts(found) == others && found.contains(number))
        }
        #expect(scene.lines(lost).count == 1, "\(scene.log.lines)")
        #expect(!scene.log.lines.contains { $0.contains("three") })
        #expect(scene.stage.roost.core.damage?.contains("damaged rows that were read: 1") == true)
        await scene.stage.roost.core.stop()
        withExtendedLifetime(scene) {}
    }

    @Test(arguments: engines)
    func `a damaged message cannot be got, answered, forwarded, recalled or reported, and counts as before`(
        backend: Backend
    ) async throws {
        let scene = try await Scene(backend)
        let (ann, bob, lost) = (scene.stage.ann, scene.stage.bob, scene.lost)
        #expect(try await bob.unread(Cast.club) == 5)
        #expect(try await bob.refusal(GetMessages(channel: Cast.club, messageIDs: [lost]))?.entry == .messageNotFound)
        let both = try await bob.perform(GetMessages(channel: Cast.club, messageIDs: [lost, scene.ids[3]])).events
        #expect(texts(both) == ["four"])
        #expect(
            try await bob.refusal(SendMessage(channel: Cast.club, text: "x", replyTo: lost))?.entry == .messageNotFound)
        let forward = ForwardMessages(channel: Cast.club, messageIDs: [lost], channels: [Cast.club])
        #expect(try await bob.refusal(forward)?.entry == .messageNotFound)
        #expect(
            try await ann.refusal(RecallMessages(channel: Cast.club, messageIDs: [lost]))?.entry == .messageNotFound)
        #expect(try await bob.refusal(CreateReport(channel: Cast.club, messageID: lost))?.entry == .messageNotFound)
        #expect(
            try await bob.refusal(AddReaction(channel: Cast.club, messageID: lost, emoji: "👍"))?.entry
                == .messageNotFound)
        // The list shows the last message that can be read.
        try scene.flip(scene.ids[4])
        let shown = try await bob.channel(Cast.club)
        #expect(shown.lastMessage?.text == "four" && shown.unread == 5)
        try await bob.perform(CreateReport(channel: Cast.club, messageID: scene.ids[3]))
        await scene.stage.roost.core.stop()
        withExtendedLifetime(scene) {}
    }

    @Test(arguments: engines)
    func `a command that is repeated is not executed again if its message is damaged`(backend: Backend) async throws {
        let scene = try await Scene(backend)
        let first = try await scene.stage.ann.send("six", to: Cast.club, id: "once")
        try scene.flip(try #require(first.messageID))
        let again = try await scene.stage.ann.send("six", to: Cast.club, id: "once")
        #expect(again.seq == first.seq && again.sentAt == first.sentAt && again.messageID == nil)
        #expect(try await scene.stage.bob.unread(Cast.club) == 6)
        await scene.stage.roost.core.stop()
        withExtendedLifetime(scene) {}
    }

    @Test(arguments: engines)
    func `reactions to a damaged message and a damaged vote do not spoil the pages they are on`(
        backend: Backend
    ) async throws {
        let scene = try await Scene(backend)
        let (ann, bob) = (scene.stage.ann, scene.stage.bob)
        try await bob.perform(AddReaction(channel: Cast.club, messageID: scene.ids[1], emoji: "👍"))
        try scene.flip(scene.ids[1])
        var votes: [MessageID] = []
        for subject in ["first", "second"] {
            let options = [MessageContent(text: "a"), MessageContent(text: "b")]
            let sent = try await ann.perform(
                CreateVote(
                    channel: Cast.club, subject: subject,
                    vote: Vote(
                        options: options, closesAt: .init(milliseconds: scene.stage.roost.clock.now + 3_600_000))))
            votes.append(try #require(sent.messageID))
        }
        try scene.flip(votes[0])
        #expect(texts(try await bob.log(of: Cast.club)).contains("five"))
        let page = try await bob.perform(ListVotes(channel: Cast.club)).votes
        #expect(page.map(\.event.messageID) == [votes[1]])
        #expect(
            try await bob.refusal(CastVote(channel: Cast.club, messageID: votes[0], options: [0]))?.entry
                == .messageNotFound)
        // Both are closed in their time, the damaged one without a word.
        scene.stage.roost.clock.advance(by: 3_600_001)
        await scene.stage.settle()
        #expect(scene.stage.bob.events(named: .voteClosed).count == 1)
        await scene.stage.roost.core.stop()
        withExtendedLifetime(scene) {}
    }

    @Test(arguments: engines)
    func `pushes of other messages are sent if one is damaged`(backend: Backend) async throws {
        let scene = try await Scene(backend)
        let roost = scene.stage.roost
        let phone = Actor(user: Cast.bob, deviceID: "phone", isOperator: false)
        let address = SetDeviceAddress(address: PushAddress(gateway: .webhook, token: "bob-phone"))
        _ = await roost.core.handle(address.any, id: roost.transID(), from: phone)
        var ids: [MessageID] = []
        for text in ["six", "seven", "eight"] { ids.append(try await scene.stage.ann.post(text, to: Cast.club)) }
        await scene.stage.settle()
        try scene.flip(ids[1])
        let pushes = try await roost.pushes()
        #expect(pushes.sent.map(\.payload.text) == ["six", "eight"] && pushes.skipped.count == 1)
        await roost.core.stop()
        withExtendedLifetime(scene) {}
    }

    @Test(arguments: engines)
    func `after a damaged row of the user's log a device is told to load everything anew`(
        backend: Backend
    ) async throws {
        let scene = try await Scene(backend)
        let bob = scene.stage.bob
        for number in 1...3 { try await bob.perform(SetUserProfile(profile: UserProfile(name: "Bob \(number)"))) }
        await scene.stage.settle()
        let head = try await bob.perform(Resume()).userSeq
        #expect(head > 2)
        try scene.database.write { connection in
            try connection.execute(
                "UPDATE user_log SET frame = \(blob: [2, 0, 0, 0, 0, 123]) WHERE user_id = 'bob' AND seq = \(head - 1)")
        }
        let page = try await bob.perform(Resume(userSeq: 0))
        #expect(page.resets.contains { $0.channel == nil && $0.seq == head } && page.userSeq == head)
        #expect(!page.events.contains { $0.userSeq != nil })
        #expect(try await bob.perform(Resume(userSeq: head - 1)).events.compactMap(\.userSeq) == [head])
        #expect(scene.log.lines.count { $0.contains("of=bob seq=\(head - 1) table=user_log") } == 1)
        await scene.stage.roost.core.stop()
        withExtendedLifetime(scene) {}
    }

    @Test(arguments: engines)
    func `the erasure of a user goes on across damaged rows, and keeps nothing of those the user has sent`(
        backend: Backend
    ) async throws {
        let scene = try await Scene(backend)
        let (ann, bob, database) = (scene.stage.ann, scene.stage.bob, scene.database)
        let chief = try await scene.stage.roost.session(user("chief"), isOperator: true)
        let other = try await bob.post("of bob", to: Cast.club)
        try await scene.stage.makePair()
        try await ann.send("to bob", to: Cast.annAndBob)
        try scene.flip(other)
        for (table, column) in [("command_keys", "answer"), ("user_log", "frame"), ("push_outbox", "items")]
            as [(Query, Query)]
        {
            try database.write { try $0.execute("UPDATE \(table) SET \(column) = \(blob: [2, 9, 9, 9, 9, 123])") }
        }
        try await chief.perform(DeleteUser(userID: ann.userID, deletesMessages: true))
        await scene.stage.settle()
        await scene.stage.settle()
        let left = try await database.read { try $0.rows("SELECT 1 FROM user_deletions") { try $0.int(0) } }
        #expect(left.isEmpty)
        let log = try await bob.log(of: Cast.club)
        #expect(texts(log).isEmpty)
        // The row of the deleted user is sound again, and empty; that of another user is left to whoever repairs it.
        let damages = try await database.damages().filter { $0.table == "channel_log" }
        #expect(damages.map(\.seq) == [other.seq])
        await scene.stage.roost.core.stop()
        withExtendedLifetime(scene) {}
    }

    @Test(arguments: engines)
    func `retention goes on across damaged rows`(backend: Backend) async throws {
        let day: Int64 = 86_400_000
        let scene = try await Scene(backend, retention: [.group: RetentionPolicy(keepFor: 7 * day)])
        let (stage, database) = (scene.stage, scene.database)
        stage.roost.clock.advance(by: 4 * day)
        await stage.settle()
        let answer = try await stage.bob.post(SendMessage(channel: Cast.club, text: "x", replyTo: scene.ids[1]))
        let later = try await stage.bob.post("later", to: Cast.club)
        try scene.flip(answer)
        stage.roost.clock.advance(by: 4 * day)
        await stage.settle()
        await stage.settle()
        let rows = try await database.read { connection in
            try connection.rows("SELECT seq FROM channel_log WHERE channel = \(Cast.club) ORDER BY seq") {
                try $0.int(0)
            }
        }
        #expect(rows.first == answer.seq && rows.contains(later.seq))
        #expect(texts(try await stage.cid.log(of: Cast.club)) == ["later"])
        await stage.roost.core.stop()
        withExtendedLifetime(scene) {}
    }

    @Test(arguments: Backend.available)
    func `messages stored before there were checksums are read, and a broken one of them is a removed row`(
        backend: Backend
    ) async throws {
        let scene = try await Scene(backend)
        let database = scene.database
        for id in scene.ids where id != scene.lost {
            try database.write { connection in
                let frames = try connection.rows(
                    "SELECT frame FROM channel_log WHERE channel = \(Cast.club) AND seq = \(id.seq)"
                ) { try $0.content(0) }
                var frame = try #require(frames.first)
                // A letter of the text becomes a quote.
                if id == scene.ids[3] {
                    frame[try #require(frame.lastIndex(of: UInt8(ascii: "o")))] = UInt8(ascii: "\"")
                }
                try connection.execute(
                    "UPDATE channel_log SET frame = \(blob: frame) WHERE channel = \(Cast.club) AND seq = \(id.seq)")
            }
        }
        let log = try await scene.stage.bob.log(of: Cast.club)
        #expect(texts(log) == ["one", "two", "five"])
        #expect(log.filter { $0.name == "row.removed" }.map(\.seq) == [scene.lost.seq, scene.ids[3].seq])
        #expect(try await database.damages().compactMap(\.seq) == [scene.lost.seq, scene.ids[3].seq])
        await scene.stage.roost.core.stop()
        withExtendedLifetime(scene) {}
    }

    @Test(arguments: engines)
    func `a check finds damaged and missing rows of logs, and damage in other tables, and nothing else`(
        backend: Backend
    ) async throws {
        let scene = try await Scene(backend)
        let (ann, database) = (scene.stage.ann, scene.database)
        for number in 6...600 { try await ann.send("\(number)", to: Cast.club) }
        let schedule = try await ann.perform(
            CreateSchedule(
                messages: [MessageContent(text: "later")], channels: [Cast.club],
                sendAt: .init(milliseconds: scene.stage.roost.clock.now + 86_400_000)))
        await scene.stage.settle()
        #expect(try await database.damages().map(\.seq) == [scene.lost.seq])
        let head = try await scene.stage.bob.channel(Cast.club).seq
        try database.write { connection in
            for gone in [100, 101, 510, head] as [Int64] {
                try connection.execute("DELETE FROM channel_log WHERE channel = \(Cast.club) AND seq = \(gone)")
            }
            try connection.execute("UPDATE channel_log SET seq = 101 WHERE channel = \(Cast.club) AND seq = 103")
            try connection.execute("UPDATE schedules SET content = \(blob: [2, 0, 0, 0, 0, 123, 125])")
        }
        let damages = try await database.damages()
        #expect(
            damages.filter { $0.table == "channel_log" }.map(\.seq) == [scene.lost.seq, 100, 101, 103, 510, head],
            "\(damages)")
        #expect(damages.first { $0.seq == 101 }?.fault.contains("another place") == true)
        #expect(damages.filter { $0.table == "channel_log" }.allSatisfy { $0.owner == "club" })
        let rest = damages.filter { $0.table != "channel_log" }
        #expect(rest.map(\.table) == ["schedules"] && rest.first?.owner == "ann", "\(rest)")
        #expect(rest.first?.id == schedule.schedule.scheduleID.rawValue)
        await scene.stage.roost.core.stop()
        withExtendedLifetime(scene) {}
    }
}
