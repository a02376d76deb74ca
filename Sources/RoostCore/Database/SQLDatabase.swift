import RoostWire

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// An SQL value.
package enum SQLValue: Hashable, Sendable {
    case null
    case int(Int64)
    case text(String)
    case blob([UInt8])
    /// What users have written, as bytes that no statement compares: a store may encrypt it.
    case content([UInt8])

    package init(_ value: Int64?) { self = value.map(SQLValue.int) ?? .null }
    package init(_ value: String?) { self = value.map(SQLValue.text) ?? .null }
    package init(_ value: Bool) { self = .int(value ? 1 : 0) }
}

/// One row of a result, read by position.
package protocol SQLRow {
    func int(_ column: Int) throws -> Int64
    func text(_ column: Int) throws -> String
    func blob(_ column: Int) throws -> [UInt8]
    /// Bytes that were written as `SQLValue.content`.
    /// - Throws: `DatabaseFailure` `.corrupt` if they are not what was written.
    func content(_ column: Int) throws -> [UInt8]
    func isNull(_ column: Int) -> Bool
    /// Where to note that the row is damaged, if it is to be noted.
    var damage: DamageLog? { get }
}

extension SQLRow {
    package var damage: DamageLog? { nil }
    package func content(_ column: Int) throws -> [UInt8] { try StoredContent.opened(blob(column)) }
    package func optionalInt(_ column: Int) throws -> Int64? { isNull(column) ? nil : try int(column) }
    /// A time that is stored as ms since 1970.
    package func time(_ column: Int) throws -> Date { Date(milliseconds: try int(column)) }
    package func optionalTime(_ column: Int) throws -> Date? { isNull(column) ? nil : try time(column) }
    package func optionalText(_ column: Int) throws -> String? { isNull(column) ? nil : try text(column) }
}

/// A multi-row insert, or an upsert.
package struct Upsert: Hashable, Sendable {
    package let table: String
    package let columns: [String]
    /// The columns of the unique key for an upsert; empty for a plain insert.
    package let keys: [String]

    package init(_ table: String, _ columns: [String], keys: [String] = []) {
        self.table = table
        self.columns = columns
        self.keys = keys
    }
}

/// A connection inside a transaction.
package protocol SQLConnection {
    func execute(_ query: Query) throws
    func rows<T>(_ query: Query, _ read: (any SQLRow) throws -> T) throws -> [T]
    /// Writes all rows, each key once, in as few round trips as possible.
    ///
    /// The driver may defer a write until the next `rows` or the commit; a failure is reported there.
    func write(_ rows: [[SQLValue]], _ upsert: Upsert) throws
}

/// The interface to a database engine.
///
/// Transactions are synchronous closures: nothing can be awaited inside one. The writer has its own thread and blocks
/// in `write`; reads run where the driver chooses.
package protocol SQLDatabase: Sendable {
    /// Whether other processes may write between two transactions, so that cached data may be outdated.
    var isShared: Bool { get }

    /// Whether content is encrypted before it is stored.
    var encryptsContent: Bool { get }

    /// Runs a transaction that writes, and returns when it is durable.
    ///
    /// An error of the closure or of the commit means that nothing was written.
    /// The closure may run again after a conflict or a lost connection.
    /// - Throws: the closure's error, or a `DatabaseFailure`.
    func write<T>(_ body: (any SQLConnection) throws -> T) throws -> T

    /// Runs a transaction that writes, with statements that may take minutes. It is tried again after a conflict only.
    /// - Throws: the closure's error, or a `DatabaseFailure`.
    func writeLong<T>(_ body: (any SQLConnection) throws -> T) throws -> T

    /// Creates an index if there is none of this name, while others go on writing if the engine allows it.
    /// - Parameter columns: the table and its columns, such as `files (spool)`.
    /// - Throws: `DatabaseFailure`.
    func createIndex(_ name: String, on columns: String) throws

    /// Runs a transaction that reads one snapshot, on a thread of the driver.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T,
        then: @escaping @Sendable (Result<T, any Error>) -> Void)

    /// Removes what deleted data has left in the files of an embedded engine.
    func removeTraces() throws

    /// Whether room was given up that there is not yet again.
    func isShortOfRoom() -> Bool

    /// Gives up some of the room on the disk that is kept for changes that make room.
    /// - Returns: whether there was any.
    func giveUpRoom() -> Bool

    /// Closes the database; no transaction may be running.
    func close() throws
}

extension SQLDatabase {
    package func writeLong<T>(_ body: (any SQLConnection) throws -> T) throws -> T { try write(body) }
    package func createIndex(_ name: String, on columns: String) throws {
        try writeLong { try $0.execute(Query(stringLiteral: "CREATE INDEX IF NOT EXISTS \(name) ON \(columns)")) }
    }
    package func removeTraces() throws {}
    package func isShortOfRoom() -> Bool { false }
    package func giveUpRoom() -> Bool { false }

    /// Runs a transaction that reads one snapshot.
    package func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            read(body) { continuation.resume(with: $0) }
        }
    }
}

/// An error of an engine, with an engine-independent kind.
package struct DatabaseFailure: Error, CustomStringConvertible {
    package enum Kind: String, Sendable {
        /// A conflict with another transaction or row.
        case conflict
        /// The engine timed out because of other work.
        case busy
        /// The engine cannot be reached or opened.
        case unavailable
        /// The engine was lost during a commit, which may be done or not.
        case uncertain
        /// A commit could not be synced to the disk; nothing is stored until the database is opened again.
        case unsynced
        case full, corrupt, openElsewhere, newerVersion, other
    }

    package let kind: Kind
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
