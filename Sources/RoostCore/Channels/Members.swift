import RoostWire

extension Transaction {
    mutating func invite(_ invite: InviteMembers) throws -> Outcome {
        try checkNew(invite.members, most: configuration.limits.idsPerCommand)
        guard !invite.members.isEmpty else {
            throw WireError(.dataFormat, field: "members", "\"members\" must name at least one user.")
        }
        guard let channel = try channel(invite.channel) else { throw WireError(.channelNotFound) }
        guard channel.kind != .open else {
            throw WireError(
                .channelTypeMismatch, "Users cannot be invited to an open channel. They join it with channel.join.")
        }
        let me = try me
        let member = try member(me, of: channel)
        guard !channel.kind.isNews else {
            throw WireError(.channelTypeMismatch, "Users cannot be invited to news. They subscribe with member.join.")
        }
        for new in invite.members where channel.members[new.userID] == nil {
            guard RoleRules.mayInvite(as: new.role ?? .participant, by: channel.kind == .group ? member.role : .admin)
            else { throw WireError(.noPrivilege, "Your role does not allow you to invite a user with that role.") }
        }
        try flush()
        let others = try nonMembers(invite.members.map(\.userID).filter { channel.members[$0] == nil }, of: channel.id)
        var new: [NewMember] = []
        for person in try askingFirst(invite.members) where channel.members[person.userID] == nil {
            let role = others[person.userID]?.role ?? .none
            if role == .outcast {
                throw WireError(.noPrivilege, "\"\(person.userID)\" is banned from this channel. Unban the user first.")
            }
            if role != .invited || person.role != .invited { new.append(person) }
        }
        try checkBlocks(of: me, by: new.map(\.userID))
        if channel.kind == .group {
            guard !new.isEmpty else { return try outcome(in: channel.id) }
            return try addMembers(
                InviteMembers(channel: channel.id, members: new, joinMethod: invite.joinMethod), into: channel,
                knowing: others)
        }
        guard !new.isEmpty else {
            throw WireError(
                .dataFormat, field: "members", "All named users are already in this 1-on-1. Name another user.")
        }
        // A 1-on-1 does not change: the three users get a new group.
        let pair = channel.members.keys.sorted()
        let partnerIDs = pair.filter { $0 != me }
        try checkBlocks(of: me, by: partnerIDs)
        let partners = try askingFirst(partnerIDs.map { NewMember($0) })
        let people = partners + new
        try checkChannelLimit(for: [me], given: people.joining, invited: people.invited)
        let id = try freshID(nil)
        // Adding the members flushes the batch, so everything that may be refused is checked before.
        try checkMemberLimit(
            in: ChannelState(id: id, kind: .group, lastSentAt: batch.now), for: 1 + people.joining.count)
        try checkRoleLimit(of: .invited, in: id, with: people.invited.count)
        _ = try users(new.map(\.userID), unknown: .userMissing)
        try checkNoVisitors(new.map(\.userID))
        try makeGroup(id, CreateChannel(kind: .group), members: partners)
        guard let group = batch.channels[id] else { throw WireError(.internalFault) }
        return try addMembers(
            InviteMembers(channel: id, members: new, joinMethod: invite.joinMethod), into: group, knowing: [:])
    }

    /// Checks the new members, as far as this needs no database access.
    func checkNew(_ members: [NewMember], most: Int) throws {
        try IDRules.check(members.map(\.userID), "members", mayBeEmpty: true, most: most)
        for (index, member) in members.enumerated() {
            do throws(WireError) {
                if let nickname = member.nickname { try TextRules.checkName(nickname, "nickname") }
                guard let image = member.imageURL else { continue }
                try TextRules.checkReference(image, "imageURL", most: 2_000)
                guard !image.hasPrefix("file:") else {
                    throw WireError(
                        .dataFormat, field: "imageURL",
                        "Only the member can set an uploaded picture, with channel.setPreference. Leave it out.")
                }
            } catch {
                throw error.inside("members[\(index)]")
            }
        }
    }

