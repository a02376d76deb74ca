import Logging
import RoostWire
import Synchronization

/// Schedules the writer's time-based tasks.
///
/// Between two batches of commands, the writer runs one turn of each due task, in its own transaction. A turn does a
/// small amount of work and returns when the task is due next; if more is due now, further turns follow, with waiting
/// commands in between. A batch reports tasks that it schedules in `Batch.nextDue`. If other processes schedule tasks
/// too, they do them themselves, unless they end before; so every few seconds one transaction runs a turn of each task.
///
/// A failed turn has no effect and is retried later.
///
/// Background tasks are not urgent but may be long: only one of them runs at a time, and after each turn they rest
/// for twice as long as the turn took, so that they use at most a third of the writer's time. The rest is measured
/// with a monotonic clock.
struct TaskScheduler {
    /// One turn of a task.
    /// - Returns: when the task is due next, in ms since 1970: the current time to continue at once, nil if unknown.
    typealias Turn = @Sendable (inout Transaction) throws -> Int64?

    private struct Entry {
        var name: String
        var turn: Turn
        var isBackground: Bool
        /// When to run next. Initially 0, for tasks that became due while the server was not running.
        var nextAt: Int64? = 0
        /// Whether only its own turns determine when it is due.
        var isSelfScheduled = false
        /// Whether it is not what batches schedule, but has to be woken.
        var isWoken = false
        /// Whether it is tried again each second, however often it has failed.
        var isLease = false
        /// Whether `nextAt` is only a look at what other processes may have left.
        var isLook = false
        /// Since when it is due, if its last turn has failed or was put off.
        var dueSince: Int64?
        /// The number of consecutive failures.
        var failures = 0
    }

    private var entries: [Entry]
    /// Until when background tasks rest, in µs of `Effects.uptime`.
    private var idleUntil: Int64 = .min
    /// The index of the background task that ran last.
    private var lastInBackground = -1
    /// The latest time that was seen, in ms since 1970.
    private var latest: Int64 = 0

    init(_ entries: [(name: String, turn: Turn)], background: [(name: String, turn: Turn)] = []) {
        self.entries =
            entries.map { Entry(name: $0.name, turn: $0.turn, isBackground: false) }
            + background.map { Entry(name: $0.name, turn: $0.turn, isBackground: true) }
    }

    /// Adds a background task that only its own turns schedule, first due at a given time.
    mutating func add(_ name: String, at first: Int64, turn: @escaping Turn) {
        entries.append(Entry(name: name, turn: turn, isBackground: true, nextAt: first, isSelfScheduled: true))
    }

    /// Adds a background task that batches do not schedule: it looks at what others have left, and is woken.
    mutating func addWoken(_ name: String, turn: @escaping Turn) {
        entries.append(Entry(name: name, turn: turn, isBackground: true, isWoken: true))
    }

    /// Adds the task that shows others that this process is alive, which goes before all others.
    mutating func addLease(at first: Int64, turn: @escaping Turn) {
        let lease = Entry(
            name: "lease", turn: turn, isBackground: false, nextAt: first, isSelfScheduled: true, isLease: true)
        entries.insert(lease, at: 0)
    }

    /// The longest sleep, as the clock may be set, in ms.
    static let interval: Int64 = 1_000
    /// The time between two looks at what other processes may have left, in ms.
    static let lookInterval: Int64 = 2_000

    /// The ratio of rest to the duration of a background turn.
    private static let idleFactor: Int64 = 2

    /// Makes all tasks due if the clock was set back: they would otherwise wait until it is what it was.
    mutating func noteClock(_ now: Int64) {
        guard now < latest - Self.interval else {
            latest = max(latest, now)
            return
        }
        for index in entries.indices where entries[index].nextAt != nil { entries[index].nextAt = now }
        latest = now
    }

