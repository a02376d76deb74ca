import Foundation
import RoostTesting
import RoostWire
import Testing

/// Apple, Google and a browser's service, asked by a real server over TLS.
@Suite(.serialized, .timeLimit(.minutes(3))) struct RunningPushServicesTests {
    private let ann = HTTPClient.Caller.guest(Cast.ann)

    /// A server, and three push services with a certificate that it trusts.
    private final class Desk {
        let apple: PushReceiver
        let google: PushReceiver
        let browsers: PushReceiver
        let folder: TemporaryFolder
        private let certificate: TestCertificate
        private(set) var server: ServerProcess
        private(set) var http: HTTPClient
        private let arguments: [String]

        init() async throws {
            certificate = try TestCertificate()
            folder = try TemporaryFolder()
            (apple, google, browsers) = (
                try await .start(certificate), try await .start(certificate), try await .start(certificate)
            )
            google.answer { received, _ in
                .status(200, body: received.path == "/token" ? #"{"access_token":"access","expires_in":3600}"# : "{}")
            }
            let (key, account) = (folder.path + "/rsa.pem", folder.path + "/account.json")
            try TestCertificate.openssl(["genrsa", "-out", key, "2048"])
            try Self.write(
                [
                    "type": "service_account", "project_id": "chat", "client_email": "push@chat.example.com",
                    "private_key": try String(contentsOfFile: key, encoding: .utf8),
                    "token_uri": google.url + "/token",
                ], to: account)
            try Self.write(
                [
                    "apns": [
                        "key": certificate.key, "keyID": "ABC123DEFG", "teamID": "TEAM", "topic": "com.example.chat",
                        "url": apple.url, "trust": certificate.certificate,
                    ],
                    "fcm": ["serviceAccount": account, "url": google.url, "trust": certificate.certificate],
                    "web": [
                        "key": certificate.key, "subject": "mailto:ops@example.com", "hosts": ["localhost"],
                        "trust": certificate.certificate,
                    ],
                ], to: folder.path + "/push.json")
            arguments = ["--push", folder.path + "/push.json"] + (try Store.serveArguments())
            server = try await ServerProcess.start(data: folder.path + "/data", arguments: arguments)
            http = HTTPClient(server)
        }

        private static func write(_ values: [String: Any], to path: String) throws {
            try JSONSerialization.data(withJSONObject: values).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }

        /// Kills the server and starts it again.
        func kill() async throws {
            server.kill()
            server = try await ServerProcess.start(
                data: folder.path + "/data", port: server.port, arguments: arguments)
            http = HTTPClient(server)
        }

        var addresses: [String: PushAddress] {
            [
                "phone": PushAddress(gateway: .apns, token: "00fc13ad"),
                "tablet": PushAddress(gateway: .fcm, token: "registration:token"),
                "browser": PushAddress(
                    gateway: .web, token: browsers.url + "/push/1",
                    publicKey:
                        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                    authSecret: "BTBZMqHH6r4Tts7J_aSIgg"),
            ]
        }
    }

    /// What a service got, but the questions for an access token.
    private func pushes(_ service: PushReceiver) -> [PushReceiver.Received] {
        service.received.filter { $0.path != "/token" }
    }

    private func json(_ received: PushReceiver.Received) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(received.body)) as? [String: Any])
    }

    // The only server of a database ends all leases when it starts. With PostgreSQL there may be others, so a lease has to
    // run out, which takes minutes.
    @Test(.firstPassOnly)
    func `a message reaches Apple, Google and a browser's service, again after kill -9 under the same id`()
        async throws
    {
        let desk = try await Desk()
        for (device, address) in desk.addresses {
            try desk.http.perform(SetDeviceAddress(address: address), from: .guest(Cast.bob, device: device))
        }
        try desk.http.perform(CreateChannel(kind: .single, members: [NewMember(Cast.bob.userID)]), from: ann)
        func send(_ text: String) throws {
            try desk.http.perform(SendMessage(channel: Cast.annAndBob, text: text), from: ann)
        }
        try send("first")
        try await until { pushes(desk.apple).count == 1 && pushes(desk.google).count == 1 }
        try await until { pushes(desk.browsers).count == 1 }
        let apple = try #require(pushes(desk.apple).first)
        #expect(apple.path == "/3/device/00fc13ad" && apple.isHTTP2)
        let alert = (try json(apple)["aps"] as? [String: Any])?["alert"] as? [String: String]
        #expect(alert == ["title": "Ann", "body": "first"])
        let google = try #require(pushes(desk.google).first)
        #expect(google.path == "/v1/projects/chat/messages:send")
        let message = try json(google)["message"] as? [String: Any]
        #expect(message?["notification"] as? [String: String] == ["title": "Ann", "body": "first"])
        #expect(message?["token"] as? String == "registration:token")
        let browser = try #require(pushes(desk.browsers).first)
        #expect(browser.path == "/push/1" && browser.headers["content-encoding"] == "aes128gcm")
        #expect(!String(decoding: browser.body, as: UTF8.self).contains("first"))

        // The server is killed while Apple has not answered: it cannot know whether the notification was shown.
        desk.apple.answer { _, _ in .held }
        try send("second")
        try await until { pushes(desk.apple).count == 2 }
        try await until { pushes(desk.google).count == 2 && pushes(desk.browsers).count == 2 }
        desk.apple.answer { _, _ in .status(200) }
        try await desk.kill()
        try await until { pushes(desk.apple).count == 3 }
        let ids = pushes(desk.apple).map { $0.headers["apns-id"] ?? "" }
        #expect(ids[1] == ids[2] && ids[0] != ids[1])
        let texts = try pushes(desk.apple).map {
            ((try json($0)["aps"] as? [String: Any])?["alert"] as? [String: String])?["body"]
        }
        #expect(texts == ["first", "second", "second"])

        // A token that a service does not know any more is removed, and the others go on. The kill may have
        // come before the server noted what these had got, so they may have been told twice.
        func bodies(_ service: PushReceiver) throws -> [String?] {
            try pushes(service).map {
                ((try json($0)["message"] as? [String: Any])?["notification"] as? [String: String])?["body"]
            }
        }
        desk.apple.answer { _, _ in .status(410, body: #"{"reason":"Unregistered"}"#) }
        try send("third")
        try await until { try bodies(desk.google).contains("third") && pushes(desk.browsers).count >= 3 }
        func address(_ device: String) throws -> PushAddress? {
            try desk.http.perform(GetDevice(), from: .guest(Cast.bob, device: device)).address
        }
        try await until { try address("phone") == nil }
        #expect(try address("tablet") != nil && address("browser") != nil)
        let count = desk.apple.received.count
        try send("fourth")
        try await until { try bodies(desk.google).contains("fourth") && pushes(desk.browsers).count >= 4 }
        #expect(desk.apple.received.count == count)
        #expect(desk.server.stop() == 0)
    }

    @Test func `a service whose certificate is not trusted gets nothing, and its notifications wait`() async throws {
        let desk = try await Desk()
        let stranger = try await PushReceiver.start(try TestCertificate())
        var addresses = desk.addresses
        addresses["stranger"] = addresses["browser"]
        addresses["stranger"]?.token = stranger.url + "/push/1"
        for (device, address) in addresses {
            try desk.http.perform(SetDeviceAddress(address: address), from: .guest(Cast.bob, device: device))
        }
        try desk.http.perform(CreateChannel(kind: .single, members: [NewMember(Cast.bob.userID)]), from: ann)
        try desk.http.perform(SendMessage(channel: Cast.annAndBob, text: "first"), from: ann)
        try await until {
            pushes(desk.apple).count == 1 && pushes(desk.google).count == 1 && pushes(desk.browsers).count == 1
        }
        #expect(stranger.received.isEmpty)
        #expect(try desk.http.perform(GetDevice(), from: .guest(Cast.bob, device: "stranger")).address != nil)
        #expect(desk.server.stop() == 0)
    }
}
