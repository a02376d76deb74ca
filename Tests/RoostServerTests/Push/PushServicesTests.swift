import Crypto
import Foundation
import JWTKit
import RoostCore
import RoostTesting
import RoostWire
import Synchronization
import Testing

@testable import RoostPush

/// The drivers for Apple, Google and browsers, with doubles of their services that speak TLS and HTTP/2.
@Suite(.serialized, .timeLimit(.minutes(2))) struct PushServicesTests {
    private let folder: TemporaryFolder
    private let certificate: TestCertificate
    private let clock = TestClock()

    init() throws {
        folder = try TemporaryFolder()
        certificate = try TestCertificate()
    }

    /// The driver of a service, made from a configuration as an operator writes it.
    private func driver(_ gateway: PushGateway, _ values: [String: Any]) async throws -> any PushDriver {
        let path = folder.path + "/push.json"
        let json = try JSONSerialization.data(withJSONObject: [gateway.rawValue: values])
        try? FileManager.default.removeItem(atPath: path)
        #expect(
            FileManager.default.createFile(atPath: path, contents: json, attributes: [.posixPermissions: 0o600]))
        let clock = clock
        let drivers = try await PushConfiguration(file: path).drivers(now: { clock.now })
        return try #require(drivers.byGateway[gateway])
    }

    private func apns(_ service: PushReceiver, trusts: Bool = true) async throws -> any PushDriver {
        var values: [String: Any] = [
            "key": certificate.key, "keyID": "ABC123DEFG", "teamID": "TEAM", "topic": "com.example.chat",
            "url": service.url,
        ]
        if trusts { values["trust"] = certificate.certificate }
        return try await driver(.apns, values)
    }

    /// What is handed to a driver for a message of Ann's to Bob.
    private func request(
        _ address: PushAddress, _ content: MessageContent = MessageContent(text: "Hello"),
        extras: [String: String]? = nil
    ) async throws -> PushRequest {
        let roost = try TestCore(clock: clock)
        let ann = try await roost.session(Cast.ann)
        let bob = Actor(user: Cast.bob, deviceID: "phone", isOperator: false)
        _ = await roost.core.handle(SetDeviceAddress(address: address).any, id: "1", from: bob)
        try await ann.perform(CreateChannel(kind: .single, members: [NewMember(Cast.bob.userID)]))
        try await ann.perform(SendMessage(content, to: Cast.annAndBob, extras: extras))
        return try #require(try await roost.pushes(to: address.gateway).sent.first)
    }

    /// What is handed to a driver when a message that the device shows was recalled.
    private func withdrawal(_ address: PushAddress) async throws -> PushRequest {
        let roost = try TestCore(clock: clock)
        let ann = try await roost.session(Cast.ann)
        let bob = Actor(user: Cast.bob, deviceID: "phone", isOperator: false)
        _ = await roost.core.handle(SetDeviceAddress(address: address).any, id: "1", from: bob)
        try await ann.perform(CreateChannel(kind: .single, members: [NewMember(Cast.bob.userID)]))
        let sent = try await ann.perform(SendMessage(MessageContent(text: "Hello"), to: Cast.annAndBob))
        _ = try await roost.pushes(to: address.gateway, showsThem: true)
        let id = try #require(sent.messageID)
        try await ann.perform(RecallMessages(channel: Cast.annAndBob, messageIDs: [id]))
        return try #require(try await roost.pushes(to: address.gateway).sent.first)
    }

    private let phone = PushAddress(gateway: .apns, token: "00fc13ad", voipToken: "00ca11")

    private func claims(_ jwt: Substring) throws -> (head: [String: Any], body: [String: Any]) {
        let parts = try jwt.split(separator: ".").prefix(2).map { part in
            var text = part.replacing("-", with: "+").replacing("_", with: "/")
            while text.count % 4 != 0 { text += "=" }
            let data = try #require(Data(base64Encoded: String(text)))
            return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        }
        return (parts[0], parts[1])
    }

    @Test func `a message reaches Apple over HTTP/2, with a signed token that is used for forty minutes`() async throws
    {
        let service = try await PushReceiver.start(certificate)
        let driver = try await apns(service)
        let request = try await request(phone)
        #expect(await driver.send(request) == .sent)
        clock.advance(by: 39 * 60_000)
        #expect(await driver.send(request) == .sent)
        clock.advance(by: 60_000)
        #expect(await driver.send(request) == .sent)
        let received = service.received
        #expect(received.allSatisfy { $0.isHTTP2 && $0.path == "/3/device/00fc13ad" })
        let head = try #require(received.first).headers
        #expect(head["apns-topic"] == "com.example.chat" && head["apns-push-type"] == "alert")
        #expect(head["apns-priority"] == "10" && head["apns-id"] == request.push.id)
        #expect(head["apns-expiration"] == "\(request.expiresAt / 1_000)")
        #expect(head["apns-collapse-id"] == request.payload.messageID?.rawValue)
        let bytes = try #require(received.first).body
        let body = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        let aps = try #require(body["aps"] as? [String: Any])
        #expect(aps["alert"] as? [String: String] == ["title": "Ann", "body": "Hello"])
        #expect(aps["badge"] as? Int == 1 && aps["sound"] as? String == "default")
        #expect(aps["mutable-content"] as? Int == 1 && aps["thread-id"] as? String == "ann:bob")
        let roost = try #require(body["roost"] as? [String: Any])
        #expect(roost["senderID"] as? String == "ann" && roost["pushID"] as? String == request.push.id)
        // The tokens: two, of which the first was used twice.
        let tokens = received.map { $0.headers["authorization"] ?? "" }
        #expect(tokens[0] == tokens[1] && tokens[1] != tokens[2])
        let jwt = tokens[0].dropFirst("bearer ".count)
        let (header, claims) = try claims(jwt)
        #expect(header["alg"] as? String == "ES256" && header["kid"] as? String == "ABC123DEFG")
        #expect(claims["iss"] as? String == "TEAM" && claims["iat"] as? Int64 == (clock.now - 40 * 60_000) / 1_000)
        let pem = try String(contentsOfFile: certificate.key, encoding: .utf8)
        let keys = await JWTKeyCollection().add(ecdsa: try ES256PrivateKey(pem: pem).publicKey)
        _ = try await keys.verify(String(jwt), as: AppleClaims.self)
    }

    @Test func `a call goes to the token for calls, and to the topic for them`() async throws {
        let service = try await PushReceiver.start(certificate)
        let driver = try await apns(service)
        let call = MessageContent(.callReceived(CallNotice(callID: "c", kind: .voice)))
        #expect(await driver.send(try await request(phone, call)) == .sent)
        let received = try #require(service.received.first)
        #expect(received.path == "/3/device/00ca11")
        #expect(received.headers["apns-topic"] == "com.example.chat.voip")
        #expect(received.headers["apns-push-type"] == "voip" && received.headers["apns-collapse-id"] == nil)
        #expect(!String(decoding: received.body, as: UTF8.self).contains("\"alert\":"))
        // A device without such a token is notified as of a message, at its own topic.
        let tablet = PushAddress(gateway: .apns, token: "00ff", topic: "com.example.other")
        #expect(await driver.send(try await request(tablet, call)) == .sent)
        #expect(service.received.last?.path == "/3/device/00ff")
        #expect(service.received.last?.headers["apns-topic"] == "com.example.other")
        #expect(service.received.last?.headers["apns-push-type"] == "alert")
    }

    @Test func `a withdrawal shows nothing: Apple gets a background notification, Google data for the app`()
        async throws
    {
        let service = try await PushReceiver.start(certificate)
        let request = try await withdrawal(phone)
        #expect(await (try await apns(service)).send(request) == .sent)
        let received = try #require(service.received.first)
        #expect(received.path == "/3/device/00fc13ad" && received.headers["apns-topic"] == "com.example.chat")
        #expect(received.headers["apns-push-type"] == "background" && received.headers["apns-priority"] == "5")
        #expect(received.headers["apns-collapse-id"] == nil)
        let body = try #require(try JSONSerialization.jsonObject(with: Data(received.body)) as? [String: Any])
        #expect(body["aps"] as? [String: Int] == ["content-available": 1])
        let roost = try #require(body["roost"] as? [String: Any])
        #expect(roost["kind"] as? String == "withdrawal" && roost["event"] as? String == "message.recalled")
        #expect(roost["badge"] as? Int == 0 && roost["messageID"] as? String == request.payload.messageID?.rawValue)

        let google = try await PushReceiver.start(certificate)
        google.answer { received, _ in
            .status(200, body: received.path == "/token" ? #"{"access_token":"access","expires_in":3600}"# : "{}")
        }
        #expect(await (try await fcm(google)).send(try await withdrawal(android)) == .sent)
        let text = String(decoding: try #require(google.received.last).body, as: UTF8.self)
        #expect(!text.contains("\"notification\":") && text.contains(#""priority":"NORMAL""#))
        #expect(text.contains("message.recalled"))
    }

    @Test func `each answer of Apple has its consequence, and an expired token is made anew once [L-12]`() async throws
    {
        let service = try await PushReceiver.start(certificate)
        let driver = try await apns(service)
        let request = try await request(phone)
        let table: [(PushReceiver.Answer, PushResult)] = [
            (.status(410, body: #"{"reason":"Unregistered"}"#), .unknownToken("APNs answered with 410 Unregistered")),
            (.status(400, body: #"{"reason":"BadDeviceToken"}"#), .refused("APNs answered with 400 BadDeviceToken")),
            (.status(413, body: #"{"reason":"PayloadTooLarge"}"#), .refused("APNs answered with 413 PayloadTooLarge")),
            (.status(429, retryAfter: 7), .failed("APNs answered with 429 ", retryAfterMs: 7_000)),
            (.status(500), .failed("APNs answered with 500 ")),
            (
                .status(403, body: #"{"reason":"InvalidProviderToken"}"#),
                .failed("APNs answered with 403 InvalidProviderToken")
            ),
            (
                .status(503, retryAfter: 999_999, body: "<html>"),
                .failed("APNs answered with 503 ", retryAfterMs: 3_600_000)
            ),
        ]
        for (answer, result) in table {
            service.answer { _, _ in answer }
            #expect(await driver.send(request) == result)
        }
        let before = service.received.count
        service.answer { _, count in
            count == before ? .status(403, body: #"{"reason":"ExpiredProviderToken"}"#) : .status(200)
        }
        clock.advance(by: 1_000)
        #expect(await driver.send(request) == .sent)
        let tokens = service.received.suffix(2).map { $0.headers["authorization"] }
        #expect(tokens.count == 2 && tokens[0] != tokens[1])
        service.answer { _, _ in .status(403, body: #"{"reason":"ExpiredProviderToken"}"#) }
        #expect(await driver.send(request) == .failed("APNs answered with 403 ExpiredProviderToken"))
        #expect(service.received.count == before + 4)
    }

    @Test func `a connection that ends, is reset, not trusted or refused fails for now, and the next one works`()
        async throws
    {
        let service = try await PushReceiver.start(certificate)
        let driver = try await apns(service)
        let request = try await request(phone)
        func isFailed(_ driver: any PushDriver) async -> Bool {
            if case .failed = await driver.send(request) { true } else { false }
        }
        for answer in [PushReceiver.Answer.reset, .goAway] {
            service.answer { _, _ in answer }
            #expect(await isFailed(driver))
            service.answer { _, _ in .status(200) }
            #expect(await driver.send(request) == .sent)
        }
        #expect(await isFailed(try await apns(service, trusts: false)))
        let gone = try await PushReceiver.start(certificate)
        let other = try await apns(gone)
        gone.close()
        #expect(await isFailed(other))
    }

    @Test func `with a certificate instead of a key, Apple knows the server by it`() async throws {
        let own = try TestCertificate()
        let service = try await PushReceiver.start(certificate, client: own)
        let values: [String: Any] = [
            "certificate": own.certificate, "certificateKey": own.key, "topic": "com.example.chat",
            "url": service.url, "trust": certificate.certificate, "localized": true,
        ]
        let driver = try await driver(.apns, values)
        #expect(await driver.send(try await request(phone)) == .sent)
        let received = try #require(service.received.first)
        #expect(received.isHTTP2 && received.headers["authorization"] == nil)
        let text = String(decoding: received.body, as: UTF8.self)
        #expect(text.contains(#""loc-key":"roost.text""#) && text.contains(#""loc-args":["Ann","Hello"]"#))
        // Without it, there is no connection.
        if case .failed = await (try await apns(service)).send(try await request(phone)) {} else { Issue.record() }
    }

    @Test func `a notification never has more bytes than Apple takes`() async throws {
        let service = try await PushReceiver.start(certificate)
        let driver = try await apns(service)
        // In JSON each of these characters has six bytes.
        let content = MessageContent(text: "x" + String(repeating: "\u{1}", count: 4_000))
        let request = try await request(phone, content, extras: ["a": String(repeating: "\u{1}", count: 400)])
        #expect(await driver.send(request) == .sent)
        let body = try #require(service.received.first).body
        #expect(body.count <= 4_096)
        let roost = try #require(
            (try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])?["roost"] as? [String: Any])
        #expect(roost["extras"] == nil && roost["messageID"] != nil)
    }

    private func fcm(_ service: PushReceiver) async throws -> any PushDriver {
        let path = folder.path + "/account.json"
        let key = folder.path + "/rsa.pem"
        if !FileManager.default.fileExists(atPath: key) {
            try TestCertificate.openssl(["genrsa", "-out", key, "2048"])
        }
        let account = [
            "type": "service_account", "project_id": "chat", "client_email": "push@chat.example.com",
            "private_key": try String(contentsOfFile: key, encoding: .utf8), "token_uri": service.url + "/token",
        ]
        try JSONSerialization.data(withJSONObject: account).write(to: URL(fileURLWithPath: path))
        return try await driver(
            .fcm, ["serviceAccount": path, "url": service.url, "trust": certificate.certificate])
    }

    private let android = PushAddress(gateway: .fcm, token: "registration:token")

    @Test func `a message reaches Google with an access token that is asked for once, until it expires`() async throws {
        let service = try await PushReceiver.start(certificate)
        service.answer { received, count in
            received.path == "/token"
                ? .status(200, body: #"{"access_token":"access-\#(count)","expires_in":3600}"#) : .status(200)
        }
        let driver = try await fcm(service)
        let request = try await request(android)
        await withTaskGroup(of: PushResult.self) { group in
            for _ in 0..<5 { group.addTask { await driver.send(request) } }
            for await result in group { #expect(result == .sent) }
        }
        #expect(service.received.filter { $0.path == "/token" }.count == 1)
        clock.advance(by: 3_540_000)
        #expect(await driver.send(request) == .sent)
        #expect(service.received.filter { $0.path == "/token" }.count == 2)
        let sent = try #require(service.received.first { $0.path != "/token" })
        #expect(sent.path == "/v1/projects/chat/messages:send" && sent.headers["authorization"] == "Bearer access-0")
        let whole = try #require(try JSONSerialization.jsonObject(with: Data(sent.body)) as? [String: Any])
        let message = try #require(whole["message"] as? [String: Any])
        #expect(message["token"] as? String == "registration:token")
        #expect(message["notification"] as? [String: String] == ["title": "Ann", "body": "Hello"])
        let data = try #require((message["data"] as? [String: String])?["roost"])
        #expect(try WireCodec.decode(PushPayload.self, from: Array(data.utf8)) == request.payload)
        let shown = (message["android"] as? [String: Any])?["notification"] as? [String: Any]
        #expect(shown?["tag"] as? String == request.collapseID && shown?["notification_count"] as? Int == 1)
        // The assertion is signed with the key of the account.
        let form = String(decoding: try #require(service.received.first).body, as: UTF8.self)
        #expect(form.hasPrefix("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="))
        let jwt = form.drop { $0 != "&" }.dropFirst("&assertion=".count)
        let (head, body) = try claims(jwt)
        #expect(head["alg"] as? String == "RS256" && body["aud"] as? String == service.url + "/token")
        #expect(body["iss"] as? String == "push@chat.example.com")
        let pem = try String(contentsOfFile: folder.path + "/rsa.pem", encoding: .utf8)
        let key = try Insecure.RSA.PrivateKey(pem: pem).publicKey
        _ = try await JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha256).verify(
            String(jwt), as: GoogleClaims.self)
    }

    @Test func `a call is for the app alone at Google, and each answer has its consequence`() async throws {
        let service = try await PushReceiver.start(certificate)
        let driver = try await fcm(service)
        let answer = Mutex(PushReceiver.Answer.status(200))
        service.answer { received, _ in
            received.path == "/token"
                ? .status(200, body: #"{"access_token":"access","expires_in":3600}"#) : answer.withLock { $0 }
        }
        let call = MessageContent(.callReceived(CallNotice(callID: "c", kind: .voice)))
        #expect(await driver.send(try await request(android, call)) == .sent)
        let body = String(decoding: try #require(service.received.last).body, as: UTF8.self)
        #expect(!body.contains("\"notification\":") && body.contains(#""priority":"HIGH""#))
        func fault(_ status: Int, _ code: String) -> PushReceiver.Answer {
            .status(
                status,
                body:
                    #"{"error":{"status":"X","details":[{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#(code)"}]}}"#
            )
        }
        let table: [(PushReceiver.Answer, PushResult)] = [
            (fault(404, "UNREGISTERED"), .unknownToken("FCM answered with 404 UNREGISTERED")),
            (fault(400, "INVALID_ARGUMENT"), .refused("FCM answered with 400 INVALID_ARGUMENT")),
            (fault(403, "SENDER_ID_MISMATCH"), .refused("FCM answered with 403 SENDER_ID_MISMATCH")),
            (fault(503, "UNAVAILABLE"), .failed("FCM answered with 503 UNAVAILABLE")),
            (.status(429, retryAfter: 60), .failed("FCM answered with 429 ", retryAfterMs: 60_000)),
            (.status(404), .failed("FCM answered with 404 ")),
        ]
        // The service takes 4,096 bytes.
        let long = MessageContent(text: "x" + String(repeating: "\u{1}", count: 4_000))
        #expect(await driver.send(try await request(android, long)) == .sent)
        let sent = try #require(service.received.last).body
        let root = try #require(try JSONSerialization.jsonObject(with: Data(sent)) as? [String: Any])
        let data = try #require((root["message"] as? [String: Any])?["data"] as? [String: String])
        #expect((data["roost"] ?? "").utf8.count <= 2_600)
        let message = try await request(android)
        for (planned, result) in table {
            answer.withLock { $0 = planned }
            #expect(await driver.send(message) == result)
        }
        // An access token that is refused is asked for again, once.
        answer.withLock { $0 = .status(401) }
        let before = service.received.count
        #expect(await driver.send(message) == .failed("FCM answered with 401 "))
        #expect(service.received.count == before + 3)
        service.answer { _, _ in .status(500) }
        clock.advance(by: 3_600_000)
        #expect(await driver.send(message) == .failed("no access token: Google answered with 500"))
    }

    @Test func `the encryption for browsers is that of the example in RFC 8291`() throws {
        func bytes(_ text: String) -> [UInt8] {
            var text = text.replacing("-", with: "+").replacing("_", with: "/")
            while text.count % 4 != 0 { text += "=" }
            return Array(Data(base64Encoded: text) ?? Data())
        }
        let sealed = try WebPushEncryption.seal(
            Array("When I grow up, I want to be a watermelon".utf8),
            publicKey: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            secret: "BTBZMqHH6r4Tts7J_aSIgg",
            ephemeral: P256.KeyAgreement.PrivateKey(
                rawRepresentation: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")),
            salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(
            WebPushEncryption.base64URL(sealed)
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK"
                + "6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
        #expect(throws: WebPushEncryption.BadKey.self) {
            try WebPushEncryption.seal(
                [1], publicKey: String(repeating: "A", count: 87), secret: "BTBZMqHH6r4Tts7J_aSIgg")
        }
    }

    @Test func `a message reaches a browser's service, encrypted and signed; other addresses are never asked`()
        async throws
    {
        let service = try await PushReceiver.start(certificate)
        let values: [String: Any] = [
            "key": certificate.key, "subject": "mailto:ops@example.com", "hosts": ["localhost"],
            "trust": certificate.certificate,
        ]
        let driver = try await driver(.web, values)
        func browser(_ endpoint: String) -> PushAddress {
            PushAddress(
                gateway: .web, token: endpoint,
                publicKey: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                authSecret: "BTBZMqHH6r4Tts7J_aSIgg")
        }
        let message = try await request(browser(service.url + "/push/1"))
        #expect(await driver.send(message) == .sent)
        let received = try #require(service.received.first)
        #expect(received.path == "/push/1" && received.headers["content-encoding"] == "aes128gcm")
        #expect(received.headers["ttl"] == "604800" && received.headers["topic"] == message.collapseID)
        #expect(!String(decoding: received.body, as: UTF8.self).contains("Hello") && received.body.count < 4_096)
        let parts = (received.headers["authorization"] ?? "").split(separator: " ")
        #expect(parts.first == "vapid")
        let jwt = try #require(parts.dropFirst().first).dropFirst(2).dropLast()
        let (head, body) = try claims(jwt)
        #expect(head["alg"] as? String == "ES256" && body["aud"] as? String == service.url)
        #expect(body["sub"] as? String == "mailto:ops@example.com")
        #expect(body["exp"] as? Int64 == clock.now / 1_000 + 12 * 3_600)
        let pem = try String(contentsOfFile: certificate.key, encoding: .utf8)
        let key = try P256.Signing.PrivateKey(pemRepresentation: pem).publicKey.x963Representation
        #expect(parts.last == "k=\(WebPushEncryption.base64URL(key))")
        // What the service answers.
        let table: [(Int, PushResult)] = [
            (404, .unknownToken("localhost answered with 404")), (410, .unknownToken("localhost answered with 410")),
            (413, .refused("localhost answered with 413")), (429, .failed("localhost answered with 429")),
            (403, .failed("localhost answered with 403")),
        ]
        for (status, result) in table {
            service.answer { _, _ in .status(status) }
            #expect(await driver.send(message) == result)
        }
        // An endpoint comes from a user: only those of push services are asked.
        let count = service.received.count
        for endpoint in [
            "https://127.0.0.1:\(service.port)/", "https://example.com/", "https://evil-push.apple.com.example.com/",
            "https://fcm.googleapis.com@127.0.0.1:\(service.port)/", "https://169.254.169.254/latest",
            "https://fcm.googleapis.com:22/", "https://127.0.0.1%2f.push.apple.com/", "https://a%00.push.apple.com/",
            "https://a%2e.push.apple.com:444/",
        ] {
            if case .refused = await driver.send(try await request(browser(endpoint))) {} else { Issue.record() }
        }
        #expect(service.received.count == count)
    }

    @Test func `a configuration that cannot be used is refused with a sentence, which has no secret`() async throws {
        let path = folder.path + "/push.json"
        func problem(_ json: String, mode: Int = 0o600) async -> String {
            try? FileManager.default.removeItem(atPath: path)
            #expect(
                FileManager.default.createFile(
                    atPath: path, contents: Data(json.utf8), attributes: [.posixPermissions: mode]))
            do {
                _ = try await PushConfiguration(file: path).drivers(now: { 0 })
                return ""
            } catch {
                return "\(error)".replacing(path, with: "FILE")
            }
        }
        let (key, missing) = (certificate.key, folder.path + "/missing")
        #expect(await problem("{}") == "")
        #expect(
            await problem("{}", mode: 0o640) == "Other users can read FILE, which holds secrets. Run: chmod 600 FILE")
        #expect(await problem("[") == "FILE is not JSON.")
        #expect(await problem(#"{"pigeon":{}}"#) == #"FILE: "pigeon" is none of apns, fcm, web, webhook."#)
        #expect(await problem(#"{"webhook":{"url":"https://a.b"}}"#) == #"FILE: "webhook.secret" is missing."#)
        #expect(await problem(#"{"webhook":{"url":1,"secret":"x"}}"#) == #"FILE: "webhook.url" has the wrong type."#)
        #expect(
            await problem(#"{"webhook":{"url":"https://a.b","secret":"short"}}"#)
                == "The secret of the webhook needs at least 32 characters.")
        let secret = String(repeating: "s", count: 32)
        #expect(
            await problem(#"{"webhook":{"url":"ftp://a.b","secret":"\#(secret)"}}"#)
                == "The url of the webhook must begin with https:// or http://.")
        #expect(await problem(#"{"apns":{"topic":"a"}}"#) == #"apns needs either a "key" or a "certificate"."#)
        #expect(
            await problem(#"{"apns":{"topic":"a","key":"\#(missing)","keyID":"k","teamID":"t"}}"#).contains(
                "holds no key of apns"))
        #expect(await problem(#"{"apns":{"topic":"a","key":"\#(key)"}}"#).contains("needs its \"keyID\""))
        #expect(await problem(#"{"apns":{"topic":"a","certificate":"\#(key)"}}"#).contains("hold no certificate"))
        #expect(
            await problem(#"{"fcm":{"serviceAccount":"\#(key)"}}"#).contains("not the JSON file of a service account"))
        #expect(await problem(#"{"web":{"key":"\#(key)","subject":"me"}}"#).contains("mailto:"))
        #expect(await problem(#"{"web":{"key":"\#(missing)","subject":"mailto:a@b.c"}}"#).contains("openssl ecparam"))
        try? FileManager.default.removeItem(atPath: path)
        #expect(throws: PushConfigurationError.self) { try PushConfiguration(file: path) }
    }
}
