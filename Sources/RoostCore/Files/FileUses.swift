import RoostWire

/// What keeps a file: a message, a schedule, a broadcast, or a channel, a user or a member that shows it.
///
/// A file lives as long as something uses it. The uses are rows of the table `file_uses`; they change in the
/// transaction that changes what uses the file. When the last one goes, the file goes in the same transaction, and the
/// key of its bytes is noted in `file_removals` until the storage has deleted them.
enum FileUse {
    static let messageKind: Int64 = 0
    static let scheduleKind: Int64 = 1
    static let broadcastKind: Int64 = 2
    static let channelKind: Int64 = 3
    static let userKind: Int64 = 4
    static let memberKind: Int64 = 5

    /// A row of a channel's log.
    case message(ChannelID, seq: Int64)
    /// A schedule of a user.
    case schedule(UserID, ScheduleID)
    case broadcast(BroadcastID)
    /// The picture or the background of a channel.
    case channel(ChannelID)
    /// The picture of a user.
    case user(UserID)
    /// The picture of a member for one channel.
    case member(ChannelID, UserID)

    fileprivate var key: [SQLValue] {
        switch self {
        case .message(let channel, let seq): [.int(Self.messageKind), .text(channel.rawValue), .text(""), .int(seq)]
        case .schedule(let user, let id):
            [.int(Self.scheduleKind), .text(user.rawValue), .text(id.rawValue), .int(0)]
        case .broadcast(let id): [.int(Self.broadcastKind), .text(id.rawValue), .text(""), .int(0)]
        case .channel(let id): [.int(Self.channelKind), .text(id.rawValue), .text(""), .int(0)]
        case .user(let id): [.int(Self.userKind), .text(id.rawValue), .text(""), .int(0)]
        case .member(let channel, let user):
            [.int(Self.memberKind), .text(channel.rawValue), .text(user.rawValue), .int(0)]
        }
    }
}

extension Transaction {
    private static let uses = Upsert(
        "file_uses", ["kind", "holder", "part", "seq", "file"], keys: ["kind", "holder", "part", "seq", "file"])

    /// Records that something uses files.
    mutating func use(_ files: [FileID], by use: FileUse) {
        for file in files { batch.put(use.key + [.text(file.rawValue)], Self.uses) }
    }

    /// Deletes the uses by messages, and the files that nothing uses any more; the batch must have been flushed.
    mutating func releaseFiles(of rows: [Int64], in channel: ChannelID) throws {
        guard !rows.isEmpty else { return }
        let keys = rows.map { [SQLValue.int($0)] }
        try release(
            """
            u.kind = \(FileUse.messageKind) AND u.holder = \(channel) AND u.part = ''
            AND u.seq IN (WITH k (seq) AS (\(keys: keys)) SELECT seq FROM k)
            """)
    }

    /// The same for a range of rows.
    mutating func releaseFiles(from first: Int64, to last: Int64, in channel: ChannelID) throws {
        try release(
            """
            u.kind = \(FileUse.messageKind) AND u.holder = \(channel) AND u.part = ''
            AND u.seq >= \(first) AND u.seq <= \(last)
            """)
    }

    /// The same for a schedule, which may still use some files.
    mutating func releaseFiles(
        of schedule: ScheduleID, of user: UserID, except kept: [FileID] = []
    ) throws {
        try release(
            "u.kind = \(FileUse.scheduleKind) AND u.holder = \(user) AND u.part = \(schedule)", except: kept)
    }

    /// The same for the picture and the background of a channel, which may still use some files.
    mutating func releaseFiles(of channel: ChannelID, except kept: [FileID]) throws {
        try release("u.kind = \(FileUse.channelKind) AND u.holder = \(channel) AND u.part = ''", except: kept)
    }

    /// The same for the picture of a user, who may still use some files.
    mutating func releaseFiles(of user: UserID, except kept: [FileID]) throws {
        try release("u.kind = \(FileUse.userKind) AND u.holder = \(user) AND u.part = ''", except: kept)
    }