    /// When the next task is due, in ms since 1970.
    func nextDue(now: Int64, uptime: Int64) -> Int64? {
        let rested = idleUntil > uptime ? now + (idleUntil - uptime + 999) / 1_000 : .min
        return entries.compactMap { entry in entry.nextAt.map { entry.isBackground ? max($0, rested) : $0 } }.min()
    }

    /// Notes that a task is due at a time.
    mutating func note(_ due: Int64) {
        for index in entries.indices
        where entries[index].failures == 0 && !entries[index].isSelfScheduled && !entries[index].isWoken {
            guard entries[index].nextAt.map({ due < $0 }) ?? true else { continue }
            (entries[index].nextAt, entries[index].isLook) = (due, false)
        }
    }

    /// The tasks of which one turn is to show whether other processes have left anything: all of them, if one is due.
    ///
    /// The lease goes with them, and they with the lease if they are due soon, so that a server that has nothing to do
    /// needs one transaction for both.
    func dueLooks(now: Int64) -> [(index: Int, turn: Turn)] {
        let looks = entries.indices.filter { entries[$0].isLook }
        let lease = entries.indices.filter { entries[$0].isLease }
        let isLeaseDue = lease.contains { entries[$0].nextAt ?? .max <= now }
        let time = isLeaseDue ? now + Self.lookInterval / 2 : now
        guard looks.contains(where: { entries[$0].nextAt ?? .max <= time }) else { return [] }
        return (lease + looks).map { ($0, entries[$0].turn) }
    }

    /// Begins a look: from now on it counts what is noted.
    mutating func beginLook(_ index: Int) { (entries[index].nextAt, entries[index].isLook) = (nil, false) }

    /// Notes that a look was committed.
    mutating func endLook(_ index: Int, next: Int64?, now: Int64, hasOthers: Bool) {
        let noted = entries[index].nextAt
        done(index, next: next, now: now, hasOthers: hasOthers)
        guard let noted, noted < entries[index].nextAt ?? .max else { return }
        (entries[index].nextAt, entries[index].isLook) = (noted, false)
    }

    /// Notes that a look at several tasks has failed: each has a turn of its own then.
    mutating func failedLook(_ index: Int, now: Int64) { entries[index].nextAt = now }

    /// Makes a task due that nothing else does.
    mutating func wake(_ name: String, at time: Int64) {
        for index in entries.indices where entries[index].name == name && entries[index].failures == 0 {
            (entries[index].nextAt, entries[index].isLook) = (time, false)
        }
    }

    /// The tasks to run now; at most one of them is a background task, and these take turns.
    func due(now: Int64, uptime: Int64) -> [(index: Int, name: String, turn: Turn, isLease: Bool)] {
        let due = entries.indices.filter { index in
            !entries[index].isLook && entries[index].nextAt.map { $0 <= now } ?? false
        }
        let background = idleUntil > uptime ? [] : due.filter { entries[$0].isBackground }
        let next = background.first { $0 > lastInBackground } ?? background.first
        return due.filter { !entries[$0].isBackground || $0 == next }.map { index in
            let entry = entries[index]
            return (index, entry.name, entry.turn, entry.isLease)
        }
    }

    /// Since when or from when on each task is due, in ms since 1970; `.max` if it is not known, as before its first turn.
    var dueTimes: [String: Int64] {
        Dictionary(
            entries.map { entry in
                let due = entry.dueSince ?? entry.nextAt ?? 0
                return (entry.name, due > 0 ? due : .max)
            }, uniquingKeysWith: min)
    }

    /// Notes the end of a turn, successful or not; the times are those of `Effects.uptime`.
    mutating func ended(_ index: Int, from start: Int64, to end: Int64) {
        guard entries[index].isBackground else { return }
        lastInBackground = index
        idleUntil = end + Self.idleFactor * max(0, end - start)
    }

