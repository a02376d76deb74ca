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

    package init(
        to database: any SQLDatabase, effects: Effects, logger: Logger,
        pause: @escaping (_ ms: Int) -> Void = { Thread.sleep(forTimeInterval: Double($0) / 1_000) }
    ) {
        self.database = database
        self.effects = effects
        self.logger = logger
        self.pause = pause
    }

    /// Waits until no server is in the way of this one. It takes some seconds if one has ended without a goodbye.
    /// - Throws: `DatabaseFailure` `.openElsewhere` if one is alive that is in the way.
    package func awaitTurn(of node: LocalNode) throws {
        // Without the table there is nobody who could be asked.
        guard try Migrator.version(of: database) >= Migrations.firstWithNodes else { return }
        _ = try settle(node) { (_: any SQLConnection) in }
    }

    /// Waits until no server uses the database, for something that must have it for itself.
    /// - Throws: `DatabaseFailure` `.openElsewhere` if one is alive.
    package func awaitQuiet() throws {
        try awaitTurn(
            of: LocalNode(
                place: nil, version: "", address: "",
                settings: NodeSettings(allowsOthers: false, secrets: [], encryptionKeys: [], options: [:])))
    }

    /// Waits for the turn of a server and notes it, so that others wait for it.
    /// - Throws: `DatabaseFailure` `.openElsewhere` if one is alive that is in the way.
    func register(_ node: LocalNode) throws -> NodeLease {
        let id = NodeLease.makeID(effects)
        let watch = try settle(node) { try NodeLease.insert(id, node, $0) }
        return NodeLease(id: id, watch: watch, uptime: effects.uptime())
    }

    private struct Look {
        var watch: NodeWatch
        /// A server that may be alive, and why it is in the way.
        var obstacle: (node: NodeRow, why: String)?
    }

    /// - Parameter then: what is to be done in the transaction that finds nobody in the way.
    private func settle(_ node: LocalNode, then: (any SQLConnection) throws -> Void) throws -> NodeWatch {
        var watch = NodeWatch()
        var isWaiting = false
        while true {
            let look = try database.write { connection in try observe(node, watch, connection, then) }
            watch = look.watch
            guard let (other, why) = look.obstacle else { return watch }
            if watch.hasMoved(other.id) { throw DatabaseFailure(.openElsewhere, why) }
            if !isWaiting {
                isWaiting = true
                logger.notice(
                    "another server may be using this database: waiting to see whether it is alive",
                    metadata: ["node": "\(other.name)", "ms": "\(NodeWatch.patience / 1_000)"])
            }
            pause(Self.interval)
        }
    }

    private func observe(
        _ node: LocalNode, _ before: NodeWatch, _ connection: any SQLConnection,
        _ then: (any SQLConnection) throws -> Void
    ) throws -> Look {
        // Of two servers that start at once, one waits here and then sees the other.
        _ = try connection.rows("SELECT value FROM meta WHERE name = 'nodes' \(.forUpdate)") { try $0.text(0) }
        let rows = try NodeRow.all(connection)
        var look = Look(watch: before)
        look.watch.look(rows, at: effects.uptime())
        for row in rows {
            if look.watch.isDead(row.id) || row.place != nil && row.place == node.place {
                try connection.execute("DELETE FROM nodes WHERE id = \(row.id)")
            } else if let why = Self.refusal(of: node, beside: row), look.obstacle == nil {
                look.obstacle = (row, why)
            }
        }
        if look.obstacle == nil { try then(connection) }
        return look
    }

    /// Why a server cannot run beside another one; nil if it can.
    static func refusal(of node: LocalNode, beside other: NodeRow) -> String? {
        let schema = Int64(Migrations.all.count)
        guard let settings = other.settings, other.schema == schema else {
            return """
                \(other.name) uses this database with schema \(other.schema), and this version needs \(schema). Stop it first, \
                then start this one.
                """
        }
        return node.settings.refusal(beside: settings, name: other.name)
    }
}
