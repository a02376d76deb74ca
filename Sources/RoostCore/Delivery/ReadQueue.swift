import DequeModule
import RoostWire
import Synchronization

/// Running and waiting reads. Only a few reads of a user run at a time, so that one user cannot occupy all readers of
/// the database. The reads of a user start in order.
final class ReadQueue: Sendable {
    /// The reads of one user.
    private struct UserReads {
        var running = 0
        var waiting = Deque<@Sendable () -> Void>()
        /// Whether a thread is currently starting reads of this user.
        var isStarting = false
    }

    private struct State {
        var users: [UserID: UserReads] = [:]
        /// Callbacks for when no read runs or waits.
        var onIdle: [@Sendable () -> Void] = []
    }

    private let most: Int
    private let state = Mutex(State())

    /// Creates a queue that runs up to this many reads per user at a time.
    init(most: Int) { self.most = max(1, most) }

    /// The number of users with a running or waiting read.
    var count: Int { state.withLock { $0.users.count } }

    /// Starts a read when it is its turn. `finish` must be called when the read is done.
    func enqueue(_ user: UserID, _ start: @escaping @Sendable () -> Void) {
        state.withLock { $0.users[user, default: UserReads()].waiting.append(start) }
        startWaiting(of: user)
    }

    /// Notes that a read of a user is done.
    func finish(_ user: UserID) {
        state.withLock { $0.users[user]?.running -= 1 }
        startWaiting(of: user)
    }

    /// Calls `next` as soon as no read runs or waits.
    func whenIdle(_ next: @escaping @Sendable () -> Void) {
        let isIdle = state.withLock { state in
            if !state.users.isEmpty { state.onIdle.append(next) }
            return state.users.isEmpty
        }
        if isIdle { next() }
    }

    /// Starts the reads that may run. A read that ends while it is being started must not start the next one
    /// recursively.
    private func startWaiting(of user: UserID) {
        let isMine = state.withLock { state in
            guard state.users[user]?.isStarting == false else { return false }
            state.users[user]?.isStarting = true
            return true
        }
        guard isMine else { return }
        while let start = next(of: user) { start() }
        let next = state.withLock { state -> [@Sendable () -> Void] in
            guard state.users.isEmpty else { return [] }
            defer { state.onIdle = [] }
            return state.onIdle
        }
        for next in next { next() }
    }

    private func next(of user: UserID) -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard var reads = state.users[user] else { return nil }
            state.users[user] = nil
            guard reads.running < most, let start = reads.waiting.popFirst() else {
                reads.isStarting = false
                if reads.running > 0 { state.users[user] = reads }
                return nil
            }
            reads.running += 1
            state.users[user] = reads
            return start
        }
    }
}
