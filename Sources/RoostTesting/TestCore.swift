import Foundation
import Logging
package import RoostCore
package import RoostWire
import Synchronization

/// A core with in-memory sessions: the complete server without sockets.
///
/// All events of a commit are delivered before its answers, so a test can check what a session has received right
/// after a command, without waiting.
///
/// Background tasks only run when the test allows it: `settle()` runs all of them, `turn()` a single turn. Only the
/// first turn, that of the broadcasts, runs at the start, before the second command. A test of races between commands
/// and background tasks sets `isPaced` to false, so that they always run.
package final class TestCore: Sendable {
    package let core: Core
    package let clock: TestClock
    private let pace: Pace
    private let lane: TestLane
    private let resource: (any Sendable)?
    private let counter = Mutex<UInt64>(0)
    private let hasSwept = Mutex(false)

    package convenience init(
        _ backend: Backend = .memory, clock: TestClock = TestClock(), isDevelopment: Bool = true,
        limits: Limits = .withoutRates, retention: [ChannelKind: RetentionPolicy] = [:], isPaced: Bool = true,
        seed: UInt64? = nil
    ) throws {
        let (database, resource) = try backend.makeDatabase()
        try self.init(
            database: database, resource: resource, clock: clock, isDevelopment: isDevelopment, limits: limits,
            retention: retention, isPaced: isPaced, seed: seed)
    }

    /// Creates a core with a given database, and a resource that must live as long as the core.
    ///
    /// Cores with the same `seed` have the same random numbers, whatever `ROOST_SEED` says; without one, each core has
    /// others.
    package init(
        database: any SQLDatabase, resource: (any Sendable)? = nil, clock: TestClock = TestClock(),
        isDevelopment: Bool = true, limits: Limits = .withoutRates, batchSize: Int = 1_000,
        cachedMembers: Int = 200_000, retention: [ChannelKind: RetentionPolicy] = [:],
        retentionInterval: Int64 = 1, isPaced: Bool = true, log: LogRecorder? = nil, seed: UInt64? = nil,
        node: LocalNode? = nil, bus: (any Bus)? = nil, migrations: [Migration] = Migrations.all
    ) throws {
        let pace = Pace(isFree: !isPaced)
        let random = Mutex(seed.map { SeededNumbers(seed: $0) } ?? SeededNumbers(for: "TestCore \(Self.next())"))
        self.resource = resource
        self.clock = clock
        self.pace = pace
        var configuration = CoreConfiguration(
            limits: limits, isDevelopment: isDevelopment, batchSize: batchSize, readMarkInterval: 0,
            cachedMembers: cachedMembers,
            // With 1, the writer scans for old rows whenever the clock has moved.
            retention: retention, retentionInterval: retentionInterval)
        configuration.node = node
        configuration.migrations = migrations
        let effects = Effects(
            now: { clock.now }, random: { random.withLock { $0.next() } }, uptime: { pace.uptime() })
        let logger = log?.logger ?? Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let admission = NodeAdmission(to: database, effects: effects, logger: logger)
        core = try Core(
            database: database, configuration: configuration, lease: try node.map { try admission.join($0) },
            bus: bus, effects: effects, logger: logger)
        lane = TestLane(core)
    }

    private static let count = Mutex(0)

    /// The number of a core: each core has different random numbers, identical in every run that creates the same
    /// cores in the same order.
    private static func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }

    deinit {
        // Also ends the core's thread and its database connections.
        core.stop {}
    }

    /// Returns a new transID.
    package func transID() -> String {
        "t-"
            + String(
                counter.withLock { count in
                    count += 1
                    return count
                })
    }

    /// Attaches a session of a user.
    package func session(
        _ user: User, device: String = "device", isOperator: Bool = false, access: Access? = nil
    ) async throws -> TestSession {
        let number = lane.nextNumber()
        let id = SessionID(lane: lane.lane, number: number)
        guard let deviceID = DeviceID(rawValue: device) else { throw WireError(.dataFormat) }
        let session = TestSession(
            self, Actor(user: user, deviceID: deviceID, isOperator: isOperator, session: id, access: access))
        lane.add(session, number: number)
        let reply = await lane.reply(to: number, "hello") {
            core.attach(id, id: "hello", user: user, deviceID: deviceID, isOperator: isOperator, access: access)
        }
        session.setWelcome(try reply.decode(Welcome.self))
        return session
    }

    /// Detaches a session, as the end of a connection does.
    /// - Parameter silentMs: when the device gave its last sign of life, in ms ago; nil if it has closed the connection.
    package func disconnect(_ session: TestSession, silentMs: Int64? = nil) {
        guard let id = session.actor.session else { return }
        lane.remove(id.number)
        core.detach(id, user: session.actor.user.userID, silentMs: silentMs)
    }

    /// The newest row of each log that all sessions have got.
    package var heads: [LogID: Int64] { lane.heads }

    /// Waits until the writer has sent all announcements and completed all due tasks.
    ///
    /// The scheduler is guaranteed to run between two commands; this repeats until nothing is due.
    package func settle() async {
        await begin()
        pace.free()
        defer { pace.rest() }
        for count in 1..<1_000 {
            await sweep()
            if count > 1, !core.hadDueTasks { break }
        }
        await lane.whenComplete()
    }

    /// Runs one turn of a background task, if any is due.
    package func turn() async {
        await begin()
        pace.allowTurn()
        defer { pace.forbidTurn() }
        for _ in 0..<2 { await sweep() }
    }

    /// Waits for the first run of the scheduler and for earlier commands: no turn and no batch may be in progress when the
    /// clock moves, because both are limited by it.
    private func begin() async {
        let isFirst = hasSwept.withLock { hasSwept in
            defer { hasSwept = true }
            return !hasSwept
        }
        for _ in 0..<(isFirst ? 2 : 1) { await sweep() }
    }

    /// Sends a command that is refused and changes nothing; the scheduler runs before and after it.
    private func sweep() async {
        let nobody = Actor(
            user: Cast.dee, deviceID: "settle", isOperator: false, session: SessionID(lane: lane.lane, number: 0))
        _ = await core.handle(.move(.endTyping(EndTyping(channel: "settle"))), id: "settle", from: nobody)
    }

    fileprivate func submit(_ command: AnyCommand, id: String, from actor: Actor) async -> Reply {
        guard let session = actor.session else { return await core.handle(command, id: id, from: actor) }
        return await lane.reply(to: session.number, id) { core.submit(command, id: id, from: actor) }
    }

    fileprivate func locked<T>(_ body: () -> T) -> T { lane.locked(body) }
}

