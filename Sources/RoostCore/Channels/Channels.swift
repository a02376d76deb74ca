import RoostWire

extension Transaction {
    /// Returns the channel. In dev mode, creates an open channel if it does not exist.
    mutating func existingOrOpened(_ id: ChannelID) throws -> ChannelState {
        if let channel = try channel(id) { return channel }
        guard configuration.isDevelopment, id.pair == nil, try row(of: id) == nil else {
            throw WireError(.channelNotFound)
        }
        let channel = ChannelState(id: id, kind: .open, title: id.rawValue, lastSentAt: batch.now)
        batch.add(channel)
        return channel
    }

    mutating func create(_ create: CreateChannel) throws -> Outcome {
        if let title = create.title { try TextRules.checkName(title, "title") }
        let limits = configuration.limits
        if let profile = create.profile {
            guard create.kind == .group, profile.title == nil else {
                throw WireError(
                    .dataFormat, field: create.kind == .group ? "profile.title" : "profile",
                    "\"profile\" is only allowed for a group, and the title must be given outside of it.")
            }
            do {
                try ProfileRules.check(profile, limits: limits, isChange: false)
            } catch {
                throw error.inside("profile")
            }
        }
        try checkPictures(of: create.profile)
        let members = create.members ?? []
        try checkNew(members, most: limits.members + limits.invitations)
        let id: ChannelID
        switch create.kind {
        case .single, .own: id = try createSingle(create)
        case .group:
            let me = try me
            let others = members.filter { $0.userID != me }
            guard others.allSatisfy({ RoleRules.mayInvite(as: $0.role ?? .participant, by: .admin) }) else {
                throw WireError(.noPrivilege, "Users cannot be added with the role \"none\" or \"outcast\".")
            }
            id = try freshID(create.channel)
            try flush()
            let people = try askingFirst(others)
            try checkChannelLimit(for: [me], given: people.joining, invited: people.invited)
            try checkBlocks(of: me, by: others.map(\.userID))
            try makeGroup(id, create, members: people)
            use(create.profile?.fileIDs ?? [], by: .channel(id))
        case .publicNews, .corporateNews:
            return try createNews(create)
        case .open:
            guard try actor.isOperator || configuration.isDevelopment else {
                throw WireError(
                    .noPrivilege,
                    "Only an operator can create an open channel. Create a token with: roost token --operator.")
            }
            guard members.isEmpty else {
                throw WireError(
                    .dataFormat, field: "members", "An open channel has no members. Leave \"members\" out: users join.")
            }
            id = try freshID(create.channel)
            batch.add(ChannelState(id: id, kind: .open, title: create.title ?? id.rawValue, lastSentAt: batch.now))
        }
        return try outcome(in: id)
    }

    /// Returns the requested id if it is free, or a new one if none is requested.
    mutating func freshID(_ wanted: ChannelID?) throws -> ChannelID {
        guard let wanted else {
            var random: [UInt8] = Array("g-".utf8)
            HexDigits.append(UInt64(bitPattern: batch.now), digits: 12, to: &random)
            HexDigits.append(effects.random(), digits: 12, to: &random)
            guard let id = ChannelID(rawValue: String(decoding: random, as: UTF8.self)) else {
                throw WireError(.internalFault)
            }
            return id
        }
        guard wanted.pair == nil else {
            throw WireError(
                .channelIDFormat, field: "channel",
                "A channel id cannot contain \":\", which is reserved for 1-on-1s. Choose another one.")
        }
        guard try row(of: wanted) == nil else {
            throw WireError(.channelIDExists, "The channel id \"\(wanted)\" is already in use. Choose another one.")
        }
        return wanted
    }

