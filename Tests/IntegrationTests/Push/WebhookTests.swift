import Crypto
import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Push notifications from a real server to a webhook.
@Suite(.serialized, .timeLimit(.minutes(3))) struct WebhookTests {
    private let ann = HTTPClient.Caller.guest(Cast.ann)
    private static let secret = "0123456789abcdef0123456789abcdef"

    /// A folder with a configuration for a webhook.
    private func folder(_ receiver: PushReceiver) throws -> (TemporaryFolder, options: [String]) {
        let folder = try TemporaryFolder()
        let path = folder.path + "/push.json"
        let json = #"{"webhook": {"url": "\#(receiver.url)", "secret": "\#(Self.secret)"}}"#
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: Data(json.utf8), attributes: [.posixPermissions: 0o600]))
        return (folder, ["--push", path])
    }

    /// Bob with an address, in a 1-on-1 with Ann.
    private func prepare(
        _ http: HTTPClient, token: String = "bob-phone", bob: HTTPClient.Caller = .guest(Cast.bob, device: "phone"),
        ann: HTTPClient.Caller = .guest(Cast.ann)
    ) throws {
        try http.perform(SetDeviceAddress(address: PushAddress(gateway: .webhook, token: token)), from: bob)
        try http.perform(CreateChannel(kind: .single, members: [NewMember(Cast.bob.userID)]), from: ann)
    }

    private func send(
        _ text: String, _ http: HTTPClient, key: String? = nil, from ann: HTTPClient.Caller = .guest(Cast.ann)
    ) throws {
        try http.perform(SendMessage(channel: Cast.annAndBob, text: text), from: ann, key: key)
    }

    private func delivery(_ received: PushReceiver.Received) throws -> PushDelivery {
        try WireCodec.decode(PushDelivery.self, from: received.body)
    }

    @Test func `a message for a user who is away reaches the webhook, signed`() async throws {
        let receiver = try await PushReceiver.start()
        let (folder, options) = try folder(receiver)
        let server = try await ServerProcess.start(
            data: folder.path + "/data", arguments: options + Store.serveArguments())
        let http = HTTPClient(server)
        try prepare(http)
        try send("Hello", http)
        await receiver.wait(for: 1)
        let received = try #require(receiver.received.first)
        let delivery = try delivery(received)
        #expect(delivery.token == "bob-phone" && delivery.deviceID == "phone" && delivery.roost.body == "Hello")
        #expect(delivery.roost.title == "Ann" && delivery.roost.badge == 1)
        #expect(received.headers["roost-push-id"] == delivery.roost.pushID)
        #expect(received.headers["content-type"] == "application/json")
        // The signature as an endpoint checks it.
        let parts = (received.headers["roost-signature"] ?? "").split(separator: ",").map(String.init)
        let time = try #require(parts.first?.dropFirst(2))
        let signed = Array("\(time).".utf8) + received.body
        let key = SymmetricKey(data: Array(Self.secret.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: signed, using: key)
        #expect(parts.last == "v1=" + code.map { String(format: "%02x", $0) }.joined())
        #expect(abs((Int64(time) ?? 0) - Int64(Date().timeIntervalSince1970)) < 60)
        #expect(server.stop() == 0)
    }

    @Test(.firstPassOnly)
    func `an app sets its address and settings, and reads what it is notified of without a connection`()
        async throws
    {
        let receiver = try await PushReceiver.start()
        let (folder, options) = try folder(receiver)
        let server = try await ServerProcess.start(data: folder.path + "/data", arguments: options)
        let http = HTTPClient(server)
        let bob = try RecordingClient(server.url, .guest(Cast.bob.userID, name: "Bob"), device: "phone", positions: nil)
        try await bob.connect()
        let client = bob.client
        #expect(try await client.device() == Device(deviceID: "phone"))
        let address = PushAddress(gateway: .webhook, token: "bob-phone", voipToken: "bob-calls")
        try await client.setPushAddress(address, removesOthers: true)
        try await client.setPushPreview(hidesSender: true, hidesContent: false)
        for (sound, type) in [("both", PushSoundType.all), ("knock", .messages), ("ring", .calls)] {
            try await client.setPushSound(sound, for: type)
        }
        try await client.setPushMuted(true)
        try await client.setPushMuted(false)
        let later = Date(milliseconds: 4_000_000_000_000)
        try await client.suspendPushes(until: later)
        let settings = DeviceSettings(hidesSender: true, sound: "knock", voipSound: "ring", mutedUntil: later)
        #expect(try await client.device() == Device(deviceID: "phone", address: address, settings: settings))
        #expect(try await client.devices().map(\.deviceID) == ["phone"])
        try await client.suspendPushes(until: nil)
        await client.disconnect()
        try http.perform(CreateChannel(kind: .single, members: [NewMember(Cast.bob.userID)]), from: ann)
        // The server may not have noticed yet that the device is gone.
        var number = 0
        while receiver.received.isEmpty {
            try send("\(number)", http)
            number += 1
        }
        let body = try #require(receiver.received.first).body
        let payload = try PushPayload(json: body)
        #expect(payload.channel == Cast.annAndBob && payload.sound == "knock" && payload.senderName == nil)
        #expect(try PushPayload(json: WireCodec.encode(payload)) == payload)
        #expect(throws: RoostError.self) { try PushPayload(json: Array("{}".utf8)) }
        let whole = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        #expect(try PushPayload(userInfo: try #require(whole)) == payload)
        for wrong: [AnyHashable: Any] in [[:], ["roost": 1], ["roost": ["kind": "alert"]], ["roost": Date()]] {
            #expect(throws: RoostError.self) { try PushPayload(userInfo: wrong) }
        }
        try await bob.connect()
        try await client.removeDevice()
        #expect(try await client.devices() == [])
        await client.disconnect()
        #expect(server.stop() == 0)
    }

    @Test(.firstPassOnly)
    func `an endpoint that fails gets the same notification again, one that says gone gets nothing more [L-12]`()
        async throws
    {
        let receiver = try await PushReceiver.start()
        let (folder, options) = try folder(receiver)
        let server = try await ServerProcess.start(data: folder.path + "/data", arguments: options)
        let http = HTTPClient(server)
        receiver.answer { _, count in [.status(500), .reset, .status(200), .status(400)][min(count, 3)] }
        try prepare(http)
        try send("one", http)
        await receiver.wait(for: 3)
        #expect(Set(receiver.received.map { $0.headers["roost-push-id"] }).count == 1)
        #expect(Set(try receiver.received.map { try delivery($0).roost }).count == 1)
        try send("two", http)
        await receiver.wait(for: 4)
        receiver.answer { _, _ in .status(410) }
        try send("three", http)
        await receiver.wait(for: 5)
        // The token is gone, once that is noted; then nothing more is sent there.
        let bob = HTTPClient.Caller.guest(Cast.bob, device: "phone")
        try await until { try http.perform(GetDevice(), from: bob).address == nil }
        receiver.answer { _, _ in .status(200) }
        try send("four", http)
        // When this one is there, it is decided who gets the one before it.
        let ann = HTTPClient.Caller.guest(Cast.ann, device: "phone")
        try http.perform(SetDeviceAddress(address: PushAddress(gateway: .webhook, token: "ann-phone")), from: ann)
        try send("witness", http, from: bob)
        await receiver.wait(for: 6)
        try prepare(http, token: "other", bob: .guest(Cast.bob, device: "tablet"))
        try send("five", http)
        await receiver.wait(for: 7)
        let bodies = try receiver.received.map { try delivery($0).roost.body }
        #expect(bodies == ["one", "one", "one", "two", "three", "witness", "five"])
        #expect(server.stop() == 0)
    }

    @Test(.firstPassOnly) func `an endpoint that does not answer delays no message, and no other device`() async throws
    {
        let receiver = try await PushReceiver.start()
        let (folder, options) = try folder(receiver)
        let server = try await ServerProcess.start(data: folder.path + "/data", arguments: options)
        let http = HTTPClient(server)
        try prepare(http, token: "slow")
        try prepare(http, token: "fast", bob: .guest(Cast.bob, device: "tablet"))
        receiver.answer { received, _ in
            String(decoding: received.body, as: UTF8.self).contains("\"slow\"") ? .held : .status(200)
        }
        for number in 0..<20 { try send("\(number)", http) }
        await receiver.wait(for: 40)
        let fast = try receiver.received.map(delivery).filter { $0.token == "fast" }.map(\.roost.body)
        #expect(Set(fast) == Set((0..<20).map(String.init)))
        receiver.release()
        // What is on its way is finished before the server ends.
        #expect(server.stop() == 0)
        #expect(receiver.distinct.count == 40)
    }

    @Test(.firstPassOnly, .timeLimit(.minutes(5)), arguments: PostgresServer.isAvailable ? [false, true] : [false])
    func `killed again and again, the server pushes everything that was acknowledged, each under one id`(
        isPostgres: Bool
    ) async throws {
        let receiver = try await PushReceiver.start()
        let (folder, webhook) = try folder(receiver)
        let options = webhook + (isPostgres ? ["--database", try Postgres.makeSchema()] : [])
        let rounds = environmentNumber("ROOST_KILLS") ?? 5
        let perRound = environmentNumber("ROOST_PUSHES").map { $0 / rounds } ?? 60
        var acknowledged: Set<String> = []
        var port = 0
        for round in 0...rounds {
            let server = try await ServerProcess.start(data: folder.path + "/data", port: port, arguments: options)
            port = server.port
            let http = HTTPClient(server)
            if round == 0 { try prepare(http) }
            if round == rounds {
                try await until {
                    Set(receiver.distinct.compactMap { try? delivery($0).roost.body }).isSuperset(of: acknowledged)
                }
                #expect(server.stop() == 0)
                break
            }
            let before = receiver.received.count
            for number in 0..<perRound {
                let text = "\(round)-\(number)"
                try send(text, http, key: text)
                acknowledged.insert(text)
            }
            // Some of them are on their way now.
            await receiver.wait(for: before + perRound / 3)
            server.kill()
        }
        let texts = try receiver.distinct.map { try delivery($0).roost.body }
        #expect(texts.count == acknowledged.count && Set(texts) == acknowledged)
        print("# \(acknowledged.count) messages, \(rounds) kills, \(receiver.received.count) requests")
    }

    @Test(.needsPostgres, .firstPassOnly) func `two servers on one database share what is to be pushed`() async throws {
        let receiver = try await PushReceiver.start()
        let (configuration, options) = try folder(receiver)
        defer { withExtendedLifetime(configuration) {} }
        let pair = try await ServerPair(options: options)
        let clients = pair.servers.map { HTTPClient($0) }
        let ann = try await pair.caller(Cast.ann)
        try await prepare(clients[0], bob: pair.caller(Cast.bob, device: "phone"), ann: ann)
        let count = 60
        for number in 0..<count { try send("\(number)", clients[number % 2], from: ann) }
        await receiver.wait(for: count)
        let texts = try receiver.received.map { try delivery($0).roost.body }
        for server in pair.servers { #expect(server.stop() == 0) }
        #expect(receiver.received.count == count && Set(texts).count == count)
    }

    @Test(.firstPassOnly) func `without a configuration, a push is dropped and the log says why [L-9]`() async throws {
        let folder = try TemporaryFolder()
        let server = try Child.roost(
            ["serve", "--dev", "--data", folder.path + "/data", "--port", "0", "--log-level", "notice"], in: folder)
        let ready = try #require(await server.line())
        let environment = try #require(URL(string: String(ready.dropFirst(6))))
        func roost(_ arguments: [String]) async throws -> Child.Result {
            try await Child.roost(arguments, server: environment.absoluteString, in: folder).result()
        }
        let address = ["device", "address", "--as", "bob", "--gateway", "apns", "--push-token", "00fc13ad"]
        #expect(try await roost(address).status == 0)
        #expect(try await roost(["send", "--as", "ann", "--to", "bob", "secret text"]).status == 0)
        var line: String?
        repeat { line = await server.errorLine() } while line?.contains("no push credential") == false
        #expect(line?.contains("gateway=apns") == true && line?.contains("user=bob") == true)
        // The address stays, and nothing of the message is in the log.
        let shown = try await roost(["device", "show", "--as", "bob"])
        #expect(shown.output.first?.hasSuffix("apns  token 00fc13ad") == true)
        server.signal(SIGTERM)
        let result = await server.result()
        #expect(result.status == 0 && result.errors.isEmpty)
        #expect(line?.contains("secret text") == false && line?.contains("00fc13ad") == false)
    }

    @Test(.firstPassOnly)
    func `messages that were sent to a phone while its process was stopped are all pushed when it does not answer`()
        async throws
    {
        let receiver = try await PushReceiver.start()
        let (folder, options) = try folder(receiver)
        let server = try await ServerProcess.start(data: folder.path + "/data", arguments: options)
        let http = HTTPClient(server)
        let address = ["device", "address", "--as", "bob", "--gateway", "webhook", "--push-token", "bob-phone"]
        #expect(await (try Child.roost(address, server: server.url, in: folder)).result().status == 0)
        try http.perform(CreateChannel(kind: .single, members: [NewMember(Cast.bob.userID)]), from: ann)
        // The same profile is the same device.
        let phone = try Child.roost(
            ["tail", "--as", "bob", "--to", "ann", "--after", "0"], server: server.url, in: folder)
        try send("seen", http)
        while let line = await phone.line() { if line.contains("seen") { break } }
        phone.signal(SIGSTOP)
        defer { phone.signal(SIGKILL) }
        for number in 1...17 { try send("lost \(number)", http) }
        // What was on its way when it was last heard may be pushed, too, so these are not the only ones.
        var texts: Set<String> = []
        for count in 17... {
            await receiver.wait(for: count)
            texts = Set(try receiver.received.map { try delivery($0).roost.body })
            if texts.isSuperset(of: (1...17).map { "lost \($0)" }) { break }
        }
        #expect(texts.count <= 18)
    }
}
