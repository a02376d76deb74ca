import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct RateLimitTests {
    private func stage(_ limits: Limits, _ backend: Backend = .memory) async throws -> Stage {
        let stage = try await Stage(backend, limits: limits)
        try await stage.makeClub()
        try await stage.makePair()
        return stage
    }

    /// Sends texts one after the other; returns the number of accepted ones and the first refusal.
    private func send(
        _ count: Int, to channel: ChannelID, from session: TestSession
    ) async throws -> (taken: Int, refusal: WireError?) {
        var taken = 0
        var first: WireError?
        for _ in 0..<count {
            let refusal = try await session.refusal(SendMessage(channel: channel, text: "x"))
            if refusal == nil { taken += 1 }
            first = first ?? refusal
        }
        return (taken, first)
    }

    @Test(arguments: Backend.available)
    func `a burst is refused with the time to wait, and works again after it [L-103]`(backend: Backend) async throws {
        let limits = Limits(
            sendsPerSecond: 4, sendBurst: 8, channelSendsPerSecond: 0, commandsPerSecond: 10, commandBurst: 20)
        let stage = try await stage(limits, backend)
        let clock = stage.roost.clock
        var (taken, refusal) = try await send(12, to: Cast.club, from: stage.ann)
        #expect(taken == 8)
        #expect(refusal?.entry == .tooManyRequests)
        #expect(refusal?.retryable == true)
        let wait = try #require(refusal?.retryAfterMs)
        #expect(wait == 250)
        clock.advance(by: Int64(wait) - 1)
        #expect(try await send(1, to: Cast.club, from: stage.ann).refusal?.retryAfterMs == 1)
        clock.advance(by: 1)
        #expect(try await send(2, to: Cast.club, from: stage.ann).taken == 1)
        clock.advance(by: 1_000)
        (taken, refusal) = try await send(12, to: Cast.club, from: stage.ann)
        #expect(taken == 4)
        clock.advance(by: 1_000_000)
        #expect(try await send(12, to: Cast.club, from: stage.ann).taken == 8)
        #expect(try await stage.bob.channel(Cast.club).count == 21)
        // Other commands have a separate allowance; a refused one changes nothing.
        clock.advance(by: 1_000_000)
        var refusals: [WireError] = []
        for number in 0..<25 {
            if let refusal = try await stage.ann.refusal(
                SetChannelProfile(
                    channel: Cast.club, profile: ChannelProfile(customAttributes: Int64(number))))
            {
                refusals.append(refusal)
            }
        }
        #expect(refusals.count == 5)
        #expect(refusals.allSatisfy { $0.entry == .tooManyRequests && $0.retryAfterMs == 100 })
        #expect(try await stage.ann.refusal(GetUnread())?.entry == .tooManyRequests)
        clock.advance(by: 200)
        #expect(try await stage.ann.channel(Cast.club).profile?.customAttributes == 19)
    }

    @Test func `the allowance to send is one per user, over all devices and channels`() async throws {
        let stage = try await stage(
            Limits(sendsPerSecond: 1, sendBurst: 5, channelSendsPerSecond: 0, commandsPerSecond: 0))
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        #expect(try await send(2, to: Cast.club, from: stage.ann).taken == 2)
        #expect(try await send(2, to: Cast.annAndBob, from: tablet).taken == 2)
        #expect(try await send(3, to: Cast.club, from: tablet).taken == 1)
        #expect(try await send(1, to: Cast.annAndBob, from: stage.ann).taken == 0)
        #expect(try await send(9, to: Cast.club, from: stage.bob).taken == 5)
        #expect(try await stage.ann.perform(GetUnread()).total == 5)
    }

    @Test func `each user has a separate allowance in a channel`() async throws {
        let stage = try await stage(
            Limits(
                sendsPerSecond: 10, sendBurst: 10, channelSendsPerSecond: 2, channelSendBurst: 3,
                commandsPerSecond: 0))
        let (taken, refusal) = try await send(5, to: Cast.club, from: stage.ann)
        #expect(taken == 3)
        #expect(refusal?.retryAfterMs == 500)
        #expect(try await send(5, to: Cast.annAndBob, from: stage.ann).taken == 3)
        #expect(try await send(5, to: Cast.club, from: stage.bob).taken == 3)
        // A message refused by the channel's limit did not count for the user's ten: four are left.
        #expect(try await send(3, to: Cast.lobby, from: stage.ann).taken == 3)
        let other = try channel("other")
        let last = try await send(3, to: other, from: stage.ann)
        #expect(last.taken == 1)
        #expect(last.refusal?.retryAfterMs == 100)
        stage.roost.clock.advance(by: 500)
        #expect(try await send(3, to: Cast.club, from: stage.ann).taken == 1)
    }

    @Test func `the allowance of other commands is one per device, and is separate from that of sending`() async throws
    {
        let stage = try await stage(
            Limits(sendsPerSecond: 1, sendBurst: 1, channelSendsPerSecond: 0, commandsPerSecond: 5, commandBurst: 10))
        let tablet = try await stage.roost.session(Cast.bob, device: "tablet")
        func taken(_ session: TestSession) async throws -> Int {
            var taken = 0
            for _ in 0..<15 where try await session.refusal(GetUnread()) == nil { taken += 1 }
            return taken
        }
        #expect(try await taken(stage.bob) == 10)
        #expect(try await taken(tablet) == 10)
        // A new connection of the same device has no new allowance.
        stage.roost.disconnect(tablet)
        let again = try await stage.roost.session(Cast.bob, device: "tablet")
        #expect(try await taken(again) == 0)
        #expect(try await send(2, to: Cast.club, from: stage.bob).taken == 1)
        stage.roost.clock.advance(by: 1_000)
        #expect(try await taken(again) == 5)
    }

    @Test func `inventing devices gives no more than the connections of one user have`() async throws {
        var limits = Limits.withoutRates
        limits.connectionsPerUser = 3
        limits.commandsPerSecond = 5
        limits.commandBurst = 10
        let stage = try await Stage(.memory, limits: limits)
        func taken(_ user: User, _ devices: ClosedRange<Int>) async throws -> Int {
            var taken = 0
            for device in devices {
                let id = try #require(DeviceID(rawValue: "d\(device)"))
                let actor = Actor(user: user, deviceID: id, isOperator: false)
                for _ in 0..<10 {
                    let reply = await stage.roost.core.handle(.read(.getUnread(GetUnread())), id: "r", from: actor)
                    switch reply {
                    case .accepted: taken += 1
                    case .refused(let error): #expect(error.entry == .tooManyRequests && error.retryAfterMs ?? 0 > 0)
                    }
                }
            }
            return taken
        }
        #expect(try await taken(Cast.ann, 1...9) == 30)
        #expect(try await taken(Cast.bob, 1...3) == 30)
        stage.roost.clock.advance(by: 1_000)
        // A message refused by the device's limit did not count for the user.
        #expect(try await taken(Cast.ann, 1...9) == 15)
    }

    @Test func `zero means no limit, and a clock that is set back delays nobody for long`() async throws {
        let free = try await stage(
            Limits(
                sendsPerSecond: 0, sendBurst: 1, channelSendsPerSecond: 0, channelSendBurst: 1,
                commandsPerSecond: 0, commandBurst: 1))
        #expect(try await send(300, to: Cast.club, from: free.ann).taken == 300)
        for _ in 0..<300 { #expect(try await free.ann.refusal(GetUnread()) == nil) }

        let stage = try await stage(
            Limits(sendsPerSecond: 2, sendBurst: 4, channelSendsPerSecond: 0, commandsPerSecond: 0))
        #expect(try await send(4, to: Cast.club, from: stage.ann).taken == 4)
        stage.roost.clock.advance(by: -86_400_000)
        let refusal = try #require(try await send(1, to: Cast.club, from: stage.ann).refusal)
        #expect(try #require(refusal.retryAfterMs) <= 2_500)
        stage.roost.clock.advance(by: 2_500)
        #expect(try await send(1, to: Cast.club, from: stage.ann).taken == 1)
    }

    @Test func `the default limits are the documented ones, and a retry does not count against the allowance`()
        async throws
    {
        let stage = try await stage(Limits())
        #expect(try await send(20, to: Cast.club, from: stage.bob).taken == 15)
        #expect(try await send(20, to: Cast.annAndBob, from: stage.bob).taken == 15)
        #expect(try await send(5, to: Cast.lobby, from: stage.bob).taken == 0)
        let welcome = try #require(stage.bob.welcome)
        #expect(welcome.limits == Limits())
        #expect([welcome.limits.sendsPerSecond, welcome.limits.sendBurst] == [10, 30])
    }
}