    /// Creates a group with the caller as admin; users with the role `invited` get an invitation.
    mutating func makeGroup(_ id: ChannelID, _ create: CreateChannel, members others: [NewMember]) throws {
        let me = try me
        let asked = others.filter { $0.role == .invited }
        let joining = others.filter { $0.role != .invited }
        var channel = ChannelState(id: id, kind: .group, title: create.title, lastSentAt: batch.now, createdBy: me)
        channel.profile = ProfileBox(ProfileRules.merge(create.profile ?? ChannelProfile(), into: ChannelProfile()))
        if let least = create.profile?.minMembers, joining.count + 1 < least {
            throw WireError(.tooFewMembers, "This channel needs at least \(least) members.")
        }
        try checkMemberLimit(in: channel, for: joining.count + 1)
        let most = configuration.limits.invitations
        guard asked.count <= most else {
            throw WireError(.limitReached, "A channel can have at most \(most) invited users. Name fewer.")
        }
        _ = try users([me] + others.map(\.userID), unknown: .userMissing)
        try checkNoVisitors(others.map(\.userID))
        channel.members[me] = MemberState(role: .admin)
        let flags: MemberFlags = try actor.mayAddAnybody ? [] : .given
        for person in joining {
            channel.members[person.userID] = MemberState(
                role: person.role ?? .participant, flags: flags, appearance: person.appearance)
        }
        for user in channel.members.keys {
            let key = MemberKey(channel: id, user: user)
            batch.changedMembers.insert(key)
            noteArrival(of: key, nil, by: user == me ? nil : me)
        }
        for person in asked {
            let key = MemberKey(channel: id, user: person.userID)
            batch.departed[key] = NonMember(role: .invited, leftSeq: 1, appearance: person.appearance)
            noteInvitation(of: key, nil, by: me)
        }
        batch.add(channel)
        let members = [me] + joining.map(\.userID)
        try notifyJoined(members, channel, .created)
        try notifyInvited(asked.map(\.userID), channel, nil)
    }

    /// Up to eight members, for the title of a channel.
    private mutating func firstMembers(of channel: ChannelState) throws -> [User] {
        let first = channel.members.keys.sorted().prefix(8)
        return try users(Array(first), locked: false).map { channel.members[$0.userID]?.shown($0) ?? $0 }
    }

    /// Notifies users that they have joined a channel, and subscribes their sessions; the users' rows must be locked.
    mutating func notifyJoined(
        _ users: [UserID], _ channel: ChannelState, _ reason: ChannelJoined.Reason
    ) throws {
        guard !users.isEmpty else { return }
        // Subscribers of news are not disclosed.
        let people = channel.kind.isNews ? [] : try firstMembers(of: channel)
        for user in users {
            guard let member = channel.members[user] else { continue }
            try append(
                to: user,
                body: .channelJoined(
                    ChannelJoined(
                        channel: channel.id, kind: channel.kind, title: channel.title, role: member.role,
                        members: people, memberCount: channel.memberCount, fromSeq: channel.seq,
                        count: channel.count,
                        isHidden: max(channel.lastMessageSeq, channel.newestPieceSeq) <= member.hiddenSeq,
                        reason: reason,
                        profile: channel.profile?.profile)))
            batch.deliveries.append(.subscribe(user, channel.id, at: place(of: user, in: channel)))
        }
    }

    /// The place of a change to a user's subscription that the newest row of the user's log is about.
    func place(of user: UserID, in channel: ChannelState) -> SubscriptionPlace {
        SubscriptionPlace(seq: channel.seq, userSeq: batch.users[user]?.seq ?? 0)
    }

    /// Invites users, in their logs; the users' rows must be locked.
    mutating func notifyInvited(_ users: [UserID], _ channel: ChannelState, _ method: JoinMethod?) throws {
        let actor = try actor
        guard !users.isEmpty else { return }
        let body = ChannelInvited(
            channel: channel.id, title: channel.title, members: try firstMembers(of: channel),
            memberCount: channel.members.count,
            byName: channel.members[actor.user.userID]?.shown(actor.user).name ?? actor.user.name,
            joinMethod: method == .normal ? nil : method)
        for user in users { try append(to: user, body: .channelInvited(body)) }
    }

