import Foundation
import Logging
import RoostWire
import Synchronization

/// The destination of an answer.
enum ReplyTarget: Sendable {
    case session(SessionID, id: String)
    case closure(@Sendable (Reply) -> Void)

    /// Calls a closure with the first answer only.
    static func once(_ answer: @escaping @Sendable (Reply) -> Void) -> ReplyTarget {
        let isAnswered = Atomic(false)
        return .closure { reply in
            if !isAnswered.exchange(true, ordering: .relaxed) { answer(reply) }
        }
    }
}

/// The single thread that changes data.
///
/// It takes waiting jobs, applies them one after the other to values, writes the result set by set in one
/// transaction, waits until it is durable, and only then answers and publishes. While it commits, the next batch
/// accumulates, so no timer is needed. One user's jobs do not block others: `JobQueue` decides whose turn it is,
/// `BatchBudget` when a batch is large enough, and `CommandProgress` how a command over all channels is split into
/// turns. The caches change only after the commit, so a failed batch leaves no trace; it is then retried job by job,
/// so that one bad command does not fail the others.
///
/// `@unchecked Sendable`: `arrived`, `waiting`, `elsewhere`, `watch`, `isStopping`, `hasEnded` and `onEnd` are accessed only
/// with `condition` locked; everything below `state` only by the writer's thread, which `start` creates once.
final class Writer: @unchecked Sendable {
    let condition = MonotonicCondition()
    var arrived: [Job] = []
    var waiting = JobQueue()
    var watch = BatchWatch()
    /// What other servers have committed.
    private var elsewhere: [CommitRecord] = []
    private var isStopping = false
    private var hasEnded = false
    /// The time of the batch being committed.
    private let runningSince = Mutex<Int64?>(nil)
    private var onEnd: [@Sendable () -> Void] = []

    let database: any SQLDatabase
    private let live: LiveConfiguration
    let effects: Effects
    let epoch: String
    let logger: Logger
    let journal: Journal
    let meters: Meters
    let publish: @Sendable ([Delivery]) -> Void
    /// Called after a commit with each of its effects.
    let notify: @Sendable (AfterCommit) -> Void
    /// Called after a commit with what an operator may have to prove.
    let audit: @Sendable (AuditEntry) -> Void

    // state
    let caches: Caches
    var announcements: Announcements
    var scheduler: TaskScheduler

    init(
        database: any SQLDatabase, live: LiveConfiguration, effects: Effects, epoch: String, logger: Logger,
        meters: Meters, participants: Participants, lease: NodeLease?, journal: Journal,
        publish: @escaping @Sendable ([Delivery]) -> Void,
        notify: @escaping @Sendable (AfterCommit) -> Void, audit: @escaping @Sendable (AuditEntry) -> Void
    ) throws {
        self.database = database
        self.live = live
        self.effects = effects
        self.epoch = epoch
        self.logger = logger
        self.journal = journal
        self.meters = meters
        self.publish = publish
        self.notify = notify
        self.audit = audit
        let (now, configuration) = (effects.now(), live.value)
        var features = try database.write { try FeatureCaches($0, now: now) }
        features.lease = lease
        if journal.hasOthers, let lease { features.journalEnd = JournalEnd(writer: lease.id) }
        caches = Caches(sessions: LiveSessions(participants: participants), features: features)
        announcements = Announcements(now: now, configuration)
        scheduler = TaskScheduler(dueTasks: configuration, now: now)
    }

    /// The configuration as it is now.
    var configuration: CoreConfiguration { live.value }

    /// Its limits as JSON.
    var limits: [UInt8] { live.limits }

    func start() {
        let thread = Thread { self.run() }
        thread.name = "roost-writer"
        thread.stackSize = 4 << 20
        thread.start()
    }

    /// Whether the last transaction reached the database.
    private(set) var isReachable = true

    /// Whether the database takes changes.
    private let health = Mutex(Health())

    private struct Health {
        /// Why the last one could not be stored.
        var problem: WireError?
        var isTrying = false
        var triedAt = Int64.min
    }

    /// The shortest time between two tries, in ms.
    private static let trialInterval: Int64 = 500

