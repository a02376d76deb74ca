import RoostCore
import RoostTesting
import RoostWire
import Testing

/// Logins that browsers keep, in the database.
@Suite struct RefreshLoginsTests {
    private static let minute: Int64 = 60_000
    private static let day: Int64 = 86_400_000

    /// The code of the error that something fails with; nil if it does not fail.
    private static func code(_ body: () async throws -> Void) async -> ErrorCode? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? WireError)?.entry
        }
    }

    private static func start(_ id: String, _ roost: TestCore, endsAt: Int64? = nil) async throws -> RefreshLogin {
        try await roost.core.start(
            RefreshLogin(userID: Cast.ann.userID, tokenID: id, endsAt: endsAt), issuedAt: roost.clock.now, shown: nil,
            lifetime: 30 * day)
    }

    private static func refresh(_ id: String, _ number: Int64, _ roost: TestCore) async throws -> Refreshed {
        try await roost.core.refresh(id, number: number, of: Cast.ann.userID, lifetime: 30 * day)
    }

    /// The number of the newest token after this one was used; nil if it was not accepted.
    private static func next(_ id: String, _ number: Int64, _ roost: TestCore) async throws -> Int64? {
        guard case .accepted(let login, _) = try await refresh(id, number, roost) else { return nil }
        return login.number
    }

    private static func access(_ id: String, _ roost: TestCore) -> Access {
        Access(tokenID: id, issuedAt: roost.clock.now, expiresAt: roost.clock.now + 11 * minute)
    }

    @Test(arguments: Backend.available)
    func `of its numbers the newest and the one before are taken, and an older one ends the login`(
        backend: Backend
    ) async throws {
        let roost = try TestCore(backend)
        #expect(try await Self.start("a", roost).number == 1)
        #expect(try await Self.next("a", 1, roost) == 1)
        roost.clock.advance(by: Self.minute)
        // Also at the same time.
        async let tabs = [Self.next("a", 1, roost), Self.next("a", 1, roost), Self.next("a", 1, roost)]
        #expect(try await tabs == [2, 2, 2])
        // Another server has a clock that is a bit behind.
        roost.clock.advance(by: -5_000)
        #expect(try await Self.next("a", 2, roost) == 2)
        roost.clock.advance(by: Self.minute + 5_000)
        #expect(try await Self.next("a", 1, roost) == 2)
        #expect(try await Self.next("a", 2, roost) == 3)
        let session = try await roost.session(Cast.ann, device: "page", access: Self.access("a", roost))
        #expect(try await Self.refresh("a", 1, roost) == .copied)
        #expect(session.end?.entry == .tokenExpired)
        for number in 1...3 as ClosedRange<Int64> {
            #expect(try await Self.refresh("a", number, roost) == .unknown)
        }
        let refusal = await Self.code {
            _ = try await roost.session(Cast.ann, device: "page", access: Self.access("a", roost))
        }
        #expect(refusal == .tokenExpired)
    }

    @Test(arguments: Backend.available)
    func `a number that is ahead of the database, as after a restore, is the newest`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        _ = try await Self.start("a", roost)
        #expect(try await Self.next("a", 7, roost) == 7)
        roost.clock.advance(by: Self.minute)
        #expect(try await Self.next("a", 7, roost) == 8)
        #expect(try await Self.next("a", 7, roost) == 8)
    }

    @Test(arguments: Backend.available)
    func `it is in the list of logins with its own end, and logging out its device ends it`(
        backend: Backend
    ) async throws {
        let roost = try TestCore(backend)
        _ = try await Self.start("b", roost)
        _ = try await Self.start("a", roost)
        let began = roost.clock.now
        roost.clock.advance(by: 1)
        let page = try await roost.session(Cast.ann, device: "page", access: Self.access("a", roost))
        let list = { try await page.perform(ListLogins()).logins.map { "\($0.deviceID) \($0.$expiresAt - began)" } }
        // The other one has not connected yet.
        #expect(try await list() == ["page \(30 * Self.day)", "browser-b \(30 * Self.day)"])
        roost.clock.advance(by: Self.day)
        #expect(try await Self.next("a", 1, roost) == 2)
        #expect(try await list() == ["page \(31 * Self.day + 1)", "browser-b \(30 * Self.day)"])
        let other = try await roost.session(Cast.ann, device: "other", access: Self.access("b", roost))
        try await other.perform(EndLogins(deviceID: "page"))
        #expect(page.end?.entry == .tokenExpired)
        #expect(try await Self.refresh("a", 2, roost) == .unknown)
        #expect(try await Self.next("b", 1, roost) == 2)
        try await other.perform(EndLogins())
        #expect(try await Self.refresh("b", 2, roost) == .unknown)
        // A login that was proven before the logout does not begin after it.
        let refusal = await Self.code {
            _ = try await roost.core.start(
                RefreshLogin(userID: Cast.ann.userID, tokenID: "c"), issuedAt: began, shown: nil, lifetime: Self.day)
        }
        #expect(refusal == .tokenExpired)
    }

    @Test(arguments: Backend.available)
    func `it ends without use, at its own end, and when the user is deleted`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        _ = try await Self.start("a", roost)
        #expect(
            try await Self.start("b", roost, endsAt: roost.clock.now + Self.day).expiresAt == roost.clock.now + Self.day
        )
        roost.clock.advance(by: Self.day)
        #expect(try await Self.refresh("b", 1, roost) == .unknown)
        #expect(try await Self.next("a", 1, roost) == 2)
        roost.clock.advance(by: 30 * Self.day)
        #expect(try await Self.refresh("a", 2, roost) == .unknown)
        _ = try await Self.start("c", roost)
        try await roost.session(Cast.ann).perform(DeleteUser())
        #expect(try await Self.refresh("c", 1, roost) == .unknown)
        #expect(await Self.code { _ = try await Self.start("d", roost) } == .userDeleted)
    }
}
