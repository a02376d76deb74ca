import RoostCore
import RoostTesting
import RoostWire
import Testing

/// The connection to the database is lost during a commit, and it stays unknown whether it is done.
@Suite struct UncertainCommitTests {
    @Test(arguments: Backend.available)
    func `a server that is alone closes its sessions, and the repeated command has its first answer`(
        backend: Backend
    ) async throws {
        let (inner, resource) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        let stage = try await Stage(TestCore(database: database, resource: resource))
        try await stage.makePair()
        await stage.forgetEvents()
        let losses = AsyncStream.makeStream(of: String?.self)
        stage.roost.core.onLeaseLost { losses.continuation.yield($0) }
        let send = SendMessage(channel: Cast.annAndBob, text: "hello")
        database.failAfterCommit(.uncertain)
        #expect(try await stage.ann.refusal(send, id: "once")?.entry == .databaseAccess)
        var iterator = losses.stream.makeAsyncIterator()
        #expect(await iterator.next() == .some(nil))
        #expect(try await stage.ann.perform(send, id: "once").seq == 1)
        #expect(try await stage.bob.log(of: Cast.annAndBob).compactMap(\.text) == ["hello"])
    }

    @Test(.enabled(if: Backend.available.contains(.postgres)))
    func `one of several servers finds the commit in the journal and delivers it`() async throws {
        let database = FaultyDatabase(try Postgres.open(Postgres.makeSchema()))
        let settings = NodeSettings(allowsOthers: true, secrets: ["s"], encryptionKeys: [], options: [:])
        let node = LocalNode(place: nil, version: "1", address: "here", settings: settings)
        let stage = try await Stage(TestCore(database: database, node: node))
        try await stage.makePair()
        await stage.forgetEvents()
        database.failAfterCommit(.uncertain)
        let send = SendMessage(channel: Cast.annAndBob, text: "hello")
        #expect(try await stage.ann.refusal(send, id: "once")?.entry == .databaseAccess)
        #expect(stage.bob.rows(of: Cast.annAndBob).isEmpty)
        try await stage.ann.send("again", to: Cast.annAndBob)
        // The second row shows that the first one is missing.
        await stage.settle()
        stage.roost.core.readJournal()
        await stage.settle()
        #expect(stage.bob.rows(of: Cast.annAndBob).compactMap(\.text) == ["hello", "again"])
        #expect(try await stage.ann.perform(send, id: "once").seq == 1)
        #expect(stage.bob.rows(of: Cast.annAndBob).count == 2)
    }
}
