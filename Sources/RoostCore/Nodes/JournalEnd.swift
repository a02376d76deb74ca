import RoostWire

/// Where this server writes the next row of the table `commits`. Confined to the writer's thread.
///
/// The rows of one name are numbered without gaps, and each is visible before the next one is written, so another
/// server that has read one needs no time and no lock to know what it has not read.
struct JournalEnd {
    /// How long rows are kept, in µs: a server that has not read them for longer starts its sessions anew.
    static let kept: Int64 = 600_000_000
    private(set) var writer: String
    private(set) var number: Int64 = 0
    /// The number at some times, in µs of `Effects.uptime`, the oldest first.
    private var marks: [(uptime: Int64, number: Int64)] = []

    init(writer: String) { self.writer = writer }

    private static let rows = Upsert("commits", ["writer", "number", "body"])

    mutating func append(_ record: CommitRecord, _ connection: any SQLConnection) throws {
        number += 1
        try connection.write([[.text(writer), .int(number), .content(try WireCodec.encode(record))]], Self.rows)
    }

    /// Removes rows that all servers have read, or have given up.
    mutating func prune(_ connection: any SQLConnection, uptime: Int64) throws {
        let isDue = marks.last.map { uptime - $0.uptime >= 10_000_000 && $0.number < number } ?? (number > 0)
        if isDue { marks.append((uptime, number)) }
        let due = marks.prefix { uptime - $0.uptime > Self.kept }.last?.number ?? 0
        guard due > 0 else { return }
        try connection.execute("DELETE FROM commits WHERE writer = \(writer) AND number <= \(due)")
        marks.removeAll { $0.number <= due && uptime - $0.uptime > Self.kept }
    }
}

extension Transaction {
    /// Removes rows of the journal that nobody needs any more: old ones of this server, and those of servers that are
    /// gone.
    mutating func pruneJournal(_ uptime: Int64) throws {
        guard var end = batch.features.journalEnd else { return }
        try end.prune(connection, uptime: uptime)
        batch.features.journalEnd = end
        for (writer, number) in journal.silentWriters {
            try connection.execute("DELETE FROM commits WHERE writer = \(writer) AND number <= \(number)")
        }
    }

    /// Writes for the other servers what this transaction moves, if there may be others.
    mutating func writeCommit() throws {
        guard var end = batch.features.journalEnd else { return }
        let record = CommitRecord(batch)
        guard !record.isEmpty else { return }
        try end.append(record, connection)
        batch.features.journalEnd = end
    }
}
