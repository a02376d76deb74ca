import Logging
import NIOCore
import RoostCore
import RoostWire
import Synchronization

/// The connections of one event loop: their subscriptions, timers and flushes.
///
/// The core calls `deliver` after each commit. Everything that has accumulated until the loop runs is written first
/// and flushed once per connection, so a busy connection costs one system call per round rather than one per event.
/// Connections with an answer are flushed first. If there are many others, the loop reads the sockets between their
/// flushes.
///
/// `@unchecked Sendable`: `lane` is set by `open` before the server accepts connections; `inbox` has its own lock;
/// everything below `state` is accessed only on `eventLoop`.
final class LaneHub: @unchecked Sendable {
    let eventLoop: any EventLoop
    let configuration: ServerConfiguration
    let connections: Connections
    let memory: ConnectionMemory
    let verifier: TokenVerifier
    let upgradeLimit: UpgradeLimit
    let logger: Logger
    let core: Core
    private(set) var lane = 0
    private let inbox = Mutex<[[Delivery]]>([])

    // state
    private var fanout = Fanout<WebSocketSession>(lane: 0)
    private var sessions: [UInt64: WebSocketSession] = [:]
    private var nextNumber: UInt64 = 0
    /// Deliveries that were taken from the inbox and not yet written, the next one last.
    private var backlog: [Delivery] = []
    /// Whether another round is scheduled, which takes all that has arrived until then.
    private var isContinuing = false
    private var isWriting = false
    /// The connections that have ended while `fanout` was in use.
    private var gone: [UInt64] = []
    /// The connections with an answer that is not flushed, or that are to be closed.
    private var answered: [WebSocketSession] = []
    /// The connections with output that is not flushed, the longest wait first; some may have been flushed meanwhile.
    private var touched = CircularBuffer<WebSocketSession>()
    private var wheel = TimerWheel()
    private var isTicking = false
    private var refusals = RefusalLogLimiter()
    private var drainWindow: Int64?
    private var whenEmpty: EventLoopPromise<Void>?

    init(
        eventLoop: any EventLoop, core: Core, configuration: ServerConfiguration, connections: Connections,
        memory: ConnectionMemory, verifier: TokenVerifier, upgradeLimit: UpgradeLimit, logger: Logger
    ) {
        self.upgradeLimit = upgradeLimit
        self.eventLoop = eventLoop
        self.core = core
        self.configuration = configuration
        self.connections = connections
        self.memory = memory
        self.verifier = verifier
        self.logger = logger
        relay = configuration.isRelay ? Relay() : nil
        tickLength = min(1_000, max(10, Int64(core.configuration.heartbeat) / 25))
    }

    /// What carries out sends in place of the core, in benchmarks; nil otherwise.
    let relay: Relay?

    /// The length of a timer tick, in ms.
    let tickLength: Int64

    /// Registers this hub as a lane of the core.
    func open() {
        lane = core.addLane { [weak self] deliveries in self?.deliver(deliveries) }
        fanout = Fanout(lane: lane, hasOthers: core.hasOthers)
    }

    // MARK: Deliveries of the core

    func deliver(_ deliveries: [Delivery]) {
        let isFirst = inbox.withLock { inbox in
            inbox.append(deliveries)
            return inbox.count == 1
        }
        if isFirst { eventLoop.execute { self.runRound() } }
    }

    /// When a round ends, so that the sockets are read before the next one: a message to 5,000 connections takes 0.1 s.
    private enum Round {
        /// The bytes of answers. If all connections together hold too much, some can be closed before the next round.
        static let bytes = 1 << 20
        /// How many frames are written into buffers.
        static let frames = 1_024
        /// How many connections without an answer are flushed.
        static let flushes = 128
        /// The time until the next round. With none, the loop would begin it before it reads the sockets.
        static let pause = TimeAmount.microseconds(100)
    }

    private func runRound(continuing: Bool = false) {
        guard continuing || !isContinuing else { return }
        isContinuing = false
        if backlog.isEmpty {
            let batches = inbox.withLock { inbox in
                let batches = inbox
                inbox.removeAll(keepingCapacity: true)
                return batches
            }
            backlog = batches.flatMap(\.self).reversed()
        }
        writeBacklog()
        // An answer waits for no event to somebody else; an event that was written before it goes first.
        for session in answered { finishRound(of: session) }
        answered.removeAll(keepingCapacity: true)
        var flushes = 0
        while flushes < Round.flushes, let session = touched.popFirst() {
            guard session.isTouched else { continue }
            if session.needsFlush { flushes += 1 }
            finishRound(of: session)
        }
        if !backlog.isEmpty || !touched.isEmpty || continuing && inbox.withLock({ !$0.isEmpty }) {
            isContinuing = true
            eventLoop.scheduleTask(in: Round.pause) { self.runRound(continuing: true) }
        }
    }

