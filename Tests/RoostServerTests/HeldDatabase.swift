import Foundation
import RoostCore

/// A database whose commits a test can hold, like a database that has stopped responding.
///
/// `@unchecked Sendable`: the mutable state is only accessed while `condition` is locked.
final class HeldDatabase: SQLDatabase, @unchecked Sendable {
    private let inner: any SQLDatabase
    private let condition = NSCondition()
    private var isHolding = false
    private var isHeld = false
    private var whenHeld: (@Sendable () -> Void)?

    init(_ inner: any SQLDatabase) { self.inner = inner }

    var isShared: Bool { inner.isShared }
    var encryptsContent: Bool { inner.encryptsContent }

    /// Holds all commits from now on.
    func hold() { condition.withLock { isHolding = true } }

    /// Releases all commits.
    func release() {
        condition.withLock {
            (isHolding, isHeld) = (false, false)
            condition.broadcast()
        }
    }

    /// Waits until a commit is held.
    func waitUntilHeld() async {
        await withCheckedContinuation { continuation in
            let isThere = condition.withLock {
                if !isHeld { whenHeld = { continuation.resume() } }
                return isHeld
            }
            if isThere { continuation.resume() }
        }
    }

    func write<T>(_ body: (any SQLConnection) throws -> T) throws -> T {
        try inner.write { connection in
            let value = try body(connection)
            condition.withLock {
                guard isHolding else { return }
                isHeld = true
                whenHeld?()
                whenHeld = nil
                while isHolding { condition.wait() }
            }
            return value
        }
    }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T,
        then: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        inner.read(body, then: then)
    }

    func close() throws { try inner.close() }
}
