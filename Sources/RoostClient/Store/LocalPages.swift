import GRDB
public import RoostWire

extension LocalStore {
    /// The user's channels as this device has them, the newest activity first; open, hidden and ended ones are left out.
    public func channels(limit: Int) async throws(RoostError) -> [Channel] {
        try await read { db in
            let cursor = try String.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT record FROM channels WHERE is_listed ORDER BY activity_at DESC, channel LIMIT ?
                        """), arguments: [max(0, limit)])
            var channels: [Channel] = []
            while let json = try cursor.next() {
                let record = try WireCodec.decode(ChannelRecord.self, from: Array(json.utf8))
                if let channel = record.shown { channels.append(channel) }
            }
            return channels
        }
    }

    /// Some of the channels that this device has, hidden and open ones too.
    public func channels(_ ids: Set<ChannelID>) async throws(RoostError) -> [ChannelID: LocalChannel] {
        try await read { db in
            var channels: [ChannelID: LocalChannel] = [:]
            for id in ids {
                guard let record = try Self.record(id, db), let channel = record.shown else { continue }
                channels[id] = LocalChannel(channel: channel, isListed: record.isListed)
            }
            return channels
        }
    }

    /// How much is unread over the listed channels that this device has, without those that are muted.
    public func totalUnread() async throws(RoostError) -> Int {
        try await channels(limit: .max).reduce(0) { total, channel in
            channel.preference?.isMuted == true ? total : total + (channel.unread ?? 0)
        }
    }

    /// The members of a channel that this device knows, by user id, with their read marks.
    public func members(of id: ChannelID) async throws(RoostError) -> [Member] {
        try await read { try Self.members(of: id, $0) }
    }

    /// The messages of a channel that are in the send queue, in their order; without a channel, of all.
    public func queue(in id: ChannelID? = nil) async throws(RoostError) -> [QueuedMessage] {
        try await read { try Self.queue(in: id, $0) }
    }

    /// What was typed into a channel's field and not sent; nil for nothing.
    public func draft(in id: ChannelID) async throws(RoostError) -> Draft? {
        try await read { db in
            try String.fetchOne(
                db.cachedStatement(sql: "SELECT draft FROM drafts WHERE channel = ?"), arguments: [id.rawValue]
            ).map { try WireCodec.decode(Draft.self, from: Array($0.utf8)) }
        }
    }

    /// Keeps what was typed; nil or an empty text takes it away.
    public func setDraft(_ draft: Draft?, in id: ChannelID) async throws(RoostError) {
        do {
            try await database.write { db in
                if let draft, !draft.text.isEmpty {
                    try db.cachedStatement(sql: "INSERT OR REPLACE INTO drafts (channel, draft) VALUES (?, ?)")
                        .execute(arguments: [
                            id.rawValue, String(decoding: try WireCodec.encode(draft), as: UTF8.self),
                        ])
                } else {
                    try db.cachedStatement(sql: "DELETE FROM drafts WHERE channel = ?")
                        .execute(arguments: [id.rawValue])
                }
            }
        } catch {
            throw Self.failure(error)
        }
    }

    /// The rows in front of `before`, or the newest ones: what of them is here without a hole.
    ///
    /// The second value says whether that is all of them.
    func page(
        of id: ChannelID, before: Int64?, limit: Int
    ) async throws(RoostError) -> (page: HistoryPage, isWhole: Bool) {
        try await read { db in
            let record = try Self.record(id, db) ?? ChannelRecord()
            // Of a channel that is not followed, the newest rows here may not be the newest there are.
            let isFollowed = record.position != nil
            let end = before.map { $0 - 1 } ?? (isFollowed ? record.newest : record.stretches.last)?.last ?? 0
            let isAtStart = end <= record.floor
            guard let stretch = record.stretches.last(where: { $0.first <= end && end <= $0.last }) else {
                let isEmpty = isAtStart && (before != nil || record.position == 0)
                return (HistoryPage(events: [], hasBefore: !isEmpty, hasAfter: before != nil), isEmpty)
            }
            let rows = try Self.rows(in: id, from: stretch.first, to: end, limit: limit + 1, newest: true, db)
            let reachesStart = stretch.first <= record.floor + 1
            let page = HistoryPage(
                events: Array(rows.suffix(limit)), hasBefore: rows.count > limit || !reachesStart,
                hasAfter: before != nil)
            return (page, (isFollowed || before != nil) && (rows.count >= limit || reachesStart))
        }
    }

    /// The rows behind `after`: what of them is here without a hole.
    func page(
        of id: ChannelID, after: Int64, limit: Int
    ) async throws(RoostError) -> (page: HistoryPage, isWhole: Bool) {
        try await read { db in
            let record = try Self.record(id, db) ?? ChannelRecord()
            if let position = record.position, after >= position {
                return (HistoryPage(events: [], hasBefore: true, hasAfter: false), true)
            }
            guard let stretch = record.stretches.last(where: { $0.first <= after + 1 && after < $0.last }) else {
                return (HistoryPage(events: [], hasBefore: true, hasAfter: true), false)
            }
            let rows = try Self.rows(
                in: id, from: after + 1, to: stretch.last, limit: limit + 1, newest: false, db)
            let reachesEnd = stretch.last >= record.position ?? .max
            let page = HistoryPage(
                events: Array(rows.prefix(limit)), hasBefore: true, hasAfter: rows.count > limit || !reachesEnd)
            return (page, rows.count >= limit || reachesEnd)
        }
    }
}

extension ChannelRecord {
    /// The channel as it is to be shown: with the read mark as far as it is known here.
    var shown: Channel? {
        guard var channel = snapshot else { return nil }
        if channel.kind != .open { channel.readSeq = mark }
        return channel
    }
}

/// A channel as this device has it.
public struct LocalChannel: Hashable, Sendable {
    /// The channel.
    public var channel: Channel
    /// Whether the channel list shows it: it is no open channel, and not hidden.
    public var isListed: Bool

    /// Makes it.
    public init(channel: Channel, isListed: Bool) {
        self.channel = channel
        self.isListed = isListed
    }
}
