import RoostWire

/// The stored state of a vote; everything else is in its message.
struct StoredVote {
    var seq: Int64
    var event: Event
    var closesAt: Int64?
    var closedAt: Int64?
    var revision: Int64
    var counts: [Int]
    var voters: Int

    /// The columns of the votes `v` with their rows `l`.
    static let columns: Query = "v.seq, v.closes_at, v.closed_at, v.revision, v.counts, v.voters, l.frame, v.channel"
    static let upsert = Upsert(
        "votes", ["channel", "seq", "closes_at", "closed_at", "revision", "counts", "voters"],
        keys: ["channel", "seq"])

    init(_ row: any SQLRow) throws {
        seq = try row.int(0)
        closesAt = try row.optionalInt(1)
        closedAt = try row.optionalInt(2)
        revision = try row.int(3)
        counts = try row.text(4).split(separator: ",").map { Int($0) ?? 0 }
        voters = Int(clamping: try row.int(5))
        event = try row.event(6, of: row.id(7), seq)
    }

    init(seq: Int64, event: Event, closesAt: Int64?, options: Int) {
        self.seq = seq
        self.event = event
        self.closesAt = closesAt
        revision = 0
        counts = Array(repeating: 0, count: options)
        voters = 0
    }

    func values(in channel: ChannelID) -> [SQLValue] {
        [
            .text(channel.rawValue), .int(seq), SQLValue(closesAt), SQLValue(closedAt), .int(revision),
            .text(counts.map(String.init).joined(separator: ",")), .int(Int64(voters)),
        ]
    }

    /// The vote; nil if its message was recalled or is damaged.
    var vote: Vote? {
        event.recall == nil ? event.message?.vote : nil
    }

    var tally: VoteTally { VoteTally(counts: counts, voters: voters) }
}

/// The options of a ballot as stored bits.
private func bits(of options: [Int]) -> Int64 { options.reduce(0) { $0 | 1 << Int64($1) } }

private func options(of bits: Int64) -> [Int] { (0..<62).filter { bits & 1 << Int64($0) != 0 } }

extension Transaction {
    private static let ballots = Upsert(
        "ballots", ["channel", "seq", "user_id", "chosen", "cast_at"], keys: ["channel", "seq", "user_id"])

    mutating func createVote(_ create: CreateVote) throws -> Outcome {
        try VoteRules.check(create, now: .init(milliseconds: batch.now), limits: configuration.limits)
        var create = create
        create.vote = try completingFiles(of: create.vote)
        return Outcome(acknowledgement: try sendVote(create), needsKeyRow: false)
    }

    /// Completes the files of a vote's options, as `completingFiles(of:)` does for a content.
    mutating func completingFiles(of vote: Vote) throws -> Vote {
        let content = MessageContent(.vote(vote, type: VoteRules.type(of: vote.options)))
        return try completingFiles(of: content).payload.vote ?? vote
    }

    /// Sends the message of a validated vote with complete files, and schedules its closing.
    ///
    /// If a command sends several votes, none of them holds the command's key.
    mutating func sendVote(_ create: CreateVote, holdsKey: Bool = true) throws -> Acknowledgement {
        let (channel, vote) = (create.channel, create.vote)
        let content = MessageContent(
            .vote(vote, type: VoteRules.type(of: vote.options)), text: create.subject)
        // It has been checked as a vote.
        let sent = try send(
            SendMessage(content, to: channel),
            as: SendContext(holdsKey: holdsKey, isChecked: true, hasCompleteFiles: true))
        guard let seq = sent.seq else { throw WireError(.internalFault) }
        if let closesAt = vote.$closesAt { batch.schedule(at: closesAt) }
        batch.put(
            [
                .text(channel.rawValue), .int(seq), SQLValue(vote.$closesAt), .null, .int(0),
                .text(vote.options.map { _ in "0" }.joined(separator: ",")), .int(0),
            ], StoredVote.upsert)
        return sent
    }

