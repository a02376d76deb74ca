import NIOCore
import NIOPosix
import Synchronization

/// A TCP relay in front of a server that behaves as badly as a network can.
///
/// It has one or more doors, ports on 127.0.0.1 that all lead to the same server:
/// give each client one of its own, and the proxy can tell them apart. What it does
/// to them is the same, its profile, which may be changed at any moment. Chance
/// comes from a seed.
///
/// Everything happens on one thread of its own, which ends with ``stop()``.
package final class FaultProxy: Sendable {
    /// The ports of the doors.
    package let ports: [Int]
    private let group: MultiThreadedEventLoopGroup
    private let loop: any EventLoop
    private let exchange: NIOLoopBound<FaultExchange>
    private let book: FaultBook

    /// Hears what passes: the number of the connection, whether it comes from the server, and the bytes as they came.
    ///
    /// It is called on the proxy's thread, before the bytes are passed on.
    package typealias Listener = @Sendable (_ connection: Int, _ isFromServer: Bool, _ bytes: [UInt8]) -> Void

    /// Opens the doors to the server at this port of 127.0.0.1.
    package static func start(
        to port: Int, doors: Int = 1, seed: UInt64, profile: FaultProfile = .healthy, listener: Listener? = nil
    ) async throws -> FaultProxy {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let book = FaultBook(doors: doors)
        do {
            let exchange = try await loop.submit {
                NIOLoopBound(
                    FaultExchange(
                        loop: loop, target: port, seed: seed, profile: profile, book: book, listener: listener),
                    eventLoop: loop)
            }.get()
            var ports: [Int] = []
            for door in 0..<doors {
                let listener = try await ServerBootstrap(group: group)
                    .serverChannelOption(.backlog, value: 256)
                    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                    .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                    .childChannelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture { try exchange.value.admit(channel, door: door) }
                    }
                    .bind(host: "127.0.0.1", port: 0).get()
                ports.append(listener.localAddress?.port ?? 0)
            }
            return FaultProxy(ports: ports, group: group, loop: loop, exchange: exchange, book: book)
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
    }

    private init(
        ports: [Int], group: MultiThreadedEventLoopGroup, loop: any EventLoop, exchange: NIOLoopBound<FaultExchange>,
        book: FaultBook
    ) {
        self.ports = ports
        self.group = group
        self.loop = loop
        self.exchange = exchange
        self.book = book
    }

    /// The address of a door.
    package func url(door: Int = 0) -> String { "http://127.0.0.1:\(ports[door])" }

    /// Behaves like this from now on, towards the connections that exist, too.
    ///
    /// A connection that is dead stays dead.
    package func use(_ profile: FaultProfile) async throws {
        let exchange = exchange
        try await loop.submit { exchange.value.use(profile) }.get()
    }

    /// Resets all connections.
    package func cutAll() async throws {
        let exchange = exchange
        try await loop.submit { exchange.value.cutAll() }.get()
    }

    /// Lets this much time of its own clock pass.
    package func pass(_ time: Duration) async throws {
        try await loop.scheduleTask(in: .nanoseconds(time.nanoseconds)) {}.futureResult.get()
    }

    /// When connections were made to a door.
    package func attempts(door: Int = 0) -> [ContinuousClock.Instant] { book.attempts(door) }

    /// Since when bytes have been able to pass between a door and the server; nil while they cannot.
    ///
    /// They cannot while new connections lead nowhere, nor while the door's
    /// newest one is dead and its client has not given it up.
    package func openSince(door: Int = 0) -> ContinuousClock.Instant? { book.openSince(door) }

    /// How many connections came to which end by the proxy's doing.
    package var endings: [FaultEnding: Int] { book.endings }

    /// Closes everything and ends the thread.
    package func stop() async throws {
        let exchange = exchange
        try await loop.submit { exchange.value.cutAll() }.get()
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
    package var ending = FaultEnding.close

    /// A network without faults.
    package static let healthy = FaultProfile()

    package init() {}

    package init(_ change: (inout FaultProfile) -> Void) { change(&self) }
}

/// How a connection through a ``FaultProxy`` ends.
package enum FaultEnding: String, Sendable, CaseIterable {
    /// It is closed on both sides.
    case close
    /// It is reset on both sides.
    case reset
    /// Nothing passes any more, and nobody is told.
    case blackHole
    /// One direction goes on, the other is dead, and nobody is told.
    case halfOpen
}

/// What is known of the doors, for any thread to ask.
final class FaultBook: Sendable {
    private struct Door {
        var attempts: [ContinuousClock.Instant] = []
        /// Whether the newest connection is dead and still there.
        var isDead = false
        var since: ContinuousClock.Instant?
    }

    private struct State {
        var doors: [Door]
        var endings: [FaultEnding: Int] = [:]
        var isPassable = false

        mutating func settle(_ index: Int) {
            if isPassable, !doors[index].isDead {
                doors[index].since = doors[index].since ?? ContinuousClock.now
            } else {
                doors[index].since = nil
            }
        }
    }

    private let state: Mutex<State>

    init(doors: Int) { state = Mutex(State(doors: Array(repeating: Door(), count: doors))) }

    func attempts(_ door: Int) -> [ContinuousClock.Instant] { state.withLock { $0.doors[door].attempts } }

    func openSince(_ door: Int) -> ContinuousClock.Instant? { state.withLock { $0.doors[door].since } }

    var endings: [FaultEnding: Int] { state.withLock { $0.endings } }

    /// Answers the number of the connection.
    func attempted(_ door: Int) -> Int {
        change(door) { door in
            door.attempts.append(.now)
            door.isDead = false
            return door.attempts.count
        }
    }

    /// A connection is dead, or what was dead is gone. Only the door's newest one counts.
    func note(_ door: Int, _ number: Int, isDead: Bool) {
        change(door) { door in
            if number == door.attempts.count { door.isDead = isDead }
        }
    }

    func ended(_ ending: FaultEnding) { state.withLock { $0.endings[ending, default: 0] += 1 } }

    func becomes(passable isPassable: Bool) {
        state.withLock { state in
            state.isPassable = isPassable
            for index in state.doors.indices { state.settle(index) }
        }
    }

    private func change<T: Sendable>(_ door: Int, _ body: @Sendable (inout Door) -> T) -> T {
        state.withLock { state in
            defer { state.settle(door) }
            return body(&state.doors[door])
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
