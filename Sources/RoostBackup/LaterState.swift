package import RoostCore

/// What a restored database takes over from a later state: who was deleted, and who may log in with what.
///
/// Otherwise a restore would bring back users who were erased, and logins, keys and passwords that were taken away.
package struct LaterState: Sendable {
    private struct Rows: Sendable {
        var table: BackupTable
        var rows: [[SQLValue]]

        func index(of column: String) -> Int? { table.columns.firstIndex { $0.name == column } }
    }

    private static let read: Set = ["users", "accounts", "restrictions", "api_keys", "refresh_logins"]

    /// The first epoch of the database.
    package let origin: String?
    private let epoch: String?
    private let commits: Int64
    /// When it was: the time of the backup, or that of the last command in the database, in ms since 1970.
    private let time: Int64
    private let tables: [String: Rows]

    /// Reads it from a database.
    /// - Throws: `DatabaseFailure`.
    package init(of database: any SQLDatabase) async throws {
        let schema = try await database.read { connection in
            try connection.rows("SELECT version FROM schema_version WHERE id = 1") { try $0.int(0) }.first ?? 0
        }
        guard schema > 0, schema <= Migrations.all.count else {
            throw DatabaseFailure(
                .newerVersion, "It has the schema \(schema), and this version of roost knows \(Migrations.all.count).")
        }
        let all = try await BackupTable.all(ofSchema: Int(schema)).filter { Self.read.contains($0.name) }
        (tables, origin, epoch, commits, time) = try await database.read { connection in
            var tables: [String: Rows] = [:]
            for table in all { tables[table.name] = Rows(table: table, rows: try Self.rows(of: table, connection)) }
            // The commands of deleted users are erased, but what they may do no longer stays.
            var times = try connection.rows("SELECT COALESCE(MAX(sent_at), 0) FROM command_keys") { try $0.int(0) }
            if tables["restrictions"] != nil {
                times += try connection.rows("SELECT COALESCE(MAX(changed_at), 0) FROM restrictions") { try $0.int(0) }
            }
            let epochs = try connection.rows("SELECT value FROM meta WHERE name = 'epoch'") { try $0.text(0) }
            return (
                tables, try Migrator.firstEpoch(connection), epochs.first, try Self.commits(connection),
                times.max() ?? 0
            )
        }
    }

    /// The number of the last commit; 0 if they are not counted.
    static func commits(_ connection: any SQLConnection) throws -> Int64 {
        try connection.rows("SELECT value FROM meta WHERE name = 'commits'") { try $0.text(0) }.first.flatMap(
            Int64.init)
            ?? 0
    }

    /// Whether it is later than another state: by the commits of an epoch, or else by the time.
    package func isLater(than other: LaterState) -> Bool {
        isLater(thanEpoch: other.epoch, commits: other.commits, time: other.time)
    }

    /// Whether it is later than a backup.
    package func isLater(than manifest: BackupManifest) -> Bool {
        isLater(thanEpoch: manifest.epoch, commits: manifest.commits, time: manifest.createdAt)
    }

    private func isLater(thanEpoch other: String?, commits otherCommits: Int64, time otherTime: Int64) -> Bool {
        epoch == other && max(commits, otherCommits) > 0 ? commits > otherCommits : time > otherTime
    }

    private static func rows(of table: BackupTable, _ connection: any SQLConnection) throws -> [[SQLValue]] {
        var rows: [[SQLValue]] = []
        var last: [SQLValue]?
        while true {
            let page = try connection.rows(table.page(after: last, limit: 1_000)) {
                try table.read($0, isEncrypted: true).values
            }
            rows += page.filter { isNeeded($0, of: table) }
            guard page.count == 1_000, let end = page.last else { return rows }
            last = table.keyIndexes.map { end[$0] }
        }
    }

    /// Reads it from a backup.
    /// - Throws: `BackupError` if it is damaged; `FileStoreError`.
    package init(of manifest: BackupManifest, in place: BackupPlace) async throws {
        var tables: [String: Rows] = [:]
        for found in manifest.tables where Self.read.contains(found.table.name) {
            var rows: [[SQLValue]] = []
            for part in found.parts {
                var reader = try BackupRows(try await place.bytes(of: part), of: found.table)
                while let row = try reader.next() {
                    if Self.isNeeded(row, of: found.table) { rows.append(row) }
                }
            }
            tables[found.table.name] = Rows(table: found.table, rows: rows)
        }
        self.tables = tables
        origin = manifest.origin
        (epoch, commits, time) = (manifest.epoch, manifest.commits, manifest.createdAt)
    }

    /// Of the users only those who were deleted are kept in memory.
    private static func isNeeded(_ row: [SQLValue], of table: BackupTable) -> Bool {
        guard table.name == "users" else { return true }
        return table.columns.firstIndex { $0.name == "deleted_at" }.map { row[$0] != .null } ?? false
    }

    /// The users who were deleted.
    package var deletedUsers: [DeletedUser] {
        guard let users = tables["users"], let id = users.index(of: "id") else { return [] }
        let deletesMessages = users.index(of: "deletes_messages")
        return users.rows.compactMap { row in
            guard case .text(let user) = row[id] else { return nil }
            return DeletedUser(id: user, deletesMessages: deletesMessages.map { row[$0] == .int(1) } ?? false)
        }
    }

    /// Takes over which logins, tokens, codes and keys have ended, who is banned from the server, and changed passwords.
    /// - Throws: `DatabaseFailure`; nothing is changed then.
    package func apply(to database: any SQLDatabase) throws {
        try database.write { connection in
            if let found = tables["restrictions"] {
                let upsert = Upsert(
                    found.table.name, found.table.columns.map(\.name), keys: found.table.keys)
                try connection.write(found.rows, upsert)
            }
            try endLogins(connection)
            try revokeKeys(connection)
            try changePasswords(connection)
        }
    }

    /// Ends the logins that browsers keep and that have ended since.
    private func endLogins(_ connection: any SQLConnection) throws {
        guard let logins = tables["refresh_logins"], let user = logins.index(of: "user_id"),
            let token = logins.index(of: "token_id")
        else { return }
        let left = Set(logins.rows.map { [$0[user], $0[token]] })
        let found = try connection.rows("SELECT user_id, token_id FROM refresh_logins") { row in
            [SQLValue.text(try row.text(0)), .text(try row.text(1))]
        }
        for login in found where !left.contains(login) {
            guard case .text(let user) = login[0], case .text(let token) = login[1] else { continue }
            for table in ["refresh_logins", "logins"] as [Query] {
                try connection.execute("DELETE FROM \(table) WHERE user_id = \(user) AND token_id = \(token)")
            }
        }
    }

    private func revokeKeys(_ connection: any SQLConnection) throws {
        guard let keys = tables["api_keys"], let hash = keys.index(of: "hash"),
            let revokedAt = keys.index(of: "revoked_at")
        else { return }
        for row in keys.rows {
            guard case .text(let hash) = row[hash], case .int(let time) = row[revokedAt] else { continue }
            try connection.execute(
                "UPDATE api_keys SET revoked_at = \(time) WHERE hash = \(hash) AND revoked_at IS NULL")
        }
    }

    private func changePasswords(_ connection: any SQLConnection) throws {
        guard let accounts = tables["accounts"], let id = accounts.index(of: "user_id"),
            let password = accounts.index(of: "password")
        else { return }
        let found = try connection.rows("SELECT user_id, password FROM accounts") { row in
            (try row.text(0), SQLValue(try row.optionalText(1)))
        }
        let known = Dictionary(found, uniquingKeysWith: { first, _ in first })
        for row in accounts.rows {
            guard case .text(let user) = row[id], let old = known[user], old != row[password],
                case .text(let new) = row[password]
            else { continue }
            try connection.execute("UPDATE accounts SET password = \(new) WHERE user_id = \(user)")
        }
    }
}
