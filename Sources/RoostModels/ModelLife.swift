#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The running part of a model: one task, which ends with `stop()` or with the model.
///
/// Whatever a model does over time is a child of that task, so that nothing
/// outlives it. Work that is handed in while it does not run is dropped.
@MainActor final class ModelLife {
    typealias Job = @MainActor @Sendable () async -> Void

    private var task: Task<Void, Never>?
    private var jobs: AsyncStream<Job>.Continuation?

    deinit {
        jobs?.finish()
        task?.cancel()
    }

    var isRunning: Bool { task != nil }

    /// Runs the loops until they are stopped. They must not hold the model while they wait.
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

    /// Does something beside the loops.
    func run(_ job: @escaping Job) { jobs?.yield(job) }

    func stop() {
        jobs?.finish()
        jobs = nil
        task?.cancel()
        task = nil
    }
}

/// Wakes a model up at a time. While it is set, a later time changes nothing: who is woken looks again.
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

    /// Rings at the times that are set, until its task is cancelled.
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

/// The newest of several values, for one reader: what it has not come to read is passed over.
@MainActor final class Latest<Value: Sendable> {
    private var values: AsyncStream<Value>.Continuation?
    private var waiting: Value?

    func put(_ value: Value) {
        if let values { values.yield(value) } else { waiting = value }
    }

    /// Ends the reading, after what was put in.
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
