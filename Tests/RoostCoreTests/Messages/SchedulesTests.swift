import RoostCore
import RoostTesting
import RoostWire
import Testing

extension Stage {
    /// Advances the clock and lets the writer send due schedules until this session has received `count` events.
    func pass(_ ms: Int64, until count: Int, at session: TestSession) async throws {
        roost.clock.advance(by: ms)
        for _ in 0..<2_000 where session.events(named: .scheduleSent).count < count { await settle() }
        try #require(session.events(named: .scheduleSent).count >= count, "what is due does not go out")
    }

    /// Whether no session has received a stored event.
    fileprivate var isQuiet: Bool {
        all.allSatisfy { $0.events.allSatisfy { $0.seq == nil && $0.userSeq == nil } }
    }

    /// The time this many ms from now.
    func at(_ ms: Int64) -> Int64 { roost.clock.now + ms }
}

extension Event {
    var sentSchedule: ScheduleSent? { if case .user(.scheduleSent(let body)) = body { body } else { nil } }
}

extension TestSession {
    @discardableResult
    func schedule(
        _ texts: [String], to channels: [ChannelID], at time: Int64, id: String? = nil
    ) async throws -> Schedule {
        let contents = texts.map { MessageContent(text: $0) }
        return try await perform(
            CreateSchedule(messages: contents, channels: channels, sendAt: .init(milliseconds: time)), id: id
        ).schedule
    }

    func scheduled() async throws -> [Schedule] { try await perform(ListSchedules()).schedules }
}

private let minute: Int64 = 60_000
private let day: Int64 = 24 * 60 * minute

@Suite struct SchedulesTests {
    private func stage(_ backend: Backend, limits: Limits = .withoutRates) async throws -> Stage {
        let stage = try await Stage(backend, limits: limits)
        try await stage.makeClub()
        try await stage.makePair()
        await stage.forgetEvents()
        return stage
    }

    /// A stage over a database that outlives its core.
    private func stage(_ database: any SQLDatabase, _ clock: TestClock) async throws -> Stage {
        try await Stage(try TestCore(database: database, clock: clock))
    }

