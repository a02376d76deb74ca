package import RoostCore

/// Which state of which database: its epoch, and the number of its last commit.
package struct LastCommit: Hashable, Sendable {
    package let epoch: String
    package let number: Int64

    package init(epoch: String, number: Int64) {
        self.epoch = epoch
        self.number = number
    }

    /// Reads a line; nil if it is none of these.
    package init?(line: some StringProtocol) {
        let parts = line.split(separator: " ")
        guard parts.count == 2, let number = Int64(parts[1].prefix { $0 != "\n" }), number >= 0 else { return nil }
        self.init(epoch: String(parts[0]), number: number)
    }

    /// A line that has the same length for every number of the same epoch, so that it can be overwritten.
    package var line: String {
        let digits = String(number)
        return "\(epoch) " + String(repeating: "0", count: max(0, 19 - digits.count)) + digits + "\n"
    }

    /// Reads it from a database of SQLite; nil if there is no epoch in it.
    package static func stored(in connection: any SQLConnection) throws -> LastCommit? {
        // A database that was cut may have any of the first migrations.
        let tables = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'meta'") {
            try $0.text(0)
        }
        guard !tables.isEmpty else { return nil }
        let values = try connection.rows("SELECT name, value FROM meta WHERE name IN ('epoch', 'commits')") {
            (try $0.text(0), try $0.text(1))
        }
        guard let epoch = values.first(where: { $0.0 == "epoch" })?.1 else { return nil }
        return LastCommit(epoch: epoch, number: values.first { $0.0 == "commits" }.flatMap { Int64($0.1) } ?? 0)
    }
}

/// The counting of the commits that change something.
struct CommitCount {
    private(set) var number: Int64
    private let committed: @Sendable (Int64) -> Void

    init(from number: Int64, _ committed: @escaping @Sendable (Int64) -> Void) {
        self.number = number
        self.committed = committed
    }

    /// Stores the number of the commit that the transaction is about to make.
    func store(in connection: SQLiteConnection) throws {
        try connection.execute(
            """
            INSERT INTO meta (name, value) VALUES ('commits', \(String(number &+ 1)))
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """)
    }

    /// Takes note that the commit is durable.
    mutating func advance() {
        number &+= 1
        committed(number)
    }
}
