import RoostWire

/// A server that has ended, from the table `ended_nodes`, which has a row until all is removed that it has left.
struct EndedNode {
    var id: String
    /// A time before its last sign of life, in ms since 1970, mostly by the clock of the server that noticed its end.
    var endedAt: Int64

    /// Notes that a server has ended, unless that is noted already.
    static func insert(_ id: String, endedAt: Int64, _ connection: any SQLConnection) throws {
        try connection.execute(
            """
            INSERT INTO ended_nodes (id, ended_at) VALUES (\(id), \(endedAt)) ON CONFLICT (id) DO NOTHING
            """)
    }
}

extension Transaction {
    /// The most connections that are removed in one transaction, with what their devices have missed.
    private static let connectionsAtOnce = 100
    /// The most that are corrected in one.
    private static let correctedAtOnce = 5_000
    /// What was sent so many ms before may not have arrived.
    private static let onTheWay: Int64 = 5_000
    /// The time between two searches for what belongs to no server, in µs.
    private static let searchInterval: Int64 = 3_600_000_000

    /// Makes the tables of connections true again, some rows at a time.
    /// - Returns: when to go on; nil if there is nothing to do now.
    mutating func cleanConnections() throws -> Int64? {
        let unnoted = batch.caches.features.unnoted.prefix(Self.connectionsAtOnce)
        if !unnoted.isEmpty {
            // Their rows are removed in the same transaction, or others would still take the devices for connected.
            batch.features.ended.sessions += unnoted
            batch.features.ended.notedCount = unnoted.count
            return batch.now
        }
        guard batch.features.lease != nil else { return nil }
        if try correctConnections() { return batch.now }
        try searchOrphans()
        return try removeEnded() ? batch.now : nil
    }

    /// Makes the rows of this server those of its sessions again, if that is in doubt.
    /// - Returns: whether more is to be done.
    private mutating func correctConnections() throws -> Bool {
        guard batch.features.connections.isDoubtful, let node else { return false }
        let sessions = batch.caches.sessions.all.filter { $0.value.lacksSince == nil }
        let known = Dictionary(sessions.map { (ConnectionRows.number($0), ($0, $1)) }) { first, _ in first }
        let found = try connection.rows(
            "SELECT user_id, device_id, number, is_superseded FROM connections WHERE node = \(node)"
        ) { row in
            let (user, device, number) = (try row.text(0), try row.text(1), try row.int(2))
            let key: [SQLValue] = [.text(user), .text(device), .text(node), .int(number)]
            return (number: number, key: key, isSuperseded: try row.int(3) == 1)
        }
        let flags = Dictionary(found.map { ($0.number, $0.isSuperseded) }) { first, _ in first }
        let outdated = found.filter { known[$0.number] == nil }
        let wrong = known.filter { flags[$0.key] != $0.value.1.isSuperseded }.values
        try deleteConnections(outdated.prefix(Self.correctedAtOnce).map(\.key))
        try connection.write(
            wrong.prefix(Self.correctedAtOnce).map { ConnectionRows.row($0, of: $1, node) },
            ConnectionRows.connections)
        if max(outdated.count, wrong.count) > Self.correctedAtOnce { return true }
        let channels = try connection.rows("SELECT channel FROM participants WHERE node = \(node)") {
            try $0.id(0) as ChannelID
        }
        batch.features.connections.changedChannels.formUnion(channels + sessions.values.flatMap(\.open))
        batch.features.connections.isDoubtful = false
        return false
    }

    /// Finds rows of servers that are neither there nor noted as ended: those of a server that was paused during a
    /// transaction, and removed before it was done.
    private mutating func searchOrphans() throws {
        let uptime = effects.uptime()
        guard uptime >= batch.features.connections.nextSearch else { return }
        batch.features.connections.nextSearch = uptime + Self.searchInterval
        let orphans = try connection.rows(
            """
            SELECT o.node FROM (SELECT DISTINCT node FROM connections UNION SELECT DISTINCT node FROM participants) o
            WHERE o.node NOT IN (SELECT id FROM nodes) AND o.node NOT IN (SELECT id FROM ended_nodes) ORDER BY o.node
            """
        ) { try $0.text(0) }
        for id in orphans { try EndedNode.insert(id, endedAt: batch.now, connection) }
    }

    /// Removes some of what a server has left that has ended: its devices are notified of what they have missed.
    /// - Returns: whether more is to be done.
    private mutating func removeEnded() throws -> Bool {
        // A lock is written to the disk, so it is not taken for nothing.
        guard try !connection.rows("SELECT 1 FROM ended_nodes LIMIT 1", { try $0.int(0) }).isEmpty else { return false }
        let ended = try connection.rows(
            "SELECT id, ended_at FROM ended_nodes ORDER BY id LIMIT 1 \(.forUpdateSkipLocked)"
        ) { EndedNode(id: try $0.text(0), endedAt: try $0.int(1)) }.first
        guard let ended else { return false }
        let found = try connection.rows(
            """
            SELECT user_id, device_id, number, begun_at, is_superseded FROM connections WHERE node = \(ended.id)
            ORDER BY number LIMIT \(Self.connectionsAtOnce) \(.forUpdateSkipLocked)
            """
        ) { row in
            (
                device: DeviceKey(user: try row.id(0), device: try row.id(1)), number: try row.int(2),
                begunAt: try row.int(3), isSuperseded: try row.int(4) == 1
            )
        }
        try deleteConnections(found.map { $0.device.values + [.text(ended.id), .int($0.number)] })
        let newest = found.filter { !$0.isSuperseded }.map { ($0.device, $0.begunAt) }
        try noteUnreached(
            Dictionary(newest, uniquingKeysWith: { min($0, $1) }).map { device, begunAt in
                (device, max(ended.endedAt - Self.onTheWay, begunAt - LiveSession.beginning))
            })
        batch.usersGoneElsewhere.formUnion(found.map(\.device.user))
        // Some may have been locked.
        let left = try connection.rows("SELECT 1 FROM connections WHERE node = \(ended.id) LIMIT 1") { try $0.int(0) }
        if left.isEmpty {
            try connection.execute("DELETE FROM participants WHERE node = \(ended.id)")
            try connection.execute("DELETE FROM ended_nodes WHERE id = \(ended.id)")
            // It may have begun to send some.
            batch.add(.pushesAdded)
        }
        return !found.isEmpty
    }
}
