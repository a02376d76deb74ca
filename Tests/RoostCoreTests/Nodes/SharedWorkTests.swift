import RoostTesting
import RoostWire
import Testing

@testable import RoostCore

@Suite(.enabled(if: Backend.available.contains(.postgres)), .timeLimit(.minutes(3))) struct SharedWorkTests {
    private static let hour: Int64 = 3_600_000

    /// The servers that take over some work, when all of them ask at the same time.
    private func takers(_ servers: SeveralCores) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for server in servers.cores {
                group.addTask { try await server.core.takes("work", every: Self.hour) }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    @Test func `of several servers one does what is due for all of them`() async throws {
        let servers = try await SeveralCores()
        for _ in 0..<3 {
            #expect(try await takers(servers) == 1)
            servers.clock.advance(by: Self.hour - 1)
            #expect(try await takers(servers) == 0)
            servers.clock.advance(by: 1)
        }
        // Other work is another matter.
        #expect(try await servers.cores[0].core.takes("else", every: Self.hour))
    }

    @Test func `a clock that was set back does not delay what is due for long`() async throws {
        let servers = try await SeveralCores(count: 2)
        #expect(try await takers(servers) == 1)
        servers.clock.advance(by: -60_000)
        #expect(try await takers(servers) == 0)
        servers.clock.advance(by: -1)
        #expect(try await takers(servers) == 1)
    }

    @Test func `a server alone does it whenever it wants`() async throws {
        let roost = try TestCore()
        for _ in 0..<2 { #expect(try await roost.core.takes("work", every: Self.hour)) }
    }

    @Test func `one server looks for old rows for all, and any at its start`() async throws {
        let servers = try await SeveralCores(count: 2, retention: [.group: RetentionPolicy(keepLast: 1)])
        for server in servers.cores { await server.settle() }
        for fault in servers.faults { fault.noteStatements() }
        func scans() -> [Int] {
            servers.faults.map { $0.drainStatements().count { $0.hasPrefix("SELECT f.id, f.kind, f.count") } }
        }
        for _ in 0..<3 {
            servers.clock.advance(by: Self.hour + 1)
            for server in servers.cores { await server.settle() }
            #expect(scans().reduce(0, +) == 1)
        }
        let late = FaultyDatabase(servers.database)
        late.noteStatements()
        let settings = NodeSettings(allowsOthers: true, secrets: ["s"], encryptionKeys: [], options: [:])
        let core = try TestCore(
            database: late, clock: servers.clock, retention: [.group: RetentionPolicy(keepLast: 1)],
            retentionInterval: Self.hour,
            node: LocalNode(place: nil, version: "1", address: "late", settings: settings),
            bus: TestBus(servers.hub))
        await core.settle()
        #expect(late.drainStatements().contains { $0.hasPrefix("SELECT f.id, f.kind, f.count") })
    }
}
