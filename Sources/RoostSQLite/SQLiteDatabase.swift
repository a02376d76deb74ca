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
    private let readers: ReaderThreads<@Sendable () -> Void>
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
        let lock = try DirectoryLock(directory: directory)
        self.lock = lock
        var configuration = Configuration()
        configuration.maximumReaderCount = Self.readers
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            // Only the writer makes checkpoints: SQLite 3.40.1 can lose a WAL that two connections reset.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            try db.execute(sql: "PRAGMA cache_size = -8000")
        }
        do {
            let path = directory + "/roost.sqlite"
            // SQLite gives the WAL and its index the rights of the database, but asks the umask for those of a new one.
            Foundation.close(try PrivateFile.open(path))
            for file in [path + "-wal", path + "-shm"] where access(file, F_OK) == 0 {
                Foundation.close(try PrivateFile.open(file))
            }
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction { db in
                // GRDB sets NORMAL on the writer when it switches WAL on, after `prepareDatabase`.
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try db.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
                try db.execute(sql: "PRAGMA cache_size = -16384")
                // What a statement may have to take back is kept in memory, not in a file of each transaction.
                try db.execute(sql: "PRAGMA temp_store = MEMORY")
            }
            writer = pool
            readers = Self.makeReaders()
        } catch {
            lock.release()
            throw SQLiteConnection.failure(error)
        }
    }

    /// Opens an empty database in memory.
    package init() throws {
        writer = try DatabaseQueue()
        lock = nil
        readers = Self.makeReaders()
    }

    deinit { _ = readers.stop() }

    private static let readers = 4

    /// GRDB's own way to read on another thread goes over two queues, and each has to wake somebody.
    private static func makeReaders() -> ReaderThreads<@Sendable () -> Void> {
        ReaderThreads(most: readers) { threads in
            while let read = threads.next() { read() }
        }
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
        let isTaken = readers.submit { [writer] in
            then(
                Result {
                    do {
                        return try writer.read { try body(SQLiteConnection(db: $0)) }
                    } catch {
                        throw SQLiteConnection.failure(error)
                    }
                })
        }
        if !isTaken { then(.failure(DatabaseFailure(.unavailable, "The database is closed."))) }
    }

    package func close() throws {
        let waiting = readers.stop()
        defer { for read in waiting { read() } }
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

/// A file that only its owner may read.
private enum PrivateFile {
    /// Opens a file, which is made when it is not there; what an earlier run left open to others is closed to them.
    ///
    /// Not for a database that is open in this process: closing the descriptor would end SQLite's locks.
    /// - Throws: `DatabaseFailure` `.unavailable`.
    static func open(_ path: String) throws -> Int32 {
        let file = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw DatabaseFailure(.unavailable, "\(path) cannot be written: \(String(cString: strerror(errno))).")
        }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & 0o077 == 0 || fchmod(file, 0o600) == 0 else {
            Foundation.close(file)
            throw DatabaseFailure(
                .unavailable, "Others may read \(path), and it is not this user's. Give it to the user of the server.")
        }
        return file
    }
}

/// The lock that keeps a second process off a data folder: held by open files, so it goes with the process.
///
/// The folder itself is locked, too: the file `lock` can be deleted and made anew, the folder with the database not.
/// The file is what servers of earlier versions look at.
private final class DirectoryLock: Sendable {
    private let file: Int32
    private let folder: Int32

    init(directory: String) throws {
        file = try PrivateFile.open(directory + "/lock")
        folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard flock(file, LOCK_EX | LOCK_NB) == 0, Self.isOurs(folder) else {
            release()
            throw DatabaseFailure(
                .openElsewhere,
                "The folder \(directory) is open in another process. Stop that server, or use another --data.")
        }
    }

    /// Locks the folder; where its file system knows no locks on folders the file has to do.
    private static func isOurs(_ folder: Int32) -> Bool {
        folder < 0 || flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }

    func release() {
        Foundation.close(file)
        if folder >= 0 { Foundation.close(folder) }
    }
}
