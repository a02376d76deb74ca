import RoostCore

/// The rows of a part of a table, as bytes.
///
/// A line names the table and its columns. Then each value of each row has a byte for its type, and 8 bytes for a number, or
/// 4 bytes for the length of a text or bytes, and these. Numbers begin with their lowest byte.
struct BackupRows {
    private enum Tag: UInt8 {
        case null, int, text, blob
    }

    static func heading(of table: BackupTable) -> [UInt8] {
        Array("\(table.name) \(table.columns.map(\.name).joined(separator: ","))\n".utf8)
    }

    static func append(_ row: [SQLValue], to bytes: inout [UInt8]) {
        for value in row {
            switch value {
            case .null: bytes.append(Tag.null.rawValue)
            case .int(let number):
                bytes.append(Tag.int.rawValue)
                append(UInt64(bitPattern: number), count: 8, to: &bytes)
            case .text(let text): append(text.utf8, .text, to: &bytes)
            case .blob(let blob), .content(let blob): append(blob, .blob, to: &bytes)
            }
        }
    }

    private static func append(_ value: some Collection<UInt8>, _ tag: Tag, to bytes: inout [UInt8]) {
        bytes.append(tag.rawValue)
        append(UInt64(value.count), count: 4, to: &bytes)
        bytes.append(contentsOf: value)
    }

    private static func append(_ number: UInt64, count: Int, to bytes: inout [UInt8]) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(index)))) }
    }

    private let bytes: [UInt8]
    private let columns: Int
    private var place: Int

    /// Reads the rows of a part.
    /// - Throws: `BackupError` if they are not of this table.
    init(_ bytes: [UInt8], of table: BackupTable) throws(BackupError) {
        let heading = Self.heading(of: table)
        guard bytes.starts(with: heading) else { throw Self.damaged }
        self.bytes = bytes
        columns = table.columns.count
        place = heading.count
    }

    /// The next row; nil at the end.
    /// - Throws: `BackupError` if the bytes are no rows.
    mutating func next() throws(BackupError) -> [SQLValue]? {
        guard place < bytes.count else { return nil }
        var row: [SQLValue] = []
        row.reserveCapacity(columns)
        for _ in 0..<columns { row.append(try value()) }
        return row
    }

    private mutating func value() throws(BackupError) -> SQLValue {
        switch Tag(rawValue: UInt8(truncatingIfNeeded: try number(1))) {
        case .null: return .null
        case .int: return .int(Int64(bitPattern: try number(8)))
        case .text:
            guard let text = String(validating: try content(), as: UTF8.self) else { throw Self.damaged }
            return .text(text)
        case .blob: return .blob(Array(try content()))
        case nil: throw Self.damaged
        }
    }

    private mutating func number(_ count: Int) throws(BackupError) -> UInt64 {
        guard bytes.count - place >= count else { throw Self.damaged }
        var number: UInt64 = 0
        for index in 0..<count { number |= UInt64(bytes[place + index]) << (8 * UInt64(index)) }
        place += count
        return number
    }

    private mutating func content() throws(BackupError) -> ArraySlice<UInt8> {
        guard let count = Int(exactly: try number(4)), bytes.count - place >= count else { throw Self.damaged }
        defer { place += count }
        return bytes[place..<place + count]
    }

    private static let damaged = BackupError("A part of the backup is not understood.")
}

/// Cuts the rows of a table into parts.
///
/// Where it cuts depends on the keys, so that a table in which few rows have changed has mostly the same parts as before.
struct BackupCutter {
    /// A part has about this many bytes at least, and at most four MiB and a row.
    private static let leastBytes = 256 << 10
    private static let mostBytes = 4 << 20
    /// One key in so many ends a part.
    private static let ending: UInt64 = 512

    private let heading: [UInt8]
    private let keys: [Int]
    private(set) var bytes: [UInt8]
    private(set) var rows = 0

    init(_ table: BackupTable) {
        heading = BackupRows.heading(of: table)
        keys = table.keyIndexes
        bytes = heading
    }

    /// Adds a row.
    /// - Returns: whether the part ends with it.
    mutating func append(_ row: [SQLValue]) -> Bool {
        BackupRows.append(row, to: &bytes)
        rows += 1
        guard bytes.count >= Self.leastBytes else { return false }
        return bytes.count >= Self.mostBytes || Self.hash(keys.map { row[$0] }) % Self.ending == 0
    }

    mutating func beginNext() {
        bytes = heading
        rows = 0
    }

    /// The FNV-1a hash of a key.
    private static func hash(_ key: [SQLValue]) -> UInt64 {
        var bytes: [UInt8] = []
        BackupRows.append(key, to: &bytes)
        return bytes.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
}
