package import Logging
package import RoostWire
import Synchronization

/// The entry point for every command of every transport.
///
/// Commands that change data go to the writer, and the others to a reader of the database. A transport adds a lane
/// per event loop, attaches its authenticated sessions, and performs the deliveries that follow each commit.
package final class Core: Sendable {
    let live: LiveConfiguration
    package let effects: Effects
    /// Identifies the database; positions of another epoch are invalid.
    package let epoch: String
    package let meters: Meters
    private let database: any SQLDatabase
    private let damages: DamageLog
    let writer: Writer
    let journal: Journal
    private let participants: Participants
    private let logger: Logger
    private let lanes: Lanes
    private let rateLimits = RateLimits()
    private let notedOperators = NotedOperators()
    /// Half of the reader threads of a database.
    private let reads = ReadQueue(most: 2)
    private let running = Mutex(true)
    /// Whether there was an account with a password.
    let hadPasswords = Mutex(false)
    private let removals = Signal()
    private let pushes = Signal()
    private let audits = Listener<AuditEntry>()
    private let leases = Listener<String?>()
    private let displacement = Displacement()

    /// Creates a core for a database: migrates the schema and starts the writer.
    /// - Parameters:
    ///   - lease: what `configuration.node` has got when it joined the servers of the database.
    ///   - bus: carries what is committed between these servers; nil if they only read it.
    /// - Throws: `DatabaseFailure`.
    package init(
        database: any SQLDatabase, configuration: CoreConfiguration, lease: NodeLease? = nil, bus: (any Bus)? = nil,
        effects: Effects, logger: Logger
    ) throws {
        let epoch = try Migrator.run(on: database, configuration.migrations, random: effects.random)
        let damages = DamageLog(logger)
        let database = ChecksummedDatabase(database, damages)
        let participants = Participants()
        let lanes = Lanes()
        let (removals, pushes, audits, leases, displacement) = (removals, pushes, audits, leases, displacement)
        self.database = database
        self.damages = damages
        let live = try LiveConfiguration(configuration)
        self.live = live
        self.effects = effects
        self.epoch = epoch
        let meters = Meters(configuration.metrics)
        self.meters = meters
        self.logger = logger
        self.participants = participants
        self.lanes = lanes
        let (records, gaps) = (Listener<CommitRecord>(), Listener<Int64>())
        let hasOthers = database.isShared && configuration.node?.settings.allowsOthers == true
        journal = try Journal(
            database: database, own: hasOthers ? lease?.id : nil, bus: bus, effects: effects, logger: logger,
            meters: meters, deliver: { lanes.deliver($0) }, onRecord: { records.notify($0) },
            onGap: { gaps.notify($0) })
        writer = try Writer(
            database: database, live: live, effects: effects, epoch: epoch, logger: logger,
            meters: meters, participants: participants, lease: lease, journal: journal,
            publish: { [journal] in journal.publish($0) },
            notify: { effect in
                switch effect {
                case .bytesRemoved: removals.notify()
                case .pushesAdded: pushes.notify()
                case .sessionsOutdated: leases.notify(nil)
                case .displaced(let why):
                    displacement.set(why)
                    leases.notify(why)
                case .userErased, .rowsPurged: break
                }
            }, audit: { audits.notify($0) })
        records.set { [weak writer] in writer?.note($0) }
        gaps.set { [weak writer] in
            meters.add(to: .busGaps)
            writer?.endSessions(lackingMs: $0)
        }
        journal.bus?.open(topic: epoch) { [weak journal] in journal?.hear($0) }
        writer.start()
    }

    /// Adds a lane. `deliver` is called after each commit and must only schedule work on the lane's event loop.
    package func addLane(_ deliver: @escaping @Sendable ([Delivery]) -> Void) -> Int { lanes.add(deliver) }

    /// The configuration as it is now.
    package var configuration: CoreConfiguration { live.value }

    /// Whether other servers may use the database at the same time.
    package var hasOthers: Bool { journal.hasOthers }

    /// Looks what other servers have committed; what the sessions lack is delivered.
    package func readJournal() { journal.read() }

    /// The same if it is due, and shows others that this server is alive. To be called every 250 ms.
    package func watchOthers() { journal.look() }

    /// Refuses the commands that wait for a database that does not answer. To be called every 500 ms.
    package func refuseOverdue() { writer.refuseOverdue() }

    /// Whether all other servers are heard over the bus; nil if there is none.
    package var isBusUp: Bool? { journal.isBusUp }

    /// Reads rows that a lane lacks; they are delivered to all lanes.
    /// - Returns: the place of the read among all reads.
    package func read(_ missing: [LogRange]) -> Int64 { journal.read(missing) }

    /// Tells the lanes that logs have got rows, up to these.
    func announce(_ heads: [LogID: Int64]) { lanes.deliver(heads.map { .moved($0, seq: $1) }) }

    /// Looks what other servers have committed.
    /// - Returns: the place of that look among all reads.
    func beginReading() -> Int64 { journal.beginReading() }

    /// Whether what a read has found was handed over to the lanes.
    func hasRead(_ number: Int64) -> Bool { journal.hasRead(number) }

    /// How long a transaction of another server can last: one that does nothing for 60 s is ended by PostgreSQL. In ms.
    private static let longestTransaction: Int64 = 75_000

    /// Whether other processes may also use the database.
    var isShared: Bool { database.isShared }

    /// Whether no other process uses the database while this one does.
    var isAlone: Bool { !isShared || configuration.node?.settings.allowsOthers == false }

    /// Sets what is called after a commit that leaves bytes of files to delete; it must not block.
    package func onBytesRemoved(_ notify: @escaping @Sendable () -> Void) { removals.set(notify) }

    /// Sets what is called after a commit that leaves push notifications to send; it must not block.
    package func onPushesAdded(_ notify: @escaping @Sendable () -> Void) { pushes.set(notify) }

    /// Sets what is called with what an operator may have to prove: after the commit, if it was a change. It must not block.
    package func onAudit(_ report: @escaping @Sendable (AuditEntry) -> Void) { audits.set(report) }

    /// Sets what is called when other servers have used the database without this one; it must not block.
    ///
    /// The sessions are to be ended, because they lack what happened. With a reason, the server has to end, too: it is
    /// in the way of another one.
    package func onLeaseLost(_ notify: @escaping @Sendable (_ why: String?) -> Void) { leases.set(notify) }

    /// Reports what an operator may have to prove, of what a transport does by itself.
    package func audit(_ entry: AuditEntry) { audits.notify(entry) }

    /// Reports a refusal by a transport, if it is one of those that are reported.
    package func audit(
        _ error: WireError, of event: String, by actor: Actor?, address: String? = nil, origin: String? = nil,
        targets: [String] = []
    ) {
        guard AuditEntry.isReported(error) else { return }
        let now = effects.now()
        guard let actor else {
            return audit(
                AuditEntry(
                    time: now, event: event, address: address, origin: origin, code: error.code, targets: targets))
        }
        audit(AuditEntry(time: now, event: event, by: actor, code: error.code, targets: targets))
    }

    /// Whether commands are accepted.
    package var isReady: Bool { running.withLock { $0 } }

    /// Why no command that changes data can be taken now, as a sentence; nil if they are taken.
    ///
    /// While the database cannot store anything, a call tries whether it can again; a later call has the result.
    package var problem: String? {
        guard isReady else { return "The server is stopping." }
        if let why = displacement.reason { return why }
        return writer.problem(tryAgainAs: Self.itself)?.message
    }

    /// What of the database was found to be damaged, as a sentence; nil if nothing was. Commands are taken all the same.
    package var damage: String? { damages.summary }

    /// Notes that the database as a whole is damaged.
    package func note(damage: String) { damages.note(structure: damage) }

    /// Attaches an authenticated session; `.attach` and the welcome are delivered on its lane.
    ///
    /// The transport ends the session when its token expires; a session without a token does not expire.
    package func attach(
        _ session: SessionID, id: String, user: User, deviceID: DeviceID, isOperator: Bool, access: Access? = nil
    ) {
        let actor = Actor(user: user, deviceID: deviceID, isOperator: isOperator, session: session, access: access)
        noteOperator(actor)
        if !writer.submit(.attach(session, id: id, actor)) {
            lanes.deliver([.reply(session, id: id, .refused(WireError(.draining)))])
        }
    }

    /// Detaches a session whose connection is closed.
    /// - Parameter silentMs: how long ago the device gave its last sign of life, in ms, if it did not say goodbye: what
    ///   was sent to it since then is pushed. Nil if it did, or if ``noteUnreached(_:user:silentMs:)`` follows.
    package func detach(_ session: SessionID, user: UserID, silentMs: Int64? = nil) {
        _ = writer.submit(.detach(session, user, unreachedSince: silentMs.map(unreachedSince)))
    }

    /// Notes that a device whose session was detached earlier has not answered any more.
    package func noteUnreached(_ device: DeviceID, user: UserID, silentMs: Int64) {
        let since = unreachedSince(silentMs)
        _ = writer.submit(
            .work(
                user,
                { transaction in
                    try transaction.noteUnreached([(DeviceKey(user: user, device: device), since)])
                    return []
                }, then: { _ in }))
    }

    /// A sign of life was on its way for some time, and so was what the device had not received when it gave it.
    private func unreachedSince(_ silentMs: Int64) -> Int64 { effects.now() - max(0, silentMs) - 5_000 }

    /// Submits a command of a session; the answer is delivered on its lane.
    package func submit(_ command: AnyCommand, id: String, from actor: Actor) {
        guard let session = actor.session else { return }
        dispatch(command, id: id, from: actor, target: .session(session, id: id))
    }

    /// Runs a command; `answer` is called on a thread of the core, which must not be blocked.
    package func handle(
        _ command: AnyCommand, id: String, from actor: Actor, then answer: @escaping @Sendable (Reply) -> Void
    ) {
        let receivedAt = effects.uptime()
        let target = ReplyTarget.once { [meters, effects, logger] reply in
            var actor = actor
            actor.receivedAt = receivedAt
            meters.note(
                AnsweredCommand(command.name, id: id, reply, from: actor), uptime: effects.uptime(), logger)
            answer(reply)
        }
        dispatch(command, id: id, from: actor, target: target)
    }

    /// Runs a command and waits for its answer.
    package func handle(_ command: AnyCommand, id: String, from actor: Actor) async -> Reply {
        await withCheckedContinuation { continuation in
            handle(command, id: id, from: actor) { continuation.resume(returning: $0) }
        }
    }

    /// Whether all accepted commands are finished and no more are accepted.
    package var hasEnded: Bool { writer.isOver && reads.count == 0 }

    /// Whether the last run of the writer's scheduler had anything due.
    package var hadDueTasks: Bool { writer.hadDueTasks.load(ordering: .relaxed) }

    /// Finishes the accepted commands and refuses all others with 7008.
    ///
    /// It takes as long as the database needs.
    package func stop() async {
        await withCheckedContinuation { continuation in stop { continuation.resume() } }
    }

    /// The same without waiting; `end` is called when everything is finished.
    package func stop(then end: @escaping @Sendable () -> Void) {
        writer.stop { [reads, journal] in
            journal.bus?.close()
            reads.whenIdle(end)
        }
        running.withLock { $0 = false }
        journal.stop()
    }

    /// Applies the rate limits to a command; a transport calls this for commands that it runs itself.
    /// - Returns: the error if the command is refused, otherwise nil.
    package func admit(_ command: AnyCommand, from actor: Actor) -> WireError? {
        let refusal = rateLimits.check(command, actor, now: effects.now(), limits: configuration.limits)
        if refusal != nil, case .read(.findUsers) = command { noteTooManyLookups(by: actor) }
        if let refusal { audit(refusal, of: command.name, by: actor) }
        return refusal
    }

    private func dispatch(_ command: AnyCommand, id: String, from sender: Actor, target: ReplyTarget) {
        var actor = sender
        actor.receivedAt = effects.uptime()
        do throws(WireError) {
            try actor.check(type(of: command.value).scope)
            try actor.checkVisit(command)
        } catch {
            audit(error, of: command.name, by: actor)
            return answer(measured(target, command, id: id, actor), .refused(error))
        }
        if let refusal = admit(command, from: actor) {
            return answer(measured(target, command, id: id, actor), .refused(refusal))
        }
        noteOperator(actor)
        switch command {
        case .hello:
            answer(
                target, .refused(WireError(.alreadyLoggedIn, "This connection has already sent hello.")))
        case .renew:
            let error = WireError(.functionUnavailable, "Only a WebSocket connection has a token to renew.")
            answer(target, .refused(error))
        case .serve:
            answer(target, .refused(WireError(.functionUnavailable, "Send this command over HTTP.")))
        case .read(let reading): dispatch(reading, from: actor, target: measured(target, command, id: id, actor))
        case .write(let command): submit(.command(.write(command), id: id, actor, target, nil), target)
        case .move(let command): submit(.command(.move(command), id: id, actor, target, nil), target)
        }
    }

    /// The same target, whose answer is counted. Those of the writer are counted there, and those of a closure by itself.
    private func measured(
        _ target: ReplyTarget, _ command: AnyCommand, id: String, _ actor: Actor
    ) -> ReplyTarget {
        guard case .session = target else { return target }
        return .closure { reply in
            self.meters.note(
                AnsweredCommand(command.name, id: id, reply, from: actor), uptime: self.effects.uptime(), self.logger)
            self.answer(target, reply)
        }
    }

    /// Remembers that somebody uses the server as an operator, before the command that this is about.
    private func noteOperator(_ actor: Actor) {
        let user = actor.user.userID
        guard actor.isOperator, notedOperators.insert(user) else { return }
        let note: @Sendable (inout Transaction) throws -> [UInt8] = { transaction in
            try transaction.noteOperator(user)
            return []
        }
        let isTaken = writer.submit(
            .work(user, note) { [notedOperators] reply in
                if case .refused = reply { notedOperators.remove(user) }
            })
        if !isTaken { notedOperators.remove(user) }
    }

    private func submit(_ job: Job, _ target: ReplyTarget) {
        guard !writer.submit(job) else { return }
        if case .command(let command, let id, let actor, .session, _) = job {
            meters.note(
                AnsweredCommand(type(of: command.value).name, id: id, .refused(WireError(.draining)), from: actor),
                uptime: effects.uptime(), logger)
        }
        answer(target, .refused(WireError(.draining)))
    }

    private func dispatch(_ sent: ReadingCommand, from actor: Actor, target: ReplyTarget) {
        let command = actor.limited(sent)
        if case .resume(let body) = command, let session = actor.session {
            return resume(body, session, from: actor, target: target)
        }
        let name = type(of: command.value).name
        let reported = ReplyTarget.closure { reply in
            if case .refused(let error) = reply { self.audit(error, of: name, by: actor) }
            self.answer(target, reply)
        }
        let run: @Sendable () -> Void = {
            self.read(
                as: actor, reported, { try $0.run(command) },
                then: {
                    if command.readsOfOthers {
                        self.audit(AuditEntry(time: self.effects.now(), event: name, by: actor))
                    }
                    self.answer(target, .accepted($0))
                })
        }
        guard case .lookups(let count) = command.value.cost else { return run() }
        countLookup(count, by: actor) { refusal in
            guard let refusal else { return run() }
            self.noteTooManyLookups(by: actor)
            self.answer(reported, .refused(refusal))
        }
    }

    private func noteTooManyLookups(by actor: Actor) {
        logger.info(
            "too many lookups", metadata: ["user": "\(actor.user.userID)", "address": "\(actor.address ?? "")"])
    }

    /// Resumes a session. If the command names open channels, the session joins them first and reads afterwards, so
    /// that events in between are delivered live. Those that it may not join are answered as gone.
    private func resume(_ resume: Resume, _ session: SessionID, from actor: Actor, target: ReplyTarget) {
        read(
            as: actor, target,
            { reads in
                let open = try reads.openChannels(of: resume)
                return open.isEmpty ? (try reads.resume(resume, open: []), []) : ([], open.map(\.id).sorted())
            },
            then: { (json: [UInt8], open: [ChannelID]) in
                if open.isEmpty { return self.answer(target, .accepted(json)) }
                let job = Job.participate(
                    session, actor.user.userID, open,
                    then: { reply in
                        guard case .accepted(let json) = reply else { return self.answer(target, reply) }
                        self.read(
                            as: actor, target,
                            { reads in
                                let joined = Set(try WireCodec.decode([ChannelID].self, from: json))
                                let open = try reads.openChannels(of: resume).filter { joined.contains($0.id) }
                                return try reads.resume(resume, open: open)
                            },
                            then: { self.answer(target, .accepted($0)) })
                    })
                self.submit(job, target)
            })
    }

    /// Runs a read when it is the user's turn. The result is passed to `next`, a failure to the target.
    private func read<T: Sendable>(
        as actor: Actor, _ target: ReplyTarget, _ body: @escaping @Sendable (Reads) throws -> T,
        then next: @escaping @Sendable (T) -> Void
    ) {
        reads.enqueue(actor.user.userID) {
            // This must be determined before the snapshot begins.
            let hasOthers = self.hasOthers
            let settledAt = self.writer.settledAt() - (hasOthers ? Self.longestTransaction : 0)
            let now = self.effects.now()
            self.database.read(
                {
                    [
                        configuration = self.configuration, participants = self.participants, epoch = self.epoch,
                        hasOthers
                    ] in
                    let reads = Reads(
                        connection: $0, configuration: configuration, participants: participants,
                        hasOthers: hasOthers, epoch: epoch, actor: actor, settledAt: settledAt, now: now)
                    try reads.checkAccess()
                    return try body(reads)
                },
                then: { result in
                    defer { self.reads.finish(actor.user.userID) }
                    switch result {
                    case .success(let value): next(value)
                    case .failure(let error as WireError): self.answer(target, .refused(error))
                    case .failure(let error):
                        self.logger.error("read failed", metadata: ["error": "\(error)"])
                        self.answer(target, .refused(Writer.refusal(for: error)))
                    }
                })
        }
    }

    /// Runs a read for the transport when it is the user's turn.
    /// - Throws: `WireError` 7026 or 7002 if the user or the token is not accepted any more.
    func read<T: Sendable>(
        as actor: Actor, _ body: @escaping @Sendable (Reads) throws -> T
    ) async throws(WireError) -> T {
        noteOperator(actor)
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<T, WireError>, Never>) in
            let refused = ReplyTarget.closure { reply in
                guard case .refused(let error) = reply else { return }
                continuation.resume(returning: .failure(error))
            }
            read(as: actor, refused, body) { continuation.resume(returning: .success($0)) }
        }
        return try result.get()
    }

    /// Checks that the sender of a request may use the server.
    /// - Throws: `WireError` 7026 or 7002.
    package func checkAccess(of actor: Actor) async throws(WireError) { try await read(as: actor) { _ in } }

    /// Reads for the server itself, as long as it runs. A stop waits for it, as the database cannot be closed meanwhile.
    func readWhileReady<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            reads.enqueue(Self.itself) {
                guard self.isReady else {
                    self.reads.finish(Self.itself)
                    return continuation.resume(throwing: DatabaseFailure(.unavailable, "The server is stopping."))
                }
                self.database.read(body) { result in
                    self.reads.finish(Self.itself)
                    continuation.resume(with: result)
                }
            }
        }
    }

    /// Reads for the server itself.
    func readAll<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await database.read(body)
    }

    /// Runs work of the server itself in the writer, on behalf of a user; it may run again after a conflict.
    func write(
        as user: UserID, _ body: @escaping @Sendable (inout Transaction) throws -> [UInt8]
    ) async throws(WireError) -> [UInt8] {
        let reply = await withCheckedContinuation { continuation in
            if !writer.submit(.work(user, body, then: { continuation.resume(returning: $0) })) {
                continuation.resume(returning: .refused(WireError(.draining)))
            }
        }
        switch reply {
        case .accepted(let bytes): return bytes
        case .refused(let error): throw error
        }
    }

    private func answer(_ target: ReplyTarget, _ reply: Reply) {
        switch target {
        case .closure(let closure): closure(reply)
        case .session(let session, let id): lanes.deliver([.reply(session, id: id, reply)])
        }
    }
}

