import Crypto
import Logging
import RoostCore
import RoostWire
import Synchronization

/// Logs refused requests and logins over HTTP: the first few per second, so that nobody can fill the disk.
final class RefusalLog: Sendable {
    private let core: Core
    private let logger: Logger
    /// Login names can be phone numbers and addresses, so the log has a mark of them, which is the same until the server ends.
    private let key = SymmetricKey(size: .bits256)
    private let state = Mutex<(second: Int64, count: Int)>((0, 0))

    init(core: Core, logger: Logger) {
        self.core = core
        self.logger = logger
    }

    /// Logs a refused token or password, also in the audit log.
    /// - Parameter target: the user whose password was tried.
    func logLogin(
        _ error: WireError, login: String? = nil, target: UserID? = nil, address: String?, origin: String? = nil
    ) {
        core.audit(
            error, of: "login", by: nil, address: address, origin: origin, targets: target.map { [$0.rawValue] } ?? [])
        log(error, login: login, address: address, now: core.effects.now())
    }

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
        if let login { metadata["login"] = "\(mark(of: login))" }
        logger.info("login refused", metadata: metadata)
    }

    private func mark(of login: String) -> String {
        var digits: [UInt8] = []
        let code = HMAC<SHA256>.authenticationCode(for: Array(LoginName.key(of: login).utf8), using: key)
        for byte in code.prefix(4) { HexDigits.append(UInt64(byte), digits: 2, to: &digits) }
        return "#" + String(decoding: digits, as: UTF8.self)
    }
}
