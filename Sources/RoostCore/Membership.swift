import RoostWire

/// How people come into a group and leave it again.
extension Writer {
    /// A group in which the caller's role has a right.
    /// - Throws: `WireError` 1105, 1117 or 1107 as the role matrix has it; 1104 for a channel of another kind.
    func group(
        _ id: ChannelID, for privilege: Privilege, _ actor: Actor, in batch: inout Batch,
        _ connection: any SQLConnection
    ) throws -> ChannelState {
        guard let channel = try channel(id, in: &batch, connection) else { throw WireError(.channelNotFound) }
        guard channel.kind != .open else { throw WireError(.channelTypeMismatch) }
        let standing = try standing(of: actor.user.userID, in: channel, &batch, connection)
        guard channel.kind == .group else {
            throw WireError(standing == .stranger ? .channelNotFound : .channelTypeMismatch)
        }
        if let code = RoleRules.refusal(of: privilege, for: standing, profile: channel.settings) {
            throw WireError(code)
        }
        return channel
    }

    private static let arrival = Upsert(
        "member_details",
        [
            "channel", "user_id", "changed_at", "joined_at", "join_method", "by_user", "left_at", "left_reason",
            "ringtone",
        ],
        keys: ["channel", "user_id"])
    private static let invitation = Upsert(
        "member_details", ["channel", "user_id", "changed_at", "joined_at", "join_method", "by_user"],
        keys: ["channel", "user_id"])
    private static let departure = Upsert(
        "member_details", ["channel", "user_id", "changed_at", "left_at", "left_reason"],
        keys: ["channel", "user_id"])

    /// Notes when and how somebody came in; nothing is left of an earlier membership.
    func noteArrival(
        of user: UserID, in channel: ChannelID, _ method: JoinMethod?, by inviter: UserID?, _ batch: inout Batch
    ) {
        batch.put(
            [
                .text(channel.rawValue), .text(user.rawValue), .int(batch.now), .int(batch.now),
                .int(Int64(method?.number ?? 0)), SQLValue(inviter?.rawValue), .null, .null, .null,
            ], Self.arrival)
    }

    /// Notes when and how somebody was asked; when and why an earlier membership ended stays known.
    func noteInvitation(
        of user: UserID, to channel: ChannelID, _ method: JoinMethod?, by inviter: UserID, _ batch: inout Batch
    ) {
        batch.put(
            [
                .text(channel.rawValue), .text(user.rawValue), .int(batch.now), .int(batch.now),
                .int(Int64(method?.number ?? 0)), .text(inviter.rawValue),
            ], Self.invitation)
    }

    /// Notes when and why somebody is no longer in, or not asked any more.
    func noteDeparture(
        of user: UserID, from channel: ChannelID, _ reason: DepartureReason, _ batch: inout Batch
    ) {
        batch.put(
            [
                .text(channel.rawValue), .text(user.rawValue), .int(batch.now), .int(batch.now),
                .text(reason.rawValue),
            ], Self.departure)
    }

    /// Up to where former members had deleted everything in a channel; the batch must have been flushed.
    func cleared(
        by users: [UserID: NonMember], in channel: ChannelID, _ connection: any SQLConnection
    ) throws -> [UserID: Int64] {
        let keys = users.filter(\.value.wasMember).map { [SQLValue.text($0.key.rawValue)] }
        guard !keys.isEmpty else { return [:] }
        let rows = try connection.rows(
            """
            WITH k (id) AS (\(keys: keys)) SELECT d.user_id, d.cleared_seq FROM member_details d
            WHERE d.channel = \(channel) AND d.user_id IN (SELECT id FROM k) AND d.cleared_seq IS NOT NULL
            """
        ) { (try $0.id(0) as UserID, try $0.int(1)) }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }

