import Foundation
import RoostCore

/// A database of which a test can hold one commit up, as one that has stopped answering does.
///
/// `@unchecked Sendable`: what changes is touched only with `condition` locked.
final class HeldDatabase: SQLDatabase, @unchecked Sendable {
    private let inner: any SQLDatabase
    private let condition = NSCondition()
    private var isHolding = false
    private var isHeld = false
    private var whenHeld: (@Sendable () -> Void)?

    init(_ inner: any SQLDatabase) { self.inner = inner }

    var isShared: Bool { inner.isShared }

    /// Lets no commit through any more.
    func hold() { condition.withLock { isHolding = true } }

    /// Lets every commit through again.
    func release() {
        condition.withLock {
            (isHolding, isHeld) = (false, false)
            condition.broadcast()
        }
    }

    /// Waits until a commit is held up.
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