    /// Why the database takes no changes; nil if it does. It is tried again with a change of no importance.
    func problem(tryAgainAs user: UserID) -> WireError? {
        let now = effects.now()
        let (problem, isDue) = health.withLock { health in
            guard let problem = health.problem else { return (nil as WireError?, false) }
            let isDue = !health.isTrying && (health.triedAt > now || health.triedAt <= now &- Self.trialInterval)
            if isDue { (health.isTrying, health.triedAt) = (true, now) }
            return (problem, isDue)
        }
        guard isDue, let problem else { return problem }
        let trial: @Sendable (inout Transaction) throws -> [UInt8] = { [database] transaction in
            if database.isShortOfRoom() { throw problem }
            try transaction.connection.execute(
                """
                INSERT INTO meta (name, value) VALUES ('trial', \(String(now)))
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                """)
            return []
        }
        let isTaken = submit(
            .work(user, trial) { [weak self] reply in
                self?.health.withLock { health in
                    health.isTrying = false
                    if case .accepted = reply { health.problem = nil }
                }
            })
        if !isTaken { health.withLock { $0.isTrying = false } }
        return problem
    }

    /// Notes a failure that any change would have had.
    func note(_ error: any Error) {
        switch (error as? DatabaseFailure)?.kind {
        case .full, .unavailable, .uncertain, .unsynced: health.withLock { $0.problem = Self.refusal(for: error) }
        default: break
        }
    }

    private let taskTimes = Mutex<[String: Int64]>([:])

    /// Since when or from when on each task is due, as it was after the last turns.
    var dueTimes: [String: Int64] { taskTimes.withLock { $0 } }

    func noteDueTimes(_ times: [String: Int64]) { taskTimes.withLock { $0 = times } }

    /// How many jobs wait.
    var queueLength: Int { condition.withLock { arrived.count + waiting.count } }

    /// Submits a job.
    /// - Returns: whether the job was accepted; false once the writer is stopping.
    func submit(_ job: Job) -> Bool {
        condition.withLock {
            guard !isStopping else { return false }
            arrived.append(job)
            if arrived.count == 1 { condition.signal() }
            return true
        }
    }

    /// Takes note of what another server has committed.
    func note(_ record: CommitRecord) {
        condition.withLock {
            elsewhere.append(record)
            if elsewhere.count == 1 { condition.signal() }
        }
    }

    /// Finishes the accepted jobs, accepts no more, and calls `end` when the thread is done. A command of several
    /// turns is aborted.
    func stop(_ end: @escaping @Sendable () -> Void) {
        let isOver = condition.withLock {
            isStopping = true
            if !hasEnded { onEnd.append(end) }
            condition.signal()
            return hasEnded
        }
        if isOver { end() }
    }

    /// Whether the last run of the scheduler had anything due.
    let hadDueTasks = Atomic(true)

    /// Whether the thread has ended.
    var isOver: Bool { condition.withLock { hasEnded } }

    private func run() {
        while let jobs = nextJobs() {
            applyChangesElsewhere()
            condition.withLock { watch.begin(jobs) }
            if !jobs.isEmpty, mayProcess(jobs) { requeue(process(jobs)) }
            if !isLeaseDoubtful { announceDue() }
            runDueTasks()
            condition.withLock { watch.end() }
        }
        finish()
        let end = condition.withLock {
            hasEnded = true
            return onEnd
        }
        for done in end { done() }
    }

    /// Requeues the unfinished jobs of a batch. A command that needs more turns is refused if the writer is stopping;
    /// when repeated, it continues.
    private func requeue(_ unfinished: [Job]) {
        let refused: [Job] = condition.withLock {
            let left = unfinished.filter { !watch.hasRefused($0) }
            waiting.requeue(isStopping ? left.filter { !$0.isUnderWay } : left)
            return isStopping ? left.filter(\.isUnderWay) : []
        }
        for job in refused { refuse(job, WireError(.draining)) }
    }

    /// Waits for the next batch, but not beyond the next announcement; returns nil when it is time to end.
    private func nextJobs() -> [Job]? {
        guard let jobs = dequeueArrived() else { return nil }
        return condition.withLock {
            waiting.append(jobs)
            return waiting.next(most: configuration.batchSize)
        }
    }

