public import RoostWire

/// An error of a ``ChatClient``.
///
/// ```swift
/// do {
///     try await channel.send("Hello")
/// } catch where error.code == .server(.channelNotFound) {
///     // There is no such channel, or it is not yours.
/// }
/// ```
///
/// A refusal of the server has the code `.server(…)` and contains the server's error in
/// ``wire``, whose `field` names the wrong field of a command, such as `messages[2].text`;
/// all other codes come from the client. The description never contains
/// what a user wrote.
public struct RoostError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code of the error.
    public let code: Code
    /// One sentence for users that says what to try next.
    public let message: String
    /// The server's error, if it is a refusal.
    public let wire: WireError?
    /// The command that failed, by its name on the wire, such as `message.send`; nil if it was not a command.
    public private(set) var command: String?
    /// Whether the same call may succeed later without a change.
    public let isRetryable: Bool
    /// How long to wait before that, in ms, if the server said so: limited to 0 to 60,000.
    public let retryAfterMs: Int?
    /// The source file in which the error was created.
    public let file: String
    /// The line in which the error was created.
    public let line: Int

    /// Creates an error of the client itself.
    public init(
        _ code: Code, _ message: String, isRetryable: Bool = false, retryAfterMs: Int? = nil,
        file: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.message = message
        wire = nil
        self.isRetryable = isRetryable
        self.retryAfterMs = retryAfterMs
        self.file = file
        self.line = line
    }

    /// Creates the error for a refusal of the server.
    ///
    /// `code` is `.server(…)` unless another one is given.
    public init(wire: WireError, code: Code? = nil, file: String = #fileID, line: Int = #line) {
        self.code = code ?? .server(wire.code)
        message = wire.message
        self.wire = wire
        isRetryable = wire.retryable
        retryAfterMs = wire.retryAfterMs.map(RetryAfter.capped)
        self.file = file
        self.line = line
    }

    /// Whether both are equal, regardless of where they were created.
    public static func == (one: RoostError, other: RoostError) -> Bool {
        one.code == other.code && one.message == other.message && one.wire == other.wire
            && one.isRetryable == other.isRetryable && one.retryAfterMs == other.retryAfterMs
    }

    /// Hashes code and message.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }

    /// The message, then the code, then the command.
    public var description: String {
        let what = wire?.description ?? "\(message) (\(code))"
        return command.map { "\(what) in \($0)" } ?? what
    }

    /// The same error with the name of a command.
    func naming(_ command: String) -> RoostError {
        var error = self
        error.command = command
        return error
    }

    /// The code of an error. Codes may be added; a switch needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: Hashable, Sendable {
            case server(Int)
            case notConnected, timedOut, disconnected, refused, unreachable, cancelled, lagged, tooManyPending
            case invalidConfiguration, invalidAnswer, storeInUse, storeFailed, tooLate, uploadFailed, fileFailed,
                outcomeUnknown
        }

        private let value: Value

        /// The server refused the command with this number.
        public static func server(_ code: Int) -> Code { Code(value: .server(code)) }
        /// The server refused the command with this entry of the registry.
        public static func server(_ code: ErrorCode) -> Code { Code(value: .server(code.code)) }
        /// `connect()` was not called, or `disconnect()` was; typing is also refused while reconnecting.
        public static let notConnected = Code(value: .notConnected)
        /// The answer did not come in time. The command may have been executed.
        public static let timedOut = Code(value: .timedOut)
        /// The client was disconnected before the answer came. The command may have been executed.
        public static let disconnected = Code(value: .disconnected)
        /// The server refused the credentials; another attempt with the same credentials fails too.
        public static let refused = Code(value: .refused)
        /// The server could not be reached, or did not finish the login within the time limit of `connect()`.
        public static let unreachable = Code(value: .unreachable)
        /// The task was cancelled while it waited. The command itself continues.
        public static let cancelled = Code(value: .cancelled)
        /// A sequence of events was read too slowly and has ended.
        public static let lagged = Code(value: .lagged)
        /// Too many commands are waiting: see `maximumPending`.
        public static let tooManyPending = Code(value: .tooManyPending)
        /// The configuration is invalid, for example the address.
        public static let invalidConfiguration = Code(value: .invalidConfiguration)
        /// The server's answer cannot be read by this version.
        public static let invalidAnswer = Code(value: .invalidAnswer)

        /// The local store is open already, in this process or another one.
        public static let storeInUse = Code(value: .storeInUse)
        /// The local store cannot be opened, read or written.
        public static let storeFailed = Code(value: .storeFailed)

        /// The message is in flight and cannot be cancelled any more.
        public static let tooLate = Code(value: .tooLate)

        /// The file of a message could not be uploaded.
        public static let uploadFailed = Code(value: .uploadFailed)

        /// A file of this device is missing, is a folder, was changed while it was read, or cannot be read or written.
        public static let fileFailed = Code(value: .fileFailed)

        /// The command was sent, its answer was lost, and the server may have forgotten its transID: after more than
        /// seven days the client does not repeat it by itself. It may have been executed.
        public static let outcomeUnknown = Code(value: .outcomeUnknown)

        /// The code's name.
        public var description: String {
            switch value {
            case .server(let code): "server \(code)"
            case .notConnected: "notConnected"
            case .timedOut: "timedOut"
            case .disconnected: "disconnected"
            case .refused: "refused"
            case .unreachable: "unreachable"
            case .cancelled: "cancelled"
            case .lagged: "lagged"
            case .tooManyPending: "tooManyPending"
            case .invalidConfiguration: "invalidConfiguration"
            case .invalidAnswer: "invalidAnswer"
            case .storeInUse: "storeInUse"
            case .storeFailed: "storeFailed"
            case .tooLate: "tooLate"
            case .uploadFailed: "uploadFailed"
            case .fileFailed: "fileFailed"
            case .outcomeUnknown: "outcomeUnknown"
            }
        }
    }
}
