import NIOCore
import NIOPosix
import Synchronization

/// A TCP relay in front of a server that behaves as badly as a network can.
///
/// It has one or more endpoints, ports on 127.0.0.1 that all lead to the same server:
/// give each client one of its own, and the proxy can tell them apart. What it does
/// to them is the same, its profile, which may be changed at any moment. Chance
/// comes from a seed.
///
/// Everything happens on one thread of its own, which ends with ``stop()``.
package final class FaultProxy: Sendable {
    /// The ports of the endpoints.
    package let ports: [Int]
    private let group: MultiThreadedEventLoopGroup
    private let loop: any EventLoop
    private let relay: NIOLoopBound<FaultRelay>
    private let book: FaultRecorder

    /// Hears what passes: the number of the connection, whether it comes from the server, and the bytes as they came.
    ///
    /// It is called on the proxy's thread, before the bytes are passed on.
    package typealias Listener = @Sendable (_ connection: Int, _ isFromServer: Bool, _ bytes: [UInt8]) -> Void

    /// Opens the endpoints to the server at this port of 127.0.0.1.
    package static func start(
        to port: Int, endpoints: Int = 1, seed: UInt64, profile: FaultProfile = .healthy, listener: Listener? = nil
    ) async throws -> FaultProxy {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let book = FaultRecorder(endpoints: endpoints)
        do {
            let relay = try await loop.submit {
                NIOLoopBound(
                    FaultRelay(
                        loop: loop, target: port, seed: seed, profile: profile, book: book, listener: listener),
                    eventLoop: loop)
            }.get()
            var ports: [Int] = []
            for endpoint in 0..<endpoints {
                let listener = try await ServerBootstrap(group: group)
                    .serverChannelOption(.backlog, value: 256)
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

    /// The address of an endpoint.
    package func url(endpoint: Int = 0) -> String { "http://127.0.0.1:\(ports[endpoint])" }

    /// Behaves like this from now on, towards the connections that exist, too.
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

    /// Lets this much time of its own clock pass.
    package func pass(_ time: Duration) async throws {
        try await loop.scheduleTask(in: .nanoseconds(time.nanoseconds)) {}.futureResult.get()
    }

    /// When connections were made to an endpoint.
    package func attempts(endpoint: Int = 0) -> [ContinuousClock.Instant] { book.attempts(endpoint) }

    /// Since when bytes have been able to pass between an endpoint and the server; nil while they cannot.
    ///
    /// They cannot while new connections lead nowhere, nor while the endpoint's
    /// newest one is dead and its client has not given it up.
    package func openSince(endpoint: Int = 0) -> ContinuousClock.Instant? { book.openSince(endpoint) }

    /// How many connections came to which end by the proxy's doing.
    package var faultCounts: [ConnectionFault: Int] { book.faultCounts }

    /// Closes everything and ends the thread.
    package func stop() async throws {
        let relay = relay
        try await loop.submit { relay.value.cutAll() }.get()
        try await group.shutdownGracefully()
    }
}

/// How a ``FaultProxy`` behaves.
package struct FaultProfile: Sendable {
    /// What becomes of a new connection.
    package enum Admission: Sendable {
        /// It is connected to the server.
        case relay
        /// It is closed at once.
        case refuse
        /// It is kept, and nothing is ever said.
        case swallow
        /// The request is answered with a page of a hotel.
        case captivePage
    }

    package var admission = Admission.relay
    /// How long bytes take, in each direction.
    package var latency = Duration.zero
    /// By how much that varies, up and down. Bytes of one direction never overtake each other.
    package var jitter = Duration.zero
    /// How many bytes pass per second, in each direction of each connection; nil for as many as come.
    package var bytesPerSecond: Int?
    /// The most bytes that are passed on at a time: each time 1 to so many; nil for all.
    package var chunkBytes: Int?
    /// How long a connection lasts; nil for as long as it wants.
    package var life: ClosedRange<Duration>?
    /// How its life ends.
    package var fault = ConnectionFault.close

    /// A network without faults.
    package static let healthy = FaultProfile()

    package init() {}

    package init(_ change: (inout FaultProfile) -> Void) { change(&self) }
}

/// How a connection through a ``FaultProxy`` ends.
package enum ConnectionFault: String, Sendable, CaseIterable {
    /// It is closed on both sides.
    case close
    /// It is reset on both sides.
    case reset
    /// Nothing passes any more, and nobody is told.
    case blackHole
    /// One direction goes on, the other is dead, and nobody is told.
    case halfOpen
}

/// What is known of the endpoints, for any thread to ask.
final class FaultRecorder: Sendable {
    private struct Endpoint {
        var attempts: [ContinuousClock.Instant] = []
        /// Whether the newest connection is dead and still there.
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

    /// Answers the number of the connection.
    func attempted(_ endpoint: Int) -> Int {
        change(endpoint) { endpoint in
            endpoint.attempts.append(.now)
            endpoint.isDead = false
            return endpoint.attempts.count
        }
    }

    /// A connection is dead, or what was dead is gone. Only the endpoint's newest one counts.
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
    /// Whole ns; a proxy has no use for more than a day.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(max(seconds, -86_400), 86_400) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
