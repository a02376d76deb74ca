package import RoostWire

/// A statement with its arguments, written as one string: `"… WHERE id = \(id)"` binds the value, it never splices it.
package struct Query: ExpressibleByStringInterpolation, Sendable {
    package var sql: String
    package var arguments: [SQLValue]

    package init(stringLiteral value: String) {
        sql = value
        arguments = []
    }

    package init(stringInterpolation interpolation: Interpolation) {
        sql = interpolation.sql
        arguments = interpolation.arguments
    }

    package struct Interpolation: StringInterpolationProtocol {
        var sql = ""
        var arguments: [SQLValue] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            sql.reserveCapacity(literalCapacity + interpolationCount)
            arguments.reserveCapacity(interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) { sql += literal }

        private mutating func bind(_ value: SQLValue) {
            sql += "?"
            arguments.append(value)
        }

        package mutating func appendInterpolation(_ value: String?) { bind(SQLValue(value)) }
        package mutating func appendInterpolation(_ value: Int64?) { bind(SQLValue(value)) }
        package mutating func appendInterpolation(_ value: Int) { bind(.int(Int64(value))) }
        package mutating func appendInterpolation(_ value: [UInt8]) { bind(.blob(value)) }
        package mutating func appendInterpolation(_ value: some Identifier) { bind(.text(value.rawValue)) }

        /// `VALUES (?,?),(?,?)…` for a common table expression of keys.
        ///
        /// The number of rows is rounded up to a power of two by repeating the
        /// last one, so that a handful of prepared statements serves all sizes.
        package mutating func appendInterpolation(keys rows: [[SQLValue]]) {
            guard let last = rows.last else {
                sql += "SELECT NULL WHERE 1 = 0"
                return
            }
            var size = 1
            while size < rows.count { size *= 2 }
            let row = "(" + last.map { _ in "?" }.joined(separator: ",") + ")"
            sql += "VALUES " + Array(repeating: row, count: size).joined(separator: ",")
            for index in 0..<size { arguments += index < rows.count ? rows[index] : last }
        }
    }
}

extension Query {
    /// Adds another piece with its arguments.
    package mutating func append(_ other: Query) {
        sql += other.sql
        arguments += other.arguments
    }
}