    mutating func join(_ join: JoinChannel) throws -> [UInt8] {
        let actor = try actor
        guard let session = actor.session else {
            throw WireError(.functionUnavailable, "Joining an open channel requires a WebSocket.")
        }
        if let existing = try channel(join.channel), existing.kind != .open {
            _ = try member(actor.user.userID, of: existing)
            throw WireError(.channelTypeMismatch, "You are a member of this channel. Only open channels are joined.")
        }
        guard mayParticipate(session, in: join.channel) else {
            let most = configuration.limits.openChannelsPerConnection
            throw WireError(
                .limitReached, "This connection has already joined \(most) open channels. Leave one of them.")
        }
        let userSeq = try user(actor.user.userID)?.seq ?? 0
        let channel = try existingOrOpened(join.channel)
        participate(session, userSeq: userSeq, in: channel)
        let count = batch.sessions.participants(in: channel.id) + (try participantsElsewhere(in: channel.id))
        return try WireCodec.encode(channel.open(participants: count))
    }

    /// Whether a session has joined an open channel, or may join one more.
    func mayParticipate(_ session: SessionID, in channel: ChannelID) -> Bool {
        guard let open = batch.sessions[session]?.open else { return true }
        return open.contains(channel) || open.count < configuration.limits.openChannelsPerConnection
    }

    /// Lets a session take part in those of some open channels that it may join; the channels must be loaded.
    mutating func participate(_ session: SessionID, of user: UserID, in ids: some Sequence<ChannelID>) throws {
        let userSeq = try self.user(user)?.seq ?? 0
        for id in ids where mayParticipate(session, in: id) {
            guard let channel = batch.channels[id], channel.kind == .open, channel.dismissedAt == nil,
                try !isBanned(user, from: id)
            else { continue }
            participate(session, userSeq: userSeq, in: channel)
        }
    }

    /// - Parameter userSeq: the head of the user's log, read before it was checked that the user may participate.
    private mutating func participate(_ session: SessionID, userSeq: Int64, in channel: ChannelState) {
        batch.sessions.participate(session, in: channel.id)
        let place = SubscriptionPlace(seq: channel.seq, userSeq: userSeq)
        batch.deliveries.append(.participate(session, channel.id, at: place))
    }

    mutating func leave(_ leave: LeaveChannel) throws -> Outcome {
        guard let channel = try channel(leave.channel) else { throw WireError(.channelNotFound) }
        if channel.kind == .open {
            if let session = try actor.session {
                try batch.endTyping(session, in: channel.id)
                batch.sessions.withdraw(session, from: channel.id)
                batch.deliveries.append(.withdraw(session, channel.id))
            }
            return Outcome(
                acknowledgement: Acknowledgement(
                    channel: channel.id, transID: try transID, sentAt: .init(milliseconds: batch.now)),
                needsKeyRow: false)
        }
        if channel.kind.isNews {
            try flush()
            return try unsubscribe(from: channel)
        }
        // Write joins recorded in this batch before recording the departure.
        try flush()
        return try leaveGroup(channel, successor: leave.successor)
    }

    mutating func hide(_ hide: HideChannel) throws -> Outcome {
        let me = try me
        let ids = try hide.channel.map { [$0] } ?? nextChannels()
        var positions: [ChannelPosition] = []
        for id in ids {
            guard var channel = try channel(id) else { throw WireError(.channelNotFound) }
            guard channel.kind != .open else {
                throw WireError(.channelTypeMismatch, "An open channel is not in the channel list. Leave it instead.")
            }
            var member = try member(me, of: channel)
            member.hiddenSeq = channel.seq
            channel.members[me] = member
            batch.channels[id] = channel
            let key = MemberKey(channel: id, user: me)
            batch.changedMembers.insert(key)
            batch.touch(key)
            positions.append(ChannelPosition(channel: id, seq: channel.seq))
        }
        return try notifyHidden(
            .channelHidden(ChannelsHidden(channels: positions, isAll: hide.channel == nil && !needsAnotherTurn)),
            hide.channel)
    }

