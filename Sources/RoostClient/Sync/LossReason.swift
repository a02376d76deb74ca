import RoostWire

/// Why a connection was lost, or could not be made.
enum LossReason: Sendable, Equatable {
    /// The server cannot be reached: no such host, connection refused, or TLS failed.
    case unreachable(String)
    /// It was lost before `welcome`.
    case interrupted(String)
    /// The server answered the upgrade with a plain HTTP status.
    case upgradeRefused(status: Int, retryAfterMs: Int64?)
    /// The server closed it with this code; nil if it was lost without one.
    case closed(UInt16?)
    /// Nothing was received for too long.
    case silence
    /// The attempt took too long.
    case timedOut
    /// The server refused `hello`.
    case refused(WireError)
    /// The address is invalid.
    case invalid(String)
    /// The local store cannot store what the server sends.
    case store(RoostError)

    /// The close code if the client ends the connection.
    var closeCode: CloseCode? {
        switch self {
        case .silence, .timedOut: nil
        default: .normal
        }
    }

    /// Whether a new token may help.
    var asksForToken: Bool {
        switch self {
        case .closed(CloseCode.notAuthenticated.rawValue): true
        case .refused(let error): ErrorCode.tokenExpired ~= error
        default: false
        }
    }

    /// Whether another attempt cannot succeed.
    var isTerminal: Bool {
        switch self {
        case .closed(let code?): CloseCode(rawValue: code).map { !$0.mayReconnect } ?? false
        case .refused(let error): !error.retryable
        case .invalid: true
        case .store(let error): !error.isRetryable
        case .closed(nil), .unreachable, .interrupted, .upgradeRefused, .silence, .timedOut: false
        }
    }

    /// Whether the first `connect()` fails with it at once, instead of trying until its timeout.
    var isHopeless: Bool {
        switch self {
        case .unreachable: true
        case .upgradeRefused(let status, _): (300..<500).contains(status) && status != 429
        default: isTerminal
        }
    }

    /// How long the server asked the client to wait, in ms.
    var retryAfter: Int64 {
        switch self {
        case .upgradeRefused(_, let wait): Int64(RetryAfter.capped(Int(clamping: wait ?? 0)))
        case .refused(let error): Int64(RetryAfter.capped(error.retryAfterMs ?? 0))
        default: 0
        }
    }

    func error(hasBeenLive: Bool) -> RoostError {
        let code: RoostError.Code = hasBeenLive ? .disconnected : .unreachable
        switch self {
        case .unreachable(let message): return RoostError(code, message, isRetryable: true)
        case .interrupted(let message): return RoostError(code, message, isRetryable: true)
        case .upgradeRefused(let status, _):
            return RoostError(
                code, "The server answered HTTP \(status) instead of opening a WebSocket. Check the address.",
                isRetryable: !isHopeless)
        case .closed(nil): return RoostError(code, "The connection broke off.", isRetryable: true)
        case .closed(let number?):
            let name = CloseCode(rawValue: number).map { "\($0)" } ?? "\(number)"
            return RoostError(
                isTerminal ? .refused : code, "The server closed the connection: \(name) (\(number)).",
                isRetryable: !isTerminal)
        case .silence:
            return RoostError(code, "Nothing was heard from the server for too long.", isRetryable: true)
        case .timedOut:
            return RoostError(code, "The server did not answer in time.", isRetryable: true)
        case .refused(let error): return RoostError(wire: error, code: isTerminal ? .refused : code)
        case .invalid(let message): return RoostError(.invalidConfiguration, message)
        case .store(let error): return error
        }
    }
}
