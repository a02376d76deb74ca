import RoostCore
import RoostSQLite

/// Harm that is done to the database of a server that is stopped.
package enum DamagedDatabase {
    /// Takes the table of the channels' logs away, so that nothing can be stored or read.
    package static func hideLogs(_ directory: String) throws {
        try run("ALTER TABLE channel_log RENAME TO channel_log_hidden", directory)
    }

    /// Gives the table back.
    package static func showLogs(_ directory: String) throws {
        try run("ALTER TABLE channel_log_hidden RENAME TO channel_log", directory)
    }

    /// Makes all stored rows of the channels' logs unreadable.
    package static func garbleLogs(_ directory: String) throws {
        try run("UPDATE channel_log SET frame = x'00'", directory)
    }

    private static func run(_ statement: Query, _ directory: String) throws {
        let database = try SQLiteDatabase(directory: directory)
        try database.write { try $0.execute(statement) }
        try database.close()
    }
}
