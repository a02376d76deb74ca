import RoostWire

extension Reads {
    /// A channel or a tombstone, by its id.
    private enum Found {
        case channel(Row)
        case invitation(ChannelID)
        case gone(GoneChannel)

        var id: ChannelID {
            switch self {
            case .channel(let row): row.channel
            case .invitation(let id): id
            case .gone(let gone): gone.channel
            }
        }
    }

    /// The maximum size of a batch in bytes; a batch always has at least one channel.
    private static let batchBytes = 1_024 * 1_024

    func queryChannels(_ query: QueryChannels) throws -> [UInt8] {
        let withMembers = query.withMembers == true
        let limit = try limit(query.limit, default: 30, most: withMembers ? 30 : 100)
        if query.kinds?.contains(.open) == true {
            throw WireError(
                .channelTypeNotSupported, field: "kinds", "Open channels are not listed here. Use channel.listOpen.")
        }
        let cursor =
            try cursor(query.cursor, QueryCursor.init) ?? QueryCursor(asOf: max(0, settledAt - 1), batch: 0, id: nil)
        let all = try found(query).sorted { $0.id < $1.id }
        let rest = all.filter { found in cursor.id.map { found.id > $0 } ?? true }
        let batch = cursor.batch + 1
        var channels: [Channel] = []
        var gone: [GoneChannel] = []
        var room = Self.batchBytes
        var last: Found?
        for found in rest.prefix(limit) {
            let channel: Channel? =
                switch found {
                case .channel(let row): try channel(row, members: withMembers ? 100 : 0, isWhole: true)
                case .invitation(let id): try invitation(to: id)
                case .gone: nil
                }
            if let channel {
                room -= try WireCodec.encode(channel).count
                guard room >= 0 || last == nil else { break }
                channels.append(channel)
            }
            if case .gone(let tombstone) = found { gone.append(tombstone) }
            last = found
        }
        let left = last.map { last in rest.filter { $0.id > last.id }.count } ?? 0
        let next = left == 0 ? nil : QueryCursor(asOf: cursor.asOf, batch: batch, id: last?.id).text
        let total = batch + (left + limit - 1) / limit
        return try WireCodec.encode(
            QueryChannels.Answer(
                channels: channels, gone: gone, batch: batch, batchTotal: total, next: next,
                asOf: .init(milliseconds: cursor.asOf)))
    }

    private func found(_ query: QueryChannels) throws -> [Found] {
        let details = try connection.rows(
            """
            SELECT d.channel, d.changed_at, d.left_at, d.left_reason, m.role, m.left_seq, c.kind FROM members m
            JOIN channels c ON c.id = m.channel
            JOIN member_details d ON d.channel = m.channel AND d.user_id = m.user_id WHERE m.user_id = \(me)
            """
        ) { row in
            (
                channel: try row.id(0) as ChannelID, changedAt: try row.int(1), leftAt: try row.optionalInt(2),
                reason: try row.optionalText(3).flatMap(DepartureReason.init), role: try row.role(4),
                isMember: row.isNull(5), kind: try row.kind(6)
            )
        }
        let kinds = query.kinds.map(Set.init)
        let roles = query.roles.map(Set.init)
        let changed = Dictionary(details.map { ($0.channel, $0.changedAt) }, uniquingKeysWith: { first, _ in first })
        var found: [Found] = try channels(of: me).filter { row in
            guard kinds?.contains(row.kind) ?? true, roles?.contains(row.role) ?? true else { return false }
            guard let since = query.$changedSince else { return true }
            return max(row.lastSentAt, row.markAt, changed[row.channel] ?? 0) > since
        }.map(Found.channel)
        for row in details where !row.isMember && kinds?.contains(row.kind) ?? true {
            if row.role == .invited, roles?.contains(.invited) == true, row.changedAt > query.$changedSince ?? .min {
                found.append(.invitation(row.channel))
            } else if let since = query.$changedSince, let at = row.leftAt, at > since, let reason = row.reason {
                found.append(.gone(GoneChannel(channel: row.channel, reason: reason, at: .init(milliseconds: at))))
            }
        }
        return found
    }

    /// What an invited caller may know about a channel: its title and who sent the invitation.
    private func invitation(to id: ChannelID) throws -> Channel? {
        try connection.rows(
            """
            SELECT c.kind, c.title, c.member_count, d.joined_at, d.by_user FROM channels c
            JOIN member_details d ON d.channel = c.id AND d.user_id = \(me) WHERE c.id = \(id)
            """
        ) { row in
            let at = try row.optionalTime(3) ?? .init(milliseconds: 0)
            return Channel(
                channel: id, kind: try row.kind(0), title: try row.optionalText(1),
                memberCount: Int(clamping: try row.int(2)), members: [], seq: 0, count: 0, role: .invited,
                lastActivityAt: at, joinedAt: at, invitedBy: try row.optionalID(4), updatedAt: at)
        }.first
    }
}

/// The cursor of `channel.query`: `asOf/batch/id`.
private struct QueryCursor {
    var asOf: Int64
    var batch: Int
    var id: ChannelID?

    init(asOf: Int64, batch: Int, id: ChannelID?) {
        self.asOf = asOf
        self.batch = batch
        self.id = id
    }

    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 2)
        guard parts.count == 3, let asOf = Int64(parts[0]), let batch = Int(parts[1]), (0...1_000_000).contains(batch),
            let id = ChannelID(rawValue: String(parts[2]))
        else { return nil }
        self.init(asOf: asOf, batch: batch, id: id)
    }

    var text: String { "\(asOf)/\(batch)/\(id?.rawValue ?? "")" }
}
