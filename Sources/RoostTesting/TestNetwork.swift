public import RoostClient
public import RoostWire

/// A simulated network between an app and a ``TestServer``, controlled by the test.
///
/// ```swift
/// let network = try await TestNetwork.start(to: server)
/// let ann = try await network.client(Cast.ann)
/// try await network.become(.offline)
/// // … messages sent now wait in the queue …
/// try await network.become(.healthy)
/// ```
///
/// It relays real connections on the loopback interface. Clients of the server itself, from
/// ``TestServer/client(_:store:)``, are not affected. Everything ends with ``stop()``.
public final class TestNetwork: Sendable {
    /// The condition of the network.
    public enum Condition: Hashable, Sendable {
        /// Everything passes immediately.
        case healthy
        /// Bytes are delayed by this many ms in each direction, with a jitter of a third, at a limited bandwidth.
        case slow(latencyMs: Int, bytesPerSecond: Int = 1_000_000)
        /// Bytes pass in chunks of one to seven.
        case inPieces
        /// Connections are reset, and new ones are refused.
        case offline
        /// Connections stay open but nothing passes; new ones are accepted without an answer.
        case silent
        /// Connections are reset, and new ones get the page of a captive portal.
        case captive
    }

    /// The URL of the server through this network, `http://127.0.0.1:PORT`.
    public let url: String
    private let proxy: FaultProxy
    private let server: TestServer

    private init(proxy: FaultProxy, server: TestServer) {
        self.proxy = proxy
        self.server = server
        url = proxy.url()
    }

    /// Starts a healthy network in front of a server.
    ///
    /// The same seed produces the same jitter and chunk sizes.
    /// - Throws: an error if it cannot listen, or if the server's URL has no port.
    public static func start(to server: TestServer, seed: UInt64 = 1) async throws -> TestNetwork {
        guard let port = server.url.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw RoostError(.invalidConfiguration, "The server has no port.")
        }
        return TestNetwork(proxy: try await FaultProxy.start(to: port, seed: seed), server: server)
    }

    /// Creates a client with its own device and an in-memory store, and connects it through this network.
    /// - Throws: `RoostError`, as `connect()`.
    public func client(_ user: User, store: LocalStore? = nil) async throws -> ChatClient {
        let client = try disconnectedClient(user, store: store)
        try await client.connect()
        return client
    }

    /// Creates a client for this network that is not connected yet.
    /// - Throws: `RoostError` if no in-memory store can be created.
    public func disconnectedClient(_ user: User, store: LocalStore? = nil) throws -> ChatClient {
        try server.disconnectedClient(user, store: store, url: url)
    }

    /// Changes the condition; returns once it is in effect.
    /// - Throws: once the network was stopped.
    public func become(_ condition: Condition) async throws {
        try await proxy.use(condition.profile)
        if condition == .offline || condition == .captive { try await proxy.cutAll() }
    }

    /// Resets all connections, as in a brief network loss; clients reconnect by themselves.
    /// - Throws: once the network was stopped.
    public func cut() async throws { try await proxy.cutAll() }

    /// Applies a sequence of conditions, each for a duration, and keeps the last one.
    /// - Throws: once the network was stopped.
    public func play(_ script: [(condition: Condition, for: Duration)]) async throws {
        for step in script {
            try await become(step.condition)
            try await proxy.pass(step.for)
        }
    }

    /// Stops the network and closes all connections.
    public func stop() async { try? await proxy.stop() }
}

extension TestNetwork.Condition {
    fileprivate var profile: FaultProfile {
        FaultProfile { profile in
            switch self {
            case .healthy: break
            case .slow(let latency, let bytesPerSecond):
                profile.latency = .milliseconds(max(0, min(latency, 600_000)))
                profile.jitter = profile.latency / 3
                profile.bytesPerSecond = max(1, bytesPerSecond)
            case .inPieces: profile.chunkBytes = 7
            case .offline: profile.admission = .refuse
            case .silent:
                profile.admission = .swallow
                profile.life = .zero ... .zero
                profile.fault = .blackHole
            case .captive: profile.admission = .captivePage
            }
        }
    }
}
