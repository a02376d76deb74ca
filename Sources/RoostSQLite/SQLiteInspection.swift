import Foundation
import GRDB
package import RoostCore

/// The database in a folder on a connection of its own that only reads. Another process may have it open.
package final class SQLiteInspection: SQLDatabase {
    private let queue: DatabaseQueue
    private let readers: ReaderThreads<@Sendable () -> Void>
    package let isShared = false
    package let encryptsContent = false

    /// - Throws: `DatabaseFailure` `.unavailable` if there is no database, `.corrupt` if it cannot be opened.
    package init(directory: String) throws {
        let path = directory + "/roost.sqlite"
        guard access(path, F_OK) == 0 else {
            throw DatabaseFailure(.unavailable, "There is no database in \(directory). Name the folder with --data.")
        }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw SQLiteConnection.failure(error)
        }
        readers = ReaderThreads(most: 1) { threads in
            while let read = threads.next() { read() }
        }
    }

    package func write<T>(_ body: (any SQLConnection) throws -> T) throws -> T {
        throw DatabaseFailure(.other, "This connection only reads.")
    }

    package func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T,
        then: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        let isTaken = readers.submit { [queue] in
            then(
                Result {
                    do {
                        return try queue.read { try body(SQLiteConnection(db: $0)) }
                    } catch {
                        throw SQLiteConnection.failure(error)
                    }
                })
        }
        if !isTaken { then(.failure(DatabaseFailure(.unavailable, "The database is closed."))) }
    }

    /// The most faults that SQLite names.
    private static let maxFaults = 100

    /// What SQLite finds wrong with the structure of the file; empty if it is sound. It may take minutes.
    /// - Parameter isQuick: whether to leave out that each index matches its table.
    /// - Throws: `DatabaseFailure` `.busy` after `interrupt`, `.corrupt` if the file cannot be read at all.
    package func faults(isQuick: Bool) throws -> [String] {
        do {
            return try queue.read { db in
                let check = isQuick ? "quick_check" : "integrity_check"
                return try String.fetchAll(db, sql: "PRAGMA \(check)(\(Self.maxFaults))").filter { $0 != "ok" }
            }
        } catch {
            throw SQLiteConnection.failure(error)
        }
    }

    /// The epoch, and the number of the last commit; nil if there is no epoch.
    /// - Throws: `DatabaseFailure`.
    package func lastCommit() throws -> LastCommit? {
        do {
            return try queue.read { try LastCommit.stored(in: SQLiteConnection(db: $0)) }
        } catch {
            throw SQLiteConnection.failure(error)
        }
    }

    /// Ends what runs.
    package func interrupt() { queue.interrupt() }

    package func close() throws {
        let waiting = readers.stop()
        defer { for read in waiting { read() } }
        do {
            try queue.close()
        } catch {
            throw SQLiteConnection.failure(error)
        }
    }
}

extension SQLiteDatabase {
    /// Why the file of the database in a folder cannot be whole, as far as its size and its header tell; nil if it may be.
    ///
    /// It must not be called while the database is open in this process, because closing the file would release SQLite's locks.
    package static func sizeFault(inDirectory directory: String) -> String? {
        let path = directory + "/roost.sqlite"
        var status = stat()
        // What is in the WAL may be missing in the file, until SQLite has moved it there.
        if stat(path + "-wal", &status) == 0, status.st_size > 32 { return nil }
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let header = try? file.read(upToCount: 100), header.count == 100, let size = try? file.seekToEnd(),
            header.starts(with: Data("SQLite format 3\u{0}".utf8))
        else { return nil }
        let bytes = Array(header)
        func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
        let pageBytes = number(16..<18) == 1 ? 65_536 : number(16..<18)
        guard pageBytes >= 512 else { return nil }
        // The number of pages counts if the version that wrote it has written everything else, too.
        let pages = number(24..<28) == number(92..<96) ? number(28..<32) : 0
        let expected = pages * pageBytes
        guard size < expected || !size.isMultiple(of: pageBytes) else { return nil }
        return expected == 0 ? "\(size) bytes, which are no whole pages" : "\(size) bytes of \(expected)"
    }
}
