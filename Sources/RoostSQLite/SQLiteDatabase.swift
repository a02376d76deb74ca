import Foundation
import GRDB
package import RoostCore
import Synchronization

/// The SQLite implementation of the database: one file in its own folder, or in memory.
///
/// Exactly one connection writes and checkpoints; readers see snapshots. Every commit is synced to disk before
/// `write` returns.
package final class SQLiteDatabase: SQLDatabase {
    private let writer: any DatabaseWriter
    private let lock: DirectoryLock?
    private let readers: ReaderThreads<@Sendable () -> Void>
    /// Why nothing is stored any more: a commit that could not be synced.
    ///
    /// The system may drop the pages that it could not write and take them for written, so that a later sync would
    /// succeed without them.
    private let syncFailure = Mutex<DatabaseFailure?>(nil)
    private let count = Mutex<CommitCount?>(nil)
    private let reserve = Mutex<RoomReserve?>(nil)
    /// The folder is locked, so no other process writes.
    package let isShared = false
    package let encryptsContent = false

    /// Opens the database in a folder, which is created if it does not exist.
    /// - Throws: `DatabaseFailure` `.openElsewhere` if another process has it open, `.corrupt` if it is damaged.
    package init(directory: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw DatabaseFailure(
                .unavailable,
                "The folder \(directory) cannot be created. Check that the name is free and that its parent folder is writable."
            )
        }
        let lock = try DirectoryLock(directory: directory)
        self.lock = lock
        var configuration = Configuration()
        configuration.maximumReaderCount = Self.readers
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            // Only the writer checkpoints: SQLite 3.40.1 can lose a WAL that two connections reset.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            try db.execute(sql: "PRAGMA cache_size = -8000")
        }
        do {
            let path = directory + "/roost.sqlite"
            if let fault = Self.sizeFault(inDirectory: directory) {
                throw DatabaseFailure(
                    .corrupt,
                    """
                    The database \(path) is not whole (\(fault)): it was cut, or copied while it was written. Put its backup \
                    there; roost check --data \(directory) names what else is damaged.
                    """)
            }
            // SQLite gives the WAL and its index the permissions of the database, but a new database gets those of
            // the umask.
            Foundation.close(try PrivateFile.open(path))
            for file in [path + "-wal", path + "-shm"] where access(file, F_OK) == 0 {
                Foundation.close(try PrivateFile.open(file))
            }
            try LeftoverWAL.rewrite(path + "-wal")
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction { db in
                // GRDB sets NORMAL on the writer when it enables WAL, after `prepareDatabase`.
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try db.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
                try db.execute(sql: "PRAGMA cache_size = -16384")
                // Keeps statement journals in memory instead of in a file per transaction.
                try db.execute(sql: "PRAGMA temp_store = MEMORY")
                // Deleted data is overwritten; `removeTraces` empties the WAL.
                try db.execute(sql: "PRAGMA secure_delete = ON")
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

    /// GRDB's asynchronous reads use two queues, with a thread wake-up each.
    private static func makeReaders() -> ReaderThreads<@Sendable () -> Void> {
        ReaderThreads(most: readers) { threads in
            while let read = threads.next() { read() }
        }
    }

    package func write<T>(_ body: (any SQLConnection) throws -> T) throws -> T {
        if let failure = syncFailure.withLock({ $0 }) { throw failure }
        do {
            return try writer.writeWithoutTransaction { db in
                try db.beginTransaction(.immediate)
                do {
                    let before = db.totalChangesCount
                    let value = try body(SQLiteConnection(db: db))
                    let counts = db.totalChangesCount != before ? count.withLock { $0 } : nil
                    try counts?.store(in: SQLiteConnection(db: db))
                    try db.commit()
                    if counts != nil { count.withLock { $0?.advance() } }
                    return value
                } catch {
                    // After a full disk or an I/O error, SQLite may already have rolled back.
                    if db.isInsideTransaction { try db.rollback() }
                    throw error
                }
            }
        } catch {
            let failure = SQLiteConnection.failure(error)
            guard (failure as? DatabaseFailure)?.kind == .unsynced else { throw failure }
            let last = DatabaseFailure(
                .unsynced,
                "A commit could not be synced to the disk (\(failure)). Nothing is stored until the server is restarted."
            )
            syncFailure.withLock { $0 = last }
            throw last
        }
    }

    package func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T,
        then: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        // In memory there is one connection, so that nothing changes during a read. `read` would make the connection
        // read-only for a moment, and SQLite would prepare all statements anew.
        let isInMemory = lock == nil
        let isTaken = readers.submit { [writer] in
            then(
                Result {
                    do {
                        if isInMemory { return try writer.unsafeRead { try body(SQLiteConnection(db: $0)) } }
                        return try writer.read { try body(SQLiteConnection(db: $0)) }
                    } catch {
                        throw SQLiteConnection.failure(error)
                    }
                })
        }
        if !isTaken { then(.failure(DatabaseFailure(.unavailable, "The database is closed."))) }
    }

    /// Counts the commits that change something from now on, in the table `meta`. `committed` gets the number of each once it
    /// is durable.
    /// - Returns: where it begins; nil if the database has no epoch yet.
    package func countCommits(_ committed: @escaping @Sendable (Int64) -> Void) throws -> LastCommit? {
        guard let last = try write({ try LastCommit.stored(in: $0) }) else { return nil }
        count.withLock { $0 = CommitCount(from: last.number, committed) }
        return last
    }

    /// Keeps room on the disk of a folder for changes that make room.
    package func keepRoom(inDirectory directory: String) {
        reserve.withLock { $0 = RoomReserve(directory: directory) }
    }

    package func isShortOfRoom() -> Bool { reserve.withLock { $0?.isShort() ?? false } }

    package func giveUpRoom() -> Bool { reserve.withLock { $0?.giveUp() ?? false } }

    package func removeTraces() throws {
        guard lock != nil else { return }
        try writer.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    }

    package func close() throws {
        let waiting = readers.stop()
        defer { for read in waiting { read() } }
        // Readers cannot write: if one of them closed last, SQLite would leave everything in the WAL.
        (writer as? DatabasePool)?.invalidateReadOnlyConnections()
        let emptied = Result { try removeTraces() }
        do {
            try writer.close()
        } catch {
            throw SQLiteConnection.failure(error)
        }
        lock?.release()
        guard case .failure(let error) = emptied else { return }
        throw DatabaseFailure(
            .other,
            """
            The newest changes are still in roost.sqlite-wal: keep it beside roost.sqlite, and start the server once more \
            to have everything in one file (\(SQLiteConnection.failure(error))).
            """)
    }

    /// What a file that has no data looks like.
    package enum Emptiness: Hashable, Sendable {
        /// There is no file, or it has no bytes.
        case missing
        /// It has no table and no WAL: it is a copy of a file whose data was in the WAL.
        case withoutTables
    }

    /// Why the database in a folder has no data, as far as its files tell; nil if it may have some.
    package static func emptiness(inDirectory directory: String) -> Emptiness? {
        let path = directory + "/roost.sqlite"
        var status = stat()
        guard stat(path, &status) == 0 else { return errno == ENOENT ? .missing : nil }
        if status.st_size == 0 { return .missing }
        return status.st_size <= pageBytes && access(path + "-wal", F_OK) != 0 ? .withoutTables : nil
    }

    /// The size of a page of SQLite; the schema has many.
    private static let pageBytes = 4_096

    /// The size of the database in a folder, which another process may have open.
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

    /// The value of a `PRAGMA` on the write connection, for tests.
    package func pragma(_ name: String) throws -> Int64? {
        try writer.writeWithoutTransaction { try Int64.fetchOne($0, sql: "PRAGMA \(name)") }
    }
}

