import Foundation
package import RoostCore

/// Searches what a server has stored for a text, byte by byte.
package enum StoredBytes {
    /// Whether a file of a folder, or of a folder below it, contains the text.
    package static func contain(_ text: String, inFolder path: String) throws -> Bool {
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            let url = URL(fileURLWithPath: path + "/" + name)
            guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
            if try Data(contentsOf: url).range(of: Data(text.utf8)) != nil { return true }
        }
        return false
    }

    /// Whether a table of a PostgreSQL database contains the text, as such or in bytes.
    package static func contain(_ text: String, inTablesOf database: any SQLDatabase) throws -> Bool {
        let bytes = text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return try database.write { connection in
            let tables = try connection.rows(
                "SELECT CAST(table_name AS TEXT) FROM information_schema.tables WHERE table_schema = current_schema()"
            ) { try $0.text(0) }
            return try tables.contains { table in
                try connection.rows(Query(stringLiteral: "SELECT CAST(t AS TEXT) FROM \(table) t")) { try $0.text(0) }
                    .contains { $0.contains(text) || $0.contains(bytes) }
            }
        }
    }
}
