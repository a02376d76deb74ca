/// How far the clock that dates tokens is ahead of the server's, as far as tokens that were shown tell.
///
/// A token is accepted up to 60 s before its `iat`. One that was made before all devices were logged out, but is dated
/// later, can be told from one that was made afterwards only by knowing that clock.
struct TokenClock {
    /// How far it is ahead, in ms; 0 if it is right or behind.
    private var ahead: Int64 = 0
    /// When a token showed it, in ms since 1970.
    private var seenAt: Int64 = 0

    /// The time up to which a logout refuses tokens at most, in ms from now. Below the 60 s of the verifier, so that a
    /// token that the server dates a second later is accepted.
    static let mostAhead: Int64 = 58_000
    /// A clock that was set right is believed after this time, in ms.
    private static let day: Int64 = 86_400_000

    /// The time of that clock, in ms since 1970.
    func time(at now: Int64) -> Int64 { now - seenAt > Self.day ? now : now + ahead }

    /// Learns from a token that was shown.
    mutating func note(_ access: Access, at now: Int64) {
        guard now < access.issuedAt, access.issuedAt >= time(at: now) else { return }
        ahead = min(access.issuedAt - now, Self.mostAhead)
        seenAt = now
    }
}
