import ArgumentParser
import Foundation
import RoostCore

/// Where a command finds the URL of a PostgreSQL database.
enum DatabaseURL {
    static let help = ArgumentHelp(
        "A PostgreSQL database: postgres://user@host:5432/name?sslmode=verify-full.",
        discussion: """
            Other users of the machine can read the command line, so the URL may also be given in \
            ROOST_DATABASE or in the file named by ROOST_DATABASE_FILE. The password may also come from PGPASSWORD, \
            PGPASSFILE or ~/.pgpass. The URL accepts all libpq parameters.
            """, valueName: "url")

    /// The URL of the option or of the environment; nil if the database is in the data folder.
    /// - Throws: `DatabaseFailure` if the named file cannot be read.
    static func given(
        _ option: String?, in environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> String? {
        // An empty variable is none.
        let environment = environment.filter { !$0.value.isEmpty }
        if let url = option ?? environment["ROOST_DATABASE"] { return url }
        guard let path = environment["ROOST_DATABASE_FILE"] else { return nil }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw DatabaseFailure(.unavailable, "ROOST_DATABASE_FILE names \(path), which cannot be read.")
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
