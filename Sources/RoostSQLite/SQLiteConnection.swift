import GRDB
import GRDBSQLite
package import RoostCore
import Synchronization

/// A GRDB connection inside a transaction.
///
/// Values are bound and read directly through the SQLite API: GRDB's values cost more CPU than the statements of a
/// send.
struct SQLiteConnection: SQLConnection {
    let db: GRDB.Database

    func execute(_ query: Query) throws {
        let (sql, arguments) = query.rendered
        try run(sql, arguments) { _ in }
    }

    func rows<T>(_ query: Query, _ read: (any SQLRow) throws -> T) throws -> [T] {
        let (sql, arguments) = query.rendered
        var values: [T] = []
        try run(sql, arguments) { values.append(try read($0)) }
        return values
    }

    /// Writes in chunks of powers of two, so that a handful of prepared statements serves all sizes.
    func write(_ rows: [[SQLValue]], _ upsert: Upsert) throws {
        var start = 0
        while start < rows.count {
            var size = Self.maxRows
            while size > rows.count - start { size /= 2 }
            try run(Self.texts.text(of: upsert, rows: size), rows[start..<start + size].joined()) { _ in }
            start += size
        }
    }

    private func run(
        _ sql: String, _ values: some Sequence<SQLValue>, _ read: (SQLiteRow) throws -> Void
    ) throws {
        let statement = try db.cachedStatement(sql: sql).sqliteStatement
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        // The statement reads texts and blobs from this buffer until its bindings are cleared.
        var bytes: [UInt8] = []
        for value in values {
            switch value {
            case .null, .int: break
            case .text(let text): bytes.append(contentsOf: text.utf8)
            case .blob(let blob), .content(let blob): bytes.append(contentsOf: blob)
            }
        }
        // Without an address, an empty text would be bound as NULL.
        bytes.append(0)
        try bytes.withUnsafeBytes { bytes in
            var next = bytes.baseAddress
            var index: Int32 = 0
            for value in values {
                index += 1
                let code: Int32
                switch value {
                case .null: code = sqlite3_bind_null(statement, index)
                case .int(let value): code = sqlite3_bind_int64(statement, index, value)
                case .text(let text):
                    let count = text.utf8.count
                    code = sqlite3_bind_text(
                        statement, index, next?.assumingMemoryBound(to: CChar.self), Int32(clamping: count), nil)
                    next = next?.advanced(by: count)
                case .blob(let blob), .content(let blob):
                    code = sqlite3_bind_blob(statement, index, next, Int32(clamping: blob.count), nil)
                    next = next?.advanced(by: blob.count)
                }
                guard code == SQLITE_OK else { throw Self.failure(statement, code) }
            }
            while true {
                switch sqlite3_step(statement) {
                case SQLITE_ROW: try read(SQLiteRow(statement: statement))
                case SQLITE_DONE: return
                case let code: throw Self.failure(statement, code)
                }
            }
        }
    }

    private static let maxRows = 32

    private static let texts = UpsertTexts()

    fileprivate static func sql(_ upsert: Upsert, rows: Int) -> String {
        let row = "(" + upsert.columns.map { _ in "?" }.joined(separator: ",") + ")"
        // A failed plain insert rolls back the whole transaction, as the core would do anyway, so SQLite need not
        // keep a statement journal.
        let insert = upsert.keys.isEmpty ? "INSERT OR ROLLBACK" : "INSERT"
        var sql = "\(insert) INTO \(upsert.table) (\(upsert.columns.joined(separator: ","))) VALUES "
        sql += Array(repeating: row, count: rows).joined(separator: ",")
        if !upsert.keys.isEmpty {
            let updates = upsert.columns.filter { !upsert.keys.contains($0) }.map { "\($0) = excluded.\($0)" }
            sql += " ON CONFLICT (\(upsert.keys.joined(separator: ","))) DO "
            sql += updates.isEmpty ? "NOTHING" : "UPDATE SET \(updates.joined(separator: ","))"
        }
        return sql
    }