    mutating func end(_ end: EndChannel) throws -> Outcome {
        let me = try me
        let ids = try end.channel.map { [$0] } ?? nextChannels()
        if end.channel != nil { try flush() }
        try lockMe()
        var positions: [ChannelPosition] = []
        var groups: [ChannelState] = []
        for id in ids {
            guard var channel = try channel(id) else { throw WireError(.channelNotFound) }
            guard channel.kind != .open else {
                throw WireError(.channelTypeMismatch, "An open channel is not in the channel list. Leave it instead.")
            }
            _ = try member(me, of: channel)
            // With all channels, a group that cannot be left is hidden and cleared instead.
            if channel.kind == .group, end.channel != nil || mayLeave(channel, me) && mayRemain(channel) {
                groups.append(channel)
                continue
            }
            channel.members[me]?.hiddenSeq = channel.seq
            clear(&channel, for: me)
            batch.channels[id] = channel
            try markUnread(false, id)
            positions.append(ChannelPosition(channel: id, seq: channel.seq))
        }
        if end.channel != nil, let group = groups.first { return try leaveGroup(group) }
        for group in groups {
            _ = try leaveGroup(group, holdsKey: false)
            positions.append(ChannelPosition(channel: group.id, seq: group.seq))
        }
        return try notifyHidden(
            .channelEnded(ChannelsHidden(channels: positions, isAll: end.channel == nil && !needsAnotherTurn)),
            end.channel)
    }

    private func mayRemain(_ channel: ChannelState) -> Bool {
        channel.members.count == 1 || channel.members.count - 1 >= channel.settings.minMembers ?? 1
    }

    private static let clearing = Upsert(
        "member_details", ["channel", "user_id", "changed_at", "cleared_seq"], keys: ["channel", "user_id"])

    /// Permanently removes everything in a channel so far from a member's view.
    mutating func clear(_ channel: inout ChannelState, for user: UserID) {
        channel.members[user]?.floorSeq = channel.seq
        batch.changedMembers.insert(MemberKey(channel: channel.id, user: user))
        batch.put(
            [.text(channel.id.rawValue), .text(user.rawValue), .int(batch.now), .int(channel.seq)], Self.clearing)
        read(&channel, for: user, to: MarkPosition(seq: channel.seq, count: channel.count))
    }

    private mutating func notifyHidden(_ body: UserRowBody, _ channel: ChannelID?) throws -> Outcome {
        let me = try me
        try lockMe()
        try append(to: me, body: body)
        return try outcome(in: channel)
    }
}

extension ChannelState {
    /// An open channel as shown to clients: without members, unread counts and read marks.
    func open(participants: Int) -> Channel {
        Channel(
            channel: id, kind: kind, title: title, memberCount: participants, members: [], seq: seq, count: count,
            lastActivityAt: .init(milliseconds: lastSentAt), profile: profile?.profile,
            purgedTo: purgedSeq > 0 ? purgedSeq : nil)
    }
}

extension Reads {
    /// One of the caller's channels as stored in the database.
    struct Row {
        var channel: ChannelID
        var kind: ChannelKind
        var title: String?
        var profile: ChannelProfile?
        var seq: Int64
        var count: Int64
        var lastSentAt: Int64
        var lastMessageSeq: Int64
        var newestPieceSeq: Int64
        var memberCount: Int
        var createdAt: Int64
        var createdBy: UserID?
        var role: Role
        var flags: MemberFlags
        var preference: ChannelPreference
        /// The user may read rows after this one: the user's own floor or the purged rows, whichever is later.
        var floorSeq: Int64
        var purgedSeq: Int64
        var hiddenSeq: Int64
        var markSeq: Int64
        var markCount: Int64
        var markAt: Int64
        var own: Int64
        var mentions: Int
        /// The last row from before the user's join that the user may not read.
        var pastSeq: Int64

        var unread: Int { ReadRules.unread(count: count, markCount: markCount, own: own) }
        var isHidden: Bool { max(lastMessageSeq, newestPieceSeq) <= hiddenSeq }
        var isMuted: Bool { flags.contains(.muted) }
        var isMarkedUnread: Bool { flags.contains(.markedUnread) }
    }

