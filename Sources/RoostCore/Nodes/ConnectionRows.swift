import RoostWire

/// Which devices are connected to which server, and how many sessions take part in open channels, for all servers of the
/// database.
///
/// Each server writes its own rows, in the transactions in which sessions begin and end. What a server leaves that has
/// ended is removed by the others. A server that is alone writes none.
struct ConnectionRows {
    /// Whether rows may be there that do not belong to a session, or lack one: after a commit that may be done or not,
    /// and after a session that has begun or ended while nothing could be written.
    var isDoubtful = false
    /// Open channels whose participants have changed outside of a transaction.
    var changedChannels: Set<ChannelID> = []
    /// When to look again for what belongs to no server, in µs of `Effects.uptime`.
    var nextSearch: Int64 = .min

    static let connections = Upsert(
        "connections", ["user_id", "device_id", "node", "number", "begun_at", "is_superseded"],
        keys: ["user_id", "device_id", "node", "number"])
    static let participants = Upsert("participants", ["channel", "node", "count"], keys: ["channel", "node"])

    /// The sessions at all servers that take part in the open channel `c`, as a column; not counted for a server that is
    /// alone.
    static func count(if hasOthers: Bool) -> Query {
        hasOthers
            ? """
            CAST(COALESCE((SELECT SUM(p.count) FROM participants p
            WHERE p.channel = c.id AND p.node IN (SELECT id FROM nodes)), 0) AS \(.int))
            """ : "0"
    }

    /// Whether the member `m` is connected to other servers than one, as a column of 0 and 1.
    // Not EXISTS: PostgreSQL would read the whole table for it.
    static func isElsewhere(than node: String?) -> Query {
        guard let node else { return "0" }
        return """
            COALESCE((SELECT 1 FROM connections c
            WHERE c.user_id = m.user_id AND c.node <> \(node) AND c.node IN (SELECT id FROM nodes) LIMIT 1), 0)
            """
    }

    /// A number for a session among those of a server.
    static func number(_ session: SessionID) -> Int64 {
        Int64(clamping: session.lane) << 48 | Int64(truncatingIfNeeded: session.number & 0xFFFF_FFFF_FFFF)
    }

    /// The row of a session.
    static func row(_ session: SessionID, of live: LiveSession, _ node: String) -> [SQLValue] {
        key(session, of: live, node) + [.int(live.begunAt), .int(live.isSuperseded ? 1 : 0)]
    }

    static func key(_ session: SessionID, of live: LiveSession, _ node: String) -> [SQLValue] {
        [
            .text(live.user.userID.rawValue), .text(live.deviceID.rawValue), .text(node), .int(number(session)),
        ]
    }
}

/// A device of a user.
struct DeviceKey: Hashable {
    var user: UserID
    var device: DeviceID

    var values: [SQLValue] { [.text(user.rawValue), .text(device.rawValue)] }
}

// MARK: Writing

extension Transaction {
    /// The name under which this server writes its connections; nil if no other one uses the database.
    var node: String? { journal.hasOthers ? batch.features.lease?.id : nil }

    /// Writes which sessions have begun and ended.
    ///
    /// This comes last in a transaction, and in this order. Others take locks of these rows only if they are free, so
    /// whoever waits for one waits for a commit.
    mutating func writeConnections() throws {
        guard let node else { return }
        let changes = batch.sessions
        if isDiskFull {
            batch.features.connections.isDoubtful = true
            return
        }
        let unnoted = batch.caches.features.unnoted.prefix(batch.features.ended.notedCount).map {
            ConnectionRows.key($0.id, of: $0.live, node)
        }
        try deleteConnections(changes.ended.map { ConnectionRows.key($0, of: $1, node) } + unnoted)
        let channels = batch.features.connections.changedChannels.union(changes.changedParticipants)
        batch.features.connections.changedChannels = []
        try writeParticipants(channels, node)
        let begun = changes.begun
        // Of sessions that began earlier, only those of the same devices can have changed.
        try connection.write(
            begun.map { ConnectionRows.row($0, of: $1, node) },
            ConnectionRows.connections)
        try supersede(begun, node)
    }

    /// Notes that the devices of sessions had others before. A row that another transaction has locked is left as it is:
    /// its session ends, or has been superseded, too.
    private func supersede(_ begun: [(SessionID, LiveSession)], _ node: String) throws {
        let keys = begun.filter { !$1.isSuperseded }.map { ConnectionRows.key($0, of: $1, node) }
        guard !keys.isEmpty else { return }
        try connection.execute(
            """
            WITH k (user_id, device_id, node, number) AS (\(keys: keys)),
            found AS (
                SELECT user_id, device_id, node, number FROM connections
                WHERE (user_id, device_id) IN (SELECT user_id, device_id FROM k) AND is_superseded = 0
                AND (user_id, device_id, node, number) NOT IN (SELECT user_id, device_id, node, number FROM k)
                \(.forUpdateSkipLocked))
            UPDATE connections SET is_superseded = 1
            WHERE (user_id, device_id, node, number) IN (SELECT user_id, device_id, node, number FROM found)
            """)
    }

