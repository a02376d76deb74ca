import RoostWire

extension Writer {
    func invite(
        _ invite: InviteMembers, transID: TransID, hash: Int64, _ actor: Actor, in batch: inout Batch,
        _ connection: any SQLConnection
    ) throws -> Outcome {
        guard (1...100).contains(invite.members.count) else {
            throw WireError(.dataFormat, "\"members\" must name 1 to 100 users.")
        }
        guard var channel = try channel(invite.channel, in: &batch, connection) else {
            throw WireError(.channelNotFound)
        }
        guard channel.kind != .open else {
            throw WireError(.channelTypeMismatch, "Nobody is invited into an open channel; users join it.")
        }
        let member = try member(actor.user.userID, of: channel, &batch, connection)
        guard member.role.number >= Role.participant.number else { throw WireError(.noPrivilege) }
        let new = Set(invite.members).filter { channel.members[$0] == nil }.sorted()
        let people = try users(new, in: &batch, connection)
        guard channel.members.count + new.count <= configuration.limits.members else {
            throw WireError(.tooManyMembers, "A channel has at most \(configuration.limits.members) members.")
        }
        if channel.kind == .group {
            guard !new.isEmpty else {
                return Outcome(
                    acknowledgement: Acknowledgement(channel: channel.id, transID: transID, sentAt: batch.now),
                    needsKeyRow: true)
            }
            try checkRoom(for: new, &batch, connection)
        } else {
            guard !new.isEmpty else {
                throw WireError(.dataFormat, "Everybody named is in this 1-on-1 already. Name somebody else.")
            }
            // A 1-on-1 stays what it is: the three get a group of their own.
            let pair = channel.members.keys.sorted()
            try checkRoom(for: pair + new, &batch, connection)
            let id = try freshID(nil, &batch, connection)
            try makeGroup(
                id, title: nil, members: pair.filter { $0 != actor.user.userID }, transID, actor, &batch, connection)
            guard let group = batch.channels[id] else { throw WireError(.internalFault) }
            channel = group
        }
        let seq = channel.seq + 1
        for user in new {
            let key = MemberKey(channel: channel.id, user: user)
            // Unread starts at nothing: the mark stands at the row that tells of the invitation.
            channel.members[user] = MemberState(
                role: .participant, markSeq: seq, markCount: channel.count, markAt: batch.now, joinedSeq: seq)
            batch.departed[key] = nil
            batch.changedMembers.insert(key)
            batch.changedMarks.insert(key)
        }
        let first = channel.members.keys.sorted().prefix(8)
        let shown = try users(Array(first), in: &batch, connection, locked: false)
        for user in new { try tellJoined(user, channel, shown, transID, actor, &batch, connection) }
        let me = actor.user.userID
        let count = channel.members.count
        let wasRead = (channel.members[me]?.markSeq ?? 0) == channel.seq
        let row = try batch.append(to: &channel, sender: me, author: me, transID: transID, hash: hash) { _, _ in
            .memberInvited(MembersInvited(members: people, memberCount: count))
        }
        if wasRead { _ = batch.moveMark(of: me, in: &channel, to: row.seq, count: channel.count, own: 0) }
        batch.channels[channel.id] = channel
        return Outcome(
            acknowledgement: Acknowledgement(
                channel: channel.id, seq: row.seq, transID: transID, sentAt: row.sentAt),
            needsKeyRow: false)
    }

