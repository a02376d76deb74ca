import Foundation
import Logging
import RoostWire
import Synchronization

/// Where an answer goes.
enum ReplyTarget: Sendable {
    case session(SessionID, id: String)
    case closure(@Sendable (Reply) -> Void)
}

/// The one thread that changes anything.
///
/// It takes the jobs that wait, decides them one after the other on values,
/// writes the outcome set by set in one transaction, waits for the disk, and only
/// then answers and publishes. While it commits, the next batch gathers by
/// itself: nobody needs a timer. What one user wants does not hold the others up:
/// `JobQueue` says whose turn it is, `BatchBudget` when a batch is large enough,
/// and `CommandProgress` how a command over all channels is cut into turns. Its caches change after the commit, never
/// before, so a failed batch leaves no trace; it is then tried again job by job,
/// so that one bad command does not take the others with it.
///
/// `@unchecked Sendable`: `arrived`, `isStopping` and `hasEnded` are touched only
/// with `condition` locked; everything below `state` only by the writer's thread,
/// which `start` makes once.
final class Writer: @unchecked Sendable {
    private let condition = NSCondition()
    private var arrived: [Job] = []
    private var isStopping = false
    private var hasEnded = false
    /// The time of the batch that is being committed.
    private let runningSince = Mutex<Int64?>(nil)
    private var onEnd: [@Sendable () -> Void] = []

    let database: any SQLDatabase
    let configuration: CoreConfiguration
    let effects: Effects
    let epoch: String
    let limits: [UInt8]
    let logger: Logger
    let publish: @Sendable ([Delivery]) -> Void

    // state
    private var waiting = JobQueue()
    let caches: Caches
    var announcements = MarkAnnouncements()
    var activeCounts: ActiveCounts
    var scheduler = TaskScheduler(
        [
            ("schedules", { try $0.sendDueSchedules() }), ("votes", { try $0.closeDueVotes() }),
            ("news", { try $0.expireNews() }),
        ],
        background: [("broadcasts", { try $0.sendBroadcasts() }), ("subscriptions", { try $0.continueBulkChange() })])

    init(
        database: any SQLDatabase, configuration: CoreConfiguration, effects: Effects, epoch: String, logger: Logger,
        participants: Participants, publish: @escaping @Sendable ([Delivery]) -> Void
    ) throws {
        self.database = database
        self.configuration = configuration
        self.effects = effects
        self.epoch = epoch
        limits = try WireCodec.encode(configuration.limits)
        self.logger = logger
        self.publish = publish
        caches = Caches(
            sessions: LiveSessions(participants: participants), retention: RetentionScan(nextAt: effects.now()))
        if !configuration.retention.isEmpty {
            scheduler.add("retention", at: caches.retention.nextAt) { try $0.purge() }
        }
        // What a start has to do comes first.
        let firstLook = effects.now() + min(configuration.retentionInterval, 60_000)
        scheduler.add("expiry", at: firstLook) { try $0.deleteExpired() }
        activeCounts = ActiveCounts(now: effects.now(), interval: configuration.activeCountInterval)
    }

    func start() {
        let thread = Thread { self.run() }
        thread.name = "roost-writer"
        thread.stackSize = 4 << 20
        thread.start()
    }

    /// Gives the writer something to do.
    /// - Returns: whether it was taken; false once the writer is stopping.
    func submit(_ job: Job) -> Bool {
        condition.withLock {
            guard !isStopping else { return false }
            arrived.append(job)
            if arrived.count == 1 { condition.signal() }
            return true
        }
    }

    /// Finishes what was taken, takes nothing more, and calls `end` when the thread is done. A command of several turns is
    /// broken off.
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

    /// Whether the thread is done.
    var isOver: Bool { condition.withLock { hasEnded } }

    private func run() {
        while let jobs = nextJobs() {
            if !jobs.isEmpty { requeue(process(jobs)) }
            announceMarks(isLast: false)
            announceTyping()
            announceActiveCounts()
            runDueTasks()
        }
        announceMarks(isLast: true)
        let end = condition.withLock {
            hasEnded = true
            return onEnd
        }
        for done in end { done() }
    }

    /// Keeps what a batch has left undone for the next ones. A command that needs more turns ends here when the writer
    /// is stopping: given again, it goes on where it was broken off.
    private func requeue(_ left: [Job]) {
        guard condition.withLock({ isStopping }) else { return waiting.requeue(left) }
        for job in left where job.isUnderWay { refuse(job, WireError(.draining)) }
        waiting.requeue(left.filter { !$0.isUnderWay })
    }

    /// Takes a batch, and waits for one, but not beyond the next announcement; nothing when it is time to end.
    private func nextJobs() -> [Job]? {
        guard let jobs = dequeueArrived() else { return nil }
        waiting.append(jobs)
        return waiting.next(most: configuration.batchSize)
    }

