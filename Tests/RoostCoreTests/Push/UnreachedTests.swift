import RoostCore
import RoostTesting
import RoostWire
import Testing

/// What is pushed to a device whose connection has died without a word: connected is not reached.
@Suite struct UnreachedTests {
    /// The cast in a 1-on-1 and the club, with an address on Bob's connected device.
    private func stage(_ backend: Backend = .memory) async throws -> Stage {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.makeClub()
        try await stage.bob.perform(SetDeviceAddress(address: PushAddress(gateway: .webhook, token: "bob-device")))
        await stage.forgetEvents()
        stage.roost.clock.advance(by: 60_000)
        return stage
    }

    private func texts(_ roost: TestCore) async throws -> [String?] {
        try await roost.pushes().sent.map { $0.payload.text ?? $0.payload.event }
    }

    @Test(arguments: Backend.available)
    func `what was sent to a device after its last sign of life is pushed when its session ends`(backend: Backend)
        async throws
    {
        let stage = try await stage(backend)
        try await stage.ann.send("received", to: Cast.annAndBob)
        stage.roost.clock.advance(by: 20_000)
        for number in 1...17 {
            try await stage.ann.send("lost \(number)", to: number % 2 == 0 ? Cast.club : Cast.annAndBob)
            stage.roost.clock.advance(by: 1_000)
        }
        try await stage.bob.send("own", to: Cast.club)
        #expect(try await stage.roost.pushes().sent.isEmpty)
        stage.roost.disconnect(stage.bob, silentMs: 18_000)
        let pushes = try await stage.roost.pushes()
        #expect(pushes.sent.map(\.payload.text) == (1...17).map { "lost \($0)" })
        #expect(
            Set(pushes.sent.map(\.payload.pushID)).count == 17 && pushes.sent.allSatisfy { $0.token == "bob-device" })
        #expect(try await stage.roost.pushes().sent.isEmpty)
        // From then on the device is away.
        try await stage.ann.send("later", to: Cast.annAndBob)
        #expect(try await texts(stage.roost) == ["later"])
    }

    @Test func `a device that has closed its session has received everything`() async throws {
        let stage = try await stage()
        try await stage.ann.send("received", to: Cast.annAndBob)
        await stage.settle()
        stage.roost.disconnect(stage.bob)
        #expect(try await stage.roost.pushes().sent.isEmpty)
    }

    @Test func `a device that has connected again is not notified of what its dead connection missed`() async throws {
        let stage = try await stage()
        try await stage.ann.send("resumed", to: Cast.annAndBob)
        let again = try await stage.roost.session(Cast.bob)
        stage.roost.disconnect(stage.bob, silentMs: 30_000)
        #expect(try await stage.roost.pushes().sent.isEmpty)
        // Also if it has left before the server noticed that the first connection was dead.
        let third = try await stage.roost.session(Cast.bob)
        stage.roost.disconnect(third)
        stage.roost.disconnect(again, silentMs: 30_000)
        #expect(try await stage.roost.pushes().sent.isEmpty)
    }

    @Test func `another device of the same user that has received it does not keep the push away`() async throws {
        let stage = try await stage()
        let tablet = try await stage.roost.session(Cast.bob, device: "tablet")
        try await stage.ann.send("lost", to: Cast.annAndBob)
        stage.roost.disconnect(stage.bob, silentMs: 30_000)
        #expect(try await texts(stage.roost) == ["lost"])
        stage.roost.disconnect(tablet, silentMs: 30_000)
        #expect(try await stage.roost.pushes().sent.isEmpty)
    }

    @Test func `what was read elsewhere, recalled, muted or is not notified of anyway is not pushed later`()
        async throws
    {
        let stage = try await stage()
        let tablet = try await stage.roost.session(Cast.bob, device: "tablet")
        let read = try await stage.ann.send("read", to: Cast.annAndBob)
        try await tablet.perform(SetReadMark(channel: Cast.annAndBob, seq: read.seq))
        let recalled = try await stage.ann.post("recalled", to: Cast.club)
        try await stage.ann.perform(RecallMessages(channel: Cast.club, messageIDs: [recalled]))
        try await stage.cid.react("👍", to: try await stage.ann.post("kept", to: Cast.club))
        try await stage.ann.perform(CreateChannel(kind: .group, channel: "other", members: [Cast.bob.userID]))
        try await stage.ann.perform(CreateChannel(kind: .group, channel: "quiet", members: [Cast.bob.userID]))
        try await tablet.perform(SetChannelPreference(channel: "quiet", isMuted: true))
        try await stage.ann.send("muted", to: "quiet")
        stage.roost.disconnect(stage.bob, silentMs: 30_000)
        let sent = try await stage.roost.pushes().sent
        #expect(
            sent.map { $0.payload.text ?? $0.payload.event }.sorted() == ["channel.joined", "channel.joined", "kept"])
    }

    @Test func `a session that the server has ended is looked after when the device has not answered the end`()
        async throws
    {
        let stage = try await stage()
        try await stage.ann.send("lost", to: Cast.annAndBob)
        await stage.settle()
        stage.roost.disconnect(stage.bob)
        #expect(try await stage.roost.pushes().sent.isEmpty)
        stage.roost.clock.advance(by: 1_000)
        stage.roost.core.noteUnreached("device", user: Cast.bob.userID, silentMs: 30_000)
        #expect(try await texts(stage.roost) == ["lost"])
        stage.roost.core.noteUnreached("nothing", user: Cast.bob.userID, silentMs: 30_000)
        stage.roost.core.noteUnreached("device", user: "nobody", silentMs: .max)
        #expect(try await stage.roost.pushes().sent.isEmpty)
    }

    @Test(arguments: Backend.available)
    func `the badge counts what the settings of the device let it be notified of`(backend: Backend) async throws {
        let stage = try await stage(backend)
        stage.roost.disconnect(stage.bob)
        let bob = try await stage.roost.session(Cast.bob, device: "tablet")
        func push(_ text: String, to channel: ChannelID, mentions: [Mention]? = nil) async throws -> Int? {
            try await stage.ann.perform(SendMessage(channel: channel, text: text, mentions: mentions))
            let pushes = try await stage.roost.pushes()
            return pushes.sent.first?.payload.badge
        }
        let mention = [Mention(userID: Cast.bob.userID)]
        #expect(try await push("one", to: Cast.club) == 1)
        #expect(try await push("two", to: Cast.annAndBob) == 2)
        let actor = Actor(user: Cast.bob, deviceID: "device", isOperator: false)
        _ = await stage.roost.core.handle(
            SetDeviceSettings(mentionsOnly: true).any, id: stage.roost.transID(), from: actor)
        #expect(try await push("three", to: Cast.club) == nil)
        #expect(try await push("four", to: Cast.club, mentions: mention) == 2)
        #expect(try await push("five", to: Cast.annAndBob) == 3)
        try await bob.perform(SetChannelPreference(channel: Cast.club, isMuted: true))
        #expect(try await push("six", to: Cast.annAndBob) == 3)
    }
}
