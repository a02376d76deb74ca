import Foundation
package import Logging
package import RoostCore
import Synchronization

/// The PostgreSQL implementation of the database: one connection for writes, several for reads.
///
/// Connections are opened on demand and reopened when lost. A transaction that met a conflict or lost its connection
/// before the commit is retried. If the connection is lost during the commit, the outcome is looked up: every writing
/// transaction first stores its number in this database's row of the table `writers`, so its outcome can be
/// determined once that row is unlocked. If that takes too long, the commit is reported as failed, and a retry finds
/// by its keys that it is already done.
///
/// `@unchecked Sendable`: everything below `state` is accessed only with `lock` held.
package final class PostgresDatabase: SQLDatabase, @unchecked Sendable {
    package let isShared = true
    package let encryptsContent = false
    let url: String
    private let logger: Logger
    let tables = TableTypes()
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

    /// The maximum number of attempts per transaction.
    static let attempts = 6
    /// How long a write is retried.
    private static let patience = Duration.seconds(2)
    /// How long the outcome of an uncertain commit is looked up; longer than `patience`, so that such a transaction
    /// is not retried.
    private static let doubt = Duration.seconds(8)

    /// Opens the database with a URL: `postgres://user:password@host:port/name?sslmode=verify-full…`.
    ///
    /// The URL accepts all libpq parameters; missing ones are taken from libpq's environment variables and password
    /// file. It is never logged.
    /// - Parameters:
    ///   - onlyReads: whether nothing will be written; the database then stays as it is.
    ///   - checksSessions: whether a pooler that gives each transaction another session is looked for, and refused.
    /// - Throws: `DatabaseFailure` `.unavailable` if the server cannot be reached.
    package init(
        url: String, readers count: Int = 4, onlyReads: Bool = false, checksSessions: Bool = false, random: UInt64,
        logger: Logger
    ) throws {
        guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://"), !url.utf8.contains(0) else {
            throw DatabaseFailure(
                .other, "The database must be a URL like postgres://user@host:5432/roost?sslmode=verify-full.")
        }
        self.url = url
        self.logger = logger
        id = String(random, radix: 16)
        readers = PostgresReaders(url: url, count: count)
        let connection = try PostgresConnection(url)
        if checksSessions { try Self.refusePooledSessions(connection, url) }
        if !onlyReads { try Self.register(id, connection) }
        self.connection = connection
    }

    deinit { readers.stop() }

    /// Creates the row that holds the number of the last committed transaction.
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
                // Two processes that start at once may conflict while creating the table.
                continue
            }
        }
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    /// The statement that stores the number of a transaction.
    private static func numbered(_ number: Int64, _ id: String) -> Query {
        """
        INSERT INTO writers (id, number, seen_at) VALUES (\(id), \(number), \(now))
        ON CONFLICT (id) DO UPDATE SET number = excluded.number, seen_at = excluded.seen_at
        """
    }

    /// Refuses a pooler that gives each transaction another session, if it shows itself.
    ///
    /// The settings of a session would then be those of anybody, among them that a commit waits for the disk.
    /// - Throws: `DatabaseFailure` `.other` if there is one, `.unavailable` if the server cannot be reached.
    private static func refusePooledSessions(_ first: PostgresConnection, _ url: String) throws {
        // Nothing is prepared: with a pooler others may have prepared statements of the same names.
        let mark = String(UInt64.random(in: 0 ... .max), radix: 16)
        _ = try PostgresRows(
            first, Query(stringLiteral: "SELECT set_config('roost.session', '\(mark)', false)"), isPrepared: false)
        var others: [PostgresConnection] = []
        var isPooled = false
        // Each keeps a session of the pooler from now on, so that the next transaction gets another one.
        while !isPooled, others.count < 2 {
            let other = try PostgresConnection(url)
            try other.queue("BEGIN")
            isPooled = try Self.mark(of: other) == mark
            others.append(other)
        }
        guard try !isPooled && Self.mark(of: first) == mark else {
            throw DatabaseFailure(
                .other,
                """
                The database is behind a pooler that gives each transaction another session, such as PgBouncer with \
                pool_mode = transaction. What is acknowledged might then not be on the disk. Use pool_mode = session, or \
                name PostgreSQL itself.
                """)
        }
    }

    private static func mark(of connection: PostgresConnection) throws -> String? {
        let query: Query = "SELECT current_setting('roost.session', true)"
        return try PostgresRows(connection, query, isPrepared: false).map { row in
            row.isNull(0) ? nil : try row.text(0)
        }.first ?? nil
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
                // An error thrown by the closure is not a failure of the server.
                guard transaction.hasFailed else { throw failure }
                // A conflict is over once it is reported, so one retry will see the winning transaction.
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

    /// Runs one transaction, and commits it or rolls it back.
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
            // If still connected, the server has reported that it did not commit.
            guard self.connection == nil, transaction.hasWritten, try wasCommitted() else {
                throw error
            }
        }
        transactions += 1
        return value
    }

    /// Rolls back, or drops an unusable connection.
    private func undo(_ connection: PostgresConnection, _ transaction: PostgresTransaction, after error: any Error) {
        if !transaction.hasFailed || (error as? DatabaseFailure)?.kind != .unavailable {
            do {
                try connection.queue("ROLLBACK")
                try connection.collect()
                return
            } catch {
                // The connection is lost; logged below.
            }
        }
        logger.warning("database connection lost", metadata: ["error": "\(error)"])
        earlierRoundTrips += connection.roundTrips
        self.connection = nil
    }

    /// Whether the last transaction was committed; waits for the answer, with a time limit.
    private func wasCommitted() throws -> Bool {
        let start = ContinuousClock.now
        while true {
            do {
                let connection = try PostgresConnection(url)
                // The lock waits until the server process of the lost connection has ended its transaction.
                let found = try PostgresRows(
                    connection, "SELECT number FROM writers WHERE id = \(id) \(.forUpdate)"
                ).map { try $0.int(0) }
                self.connection = connection
                logger.notice("database is back", metadata: ["wasCommitted": "\(found.first == number)"])
                return found.first == number
            } catch {
                if ContinuousClock.now - start > Self.doubt || isClosed.withLock({ $0 }) {
                    logger.error("a commit remains in doubt", metadata: ["error": "\(error)"])
                    throw DatabaseFailure(.uncertain, "PostgreSQL was lost during a commit that may be done")
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
        lock.withLock {
            // Nothing is in doubt any more. Servers that start again and again would otherwise leave many rows.
            if let connection {
                try? connection.queue("DELETE FROM writers WHERE id = \(id)")
                _ = try? connection.collect()
            }
            connection = nil
        }
    }

    /// Statistics of this database.
    package var statistics: (transactions: Int, roundTrips: Int) {
        lock.withLock { (transactions, earlierRoundTrips + (connection?.roundTrips ?? 0)) }
    }
}

/// The delay before the next attempt.
struct Backoff {
    private var seconds = 0.025

    /// Doubles the delay, up to a second, with random jitter.
    mutating func next() -> Double {
        seconds = min(seconds * 2, 1)
        return seconds * .random(in: 0.5...1)
    }
}
