import Logging
import RoostWire

/// The immutable part of a broadcast, which is not queried in SQL.
private struct BroadcastContent: Codable {
    var segment: BroadcastSegment
    var messages: [MessageContent]
}

extension Actor {
    /// Checks that this is an operator, before any other check.
    /// - Throws: `WireError` 1107.
    fileprivate func checkBroadcasting() throws(WireError) {
        guard isOperator else {
            throw WireError(
                .noPrivilege, "Only an operator can broadcast. Create a token with: roost token --operator.")
        }
    }
}

extension Transaction {
    mutating func createBroadcast(_ create: CreateBroadcast) throws -> Outcome {
        let actor = try actor
        try actor.checkBroadcasting()
        let limits = configuration.limits
        let sender = create.senderID
        try MultiSendRules.check(create.messages, to: [ChannelID(single: sender, sender)], limits: limits)
        do {
            try create.segment.check(limits: limits)
        } catch {
            throw error.inside("segment")
        }
        let messages = try completingFiles(of: create.messages)
        try flush()
        _ = try users([sender], locked: false)
        let users = try size(of: create.segment, without: sender)
        let counts = try connection.rows(
            """
            SELECT (SELECT COUNT(*) FROM broadcasts WHERE finished_at IS NULL), COALESCE(MAX(id), '') FROM broadcasts
            """
        ) { (unfinished: try $0.int(0), newest: BroadcastID(rawValue: try $0.text(1))) }.first
        guard let counts, counts.unfinished < Int64(limits.broadcasts) else {
            throw WireError(
                .limitReached,
                "There are \(limits.broadcasts) unfinished broadcasts, the maximum. Wait, or cancel one.")
        }
        let broadcast = Broadcast(
            broadcastID: BroadcastID(
                createdAt: max(batch.now, (counts.newest?.createdAt ?? -1) + 1), random: effects.random()),
            createdBy: actor.user.userID, senderID: sender, segment: create.segment, messages: messages,
            createdAt: .init(milliseconds: batch.now), users: users)
        batch.put(
            [
                .text(broadcast.broadcastID.rawValue), .text(broadcast.state.rawValue),
                .text(broadcast.createdBy.rawValue), .text(sender.rawValue), .int(broadcast.$createdAt),
                .int(Int64(users)), .int(0), .int(0), .content(try WireCodec.encode(broadcast.refusals)), .text(""),
                .content(try WireCodec.encode(BroadcastContent(segment: create.segment, messages: messages))),
            ], Self.addedBroadcasts)
        use(messages.flatMap(\.fileIDs), by: .broadcast(broadcast.broadcastID))
        batch.schedule(at: batch.now)
        return try Outcome(
            answer: BroadcastAnswer(transID: try transID, sentAt: .init(milliseconds: batch.now), broadcast: broadcast))
    }

    private static let addedBroadcasts = Upsert(
        "broadcasts",
        [
            "id", "state", "created_by", "sender", "created_at", "user_count", "done", "sent", "refusals", "last_user",
            "content",
        ])

    /// Returns the current number of users in a segment; the batch must have been flushed.
    /// - Throws: `WireError` 1105 for an unknown channel, 1104 for an open one.
    private mutating func size(of segment: BroadcastSegment, without sender: UserID) throws -> Int {
        if let userIDs = segment.userIDs { return userIDs.count { $0 != sender } }
        var query: Query = "SELECT COUNT(*) FROM users WHERE id <> \(sender) AND deleted_at IS NULL AND host IS NULL"
        if let id = segment.channel {
            guard let channel = try row(of: id), channel.dismissedAt == nil else { throw WireError(.channelNotFound) }
            guard channel.kind != .open else {
                throw WireError(.channelTypeMismatch, "An open channel has no members. Announce there instead.")
            }
            query =
                "SELECT COUNT(*) FROM members WHERE channel = \(id) AND left_seq IS NULL AND user_id <> \(sender)"
        }
        return Int(clamping: try connection.rows(query) { try $0.int(0) }.first ?? 0)
    }