/// Passes calls on to a listener.
private final class Signal: Sendable {
    private let listener = Mutex<(@Sendable () -> Void)?>(nil)

    func set(_ notify: @escaping @Sendable () -> Void) { listener.withLock { $0 = notify } }

    func notify() { listener.withLock { $0 }?() }
}

/// Passes values on to a listener; before there is one, it keeps the last value for it.
private final class Listener<Value: Sendable>: Sendable {
    private struct State {
        var notify: (@Sendable (Value) -> Void)?
        var kept: Value?
    }

    private let state = Mutex(State())

    func set(_ notify: @escaping @Sendable (Value) -> Void) {
        let kept = state.withLock { state in
            defer { state.kept = nil }
            state.notify = notify
            return state.kept
        }
        if let kept { notify(kept) }
    }

    func notify(_ value: Value) {
        let notify = state.withLock { state in
            if state.notify == nil { state.kept = value }
            return state.notify
        }
        notify?(value)
    }
}

/// Why another server has taken the database over.
private final class Displacement: Sendable {
    private let state = Mutex<String?>(nil)

    func set(_ why: String) { state.withLock { $0 = why } }

    /// Nil if none has.
    var reason: String? { state.withLock { $0 } }
}

/// The lanes of the transports, all added before the first session attaches.
private final class Lanes: Sendable {
    private let lanes = Mutex<[@Sendable ([Delivery]) -> Void]>([])

    func add(_ deliver: @escaping @Sendable ([Delivery]) -> Void) -> Int {
        lanes.withLock { lanes in
            lanes.append(deliver)
            return lanes.count - 1
        }
    }

    func deliver(_ deliveries: [Delivery]) {
        for lane in lanes.withLock({ $0 }) { lane(deliveries) }
    }
}

/// The context of a read command, with a snapshot of the database; the counterpart of `Transaction`.
struct Reads {
    let connection: any SQLConnection
    let configuration: CoreConfiguration
    let participants: Participants
    /// Whether other servers may use the database at the same time.
    let hasOthers: Bool
    let epoch: String
    let actor: Actor
    /// A time such that everything not visible in the snapshot is stored with this time or a later one.
    let settledAt: Int64
    /// When the command arrived.
    let now: Int64

    /// The user whose command it is.
    var me: UserID { actor.user.userID }
}
