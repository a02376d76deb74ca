package import RoostWire

/// A statement with its arguments, written as one string: `"… WHERE id = \(id)"` binds the value, it never splices it.
///
/// It is kept in pieces, and the driver puts them together: how a place for a
/// value looks, how a set of keys is handed over, and the few words that engines
/// spell differently (`SQLWord`) are the driver's business alone.
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
        package mutating func appendInterpolation(_ value: [UInt8]) { pieces.append(.value(.blob(value))) }
        package mutating func appendInterpolation(_ value: some Identifier) {
            pieces.append(.value(.text(value.rawValue)))
        }

        /// A set of keys: rows of equal length and without nulls, of one type per column. It may name a row twice.
        package mutating func appendInterpolation(keys rows: [[SQLValue]]) { pieces.append(.keys(rows)) }

        /// Another piece of a statement, with its arguments.
        package mutating func appendInterpolation(_ query: Query) { pieces += query.pieces }

        /// A word that the engine spells its own way.
        package mutating func appendInterpolation(_ word: SQLWord) { pieces.append(.word(word)) }
    }
}

extension Query {
    /// Adds another piece with its arguments.
    package mutating func append(_ other: Query) { pieces += other.pieces }
}

/// What engines spell differently: the whole list, with its spellings in docs/stores.md.
package enum SQLWord: Sendable {
    /// The type of a text that compares as bytes.
    case text
    /// The type of a 64-bit integer.
    case int
    /// The type of bytes.
    case blob
    /// At the end of a `SELECT`: the rows stay as they are until this transaction ends.
    case forUpdate
    /// The same, without those that another transaction holds.
    case forUpdateSkipLocked
    /// The same, except that any number of transactions hold a row in this way at once.
    case forShare
}
