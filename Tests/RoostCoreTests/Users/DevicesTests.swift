import Foundation
import RoostCore
import RoostTesting
import RoostWire
import Testing

/// Where, when and how devices are notified.
@Suite struct DevicesTests {
    private func phone(_ token: String = "phone", voip: String? = nil) -> PushAddress {
        PushAddress(gateway: .webhook, token: token, voipToken: voip)
    }

    @Test(arguments: Backend.available)
    func
        `a new device has the defaults, and each setting that is changed is kept, all of it asked for at once [L-88 L-89 L-94 LR-25]`(
            backend: Backend
        ) async throws
    {
        let stage = try await Stage(backend)
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        #expect(try await stage.ann.perform(GetDevice()) == Device(deviceID: "device", settings: DeviceSettings()))
        try await stage.ann.perform(SetDeviceAddress(address: phone(voip: "calls")))
        let until = Date(milliseconds: stage.roost.clock.now + 1_000)
        let night = QuietHours(timeZone: "Asia/Taipei", ranges: [.init(start: 1_320, end: 420)])
        for set in [
            SetDeviceSettings(hidesSender: true), SetDeviceSettings(hidesContent: true), SetDeviceSettings(sound: "a"),
            SetDeviceSettings(voipSound: "b"), SetDeviceSettings(mutesAll: true), SetDeviceSettings(mutedUntil: until),
            SetDeviceSettings(mentionsOnly: true), SetDeviceSettings(quietHours: night),
        ] { try await stage.ann.perform(set) }
        let settings = DeviceSettings(
            hidesSender: true, hidesContent: true, sound: "a", voipSound: "b", mutesAll: true, mutedUntil: until,
            mentionsOnly: true, quietHours: night)
        let device = Device(deviceID: "device", address: phone(voip: "calls"), settings: settings)
        #expect(try await stage.ann.perform(GetDevice()) == device)
        // A new address keeps the settings; empty values remove them.
        try await stage.ann.perform(SetDeviceAddress(address: phone("new")))
        try await stage.ann.perform(
            SetDeviceSettings(
                hidesSender: false, sound: "", voipSound: "", quietHours: QuietHours(timeZone: "UTC", ranges: [])))
        let now = try await stage.ann.perform(GetDevice())
        #expect(now.address == phone("new"))
        #expect(
            now.settings
                == DeviceSettings(hidesContent: true, mutesAll: true, mutedUntil: until, mentionsOnly: true))
        // Another device, and another user, see nothing of it.
        #expect(try await tablet.perform(GetDevice()) == Device(deviceID: "tablet"))
        #expect(try await stage.bob.perform(ListDevices()).devices == [])
        let listed = try await tablet.perform(ListDevices()).devices
        #expect(listed == [Device(deviceID: "device", address: PushAddress(gateway: .webhook), settings: now.settings)])
    }

    @Test func `the sound of ordinary notifications and of calls are set apart or together [EN-5]`() async throws {
        let stage = try await Stage(.memory)
        func sounds() async throws -> [String?] {
            let settings = try await stage.ann.perform(GetDevice()).settings
            return [settings.sound, settings.voipSound]
        }
        try await stage.ann.perform(SetDeviceSettings(sound: "both", voipSound: "both"))
        #expect(try await sounds() == ["both", "both"])
        try await stage.ann.perform(SetDeviceSettings(sound: "messages"))
        #expect(try await sounds() == ["messages", "both"])
        try await stage.ann.perform(SetDeviceSettings(voipSound: "calls"))
        #expect(try await sounds() == ["messages", "calls"])
    }

    @Test(arguments: Backend.available)
    func `each change is answered with the id of its command, also when it is sent again [LR-26]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        let answers = [
            try await stage.ann.perform(SetDeviceAddress(address: phone()), id: "1"),
            try await stage.ann.perform(SetDeviceSettings(hidesContent: true), id: "2"),
            try await stage.ann.perform(SetDeviceSettings(sound: "a"), id: "3"),
            try await stage.ann.perform(SetDeviceSettings(mutesAll: true), id: "4"),
        ]
        #expect(answers.map(\.transID.rawValue) == ["1", "2", "3", "4"])
        try await stage.ann.perform(SetDeviceSettings(sound: "b"))
        #expect(try await stage.ann.perform(SetDeviceSettings(sound: "a"), id: "3") == answers[2])
        #expect(try await stage.ann.perform(GetDevice()).settings.sound == "b")
        #expect(stage.ann.events.isEmpty)
    }

    @Test(arguments: Backend.available)
    func `a device may take the place of the user's others, and a token belongs to one device [L-11]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        let second = try await stage.roost.session(Cast.ann, device: "second")
        func addressed() async throws -> [String] {
            try await stage.ann.perform(ListDevices()).devices.filter { $0.address != nil }.map(\.deviceID.rawValue)
        }
        func phone(_ token: String, voip: String? = nil) -> PushAddress {
            PushAddress(gateway: .fcm, token: token, voipToken: voip)
        }
        try await stage.ann.perform(SetDeviceAddress(address: phone("1", voip: "1v")))
        try await second.perform(SetDeviceAddress(address: phone("2"), removesOthers: false))
        #expect(try await addressed() == ["device", "second"])
        try await second.perform(SetDeviceAddress(address: phone("2"), removesOthers: true))
        #expect(try await addressed() == ["second"])
        // Somebody else logs in on this phone: the token goes along, also one for calls.
        try await stage.bob.perform(SetDeviceAddress(address: phone("2")))
        #expect(try await addressed() == [])
        try await stage.ann.perform(SetDeviceAddress(address: phone("3", voip: "3v")))
        try await stage.bob.perform(SetDeviceAddress(address: phone("4", voip: "3v")))
        #expect(try await addressed() == [])
        // The same token of another service is another one.
        try await stage.ann.perform(SetDeviceAddress(address: PushAddress(gateway: .webhook, token: "4")))
        #expect(try await stage.bob.perform(GetDevice()).address == phone("4", voip: "3v"))
    }

    @Test(arguments: Backend.available)
    func `a token of the webhook is not taken from another user, for no purpose and with no device id`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        func address(_ token: String? = nil, voip: String? = nil, _ gateway: PushGateway = .webhook) -> PushAddress {
            PushAddress(gateway: gateway, token: token, voipToken: voip)
        }
        let guesser = try await stage.roost.session(Cast.bob, device: "guesser")
        // The device ids of the first two are the same.
        try await stage.ann.perform(SetDeviceAddress(address: address("1", voip: "2")))
        for session in [stage.bob, guesser] {
            for (taken, field) in [
                (address("1"), "address.token"), (address("3", voip: "2"), "address.voipToken"),
                (address("2"), "address.token"), (address("3", voip: "1"), "address.voipToken"),
                (address(voip: "1"), "address.voipToken"),
            ] {
                let refusal = try await session.refusal(SetDeviceAddress(address: taken))
                #expect(refusal?.entry == .dataFormat && refusal?.field == field)
            }
            #expect(try await session.perform(GetDevice()).address == nil)
        }
        #expect(try await stage.ann.perform(GetDevice()).address == address("1", voip: "2"))
        // Another service, and another device of the user.
        try await guesser.perform(SetDeviceAddress(address: address("1", .fcm)))
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        try await tablet.perform(SetDeviceAddress(address: address("1", voip: "2")))
        #expect(try await stage.ann.perform(GetDevice()).address == nil)
        // Once it is free, anybody may have it.
        let next = try await stage.roost.session(Cast.cid, device: "tablet")
        #expect(try await next.refusal(SetDeviceAddress(address: address("1")))?.entry == .dataFormat)
        try await tablet.perform(RemoveDevice())
        try await next.perform(SetDeviceAddress(address: address("1")))
        try await next.perform(RemoveDevice())
        try await guesser.perform(SetDeviceAddress(address: address("1")))
    }

    @Test(arguments: Backend.available)
    func `the devices of a user are limited, and those without an address go first`(backend: Backend) async throws {
        var limits = Limits.withoutRates
        limits.devices = 2
        let stage = try await Stage(backend, limits: limits)
        var sessions: [TestSession] = []
        for number in 1...4 { sessions.append(try await stage.roost.session(Cast.ann, device: "d\(number)")) }
        func known() async throws -> [String] {
            try await stage.ann.perform(ListDevices()).devices.map(\.deviceID.rawValue)
        }
        try await sessions[0].perform(SetDeviceAddress(address: phone("1")))
        stage.roost.clock.advance(by: 1)
        try await sessions[1].perform(SetDeviceSettings(mutesAll: true))
        try await sessions[2].perform(SetDeviceAddress(address: phone("3")))
        #expect(try await known() == ["d1", "d3"])
        stage.roost.clock.advance(by: 1)
        try await sessions[3].perform(SetDeviceAddress(address: phone("4")))
        #expect(try await known() == ["d3", "d4"])
        try await sessions[3].perform(SetDeviceAddress(address: phone("4")))
        #expect(try await known() == ["d3", "d4"])
        try await stage.ann.perform(RemoveDevice(deviceID: "d3"))
        try await sessions[3].perform(RemoveDevice())
        try await sessions[3].perform(RemoveDevice())
        #expect(try await known() == [])
    }

    @Test func `values that do not fit are refused with the path of the field`() async throws {
        let stage = try await Stage(.memory)
        let key = String(repeating: "A", count: 87)
        let addresses: [(PushAddress, String)] = [
            (PushAddress(gateway: .webhook), "token"), (phone(""), "token"), (phone("a b"), "token"),
            (phone(String(repeating: "x", count: 2_001)), "token"), (phone(voip: ""), "voipToken"),
            (PushAddress(gateway: .apns, token: "0G"), "token"), (PushAddress(gateway: .apns, token: "AB"), "token"),
            (PushAddress(gateway: .fcm, token: "a", topic: "b"), "topic"),
            (PushAddress(gateway: .fcm, token: "a", isSandbox: true), "isSandbox"),
            (PushAddress(gateway: .fcm, token: "a", publicKey: key), "publicKey"),
            (PushAddress(gateway: .fcm, token: "a", authSecret: "b"), "authSecret"),
            (PushAddress(gateway: .web, token: "http://a.b/c", publicKey: key, authSecret: "c"), "token"),
            (PushAddress(gateway: .web, token: "https://a.b/c", authSecret: "c"), "publicKey"),
            (PushAddress(gateway: .web, token: "https://a.b/c", publicKey: key), "authSecret"),
            (PushAddress(gateway: .web, token: "https://a.b/c", publicKey: key, authSecret: "A+"), "authSecret"),
            (PushAddress(gateway: .web, token: "https://a.b/c", voipToken: "d", publicKey: key), "voipToken"),
        ]
        for (address, field) in addresses {
            let refusal = try await stage.ann.refusal(SetDeviceAddress(address: address))
            #expect(refusal?.entry == .dataFormat && refusal?.field == "address." + field, "\(address)")
        }
        func quiet(_ start: Int, _ end: Int, _ days: [Int]? = nil, zone: String = "UTC") -> SetDeviceSettings {
            SetDeviceSettings(
                quietHours: QuietHours(timeZone: zone, ranges: [.init(start: start, end: end, days: days)]))
        }
        let long = String(repeating: "x", count: 513)
        let many = QuietHours(timeZone: "UTC", ranges: Array(repeating: .init(start: 1, end: 2), count: 15))
        let settings: [(SetDeviceSettings, String)] = [
            (SetDeviceSettings(), "hidesSender"), (SetDeviceSettings(sound: long), "sound"),
            (SetDeviceSettings(voipSound: "\u{0}"), "voipSound"), (quiet(-1, 2), "quietHours.ranges[0].start"),
            (quiet(0, 1_440), "quietHours.ranges[0].end"), (quiet(0, 1, []), "quietHours.ranges[0].days"),
            (quiet(0, 1, [1, 1]), "quietHours.ranges[0].days"), (quiet(0, 1, [8]), "quietHours.ranges[0].days"),
            (quiet(0, 1, zone: "Mars/Olympus"), "quietHours.timeZone"), (quiet(0, 1, zone: ""), "quietHours.timeZone"),
            (SetDeviceSettings(quietHours: many), "quietHours.ranges"),
        ]
        for (set, field) in settings {
            let refusal = try await stage.ann.refusal(set)
            #expect(refusal?.entry == .dataFormat && refusal?.field == field, "\(set)")
        }
        #expect(try await stage.ann.perform(ListDevices()).devices == [])
    }

    @Test func `a token of Apple is written as lower-case digits, two per byte, and nil for no bytes`() {
        #expect(PushAddress.token([0x00, 0xFC, 0x13, 0xAD]) == "00fc13ad")
        #expect(PushAddress.token([]) == nil)
    }
}