    /// What has come since the last time; where nothing waits, it is waited for.
    private func dequeueArrived() -> [Job]? {
        condition.lock()
        defer { condition.unlock() }
        while arrived.isEmpty, waiting.isEmpty {
            if isStopping { return nil }
            let now = effects.now()
            let nextTask = scheduler.nextDue(now: now, uptime: effects.uptime())
            let nextTyping = caches.sessions.typists.nextDue
            if let due = [announcements.nextDue, nextTyping, activeCounts.nextDue, nextTask].compactMap({ $0 }).min() {
                // Not longer, because the clock may be set.
                let wait = Double(max(0, min(due, now + TaskScheduler.interval) - now)) / 1_000
                if wait <= 0 || !condition.wait(until: Date(timeIntervalSinceNow: wait)) { return [] }
            } else {
                condition.wait()
            }
        }
        var jobs: [Job] = []
        swap(&jobs, &arrived)
        return jobs
    }

    /// The time that a batch stands under.
    private func begin() -> Int64 {
        runningSince.withLock { since in
            let now = effects.now()
            since = now
            return now
        }
    }

    /// A time such that whatever is not committed yet is stored with this one or a later one, by this process.
    func settledAt() -> Int64 { runningSince.withLock { min($0 ?? .max, effects.now()) } }

    /// - Returns: what of the jobs is still to be done, in its order.
    private func process(_ jobs: [Job]) -> [Job] {
        do {
            return try commit { try $0.run(jobs) }
        } catch {
            // The transaction is rolled back as a whole and the caches are as before it.
            switch (error as? DatabaseFailure)?.kind {
            case .unavailable, .busy:
                // No command is to blame, and one by one they would only wait longer.
                logger.error("database out of reach", metadata: ["error": "\(error)", "commands": "\(jobs.count)"])
                for job in jobs { refuse(job, Self.refusal(for: error)) }
                return []
            default: break
            }
            if jobs.count > 1 {
                logger.warning("batch failed, trying its commands one by one", metadata: ["error": "\(error)"])
                return processSingly(jobs)
            }
            logger.error("commit failed", metadata: ["error": "\(error)"])
            for job in jobs { refuse(job, Self.refusal(for: error)) }
            return []
        }
    }

    private func processSingly(_ jobs: [Job]) -> [Job] {
        var left: [Job] = []
        var unfinished: Set<UserID> = []
        for job in jobs {
            let rest = unfinished.contains(job.user) ? [job] : process([job])
            if !rest.isEmpty { unfinished.insert(job.user) }
            left += rest
        }
        return left
    }

    /// Decides a batch, writes it, and carries out what follows from it.
    /// - Throws: why nothing of it has happened.
    func commit<T>(_ decide: (inout Transaction) throws -> T) throws -> T {
        defer { runningSince.withLock { $0 = nil } }
        let (batch, value) = try database.write { connection in
            var transaction = Transaction(Batch(now: begin(), over: caches), connection, of: self)
            let value = try decide(&transaction)
            try transaction.flush()
            return (transaction.batch, value)
        }
        // Whoever is told of it below may ask at once what has changed since.
        runningSince.withLock { $0 = nil }
        committed(batch)
        return value
    }

    func committed(_ batch: Batch) {
        caches.apply(batch)
        for user in batch.sessions.presenceChanges { activeCounts.note(user) }
        announcements.add(batch.movedMarks)
        if let due = batch.nextDue { scheduler.note(due) }
        if let scan = batch.retention { scan.log(to: logger) }
        caches.evict(downTo: configuration.cachedMembers, without: announcements.isWaiting)
        if !batch.deliveries.isEmpty { publish(batch.deliveries) }
        for answered in batch.answered {
            if case .closure(let closure) = answered.target { closure(answered.reply) }
        }
    }

    private func refuse(_ job: Job, _ error: WireError) {
        switch job {
        case .command(_, _, _, let target, _):
            switch target {
            case .closure(let closure): closure(.refused(error))
            case .session(let session, let id): publish([.reply(session, id: id, .refused(error))])
            }
        case .attach(let session, let id, _): publish([.reply(session, id: id, .refused(error))])
        case .detach(let session, let user):
            // The connection is gone, whatever the database says: this is no wish that could be refused.
            var batch = Batch(now: effects.now(), over: caches)
            do {
                try batch.detach(session, of: user)
            } catch {
                logger.error("typing could not be ended", metadata: ["error": "\(error)"])
            }
            committed(batch)
        case .participate(_, _, _, let then): then(.refused(error))
        }
    }

    static func refusal(for error: any Error) -> WireError {
        switch (error as? DatabaseFailure)?.kind {
        case .full:
            WireError(.storageFull, "The server's disk is full. Try again later.", retryAfterMs: 5_000)
        default:
            WireError(.databaseAccess, "The server could not store this. Try again.", retryAfterMs: 1_000)
        }
    }
}
