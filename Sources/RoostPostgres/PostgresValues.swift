import CLibPQ
import RoostCore

/// The values of a statement in PostgreSQL's binary format, in one buffer.
struct PostgresValues {
    static let int: Oid = 20
    static let text: Oid = 25
    static let blob: Oid = 17

    private(set) var types: [Oid] = []
    private var bytes: [UInt8] = []
    private var starts: [Int] = []
    private var lengths: [Int32] = []

    var count: Int { types.count }

    mutating func append(_ value: SQLValue) {
        types.append(Self.type(of: value) ?? 0)
        guard value != .null else {
            starts.append(-1)
            lengths.append(0)
            return
        }
        starts.append(bytes.count)
        appendContent(of: value)
        lengths.append(Int32(clamping: bytes.count - (starts.last ?? 0)))
    }

    /// Appends a column of rows as one array.
    mutating func append(column: Int, of rows: some Collection<[SQLValue]>, type: Oid) {
        starts.append(bytes.count)
        let start = bytes.count
        types.append(Self.array(of: type))
        appendInt32(1)
        let nullFlag = bytes.count
        appendInt32(0)
        appendInt32(Int32(bitPattern: type))
        appendInt32(Int32(clamping: rows.count))
        appendInt32(1)
        for row in rows {
            let value = row[column]
            if value == .null {
                bytes[nullFlag + 3] = 1
                appendInt32(-1)
                continue
            }
            let place = bytes.count
            appendInt32(0)
            appendContent(of: value)
            let length = UInt32(clamping: bytes.count - place - 4)
            for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32(index))) }
        }
        lengths.append(Int32(clamping: bytes.count - start))
    }

    /// The type of a value; nil for null, whose type PostgreSQL infers.
    static func type(of value: SQLValue) -> Oid? {
        switch value {
        case .null: nil
        case .int: int
        case .text: text
        case .blob, .content: blob
        }
    }

    static func name(of type: Oid) -> String {
        switch type {
        case int, array(of: int): "bigint"
        case blob, array(of: blob): "bytea"
        default: "text"
        }
    }

    private static func array(of type: Oid) -> Oid {
        switch type {
        case int: 1016
        case blob: 1001
        default: 1009
        }
    }

    private mutating func appendInt32(_ value: Int32) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func appendContent(of value: SQLValue) {
        switch value {
        case .null: break
        case .int(let value): withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
        case .text(let value): bytes.append(contentsOf: value.utf8)
        case .blob(let value), .content(let value): bytes.append(contentsOf: value)
        }
    }

    /// Calls `body` with the arrays that libpq requires.
    func withPointers<T>(
        _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> T
    ) -> T {
        // An extra byte, so that an empty value at the end has an address.
        let room = bytes + [0]
        return room.withUnsafeBytes { buffer in
            let base = buffer.bindMemory(to: CChar.self).baseAddress
            let pointers = starts.map { start in start < 0 ? nil : base.map { $0 + start } }
            return body(pointers, lengths, Array(repeating: 1, count: count))
        }
    }
}

extension Query {
    /// Whether the statement locks the rows that it reads.
    var locks: Bool {
        pieces.contains { piece in
            switch piece {
            case .word(.forUpdate), .word(.forUpdateSkipLocked), .word(.forShare): true
            default: false
            }
        }
    }

    /// The statement in PostgreSQL's syntax, and its values.
    ///
    /// A set of keys becomes one array per column, so that one prepared statement serves all sizes.
    var rendered: (sql: String, values: PostgresValues) {
        var sql = ""
        var values = PostgresValues()
        for piece in pieces {
            switch piece {
            case .sql(let text): sql += text
            case .value(let value):
                values.append(value)
                sql += "$\(values.count)"
            case .word(.text): sql += "TEXT COLLATE \"C\""
            case .word(.int): sql += "BIGINT"
            case .word(.blob): sql += "BYTEA"
            case .word(.forUpdate): sql += "FOR UPDATE"
            case .word(.forUpdateSkipLocked): sql += "FOR UPDATE SKIP LOCKED"
            case .word(.forShare): sql += "FOR SHARE"
            case .word(.databaseBytes): sql += "pg_database_size(current_database())"
            case .keys(let rows):
                guard let first = rows.first else {
                    sql += "SELECT NULL WHERE 1 = 0"
                    continue
                }
                var places: [String] = []
                for (column, value) in first.enumerated() {
                    let type = PostgresValues.type(of: value) ?? PostgresValues.text
                    values.append(column: column, of: rows, type: type)
                    places.append("$\(values.count)::\(PostgresValues.name(of: type))[]")
                }
                sql += "SELECT * FROM unnest(\(places.joined(separator: ", ")))"
            }
        }
        return (sql, values)
    }
}

extension Upsert {
    /// The statement with one array per column.
    func rendered(types: [Oid]) -> String {
        let places = types.enumerated().map { "$\($0 + 1)::\(PostgresValues.name(of: $1))[]" }
        var sql = "INSERT INTO \(table) (\(columns.joined(separator: ", "))) SELECT * FROM unnest("
        sql += places.joined(separator: ", ") + ")"
        if !keys.isEmpty {
            let updates = columns.filter { !keys.contains($0) }.map { "\($0) = excluded.\($0)" }
            sql += " ON CONFLICT (\(keys.joined(separator: ", "))) DO "
            sql += updates.isEmpty ? "NOTHING" : "UPDATE SET \(updates.joined(separator: ", "))"
        }
        return sql
    }
}

/// A row of a result.
struct PostgresRow: SQLRow {
    let result: OpaquePointer
    let row: Int32

    func isNull(_ column: Int) -> Bool { PQgetisnull(result, row, Int32(column)) == 1 }

    func int(_ column: Int) throws -> Int64 {
        let bytes = try content(column, [PostgresValues.int, 23, 21])
        guard let first = bytes.first else { throw DatabaseFailure(.corrupt, "a stored number is empty") }
        return bytes.reduce(first > 127 ? -1 : 0) { $0 << 8 | Int64($1) }
    }

    func text(_ column: Int) throws -> String {
        String(decoding: try content(column, [PostgresValues.text, 1043, 19, 705]), as: UTF8.self)
    }

    func blob(_ column: Int) throws -> [UInt8] { Array(try content(column, [PostgresValues.blob])) }

    private func content(_ column: Int, _ types: [Oid]) throws -> UnsafeRawBufferPointer {
        guard !isNull(column), types.contains(PQftype(result, Int32(column))) else {
            throw DatabaseFailure(.corrupt, "a stored value has the wrong type")
        }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, Int32(column)), count: Int(PQgetlength(result, row, Int32(column))))
    }
}
