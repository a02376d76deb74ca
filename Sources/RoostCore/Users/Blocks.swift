import RoostWire

extension Transaction {
    mutating func block(_ block: BlockUser) throws -> Outcome {
        guard try block.userID != me else {
            throw WireError(.dataFormat, field: "userID", "You cannot block yourself.")
        }
        return try setBlock(of: block.userID, to: true)
    }

    mutating func unblock(_ unblock: UnblockUser) throws -> Outcome {
        try setBlock(of: unblock.userID, to: false)
    }

    private static let blocks = Upsert("blocks", ["user_id", "blocked", "at"], keys: ["user_id", "blocked"])

    private mutating func setBlock(of user: UserID, to isBlocked: Bool) throws -> Outcome {
        let me = try me
        let person = try users([user], locked: false)[0]
        try flush()
        let counts =
            try connection.rows(
                """
                SELECT COUNT(*), COALESCE(MAX(CASE WHEN blocked = \(user) THEN 1 ELSE 0 END), 0)
                FROM blocks WHERE user_id = \(me) AND at > 0
                """
            ) { (count: try $0.int(0), isBlocked: try $0.int(1) == 1) }.first ?? (0, false)
        let outcome = try outcome(in: nil)
        guard counts.isBlocked != isBlocked else { return outcome }
        guard !isBlocked || counts.count < Int64(configuration.limits.blockedUsers) else {
            throw WireError(
                .limitReached,
                "You have blocked \(counts.count) users, the maximum. Unblock one of them first.")
        }
        try lockMe()
        batch.put([.text(me.rawValue), .text(user.rawValue), .int(isBlocked ? batch.now : 0)], Self.blocks)
        // The block is also stored in the 1-on-1, so that a send need not look it up.
        if var channel = try channel(ChannelID(single: me, user)), me != user {
            if isBlocked {
                channel.members[me]?.flags.insert(.blocksOther)
            } else {
                channel.members[me]?.flags.remove(.blocksOther)
            }
            batch.channels[channel.id] = channel
            batch.changedMembers.insert(MemberKey(channel: channel.id, user: me))
        }
        let body = BlockChanged(user: person)
        try append(to: me, body: isBlocked ? .userBlocked(body) : .userUnblocked(body))
        return outcome
    }

    /// Checks that none of `others` has blocked a user; the batch must have been flushed.
    /// - Throws: `WireError` 7003.
    func checkBlocks(of user: UserID, by others: [UserID]) throws {
        guard !others.isEmpty else { return }
        let blockers = try connection.rows(
            """
            WITH k (id) AS (\(keys: others.map { [.text($0.rawValue)] }))
            SELECT b.user_id FROM blocks b
            WHERE b.user_id IN (SELECT id FROM k) AND b.blocked = \(user) AND b.at > 0 ORDER BY b.user_id
            """
        ) { try $0.text(0) }
        if let blocker = blockers.first {
            throw WireError(.blocked, "\"\(blocker)\" does not want to hear from you.")
        }
    }
}

extension Reads {
    func listBlocked(_ list: ListBlockedUsers) throws -> [UInt8] {
        let limit = try limit(list.limit, default: 100, most: 100)
        let after = try cursor(list.cursor, UserID.init)?.rawValue ?? ""
        let found = try connection.rows(
            """
            SELECT u.id, u.name, u.image_url, b.at FROM blocks b JOIN users u ON u.id = b.blocked
            WHERE b.user_id = \(me) AND b.at > 0 AND b.blocked > \(after)
            ORDER BY b.blocked LIMIT \(limit + 1)
            """
        ) { row in
            BlockedUser(
                user: User(userID: try row.id(0), name: try row.text(1), imageURL: try row.optionalText(2)),
                at: try row.time(3))
        }
        let (page, next) = page(found, limit: limit) { $0.user.userID.rawValue }
        return try WireCodec.encode(ListBlockedUsers.Answer(users: Array(page), next: next))
    }
}