    /// The same for the picture of a member, who may still use some files.
    mutating func releaseFiles(of user: UserID, in channel: ChannelID, except kept: [FileID] = []) throws {
        try release("u.kind = \(FileUse.memberKind) AND u.holder = \(channel) AND u.part = \(user)", except: kept)
    }

    /// The same for a broadcast.
    mutating func releaseFiles(of broadcast: BroadcastID) throws {
        try release("u.kind = \(FileUse.broadcastKind) AND u.holder = \(broadcast)")
    }

    private mutating func release(_ condition: Query, except kept: [FileID] = []) throws {
        var condition = condition
        if !kept.isEmpty {
            let keys = kept.map { [SQLValue.text($0.rawValue)] }
            condition.append(" AND u.file NOT IN (WITH k (id) AS (\(keys: keys)) SELECT id FROM k)")
        }
        let files = try connection.rows("SELECT DISTINCT u.file FROM file_uses u WHERE \(condition)") { try $0.text(0) }
        guard !files.isEmpty else { return }
        try connection.execute("DELETE FROM file_uses AS u WHERE \(condition)")
        try deleteUnused(files)
    }

    /// Deletes those of the files that nothing uses, with the thumbnails that the server has made of them and that nothing
    /// uses either; the batch must have been flushed.
    /// - Returns: how many of the files it has deleted.
    @discardableResult
    mutating func deleteUnused(_ files: [String]) throws -> Int {
        let unused = try unused(files)
        guard !unused.isEmpty else { return 0 }
        let all = unused + (try self.unused(unused.compactMap(\.thumbnail)))
        let ids = all.map { [SQLValue.text($0.id)] }
        try connection.execute("WITH k (id) AS (\(keys: ids)) DELETE FROM files WHERE id IN (SELECT id FROM k)")
        // An unfinished upload has bytes under its own id.
        let orphans = Set(all.map { $0.key ?? $0.id })
        let shared = try connection.rows(
            """
            WITH k (id) AS (\(keys: orphans.map { [.text($0)] }))
            SELECT DISTINCT f.bytes_key FROM files f WHERE f.bytes_key IN (SELECT id FROM k)
            """
        ) { try $0.text(0) }
        try connection.write(orphans.subtracting(shared).map { [.text($0)] }, Self.removals)
        batch.add(.bytesRemoved)
        return unused.count
    }

    /// Locks files and returns those that nothing uses.
    private func unused(_ files: [String]) throws -> [(id: String, key: String?, thumbnail: String?)] {
        guard !files.isEmpty else { return [] }
        let keys = files.map { [SQLValue.text($0)] }
        // Locked first, so that no other process starts to use one in between.
        _ = try connection.rows(
            "WITH k (id) AS (\(keys: keys)) SELECT f.id FROM files f WHERE f.id IN (SELECT id FROM k) \(.forUpdate)"
        ) { try $0.text(0) }
        return try connection.rows(
            """
            WITH k (id) AS (\(keys: keys)) SELECT f.id, f.bytes_key, f.thumbnail FROM files f
            WHERE f.id IN (SELECT id FROM k) AND NOT EXISTS (SELECT 1 FROM file_uses u WHERE u.file = f.id)
            """
        ) { (id: try $0.text(0), key: try $0.optionalText(1), thumbnail: try $0.optionalText(2)) }
    }

    static let removals = Upsert("file_removals", ["bytes_key"], keys: ["bytes_key"])
}

extension ChannelProfile {
    /// The ids of the files that it shows.
    var fileIDs: [FileID] { [avatar, background].compactMap(FileRules.fileID) }
}

extension Schedule {
    /// The ids of the files in it.
    var fileIDs: [FileID] { messages.flatMap(\.fileIDs) + (vote?.options.flatMap(\.fileIDs) ?? []) }
}
