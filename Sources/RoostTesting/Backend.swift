import Foundation
package import RoostCore
import RoostSQLite

/// A database engine that tests run on.
package enum Backend: String, CaseIterable, Sendable, CustomStringConvertible {
    case memory = "SQLite in memory"
    case file = "SQLite on disk"

    /// The engines that this machine has.
    package static var available: [Backend] { allCases }

    package var description: String { rawValue }

    /// An empty database of this engine, with the folder that holds it, if there is one.
    package func makeDatabase() throws -> (database: any SQLDatabase, folder: TemporaryFolder?) {
        switch self {
        case .memory:
            return (try SQLiteDatabase(), nil)
        case .file:
            let folder = try TemporaryFolder()
            return (try SQLiteDatabase(directory: folder.path), folder)
        }
    }
}

/// A folder that is gone when nobody needs it any more.
package final class TemporaryFolder: Sendable {
    /// Where it is.
    package let path: String

    package init() throws {
        let base = FileManager.default.temporaryDirectory.path
        path = base + "/roost-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