    /// Notes that a turn was committed.
    /// - Parameter hasOthers: whether other processes schedule tasks, too.
    mutating func done(_ index: Int, next: Int64?, now: Int64, hasOthers: Bool) {
        (entries[index].failures, entries[index].dueSince) = (0, nil)
        let look = now + Self.lookInterval
        entries[index].isLook = hasOthers && !entries[index].isSelfScheduled && next ?? .max > look
        entries[index].nextAt = entries[index].isLook ? look : next
    }

    /// Puts off what is due, without a turn.
    mutating func postpone(_ now: Int64) {
        for index in entries.indices where entries[index].nextAt.map({ $0 <= now }) ?? false {
            entries[index].dueSince = entries[index].dueSince ?? entries[index].nextAt
            entries[index].nextAt = now + Self.interval
        }
    }

    /// Notes that a turn failed: the next one follows after 1 s, 2 s, 4 s, then 8 s.
    mutating func failed(_ index: Int, now: Int64) {
        entries[index].dueSince = entries[index].dueSince ?? entries[index].nextAt
        let exponent = entries[index].isLease ? 0 : Int64(min(entries[index].failures, 3))
        entries[index].nextAt = now + Self.interval << exponent
        entries[index].failures += 1
    }
}

extension Writer {
    /// Whether other processes may schedule tasks.
    private var hasOthers: Bool { database.isShared && configuration.node?.settings.allowsOthers != false }

    /// Runs one turn of all tasks that other processes may have scheduled, in one transaction.
    /// - Returns: whether there was any.
    private func lookForTasks() -> Bool {
        let looks = scheduler.dueLooks(now: effects.now())
        guard !looks.isEmpty, keepLease() else { return false }
        for look in looks { scheduler.beginLook(look.index) }
        do {
            let next = try commit { transaction in
                let lease = transaction.batch.features.lease?.id
                // If the lease was lost, what the others find would be outdated.
                return try looks.map { look in
                    guard let now = transaction.batch.features.lease, now.isDisplaced || now.id != lease else {
                        return try look.turn(&transaction)
                    }
                    return nil
                }
            }
            for (look, next) in zip(looks, next) {
                scheduler.endLook(look.index, next: next, now: effects.now(), hasOthers: hasOthers)
            }
        } catch {
            for look in looks { scheduler.failedLook(look.index, now: effects.now()) }
        }
        return true
    }

    /// Runs one turn of every due task.
    func runDueTasks() {
        scheduler.noteClock(effects.now())
        // What a look finds goes on after the commands that wait.
        let hasLooked = lookForTasks()
        let due = scheduler.due(now: effects.now(), uptime: effects.uptime())
        run(due.filter(\.isLease))
        hadDueTasks.store(hasLooked || !due.isEmpty, ordering: .relaxed)
        // Before the turns, which may take long, and after them.
        if !due.isEmpty { noteDueTimes(scheduler.dueTimes) }
        if !hasLooked { run(due.filter { !$0.isLease }) }
        if hasLooked || !due.isEmpty { noteDueTimes(scheduler.dueTimes) }
    }

    private func run(_ due: [(index: Int, name: String, turn: TaskScheduler.Turn, isLease: Bool)]) {
        for (index, name, turn, isLease) in due {
            // The others may take long, and must not run if the lease is lost.
            if !isLease, !keepLease() { return scheduler.postpone(effects.now()) }
            let start = effects.uptime()
            defer { scheduler.ended(index, from: start, to: effects.uptime()) }
            do {
                let next = try commit(turn)
                scheduler.done(index, next: next, now: effects.now(), hasOthers: hasOthers)
            } catch {
                logger.error("scheduled task failed", metadata: ["task": "\(name)", "error": "\(error)"])
                scheduler.failed(index, now: effects.now())
                meters.add(to: .taskFailures, name)
                // If the database is unreachable, further tasks would only delay the waiting commands.
                if [.unavailable, .uncertain, .unsynced].contains((error as? DatabaseFailure)?.kind) { return }
            }
        }
    }
}
