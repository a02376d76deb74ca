import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

// Step 13: the settings of a device that is away, which it changes over HTTP.
extension GroupStory {
    /// A device that has no connection.
    private func device(_ id: DeviceID, of caller: HTTPClient.Caller) -> HTTPClient.Caller {
        var caller = caller
        caller.headers["Roost-Device"] = id.rawValue
        return caller
    }

    /// Sends a message of Bob and returns its id.
    private func send(_ text: String) async throws -> MessageID { try await bob.channel(club).send(text).messageID }

    /// Sends a message of Bob and waits for its notification.
    private func push(_ text: String, to token: String = awayToken) async throws -> PushPayload {
        try await pushes.push(of: try await send(text), to: token)
    }

    private func call() async throws -> PushPayload {
        let call = MessageContent.call(.callReceived, CallNotice(callID: "c-1", kind: .voice))
        let id = try await bob.channel(club).send(call).messageID
        return try await pushes.push(of: id, to: "cid-3-calls")
    }

    /// Step 13: what is hidden, which sound there is, and when there is no notification.
    func setsUpNotifications() async throws {
        let caller = HTTPClient.Caller.token(try await logins.token(of: Cast.cid))
        let http = HTTPClient(harness)
        let (away, spare) = (device("cid-3", of: caller), device("cid-4", of: caller))
        // A new device has the defaults, whatever the others have.
        try http.perform(SetDeviceSettings(hidesSender: true, hidesContent: true), from: away)
        let address = PushAddress(gateway: .webhook, token: "cid-4")
        try http.perform(SetDeviceAddress(address: address), from: spare)
        #expect(try http.perform(GetDevice(), from: spare) == Device(deviceID: "cid-4", address: address))
        let hidden = try await push("hidden")
        #expect(hidden.senderName == nil && hidden.text == nil && hidden.channel == club)
        let usual = try await push("usual", to: "cid-4")
        #expect(usual.senderName == "Bob" && usual.text == "usual" && usual.sound == nil)

        try http.perform(SetDeviceSettings(hidesSender: true, hidesContent: false), from: away)
        let withoutSender = try await push("no sender")
        #expect(withoutSender.senderName == nil && withoutSender.text == "no sender")
        #expect(withoutSender.senderID == nil && withoutSender.title?.contains("Bob") != true)
        try http.perform(SetDeviceSettings(hidesSender: false, hidesContent: true), from: away)
        let withoutText = try await push("no content")
        #expect(withoutText.senderName == "Bob" && withoutText.text == nil)
        #expect(!withoutText.body.contains("no content"))
        try http.perform(SetDeviceSettings(hidesContent: false), from: away)
        try await changesSounds(http, away)
        try await mutes(http, away)
        try await asksForEverything()
    }

    /// The sounds 0, 1 and 2: of everything, of messages, of calls.
    private func changesSounds(_ http: HTTPClient, _ away: HTTPClient.Caller) async throws {
        let changes: [(PushSoundType, String, message: String, call: String)] = [
            (.all, "both", "both", "both"), (.messages, "knock", "knock", "both"), (.calls, "ring", "knock", "ring"),
        ]
        for (type, sound, ofMessage, ofCall) in changes {
            let (isForMessages, isForCalls) = (type != .calls, type != .messages)
            try http.perform(
                SetDeviceSettings(sound: isForMessages ? sound : nil, voipSound: isForCalls ? sound : nil), from: away)
            #expect(try await push("sound \(type.rawValue)").sound == ofMessage)
            let call = try await call()
            #expect(call.kind == .voip && call.sound == ofCall)
        }
    }

    /// Without notifications at all, until a time, and of one channel.
    private func mutes(_ http: HTTPClient, _ away: HTTPClient.Caller) async throws {
        let witness = PushAddress(gateway: .webhook, token: "eve-2")
        try http.perform(SetDeviceAddress(address: witness), from: device("eve-2", of: eveCaller))
        try http.perform(SetDeviceSettings(mutesAll: true), from: away)
        let muted = try await decided("muted")
        _ = try await pushes.push(of: muted, to: "cid-4")
        let inAnHour = Date(timeIntervalSinceNow: 3_600)
        try http.perform(SetDeviceSettings(mutesAll: false, mutedUntil: inAnHour), from: away)
        let suspended = try await decided("suspended")
        _ = try await pushes.push(of: suspended, to: "cid-4")
        // The clock of a process cannot be moved, so the hour is over because its end is moved into the past.
        try http.perform(SetDeviceSettings(mutedUntil: Date(timeIntervalSinceNow: -1)), from: away)
        _ = try await push("an hour later")

        _ = try await cid.channel(club).mute()
        let before = try #require(try await cid.channel(club).get().unread)
        let silent = try await decided("in a muted channel")
        #expect(try await cid.channel(club).get().unread == before + 1)
        _ = try await cid.channel(club).setPreference(isMuted: false, ringtone: "club")
        #expect(try await push("with a ringtone").sound == "club")
        #expect(try await push("on the new device", to: "cid-4").sound == "club")
        #expect(Set(try pushes.messages(to: Self.awayToken)).isDisjoint(with: [muted, suspended, silent]))
        #expect(try !pushes.messages(to: "cid-4").contains(silent))
        try http.perform(SetDeviceSettings(mutedUntil: inAnHour), from: away)
    }

    /// Sends a message of Bob, and waits until the server has decided who is notified, as it does later: then Eve is.
    private func decided(_ text: String) async throws -> MessageID {
        let id = try await send(text)
        _ = try await pushes.push(of: id, to: "eve-2")
        return id
    }

    private func asksForEverything() async throws {
        try await cidAway.connect()
        let device = try await cidAway.client.device()
        #expect(device.deviceID == "cid-3")
        #expect(device.address?.token == Self.awayToken && device.address?.voipToken == "cid-3-calls")
        let until = try #require(device.settings.mutedUntil)
        #expect(device.settings == DeviceSettings(sound: "knock", voipSound: "ring", mutedUntil: until))
        let all = try await cid.client.devices()
        #expect(all.map(\.deviceID) == ["cid-1", "cid-2", "cid-3", "cid-4"])
        await cidAway.client.disconnect()
    }
}
