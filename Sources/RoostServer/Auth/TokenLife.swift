/// How long a connection may go on with its token.
///
/// The wall clock decides, which may be set, and a machine may sleep: whoever
/// keeps this asks again with each heartbeat.
struct TokenLife: Equatable {
    /// What is due.
    enum Step: Equatable {
        /// Nothing for so many ms.
        case wait(Int64)
        /// The token is refused from now on: the connection ends.
        case end
    }

    /// The first moment at which the token is refused, ms since 1970.
    let expiresAt: Int64

    /// What is due at a time, in ms since 1970.
    func step(now: Int64) -> Step {
        let now = max(0, now)
        return now >= expiresAt ? .end : .wait(expiresAt - now)
    }
}