    /// Pauses, resumes or cancels a broadcast.
    mutating func setBroadcast(_ id: BroadcastID, to state: BroadcastState) throws -> Outcome {
        try actor.checkBroadcasting()
        try flush()
        // The sending process locks the row until the end of its turn, so nothing is sent after the answer.
        guard var broadcast = try Broadcast.find(id, connection, .forUpdate) else { throw WireError.noBroadcast }
        if broadcast.state != state {
            guard !broadcast.state.isFinished else {
                throw WireError(
                    .broadcastFinished, "This broadcast is already \(broadcast.state.rawValue). Create a new one.")
            }
            broadcast.state = state
            broadcast.$finishedAt = state.isFinished ? batch.now : nil
            try connection.execute(
                "UPDATE broadcasts SET state = \(state.rawValue), finished_at = \(broadcast.$finishedAt) WHERE id = \(id)"
            )
            if state == .running { batch.schedule(at: batch.now) }
            if state.isFinished { try releaseFiles(of: id) }
        }
        return try Outcome(
            answer: BroadcastAnswer(transID: try transID, sentAt: .init(milliseconds: batch.now), broadcast: broadcast))
    }
}

// Sending broadcasts.
extension Transaction {
    /// The maximum number of messages and users per turn, so that waiting commands are not delayed for long.
    private static let messagesPerTurn = 8
    private static let usersPerTurn = 4

    /// Sends a broadcast to the next few users of its segment; running broadcasts take turns.
    ///
    /// The messages and the progress are committed together, so each user gets each message once. Only one process
    /// sends at a time: it locks a row of the table `meta`, whose value is the broadcast of the last turn.
    /// - Returns: when the next turn is due.
    mutating func sendBroadcasts() throws -> Int64? {
        let running: [BroadcastID] = try connection.rows(
            "SELECT id FROM broadcasts WHERE state = 'running' AND finished_at IS NULL ORDER BY id"
        ) { try $0.id(0) }
        guard !running.isEmpty else { return nil }
        let lease = try connection.rows("SELECT value FROM meta WHERE name = 'broadcasts' \(.forUpdateSkipLocked)") {
            try $0.text(0)
        }
        // Another process is sending.
        guard let last = lease.first else { return nil }
        let id = running.first { $0.rawValue > last } ?? running[0]
        if id.rawValue != last { try connection.execute("UPDATE meta SET value = \(id) WHERE name = 'broadcasts'") }
        do {
            guard let turn = try BroadcastTurn.find(id, connection) else { return batch.now }
            return try send(turn) || running.count > 1 ? batch.now : nil
        } catch let error as BroadcastTurn.Unreadable {
            logger.error("broadcast unreadable", metadata: ["broadcast": "\(id)", "error": "\(error.reason)"])
            try connection.execute(
                "UPDATE broadcasts SET state = 'cancelled', finished_at = \(batch.now) WHERE id = \(id)")
            return batch.now
        }
    }

