import Foundation
import GRDB
public import RoostWire
import Synchronization

/// The data of one user on this device: channels, messages, members, read marks, drafts and the send queue.
///
/// ```swift
/// let store = try await LocalStore.open(file)
/// var configuration = ClientConfiguration(server: server, credentials: credentials, deviceID: device)
/// configuration.store = store
/// let client = ChatClient(configuration: configuration)
/// ```
///
/// A client with a store writes everything that it receives to the store before it tells
/// the app, and reads from it, so that an app shows stored data at once,
/// offline too. Messages are stored before they are sent, so they are still
/// sent after the process ends.
///
/// One file belongs to one user: the user of the first client that
/// connects with it. Any other user is refused with 6000 until ``clean()``. Only
/// one process at a time can open a file. Except for the send queue and
/// the drafts it is a cache: if it is damaged, it is rebuilt from the server; see ``recovery``.
public final class LocalStore: Sendable {
    let database: any DatabaseWriter
    /// Set if the file was damaged when it was opened; nil if it was intact.
    public let recovery: LocalRecovery?
    private let lock: FileLock?
    /// The path of its file; nil if it is in memory.
    let file: String?
    private let inUse = Mutex(false)

    private init(_ database: any DatabaseWriter, file: String?, lock: FileLock?, recovery: LocalRecovery?) {
        self.database = database
        self.file = file
        self.lock = lock
        self.recovery = recovery
    }

    /// Opens the store in a file, which is created if it does not exist; its folder must exist.
    ///
    /// Next to the file, SQLite keeps two more with the endings `-wal` and `-shm`,
    /// and the store one with `.lock`.
    /// - Throws: `storeInUse` if it is open already, here or in another process; `storeFailed` if it cannot be read
    ///   or written, or was written by a newer version.
    @concurrent
    public static func open(_ file: String) async throws(RoostError) -> LocalStore {
        let lock = try FileLock(file + ".lock")
        do {
            guard !FileManager.default.fileExists(atPath: file + ".damaged") else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT)
            }
            return LocalStore(try openDatabase(file), file: file, lock: lock, recovery: nil)
        } catch let error as DatabaseError where error.isDamage {
            let (salvage, isWhole) = Salvage.read(file)
            do {
                for ending in ["", "-wal", "-shm", ".damaged"]
                where FileManager.default.fileExists(atPath: file + ending) {
                    try FileManager.default.removeItem(atPath: file + ending)
                }
                let database = try openDatabase(file)
                try await database.write { try salvage.put(into: $0) }
                let recovery = LocalRecovery(savedMessages: salvage.sends.count, hasLostMessages: !isWhole)
                return LocalStore(database, file: file, lock: lock, recovery: recovery)
            } catch {
                throw failure(error)
            }
        } catch {
            throw failure(error)
        }
    }

    /// Opens an empty store in memory; its contents are lost when the process ends.
    public static func inMemory() throws(RoostError) -> LocalStore {
        do {
            let database = try DatabaseQueue()
            try migrator.migrate(database)
            return LocalStore(database, file: nil, lock: nil, recovery: nil)
        } catch {
            throw failure(error)
        }
    }

    private static func openDatabase(_ file: String) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.maximumReaderCount = 3
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            // Deleted data is overwritten in the file.
            try db.execute(sql: "PRAGMA secure_delete = ON; PRAGMA cache_size = -4000; PRAGMA wal_autocheckpoint = 0")
        }
        let pool = try DatabasePool(path: file, configuration: configuration)
        try pool.writeWithoutTransaction { db in
            // GRDB sets NORMAL on the writer when it switches WAL on, after `prepareDatabase`.
            try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000")
        }
        if try pool.read({ try migrator.hasBeenSuperseded($0) }) {
            throw RoostError(
                .storeFailed, "The local store was written by a newer version of this app. Update the app.")
        }
        try migrator.migrate(pool)
        return pool
    }

    /// The user that the store belongs to; nil until the first client has connected with it.
    public var owner: UserID? {
        get async throws(RoostError) {
            try await read { try Info.owner.read($0).flatMap(UserID.init(rawValue:)) }
        }
    }

    /// Deletes everything in the store, including the send queue and the drafts, so that another user can use it.
    ///
    /// No data remains in the file. With a client use ``ChatClient/clean()``.
    /// - Throws: `storeInUse` while a client uses it; `storeFailed`.
    public func clean() async throws(RoostError) {
        guard !inUse.withLock({ $0 }) else {
            throw RoostError(.storeInUse, "A client has this store. Call clean() of the client instead.")
        }
        try await wipe()
    }

    /// Closes the file, so that it can be opened again; every later use fails.
    public func close() throws(RoostError) {
        do { try database.close() } catch { throw Self.failure(error) }
        lock?.release()
    }

    /// Reserves the store for a client; returns false if another client uses it.
    func attach() -> Bool {
        inUse.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
    }

    func detach() { inUse.withLock { $0 = false } }

    func wipe() async throws(RoostError) {
        do {
            try await database.writeWithoutTransaction { db in
                try db.inTransaction {
                    for table in Self.tables { try db.execute(sql: "DELETE FROM \(table)") }
                    return .commit
                }
                try db.execute(sql: "VACUUM")
                try db.checkpointIfPossible()
            }
        } catch {
            throw Self.failure(error)
        }
    }

    /// Reads from a snapshot of the store.
    func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws(RoostError) -> T {
        do {
            return try await database.read(body)
        } catch {
            noteDamage(error)
            throw Self.failure(error)
        }
    }

    /// Remembers that the file is damaged, so that it is rebuilt when it is opened next.
    func noteDamage(_ error: any Error) {
        guard let file, let error = error as? DatabaseError, error.isDamage else { return }
        _ = FileManager.default.createFile(atPath: file + ".damaged", contents: nil)
    }

    static func failure(_ error: any Error) -> RoostError {
        if let error = error as? RoostError { return error }
        guard let error = error as? DatabaseError else {
            return RoostError(.storeFailed, "The local store failed: \(type(of: error)).", isRetryable: true)
        }
        switch error.resultCode {
        case .SQLITE_FULL, .SQLITE_IOERR:
            return RoostError(.storeFailed, "The local store cannot be written. Is the disk full?", isRetryable: true)
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            return RoostError(
                .storeFailed, "The local store cannot be opened. Does its folder exist, and can it be written?")
        default:
            let code = error.extendedResultCode.rawValue
            return RoostError(
                .storeFailed,
                error.isDamage
                    ? "The local store is damaged. Open it again: it is then created again."
                    : "The local store failed with SQLite's code \(code).", isRetryable: !error.isDamage)
        }
    }
}

extension DatabaseError {
    /// Whether the file itself is damaged.
    var isDamage: Bool { resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB }
}

extension Database {
    /// Empties the write-ahead log, if there is one.
    fileprivate func checkpointIfPossible() throws {
        try execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
}

/// A lock against a second process: held by the open file, so it ends with the process.
private final class FileLock: Sendable {
    private let descriptor: Mutex<Int32?>

    init(_ path: String) throws(RoostError) {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw RoostError(
                .storeFailed, "The local store cannot be opened. Does its folder exist, and can it be written?")
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            _ = close(file)
            throw RoostError(
                .storeInUse, "The local store is open already, here or in another process. Close it there.",
                isRetryable: true)
        }
        descriptor = Mutex(file)
    }

    deinit { release() }

    func release() {
        if let file = descriptor.withLock({ $0.take() }) { _ = close(file) }
    }
}