/// The clock that controls the rests of background tasks.
///
/// After a turn, background tasks rest until this clock has passed the end of that turn. The clock runs backwards, so
/// that never happens. To continue, it jumps forward: for a single turn it then runs backwards again, and while
/// everything may run it does not move. It must not jump during a turn, which would appear to have taken long.
private final class Pace: Sendable {
    private struct State {
        var asked: Int64 = 0
        var jumps: Int64 = 0
        var isTurnAllowed = false
        /// The number of callers that currently let all tasks run.
        var free = 0
    }

    private let state: Mutex<State>

    init(isFree: Bool) { state = Mutex(State(free: isFree ? 1 : 0)) }

    /// The time in µs.
    func uptime() -> Int64 {
        state.withLock { state in
            if state.free > 0 { return state.jumps << 32 }
            state.asked += 1
            return (state.isTurnAllowed ? state.jumps << 32 : 0) - state.asked
        }
    }

    func free() {
        state.withLock { state in
            if state.free == 0 { state.jumps += 1 }
            state.free += 1
        }
    }

    func rest() { state.withLock { $0.free -= 1 } }

    func allowTurn() {
        state.withLock { state in
            if state.free == 0 { state.jumps += 1 }
            state.isTurnAllowed = true
        }
    }

    func forbidTurn() { state.withLock { $0.isTurnAllowed = false } }
}

extension Limits {
    /// The default limits without rate limits.
    package static let withoutRates = Limits(sendsPerSecond: 0, channelSendsPerSecond: 0, commandsPerSecond: 0)
}

/// The events sent to a session. The lane references only this part of a session, so that a core ends with its test.
private final class Mailbox: Sendable {
    struct State {
        var welcome: Welcome?
        var events: [Event] = []
        var end: WireError?
    }

    let state = Mutex(State())

    func receive(_ bytes: [UInt8]) {
        guard let event = try? WireCodec.decodeEvent(bytes) else { return }
        state.withLock { $0.events.append(event) }
    }

    func end(_ error: WireError) { state.withLock { $0.end = $0.end ?? error } }
}

