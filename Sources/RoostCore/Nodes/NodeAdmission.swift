import Foundation
package import Logging

/// Decides whether a server may use a database beside those that use it already.
package struct NodeAdmission {
    private let database: any SQLDatabase
    private let effects: Effects
    private let logger: Logger
    private let pause: (_ ms: Int) -> Void

    /// The time between two looks at the others, in ms.
    private static let interval = 500
    /// The longest wait, in µs. A server that starts and fails again and again is never known to be dead.
    private static let longestWait: Int64 = 40_000_000

    package init(
        to database: any SQLDatabase, effects: Effects, logger: Logger,
        pause: @escaping (_ ms: Int) -> Void = { Thread.sleep(forTimeInterval: Double($0) / 1_000) }
    ) {
        self.database = database
        self.effects = effects
        self.logger = logger
        self.pause = pause
    }

    /// Waits until no server is in the way of this one, migrates the database, and notes this server, so that others wait
    /// for it. It takes some seconds if one has ended without a goodbye, or is ending.
    /// - Throws: `DatabaseFailure` `.openElsewhere` if one is alive that is in the way.
    package func join(_ node: LocalNode) throws -> NodeLease {
        // Before the schema changes under a server of an older version.
        if try hasNodes() { _ = try settle(node.place, { Self.refusal(of: node, beside: $0) }, then: { _ in }) }
        _ = try Migrator.run(on: database, random: effects.random) { logger.note(schema: $0) }
        let id = NodeLease.makeID(effects)
        let start = effects.uptime()
        let (watch, _) = try settle(node.place, { Self.refusal(of: node, beside: $0) }) { connection in
            // A newer version may have come between.
            try Migrator.check(connection)
            try NodeLease.insert(id, node, connection, now: effects.now())
        }
        return NodeLease(id: id, watch: watch, uptime: start)
    }

    /// Takes back what ``join(_:)`` has noted, if the server does not start after all.
    package func leave(_ lease: NodeLease) {
        do { try database.write { try lease.remove($0) } } catch {
            logger.notice("the lease of the database could not be ended", metadata: ["error": "\(error)"])
        }
    }

    /// Does something in a transaction at a time when no server uses the database.
    /// - Throws: `DatabaseFailure` `.openElsewhere` if one is alive.
    package func whenAlone<T>(_ body: (any SQLConnection) throws -> T) throws -> T {
        guard try hasNodes() else { return try database.write(body) }
        return try settle(nil, { "\($0.name) uses this database: stop it first." }, then: body).value
    }

    /// Whether servers note themselves in the database; otherwise there is nobody who could be asked.
    private func hasNodes() throws -> Bool {
        try Migrator.numbers(of: database).schema >= Migrations.firstWithNodes
    }

    private struct Look<T> {
        var watch: NodeWatch
        /// A server that may be alive, and why it is in the way.
        var obstacle: (node: NodeRow, why: String)?
        var value: T?
    }

    /// - Parameters:
    ///   - place: what this process holds, so that whoever held it before has ended.
    ///   - refusal: why a server would be in the way if it is alive; nil if it is not.
    ///   - then: what is to be done in the transaction that finds nobody in the way.
    private func settle<T>(
        _ place: String?, _ refusal: (NodeRow) -> String?, then: (any SQLConnection) throws -> T
    ) throws -> (watch: NodeWatch, value: T) {
        var watch = NodeWatch()
        let start = effects.uptime()
        var isWaiting = false
        while true {
            let look = try database.write { try observe(place, refusal, watch, $0, then) }
            watch = look.watch
            if let value = look.value { return (watch, value) }
            guard let (other, why) = look.obstacle else { continue }
            let isLeaving = other.settings?.isLeaving == true
            if watch.hasMoved(other.id) && !isLeaving || effects.uptime() - start > Self.longestWait {
                throw DatabaseFailure(.openElsewhere, why)
            }
            if !isWaiting {
                isWaiting = true
                logger.notice(
                    "another server may be using this database: waiting to see whether it is alive",
                    metadata: ["address": "\(other.address)", "ms": "\(NodeWatch.patience / 1_000)"])
            }
            pause(Self.interval)
        }
    }

    private func observe<T>(
        _ place: String?, _ refusal: (NodeRow) -> String?, _ before: NodeWatch, _ connection: any SQLConnection,
        _ then: (any SQLConnection) throws -> T
    ) throws -> Look<T> {
        try Self.lock(connection)
        let rows = try NodeRow.all(connection)
        var look = Look<T>(watch: before)
        look.watch.look(rows, at: effects.uptime(), now: effects.now())
        for row in rows {
            let hasEnded = look.watch.isDead(row.id) || row.place != nil && row.place == place
            if hasEnded, try Self.remove(row, seenAt: look.watch.seenAt(row.id), connection) { continue }
            if look.obstacle == nil, let why = refusal(row) { look.obstacle = (row, why) }
        }
        if look.obstacle == nil { look.value = try then(connection) }
        return look
    }

    /// Of two servers that want to be noted at once, one waits here and then sees the other.
    static func lock(_ connection: any SQLConnection) throws {
        _ = try connection.rows("SELECT value FROM meta WHERE name = 'nodes' \(.forUpdate)") { try $0.text(0) }
    }

    /// Removes a server that has ended.
    /// - Returns: false if it gives a sign of life at this moment.
    private static func remove(_ row: NodeRow, seenAt: Int64?, _ connection: any SQLConnection) throws -> Bool {
        if try Migrator.numbers(connection)?.schema ?? 0 >= Migrations.firstWithEndedNodes {
            return try row.end(seenAt: seenAt, connection)
        }
        // Before the migration nothing but the row is left of a server.
        let found = try connection.rows(
            "SELECT id FROM nodes WHERE id = \(row.id) AND beat = \(row.beat) \(.forUpdateSkipLocked)"
        ) { try $0.text(0) }
        guard !found.isEmpty else { return false }
        try connection.execute("DELETE FROM nodes WHERE id = \(row.id)")
        return true
    }

    /// Why a server cannot run beside another one; nil if it can.
    static func refusal(of node: LocalNode, beside other: NodeRow) -> String? {
        guard other.schema >= Migrations.oldest, let settings = other.settings else {
            return """
                \(other.name) uses this database with schema \(other.schema), and this version needs at least \
                \(Migrations.oldest). Stop it first, then start this one.
                """
        }
        return node.settings.refusal(beside: settings, name: other.name)
    }
}
