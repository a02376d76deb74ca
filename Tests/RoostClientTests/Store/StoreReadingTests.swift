import Dispatch
import GRDB
import RoostWire
import Testing

@testable import RoostClient

/// How a client reads the content of its store.
@Suite(.timeLimit(.minutes(1))) struct StoreReadingTests {
    private func client(_ store: LocalStore) -> ChatClient {
        var configuration = ClientConfiguration(
            server: "http://127.0.0.1:1", credentials: .guest(Names.ann.userID), deviceID: Names.device)
        configuration.store = store
        return ChatClient(configuration: configuration)
    }

    @Test func `a client is made while the store is busy, and knows what it kept before anything else happens`()
        async throws
    {
        let store = try LocalStore.inMemory()
        try await store.database.write { db in
            let transaction = try LocalTransaction(db)
            try transaction.setOwner(Names.ann.userID)
            try transaction.apply(.epoch("e"))
            try transaction.apply(.move(.user, LogMove(from: 0, to: 7)))
            _ = try transaction.finish()
        }
        let gate = DispatchSemaphore(value: 0)
        store.database.asyncWriteWithoutTransaction { _ in gate.wait() }
        // A read here would wait forever.
        let client = client(store)
        let pending = client.channel(Names.group).enqueue("written at once")
        #expect(await client.state == .offline)
        gate.signal()
        #expect(await client.positions?.userSeq == 7)
        while try await store.queue().isEmpty { await Task.yield() }
        // It is sent once, although it was in the store when the client started.
        #expect(try await store.queue().map(\.transID) == [pending.transID])
        await client.disconnect()
    }

    @Test func `a store that cannot be read is reported by connect, and read again by the next one`() async throws {
        let store = try LocalStore.inMemory()
        try await store.database.write { try $0.execute(sql: "ALTER TABLE channels RENAME TO hidden") }
        let client = client(store)
        for _ in 1...2 {
            let error = await #expect(throws: RoostError.self) { try await client.connect() }
            #expect(error?.code == .storeFailed)
        }
        let refused = await #expect(throws: RoostError.self) { _ = try await client.users([Names.ann.userID]) }
        #expect(refused?.code == .storeFailed)
        #expect(await client.positions == nil)
        await client.disconnect()
        try await store.database.write { try $0.execute(sql: "ALTER TABLE hidden RENAME TO channels") }
        let error = await #expect(throws: RoostError.self) { try await client.connect() }
        #expect(error?.code == .unreachable, "now it is only the server that is missing")
    }
}
