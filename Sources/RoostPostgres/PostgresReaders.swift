import Foundation
import RoostCore

/// The reader threads, each with its own connection.
final class PostgresReaders: Sendable {
    private struct Job {
        var run: @Sendable (PostgresConnection) throws -> Bool
        var failed: @Sendable (any Error) -> Void
        var since = ContinuousClock.now
    }

    /// How long a read waits for an unresponsive server.
    private static let patience = Duration.seconds(2)

    private let threads: ReaderThreads<Job>

    init(url: String, count: Int) {
        threads = ReaderThreads(most: count) { Self.work($0, url: url) }
    }

    /// Submits a read.
    func submit(
        _ run: @escaping @Sendable (PostgresConnection) throws -> Bool, failed: @escaping @Sendable (any Error) -> Void
    ) {
        if !threads.submit(Job(run: run, failed: failed)) { failed(Self.closed) }
    }

    /// Stops the threads after their current jobs; waiting jobs fail.
    func stop() {
        for job in threads.stop() { job.failed(Self.closed) }
    }

    private static let closed = DatabaseFailure(.unavailable, "PostgreSQL: the database is closed")

    private static func work(_ threads: ReaderThreads<Job>, url: String) {
        var connection: PostgresConnection?
        while let job = threads.next() {
            var backoff = Backoff()
            while true {
                do {
                    let open = try connection ?? PostgresConnection(url)
                    connection = open
                    if try !job.run(open) { connection = nil }
                    break
                } catch {
                    // An old connection may have been lost while idle, so retry immediately with a new one.
                    let wasOld = connection != nil
                    connection = nil
                    let late = ContinuousClock.now - patience
                    if job.since < late {
                        // Fail all jobs that have waited too long at once, so that the others do not wait even
                        // longer.
                        for job in [job] + threads.dequeueWaiting(while: { $0.since < late }) { job.failed(error) }
                        break
                    }
                    if !wasOld { Thread.sleep(forTimeInterval: backoff.next()) }
                }
            }
        }
    }

    /// Reads one snapshot.
    /// - Throws: an error if the connection is lost before there is a result; any other failure is passed to `then`.
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
        // The result need not wait for the end of the transaction.
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
