import RoostCore
import RoostTesting
import RoostWire
import Testing

/// Tokens that are revoked, and users who are banned.
@Suite struct LoginsTests {
    private static let hour: Int64 = 3_600_000

    private static func access(_ id: String, _ roost: TestCore, issued age: Int64 = 10_000) -> Access {
        Access(tokenID: id, issuedAt: roost.clock.now - age, expiresAt: roost.clock.now + hour)
    }

    private static func code(_ reply: Reply) -> ErrorCode? {
        if case .refused(let error) = reply { error.entry } else { nil }
    }

    /// What a request without a connection is answered: nil if it is accepted.
    private static func request(
        _ command: AnyCommand, as user: User, _ access: Access?, _ roost: TestCore
    ) async -> ErrorCode? {
        let actor = Actor(user: user, deviceID: "http", isOperator: false, access: access)
        return code(await roost.core.handle(command, id: roost.transID(), from: actor))
    }

    @Test(arguments: Backend.available)
    func `logging out one device ends its sessions, refuses its tokens everywhere, and no other ones`(
        backend: Backend
    ) async throws {
        let roost = try TestCore(backend)
        let (phone, tablet) = (Self.access("of the phone", roost), Self.access("of the tablet", roost))
        let ann = try await roost.session(Cast.ann, device: "phone", access: phone)
        let other = try await roost.session(Cast.ann, device: "tablet", access: tablet)
        let bob = try await roost.session(Cast.bob, device: "phone", access: Self.access("of the phone", roost))
        #expect(ann.welcome?.expiresAt?.milliseconds == roost.clock.now + Self.hour)
        let address = PushAddress(gateway: .webhook, token: "t")
        try await ann.perform(SetDeviceAddress(address: address))
        roost.clock.advance(by: 1)
        #expect(try await other.perform(ListLogins()).logins.map(\.deviceID).sorted() == ["phone", "tablet"])
        #expect(try await bob.perform(ListLogins()).logins.map(\.deviceID) == ["phone"])
        try await other.perform(EndLogins(deviceID: "phone"))
        #expect(ann.end?.entry == .tokenExpired)
        #expect(other.end == nil && bob.end == nil)
        #expect(try await other.perform(ListLogins()).logins.map(\.deviceID) == ["tablet"])
        #expect(try await other.perform(ListDevices()).devices == [])
        // Neither this device nor another one gets in with the token; other tokens do, and those of other users.
        for device in ["phone", "desk"] {
            await #expect(throws: WireError(.tokenExpired).coded) {
                try await coded { try await roost.session(Cast.ann, device: device, access: phone) }
            }
        }
        for command in [AnyCommand.read(.getUnread(GetUnread())), .write(.removeDevice(RemoveDevice()))] {
            #expect(await Self.request(command, as: Cast.ann, phone, roost) == .tokenExpired)
            #expect(await Self.request(command, as: Cast.ann, tablet, roost) == nil)
            #expect(await Self.request(command, as: Cast.bob, phone, roost) == nil)
        }
        // What the ended session has sent before the transport closes it is refused, too.
        #expect(try await ann.refusal(StartTyping(channel: Cast.club))?.entry == .tokenExpired)
        _ = try await roost.session(Cast.ann, device: "phone", access: Self.access("new", roost))
    }

    @Test(arguments: Backend.available)
    func `logging out all devices refuses every token up to then, and none after`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        let ann = try await roost.session(Cast.ann, device: "phone", access: Self.access("1", roost))
        let guest = try await roost.session(Cast.ann, device: "guest")
        // A token that has never been used yet.
        let unused = Self.access("2", roost, issued: 0)
        try await ann.perform(SetDeviceAddress(address: PushAddress(gateway: .webhook, token: "t")))
        try await ann.perform(EndLogins())
        #expect(ann.end?.entry == .tokenExpired)
        #expect(guest.end?.entry == .tokenExpired)
        #expect(await Self.request(.read(.listDevices(ListDevices())), as: Cast.ann, unused, roost) == .tokenExpired)
        roost.clock.advance(by: 1)
        let late = Self.access("3", roost, issued: 0)
        let again = try await roost.session(Cast.ann, device: "phone", access: late)
        #expect(try await again.perform(ListDevices()).devices == [])
        #expect(try await again.perform(ListLogins()).logins.count == 1)
        #expect(again.end == nil)
    }

    /// ATTACKS L6: a token that was made before the logout, is dated later, and was never shown.
    @Test(arguments: Backend.available)
    func `logging out all devices refuses tokens of a clock that is ahead, and accepts its later ones`(
        backend: Backend
    ) async throws {
        let roost = try TestCore(backend)
        func ahead(_ id: String, by time: Int64) -> Access { Self.access(id, roost, issued: -time) }
        func answer(_ access: Access) async -> ErrorCode? {
            await Self.request(.read(.getUnread(GetUnread())), as: Cast.ann, access, roost)
        }
        let ann = try await roost.session(Cast.ann, device: "phone")
        _ = try await roost.session(Cast.bob, access: ahead("of bob", by: 40_000))
        _ = try await roost.session(Cast.cid, access: ahead("shown late", by: 25_000))
        roost.clock.advance(by: 500)
        let unused = ahead("unused", by: 40_000)
        try await ann.perform(EndLogins())
        #expect(await answer(unused) == .tokenExpired)
        roost.clock.advance(by: 1_000)
        #expect(await answer(ahead("made after it", by: 40_000)) == nil)
        // What the server makes after a logout is dated a second after what is refused, and says nothing about clocks.
        _ = try await roost.session(Cast.ann, device: "tablet", access: ahead("of the server", by: 40_000))
        // It is refused by the next logout, also if it was never shown; the date does not run away with many of them.
        for _ in 1...100 {
            #expect(await Self.request(.write(.endLogins(EndLogins())), as: Cast.ann, nil, roost) == nil)
        }
        roost.clock.advance(by: 1_000)
        #expect(await answer(ahead("made after 100 logouts", by: 59_000)) == nil)
        // Somebody has set that clock right.
        roost.clock.advance(by: 86_400_001)
        let last = try await roost.session(Cast.ann, device: "desk")
        try await last.perform(EndLogins())
        roost.clock.advance(by: 1)
        #expect(await answer(ahead("right", by: 0)) == nil)
    }

    @Test(arguments: Backend.available)
    func `a ban closes all connections, refuses logins, requests and schedules, and can be lifted`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        let roost = stage.roost
        let chief = try await roost.session(Cast.dee, isOperator: true)
        let channel = Cast.annAndBob
        try await stage.makePair()
        func schedule(_ text: String) async throws {
            try await stage.bob.perform(
                CreateSchedule(
                    messages: [MessageContent(text: text)], channels: [channel],
                    sendAt: .init(milliseconds: roost.clock.now + 180_000)))
        }
        try await schedule("banned")
        #expect(
            try await stage.ann.refusal(SetUserAccess(userID: Cast.bob.userID, canChat: false))?.entry == .noPrivilege)
        #expect(try await chief.refusal(SetUserAccess(userID: Cast.dee.userID, canChat: false))?.entry == .dataFormat)
        #expect(try await chief.refusal(SetUserAccess(userID: Cast.bob.userID))?.entry == .dataFormat)
        try await chief.perform(SetUserAccess(userID: Cast.bob.userID, canChat: false))
        #expect(stage.bob.end?.entry == .userBanned)
        #expect(stage.ann.end == nil)
        for access in [nil, Self.access("1", roost)] {
            await #expect(throws: WireError(.userBanned).coded) {
                try await coded { try await roost.session(Cast.bob, access: access) }
            }
            #expect(await Self.request(.read(.getUnread(GetUnread())), as: Cast.bob, access, roost) == .userBanned)
            #expect(
                await Self.request(.write(.removeDevice(RemoveDevice())), as: Cast.bob, access, roost) == .userBanned)
        }
        roost.clock.advance(by: 181_000)
        await roost.settle()
        let texts = stage.ann.drainEvents().compactMap { event in
            if case .channel(.messageSent(let message)) = event.body { message.text } else { nil }
        }
        #expect(texts == [])
        try await chief.perform(SetUserAccess(userID: Cast.bob.userID, canChat: true))
        let bob = try await roost.session(Cast.bob)
        try await bob.send("back", to: channel)
    }

    @Test(arguments: Backend.available)
    func `a user who may not call sends everything but notices about calls`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let chief = try await stage.roost.session(Cast.dee, isOperator: true)
        let channel = Cast.annAndBob
        try await stage.makePair()
        let notice = CallNotice(callID: "1", kind: .voice)
        func call(_ content: MessageContent) -> SendMessage { SendMessage(content, to: channel) }
        try await stage.ann.perform(call(MessageContent(.callReceived(notice))))
        try await chief.perform(SetUserAccess(userID: Cast.ann.userID, canCall: false))
        #expect(stage.ann.end == nil)
        let notices = [
            MessageContent(.callReceived(notice)), MessageContent(.callCancelled(notice)),
            MessageContent(.callRecorded(notice)),
        ]
        for content in notices {
            #expect(try await stage.ann.refusal(call(content))?.entry == .noPrivilege)
        }
        try await stage.ann.send("hello", to: channel)
        try await chief.perform(SetUserAccess(userID: Cast.ann.userID, canCall: true))
        try await stage.ann.perform(call(notices[1]))
    }

    @Test(arguments: Backend.available)
    func `a session keeps only its newest token, and a revoked one cannot take its place`(
        backend: Backend
    ) async throws {
        let roost = try TestCore(backend)
        let (first, second) = (Self.access("1", roost), Self.access("2", roost))
        let phone = try await roost.session(Cast.ann, device: "phone", access: first)
        let tablet = try await roost.session(Cast.ann, device: "tablet", access: Self.access("3", roost))
        let session = try #require(phone.actor.session)
        try await roost.core.renew(session, of: Cast.ann.userID, second)
        #expect(try await tablet.refusal(EndLogins(deviceID: "unknown"))?.entry == .deviceNotFound)
        #expect(phone.end == nil)
        try await tablet.perform(EndLogins(deviceID: "phone"))
        #expect(phone.end?.entry == .tokenExpired)
        for access in [first, second] {
            let again = try #require(tablet.actor.session)
            await #expect(throws: WireError.self) { try await roost.core.renew(again, of: Cast.ann.userID, access) }
        }
        #expect(tablet.end == nil)
    }

    @Test(arguments: Backend.available)
    func `expired tokens are forgotten, and at most 100 logins of a user are remembered`(backend: Backend) async throws
    {
        let roost = try TestCore(backend)
        for number in 1...103 {
            roost.clock.advance(by: 1)
            let session = try await roost.session(
                Cast.ann, device: "d\(number)", access: Self.access("\(number)", roost))
            roost.disconnect(session)
        }
        let ann = try await roost.session(Cast.ann, device: "d103", access: Self.access("103", roost))
        let known = try await ann.perform(ListLogins()).logins
        #expect(known.count == 100)
        #expect(known.first?.deviceID == "d103")
        #expect(!known.contains { $0.deviceID == "d1" })
        // Its token is valid, but not known any more: to say yes would be a lie.
        let forgotten = try await ann.refusal(EndLogins(deviceID: "d1"))
        #expect(forgotten?.entry == .deviceNotFound && forgotten?.message.contains("log out all devices") == true)
        #expect(await Self.request(.read(.getUnread(GetUnread())), as: Cast.ann, Self.access("1", roost), roost) == nil)
        try await ann.perform(EndLogins(deviceID: "d50"))
        roost.clock.advance(by: 2 * Self.hour)
        await roost.settle()
        #expect(try await ann.perform(ListLogins()).logins == [])
        // Its denial has been forgotten; that it has expired is for the verifier to see.
        #expect(
            await Self.request(.read(.listDevices(ListDevices())), as: Cast.ann, Self.access("50", roost), roost) == nil
        )
    }

    @Test(arguments: Backend.available)
    func `a device without a known login is logged out if it is connected or has settings, and once`(
        backend: Backend
    ) async throws {
        let roost = try TestCore(backend)
        let tablet = try await roost.session(Cast.ann, device: "tablet")
        let guest = try await roost.session(Cast.ann, device: "guest")
        try await tablet.perform(EndLogins(deviceID: "guest"), id: "once")
        #expect(guest.end?.entry == .tokenExpired && tablet.end == nil)
        roost.disconnect(guest)
        #expect(try await tablet.refusal(EndLogins(deviceID: "guest"))?.entry == .deviceNotFound)
        // The answer of a repeated command is the first one.
        try await tablet.perform(EndLogins(deviceID: "guest"), id: "once")
        let phone = try await roost.session(Cast.ann, device: "phone")
        try await phone.perform(SetDeviceSettings(mutesAll: true))
        roost.disconnect(phone)
        try await tablet.perform(EndLogins(deviceID: "phone"))
        #expect(try await tablet.perform(ListDevices()).devices == [])
        #expect(try await tablet.refusal(EndLogins(deviceID: "phone"))?.entry == .deviceNotFound)
        // The device of somebody else is as unknown as one that is nobody's.
        let bob = try await roost.session(Cast.bob)
        #expect(try await bob.refusal(EndLogins(deviceID: "tablet"))?.entry == .deviceNotFound)
        #expect(tablet.end == nil)
    }

    @Test(.enabled(if: Postgres.url != nil))
    func `a change by another process is seen by logins and requests at once, and ends sessions within two seconds`()
        async throws
    {
        let url = try Postgres.makeSchema()
        let clock = TestClock()
        let first = try TestCore(database: Postgres.open(url), clock: clock)
        let second = try TestCore(database: Postgres.open(url), clock: clock)
        let chief = try await first.session(Cast.dee, isOperator: true)
        let token = Self.access("1", second)
        let bob = try await second.session(Cast.bob, device: "phone", access: token)
        let cid = try await second.session(Cast.cid, device: "phone", access: Self.access("2", second))
        let ann = try await second.session(Cast.ann, device: "phone", access: Self.access("3", second))
        try await chief.perform(SetUserAccess(userID: Cast.bob.userID, canChat: false))
        try await chief.perform(EndLogins(deviceID: "phone", userID: Cast.cid.userID))
        #expect(await Self.request(.read(.getUnread(GetUnread())), as: Cast.bob, nil, second) == .userBanned)
        #expect(await Self.request(.write(.removeDevice(RemoveDevice())), as: Cast.bob, nil, second) == .userBanned)
        #expect(try await bob.refusal(StartTyping(channel: Cast.club))?.entry == .userBanned)
        clock.advance(by: 2_000)
        await second.settle()
        #expect(bob.end?.entry == .userBanned)
        #expect(cid.end?.entry == .tokenExpired)
        #expect(ann.end == nil)
    }
}

/// The code of an error, for comparison.
private struct Coded: Error, Equatable {
    var code: Int
}

extension WireError {
    fileprivate var coded: Coded { Coded(code: code) }
}

private func coded<T>(_ body: () async throws -> T) async throws -> T {
    do {
        return try await body()
    } catch let error as WireError {
        throw error.coded
    }
}
