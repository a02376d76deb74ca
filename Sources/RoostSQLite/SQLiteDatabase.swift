import Foundation
import GRDB
package import RoostCore

/// SQLite as the database of the core: one file in a folder of its own, or memory.
///
/// Exactly one connection writes and makes checkpoints; readers see snapshots.
/// Every commit is synced to the disk before `write` returns.
package final class SQLiteDatabase: SQLDatabase {
    private let writer: any DatabaseWriter
    private let lock: DirectoryLock?
    /// The folder is locked: nobody else writes.
    package let isShared = false

    /// Opens the database in a folder, which is made when it is not there.
    /// - Throws: `DatabaseFailure` `.openElsewhere` when another process has it open, `.corrupt` when it is damaged.
    package init(directory: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw DatabaseFailure(
                .unavailable, "The folder \(directory) cannot be made. Is its name taken, or its parent read-only?")
        }
        lock = try DirectoryLock(directory: directory)
        var configuration = Configuration()
        configuration.maximumReaderCount = 4
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            // Only the writer makes checkpoints: SQLite 3.40.1 can lose a WAL that two connections reset.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            try db.execute(sql: "PRAGMA cache_size = -8000")
        }
        do {
            let pool = try DatabasePool(path: directory + "/roost.sqlite", configuration: configuration)
            try pool.writeWithoutTransaction { db in
                // GRDB sets NORMAL on the writer when it switches WAL on, after `prepareDatabase`.
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try db.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
                try db.execute(sql: "PRAGMA cache_size = -16384")
            }
            writer = pool
        } catch {
            throw SQLiteConnection.failure(error)
        }
    }

    /// Opens an empty database in memory.
    package init() throws {
        writer = try DatabaseQueue()
        lock = nil
    }

    package func write<T>(_ body: (any SQLConnection) throws -> T) throws -> T {
        do {
            return try writer.writeWithoutTransaction { db in
                try db.beginTransaction(.immediate)
                do {
                    let value = try body(SQLiteConnection(db: db))
                    try db.commit()
                    return value
                } catch {
                    // After a full disk or an I/O error SQLite may have rolled back by itself.
                    if db.isInsideTransaction { try db.rollback() }
                    throw error
                }
            }
        } catch {
            throw SQLiteConnection.failure(error)
        }
    }

    package func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T,
        then: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        writer.asyncRead { result in
            then(
                Result {
                    do {
                        return try body(SQLiteConnection(db: try result.get()))
                    } catch {
                        throw SQLiteConnection.failure(error)
                    }
                })
        }
    }

    package func close() throws {
        try writer.close()
        lock?.release()
    }

    /// How large the database in a folder is, also while another process has it open.
    package static func bytes(inDirectory directory: String) throws -> Int64 {
        var configuration = Configuration()
        configuration.readonly = true
        do {
            let queue = try DatabaseQueue(path: directory + "/roost.sqlite", configuration: configuration)
            defer { try? queue.close() }
            return try queue.read { db in
                let sql = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
                return try Int64.fetchOne(db, sql: sql) ?? 0
            }
        } catch {
            throw SQLiteConnection.failure(error)
        }
    }

    /// The value of a `PRAGMA` on the connection that writes, for the tests that hold it to its promises.
    package func pragma(_ name: String) throws -> Int64? {
        try writer.writeWithoutTransaction { try Int64.fetchOne($0, sql: "PRAGMA \(name)") }
    }
}

/// The lock that keeps a second process off a data folder: held by the open file, so it goes with the process.
private final class DirectoryLock: Sendable {
    private let file: Int32

    init(directory: String) throws {
        file = open(directory + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw DatabaseFailure(
                .unavailable, "The folder \(directory) cannot be written: \(String(cString: strerror(errno))).")
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            Foundation.close(file)
            throw DatabaseFailure(
                .openElsewhere,
                "The folder \(directory) is open in another process. Stop that server, or use another --data.")
        }
    }

    func release() { Foundation.close(file) }
}
