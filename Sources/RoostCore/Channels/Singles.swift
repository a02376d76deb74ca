import RoostWire

/// 1-on-1s and self channels.
extension Transaction {
    mutating func createSingle(_ create: CreateChannel) throws -> ChannelID {
        let me = try me
        let others = create.members ?? (create.kind == .own ? [NewMember(me)] : [])
        guard others.count == 1, let other = others.first?.userID, others.first == NewMember(other),
            create.title == nil, create.kind == .single || other == me
        else {
            throw WireError(
                .dataFormat, field: create.title == nil ? "members" : "title",
                "A 1-on-1 takes exactly one member, given by id only, and no title.")
        }
        let id = ChannelID(single: me, other)
        guard create.channel == nil || create.channel == id else {
            throw WireError(
                .channelIDFormat, field: "channel", "The id of a 1-on-1 is derived from its users; omit \"channel\".")
        }
        if try channel(id) != nil { return id }
        let pair = me == other ? [me] : [me, other].sorted()
        _ = try users(pair, unknown: .userMissing)
        if batch.users[other]?.host != me { try checkNoVisitors([other]) }
        try checkChannelLimit(for: [me], given: [other].filter { $0 != me }, isGroup: false)
        try checkBlocks(of: me, by: [other].filter { $0 != me })
        let blocked = try connection.rows(
            "SELECT 1 FROM blocks WHERE user_id = \(me) AND blocked = \(other) AND at > 0"
        ) { try $0.int(0) }
        try makeSingle(of: pair, isBlocking: !blocked.isEmpty)
        return id
    }

    /// Creates the 1-on-1 of the caller with another user, or the self channel; the users' rows must be locked.
    ///
    /// `isBlocking` states that the caller has blocked the other user.
    mutating func makeSingle(of pair: [UserID], isBlocking: Bool) throws {
        guard let first = pair.first, let last = pair.last else { throw WireError(.internalFault) }
        let me = try me
        let id = ChannelID(single: first, last)
        var channel = ChannelState(id: id, kind: first == last ? .own : .single, lastSentAt: batch.now)
        for user in pair {
            // It is hidden from the other user's list until the first message.
            channel.members[user] = MemberState(
                role: .participant, flags: user == me ? [] : .given, hiddenSeq: user == me ? -1 : 0)
            let key = MemberKey(channel: id, user: user)
            batch.changedMembers.insert(key)
            noteArrival(of: key, nil, by: nil)
        }
        if isBlocking, first != last { channel.members[me]?.flags.insert(.blocksOther) }
        batch.add(channel)
        try notifyJoined(pair, channel, .created)
    }
}
