import Foundation
import JWTKit
import RoostCore
import RoostWire

/// Sends notifications by Firebase Cloud Messaging, with HTTP v1 and a service account.
struct FCMDriver: PushDriver {
    /// The part of the file of a service account that is needed.
    private struct Account: Decodable {
        var project_id: String
        var private_key: String
        var client_email: String
        var token_uri: String
    }

    /// The most bytes of the payload; with the notification, the service takes 4,096.
    private static let maxBytes = 2_600

    private let url: String
    private let access: GoogleAccess
    private let client: PushClient
    private let isLocalized: Bool
    private let now: @Sendable () -> Int64

    init(
        _ configuration: PushConfiguration.FCM, now: @escaping @Sendable () -> Int64
    ) async throws(PushConfigurationError) {
        let path = configuration.serviceAccount
        let client = try PushClient(trust: configuration.trust)
        do {
            let account = try JSONDecoder().decode(Account.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
            let keys = await JWTKeyCollection().add(
                rsa: try Insecure.RSA.PrivateKey(pem: account.private_key), digestAlgorithm: .sha256)
            let token = ProviderToken(keys, lifetime: 0, now: now)
            access = GoogleAccess(account.client_email, account.token_uri, token, client, now)
            let start = configuration.url ?? "https://fcm.googleapis.com"
            url = "\(start)/v1/projects/\(account.project_id)/messages:send"
        } catch {
            throw PushConfigurationError(
                "\(path) is not the JSON file of a service account, from the settings of the project at Firebase.")
        }
        self.client = client
        self.now = now
        isLocalized = configuration.localized == true
    }

    func send(_ request: PushRequest) async -> PushResult {
        do {
            let body = try WireCodec.encode(message(request))
            var isSecond = false
            while true {
                let token = try await access.token()
                let headers = [("authorization", "Bearer \(token)"), ("content-type", "application/json")]
                let answer = try await client.post(url, headers, body)
                if answer.status == 401, !isSecond {
                    await access.expire(token)
                    isSecond = true
                    continue
                }
                return Self.result(answer)
            }
        } catch let error as GoogleAccess.Refusal {
            return .failed(error.reason)
        } catch {
            return .failed(PushClient.reason(error))
        }
    }

    private static func result(_ answer: PushClient.Answer) -> PushResult {
        let reason = code(of: answer)
        let text = "FCM answered with \(answer.status) \(reason)"
        switch (answer.status, reason) {
        case (200..<300, _): return .sent
        case (404, "UNREGISTERED"): return .unknownToken(text)
        case (400, _), (403, "SENDER_ID_MISMATCH"): return .refused(text)
        default: return .failed(text, retryAfterMs: answer.retryAfterMs)
        }
    }

    /// The code of an error: that of FCM, otherwise the status.
    private static func code(of answer: PushClient.Answer) -> String {
        struct Failure: Decodable {
            struct Detail: Decodable { var errorCode: String? }
            struct Fault: Decodable {
                var status: String?
                var details: [Detail]?
            }
            var error: Fault
        }
        let fault = try? JSONDecoder().decode(Failure.self, from: Data(answer.body.utf8)).error
        let code = fault?.details?.compactMap(\.errorCode).first ?? fault?.status ?? ""
        return String(code.filter { $0.isASCII && ($0.isLetter || $0 == "_") }.prefix(60))
    }

    private struct Envelope: Encodable {
        struct Message: Encodable {
            var token: String
            var data: [String: String]
            var notification: Notification?
            var android: Android
        }

        struct Notification: Encodable {
            var title: String?
            var body: String
        }

        struct Android: Encodable {
            struct Shown: Encodable {
                var tag: String
                var sound: String
                var notification_count: Int
                var body_loc_key: String?
                var body_loc_args: [String]?
            }

            var priority: String
            var ttl: String
            var notification: Shown?
        }

        var message: Message
    }

    private func message(_ request: PushRequest) throws -> Envelope {
        let payload = request.payload
        let text = try payload.fitted(into: Self.maxBytes) { try WireCodec.encode($0) }
        let data = ["roost": String(decoding: text, as: UTF8.self)]
        let seconds = max(0, (request.expiresAt - now()) / 1_000)
        var message = Envelope.Message(
            token: request.token, data: data,
            android: Envelope.Android(
                priority: payload.kind == .withdrawal ? "NORMAL" : "HIGH", ttl: "\(seconds)s"))
        // A call or a withdrawal is for the app alone.
        if payload.kind == .alert {
            message.notification = Envelope.Notification(title: payload.title, body: payload.body)
            message.android.notification = Envelope.Android.Shown(
                tag: request.collapseID, sound: payload.sound ?? "default", notification_count: payload.badge,
                body_loc_key: isLocalized ? payload.locKey.replacing(".", with: "_") : nil,
                body_loc_args: isLocalized ? payload.locArgs : nil)
        }
        return Envelope(message: message)
    }
}

/// The access token of a service account, which is used again until shortly before it expires.
private actor GoogleAccess {
    /// The service refuses to give a token.
    struct Refusal: Error {
        var reason: String
    }

    private struct Answer: Decodable {
        var access_token: String
        var expires_in: Int64
    }

    private let email: String
    private let url: String
    private let signed: ProviderToken
    private let client: PushClient
    private let now: @Sendable () -> Int64
    private var known: (text: String, until: Int64)?
    private var running: Task<String, any Error>?

    init(
        _ email: String, _ url: String, _ signed: ProviderToken, _ client: PushClient,
        _ now: @escaping @Sendable () -> Int64
    ) {
        (self.email, self.url, self.signed, self.client, self.now) = (email, url, signed, client, now)
    }

    /// - Throws: `Refusal`, or an error if there is no answer.
    func token() async throws -> String {
        if let known, now() < known.until { return known.text }
        if let running { return try await running.value }
        let task = Task { try await self.fetch() }
        running = task
        defer { running = nil }
        return try await task.value
    }

    func expire(_ text: String) {
        if known?.text == text { known = nil }
    }

    private func fetch() async throws -> String {
        let (email, url) = (email, url)
        let assertion = try await signed.text { seconds in
            GoogleClaims(
                iss: email, scope: "https://www.googleapis.com/auth/firebase.messaging", aud: url, iat: seconds,
                exp: seconds + 3_600)
        }
        let body = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)"
        let answer = try await client.post(
            url, [("content-type", "application/x-www-form-urlencoded")], Array(body.utf8))
        guard answer.status == 200,
            let found = try? JSONDecoder().decode(Answer.self, from: Data(answer.body.utf8))
        else { throw Refusal(reason: "no access token: Google answered with \(answer.status)") }
        known = (found.access_token, now() + max(0, found.expires_in - 60) * 1_000)
        return found.access_token
    }
}
