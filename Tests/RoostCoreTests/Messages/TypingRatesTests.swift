import RoostTesting
import RoostWire
import Testing

@testable import RoostCore

/// The typing events that others receive, however many devices repeat them and however often.
@Suite struct TypingRatesTests {
    private struct Fixture {
        let stage: Stage
        let database: FaultyDatabase
        let folder: (any Sendable)?

        var clock: TestClock { stage.roost.clock }

        /// Returns the typing events that a session has received for the club since the last call, in order.
        func typingEvents(_ session: TestSession) async -> [EventName] {
            await stage.settle()
            return session.drainEvents().filter { $0.channel == Cast.club }.compactMap { event in
                switch event.body {
                case .ephemeral(.typingStarted): .typingStarted
                case .ephemeral(.typingEnded): .typingEnded
                case .channel(.messageSent): .messageSent
                default: nil
                }
            }
        }
    }

    private let start = StartTyping(channel: Cast.club)
    private let end = EndTyping(channel: Cast.club)

    /// Ann, Bob and Cid in the club.
    private func fixture(_ backend: Backend) async throws -> Fixture {
        let (inner, folder) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        let stage = try await Stage(try TestCore(database: database))
        try await stage.makeClub()
        try await stage.makePair()
        await stage.forgetEvents()
        return Fixture(stage: stage, database: database, folder: folder)
    }

