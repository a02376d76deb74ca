import Synchronization

/// Delivers each element to all current subscriptions.
final class Multicast<Element: Sendable>: Sendable {
    /// The last element of a subscription that is read too slowly.
    private let lagged: Element?
    private let limit: Int
    private let subscriptions = Mutex<[Int: Buffer<Element>]>([:])
    private let next = Atomic<Int>(0)

    init(limit: Int, lagged: Element?) {
        self.limit = limit
        self.lagged = lagged
    }

    deinit {
        for buffer in subscriptions.withLock({ Array($0.values) }) { buffer.finish() }
    }

    /// A subscription from now on; it ends when its last copy is dropped.
    func subscribe(
        startingWith first: [Element] = [], where isWanted: (@Sendable (Element) -> Bool)? = nil
    ) -> Subscription<Element> {
        let buffer = Buffer<Element>(first: first, isWanted: isWanted)
        let number = next.add(1, ordering: .relaxed).newValue
        subscriptions.withLock { $0[number] = buffer }
        return Subscription(buffer: buffer) { [weak self] in
            self?.subscriptions.withLock { $0[number] = nil }
        }
    }

    /// Sends elements to all subscriptions.
    func yield(_ elements: [Element]) {
        guard !elements.isEmpty else { return }
        for buffer in subscriptions.withLock({ Array($0.values) }) {
            buffer.push(elements, limit: limit, lagged: lagged)
        }
    }
}

/// One subscription of a multicast.
final class Subscription<Element: Sendable>: Sendable {
    let buffer: Buffer<Element>
    private let end: @Sendable () -> Void

    init(buffer: Buffer<Element>, end: @escaping @Sendable () -> Void) {
        self.buffer = buffer
        self.end = end
    }

    deinit { end() }
}

/// The buffered elements of one reader. They are removed in batches, so that a busy reader locks once for many.
final class Buffer<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element]
        var waiters: [CheckedContinuation<Void, Never>] = []
        var isFinished = false

        mutating func dequeueWaiters() -> [CheckedContinuation<Void, Never>] {
            defer { waiters.removeAll() }
            return waiters
        }
    }

    private let isWanted: (@Sendable (Element) -> Bool)?
    private let state: Mutex<State>

    init(first: [Element], isWanted: (@Sendable (Element) -> Bool)?) {
        self.isWanted = isWanted
        state = Mutex(State(elements: first))
    }

    func push(_ new: [Element], limit: Int, lagged: Element?) {
        let wanted = isWanted.map { new.filter($0) } ?? new
        guard !wanted.isEmpty else { return }
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard !state.isFinished else { return [] }
            state.elements.append(contentsOf: wanted)
            if state.elements.count > limit {
                if let lagged {
                    state.elements.removeSubrange(limit...)
                    state.elements.append(lagged)
                    state.isFinished = true
                } else {
                    state.elements.removeFirst(state.elements.count - limit)
                }
            }
            return state.dequeueWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Ends the subscription.
    func finish() {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.isFinished = true
            return state.dequeueWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    /// All buffered elements, at least one; nil if the sequence or the task has ended.
    func nextBatch() async -> [Element]? {
        while true {
            var taken: [Element] = []
            let isFinished = state.withLock { state in
                swap(&taken, &state.elements)
                return state.isFinished
            }
            if !taken.isEmpty { return taken }
            if isFinished || Task.isCancelled { return nil }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        if !state.elements.isEmpty || state.isFinished || Task.isCancelled { return true }
                        state.waiters.append(continuation)
                        return false
                    }
                    if isReady { continuation.resume() }
                }
            } onCancel: {
                for waiter in state.withLock({ $0.dequeueWaiters() }) { waiter.resume() }
            }
        }
    }
}