/// A file that only its owner can read.
private enum PrivateFile {
    /// Opens a file, creating it if needed, and removes the access of other users.
    ///
    /// It must not be used for a database that is open in this process, because closing the descriptor would release
    /// SQLite's locks.
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
                .unavailable,
                "Other users can read \(path), and this user does not own it. Change its owner to the user of the server."
            )
        }
        return file
    }
}

/// A lock on a data folder that excludes other processes. It is held by open files, so it is released when the
/// process ends.
///
/// The folder itself is locked too, because the file `lock` can be deleted and recreated. The file is kept for
/// earlier versions of the server.
package final class DirectoryLock: Sendable {
    private let file: Int32
    private let folder: Int32

    /// Locks a folder that is there.
    /// - Throws: `DatabaseFailure` `.openElsewhere` if another process has it locked.
    package init(directory: String) throws {
        file = try PrivateFile.open(directory + "/lock")
        folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard flock(file, LOCK_EX | LOCK_NB) == 0, Self.isOurs(folder) else {
            release()
            throw DatabaseFailure(
                .openElsewhere,
                "The folder \(directory) is open in another process. Stop that server, or use another --data folder.")
        }
    }

    /// Locks the folder; if the file system does not support this, the lock on the file must suffice.
    private static func isOurs(_ folder: Int32) -> Bool {
        folder < 0 || flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }

    /// Gives the folder free.
    package func release() {
        Foundation.close(file)
        if folder >= 0 { Foundation.close(folder) }
    }
}