    @Test(arguments: Backend.available)
    func `typing on twenty devices is announced once per second`(backend: Backend) async throws {
        let fixture = try await fixture(backend)
        var devices = [fixture.stage.bob]
        for number in 1..<20 { devices.append(try await fixture.stage.roost.session(Cast.bob, device: "d\(number)")) }
        var told: [EventName] = []
        // Three seconds, in which each device sends it ten times per second.
        for _ in 0..<30 {
            for device in devices { try await device.perform(start) }
            told += await fixture.typingEvents(fixture.stage.ann)
            fixture.clock.advance(by: 100)
        }
        #expect(told == Array(repeating: .typingStarted, count: 3))
        #expect(await fixture.typingEvents(devices[0]).isEmpty)
        // The last repetition within the second is sent at its end, and nothing after it.
        #expect(await fixture.typingEvents(fixture.stage.ann) == [.typingStarted])
        fixture.clock.advance(by: 1_000)
        #expect(await fixture.typingEvents(fixture.stage.ann).isEmpty)
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `two users, and one user in two channels, do not delay each other`(backend: Backend) async throws {
        let fixture = try await fixture(backend)
        let stage = fixture.stage
        try await stage.bob.perform(start)
        try await stage.cid.perform(start)
        try await stage.bob.perform(StartTyping(channel: Cast.annAndBob))
        await stage.settle()
        let told = stage.ann.events(named: .typingStarted)
        #expect(told.map(\.channel) == [Cast.club, Cast.club, Cast.annAndBob])
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `starts and ends in a flood are one pair in a second, and the last state is told`(
        backend: Backend
    ) async throws {
        for isTyping in [true, false] {
            let fixture = try await fixture(backend)
            let tablet = try await fixture.stage.roost.session(Cast.bob, device: "tablet")
            var told: [EventName] = []
            for _ in 0..<50 {
                for device in [fixture.stage.bob, tablet] {
                    try await device.perform(start)
                    try await device.perform(end)
                }
                told += await fixture.typingEvents(fixture.stage.ann)
                fixture.clock.advance(by: 100)
            }
            #expect(told == Array(repeating: [.typingStarted, .typingEnded], count: 5).flatMap { $0 })
            try await fixture.stage.bob.perform(start)
            if !isTyping { try await fixture.stage.bob.perform(end) }
            told = await fixture.typingEvents(fixture.stage.ann)
            fixture.clock.advance(by: 1_000)
            told += await fixture.typingEvents(fixture.stage.ann)
            #expect(told == (isTyping ? [.typingStarted] : [.typingStarted, .typingEnded]))
            withExtendedLifetime(fixture) {}
        }
    }

    @Test(arguments: Backend.available)
    func `if a user types again right after the end, that is told when the second is over`(backend: Backend)
        async throws
    {
        let fixture = try await fixture(backend)
        for command in [true, false, true] {
            if command { try await fixture.stage.bob.perform(start) } else { try await fixture.stage.bob.perform(end) }
        }
        #expect(await fixture.typingEvents(fixture.stage.ann) == [.typingStarted, .typingEnded])
        fixture.clock.advance(by: 999)
        #expect(await fixture.typingEvents(fixture.stage.ann).isEmpty)
        fixture.clock.advance(by: 1)
        #expect(await fixture.typingEvents(fixture.stage.ann) == [.typingStarted])
        // Its end is sent once.
        for _ in 0..<2 { try await fixture.stage.bob.perform(end) }
        fixture.stage.roost.disconnect(fixture.stage.bob)
        #expect(await fixture.typingEvents(fixture.stage.ann) == [.typingEnded])
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `if a client repeats it every three seconds, each one is told`(backend: Backend) async throws {
        let fixture = try await fixture(backend)
        for _ in 0..<5 {
            try await fixture.stage.bob.perform(start)
            #expect(await fixture.typingEvents(fixture.stage.ann) == [.typingStarted])
            fixture.clock.advance(by: 3_000)
        }
        try await fixture.stage.bob.perform(end)
        #expect(await fixture.typingEvents(fixture.stage.ann) == [.typingEnded])
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `typing ends with the last device that types, and a device that fell silent does not delay it`(
        backend: Backend
    ) async throws {
        let fixture = try await fixture(backend)
        let tablet = try await fixture.stage.roost.session(Cast.bob, device: "tablet")
        let phone = try await fixture.stage.roost.session(Cast.bob, device: "phone")
        for device in [tablet, phone, fixture.stage.bob] { try await device.perform(start) }
        fixture.stage.roost.disconnect(tablet)
        try await phone.perform(end)
        #expect(await fixture.typingEvents(fixture.stage.ann) == [.typingStarted])
        fixture.stage.roost.disconnect(fixture.stage.bob)
        #expect(await fixture.typingEvents(fixture.stage.ann) == [.typingEnded])
        // The phone types and then sends nothing more: after ten seconds its typing has ended for everybody.
        fixture.clock.advance(by: 1_000)
        try await phone.perform(start)
        fixture.clock.advance(by: 10_000)
        let laptop = try await fixture.stage.roost.session(Cast.bob, device: "laptop")
        try await laptop.perform(start)
        try await laptop.perform(end)
        #expect(await fixture.typingEvents(fixture.stage.ann) == [.typingStarted, .typingStarted, .typingEnded])
        fixture.stage.roost.disconnect(phone)
        #expect(await fixture.typingEvents(fixture.stage.ann).isEmpty)
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `a message ends typing, its end is still told, and typing after it is told in time`(
        backend: Backend
    ) async throws {
        let fixture = try await fixture(backend)
        for _ in 0..<2 { try await fixture.stage.bob.perform(start) }
        try await fixture.stage.bob.send("done", to: Cast.club)
        fixture.clock.advance(by: 1_000)
        // The waiting event was from before the message.
        #expect(await fixture.typingEvents(fixture.stage.ann) == [.typingStarted, .messageSent])
        try await fixture.stage.bob.perform(end)
        #expect(await fixture.typingEvents(fixture.stage.ann) == [.typingEnded])
        try await fixture.stage.bob.perform(start)
        try await fixture.stage.bob.send("and", to: Cast.club)
        try await fixture.stage.bob.perform(start)
        #expect(await fixture.typingEvents(fixture.stage.ann) == [.typingStarted, .messageSent])
        fixture.clock.advance(by: 1_000)
        #expect(await fixture.typingEvents(fixture.stage.ann) == [.typingStarted])
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `waiting typing is not told if its user has left, was removed or was blocked meanwhile`(backend: Backend)
        async throws
    {
        let fixture = try await fixture(backend)
        let stage = fixture.stage
        for session in [stage.bob, stage.cid] { for _ in 0..<2 { try await session.perform(start) } }
        for _ in 0..<2 { try await stage.bob.perform(StartTyping(channel: Cast.annAndBob)) }
        try await stage.bob.perform(LeaveChannel(channel: Cast.club))
        try await stage.ann.perform(KickMembers(channel: Cast.club, members: [Cast.cid.userID]))
        try await stage.ann.perform(BlockUser(userID: Cast.bob.userID))
        await stage.forgetEvents()
        fixture.clock.advance(by: 1_000)
        await stage.settle()
        #expect(stage.ann.events(named: .typingStarted).isEmpty && stage.ann.events(named: .typingEnded).isEmpty)
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `typing of a user without a connection is told as well`(backend: Backend) async throws {
        let fixture = try await fixture(backend)
        let actor = Actor(user: Cast.bob, deviceID: fixture.stage.bob.actor.deviceID, isOperator: false)
        func perform(_ command: AnyCommand) async throws {
            guard case .accepted = await fixture.stage.roost.core.handle(command, id: "1", from: actor) else {
                Issue.record("refused")
                return
            }
        }
        for _ in 0..<3 { try await perform(.move(.startTyping(start))) }
        try await perform(.move(.endTyping(end)))
        #expect(await fixture.typingEvents(fixture.stage.ann) == [.typingStarted, .typingEnded])
        // While a device types, ending it over HTTP has no effect.
        fixture.clock.advance(by: 1_000)
        try await fixture.stage.bob.perform(start)
        try await perform(.move(.endTyping(end)))
        #expect(await fixture.typingEvents(fixture.stage.ann) == [.typingStarted])
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `a start whose commit fails is not told and starts no second, and an end whose commit fails is told later`(
        backend: Backend
    ) async throws {
        let fixture = try await fixture(backend)
        fixture.database.failCommits(.unavailable)
        #expect(try await fixture.stage.bob.refusal(start)?.entry == .databaseAccess)
        #expect(await fixture.typingEvents(fixture.stage.ann).isEmpty)
        try await fixture.stage.bob.perform(start)
        #expect(await fixture.typingEvents(fixture.stage.ann) == [.typingStarted])
        fixture.database.failCommits(.unavailable)
        #expect(try await fixture.stage.bob.refusal(end)?.entry == .databaseAccess)
        try await fixture.stage.bob.perform(end)
        #expect(await fixture.typingEvents(fixture.stage.ann) == [.typingEnded])
        // A failed one does not wait either.
        fixture.database.failCommits(.unavailable)
        #expect(try await fixture.stage.bob.refusal(start)?.entry == .databaseAccess)
        fixture.clock.advance(by: 1_000)
        #expect(await fixture.typingEvents(fixture.stage.ann).isEmpty)
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `a clock that is set back delays nothing`(backend: Backend) async throws {
        let fixture = try await fixture(backend)
        for _ in 0..<2 { try await fixture.stage.bob.perform(start) }
        fixture.clock.advance(by: -3_600_000)
        #expect(await fixture.typingEvents(fixture.stage.ann) == [.typingStarted, .typingStarted])
        for _ in 0..<5 { try await fixture.stage.bob.perform(start) }
        #expect(await fixture.typingEvents(fixture.stage.ann).isEmpty)
        fixture.clock.advance(by: 1_000)
        #expect(await fixture.typingEvents(fixture.stage.ann) == [.typingStarted])
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Backend.available)
    func `typing of a non-member is not announced, and typing twice is answered twice`(backend: Backend) async throws {
        let fixture = try await fixture(backend)
        for _ in 0..<2 {
            #expect(try await fixture.stage.dee.refusal(start)?.entry == .channelNotFound)
            #expect(try await fixture.stage.dee.refusal(end)?.entry == .channelNotFound)
        }
        fixture.clock.advance(by: 1_000)
        #expect(await fixture.typingEvents(fixture.stage.ann).isEmpty)
        for _ in 0..<2 { #expect(try await fixture.stage.bob.perform(start) == Done()) }
        for _ in 0..<2 { #expect(try await fixture.stage.bob.perform(end) == Done()) }
        withExtendedLifetime(fixture) {}
    }

    @Test func `the state that is kept of typing is dropped`() throws {
        let live = LiveSessions(participants: Participants())
        let session = SessionID(lane: 0, number: 1)
        var now: Int64 = 1_000_000
        for round in 0..<200 {
            var changes = SessionChanges(over: live)
            if round == 0 { changes.attach(session, Cast.bob, on: "device", at: 0) }
            for number in 0..<100 {
                let id = try channel("c\(round)-\(number)")
                changes.startTyping(session, in: id, at: now)
                changes.put(
                    TypingState(Cast.bob, announcedAt: now), MemberKey(channel: id, user: Cast.bob.userID))
            }
            live.apply(changes)
            now += 1_000
        }
        // Of 20,000, those of the last minute, and the same number again.
        #expect(live.typingStates.count <= 12_100)
        #expect(live[session]?.typing.count ?? 0 <= 1_100)
        let latest = MemberKey(channel: try channel("c199-99"), user: Cast.bob.userID)
        #expect(live.typingStates[latest]?.announcedAt == now - 1_000)
        #expect(live.typingStates[MemberKey(channel: try channel("c0-0"), user: Cast.bob.userID)] == nil)
    }
}
