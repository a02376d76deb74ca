import Foundation
import GRDB
import GRDBSQLite

/// The WAL that a killed process has left.
enum LeftoverWAL {
    /// Writes the bytes of a WAL once more, and syncs them. Nothing happens if there is none.
    ///
    /// If the last sync of that process failed, commits may be in the cache of the system only, which takes them for
    /// written: no sync would write them, and all commits after them would be lost with them. The bytes go the way of all
    /// others, through SQLite's interface to the system.
    /// - Throws: `DatabaseError`.
    static func rewrite(_ path: String) throws {
        guard access(path, F_OK) == 0, let vfs = sqlite3_vfs_find(nil) else { return }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(vfs.pointee.szOsFile), alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: Int(vfs.pointee.szOsFile))
        let file = memory.bindMemory(to: sqlite3_file.self, capacity: 1)
        // SQLite's names end with several zeros.
        try (path.utf8CString + [0, 0, 0]).withUnsafeBufferPointer { path in
            try check(vfs.pointee.xOpen(vfs, path.baseAddress, file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_WAL, nil))
            guard let methods = file.pointee.pMethods?.pointee else { return }
            defer { _ = methods.xClose(file) }
            try rewrite(file, methods)
        }
    }

    private static func rewrite(_ file: UnsafeMutablePointer<sqlite3_file>, _ methods: sqlite3_io_methods) throws {
        var size: Int64 = 0
        try check(methods.xFileSize(file, &size))
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        for offset in stride(from: 0, to: size, by: bytes.count) {
            let count = Int32(min(Int64(bytes.count), size - offset))
            try check(methods.xRead(file, &bytes, count, offset))
            try check(methods.xWrite(file, bytes, count, offset))
        }
        if size > 0 { try check(methods.xSync(file, SQLITE_SYNC_NORMAL)) }
    }

    private static func check(_ code: Int32) throws {
        // A file system that copies on writing may be full; the server starts all the same.
        if code != SQLITE_OK, code != SQLITE_FULL { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