    /// All channels of a user, or those named, in a single query.
    func channels(of user: UserID, only named: [ChannelID]? = nil) throws -> [Row] {
        if named?.isEmpty == true { return [] }
        var query: Query = """
            SELECT c.id, c.kind, c.title, c.seq, c.count, c.last_sent_at, c.last_message_seq, c.member_count,
                m.role, m.floor_seq, m.hidden_seq, COALESCE(r.seq, 0), COALESCE(r.count, 0), \(Self.correction),
                c.profile, c.created_at, c.created_by, m.flags, m.nickname, m.image_url, COALESCE(r.read_at, 0),
                \(Self.mentionCount), c.purged_seq, c.newest_piece_seq, m.past_seq
            FROM members m JOIN channels c ON c.id = m.channel
            LEFT JOIN read_marks r ON r.channel = m.channel AND r.user_id = m.user_id
            WHERE m.user_id = \(user) AND m.left_seq IS NULL AND c.dismissed_at IS NULL
            """
        if let named {
            let keys = named.map { [SQLValue.text($0.rawValue)] }
            query.append(" AND m.channel IN (\(keys: keys))")
        }
        return try connection.rows(query) { row in
            let flags = MemberFlags(rawValue: try row.int(17))
            return Row(
                channel: try row.id(0), kind: try row.kind(1), title: try row.optionalText(2),
                profile: try row.profile(14), seq: try row.int(3), count: try row.int(4),
                lastSentAt: try row.int(5), lastMessageSeq: try row.int(6), newestPieceSeq: try row.int(23),
                memberCount: Int(clamping: try row.int(7)), createdAt: try row.int(15),
                createdBy: try row.optionalID(16), role: try row.role(8), flags: flags,
                preference: ChannelPreference(
                    isMuted: flags.contains(.muted), nickname: try row.optionalText(18),
                    imageURL: try row.optionalText(19)),
                floorSeq: max(try row.int(9), try row.int(22)), purgedSeq: try row.int(22), hiddenSeq: try row.int(10),
                markSeq: try row.int(11),
                markCount: try row.int(12), markAt: try row.int(20), own: try row.int(13),
                mentions: Int(clamping: try row.int(21)),
                pastSeq: try row.int(24))
        }
    }

    func listChannels(_ list: ListChannels) throws -> [UInt8] {
        let limit = try limit(list.limit, default: 15, most: 100)
        let all = try channels(of: me)
        let shown = all.filter { !$0.isHidden }.sorted(by: Self.newerFirst)
        let cursor = try cursor(list.cursor, TimeCursor<ChannelID>.init)
        let rest = shown.drop { row in
            cursor.map { ($0.at, row.channel) <= (row.lastSentAt, $0.id) } ?? false
        }
        let (page, next) = page(Array(rest), limit: limit) { TimeCursor(at: $0.lastSentAt, id: $0.channel).text }
        return try WireCodec.encode(
            ListChannels.Answer(
                channels: try page.map { try channel($0, members: 8) }, next: next,
                totalUnread: all.reduce(0) { $0 + ($1.isMuted ? 0 : $1.unread) }))
    }

    private static func newerFirst(_ left: Row, _ right: Row) -> Bool {
        (right.lastSentAt, left.channel) < (left.lastSentAt, right.channel)
    }

    /// The channel as seen by the user, with some of its members and the newest message that the user may see.
    func channel(_ row: Row, members limit: Int, isWhole: Bool = false) throws -> Channel {
        let members = limit == 0 || row.kind.isNews ? [] : try members(of: row.channel, MemberPage(limit: limit))
        var channel = Channel(
            channel: row.channel, kind: row.kind, title: row.title, memberCount: row.memberCount,
            members: members, seq: row.seq,
            count: row.count, unread: row.unread, readSeq: row.markSeq, role: row.role,
            lastMessage: try lastMessage(
                of: row.channel, upTo: row.lastMessageSeq, floor: row.floorSeq, pastSeq: row.pastSeq),
            lastActivityAt: .init(milliseconds: row.lastSentAt), profile: row.profile,
            mentions: row.mentions == 0 ? nil : row.mentions,
            isMarkedUnread: row.isMarkedUnread ? true : nil, purgedTo: row.purgedSeq > 0 ? row.purgedSeq : nil,
            isHidden: row.isHidden ? true : nil)
        let details = try connection.rows(
            """
            SELECT joined_at, by_user, changed_at, ringtone FROM member_details
            WHERE channel = \(row.channel) AND user_id = \(me)
            """
        ) { (try $0.optionalInt(0), try $0.optionalID(1) as UserID?, try $0.int(2), try $0.optionalText(3)) }.first
        var preference = row.preference
        preference.ringtone = details?.3
        if preference != ChannelPreference() { channel.preference = preference }
        if !isWhole {
            for index in channel.members.indices {
                channel.members[index].joinedAt = nil
                channel.members[index].joinMethod = nil
                channel.members[index].byUserID = nil
            }
        } else {
            channel.$createdAt = row.createdAt
            channel.createdBy = row.createdBy
            channel.$joinedAt = details?.0
            channel.invitedBy = details?.1
            channel.$updatedAt = max(row.lastSentAt, row.markAt, details?.2 ?? 0)
        }
        return channel
    }

