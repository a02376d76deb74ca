import RoostCore
import RoostSQLite

/// A database that this binary must not touch.
package enum NewerDatabase {
    /// Makes a data folder look as if a newer version of roost had written it.
    package static func mark(_ directory: String) throws {
        let database = try SQLiteDatabase(directory: directory)
        try database.write { connection in
            let newer = Int64(Migrations.all.count + 1)
            try connection.execute("UPDATE schema_version SET version = \(newer)")
        }
        try database.close()
    }
}
