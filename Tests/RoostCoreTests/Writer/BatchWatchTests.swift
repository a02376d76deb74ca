import RoostCore
import RoostTesting
import RoostWire
import Synchronization
import Testing

@Suite struct BatchWatchTests {
    /// A club over a database that can be held up. The folder must outlive it.
    private struct Fixture {
        let stage: Stage
        let database: FaultyDatabase
        let folder: (any Sendable)?
        let replies: Replies

        init(_ backend: Backend, batchSize: Int = 1_000) async throws {
            let (inner, folder) = try backend.makeDatabase()
            self.folder = folder
            database = FaultyDatabase(inner)
            stage = try await Stage(try TestCore(database: database, batchSize: batchSize))
            replies = Replies(of: stage.roost.core)
            try await stage.makeClub()
            await stage.settle()
            replies.forget()
        }

        var core: Core { stage.roost.core }

        /// Submits a message over a session.
        func send(_ text: String, from session: TestSession) throws {
            let message = SendMessage(channel: Cast.club, text: text)
            core.submit(.write(.sendMessage(message)), id: text, from: session.actor)
        }

        /// Looks as often as it takes until commands are refused.
        func refuseOverdue() { for _ in 0..<8 { core.refuseOverdue() } }
    }

    /// All answers to sessions.
    private final class Replies: Sendable {
        private let codes = Mutex<[String: [Int]]>([:])

        init(of core: Core) {
            _ = core.addLane { [self] deliveries in
                for case .reply(_, let id, let reply) in deliveries {
                    let code = if case .refused(let error) = reply { error.code } else { 0 }
                    codes.withLock { $0[id, default: []].append(code) }
                }
            }
        }

        func forget() { codes.withLock { $0 = [:] } }

        /// The codes of the answers to a command, 0 if it was accepted.
        subscript(id: String) -> [Int] { codes.withLock { $0[id] ?? [] } }
    }

    @Test(arguments: Backend.available)
    func `what waits for a database that does not answer is refused once, and is stored once if it is sent again`(
        backend: Backend
    ) async throws {
        let fixture = try await Fixture(backend)
        let (stage, replies) = (fixture.stage, fixture.replies)
        let requests = CommandSequence(stage.roost)
        fixture.database.shut()
        try fixture.send("begun", from: stage.ann)
        await fixture.database.waitForCommit()
        try fixture.send("waiting", from: stage.bob)
        requests.send("request", id: "request", from: stage.cid)
        for _ in 0..<7 { fixture.core.refuseOverdue() }
        #expect(replies["begun"].isEmpty && replies["waiting"].isEmpty && requests.answered == 0)
        fixture.core.refuseOverdue()
        #expect(replies["begun"] == [1003])
        #expect(replies["waiting"] == [1003])
        #expect(await requests.answers() == [-1003])
        #expect(fixture.core.problem != nil)
        // From now on nothing waits any longer.
        try fixture.send("late", from: stage.bob)
        fixture.core.refuseOverdue()
        #expect(replies["late"] == [1003])
        fixture.database.open()
        await stage.settle()
        // The batch was committed after all.
        #expect(try await stage.ann.log(of: Cast.club).compactMap(\.text) == ["begun"])
        #expect(replies["begun"] == [1003])
        try fixture.send("begun", from: stage.ann)
        try fixture.send("waiting", from: stage.bob)
        try fixture.send("late", from: stage.bob)
        await stage.settle()
        #expect(replies["begun"] == [1003, 0])
        #expect(replies["waiting"] == [1003, 0])
        #expect(replies["late"] == [1003, 0])
        #expect(try await stage.ann.log(of: Cast.club).compactMap(\.text) == ["begun", "waiting", "late"])
        withExtendedLifetime(fixture.folder) {}
    }

    @Test(arguments: Backend.available, [DatabaseFailure.Kind.unavailable, .uncertain, .other])
    func `a batch that fails in the end is not answered once more`(
        backend: Backend, kind: DatabaseFailure.Kind
    ) async throws {
        let fixture = try await Fixture(backend)
        let requests = CommandSequence(fixture.stage.roost)
        fixture.database.shut()
        try fixture.send("hold", from: fixture.stage.ann)
        await fixture.database.waitForCommit()
        try fixture.send("message", from: fixture.stage.bob)
        requests.send("request", id: "request", from: fixture.stage.cid)
        // The next batch consists of both.
        fixture.database.letThrough()
        await fixture.database.waitForCommit()
        fixture.refuseOverdue()
        fixture.database.failCommits(kind)
        fixture.database.open()
        await fixture.stage.settle()
        #expect(fixture.replies["hold"] == [0])
        #expect(fixture.replies["message"] == [1003])
        #expect(await requests.answers() == [-1003])
        withExtendedLifetime(fixture.folder) {}
    }

    @Test(arguments: Backend.available)
    func `commands that were not part of the batch are refused when it is over`(backend: Backend) async throws {
        let fixture = try await Fixture(backend, batchSize: 1)
        let (stage, replies) = (fixture.stage, fixture.replies)
        fixture.database.shut()
        try fixture.send("hold", from: stage.ann)
        await fixture.database.waitForCommit()
        // The next batch takes the first of these, and the others wait for their turn.
        for number in 0..<5 { try fixture.send("m\(number)", from: stage.bob) }
        fixture.database.letThrough()
        await fixture.database.waitForCommit()
        fixture.refuseOverdue()
        fixture.database.open()
        await stage.settle()
        #expect((0..<5).allSatisfy { replies["m\($0)"].count == 1 })
        #expect(replies["m4"] == [1003])
        withExtendedLifetime(fixture.folder) {}
    }

    @Test(arguments: Backend.available)
    func `a session ends although the database does not answer`(backend: Backend) async throws {
        let fixture = try await Fixture(backend)
        let stage = fixture.stage
        fixture.database.shut()
        try fixture.send("hold", from: stage.ann)
        await fixture.database.waitForCommit()
        stage.roost.disconnect(stage.bob)
        fixture.refuseOverdue()
        fixture.database.open()
        let bob = try await stage.roost.session(Cast.bob)
        try await stage.ann.send("back", to: Cast.club)
        #expect(bob.rows(of: Cast.club).compactMap(\.text) == ["back"])
        #expect(stage.bob.rows(of: Cast.club).compactMap(\.text).contains("back") == false)
        withExtendedLifetime(fixture.folder) {}
    }

    @Test(arguments: Backend.available)
    func `two batches that each take less than the limit are not refused`(backend: Backend) async throws {
        let fixture = try await Fixture(backend)
        fixture.database.shut()
        try fixture.send("first", from: fixture.stage.ann)
        await fixture.database.waitForCommit()
        for _ in 0..<7 { fixture.core.refuseOverdue() }
        try fixture.send("second", from: fixture.stage.bob)
        fixture.database.letThrough()
        await fixture.database.waitForCommit()
        for _ in 0..<7 { fixture.core.refuseOverdue() }
        fixture.database.open()
        await fixture.stage.settle()
        #expect(fixture.replies["first"] == [0])
        #expect(fixture.replies["second"] == [0])
        #expect(fixture.core.problem == nil)
        withExtendedLifetime(fixture.folder) {}
    }
}
