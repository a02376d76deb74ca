import CLibPQ
import RoostCore

/// Converts PostgreSQL errors to `DatabaseFailure`.
enum PostgresFailure {
    /// The failure of a result.
    static func failure(_ result: OpaquePointer?, _ handle: OpaquePointer) -> DatabaseFailure {
        let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
        // Only the primary message, because the details of a conflict quote row values.
        let text =
            PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) } ?? message(handle)
        return DatabaseFailure(
            kind(of: state, isAlive: PQstatus(handle) == CONNECTION_OK), "PostgreSQL \(state): \(text)")
    }

    /// The last error message of a connection, on one line.
    static func message(_ handle: OpaquePointer) -> String {
        let text = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.isEmpty ? "the connection is gone" : line
    }

    /// The kind of an SQLSTATE: https://www.postgresql.org/docs/15/errcodes-appendix.html.
    static func kind(of state: String, isAlive: Bool = true) -> DatabaseFailure.Kind {
        guard isAlive else { return .unavailable }
        switch state {
        // The last two occur when several servers start at once on an empty database.
        case "40001", "40P01", "23505", "40003", "42710", "42P07": return .conflict
        case "55P03", "57014": return .busy
        case "53100": return .full
        // Too many connections; a primary that became a standby; a plan or statement invalidated by a migration.
        case "53300", "25006", "0A000", "26000": return .unavailable
        case "XX001", "XX002": return .corrupt
        default: break
        }
        if state.hasPrefix("08") || state.hasPrefix("57P") || state.hasPrefix("58") { return .unavailable }
        if state.hasPrefix("53") { return .busy }
        return state.hasPrefix("23") ? .conflict : .other
    }
}