    mutating func cast(_ cast: CastVote) throws -> Outcome {
        let me = try me
        let found = try findVote(cast.messageID, in: cast.channel)
        var (channel, stored) = (found.channel, found.stored)
        let vote = found.vote
        if channel.isBlocked(me) { throw WireError(.blocked, "This user does not want to hear from you.") }
        let old =
            try connection.rows(
                """
                SELECT chosen FROM ballots WHERE channel = \(channel.id) AND seq = \(stored.seq) AND user_id = \(me)
                """
            ) { options(of: try $0.int(0)) }.first ?? []
        let phase = VoteRules.phase(
            of: vote, closedAt: stored.closedAt.map { .init(milliseconds: $0) }, now: .init(milliseconds: batch.now))
        let chosen = try VoteRules.ballot(cast.options, after: old, in: vote, phase: phase)
        guard chosen != old else { return try outcome(in: channel.id) }

        let tally = stored.tally.changed(from: old, to: chosen)
        stored.counts = tally.counts ?? []
        stored.voters = tally.voters
        stored.revision += 1
        batch.put(stored.values(in: channel.id), StoredVote.upsert)
        batch.put(
            [
                .text(channel.id.rawValue), .int(stored.seq), .text(me.rawValue), .int(bits(of: chosen)),
                .int(batch.now),
            ], Self.ballots)
        let isOpen = !vote.isSecret
        let body = VoteCast(
            messageID: cast.messageID, seq: stored.seq, revision: stored.revision,
            tally: VoteRules.shown(tally, of: vote, phase: phase), voterName: isOpen ? found.shown.name : nil,
            options: isOpen && vote.results == .live ? chosen : nil)
        // The row of a secret ballot contains neither the voter nor the command.
        let row = try append(to: &channel, as: RowTraits(names: isOpen ? .sender : .nobody)) { _, _ in .voteCast(body) }
        batch.channels[channel.id] = channel
        return Outcome(
            acknowledgement: Acknowledgement(
                channel: channel.id, seq: row.seq, transID: try transID, sentAt: .init(milliseconds: row.sentAt)),
            needsKeyRow: !isOpen)
    }

    mutating func closeVote(_ close: CloseVote) throws -> Outcome {
        let found = try findVote(close.messageID, in: close.channel)
        var (channel, stored) = (found.channel, found.stored)
        let isOwn = try stored.event.senderID == me
        guard VoteRules.mayClose(isOwn: isOwn, role: found.role) else {
            throw WireError(.noPrivilege, "Only its author, a moderator or an admin can close a vote.")
        }
        guard stored.closedAt == nil else { return try outcome(in: channel.id) }
        let row = try self.close(&stored, in: &channel, byName: found.shown.name)
        batch.channels[channel.id] = channel
        return try outcome(row, in: channel.id)
    }

    /// The maximum number of votes closed per turn, so that waiting commands are not delayed for long.
    private static let votesPerTurn = 32

    /// Closes votes that are due, a few at a time, longest overdue first.
    /// - Returns: when the next vote is due.
    mutating func closeDueVotes() throws -> Int64? {
        let found = try connection.rows(
            """
            SELECT v.channel, v.seq, v.closes_at FROM votes v
            WHERE v.closed_at IS NULL AND v.closes_at IS NOT NULL
            ORDER BY v.closes_at, v.channel, v.seq LIMIT \(Self.votesPerTurn + 1)
            """
        ) { (channel: try $0.id(0) as ChannelID, seq: try $0.int(1), closesAt: try $0.int(2)) }
        let due = found.prefix(Self.votesPerTurn).prefix { $0.closesAt <= batch.now }
        // The channels are locked first: another process may close the same ones.
        try load(Set(due.map(\.channel)).filter { batch.channels[$0] == nil })
        for (id, seq, _) in due {
            let found = try connection.rows(
                """
                SELECT \(StoredVote.columns) FROM votes v JOIN channel_log l ON l.channel = v.channel AND l.seq = v.seq
                WHERE v.channel = \(id) AND v.seq = \(seq) AND v.closed_at IS NULL
                """, StoredVote.init
            ).first
            guard var stored = found else { continue }
            if var channel = try channel(id), stored.vote != nil, seq > channel.purgedSeq,
                stored.event.messageID != nil
            {
                _ = try close(&stored, in: &channel, byName: nil)
                batch.channels[id] = channel
            } else {
                // The message was recalled or purged, or the channel dismissed: no event is sent.
                stored.closedAt = batch.now
                batch.put(stored.values(in: id), StoredVote.upsert)
            }
        }
        return found.dropFirst(due.count).first?.closesAt
    }