    /// Takes the caller out of a group; without a transID it is part of a larger command that holds the key.
    func leaveGroup(
        _ group: ChannelState, transID: TransID?, hash: Int64?, _ actor: Actor, in batch: inout Batch,
        _ connection: any SQLConnection
    ) throws -> Outcome {
        let me = actor.user.userID
        var channel = group
        _ = try member(me, of: channel, &batch, connection)
        guard channel.kind == .group else {
            throw WireError(.channelTypeMismatch, "A 1-on-1 cannot be left. End it, or hide it.")
        }
        for session in sessionsOfUser[me] ?? [] { try endTyping(session, in: channel.id, &batch) }
        channel.members[me] = nil
        let key = MemberKey(channel: channel.id, user: me)
        batch.changedMembers.remove(key)
        batch.changedMarks.remove(key)
        batch.departed[key] = channel.seq + 1
        let count = channel.members.count
        let row = try batch.append(to: &channel, sender: me, author: me, transID: transID, hash: hash) { _, _ in
            .memberLeft(MemberLeft(userID: me, name: actor.user.name, memberCount: count))
        }
        batch.channels[channel.id] = channel
        batch.deliveries.append(.unsubscribe(me, channel.id))
        try load(users: [me], into: &batch, connection)
        try batch.append(
            to: me, sender: me, transID: transID, body: .channelLeft(ChannelLeft(channel: channel.id)))
        return Outcome(
            acknowledgement: Acknowledgement(
                channel: channel.id, seq: row.seq, transID: transID ?? TransID(now: 0, random: 0), sentAt: row.sentAt),
            needsKeyRow: false)
    }
}

extension Reads {
    /// What a user may read of a channel.
    struct Access {
        var kind: ChannelKind
        var seq: Int64
        var floorSeq: Int64
    }

    /// Whether and from where on a user may read a channel.
    /// - Throws: `WireError` 1105 for who was never a member, 1117 for a former member.
    func access(to channel: ChannelID, _ user: UserID) throws -> Access {
        let found = try connection.rows(
            """
            SELECT c.kind, c.seq, m.floor_seq, m.left_seq FROM channels c
            LEFT JOIN members m ON m.channel = c.id AND m.user_id = \(user) WHERE c.id = \(channel)
            """
        ) { row in
            (
                kind: try row.kind(0), seq: try row.int(1), floor: try row.optionalInt(2),
                left: try row.optionalInt(3)
            )
        }.first
        guard let found else { throw WireError(.channelNotFound) }
        if found.kind == .open { return Access(kind: .open, seq: found.seq, floorSeq: 0) }
        guard let floor = found.floor else { throw WireError(.channelNotFound) }
        guard found.left == nil else { throw WireError(.notMember) }
        return Access(kind: found.kind, seq: found.seq, floorSeq: floor)
    }

    /// Members in the order of their ids.
    func members(of channel: ChannelID, after: UserID?, limit: Int) throws -> [Member] {
        try connection.rows(
            """
            SELECT m.user_id, u.name, u.image_url, m.role, COALESCE(r.seq, 0), COALESCE(r.read_at, 0)
            FROM members m JOIN users u ON u.id = m.user_id
            LEFT JOIN read_marks r ON r.channel = m.channel AND r.user_id = m.user_id
            WHERE m.channel = \(channel) AND m.left_seq IS NULL AND m.user_id > \(after?.rawValue ?? "")
            ORDER BY m.user_id LIMIT \(limit)
            """
        ) { row in
            Member(
                userID: try row.id(0), name: try row.text(1), imageURL: try row.optionalText(2),
                role: try row.role(3), readSeq: try row.int(4), readAt: try row.int(5))
        }
    }

    func listMembers(_ list: ListMembers, _ actor: Actor) throws -> [UInt8] {
        let limit = try limit(list.limit, default: 100, most: 500)
        let access = try access(to: list.channel, actor.user.userID)
        guard access.kind != .open else {
            throw WireError(.channelTypeMismatch, "An open channel has participants, not members.")
        }
        let found = try members(of: list.channel, after: list.after, limit: limit + 1)
        let count = try connection.rows("SELECT member_count FROM channels WHERE id = \(list.channel)") {
            try $0.int(0)
        }
        return try WireCodec.encode(
            ListMembers.Answer(
                members: Array(found.prefix(limit)), memberCount: Int(clamping: count.first ?? 0),
                hasMore: found.count > limit))
    }
}
