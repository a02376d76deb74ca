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

    /// Reads a row as it is stored, also if it is damaged.
    /// - Parameter isEncrypted: whether its content is, so that it cannot be known whether that is whole.
    /// - Returns: the values, and what is wrong with them; nil if nothing is.
    /// - Throws: `DatabaseFailure` if its key cannot be read.
    func read(_ row: any SQLRow, isEncrypted: Bool) throws -> (values: [SQLValue], fault: String?) {
        var fault: String?
        var values: [SQLValue] = []
        values.reserveCapacity(columns.count)
        for index in columns.indices {
            do {
                values.append(try value(index, of: row))
            } catch let failure as DatabaseFailure where failure.kind == .corrupt {
                guard !keys.contains(columns[index].name) else {
                    throw DatabaseFailure(.corrupt, "a key: \(failure.description)")
                }
                fault = "\(columns[index].name): \(failure.description)"
                values.append(Self.anyValue(index, of: row))
            }
        }
        if fault == nil, !isEncrypted { fault = contentFault(of: values) }
        return (values, fault)
    }

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

    /// A value of another type than it should have, as SQLite stores it, or a text that is not UTF-8, as servers show it.
    private static func anyValue(_ index: Int, of row: any SQLRow) -> SQLValue {
        if let text = try? row.text(index) { return .text(text) }
        if let number = try? row.int(index) { return .int(number) }
        return (try? .blob(row.blob(index))) ?? .null
    }

    private func contentFault(of values: [SQLValue]) -> String? {
        for column in DatabaseCheck.contents[name] ?? [] {
            guard let index = columns.firstIndex(where: { $0.name == column }), case .blob(let bytes) = values[index]
            else { continue }
            do {
                _ = try StoredContent.opened(bytes)
            } catch {
                return "\(column): \((error as? DatabaseFailure)?.description ?? "it cannot be read")"
            }
        }
        return nil
    }

    /// The values of a damaged row as an engine with types can store them: what has another type is empty.
    func typed(_ values: [SQLValue]) -> [SQLValue] {
        zip(columns, values).map { column, value in
            switch (column.type, value) {
            case (_, .null), (.int, .int), (.text, .text), (.blob, .blob), (.blob, .content): value
            case (.int, _): .int(0)
            case (.text, _): .text("")
            case (.blob, _): .blob([])
            }
        }
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
