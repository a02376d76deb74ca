import RoostCore
import RoostSQLite

/// A database with a newer schema than this binary supports.
package enum NewerDatabase {
    /// Marks a data folder as written by a newer version of roost.
    package static func mark(_ directory: String) throws {
        let database = try SQLiteDatabase(directory: directory)
        try database.write { connection in
            let newer = Migrations.all.count + 1
            try connection.execute("UPDATE schema_version SET version = \(newer), oldest = \(newer)")
        }
        try database.close()
    }
}
