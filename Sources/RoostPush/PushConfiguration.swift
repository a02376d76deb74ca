import Foundation
import RoostWire

/// An error in the configuration of push notifications. Its text contains no secret.
package struct PushConfigurationError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Which services a server sends push notifications by, from a JSON file.
package struct PushConfiguration: Decodable, Sendable {
    /// An endpoint of the operator.
    struct Webhook: Decodable {
        var url: String
        var secret: String
        /// The path of a file with further authorities for TLS, as PEM.
        var trust: String?
    }

    /// Apple Push Notification service, with a key or a certificate. All files are PEM.
    struct APNs: Decodable {
        /// The path of the key from Apple, `AuthKey_….p8`.
        var key: String?
        var keyID: String?
        var teamID: String?
        /// The path of a certificate.
        var certificate: String?
        /// The path of its key; the same file if absent.
        var certificateKey: String?
        /// The bundle id of the app.
        var topic: String
        /// Whether notifications carry the key of a text in the app instead of an English one.
        var localized: Bool?
        /// Where to send instead of to Apple.
        var url: String?
        var trust: String?
    }

    /// Firebase Cloud Messaging.
    struct FCM: Decodable {
        /// The path of the JSON file of a service account.
        var serviceAccount: String
        var localized: Bool?
        /// Where to send instead of to Google.
        var url: String?
        var trust: String?
    }

    /// The services of browsers.
    struct Web: Decodable {
        /// The path of the private key, a PEM file.
        var key: String
        /// How the services can reach the operator: `mailto:…` or `https://…`.
        var subject: String
        /// Further hosts of push services.
        var hosts: [String]?
        var trust: String?
    }

    private var webhook: Webhook?
    private var apns: APNs?
    private var fcm: FCM?
    private var web: Web?

    /// Reads a file that only its owner can read, because it holds secrets.
    /// - Throws: `PushConfigurationError`.
    package init(file path: String) throws(PushConfigurationError) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let mode = attributes[.posixPermissions] as? NSNumber,
            let data = try? Data(contentsOf: URL(fileURLWithPath: path))
        else { throw PushConfigurationError("\(path) cannot be read.") }
        guard mode.intValue & 0o077 == 0 else {
            throw PushConfigurationError("Other users can read \(path), which holds secrets. Run: chmod 600 \(path)")
        }
        let known = Set(PushGateway.allCases.map(\.rawValue))
        do {
            self = try JSONDecoder().decode(Self.self, from: data)
            let names = try JSONDecoder().decode([String: Ignored].self, from: data).keys
            if let other = names.first(where: { !known.contains($0) }) {
                throw PushConfigurationError(
                    "\(path): \"\(other)\" is none of \(known.sorted().joined(separator: ", ")).")
            }
        } catch let error as PushConfigurationError {
            throw error
        } catch DecodingError.keyNotFound(let key, let context) {
            let field = (context.codingPath + [key]).map(\.stringValue).joined(separator: ".")
            throw PushConfigurationError("\(path): \"\(field)\" is missing.")
        } catch DecodingError.typeMismatch(_, let context) {
            let field = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw PushConfigurationError("\(path): \"\(field)\" has the wrong type.")
        } catch {
            throw PushConfigurationError("\(path) is not JSON.")
        }
    }

    private struct Ignored: Decodable {
        init(from decoder: any Decoder) {}
    }

    private enum CodingKeys: CodingKey { case webhook, apns, fcm, web }

    /// The drivers for these services.
    /// - Parameter now: the time in ms since 1970.
    /// - Throws: `PushConfigurationError` if a value cannot be used.
    package func drivers(now: @escaping @Sendable () -> Int64) async throws(PushConfigurationError) -> PushDrivers {
        var drivers = PushDrivers()
        if let webhook {
            drivers.byGateway[.webhook] = try WebhookDriver(
                url: webhook.url, secret: webhook.secret, client: PushClient(trust: webhook.trust), now: now)
        }
        if let apns { drivers.byGateway[.apns] = try await APNsDriver(apns, now: now) }
        if let fcm { drivers.byGateway[.fcm] = try await FCMDriver(fcm, now: now) }
        if let web {
            let driver = try await WebPushDriver(web, now: now)
            drivers.byGateway[.web] = driver
            drivers.webPushKey = driver.publicKey
        }
        return drivers
    }
}
