import RoostWire

/// How a client gets a new token before the old one ends its connection.
struct Renewal: Equatable {
    /// The wait after each failed attempt, in ms. The server warns a minute before the end.
    static let pauses: [Int64] = [2_000, 5_000, 10_000, 20_000]

    /// Failed attempts since the warning.
    private(set) var failures = 0
    /// Whether the app was asked for a token, or the server is checking one.
    var isUnderWay = false
    /// When the next attempt is due.
    var retryAt: Int64?

    /// An attempt failed. After the last one the connection ends, and the next connection uses a new token.
    mutating func failed(now: Int64) {
        isUnderWay = false
        guard failures < Self.pauses.count else { return }
        retryAt = now + Self.pauses[failures]
        failures += 1
    }
}

extension SyncStateMachine {
    /// The server warns that the token is about to end the connection.
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

    /// The app's answer; nil if it has no token. The connection's current token counts as none.
    mutating func provided(_ new: String?, now: Int64) {
        guard renewal.isUnderWay else { return }
        guard let new, new != token else { return renewal.failed(now: now) }
        ask(.renew(RenewSession(token: new)), .renewal(new), now: now)
    }

    /// The server has accepted a token.
    mutating func renewed(with new: String) {
        token = new
        renewal = Renewal()
    }
}
