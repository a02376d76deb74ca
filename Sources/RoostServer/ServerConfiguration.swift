import NIOCore
import Synchronization

/// Web origins that may connect.
private final class KnownOrigins: Sendable {
    let state = Mutex((allowed: [String](), own: [String]()))
}

/// The configuration of the transport, with safe defaults.
package struct ServerConfiguration: Sendable {
    /// The address to listen on.
    package var host: String
    /// The port to listen on; 0 picks a free one.
    package var port: Int
    /// The certificate of the server; nil if it speaks plain HTTP.
    package var certificate: ServerCertificate?
    /// Another port, for plain HTTP, which only leads browsers to this server; nil for none. It needs `certificate`.
    package var redirectPort: Int?
    /// The folder with the files for authorities that ask on that port whose server this is; nil if there are none.
    package var challengeFolder: String?
    /// A port on this machine for metrics and the state of the server; 0 picks a free one, nil for none.
    package var adminPort: Int?
    /// Keeps what is shown there; nil if nothing is kept.
    package var metrics: MetricsRegistry?
    /// What runs, for the metrics.
    package var build = (version: "", commit: "")
    /// The folder whose disk is watched.
    package var dataFolder: String?
    /// Whether guests may log in without a token.
    package var isDevelopment = false
    /// Whether all connections come from a proxy, which names the address of the client in `X-Forwarded-For`.
    package var isBehindProxy = false
    /// Whether users may log in with a password.
    package var allowsPasswordLogins = true
    /// Whether people may make accounts themselves.
    package var allowsSignUp = false
    /// Whether passwords are hashed quickly and badly: for tests only.
    package var hasCheapPasswords = false
    /// Additional web origins that may connect, such as `https://chat.example.com`; compared exactly.
    package var allowedOrigins: [String] {
        get { origins.state.withLock { $0.allowed } }
        nonmutating set { origins.state.withLock { $0.allowed = newValue } }
    }
    /// The origins of the page of this server itself, as far as they are known, among those that may connect.
    package var publicOrigins: [String] {
        get { origins.state.withLock { $0.own } }
        nonmutating set { origins.state.withLock { $0.own = newValue } }
    }
    /// Shared by all copies, as they may change while the server runs.
    private let origins = KnownOrigins()
    /// How long a browser stays signed in without use, in ms; 0 if it does not.
    package var keptLoginMs: Int64 = 30 * 86_400_000
    /// Finds a file of the page by its path in `Web/src`; nil if the server has no page.
    package var web: (@Sendable (_ path: String) -> WebFile?)?
    /// The web origins whose pages may show the page in a frame.
    package var frameAncestors: [String] = []
    /// The web origins from which the page may load pictures of users and channels.
    package var imageOrigins: [String] = []
    /// The maximum size of a request head in bytes.
    package var maxHeaderBytes = 16 * 1024
    /// The maximum size of a request body in bytes.
    package var maxBodyBytes = 64 * 1024
    /// The time limit for a request head, from its first byte or from accepting the connection, in ms.
    package var headerDeadline: Int64 = 5_000
    /// The time limit for a request body, in ms.
    package var bodyDeadline: Int64 = 10_000
    /// How long the server may take to store a complete upload, in ms.
    package var storeDeadline: Int64 = 300_000
    /// How long an HTTP connection may be idle between two requests, in ms.
    package var keepAlive: Int64 = 60_000
    /// The time limit for a successful `hello`, in ms.
    package var authDeadline: Int64 = 10_000
    /// The maximum frame size before `welcome`, in bytes; afterwards, `Limits.frameBytes` applies.
    package var preAuthFrameBytes = 8 * 1024
    /// The maximum number of buffered bytes of events caused by others; a slower reader is disconnected with 4008.
    package var outboundBytes = 1024 * 1024
    /// The number of buffered bytes caused by a client itself from which on its next commands wait.
    package var ownOutboundBytes = 128 * 1024
    /// The maximum number of buffered bytes of any kind; a slower reader is disconnected with 4008. It exceeds the
    /// largest answer.
    package var allOutboundBytes = 8 * 1024 * 1024
    /// The number of pending commands at which reading from a connection pauses; it resumes at half of it.
    package var inboundCommands = 32
    /// The number of seconds over which a shutdown spreads the closing of many connections; the whole shutdown takes
    /// at most 30.
    package var drainSeconds = 10
    /// How long a shutdown waits for the database to finish accepted commands, in ms.
    package var finishLimit: Int64 = 10_000
    /// How long a connection may stay silent after a ping, in ms.
    package var pingGrace: Int64 = 8_000
    /// The time limit for the reply to a close frame, in ms.
    package var closeGrace: Int64 = 2_000
    /// The maximum number of fragments per message.
    package var maxFragments = 16
    /// The maximum number of pings from a client per second.
    package var maxPingsPerSecond = 10
    /// The maximum number of connections waiting to be accepted.
    package var backlog = 1024
    /// The maximum number of sockets, of an address and of all; see ``Connections``.
    package var socketsPerAddress = 256
    package var strangersPerAddress = 64
    package var sockets = 0
    /// The maximum number of bytes that all connections together may hold; see ``ConnectionMemory``.
    package var connectionMemory = 256 * 1024 * 1024
    /// The number of event loops for sockets.
    package var eventLoops = System.coreCount <= 2 ? 1 : System.coreCount / 2

    /// Whether messages are relayed without being stored: the baseline for benchmarks, never for production.
    package var isRelay = false

    /// Whether the listening address can only be reached from this machine.
    package var isLoopback: Bool { ["127.0.0.1", "localhost", "::1"].contains(host) }

    /// Creates a configuration with defaults for everything but the address.
    package init(host: String = "127.0.0.1", port: Int = 7878) {
        self.host = host
        self.port = port
    }
}
