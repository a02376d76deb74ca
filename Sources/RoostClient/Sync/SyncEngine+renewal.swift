import RoostWire

/// How a client comes by a new token before the old one ends its connection.
struct Renewal: Equatable {
    /// How long after each attempt that came to nothing the next one follows, in ms. The server tells a minute before.
    static let pauses: [Int64] = [2_000, 5_000, 10_000, 20_000]

    /// Attempts that came to nothing since the server told.
    private(set) var failures = 0
    /// Whether the app is asked for a token, or the server has one to look at.
    var isUnderWay = false
    /// When the next attempt is due.
    var retryAt: Int64?

    /// An attempt came to nothing. After the last one the connection ends, and the next one begins with a new token.
    mutating func failed(now: Int64) {
        isUnderWay = false
        guard failures < Self.pauses.count else { return }
        retryAt = now + Self.pauses[failures]
        failures += 1
    }
}

extension SyncStateMachine {
    /// The server says that the token is about to end the connection.
    mutating func tokenExpires() {
        guard token != nil, !renewal.isUnderWay else { return }
        renewal = Renewal()
        askForToken()
    }

    /// Asks the app for a token.
    mutating func askForToken() {
        renewal.isUnderWay = true
        renewal.retryAt = nil
        actions.append(.provideToken(connection))
    }

    /// The app has answered; with nothing when it has no token. The one that the connection has already is none either.
    mutating func provided(_ new: String?, now: Int64) {
        guard renewal.isUnderWay else { return }
        guard let new, new != token else { return renewal.failed(now: now) }
        ask(.renew(RenewSession(token: new)), .renewal(new), now: now)
    }

    /// The server has taken a token.
    mutating func renewed(with new: String) {
        token = new
        renewal = Renewal()
    }
}
