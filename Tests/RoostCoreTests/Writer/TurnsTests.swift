import RoostTesting
import RoostWire
import Testing

@testable import RoostCore

/// A command over all channels of a user is executed in turns, with other users' commands in between.
@Suite struct TurnsTests {
    private struct Fixture {
        let stage: Stage
        let database: FaultyDatabase
        let folder: (any Sendable)?

        /// The number of channels in each event of this kind that Ann received, and whether it is marked as complete.
        func told(_ name: EventName) -> [String] {
            stage.ann.events(named: name).compactMap { event in
                switch event.body {
                case .user(.channelHidden(let body)), .user(.channelEnded(let body)), .user(.channelCleared(let body)):
                    "\(body.channels.count)\(body.isAll ? " all" : "")"
                default: nil
                }
            }
        }
    }

    private func group(_ number: Int) throws -> ChannelID { try channel("g\(number < 10 ? "0" : "")\(number)") }

    /// Creates groups of Ann's; Bob is a member of every tenth.
    private func fixture(_ backend: Backend, groups: Int = 70, withBob: Int = 10) async throws -> Fixture {
        let (inner, folder) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        let stage = try await Stage(try TestCore(database: database))
        for number in 0..<groups {
            let others = number.isMultiple(of: withBob) ? [Cast.bob.userID] : []
            try await stage.ann.perform(CreateChannel(kind: .group, channel: group(number), members: others))
        }
        await stage.forgetEvents()
        return Fixture(stage: stage, database: database, folder: folder)
    }

    /// The commands over all channels that report them, and the names of their events.
    private static let walks: [(command: AnyCommand, told: EventName)] = [
        (.write(.hideChannel(HideChannel())), .channelHidden), (.write(.endChannel(EndChannel())), .channelEnded),
        (.write(.deleteMessages(.everything)), .channelCleared),
    ]

    /// Applies Ann's events since an old snapshot and compares with a new one.
    private func replay(_ old: inout Snapshot, _ stage: Stage, _ comment: Comment) async throws {
        await stage.settle()
        for event in stage.ann.drainEvents() { old.apply(event) }
        var fresh = try await Snapshot(of: stage.ann)
        fresh.reduce(to: old)
        #expect(old.list == fresh.list, comment)
        #expect(old.own == fresh.own, comment)
        #expect(Set(old.rows.keys) == Set(fresh.rows.keys), comment)
        for (id, row) in fresh.rows where old.rows[id] != row {
            Issue.record("\(comment), \(id): \(row.differences(to: old.rows[id]))")
        }
    }

    private func code(_ reply: Reply) -> ErrorCode? {
        if case .refused(let error) = reply { error.entry } else { nil }
    }

    private func json(_ reply: Reply) -> [UInt8]? {
        if case .accepted(let json) = reply { json } else { nil }
    }

    @Test(arguments: Backend.available)
    func `up to fifty channels are one turn and one event`(backend: Backend) async throws {
        for (groups, told) in [(0, ["0 all"]), (1, ["1 all"]), (50, ["50 all"]), (51, ["50", "1 all"])] {
            let fixture = try await fixture(backend, groups: groups)
            try await fixture.stage.ann.perform(HideChannel())
            #expect(fixture.told(.channelHidden) == told)
            #expect(try await fixture.stage.ann.list().isEmpty)
            withExtendedLifetime(fixture) {}
        }
    }

    @Test(arguments: Backend.available)
    func `a send of another user runs between two turns, and the next command of the same user after the last one`(
        backend: Backend
    ) async throws {
        for (command, name) in Self.walks {
            let fixture = try await fixture(backend)
            let stage = fixture.stage
            var old = try await Snapshot(of: stage.ann)
            fixture.database.shut()
            let sequence = CommandSequence(stage.roost)
            sequence.submit(command, id: "walk", from: stage.ann)
            await fixture.database.waitForCommit()
            sequence.send("after", to: try group(60), id: "after", from: stage.ann)
            sequence.send("between", to: try group(60), id: "between", from: stage.bob)
            fixture.database.open()
            #expect(await sequence.answers() == [0, 2, 1])
            let order = stage.ann.events.compactMap { event in
                event.name == name.rawValue ? "turn" : event.text
            }
            #expect(order == ["turn", "between", "turn", "after"], "\(command)")
            #expect(fixture.told(name) == ["50", "20 all"], "\(command)")
            if name == .channelCleared {
                await stage.settle()
                #expect(try await stage.ann.log(of: group(60)).compactMap(\.text) == ["after"])
            } else {
                try await replay(&old, stage, "\(command)")
                #expect(try await stage.ann.list().map(\.channel) == [group(60)])
            }
            // Hiding does not mark as read.
            #expect(try await stage.ann.perform(GetUnread()).total == (name == .channelHidden ? 1 : 0))
            withExtendedLifetime(fixture) {}
        }
    }

