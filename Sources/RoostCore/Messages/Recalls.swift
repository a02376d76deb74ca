import RoostWire

extension Transaction {
    mutating func recall(_ recall: RecallMessages) throws -> Outcome {
        let actor = try actor
        let me = actor.user.userID
        try IDRules.check(recall.messageIDs, "messageIDs", limits: configuration.limits)
        try flush()
        let mayRecallAll = actor.isOperator
        let known = try mayRecallAll ? channelForAnyUser(recall.channel) : channel(recall.channel)
        guard var channel = known else { throw WireError(.channelNotFound) }
        var role = Role.none
        var shown = actor.user
        if let member = channel.members[me] {
            role = member.role
            shown = member.shown(actor.user)
        } else if channel.kind != .open, !mayRecallAll {
            _ = try member(me, of: channel)
        }
        let rows = try logRows(recall.messageIDs, in: channel, for: me)
        var found: [LogRow] = []
        var results: [MessageResult] = []
        var refusal: ErrorCode?
        for id in recall.messageIDs {
            let code = try self.refusal(of: rows[id], as: role, in: channel, mayRecallAll: mayRecallAll)
            if code == nil, let row = rows[id] { found.append(row) }
            refusal = refusal ?? code
            results.append(MessageResult(messageID: id, code: code?.code ?? 0))
        }
        guard !found.isEmpty else { throw WireError(refusal ?? .messageNotFound) }

        // No errors are thrown from here on.
        let shell = Recall(
            isSilent: recall.isSilent == true, at: .init(milliseconds: max(channel.lastSentAt, batch.now)),
            byUserID: me, byName: shown.name,
            byRole: found.allSatisfy { $0.author == me.rawValue }
                ? nil : RoleRules.allows(.recallOthers, role, profile: channel.settings) ? .moderator : .operator)
        let written = try self.recall(found, in: &channel, leaving: shell)
        return try Outcome(
            answer: MessageResults(
                acknowledgement: Acknowledgement(
                    channel: channel.id, seq: written.seq, transID: try transID,
                    sentAt: .init(milliseconds: written.sentAt)),
                results: results))
    }

    /// Removes the content of messages, announces it, and recomputes unread counts; the batch must have been flushed.
    mutating func recall(
        _ rows: [LogRow], in channel: inout ChannelState, leaving shell: Recall
    ) throws -> (seq: Int64, sentAt: Int64) {
        let found = rows.sorted { $0.seq < $1.seq }
        for row in found {
            var row = row
            row.event.body = row.event.body.recalled(shell)
            row.flags.formUnion(shell.isSilent ? [.recalled, .silent] : .recalled)
            row.category = nil
            batch.put(try row.values(), LogRow.upsert)
        }
        try deleteReactions(to: found.map(\.seq), in: channel.id)
        try deletePins(of: found.map(\.seq), in: channel.id)
        try noteRecalled(found.map(\.seq), in: channel.id)
        if shell.isSilent, let last = found.last(where: { $0.seq == channel.lastMessageSeq }) {
            let gone = Set(found.map(\.seq))
            channel.lastMessageSeq = try newestMessage(below: last.seq, in: channel.id, without: gone)
        }
        let body = MessagesRecalled(
            messages: found.compactMap { row in
                row.event.messageID.map {
                    RecalledMessage(
                        messageID: $0, seq: row.seq, senderID: row.event.senderID,
                        wasCounted: row.flags.contains(.counted))
                }
            },
            isSilent: shell.isSilent, byName: shell.byName, byRole: shell.byRole)
        let reader = shell.byUserID.flatMap { id in channel.members[id].map { (id, $0.markSeq == channel.seq) } }
        // Of a silent recall, no query returns anything; `resume` tells the devices that may hold the messages.
        let traits = RowTraits(flags: shell.isSilent ? [.recalled, .silent] : [])
        let written = try append(to: &channel, as: traits) { _, _ in .messageRecalled(body) }
        if let (me, wasRead) = reader, wasRead { moveMark(of: me, in: &channel, toOwn: written.seq) }
        batch.channels[channel.id] = channel
        try flush()
        try emptySnapshots(of: found, in: channel.id)
        if channel.kind.isNews {
            try loadSubscribers(of: [channel.id])
        } else if channel.kind != .open {
            try loadCorrections([[.text(channel.id.rawValue)]])
        }
        channel = batch.channels[channel.id] ?? channel
        try releaseFiles(of: found.map(\.seq), in: channel.id)
        return written
    }

    /// Returns why the caller may not recall a message; nil if the caller may.
    private func refusal(
        of row: LogRow?, as role: Role, in channel: ChannelState, mayRecallAll: Bool
    ) throws -> ErrorCode? {
        let me = try me
        guard let row, !row.flags.contains(.recalled) else { return .messageNotFound }
        if mayRecallAll { return nil }
        // The operator who wrote an announcement is its author, although this is not disclosed.
        return RecallRules.refusal(
            isOwn: row.author == me.rawValue, age: batch.now - (row.event.$sentAt ?? batch.now), role: role,
            profile: channel.settings, limits: configuration.limits)
    }

