package import RoostWire

/// A statement with its arguments, written as a string: `"… WHERE id = \(id)"` binds the value and never splices it
/// into the SQL.
///
/// It is stored in pieces that the driver assembles: the driver decides on the syntax of placeholders, the transfer
/// of key sets, and the few words that engines spell differently (`SQLWord`).
package struct Query: ExpressibleByStringInterpolation, Sendable {
    package enum Piece: Sendable {
        case sql(String)
        case value(SQLValue)
        /// Rows for a common table expression: `WITH k (a, b) AS (\(keys: rows))`.
        case keys([[SQLValue]])
        case word(SQLWord)
    }

    package private(set) var pieces: [Piece]

    package init(stringLiteral value: String) { pieces = [.sql(value)] }

    package init(stringInterpolation interpolation: Interpolation) { pieces = interpolation.pieces }

    package struct Interpolation: StringInterpolationProtocol {
        var pieces: [Piece] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            pieces.reserveCapacity(2 * interpolationCount + 1)
        }

        package mutating func appendLiteral(_ literal: String) { if !literal.isEmpty { pieces.append(.sql(literal)) } }

        package mutating func appendInterpolation(_ value: String?) { pieces.append(.value(SQLValue(value))) }
        package mutating func appendInterpolation(_ value: Int64?) { pieces.append(.value(SQLValue(value))) }
        package mutating func appendInterpolation(_ value: Int) { pieces.append(.value(.int(Int64(value)))) }
        /// Bytes that statements compare.
        package mutating func appendInterpolation(blob value: [UInt8]) { pieces.append(.value(.blob(value))) }
        /// Bytes with what users have written.
        package mutating func appendInterpolation(content value: [UInt8]) { pieces.append(.value(.content(value))) }
        package mutating func appendInterpolation(_ value: some Identifier) {
            pieces.append(.value(.text(value.rawValue)))
        }

        /// A set of keys: rows of equal length without nulls, of one type per column. A row may occur twice.
        package mutating func appendInterpolation(keys rows: [[SQLValue]]) { pieces.append(.keys(rows)) }

        /// Another part of a statement, with its arguments.
        package mutating func appendInterpolation(_ query: Query) { pieces += query.pieces }

        /// A word that engines spell differently.
        package mutating func appendInterpolation(_ word: SQLWord) { pieces.append(.word(word)) }
    }
}

extension Query {
    /// The statement with each single value replaced; sets of keys stay as they are.
    package func mapValues(_ transform: (SQLValue) throws -> SQLValue) rethrows -> Query {
        var query = self
        for (index, piece) in pieces.enumerated() {
            if case .value(let value) = piece { query.pieces[index] = .value(try transform(value)) }
        }
        return query
    }

    /// Appends another part with its arguments.
    package mutating func append(_ other: Query) { pieces += other.pieces }
}

/// The words that engines spell differently; docs/stores.md lists the spellings.
package enum SQLWord: Sendable {
    /// The type of a text that is compared bytewise.
    case text
    /// The type of a 64-bit integer.
    case int
    /// The type of bytes.
    case blob
    /// At the end of a `SELECT`: locks the rows until the end of the transaction.
    case forUpdate
    /// The same, skipping rows that another transaction has locked.
    case forUpdateSkipLocked
    /// A shared lock, which any number of transactions can hold on a row at once.
    case forShare
    /// The size of the database in bytes, as an expression.
    case databaseBytes
}