    /// Adds users to a group, or invites them, and appends the row about it.
    private mutating func addMembers(
        _ invite: InviteMembers, into group: ChannelState, knowing others: [UserID: NonMember]
    ) throws -> Outcome {
        let (new, method) = (invite.members, invite.joinMethod)
        let me = try me
        var channel = group
        let joining = new.filter { $0.role != .invited }
        let asked = new.filter { $0.role == .invited }
        try checkMemberLimit(in: channel, for: joining.count)
        try checkChannelLimit(for: [], given: new.joining, invited: new.invited)
        if !asked.isEmpty {
            try checkRoleLimit(of: .invited, in: channel.id, with: asked.count)
        }
        let people = try users(new.map(\.userID), unknown: .userMissing)
        try checkNoVisitors(new.map(\.userID))
        let byID = Dictionary(people.map { ($0.userID, $0) }, uniquingKeysWith: { first, _ in first })
        let cleared = try cleared(by: others, in: channel.id)
        let seq = channel.seq + 1
        let isGiven = try !actor.mayAddAnybody
        for person in joining {
            admit(
                person.userID, to: &channel,
                Admission(
                    role: person.role ?? .participant, appearance: person.appearance, seq: seq,
                    clearedSeq: cleared[person.userID], method: method, inviter: me, isGiven: isGiven))
        }
        for person in asked {
            let key = MemberKey(channel: channel.id, user: person.userID)
            batch.departed[key] = NonMember(
                role: .invited, leftSeq: seq,
                joinedSeq: others[person.userID]?.joinedSeq ?? NonMember.neverJoined, appearance: person.appearance)
            noteInvitation(of: key, method, by: me)
        }
        batch.changedChannels.insert(channel.id)
        try notifyJoined(joining.map(\.userID), channel, .invited)
        try notifyInvited(asked.map(\.userID), channel, method)
        let roles = joining.filter { $0.role ?? .participant != .participant }.map {
            MemberRole(
                userID: $0.userID, name: $0.nickname ?? byID[$0.userID]?.name ?? "", role: $0.role ?? .participant)
        }
        let body = MembersInvited(
            members: joining.compactMap { person in
                byID[person.userID].map { channel.members[person.userID]?.shown($0) ?? $0 }
            },
            memberCount: channel.members.count, roles: roles.isEmpty ? nil : roles,
            invited: asked.isEmpty ? nil : asked.compactMap { byID[$0.userID] },
            joinMethod: method == .normal ? nil : method)
        let wasRead = (channel.members[me]?.markSeq ?? 0) == channel.seq
        let row = try append(to: &channel) { _, _ in .memberInvited(body) }
        if wasRead { moveMark(of: me, in: &channel, toOwn: row.seq) }
        batch.channels[channel.id] = channel
        return try outcome(row, in: channel.id)
    }

    /// Removes the caller from a group; as part of a larger command, the row does not hold the key.
    ///
    /// The group ends when its only member leaves: nobody could become admin of a group without members. The batch
    /// must have been flushed.
    mutating func leaveGroup(
        _ group: ChannelState, successor: UserID? = nil, holdsKey: Bool = true
    ) throws -> Outcome {
        let me = try me
        let channel = group
        let member = try member(me, of: channel)
        guard channel.kind == .group else {
            throw WireError(.channelTypeMismatch, "A 1-on-1 cannot be left. End it, or hide it.")
        }
        if let successor {
            guard member.role == .admin else {
                throw WireError(.noPrivilege, "Only an admin can name a \"successor\".")
            }
            guard successor != me, channel.members[successor] != nil else {
                throw WireError(.userMissing, "\"\(successor)\" is not a member and cannot be the successor.")
            }
        }
        guard mayLeave(channel, me, successor: successor) else {
            throw WireError(
                .noPrivilege, "You are the last admin. Make another member admin first, or name a \"successor\".")
        }
        if channel.members.count == 1 { return try dismissGroup(channel) }
        try checkRemaining(in: channel, without: 1)
        return try depart(from: channel, successor: successor, holdsKey: holdsKey)
    }

