#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The task of a running model, which ends with `stop()` or with the model.
///
/// All work of a model is a child of that task, so that nothing continues
/// after it. Work that is added while it does not run is dropped.
@MainActor final class ModelLife {
    typealias Job = @MainActor @Sendable () async -> Void

    private var task: Task<Void, Never>?
    private var jobs: AsyncStream<Job>.Continuation?

    deinit {
        jobs?.finish()
        task?.cancel()
    }

    var isRunning: Bool { task != nil }

    /// Runs the loops until they are stopped. They must not hold the model strongly while they wait.
    func start(_ loops: Job...) {
        guard task == nil else { return }
        let (stream, continuation) = AsyncStream.makeStream(of: Job.self)
        jobs = continuation
        task = Task {
            await withDiscardingTaskGroup { group in
                for loop in loops { group.addTask { await loop() } }
                for await job in stream { group.addTask { await job() } }
            }
        }
    }

    /// Runs a job in addition to the loops.
    func run(_ job: @escaping Job) { jobs?.yield(job) }

    func stop() {
        jobs?.finish()
        jobs = nil
        task?.cancel()
        task = nil
    }
}

/// Wakes a model at a time. While a time is set, a later one is ignored: the model checks again when it wakes.
@MainActor final class Alarm {
    private let clock: ModelClock
    private var times: AsyncStream<Date>.Continuation?
    private var next: Date?

    init(_ clock: ModelClock) { self.clock = clock }

    func set(_ time: Date?) {
        guard let time, next == nil else { return }
        next = time
        times?.yield(time)
    }

    /// Calls `ring` at the times that are set, until its task is cancelled.
    func run(_ ring: @MainActor () -> Void) async {
        let (stream, continuation) = AsyncStream.makeStream(of: Date.self)
        times = continuation
        if let next { continuation.yield(next) }
        for await time in stream {
            do { try await clock.sleep(time) } catch { return }
            next = nil
            ring()
        }
    }
}

/// The newest of several values, for one reader: older values that were not read are dropped.
@MainActor final class Latest<Value: Sendable> {
    private var values: AsyncStream<Value>.Continuation?
    private var waiting: Value?

    func put(_ value: Value) {
        if let values { values.yield(value) } else { waiting = value }
    }

    /// Ends the reading, after the last value.
    func finish() {
        values?.finish()
        values = nil
    }

    func read(_ body: @MainActor (Value) async -> Void) async {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
        values = continuation
        if let value = waiting {
            continuation.yield(value)
            waiting = nil
        }
        for await value in stream { await body(value) }
    }
}
