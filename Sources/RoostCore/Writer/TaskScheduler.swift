import Logging
import RoostWire
import Synchronization

/// Work that nobody asks for: it is done when its time has come.
///
/// Between two batches of commands the writer gives each kind of work that may be
/// due one turn, in a transaction of its own. A turn does a little of it and
/// tells when something is due next; while more is due it is given turn after
/// turn, and commands that have come meanwhile go in between. What a batch puts
/// off for later it notes in `Batch.nextDue`. Where other processes put things
/// off too, each kind is looked at every second.
///
/// A turn that fails has done nothing; it is tried again after a while.
///
/// Work in the background has no hurry and may be a lot: of all of it together one
/// turn is done at a time, and after a turn it rests twice as long as the turn took,
/// so that it has a third of the writer at the most. The rest is measured by a clock
/// that nobody sets.
struct TaskScheduler {
    /// One turn.
    /// - Returns: when there is something to do next, ms since 1970: now for more at once, nothing for not known.
    typealias Turn = @Sendable (inout Transaction) throws -> Int64?

    private struct Entry {
        var name: String
        var turn: Turn
        var isBackground: Bool
        /// When to look next. It begins with a look, for what became due while nobody was there.
        var nextAt: Int64? = 0
        /// Whether nobody but its own turns puts off anything of this kind.
        var isSelfScheduled = false
        /// How often it has failed without doing anything in between.
        var failures = 0
    }

    private var entries: [Entry]
    /// Until when the work in the background rests, in µs of `Effects.uptime`.
    private var idleUntil: Int64 = .min
    /// Which work in the background had the last turn.
    private var lastInBackground = -1

    init(_ entries: [(name: String, turn: Turn)], background: [(name: String, turn: Turn)] = []) {
        self.entries =
            entries.map { Entry(name: $0.name, turn: $0.turn, isBackground: false) }
            + background.map { Entry(name: $0.name, turn: $0.turn, isBackground: true) }
    }

    /// Adds work in the background whose turns alone say when the next is due, the first at a time.
    mutating func add(_ name: String, at first: Int64, turn: @escaping Turn) {
        entries.append(Entry(name: name, turn: turn, isBackground: true, nextAt: first, isSelfScheduled: true))
    }

    /// How often to look where other processes write too, and the longest sleep of a clock that may be set, in ms.
    static let interval: Int64 = 1_000

    /// How many times as long as a turn in the background took it rests.
    private static let idleFactor: Int64 = 2

    /// When to look next, ms since 1970.
    func nextDue(now: Int64, uptime: Int64) -> Int64? {
        let rested = idleUntil > uptime ? now + (idleUntil - uptime + 999) / 1_000 : .min
        return entries.compactMap { entry in entry.nextAt.map { entry.isBackground ? max($0, rested) : $0 } }.min()
    }

    /// Something is due then.
    mutating func note(_ due: Int64) {
        for index in entries.indices where entries[index].failures == 0 && !entries[index].isSelfScheduled {
            entries[index].nextAt = min(entries[index].nextAt ?? .max, due)
        }
    }

    /// The entries that are to be looked at: in the background one at most, and they take turns.
    func due(now: Int64, uptime: Int64) -> [(index: Int, name: String, turn: Turn)] {
        let due = entries.indices.filter { index in entries[index].nextAt.map { $0 <= now } ?? false }
        let background = idleUntil > uptime ? [] : due.filter { entries[$0].isBackground }
        let next = background.first { $0 > lastInBackground } ?? background.first
        return due.filter { !entries[$0].isBackground || $0 == next }.map { ($0, entries[$0].name, entries[$0].turn) }
    }

    /// A turn has ended, well or not; the times are those of `Effects.uptime`.
    mutating func ended(_ index: Int, from start: Int64, to end: Int64) {
        guard entries[index].isBackground else { return }
        lastInBackground = index
        idleUntil = end + Self.idleFactor * max(0, end - start)
    }

    /// A turn was committed.
    mutating func done(_ index: Int, next: Int64?, now: Int64, isShared: Bool) {
        entries[index].failures = 0
        entries[index].nextAt =
            isShared && !entries[index].isSelfScheduled ? min(next ?? .max, now + Self.interval) : next
    }

    /// A turn has failed: 1 s, 2 s, 4 s, 8 s until the next one.
    mutating func failed(_ index: Int, now: Int64) {
        entries[index].nextAt = now + Self.interval << Int64(min(entries[index].failures, 3))
        entries[index].failures += 1
    }
}

extension Writer {
    /// Gives everything that may be due one turn.
    func runDueTasks() {
        let due = scheduler.due(now: effects.now(), uptime: effects.uptime())
        hadDueTasks.store(!due.isEmpty, ordering: .relaxed)
        for (index, name, turn) in due {
            let start = effects.uptime()
            defer { scheduler.ended(index, from: start, to: effects.uptime()) }
            do {
                let next = try commit(turn)
                scheduler.done(index, next: next, now: effects.now(), isShared: database.isShared)
            } catch {
                logger.error("due work failed", metadata: ["work": "\(name)", "error": "\(error)"])
                scheduler.failed(index, now: effects.now())
                // Where the database is out of reach each further one would take as long, and commands wait for them.
                if (error as? DatabaseFailure)?.kind == .unavailable { return }
            }
        }
    }
}
