import Foundation
package import Logging
package import RoostCore
import Synchronization

/// PostgreSQL as the database of the core: one connection writes, some read.
///
/// Connections are made when they are needed and again when they were lost. A
/// transaction that met a conflict or lost its connection before the commit is
/// run again; one whose connection was lost during the commit is looked up
/// first: every transaction that writes begins by leaving its number in the row
/// that this database keeps in `writers`, so whether it was committed can be told
/// once that row is free again. If that takes too long the commit is reported as
/// failed, and whoever does it again finds by its keys that it is done.
///
/// `@unchecked Sendable`: everything below `state` is touched only with `lock` held.
package final class PostgresDatabase: SQLDatabase, @unchecked Sendable {
    package let isShared = true
    private let url: String
    private let logger: Logger
    private let tables = TableTypes()
    private let readers: PostgresReaders
    private let isClosed = Mutex(false)
    private let lock = NSLock()

    // state
    private var connection: PostgresConnection?
    private var number: Int64 = 0
    private var backoff = Backoff()
    private let id: String
    private var transactions = 0
    private var earlierRoundTrips = 0

    /// How often a transaction is tried.
    private static let attempts = 6
    /// For how long a write is tried again.
    private static let patience = Duration.seconds(2)
    /// For how long a commit that may have been carried out is asked about; longer than `patience`, so that such a
    /// transaction is not run again.
    private static let doubt = Duration.seconds(8)

    /// Opens the database that a URL names: `postgres://user:password@host:port/name?sslmode=verify-full…`.
    ///
    /// The URL takes all of libpq's parameters, and what it leaves out comes from
    /// libpq's environment variables and password file. It is never logged.
    /// - Throws: `DatabaseFailure` `.unavailable` when the server cannot be reached.
    package init(url: String, readers count: Int = 4, random: UInt64, logger: Logger) throws {
        guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://"), !url.utf8.contains(0) else {
            throw DatabaseFailure(
                .other, "The database must be a URL like postgres://user@host:5432/roost?sslmode=verify-full.")
        }
        self.url = url
        self.logger = logger
        id = String(random, radix: 16)
        readers = PostgresReaders(url: url, count: count)
        let connection = try PostgresConnection(url)
        try Self.register(id, connection)
        self.connection = connection
    }

    deinit { readers.stop() }

    /// Makes the row that tells which transaction of this database was committed last.
    private static func register(_ id: String, _ connection: PostgresConnection) throws {
        for attempt in 1... {
            do {
                try connection.queue(
                    """
                    CREATE TABLE IF NOT EXISTS writers (
                        id \(.text) PRIMARY KEY, number \(.int) NOT NULL, seen_at \(.int) NOT NULL)
                    """)
                try connection.collect()
                try connection.queue("DELETE FROM writers WHERE seen_at < \(now - 90 * 24 * 3_600 * 1_000)")
                try connection.queue(numbered(0, id))
                try connection.collect()
                return
            } catch let failure as DatabaseFailure where failure.kind == .conflict && attempt < attempts {
                // Two processes that start at once can meet while making the table.
                continue
            }
        }
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    /// Leaves the number of a transaction behind.
    private static func numbered(_ number: Int64, _ id: String) -> Query {
        """
        INSERT INTO writers (id, number, seen_at) VALUES (\(id), \(number), \(now))
        ON CONFLICT (id) DO UPDATE SET number = excluded.number, seen_at = excluded.seen_at
        """
    }

    package func write<T>(_ body: (any SQLConnection) throws -> T) throws -> T {
        lock.lock()
        defer { lock.unlock() }
        let start = ContinuousClock.now
        for attempt in 1... {
            number += 1
            let transaction = PostgresTransaction(first: Self.numbered(number, id), tables: tables)
            do {
                let connection = try transaction.watch { try connected() }
                transaction.connection = connection
                let value = try run(body, transaction, connection)
                backoff = Backoff()
                return value
            } catch let failure as DatabaseFailure {
                // What the closure itself throws is not the server's failure.
                guard transaction.hasFailed else { throw failure }
                // A conflict is over by the time it is told: trying again once finds what has won.
                let isLate =
                    ContinuousClock.now - start > Self.patience && (failure.kind != .conflict || attempt > 1)
                guard attempt < Self.attempts, !isLate, !isClosed.withLock({ $0 }) else { throw failure }
                switch failure.kind {
                case .conflict: Thread.sleep(forTimeInterval: .random(in: 0...0.01) * Double(attempt))
                case .busy where attempt == 1: break
                case .unavailable: Thread.sleep(forTimeInterval: backoff.next())
                default: throw failure
                }
            }
        }
        preconditionFailure("The loop ends by returning or throwing.")
    }

    private func connected() throws -> PostgresConnection {
        if let connection { return connection }
        let made = try PostgresConnection(url)
        logger.notice("database is back")
        connection = made
        return made
    }

    /// Runs one transaction, to its end or back to its beginning.
    private func run<T>(
        _ body: (any SQLConnection) throws -> T, _ transaction: PostgresTransaction, _ connection: PostgresConnection
    ) throws -> T {
        let value: T
        do {
            try transaction.watch { try connection.queue("BEGIN") }
            value = try body(transaction)
            if transaction.hasFailed { throw DatabaseFailure(.other, "A failure inside a transaction was overlooked.") }
            try transaction.watch { try connection.queue("COMMIT") }
        } catch {
            undo(connection, transaction, after: error)
            throw error
        }
        do {
            _ = try transaction.watch { try connection.collect() }
        } catch {
            undo(connection, transaction, after: error)
            // Still connected, the server has said that it did not commit.
            guard self.connection == nil, transaction.hasWritten, try wasCommitted() else {
                throw error
            }
        }
        transactions += 1
        return value
    }

    /// Rolls back, or drops a connection that cannot be used any more.
    private func undo(_ connection: PostgresConnection, _ transaction: PostgresTransaction, after error: any Error) {
        if !transaction.hasFailed || (error as? DatabaseFailure)?.kind != .unavailable {
            do {
                try connection.queue("ROLLBACK")
                try connection.collect()
                return
            } catch {
                // It is lost, as is said below.
            }
        }
        logger.warning("database connection lost", metadata: ["error": "\(error)"])
        earlierRoundTrips += connection.roundTrips
        self.connection = nil
    }

    /// Whether the last transaction was committed; it waits until the server can tell, but not for ever.
    private func wasCommitted() throws -> Bool {
        let start = ContinuousClock.now
        while true {
            do {
                let connection = try PostgresConnection(url)
                // The lock waits for the end of a transaction whose server process has not noticed the loss yet.
                let found = try PostgresRows(
                    connection, "SELECT number FROM writers WHERE id = \(id) \(.forUpdate)"
                ).map { try $0.int(0) }
                self.connection = connection
                logger.notice("database is back", metadata: ["wasCommitted": "\(found.first == number)"])
                return found.first == number
            } catch {
                if ContinuousClock.now - start > Self.doubt || isClosed.withLock({ $0 }) {
                    logger.error("a commit remains in doubt", metadata: ["error": "\(error)"])
                    throw DatabaseFailure(.unavailable, "PostgreSQL was lost during a commit that may be done")
                }
                Thread.sleep(forTimeInterval: backoff.next())
            }
        }
    }

    package func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T,
        then: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        readers.submit { connection in
            try PostgresReaders.run(body, connection, tables: self.tables, then: then)
        } failed: {
            then(.failure($0))
        }
    }

    package func close() throws {
        isClosed.withLock { $0 = true }
        readers.stop()
        lock.withLock { connection = nil }
    }

    /// What this database has done so far.
    package var statistics: (transactions: Int, roundTrips: Int) {
        lock.withLock { (transactions, earlierRoundTrips + (connection?.roundTrips ?? 0)) }
    }
}

/// How long to wait before the next try.
struct Backoff {
    private var seconds = 0.025

    /// Twice as long as the time before, up to a second, and a little at random.
    mutating func next() -> Double {
        seconds = min(seconds * 2, 1)
        return seconds * .random(in: 0.5...1)
    }
}