    /// Makes somebody a member whose unread starts at nothing: the mark stands at `seq`, the row that tells of it.
    func admit(
        _ user: UserID, to channel: inout ChannelState, role: Role, look: MemberLook?, seq: Int64,
        cleared: [UserID: Int64], _ method: JoinMethod?, by inviter: UserID?, _ batch: inout Batch
    ) {
        let key = MemberKey(channel: channel.id, user: user)
        channel.members[user] = MemberState(
            role: role, look: look,
            floorSeq: max(ProfileRules.floor(for: channel.settings, head: channel.seq), cleared[user] ?? 0),
            markSeq: seq, markCount: channel.count, markAt: batch.now, joinedSeq: seq)
        batch.departed[key] = nil
        batch.changedMembers.insert(key)
        batch.changedMarks.insert(key)
        noteArrival(of: user, in: channel.id, method, by: inviter, &batch)
    }

    /// Takes a member out of a channel; what it leaves behind is a row with this role.
    func remove(
        _ user: UserID, from channel: inout ChannelState, as role: Role = .none, _ reason: DepartureReason,
        _ batch: inout Batch
    ) throws {
        for session in batch.sessions.sessions(of: user) { try endTyping(session, in: channel.id, &batch) }
        let state = channel.members.removeValue(forKey: user)
        let key = MemberKey(channel: channel.id, user: user)
        batch.changedMembers.remove(key)
        batch.changedMarks.remove(key)
        batch.departed[key] = NonMember(
            role: role, leftSeq: channel.seq + 1, joinedSeq: state?.joinedSeq ?? NonMember.neverJoined)
        batch.changedChannels.insert(channel.id)
        noteDeparture(of: user, from: channel.id, reason, &batch)
    }

    func answerInvitation(
        _ answer: AnswerInvitation, transID: TransID, hash: Int64, _ actor: Actor, in batch: inout Batch,
        _ connection: any SQLConnection
    ) throws -> Outcome {
        let me = actor.user.userID
        var channel = try group(answer.channel, for: .answerInvitation, actor, in: &batch, connection)
        try batch.flush(to: connection)
        let former = try nonMembers([me], of: channel.id, &batch, connection)
        let invitation = former[me]
        let details = try connection.rows(
            "SELECT join_method, by_user FROM member_details WHERE channel = \(channel.id) AND user_id = \(me)"
        ) { (JoinMethod(number: Int(clamping: try $0.optionalInt(0) ?? 0)), try $0.optionalID(1) as UserID?) }.first
        try load(users: [me], into: &batch, connection)
        let user = batch.users[me]?.user ?? actor.user
        let row: (seq: Int64, sentAt: Int64)
        if answer.isAccepted {
            try checkSpace(in: channel, for: 1)
            let cleared = try cleared(by: former, in: channel.id, connection)
            let seq = channel.seq + 1
            admit(
                me, to: &channel, role: .participant, look: invitation?.look, seq: seq, cleared: cleared, details?.0,
                by: details?.1, &batch)
            try tellJoined([me], channel, .accepted, transID, by: me, &batch, connection)
            let body = MemberJoined(
                member: channel.members[me]?.shown(user) ?? user, memberCount: channel.members.count,
                isAnswer: true, joinMethod: details?.0 == .normal ? nil : details?.0, byUserID: details?.1)
            row = try batch.append(to: &channel, sender: me, author: me, transID: transID, hash: hash) { _, _ in
                .memberJoined(body)
            }
        } else {
            batch.departed[MemberKey(channel: channel.id, user: me)] = NonMember(
                leftSeq: channel.seq + 1, joinedSeq: invitation?.joinedSeq ?? NonMember.neverJoined)
            noteDeparture(of: me, from: channel.id, .declined, &batch)
            row = try appendRoles(
                [MemberRole(userID: me, name: user.name, role: .none)], to: &channel, transID: transID, hash: hash,
                actor, &batch)
            try batch.append(
                to: me, sender: me, transID: transID,
                body: .channelLeft(ChannelLeft(channel: channel.id, reason: .declined)))
        }
        batch.channels[channel.id] = channel
        return Outcome(row, in: channel.id, transID)
    }

