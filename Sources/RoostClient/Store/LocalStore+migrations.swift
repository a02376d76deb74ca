import GRDB
import RoostWire

extension LocalStore {
    /// The tables that `clean()` empties.
    static let tables = ["info", "channels", "rows", "deletions", "members", "sends", "drafts", "profile_changes"]

    /// The migrations. Never change one that was released.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE info (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
                    -- `position` is where resume goes on; NULL for a channel that is only cached.
                    CREATE TABLE channels (
                        channel TEXT NOT NULL PRIMARY KEY, position INTEGER, activity_at INTEGER NOT NULL,
                        is_listed INTEGER NOT NULL, record TEXT NOT NULL
                    ) WITHOUT ROWID;
                    CREATE INDEX channels_by_activity ON channels (activity_at DESC, channel) WHERE is_listed;
                    CREATE TABLE rows (
                        channel TEXT NOT NULL, seq INTEGER NOT NULL, flags INTEGER NOT NULL, event BLOB NOT NULL,
                        PRIMARY KEY (channel, seq)
                    ) WITHOUT ROWID;
                    CREATE INDEX answers ON rows (channel, seq) WHERE flags & 16;
                    CREATE INDEX recalls ON rows (channel, seq) WHERE flags & 8;
                    CREATE TABLE deletions (
                        channel TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (channel, seq)
                    ) WITHOUT ROWID;
                    CREATE TABLE members (
                        channel TEXT NOT NULL, user_id TEXT NOT NULL, member TEXT NOT NULL,
                        PRIMARY KEY (channel, user_id)
                    ) WITHOUT ROWID;
                    CREATE TABLE sends (
                        number INTEGER PRIMARY KEY AUTOINCREMENT, trans_id TEXT NOT NULL UNIQUE, channel TEXT NOT NULL,
                        message TEXT NOT NULL, created_at INTEGER NOT NULL, seq INTEGER, error TEXT
                    );
                    CREATE INDEX sends_by_channel ON sends (channel, number);
                    CREATE TABLE drafts (channel TEXT NOT NULL PRIMARY KEY, draft TEXT NOT NULL) WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("2") { db in
            // The file to upload before the message is sent; NULL if there is none, or if it is uploaded.
            try db.execute(sql: "ALTER TABLE sends ADD COLUMN upload TEXT")
        }
        migrator.registerMigration("3") { db in
            // When it was first sent, by the server's clock; NULL if it never was.
            try db.execute(sql: "ALTER TABLE sends ADD COLUMN tried_at INTEGER")
        }
        migrator.registerMigration("4") { db in
            // Rows that show have a flag, and are found without those between them.
            let names = EventName.allCases.filter(\.isShown).map { "'\($0.rawValue)'" }.joined(separator: ", ")
            try db.execute(
                sql: """
                    UPDATE rows SET flags = flags | 32
                        WHERE json_extract(CAST(event AS TEXT), '$.event') IN (\(names));
                    CREATE INDEX shown_rows ON rows (channel, seq) WHERE flags & 32;
                    """)
        }
        migrator.registerMigration("5") { db in
            // The names and pictures that users have taken, and when they last did, by the server's clock.
            try db.execute(
                sql: """
                    CREATE TABLE profile_changes (
                        user_id TEXT NOT NULL PRIMARY KEY, changed_at INTEGER NOT NULL, name TEXT, image_url TEXT
                    ) WITHOUT ROWID
                    """)
        }
        return migrator
    }
}

/// Single values of the store.
enum Info: String {
    case owner
    case epoch
    case userSeq

    func read(_ db: Database) throws -> String? {
        try String.fetchOne(db.cachedStatement(sql: "SELECT value FROM info WHERE name = ?"), arguments: [rawValue])
    }

    func write(_ value: String, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO info (name, value) VALUES (?, ?)")
            .execute(arguments: [rawValue, value])
    }
}

/// The part of a damaged store that is saved: data that is not on the server.
struct Salvage: Sendable {
    typealias Values = [String: DatabaseValue]

    private(set) var sends: [Values] = []
    private(set) var drafts: [Values] = []
    private(set) var owner: String?

    /// Reads what is readable; returns whether the send queue was read completely.
    static func read(_ file: String) -> (Salvage, isWhole: Bool) {
        var salvage = Salvage()
        var configuration = Configuration()
        configuration.readonly = true
        guard let queue = try? DatabaseQueue(path: file, configuration: configuration) else { return (salvage, false) }
        defer { try? queue.close() }
        func rows(_ sql: String, each: (Values) -> Void) -> Bool {
            do {
                try queue.read { db in
                    let cursor = try Row.fetchCursor(db, sql: sql)
                    while let row = try cursor.next() {
                        each(Values(row.map { ($0, $1) }, uniquingKeysWith: { first, _ in first }))
                    }
                }
                return true
            } catch {
                return false
            }
        }
        let isWhole = rows("SELECT * FROM sends ORDER BY number") { salvage.sends.append($0) }
        _ = rows("SELECT * FROM drafts") { salvage.drafts.append($0) }
        _ = rows("SELECT value FROM info WHERE name = 'owner'") { row in
            salvage.owner = row["value"].flatMap(String.fromDatabaseValue)
        }
        guard salvage.owner == nil else { return (salvage, isWhole) }
        // Messages without an owner must not be sent in another user's name.
        return (Salvage(), isWhole && salvage.sends.isEmpty)
    }

    func put(into db: Database) throws {
        if let owner { try Info.owner.write(owner, db) }
        for (table, rows) in [("sends", sends), ("drafts", drafts)] {
            for row in rows {
                let columns = row.keys.sorted()
                try db.execute(
                    sql: """
                        INSERT OR IGNORE INTO \(table) (\(columns.joined(separator: ", ")))
                        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
                        """,
                    arguments: StatementArguments(columns.map { row[$0] }))
            }
        }
    }
}
