import Foundation
import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// A device's system for notifications, and a clock that the test moves.
@MainActor private final class Phone {
    var permission = NotificationsModel.Permission.undecided
    var answer = NotificationsModel.Permission.granted
    var asked = 0
    var tokenRequests = 0
    var badges: [Int] = []
    private(set) var deadlines: [Date] = []
    private var sleepers: [CheckedContinuation<Void, Never>] = []
    nonisolated static let now = Date(timeIntervalSince1970: 1_780_000_000)

    var system: NotificationSystem {
        NotificationSystem(
            permission: { self.permission },
            ask: {
                self.asked += 1
                self.permission = self.answer
                return self.answer
            },
            requestToken: { self.tokenRequests += 1 }, setBadge: { self.badges.append($0) })
    }

    var clock: ModelClock {
        ModelClock(
            now: { Self.now },
            sleep: { until in
                await self.sleep(until)
                try Task.checkCancellation()
            })
    }

    private func sleep(_ until: Date) async {
        deadlines.append(until)
        await withCheckedContinuation { sleepers.append($0) }
    }

    /// The seconds of each wait up to now.
    var waits: [Double] { deadlines.map { $0.timeIntervalSince(Self.now) } }

    func wake() {
        let woken = sleepers
        sleepers = []
        for sleeper in woken { sleeper.resume() }
    }
}

/// The model of notifications against a real server.
@MainActor @Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(1))) struct NotificationsTests {
    @Test func `the app asks for permission, then registers the device, and tries again after a failure [L-10]`()
        async throws
    {
        let server = try await TestServer.start()
        let phone = Phone()
        let bob = try server.disconnectedClient(Cast.bob)
        let model = NotificationsModel(client: bob, system: phone.system, clock: phone.clock)
        model.start()
        try await until { phone.badges == [0] }
        #expect(model.permission == .undecided && model.registration == .none)
        #expect(phone.asked == 0 && phone.tokenRequests == 0)
        model.ask()
        try await until { phone.tokenRequests == 1 }
        #expect(phone.asked == 1 && model.permission == .granted && model.registration == .waiting)
        // The system brings no token, twice.
        model.failedToReceiveToken()
        try await until { phone.waits == [5] }
        phone.wake()
        try await until { phone.tokenRequests == 2 }
        model.failedToReceiveToken()
        try await until { phone.waits == [5, 10] }
        phone.wake()
        try await until { phone.tokenRequests == 3 }
        // There is no connection yet.
        let address = PushAddress(gateway: .webhook, token: "bobs-phone")
        model.received(address)
        try await until { phone.waits == [5, 10, 5] }
        #expect(model.registration == .waiting)
        try await bob.connect()
        try await until { model.registration == .registered }
        #expect(try await bob.device().address == address)
        try await until { model.settings == DeviceSettings() }
        // An address that the server refuses is not tried again.
        model.received(PushAddress(gateway: .web, token: "nowhere"))
        try await until { model.registration == .refused }
        #expect(model.problem?.code == .server(.dataFormat))
        model.dismissProblem()
        model.received(PushAddress(gateway: .webhook, token: "another"))
        try await until { model.registration == .registered }
        #expect(try await bob.device().address?.token == "another")
        #expect(model.problem == nil)

        // Settings and the badge.
        #expect(await model.change(SetDeviceSettings(hidesContent: true)))
        #expect(model.settings?.hidesContent == true)
        #expect(await !model.change(SetDeviceSettings()))
        #expect(model.problem?.code == .server(.dataFormat))
        let ann = try await server.client(Cast.ann)
        let chat = ann.channel(try await ann.startMessaging(with: Cast.bob.userID).channel)
        for text in ["one", "two"] { try await chat.send(text) }
        try await until { model.badge == 2 }
        try await until { phone.badges.last == 2 }
        try await bob.channel(chat.id).markRead()
        try await until { phone.badges.last == 0 }
        model.stop()
        phone.wake()
        for client in [ann, bob] { await client.disconnect() }
        await server.stop()
    }

    @Test func `without permission no token is requested, and a user who has refused is not asked again`() async throws
    {
        let server = try await TestServer.start()
        let phone = Phone()
        phone.permission = .denied
        let bob = try await server.client(Cast.bob)
        let model = NotificationsModel(client: bob, system: phone.system, clock: phone.clock)
        model.start()
        try await until { model.permission == .denied }
        model.ask()
        model.received(PushAddress(gateway: .webhook, token: "bobs-phone"))
        model.failedToReceiveToken()
        try await until { model.settings != nil }
        #expect(phone.asked == 0 && phone.tokenRequests == 0 && phone.waits == [])
        #expect(model.registration == .none)
        #expect(try await bob.device().address == nil)
        // The user has changed that in the settings of the system.
        phone.permission = .granted
        model.ask()
        try await until { model.registration == .registered }
        #expect(phone.asked == 0 && phone.tokenRequests == 1)
        #expect(try await bob.device().address?.token == "bobs-phone")
        model.stop()
        await bob.disconnect()
        await server.stop()
    }
}
