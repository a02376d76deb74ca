import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct WriterTests {
    /// A club of four over a database that fails on demand; the folder must outlive it.
    private func makeStage(
        _ backend: Backend, batchSize: Int = 1_000
    ) async throws -> (stage: Stage, database: FaultyDatabase, folder: (any Sendable)?) {
        let (inner, folder) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        let stage = try await Stage(try TestCore(database: database, batchSize: batchSize))
        try await stage.makeClub()
        try await stage.makePair()
        try await stage.ann.send("first", to: Cast.club)
        await stage.forgetEvents()
        return (stage, database, folder)
    }

    @Test(arguments: Backend.available)
    func `200 sends at once from four sessions make one dense log, the same for all`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))
        let seqs = try await withThrowingTaskGroup(of: Int64?.self) { group in
            for number in 0..<50 {
                for session in stage.all {
                    group.addTask { try await session.send("m\(number)", to: Cast.club).seq }
                }
            }
            return try await group.reduce(into: [Int64]()) { if let seq = $1 { $0.append(seq) } }
        }
        #expect(seqs.sorted() == Array(2...201))
        let log = try await stage.ann.log(of: Cast.club)
        for session in stage.all {
            #expect(session.rows(of: Cast.club).compactMap(\.seq) == Array(1...201))
            #expect(session.rows(of: Cast.club) == log)
        }
    }

    @Test(arguments: Backend.available)
    func `a send after an unknown one is refused, may be retried, and stores nothing`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        let second = SendMessage(channel: Cast.club, text: "two", after: try transID("one"))
        let refusal = try await stage.ann.refusal(second, id: "two")
        #expect(refusal?.entry == .orderBroken)
        #expect(refusal?.retryable == true)
        #expect(try await stage.ann.channel(Cast.club).seq == 0)
        // Another user's key does not count.
        try await stage.bob.send("one", to: Cast.club, id: "one")
        #expect(try await stage.ann.refusal(second, id: "two")?.entry == .orderBroken)
        try await stage.ann.send("one", to: Cast.club, id: "one")
        #expect(try await stage.ann.perform(second, id: "two").seq == 3)
        // An older link is as good as the newest one.
        try await stage.ann.send("three", to: Cast.club, id: "three", after: transID("one"))
        #expect(try await stage.ann.log(of: Cast.club).map(\.text) == ["one", "one", "two", "three"])
    }

    @Test(arguments: Backend.available)
    func `a chain holds within one batch and breaks where a link is refused`(backend: Backend) async throws {
        let (stage, database, folder) = try await makeStage(backend)
        database.shut()
        let sequence = CommandSequence(stage.roost)
        sequence.send("hold", id: "hold", from: stage.bob)
        await database.waitForCommit()
        sequence.send("a1", id: "a1", from: stage.ann)
        sequence.send("a2", id: "a2", after: "a1", from: stage.ann)
        sequence.send("", id: "a3", after: "a2", from: stage.ann)
        sequence.send("a4", id: "a4", after: "a3", from: stage.ann)
        sequence.send("a5", id: "a5", after: "a4", from: stage.ann)
        sequence.send("b1", id: "b1", from: stage.bob)
        sequence.send("a6", id: "a6", after: "a2", from: stage.ann)
        sequence.send("c1", id: "c1", after: "a1", from: stage.cid)
        database.open()
        #expect(await sequence.answers() == [2, 3, 4, -1001, -7004, -7004, 5, 6, -7004])
        #expect(try await stage.ann.log(of: Cast.club).compactMap(\.text) == ["first", "hold", "a1", "a2", "b1", "a6"])
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.available)
    func `a chain continues after a restart`(backend: Backend) async throws {
        let (database, folder) = try backend.makeDatabase()
        let old = try await Stage(try TestCore(database: database))
        try await old.ann.send("one", to: Cast.lobby, id: "one")
        await old.roost.core.stop()
        let stage = try await Stage(try TestCore(database: database))
        #expect(try await stage.ann.send("two", to: Cast.lobby, id: "two", after: transID("one")).seq == 2)
        let broken = SendMessage(channel: Cast.lobby, text: "x", after: try transID("none"))
        #expect(try await stage.ann.refusal(broken)?.entry == .orderBroken)
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.available)
    func `nobody receives anything before the commit`(backend: Backend) async throws {
        let (stage, database, folder) = try await makeStage(backend)
        let commits = database.commits
        database.shut()
        let sequence = CommandSequence(stage.roost)
        sequence.send("one", id: "one", from: stage.ann)
        await database.waitForCommit()
        for number in 0..<50 { sequence.send("m\(number)", id: "m\(number)", from: stage.bob) }
        sequence.submit(.move(.startTyping(StartTyping(channel: Cast.club))), id: "typing", from: stage.cid)
        #expect(sequence.answered == 0)
        #expect(stage.all.allSatisfy { $0.events.isEmpty })
        database.open()
        let answers = await sequence.answers()
        #expect(answers.prefix(51) == ArraySlice(2...52))
        await stage.settle()
        for session in [stage.ann, stage.bob, stage.cid] {
            #expect(session.rows(of: Cast.club).compactMap(\.seq) == Array(2...52))
        }
        // The fifty waiting commands were one commit; the last two are those of `settle`.
        #expect(database.commits - commits <= 5)
        withExtendedLifetime(folder) {}
    }

    /// Commands of Ann that change something, each with its own transID.
    private static let changes: [AnyCommand] = [
        .write(.sendMessage(SendMessage(channel: Cast.club, text: "x"))),
        .write(.sendMessage(SendMessage(channel: Cast.lobby, text: "x"))),
        .write(.createChannel(CreateChannel(kind: .group, title: "new"))),
        .write(.createChannel(CreateChannel(kind: .own))),
        .write(.inviteMembers(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))),
        .write(.inviteMembers(InviteMembers(channel: Cast.annAndBob, members: [Cast.dee.userID]))),
        .move(.setReadMark(SetReadMark(channel: Cast.club))), .write(.hideChannel(HideChannel())),
        .move(.joinChannel(JoinChannel(channel: Cast.lobby))),
        .write(.leaveChannel(LeaveChannel(channel: Cast.club, successor: Cast.bob.userID))),
        .write(.endChannel(EndChannel(channel: Cast.annAndBob))), .write(.endChannel(EndChannel())),
        .write(.setChannelProfile(SetChannelProfile(channel: Cast.club, profile: ChannelProfile(title: "new")))),
        .write(.setChannelPreference(SetChannelPreference(channel: Cast.club, isMuted: true, nickname: "Annie"))),
        .write(.kickMembers(KickMembers(channel: Cast.club, members: [Cast.cid.userID]))),
        .write(.banMembers(BanMembers(channel: Cast.club, members: [Cast.cid.userID, Cast.dee.userID]))),
        .write(.setMemberRole(SetMemberRole(channel: Cast.club, userID: Cast.cid.userID, role: .moderator))),
        .write(.blockUser(BlockUser(userID: Cast.bob.userID))),
        .write(.unblockUser(UnblockUser(userID: Cast.bob.userID))),
    ]

    @Test(arguments: Backend.available)
    func `a failed commit is refused with 1003, leaves no event and no trace, and may be retried`(
        backend: Backend
    ) async throws {
        for (number, command) in Self.changes.enumerated() {
            let (stage, database, folder) = try await makeStage(backend)
            try await stage.bob.send("unread", to: Cast.club)
            await stage.forgetEvents()
            let before = try await state(stage)
            for (kind, code) in [(DatabaseFailure.Kind.unavailable, 1003), (.full, 7007), (.busy, 1003)] {
                database.failCommits(kind)
                let reply = await stage.roost.core.handle(command, id: "c\(number)", from: stage.ann.actor)
                guard case .refused(let error) = reply else {
                    Issue.record("\(command) was accepted")
                    return
                }
                #expect(error.code == code, "\(command)")
                #expect(error.retryable)
                #expect(error.retryAfterMs != nil)
                await stage.settle()
                #expect(stage.all.allSatisfy { $0.events.isEmpty }, "\(command)")
                #expect(try await state(stage) == before, "\(command)")
            }
            let reply = await stage.roost.core.handle(command, id: "c\(number)", from: stage.ann.actor)
            guard case .accepted = reply else {
                Issue.record("\(command) was refused: \(reply)")
                return
            }
            let sent = try await stage.bob.send("next", to: Cast.club)
            let log = try await stage.bob.log(of: Cast.club)
            #expect(log.compactMap(\.seq) == Array(1...(sent.seq ?? 0)), "\(command)")
            #expect(try await stage.bob.channel(Cast.club).seq == sent.seq)
            withExtendedLifetime(folder) {}
        }
    }

    private func state(_ stage: Stage) async throws -> [String] {
        var lines: [String] = []
        for session in stage.all {
            lines.append("\(try await session.perform(ListChannels(limit: 100)))")
            lines.append("\(try await session.perform(Resume(userSeq: 0)))")
        }
        lines.append("\(try await stage.bob.log(of: Cast.club))")
        return lines
    }

    @Test(arguments: Backend.available)
    func `a failed batch is retried command by command, and only the one that fails it is refused`(
        backend: Backend
    ) async throws {
        let (stage, database, folder) = try await makeStage(backend)
        database.shut()
        let sequence = CommandSequence(stage.roost)
        sequence.send("hold", id: "hold", from: stage.ann)
        await database.waitForCommit()
        for number in 0..<20 {
            sequence.send(number == 7 ? "POISON" : "m\(number)", id: "m\(number)", from: stage.bob)
        }
        sequence.submit(.move(.setReadMark(SetReadMark(channel: Cast.club))), id: "mark", from: stage.cid)
        database.poison("POISON")
        database.open()
        let answers = await sequence.answers()
        #expect(answers == [2] + Array(3...9) + [-1003] + Array(10...21) + [0])
        await stage.settle()
        for session in [stage.ann, stage.bob, stage.cid] {
            #expect(session.rows(of: Cast.club).compactMap(\.seq) == Array(2...21))
            #expect(session.rows(of: Cast.club).allSatisfy { $0.text != "POISON" })
        }
        #expect(try await stage.cid.unread(Cast.club) == 0)
        database.poison(nil)
        #expect(try await stage.bob.send("POISON", to: Cast.club, id: "m7").seq == 22)
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.available)
    func `a batch whose commit fails once is stored nevertheless`(backend: Backend) async throws {
        let (stage, database, folder) = try await makeStage(backend)
        database.shut()
        let sequence = CommandSequence(stage.roost)
        sequence.send("hold", id: "hold", from: stage.ann)
        await database.waitForCommit()
        for number in 0..<10 { sequence.send("m\(number)", id: "m\(number)", from: stage.bob) }
        sequence.send("m3", id: "m3", from: stage.bob)
        // The held one commits; the batch after it fails as a whole.
        database.failCommits(nil, .full)
        database.open()
        #expect(await sequence.answers() == Array(2...12) + [6])
        #expect(stage.cid.rows(of: Cast.club).compactMap(\.seq) == Array(2...12))
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.available)
    func `more commands than fit a batch keep their order`(backend: Backend) async throws {
        let (stage, database, folder) = try await makeStage(backend, batchSize: 7)
        database.shut()
        let sequence = CommandSequence(stage.roost)
        sequence.send("hold", id: "hold", from: stage.ann)
        await database.waitForCommit()
        var previous = "m0"
        sequence.send("m0", id: previous, from: stage.bob)
        for number in 1..<50 {
            sequence.send("m\(number)", id: "m\(number)", after: previous, from: stage.bob)
            previous = "m\(number)"
        }
        database.open()
        #expect(await sequence.answers() == Array(2...52))
        #expect(stage.cid.rows(of: Cast.club).dropFirst().map(\.text) == (0..<50).map { "m\($0)" })
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.available)
    func `a batch of everything ends in the state that the commands one by one end in`(
        backend: Backend
    ) async throws {
        var ends: [[String]] = []
        for isTogether in [false, true] {
            let (stage, database, folder) = try await makeStage(backend)
            let commands: [(AnyCommand, TestSession)] = [
                (
                    .write(
                        .createChannel(
                            CreateChannel(kind: .group, channel: try channel("g"), members: [Cast.bob.userID]))),
                    stage.ann
                ),
                (.write(.sendMessage(SendMessage(channel: try channel("g"), text: "one"))), stage.ann),
                (.write(.sendMessage(SendMessage(channel: try channel("g"), text: "two, behind"))), stage.bob),
                (.move(.setReadMark(SetReadMark(channel: try channel("g"), seq: 1))), stage.bob),
                (
                    .write(.inviteMembers(InviteMembers(channel: try channel("g"), members: [Cast.cid.userID]))),
                    stage.bob
                ),
                (.write(.sendMessage(SendMessage(channel: try channel("g"), text: "three"))), stage.cid),
                (.write(.leaveChannel(LeaveChannel(channel: try channel("g")))), stage.cid),
                (.write(.sendMessage(SendMessage(channel: try channel("g"), text: "refused"))), stage.cid),
                (
                    .write(.inviteMembers(InviteMembers(channel: try channel("g"), members: [Cast.cid.userID]))),
                    stage.ann
                ),
                (.write(.hideChannel(HideChannel())), stage.bob),
                (.write(.sendMessage(SendMessage(channel: Cast.club, text: "back"))), stage.ann),
                (.write(.endChannel(EndChannel())), stage.ann),
                (.write(.sendMessage(SendMessage(channel: Cast.annAndBob, text: "again"))), stage.bob),
                (.move(.setReadMark(SetReadMark(channel: Cast.annAndBob, seq: 0))), stage.ann),
                (.write(.leaveChannel(LeaveChannel(channel: try channel("g")))), stage.bob),
                (.write(.leaveChannel(LeaveChannel(channel: try channel("g")))), stage.bob),
            ]
            if isTogether {
                database.shut()
                let sequence = CommandSequence(stage.roost)
                sequence.submit(.move(.startTyping(StartTyping(channel: Cast.club))), id: "hold", from: stage.bob)
                await database.waitForCommit()
                for (number, (command, session)) in commands.enumerated() {
                    sequence.submit(command, id: "k\(number)", from: session)
                }
                database.open()
                // Time that passes meanwhile would cut the batch.
                _ = await sequence.answers()
                await stage.settle()
            } else {
                for (number, (command, session)) in commands.enumerated() {
                    _ = await stage.roost.core.handle(command, id: "k\(number)", from: session.actor)
                }
            }
            var end: [String] = []
            for session in stage.all {
                let page = try await session.perform(Resume(userSeq: 0))
                end.append("\(page.channels) \(page.marks) \(page.events.map(\.body))")
                for id in page.channels.map(\.channel) {
                    var row = try await session.channel(id)
                    row.lastMessage = nil
                    end.append("\(row)")
                    end.append("\(try await session.log(of: id).map { "\($0.seq ?? 0) \($0.name) \($0.text ?? "")" })")
                }
            }
            ends.append(end)
            withExtendedLifetime(folder) {}
        }
        #expect(ends[0] == ends[1])
    }

    @Test(arguments: Backend.available)
    func `a page that fails can be asked for again [J-60]`(backend: Backend) async throws {
        let (stage, database, folder) = try await makeStage(backend)
        database.failReads(2)
        let list = try await stage.ann.refusal(ListChannels())
        #expect(list?.entry == .databaseAccess)
        #expect(list?.retryable == true)
        #expect(try await stage.ann.refusal(ListMessages(channel: Cast.club))?.entry == .databaseAccess)
        #expect(try await stage.ann.perform(ListChannels()).channels.count == 2)
        #expect(try await stage.ann.log(of: Cast.club).count == 1)
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.available)
    func `a login that cannot be stored is refused and does not count as a connection`(backend: Backend) async throws {
        let (inner, folder) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        let roost = try TestCore(database: database, limits: Limits(connectionsPerUser: 1))
        // The first search for due work has ended.
        await roost.settle()
        database.failCommits(.unavailable)
        let error = await #expect(throws: WireError.self) { try await roost.session(Cast.ann) }
        #expect(error?.entry == .databaseAccess)
        let ann = try await roost.session(Cast.ann)
        try await ann.send("x", to: Cast.lobby)
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.available)
    func `stopping completes all accepted commands`(backend: Backend) async throws {
        let (stage, database, folder) = try await makeStage(backend)
        database.shut()
        let sequence = CommandSequence(stage.roost)
        sequence.send("hold", id: "hold", from: stage.ann)
        await database.waitForCommit()
        for number in 0..<30 { sequence.send("m\(number)", id: "m\(number)", from: stage.bob) }
        async let first: Void = stage.roost.core.stop()
        async let second: Void = stage.roost.core.stop()
        database.open()
        _ = await (first, second)
        #expect(await sequence.answers() == Array(2...32))
        #expect(try await stage.ann.log(of: Cast.club).count == 32)
        withExtendedLifetime(folder) {}
    }
}
