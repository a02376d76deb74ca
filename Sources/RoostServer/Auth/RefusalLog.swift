import Logging
import RoostWire
import Synchronization

/// Logs refused requests and logins over HTTP: the first few per second, so that nobody can fill the disk.
final class RefusalLog: Sendable {
    private let logger: Logger
    private let state = Mutex<(second: Int64, count: Int)>((0, 0))

    init(logger: Logger) { self.logger = logger }

    /// Logs a refusal with what is known of the sender.
    func log(_ error: WireError, login: String? = nil, user: UserID? = nil, address: String?, now: Int64) {
        let shouldLog = state.withLock { state in
            if state.second != now / 1_000 { state = (now / 1_000, 0) }
            state.count += 1
            return state.count <= RefusalLogLimiter.lines
        }
        guard shouldLog else { return }
        var metadata: Logger.Metadata = ["code": "\(error.code)", "address": "\(address ?? "")"]
        if let user { metadata["user"] = "\(user)" }
        // A login name that breaks the rules may be a password typed into the wrong field.
        if let login, (try? AccountRules.checkLoginName(login)) != nil { metadata["login"] = "\(login)" }
        logger.info("login refused", metadata: metadata)
    }
}
