package import RoostCore
package import RoostFiles

/// Puts a backup into an empty database and a storage for files.
package struct Restore: Sendable {
    private let manifest: BackupManifest
    private let place: BackupPlace
    private let progress: @Sendable (String) -> Void

    /// - Parameter progress: called with a line from time to time.
    package init(
        _ manifest: BackupManifest, from place: BackupPlace, progress: @escaping @Sendable (String) -> Void
    ) {
        self.manifest = manifest
        self.place = place
        self.progress = progress
    }

    // MARK: Checks

    /// Checks that this version can restore it, and that each part and each file is there, in its size.
    /// - Parameters:
    ///   - isWhole: whether to read all of them, too.
    ///   - deletesDamaged: whether what has changed is deleted then, so that the next backup stores it again.
    /// - Returns: what is wrong, a line each.
    /// - Throws: `BackupError` if this version cannot restore it; `FileStoreError`.
    package func faults(isWhole: Bool, deletesDamaged: Bool = false) async throws -> [String] {
        guard manifest.schema > 0, manifest.schema <= Migrations.all.count else {
            throw BackupError(
                "The backup \(manifest.name) has the schema \(manifest.schema), and this version of roost knows "
                    + "\(Migrations.all.count). Use version \(manifest.version) or a newer one.")
        }
        guard try await manifest.tables.map(\.table) == BackupTable.all(ofSchema: manifest.schema) else {
            throw BackupError("The backup \(manifest.name) is damaged: its tables are not those of its schema.")
        }
        var faults: [String] = []
        for part in manifest.allParts {
            if let fault = try await fault(of: part, isWhole: isWhole, deletesDamaged: deletesDamaged) {
                faults.append(fault)
            }
        }
        guard faults.isEmpty else { return faults }
        var count = 0
        try await place.files(of: manifest) { _, hash, size in
            count += 1
            if count.isMultiple(of: 1_000) { progress("checked \(count) of \(manifest.fileCount) files") }
            if let fault = try await fault(
                ofFile: hash, size: size, isWhole: isWhole, deletesDamaged: deletesDamaged)
            {
                faults.append(fault)
            }
        }
        return faults
    }

    private func fault(
        of part: BackupManifest.Part, isWhole: Bool, deletesDamaged: Bool
    ) async throws -> String? {
        guard isWhole else {
            let isThere = try await place.store.size(of: part.hash) == part.bytes
            return isThere ? nil : "The part \(part.hash) is missing, or not whole."
        }
        let fault: String
        do {
            _ = try await place.bytes(of: part)
            return nil
        } catch let error as BackupError {
            fault = error.description
        }
        if deletesDamaged { try await place.deleteIfDamaged(part.hash, size: part.bytes) }
        return fault
    }

    private func fault(
        ofFile hash: String, size: Int64, isWhole: Bool, deletesDamaged: Bool
    ) async throws -> String? {
        guard isWhole else {
            let isThere = try await place.store.size(of: hash) == size
            return isThere ? nil : "The file \(hash) is missing, or not whole."
        }
        guard try await !place.isWhole(hash, size: size) else { return nil }
        if deletesDamaged { try await place.deleteIfDamaged(hash, size: size) }
        return "The file \(hash) is missing, or has changed."
    }

    // MARK: The database

    /// Prepares a database, which must have no users and channels, or those of a restore that has not ended.
    ///
    /// No server starts with it until `Migrator.endRestore`.
    /// - Parameters:
    ///   - id: names the restore.
    ///   - whenAlone: runs a transaction at a time when no server uses the database.
    /// - Throws: `DatabaseFailure`, also if the database has data or a server uses it.
    package func begin(
        _ id: String, into database: any SQLDatabase, whenAlone: ((any SQLConnection) throws -> Void) throws -> Void
    ) async throws {
        let tables = try await BackupTable.all(ofSchema: Migrations.all.count).map(\.name)
        try whenAlone { connection in
            try Migrator.beginRestore(
                connection, id: id, schema: manifest.schema, tables: tables, isShared: database.isShared)
        }
    }

    /// Loads the rows into a prepared database. It gets a new epoch, so that no client takes its rows for those that it has.
    /// - Returns: the epoch.
    /// - Throws: `DatabaseFailure`; `BackupError` if a part is damaged; `FileStoreError`.
    package func load(_ id: String, into database: any SQLDatabase, random: () -> UInt64) async throws -> String {
        var count = 0
        for (rows, part) in manifest.tables.flatMap({ rows in rows.parts.map { (rows, $0) } }) {
            var reader = try BackupRows(try await place.bytes(of: part), of: rows.table)
            var values: [[SQLValue]] = []
            while let row = try reader.next() {
                // SQLite stores a damaged value as it was.
                values.append(database.isShared ? rows.table.typed(row) : row)
            }
            guard values.count == part.rows else {
                throw BackupError(
                    "The backup is damaged: the part \(part.hash) has \(values.count) rows of \(part.rows).")
            }
            let upsert = Upsert(rows.table.name, rows.table.columns.map(\.name))
            try database.write { connection in
                try Migrator.checkRestore(connection, id: id)
                try connection.write(values, upsert)
            }
            if (count + values.count) / 50_000 > count / 50_000 {
                progress("restored \(count + values.count) of \(manifest.rowCount) rows")
            }
            count += values.count
        }
        return try database.write { connection in
            try Migrator.checkRestore(connection, id: id)
            return try Migrator.renewEpoch(connection, random: random)
        }
    }

    /// Whether content is encrypted in the backup.
    /// - Throws: `BackupError` if it is damaged; `FileStoreError`.
    package func hasEncryption() async throws -> Bool {
        guard let meta = manifest.tables.first(where: { $0.table.name == "meta" }) else { return false }
        for part in meta.parts {
            var reader = try BackupRows(try await place.bytes(of: part), of: meta.table)
            while let row = try reader.next() {
                if case .text(let name) = row[0], name.hasPrefix("encryption:") { return true }
            }
        }
        return false
    }

    // MARK: The files

    /// Copies the files that the storage does not have.
    /// - Parameter readsAll: whether to read the files that are there in their size, to know whether they are whole.
    /// - Parameter folder: for files on their way; for a folder of files, on the same file system.
    /// - Returns: how many files were copied.
    package func copyFiles(to files: any FileStore, readsAll: Bool, through folder: String) async throws -> Int {
        var (count, copied) = (0, 0)
        try await place.files(of: manifest) { key, hash, size in
            count += 1
            if count.isMultiple(of: 1_000) { progress("restored \(count) of \(manifest.fileCount) files") }
            if try await files.size(of: key) == size {
                guard readsAll else { return }
                if try await BackupPlace.hash(of: key, in: files, size: size) == hash { return }
            }
            try await place.copy(hash, size: size, to: files, as: key, through: folder)
            copied += 1
        }
        return copied
    }
}
