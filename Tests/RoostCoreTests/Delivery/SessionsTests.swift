import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct SessionsTests {
    private func position(_ channel: ChannelID, _ seq: Int64) -> ChannelPosition {
        ChannelPosition(channel: channel, seq: seq)
    }

    @Test(arguments: Backend.available)
    func `the welcome says who, when, which epoch and what the limits are`(backend: Backend) async throws {
        let roost = try TestCore(backend, limits: Limits(textLength: 77))
        let ann = try await roost.session(Cast.ann, isOperator: true)
        let welcome = try #require(ann.welcome)
        #expect(welcome.user == Cast.ann)
        #expect(welcome.isOperator)
        #expect(welcome.$serverTime == roost.clock.now)
        #expect(welcome.epoch == roost.core.epoch)
        #expect(welcome.limits.textLength == 77)
        #expect(welcome.userSeq == 0)
        #expect(welcome.heartbeat == 25_000)
        try await ann.perform(CreateChannel(kind: .own))
        #expect(try await roost.session(Cast.ann, device: "tablet").welcome?.userSeq == 1)
    }

    @Test(arguments: Backend.available)
    func `a user has at most as many connections as the limit says`(backend: Backend) async throws {
        let roost = try TestCore(backend, limits: Limits(connectionsPerUser: 2))
        let first = try await roost.session(Cast.ann, device: "one")
        _ = try await roost.session(Cast.ann, device: "two")
        let error = await #expect(throws: WireError.self) { try await roost.session(Cast.ann, device: "three") }
        #expect(error?.entry == .tooManyConnections)
        #expect(error?.retryable == true)
        #expect(error?.retryAfterMs != nil)
        _ = try await roost.session(Cast.bob)
        roost.disconnect(first)
        _ = try await roost.session(Cast.ann, device: "three")
    }

    @Test(arguments: Backend.available)
    func `a disconnected session gets nothing more`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        stage.roost.disconnect(stage.bob)
        await stage.settle()
        let before = stage.bob.events.count
        try await stage.ann.send("one", to: Cast.annAndBob)
        #expect(stage.bob.events.count == before)
    }

    @Test(arguments: Backend.available)
    func `resume gives exactly the missing rows of every named channel and of the user log`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.makeClub()
        for number in 1...5 { try await stage.ann.send("p\(number)", to: Cast.annAndBob) }
        for number in 1...3 { try await stage.ann.send("c\(number)", to: Cast.club) }
        let live = stage.bob.events
        let resume = Resume(
            epoch: stage.roost.core.epoch, userSeq: 1, channels: [position(Cast.annAndBob, 2), position(Cast.club, 3)])
        let page = try await stage.bob.perform(resume)
        #expect(page.epoch == stage.roost.core.epoch)
        #expect(!page.hasMore)
        #expect(page.resets.isEmpty)
        #expect(page.userSeq == 2)
        #expect(page.events.first?.userSeq == 2)
        let rows = page.events.dropFirst()
        #expect(rows.map(\.seq) == [3, 4, 5])
        #expect(rows.allSatisfy { $0.channel == Cast.annAndBob })
        // The replayed events equal the delivered ones.
        #expect(page.events.allSatisfy(live.contains))
        #expect(page.channels == [position(Cast.annAndBob, 5), position(Cast.club, 3)])
        #expect(
            page.marks == [
                OwnMark(channel: Cast.annAndBob, seq: 0, unread: 5, count: 5),
                OwnMark(channel: Cast.club, seq: 0, unread: 3, count: 3),
            ])
    }

    @Test(arguments: Backend.available)
    func `a resume that closes a gap tells of the named channels only`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.makeClub()
        try await stage.ann.send("lobby", to: Cast.lobby)
        for channel in [Cast.annAndBob, Cast.club] {
            for number in 1...3 { try await stage.ann.send("\(number)", to: channel) }
        }
        func resume(_ channels: [ChannelPosition]) async throws -> Resume.Answer {
            try await stage.bob.perform(Resume(userSeq: 1, channels: channels, onlyNamed: true))
        }
        let gap = try await resume([position(Cast.club, 1)])
        #expect(gap.events.map { $0.seq ?? $0.userSeq } == [2, 2, 3])
        #expect(gap.channels == [position(Cast.club, 3)])
        #expect(gap.marks == [OwnMark(channel: Cast.club, seq: 0, unread: 3, count: 3)])
        let own = try await resume([])
        #expect(own.events.map(\.userSeq) == [2])
        #expect(own.channels.isEmpty && own.marks.isEmpty && own.userSeq == 2)
        let others = try await resume([position(Cast.lobby, 1), position(channel("none"), 4)])
        #expect(others.channels == [position(Cast.lobby, 1)])
        #expect(others.resets == [Reset(channel: try channel("none"), seq: 0, reason: .gone)])
        #expect(others.marks.isEmpty)
    }

    @Test(arguments: Backend.available)
    func `the first resume gives heads and marks and replays nothing`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.makeClub()
        try await stage.ann.send("one", to: Cast.annAndBob)
        let page = try await stage.bob.perform(Resume())
        #expect(page.events.isEmpty)
        #expect(page.resets.isEmpty)
        #expect(page.channels == [position(Cast.annAndBob, 1), position(Cast.club, 0)])
        #expect(page.marks == [OwnMark(channel: Cast.annAndBob, seq: 0, unread: 1, count: 1)])
        #expect(page.userSeq == 2)
        let nothing = try await stage.dee.perform(Resume())
        #expect(nothing.channels.isEmpty)
        #expect(nothing.userSeq == 0)
    }

    @Test(arguments: Backend.available)
    func `more than 500 missing rows come in pages without gaps or duplicates`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.makeClub()
        for number in 0..<70 { try await stage.ann.perform(HideChannel(channel: Cast.club), id: "h\(number)") }
        for number in 0..<640 { try await stage.bob.send("p\(number)", to: Cast.annAndBob) }
        for number in 0..<410 { try await stage.bob.send("c\(number)", to: Cast.club) }
        var userSeq: Int64 = 0
        var positions = [Cast.annAndBob: Int64(20), Cast.club: Int64(0)]
        var pages = 0
        while true {
            let page = try await stage.ann.perform(
                Resume(
                    epoch: stage.roost.core.epoch, userSeq: userSeq,
                    channels: positions.map { position($0.key, $0.value) }))
            pages += 1
            #expect(page.events.count <= 500)
            #expect(page.resets.isEmpty)
            for event in page.events {
                if let seq = event.userSeq {
                    #expect(seq == userSeq + 1)
                    userSeq = seq
                } else {
                    let id = try #require(event.channel)
                    #expect(event.seq == (positions[id] ?? -1) + 1)
                    positions[id] = event.seq
                }
            }
            guard page.hasMore else { break }
            #expect(!page.events.isEmpty)
        }
        #expect(userSeq == 72)
        #expect(positions == [Cast.annAndBob: 640, Cast.club: 410])
        #expect(pages == 3)
    }

    @Test(arguments: Backend.available)
    func `large rows end a page early, and the next page continues`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        let text = String(repeating: "你", count: 8_000)
        for _ in 0..<15 { try await stage.bob.send(text, to: Cast.annAndBob) }
        var seq: Int64 = 0
        var sizes: [Int] = []
        repeat {
            let page = try await stage.ann.perform(Resume(channels: [position(Cast.annAndBob, seq)]))
            #expect(page.events.first?.seq == seq + 1)
            sizes.append(page.events.count)
            seq = page.events.last?.seq ?? .max
            #expect(page.hasMore == (seq < 15))
        } while seq < 15
        #expect(sizes.reduce(0, +) == 15)
        #expect(sizes.count == 2)
    }

    @Test(arguments: Backend.available)
    func `a position that cannot be continued is reset with its reason`(backend: Backend) async throws {
        let stage = try await Stage(backend, limits: Limits(resumeRows: 5))
        try await stage.makePair()
        try await stage.makeClub()
        for _ in 0..<6 { try await stage.bob.send("x", to: Cast.annAndBob) }
        let epoch = stage.roost.core.epoch
        func resets(_ resume: Resume, _ session: TestSession) async throws -> [Reset] {
            let page = try await session.perform(resume)
            #expect(page.events.isEmpty)
            return page.resets
        }
        let pair = Cast.annAndBob
        #expect(
            try await resets(Resume(epoch: epoch, channels: [position(pair, 0)]), stage.ann)
                == [Reset(channel: pair, seq: 6, reason: .tooFar)])
        #expect(try await stage.ann.perform(Resume(epoch: epoch, channels: [position(pair, 1)])).events.count == 5)
        for seq in [7, Int64.max] {
            #expect(
                try await resets(Resume(epoch: epoch, userSeq: seq, channels: [position(pair, seq)]), stage.ann)
                    == [Reset(seq: 2, reason: .ahead), Reset(channel: pair, seq: 6, reason: .ahead)])
        }
        #expect(
            try await resets(Resume(epoch: "other", userSeq: 1, channels: [position(pair, 6)]), stage.ann)
                == [Reset(seq: 2, reason: .epoch), Reset(channel: pair, seq: 6, reason: .epoch)])
        // A channel the user never had, one the user left and one that does not exist get the same answer.
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        let none = try channel("none")
        let places = [position(pair, 1), position(Cast.club, 0), position(none, 0)]
        #expect(
            try await resets(Resume(epoch: epoch, channels: places), stage.cid)
                == [pair, Cast.club, none].map { Reset(channel: $0, seq: 0, reason: .gone) })
    }

    @Test(arguments: Backend.available)
    func `a negative position and a channel named twice are refused`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.ann.perform(JoinChannel(channel: Cast.lobby))
        for _ in 0..<3 { try await stage.bob.send("x", to: Cast.annAndBob) }
        let pair = Cast.annAndBob
        let bad = [
            Resume(userSeq: -1), Resume(userSeq: .min), Resume(channels: [position(pair, -1)]),
            Resume(channels: [position(pair, 1), position(Cast.lobby, .min)]),
            Resume(channels: [position(pair, 0), position(pair, 0)]),
            Resume(channels: [position(pair, 0), position(Cast.lobby, 0), position(pair, 2)]),
            Resume(channels: [position(Cast.lobby, 0), position(Cast.lobby, 0)]),
            Resume(epoch: "other", channels: [position(try channel("none"), 0), position(try channel("none"), 1)]),
        ]
        for resume in bad { #expect(try await stage.ann.refusal(resume)?.entry == .dataFormat, "\(resume)") }
        let good = Resume(userSeq: 0, channels: [position(pair, 0), position(Cast.lobby, 0)])
        #expect(try await stage.ann.perform(good).events.compactMap(\.seq) == [1, 2, 3])
    }

    @Test(arguments: Backend.available)
    func `an ended 1-on-1 is resumed from where it was cleared`(backend: Backend) async throws {
        let stage = try await Stage(backend, limits: Limits(resumeRows: 5))
        try await stage.makePair()
        for _ in 0..<6 { try await stage.bob.send("x", to: Cast.annAndBob) }
        try await stage.ann.perform(EndChannel(channel: Cast.annAndBob))
        try await stage.bob.send("new", to: Cast.annAndBob)
        let page = try await stage.ann.perform(Resume(channels: [position(Cast.annAndBob, 0)]))
        #expect(page.events.map(\.seq) == [7])
        #expect(page.resets.isEmpty)
    }

    @Test(arguments: Backend.available)
    func `resume makes the session take part again in a named open channel`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.ann.perform(JoinChannel(channel: Cast.lobby))
        try await stage.bob.send("one", to: Cast.lobby)
        stage.roost.disconnect(stage.ann)
        try await stage.bob.send("two", to: Cast.lobby)
        let again = try await stage.roost.session(Cast.ann)
        try await stage.bob.send("three", to: Cast.lobby)
        #expect(again.events.isEmpty)
        let resume = Resume(epoch: stage.roost.core.epoch, userSeq: 0, channels: [position(Cast.lobby, 1)])
        let page = try await again.perform(resume)
        #expect(page.events.map(\.text) == ["two", "three"])
        #expect(page.channels == [position(Cast.lobby, 3)])
        #expect(page.marks.isEmpty)
        try await stage.bob.send("four", to: Cast.lobby)
        #expect(again.rows(of: Cast.lobby).map(\.text) == ["four"])
        #expect(try await again.channel(Cast.lobby).memberCount == 1)
    }

    @Test(arguments: Backend.available)
    func `naming a channel of others in resume does not subscribe to it`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.makeClub()
        let places = [position(Cast.annAndBob, 0), position(Cast.club, 0), position(try channel("none"), 0)]
        try await stage.dee.perform(Resume(channels: places))
        try await stage.ann.send("secret", to: Cast.annAndBob)
        try await stage.ann.send("secret", to: Cast.club)
        #expect(stage.dee.events.isEmpty)
        #expect(try await stage.dee.refusal(GetChannel(channel: channel("none")))?.entry == .channelNotFound)
    }

    @Test(arguments: Backend.available)
    func `resume accepts at most 1000 channels, and needs few queries`(backend: Backend) async throws {
        let (inner, folder) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        let stage = try await Stage(try TestCore(database: database))
        try await stage.makePair()
        try await stage.makeClub()
        for number in 0..<20 {
            let id = try channel("g\(number)")
            try await stage.ann.perform(CreateChannel(kind: .group, channel: id, members: [Cast.bob.userID]))
            try await stage.ann.send("x", to: id)
        }
        let known = try (0..<20).map { position(try channel("g\($0)"), 0) } + [position(Cast.annAndBob, 0)]
        let unknown = try (0..<979).map { position(try channel("none\($0)"), 0) }
        _ = database.drainQueries()
        let page = try await stage.bob.perform(Resume(userSeq: 0, channels: known + unknown))
        // A channel that is not a 1-on-1 goes through the writer, which reads what it does not know.
        #expect(page.events.filter { $0.seq != nil }.count == 20)
        #expect(page.resets.count == 979)
        _ = database.drainQueries()
        try await stage.bob.perform(Resume(userSeq: 0, channels: known))
        #expect(database.drainQueries() <= 5)
        let tooMany = Resume(channels: known + unknown + [position(Cast.lobby, 0)])
        #expect(try await stage.bob.refusal(tooMany)?.entry == .dataFormat)
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.available)
    func `no row is lost between attach and the first event`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        let tablets = try await withThrowingTaskGroup(of: TestSession?.self) { group in
            for number in 0..<15 {
                group.addTask {
                    try await stage.roost.session(Cast.ann, device: "d\(number)")
                }
                group.addTask {
                    try await stage.bob.send("m\(number)", to: Cast.annAndBob)
                    return nil
                }
            }
            return try await group.reduce(into: [TestSession]()) { if let session = $1 { $0.append(session) } }
        }
        #expect(tablets.count == 15)
        for tablet in tablets {
            let page = try await tablet.perform(Resume(channels: [position(Cast.annAndBob, 0)]))
            let replayed = page.events.compactMap(\.seq)
            let live = tablet.rows(of: Cast.annAndBob).compactMap(\.seq)
            #expect(replayed == Array(1...15))
            #expect(live == Array((16 - Int64(live.count))..<16))
        }
    }

    @Test(arguments: Backend.available)
    func `saying hello twice is refused`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let device = stage.ann.actor.deviceID
        let hello = Hello(guest: Guest(userID: Cast.bob.userID), deviceID: device)
        #expect(try await stage.ann.refusal(hello)?.entry == .alreadyLoggedIn)
    }

    @Test(arguments: Backend.available)
    func `a stopped core refuses changes and still answers reads`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.ann.send("one", to: Cast.annAndBob)
        #expect(stage.roost.core.isReady)
        await stage.roost.core.stop()
        #expect(!stage.roost.core.isReady)
        let refusal = try await stage.ann.refusal(SendMessage(channel: Cast.annAndBob, text: "two"))
        #expect(refusal?.entry == .draining)
        #expect(refusal?.retryable == true)
        let hello = await #expect(throws: WireError.self) { try await stage.roost.session(Cast.ann, device: "late") }
        #expect(hello?.entry == .draining)
        #expect(try await stage.ann.log(of: Cast.annAndBob).count == 1)
        await stage.roost.core.stop()
    }
}