    func become(
        _ join: BecomeMember, transID: TransID, hash: Int64, _ actor: Actor, in batch: inout Batch,
        _ connection: any SQLConnection
    ) throws -> Outcome {
        let me = actor.user.userID
        guard var channel = try channel(join.channel, in: &batch, connection) else {
            throw WireError(.channelNotFound)
        }
        guard channel.kind != .open else { throw WireError(.channelTypeMismatch) }
        if channel.kind.isNews {
            return try subscribe(to: channel, transID: transID, actor, in: &batch, connection)
        }
        let standing = try standing(of: me, in: channel, &batch, connection)
        guard channel.kind == .group else {
            throw WireError(standing == .stranger ? .channelNotFound : .channelTypeMismatch)
        }
        if let code = RoleRules.refusalOfJoining(for: standing, profile: channel.settings) { throw WireError(code) }
        guard channel.members[me] == nil else {
            return Outcome(in: channel.id, transID, at: batch.now)
        }
        if let inviter = join.byUserID { _ = try users([inviter], in: &batch, connection, locked: false) }
        try checkSpace(in: channel, for: 1)
        try checkRoom(for: [me], &batch, connection)
        let former = try nonMembers([me], of: channel.id, &batch, connection)
        try load(users: [me], into: &batch, connection)
        let user = batch.users[me]?.user ?? actor.user
        let cleared = try cleared(by: former, in: channel.id, connection)
        let seq = channel.seq + 1
        admit(
            me, to: &channel, role: .participant, look: former[me]?.look, seq: seq, cleared: cleared, join.joinMethod,
            by: join.byUserID, &batch)
        try tellJoined([me], channel, .joined, transID, by: me, &batch, connection)
        let body = MemberJoined(
            member: channel.members[me]?.shown(user) ?? user, memberCount: channel.members.count, isAnswer: false,
            joinMethod: join.joinMethod == .normal ? nil : join.joinMethod, byUserID: join.byUserID)
        let row = try batch.append(to: &channel, sender: me, author: me, transID: transID, hash: hash) { _, _ in
            .memberJoined(body)
        }
        batch.channels[channel.id] = channel
        return Outcome(row, in: channel.id, transID)
    }

    func kick(
        _ kick: KickMembers, transID: TransID, hash: Int64, _ actor: Actor, in batch: inout Batch,
        _ connection: any SQLConnection
    ) throws -> Outcome {
        guard !kick.members.isEmpty else { throw WireError(.nobodyToKick) }
        try checkRemoval(kick.members, kick.reason)
        var channel = try group(kick.channel, for: .remove, actor, in: &batch, connection)
        let (members, others) = try removable(kick.members, from: channel, actor, &batch, connection)
        for user in kick.members where channel.members[user] == nil {
            guard others[user]?.role == .invited else {
                throw WireError(.notAllMembers, "\"\(user)\" is neither a member nor invited.")
            }
        }
        try checkRemaining(in: channel, without: members.count)
        let invited = kick.members.filter { channel.members[$0] == nil }
        let people = try users(kick.members, in: &batch, connection)
        let shown = people.map { channel.members[$0.userID]?.shown($0) ?? $0 }
        for user in members { try remove(user, from: &channel, .kicked, &batch) }
        for user in invited {
            batch.departed[MemberKey(channel: channel.id, user: user)] = NonMember(
                leftSeq: channel.seq + 1, joinedSeq: others[user]?.joinedSeq ?? NonMember.neverJoined)
            noteDeparture(of: user, from: channel.id, .kicked, &batch)
        }
        var rows: [(seq: Int64, sentAt: Int64)] = []
        if !members.isEmpty {
            let body = MembersRemoved(
                members: shown.filter { members.contains($0.userID) }, memberCount: channel.members.count,
                reason: kick.reason ?? 0)
            let me = actor.user.userID
            rows.append(
                try batch.append(to: &channel, sender: me, author: me, transID: transID, hash: hash) { _, _ in
                    .memberKicked(body)
                })
        }
        if !invited.isEmpty {
            let roles = shown.filter { invited.contains($0.userID) }.map {
                MemberRole(userID: $0.userID, name: $0.name, role: .none)
            }
            rows.append(
                try appendRoles(
                    roles, to: &channel, transID: transID, hash: rows.isEmpty ? hash : nil, actor, &batch))
        }
        for user in members { batch.deliveries.append(.unsubscribe(user, channel.id)) }
        try tellLeft(kick.members, channel.id, .kicked, kick.reason, transID, actor, &batch)
        batch.channels[channel.id] = channel
        return Outcome(
            acknowledgement: Acknowledgement(
                channel: channel.id, seq: rows.last?.seq, seqs: rows.count > 1 ? rows.map(\.seq) : nil,
                transID: transID, sentAt: rows.last?.sentAt ?? batch.now),
            needsKeyRow: rows.count > 1)
    }

