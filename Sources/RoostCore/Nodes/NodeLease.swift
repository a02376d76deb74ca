import Foundation
import Logging
import RoostWire

/// That this server may use a database: its row in `nodes`, whose beat it moves. Confined to the writer's thread.
///
/// Whoever finds the beat unchanged for too long takes the row away. A server that then goes on, because it was only
/// paused, finds that out before it takes the next command, if its clock shows that time has passed.
package struct NodeLease {
    /// The time between two beats, in ms.
    static let interval: Int64 = 2_000

    /// New at each start, and after each loss of the row.
    private(set) var id: String
    private var watch: NodeWatch
    /// When the row was last seen, in µs of `Effects.uptime`.
    fileprivate private(set) var renewedAt: Int64
    /// Whether another server has taken the database over.
    private(set) var isDisplaced = false
    /// The others with which this server does not agree any more.
    private var differing: Set<String> = []

    init(id: String, watch: NodeWatch, uptime: Int64) {
        self.id = id
        self.watch = watch
        renewedAt = uptime
    }

    static func makeID(_ effects: Effects) -> String { String(effects.random(), radix: 16) }

    /// Whether it has not been renewed for longer than usual.
    func isDue(uptime: Int64) -> Bool { uptime - renewedAt >= 3_000_000 }

    /// Whether others may have taken the row away since it was last seen.
    func isDoubtful(uptime: Int64) -> Bool { isDisplaced || uptime - renewedAt >= NodeWatch.patience - 2_000_000 }

    /// - Parameter now: in ms since 1970.
    static func insert(_ id: String, _ node: LocalNode, _ connection: any SQLConnection, now: Int64) throws {
        try connection.execute(
            """
            INSERT INTO nodes (id, place, address, version, schema, settings, beat, seen_at, spool, url)
            VALUES (\(id), \(node.place), \(node.address), \(node.version), \(Migrations.all.count),
                \(try node.encodedSettings), 0, \(now), \(node.spool), \(node.url))
            """)
    }

    func remove(_ connection: any SQLConnection) throws {
        try connection.execute("DELETE FROM nodes WHERE id = \(id)")
    }

    /// Whether another server has given no sign of life for too long.
    fileprivate func isDead(_ other: String) -> Bool { watch.isDead(other) }

    /// Moves the beat.
    /// - Returns: the others, or nil if the row is gone.
    fileprivate mutating func beat(
        _ node: LocalNode, _ connection: any SQLConnection, now: Int64, uptime: Int64
    ) throws -> [NodeRow]? {
        try connection.execute(
            """
            UPDATE nodes SET beat = beat + 1, address = \(node.address), url = \(node.url),
                settings = \(try node.encodedSettings), seen_at = \(now)
            WHERE id = \(id)
            """)
        let rows = try NodeRow.all(connection)
        watch.look(rows, at: uptime, now: now)
        guard rows.contains(where: { $0.id == id }) else { return nil }
        renewedAt = uptime
        let others = rows.filter { $0.id != id }
        for other in others where watch.isDead(other.id) { try other.end(seenAt: watch.seenAt(other.id), connection) }
        return others
    }

    /// The others with which this server does not agree any more, and why, each once.
    fileprivate mutating func newDifferences(_ node: LocalNode, _ others: [NodeRow]) -> [String] {
        var reasons: [String] = []
        for other in others {
            guard let why = NodeAdmission.refusal(of: node, beside: other) else {
                differing.remove(other.id)
                continue
            }
            if differing.insert(other.id).inserted { reasons.append(why) }
        }
        return reasons
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
        if let others = try lease.beat(node, connection, now: batch.now, uptime: uptime) {
            journal.note(nodes: Set(others.map(\.id).filter { !lease.isDead($0) }), own: lease.id)
            for why in lease.newDifferences(node, others) {
                logger.error("servers of one database do not agree", metadata: ["reason": "\(why)"])
            }
        } else if let why = try reasonToEnd(node) {
            lease.replace(by: nil, uptime: uptime)
            batch.add(.displaced(why))
        } else {
            // What others wrote in the meantime did not reach the sessions of this server.
            let id = NodeLease.makeID(effects)
            try NodeLease.insert(id, node, connection, now: batch.now)
            // A transaction may have been done after they had removed what this server had left.
            let pause = (uptime - lease.renewedAt) / 1_000
            try EndedNode.insert(lease.id, endedAt: batch.now - pause, connection)
            lease.replace(by: id, uptime: uptime)
            batch.features.connections.isDoubtful = true
            batch.sessions.lack(since: batch.now - pause)
            batch.add(.sessionsOutdated)
        }
        batch.features.lease = lease
        try pruneJournal(uptime)
        return lease.isDisplaced ? nil : batch.now + NodeLease.interval
    }

    /// Why this server, which others have given up, must not use the database any more; nil if it may.
    private func reasonToEnd(_ node: LocalNode) throws -> String? {
        try NodeAdmission.lock(connection)
        let others = try NodeRow.all(connection)
        if let why = others.lazy.compactMap({ NodeAdmission.refusal(of: node, beside: $0) }).first { return why }
        let now = try connection.rows("SELECT value FROM meta WHERE name = 'epoch'") { try $0.text(0) }
        guard now.first == epoch else {
            return "While this server was paused, its database was restored. Start it again."
        }
        do {
            try Migrator.check(connection)
            return nil
        } catch let failure as DatabaseFailure where failure.kind == .newerVersion {
            return "While this server was paused, a newer version has changed its database. \(failure)"
        }
    }
}