    /// Returns the jobs that arrived since the last call; waits if no job is queued.
    private func dequeueArrived() -> [Job]? {
        condition.lock()
        defer { condition.unlock() }
        while arrived.isEmpty, waiting.isEmpty, elsewhere.isEmpty {
            if isStopping { return nil }
            let now = effects.now()
            let nextTask = scheduler.nextDue(now: now, uptime: effects.uptime())
            let announcement = isLeaseDoubtful ? nil : nextAnnouncement
            if let due = [announcement, nextTask].compactMap({ $0 }).min() {
                // What a task has just caused may be due since ever.
                if due <= now { return [] }
                // The sleep is limited, because the clock may be set.
                if !condition.wait(ms: min(due, now + TaskScheduler.interval) - now) { return [] }
            } else {
                condition.wait()
            }
        }
        var jobs: [Job] = []
        swap(&jobs, &arrived)
        return jobs
    }

    /// Returns what other servers have committed since the last call.
    func takeElsewhere() -> [CommitRecord] {
        condition.withLock {
            defer { elsewhere = [] }
            return elsewhere
        }
    }

    /// Returns the time of a new batch.
    private func begin() -> Int64 {
        runningSince.withLock { since in
            let now = effects.now()
            since = now
            return now
        }
    }

    /// A time such that everything that this process has not committed yet is stored with this time or a later one.
    func settledAt() -> Int64 { runningSince.withLock { min($0 ?? .max, effects.now()) } }

    /// - Parameter rest: the jobs that are tried afterwards.
    /// - Returns: the unfinished jobs, in order.
    private func process(_ arrived: [Job], before rest: ArraySlice<Job> = []) -> [Job] {
        let jobs = withoutGrowth(arrived)
        if jobs.isEmpty { return [] }
        condition.withLock { watch.note(jobs + rest) }
        do {
            return try commit { try $0.run(jobs) }
        } catch {
            // The transaction is rolled back completely, and the caches are unchanged.
            note(error)
            switch (error as? DatabaseFailure)?.kind {
            case .unavailable, .uncertain, .busy, .unsynced:
                // No single command is at fault, and retrying one by one would only take longer.
                logger.error("database unreachable", metadata: ["error": "\(error)", "commands": "\(jobs.count)"])
                refuse(jobs, Self.refusal(for: error))
                return []
            default: break
            }
            if jobs.count > 1 {
                logger.warning("batch failed, retrying its commands one by one", metadata: ["error": "\(error)"])
                return processSingly(jobs)
            }
            logger.error("commit failed", metadata: ["error": "\(error)"])
            if let done = attachToFullDisk(jobs, error) ?? makeRoom(jobs, error) { return done }
            refuse(jobs, Self.refusal(for: error))
            return []
        }
    }

    /// Lets a known user log in although the disk is full, to read and to delete.
    private func attachToFullDisk(_ jobs: [Job], _ error: any Error) -> [Job]? {
        guard (error as? DatabaseFailure)?.kind == .full, jobs.count == 1, case .attach = jobs[0] else { return nil }
        return try? commit { transaction in
            transaction.isDiskFull = true
            return try transaction.run(jobs)
        }
    }

    /// Refuses what needs room while there is not even enough for what makes room.
    private func withoutGrowth(_ jobs: [Job]) -> [Job] {
        guard database.isShortOfRoom() else { return jobs }
        let full = DatabaseFailure(.full, "The disk is full.")
        for job in jobs where job.needsRoom {
            note(full)
            refuse([job], Self.refusal(for: full))
        }
        return jobs.filter { !$0.needsRoom }
    }

    /// How often a command is tried again, with more room each time.
    private static let maxRetries = 4

    /// Carries out what makes room although the disk is full.
    private func makeRoom(_ jobs: [Job], _ error: any Error) -> [Job]? {
        guard (error as? DatabaseFailure)?.kind == .full, jobs.count == 1, jobs[0].makesRoom else { return nil }
        for _ in 0..<Self.maxRetries where database.giveUpRoom() {
            do {
                return try commit { try $0.run(jobs) }
            } catch let failure as DatabaseFailure where failure.kind == .full {
                continue
            } catch {
                return nil
            }
        }
        return nil
    }

    private func processSingly(_ jobs: [Job]) -> [Job] {
        var left: [Job] = []
        var unfinished: Set<UserID> = []
        for (index, job) in jobs.enumerated() {
            // Otherwise all the others would wait as long.
            if job.isRepeated, condition.withLock({ watch.isOverdue }) {
                refuse([job], WireError(.databaseAccess))
                continue
            }
            let rest =
                unfinished.contains(job.user)
                ? [job] : mayProcess([job]) ? process([job], before: jobs[(index + 1)...]) : []
            if !rest.isEmpty { unfinished.insert(job.user) }
            left += rest
        }
        return left
    }

