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
        if let login, Self.isUsual(login) { metadata["login"] = "\(login)" }
        logger.info("login refused", metadata: metadata)
    }

    /// Whether this looks like a login name: anything else may be a password typed into the wrong field.
    private static func isUsual(_ login: String) -> Bool {
        (1...64).contains(login.utf8.count)
            && login.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "_.@+-".utf8.contains(byte)
                }
            }
    }
}
