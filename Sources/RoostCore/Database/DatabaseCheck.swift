import RoostWire

/// A row, or a part of a database, that is not as it was stored.
package struct StoredDamage: Hashable, Sendable, Encodable {
    /// The table, or the file.
    package var table: String
    /// The channel of a row in `channel_log`, the user of one in `user_log`, and the beginning of the key elsewhere.
    package var owner: String?
    /// The number of a row in a log.
    package var seq: Int64?
    /// The rest of the key of another row.
    package var id: String?
    /// What is wrong, without what users have written.
    package var fault: String

    package init(_ table: String, owner: String? = nil, seq: Int64? = nil, id: String? = nil, _ fault: String) {
        self.table = table
        self.owner = owner
        self.seq = seq
        self.id = id
        self.fault = fault
    }
}

private let maxDamages = 10_000
private let pageRows = 500
/// After how many rows the progress is told.
private let progressRows = 50_000

/// Reads everything in a database and tells what is damaged. Nothing is changed.
package struct DatabaseCheck: Sendable {
    /// What was found.
    package struct Findings: Sendable {
        package var rows = 0
        package var damages: [StoredDamage] = []
        /// Whether there are more damages than are listed.
        package var isCut = false

        fileprivate mutating func note(_ damage: StoredDamage) {
            if damages.count < maxDamages { damages.append(damage) } else { isCut = true }
        }
    }

    private let database: any SQLDatabase
    private let progress: @Sendable (Int) -> Void

    /// - Parameter progress: called with the number of rows that were read.
    package init(_ database: any SQLDatabase, progress: @escaping @Sendable (Int) -> Void) {
        self.database = database
        self.progress = progress
    }

    /// The epoch of the database.
    /// - Throws: `DatabaseFailure` if the schema is not the one of this version.
    package func epoch() async throws -> String? {
        try await database.read { connection in
            let numbers = try Migrator.numbers(connection)
            try numbers?.check(Migrations.all.count)
            guard let schema = numbers?.schema, schema >= Migrations.all.count else {
                throw DatabaseFailure(
                    .other,
                    """
                    The database has the schema \(numbers?.schema ?? 0), and this version checks the schema \(Migrations.all.count). Use \
                    the version of roost that serves it.
                    """)
            }
            return try connection.rows("SELECT value FROM meta WHERE name = 'epoch'") { try $0.text(0) }.first
        }
    }

    /// Checks that the logs have no gaps, and that every stored content is whole and can be read.
    package func rows() async throws -> Findings {
        try await database.read { [progress, isShared = database.isShared] connection in
            var reading = Reading(connection: connection, isShared: isShared, progress: progress)
            try reading.channelLogs()
            try reading.userLogs()
            for table in Self.others { try reading.contents(of: table) }
            return reading.findings
        }
    }

    fileprivate struct Table: Sendable {
        var name: String
        var keys: [String]
        var contents: [String]
    }

    /// The tables with content, other than the logs. All keys are texts.
    private static let others = [
        Table(name: "command_keys", keys: ["user_id", "trans_id"], contents: ["answer"]),
        Table(name: "schedules", keys: ["user_id", "id"], contents: ["content"]),
        Table(name: "broadcasts", keys: ["id"], contents: ["refusals", "content"]),
        Table(name: "devices", keys: ["user_id", "device_id"], contents: ["address", "settings"]),
        Table(name: "push_outbox", keys: ["id"], contents: ["items"]),
        Table(name: "pushes", keys: ["id"], contents: ["event"]),
        Table(name: "reports", keys: ["id"], contents: ["content"]),
    ]

    /// The columns with content of each table, whose checksums tell whether they are whole.
    package static let contents: [String: [String]] = Dictionary(
        uniqueKeysWithValues: others.map { ($0.name, $0.contents) } + [
            ("channel_log", ["frame"]), ("user_log", ["frame"]),
        ])

    /// One snapshot that is read, a page at a time.
    private struct Reading {
        let connection: any SQLConnection
        let isShared: Bool
        let progress: @Sendable (Int) -> Void
        var findings = Findings()

        private mutating func count(_ rows: Int) {
            let before = findings.rows / progressRows
            findings.rows += rows
            if findings.rows / progressRows > before { progress(findings.rows) }
        }

        /// Goes on after pages of the file that cannot be read. After an error PostgreSQL ends the transaction.
        private mutating func skippingDamage(
            _ table: String, owner: String? = nil, _ body: (inout Reading) throws -> Void
        ) throws {
            do {
                try body(&self)
            } catch let failure as DatabaseFailure where failure.kind == .corrupt && !isShared {
                findings.note(StoredDamage(table, owner: owner, failure.description))
            }
        }

        mutating func channelLogs() throws {
            try skippingDamage("channels") { reading in
                var last = ""
                while true {
                    let page = try reading.connection.rows(
                        """
                        SELECT id, seq, purged_seq FROM channels WHERE id > \(last) ORDER BY id LIMIT \(pageRows)
                        """
                    ) { (id: try $0.text(0), head: try $0.int(1), purged: try $0.int(2)) }
                    for channel in page {
                        try reading.skippingDamage("channel_log", owner: channel.id) {
                            try $0.log(Log.channel(channel.id), after: channel.purged, head: channel.head)
                        }
                    }
                    guard page.count == pageRows, let end = page.last else { return }
                    last = end.id
                }
            }
            try skippingDamage("channel_log") { reading in
                let strays = try reading.connection.rows(
                    """
                    SELECT DISTINCT l.channel FROM channel_log l
                    WHERE NOT EXISTS (SELECT 1 FROM channels c WHERE c.id = l.channel) ORDER BY l.channel LIMIT 100
                    """
                ) { try $0.text(0) }
                for id in strays {
                    reading.findings.note(
                        StoredDamage("channels", owner: id, "the row of a channel with a log is missing"))
                }
            }
        }

        mutating func userLogs() throws {
            try skippingDamage("users") { reading in
                var last = ""
                while true {
                    let page = try reading.connection.rows(
                        "SELECT id, seq FROM users WHERE id > \(last) ORDER BY id LIMIT \(pageRows)"
                    ) { (id: try $0.text(0), head: try $0.int(1)) }
                    for user in page where user.head > 0 {
                        try reading.skippingDamage("user_log", owner: user.id) {
                            try $0.log(Log.user(user.id), after: nil, head: user.head)
                        }
                    }
                    guard page.count == pageRows, let end = page.last else { return }
                    last = end.id
                }
            }
        }

        private enum Log {
            case channel(String)
            case user(String)

            var table: String {
                switch self {
                case .channel: "channel_log"
                case .user: "user_log"
                }
            }

            var owner: String {
                switch self {
                case .channel(let id), .user(let id): id
                }
            }

            func page(after seq: Int64) -> Query {
                switch self {
                case .channel(let id):
                    """
                    SELECT seq, frame FROM channel_log WHERE channel = \(id) AND seq > \(seq) ORDER BY seq LIMIT \(pageRows)
                    """
                case .user(let id):
                    "SELECT seq, frame FROM user_log WHERE user_id = \(id) AND seq > \(seq) ORDER BY seq LIMIT \(pageRows)"
                }
            }

            func isPlace(of event: Event, _ seq: Int64) -> Bool {
                switch self {
                case .channel(let id): event.channel?.rawValue == id && event.seq == seq
                case .user: event.userSeq == seq
                }
            }
        }

        /// Checks a log whose rows must be there after a row, or, if that is nil, after the first that is there.
        private mutating func log(_ log: Log, after start: Int64?, head: Int64) throws {
            var expected = start.map { $0 + 1 }
            var last = Int64.min
            while true {
                let page = try connection.rows(log.page(after: last)) { row in
                    (seq: try row.int(0), fault: Self.fault { try Self.check(row, in: log, row.int(0)) })
                }
                count(page.count)
                for row in page {
                    if let next = expected, row.seq > next { noteGap(in: log, next, row.seq - 1) }
                    if let start, row.seq <= start {
                        // Purged, and not deleted yet.
                    } else {
                        expected = row.seq + 1
                    }
                    if row.seq > head || row.seq < 1 {
                        note(log, row.seq, "beyond the end of the log, which is \(head)")
                    } else if let fault = row.fault {
                        note(log, row.seq, fault)
                    }
                }
                guard page.count == pageRows, let end = page.last else { break }
                last = end.seq
            }
            if let next = expected, next <= head { noteGap(in: log, next, head) }
        }

        private mutating func note(_ log: Log, _ seq: Int64, _ fault: String) {
            findings.note(StoredDamage(log.table, owner: log.owner, seq: seq, fault))
        }

        private mutating func noteGap(in log: Log, _ first: Int64, _ last: Int64) {
            note(log, first, first == last ? "missing" : "missing, and so are the rows up to \(last)")
        }

        private static func check(_ row: any SQLRow, in log: Log, _ seq: Int64) throws {
            let event = try WireCodec.decodeEvent(row.json(1))
            guard log.isPlace(of: event, seq) else {
                throw DatabaseFailure(.corrupt, "the row belongs to another place")
            }
        }

        /// Why a row cannot be read; nil if it can.
        private static func fault(_ body: () throws -> Void) -> String? {
            do {
                try body()
                return nil
            } catch let failure as DatabaseFailure {
                return failure.description
            } catch {
                // The error may quote what is stored.
                return "it is not an event"
            }
        }

        mutating func contents(of table: Table) throws {
            try skippingDamage(table.name) { reading in
                let keys = table.keys.joined(separator: ", ")
                var last = table.keys.map { _ in "" }
                while true {
                    var query = Query(
                        stringLiteral:
                            "SELECT \(keys), \(table.contents.joined(separator: ", ")) FROM \(table.name) WHERE (\(keys)) > ("
                    )
                    for (index, key) in last.enumerated() { query.append(index == 0 ? "\(key)" : ", \(key)") }
                    query.append(Query(stringLiteral: ") ORDER BY \(keys) LIMIT \(pageRows)"))
                    let page = try reading.connection.rows(query) { row in
                        let key = try table.keys.indices.map(row.text)
                        let faults = table.contents.enumerated().compactMap { index, name in
                            Self.fault {
                                let column = table.keys.count + index
                                if !row.isNull(column) { _ = try row.content(column) }
                            }.map { "\(name): \($0)" }
                        }
                        return (key: key, faults: faults)
                    }
                    reading.count(page.count)
                    for row in page {
                        for fault in row.faults {
                            reading.findings.note(
                                StoredDamage(
                                    table.name, owner: row.key.first, id: row.key.count > 1 ? row.key.last : nil, fault)
                            )
                        }
                    }
                    guard page.count == pageRows, let end = page.last else { return }
                    last = end.key
                }
            }
        }
    }
}