    @Test(arguments: Backend.available)
    func `a server that stops breaks one off between two turns, and the next one completes it`(
        backend: Backend
    ) async throws {
        for (command, name) in Self.walks {
            let fixture = try await fixture(backend)
            fixture.database.shut()
            async let reply = fixture.stage.roost.core.handle(command, id: "walk", from: fixture.stage.ann.actor)
            await fixture.database.waitForCommit()
            async let stopped: Void = fixture.stage.roost.core.stop()
            while fixture.stage.roost.core.isReady { await Task.yield() }
            fixture.database.open()
            #expect(code(await reply) == .draining, "\(command)")
            await stopped
            let stage = try await Stage(try TestCore(database: fixture.database))
            #expect(try await stage.ann.list().count == (name == .channelCleared ? 70 : 20), "\(command)")
            let again = await stage.roost.core.handle(command, id: "walk", from: stage.ann.actor)
            #expect(code(again) == nil, "\(command)")
            #expect(try await stage.ann.list().count == (name == .channelCleared ? 70 : 0), "\(command)")
            await stage.roost.core.stop()
            withExtendedLifetime(fixture) {}
        }
    }

    @Test(arguments: Backend.available)
    func
        `a command interrupted between two turns has reported what it did, and is completed when sent again`(
            backend: Backend
        ) async throws
    {
        for (command, name) in Self.walks {
            for isRestarted in [false, true] {
                let fixture = try await fixture(backend)
                var stage = fixture.stage
                var old = try await Snapshot(of: stage.ann)
                fixture.database.failCommits(nil, .unavailable)
                let reply = await stage.roost.core.handle(command, id: "walk", from: stage.ann.actor)
                #expect(code(reply) == .databaseAccess, "\(command)")
                #expect(fixture.told(name) == ["50"], "\(command)")
                if name != .channelCleared { try await replay(&old, stage, "\(command), amid it") }
                // A hidden channel comes back with a message.
                try await stage.bob.send("back", to: group(0))
                try await stage.bob.send("new", to: group(60))
                if name != .channelCleared { try await replay(&old, stage, "\(command), after it") }
                if isRestarted {
                    await stage.roost.core.stop()
                    stage = try await Stage(try TestCore(database: fixture.database))
                }
                _ = stage.ann.drainEvents()
                let first = await stage.roost.core.handle(command, id: "walk", from: stage.ann.actor)
                #expect(code(first) == nil, "\(command)")
                if name != .channelCleared { try await replay(&old, stage, "\(command), again") }
                _ = stage.ann.drainEvents()
                if name == .channelCleared {
                    for number in [0, 60] { #expect(try await stage.ann.log(of: group(number)).isEmpty) }
                } else {
                    #expect(try await stage.ann.list().isEmpty, "\(command)")
                }
                #expect(try await stage.ann.perform(GetUnread()).total == (name == .channelHidden ? 2 : 0))
                let second = await stage.roost.core.handle(command, id: "walk", from: stage.ann.actor)
                #expect(json(second) != nil && json(second) == json(first), "\(command)")
                let other = await stage.roost.core.handle(
                    .write(.hideChannel(HideChannel(channel: try group(0)))), id: "walk", from: stage.ann.actor)
                #expect(code(other) == .duplicateTransID)
                await stage.settle()
                #expect(stage.ann.events.allSatisfy { $0.userSeq == nil }, "\(command)")
                await stage.roost.core.stop()
                withExtendedLifetime(fixture) {}
            }
        }
    }

    @Test(arguments: Backend.available)
    func `a first turn that fails leaves nothing`(backend: Backend) async throws {
        let fixture = try await fixture(backend)
        let stage = fixture.stage
        var old = try await Snapshot(of: stage.ann)
        for (command, _) in Self.walks {
            fixture.database.failCommits(.full)
            let reply = await stage.roost.core.handle(command, id: "walk", from: stage.ann.actor)
            #expect(code(reply) == .storageFull)
            #expect(stage.ann.events.isEmpty)
            try await replay(&old, stage, "\(command)")
        }
        // The key is free.
        try await stage.ann.perform(HideChannel(), id: "walk")
        #expect(fixture.told(.channelHidden) == ["50", "20 all"])
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `sent twice while it is under way it happens once, and both get the one answer`(
        backend: Backend
    ) async throws {
        for (command, name) in Self.walks {
            let fixture = try await fixture(backend)
            let stage = fixture.stage
            let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
            fixture.database.shut()
            let sequence = CommandSequence(stage.roost)
            sequence.submit(command, id: "walk", from: stage.ann)
            await fixture.database.waitForCommit()
            sequence.submit(command, id: "walk", from: tablet)
            sequence.submit(.write(.hideChannel(HideChannel(channel: try group(0)))), id: "walk", from: tablet)
            sequence.submit(command, id: "walk", from: stage.ann)
            fixture.database.open()
            #expect(await sequence.answers() == [0, 0, -1119, 0])
            #expect(fixture.told(name) == ["50", "20 all"], "\(command)")
            withExtendedLifetime(fixture) {}
        }
    }

    @Test(arguments: Backend.available)
    func `commands of two users over all channels take turns, and both complete`(backend: Backend) async throws {
        let fixture = try await fixture(backend, withBob: 1)
        let stage = fixture.stage
        fixture.database.shut()
        let sequence = CommandSequence(stage.roost)
        sequence.submit(.write(.hideChannel(HideChannel())), id: "walk", from: stage.ann)
        await fixture.database.waitForCommit()
        sequence.submit(.write(.hideChannel(HideChannel())), id: "walk", from: stage.bob)
        sequence.submit(.write(.hideChannel(HideChannel())), id: "again", from: stage.ann)
        sequence.send("between", to: try group(60), id: "between", from: stage.bob)
        fixture.database.open()
        #expect(await sequence.answers() == [0, 0, 0, 1])
        #expect(fixture.told(.channelHidden) == ["50", "20 all", "50", "20 all"])
        #expect(stage.bob.events(named: .channelHidden).count == 2)
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `all channels are marked as read in turns, with those that others write to meanwhile`(
        backend: Backend
    ) async throws {
        let fixture = try await fixture(backend, withBob: 1)
        let stage = fixture.stage
        for number in 0..<70 { try await stage.bob.send("x", to: group(number)) }
        await stage.forgetEvents()
        fixture.database.shut()
        let sequence = CommandSequence(stage.roost)
        sequence.submit(.move(.setAllReadMarks(SetAllReadMarks())), id: "marks", from: stage.ann)
        await fixture.database.waitForCommit()
        sequence.send("between", to: try group(60), id: "between", from: stage.bob)
        fixture.database.open()
        #expect(await sequence.answers() == [0, 2])
        #expect(try await stage.ann.perform(GetUnread()).total == 0)
        #expect(try await stage.ann.perform(SetAllReadMarks()).moved == 0)
        for number in 0..<70 { try await stage.bob.send("y", to: group(number)) }
        #expect(try await stage.ann.perform(SetAllReadMarks()).moved == 70)
        // A refused turn moves no marks, and those already moved stay.
        for number in 0..<70 { try await stage.bob.send("z", to: group(number)) }
        fixture.database.failCommits(nil, .unavailable)
        #expect(try await stage.ann.refusal(SetAllReadMarks())?.entry == .databaseAccess)
        #expect(try await stage.ann.perform(GetUnread()).total == 20)
        #expect(try await stage.ann.perform(SetAllReadMarks()).moved == 20)
        #expect(try await stage.ann.perform(GetUnread()).total == 0)
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `who wants much has the next command in the next batch`(backend: Backend) async throws {
        let fixture = try await fixture(backend, groups: 20)
        let stage = fixture.stage
        let texts = (0..<20).map { MessageContent(text: "\($0)") }
        fixture.database.shut()
        let sequence = CommandSequence(stage.roost)
        sequence.submit(.move(.startTyping(StartTyping(channel: try group(0)))), id: "hold", from: stage.bob)
        await fixture.database.waitForCommit()
        // 400 rows, more than a batch allows per user.
        let many = SendMany(messages: texts, channels: try (0..<20).map(group))
        sequence.submit(.write(.sendMany(many)), id: "many", from: stage.ann)
        sequence.send("after", to: try group(0), id: "after", from: stage.ann)
        sequence.send("between", to: try group(0), id: "between", from: stage.bob)
        fixture.database.open()
        #expect(await sequence.answers() == [0, 0, 22, 21])
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `a resume that names many open channels joins them in turns, and reads after the last turn`(
        backend: Backend
    ) async throws {
        let fixture = try await fixture(backend, groups: 0)
        let stage = fixture.stage
        let halls = try (0..<220).map { try channel("hall-\($0)") }
        for hall in halls { try await stage.bob.send("x", to: hall) }
        for session in [stage.bob, stage.cid] { try await session.perform(JoinChannel(channel: Cast.lobby)) }
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        var places = halls.map { ChannelPosition(channel: $0, seq: 1) }
        places.append(ChannelPosition(channel: try channel("none"), seq: 0))
        places.append(ChannelPosition(channel: Cast.lobby, seq: 0))
        let resume = Resume(channels: places)
        fixture.database.shut()
        async let answer = tablet.perform(resume)
        await fixture.database.waitForCommit()
        let sequence = CommandSequence(stage.roost)
        sequence.send("between", to: Cast.lobby, id: "between", from: stage.bob)
        fixture.database.open()
        #expect(await sequence.answers() == [1])
        let page = try await answer
        #expect(page.resets.map(\.reason) == [.gone])
        // It was sent before the session participated, so it is read and not delivered.
        #expect(page.events.map(\.text) == ["between"])
        #expect(tablet.rows(of: Cast.lobby).isEmpty)
        try await stage.bob.send("live", to: Cast.lobby)
        try await stage.bob.send("live", to: halls[7])
        #expect((tablet.rows(of: Cast.lobby) + tablet.rows(of: halls[7])).map(\.text) == ["live", "live"])
        fixture.database.failCommits(nil, .unavailable)
        #expect(try await tablet.refusal(resume)?.entry == .databaseAccess)
        #expect(try await tablet.perform(resume).events.count == 3)
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `a resume that names no open channel does not use the writer`(backend: Backend) async throws {
        let fixture = try await fixture(backend, groups: 2)
        let stage = fixture.stage
        var places = try (0..<998).map { ChannelPosition(channel: try channel("none-\($0)"), seq: 0) }
        places += [ChannelPosition(channel: try group(0), seq: 0), ChannelPosition(channel: try group(1), seq: 1)]
        for number in 0..<2 { try await stage.ann.send("x", to: group(number)) }
        places[999].seq = try await stage.ann.perform(GetChannel(channel: group(1))).seq
        let before = fixture.database.commits
        let page = try await stage.ann.perform(Resume(channels: places))
        #expect(fixture.database.commits == before)
        #expect(page.resets.count == 998)
        #expect(Set(page.events.compactMap(\.channel)) == [try group(0)])
        let tooMany = Resume(channels: Array(repeating: places[0], count: 1_001))
        #expect(try await stage.ann.refusal(tooMany)?.entry == .dataFormat)
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `all groups of a user who connects or disconnects are counted, however many they are`(backend: Backend)
        async throws
    {
        // One turn covers fewer members than these channels have.
        let (inner, folder) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        let stage = try await Stage(try TestCore(database: database))
        let ids = try (0..<400).map { try channel("g\($0)") }
        for id in ids {
            try await stage.ann.perform(CreateChannel(kind: .group, channel: id, members: stage.all.map(\.userID)))
        }
        stage.roost.disconnect(stage.bob)
        await stage.forgetEvents()
        stage.roost.clock.advance(by: 5_000)
        // A turn follows each command.
        for _ in 0..<4 { await stage.settle() }
        let told = stage.ann.events(named: .channelActiveCountChanged).compactMap(\.channel)
        #expect(told.sorted() == ids.sorted())
        withExtendedLifetime((database, folder)) {}
    }
}
