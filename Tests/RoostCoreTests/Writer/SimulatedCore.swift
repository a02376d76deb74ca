import Foundation
import Logging
import RoostCore
import RoostSQLite
import RoostTesting
import RoostWire
import Synchronization

/// The server's core with the connections of devices, which can crash and start again on the same database.
///
/// Commands of several devices are committed together, and what the core delivers is only looked at when it has
/// nothing left to do, so that a seed always has the same history.
final class SimulatedCore {
    /// The core did not answer within ``patience``.
    struct Stuck: Error {}

    /// How long the core may take for an answer, in seconds of real time.
    static let patience = 60.0

    let clock = TestClock()
    private let stored: SQLiteDatabase
    private var random: SeededNumbers
    private var core: Core
    private var database: SimulatedDatabase
    private var inbox: Inbox
    private var lane = 0
    private var fanout: Fanout<SimulatedDevice>
    private var devices: [UInt64: SimulatedDevice] = [:]
    private var sessions: UInt64 = 0
    private var writing: Set<String> = []
    /// The answers to commands that change data, which must be the same each time.
    private var answers: [String: [UInt8]] = [:]
    /// The commands that were refused at least once: repeated, they may be accepted.
    private(set) var refused: Set<String> = []
    /// What is wrong with what the core has answered.
    var problems: [String] { found + (inbox.surplus > 0 ? ["\(inbox.surplus) answers too many"] : []) }
    private var found: [String] = []
    private(set) var commands: [String: Int] = [:]
    private(set) var crashes = 0

    init(seed: UInt64, in stored: SQLiteDatabase) throws {
        self.stored = stored
        random = SeededNumbers(seed: seed)
        (core, database, inbox, lane) = try Self.start(stored, clock, &random)
        fanout = Fanout(lane: lane)
    }

    deinit { core.stop {} }

    private static func start(
        _ stored: SQLiteDatabase, _ clock: TestClock, _ random: inout SeededNumbers
    ) throws -> (Core, SimulatedDatabase, Inbox, Int) {
        let numbers = Mutex(SeededNumbers(seed: random.next()))
        let database = SimulatedDatabase(stored)
        let core = try Core(
            database: database,
            configuration: CoreConfiguration(
                limits: Limits(pageRows: 5, sendsPerSecond: 0, channelSendsPerSecond: 0, commandsPerSecond: 0),
                isDevelopment: true, readMarkInterval: 0),
            effects: Effects(
                now: { clock.now }, random: { numbers.withLock { $0.next() } },
                // Background tasks never rest.
                uptime: { 0 }),
            logger: Logger(label: "simulation", factory: { _ in SwiftLogNoOpLogHandler() }))
        let inbox = Inbox()
        return (core, database, inbox, core.addLane { inbox.add($0) })
    }

    // Connections.

    func open(_ device: SimulatedDevice) {
        close(device)
        sessions += 1
        device.session = sessions
        devices[sessions] = device
    }

    /// - Parameter silentMs: when the device gave its last sign of life, in ms ago; nil if it has closed the connection.
    func close(_ device: SimulatedDevice, silentMs: Int64? = nil) {
        guard let number = device.session else { return }
        device.session = nil
        devices[number] = nil
        fanout.detach(number)
        core.detach(SessionID(lane: lane, number: number), user: device.user.userID, silentMs: silentMs)
    }

    /// The positions of a heartbeat.
    func heartbeat(_ device: SimulatedDevice) {
        guard let number = device.session, let positions = fanout.positions(of: number) else { return }
        device.downlink.append(.event(Event(body: .ephemeral(.positions(positions)))))
    }

    // Commands.

    enum Moment: CaseIterable {
        /// Reads are answered before the commit of the commands that came with them.
        case early
        /// They are answered after it, although they have not seen it.
        case late
        /// The process ends before the commit.
        case crashBefore
        /// It ends after the commit, and what it would have delivered is lost.
        case crashAfter

        var isCrash: Bool { self == .crashBefore || self == .crashAfter }
    }

    /// Gives frames of devices to the core, which commits all of them at once.
    func receive(_ frames: [(SimulatedDevice, [UInt8])], _ moment: Moment = .early) throws {
        if frames.isEmpty, !moment.isCrash { return }
        database.shut()
        sweep()
        for (device, bytes) in frames { try submit(bytes, from: device) }
        try database.waitUntilHeld()
        switch moment {
        case .early: database.releaseReads()
        case .late, .crashAfter: break
        case .crashBefore: return try crash()
        }
        database.open()
        if moment == .crashAfter {
            // The reads of the crashed process are never answered.
            try inbox.wait(forSweeps: true) {}
            return try crash()
        }
        try settle()
    }

    private func submit(_ bytes: [UInt8], from device: SimulatedDevice) throws {
        guard let number = device.session else { return }
        let frame = try WireCodec.decodeClientFrame(bytes)
        let session = SessionID(lane: lane, number: number)
        commands[frame.command.name, default: 0] += 1
        inbox.expectAnswer()
        if case .hello = frame.command {
            return core.attach(
                session, id: frame.id, user: device.user, deviceID: device.deviceID, isOperator: false)
        }
        if case .write = frame.command { writing.insert("\(device.user.userID) \(frame.id)") }
        let actor = Actor(user: device.user, deviceID: device.deviceID, isOperator: false, session: session)
        core.submit(frame.command, id: frame.id, from: actor)
    }