    @Test(arguments: Backend.available)
    func `the user's devices are told that messages are scheduled, and nobody else [L-66 LCB-14 LR-12]`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        let messages = [
            MessageContent(text: "one"),
            MessageContent(type: "location", location: Location(latitude: 1, longitude: 2)),
        ]
        let command = CreateSchedule(
            messages: messages, channels: [Cast.club, Cast.annAndBob], sendAt: .init(milliseconds: stage.at(7 * day)))
        let answer = try await stage.ann.perform(command, id: "later")
        #expect(answer.schedule.channels == command.channels)
        #expect(answer.schedule.messages == messages)
        #expect(answer.schedule.sendAt == command.sendAt)
        #expect(answer.transID.rawValue == "later" && answer.$sentAt == stage.roost.clock.now)
        for device in [stage.ann, tablet] {
            let row = try #require(device.events(named: .scheduleCreated).first)
            #expect(row.body == .user(.scheduleCreated(answer.schedule)))
            #expect(row.transID?.rawValue == "later" && row.senderID == Cast.ann.userID && row.userSeq != nil)
        }
        await stage.settle()
        #expect([stage.bob, stage.cid, stage.dee].allSatisfy { $0.events.isEmpty })
        #expect(try await tablet.scheduled() == [answer.schedule])
        #expect(try await stage.ann.channel(Cast.club).seq == 0)
        // Sent twice, it exists once.
        #expect(try await tablet.perform(command, id: "later") == answer)
        #expect(try await stage.ann.scheduled().count == 1)
        #expect(tablet.events(named: .scheduleCreated).count == 1)
        let other = CreateSchedule(messages: messages, channels: [Cast.club], sendAt: command.sendAt)
        #expect(try await stage.ann.refusal(other, id: "later")?.entry == .duplicateTransID)
    }

    @Test(arguments: Backend.available)
    func `the time is more than a minute and at most 30 days ahead, by the server's clock [L-67 C-L12]`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        func code(_ sendAt: Int64) async throws -> ErrorCode? {
            let content = MessageContent(text: "x")
            return try await stage.ann.refusal(
                CreateSchedule(messages: [content], channels: [Cast.club], sendAt: .init(milliseconds: sendAt)))?.entry
        }
        let edges: [(Int64, ErrorCode?)] = [
            (minute, .scheduleTime), (minute + 1, nil), (61_000, nil), (30 * day, nil), (30 * day + 1, .scheduleTime),
            (30 * day + 1_000, .scheduleTime), (0, .scheduleTime), (-minute, .scheduleTime),
        ]
        for (ahead, expected) in edges { #expect(try await code(stage.at(ahead)) == expected, "\(ahead)") }
        for time in [Int64.min, 0, .max] { #expect(try await code(time) == .scheduleTime) }
        // A text has at most 8,000 UTF-16 units.
        for (text, expected) in [
            (String(repeating: "😀", count: 4_000), nil), (String(repeating: "😀", count: 4_000) + "x", .invalidContent),
        ] as [(String, ErrorCode?)] {
            let create = CreateSchedule(
                messages: [MessageContent(text: text)], channels: [Cast.club],
                sendAt: .init(milliseconds: stage.at(day)))
            #expect(try await stage.ann.refusal(create)?.entry == expected)
        }
        let schedule = try #require(try await stage.ann.scheduled().first)
        for (ahead, expected) in edges {
            let change = ChangeSchedule(scheduleID: schedule.scheduleID, sendAt: .init(milliseconds: stage.at(ahead)))
            #expect(try await stage.ann.refusal(change)?.entry == expected, "\(ahead)")
        }
    }

    @Test(arguments: Backend.available)
    func `when due the messages go out once, also after a restart, and the owner is told [L-68 LCB-15 LR-13]`(
        backend: Backend
    ) async throws {
        for isRestarted in [false, true] {
            let (database, resource) = try backend.makeDatabase()
            let clock = TestClock()
            var stage = try await stage(database, clock)
            try await stage.makeClub()
            try await stage.makePair()
            let schedule = try await stage.ann.schedule(
                ["one", "two"], to: [Cast.club, Cast.annAndBob], at: stage.at(2 * minute))
            if isRestarted {
                await stage.roost.core.stop()
                stage = try await self.stage(database, clock)
            }
            let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
            await stage.forgetEvents()
            clock.advance(by: 2 * minute - 1)
            await stage.settle()
            #expect(stage.isQuiet)

            try await stage.pass(1, until: 1, at: tablet)

            let sent = try #require(tablet.events(named: .scheduleSent).first)
            #expect(stage.ann.events(named: .scheduleSent) == [sent])
            let body = try #require(sent.sentSchedule)
            #expect(body.scheduleID == schedule.scheduleID && body.sendAt == schedule.sendAt)
            #expect(body.results.map(\.code) == [0, 0, 0, 0])
            for channel in schedule.channels {
                let log = try await stage.bob.log(of: channel)
                #expect(log.map(\.text) == ["one", "two"])
                #expect(log.map(\.messageID) == body.results.filter { $0.channel == channel }.map(\.messageID))
                for row in log {
                    #expect(row.$sentAt == clock.now && row.senderID == Cast.ann.userID)
                    #expect(row.transID == sent.transID && row.message?.senderName == "Ann")
                }
                #expect(stage.bob.rows(of: channel) == log && tablet.rows(of: channel) == log)
                #expect(try await stage.bob.unread(channel) == 2)
                #expect(try await stage.ann.unread(channel) == 0)
            }
            for other in [stage.bob, stage.cid, stage.dee] { #expect(other.events(named: .scheduleSent).isEmpty) }
            #expect(try await stage.ann.scheduled().isEmpty)
            // There were no others.
            await stage.forgetEvents()
            clock.advance(by: 40 * day)
            for _ in 0..<5 { await stage.settle() }
            #expect(stage.isQuiet)
            await stage.roost.core.stop()
            withExtendedLifetime(resource) {}
        }
    }

    @Test(arguments: Backend.available)
    func `schedules that are late when a server starts go out in the order of their times`(backend: Backend)
        async throws
    {
        let (database, resource) = try backend.makeDatabase()
        let clock = TestClock()
        let first = try await stage(database, clock)
        try await first.makeClub()
        var order: [(at: Int64, number: Int)] = []
        var random = SeededNumbers(7)
        for number in 0..<100 {
            let at = first.at(2 * minute + Int64(random.int(0...9)) * 1_000)
            let session = [first.ann, first.bob, first.cid][number % 3]
            // If the times are equal, one user's schedules go out in the order in which they were made.
            if number.isMultiple(of: 10) { clock.advance(by: 1) }
            try await session.schedule(["\(number)", "\(number) again"], to: [Cast.club], at: at)
            order.append((at, number))
        }
        await first.roost.core.stop()
        clock.advance(by: day)
        let later = try await stage(database, clock)
        // It starts before anybody has connected.
        for session in [later.ann, later.bob, later.cid] {
            for _ in 0..<2_000 where try await !session.scheduled().isEmpty { await later.settle() }
        }
        let log = try await later.ann.log(of: Cast.club)
        #expect(log.count == 200)
        let shown = log.compactMap { $0.text.flatMap(Int.init) }
        #expect(Set(shown) == Set(0..<100))
        #expect(shown.map { order[$0].at } == shown.map { order[$0].at }.sorted(), "\(seed)")
        for start in 0..<3 {
            let own = shown.filter { $0 % 3 == start }
            let expected = order.filter { $0.number % 3 == start }.sorted { ($0.at, $0.number) < ($1.at, $1.number) }
            #expect(own == expected.map(\.number), "\(seed)")
        }
        #expect(log.compactMap(\.seq) == Array(1...200))
        await later.roost.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `rights are asked now and again when it is due, and the owner is told what was refused`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        func refusal(_ session: TestSession, _ channels: ChannelID...) async throws -> ErrorCode? {
            let content = MessageContent(text: "x", mentions: [Mention(userID: Cast.bob.userID)])
            return try await session.refusal(
                CreateSchedule(messages: [content], channels: channels, sendAt: .init(milliseconds: stage.at(day))))?
                .entry
        }
        #expect(try await refusal(stage.dee, Cast.club) == .channelNotFound)
        #expect(try await refusal(stage.ann, Cast.club, channel("a:b")) == .channelNotFound)
        #expect(try await refusal(stage.cid, Cast.annAndBob) == .channelNotFound)
        try await stage.makeHall()
        #expect(try await refusal(stage.ann, hall) == .notAllMembers)
        #expect(try await stage.ann.scheduled().isEmpty)
        #expect(try await stage.ann.channel(Cast.club).seq == 0)

        await stage.forgetEvents()
        let places = [Cast.club, Cast.annAndBob, hall]
        try await stage.ann.schedule(["a", "b"], to: places, at: stage.at(2 * minute))
        try await stage.cid.schedule(["c"], to: [Cast.club], at: stage.at(2 * minute))
        try await stage.bob.schedule(["d"], to: [Cast.club, Cast.annAndBob], at: stage.at(2 * minute + 1))
        try await stage.bob.perform(BlockUser(userID: Cast.ann.userID))
        try await stage.ann.perform(DismissChannel(channel: hall), id: "dismiss")
        try await stage.ann.perform(KickMembers(channel: Cast.club, members: [Cast.cid.userID]))
        try await stage.pass(2 * minute + 1, until: 1, at: stage.bob)
        func codes(_ session: TestSession) -> [Int] {
            session.events(named: .scheduleSent).last?.sentSchedule?.results.map(\.code) ?? []
        }
        #expect(codes(stage.ann) == [0, 0, 7003, 7003, 1105, 1105])
        #expect(codes(stage.cid) == [1117])
        #expect(codes(stage.bob) == [0, 0])
        #expect(try await stage.ann.log(of: Cast.club).compactMap(\.text) == ["a", "b", "d"])
        for session in [stage.ann, stage.cid] { #expect(try await session.scheduled().isEmpty) }
    }

    @Test(arguments: Backend.available)
    func `a schedule is listed, changed and cancelled by its owner until it is due [L-X3]`(backend: Backend)
        async throws
    {
        let stage = try await stage(backend)
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        var made: [Schedule] = []
        for number in 0..<5 {
            let at = stage.at(2 * minute + Int64((number * 3) % 5) * 1_000)
            made.append(try await stage.ann.schedule(["\(number)"], to: [Cast.club], at: at))
        }
        try await stage.bob.schedule(["of Bob"], to: [Cast.club], at: stage.at(2 * minute))
        let ordered = made.sorted { $0.sendAt < $1.sendAt }
        var found: [Schedule] = []
        var cursor: String?
        repeat {
            let page = try await tablet.perform(ListSchedules(limit: 2, cursor: cursor))
            #expect(page.schedules.count <= 2)
            found += page.schedules
            cursor = page.next
        } while cursor != nil
        #expect(found == ordered)
        for bad in ["", "x", "1/", "/", "1/2", "1/\(made[0].scheduleID)/"] {
            #expect(try await stage.ann.refusal(ListSchedules(cursor: bad))?.entry == .dataFormat)
        }
        for limit in [0, -1, 101] {
            #expect(try await stage.ann.refusal(ListSchedules(limit: limit))?.entry == .dataFormat)
        }

        let change = ChangeSchedule(
            scheduleID: made[0].scheduleID, messages: [MessageContent(text: "new")], channels: [Cast.annAndBob],
            sendAt: .init(milliseconds: stage.at(3 * minute)))
        let changed = try await stage.ann.perform(change, id: "change")
        #expect(changed.schedule.messages.map(\.text) == ["new"])
        #expect(tablet.events(named: .scheduleChanged).map(\.body) == [.user(.scheduleChanged(changed.schedule))])
        // The same change once more changes nothing and sends no event.
        #expect(try await stage.ann.perform(change, id: "change") == changed)
        #expect(try await stage.ann.perform(change).schedule == changed.schedule)
        #expect(tablet.events(named: .scheduleChanged).count == 1)
        let cancel = CancelSchedule(scheduleID: made[1].scheduleID)
        let cancelled = try await stage.ann.perform(cancel, id: "cancel")
        #expect(try await tablet.perform(cancel, id: "cancel") == cancelled)
        #expect(try await stage.ann.refusal(cancel)?.entry == .scheduleNotFound)
        let gone = ScheduleCancelled(scheduleID: made[1].scheduleID)
        #expect(tablet.events(named: .scheduleCancelled).map(\.body) == [.user(.scheduleCancelled(gone))])

        // Another user's schedule, an unknown one, an empty change, and content that may not be sent.
        for session in [stage.bob, stage.dee] {
            #expect(
                try await session.refusal(CancelSchedule(scheduleID: made[2].scheduleID))?.entry == .scheduleNotFound)
            let time = ChangeSchedule(scheduleID: made[2].scheduleID, sendAt: .init(milliseconds: stage.at(day)))
            #expect(try await session.refusal(time)?.entry == .scheduleNotFound)
        }
        let id = made[2].scheduleID
        let bad: [(ChangeSchedule, ErrorCode)] = [
            (ChangeSchedule(scheduleID: id), .dataFormat), (ChangeSchedule(scheduleID: id, messages: []), .dataFormat),
            (ChangeSchedule(scheduleID: id, channels: []), .dataFormat),
            (ChangeSchedule(scheduleID: id, messages: [MessageContent(text: " ")]), .invalidContent),
            (
                ChangeSchedule(scheduleID: id, channels: [ChannelID(single: Cast.cid.userID, Cast.dee.userID)]),
                .channelNotFound
            ),
        ]
        for (change, code) in bad { #expect(try await stage.ann.refusal(change)?.code == code.code) }
        #expect(try await stage.ann.scheduled().contains(made[2]))

        try await stage.pass(10 * minute, until: 4, at: stage.ann)
        #expect(try await stage.ann.log(of: Cast.club).compactMap(\.text) == ["of Bob", "2", "4", "3"])
        #expect(try await stage.ann.log(of: Cast.annAndBob).compactMap(\.text) == ["new"])
        for schedule in made {
            #expect(
                try await stage.ann.refusal(CancelSchedule(scheduleID: schedule.scheduleID))?.entry == .scheduleNotFound
            )
        }
    }

    @Test(arguments: Backend.available)
    func `a schedule that is due can be neither changed nor cancelled any more`(backend: Backend) async throws {
        let (inner, resource) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        let clock = TestClock()
        let stage = try await stage(database, clock)
        try await stage.makeClub()
        let schedule = try await stage.ann.schedule(["x"], to: [Cast.club], at: stage.at(2 * minute))
        database.poison(schedule.scheduleID.rawValue)
        clock.advance(by: 2 * minute)
        await stage.settle()
        let time = ChangeSchedule(scheduleID: schedule.scheduleID, sendAt: .init(milliseconds: stage.at(day)))
        #expect(try await stage.ann.refusal(time)?.entry == .timeExpired)
        #expect(try await stage.ann.refusal(CancelSchedule(scheduleID: schedule.scheduleID))?.entry == .timeExpired)
        database.poison(nil)
        try await stage.pass(100_000, until: 1, at: stage.ann)
        #expect(try await stage.bob.log(of: Cast.club).map(\.text) == ["x"])
        await stage.roost.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `a user's waiting schedules are limited, and a page of large ones stays small`(backend: Backend) async throws {
        let stage = try await stage(
            backend, limits: Limits(schedules: 12, sendsPerSecond: 0, channelSendsPerSecond: 0, commandsPerSecond: 0))
        let large = (0..<7).map { _ in MessageContent(text: String(repeating: "x", count: 8_000)) }
        let command = CreateSchedule(
            messages: large, channels: [Cast.club], sendAt: .init(milliseconds: stage.at(2 * minute)))
        for _ in 0..<12 { try await stage.ann.perform(command) }
        #expect(try await stage.ann.refusal(command)?.entry == .limitReached)
        #expect(try await stage.bob.refusal(command) == nil)
        let page = try await stage.ann.perform(ListSchedules())
        #expect((1..<12).contains(page.schedules.count))
        let rest = try await stage.ann.perform(ListSchedules(cursor: page.next))
        #expect(page.schedules.count + rest.schedules.count <= 12)
        try await stage.ann.perform(CancelSchedule(scheduleID: page.schedules[0].scheduleID))
        #expect(try await stage.ann.refusal(command) == nil)
        #expect(try await stage.ann.refusal(command)?.entry == .limitReached)
        try await stage.pass(2 * minute, until: 12, at: stage.ann)
        let soon = CreateSchedule(
            messages: large, channels: [Cast.club], sendAt: .init(milliseconds: stage.at(2 * minute)))
        #expect(try await stage.ann.refusal(soon) == nil)
    }

    @Test(arguments: Backend.available)
    func `a failed turn has done nothing, and is tried again after a while`(backend: Backend) async throws {
        let (inner, resource) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        let clock = TestClock()
        let stage = try await stage(database, clock)
        try await stage.makeClub()
        try await stage.ann.schedule(["x"], to: [Cast.club], at: stage.at(2 * minute))
        await stage.forgetEvents()
        database.poison("scheduleID")
        clock.advance(by: 2 * minute)
        for _ in 0..<5 { await stage.settle() }
        #expect(stage.isQuiet)
        #expect(try await stage.ann.channel(Cast.club).seq == 0)
        // It waits for a second, so that it does not write continuously to a full disk; commands are still performed.
        database.poison(nil)
        for _ in 0..<5 { await stage.settle() }
        #expect(try await stage.bob.send("meanwhile", to: Cast.club).seq == 1)
        try await stage.pass(1_000, until: 1, at: stage.ann)
        #expect(try await stage.ann.log(of: Cast.club).map(\.text) == ["meanwhile", "x"])
        await stage.roost.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `commands are performed in between, however much is due`(backend: Backend) async throws {
        let (inner, resource) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        let clock = TestClock()
        let stage = try await stage(database, clock)
        try await stage.makeClub()
        for number in 0..<90 { try await stage.ann.schedule(["\(number)"], to: [Cast.club], at: stage.at(2 * minute)) }
        database.shut()
        clock.advance(by: 2 * minute)
        // The writer looks at least once a second; the first turn then waits at the gate.
        await database.waitForCommit()
        let send = SendMessage(channel: Cast.club, text: "in between")
        let replies = AsyncStream<Reply> { replies in
            stage.roost.core.handle(.write(.sendMessage(send)), id: "between", from: stage.bob.actor) { reply in
                replies.yield(reply)
                replies.finish()
            }
        }
        database.open()
        for await reply in replies { #expect(try reply.decode(Acknowledgement.self).seq == 9) }
        try await stage.pass(0, until: 90, at: stage.ann)
        let log = try await stage.ann.log(of: Cast.club).compactMap { $0.text.flatMap(Int.init) }
        #expect(log == Array(0..<90))
        await stage.roost.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(.enabled(if: Backend.available.contains(.postgres)))
    func `two servers on one database send what is due once and in order`() async throws {
        let url = try Postgres.makeSchema()
        let clock = TestClock()
        let first = try TestCore(database: Postgres.open(url), clock: clock)
        let second = try TestCore(database: Postgres.open(url), clock: clock)
        let stage = try await Stage(first, and: second)
        try await stage.makeClub()
        for number in 0..<100 {
            let session = number.isMultiple(of: 2) ? stage.ann : stage.bob
            try await session.schedule(
                ["\(number)"], to: [Cast.club], at: stage.at(2 * minute + Int64(number)), id: "s\(number)")
        }
        clock.advance(by: 3 * minute)
        for _ in 0..<2_000 {
            await stage.settle()
            _ = try await second.core.handle(
                .move(.endTyping(EndTyping(channel: channel("settle")))), id: "settle", from: stage.dee.actor)
            if try await stage.ann.channel(Cast.club).seq >= 100 { break }
        }
        let log = try await stage.ann.log(of: Cast.club)
        #expect(log.compactMap { $0.text.flatMap(Int.init) } == Array(0..<100))
        for session in [stage.ann, stage.bob] { #expect(try await session.scheduled().isEmpty) }
        for session in [stage.ann, stage.bob] {
            let own = try await session.perform(Resume(userSeq: 0)).events.compactMap(\.sentSchedule)
            #expect(own.count == 50 && Set(own.map(\.scheduleID)).count == 50)
        }
        await first.core.stop()
        await second.core.stop()
    }

    @Test(arguments: Backend.available)
    func `schedules are told as 205 and 202, never as their twins [LT-201 LT-202 LT-203 LT-205 LT-206]`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        let away = try await stage.ann.perform(Resume(userSeq: 0))
        let schedule = try await stage.ann.schedule(["x"], to: [Cast.annAndBob], at: stage.at(2 * minute))
        try await stage.ann.perform(ChangeSchedule(scheduleID: schedule.scheduleID, channels: [Cast.club]))
        let before = try await stage.ann.channel(Cast.annAndBob)
        try await stage.pass(2 * minute, until: 1, at: tablet)
        for (number, name) in [(205, EventName.scheduleCreated), (202, .scheduleSent)] {
            let type = try #require(MessageType.numbered(number))
            let row = try #require(tablet.events(named: name).first)
            #expect(row.body.messageType == type && type.isEmitted && type.audience == .ownDevices)
            let behaviour = try #require(row.body.behaviour)
            #expect(behaviour.isStored && behaviour.isRealtime && behaviour.isPushed)
            #expect(!behaviour.isLastMessage && !behaviour.countsAsUnread)
            // Stored: a device that was offline reads it in the user log; no channel has a row for it.
            let missed = try await tablet.perform(Resume(epoch: away.epoch, userSeq: away.userSeq))
            #expect(missed.events.contains(row) && row.userSeq != nil && row.seq == nil)
            for other in [stage.bob, stage.cid, stage.dee] { #expect(other.events(named: name).isEmpty) }
        }
        #expect(try await stage.ann.channel(Cast.annAndBob) == before)
        let numbers = Set((stage.all + [tablet]).flatMap(\.events).compactMap { $0.body.messageType?.number })
        #expect(numbers.isDisjoint(with: [201, 203, 206]))
        for number in [201, 203, 206] { #expect(MessageType.numbered(number)?.isEmitted == false) }
    }
}

extension SchedulesTests {
    /// A vote with two options.
    private var menu: Vote { Vote(options: [MessageContent(text: "Soup"), MessageContent(text: "Cake")]) }

    private func asked(
        _ subject: String, _ vote: Vote, to channels: [ChannelID], at time: Int64
    ) -> CreateSchedule {
        CreateSchedule(channels: channels, sendAt: .init(milliseconds: time), subject: subject, vote: vote)
    }

    @Test(arguments: Backend.available)
    func `a scheduled vote is created once in each channel, closes by itself, and is told as 204 [LT-203 LT-204]`(
        backend: Backend
    ) async throws {
        let (database, resource) = try backend.makeDatabase()
        let clock = TestClock()
        var stage = try await stage(database, clock)
        try await stage.makeClub()
        try await stage.makePair()
        try await stage.makeHall()
        var vote = menu
        vote.closesAt = .init(milliseconds: stage.at(3 * minute))
        let command = asked("Lunch?", vote, to: [Cast.club, hall, Cast.annAndBob], at: stage.at(2 * minute))
        let answer = try await stage.ann.perform(command, id: "later")
        #expect(answer.schedule.messages.isEmpty && answer.schedule.vote == vote && answer.schedule.subject == "Lunch?")
        #expect(try await stage.ann.perform(command, id: "later") == answer)
        let other = asked("Supper?", vote, to: [Cast.club], at: command.$sendAt)
        #expect(try await stage.ann.refusal(other, id: "later")?.entry == .duplicateTransID)
        let row = try #require(stage.ann.events(named: .scheduleCreated).first)
        #expect(
            row.body == .user(.scheduleCreated(answer.schedule)) && row.body.messageType == MessageType.numbered(205))
        #expect(try await stage.ann.scheduled() == [answer.schedule])
        await stage.roost.core.stop()

        stage = try await self.stage(database, clock)
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        await stage.forgetEvents()
        try await stage.ann.perform(DismissChannel(channel: hall), id: "dismiss")
        try await stage.pass(2 * minute, until: 1, at: tablet)
        let told = try #require(tablet.events(named: .scheduleSent).first)
        let sent = try #require(told.sentSchedule)
        #expect(sent.results.map(\.code) == [0, 1105, 0] && sent.isVote == true)
        let type = try #require(MessageType.numbered(204))
        #expect(told.body.messageType == type && type.isEmitted && type.audience == .ownDevices)
        let behaviour = try #require(told.body.behaviour)
        #expect(behaviour.isStored && behaviour.isRealtime && behaviour.isPushed)
        #expect(!behaviour.isLastMessage && !behaviour.countsAsUnread)
        #expect(told.userSeq != nil && told.seq == nil)
        #expect(stage.bob.events(named: .scheduleSent).isEmpty)
        #expect(try await stage.ann.scheduled().isEmpty)
        for result in sent.results where result.code == 0 {
            let id = try #require(result.messageID)
            let state = try #require(
                try await stage.bob.perform(GetVotes(channel: result.channel, messageIDs: [id])).votes.first)
            #expect(state.phase == .open && state.event.seq == result.seq && state.event.$sentAt == clock.now)
            #expect(state.event.senderID == Cast.ann.userID)
            #expect(state.event.transID?.rawValue == "schedule:\(answer.schedule.scheduleID)")
            guard case .channel(.messageSent(let message)) = state.event.body else {
                Issue.record("no message")
                continue
            }
            #expect(message.text == "Lunch?" && message.vote == vote)
            try await stage.bob.perform(CastVote(channel: result.channel, messageID: id, options: [1]))
        }
        #expect(try await stage.bob.perform(ListVotes(channel: Cast.club)).votes.count == 1)
        clock.advance(by: minute)
        for _ in 0..<2_000 where stage.bob.events(named: .voteClosed).count < 2 { await stage.settle() }
        #expect(stage.bob.events(named: .voteClosed).count == 2)
        let numbers = Set((stage.all + [tablet]).flatMap(\.events).compactMap { $0.body.messageType?.number })
        #expect(numbers.isDisjoint(with: [201, 203, 206]))
        await stage.roost.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `a schedule holds messages or a vote, and its vote keeps the rules at the time it is due`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        let (me, due) = (stage.ann, stage.at(2 * minute))
        func code(_ create: CreateSchedule) async throws -> ErrorCode? { try await me.refusal(create)?.entry }
        var late = menu
        late.closesAt = .init(milliseconds: due + 1)
        var early = menu
        early.closesAt = .init(milliseconds: due)
        let one = Vote(options: [MessageContent(text: "Soup")])
        let typed = Vote(options: [MessageContent(type: "custom", text: "x"), MessageContent(text: "y")])
        #expect(try await code(asked("x", early, to: [Cast.club], at: due)) == .dataFormat)
        #expect(try await code(asked("x", one, to: [Cast.club], at: due)) == .dataFormat)
        #expect(try await code(asked("x", typed, to: [Cast.club], at: due)) == .invalidContent)
        #expect(try await code(asked(" ", menu, to: [Cast.club], at: due)) == .invalidContent)
        #expect(try await code(asked("x", menu, to: [], at: due)) == .dataFormat)
        #expect(try await code(asked("x", menu, to: [Cast.club, Cast.club], at: due)) == .dataFormat)
        #expect(try await code(asked("x", menu, to: [channel("no:where")], at: due)) == .channelNotFound)
        #expect(try await code(asked("x", menu, to: [Cast.club], at: stage.at(minute))) == .scheduleTime)
        let text = MessageContent(text: "x")
        var both = asked("x", menu, to: [Cast.club], at: due)
        both.messages = [text]
        #expect(try await code(both) == .dataFormat)
        both.messages = []
        #expect(try await code(both) == .dataFormat)
        #expect(
            try await code(CreateSchedule(channels: [Cast.club], sendAt: .init(milliseconds: due), subject: "x"))
                == .dataFormat)
        #expect(
            try await code(CreateSchedule(channels: [Cast.club], sendAt: .init(milliseconds: due), vote: menu))
                == .dataFormat)
        #expect(try await code(CreateSchedule(channels: [Cast.club], sendAt: .init(milliseconds: due))) == .dataFormat)
        #expect(try await me.scheduled().isEmpty)

        let made = try await me.perform(asked("Lunch?", late, to: [Cast.club], at: due)).schedule
        func change(
            _ messages: [MessageContent]? = nil, _ subject: String? = nil, _ vote: Vote? = nil, at: Int64? = nil
        ) -> ChangeSchedule {
            ChangeSchedule(
                scheduleID: made.scheduleID, messages: messages, sendAt: at.map { .init(milliseconds: $0) },
                subject: subject, vote: vote)
        }
        #expect(try await me.refusal(change())?.entry == .dataFormat)
        #expect(try await me.refusal(change([text], "x"))?.entry == .dataFormat)
        #expect(try await me.refusal(change([text], nil, menu))?.entry == .dataFormat)
        // Its time is after the closing time of its vote.
        #expect(try await me.refusal(change(at: due + 1))?.entry == .dataFormat)
        #expect(try await me.refusal(change(nil, nil, early))?.entry == .dataFormat)
        #expect(try await me.refusal(change(nil, " "))?.entry == .invalidContent)
        var schedule = try await me.perform(change(nil, "Supper?")).schedule
        #expect(schedule.subject == "Supper?" && schedule.vote == late)
        schedule = try await me.perform(change(nil, nil, menu, at: due + 1)).schedule
        #expect(schedule.subject == "Supper?" && schedule.vote == menu && schedule.$sendAt == due + 1)
        schedule = try await me.perform(change([text])).schedule
        #expect(schedule.messages == [text] && schedule.subject == nil && schedule.vote == nil)
        #expect(try await me.refusal(change(nil, "Supper?"))?.entry == .dataFormat)
        schedule = try await me.perform(change(nil, "Supper?", late, at: due)).schedule
        #expect(schedule.messages.isEmpty && schedule.vote == late)
        #expect(try await me.scheduled() == [schedule])
        #expect(stage.bob.events.isEmpty)
        #expect(stage.ann.events(named: .scheduleChanged).last?.body == .user(.scheduleChanged(schedule)))
    }

    @Test(arguments: Backend.available)
    func `a vote that is due after it would have closed is not created, and its owner is told 1121`(
        backend: Backend
    ) async throws {
        let (database, resource) = try backend.makeDatabase()
        let clock = TestClock()
        var stage = try await stage(database, clock)
        try await stage.makeClub()
        var vote = menu
        vote.closesAt = .init(milliseconds: stage.at(2 * minute + 1))
        try await stage.ann.perform(asked("Lunch?", vote, to: [Cast.club], at: stage.at(2 * minute)))
        await stage.roost.core.stop()
        clock.advance(by: 2 * minute + 1)
        stage = try await self.stage(database, clock)
        for _ in 0..<2_000 where try await !stage.ann.scheduled().isEmpty { await stage.settle() }
        let sent = try await stage.ann.perform(Resume(userSeq: 0)).events.compactMap(\.sentSchedule)
        #expect(sent.first?.results.map(\.code) == [1121] && sent.first?.isVote == true)
        #expect(try await stage.ann.perform(ListVotes(channel: Cast.club)).votes.isEmpty)
        await stage.roost.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `of each pair of twin types one is told, and the others mean the same [C-L21]`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        await stage.forgetEvents()
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        try await stage.ann.schedule(["x"], to: [Cast.club], at: stage.at(2 * minute))
        try await stage.ann.perform(asked("Lunch?", menu, to: [Cast.club], at: stage.at(2 * minute)))
        try await stage.pass(2 * minute, until: 2, at: tablet)
        try await stage.makeHall()
        try await stage.ann.perform(
            SetMemberRole(channel: Cast.club, userID: Cast.bob.userID, role: .moderator))
        let told = Set(tablet.events.compactMap { $0.body.messageType?.number })
        #expect(told.isSuperset(of: [202, 204, 205, 1001, 1010]))
        let twins = [201: 205, 203: 205, 206: 202, 1017: 1001]
        for type in MessageType.all {
            #expect(type.emitted.isEmitted)
            #expect(type.emitted.number == twins[type.number] ?? type.number)
            #expect(type.isEmitted == (twins[type.number] == nil))
        }
        #expect(told.isDisjoint(with: twins.keys))
        // Several at once give 1018; a client treats a twin type like the type with the same meaning.
        let role = MemberRole(userID: Cast.bob.userID, name: "Bob", role: .none)
        let several = EventBody.channel(.memberRoleChanged(RolesChanged(members: [role, role], memberCount: 2)))
        #expect(several.messageType?.number == 1018)
        for (twin, meant) in twins {
            let type = try #require(MessageType.numbered(twin))
            #expect(MessageType.named(type.name)?.emitted == MessageType.numbered(meant))
        }
    }

    @Test func `a schedule that an older server wrote reads as one of messages`() throws {
        let old =
            #"{"scheduleID":"019b76daa80000000000019c3e51","messages":[{"text":"x"}],"channels":["c"],"sendAt":7}"#
        let schedule = try WireCodec.decode(Schedule.self, from: Array(old.utf8))
        #expect(schedule.messages == [MessageContent(text: "x")] && schedule.vote == nil)
        let sent = #"{"scheduleID":"019b76daa80000000000019c3e51","sendAt":7,"results":[]}"#
        #expect(try WireCodec.decode(ScheduleSent.self, from: Array(sent.utf8)).isVote == nil)
    }
}

/// A group of Ann and Cid.
private let hall = ChannelID(rawValue: "hall") ?? Cast.club

extension Stage {
    fileprivate func makeHall() async throws {
        try await ann.perform(CreateChannel(kind: .group, channel: hall, members: [Cast.cid.userID]))
    }
}
