import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// `roost push test`, and what becomes of notifications that devices show, with a real server and a webhook.
@Suite(.serialized, .timeLimit(.minutes(3))) struct PushCommandTests {
    private func harness(_ receiver: PushReceiver) async throws -> ServerHarness {
        let path = NSTemporaryDirectory() + "push-\(UUID().uuidString).json"
        let json = #"{"webhook": {"url": "\#(receiver.url)", "secret": "0123456789abcdef0123456789abcdef"}}"#
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: Data(json.utf8), attributes: [.posixPermissions: 0o600]))
        return try await ServerHarness(options: ["--push", path], isRecorded: false)
    }

    private func setAddress(_ http: HTTPClient, _ device: String, _ gateway: PushGateway = .webhook) throws {
        try http.perform(
            SetDeviceAddress(
                address: PushAddress(gateway: gateway, token: gateway == .apns ? "00fc13ad00" : "bob-\(device)")),
            from: .guest(Cast.bob, device: device))
    }

    private func deliveries(_ receiver: PushReceiver) throws -> [PushDelivery] {
        try receiver.received.map { try WireCodec.decode(PushDelivery.self, from: $0.body) }
    }

    @Test func `push test says for each device what would be pushed and why not, and sends a test notification`()
        async throws
    {
        let receiver = try await PushReceiver.start()
        let harness = try await harness(receiver)
        let http = HTTPClient(harness)
        let token = try #require(
            try await Child.roost(
                ["token", "--data", harness.data, "--user", "op", "--operator"], in: harness.folder
            ).result().output.first)
        func test(_ arguments: String...) async throws -> Child.Result {
            try await Child.roost(
                ["push", "test", "--token", token] + arguments, server: harness.url, in: harness.folder
            ).result()
        }
        let unknown = try await test("--user", "bob", "--json")
        #expect(unknown.status == 1 && unknown.errors.contains(#""code":7011,"#))
        let bob = try await harness.guest(Cast.bob, device: "laptop")
        let none = try await test("--user", "bob")
        #expect(none.output == ["bob has no device: no app has set an address with device.setAddress yet."])
        #expect(try http.refusal(TestPush(userID: Cast.bob.userID), from: .guest(Cast.bob))?.entry == .noPrivilege)

        for device in ["phone", "bob-laptop"] { try setAddress(http, device) }
        try setAddress(http, "tablet", .apns)
        try http.perform(
            SetDeviceSettings(hidesContent: true, mutesAll: true), from: .guest(Cast.bob, device: "watch"))
        let text = try await test("--user", "bob").output
        #expect(
            text.filter { !$0.hasPrefix(" ") } == [
                "bob-laptop  is NOT notified", "phone  is notified", "tablet  is NOT notified",
                "watch  is NOT notified",
            ])
        let failed = text.filter { $0.contains("FAIL") }
        #expect(failed.count == 5, "\(text)")
        #expect(failed.contains { $0.contains("connection: The device is connected to the server") })
        #expect(failed.contains { $0.contains("service: This server is not configured for apns") })
        #expect(failed.contains { $0.contains("address: The device has no address") })
        #expect(failed.contains { $0.contains("settings: Nothing is pushed: the device has muted all notifications") })
        // Without --send nothing is sent, and no token is shown whole.
        #expect(receiver.received.isEmpty && !text.contains { $0.contains("00fc13ad00") })
        #expect(text.contains { $0.contains("apns, token 00fc13ad…") })

        let sent = try await test("--user", "bob", "--device", "phone", "--send", "--json")
        let object = try #require(try sent.objects().first)
        #expect(object["isNotified"] as? Bool == true && object["result"] as? String == "sent")
        let delivery = try #require(try deliveries(receiver).first)
        #expect(delivery.token == "bob-phone" && delivery.roost.event == "push.test")
        #expect(delivery.roost.body == "Test notification" && delivery.roost.badge == 0)
        // Apple takes nothing but a UUID.
        #expect(UUID(uuidString: delivery.roost.pushID) != nil)
        receiver.answer { _, _ in .status(410) }
        let gone = try await test("--user", "bob", "--device", "phone", "--send")
        #expect(gone.output.last?.contains("the token is not known any more: the webhook answered with 410") == true)
        try http.perform(
            SetUserAccess(userID: Cast.bob.userID, canChat: false), from: .token(token), key: "ban")
        #expect(try await test("--user", "bob").output.contains { $0.contains("FAIL  user: This user is banned") })
        await bob.client.disconnect()
    }

    @Test func `what is read on one device, or recalled, is withdrawn from the others that show it`() async throws {
        let receiver = try await PushReceiver.start()
        let harness = try await harness(receiver)
        let http = HTTPClient(harness)
        let ann = HTTPClient.Caller.guest(Cast.ann)
        try setAddress(http, "phone")
        try http.perform(CreateChannel(kind: .single, members: [NewMember(Cast.bob.userID)]), from: ann)
        func send(_ text: String) throws -> Acknowledgement {
            try http.perform(SendMessage(channel: Cast.annAndBob, text: text), from: ann)
        }
        let first = try send("read")
        await receiver.wait(for: 1)
        let bob = try await harness.guest(Cast.bob, device: "laptop")
        try await bob.channel(Cast.annAndBob).markRead(upTo: first.seq)
        await receiver.wait(for: 2)
        let second = try send("recalled")
        await receiver.wait(for: 3)
        try http.perform(
            RecallMessages(channel: Cast.annAndBob, messageIDs: [try #require(second.messageID)]), from: ann)
        await receiver.wait(for: 4)
        let payloads = try deliveries(receiver).map(\.roost)
        #expect(payloads.map(\.kind) == [.alert, .withdrawal, .alert, .withdrawal])
        #expect(payloads[1].withdraws(payloads[0]) && !payloads[1].withdraws(payloads[2]))
        #expect(payloads[3].withdraws(payloads[2]) && !payloads[3].withdraws(payloads[0]))
        #expect(payloads.map(\.badge) == [1, 0, 1, 0])
        await bob.client.disconnect()
    }
}
