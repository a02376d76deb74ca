import RoostTesting
import RoostWire
import Synchronization
import Testing

@testable import RoostCore

/// A database that can run each transaction twice, with a rollback in between, as an engine does after a conflict or
/// a lost connection.
private final class RepeatingDatabase: SQLDatabase {
    private struct RolledBack: Error {}

    private let inner: any SQLDatabase
    private let isRepeating = Mutex(false)

    init(_ inner: any SQLDatabase) { self.inner = inner }

    var isShared: Bool { inner.isShared }
    var encryptsContent: Bool { inner.encryptsContent }

    /// From now on, every transaction runs twice.
    func start() { isRepeating.withLock { $0 = true } }

    func write<T>(_ body: (any SQLConnection) throws -> T) throws -> T {
        if isRepeating.withLock({ $0 }) {
            do {
                try inner.write { connection in
                    _ = try body(connection)
                    throw RolledBack()
                }
            } catch is RolledBack {}
        }
        return try inner.write(body)
    }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T,
        then: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        inner.read(body, then: then)
    }

    func close() throws { try inner.close() }
}

/// A lane that keeps the answers to logins.
private final class Logins: Sendable {
    private let replies = Mutex<[(number: UInt64, isTaken: Bool)]>([])

    func add(to core: Core) -> Int {
        core.addLane { deliveries in
            for case .reply(let session, id: "login", let reply) in deliveries {
                var isTaken = false
                if case .accepted = reply { isTaken = true }
                self.replies.withLock { $0.append((session.number, isTaken)) }
            }
        }
    }

    /// The numbers of the accepted sessions, in the order of the answers.
    var taken: [UInt64] { replies.withLock { $0.filter(\.isTaken).map(\.number) } }
    var refused: [UInt64] { replies.withLock { $0.filter { !$0.isTaken }.map(\.number) } }
}

/// Changes of sessions (typing, participating, logging in and out) take effect with the commit. A commit that fails, or
/// that an engine runs again, has not changed them.
@Suite struct SessionOutcomesTests {
    private struct Fixture {
        let stage: Stage
        let database: FaultyDatabase
        let folder: (any Sendable)?

        /// Executes the jobs submitted by `submit` as one batch; the next commits then have these outcomes.
        func inOneBatch(_ endings: DatabaseFailure.Kind?..., submit: () -> Void) async {
            database.shut()
            self.submit(.write(.sendMessage(SendMessage(channel: Cast.club, text: "hold"))), "hold", from: stage.cid)
            await database.waitForCommit()
            submit()
            database.failCommits(nil)
            for ending in endings { database.failCommits(ending) }
            database.open()
            await stage.settle()
        }

        /// Submits a command without waiting for its answer.
        func submit(_ command: AnyCommand, _ id: String, from session: TestSession) {
            stage.roost.core.handle(command, id: id, from: session.actor) { _ in }
        }

        /// The number of events for the end of typing in a channel that a session has received.
        func ended(_ session: TestSession, in channel: ChannelID) -> Int {
            session.events(named: .typingEnded).count { $0.channel == channel }
        }

        /// The number of sessions that participate in the lobby.
        func participants() async throws -> Int { try await stage.dee.channel(Cast.lobby).memberCount }
    }

    /// Ann, Bob and Cid in the club, Ann and Bob in a 1-on-1 and in the lobby; the folder must outlive it.
    private func fixture(_ backend: Backend) async throws -> Fixture {
        let (inner, folder) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        let stage = try await Stage(try TestCore(database: database))
        try await stage.makeClub()
        try await stage.makePair()
        for session in [stage.ann, stage.bob] { try await session.perform(JoinChannel(channel: Cast.lobby)) }
        await stage.forgetEvents()
        return Fixture(stage: stage, database: database, folder: folder)
    }

    private static let failures: [DatabaseFailure.Kind] = [.full, .unavailable, .busy]

