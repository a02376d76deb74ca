import RoostWire

/// Bans from a group or an open channel.
///
/// A ban is the row of a user who is not a member, with the role `outcast`. One that has ended stays stored, and every
/// reader takes it for the row of a former member.
extension Transaction {
    mutating func ban(_ ban: BanMembers) throws -> Outcome {
        guard !ban.members.isEmpty else { throw WireError(.nobodyToBan) }
        try checkRemoval(ban.members, ban.reason)
        if let end = ban.$bannedUntil, end <= batch.now {
            throw WireError(.dataFormat, field: "bannedUntil", "\"bannedUntil\" must be later than now.")
        }
        if let open = try openChannel(ban.channel) { return try self.ban(ban, in: open) }
        var channel = try group(ban.channel, for: .remove)
        let (members, others) = try removable(ban.members, from: channel)
        let people = try users(ban.members)
        let new = people.filter { others[$0.userID].map { !$0.isBanned(until: ban.$bannedUntil) } ?? true }
        guard !new.isEmpty else { return try outcome(in: channel.id) }
        try checkRemaining(in: channel, without: members.count)
        try checkRoleLimit(
            of: .outcast, in: channel.id, with: new.count { others[$0.userID]?.role != .outcast })
        let told = new.map(\.userID).filter { members.contains($0) || others[$0]?.role == .invited }
        let shown = new.map { channel.members[$0.userID]?.shown($0) ?? $0 }
        for user in new.map(\.userID) {
            if members.contains(user) {
                try remove(user, from: &channel, .banned, bannedUntil: ban.$bannedUntil)
            } else {
                noteBan(of: user, in: channel, until: ban.$bannedUntil, others[user])
            }
        }
        let body = MembersRemoved(
            members: shown, memberCount: channel.members.count, reason: ban.reason ?? 0, bannedUntil: ban.bannedUntil)
        try notifyLeft(told, left(ban))
        endSubscriptions(of: told.filter { members.contains($0) }, to: channel)
        let row = try append(to: &channel) { _, _ in .memberBanned(body) }
        batch.channels[channel.id] = channel
        return try outcome(row, in: channel.id)
    }

    mutating func unban(_ unban: UnbanMembers) throws -> Outcome {
        guard !unban.members.isEmpty else { throw WireError(.nobodyToBan, "Name at least one user to unban.") }
        try checkRemoval(unban.members, nil)
        let open = try openChannel(unban.channel)
        var channel = try open ?? group(unban.channel, for: .remove)
        try flush()
        let others = try nonMembers(unban.members, of: channel.id)
        for user in unban.members where others[user]?.role != .outcast {
            throw WireError(.notBanned, "\"\(user)\" is not banned from this channel.")
        }
        let people = try users(unban.members, locked: false)
        for user in unban.members {
            guard var row = others[user] else { continue }
            row.role = .none
            row.bannedUntil = nil
            let key = MemberKey(channel: channel.id, user: user)
            batch.departed[key] = row
            batch.touch(key)
        }
        guard open == nil else { return try outcome(in: channel.id) }
        let row = try appendRoles(
            people.map { MemberRole(userID: $0.userID, name: $0.name, role: .none) }, to: &channel)
        batch.channels[channel.id] = channel
        return try outcome(row, in: channel.id)
    }

    /// Bans users from an open channel: their sessions leave it, and their logs say why.
    private mutating func ban(_ ban: BanMembers, in channel: ChannelState) throws -> Outcome {
        let me = try me
        guard !ban.members.contains(me) else {
            throw WireError(.noPrivilege, "You cannot ban yourself. Leave the channel instead.")
        }
        try flush()
        let others = try nonMembers(ban.members, of: channel.id)
        let people = try users(ban.members)
        let new = people.map(\.userID).filter { others[$0].map { !$0.isBanned(until: ban.$bannedUntil) } ?? true }
        guard !new.isEmpty else { return try outcome(in: channel.id) }
        try checkRoleLimit(of: .outcast, in: channel.id, with: new.count { others[$0]?.role != .outcast })
        for user in new {
            noteBan(of: user, in: channel, until: ban.$bannedUntil, others[user])
            for session in batch.sessions.sessions(of: user)
            where batch.sessions[session]?.open.contains(channel.id) == true {
                try batch.endTyping(session, in: channel.id)
                batch.sessions.withdraw(session, from: channel.id)
            }
        }
        try notifyLeft(new, left(ban))
        endSubscriptions(of: new, to: channel)
        return try outcome(in: channel.id)
    }

    /// Returns an open channel in which the caller, an operator, may ban; nil for a channel of another kind.
    /// - Throws: `WireError` 1107 for other users.
    private mutating func openChannel(_ id: ChannelID) throws -> ChannelState? {
        guard let found = try row(of: id), found.dismissedAt == nil, found.kind == .open else { return nil }
        guard try actor.isOperator else {
            throw WireError(
                .noPrivilege,
                "Only an operator can ban users from an open channel. Create a token with: roost token --operator.")
        }
        return try channelForAnyUser(id)
    }

    /// Records the ban of a user who is not a member.
    private mutating func noteBan(
        of user: UserID, in channel: ChannelState, until end: Int64?, _ former: NonMember?
    ) {
        batch.departed[MemberKey(channel: channel.id, user: user)] = NonMember(
            role: .outcast, leftSeq: channel.seq + 1, joinedSeq: former?.joinedSeq ?? NonMember.neverJoined,
            bannedUntil: end)
        noteDeparture(of: user, from: channel.id, .banned)
    }

    private func left(_ ban: BanMembers) -> ChannelLeft {
        ChannelLeft(channel: ban.channel, reason: .banned, code: ban.reason, bannedUntil: ban.bannedUntil)
    }

    /// Checks that a user is not banned from an open channel; other kinds of channels have members for that.
    /// - Throws: `WireError` 1107.
    func checkBan(of user: UserID, in channel: ChannelState) throws {
        guard channel.kind == .open, try isBanned(user, from: channel.id) else { return }
        throw WireError.bannedFromOpenChannel
    }

    /// Whether a user is banned from an open channel.
    func isBanned(_ user: UserID, from open: ChannelID) throws -> Bool {
        try nonMembers([user], of: open)[user]?.role == .outcast
    }
}

extension NonMember {
    /// Whether the user is banned until this time, or for good if it is nil.
    fileprivate func isBanned(until end: Int64?) -> Bool { role == .outcast && bannedUntil == end }
}

extension WireError {
    static let bannedFromOpenChannel = WireError(.noPrivilege, "You are banned from this channel.")
}

extension Reads {
    /// The condition for the row `m` of a user who is banned at a time. The row may be absent.
    static func isBanned(at now: Int64) -> Query {
        "COALESCE(m.role, 0) = \(Role.outcast.number) AND (m.banned_until IS NULL OR m.banned_until > \(now))"
    }
}