    /// Sends a broadcast to the next few users.
    /// - Returns: whether there is more to do.
    private mutating func send(_ turn: BroadcastTurn) throws -> Bool {
        var broadcast = turn.broadcast
        let sender = broadcast.senderID
        let most = max(1, min(Self.usersPerTurn, Self.messagesPerTurn / max(1, broadcast.messages.count)))
        let ahead = try users(of: broadcast, after: turn.lastUser, most: most + 1)
        let recipients = ahead.prefix(most)
        // Lock the channels before the broadcast, in the same order as batches with broadcast commands.
        try load(Set(recipients.map { ChannelID(single: sender, $0) }))
        let newcomers = recipients.filter { batch.channels[ChannelID(single: sender, $0)] == nil }
        if !newcomers.isEmpty { try load(users: Set(newcomers + [sender])) }
        let isFree = try connection.rows(
            "SELECT id FROM broadcasts WHERE id = \(broadcast.broadcastID) AND state = 'running' \(.forUpdateSkipLocked)"
        ) { try $0.text(0) }
        // The broadcast is being paused or cancelled.
        guard !isFree.isEmpty else { return true }
        guard let user = try user(sender)?.user else {
            // The sender was deleted.
            try connection.execute(
                "UPDATE broadcasts SET state = 'cancelled', finished_at = \(batch.now) WHERE id = \(broadcast.broadcastID)"
            )
            try flush()
            try releaseFiles(of: broadcast.broadcastID)
            return true
        }
        let eligibility = try eligibility(of: sender, with: newcomers)
        guard let transID = TransID(rawValue: "broadcast:\(broadcast.broadcastID)") else {
            throw WireError(.internalFault)
        }
        command = RunningCommand(
            actor: Actor(user: user, deviceID: "broadcast", isOperator: false), transID: transID)
        for recipient in recipients {
            broadcast.done += 1
            let channel = ChannelID(single: sender, recipient)
            if batch.channels[channel] == nil {
                if let code = eligibility.refusals[recipient] {
                    broadcast.refuse(code)
                    continue
                }
                try makeSingle(of: [sender, recipient].sorted(), isBlocking: eligibility.blocked.contains(recipient))
            }
            let (results, refusal) = try send(broadcast.messages, to: [channel])
            broadcast.sent += results.count { $0.code == 0 }
            if let refusal { broadcast.refuse(refusal.code) }
        }
        let isDone = ahead.count <= most
        if isDone { (broadcast.state, broadcast.$finishedAt) = (.done, batch.now) }
        try connection.execute(
            """
            UPDATE broadcasts SET state = \(broadcast.state.rawValue), finished_at = \(broadcast.$finishedAt),
                done = \(broadcast.done), sent = \(broadcast.sent),
                refusals = \(content: try WireCodec.encode(broadcast.refusals)),
                last_user = \(recipients.last?.rawValue ?? turn.lastUser)
            WHERE id = \(broadcast.broadcastID)
            """)
        if isDone {
            try flush()
            try releaseFiles(of: broadcast.broadcastID)
        }
        return !isDone
    }

    /// Returns the next users of a segment in the order of their ids, without the sender.
    private func users(of broadcast: Broadcast, after last: String, most: Int) throws -> [UserID] {
        let sender = broadcast.senderID
        if let userIDs = broadcast.segment.userIDs {
            let last = UserID(rawValue: last)
            let ahead = userIDs.filter { user in user != sender && last.map { $0 < user } ?? true }
            return Array(ahead.sorted().prefix(most))
        }
        let query: Query =
            if let channel = broadcast.segment.channel {
                """
                SELECT user_id FROM members WHERE channel = \(channel) AND left_seq IS NULL AND user_id > \(last)
                    AND user_id <> \(sender) ORDER BY user_id LIMIT \(most)
                """
            } else {
                """
                SELECT id FROM users WHERE id > \(last) AND id <> \(sender) AND deleted_at IS NULL AND host IS NULL
                ORDER BY id LIMIT \(most)
                """
            }
        return try connection.rows(query) { try $0.id(0) }
    }

    /// For users without a 1-on-1 with the sender: the error code for each user who cannot have one, and the users
    /// whom the sender has blocked.
    ///
    /// The users' rows must be locked.
    private func eligibility(
        of sender: UserID, with newcomers: [UserID]
    ) throws -> (refusals: [UserID: Int], blocked: Set<UserID>) {
        let known = newcomers.filter { batch.users[$0] != nil }
        var refusals: [UserID: Int] = [:]
        for user in newcomers where batch.users[user] == nil { refusals[user] = ErrorCode.userNotFound.code }
        for user in known where batch.users[user]?.host.map({ $0 != sender }) == true {
            refusals[user] = ErrorCode.noPrivilege.code
        }
        guard !known.isEmpty else { return (refusals, []) }
        for user in try usersAtChannelLimit(among: known) { refusals[user] = ErrorCode.tooManyChannels.code }
        let blocks = try connection.rows(
            """
            WITH k (id) AS (\(keys: known.map { [.text($0.rawValue)] }))
            SELECT b.user_id, b.blocked FROM blocks b
            WHERE b.user_id IN (SELECT id FROM k) AND b.blocked = \(sender) AND b.at > 0
            UNION ALL SELECT b.user_id, b.blocked FROM blocks b
            WHERE b.user_id = \(sender) AND b.blocked IN (SELECT id FROM k) AND b.at > 0
            """
        ) { (blocker: try $0.id(0) as UserID, blocked: try $0.id(1) as UserID) }
        for block in blocks where block.blocked == sender { refusals[block.blocker] = ErrorCode.blocked.code }
        return (refusals, Set(blocks.filter { $0.blocker == sender }.map(\.blocked)))
    }
}

