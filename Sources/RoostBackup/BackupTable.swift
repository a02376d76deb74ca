import RoostCore
import RoostSQLite

/// A table whose rows a backup has.
package struct BackupTable: Hashable, Codable, Sendable {
    package enum ColumnType: String, Codable, Sendable {
        case int, text, blob
    }

    package struct Column: Hashable, Codable, Sendable {
        package var name: String
        package var type: ColumnType
    }

    package var name: String
    package var columns: [Column]
    /// The columns of the primary key, in its order.
    package var keys: [String]

    /// What only servers that run have to know, notifications that were sent long before a restore, and the version of the
    /// schema, which stands in the manifest.
    private static let skipped: Set = [
        "schema_version", "writers", "nodes", "ended_nodes", "commits", "connections", "participants", "attempts",
        "pushes", "push_outbox", "push_items",
    ]

    /// The stored bytes that the files of the backup name.
    package static let storedFiles = BackupTable(
        name: "stored_files",
        columns: [
            Column(name: "bytes_key", type: .text), Column(name: "hash", type: .text), Column(name: "size", type: .int),
        ], keys: ["bytes_key"])

    /// The tables of a schema, in the order of their names. All engines have the same.
    /// - Throws: `DatabaseFailure`.
    package static func all(ofSchema schema: Int) async throws -> [BackupTable] {
        let database = try SQLiteDatabase()
        _ = try Migrator.run(on: database, upTo: schema) { 0 }
        let tables = try await database.read { connection in
            let names = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") {
                try $0.text(0)
            }
            return try names.filter { !skipped.contains($0) && !$0.hasPrefix("sqlite_") }.map { name in
                try table(name, connection)
            }
        }
        try database.close()
        return tables
    }

    private static func table(_ name: String, _ connection: any SQLConnection) throws -> BackupTable {
        let columns = try connection.rows("SELECT name, type, pk FROM pragma_table_info(\(name)) ORDER BY cid") { row in
            (name: try row.text(0), type: try type(row.text(1)), place: try row.int(2))
        }
        let keys = columns.filter { $0.place > 0 }.sorted { $0.place < $1.place }
        guard !keys.isEmpty else { throw DatabaseFailure(.other, "The table \(name) has no primary key.") }
        return BackupTable(
            name: name, columns: columns.map { Column(name: $0.name, type: $0.type) }, keys: keys.map(\.name))
    }

    private static func type(_ name: String) throws -> ColumnType {
        switch name {
        case "BIGINT": .int
        case "TEXT": .text
        case "BLOB": .blob
        default: throw DatabaseFailure(.other, "A column has the type \(name).")
        }
    }

    /// Selects the next rows in the order of the key.
    /// - Parameter last: the key of the last row that was read; nil for the first rows.
    func page(after last: [SQLValue]?, limit: Int) -> Query {
        let keys = keys.joined(separator: ", ")
        var query = Query(stringLiteral: "SELECT \(columns.map(\.name).joined(separator: ", ")) FROM \(name)")
        if let last {
            query.append(Query(stringLiteral: " WHERE (\(keys)) > ("))
            for (index, value) in last.enumerated() {
                if index > 0 { query.append(", ") }
                query.append(Self.argument(value))
            }
            query.append(")")
        }
        query.append(Query(stringLiteral: " ORDER BY \(keys)"))
        query.append(" LIMIT \(limit)")
        return query
    }

    private static func argument(_ value: SQLValue) -> Query {
        switch value {
        case .null: "NULL"
        case .int(let number): "\(number)"
        case .text(let text): "\(text)"
        case .blob(let bytes), .content(let bytes): "\(blob: bytes)"
        }
    }

    /// The values of a row, as they are stored.
    /// - Throws: `DatabaseFailure` `.corrupt` if the type of a value is another one, or a text is not UTF-8.
    func values(of row: any SQLRow) throws -> [SQLValue] { try columns.indices.map { try value($0, of: row) } }

    private func value(_ index: Int, of row: any SQLRow) throws -> SQLValue {
        if row.isNull(index) { return .null }
        switch columns[index].type {
        case .int: return .int(try row.int(index))
        case .blob: return .blob(try row.blob(index))
        case .text:
            let text = try row.text(index)
            // The driver replaces what is not UTF-8.
            if text.unicodeScalars.contains("\u{FFFD}"), try row.blob(index) != Array(text.utf8) {
                throw DatabaseFailure(.corrupt, "a stored text is not UTF-8")
            }
            return .text(text)
        }
    }

    /// The values of a row; if they cannot be read, its key and why.
    /// - Throws: `DatabaseFailure` if the key cannot be read, either.
    func read(_ row: any SQLRow) throws -> ReadRow {
        do {
            return .values(try values(of: row))
        } catch let failure as DatabaseFailure where failure.kind == .corrupt {
            do {
                return .damaged(key: try keyIndexes.map { try value($0, of: row) }, failure.description)
            } catch {
                throw DatabaseFailure(
                    .corrupt, "A key in the table \(name) cannot be read (\(failure.description)): see roost check.")
            }
        }
    }

    enum ReadRow {
        case values([SQLValue])
        case damaged(key: [SQLValue], String)
    }

    /// A row in a line for the operator.
    func line(_ key: [SQLValue], _ fault: String) -> String {
        let names = key.map { value in
            switch value {
            case .text(let text): text
            case .int(let number): "\(number)"
            case .null, .blob, .content: "…"
            }
        }
        return "\(name) \(names.joined(separator: " ")): \(fault)"
    }

    /// The places of the key in a row.
    var keyIndexes: [Int] { keys.compactMap { key in columns.firstIndex { $0.name == key } } }
}
