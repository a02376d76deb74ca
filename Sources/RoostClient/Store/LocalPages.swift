import GRDB
public import RoostWire

extension LocalStore {
    /// The user's channels on this device, the newest activity first; open, hidden and ended ones are excluded.
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

    /// Some of the channels on this device, including hidden and open ones.
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

    /// The number of unread messages in the listed channels on this device, without muted ones.
    public func totalUnread() async throws(RoostError) -> Int {
        try await channels(limit: .max).reduce(0) { total, channel in
            channel.preference?.isMuted == true ? total : total + (channel.unread ?? 0)
        }
    }

    /// The members of a channel that this device knows, by user id, with their read marks.
    public func members(of id: ChannelID) async throws(RoostError) -> [Member] {
        try await read { try Self.members(of: id, $0) }
    }

    /// The messages in the send queue of a channel, in their order; of all channels without one.
    public func queue(in id: ChannelID? = nil) async throws(RoostError) -> [QueuedMessage] {
        try await read { try Self.queue(in: id, $0) }
    }

    /// The draft of a channel; nil if there is none.
    public func draft(in id: ChannelID) async throws(RoostError) -> Draft? {
        try await read { db in
            try String.fetchOne(
                db.cachedStatement(sql: "SELECT draft FROM drafts WHERE channel = ?"), arguments: [id.rawValue]
            ).map { try WireCodec.decode(Draft.self, from: Array($0.utf8)) }
        }
    }

    /// Saves a draft; nil or an empty one deletes it.
    public func setDraft(_ draft: Draft?, in id: ChannelID) async throws(RoostError) {
        do {
            try await database.write { db in
                if let draft, !draft.isEmpty {
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

    /// The stored rows before `before` that show, or the newest ones, up to the first gap.
    ///
    /// The second value says whether these are all rows.
    func page(
        of id: ChannelID, before: Int64?, limit: Int
    ) async throws(RoostError) -> (page: HistoryPage, isWhole: Bool) {
        try await read { db in
            let record = try Self.record(id, db) ?? ChannelRecord()
            // If a channel is not followed, the newest rows here may not be the newest in its log.
            let isFollowed = record.position != nil
            let end = before.map { $0 - 1 } ?? (isFollowed ? record.newest : record.stretches.last)?.last ?? 0
            let isAtStart = end <= record.floor
            guard let stretch = record.stretches.last(where: { $0.first <= end && end <= $0.last }) else {
                let isEmpty = isAtStart && (before != nil || record.position == 0)
                let page = HistoryPage(
                    events: [], hasBefore: !isEmpty, hasAfter: before != nil, from: isEmpty ? 1 : end + 1, to: end)
                return (page, isEmpty)
            }
            let rows = try Self.shownRows(in: id, from: stretch.first, to: end, limit: limit + 1, newest: true, db)
            let reachesStart = stretch.first <= record.floor + 1
            let kept = rows.suffix(limit)
            let hasBefore = rows.count > limit || !reachesStart
            let page = HistoryPage(
                events: Array(kept), hasBefore: hasBefore, hasAfter: before != nil,
                from: rows.count > limit ? kept.first?.seq ?? end + 1 : hasBefore ? stretch.first : 1, to: end)
            return (page, (isFollowed || before != nil) && (rows.count >= limit || reachesStart))
        }
    }

    /// The stored rows after `after` that show, up to the first gap.
    func page(
        of id: ChannelID, after: Int64, limit: Int
    ) async throws(RoostError) -> (page: HistoryPage, isWhole: Bool) {
        try await read { db in
            let record = try Self.record(id, db) ?? ChannelRecord()
            func nothing(hasAfter: Bool) -> HistoryPage {
                HistoryPage(events: [], hasBefore: true, hasAfter: hasAfter, from: after &+ 1, to: after)
            }
            if let position = record.position, after >= position { return (nothing(hasAfter: false), true) }
            guard let stretch = record.stretches.last(where: { $0.first <= after + 1 && after < $0.last }) else {
                return (nothing(hasAfter: true), false)
            }
            let rows = try Self.shownRows(
                in: id, from: after + 1, to: stretch.last, limit: limit + 1, newest: false, db)
            let reachesEnd = stretch.last >= record.position ?? .max
            let kept = rows.prefix(limit)
            let page = HistoryPage(
                events: Array(kept), hasBefore: true, hasAfter: rows.count > limit || !reachesEnd,
                from: after + 1, to: rows.count > limit ? kept.last?.seq ?? after : stretch.last)
            return (page, rows.count >= limit || reachesEnd)
        }
    }
}

extension ChannelRecord {
    /// The channel to show: with the read mark as far as this device knows, and hidden or not as it is now.
    var shown: Channel? {
        guard var channel = snapshot else { return nil }
        if channel.kind != .open { channel.readSeq = mark }
        channel.isHidden = hiddenTo >= 0 && !isListed ? true : nil
        return channel
    }
}

/// A channel as stored on this device.
public struct LocalChannel: Hashable, Sendable {
    /// The channel as the server described it last, with the events that came since.
    public var channel: Channel
    /// Whether the channel list shows it: it is not an open channel, and not hidden.
    public var isListed: Bool

    /// Creates it.
    public init(channel: Channel, isListed: Bool) {
        self.channel = channel
        self.isListed = isListed
    }
}