    func ban(
        _ ban: BanMembers, transID: TransID, hash: Int64, _ actor: Actor, in batch: inout Batch,
        _ connection: any SQLConnection
    ) throws -> Outcome {
        guard !ban.members.isEmpty else { throw WireError(.nobodyToBan) }
        try checkRemoval(ban.members, ban.reason)
        var channel = try group(ban.channel, for: .remove, actor, in: &batch, connection)
        let (members, others) = try removable(ban.members, from: channel, actor, &batch, connection)
        let people = try users(ban.members, in: &batch, connection)
        let new = people.filter { others[$0.userID]?.role != .outcast }
        guard !new.isEmpty else {
            return Outcome(in: channel.id, transID, at: batch.now)
        }
        try checkRemaining(in: channel, without: members.count)
        try checkNumber(of: .outcast, in: channel.id, with: new.count, most: configuration.limits.bans, connection)
        let told = new.map(\.userID).filter { members.contains($0) || others[$0]?.role == .invited }
        let shown = new.map { channel.members[$0.userID]?.shown($0) ?? $0 }
        for user in new.map(\.userID) {
            let joinedSeq = others[user]?.joinedSeq
            if members.contains(user) {
                try remove(user, from: &channel, as: .outcast, .banned, &batch)
                batch.deliveries.append(.unsubscribe(user, channel.id))
            } else {
                batch.departed[MemberKey(channel: channel.id, user: user)] = NonMember(
                    role: .outcast, leftSeq: channel.seq + 1, joinedSeq: joinedSeq ?? NonMember.neverJoined)
                noteDeparture(of: user, from: channel.id, .banned, &batch)
            }
        }
        let body = MembersRemoved(
            members: shown, memberCount: channel.members.count, reason: ban.reason ?? 0)
        let me = actor.user.userID
        let row = try batch.append(to: &channel, sender: me, author: me, transID: transID, hash: hash) { _, _ in
            .memberBanned(body)
        }
        try tellLeft(told, channel.id, .banned, ban.reason, transID, actor, &batch)
        batch.channels[channel.id] = channel
        return Outcome(row, in: channel.id, transID)
    }

    func unban(
        _ unban: UnbanMembers, transID: TransID, hash: Int64, _ actor: Actor, in batch: inout Batch,
        _ connection: any SQLConnection
    ) throws -> Outcome {
        guard !unban.members.isEmpty else { throw WireError(.nobodyToBan) }
        try checkRemoval(unban.members, nil)
        var channel = try group(unban.channel, for: .remove, actor, in: &batch, connection)
        try batch.flush(to: connection)
        let others = try nonMembers(unban.members, of: channel.id, &batch, connection)
        for user in unban.members where others[user]?.role != .outcast {
            throw WireError(.notAllMembers, "\"\(user)\" is not banned.")
        }
        let people = try users(unban.members, in: &batch, connection, locked: false)
        for user in unban.members {
            guard var row = others[user] else { continue }
            row.role = .none
            let key = MemberKey(channel: channel.id, user: user)
            batch.departed[key] = row
            batch.touch(key)
        }
        let row = try appendRoles(
            people.map { MemberRole(userID: $0.userID, name: $0.name, role: .none) }, to: &channel,
            transID: transID, hash: hash, actor, &batch)
        batch.channels[channel.id] = channel
        return Outcome(row, in: channel.id, transID)
    }

