import RoostWire

// Devices: the commands with their answers.
extension Story {
    func devices() throws -> [Examples.Exchange] {
        let address = PushAddress(
            gateway: .apns, token: "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0",
            voipToken: "b2c4e9d7a60f1837", isSandbox: true)
        let browser = PushAddress(
            gateway: .web, token: "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
            publicKey: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            authSecret: "BTBZMqHH6r4Tts7J_aSIgg")
        let night = QuietHours(
            timeZone: "Europe/Berlin",
            ranges: [.init(start: 1_320, end: 420), .init(start: 780, end: 840, days: [6, 7])])
        let settings = DeviceSettings(
            hidesContent: true, sound: "knock.caf", mutedUntil: at(7_200), mentionsOnly: true, quietHours: night)
        return try [
            try exchange(
                SetDeviceAddress(address: address), id: "t-0070",
                answer: try acknowledged(nil, transID: "t-0070", at: 240)),
            try exchange(
                SetDeviceAddress(address: browser, removesOthers: true), id: "t-0071", "browser",
                answer: try acknowledged(nil, transID: "t-0071", at: 241)),
            try exchange(
                SetDeviceSettings(
                    hidesContent: true, sound: "knock.caf", mutedUntil: at(7_200), mentionsOnly: true,
                    quietHours: night), id: "t-0072", answer: try acknowledged(nil, transID: "t-0072", at: 242)),
            try exchange(
                GetDevice(), id: "30", answer: Device(deviceID: device, address: address, settings: settings)),
            try exchange(
                ListDevices(), id: "31",
                answer: ListDevices.Answer(devices: [
                    Device(deviceID: device, address: PushAddress(gateway: .apns), settings: settings),
                    Device(deviceID: try Self.id("browser-2")),
                ])),
            try exchange(
                RemoveDevice(deviceID: try Self.id("browser-2")), id: "t-0073",
                answer: try acknowledged(nil, transID: "t-0073", at: 243)),
        ] + logins()
    }

    private func logins() throws -> [Examples.Exchange] {
        [
            try exchange(
                ListLogins(), id: "32",
                answer: ListLogins.Answer(logins: [
                    Login(deviceID: device, connectedAt: at(230), expiresAt: at(3_830)),
                    Login(deviceID: try Self.id("browser-2"), connectedAt: at(10), expiresAt: at(3_610)),
                ])),
            try exchange(
                EndLogins(deviceID: try Self.id("browser-2")), id: "t-0074",
                answer: try acknowledged(nil, transID: "t-0074", at: 244)),
            try exchange(
                EndLogins(userID: bob.userID), id: "o-0010", "all",
                answer: try acknowledged(nil, transID: "o-0010", at: 245)),
            try exchange(
                SetUserAccess(userID: bob.userID, canChat: false, canCall: true), id: "o-0011",
                answer: try acknowledged(nil, transID: "o-0011", at: 246)),
            try exchange(
                DeleteUser(), id: "t-0075", answer: try acknowledged(nil, transID: "t-0075", at: 247)),
            try exchange(
                DeleteUser(userID: bob.userID, deletesMessages: true), id: "o-0016", "other",
                answer: try acknowledged(nil, transID: "o-0016", at: 248)),
            try exchange(
                TestPush(userID: ann.userID, deviceID: "ann-phone", sends: true), id: "o-0017",
                answer: TestPush.Answer(devices: [
                    PushTestDevice(
                        deviceID: "ann-phone", gateway: .apns, isNotified: true,
                        steps: [
                            PushTestStep(.address, passed: true, detail: "apns, token 00fc13ad…."),
                            PushTestStep(
                                .connection, passed: true, detail: "The device is not connected to the server."),
                        ],
                        payload: PushPayload(
                            pushID: "019b7769-d5f8-7000-8000-0000000000f9", kind: .alert, userID: ann.userID,
                            event: "push.test",
                            sentAt: at(249), badge: 2, body: "Test notification", locKey: "roost.test", locArgs: []),
                        result: "sent")
                ])),
        ]
    }
}
