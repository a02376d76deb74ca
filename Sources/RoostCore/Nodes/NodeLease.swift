import Foundation
import Logging
import RoostWire

/// That this server may use a database: its row in `nodes`, whose beat it moves. Confined to the writer's thread.
///
/// Whoever finds the beat unchanged for too long takes the row away. A server that then goes on, because it was only
/// paused, finds that out before it takes the next command.
struct NodeLease {
    /// The time between two beats, in ms.
    static let interval: Int64 = 2_000

    /// New at each start, and after each loss of the row.
    var id: String
    private var watch: NodeWatch
    /// When the row was last seen, in µs of `Effects.uptime`.
    private var renewedAt: Int64
    /// Whether another server has taken the database over.
    private(set) var isDisplaced = false

    init(id: String, watch: NodeWatch, uptime: Int64) {
        self.id = id
        self.watch = watch
        renewedAt = uptime
    }

    static func makeID(_ effects: Effects) -> String { String(effects.random(), radix: 16) }

    /// Whether others may have taken the row away since it was last seen.
    func isDoubtful(uptime: Int64) -> Bool { isDisplaced || uptime - renewedAt >= NodeWatch.patience - 2_000_000 }

    static func insert(_ id: String, _ node: LocalNode, _ connection: any SQLConnection) throws {
        try connection.execute(
            """
            INSERT INTO nodes (id, place, address, version, schema, settings, beat)
            VALUES (\(id), \(node.place), \(node.address), \(node.version), \(Migrations.all.count),
                \(try node.encodedSettings), 0)
            """)
    }

    /// Moves the beat.
    /// - Returns: the others, or nil if the row is gone.
    fileprivate mutating func beat(
        _ node: LocalNode, _ connection: any SQLConnection, uptime: Int64
    ) throws -> [NodeRow]? {
        try connection.execute(
            """
            UPDATE nodes SET beat = beat + 1, address = \(node.address), settings = \(try node.encodedSettings)
            WHERE id = \(id)
            """)
        let rows = try NodeRow.all(connection)
        watch.look(rows, at: uptime)
        guard rows.contains(where: { $0.id == id }) else { return nil }
        renewedAt = uptime
        for other in rows where other.id != id && watch.isDead(other.id) {
            try connection.execute("DELETE FROM nodes WHERE id = \(other.id) AND beat = \(other.beat)")
        }
        return rows
    }

    /// Continues under a new id, or not at all.
    fileprivate mutating func replace(by id: String?, uptime: Int64) {
        isDisplaced = id == nil
        self.id = id ?? self.id
        renewedAt = uptime
    }
}

extension LocalNode {
    fileprivate var encodedSettings: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(settings), as: UTF8.self)
        }
    }
}

extension Transaction {
    /// Shows other servers that this one is alive, and finds out whether it still may use the database.
    /// - Returns: when to do so again, in ms since 1970; nil if it must not any more.
    mutating func renewLease() throws -> Int64? {
        guard let node = configuration.node, var lease = batch.features.lease, !lease.isDisplaced else { return nil }
        let uptime = effects.uptime()
        if try lease.beat(node, connection, uptime: uptime) == nil {
            // What others wrote in the meantime did not reach the sessions of this server.
            let others = try NodeRow.all(connection)
            if let why = others.lazy.compactMap({ NodeAdmission.refusal(of: node, beside: $0) }).first {
                lease.replace(by: nil, uptime: uptime)
                batch.add(.displaced(why))
            } else {
                let id = NodeLease.makeID(effects)
                try NodeLease.insert(id, node, connection)
                lease.replace(by: id, uptime: uptime)
                batch.add(.sessionsOutdated)
            }
        }
        batch.features.lease = lease
        return lease.isDisplaced ? nil : batch.now + NodeLease.interval
    }

    /// Says goodbye, so that the next server need not wait.
    mutating func endLease() throws {
        guard let lease = batch.features.lease else { return }
        try connection.execute("DELETE FROM nodes WHERE id = \(lease.id)")
    }
}

extension Writer {
    /// Whether jobs may be run; otherwise they are refused. If this process was paused for so long that others may have
    /// given it up, it finds that out here, before it changes or delivers anything.
    func mayProcess(_ jobs: [Job]) -> Bool {
        guard let lease = caches.features.lease, lease.isDoubtful(uptime: effects.uptime()) else { return true }
        do {
            if !lease.isDisplaced { _ = try commit { try $0.renewLease() } }
            guard caches.features.lease?.isDisplaced == true else { return true }
            for job in jobs { refuse(job, WireError(.draining)) }
        } catch {
            note(error)
            logger.error("the lease of the database cannot be renewed", metadata: ["error": "\(error)"])
            for job in jobs { refuse(job, Self.refusal(for: error)) }
        }
        return false
    }
}