    /// Removes the caller from a group in which others remain; the batch must have been flushed.
    mutating func depart(from group: ChannelState, successor: UserID?, holdsKey: Bool) throws -> Outcome {
        let actor = try actor
        let me = actor.user.userID
        var channel = group
        let member = try member(me, of: channel)
        // A deleted user leaves, too.
        try load(users: [me])
        let user = batch.users[me]?.user ?? actor.user
        try remove(me, from: &channel, .left)
        if let successor {
            channel.members[successor]?.role = .admin
            let key = MemberKey(channel: channel.id, user: successor)
            batch.changedMembers.insert(key)
            batch.touch(key)
        }
        let body = MemberLeft(
            userID: me, name: member.shown(user).name, memberCount: channel.members.count, successor: successor)
        let row = try append(to: &channel, as: RowTraits(holdsKey: holdsKey)) { _, _ in .memberLeft(body) }
        batch.channels[channel.id] = channel
        try append(to: me, body: .channelLeft(ChannelLeft(channel: channel.id, reason: .left)))
        endSubscriptions(of: [me], to: channel)
        return try outcome(row, in: channel.id)
    }

    /// Whether a member may leave a group: the last admin may not, while other members remain.
    func mayLeave(_ channel: ChannelState, _ user: UserID, successor: UserID? = nil) -> Bool {
        RoleRules.mayLeave(
            channel.members[user]?.role ?? .none, admins: channel.admins, members: channel.members.count,
            hasSuccessor: successor != nil)
    }
}

extension NewMember {
    var appearance: MemberAppearance? { MemberAppearance(nickname: nickname, imageURL: imageURL) }
}

extension [NewMember] {
    /// Those who become members at once.
    var joining: [UserID] { filter { $0.role != .invited }.map(\.userID) }
    /// Those who are asked.
    var invited: [UserID] { filter { $0.role == .invited }.map(\.userID) }
}

extension Reads {
    /// The caller's read access to a channel.
    struct Access {
        var kind: ChannelKind
        var role: Role
        var seq: Int64
        var floorSeq: Int64
        /// The last row from before the caller's join that the caller may not read.
        var pastSeq: Int64 = 0
    }

    /// Returns the caller's read access to a channel.
    /// - Throws: `WireError` 1105 if the caller was never a member, 1117 for a former member, 1107 if banned or
    ///   invited.
    func access(to channel: ChannelID) throws -> Access {
        let found = try connection.rows(
            """
            SELECT c.kind, c.seq, m.floor_seq, m.left_seq, m.role, m.joined_seq, c.purged_seq,
                m.past_seq, CASE WHEN \(Self.isBanned(at: now)) THEN 1 ELSE 0 END FROM channels c
            LEFT JOIN members m ON m.channel = c.id AND m.user_id = \(me)
            WHERE c.id = \(channel) AND c.dismissed_at IS NULL
            """
        ) { row in
            (
                kind: try row.kind(0), seq: try row.int(1), floor: max(try row.optionalInt(2) ?? 0, try row.int(6)),
                left: try row.optionalInt(3), role: row.isNull(4) ? Role.none : try row.role(4),
                joined: try row.optionalInt(5) ?? NonMember.neverJoined, past: try row.optionalInt(7) ?? 0,
                isBanned: try row.int(8) == 1
            )
        }.first
        guard var found else { throw WireError(.channelNotFound) }
        if found.role == .outcast, !found.isBanned { found.role = .none }
        if found.kind == .open {
            guard !found.isBanned else { throw WireError.bannedFromOpenChannel }
            return Access(kind: .open, role: .none, seq: found.seq, floorSeq: found.floor)
        }
        let standing = Standing(role: found.role, wasMember: found.joined >= 0)
        if let code = RoleRules.refusal(of: .takePart, for: standing) { throw WireError(code) }
        return Access(
            kind: found.kind, role: found.role, seq: found.seq, floorSeq: found.floor,
            pastSeq: found.past)
    }

