import RoostCore
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// Two cores over one database, as two server processes have them.
@Suite(.enabled(if: Backend.available.contains(.postgres))) struct SharedDatabaseTests {
    private func makeCores() throws -> (TestCore, TestCore) {
        let url = try Postgres.makeSchema()
        return (try TestCore(database: Postgres.open(url)), try TestCore(database: Postgres.open(url)))
    }

    @Test func `servers that start at once on an empty database make it once`() async throws {
        let url = try Postgres.makeSchema()
        let epochs = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<6 { group.addTask { try TestCore(database: Postgres.open(url)).core.epoch } }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(Set(epochs).count == 1)
    }

    @Test func `sends at both into one channel at the same time make one dense log`() async throws {
        let (first, second) = try makeCores()
        let stage = try await Stage(first, and: second)
        try await stage.makeClub()
        let seqs = try await withThrowingTaskGroup(of: Int64?.self) { group in
            for number in 0..<100 {
                for session in [stage.ann, stage.bob, stage.cid] {
                    group.addTask { try await session.send("m\(number)", to: Cast.club).seq }
                }
            }
            return try await group.reduce(into: [Int64]()) { if let seq = $1 { $0.append(seq) } }
        }
        #expect(seqs.sorted() == Array(1...300))
        #expect(try await stage.ann.log(of: Cast.club) == stage.bob.log(of: Cast.club))
    }

    @Test func `of two that make one channel at the same time one does`() async throws {
        let (first, second) = try makeCores()
        let stage = try await Stage(first, and: second)
        for round in 0..<20 {
            let id = try channel("race\(round)")
            let create = CreateChannel(kind: .group, channel: id, title: "T")
            async let one = stage.ann.refusal(create)
            async let two = stage.bob.refusal(create)
            let codes = try await [one?.code, two?.code]
            #expect(codes.contains(nil))
            #expect(codes.contains(1102))
        }
    }

    @Test func `the same command sent to both at the same time happens once`() async throws {
        let (first, second) = try makeCores()
        let stage = try await Stage(first, and: second)
        try await stage.makeClub()
        let again = try await second.session(Cast.ann, device: "other")
        for round in 0..<20 {
            async let one = stage.ann.send("x", to: Cast.club, id: "same\(round)")
            async let two = again.send("x", to: Cast.club, id: "same\(round)")
            let answers = try await [one, two]
            #expect(answers[0] == answers[1])
        }
        #expect(try await stage.ann.channel(Cast.club).seq == 20)
    }

    @Test func `a command repeated at the other server, while the first has not committed it, gets its answer`()
        async throws
    {
        let url = try Postgres.makeSchema()
        let held = FaultyDatabase(try Postgres.open(url))
        let first = try TestCore(database: held)
        let second = try TestCore(database: Postgres.open(url))
        let stage = try await Stage(first)
        try await stage.makeClub()
        let again = try await second.session(Cast.ann, device: "other")
        let bob = try await second.session(Cast.bob, device: "other")
        // Each would be refused now if it were new.
        let id = try #require(try await stage.bob.send("x", to: Cast.club).messageID)
        try await repeated(
            RecallMessages(channel: Cast.club, messageIDs: [id]), at: held, stage.bob, bob)
        try await repeated(
            KickMembers(channel: Cast.club, members: [Cast.bob.userID]), at: held, stage.ann, again)
        try await repeated(CreateChannel(kind: .group, channel: try channel("new")), at: held, stage.ann, again)
        let kick = KickMembers(channel: Cast.club, members: [Cast.bob.userID])
        #expect(try await again.refusal(kick, id: "another")?.entry == .notAllMembers)
        for core in [first, second] { await core.core.stop() }
    }

    /// Sends a command to one server, and again to another one while the first commit is held.
    private func repeated<C: Command>(
        _ command: C, at held: FaultyDatabase, _ one: TestSession, _ two: TestSession
    ) async throws where C.Answer: Equatable {
        let eye = try Postgres.open(try #require(Postgres.url))
        let id = "again-\(C.name)"
        held.shut()
        async let first = one.perform(command, id: id)
        await held.waitForCommit()
        let isAnswered = Mutex(false)
        async let second = {
            defer { isAnswered.withLock { $0 = true } }
            return try await two.perform(command, id: id)
        }()
        // It waits for the lock of the first one, or is answered without waiting.
        var isWaiting = false
        while !isWaiting, !isAnswered.withLock({ $0 }) {
            isWaiting =
                try await eye.read { connection in
                    try connection.rows("SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") {
                        try $0.int(0) > 0
                    }
                }.first ?? false
        }
        held.open()
        let answers = try await [first, second]
        #expect(answers[0] == answers[1], "\(C.name)")
        try eye.close()
    }

    @Test func `a membership that ended at one server gives no right at the other`() async throws {
        let (first, second) = try makeCores()
        let stage = try await Stage(first, and: second)
        try await stage.makeClub()
        let elsewhere = try await first.session(Cast.bob, device: "other")
        // Both cores number their commands in the same way, so the second device's commands need different keys.
        try await elsewhere.send("in", to: Cast.club, id: "e1")
        try await stage.bob.perform(LeaveChannel(channel: Cast.club))
        #expect(
            try await elsewhere.refusal(SendMessage(channel: Cast.club, text: "out"), id: "e2")?.entry == .notMember)
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.bob.userID]))
        #expect(try await stage.bob.send("back", to: Cast.club).seq == 4)
    }

    @Test func `what a device deletes or recalls at one is not unread at the other any more`() async throws {
        let (first, second) = try makeCores()
        let stage = try await Stage(first, and: second)
        try await stage.makeClub()
        let elsewhere = try await first.session(Cast.bob, device: "other")
        var sent: [MessageID] = []
        for number in 1...6 { sent.append(try await stage.ann.post("\(number)", to: Cast.club)) }
        let messages = sent
        func check(_ unread: Int) async throws {
            for session in [stage.bob, elsewhere] {
                #expect(try await session.unread(Cast.club) == unread)
                #expect(try await session.recount(Cast.club) == unread)
                #expect(try await session.perform(SetReadMark(channel: Cast.club, seq: 0)).unread == unread)
            }
        }
        try await check(6)
        try await elsewhere.perform(DeleteMessages([messages[0]], in: Cast.club), id: "e1")
        try await check(5)
        try await stage.bob.delete(messages[1], in: Cast.club)
        try await check(4)
        // Both at the same time, for the same and for other messages.
        async let one = stage.bob.refusal(DeleteMessages([messages[2], messages[3]], in: Cast.club))
        async let two = elsewhere.refusal(DeleteMessages([messages[3], messages[4]], in: Cast.club), id: "e2")
        #expect(try await [one?.code, two?.code] == [nil, nil])
        try await check(1)
        try await stage.ann.recall(messages[0], messages[5], in: Cast.club)
        try await check(0)
        try await stage.ann.send("7", to: Cast.club)
        try await check(1)
        try await elsewhere.perform(DeleteMessages(allIn: Cast.club), id: "e3")
        try await check(0)
    }

    @Test func `a message that is not stored, sent to both at the same time, is relayed once`() async throws {
        let (first, second) = try makeCores()
        let stage = try await Stage(first, and: second)
        try await stage.makeClub()
        // Only the sessions of the creating server follow a new channel, so these sessions are created afterwards.
        let again = try await second.session(Cast.ann, device: "other")
        let bob = try await second.session(Cast.bob, device: "other")
        let send = SendMessage(channel: Cast.club, type: "custom", text: "now", attributes: 2)
        for round in 0..<20 {
            async let one = stage.ann.perform(send, id: "same\(round)")
            async let two = again.perform(send, id: "same\(round)")
            let answers = try await [one, two]
            #expect(answers[0] == answers[1])
            #expect(answers[0].seq == nil)
            #expect(
                try await stage.ann.refusal(SendMessage(channel: Cast.club, text: "x"), id: "same\(round)")?.entry
                    == .duplicateTransID)
        }
        // Each server delivers what it has accepted itself.
        let heard = [stage.cid, bob].flatMap { $0.events(named: .messageRelayed) }
        #expect(heard.count == 20)
    }

    @Test func `the user log of one user stays dense when both servers write into it`() async throws {
        let (first, second) = try makeCores()
        let stage = try await Stage(first, and: second)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<40 {
                let maker = round.isMultiple(of: 2) ? stage.ann : stage.bob
                let id = try channel("g\(round)")
                group.addTask {
                    try await maker.perform(CreateChannel(kind: .group, channel: id, members: [Cast.dee.userID]))
                }
            }
            try await group.waitForAll()
        }
        let page = try await stage.dee.perform(Resume(userSeq: 0))
        #expect(page.userSeq == 40)
        #expect(page.events.compactMap(\.userSeq) == Array(1...40))
    }
}