    /// Submits a command that is refused and changes nothing: tasks and announcements that are due follow the batch
    /// before it.
    private func sweep() {
        let nobody = Actor(user: Cast.dee, deviceID: "sweep", isOperator: false)
        inbox.expectSweep()
        core.handle(.move(.endTyping(EndTyping(channel: "sweep"))), id: "sweep", from: nobody) { [inbox] _ in
            inbox.sweepEnded()
        }
    }

    /// Waits until everything is answered and nothing is due, and delivers it.
    private func settle() throws {
        try inbox.wait(forSweeps: false) { database.releaseReads() }
        for _ in 0..<2 {
            sweep()
            try inbox.wait(forSweeps: true) {}
        }
        for delivery in inbox.drain() { perform(delivery) }
    }

    private func perform(_ delivery: Delivery) {
        let devices = devices
        fanout.apply(
            delivery, find: { devices[$0] },
            send: { device, bytes in
                do {
                    let event = try WireCodec.decodeEvent(bytes)
                    if let channel = event.channel, let seq = event.seq {
                        device.received[channel, default: []].insert(seq)
                    }
                    device.downlink.append(.event(event))
                } catch {
                    found.append("an event cannot be read: \(error)")
                }
            },
            reply: { device, id, reply in answer(device, id, reply) },
            end: { device, error in found.append("the session of \(device.user.userID) was ended: \(error)") })
        // One process delivers each row right after the one before it.
        fanout.readMissing { ranges in
            found.append("rows are missing: \(ranges)")
            return 1
        }
    }

    private func answer(_ device: SimulatedDevice, _ id: String, _ reply: Reply) {
        switch reply {
        case .accepted(let body):
            let key = "\(device.user.userID) \(id)"
            if writing.contains(key) {
                if let first = answers[key], first != body { found.append("\(key) has two answers") }
                answers[key] = body
            }
            device.downlink.append(.result(id: id, body: body))
        case .refused(let error):
            refused.insert(id)
            if !error.retryable, answers["\(device.user.userID) \(id)"] != nil {
                found.append("\(id) was accepted, and is then refused: \(error)")
            }
            device.downlink.append(.failure(id: id, error: error))
        }
    }

    /// Runs a command of a user outside of the simulated network.
    @discardableResult
    func perform<C: Command>(_ command: C, as user: User, id: String = "probe") throws -> C.Answer {
        let reply = Mutex<Reply?>(nil)
        let actor = Actor(user: user, deviceID: "probe", isOperator: false)
        inbox.expectAnswer()
        core.handle(try AnyCommand(name: C.name, body: try WireCodec.encode(command)), id: id, from: actor) {
            [inbox] answer in
            reply.withLock { $0 = answer }
            inbox.answered()
        }
        try inbox.wait(forSweeps: false) { database.releaseReads() }
        for delivery in inbox.drain() { perform(delivery) }
        guard let reply = reply.withLock({ $0 }) else { throw Stuck() }
        return try reply.decode(C.Answer.self)
    }

    // Faults.

    func failCommits(_ kind: DatabaseFailure.Kind, count: Int) { database.failCommits(kind, count: count) }

    func heal() { database.heal() }

    /// Moves the clock while nothing else happens, and runs what is due then.
    func advance(by ms: Int64) throws {
        clock.advance(by: ms)
        try settle()
    }

    /// Ends the process; another one starts on what was committed. All connections are gone.
    func crash() throws {
        crashes += 1
        database.crash()
        core.stop {}
        for device in devices.values { device.session = nil }
        devices = [:]
        (core, database, inbox, lane) = try Self.start(stored, clock, &random)
        fanout = Fanout(lane: lane)
    }

    /// Reads what is stored.
    func rows<T>(_ query: Query, _ read: (any SQLRow) throws -> T) throws -> [T] {
        try stored.write { try $0.rows(query, read) }
    }
}

/// What a core has delivered, and how many answers it owes.
///
/// `@unchecked Sendable`: everything below `condition` is accessed only while it is locked.
private final class Inbox: @unchecked Sendable {
    private let condition = NSCondition()
    private var deliveries: [Delivery] = []
    private var unanswered = 0
    private var sweeps = 0
    private var tooMany = 0

    func expectAnswer() { condition.withLock { unanswered += 1 } }
    func expectSweep() { condition.withLock { sweeps += 1 } }

    /// How many answers came to commands that had been answered.
    var surplus: Int { condition.withLock { tooMany } }

    func answered() {
        condition.withLock {
            noteAnswer()
            condition.broadcast()
        }
    }

    private func noteAnswer() {
        if unanswered > 0 { unanswered -= 1 } else { tooMany += 1 }
    }

    func sweepEnded() {
        condition.withLock {
            sweeps -= 1
            condition.broadcast()
        }
    }

    func add(_ new: [Delivery]) {
        condition.withLock {
            deliveries += new
            for case .reply in new { noteAnswer() }
            condition.broadcast()
        }
    }

    /// Waits for all answers, or only for those to sweeps.
    /// - Parameter help: called again and again while it waits.
    func wait(forSweeps: Bool, _ help: () -> Void) throws {
        let limit = Date(timeIntervalSinceNow: SimulatedCore.patience)
        while true {
            help()
            condition.lock()
            defer { condition.unlock() }
            if sweeps == 0, forSweeps || unanswered == 0 { return }
            // A read may end at any moment, and has to be released then.
            let pause = Date(timeIntervalSinceNow: forSweeps ? SimulatedCore.patience : 0.0002)
            if !condition.wait(until: pause), Date() > limit { throw SimulatedCore.Stuck() }
        }
    }

    func drain() -> [Delivery] {
        condition.withLock {
            defer { deliveries = [] }
            return deliveries
        }
    }
}
