import Foundation
import RoostCore

/// The threads that read, each with a connection of its own.
///
/// `@unchecked Sendable`: everything below `condition` is touched only with it locked.
final class PostgresReaders: @unchecked Sendable {
    private struct Job {
        var run: @Sendable (PostgresConnection) throws -> Bool
        var failed: @Sendable (any Error) -> Void
        var since = ContinuousClock.now
    }

    /// How long a read waits for a server that does not answer.
    private static let patience = Duration.seconds(2)

    private let url: String
    private let most: Int
    private let condition = NSCondition()
    private var jobs: [Job] = []
    private var threads = 0
    private var idle = 0
    private var isStopped = false

    init(url: String, count: Int) {
        self.url = url
        most = max(1, count)
    }

    /// Gives a reader something to do; a thread is started when none is idle.
    func submit(
        _ run: @escaping @Sendable (PostgresConnection) throws -> Bool, failed: @escaping @Sendable (any Error) -> Void
    ) {
        let isOpen = condition.withLock {
            guard !isStopped else { return false }
            jobs.append(Job(run: run, failed: failed))
            if idle < jobs.count, threads < most {
                threads += 1
                Thread { self.work() }.start()
            }
            condition.signal()
            return true
        }
        if !isOpen { failed(DatabaseFailure(.unavailable, "PostgreSQL: the database is closed")) }
    }

    /// Ends the threads after what they are at; what still waits fails.
    func stop() {
        let waiting = condition.withLock {
            isStopped = true
            condition.broadcast()
            defer { jobs = [] }
            return jobs
        }
        for job in waiting { job.failed(DatabaseFailure(.unavailable, "PostgreSQL: the database is closed")) }
    }

    private func next() -> Job? {
        condition.lock()
        defer { condition.unlock() }
        while jobs.isEmpty, !isStopped {
            idle += 1
            condition.wait()
            idle -= 1
        }
        return isStopped ? nil : jobs.removeFirst()
    }

    /// The jobs that have waited for too long: trying each would make the others wait even longer.
    private func takeWaiting(since late: ContinuousClock.Instant) -> [Job] {
        condition.withLock {
            let waiting = jobs.prefix { $0.since < late }
            jobs.removeFirst(waiting.count)
            return Array(waiting)
        }
    }

    private func work() {
        var connection: PostgresConnection?
        while let job = next() {
            var backoff = Backoff()
            while true {
                do {
                    let open = try connection ?? PostgresConnection(url)
                    connection = open
                    if try !job.run(open) { connection = nil }
                    break
                } catch {
                    // It may have been lost while nobody looked: then the next one is as good.
                    let wasOld = connection != nil
                    connection = nil
                    let late = ContinuousClock.now - Self.patience
                    if job.since < late {
                        for job in [job] + takeWaiting(since: late) { job.failed(error) }
                        break
                    }
                    if !wasOld { Thread.sleep(forTimeInterval: backoff.next()) }
                }
            }
        }
    }

    /// Reads one snapshot.
    /// - Throws: what makes the connection useless before there is an answer; any other failure goes to `then`.
    /// - Returns: whether the connection can still be used.
    static func run<T>(
        _ body: (any SQLConnection) throws -> T, _ connection: PostgresConnection, tables: TableTypes,
        then: (Result<T, any Error>) -> Void
    ) throws -> Bool {
        let transaction = PostgresTransaction(tables: tables, connection: connection)
        let result: Result<T, any Error>
        do {
            try transaction.watch { try connection.queue("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") }
            result = .success(try body(transaction))
        } catch let failure as DatabaseFailure where transaction.hasFailed && failure.kind == .unavailable {
            throw failure
        } catch {
            result = .failure(error)
        }
        // The answer need not wait for the end of the transaction.
        then(result)
        do {
            try connection.queue("COMMIT")
            try connection.collect()
            return true
        } catch {
            return false
        }
    }
}
