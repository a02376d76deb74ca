import RoostCore
import RoostSQLite

/// Damages the database of a stopped server.
package enum DamagedDatabase {
    /// Hides the table of the channel logs, so that nothing can be stored or read.
    package static func hideLogs(_ directory: String) throws {
        try run("ALTER TABLE channel_log RENAME TO channel_log_hidden", directory)
    }

    /// Restores the table.
    package static func showLogs(_ directory: String) throws {
        try run("ALTER TABLE channel_log_hidden RENAME TO channel_log", directory)
    }

    /// Makes all rows of the channel logs unreadable.
    package static func garbleLogs(_ directory: String) throws {
        try run("UPDATE channel_log SET frame = x'00'", directory)
    }

    private static func run(_ statement: Query, _ directory: String) throws {
        let database = try SQLiteDatabase(directory: directory)
        try database.write { try $0.execute(statement) }
        try database.close()
    }
}
