import Crypto
import Foundation
import JWTKit
import RoostCore
import RoostWire

/// Sends notifications to browsers: RFC 8030, with the encryption of RFC 8291 and the signature of RFC 8292 (VAPID).
struct WebPushDriver: PushDriver {
    private let subject: String
    private let ownHosts: [String]
    /// The key of its signatures, as browsers want it when they subscribe: 65 bytes as base64url.
    let publicKey: String
    private let token: ProviderToken
    private let client: PushClient
    private let now: @Sendable () -> Int64

    /// The hosts of the browsers' services; a name that begins with a dot stands for all below it. An endpoint comes from
    /// a user, so it must not lead anywhere else.
    private static let knownHosts = [
        "fcm.googleapis.com", "android.googleapis.com", ".push.services.mozilla.com", ".push.apple.com",
        ".notify.windows.com",
    ]
    /// How long a signature is used; it is valid for 12 hours.
    private static let tokenMs: Int64 = 3_600_000
    /// The most bytes of a payload that a service must take, encrypted.
    private static let maxBytes = 3_900

    init(
        _ configuration: PushConfiguration.Web, now: @escaping @Sendable () -> Int64
    ) async throws(PushConfigurationError) {
        guard ["mailto:", "https://"].contains(where: configuration.subject.hasPrefix) else {
            throw PushConfigurationError("The subject of web is how to reach you: mailto:… or https://….")
        }
        do {
            let pem = try String(contentsOfFile: configuration.key, encoding: .utf8)
            let key = try P256.Signing.PrivateKey(pemRepresentation: pem)
            publicKey = WebPushEncryption.base64URL(key.publicKey.x963Representation)
            let keys = await JWTKeyCollection().add(ecdsa: try ES256PrivateKey(pem: pem))
            token = ProviderToken(keys, lifetime: Self.tokenMs, now: now)
        } catch {
            throw PushConfigurationError(
                "\(configuration.key) holds no key of P-256 as PEM, such as from: openssl ecparam -name prime256v1 "
                    + "-genkey -noout -out FILE")
        }
        subject = configuration.subject
        ownHosts = configuration.hosts ?? []
        client = try PushClient(trust: configuration.trust)
        self.now = now
    }

    func send(_ request: PushRequest) async -> PushResult {
        let endpoint = request.token
        guard let url = URL(string: endpoint), let host = url.host?.lowercased(), url.scheme == "https",
            url.user == nil, isService(host, port: url.port)
        else { return .refused("the endpoint is not of a known push service: see \"hosts\" in docs/push.md") }
        do {
            let body = try Self.body(request.payload)
            let sealed = try WebPushEncryption.seal(
                body, publicKey: request.address.publicKey ?? "", secret: request.address.authSecret ?? "")
            let port = url.port.map { ":\($0)" } ?? ""
            let (audience, subject) = ("https://\(host)\(port)", subject)
            let signature = try await token.text(for: audience) { seconds in
                BrowserClaims(aud: audience, exp: seconds + 12 * 3_600, sub: subject)
            }
            let seconds = max(0, (request.expiresAt - now()) / 1_000)
            let answer = try await client.post(
                endpoint,
                [
                    ("authorization", "vapid t=\(signature), k=\(publicKey)"), ("content-encoding", "aes128gcm"),
                    ("content-type", "application/octet-stream"), ("ttl", "\(seconds)"), ("urgency", "high"),
                    (
                        "topic",
                        String(request.collapseID.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.suffix(32))
                    ),
                ], sealed)
            let reason = "\(host) answered with \(answer.status)"
            switch answer.status {
            case 200..<300: return .sent
            case 404, 410: return .unknownToken(reason)
            case 400, 413: return .refused(reason)
            default: return .failed(reason, retryAfterMs: answer.retryAfterMs)
            }
        } catch is WebPushEncryption.BadKey {
            return .refused("the keys of the subscription are not valid")
        } catch {
            return .failed(PushClient.reason(error))
        }
    }

    /// Whether a host is that of a push service; only those of the operator's configuration may have a port of their own.
    private func isService(_ host: String, port: Int?) -> Bool {
        func isOne(of hosts: [String]) -> Bool {
            hosts.contains { $0.hasPrefix(".") ? host.hasSuffix($0) : host == $0 }
        }
        // The host is decoded: with other letters, it could be another one in the request.
        let isName = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return ownHosts.contains(host)
            || isName && (isOne(of: ownHosts) || isOne(of: Self.knownHosts) && (port ?? 443) == 443)
    }

    private static func body(_ payload: PushPayload) throws -> [UInt8] {
        struct Body: Encodable { var roost: PushPayload }
        return try payload.fitted(into: maxBytes) { try WireCodec.encode(Body(roost: $0)) }
    }
}

/// The encryption of RFC 8291: `aes128gcm` with one record.
enum WebPushEncryption {
    /// A key that is no point of the curve, or a secret of another length.
    struct BadKey: Error {}

    /// Encrypts a message for a subscription.
    /// - Parameters:
    ///   - ephemeral: a new key, except in a test.
    ///   - salt: 16 new random bytes, except in a test.
    static func seal(
        _ message: [UInt8], publicKey: String, secret: String,
        ephemeral: P256.KeyAgreement.PrivateKey = .init(), salt: [UInt8]? = nil
    ) throws -> [UInt8] {
        guard let point = bytes(publicKey), let auth = bytes(secret), auth.count == 16,
            let receiver = try? P256.KeyAgreement.PublicKey(x963Representation: point)
        else { throw BadKey() }
        let own = Array(ephemeral.publicKey.x963Representation)
        let shared = try ephemeral.sharedSecretFromKeyAgreement(with: receiver).withUnsafeBytes { Array($0) }
        let salt = salt ?? SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
        let input = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: shared), salt: auth,
            info: Array("WebPush: info\0".utf8) + point + own, outputByteCount: 32)
        func derive(_ name: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: input, salt: salt, info: Array("Content-Encoding: \(name)\0".utf8),
                outputByteCount: count)
        }
        let nonce = try AES.GCM.Nonce(data: derive("nonce", 12).withUnsafeBytes { Array($0) })
        // 2 ends the last record.
        let box = try AES.GCM.seal(message + [2], using: derive("aes128gcm", 16), nonce: nonce)
        let head = salt + [0, 0, 16, 0, UInt8(own.count)] + own
        return head + Array(box.ciphertext) + Array(box.tag)
    }

    static func base64URL(_ bytes: some DataProtocol) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        var text = text.replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
        while text.utf8.count % 4 != 0 { text += "=" }
        return Data(base64Encoded: text).map { Array($0) }
    }
}