    func getChannel(_ get: GetChannel) throws -> [UInt8] {
        if let row = try channels(of: me, only: [get.channel]).first {
            let members = get.withMembers == false ? 0 : 100
            return try WireCodec.encode(try channel(row, members: members, isWhole: true))
        }
        _ = try access(to: get.channel)
        let open = try openChannels("c.id = \(get.channel)", limit: 1)
        guard let channel = open.first else { throw WireError(.channelNotFound) }
        return try WireCodec.encode(channel)
    }

    func listOpenChannels(_ list: ListOpenChannels) throws -> [UInt8] {
        let limit = try limit(list.limit, default: 15, most: 100)
        let after = try cursor(list.cursor, ChannelID.init)?.rawValue ?? ""
        let found: [Channel]
        if let keyword = list.keyword, !keyword.isEmpty {
            guard keyword.utf8.count <= 200 else {
                throw WireError(.dataFormat, field: "keyword", "\"keyword\" can have at most 200 bytes.")
            }
            guard !keyword.utf8.contains(0) else { return try WireCodec.encode(ListOpenChannels.Answer(channels: [])) }
            // Escape by scalar, not by character: a wildcard with a combining accent is still a wildcard. Only ASCII
            // letters are lowercased, as by LOWER.
            let escaped = keyword.unicodeScalars.reduce(into: "") { text, letter in
                if letter == "%" || letter == "_" || letter == "!" { text.append("!") }
                text.append(("A"..."Z").contains(letter) ? Character(letter).lowercased() : String(letter))
            }
            let pattern = "%\(escaped)%"
            found = try openChannels(
                """
                c.id > \(after) AND (LOWER(c.id) LIKE \(pattern) ESCAPE '!' OR LOWER(c.title) LIKE \(pattern) ESCAPE '!')
                """, limit: limit + 1)
        } else {
            found = try openChannels("c.id > \(after)", limit: limit + 1)
        }
        let (page, next) = page(found, limit: limit) { $0.channel.rawValue }
        return try WireCodec.encode(ListOpenChannels.Answer(channels: Array(page), next: next))
    }

    private func openChannels(_ condition: Query, limit: Int) throws -> [Channel] {
        var query: Query =
            """
            SELECT c.id, c.title, c.seq, c.count, c.last_sent_at, c.profile, c.purged_seq, \(ConnectionRows.count(if: hasOthers))
            FROM channels c WHERE c.kind = 'open' AND 
            """
        query.append(condition)
        query.append(" ORDER BY c.id LIMIT \(limit)")
        return try connection.rows(query) { row in
            let id: ChannelID = try row.id(0)
            var channel = ChannelState(
                id: id, kind: .open, title: try row.optionalText(1), lastSentAt: try row.int(4))
            channel.seq = try row.int(2)
            channel.count = try row.int(3)
            channel.profile = try row.profile(5).flatMap(ProfileBox.init)
            channel.purgedSeq = try row.int(6)
            let count = hasOthers ? Int(clamping: try row.int(7)) : participants.count(in: id)
            return channel.open(participants: count)
        }
    }
}