    func setRole(
        _ set: SetMemberRole, transID: TransID, hash: Int64, _ actor: Actor, in batch: inout Batch,
        _ connection: any SQLConnection
    ) throws -> Outcome {
        var channel = try group(set.channel, for: .setRole, actor, in: &batch, connection)
        let mine = channel.members[actor.user.userID]?.role ?? .none
        let current = channel.members[set.userID]?.role ?? .none
        if let code = RoleRules.refusalOfRole(set.role, for: current, by: mine, admins: channel.admins) {
            throw WireError(code)
        }
        let person = try users([set.userID], in: &batch, connection, locked: false)[0]
        channel.members[set.userID]?.role = set.role
        let key = MemberKey(channel: channel.id, user: set.userID)
        batch.changedMembers.insert(key)
        batch.touch(key)
        let name = channel.members[set.userID]?.shown(person).name ?? person.name
        let row = try appendRoles(
            [MemberRole(userID: set.userID, name: name, role: set.role)], to: &channel, transID: transID, hash: hash,
            actor, &batch)
        batch.channels[channel.id] = channel
        return Outcome(row, in: channel.id, transID)
    }
}

/// What these commands share.
extension Writer {
    private func appendRoles(
        _ roles: [MemberRole], to channel: inout ChannelState, transID: TransID, hash: Int64?, _ actor: Actor,
        _ batch: inout Batch
    ) throws -> (seq: Int64, sentAt: Int64) {
        let body = RolesChanged(members: roles, memberCount: channel.members.count)
        let me = actor.user.userID
        return try batch.append(to: &channel, sender: me, author: me, transID: transID, hash: hash) { _, _ in
            .memberRoleChanged(body)
        }
    }

    private func checkRemoval(_ users: [UserID], _ reason: Int?) throws {
        try IDRules.check(users, "members", limits: configuration.limits)
        guard reason ?? 0 >= 0 else { throw WireError(.dataFormat, "\"reason\" cannot be negative.") }
    }

    /// Which of some users are members, all of whom the caller may remove, and what the others are.
    private func removable(
        _ users: [UserID], from channel: ChannelState, _ actor: Actor, _ batch: inout Batch,
        _ connection: any SQLConnection
    ) throws -> (members: Set<UserID>, others: [UserID: NonMember]) {
        let me = actor.user.userID
        let mine = channel.members[me]?.role ?? .none
        for user in users {
            let role = channel.members[user]?.role ?? .none
            guard RoleRules.mayRemove(role, isSelf: user == me, by: mine) else { throw WireError(.noPrivilege) }
        }
        try batch.flush(to: connection)
        let others = try nonMembers(
            users.filter { channel.members[$0] == nil }, of: channel.id, &batch, connection)
        return (Set(users.filter { channel.members[$0] != nil }), others)
    }

    /// Checks that enough members are left.
    /// - Throws: `WireError` 1108.
    func checkRemaining(in channel: ChannelState, without count: Int) throws {
        guard let least = channel.settings.minMembers, channel.members.count - count < least, count > 0 else { return }
        throw WireError(.tooFewMembers, "This channel needs at least \(least) members.")
    }

    /// Checks that there is room for more members.
    /// - Throws: `WireError` 1115.
    func checkSpace(in channel: ChannelState, for count: Int) throws {
        let most = min(channel.settings.maxMembers ?? .max, configuration.limits.members)
        guard channel.members.count + count <= most else {
            throw WireError(.tooManyMembers, "This channel has at most \(most) members.")
        }
    }

    /// Checks how many banned or invited users a channel has; the batch must have been flushed.
    /// - Throws: `WireError` 1115.
    func checkNumber(
        of role: Role, in channel: ChannelID, with new: Int, most: Int, _ connection: any SQLConnection
    ) throws {
        let count =
            try connection.rows(
                """
                SELECT COUNT(*) FROM members
                WHERE channel = \(channel) AND left_seq IS NOT NULL AND role = \(role.number)
                """
            ) { try $0.int(0) }.first ?? 0
        guard count + Int64(new) <= Int64(most) else {
            throw WireError(.tooManyMembers, "A channel has at most \(most) users with the role \"\(role)\".")
        }
    }

    /// Tells users that they have lost a channel, in their own logs; their rows must be locked.
    func tellLeft(
        _ users: some Sequence<UserID>, _ channel: ChannelID, _ reason: DepartureReason, _ code: Int?,
        _ transID: TransID, _ actor: Actor, _ batch: inout Batch
    ) throws {
        let body = ChannelLeft(channel: channel, reason: reason, code: code == 0 ? nil : code)
        for user in users {
            try batch.append(to: user, sender: actor.user.userID, transID: transID, body: .channelLeft(body))
        }
    }
}