    /// Appends the row that closes a vote.
    private mutating func close(
        _ stored: inout StoredVote, in channel: inout ChannelState, byName name: String?
    ) throws -> (seq: Int64, sentAt: Int64) {
        guard let messageID = stored.event.messageID else { throw WireError(.internalFault) }
        stored.revision += 1
        let body = VoteClosed(
            messageID: messageID, seq: stored.seq, revision: stored.revision, tally: stored.tally, byName: name)
        let row = try append(to: &channel) { _, _ in .voteClosed(body) }
        stored.closedAt = row.sentAt
        batch.put(stored.values(in: channel.id), StoredVote.upsert)
        return row
    }

    /// Returns a vote that the caller may read, its channel, and how the caller is shown there. It flushes the batch.
    /// - Throws: `WireError` 1105, 1107, 1117; 1118 if the message does not exist or was recalled, 7014 if it is not
    ///   a vote.
    private mutating func findVote(
        _ id: MessageID, in channelID: ChannelID
    ) throws -> (channel: ChannelState, stored: StoredVote, vote: Vote, shown: User, role: Role) {
        let actor = try actor
        let me = actor.user.userID
        try flush()
        guard let channel = try channel(channelID) else { throw WireError(.channelNotFound) }
        let member = channel.kind == .open ? nil : try member(me, of: channel)
        let found = try connection.rows(
            """
            SELECT \(StoredVote.columns) FROM votes v JOIN channel_log l ON l.channel = v.channel AND l.seq = v.seq
            WHERE v.channel = \(channelID) AND v.seq = \(id.seq) AND v.seq > \(channel.floor(of: me))
            AND \(Reads.isVisible(to: me, in: channelID))
            """, StoredVote.init
        ).first
        guard let found, found.event.messageID == id, let vote = found.vote else {
            let flags = try message(id, of: channel, for: me).flags
            throw flags.contains(.recalled)
                ? WireError(.messageNotFound, "The message was recalled.") : WireError(.notAVote)
        }
        return (channel, found, vote, member?.shown(actor.user) ?? actor.user, member?.role ?? .none)
    }
}

extension Reads {
    func listVotes(_ list: ListVotes) throws -> [UInt8] {
        let limit = try limit(list.limit, default: 20, most: 50)
        let before = try cursor(list.cursor, Self.seq) ?? .max
        let access = try access(to: list.channel)
        let found = try votes(
            of: list.channel, access,
            "AND v.seq < \(before) ORDER BY v.seq DESC LIMIT \(limit + 1)")
        let (page, next) = page(found, limit: limit, bytes: \.bytes) { String($0.state.event.seq ?? 0) }
        return try WireCodec.encode(ListVotes.Answer(votes: page.map(\.state), next: next))
    }

    func getVotes(_ get: GetVotes) throws -> [UInt8] {
        try IDRules.check(get.messageIDs, "messageIDs", limits: configuration.limits)
        let access = try access(to: get.channel)
        let keys = get.messageIDs.map { [SQLValue.int($0.seq)] }
        let found = try votes(
            of: get.channel, access, "AND v.seq IN (\(keys: keys)) ORDER BY v.seq"
        ).filter { vote in vote.state.event.messageID.map(get.messageIDs.contains) ?? false }
        guard !found.isEmpty else { throw try noVote(get.messageIDs, in: get.channel, access) }
        guard found.reduce(0, { $0 + $1.bytes }) <= 512 * 1_024 else {
            throw WireError(.tooLarge, "These votes are larger than 512 KiB together. Ask for fewer at once.")
        }
        return try WireCodec.encode(GetVotes.Answer(votes: found.map(\.state)))
    }

