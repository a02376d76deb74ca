import RoostWire

/// How users join and leave a group.
extension Transaction {
    /// Returns a group in which the caller's role has a privilege.
    /// - Throws: `WireError` 1105, 1117 or 1107 according to the role matrix; 1104 for another kind of channel.
    mutating func group(_ id: ChannelID, for privilege: Privilege) throws -> ChannelState {
        guard let channel = try channel(id) else { throw WireError(.channelNotFound) }
        guard channel.kind != .open else { throw WireError(.channelTypeMismatch) }
        let standing = try standing(of: try me, in: channel)
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

    /// Records when and how a user joined, overwriting an earlier membership.
    mutating func noteArrival(of key: MemberKey, _ method: JoinMethod?, by inviter: UserID?) {
        batch.put(
            [
                .text(key.channel.rawValue), .text(key.user.rawValue), .int(batch.now), .int(batch.now),
                .int(Int64(method?.number ?? 0)), SQLValue(inviter?.rawValue), .null, .null, .null,
            ], Self.arrival)
    }

    /// Records when and how a user was invited; the end of an earlier membership is kept.
    mutating func noteInvitation(of key: MemberKey, _ method: JoinMethod?, by inviter: UserID) {
        batch.put(
            [
                .text(key.channel.rawValue), .text(key.user.rawValue), .int(batch.now), .int(batch.now),
                .int(Int64(method?.number ?? 0)), .text(inviter.rawValue),
            ], Self.invitation)
    }

    /// Records when and why a membership or invitation ended.
    mutating func noteDeparture(of user: UserID, from channel: ChannelID, _ reason: DepartureReason) {
        batch.put(
            [
                .text(channel.rawValue), .text(user.rawValue), .int(batch.now), .int(batch.now),
                .text(reason.rawValue),
            ], Self.departure)
    }

    /// Returns the row up to which each former member had cleared the channel; the batch must have been flushed.
    func cleared(by users: [UserID: NonMember], in channel: ChannelID) throws -> [UserID: Int64] {
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

    /// The details of a new membership.
    struct Admission {
        var role = Role.participant
        var appearance: MemberAppearance?
        /// The row that announces it.
        var seq: Int64
        /// The row up to which a former member had cleared the channel.
        var clearedSeq: Int64?
        var method: JoinMethod?
        var inviter: UserID?
        /// Whether the user counts as a member since the row that created the channel.
        var isFounder = false
        /// Whether another user makes the user a member.
        var isGiven = false
    }

    /// Adds a member with nothing unread: the read mark is set to the row that announces the membership. For a
    /// founder, all messages are unread.
    mutating func admit(_ user: UserID, to channel: inout ChannelState, _ admission: Admission) {
        let key = MemberKey(channel: channel.id, user: user)
        let start = admission.isFounder ? (seq: 1, count: 0) : (seq: admission.seq, count: channel.count)
        let past = ProfileRules.floor(for: channel.settings, head: admission.isFounder ? start.seq : channel.seq)
        channel.members[user] = MemberState(
            role: admission.role, flags: admission.isGiven ? .given : [], appearance: admission.appearance,
            floorSeq: max(past, admission.clearedSeq ?? 0), pastSeq: past,
            markSeq: start.seq, markCount: start.count, markAt: batch.now, joinedSeq: start.seq)
        batch.departed[key] = nil
        batch.changedMembers.insert(key)
        batch.changedMarks.insert(key)
        noteArrival(of: key, admission.method, by: admission.inviter)
    }

    /// Removes a member from a channel; for a banned user, a row with the role `outcast` remains, until a time or for
    /// good. The batch must have been flushed.
    mutating func remove(
        _ user: UserID, from channel: inout ChannelState, _ reason: DepartureReason, bannedUntil: Int64? = nil
    ) throws {
        try batch.endTyping(of: user, in: channel.id)
        let state = channel.members.removeValue(forKey: user)
        if FileRules.fileID(in: state?.appearance?.imageURL) != nil { try releaseFiles(of: user, in: channel.id) }
        let key = MemberKey(channel: channel.id, user: user)
        batch.changedMembers.remove(key)
        batch.changedMarks.remove(key)
        batch.departed[key] = NonMember(
            role: reason == .banned ? .outcast : .none, leftSeq: channel.seq + 1,
            joinedSeq: state?.joinedSeq ?? NonMember.neverJoined, bannedUntil: bannedUntil)
        batch.changedChannels.insert(channel.id)
        noteDeparture(of: user, from: channel.id, reason)
    }

    mutating func answerInvitation(_ answer: AnswerInvitation) throws -> Outcome {
        let actor = try actor
        let me = actor.user.userID
        var channel = try group(answer.channel, for: .answerInvitation)
        if answer.isAccepted { try checkChannelLimit(for: [me]) }
        try flush()
        let former = try nonMembers([me], of: channel.id)
        let invitation = former[me]
        let details = try connection.rows(
            "SELECT join_method, by_user FROM member_details WHERE channel = \(channel.id) AND user_id = \(me)"
        ) { (JoinMethod(number: Int(clamping: try $0.optionalInt(0) ?? 0)), try $0.optionalID(1) as UserID?) }.first
        try lockMe()
        let user = batch.users[me]?.user ?? actor.user
        let row: (seq: Int64, sentAt: Int64)
        if answer.isAccepted {
            try checkMemberLimit(in: channel, for: 1)
            let cleared = try cleared(by: former, in: channel.id)
            let seq = channel.seq + 1
            admit(
                me, to: &channel,
                Admission(
                    appearance: invitation?.appearance, seq: seq, clearedSeq: cleared[me], method: details?.0,
                    inviter: details?.1))
            try notifyJoined([me], channel, .accepted)
            let body = MemberJoined(
                member: channel.members[me]?.shown(user) ?? user, memberCount: channel.members.count,
                isAnswer: true, joinMethod: details?.0 == .normal ? nil : details?.0, byUserID: details?.1)
            row = try append(to: &channel) { _, _ in .memberJoined(body) }
        } else {
            batch.departed[MemberKey(channel: channel.id, user: me)] = NonMember(
                leftSeq: channel.seq + 1, joinedSeq: invitation?.joinedSeq ?? NonMember.neverJoined)
            noteDeparture(of: me, from: channel.id, .declined)
            row = try appendRoles([MemberRole(userID: me, name: user.name, role: .none)], to: &channel)
            try append(to: me, body: .channelLeft(ChannelLeft(channel: channel.id, reason: .declined)))
        }
        batch.channels[channel.id] = channel
        return try outcome(row, in: channel.id)
    }

    mutating func become(_ join: BecomeMember) throws -> Outcome {
        let actor = try actor
        let me = actor.user.userID
        guard let found = try row(of: join.channel), found.dismissedAt == nil else {
            throw WireError(.channelNotFound)
        }
        guard found.kind != .open else { throw WireError(.channelTypeMismatch) }
        if found.kind.isNews { return try subscribe(to: found) }
        let standing = try standing(of: me, in: found)
        guard found.kind == .group else {
            throw WireError(standing == .stranger ? .channelNotFound : .channelTypeMismatch)
        }
        if let code = RoleRules.refusalOfJoining(for: standing, profile: found.settings) { throw WireError(code) }
        guard var channel = try channelForAnyUser(found.id) else { throw WireError(.channelNotFound) }
        guard channel.members[me] == nil else { return try outcome(in: channel.id) }
        if let inviter = join.byUserID { _ = try users([inviter], locked: false) }
        try checkMemberLimit(in: channel, for: 1)
        try checkChannelLimit(for: [me])
        let former = try nonMembers([me], of: channel.id)
        try lockMe()
        let user = batch.users[me]?.user ?? actor.user
        let cleared = try cleared(by: former, in: channel.id)
        let seq = channel.seq + 1
        admit(
            me, to: &channel,
            Admission(
                appearance: former[me]?.appearance, seq: seq, clearedSeq: cleared[me], method: join.joinMethod,
                inviter: join.byUserID))
        try notifyJoined([me], channel, .joined)
        let body = MemberJoined(
            member: channel.members[me]?.shown(user) ?? user, memberCount: channel.members.count, isAnswer: false,
            joinMethod: join.joinMethod == .normal ? nil : join.joinMethod, byUserID: join.byUserID)
        let row = try append(to: &channel) { _, _ in .memberJoined(body) }
        batch.channels[channel.id] = channel
        return try outcome(row, in: channel.id)
    }

    mutating func kick(_ kick: KickMembers) throws -> Outcome {
        guard !kick.members.isEmpty else { throw WireError(.nobodyToKick) }
        try checkRemoval(kick.members, kick.reason)
        var channel = try group(kick.channel, for: .remove)
        let (members, others) = try removable(kick.members, from: channel)
        for user in kick.members where channel.members[user] == nil {
            guard others[user]?.role == .invited else {
                throw WireError(.notAllMembers, "\"\(user)\" is neither a member nor invited.")
            }
        }
        try checkRemaining(in: channel, without: members.count)
        let invited = kick.members.filter { channel.members[$0] == nil }
        let people = try users(kick.members)
        let shown = people.map { channel.members[$0.userID]?.shown($0) ?? $0 }
        for user in members { try remove(user, from: &channel, .kicked) }
        for user in invited {
            batch.departed[MemberKey(channel: channel.id, user: user)] = NonMember(
                leftSeq: channel.seq + 1, joinedSeq: others[user]?.joinedSeq ?? NonMember.neverJoined)
            noteDeparture(of: user, from: channel.id, .kicked)
        }
        var rows: [(seq: Int64, sentAt: Int64)] = []
        if !members.isEmpty {
            let body = MembersRemoved(
                members: shown.filter { members.contains($0.userID) }, memberCount: channel.members.count,
                reason: kick.reason ?? 0)
            rows.append(try append(to: &channel) { _, _ in .memberKicked(body) })
        }
        if !invited.isEmpty {
            let roles = shown.filter { invited.contains($0.userID) }.map {
                MemberRole(userID: $0.userID, name: $0.name, role: .none)
            }
            rows.append(try appendRoles(roles, to: &channel, holdsKey: rows.isEmpty))
        }
        try notifyLeft(kick.members, ChannelLeft(channel: channel.id, reason: .kicked, code: kick.reason))
        endSubscriptions(of: members, to: channel)
        batch.channels[channel.id] = channel
        return Outcome(
            acknowledgement: Acknowledgement(
                channel: channel.id, seq: rows.last?.seq, seqs: rows.count > 1 ? rows.map(\.seq) : nil,
                transID: try transID, sentAt: .init(milliseconds: rows.last?.sentAt ?? batch.now)),
            needsKeyRow: rows.count > 1)
    }

    mutating func setRole(_ set: SetMemberRole) throws -> Outcome {
        var channel = try group(set.channel, for: .setRole)
        let mine = channel.members[try me]?.role ?? .none
        let current = channel.members[set.userID]?.role ?? .none
        if let code = RoleRules.refusalOfRole(set.role, for: current, by: mine, admins: channel.admins) {
            let message: String? =
                switch code {
                case .userMissing: "\"\(set.userID)\" is not a member of this channel."
                case .noRoleToSet where set.role == current: "\"\(set.userID)\" already has this role."
                // This is the only thing that an admin may not do.
                case .noPrivilege where mine == .admin: "The group needs an admin. Make another member admin first."
                default: nil
                }
            throw WireError(code, message)
        }
        let person = try users([set.userID], locked: false)[0]
        channel.members[set.userID]?.role = set.role
        let key = MemberKey(channel: channel.id, user: set.userID)
        batch.changedMembers.insert(key)
        batch.touch(key)
        let name = channel.members[set.userID]?.shown(person).name ?? person.name
        let row = try appendRoles([MemberRole(userID: set.userID, name: name, role: set.role)], to: &channel)
        batch.channels[channel.id] = channel
        return try outcome(row, in: channel.id)
    }
}

/// Functions shared by these commands.
extension Transaction {
    mutating func appendRoles(
        _ roles: [MemberRole], to channel: inout ChannelState, holdsKey: Bool = true
    ) throws -> (seq: Int64, sentAt: Int64) {
        let body = RolesChanged(members: roles, memberCount: channel.members.count)
        return try append(to: &channel, as: RowTraits(holdsKey: holdsKey)) { _, _ in .memberRoleChanged(body) }
    }

    func checkRemoval(_ users: [UserID], _ reason: Int?) throws {
        try IDRules.check(users, "members", limits: configuration.limits)
        guard reason ?? 0 >= 0 else { throw WireError(.dataFormat, field: "reason", "\"reason\" cannot be negative.") }
    }

    /// Checks that the caller may remove these users, and splits them into members and others.
    mutating func removable(
        _ users: [UserID], from channel: ChannelState
    ) throws -> (members: Set<UserID>, others: [UserID: NonMember]) {
        let me = try me
        let mine = channel.members[me]?.role ?? .none
        for user in users {
            let role = channel.members[user]?.role ?? .none
            guard RoleRules.mayRemove(role, isSelf: user == me, by: mine) else {
                throw WireError(
                    .noPrivilege,
                    user == me
                        ? "You cannot remove yourself. Leave the channel instead."
                        : "You may remove only members whose role is below yours.")
            }
        }
        try flush()
        let others = try nonMembers(users.filter { channel.members[$0] == nil }, of: channel.id)
        return (Set(users.filter { channel.members[$0] != nil }), others)
    }

    /// Checks that enough members remain.
    /// - Throws: `WireError` 1108.
    func checkRemaining(in channel: ChannelState, without count: Int) throws {
        guard let least = channel.settings.minMembers, channel.members.count - count < least, count > 0 else { return }
        throw WireError(.tooFewMembers, "This channel needs at least \(least) members.")
    }

    /// Checks that the channel may have this many more members.
    /// - Throws: `WireError` 1115.
    func checkMemberLimit(in channel: ChannelState, for count: Int) throws {
        let most = min(channel.settings.maxMembers ?? .max, configuration.limits.members)
        guard channel.members.count + count <= most else {
            throw WireError(.tooManyMembers, "This channel has at most \(most) members.")
        }
    }

    /// Checks the number of banned or invited users of a channel; the batch must have been flushed.
    /// - Throws: `WireError` 7018.
    func checkRoleLimit(of role: Role, in channel: ChannelID, with new: Int) throws {
        let most = role == .outcast ? configuration.limits.bans : configuration.limits.invitations
        let count =
            try connection.rows(
                """
                SELECT COUNT(*) FROM members
                WHERE channel = \(channel) AND left_seq IS NOT NULL AND role = \(role.number)
                AND (banned_until IS NULL OR banned_until > \(batch.now))
                """
            ) { try $0.int(0) }.first ?? 0
        guard count + Int64(new) <= Int64(most) else {
            throw WireError(
                .limitReached,
                role == .outcast
                    ? "A channel can have at most \(most) banned users. Unban somebody first."
                    : "A channel can have at most \(most) invited users. Withdraw an invitation first.")
        }
    }

    /// Notifies users in their logs that they are no longer in a channel; the users' rows must be locked.
    mutating func notifyLeft(_ users: some Sequence<UserID>, _ left: ChannelLeft) throws {
        var left = left
        if left.code == 0 { left.code = nil }
        for user in users { try append(to: user, body: .channelLeft(left)) }
    }

    /// Lets users get nothing more of a channel than what is in its log now, as the newest rows of their logs say.
    mutating func endSubscriptions(of users: some Sequence<UserID>, to channel: ChannelState) {
        for user in users {
            let place = SubscriptionPlace(seq: channel.seq, userSeq: batch.users[user]?.seq ?? .max)
            batch.deliveries.append(.unsubscribe(user, channel.id, at: place))
        }
    }
}