    /// Builds a batch, commits it, and publishes its effects.
    /// - Throws: an error if nothing was committed, or if that is not known.
    func commit<T>(_ decide: (inout Transaction) throws -> T) throws -> T {
        defer { runningSince.withLock { $0 = nil } }
        isReachable = false
        journal.beginBatch()
        let start = effects.uptime()
        let (batch, value): (Batch, T)
        do {
            (batch, value) = try database.write { connection in
                var transaction = Transaction(Batch(now: begin(), over: caches), connection, of: self)
                let value = try decide(&transaction)
                try transaction.finishFeatures()
                try transaction.flush()
                try transaction.writeConnections()
                return (transaction.batch, value)
            }
        } catch {
            _ = journal.endBatch(published: nil)
            if (error as? DatabaseFailure)?.kind == .uncertain { noteUncertainCommit() }
            throw error
        }
        isReachable = true
        meters.noteCommit(time: effects.uptime() - start)
        // Reset first: clients that are notified below may immediately query for changes.
        runningSince.withLock { $0 = nil }
        committed(batch)
        return value
    }

    func committed(_ batch: Batch) {
        var batch = batch
        dropRefused(from: &batch)
        let doorbell = doorbell(of: batch)
        caches.apply(batch)
        announcements.add(batch)
        if let due = batch.nextDue { scheduler.note(due) }
        caches.evict(downTo: configuration.cachedMembers)
        for entry in batch.audit { audit(entry) }
        if !batch.changedElsewhere.isEmpty { meters.add(batch.changedElsewhere.count, to: .channelReloads) }
        journal.noteUnheard(batch.changedElsewhere)
        if !batch.deliveries.isEmpty || doorbell != nil { journal.publish(batch.deliveries, doorbell) }
        let meanwhile = journal.endBatch(published: caches.features.journalEnd?.number)
        if !meanwhile.isEmpty, batch.attaches { publish(meanwhile) }
        for effect in batch.effects { perform(effect) }
        if batch.jobs > 0 { meters.noteBatch(jobs: batch.jobs, lockTime: batch.lockTime) }
        let uptime = effects.uptime()
        for command in batch.commands { meters.note(command, uptime: uptime, logger) }
        for answered in batch.answered {
            if case .closure(let closure) = answered.target { closure(answered.reply) }
        }
    }

    func refuse(_ job: Job, _ error: WireError) {
        switch job {
        case .command(let command, _, let actor, let target, _):
            switch target {
            case .closure(let closure): closure(.refused(error))
            case .session(let session, let id):
                meters.note(
                    AnsweredCommand(type(of: command.value).name, id: id, .refused(error), from: actor),
                    uptime: effects.uptime(), logger)
                publish([.reply(session, id: id, .refused(error))])
            }
        case .attach(let session, let id, _): publish([.reply(session, id: id, .refused(error))])
        case .detach(let session, let user, let since):
            // The connection is closed regardless of the database, so this cannot be refused.
            var batch = Batch(now: effects.now(), over: caches)
            batch.features.connections.isDoubtful = true
            if let ended = batch.unreached(session, since: since, journal) {
                caches.updateFeatures { $0.unnoted.append(ended) }
                scheduler.wake(TaskScheduler.connections, at: batch.now)
            }
            do {
                try batch.detach(session, of: user)
            } catch {
                logger.error("the end of a session could not be announced", metadata: ["error": "\(error)"])
            }
            committed(batch)
        case .participate(_, _, _, let then), .work(_, _, let then): then(.refused(error))
        }
    }

    static func refusal(for error: any Error) -> WireError {
        switch (error as? DatabaseFailure)?.kind {
        case .full:
            WireError(.storageFull, "The server's disk is full. Try again later.", retryAfterMs: 5_000)
        case .unsynced:
            WireError(
                .databaseAccess, "The server's disk failed. Nothing is stored until the server is restarted.",
                retryAfterMs: 10_000)
        // To try again does not help.
        case .corrupt: WireError(.internalFault)
        default:
            WireError(.databaseAccess, "The server could not store this. Try again.", retryAfterMs: 1_000)
        }
    }
}
