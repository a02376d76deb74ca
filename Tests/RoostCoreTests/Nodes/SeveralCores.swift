import RoostTesting
import RoostWire
import Testing

@testable import RoostCore

/// Servers on one PostgreSQL with a bus between them.
struct SeveralCores {
    let hub: TestBus.Hub
    let cores: [TestCore]
    let clock: TestClock
    let database: any SQLDatabase
    /// The database as each server sees it.
    let faults: [FaultyDatabase]
    /// The sessions of each user, one at each server.
    var sessions: [UserID: [TestSession]] = [:]

    init(
        _ hub: TestBus.Hub = TestBus.Hub(), count: Int = 3, retention: [ChannelKind: RetentionPolicy] = [:]
    ) async throws {
        self.hub = hub
        let url = try Postgres.makeSchema()
        database = try Postgres.open(url)
        let clock = TestClock()
        self.clock = clock
        let faults = try (0..<count).map { _ in FaultyDatabase(try Postgres.open(url)) }
        self.faults = faults
        cores = try (0..<count).map { number in
            let settings = NodeSettings(allowsOthers: true, secrets: ["s"], encryptionKeys: [], options: [:])
            let node = LocalNode(
                place: nil, version: "1", address: "server \(number)", spool: "spool \(number)",
                url: "http://server-\(number)", settings: settings)
            return try TestCore(
                database: faults[number], clock: clock, retention: retention,
                retentionInterval: retention.isEmpty ? 1 : 3_600_000, node: node,
                bus: TestBus(hub))
        }
        for user in [Cast.ann, Cast.bob, Cast.cid] {
            for (number, core) in cores.enumerated() {
                sessions[user.userID, default: []].append(try await core.session(user, device: "d\(number)"))
            }
        }
        // They hear of each other.
        for core in cores { core.core.watchOthers() }
        await hub.settle()
    }

    func session(_ user: User, at server: Int) throws -> TestSession { try #require(sessions[user.userID])[server] }

    /// The first value of a query.
    func count(_ query: Query) throws -> Int64 {
        try database.write { try $0.rows(query) { try $0.int(0) }.first ?? 0 }
    }

    func execute(_ query: Query) throws { try database.write { try $0.execute(query) } }

    /// The texts of the notifications that a server finds.
    func pushes(by server: Int) async throws -> [String?] {
        await cores[server].settle()
        // Another server may be about to find the devices.
        while try count("SELECT COUNT(*) FROM push_outbox") > 0 {
            try Task.checkCancellation()
            for core in cores { await core.settle() }
        }
        return try await cores[server].pushes().sent.map { $0.payload.text ?? $0.payload.event }
    }

    /// Gives the device `phone` of a user an address, over a server at which it has no session.
    func setAddress(of user: User, at server: Int) async throws {
        let session = try await cores[server].session(user, device: "phone")
        try await session.perform(
            SetDeviceAddress(address: PushAddress(gateway: .webhook, token: "\(user.userID)-phone")), id: "address")
        cores[server].disconnect(session)
        await cores[server].settle()
    }

    /// Waits until a condition holds, while the servers look for what they lack.
    func wait(until isTrue: () throws -> Bool) async throws {
        while try !isTrue() {
            try Task.checkCancellation()
            await hub.settle()
            // Not `settle`, which lets an hour pass: what is in the journal for longer than minutes is removed.
            for core in cores { core.core.readJournal() }
            await Task.yield()
        }
    }
}
