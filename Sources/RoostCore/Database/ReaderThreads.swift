import DequeModule
import Foundation

/// The threads that read a database. Each is started on demand and runs one job after the other.
///
/// `@unchecked Sendable`: everything below `condition` is accessed only while it is locked.
package final class ReaderThreads<Job: Sendable>: @unchecked Sendable {
    private let most: Int
    private let work: @Sendable (ReaderThreads<Job>) -> Void
    private let condition = NSCondition()
    private var jobs = Deque<Job>()
    private var threads = 0
    private var idle = 0
    private var isStopped = false

    /// Prepares up to this many threads without starting any.
    /// - Parameter work: the body of a thread: it calls `next` for one job after the other until it returns nil.
    package init(most: Int, work: @escaping @Sendable (ReaderThreads<Job>) -> Void) {
        self.most = max(1, most)
        self.work = work
    }

    /// Submits a job.
    /// - Returns: whether the job was accepted; false once the threads are stopped.
    package func submit(_ job: Job) -> Bool {
        condition.withLock {
            guard !isStopped else { return false }
            jobs.append(job)
            if idle < jobs.count, threads < most {
                threads += 1
                Thread { self.work(self) }.start()
            }
            condition.signal()
            return true
        }
    }

    /// Removes and returns the waiting jobs from the front while a condition holds.
    package func dequeueWaiting(while belongs: (Job) -> Bool) -> [Job] {
        condition.withLock {
            var taken: [Job] = []
            while let first = jobs.first, belongs(first), let job = jobs.popFirst() { taken.append(job) }
            return taken
        }
    }

    /// Stops the threads after their current jobs.
    /// - Returns: the waiting jobs, which will not run.
    package func stop() -> [Job] {
        condition.withLock {
            isStopped = true
            condition.broadcast()
            var waiting: [Job] = []
            while let job = jobs.popFirst() { waiting.append(job) }
            return waiting
        }
    }

    /// Waits for the next job, on one of the threads.
    /// - Returns: nil once the threads are stopped.
    package func next() -> Job? {
        condition.lock()
        defer { condition.unlock() }
        while jobs.isEmpty, !isStopped {
            idle += 1
            condition.wait()
            idle -= 1
        }
        return isStopped ? nil : jobs.popFirst()
    }
}
