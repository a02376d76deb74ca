import Logging
import Synchronization

/// A database that adds a checksum to content before another one stores it, and names damaged rows in the log.
///
/// Every row checks the content that it reads, also without this.
final class ChecksummedDatabase: SQLDatabase {
    private let inner: any SQLDatabase
    private let damage: DamageLog
    var isShared: Bool { inner.isShared }
    var encryptsContent: Bool { inner.encryptsContent }

    init(_ inner: any SQLDatabase, _ damage: DamageLog) {
        self.inner = inner
        self.damage = damage
    }

    func write<T>(_ body: (any SQLConnection) throws -> T) throws -> T {
        try inner.write { try body(ChecksummedConnection(inner: $0, damage: damage)) }
    }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T,
        then: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        inner.read({ [damage] in try body(ChecksummedConnection(inner: $0, damage: damage)) }, then: then)
    }

    func removeTraces() throws { try inner.removeTraces() }
    func isShortOfRoom() -> Bool { inner.isShortOfRoom() }
    func giveUpRoom() -> Bool { inner.giveUpRoom() }

    func close() throws { try inner.close() }
}

private struct ChecksummedConnection: SQLConnection {
    let inner: any SQLConnection
    let damage: DamageLog

    func execute(_ query: Query) throws { try inner.execute(framed(query)) }

    func rows<T>(_ query: Query, _ read: (any SQLRow) throws -> T) throws -> [T] {
        try inner.rows(framed(query)) { try read(ChecksummedRow(inner: $0, damage: damage)) }
    }

    func write(_ rows: [[SQLValue]], _ upsert: Upsert) throws {
        try inner.write(
            rows.contains { $0.contains(where: \.isContent) } ? rows.map { $0.map(\.framed) } : rows, upsert)
    }

    private func framed(_ query: Query) -> Query { query.hasContent ? query.mapValues(\.framed) : query }
}

extension SQLValue {
    fileprivate var isContent: Bool {
        if case .content = self { true } else { false }
    }

    fileprivate var framed: SQLValue {
        if case .content(let content) = self { .content(StoredContent.framed(content)) } else { self }
    }
}

extension Query {
    fileprivate var hasContent: Bool {
        pieces.contains { piece in
            if case .value(.content) = piece { true } else { false }
        }
    }
}

private struct ChecksummedRow: SQLRow {
    let inner: any SQLRow
    let log: DamageLog

    init(inner: any SQLRow, damage: DamageLog) {
        self.inner = inner
        log = damage
    }

    var damage: DamageLog? { log }
    func int(_ column: Int) throws -> Int64 { try inner.int(column) }
    func text(_ column: Int) throws -> String { try inner.text(column) }
    func blob(_ column: Int) throws -> [UInt8] { try inner.blob(column) }
    func content(_ column: Int) throws -> [UInt8] { try inner.content(column) }
    func isNull(_ column: Int) -> Bool { inner.isNull(column) }
}

/// What was found to be damaged in a database; each row is named once in the log.
package final class DamageLog: Sendable {
    private struct Row: Hashable {
        var table: String
        var owner: String
        var seq: Int64
    }

    private struct State {
        var rows: Set<Row> = []
        var structure: String?
    }

    /// Further rows are not named: readers of a badly damaged database must not fill the disk with lines.
    private static let most = 10_000

    private let logger: Logger
    private let state = Mutex(State())

    init(_ logger: Logger) { self.logger = logger }

    /// Notes a damaged row of a log.
    /// - Parameter owner: the channel or the user.
    func note(_ table: String, of owner: String, _ seq: Int64, _ error: any Error) {
        let isNew = state.withLock { state in
            guard state.rows.count < Self.most else { return false }
            return state.rows.insert(Row(table: table, owner: owner, seq: seq)).inserted
        }
        guard isNew else { return }
        // Other errors may quote what was stored.
        let reason = (error as? DatabaseFailure)?.description ?? "a stored value is not an event"
        logger.error(
            "a stored row is damaged: its readers get a removed row; see roost check --help",
            metadata: ["table": "\(table)", "of": "\(owner)", "seq": "\(seq)", "error": "\(reason)"])
    }

    /// Notes a damage of the database as a whole.
    func note(structure: String) { state.withLock { $0.structure = $0.structure ?? structure } }

    /// What was found so far, as a sentence; nil if nothing was.
    var summary: String? {
        let (rows, structure) = state.withLock { ($0.rows.count, $0.structure) }
        let found = [structure, rows == 0 ? nil : "damaged rows that were read: \(rows)"].compactMap { $0 }
        return found.isEmpty ? nil : found.joined(separator: "; ") + ". Run roost check."
    }
}
