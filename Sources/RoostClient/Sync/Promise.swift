import Synchronization

/// A result that is available later, and the tasks that wait for it.
final class Promise<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, RoostError>?
        var waiters: [Int: CheckedContinuation<Result<Value, RoostError>, Never>] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// Sets the result for all waiting tasks; a second result is ignored.
    func complete(_ result: Result<Value, RoostError>) {
        let waiters = state.withLock { state in
            guard state.result == nil else { return [CheckedContinuation<Result<Value, RoostError>, Never>]() }
            state.result = result
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: result) }
    }

    /// The result, if it is available.
    var result: Result<Value, RoostError>? { state.withLock { $0.result } }

    /// Waits for the result; a cancelled task stops waiting.
    var value: Value {
        get async throws(RoostError) {
            let number = state.withLock { state in
                state.next += 1
                return state.next
            }
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let known = state.withLock { state -> Result<Value, RoostError>? in
                        if let result = state.result { return result }
                        if Task.isCancelled { return .failure(Self.cancellation) }
                        state.waiters[number] = continuation
                        return nil
                    }
                    if let known { continuation.resume(returning: known) }
                }
            } onCancel: {
                let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
                waiter?.resume(returning: .failure(Self.cancellation))
            }
            return try result.get()
        }
    }

    private static var cancellation: RoostError {
        RoostError(.cancelled, "The task was cancelled while it waited for the answer.")
    }
}