/// An in-memory session.
package final class TestSession: Sendable {
    package let actor: Actor
    package let harness: TestCore
    fileprivate let mailbox = Mailbox()

    fileprivate init(_ harness: TestCore, _ actor: Actor) {
        self.harness = harness
        self.actor = actor
    }

    fileprivate func setWelcome(_ welcome: Welcome) { mailbox.state.withLock { $0.welcome = welcome } }

    /// The answer to hello.
    package var welcome: Welcome? { mailbox.state.withLock { $0.welcome } }

    /// Why the server has ended the session; nil if it has not.
    package var end: WireError? { harness.locked { mailbox.state.withLock { $0.end } } }

    /// All events received so far.
    package var events: [Event] { harness.locked { mailbox.state.withLock { $0.events } } }

    /// Removes and returns all events received so far.
    package func drainEvents() -> [Event] {
        harness.locked {
            mailbox.state.withLock { state in
                defer { state.events = [] }
                return state.events
            }
        }
    }

    /// Sends a command and waits for its answer.
    /// - Throws: `WireError` if it is refused.
    @discardableResult
    package func perform<C: Command>(_ command: C, id: String? = nil) async throws -> C.Answer {
        let any = try AnyCommand(name: C.name, body: try WireCodec.encode(command))
        do {
            return try await harness.submit(any, id: id ?? harness.transID(), from: actor).decode(C.Answer.self)
        } catch let error as WireError {
            RefusalLog.shared?.note(error, of: C.name)
            throw error
        }
    }

    /// Sends a command that should be refused, and returns the error.
    /// - Throws: ``UnnamedField`` if the body is invalid and the error does not name the field.
    package func refusal(_ command: some Command, id: String? = nil) async throws -> WireError? {
        do {
            _ = try await perform(command, id: id)
            return nil
        } catch let error as WireError {
            let hasKey = id.map { TransID(rawValue: $0) != nil } ?? true
            if hasKey, ErrorCode.dataFormat ~= error, error.field == nil { throw UnnamedField(error: error) }
            return error
        }
    }

    /// An error with code 6 that does not name a field.
    package struct UnnamedField: Error {
        /// The refusal.
        package let error: WireError
    }

    /// Sends a text.
    @discardableResult
    package func send(
        _ text: String, to channel: ChannelID, id: String? = nil, after: TransID? = nil
    ) async throws -> Acknowledgement {
        try await perform(SendMessage(channel: channel, text: text, after: after), id: id)
    }
}

extension Reply {
    /// The answer.
    /// - Throws: the `WireError` of a refusal.
    package func decode<T: Decodable>(_ type: T.Type) throws -> T {
        switch self {
        case .accepted(let json): try WireCodec.decode(type, from: json)
        case .refused(let error): throw error
        }
    }
}

/// The only lane of a test core: deliveries are performed under a lock instead of on an event loop.
private final class TestLane: Sendable {
    private struct State {
        var fanout: Fanout<Mailbox>
        var sessions: [UInt64: Mailbox] = [:]
        var waiting: [String: CheckedContinuation<Reply, Never>] = [:]
        var whenComplete: [CheckedContinuation<Void, Never>] = []
        var number: UInt64 = 0
    }

    let lane: Int
    private let state: Mutex<State>

    init(_ core: Core) {
        let box = Box()
        lane = core.addLane { [weak core] deliveries in
            guard let core, let lane = box.lane.withLock({ $0 }) else { return }
            lane.deliver(deliveries)
            lane.readMissing(core)
        }
        state = Mutex(State(fanout: Fanout(lane: lane, hasOthers: core.hasOthers)))
        box.lane.withLock { $0 = self }
    }

    private final class Box: Sendable {
        let lane = Mutex<TestLane?>(nil)
    }

    func nextNumber() -> UInt64 {
        state.withLock { state in
            state.number += 1
            return state.number
        }
    }

    func add(_ session: TestSession, number: UInt64) { state.withLock { $0.sessions[number] = session.mailbox } }

    func remove(_ number: UInt64) {
        state.withLock { state in
            state.sessions[number] = nil
            state.fanout.detach(number)
        }
    }

    func locked<T>(_ body: () -> T) -> T { state.withLock { _ in body() } }

    var heads: [LogID: Int64] { state.withLock { $0.fanout.heads } }

    func reply(to number: UInt64, _ id: String, when start: () -> Void) async -> Reply {
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiting["\(number)/\(id)"] = continuation }
            start()
        }
    }

    /// Waits until what other processes have written to the database is delivered, as far as this one has noticed it.
    func whenComplete() async {
        await withCheckedContinuation { continuation in
            let isComplete = state.withLock { state in
                if !state.fanout.isComplete { state.whenComplete.append(continuation) }
                return state.fanout.isComplete
            }
            if isComplete { continuation.resume() }
        }
    }

    private func readMissing(_ core: Core) { state.withLock { $0.fanout.readMissing { core.read($0) } } }

    private func deliver(_ deliveries: [Delivery]) {
        var replies: [(String, Reply)] = []
        let resumed = state.withLock { state -> [(CheckedContinuation<Reply, Never>, Reply)] in
            let sessions = state.sessions
            for delivery in deliveries {
                if case .reply(let session, let id, let reply) = delivery {
                    replies.append(("\(session.number)/\(id)", reply))
                } else {
                    state.fanout.apply(
                        delivery, find: { sessions[$0] }, send: { $0.receive($1) }, reply: { _, _, _ in },
                        end: { $0.end($1) })
                }
            }
            return replies.compactMap { key, reply in state.waiting.removeValue(forKey: key).map { ($0, reply) } }
        }
        for (continuation, reply) in resumed { continuation.resume(returning: reply) }
        let complete = state.withLock { state in
            defer { if state.fanout.isComplete { state.whenComplete = [] } }
            return state.fanout.isComplete ? state.whenComplete : []
        }
        for continuation in complete { continuation.resume() }
    }
}
