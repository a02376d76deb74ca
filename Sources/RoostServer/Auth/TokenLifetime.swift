/// How long a connection may go on with its token, and when its client is told that the end is near.
///
/// The wall clock decides, which may be set, and a machine may sleep: whoever
/// keeps this asks again with each heartbeat.
struct TokenLifetime: Equatable {
    /// What is due.
    enum Step: Equatable {
        /// Nothing for so many ms.
        case wait(Int64)
        /// The client is told.
        case notify
        /// The token is refused from now on: the connection ends.
        case end
    }

    /// How long before the end the client is told, in ms.
    static let notice: Int64 = 60_000

    /// The first moment at which the token is refused, ms since 1970.
    let expiresAt: Int64
    /// When the client is told, ms since 1970; nothing once it was.
    private var notifyAt: Int64?

    /// Begins with a token that was given at `now`, in ms since 1970.
    init(expiresAt: Int64, now: Int64) {
        self.expiresAt = expiresAt
        // Half of what is left: were a token with a short life told of at once, a client would do nothing but renew.
        notifyAt = expiresAt - min(Self.notice, max(0, expiresAt - max(0, now)) / 2)
    }

    /// What is due at a time, in ms since 1970.
    func step(now: Int64) -> Step {
        let now = max(0, now)
        if now >= expiresAt { return .end }
        guard let notifyAt else { return .wait(expiresAt - now) }
        return now >= notifyAt ? .notify : .wait(notifyAt - now)
    }

    /// The client has been told.
    mutating func markNotified() { notifyAt = nil }

    /// Goes on with another token; one with the same end is the same one, and the client was told of it.
    mutating func renew(expiresAt: Int64, now: Int64) {
        if expiresAt != self.expiresAt { self = TokenLifetime(expiresAt: expiresAt, now: now) }
    }
}
