import RoostTesting
import RoostWire
import Testing

@testable import RoostCore

/// The networks from which users have logged in.
@Suite struct LoginNetworksTests {
    private static let day: Int64 = 86_400_000
    private static let chief = Actor(user: Cast.dee, deviceID: "http", isOperator: true)

    /// Registers Ann.
    private static func register(_ roost: TestCore) async throws {
        let account = NewAccount(loginName: "ann-logs-in", password: "unused", userID: Cast.ann.userID)
        _ = try await roost.core.register(
            [(account, .success("hash"))], id: try transID("register"), hash: 1, as: chief)
    }

    private static func networks(_ roost: TestCore) async throws -> [String: Int64] {
        try #require(try await roost.core.account(named: "Ann-logs-in")).networks
    }

    @Test(arguments: Backend.available)
    func `a network is known for 90 days after the last login, after a restart too`(backend: Backend) async throws {
        let (database, resource) = try backend.makeDatabase()
        let clock = TestClock()
        let roost = try TestCore(database: database, clock: clock)
        try await Self.register(roost)
        #expect(try await Self.networks(roost) == [:])
        let begin = clock.now
        for network in ["home", "work", "home"] {
            try await roost.core.noteLogin(of: Cast.ann.userID, from: network)
            clock.advance(by: 1)
        }
        #expect(try await Self.networks(roost) == ["home": begin + 2, "work": begin + 1])
        await roost.core.stop()
        let later = try TestCore(database: database, clock: clock)
        #expect(try await Self.networks(later) == ["home": begin + 2, "work": begin + 1])
        clock.advance(by: 90 * Self.day - 2)
        #expect(try await Self.networks(later) == ["home": begin + 2])
        await later.settle()
        let kept = try await database.read { try $0.rows("SELECT network FROM login_networks") { try $0.text(0) } }
        #expect(kept == ["home"])
        await later.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `the 20 networks of the newest logins of a user are known`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        try await Self.register(roost)
        try await roost.core.noteLogin(of: Cast.bob.userID, from: "of Bob")
        for number in 1...25 {
            roost.clock.advance(by: 1)
            try await roost.core.noteLogin(of: Cast.ann.userID, from: "\(number)")
            if number == 20 { try await roost.core.noteLogin(of: Cast.ann.userID, from: "1") }
        }
        let known = try await Self.networks(roost)
        #expect(Set(known.keys) == Set((7...25).map { "\($0)" } + ["1"]))
    }

    @Test(arguments: Backend.available)
    func `the networks of a deleted user are erased at once, and none come later`(backend: Backend) async throws {
        let (database, resource) = try backend.makeDatabase()
        let roost = try TestCore(database: database)
        try await Self.register(roost)
        for user in [Cast.ann, Cast.bob] { try await roost.core.noteLogin(of: user.userID, from: "home") }
        let delete = AnyCommand.write(.deleteUser(DeleteUser(userID: Cast.ann.userID)))
        guard case .accepted = await roost.core.handle(delete, id: "delete", from: Self.chief) else {
            Issue.record("refused")
            return
        }
        try await roost.core.noteLogin(of: Cast.ann.userID, from: "late")
        let users = try await database.read { try $0.rows("SELECT user_id FROM login_networks") { try $0.text(0) } }
        #expect(users == ["bob"])
        await roost.core.stop()
        withExtendedLifetime(resource) {}
    }
}
