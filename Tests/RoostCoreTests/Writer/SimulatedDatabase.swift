import Foundation
import RoostCore
import RoostTesting

/// The connection of one core to a database that survives its crash.
///
/// Commits can be held and made to fail. A read sees the database as it is when the core begins it, but its result is
/// held until it is released, so that what is committed meanwhile can be delivered before it.
///
/// `@unchecked Sendable`: everything below `condition` is accessed only while it is locked.
final class SimulatedDatabase: SQLDatabase, @unchecked Sendable {
    /// A read that has read.
    private struct Held {
        var number: Int
        var finish: @Sendable (_ hasCrashed: Bool) -> Void
    }

    private let inner: any SQLDatabase
    private let condition = NSCondition()
    private var isShut = false
    private var isReached = false
    private var hasCrashed = false
    private var failures: [DatabaseFailure.Kind] = []
    private var begun = 0
    private var running = 0
    private var held: [Held] = []

    init(_ inner: any SQLDatabase) { self.inner = inner }

    var isShared: Bool { inner.isShared }
    var encryptsContent: Bool { inner.encryptsContent }

    /// Holds transactions that write before they begin.
    func shut() {
        condition.withLock {
            isShut = true
            isReached = false
        }
    }

    func open() {
        condition.withLock {
            isShut = false
            condition.broadcast()
        }
    }

    /// Waits until a transaction is held, and all reads that the core has begun have read.
    func waitUntilHeld() throws {
        let limit = Date(timeIntervalSinceNow: SimulatedCore.patience)
        let isThere = condition.withLock {
            while !isReached || running > 0 {
                guard condition.wait(until: limit) else { return false }
            }
            return true
        }
        guard isThere else { throw SimulatedCore.Stuck() }
    }

    /// Makes the next transactions that write fail at their ends.
    func failCommits(_ kind: DatabaseFailure.Kind, count: Int) {
        condition.withLock { failures += Array(repeating: kind, count: count) }
    }

    func heal() { condition.withLock { failures = [] } }

    /// Ends the process of the core: nothing that it has not committed is stored any more.
    func crash() {
        let reads = condition.withLock {
            hasCrashed = true
            isShut = false
            condition.broadcast()
            defer { held = [] }
            return held
        }
        for read in reads { read.finish(true) }
    }

    /// Passes the results of reads on, in the order in which the reads have begun.
    /// - Returns: whether there were any.
    @discardableResult
    func releaseReads() -> Bool {
        let released = condition.withLock {
            guard running == 0 else { return [Held]() }
            defer { held = [] }
            return held.sorted { $0.number < $1.number }
        }
        for read in released { read.finish(false) }
        return !released.isEmpty
    }

    func write<T>(_ body: (any SQLConnection) throws -> T) throws -> T {
        try pass()
        return try inner.write { connection in
            let value = try body(connection)
            let failure = condition.withLock { () -> DatabaseFailure.Kind? in
                if hasCrashed { return .unavailable }
                return failures.isEmpty ? nil : failures.removeFirst()
            }
            if let failure { throw DatabaseFailure(failure, "the simulation wants it") }
            return value
        }
    }

    private func pass() throws {
        let hasCrashed = condition.withLock {
            if isShut {
                isReached = true
                condition.broadcast()
            }
            while isShut { condition.wait() }
            return self.hasCrashed
        }
        if hasCrashed { throw DatabaseFailure(.unavailable, "the core has crashed") }
    }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T,
        then: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        let number = condition.withLock {
            begun += 1
            running += 1
            return begun
        }
        inner.read(body) { result in
            let read = Held(number: number) { hasCrashed in
                let crash = DatabaseFailure(.unavailable, "the core has crashed")
                then(hasCrashed ? .failure(crash) : result)
            }
            let hasCrashed = self.condition.withLock {
                self.running -= 1
                if !self.hasCrashed { self.held.append(read) }
                self.condition.broadcast()
                return self.hasCrashed
            }
            if hasCrashed { read.finish(true) }
        }
    }

    /// The database is that of all cores.
    func close() throws {}
}