    /// Returns the rows of those messages that a user may read, by message id; the batch must have been flushed.
    func logRows(_ ids: [MessageID], in channel: ChannelState, for user: UserID) throws -> [MessageID: LogRow] {
        let floor = channel.floor(of: user)
        let keys = ids.map(\.seq).filter { $0 > floor }.map { [SQLValue.int($0)] }
        guard !keys.isEmpty else { return [:] }
        let rows = try connection.rows(
            """
            WITH k (seq) AS (\(keys: keys)) SELECT \(LogRow.columns) FROM channel_log l
            WHERE l.channel = \(channel.id) AND l.seq IN (SELECT seq FROM k)
            AND \(Reads.isVisible(to: user, in: channel.id))
            """, LogRow.init)
        let byID = rows.compactMap { row in row.event.messageID.map { ($0, row) } }
        return Dictionary(byID, uniquingKeysWith: { first, _ in first }).filter { ids.contains($0.key) }
    }

    /// Removes the content of snapshots in replies to recalled messages, a page at a time.
    private mutating func emptySnapshots(of recalled: [LogRow], in channel: ChannelID) throws {
        let most = 256
        let parents = Dictionary(recalled.map { ($0.seq, $0.event.messageID) }, uniquingKeysWith: { first, _ in first })
        let answered = try connection.rows(
            """
            WITH k (seq) AS (\(keys: parents.keys.map { [.int($0)] })) SELECT DISTINCT p.parent_seq FROM replies p
            WHERE p.channel = \(channel) AND p.parent_seq IN (SELECT seq FROM k)
            """
        ) { try $0.int(0) }
        for parent in answered {
            guard let id = parents[parent] ?? nil else { continue }
            var last: Int64 = 0
            while true {
                let rows = try connection.rows(
                    """
                    SELECT \(LogRow.columns) FROM replies p JOIN channel_log l ON l.channel = p.channel AND l.seq = p.seq
                    WHERE p.channel = \(channel) AND p.parent_seq = \(parent) AND p.seq > \(last)
                    ORDER BY p.seq LIMIT \(most)
                    """, LogRow.init)
                for var row in rows {
                    guard let message = row.event.message else { continue }
                    row.event.message = message.afterRecall(of: id)
                    batch.put(try row.values(), LogRow.upsert)
                }
                try flush()
                guard rows.count == most, let end = rows.last else { break }
                last = end.seq
            }
        }
    }

    /// Returns the newest row before another one that can be the last message of its channel, or 0; usually it is
    /// nearby.
    private func newestMessage(below seq: Int64, in channel: ChannelID, without gone: Set<Int64>) throws -> Int64 {
        var place = seq
        var limit = 16
        while true {
            let rows = try connection.rows(
                """
                SELECT l.seq, l.frame FROM channel_log l WHERE l.channel = \(channel) AND l.seq < \(place)
                AND \(RowFlags.isShown("l.flags")) ORDER BY l.seq DESC LIMIT \(limit)
                """
            ) { (seq: try $0.int(0), event: try $0.event(1, of: channel, $0.int(0))) }
            for row in rows where !gone.contains(row.seq) {
                if row.event.body.behaviour?.isLastMessage == true { return row.seq }
            }
            guard rows.count == limit, let end = rows.last else { return 0 }
            place = end.seq
            limit = 256
        }
    }
}

/// A complete row of a channel's log, to be rewritten with other content.
struct LogRow {
    var channel: ChannelID
    var seq: Int64
    /// The user whose command wrote it; for an announcement, the operator, whom the event does not name.
    var author: String?
    var transID: String?
    var hash: Int64?
    var sentAt: Int64
    var count: Int64
    var behind: Int64
    var flags: RowFlags
    var category: String?
    /// `row.removed` if the row is damaged.
    var event: Event

    /// The columns of the alias `l`, in the order that the initializer reads them.
    static let columns: Query = """
        l.channel, l.seq, l.sender, l.trans_id, l.hash, l.sent_at, l.count, l.behind, l.flags, l.category, l.frame
        """
    static let upsert = Upsert(
        "channel_log",
        ["channel", "seq", "sender", "trans_id", "hash", "sent_at", "count", "behind", "flags", "category", "frame"],
        keys: ["channel", "seq"])

    init(_ row: any SQLRow) throws {
        channel = try row.id(0)
        seq = try row.int(1)
        author = try row.optionalText(2)
        transID = try row.optionalText(3)
        hash = try row.optionalInt(4)
        sentAt = try row.int(5)
        count = try row.int(6)
        behind = try row.int(7)
        flags = RowFlags(rawValue: try row.int(8))
        category = try row.optionalText(9)
        event = try row.event(10, of: channel, seq)
    }

    func values() throws -> [SQLValue] {
        [
            .text(channel.rawValue), .int(seq), SQLValue(author), SQLValue(transID), SQLValue(hash), .int(sentAt),
            .int(count), .int(behind), .int(flags.rawValue), SQLValue(category), .content(try WireCodec.encode(event)),
        ]
    }
}