    /// A page of a channel's members.
    struct MemberPage {
        var after: UserID?
        var limit: Int
        /// The roles to include; nil for all members.
        var roles: Set<Role>?
        /// Whether to show only the caller's own read mark. A block found in the page has the same effect.
        var hidesMarks = false
    }

    /// Returns members in the order of their ids, with the details of how they joined.
    func members(of channel: ChannelID, _ page: MemberPage) throws -> [Member] {
        var query: Query = """
            SELECT m.user_id, COALESCE(m.nickname, u.name), COALESCE(m.image_url, u.image_url), m.role,
                COALESCE(r.seq, 0), COALESCE(r.read_at, 0), m.nickname, m.image_url,
                d.joined_at, d.join_method, d.by_user, d.left_at, m.flags, m.banned_until
            FROM members m JOIN users u ON u.id = m.user_id
            LEFT JOIN read_marks r ON r.channel = m.channel AND r.user_id = m.user_id
            LEFT JOIN member_details d ON d.channel = m.channel AND d.user_id = m.user_id
            WHERE m.channel = \(channel) AND m.user_id > \(page.after?.rawValue ?? "")
            """
        if let roles = page.roles {
            let keys = roles.map { [SQLValue.int(Int64($0.number))] }
            query.append(
                """
                 AND m.role IN (\(keys: keys))
                AND (m.left_seq IS NULL OR m.role = \(Role.invited.number) OR \(Self.isBanned(at: now)))
                """)
        } else {
            query.append(" AND m.left_seq IS NULL")
        }
        query.append(" ORDER BY m.user_id LIMIT \(page.limit)")
        var hidesMarks = page.hidesMarks
        var members = try connection.rows(query) { row in
            let role = try row.role(3)
            let method = JoinMethod(number: Int(clamping: try row.optionalInt(9) ?? 0))
            if MemberFlags(rawValue: try row.int(12)).contains(.blocksOther) { hidesMarks = true }
            return Member(
                userID: try row.id(0), name: try row.text(1), imageURL: try row.optionalText(2), role: role,
                readSeq: try row.int(4), readAt: try row.time(5), hasNickname: row.isNull(6) ? nil : true,
                hasChannelImage: row.isNull(7) ? nil : true,
                joinedAt: try row.optionalTime(role == .outcast ? 11 : 8),
                joinMethod: method == .normal ? nil : method, byUserID: try row.optionalID(10),
                bannedUntil: try row.optionalTime(13))
        }
        for index in members.indices where hidesMarks && members[index].userID != me {
            (members[index].readSeq, members[index].$readAt) = (0, 0)
        }
        return members
    }

    func listMembers(_ list: ListMembers) throws -> [UInt8] {
        let limit = try limit(list.limit, default: 100, most: 500)
        let access = try access(to: list.channel)
        guard access.kind != .open || actor.isOperator && list.roles?.contains(.outcast) == true else {
            throw WireError(.channelTypeMismatch, "An open channel has participants, not members.")
        }
        guard !access.kind.isNews else {
            throw WireError(.channelTypeMismatch, "The subscribers of news are not listed.")
        }
        let visible = RoleRules.visibleRoles(by: access.kind == .open ? .moderator : access.role)
        let roles = list.roles.map { Set($0).intersection(visible) }
        let after = try cursor(list.cursor, UserID.init)
        let isHidden = try hidesOther(in: list.channel, access)
        let found =
            roles?.isEmpty == true
            ? []
            : try members(
                of: list.channel,
                MemberPage(after: after, limit: limit + 1, roles: roles, hidesMarks: isHidden))
        let count = try connection.rows("SELECT member_count FROM channels WHERE id = \(list.channel)") {
            try $0.int(0)
        }
        let (page, next) = page(found, limit: limit) { $0.userID.rawValue }
        return try WireCodec.encode(
            ListMembers.Answer(members: Array(page), memberCount: Int(clamping: count.first ?? 0), next: next))
    }
}