    /// The SQLite error of a failed statement.
    private static func failure(_ statement: SQLiteStatement, _ code: Int32) -> any Error {
        let message = sqlite3_errmsg(sqlite3_db_handle(statement)).map { String(cString: $0) }
        return failure(DatabaseError(resultCode: ResultCode(rawValue: code), message: message))
    }

    /// Converts SQLite errors to `DatabaseFailure`; other errors are returned unchanged.
    static func failure(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        let kind: DatabaseFailure.Kind =
            switch error.resultCode {
            case .SQLITE_FULL: .full
            case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_INTERRUPT: .busy
            case .SQLITE_CONSTRAINT: .conflict
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt
            case .SQLITE_IOERR where isOfSync(error): .unsynced
            case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_IOERR: .unavailable
            default: .other
            }
        return DatabaseFailure(kind, "SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "no details")")
    }
}

extension SQLiteConnection {
    private static func isOfSync(_ error: DatabaseError) -> Bool {
        [.SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC].contains(error.extendedResultCode)
    }
}

extension Query {
    /// The statement in SQLite's syntax, and its arguments in order.
    ///
    /// A set of keys becomes `VALUES (?,?),(?,?)…`, its number of rows rounded up to a power of two
    /// by repeating the last one, so that a handful of prepared statements serves all sizes.
    package var rendered: (sql: String, arguments: [SQLValue]) {
        var sql = ""
        var arguments: [SQLValue] = []
        for piece in pieces {
            switch piece {
            case .sql(let text): sql += text
            case .value(let value):
                sql += "?"
                arguments.append(value)
            case .word(.text): sql += "TEXT"
            case .word(.int): sql += "BIGINT"
            case .word(.blob): sql += "BLOB"
            // The only writing transaction locks the whole database.
            case .word(.forUpdate), .word(.forUpdateSkipLocked), .word(.forShare): break
            case .word(.databaseBytes):
                sql += "(SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size())"
            case .keys(let rows):
                guard let last = rows.last else {
                    sql += "SELECT NULL WHERE 1 = 0"
                    continue
                }
                var size = 1
                while size < rows.count { size *= 2 }
                let row = "(" + last.map { _ in "?" }.joined(separator: ",") + ")"
                sql += "VALUES " + Array(repeating: row, count: size).joined(separator: ",")
                for index in 0..<size { arguments += index < rows.count ? rows[index] : last }
            }
        }
        return (sql, arguments)
    }
}

/// A cache of the SQL texts of multi-row writes.
private final class UpsertTexts: Sendable {
    private struct Key: Hashable {
        var upsert: Upsert
        var rows: Int
    }

    private let texts = Mutex<[Key: String]>([:])

    func text(of upsert: Upsert, rows: Int) -> String {
        texts.withLock { texts in
            let key = Key(upsert: upsert, rows: rows)
            if let text = texts[key] { return text }
            let text = SQLiteConnection.sql(upsert, rows: rows)
            texts[key] = text
            return text
        }
    }
}

/// A row of a statement; valid until the next step.
private struct SQLiteRow: SQLRow {
    let statement: SQLiteStatement

    func int(_ column: Int) throws -> Int64 {
        try check(column, SQLITE_INTEGER)
        return sqlite3_column_int64(statement, Int32(column))
    }

    func text(_ column: Int) throws -> String {
        try check(column, SQLITE_TEXT)
        return String(decoding: bytes(column), as: UTF8.self)
    }

    func blob(_ column: Int) throws -> [UInt8] {
        guard !isNull(column) else { throw DatabaseFailure(.corrupt, "a stored frame is missing") }
        return Array(bytes(column))
    }

    func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL }

    private func check(_ column: Int, _ type: Int32) throws {
        guard sqlite3_column_type(statement, Int32(column)) == type else {
            throw DatabaseFailure(.corrupt, "a stored value has the wrong type")
        }
    }

    private func bytes(_ column: Int) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(statement, Int32(column))
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, Int32(column))))
    }
}
