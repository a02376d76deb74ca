import RoostFiles

extension BackupPlace {
    /// Deletes all backups but the newest ones, and what only they have.
    /// - Parameters:
    ///   - count: how many are kept; at least 1.
    ///   - time: what was stored later, in ms since 1970, is kept: another backup may be made in the same place.
    /// - Returns: the names of the deleted backups.
    /// - Throws: `FileStoreError` or `BackupError`; the kept backups are whole then, too.
    package func prune(keeping count: Int, storedBefore time: Int64) async throws -> [String] {
        let names = try await names()
        let deleted = names.dropLast(max(1, count))
        // Before anything is deleted: what all kept ones need.
        var used: Set<String> = []
        for name in names.suffix(max(1, count)) {
            do {
                let manifest = try await manifest(named: name)
                used.formUnion(manifest.allParts.map(\.hash))
                try await files(of: manifest) { _, hash, _ in used.insert(hash) }
            } catch let error as BackupError {
                throw BackupError(
                    "It is not known what the backup \(name) needs: \(error.description) If it is of no use, run: roost backup delete \(name)"
                )
            }
        }
        for name in deleted { try await store.delete(BackupManifest.prefix + name) }
        var last = ""
        while true {
            let keys = try await store.keys(after: last, limit: 1_000, storedBefore: time)
            // Other keys are left alone.
            for key in keys where Self.isHash(key) && !used.contains(key) { try await store.delete(key) }
            guard keys.count == 1_000, let end = keys.last else { return Array(deleted) }
            last = end
        }
    }

    /// Deletes a backup; its parts stay for those that share them.
    package func delete(_ name: String) async throws { try await store.delete(BackupManifest.prefix + name) }
}
