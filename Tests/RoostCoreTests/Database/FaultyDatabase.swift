import Foundation
import RoostCore
import RoostWire
import Synchronization

/// A database whose commits can be delayed or made to fail, and whose statements can be counted.
final class FaultyDatabase: SQLDatabase {
    private struct State {
        /// The failures of the next commits; nil for a commit that succeeds.
        var failures: [DatabaseFailure.Kind?] = []
        /// The failure after the next commit, which is done all the same.
        var lateFailure: DatabaseFailure.Kind?
        var readFailures = 0
        var poison: String?
        var poisonedStatement: String?
        var poisoned = 0
        var queries = 0
        /// The recorded statements, while recording.
        var statements: [String]?
        var commits = 0
        /// The recorded queries, while recording.
        var queriesToExplain: [Query]?
    }

    private let inner: any SQLDatabase
    private let state = Mutex(State())
    private let gate = Gate()

    init(_ inner: any SQLDatabase) { self.inner = inner }

    var isShared: Bool { inner.isShared }
    var encryptsContent: Bool { inner.encryptsContent }

    /// Blocks commits until `open` is called.
    func shut() { gate.shut() }
    func open() { gate.open() }

    /// Lets the blocked commit through, and blocks the next one.
    func letThrough() { gate.letThrough() }

    /// Waits until a commit is blocked.
    func waitForCommit() async {
        await withCheckedContinuation { continuation in gate.whenReached { continuation.resume() } }
    }

    /// Makes the next commits fail, one after the other.
    func failCommits(_ kinds: DatabaseFailure.Kind?...) { state.withLock { $0.failures += kinds } }

    /// Makes the next transaction fail after it was committed.
    func failAfterCommit(_ kind: DatabaseFailure.Kind) { state.withLock { $0.lateFailure = kind } }

    /// Makes the next reads fail.
    func failReads(_ count: Int) { state.withLock { $0.readFailures += count } }

    /// Makes every transaction fail that writes this text to a log.
    func poison(_ text: String?) { state.withLock { $0.poison = text } }

    /// Makes every transaction fail that executes a statement with this prefix.
    func poison(statement: String?) { state.withLock { $0.poisonedStatement = statement } }

    /// Returns the number of transactions failed by such a statement since the last call.
    func resetPoisoned() -> Int {
        state.withLock { state in
            defer { state.poisoned = 0 }
            return state.poisoned
        }
    }

    /// Returns the number of statements since the last call.
    func drainQueries() -> Int {
        state.withLock { state in
            defer { state.queries = 0 }
            return state.queries
        }
    }

    /// Starts recording statements.
    func noteStatements() { state.withLock { $0.statements = [] } }

    /// Returns the recorded statements since the last call, without their values.
    func drainStatements() -> [String] {
        state.withLock { state in
            defer { state.statements = state.statements.map { _ in [] } }
            return state.statements ?? []
        }
    }

    /// Starts recording queries with their values.
    func noteQueries() { state.withLock { $0.queriesToExplain = [] } }

    /// How PostgreSQL would run now the recorded queries that concern a table.
    func plans(of table: String) throws -> [String] {
        let queries = state.withLock { $0.queriesToExplain ?? [] }.filter { $0.text.contains(table) }
        return try inner.write { connection in
            try queries.map { query in
                try connection.rows("EXPLAIN \(query)") { try $0.text(0) }.joined(separator: "\n")
            }
        }
    }

    private func note(_ query: Query) {
        note(query.text)
        state.withLock { $0.queriesToExplain?.append(query) }
    }

    private func note(_ statement: @autoclosure () -> String) {
        state.withLock { state in
            state.queries += 1
            if state.statements != nil { state.statements?.append(statement()) }
        }
    }

    /// The number of committed transactions.
    var commits: Int { state.withLock { $0.commits } }

    func write<T>(_ body: (any SQLConnection) throws -> T) throws -> T {
        let value = try inner.write { connection in
            let value = try body(Connection(inner: connection, database: self))
            gate.pass()
            let failure = state.withLock { $0.failures.isEmpty ? nil : $0.failures.removeFirst() }
            if let failure { throw DatabaseFailure(failure, "the test wants it") }
            return value
        }
        let failure = state.withLock { state in
            state.commits += 1
            defer { state.lateFailure = nil }
            return state.lateFailure
        }
        if let failure { throw DatabaseFailure(failure, "the test wants it") }
        return value
    }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> T,
        then: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        let fails = state.withLock { state in
            guard state.readFailures > 0 else { return false }
            state.readFailures -= 1
            return true
        }
        inner.read(
            { connection in
                if fails { throw DatabaseFailure(.unavailable, "the test wants it") }
                return try body(Connection(inner: connection, database: self))
            }, then: then)
    }

    func close() throws { try inner.close() }

    private struct Connection: SQLConnection {
        let inner: any SQLConnection
        let database: FaultyDatabase

        func execute(_ query: Query) throws {
            database.note(query)
            let isPoisoned = database.state.withLock { state in
                guard let poison = state.poisonedStatement, query.text.hasPrefix(poison) else { return false }
                state.poisoned += 1
                return true
            }
            if isPoisoned { throw DatabaseFailure(.other, "the test wants it") }
            try inner.execute(query)
        }

        func rows<T>(_ query: Query, _ read: (any SQLRow) throws -> T) throws -> [T] {
            database.note(query)
            return try inner.rows(query, read)
        }

        func write(_ rows: [[SQLValue]], _ upsert: Upsert) throws {
            if !rows.isEmpty { database.note("write \(rows.count) \(upsert.table)") }
            if let poison = database.state.withLock({ $0.poison }) {
                for case .content(let frame) in rows.joined()
                where String(decoding: frame, as: UTF8.self).contains(poison) {
                    throw DatabaseFailure(.other, "the test wants it")
                }
            }
            try inner.write(rows, upsert)
        }
    }
}

extension Query {
    /// The SQL text without its values.
    fileprivate var text: String {
        pieces.reduce(into: "") { text, piece in
            switch piece {
            case .sql(let sql): text += sql
            case .value: text += "?"
            case .keys(let rows): text += "\(rows.count) keys"
            case .word(let word): text += "\(word)"
            }
        }
    }
}

/// Blocks the writer's thread before a commit; never a thread of the test.
private final class Gate: @unchecked Sendable {
    private let condition = NSCondition()
    private var isOpen = true
    private var isReached = false
    private var passes = 0
    private var whenReached: (@Sendable () -> Void)?

    func shut() {
        condition.withLock {
            isOpen = false
            isReached = false
        }
    }

    func open() {
        condition.withLock {
            isOpen = true
            condition.broadcast()
        }
    }

    func letThrough() {
        condition.withLock {
            passes += 1
            isReached = false
            condition.broadcast()
        }
    }

    func pass() {
        condition.lock()
        defer { condition.unlock() }
        guard !isOpen else { return }
        isReached = true
        whenReached?()
        whenReached = nil
        while !isOpen, passes == 0 { condition.wait() }
        passes = max(0, passes - 1)
    }

    func whenReached(_ body: @escaping @Sendable () -> Void) {
        let isThere = condition.withLock {
            if !isReached { whenReached = body }
            return isReached
        }
        if isThere { body() }
    }
}
