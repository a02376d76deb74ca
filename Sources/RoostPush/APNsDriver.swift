import Foundation
import JWTKit
import RoostCore
import RoostWire

/// Sends notifications by Apple Push Notification service, over HTTP/2, with a token or a certificate.
struct APNsDriver: PushDriver {
    private let configuration: PushConfiguration.APNs
    private let token: ProviderToken?
    private let client: PushClient

    /// How long a token is used: Apple wants it to be 20 to 60 minutes.
    private static let tokenMs: Int64 = 40 * 60_000
    /// The most bytes of a notification: of an ordinary one, and of one for a call.
    private static let maxBytes = (alert: 4_096, voip: 5_120)

    init(
        _ configuration: PushConfiguration.APNs, now: @escaping @Sendable () -> Int64
    ) async throws(PushConfigurationError) {
        self.configuration = configuration
        guard !configuration.topic.isEmpty else {
            throw PushConfigurationError("The topic of apns is the bundle id of the app.")
        }
        var identity: PushClient.Identity?
        switch (configuration.key, configuration.certificate) {
        case (let path?, nil):
            guard let keyID = configuration.keyID, configuration.teamID?.isEmpty == false else {
                throw PushConfigurationError("A key of apns needs its \"keyID\" and the \"teamID\".")
            }
            do {
                let pem = try String(contentsOfFile: path, encoding: .utf8)
                let keys = await JWTKeyCollection().add(ecdsa: try ES256PrivateKey(pem: pem))
                token = ProviderToken(keys, keyID: keyID, lifetime: Self.tokenMs, now: now)
            } catch {
                throw PushConfigurationError("\(path) holds no key of apns: a file AuthKey_….p8 from Apple.")
            }
        case (nil, let path?):
            token = nil
            identity = PushClient.Identity(
                certificate: path, key: configuration.certificateKey ?? path)
        default: throw PushConfigurationError("apns needs either a \"key\" or a \"certificate\".")
        }
        client = try PushClient(trust: configuration.trust, identity: identity)
    }

    func send(_ request: PushRequest) async -> PushResult {
        do {
            let body = try Self.body(request, isLocalized: configuration.localized == true)
            var isSecond = false
            while true {
                var headers = headers(for: request)
                let team = configuration.teamID ?? ""
                let bearer = try await token?.text { AppleClaims(iss: team, iat: $0) }
                if let bearer { headers.append(("authorization", "bearer \(bearer)")) }
                let answer = try await client.post(url(for: request), headers, body)
                let reason = Self.reason(of: answer)
                if answer.status == 403, reason == "ExpiredProviderToken", let bearer, !isSecond {
                    await token?.expire(bearer)
                    isSecond = true
                    continue
                }
                return Self.result(answer, reason)
            }
        } catch {
            return .failed(PushClient.reason(error))
        }
    }

    private func url(for request: PushRequest) -> String {
        let isSandbox = request.address.isSandbox == true
        let usual = isSandbox ? "https://api.sandbox.push.apple.com" : "https://api.push.apple.com"
        return (configuration.url ?? usual) + "/3/device/" + request.token
    }

    private func headers(for request: PushRequest) -> [(String, String)] {
        let topic = request.address.topic ?? configuration.topic
        let isWithdrawal = request.payload.kind == .withdrawal
        return [
            ("apns-topic", request.isForCalls ? topic + ".voip" : topic),
            ("apns-push-type", request.isForCalls ? "voip" : isWithdrawal ? "background" : "alert"),
            ("apns-priority", isWithdrawal ? "5" : "10"),
            ("apns-expiration", "\(request.expiresAt / 1_000)"), ("apns-id", request.push.id),
            ("content-type", "application/json"),
        ] + (request.isForCalls || isWithdrawal ? [] : [("apns-collapse-id", request.collapseID)])
    }

    private static func result(_ answer: PushClient.Answer, _ reason: String) -> PushResult {
        let text = "APNs answered with \(answer.status) \(reason)"
        switch (answer.status, reason) {
        case (200, _): return .sent
        case (410, _): return .unknownToken(text)
        // The token is of another app, or of the other environment: see `isSandbox`.
        case (400, _), (404, _), (405, _), (413, _): return .refused(text)
        default: return .failed(text, retryAfterMs: answer.retryAfterMs)
        }
    }

    private static func reason(of answer: PushClient.Answer) -> String {
        struct Refusal: Decodable { var reason: String }
        let found = try? JSONDecoder().decode(Refusal.self, from: Data(answer.body.utf8)).reason
        // For the log: letters only.
        return String((found ?? "").filter { $0.isASCII && $0.isLetter }.prefix(60))
    }

    private struct Body: Encodable {
        struct Alert: Encodable {
            var title: String?
            var body: String?
            var locKey: String?
            var locArgs: [String]?

            enum CodingKeys: String, CodingKey {
                case title, body
                case locKey = "loc-key"
                case locArgs = "loc-args"
            }
        }

        struct APS: Encodable {
            var alert: Alert?
            var badge: Int?
            var sound: String?
            var threadID: String?
            var category: String?
            var mutableContent: Int?
            var contentAvailable: Int?

            enum CodingKeys: String, CodingKey {
                case alert, badge, sound, category
                case contentAvailable = "content-available"
                case threadID = "thread-id"
                case mutableContent = "mutable-content"
            }
        }

        var aps: APS
        var roost: PushPayload
    }

    /// The JSON, without parts of the payload that do not fit.
    static func body(_ request: PushRequest, isLocalized: Bool) throws -> [UInt8] {
        let payload = request.payload
        var body = Body(aps: Body.APS(), roost: payload)
        if payload.kind == .withdrawal {
            // Apple takes it as a background notification only if there is nothing else.
            body.aps.contentAvailable = 1
        } else if !request.isForCalls {
            body.aps.alert =
                isLocalized
                ? Body.Alert(title: payload.title, locKey: payload.locKey, locArgs: payload.locArgs)
                : Body.Alert(title: payload.title, body: payload.body)
            body.aps.badge = payload.badge
            body.aps.sound = payload.sound ?? "default"
            body.aps.threadID = payload.channel?.rawValue
            body.aps.category = payload.category
            body.aps.mutableContent = 1
        }
        let most = request.isForCalls ? maxBytes.voip : maxBytes.alert
        return try payload.fitted(into: most) { payload in
            body.roost = payload
            return try WireCodec.encode(body)
        }
    }
}
