package import RoostCore
import RoostSQLite
package import RoostWire

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

    /// Makes all schedules unreadable: objects without a field.
    package static func garbleSchedules(_ directory: String) throws {
        try run("UPDATE schedules SET content = x'7B7D'", directory)
    }

    /// Changes one bit in the stored event of a row of a channel's log.
    package static func flipBit(in channel: ChannelID, _ seq: Int64, of database: any SQLDatabase) throws {
        try database.write { connection in
            let found = try connection.rows(
                "SELECT frame FROM channel_log WHERE channel = \(channel) AND seq = \(seq)"
            ) { try $0.blob(0) }
            guard var bytes = found.first, !bytes.isEmpty else { return }
            bytes[bytes.count / 2] ^= 1
            try connection.execute(
                "UPDATE channel_log SET frame = \(blob: bytes) WHERE channel = \(channel) AND seq = \(seq)")
        }
    }

    /// The same for the database in a folder.
    package static func flipBit(in channel: ChannelID, _ seq: Int64, _ directory: String) throws {
        let database = try SQLiteDatabase(directory: directory)
        try flipBit(in: channel, seq, of: database)
        try database.close()
    }

    /// Deletes a row of a channel's log.
    package static func deleteRow(of channel: ChannelID, _ seq: Int64, _ directory: String) throws {
        try run("DELETE FROM channel_log WHERE channel = \(channel) AND seq = \(seq)", directory)
    }

    private static func run(_ statement: Query, _ directory: String) throws {
        let database = try SQLiteDatabase(directory: directory)
        try database.write { try $0.execute(statement) }
        try database.close()
    }
}
