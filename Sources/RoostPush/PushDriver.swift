package import RoostCore
package import RoostWire

/// Sends push notifications by one service.
package protocol PushDriver: Sendable {
    /// Sends a notification to a device. It never takes longer than 30 seconds.
    func send(_ request: PushRequest) async -> PushResult
}

/// What a service has made of a notification.
package enum PushResult: Hashable, Sendable {
    case sent
    /// It does not know the token any more, for this reason.
    case unknownToken(String)
    /// It will never take this one, for this reason.
    case refused(String)
    /// It does not take it now, for this reason, perhaps with a time until which to wait, in ms.
    case failed(String, retryAfterMs: Int64? = nil)

    /// A word for it, without the reason.
    package var word: String {
        switch self {
        case .sent: "sent"
        case .unknownToken: "unknownToken"
        case .refused: "refused"
        case .failed: "failed"
        }
    }
}

/// The drivers of a server, and the limits for them.
package struct PushDrivers: Sendable {
    package var byGateway: [PushGateway: any PushDriver] = [:]
    /// How many notifications of a service are sent at a time.
    package var maxAtOnce = 64
    /// The public key with which browsers subscribe to notifications; nil if none are sent to them.
    package var webPushKey: String?

    package init() {}
}