    private func writeBacklog() {
        // A write that fails closes its connection, which cannot leave `fanout` while that is in use.
        isWriting = true
        var (bytes, frames) = (0, 0)
        defer {
            isWriting = false
            for number in gone { fanout.detach(number) }
            gone.removeAll()
            if frames > 0 { core.meters.add(frames, to: .deliveries) }
            fanout.readMissing { core.read($0) }
        }
        let allocator = ByteBufferAllocator()
        while bytes < Round.bytes, frames < Round.frames, let delivery = backlog.popLast() {
            // A delivery can release events that were held back; each is framed once for all sessions.
            var shared: (event: [UInt8], frame: ByteBuffer)?
            fanout.apply(
                delivery, find: { sessions[$0] },
                send: { session, event in
                    let frame: ByteBuffer
                    if let shared, shared.event == event {
                        frame = shared.frame
                    } else {
                        frame = WebSocketFrames.text(event, allocator)
                        shared = (event, frame)
                    }
                    session.write(event: frame)
                    frames += 1
                    touch(session)
                },
                reply: { session, id, reply in
                    if case .accepted(let json) = reply { bytes += json.count }
                    session.handle(reply, id: id)
                    frames += 1
                    session.isTouched = true
                    answered.append(session)
                },
                end: { session, error in
                    session.endAccess(error)
                    frames += 1
                    session.isTouched = true
                    answered.append(session)
                })
        }
    }

    private func touch(_ session: WebSocketSession) {
        guard !session.isTouched else { return }
        session.isTouched = true
        touched.append(session)
    }

    private func finishRound(of session: WebSocketSession) {
        session.isTouched = false
        session.finishRound()
    }

    // MARK: Connections

    /// Creates the handler of a new connection.
    func makeSession(
        from address: String?, origin: String?, frameLimit: FrameLimit, share: ConnectionMemory.Share?
    ) -> WebSocketSession {
        nextNumber += 1
        let number = nextNumber
        share?.onEnd { [weak self] in
            guard let self else { return }
            self.eventLoop.execute { self.session(number)?.endSlowly() }
        }
        return WebSocketSession(
            number: number, hub: self, address: address, origin: origin, frameLimit: frameLimit, share: share)
    }

    /// Adds a new connection.
    func add(_ session: WebSocketSession) {
        sessions[session.number] = session
        startTicking()
        if drainWindow != nil { session.retire() }
    }

    /// Stops deliveries to a connection whose socket may still be open.
    func detach(_ number: UInt64) {
        if isWriting { gone.append(number) } else { fanout.detach(number) }
    }

    /// Removes a closed connection.
    func remove(_ session: WebSocketSession) {
        guard sessions.removeValue(forKey: session.number) != nil else { return }
        detach(session.number)
        if sessions.isEmpty {
            whenEmpty?.succeed()
            whenEmpty = nil
        }
    }

    /// The connection with this number, if it is still open.
    func session(_ number: UInt64) -> WebSocketSession? { sessions[number] }

    /// The positions that the heartbeat reports to a connection, if any.
    func positions(of number: UInt64) -> Positions? { fanout.positions(of: number) }

    // MARK: The log

    /// Logs a refused login, or only counts it if there are too many.
    func logRefusal(
        of number: UInt64, _ error: WireError, user: UserID? = nil, from address: String?, origin: String?
    ) {
        core.audit(
            error, of: Hello.name, by: nil, address: address, origin: origin,
            targets: user.map { [$0.rawValue] } ?? [])
        let (shouldLog, startsSecond) = refusals.record()
        if shouldLog {
            var metadata: Logger.Metadata = [
                "session": "\(number)", "code": "\(error.code)", "address": "\(address ?? "")",
            ]
            if let user { metadata["user"] = "\(user)" }
            logger.info("login refused", metadata: metadata)
        }
        if startsSecond { eventLoop.scheduleTask(in: .seconds(1)) { self.logSuppressed() } }
    }