    /// The error if none of some messages is a vote that the caller may read.
    private func noVote(_ ids: [MessageID], in channel: ChannelID, _ access: Access) throws -> WireError {
        let isThere = try messages(ids, of: channel, access).contains { $0.event.recall == nil }
        return WireError(isThere ? .notAVote : .messageNotFound)
    }

    /// Returns votes that the caller may read, with the caller's ballot.
    private func votes(
        of channel: ChannelID, _ access: Access, _ which: Query
    ) throws -> [(state: VoteState, bytes: Int)] {
        try connection.rows(
            """
            SELECT \(StoredVote.columns), COALESCE(b.chosen, 0) FROM votes v
            JOIN channel_log l ON l.channel = v.channel AND l.seq = v.seq
            LEFT JOIN ballots b ON b.channel = v.channel AND b.seq = v.seq AND b.user_id = \(me)
            WHERE v.channel = \(channel) AND v.seq > \(access.floorSeq) AND \(RowFlags.isIntact("l.flags"))
            AND \(Self.isVisible(to: me, in: channel)) \(which)
            """
        ) { row -> (state: VoteState, bytes: Int)? in
            let stored = try StoredVote(row)
            guard let vote = stored.vote else { return nil }
            let phase = VoteRules.phase(
                of: vote, closedAt: stored.closedAt.map { .init(milliseconds: $0) }, now: .init(milliseconds: now))
            let state = VoteState(
                event: stored.event, phase: phase, revision: stored.revision,
                tally: VoteRules.shown(stored.tally, of: vote, phase: phase), ownOptions: options(of: try row.int(8)),
                closedAt: stored.closedAt.map { .init(milliseconds: $0) })
            return (state, try row.content(6).count)
        }.compactMap { $0 }
    }

    func listBallots(_ list: ListBallots) throws -> [UInt8] {
        let limit = try limit(list.limit, default: 100, most: 100)
        let access = try access(to: list.channel)
        let state = try votes(
            of: list.channel, access, "AND v.seq = \(list.messageID.seq)"
        ).first { $0.state.event.messageID == list.messageID }?.state
        guard let state, let vote = state.event.message?.vote else {
            throw try noVote([list.messageID], in: list.channel, access)
        }
        guard !vote.isSecret else {
            throw WireError(.noPrivilege, "This vote is secret: the voters are not disclosed.")
        }
        let after = try cursor(list.cursor, UserID.init)?.rawValue ?? ""
        let isTold = vote.results == .live || state.phase == .closed
        var query: Query = """
            SELECT b.user_id, COALESCE(m.nickname, u.name), b.chosen, b.cast_at FROM ballots b
            JOIN users u ON u.id = b.user_id
            LEFT JOIN members m ON m.channel = b.channel AND m.user_id = b.user_id
            WHERE b.channel = \(list.channel) AND b.seq = \(list.messageID.seq) AND b.chosen <> 0
            AND b.user_id > \(after)
            """
        if let option = list.option {
            guard vote.options.indices.contains(option) else {
                throw WireError(
                    .dataFormat, field: "option", "\"option\" must be 0 to \(vote.options.count - 1) for this vote.")
            }
            guard isTold else {
                throw WireError(.noPrivilege, "The results of this vote are available only after it is closed.")
            }
            query.append(" AND (b.chosen & \(bits(of: [option]))) <> 0")
        }
        query.append(" ORDER BY b.user_id LIMIT \(limit + 1)")
        let found = try connection.rows(query) { row in
            Ballot(
                userID: try row.id(0), name: try row.text(1), options: isTold ? options(of: try row.int(2)) : nil,
                castAt: try row.time(3))
        }
        let (page, next) = page(found, limit: limit) { $0.userID.rawValue }
        return try WireCodec.encode(ListBallots.Answer(ballots: Array(page), next: next))
    }
}
