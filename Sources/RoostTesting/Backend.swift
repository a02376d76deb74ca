import Foundation
import Logging
package import RoostCore
import RoostEncryption
import RoostSQLite

// Not elsewhere: the tests of an app for iOS or macOS build without libpq.
#if os(Linux)
    import RoostPostgres
#endif

/// A database engine that tests run on.
package enum Backend: String, CaseIterable, Sendable, CustomStringConvertible {
    case memory = "SQLite in memory"
    case file = "SQLite on disk"
    case postgres = "PostgreSQL"
    case encrypted = "SQLite in memory, encrypted"
    case encryptedPostgres = "PostgreSQL, encrypted"

    /// The available engines: PostgreSQL if `ROOST_TEST_POSTGRES` is the URL of a database that tests may fill.
    package static var available: [Backend] { Postgres.url == nil ? [.memory, .file] : [.memory, .file, .postgres] }

    /// The available engines, encrypted.
    package static var encrypting: [Backend] { Postgres.url == nil ? [.encrypted] : [.encrypted, .encryptedPostgres] }

    /// The engines for suites that test every command: in long runs all, otherwise those that production has.
    package static var essential: [Backend] {
        TestLength.isLong ? available + [.encrypted] : available.filter { $0 != .memory }
    }

    package var description: String { rawValue }

    /// Creates an empty database of this engine, with a resource that must live as long as the database.
    package func makeDatabase() throws -> (database: any SQLDatabase, resource: (any Sendable)?) {
        switch self {
        case .memory:
            return (try SQLiteDatabase(), nil)
        case .file:
            let folder = try TemporaryFolder()
            return (try SQLiteDatabase(directory: folder.path), folder)
        case .postgres:
            return (try Postgres.open(Postgres.makeSchema()), nil)
        case .encrypted:
            return (try Self.encrypted(SQLiteDatabase()), nil)
        case .encryptedPostgres:
            return (try Self.encrypted(Postgres.open(Postgres.makeSchema())), nil)
        }
    }
}

extension Backend {
    /// The database with encrypted content.
    private static func encrypted(_ database: any SQLDatabase) throws -> any SQLDatabase {
        let cipher = ContentCipher(secrets: [[UInt8](repeating: 7, count: 32)])
        return try database.encrypted(with: cipher, random: { .random(in: 0 ... .max) })
    }
}

/// The PostgreSQL database for tests; each test has its own schema.
package enum Postgres {
    /// `ROOST_TEST_POSTGRES`.
    package static let url = ProcessInfo.processInfo.environment["ROOST_TEST_POSTGRES"]

    private static let logger = Logger(label: "postgres", factory: { _ in SwiftLogNoOpLogHandler() })
    private static let root = Result { try open(url ?? "") }

    /// Creates an empty schema and returns the URL for it.
    package static func makeSchema() throws -> String {
        let name = "t_" + UUID().uuidString.lowercased().filter { $0 != "-" }
        let statement = Query(stringLiteral: "CREATE SCHEMA \(name)")
        try root.get().write { try $0.execute(statement) }
        let base = url ?? ""
        return base + (base.contains("?") ? "&" : "?") + "options=-csearch_path%3D\(name)"
    }

    /// Opens the database of a URL.
    /// - Throws: an error if it cannot connect; always on systems other than Linux, because this module has no libpq there.
    package static func open(_ url: String) throws -> any SQLDatabase {
        #if os(Linux)
            return try PostgresDatabase(url: url, readers: 1, random: .random(in: 0 ... .max), logger: logger)
        #else
            throw CocoaError(.featureUnsupported)
        #endif
    }
}

/// A temporary folder that is deleted with this object.
package final class TemporaryFolder: Sendable {
    /// The path of the folder.
    package let path: String

    package init() throws {
        let base = FileManager.default.temporaryDirectory.path
        path = base + "/roost-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
