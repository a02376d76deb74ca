import CLibPQ
import Foundation
import RoostCore

/// A connection to PostgreSQL in libpq's pipeline mode, used by one thread at a time.
///
/// Statements are queued and sent together: only `collect` waits, once for all queued statements. After an error the
/// server skips the rest of the queue, so a `COMMIT` after a failed write is never executed.
final class PostgresConnection {
    private let handle: OpaquePointer
    private var prepared: [Statement: String] = [:]
    private var queue: [Expected] = []
    private var statements = 0
    /// How long the server may be silent, in ms; longer than its statement timeout. Negative for no limit.
    private let silence: Int32
    /// The number of round trips to the server.
    private(set) var roundTrips = 0

    private struct Statement: Hashable {
        var sql: String
        var types: [Oid]
    }

    private enum Expected {
        case prepare(Statement)
        case command
        case rows
    }

    /// Connects and waits until the server accepts commands.
    /// - Parameter isLimited: whether a statement is cut off that takes longer than seven seconds.
    /// - Throws: `DatabaseFailure` `.unavailable`, or `.other` if the database is unsuitable.
    init(_ url: String, isLimited: Bool = true) throws {
        silence = isLimited ? 8_000 : -1
        guard Self.isReadable(url) else {
            throw DatabaseFailure(
                .other,
                "The database URL is invalid. Use postgres://user:password@host:port/name, "
                    + "with special characters encoded as %XX.")
        }
        let settings = [
            ("fallback_application_name", "roost"), ("connect_timeout", "5"), ("keepalives_idle", "10"),
            ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "15000"),
            ("dbname", url), ("client_encoding", "UTF8"),
        ]
        let connected = Self.withCStrings(settings.map(\.0)) { keys in
            Self.withCStrings(settings.map(\.1)) { values in PQconnectdbParams(keys, values, 1) }
        }
        guard let connected else { throw DatabaseFailure(.unavailable, "PostgreSQL: out of memory") }
        // From here on `deinit` frees it, even if this initializer throws.
        handle = connected
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        guard isAlive else {
            throw DatabaseFailure(.unavailable, "PostgreSQL cannot be reached: \(PostgresFailure.message(handle))")
        }
        try prepareSession()
    }

    deinit { PQfinish(handle) }

    /// Whether libpq can parse the URL as intended. Its error messages quote the invalid part, which may be the
    /// password if that contains "/" or "@".
    private static func isReadable(_ url: String) -> Bool {
        guard let options = PQconninfoParse(url, nil) else { return false }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            let value = option.pointee.val.map { String(cString: $0) } ?? ""
            switch String(cString: keyword) {
            case "port": if !value.allSatisfy({ $0.isNumber || $0 == "," }) { return false }
            case "host", "dbname": if value.dropFirst().contains("@") { return false }
            default: break
            }
            option += 1
        }
        return true
    }

    /// Whether the connection can still be used.
    private var isAlive: Bool { PQstatus(handle) == CONNECTION_OK }

    private func prepareSession() throws {
        let encoding = PQparameterStatus(handle, "server_encoding").map { String(cString: $0) }
        guard encoding == "UTF8" else {
            throw DatabaseFailure(
                .other,
                "The encoding of the database is \(encoding ?? "unknown"), but UTF8 is required. "
                    + "Create it with: CREATE DATABASE roost ENCODING 'UTF8' TEMPLATE template0")
        }
        // From here on only the call that waits for results blocks, with a timeout.
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { throw lost() }
        // A server that is cut off in the middle of a transaction holds its locks no longer than others wait for them. In the
        // middle of a pipeline PostgreSQL is not idle in a transaction, so it also has to notice by itself.
        // All statements use index lookups; a plan made while a table was small must not remain a sequential scan.
        try queue(
            """
            SELECT set_config('statement_timeout', '7s', false), set_config('lock_timeout', '5s', false),
                set_config('idle_in_transaction_session_timeout', '3s', false),
                set_config('tcp_keepalives_idle', '2', false), set_config('tcp_keepalives_interval', '1', false),
                set_config('tcp_keepalives_count', '2', false), set_config('tcp_user_timeout', '4s', false),
                set_config('enable_seqscan', 'off', false), set_config('enable_hashjoin', 'off', false),
                set_config('enable_mergejoin', 'off', false), set_config('jit', 'off', false),
                set_config('synchronous_commit',
                    COALESCE(NULLIF(current_setting('synchronous_commit'), 'off'), 'on'), false)
            """)
        if silence < 0 { try queue("SELECT set_config('statement_timeout', '0', false)") }
        try collect()
    }

    // MARK: Statements

    /// Queues a statement without a result.
    func queue(_ query: Query) throws {
        let (sql, values) = query.rendered
        // Statements without values are not prepared: they begin or end a transaction, or change the schema.
        if values.count == 0 {
            guard PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) == 1 else { throw lost() }
            queue.append(.command)
        } else {
            try send(sql, values, .command)
        }
    }

    /// Queues a multi-row write.
    func queue(_ upsert: Upsert, _ values: PostgresValues) throws {
        try send(upsert.rendered(types: values.types), values, .command)
    }

    /// Queues a statement that reads rows. Without values it need not be prepared.
    func queue(reading query: Query, isPrepared: Bool = true) throws {
        let (sql, values) = query.rendered
        if isPrepared { return try send(sql, values, .rows) }
        guard PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) == 1 else { throw lost() }
        queue.append(.rows)
    }

    private func send(_ sql: String, _ values: PostgresValues, _ expected: Expected) throws {
        let statement = Statement(sql: sql, types: values.types)
        let name: String
        if let known = prepared[statement] {
            name = known
        } else {
            statements += 1
            name = "s\(statements)"
            guard PQsendPrepare(handle, name, sql, Int32(values.count), values.types) == 1 else { throw lost() }
            prepared[statement] = name
            queue.append(.prepare(statement))
        }
        let sent = values.withPointers { pointers, lengths, formats in
            PQsendQueryPrepared(handle, name, Int32(values.count), pointers, lengths, formats, 1)
        }
        guard sent == 1 else { throw lost() }
        queue.append(expected)
    }

    /// Waits until all queued statements have been executed.
    /// - Throws: the first failure; statements after it were not executed.
    /// - Returns: the result of the last statement that reads rows; the caller clears it.
    @discardableResult
    func collect() throws -> OpaquePointer? {
        var rows: OpaquePointer?
        do {
            guard PQpipelineSync(handle) == 1 else { throw lost() }
            roundTrips += 1
            var failure: DatabaseFailure?
            for expected in queue {
                guard let result = try nextResult() else { throw failure ?? lost() }
                defer { if result != rows { PQclear(result) } }
                let status = PQresultStatus(result)
                if status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK {
                    if case .rows = expected {
                        PQclear(rows)
                        rows = result
                    }
                } else {
                    if case .prepare(let statement) = expected { prepared[statement] = nil }
                    if failure == nil, status != PGRES_PIPELINE_ABORTED {
                        failure = PostgresFailure.failure(result, handle)
                    }
                    guard isAlive else { throw failure ?? lost() }
                }
                // The results of each statement end with a null.
                while let more = try nextResult() {
                    PQclear(more)
                    guard isAlive else { throw failure ?? lost() }
                }
            }
            guard let end = try nextResult() else { throw failure ?? lost() }
            defer { PQclear(end) }
            guard PQresultStatus(end) == PGRES_PIPELINE_SYNC else { throw failure ?? lost() }
            queue.removeAll(keepingCapacity: true)
            if let failure { throw failure }
            return rows
        } catch {
            PQclear(rows)
            throw error
        }
    }

    /// Sends pending data and waits for the next result, as long as the server responds.
    private func nextResult() throws -> OpaquePointer? {
        while true {
            let unsent = PQflush(handle)
            if unsent < 0 || PQisBusy(handle) == 0 { return PQgetResult(handle) }
            let events = unsent == 0 ? POLLIN : POLLIN | POLLOUT
            var socket = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
            let ready = poll(&socket, 1, silence)
            if ready == 0 { throw DatabaseFailure(.unavailable, "PostgreSQL: the server does not answer") }
            if ready > 0, PQconsumeInput(handle) == 0 { return PQgetResult(handle) }
        }
    }

    /// The error for a lost connection, which must be dropped.
    private func lost() -> DatabaseFailure {
        DatabaseFailure(.unavailable, "PostgreSQL: \(PostgresFailure.message(handle))")
    }

    private static func withCStrings<T>(
        _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> T
    ) -> T {
        let bytes = strings.map { Array($0.utf8CString) }
        let all = bytes.flatMap { $0 }
        return all.withUnsafeBufferPointer { buffer in
            var pointers: [UnsafePointer<CChar>?] = []
            var offset = 0
            for string in bytes {
                pointers.append(buffer.baseAddress.map { $0 + offset })
                offset += string.count
            }
            pointers.append(nil)
            return pointers.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { preconditionFailure("There is at least the closing null.") }
                return body(base)
            }
        }
    }
}

/// The rows of a result, freed with this object.
final class PostgresRows {
    private let result: OpaquePointer?

    /// Runs a statement together with everything queued before it.
    init(_ connection: PostgresConnection, _ query: Query, isPrepared: Bool = true) throws {
        try connection.queue(reading: query, isPrepared: isPrepared)
        result = try connection.collect()
    }

    deinit { PQclear(result) }

    func map<T>(_ read: (any SQLRow) throws -> T) rethrows -> [T] {
        guard let result else { return [] }
        return try (0..<PQntuples(result)).map { try read(PostgresRow(result: result, row: $0)) }
    }
}
