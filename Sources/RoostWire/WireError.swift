/// An error on the wire: `{"code","name","message","field","retryable","retryAfterMs"}`.
public struct WireError: Error, Codable, Hashable, Sendable, CustomStringConvertible {
    /// The code, from the registry of error codes.
    public var code: Int
    /// The stable name of the code.
    public var name: String
    /// One sentence for people, and what to try next.
    public var message: String
    /// The path of the field that is wrong in the body of the command, such as `messages[2].text`; absent if it is not
    /// about one field.
    ///
    /// Every error of code 6 that is about the body has it, and so have those of other codes that are about the value
    /// of one field. Inside `extras` the path ends at `extras`, because the names there are the app's own.
    public var field: String?
    /// Whether the same command may succeed when it is sent again later.
    public var retryable: Bool
    /// How long to wait before that, in ms.
    public var retryAfterMs: Int?

    /// Creates an error of the registry; without a message it has the registry's.
    public init(_ code: ErrorCode, field: String? = nil, _ message: String? = nil, retryAfterMs: Int? = nil) {
        self.code = code.code
        name = code.name
        self.message = message ?? code.meaning
        self.field = field
        retryable = code.isRetryable
        self.retryAfterMs = retryAfterMs
    }

    /// The entry of the code in the registry, as in `error.entry == .limitReached`; nil if a newer server sent a code
    /// that this version does not know.
    public var entry: ErrorCode? {
        ErrorCode.find(code)
    }

    /// The message, then code and name, then the field.
    public var description: String {
        let place = field.map { ", field \($0)" } ?? ""
        return "\(message) (\(code) \(name)\(place))"
    }

    /// The same error for a nested field: `text` inside of `messages[2]` is `messages[2].text`.
    public func inside(_ path: String) -> WireError {
        var error = self
        error.field = field.map { "\(path).\($0)" } ?? path
        return error
    }

    /// Runs a check of a part of a body; an error that it throws has the path of its field from the top of the body.
    static func inside(
        _ path: @autoclosure () -> String, _ check: () throws(WireError) -> Void
    ) throws(WireError) {
        do {
            try check()
        } catch {
            throw error.inside(path())
        }
    }

    /// Whether the error has this code.
    public static func ~= (code: ErrorCode, error: WireError) -> Bool { code.code == error.code }
}

/// The codes with which the server closes a connection, and whether the client may connect again.
public enum CloseCode: UInt16, CaseIterable, Sendable {
    /// The client closed the connection.
    case normal = 1000
    /// A frame breaks RFC 6455, or `hello` names another version of the protocol. Do not connect again with the same
    /// client.
    case protocolError = 1002
    /// A binary message; the protocol is text. Do not connect again with the same client.
    case unsupportedData = 1003
    /// Text that is not UTF-8. Do not connect again with the same client.
    case invalidText = 1007
    /// More fragments, pings or unreadable frames than allowed. Connect again later.
    case policyViolation = 1008
    /// A frame or message is larger than allowed. Do not send it again.
    case tooLarge = 1009
    /// The server stops or restarts, or cannot log anybody in now. Connect again after the time that `goaway` named.
    case restart = 1012
    /// The client read too slowly, and too much data waits for it. Connect again and resume.
    case slowReader = 4008
    /// No valid `hello` within ten seconds, a wrong token, or one that has expired or was revoked. Connect again only with a valid
    /// token.
    case notAuthenticated = 4401
    /// The user is banned from the server, or was deleted. Do not connect again.
    case banned = 4403
    /// Too many connections of this user. Connect again when one of them is closed.
    case tooManyConnections = 4429

    /// Whether a client may connect again by itself.
    public var mayReconnect: Bool {
        switch self {
        case .normal, .protocolError, .unsupportedData, .invalidText, .tooLarge, .notAuthenticated, .banned: false
        case .policyViolation, .restart, .slowReader, .tooManyConnections: true
        }
    }
}