    @Test(arguments: Backend.available, failures)
    func `a lost connection ends its typing once, everywhere, though its batch fails`(
        backend: Backend, failure: DatabaseFailure.Kind
    ) async throws {
        let fixture = try await fixture(backend)
        let stage = fixture.stage
        for channel in [Cast.club, Cast.annAndBob, Cast.lobby] {
            try await stage.bob.perform(StartTyping(channel: channel))
        }
        await fixture.inOneBatch(failure) {
            fixture.submit(.write(.sendMessage(SendMessage(channel: Cast.club, text: "x"))), "x", from: stage.ann)
            stage.roost.disconnect(stage.bob)
        }
        for channel in [Cast.club, Cast.annAndBob, Cast.lobby] { #expect(fixture.ended(stage.ann, in: channel) == 1) }
        #expect(fixture.ended(stage.cid, in: Cast.club) == 1)
        #expect(try await fixture.participants() == 1)
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `a lost connection ends its typing once, though each of its commits fails`(backend: Backend) async throws {
        let fixture = try await fixture(backend)
        let stage = fixture.stage
        try await stage.bob.perform(StartTyping(channel: Cast.club))
        await fixture.inOneBatch(.full, nil, .full) {
            fixture.submit(.write(.sendMessage(SendMessage(channel: Cast.club, text: "x"))), "x", from: stage.ann)
            stage.roost.disconnect(stage.bob)
        }
        #expect(stage.ann.rows(of: Cast.club).map(\.text) == ["hold", "x"])
        for session in [stage.ann, stage.cid] { #expect(fixture.ended(session, in: Cast.club) == 1) }
        #expect(try await fixture.participants() == 1)
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available, failures)
    func `a send that is not stored leaves its sender typing until the connection is lost`(
        backend: Backend, failure: DatabaseFailure.Kind
    ) async throws {
        let fixture = try await fixture(backend)
        let stage = fixture.stage
        try await stage.bob.perform(StartTyping(channel: Cast.club))
        fixture.database.failCommits(failure)
        let refusal = try await stage.bob.refusal(SendMessage(channel: Cast.club, text: "x"))
        #expect(refusal?.retryable == true)
        stage.roost.disconnect(stage.bob)
        await stage.settle()
        for session in [stage.ann, stage.cid] { #expect(fixture.ended(session, in: Cast.club) == 1) }
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `a send that cannot be stored leaves its sender typing, also within a batch that is tried again`(
        backend: Backend
    ) async throws {
        let fixture = try await fixture(backend)
        let stage = fixture.stage
        try await stage.bob.perform(StartTyping(channel: Cast.club))
        fixture.database.poison("POISON")
        await fixture.inOneBatch {
            fixture.submit(.write(.sendMessage(SendMessage(channel: Cast.club, text: "POISON"))), "p", from: stage.bob)
            stage.roost.disconnect(stage.bob)
        }
        for session in [stage.ann, stage.cid] {
            #expect(session.rows(of: Cast.club).map(\.text) == ["hold"])
            #expect(fixture.ended(session, in: Cast.club) == 1)
        }
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `a message ends the typing of its sender, also where its batch fails once`(backend: Backend) async throws {
        for endings in [[], [DatabaseFailure.Kind.full]] {
            let fixture = try await fixture(backend)
            let stage = fixture.stage
            try await stage.bob.perform(StartTyping(channel: Cast.club))
            await fixture.inOneBatch(endings.first) {
                fixture.submit(.write(.sendMessage(SendMessage(channel: Cast.club, text: "x"))), "x", from: stage.bob)
                stage.roost.disconnect(stage.bob)
            }
            for session in [stage.ann, stage.cid] {
                #expect(session.rows(of: Cast.club).map(\.text) == ["hold", "x"])
                #expect(fixture.ended(session, in: Cast.club) == 0)
            }
            withExtendedLifetime(fixture) {}
        }
    }

    @Test(arguments: Backend.available)
    func `who was refused to start typing is not typing, and who was refused to end it still is`(
        backend: Backend
    ) async throws {
        let fixture = try await fixture(backend)
        let stage = fixture.stage
        try await stage.bob.perform(StartTyping(channel: Cast.club))
        fixture.database.failCommits(.unavailable, .unavailable)
        #expect(try await stage.bob.refusal(EndTyping(channel: Cast.club))?.entry == .databaseAccess)
        #expect(try await stage.bob.refusal(StartTyping(channel: Cast.lobby))?.entry == .databaseAccess)
        stage.roost.disconnect(stage.bob)
        await stage.settle()
        for session in [stage.ann, stage.cid] { #expect(fixture.ended(session, in: Cast.club) == 1) }
        #expect(fixture.ended(stage.ann, in: Cast.lobby) == 0)
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `leaving a group that fails ends no typing, and leaving it afterwards does once`(
        backend: Backend
    ) async throws {
        let fixture = try await fixture(backend)
        let stage = fixture.stage
        let tablet = try await stage.roost.session(Cast.bob, device: "tablet")
        for session in [stage.bob, tablet] { try await session.perform(StartTyping(channel: Cast.club)) }
        fixture.database.failCommits(.unavailable)
        #expect(try await stage.bob.refusal(LeaveChannel(channel: Cast.club))?.entry == .databaseAccess)
        #expect(fixture.ended(stage.ann, in: Cast.club) == 0)
        try await stage.bob.perform(LeaveChannel(channel: Cast.club))
        // Once for both devices.
        #expect(fixture.ended(stage.ann, in: Cast.club) == 1)
        for session in [stage.bob, tablet] { stage.roost.disconnect(session) }
        await stage.settle()
        #expect(fixture.ended(stage.ann, in: Cast.club) == 1)
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `a user who could not leave an open channel still participates, and one who could not join it does not`(
        backend: Backend
    ) async throws {
        let fixture = try await fixture(backend)
        let stage = fixture.stage
        try await stage.bob.perform(StartTyping(channel: Cast.lobby))
        fixture.database.failCommits(.unavailable, .unavailable)
        #expect(try await stage.bob.refusal(LeaveChannel(channel: Cast.lobby))?.entry == .databaseAccess)
        #expect(try await stage.cid.refusal(JoinChannel(channel: Cast.lobby))?.entry == .databaseAccess)
        #expect(try await fixture.participants() == 2)
        #expect(fixture.ended(stage.ann, in: Cast.lobby) == 0)
        try await stage.bob.perform(LeaveChannel(channel: Cast.lobby))
        #expect(try await fixture.participants() == 1)
        #expect(fixture.ended(stage.ann, in: Cast.lobby) == 1)
        #expect(try await stage.cid.perform(JoinChannel(channel: Cast.lobby)).memberCount == 2)
        stage.roost.disconnect(stage.bob)
        stage.roost.disconnect(stage.cid)
        await stage.settle()
        #expect(try await fixture.participants() == 1)
        #expect(fixture.ended(stage.ann, in: Cast.lobby) == 1)
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `a resume that cannot join is refused, and joins when it is repeated`(
        backend: Backend
    ) async throws {
        let fixture = try await fixture(backend)
        let stage = fixture.stage
        let resume = Resume(epoch: stage.roost.core.epoch, channels: [ChannelPosition(channel: Cast.lobby, seq: 0)])
        fixture.database.failCommits(.unavailable)
        let refusal = try await stage.cid.refusal(resume)
        #expect(refusal?.entry == .databaseAccess)
        #expect(refusal?.retryable == true)
        #expect(try await fixture.participants() == 2)
        #expect(try await stage.cid.perform(resume).resets == [])
        #expect(try await fixture.participants() == 3)
        try await stage.bob.send("x", to: Cast.lobby)
        #expect(stage.cid.rows(of: Cast.lobby).map(\.text) == ["x"])
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `later jobs of a batch find what the earlier ones did to sessions`(backend: Backend) async throws {
        let fixture = try await fixture(backend)
        let stage = fixture.stage
        let tablet = try await stage.roost.session(Cast.bob, device: "tablet")
        let counts = Mutex<[Int]>([])
        await fixture.inOneBatch {
            fixture.submit(.move(.startTyping(StartTyping(channel: Cast.club))), "t1", from: tablet)
            fixture.submit(.move(.startTyping(StartTyping(channel: Cast.annAndBob))), "t2", from: stage.bob)
            fixture.submit(.move(.startTyping(StartTyping(channel: Cast.lobby))), "t3", from: stage.bob)
            fixture.submit(.move(.endTyping(EndTyping(channel: Cast.lobby))), "t4", from: stage.bob)
            fixture.submit(.write(.leaveChannel(LeaveChannel(channel: Cast.club))), "leave", from: stage.bob)
            for session in [stage.cid, stage.cid, stage.dee] {
                stage.roost.core.handle(
                    .move(.joinChannel(JoinChannel(channel: Cast.lobby))), id: "join", from: session.actor
                ) { reply in
                    let count = try? reply.decode(Channel.self).memberCount
                    counts.withLock { $0.append(count ?? -1) }
                }
            }
            stage.roost.disconnect(stage.bob)
            stage.roost.disconnect(tablet)
            fixture.submit(.write(.leaveChannel(LeaveChannel(channel: Cast.lobby))), "leave2", from: stage.dee)
        }
        #expect(counts.withLock { $0 } == [3, 3, 4])
        for channel in [Cast.club, Cast.annAndBob, Cast.lobby] {
            let names = stage.ann.events.filter { $0.channel == channel && $0.name.hasPrefix("typing.") }.map(\.name)
            #expect(names == ["typing.started", "typing.ended"], "\(channel)")
        }
        #expect(try await fixture.participants() == 2)
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available, [nil, DatabaseFailure.Kind.full])
    func `connections of one batch are counted, those that go as well as those that come`(
        backend: Backend, failure: DatabaseFailure.Kind?
    ) async throws {
        let (inner, folder) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        var limits = Limits.withoutRates
        limits.connectionsPerUser = 1
        let roost = try TestCore(database: database, limits: limits)
        let logins = Logins()
        let lane = logins.add(to: roost.core)
        let device = try #require(DeviceID(rawValue: "phone"))
        func attach(_ number: UInt64) {
            roost.core.attach(
                SessionID(lane: lane, number: number), id: "login", user: Cast.ann, deviceID: device,
                isOperator: false)
        }
        func detach(_ number: UInt64) {
            roost.core.detach(SessionID(lane: lane, number: number), user: Cast.ann.userID)
        }
        await roost.settle()
        database.shut()
        let hold = Actor(user: Cast.bob, deviceID: device, isOperator: false)
        roost.core.handle(.write(.sendMessage(SendMessage(channel: Cast.lobby, text: "hold"))), id: "hold", from: hold)
        { _ in }
        await database.waitForCommit()
        for number: UInt64 in [1, 2] { attach(number) }
        detach(1)
        for number: UInt64 in [3, 4] { attach(number) }
        // The batch is stored as a whole, or fails and is retried job by job.
        database.failCommits(nil, failure)
        database.open()
        await roost.settle()
        #expect(logins.taken == [1, 3])
        #expect(logins.refused == [2, 4])
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.available)
    func `a transaction that the engine runs again changes sessions once`(backend: Backend) async throws {
        let (inner, folder) = try backend.makeDatabase()
        let database = RepeatingDatabase(inner)
        var limits = Limits.withoutRates
        limits.connectionsPerUser = 2
        let stage = try await Stage(try TestCore(database: database, limits: limits))
        database.start()
        try await stage.makeClub()
        let tablet = try await stage.roost.session(Cast.bob, device: "tablet")
        for session in [stage.ann, stage.bob, tablet] { try await session.perform(JoinChannel(channel: Cast.lobby)) }
        await stage.forgetEvents()
        for session in [stage.bob, tablet] {
            for channel in [Cast.club, Cast.lobby] { try await session.perform(StartTyping(channel: channel)) }
        }
        // The typing of one session ends with its connection, that of the other, and so the user's, when it leaves.
        stage.roost.disconnect(stage.bob)
        await stage.settle()
        func ended(_ channel: ChannelID) -> Int {
            stage.ann.events(named: .typingEnded).count { $0.channel == channel }
        }
        #expect(ended(Cast.club) == 0)
        #expect(ended(Cast.lobby) == 0)
        #expect(try await stage.dee.channel(Cast.lobby).memberCount == 2)
        try await tablet.perform(LeaveChannel(channel: Cast.lobby))
        #expect(ended(Cast.lobby) == 1)
        #expect(try await stage.dee.channel(Cast.lobby).memberCount == 1)
        try await tablet.perform(LeaveChannel(channel: Cast.club))
        #expect(ended(Cast.club) == 1)
        stage.roost.disconnect(tablet)
        await stage.settle()
        #expect(ended(Cast.club) == 1)
        #expect(ended(Cast.lobby) == 1)
        for device in ["one", "two"] { _ = try await stage.roost.session(Cast.bob, device: device) }
        await #expect(throws: WireError.self) { try await stage.roost.session(Cast.bob, device: "three") }
        withExtendedLifetime(folder) {}
    }
}

/// The overlay with a batch's pending changes of sessions.
@Suite struct SessionChangesTests {
    private struct Known: Equatable {
        var typing: Set<ChannelID> = []
        var open: Set<ChannelID> = []
    }

    private let channels = [Cast.lobby, Cast.club]
    private let sessions = (1...4).map { SessionID(lane: 0, number: $0) }

    private func user(of session: SessionID) -> User { session.number < 3 ? Cast.ann : Cast.bob }

    private func check(
        _ known: [SessionID: Known], _ found: (SessionID) -> LiveSession?, ofUser: (UserID) -> Set<SessionID>,
        participants: (ChannelID) -> Int
    ) {
        for session in sessions {
            let live = found(session)
            #expect(live.map { Known(typing: Set($0.typing.keys), open: $0.open) } == known[session])
        }
        for user in [Cast.ann, Cast.bob] {
            #expect(ofUser(user.userID) == Set(known.keys.filter { self.user(of: $0) == user }))
        }
        for channel in channels { #expect(participants(channel) == known.values.count { $0.open.contains(channel) }) }
    }

    @Test func `a batch of changes has the same result as the single changes, and rolled back ones have none`() {
        var random = SeededNumbers(for: "session changes")
        let counts = Participants()
        let live = LiveSessions(participants: counts)
        var committed: [SessionID: Known] = [:]
        for _ in 0..<1_000 {
            var changes = SessionChanges(over: live)
            var known = committed
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let before = (changes, known)
                let session = sessions[Int.random(in: 0...3, using: &random)]
                let channel = channels[Int.random(in: 0...1, using: &random)]
                switch Int.random(in: 0...5, using: &random) {
                case 0:
                    changes.attach(session, user(of: session), on: "device", at: 0)
                    known[session] = Known()
                case 1:
                    changes.detach(session, user(of: session).userID)
                    known[session] = nil
                case 2:
                    changes.startTyping(session, in: channel, at: 0)
                    known[session]?.typing.insert(channel)
                case 3:
                    let wasTyping = known[session]?.typing.remove(channel) != nil
                    #expect(changes.endTyping(session, in: channel) == wasTyping)
                case 4:
                    changes.participate(session, in: channel)
                    known[session]?.open.insert(channel)
                default:
                    changes.withdraw(session, from: channel)
                    known[session]?.open.remove(channel)
                }
                // A refused command is undone.
                if Int.random(in: 0...3, using: &random) == 0 { (changes, known) = before }
            }
            check(
                known, { changes[$0] }, ofUser: { changes.sessions(of: $0) },
                participants: { changes.participants(in: $0) })
            // A commit that fails changes nothing.
            if Int.random(in: 0...3, using: &random) > 0 {
                live.apply(changes)
                committed = known
            }
            check(committed, { live[$0] }, ofUser: { live.sessions(of: $0) }, participants: { counts.count(in: $0) })
        }
    }
}
