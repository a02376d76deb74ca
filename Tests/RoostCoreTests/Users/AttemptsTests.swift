import RoostTesting
import RoostWire
import Testing

@testable import RoostCore

/// Attempts that count at all servers.
@Suite struct AttemptsTests {
    private static let length = CountedAttempt.length

    @Test(arguments: Backend.available)
    func `an attempt counts in all of its windows, or in none, until they are over`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        let begin = roost.clock.now
        func count(_ limits: [String: Int]) async throws -> CountedAttempt {
            try await roost.core.countAttempt(limits)
        }
        for _ in 0..<3 {
            #expect(try await count(["ann": 3, "network": 5]).windows == ["ann": begin, "network": begin])
        }
        roost.clock.advance(by: 100_000)
        #expect(try await count(["ann": 3, "network": 5]).waitMs == Self.length - 100_000)
        // The one that was refused does not count in the other window.
        for _ in 0..<2 { #expect(try await count(["bob": 3, "network": 5]).waitMs == nil) }
        #expect(try await count(["bob": 3, "network": 5]).waitMs == Self.length - 100_000)
        roost.clock.advance(by: Self.length - 100_000)
        #expect(try await count(["ann": 3]).windows == ["ann": begin + Self.length])
        // That of Bob began later.
        #expect(try await count(["bob": 2]).waitMs == 100_000)
    }

    @Test(arguments: Backend.available)
    func `an attempt is taken back from its own windows, or all of a window`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        func count(_ most: Int) async throws -> CountedAttempt {
            try await roost.core.countAttempt(["ann": most, "network": most])
        }
        let first = try await count(2)
        _ = try await count(2)
        try await roost.core.takeBackAttempt(first.windows)
        #expect(try await count(2).waitMs == nil)
        #expect(try await count(2).waitMs != nil)
        try await roost.core.takeBackAttempt(first.windows, allOf: "ann")
        #expect(try await roost.core.countAttempt(["ann": 1]).waitMs == nil)
        #expect(try await roost.core.countAttempt(["network": 2]).waitMs == nil)
        // Those of an earlier window are gone with it.
        roost.clock.advance(by: Self.length)
        _ = try await count(1)
        try await roost.core.takeBackAttempt(first.windows)
        #expect(try await count(1).waitMs != nil)
    }

    @Test(arguments: Backend.available)
    func `a clock that is set back does not lock anybody out for long`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        func count() async throws -> Int64? {
            try await roost.core.countAttempt(["ann": 1]).waitMs
        }
        #expect(try await count() == nil)
        // Another server may be as far behind.
        roost.clock.advance(by: -60_000)
        #expect(try await count() == Self.length + 60_000)
        roost.clock.advance(by: -1)
        #expect(try await count() == nil)
    }

    @Test(arguments: Backend.available) func `old windows are deleted`(backend: Backend) async throws {
        let (database, resource) = try backend.makeDatabase()
        defer { withExtendedLifetime(resource) {} }
        let roost = try TestCore(database: database)
        for number in 0..<1_100 { _ = try await roost.core.countAttempt(["\(number)": 1]) }
        func rows() throws -> Int64? {
            try database.write { try $0.rows("SELECT COUNT(*) FROM attempts") { try $0.int(0) }.first }
        }
        #expect(try rows() == 1_100)
        roost.clock.advance(by: RetentionRules.transIDs)
        await roost.settle()
        #expect(try rows() == 0)
    }

    @Test(.enabled(if: Backend.available.contains(.postgres)))
    func `of attempts at several servers at the same time as many count as there may be`() async throws {
        let servers = try await SeveralCores()
        let refused = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<60 {
                let core = servers.cores[number % 3].core
                group.addTask {
                    try await core.countAttempt(["ann": 20, "network \(number % 2)": 50]).waitMs
                        != nil
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(refused == 40)
        #expect(try servers.count("SELECT count FROM attempts WHERE id = 'ann'") == 20)
    }

    @Test(.enabled(if: Backend.available.contains(.postgres)))
    func `users who look up others at several servers get no more than at one`() async throws {
        let servers = try await SeveralCores()
        var looked = 0
        while looked < 3_000 {
            let names = (0..<100).map { "nobody-\(looked + $0)" }
            let refusal = try await servers.session(Cast.ann, at: looked / 100 % 3).refusal(
                FindUsers(loginNames: names))
            if let refusal {
                #expect(refusal.entry == .tooManyRequests && refusal.retryAfterMs ?? 0 > 0)
                break
            }
            looked += 100
        }
        #expect(looked == Core.maxLookups)
        #expect(try await servers.session(Cast.bob, at: 0).refusal(FindUsers(loginNames: ["ann"])) == nil)
    }
}
