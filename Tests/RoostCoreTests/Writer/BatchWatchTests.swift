import RoostTesting
import RoostWire
import Synchronization
import Testing

@testable import RoostCore

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
        func refuseOverdue() { look(BatchWatch.patience) }

        func look(_ times: Int) { for _ in 0..<times { core.refuseOverdue() } }
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
        fixture.look(BatchWatch.patience - 1)
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
        // The first question after it tries whether changes are taken.
        _ = fixture.core.problem
        await stage.settle()
        #expect(fixture.core.problem == nil)
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
    func `commands that wait for a turn after the batch are refused with it`(backend: Backend) async throws {
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
        for number in 0..<5 { #expect(replies["m\(number)"] == [1003]) }
        fixture.database.open()
        await stage.settle()
        for number in 0..<5 { #expect(replies["m\(number)"] == [1003]) }
        #expect(try await stage.ann.log(of: Cast.club).compactMap(\.text) == ["hold", "m0"])
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
        fixture.look(BatchWatch.patience - 1)
        try fixture.send("second", from: fixture.stage.bob)
        fixture.database.letThrough()
        await fixture.database.waitForCommit()
        fixture.look(BatchWatch.patience - 1)
        fixture.database.open()
        await fixture.stage.settle()
        #expect(fixture.replies["first"] == [0])
        #expect(fixture.replies["second"] == [0])
        #expect(fixture.core.problem == nil)
        withExtendedLifetime(fixture.folder) {}
    }

    /// Three commands of Bob whose batch fails because of the second, so that each is tried by itself; the first is held up.
    private func holdSingly(_ fixture: Fixture) async throws {
        fixture.database.shut()
        try fixture.send("hold", from: fixture.stage.ann)
        await fixture.database.waitForCommit()
        fixture.database.poison("poison")
        for text in ["one", "poison", "three"] { try fixture.send(text, from: fixture.stage.bob) }
        fixture.database.letThrough()
        await fixture.database.waitForCommit()
    }

    @Test(arguments: Backend.available)
    func `commands that are tried one by one are refused together, each once`(backend: Backend) async throws {
        let fixture = try await Fixture(backend)
        try await holdSingly(fixture)
        fixture.refuseOverdue()
        for text in ["one", "poison", "three"] { #expect(fixture.replies[text] == [1003]) }
        fixture.database.open()
        await fixture.stage.settle()
        for text in ["one", "poison", "three"] { #expect(fixture.replies[text] == [1003]) }
        #expect(try await fixture.stage.ann.log(of: Cast.club).compactMap(\.text) == ["hold", "one"])
        withExtendedLifetime(fixture.folder) {}
    }

    @Test(arguments: Backend.available)
    func `a database that answers is not overdue, however long all commands of a batch take`(
        backend: Backend
    ) async throws {
        let fixture = try await Fixture(backend)
        try await holdSingly(fixture)
        fixture.look(BatchWatch.patience - 1)
        fixture.database.letThrough()
        await fixture.database.waitForCommit()
        fixture.look(BatchWatch.patience - 1)
        fixture.database.open()
        await fixture.stage.settle()
        #expect(fixture.replies["one"] == [0])
        #expect(fixture.replies["three"] == [0])
        #expect(fixture.replies["poison"].count == 1 && fixture.replies["poison"] != [0])
        #expect(fixture.core.problem == nil)
        withExtendedLifetime(fixture.folder) {}
    }

    @Test(arguments: Backend.available)
    func `two commands of a session with one id are both answered`(backend: Backend) async throws {
        let fixture = try await Fixture(backend)
        fixture.database.shut()
        try fixture.send("hold", from: fixture.stage.ann)
        await fixture.database.waitForCommit()
        for _ in 0..<2 { try fixture.send("twice", from: fixture.stage.bob) }
        fixture.database.letThrough()
        await fixture.database.waitForCommit()
        fixture.refuseOverdue()
        #expect(fixture.replies["twice"] == [1003, 1003])
        fixture.database.open()
        await fixture.stage.settle()
        #expect(fixture.replies["twice"] == [1003, 1003])
        #expect(try await fixture.stage.ann.log(of: Cast.club).compactMap(\.text) == ["hold", "twice"])
        withExtendedLifetime(fixture.folder) {}
    }

    @Test(arguments: Backend.available)
    func `work of the server itself is done, as nobody would repeat it`(backend: Backend) async throws {
        let fixture = try await Fixture(backend)
        let core = fixture.core
        fixture.database.shut()
        try fixture.send("hold", from: fixture.stage.ann)
        await fixture.database.waitForCommit()
        let (answers, answer) = AsyncStream.makeStream(of: Reply.self)
        let job = Job.work(Cast.bob.userID, { _ in [1] }, then: { answer.yield($0) })
        #expect(core.writer.submit(job))
        fixture.refuseOverdue()
        fixture.database.open()
        for await reply in answers {
            guard case .accepted([1]) = reply else { throw WireError(.internalFault, "It was not done: \(reply)") }
            break
        }
        withExtendedLifetime(fixture.folder) {}
    }

    @Test(arguments: Backend.available)
    func `a login and a resume that wait are refused, and can be tried again`(backend: Backend) async throws {
        let fixture = try await Fixture(backend)
        let stage = fixture.stage
        fixture.database.shut()
        try fixture.send("hold", from: stage.ann)
        await fixture.database.waitForCommit()
        let login = Task { try await stage.roost.session(Cast.dee, device: "second") }
        let (answers, answer) = AsyncStream.makeStream(of: Reply.self)
        let bob = try #require(stage.bob.actor.session)
        #expect(fixture.core.writer.submit(.participate(bob, Cast.bob.userID, [], then: { answer.yield($0) })))
        while !fixture.replies["hello"].contains(1003) {
            fixture.core.refuseOverdue()
            await Task.yield()
        }
        await #expect(throws: WireError.self) { _ = try await login.value }
        for await reply in answers {
            guard case .refused(let error) = reply else { throw WireError(.internalFault, "It was done: \(reply)") }
            #expect(error.entry == .databaseAccess)
            break
        }
        fixture.database.open()
        let dee = try await stage.roost.session(Cast.dee, device: "second")
        try await dee.perform(CreateChannel(kind: .single, members: [Cast.ann.userID]))
        withExtendedLifetime(fixture.folder) {}
    }
}
