/// How long a connection may continue with its token, and when its client is warned that the token is about to
/// expire.
///
/// The wall clock is used, which may be set, and the machine may sleep, so the owner checks again at each heartbeat.
struct TokenLifetime: Equatable {
    /// The next step.
    enum Step: Equatable {
        /// Nothing to do for this many ms.
        case wait(Int64)
        /// Warn the client.
        case notify
        /// The token has expired: close the connection.
        case end
    }

    /// How long before expiry the client is warned, in ms.
    static let notice: Int64 = 60_000

    /// When the token expires, in ms since 1970.
    let expiresAt: Int64
    /// When to warn the client, in ms since 1970; nil once it has been warned.
    private var notifyAt: Int64?

    /// Starts with a token that was presented at `now`, in ms since 1970.
    init(expiresAt: Int64, now: Int64) {
        self.expiresAt = expiresAt
        // At most half of the remaining time; otherwise a client with short-lived tokens would renew constantly.
        notifyAt = expiresAt - min(Self.notice, max(0, expiresAt - max(0, now)) / 2)
    }

    /// The next step at a time, in ms since 1970.
    func step(now: Int64) -> Step {
        let now = max(0, now)
        if now >= expiresAt { return .end }
        guard let notifyAt else { return .wait(expiresAt - now) }
        return now >= notifyAt ? .notify : .wait(notifyAt - now)
    }

    /// Notes that the client has been warned.
    mutating func markNotified() { notifyAt = nil }

    /// Replaces the token. A token with the same expiry counts as the same token, so the client is not warned again.
    mutating func renew(expiresAt: Int64, now: Int64) {
        if expiresAt != self.expiresAt { self = TokenLifetime(expiresAt: expiresAt, now: now) }
    }
}
