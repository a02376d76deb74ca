public import RoostClient
public import RoostWire

/// A network between an app and a ``TestServer`` that behaves as a test tells it to: the script of a bad day.
///
/// ```swift
/// let network = try await TestNetwork.start(to: server)
/// let ann = try await network.client(Cast.ann)
/// try await network.become(.offline)
/// // … what is written now waits in the queue …
/// try await network.become(.healthy)
/// ```
///
/// It relays real connections on this machine's loopback. Clients of the server
/// itself, from ``TestServer/client(_:store:)``, are not touched by it. Everything
/// ends with ``stop()``.
public final class TestNetwork: Sendable {
    /// How the network is.
    public enum Condition: Hashable, Sendable {
        /// Everything passes at once.
        case healthy
        /// Bytes take this many ms in each direction, give or take a third, and at most so many pass per second.
        case slow(latencyMs: Int, bytesPerSecond: Int = 1_000_000)
        /// Bytes pass one to seven at a time.
        case inPieces
        /// Connections are cut, and new ones are refused.
        case offline
        /// Connections stay and nothing passes any more; new ones are accepted and nothing is ever said.
        case silent
        /// Connections are cut, and new ones get the page of a hotel's network.
        case captive
    }

    /// The address of the server over this network, `http://127.0.0.1:PORT`.
    public let url: String
    private let proxy: FaultProxy
    private let server: TestServer

    private init(proxy: FaultProxy, server: TestServer) {
        self.proxy = proxy
        self.server = server
        url = proxy.url()
    }

    /// Starts a healthy network before a server.
    ///
    /// With the same seed the jitter and the sizes of pieces are the same.
    /// - Throws: when it cannot listen, or the server's address is none.
    public static func start(to server: TestServer, seed: UInt64 = 1) async throws -> TestNetwork {
        guard let port = server.url.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw RoostError(.invalidConfiguration, "The server has no port.")
        }
        return TestNetwork(proxy: try await FaultProxy.start(to: port, seed: seed), server: server)
    }

    /// A client of a user on a device of its own, with a store in memory, that is connected over this network.
    /// - Throws: `RoostError`, as `connect()`.
    public func client(_ user: User, store: LocalStore? = nil) async throws -> RoostClient {
        let client = try disconnectedClient(user, store: store)
        try await client.connect()
        return client
    }

    /// A client over this network that is not connected yet.
    /// - Throws: `RoostError`, when there can be no store in memory.
    public func disconnectedClient(_ user: User, store: LocalStore? = nil) throws -> RoostClient {
        try server.disconnectedClient(user, store: store, url: url)
    }

    /// Behaves like this from now on. It returns when it does.
    /// - Throws: once the network was stopped.
    public func become(_ condition: Condition) async throws {
        try await proxy.use(condition.profile)
        if condition == .offline || condition == .captive { try await proxy.cutAll() }
    }

    /// Cuts all connections as a network that is lost for a moment; clients come back by themselves.
    /// - Throws: once the network was stopped.
    public func cut() async throws { try await proxy.cutAll() }

    /// Behaves like one condition after the other, each for so long, and stays in the last one.
    /// - Throws: once the network was stopped.
    public func play(_ script: [(condition: Condition, for: Duration)]) async throws {
        for step in script {
            try await become(step.condition)
            try await proxy.pass(step.for)
        }
    }

    /// Closes everything.
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