extension Core {
    /// Notes where this server can be found, now that it listens; `then` is called when the others can know it.
    package func note(address: String, url: String?, then: @escaping @Sendable () -> Void) {
        guard let node = configuration.node else { return then() }
        (node.address, node.url) = (address, url)
        let job = Job.work(
            Self.itself,
            { transaction in
                _ = try transaction.renewLease()
                return []
            }, then: { _ in then() })
        if !writer.submit(job) { then() }
    }
}

extension Writer {
    /// Whether others may have given this server up, so that it must not deliver anything.
    var isLeaseDoubtful: Bool { caches.features.lease?.isDoubtful(uptime: effects.uptime()) ?? false }

    /// Renews the lease if that is overdue, as after a pause or during long work.
    /// - Returns: whether the server may still use the database.
    func keepLease() -> Bool {
        guard let lease = caches.features.lease else { return true }
        if lease.isDisplaced { return false }
        guard lease.isDue(uptime: effects.uptime()) else { return true }
        do {
            _ = try commit { try $0.renewLease() }
        } catch {
            note(error)
            logger.error("the lease of the database cannot be renewed", metadata: ["error": "\(error)"])
            // What follows would only wait for the same.
            if !isReachable { return false }
        }
        return !isLeaseDoubtful
    }

    /// Whether jobs may be run; otherwise they are refused.
    func mayProcess(_ jobs: [Job]) -> Bool {
        if keepLease() { return true }
        let isDisplaced = caches.features.lease?.isDisplaced == true
        refuse(jobs, WireError(isDisplaced ? .draining : .databaseAccess))
        return false
    }

    /// Removes the connections of this server, which ends.
    func endConnections() {
        guard caches.features.lease != nil, journal.hasOthers, isReachable, !isLeaseDoubtful else { return }
        do {
            try commit { try $0.removeOwnConnections() }
            announceLastActiveCounts()
        } catch {
            logger.notice("the connections could not be removed", metadata: ["error": "\(error)"])
        }
    }

    /// Says goodbye, so that the next server need not wait. Without a contact to the database the lease just ends.
    func endLease() {
        guard let lease = caches.features.lease, isReachable, !isLeaseDoubtful else { return }
        do {
            try commit { try lease.remove($0.connection) }
        } catch {
            logger.notice("the lease of the database could not be ended", metadata: ["error": "\(error)"])
        }
    }
}