    /// Logs that a connection is closed; a client that has gone beyond a limit is in the audit log.
    func logClose(of number: UInt64, _ code: UInt16, _ actor: RoostCore.Actor?, from address: String?, origin: String?)
    {
        logger.debug("session closed", metadata: ["session": "\(number)", "code": "\(code)"])
        if code == CloseCode.slowReader.rawValue { core.meters.add(to: .slowReaders) }
        let limits: [CloseCode] = [.tooLarge, .policyViolation, .slowReader, .tooManyConnections]
        guard limits.contains(where: { $0.rawValue == code }) else { return }
        let (now, event, code) = (core.effects.now(), "socket.close", Int(code))
        if let actor {
            core.audit(AuditEntry(time: now, event: event, by: actor, code: code))
        } else {
            core.audit(AuditEntry(time: now, event: event, address: address, origin: origin, code: code))
        }
    }

    private func logSuppressed() {
        let count = refusals.endSecond()
        if count > 0 { logger.info("more logins refused", metadata: ["count": "\(count)"]) }
    }

    // MARK: Time

    /// The current tick.
    var now: Int64 { wheel.now }

    /// The first tick that is at least `ms` from now.
    func tick(after ms: Int64) -> Int64 {
        let ticks = max(0, ms) / tickLength
        return wheel.now + min(ticks, 1 << 40) + 1
    }

    /// Schedules the timers of a connection at a tick, or earlier if the tick is far away.
    /// - Returns: the scheduled tick.
    func schedule(_ number: UInt64, at tick: Int64) -> Int64 { wheel.add(number, at: tick) }

    /// A random number of ms below `bound`.
    func random(below bound: Int64) -> Int64 {
        bound > 0 ? Int64(core.effects.random() % UInt64(bound)) : 0
    }

    private func startTicking() {
        guard !isTicking else { return }
        isTicking = true
        eventLoop.scheduleTask(in: .milliseconds(tickLength)) { self.tick() }
    }

    private func tick() {
        isTicking = false
        for number in wheel.advance() { sessions[number]?.runTimers() }
        if sessions.isEmpty {
            wheel.clear()
        } else {
            startTicking()
        }
    }

    /// Ends the connections whose tokens were signed with a key that is not valid any more.
    func endSessions(ifGone isGone: @escaping @Sendable (_ keyID: String) -> Bool) {
        eventLoop.execute {
            for session in Array(self.sessions.values) { session.end(ifGone: isGone) }
        }
    }

    /// Delivers nothing more to all connections and ends them, many of them over some time: the clients connect again and
    /// read what they lack.
    /// - Parameter limit: the longest time, in ms.
    func restartSessions(within limit: Int64) {
        eventLoop.execute {
            let window = min(limit, 10 * Int64(self.sessions.count))
            for number in self.sessions.keys {
                self.detach(number)
                let delay = TimeAmount.milliseconds(self.random(below: window))
                self.eventLoop.scheduleTask(in: delay) { self.sessions[number]?.restart() }
            }
        }
    }

    // MARK: Shutdown

    /// Closes all connections within `window` ms.
    /// - Returns: a future that completes when the last connection is closed.
    func drain(window: Int64) -> EventLoopFuture<Void> {
        eventLoop.flatSubmit {
            self.drainWindow = window
            self.logSuppressed()
            let promise = self.eventLoop.makePromise(of: Void.self)
            if self.sessions.isEmpty {
                promise.succeed()
            } else {
                self.whenEmpty = promise
                for session in self.sessions.values { session.sendGoAway(window: window) }
            }
            return promise.futureResult
        }
    }

    /// The newest row of each log that everybody here has got.
    func heads() -> EventLoopFuture<[LogID: Int64]> { eventLoop.submit { self.fanout.heads } }

    /// The number of connections.
    func count() -> EventLoopFuture<Int> { eventLoop.submit { self.sessions.count } }
}

/// A timer wheel: one timer for all connections of an event loop.
struct TimerWheel {
    private static let size: Int64 = 64
    private var slots = [[UInt64]](repeating: [], count: Int(size))
    private(set) var now: Int64 = 0

    /// Adds a connection. If the tick is beyond the size of the wheel, the connection is due earlier and must be
    /// added again.
    /// - Returns: the scheduled tick.
    mutating func add(_ number: UInt64, at tick: Int64) -> Int64 {
        let due = min(max(tick, now + 1), now + Self.size - 1)
        slots[Int(due % Self.size)].append(number)
        return due
    }

    /// Advances by one tick.
    /// - Returns: the numbers of the connections that are due.
    mutating func advance() -> [UInt64] {
        now += 1
        let slot = Int(now % Self.size)
        let due = slots[slot]
        slots[slot] = []
        return due
    }

    /// Removes all connections.
    mutating func clear() {
        for index in slots.indices { slots[index] = [] }
    }
}
