import Foundation
import GRDB
package import RoostCore
import Synchronization

/// A GRDB connection inside a transaction.
struct SQLiteConnection: SQLConnection {
    let db: GRDB.Database

    func execute(_ query: Query) throws {
        let (sql, arguments) = query.rendered
        try db.cachedStatement(sql: sql).execute(arguments: Self.arguments(arguments))
    }

    func rows<T>(_ query: Query, _ read: (any SQLRow) throws -> T) throws -> [T] {
        let (sql, arguments) = query.rendered
        let cursor = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: Self.arguments(arguments))
        var values: [T] = []
        while let row = try cursor.next() { values.append(try read(SQLiteRow(row: row))) }
        return values
    }

    /// Writes in chunks of powers of two, so that a handful of prepared statements serves all sizes.
    func write(_ rows: [[SQLValue]], _ upsert: Upsert) throws {
        var start = 0
        while start < rows.count {
            var size = Self.mostRows
            while size > rows.count - start { size /= 2 }
            let chunk = rows[start..<start + size]
            let statement = try db.cachedStatement(sql: Self.texts.text(of: upsert, rows: size))
            try statement.execute(arguments: Self.arguments(chunk.flatMap { $0 }))
            start += size
        }
    }

    private static let mostRows = 32

    private static let texts = UpsertTexts()

    fileprivate static func sql(_ upsert: Upsert, rows: Int) -> String {
        let row = "(" + upsert.columns.map { _ in "?" }.joined(separator: ",") + ")"
        var sql = "INSERT INTO \(upsert.table) (\(upsert.columns.joined(separator: ","))) VALUES "
        sql += Array(repeating: row, count: rows).joined(separator: ",")
        if !upsert.keys.isEmpty {
            let updates = upsert.columns.filter { !upsert.keys.contains($0) }.map { "\($0) = excluded.\($0)" }
            sql +=
                " ON CONFLICT (\(upsert.keys.joined(separator: ","))) DO UPDATE SET \(updates.joined(separator: ","))"
        }
        return sql
    }

    private static func arguments(_ values: [SQLValue]) -> StatementArguments {
        StatementArguments(
            values.map { value -> DatabaseValue in
                switch value {
                case .null: .null
                case .int(let value): value.databaseValue
                case .text(let value): value.databaseValue
                case .blob(let value): Data(value).databaseValue
                }
            })
    }

    /// The failure in the core's words; what is not SQLite's passes as it is.
    static func failure(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        let kind: DatabaseFailure.Kind =
            switch error.resultCode {
            case .SQLITE_FULL: .full
            case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
            case .SQLITE_CONSTRAINT: .conflict
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt
            case .SQLITE_CANTOPEN, .SQLITE_READONLY: .unavailable
            default: .other
            }
        return DatabaseFailure(kind, "SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "no details")")
    }
}

extension Query {
    /// The statement as SQLite reads it, and its arguments in their order.
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
            // The one transaction that writes holds the whole database.
            case .word(.forUpdate), .word(.forUpdateSkipLocked), .word(.forShare): break
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

/// The statements of multi-row writes: each is put together once, not in every transaction.
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

/// A row of a cursor; valid until the cursor moves on.
private struct SQLiteRow: SQLRow {
    let row: Row

    func int(_ column: Int) throws -> Int64 { try value(column) }
    func text(_ column: Int) throws -> String { try value(column) }
    func isNull(_ column: Int) -> Bool { row.hasNull(atIndex: column) }

    func blob(_ column: Int) throws -> [UInt8] {
        try row.withUnsafeData(atIndex: column) { data in
            guard let data else { throw DatabaseFailure(.corrupt, "a stored frame is missing") }
            return Array(data)
        }
    }

    private func value<T: DatabaseValueConvertible>(_ column: Int) throws -> T {
        guard let value = T.fromDatabaseValue(row[column]) else {
            throw DatabaseFailure(.corrupt, "a stored value has the wrong type")
        }
        return value
    }
}
