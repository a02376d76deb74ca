import RoostWire
import Synchronization

/// The reads that are under way and that wait: of one user only some at a time, so that nobody takes all readers of the
/// database from the others. The reads of a user begin in their order.
final class ReadQueue: Sendable {
    private struct Line {
        var running = 0
        var waiting: [@Sendable () -> Void] = []
        /// Whether somebody is at starting those that may start.
        var isStarting = false
    }

    private let most: Int
    private let lines = Mutex<[UserID: Line]>([:])

    /// Makes a queue in which that many reads of a user run at a time.
    init(most: Int) { self.most = max(1, most) }

    /// How many users have a read that runs or waits.
    var count: Int { lines.withLock { $0.count } }

    /// Starts a read when it is its turn; when the read is over, `ended` must be called.
    func enter(_ user: UserID, _ start: @escaping @Sendable () -> Void) {
        lines.withLock { $0[user, default: Line()].waiting.append(start) }
        startWaiting(of: user)
    }

    /// A read of a user is over.
    func ended(_ user: UserID) {
        lines.withLock { $0[user]?.running -= 1 }
        startWaiting(of: user)
    }

    /// Starts what may start. A read that ends while it is being started must not start the next one, and that the next.
    private func startWaiting(of user: UserID) {
        let isMine = lines.withLock { lines in
            guard lines[user]?.isStarting == false else { return false }
            lines[user]?.isStarting = true
            return true
        }
        guard isMine else { return }
        while let start = next(of: user) { start() }
    }

    private func next(of user: UserID) -> (@Sendable () -> Void)? {
        lines.withLock { lines in
            guard var line = lines[user] else { return nil }
            lines[user] = nil
            guard line.running < most, !line.waiting.isEmpty else {
                line.isStarting = false
                if line.running > 0 { lines[user] = line }
                return nil
            }
            line.running += 1
            defer { lines[user] = line }
            return line.waiting.removeFirst()
        }
    }
}
