/// The schema, as one numbered list for every engine; a released entry never changes.
package enum Migrations {
    package static let all: [[Query]] = [initial]

    private static let initial: [Query] = [
        "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
        """
        CREATE TABLE users (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, image_url TEXT,
            seq BIGINT NOT NULL, last_sent_at BIGINT NOT NULL)
        """,
        """
        CREATE TABLE channels (
            id TEXT PRIMARY KEY, kind TEXT NOT NULL, title TEXT,
            seq BIGINT NOT NULL, count BIGINT NOT NULL, last_sent_at BIGINT NOT NULL, last_message_seq BIGINT NOT NULL,
            member_count BIGINT NOT NULL, version BIGINT NOT NULL)
        """,
        """
        CREATE TABLE members (
            channel TEXT NOT NULL, user_id TEXT NOT NULL, role BIGINT NOT NULL, joined_seq BIGINT NOT NULL,
            left_seq BIGINT, floor_seq BIGINT NOT NULL, hidden_seq BIGINT NOT NULL,
            PRIMARY KEY (channel, user_id))
        """,
        "CREATE INDEX members_by_user ON members (user_id, channel)",
        """
        CREATE TABLE read_marks (
            channel TEXT NOT NULL, user_id TEXT NOT NULL, seq BIGINT NOT NULL, count BIGINT NOT NULL,
            read_at BIGINT NOT NULL,
            PRIMARY KEY (channel, user_id))
        """,
        // `behind` marks a message whose sender had something unread before it: the only own
        // messages that an unread count has to be corrected by, hence the partial index.
        """
        CREATE TABLE channel_log (
            channel TEXT NOT NULL, seq BIGINT NOT NULL, sender TEXT, trans_id TEXT, hash BIGINT,
            sent_at BIGINT NOT NULL, count BIGINT NOT NULL, behind BIGINT NOT NULL, frame BYTEA NOT NULL,
            PRIMARY KEY (channel, seq))
        """,
        "CREATE UNIQUE INDEX channel_log_keys ON channel_log (trans_id, sender) WHERE trans_id IS NOT NULL",
        "CREATE INDEX channel_log_behind ON channel_log (channel, sender, seq) WHERE behind = 1",
        """
        CREATE TABLE user_log (
            user_id TEXT NOT NULL, seq BIGINT NOT NULL, sent_at BIGINT NOT NULL, frame BYTEA NOT NULL,
            PRIMARY KEY (user_id, seq))
        """,
        """
        CREATE TABLE command_keys (
            user_id TEXT NOT NULL, trans_id TEXT NOT NULL, hash BIGINT NOT NULL, sent_at BIGINT NOT NULL,
            answer BYTEA NOT NULL,
            PRIMARY KEY (user_id, trans_id))
        """,
    ]
}

/// Brings a database to the schema of this binary.
package enum Migrator {
    /// Applies what is missing in one transaction.
    /// - Throws: `DatabaseFailure` `.newerVersion` for a database of a newer binary.
    /// - Returns: the database's epoch, made on the first start.
    package static func run(on database: any SQLDatabase, random: () -> UInt64) throws -> String {
        try database.write { connection in
            try connection.execute("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)")
            let current = try connection.rows("SELECT version FROM schema_version") { try $0.int(0) }.max() ?? 0
            let known = Int64(Migrations.all.count)
            guard current <= known else {
                throw DatabaseFailure(
                    .newerVersion,
                    "The data was written by a newer version of roost (schema \(current); this one knows \(known)). "
                        + "Start that version, or restore a backup.")
            }
            for (index, migration) in Migrations.all.enumerated() where Int64(index) >= current {
                for statement in migration { try connection.execute(statement) }
            }
            if current < known {
                try connection.execute("DELETE FROM schema_version")
                try connection.execute("INSERT INTO schema_version (version) VALUES (\(known))")
            }
            if let epoch = try connection.rows("SELECT value FROM meta WHERE name = 'epoch'", { try $0.text(0) }).first
            {
                return epoch
            }
            let epoch = String(random(), radix: 16)
            try connection.execute("INSERT INTO meta (name, value) VALUES ('epoch', \(epoch))")
            return epoch
        }
    }
}
