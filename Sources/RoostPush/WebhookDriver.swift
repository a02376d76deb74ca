import Crypto
import Foundation
import RoostCore
import RoostWire

/// Posts notifications to an endpoint of the operator, signed with a secret that both know.
///
/// The header `Roost-Signature` is `t=SECONDS,v1=HEX`: the HMAC-SHA256 of `SECONDS.BODY`. A notification that is sent
/// again has the same `Roost-Push-ID`.
struct WebhookDriver: PushDriver {
    private let url: String
    private let secret: SymmetricKey
    private let client: PushClient
    private let now: @Sendable () -> Int64

    init(
        url: String, secret: String, client: PushClient, now: @escaping @Sendable () -> Int64
    ) throws(PushConfigurationError) {
        guard url.hasPrefix("https://") || url.hasPrefix("http://"), URL(string: url)?.host?.isEmpty == false else {
            throw PushConfigurationError("The url of the webhook must begin with https:// or http://.")
        }
        guard secret.utf8.count >= 32 else {
            throw PushConfigurationError("The secret of the webhook needs at least 32 characters.")
        }
        self.url = url
        self.secret = SymmetricKey(data: Array(secret.utf8))
        self.client = client
        self.now = now
    }

    func send(_ request: PushRequest) async -> PushResult {
        let delivery = PushDelivery(
            deviceID: request.push.device, token: request.token, collapseID: request.collapseID,
            expiresAt: .init(milliseconds: request.expiresAt), roost: request.payload)
        do {
            let body = try WireCodec.encode(delivery)
            let time = "\(now() / 1_000)"
            let code = HMAC<SHA256>.authenticationCode(for: Array("\(time).".utf8) + body, using: secret)
            let signature = code.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            let answer = try await client.post(
                url,
                [
                    ("content-type", "application/json"), ("roost-push-id", request.push.id),
                    ("roost-signature", "t=\(time),v1=\(signature)"),
                ], body)
            let reason = "the webhook answered with \(answer.status)"
            switch answer.status {
            case 200..<300: return .sent
            case 410: return .unknownToken(reason)
            case 400, 413, 415, 422: return .refused(reason)
            // Anything else is for the operator to mend.
            default: return .failed(reason, retryAfterMs: answer.retryAfterMs)
            }
        } catch {
            return .failed(PushClient.reason(error))
        }
    }
}
