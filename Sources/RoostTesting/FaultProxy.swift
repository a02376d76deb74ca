import NIOCore
import NIOPosix
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// A TCP relay in front of a server that simulates network faults.
///
/// It has one or more endpoints: ports on 127.0.0.1 that all lead to the same server, or to several in turn. Give each
/// client its own endpoint to tell clients apart. All endpoints share one profile, which may change at any time.
/// Randomness comes from a seed.
///
/// Everything runs on a separate thread, which ends with ``stop()``.
package final class FaultProxy: Sendable {
    /// The ports of the endpoints.
    package let ports: [Int]
    private let group: MultiThreadedEventLoopGroup
    private let loop: any EventLoop
    private let relay: NIOLoopBound<FaultRelay>
    private let book: FaultRecorder

    /// Observes the traffic: the number of the connection, whether the bytes come from the server, and the bytes.
    ///
    /// It is called on the proxy's thread, before the bytes are forwarded.
    package typealias Listener = @Sendable (_ connection: Int, _ isFromServer: Bool, _ bytes: [UInt8]) -> Void

    /// Starts a proxy for the server at this port of 127.0.0.1.
    ///
    /// With `niceness` its thread has a lower priority than others, so that it takes no time from the server.
    package static func start(
        to port: Int, endpoints: Int = 1, seed: UInt64, profile: FaultProfile = .healthy, niceness: Int32 = 0,
        listener: Listener? = nil
    ) async throws -> FaultProxy {
        try await start(
            inTurn: [port], endpoints: endpoints, seed: seed, profile: profile, niceness: niceness, listener: listener)
    }

    /// Starts a proxy for several servers, which get the connections of an endpoint in turn.
    package static func start(
        inTurn targets: [Int], endpoints: Int = 1, seed: UInt64, profile: FaultProfile = .healthy,
        niceness: Int32 = 0, listener: Listener? = nil
    ) async throws -> FaultProxy {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let book = FaultRecorder(endpoints: endpoints)
        do {
            let relay = try await loop.submit {
                Self.lowerPriority(by: niceness)
                return NIOLoopBound(
                    FaultRelay(
                        loop: loop, targets: targets, seed: seed, profile: profile, book: book, listener: listener),
                    eventLoop: loop)
            }.get()
            var ports: [Int] = []
            for endpoint in 0..<endpoints {
                let listener = try await ServerBootstrap(group: group)
                    .serverChannelOption(.backlog, value: 4_096)
                    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                    .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                    .childChannelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture { try relay.value.admit(channel, endpoint: endpoint) }
                    }
                    .bind(host: "127.0.0.1", port: 0).get()
                ports.append(listener.localAddress?.port ?? 0)
            }
            return FaultProxy(ports: ports, group: group, loop: loop, relay: relay, book: book)
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
    }

    /// Lowers the priority of this thread, which on Linux has its own.
    private static func lowerPriority(by niceness: Int32) {
        #if canImport(Glibc)
            if niceness > 0 { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
        #endif
    }

    private init(
        ports: [Int], group: MultiThreadedEventLoopGroup, loop: any EventLoop, relay: NIOLoopBound<FaultRelay>,
        book: FaultRecorder
    ) {
        self.ports = ports
        self.group = group
        self.loop = loop
        self.relay = relay
        self.book = book
    }

    /// The URL of an endpoint.
    package func url(endpoint: Int = 0) -> String { "http://127.0.0.1:\(ports[endpoint])" }

    /// Changes the profile, also for existing connections.
    ///
    /// A connection that is dead stays dead.
    package func use(_ profile: FaultProfile) async throws {
        let relay = relay
        try await loop.submit { relay.value.use(profile) }.get()
    }

    /// Resets all connections.
    package func cutAll() async throws {
        let relay = relay
        try await loop.submit { relay.value.cutAll() }.get()
    }

    /// Waits for a time, by the proxy's clock.
    package func pass(_ time: Duration) async throws {
        try await loop.scheduleTask(in: .nanoseconds(time.nanoseconds)) {}.futureResult.get()
    }

    /// The times of the connection attempts at an endpoint.
    package func attempts(endpoint: Int = 0) -> [ContinuousClock.Instant] { book.attempts(endpoint) }

    /// Since when bytes can pass between an endpoint and the server; nil if they cannot.
    ///
    /// They cannot pass while new connections are not relayed, nor while the endpoint's newest connection is dead but
    /// its client has not noticed.
    package func openSince(endpoint: Int = 0) -> ContinuousClock.Instant? { book.openSince(endpoint) }

    /// The number of connections ended by the proxy, by fault.
    package var faultCounts: [ConnectionFault: Int] { book.faultCounts }

    /// Closes all connections and ends the thread.
    package func stop() async throws {
        let relay = relay
        try await loop.submit { relay.value.cutAll() }.get()
        try await group.shutdownGracefully()
    }
}

/// The behaviour of a ``FaultProxy``.
package struct FaultProfile: Sendable {
    /// How new connections are handled.
    package enum Admission: Sendable {
        /// Relay it to the server.
        case relay
        /// Close it immediately.
        case refuse
        /// Accept it and never send anything.
        case swallow
        /// Answer the request with the page of a captive portal.
        case captivePage
        /// Answer the request with 500, as a broken server in between does.
        case brokenPage
    }

    package var admission = Admission.relay
    /// The latency in each direction.
    package var latency = Duration.zero
    /// The variation of the latency, up and down. Bytes in one direction never overtake each other.
    package var jitter = Duration.zero
    /// The bandwidth in bytes per second, per direction and connection; nil for no limit.
    package var bytesPerSecond: Int?
    /// The maximum size of a forwarded chunk, whose size is random; nil for no limit.
    package var chunkBytes: Int?
    /// The lifetime of a connection; nil for no limit.
    package var life: ClosedRange<Duration>?
    /// The fault at the end of the lifetime.
    package var fault = ConnectionFault.close

    /// A network without faults.
    package static let healthy = FaultProfile()

    package init() {}

    package init(_ change: (inout FaultProfile) -> Void) { change(&self) }
}

/// A fault that ends a connection through a ``FaultProxy``.
package enum ConnectionFault: String, Sendable, CaseIterable {
    /// Close both sides.
    case close
    /// Reset both sides.
    case reset
    /// Drop everything silently.
    case blackHole
    /// Drop one direction silently.
    case halfOpen
}

/// The recorded state of the endpoints, accessible from any thread.
final class FaultRecorder: Sendable {
    private struct Endpoint {
        var attempts: [ContinuousClock.Instant] = []
        /// Whether the newest connection is dead but still open.
        var isDead = false
        var since: ContinuousClock.Instant?
    }

    private struct State {
        var endpoints: [Endpoint]
        var faultCounts: [ConnectionFault: Int] = [:]
        var isPassable = false

        mutating func settle(_ index: Int) {
            if isPassable, !endpoints[index].isDead {
                endpoints[index].since = endpoints[index].since ?? ContinuousClock.now
            } else {
                endpoints[index].since = nil
            }
        }
    }

    private let state: Mutex<State>

    init(endpoints: Int) { state = Mutex(State(endpoints: Array(repeating: Endpoint(), count: endpoints))) }

    func attempts(_ endpoint: Int) -> [ContinuousClock.Instant] { state.withLock { $0.endpoints[endpoint].attempts } }

    func openSince(_ endpoint: Int) -> ContinuousClock.Instant? { state.withLock { $0.endpoints[endpoint].since } }

    var faultCounts: [ConnectionFault: Int] { state.withLock { $0.faultCounts } }

    /// Records an attempt and returns the number of the connection.
    func attempted(_ endpoint: Int) -> Int {
        change(endpoint) { endpoint in
            endpoint.attempts.append(.now)
            endpoint.isDead = false
            return endpoint.attempts.count
        }
    }

    /// Records that a connection is dead, or that a dead one was closed. Only the endpoint's newest connection
    /// counts.
    func note(_ endpoint: Int, _ number: Int, isDead: Bool) {
        change(endpoint) { endpoint in
            if number == endpoint.attempts.count { endpoint.isDead = isDead }
        }
    }

    func ended(_ fault: ConnectionFault) { state.withLock { $0.faultCounts[fault, default: 0] += 1 } }

    func becomes(passable isPassable: Bool) {
        state.withLock { state in
            state.isPassable = isPassable
            for index in state.endpoints.indices { state.settle(index) }
        }
    }

    private func change<T: Sendable>(_ endpoint: Int, _ body: @Sendable (inout Endpoint) -> T) -> T {
        state.withLock { state in
            defer { state.settle(endpoint) }
            return body(&state.endpoints[endpoint])
        }
    }
}

extension Duration {
    /// The duration in ns, clamped to a day.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(max(seconds, -86_400), 86_400) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