extension WireError {
    fileprivate static let noBroadcast = WireError(.broadcastNotFound)
}

/// A broadcast that is being processed, and its last processed user; empty at the beginning.
private struct BroadcastTurn {
    var broadcast: Broadcast
    var lastUser: String

    /// The stored broadcast is unreadable.
    struct Unreadable: Error {
        var reason: any Error
    }

    /// Reads a running broadcast.
    /// - Throws: `Unreadable` if it cannot be decoded.
    static func find(_ id: BroadcastID, _ connection: any SQLConnection) throws -> BroadcastTurn? {
        var query = Broadcast.query
        query.append(" WHERE id = \(id) AND state = 'running'")
        return try connection.rows(query) { row in
            do {
                return BroadcastTurn(broadcast: try Broadcast(row: row), lastUser: try row.text(10))
            } catch {
                throw Unreadable(reason: error)
            }
        }.first
    }
}

extension Broadcast {
    fileprivate static let query: Query = """
        SELECT id, state, created_by, sender, created_at, finished_at, user_count, done, sent, refusals, last_user, content
        FROM broadcasts
        """

    fileprivate static func find(
        _ id: BroadcastID, _ connection: any SQLConnection, _ lock: SQLWord? = nil
    ) throws -> Broadcast? {
        var query = query
        query.append(" WHERE id = \(id)")
        if let lock { query.append(" \(lock)") }
        return try connection.rows(query) { try Broadcast(row: $0) }.first
    }

    fileprivate init(row: any SQLRow) throws {
        guard let state = BroadcastState(rawValue: try row.text(1)) else {
            throw DatabaseFailure(.corrupt, "a stored state of a broadcast is unknown")
        }
        let content = try WireCodec.decode(BroadcastContent.self, from: try row.content(11))
        self.init(
            broadcastID: try row.id(0), state: state, createdBy: try row.id(2), senderID: try row.id(3),
            segment: content.segment, messages: content.messages, createdAt: try row.time(4),
            finishedAt: try row.optionalTime(5), users: Int(clamping: try row.int(6)),
            done: Int(clamping: try row.int(7)), sent: Int(clamping: try row.int(8)),
            refusals: try WireCodec.decode([BroadcastRefusal].self, from: try row.content(9)))
    }

    /// Counts a user who did not receive every message.
    fileprivate mutating func refuse(_ code: Int) {
        if let index = refusals.firstIndex(where: { $0.code == code }) {
            refusals[index].count += 1
        } else {
            refusals.append(BroadcastRefusal(code: code, count: 1))
            refusals.sort { $0.code < $1.code }
        }
    }
}

extension Reads {
    func getBroadcast(_ get: GetBroadcast) throws -> [UInt8] {
        try actor.checkBroadcasting()
        guard let broadcast = try Broadcast.find(get.broadcastID, connection) else { throw WireError.noBroadcast }
        return try WireCodec.encode(broadcast)
    }

    func listBroadcasts(_ list: ListBroadcasts) throws -> [UInt8] {
        try actor.checkBroadcasting()
        let limit = try limit(list.limit, default: 50, most: 100)
        var query = Broadcast.query
        if let last = try cursor(list.cursor, BroadcastID.init) { query.append(" WHERE id < \(last)") }
        query.append(" ORDER BY id DESC LIMIT \(limit + 1)")
        let found = try connection.rows(query) { (bytes: try $0.content(11).count, broadcast: try Broadcast(row: $0)) }
        let (page, next) = page(found, limit: limit, bytes: \.bytes) { $0.broadcast.broadcastID.rawValue }
        return try WireCodec.encode(ListBroadcasts.Answer(broadcasts: page.map(\.broadcast), next: next))
    }
}
