import Foundation
package import RoostCore

/// What migrations do on a connection of their own, without the time limit of statements.
extension PostgresDatabase {
    package func writeLong<T>(_ body: (any SQLConnection) throws -> T) throws -> T {
        for attempt in 1... {
            do {
                return try writeOnce(body)
            } catch let failure as DatabaseFailure where failure.kind == .conflict && attempt < Self.attempts {
                // Who changes a table while others wait for a row of it may be the one that is broken off.
                Thread.sleep(forTimeInterval: .random(in: 0...0.01) * Double(attempt))
            }
        }
        preconditionFailure("The loop ends by returning or throwing.")
    }

    private func writeOnce<T>(_ body: (any SQLConnection) throws -> T) throws -> T {
        let connection = try PostgresConnection(url, isLimited: false)
        // It may change the columns of tables.
        defer { tables.forget() }
        let transaction = PostgresTransaction(tables: tables, connection: connection)
        try connection.queue("BEGIN")
        let value = try body(transaction)
        if transaction.hasFailed { throw DatabaseFailure(.other, "A failure inside a transaction was overlooked.") }
        try connection.queue("COMMIT")
        try connection.collect()
        return value
    }

    package func createIndex(_ name: String, on columns: String) throws {
        let connection = try PostgresConnection(url, isLimited: false)
        // It waits for transactions that write to the table, and keeps none of them waiting.
        try connection.queue("SELECT set_config('lock_timeout', '0', false)")
        try connection.collect()
        let schema = try PostgresRows(connection, "SELECT quote_ident(current_schema())").map { try $0.text(0) }.first
        guard let schema else { throw DatabaseFailure(.other, "PostgreSQL has no current schema for the role.") }
        // Of several servers one creates it. A statement that waits for the lock would be waited for by the index.
        let key = "roost index \(schema).\(name)"
        while try !Self.isTrue("SELECT pg_try_advisory_lock(hashtext(\(key)))", connection) {
            Thread.sleep(forTimeInterval: 0.1)
        }
        let exists: Query =
            """
            SELECT EXISTS (SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
            WHERE c.relname = \(name) AND c.relnamespace = to_regnamespace(\(schema)) AND i.indisvalid)
            """
        if try Self.isTrue(exists, connection) { return }
        // One that was interrupted is left, and invalid.
        try connection.queue(Query(stringLiteral: "DROP INDEX CONCURRENTLY IF EXISTS \(schema).\(name)"))
        try connection.collect()
        // It is made in the schema of its table.
        try connection.queue(Query(stringLiteral: "CREATE INDEX CONCURRENTLY \(name) ON \(schema).\(columns)"))
        try connection.collect()
    }

    private static func isTrue(_ query: Query, _ connection: PostgresConnection) throws -> Bool {
        try PostgresRows(connection, "SELECT CAST(CAST((\(query)) AS int) AS bigint)").map { try $0.int(0) } == [1]
    }
}
