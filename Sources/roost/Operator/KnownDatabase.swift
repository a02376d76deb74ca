import Foundation
import RoostCore
import RoostSQLite

/// What a data folder knows of the database that its secret has been used with: its epoch, in the file `epoch`.
///
/// Without it, a server whose database was lost, or was not restored, would start empty without a word.
struct KnownDatabase {
    let directory: String

    private var file: String { directory + "/epoch" }

    /// The epoch of the database that the secret was used with; nil if that is not known.
    var epoch: String? {
        (try? String(contentsOfFile: file, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private var isUsed: Bool { FileManager.default.fileExists(atPath: file) }

    /// Opens the database in the folder.
    /// - Throws: `DatabaseFailure`, also if it is lost.
    func open(startsNew: Bool) throws -> SQLiteDatabase {
        let path = directory + "/roost.sqlite"
        let advice = "put its backup there, or start with an empty one with --new-database."
        switch startsNew ? nil : SQLiteDatabase.emptiness(inDirectory: directory) {
        case .missing? where isUsed:
            throw DatabaseFailure(
                .unavailable,
                "The database \(path) is missing or empty, but the secret beside it was used with one: \(advice)")
        // The secret is made after the database has a WAL.
        case .withoutTables? where FileManager.default.fileExists(atPath: directory + "/secret"):
            throw DatabaseFailure(
                .unavailable,
                """
                The database \(path) has no tables, as a copy without its roost.sqlite-wal, but there is a secret beside it: \
                \(advice)
                """)
        case .missing?, .withoutTables?, nil: return try SQLiteDatabase(directory: directory)
        }
    }

    /// Checks an open database, which has not been migrated yet.
    /// - Throws: `DatabaseFailure` if it is empty and must not be, or the other way round.
    func check(_ database: any SQLDatabase, startsNew: Bool) throws {
        let isNew = try Migrator.isNew(database)
        if startsNew, !isNew {
            throw DatabaseFailure(
                .unavailable,
                "--new-database is for an empty database, and this one has data: leave the option out to use it.")
        }
        if isNew, !startsNew, isUsed {
            throw DatabaseFailure(
                .unavailable,
                """
                The database is empty, but the secret in \(directory) was used with one: restore its backup, name the right \
                one with --database, or start with an empty one with --new-database.
                """)
        }
    }

    /// Notes that the secret is used with a database.
    func note(epoch: String) throws {
        let text = epoch + "\n"
        guard (try? String(contentsOfFile: file, encoding: .utf8)) != text else { return }
        try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }
}
