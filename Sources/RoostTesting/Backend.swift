import Foundation
import Logging
package import RoostCore
import RoostPostgres
import RoostSQLite

/// A database engine that tests run on.
package enum Backend: String, CaseIterable, Sendable, CustomStringConvertible {
    case memory = "SQLite in memory"
    case file = "SQLite on disk"
    case postgres = "PostgreSQL"

    /// The engines that this machine has: PostgreSQL where `ROOST_TEST_POSTGRES` is the URL of a database that tests may fill.
    package static var available: [Backend] { Postgres.url == nil ? [.memory, .file] : allCases }

    /// The same for suites that try every command: without the memory, which is the file without a disk, but for the
    /// long versions.
    package static var essential: [Backend] { TestLength.isLong ? available : available.filter { $0 != .memory } }

    package var description: String { rawValue }

    /// An empty database of this engine, with what must live as long as it.
    package func makeDatabase() throws -> (database: any SQLDatabase, resource: (any Sendable)?) {
        switch self {
        case .memory:
            return (try SQLiteDatabase(), nil)
        case .file:
            let folder = try TemporaryFolder()
            return (try SQLiteDatabase(directory: folder.path), folder)
        case .postgres:
            return (try Postgres.open(Postgres.makeSchema()), nil)
        }
    }
}

/// The PostgreSQL that tests run on; each test has a schema of its own there.
package enum Postgres {
    /// `ROOST_TEST_POSTGRES`.
    package static let url = ProcessInfo.processInfo.environment["ROOST_TEST_POSTGRES"]

    private static let logger = Logger(label: "postgres", factory: { _ in SwiftLogNoOpLogHandler() })
    private static let root = Result { try open(url ?? "") }

    /// Makes an empty schema, and answers the URL that leads into it.
    package static func makeSchema() throws -> String {
        let name = "t_" + UUID().uuidString.lowercased().filter { $0 != "-" }
        let statement = Query(stringLiteral: "CREATE SCHEMA \(name)")
        try root.get().write { try $0.execute(statement) }
        let base = url ?? ""
        return base + (base.contains("?") ? "&" : "?") + "options=-csearch_path%3D\(name)"
    }

    /// What `roost serve` takes for a fresh database when `ROOST_TEST_STORE` is "postgres"; nothing for its data folder.
    package static func serveArguments() throws -> [String] {
        guard ProcessInfo.processInfo.environment["ROOST_TEST_STORE"] == "postgres" else { return [] }
        return ["--database", try makeSchema()]
    }

    /// Opens the database of a URL.
    package static func open(_ url: String) throws -> any SQLDatabase {
        try PostgresDatabase(url: url, readers: 1, random: .random(in: 0 ... .max), logger: logger)
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
