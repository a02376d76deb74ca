import RoostCore
import Synchronization

/// A transaction as seen by its closure; it records whether a statement has failed.
final class PostgresTransaction: SQLConnection {
    /// A statement to run before the first statement that writes or locks.
    private let first: Query?
    private let tables: TableTypes
    var connection: PostgresConnection?
    private(set) var hasWritten = false
    private(set) var hasFailed = false

    init(first: Query? = nil, tables: TableTypes, connection: PostgresConnection? = nil) {
        self.first = first
        self.tables = tables
        self.connection = connection
    }

    /// Runs a database operation and records a failure.
    func watch<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch {
            hasFailed = true
            throw error
        }
    }

    private func open(toWrite: Bool) throws -> PostgresConnection {
        guard let connection else { throw DatabaseFailure(.unavailable, "PostgreSQL: no connection") }
        if toWrite, !hasWritten, let first {
            hasWritten = true
            try connection.queue(first)
        }
        return connection
    }

    func execute(_ query: Query) throws {
        try watch { try open(toWrite: true).queue(query) }
    }

    func rows<T>(_ query: Query, _ read: (any SQLRow) throws -> T) throws -> [T] {
        let rows = try watch { try PostgresRows(open(toWrite: query.locks), query) }
        return try rows.map(read)
    }

    func write(_ rows: [[SQLValue]], _ upsert: Upsert) throws {
        guard !rows.isEmpty else { return }
        try watch {
            let connection = try open(toWrite: true)
            let types = try tables.types(of: upsert.table, connection)
            var start = 0
            while start < rows.count {
                // An array is sent as one message, so it must stay far below the server's limit of a gigabyte.
                let chunk = rows[start..<min(start + 5_000, rows.count)]
                var values = PostgresValues()
                for (index, column) in upsert.columns.enumerated() {
                    guard let type = types[column] else {
                        throw DatabaseFailure(.other, "The table \(upsert.table) has no column \(column).")
                    }
                    values.append(column: index, of: chunk, type: type)
                }
                try connection.queue(upsert, values)
                start += chunk.count
            }
        }
    }
}

/// The column types of each table, queried once: an array needs a type even if all of its values are null.
final class TableTypes: Sendable {
    private let tables = Mutex<[String: [String: UInt32]]>([:])

    /// Forgets all, because tables may have been changed.
    func forget() { tables.withLock { $0 = [:] } }

    func types(of table: String, _ connection: PostgresConnection) throws -> [String: UInt32] {
        if let known = tables.withLock({ $0[table] }) { return known }
        let columns = try PostgresRows(
            connection,
            """
            SELECT CAST(column_name AS TEXT), CAST(data_type AS TEXT) FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name = \(table)
            """
        ).map { (try $0.text(0), try $0.text(1)) }
        var types: [String: UInt32] = [:]
        for (column, type) in columns {
            switch type {
            case "text": types[column] = PostgresValues.text
            case "bigint": types[column] = PostgresValues.int
            case "bytea": types[column] = PostgresValues.blob
            default: throw DatabaseFailure(.other, "The column \(table).\(column) has the type \(type).")
            }
        }
        // A missing table may be created later, so it is not cached.
        if !types.isEmpty { tables.withLock { [types] in $0[table] = types } }
        return types
    }
}
