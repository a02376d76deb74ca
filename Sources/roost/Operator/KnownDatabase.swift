import Foundation
import RoostCore
import RoostSQLite
import Synchronization

/// What a data folder knows of the database that its secret has been used with: its epoch, in the file `epoch`, and the
/// number of its last commit, in the file `last-commit`.
///
/// Without it, a server whose database was lost, or was not restored, would start empty without a word.
struct KnownDatabase {
    let directory: String

    private var file: String { directory + "/epoch" }

    /// The epoch of the database that the secret was used with; nil if that is not known.
    var epoch: String? {
        (try? String(contentsOfFile: file, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Whether the secret was used with a database.
    var isUsed: Bool {
        FileManager.default.fileExists(atPath: file) || LastCommitFile.read(in: directory) != nil
    }

    /// The folder in which a restore puts what it replaces, until it has ended.
    static let replacing = "replacing"

    /// Checks that no restore was killed while it replaced the database.
    /// - Throws: `DatabaseFailure`.
    func checkReplaced() throws {
        guard !FileManager.default.fileExists(atPath: directory + "/" + Self.replacing) else {
            throw DatabaseFailure(
                .unavailable,
                "A restore into \(directory) has not ended. Run roost restore again, with the same options and --replace."
            )
        }
    }

    /// Opens the database in the folder.
    /// - Throws: `DatabaseFailure`, also if it is lost.
    func open(startsNew: Bool) throws -> SQLiteDatabase {
        try checkReplaced()
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
        case .missing?, .withoutTables?: return try SQLiteDatabase(directory: directory)
        case nil:
            // Before it is opened to write: whoever puts back the WAL needs the file as it is.
            if !startsNew, SQLiteDatabase.sizeFault(inDirectory: directory) == nil, let fault = try? staleness() {
                throw DatabaseFailure(
                    .unavailable,
                    """
                    The database \(path) is not as the server left it: \(fault). Put back the roost.sqlite and the \
                    roost.sqlite-wal that were there; or, if you have restored a backup, run: roost restored --data \(directory)
                    """)
            }
            return try SQLiteDatabase(directory: directory)
        }
    }

    /// Why the database in the folder is an older or another one than it should be; nil if it is not, or that is not known.
    /// - Throws: `DatabaseFailure` if it cannot be read.
    private func staleness() throws -> String? {
        // A running server changes the database first and then the file.
        guard let noted = LastCommitFile.read(in: directory) else { return nil }
        let inspection = try SQLiteInspection(directory: directory)
        defer { try? inspection.close() }
        return Self.staleness(of: try inspection.lastCommit(), noted)
    }

    /// Why the database in the folder is not as the server left it, as far as its size and its last commit tell; nil if it is.
    /// A server may run meanwhile.
    var fault: String? {
        if let fault = SQLiteDatabase.sizeFault(inDirectory: directory) { return "roost.sqlite is not whole: \(fault)" }
        guard let fault = try? staleness() else { return nil }
        return "the database is not as the server left it: \(fault)"
    }

    /// Why the state of a database is older or another one than what was noted; nil if it is not.
    static func staleness(of stored: LastCommit?, _ noted: LastCommit) -> String? {
        guard let stored else { return "it has no epoch, and commit \(noted.number) was acknowledged" }
        if stored.epoch != noted.epoch {
            return "its epoch is \(stored.epoch), and that in last-commit is \(noted.epoch)"
        }
        guard stored.number < noted.number else { return nil }
        return "it ends with commit \(stored.number), and commit \(noted.number) was acknowledged"
    }

    /// Notes the number of the last commit, and of each from now on.
    /// - Throws: `DatabaseFailure`, or why the file cannot be written.
    func follow(_ database: SQLiteDatabase) throws {
        let file = Mutex<LastCommitFile?>(nil)
        let last = try database.countCommits { number in file.withLock { $0?.note(number) } }
        if let last { try file.withLock { $0 = try LastCommitFile(directory: directory, last) } }
    }

    /// Checks an open database, which has not been migrated yet.
    /// - Throws: `DatabaseFailure` if it is empty and must not be, or the other way round.
    func check(_ database: any SQLDatabase, startsNew: Bool) throws {
        try Migrator.checkRestored(database)
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