    func deleteConnections(_ keys: [[SQLValue]]) throws {
        guard !keys.isEmpty else { return }
        try connection.execute(
            """
            WITH k (user_id, device_id, node, number) AS (\(keys: keys)) DELETE FROM connections
            WHERE (user_id, device_id, node, number) IN (SELECT user_id, device_id, node, number FROM k)
            """)
    }

    func writeParticipants(_ channels: Set<ChannelID>, _ node: String) throws {
        let counts = channels.map { ($0, batch.sessions.participants(in: $0)) }
        try connection.write(
            counts.filter { $0.1 > 0 }.map { [.text($0.rawValue), .text(node), .int(Int64($1))] },
            ConnectionRows.participants)
        let empty = counts.filter { $0.1 <= 0 }.map { [SQLValue.text($0.0.rawValue), .text(node)] }
        guard !empty.isEmpty else { return }
        try connection.execute(
            """
            WITH k (channel, node) AS (\(keys: empty)) DELETE FROM participants
            WHERE (channel, node) IN (SELECT channel, node FROM k)
            """)
    }

    /// Removes what belongs to this server, which ends.
    func removeOwnConnections() throws {
        guard let node else { return }
        try connection.execute("DELETE FROM connections WHERE node = \(node)")
        try connection.execute("DELETE FROM participants WHERE node = \(node)")
    }
}

// MARK: Asking

extension Transaction {
    /// Counts the connections of users who log in to other servers.
    mutating func loadConnections(of users: Set<UserID>) throws {
        guard let node, !users.isEmpty else { return }
        _ = try connection.rows(
            """
            WITH k (user_id) AS (\(keys: users.map { [.text($0.rawValue)] }))
            SELECT c.user_id, COUNT(*) FROM k JOIN connections c ON c.user_id = k.user_id
            WHERE c.node <> \(node) AND c.is_superseded = 0 AND c.node IN (SELECT id FROM nodes) GROUP BY c.user_id
            """
        ) { batch.connectionsElsewhere[try $0.id(0)] = Int(clamping: try $0.int(1)) }
    }

    /// The devices on which a user is connected to other servers, each once.
    func devicesElsewhere(of user: UserID) throws -> [DeviceID] {
        guard let node else { return [] }
        return try connection.rows(
            """
            SELECT DISTINCT device_id FROM connections
            WHERE user_id = \(user) AND node <> \(node) AND is_superseded = 0 AND node IN (SELECT id FROM nodes)
            """
        ) { try $0.id(0) }
    }

    /// The sessions at other servers that take part in an open channel.
    func participantsElsewhere(in channel: ChannelID) throws -> Int {
        guard let node else { return 0 }
        let counts = try connection.rows(
            """
            SELECT count FROM participants
            WHERE channel = \(channel) AND node <> \(node) AND node IN (SELECT id FROM nodes)
            """
        ) { try $0.int(0) }
        return Int(clamping: counts.reduce(0, +))
    }

    /// Those of some devices that are connected to any server. One whose server has ended counts until it is noted what it
    /// has missed.
    func connected(_ devices: Set<DeviceKey>) throws -> Set<DeviceKey> {
        let here = devices.filter { batch.sessions.isConnected($0.user, on: $0.device) }
        guard let node, !devices.isEmpty else { return here }
        let rows = try connection.rows(
            """
            WITH k (user_id, device_id) AS (\(keys: devices.map(\.values)))
            SELECT c.user_id, c.device_id, c.node FROM k
            JOIN connections c ON c.user_id = k.user_id AND c.device_id = k.device_id
            WHERE c.is_superseded = 0 AND c.node IN (SELECT id FROM nodes UNION ALL SELECT id FROM ended_nodes)
            """
        ) { (DeviceKey(user: try $0.id(0), device: try $0.id(1)), node: try $0.text(2)) }
        // A device that was here may have been elsewhere since, and left.
        let found = Set(rows.filter { $0.node != node || here.contains($0.0) }.map(\.0))
        return batch.features.connections.isDoubtful ? found.union(here) : found
    }

    /// Those of some sessions that end whose devices have not begun another one since, at any server. Sessions whose rows
    /// others remove, to whom this server seemed to have ended, are left out, because they note them.
    func withoutNewerSession(_ ended: [UnreachedSession]) throws -> [UnreachedSession] {
        let newest = ended.filter { !$0.live.isSuperseded }
        guard let node, !newest.isEmpty else { return newest }
        let keys = newest.map { ConnectionRows.key($0.id, of: $0.live, node) }
        let flags = Dictionary(
            try connection.rows(
                """
                WITH k (user_id, device_id, node, number) AS (\(keys: keys))
                SELECT number, is_superseded FROM connections
                WHERE (user_id, device_id, node, number) IN (SELECT user_id, device_id, node, number FROM k)
                """
            ) { (try $0.int(0), try $0.int(1) == 1) }, uniquingKeysWith: { first, _ in first })
        return newest.filter { session in
            flags[ConnectionRows.number(session.id)].map { !$0 }
                ?? (batch.features.connections.isDoubtful && session.live.lacksSince == nil)
        }
    }
}
