import Foundation

/// The threads that read a database: each is started when it is needed, and takes one job after the other.
///
/// `@unchecked Sendable`: everything below `condition` is touched only with it locked.
package final class ReaderThreads<Job: Sendable>: @unchecked Sendable {
    private let most: Int
    private let work: @Sendable (ReaderThreads<Job>) -> Void
    private let condition = NSCondition()
    private var jobs = FIFOQueue<Job>()
    private var threads = 0
    private var idle = 0
    private var isStopped = false

    /// Prepares that many threads, and starts none.
    /// - Parameter work: what a thread does: it asks for one job after the other, by `next`, until there is none.
    package init(most: Int, work: @escaping @Sendable (ReaderThreads<Job>) -> Void) {
        self.most = max(1, most)
        self.work = work
    }

    /// Gives a thread something to do.
    /// - Returns: whether it was taken; false once the threads are stopped.
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

    /// Takes the first of the jobs that wait away, as many as belong together.
    package func dequeueWaiting(while belongs: (Job) -> Bool) -> [Job] {
        condition.withLock {
            var taken: [Job] = []
            while let first = jobs.first, belongs(first), let job = jobs.popFirst() { taken.append(job) }
            return taken
        }
    }

    /// Ends the threads after what they are at.
    /// - Returns: what waits still, and is not done.
    package func stop() -> [Job] {
        condition.withLock {
            isStopped = true
            condition.broadcast()
            var waiting: [Job] = []
            while let job = jobs.popFirst() { waiting.append(job) }
            return waiting
        }
    }

    /// Waits for a job, on one of the threads.
    /// - Returns: nil once they are stopped.
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