extension DatabaseCheck {
    /// A file that something uses.
    package struct UsedFile: Sendable {
        package var id: String
        /// The channel and the row of a message; the id of something else that uses the file, and 0.
        package var holder: String
        package var seq: Int64
        package var isKnown: Bool
        /// What is stored of it; nil if its upload is not finished.
        package var bytes: (key: String, size: Int64)?
        fileprivate var place: [SQLValue]
    }

    /// Returns the next files that something uses, after one.
    package func files(after last: UsedFile?) async throws -> [UsedFile] {
        try await database.read { connection in
            let place = last?.place ?? [.text(""), .int(-1), .text(""), .int(-1), .text("")]
            var query: Query = """
                SELECT u.holder, u.kind, u.part, u.seq, u.file, f.bytes_key, f.size, f.id FROM file_uses u
                LEFT JOIN files f ON f.id = u.file
                WHERE (u.holder, u.kind, u.part, u.seq, u.file) > (
                """
            for (index, value) in place.enumerated() {
                if index > 0 { query.append(", ") }
                query.append(Self.query(value))
            }
            query.append(") ORDER BY u.holder, u.kind, u.part, u.seq, u.file LIMIT \(pageRows)")
            return try connection.rows(query) { row in
                let place: [SQLValue] = [
                    .text(try row.text(0)), .int(try row.int(1)), .text(try row.text(2)), .int(try row.int(3)),
                    .text(try row.text(4)),
                ]
                var file = UsedFile(
                    id: try row.text(4), holder: try row.text(0), seq: try row.int(3), isKnown: !row.isNull(7),
                    bytes: nil, place: place)
                if let key = try row.optionalText(5) { file.bytes = (key, try row.int(6)) }
                return file
            }
        }
    }

    private static func query(_ value: SQLValue) -> Query {
        switch value {
        case .int(let number): "\(number)"
        case .text(let text): "\(text)"
        case .null, .blob, .content: "NULL"
        }
    }

    /// Whether a file is still used with these bytes: a server may have deleted it since it was listed.
    package func isUsed(_ file: UsedFile) async throws -> Bool {
        let found = try await database.read { connection in
            try connection.rows(
                """
                SELECT COALESCE(f.bytes_key, '') FROM file_uses u LEFT JOIN files f ON f.id = u.file
                WHERE u.holder = \(file.holder) AND u.seq = \(file.seq) AND u.file = \(file.id)
                """
            ) { try $0.text(0) }
        }
        return found.contains(file.bytes?.key ?? "")
    }
}
