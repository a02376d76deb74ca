import GRDB
import RoostWire

/// One commit of the local store: records are read once, changed in memory, and written at its end.
final class LocalTransaction {
    let db: Database
    /// The user of the store; nil before the first connection.
    private(set) var me: UserID?
    var change = LocalChange()
    /// Channels whose snapshot is missing or stale.
    var wanted: Set<ChannelID> = []
    /// Whether rows of the user's log are missing permanently, which may have been about channels.
    var hasLostOwnRows = false
    private var records: [ChannelID: ChannelRecord] = [:]
    private var touched: Set<ChannelID> = []
    private var touchedQueues: Set<ChannelID> = []

    init(_ db: Database) throws {
        self.db = db
        me = try Info.owner.read(db).flatMap(UserID.init(rawValue:))
    }

    /// The state to restore if a change by the app fails.
    struct Snapshot {
        fileprivate var change: LocalChange
        fileprivate var wanted: Set<ChannelID>
        fileprivate var records: [ChannelID: ChannelRecord]
        fileprivate var touched: Set<ChannelID>
        fileprivate var touchedQueues: Set<ChannelID>
    }

    func snapshot() -> Snapshot {
        Snapshot(
            change: change, wanted: wanted, records: records, touched: touched, touchedQueues: touchedQueues)
    }

    func restore(_ snapshot: Snapshot) {
        change = snapshot.change
        wanted = snapshot.wanted
        records = snapshot.records
        touched = snapshot.touched
        touchedQueues = snapshot.touchedQueues
    }

    // MARK: Owner and positions

    /// Sets the owner of the store, or checks that it is this user.
    /// - Throws: 6000 if it belongs to another user.
    func setOwner(_ user: UserID) throws {
        if let me {
            guard me == user else { throw LocalStore.otherUser }
        } else {
            try Info.owner.write(user.rawValue, db)
            me = user
        }
    }

    func move(_ key: LogKey, _ move: LogMove) throws {
        switch key {
        case .user: try Info.userSeq.write(String(move.to), db)
        case .channel(let id): try edit(id) { $0.move(move) }
        }
    }

    // MARK: Records

    func record(_ id: ChannelID) throws -> ChannelRecord {
        if let known = records[id] { return known }
        let read = try LocalStore.record(id, db)
        records[id] = read
        return read ?? ChannelRecord()
    }

    /// All stored channels, including those of this commit.
    func channelIDs() throws -> Set<ChannelID> {
        let stored = try String.fetchAll(db, sql: "SELECT channel FROM channels").compactMap(ChannelID.init(rawValue:))
        return Set(stored).union(records.keys)
    }

    func edit<T>(_ id: ChannelID, _ body: (inout ChannelRecord) throws -> T) throws -> T {
        var record = try record(id)
        // The value is removed from the cache while it changes, to avoid a copy.
        records[id] = nil
        defer {
            records[id] = record
            touched.insert(id)
        }
        return try body(&record)
    }

    /// Removes a channel that is lost; its unsent messages stay, so that the app is told of them.
    func remove(_ id: ChannelID) throws {
        for table in ["channels", "rows", "deletions", "members", "drafts"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE channel = ?").execute(arguments: [id.rawValue])
        }
        try db.cachedStatement(sql: "DELETE FROM sends WHERE channel = ? AND seq IS NOT NULL")
            .execute(arguments: [id.rawValue])
        records[id] = nil
        touched.remove(id)
        wanted.remove(id)
        change.rows[id] = LocalChange.Rows()
        change.rows[id]?.isVoid = true
        change.channels.insert(id)
        change.members.insert(id)
        touchedQueues.insert(id)
    }

    func queueChanged(in id: ChannelID) { touchedQueues.insert(id) }

    /// Writes the changes.
    func finish() throws -> LocalChange {
        for id in touched {
            guard let record = records[id] else { continue }
            let json = String(decoding: try WireCodec.encode(record), as: UTF8.self)
            try db.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO channels (channel, position, activity_at, is_listed, record)
                    VALUES (?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                id.rawValue, record.position, record.snapshot?.lastActivityAt ?? 0, record.isListed, json,
            ])
        }
        for id in touchedQueues { change.queue[id] = try LocalStore.queue(in: id, db) }
        return change
    }
}

extension LocalStore {
    static func record(_ id: ChannelID, _ db: Database) throws -> ChannelRecord? {
        guard
            let json = try String.fetchOne(
                db.cachedStatement(sql: "SELECT record FROM channels WHERE channel = ?"), arguments: [id.rawValue])
        else { return nil }
        return try WireCodec.decode(ChannelRecord.self, from: Array(json.utf8))
    }

    /// The error for a user who is not the owner of the store.
    static var otherUser: RoostError {
        RoostError(wire: WireError(.notCurrentUser))
    }
}
