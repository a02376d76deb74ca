import RoostWire

/// How many channels a user may have, and how many of them others may give.
extension Transaction {
    /// What a user has, as far as it is limited.
    private struct Holdings {
        var memberships: Int64 = 0
        /// The memberships that others gave and where the user has written nothing since.
        var given: Int64 = 0
        /// The invitations that the user has not answered.
        var invitations: Int64 = 0
    }

    /// Checks that no user gets too many channels.
    ///
    /// It flushes the batch, so it must be called before the command decides anything.
    /// - Parameters:
    ///   - joining: users who become members on their own.
    ///   - given: users whom the caller makes members.
    ///   - invited: users whom the caller invites.
    ///   - isGroup: whether the limit for the groups that one user gives another holds.
    /// - Throws: `WireError` 7019.
    mutating func checkChannelLimit(
        for joining: [UserID], given: [UserID] = [], invited: [UserID] = [], isGroup: Bool = true
    ) throws {
        try flush()
        let limits = configuration.limits
        let most = Int64(limits.channelsPerUser)
        let all = try holdings(of: joining + given + invited)
        for user in joining + given where all[user]?.memberships ?? 0 >= most {
            throw WireError(
                .tooManyChannels, "\"\(user)\" is already in \(most) channels, the maximum for one user.")
        }
        guard try !actor.mayAddAnybody else { return }
        try checkGiven(given, all, isGroup: isGroup)
        try checkInvited(invited, all)
        guard isGroup else { return }
        // Who has so few from all others has no more from the caller.
        let candidates = (given + invited).filter { user in
            all[user].map { $0.given + $0.invitations >= Int64(limits.channelsPerInviter) } ?? false
        }
        if let user = try usersWithMuchFromMe(among: candidates).first {
            throw WireError(
                .tooManyChannels,
                "You have brought \"\(user)\" into \(limits.channelsPerInviter) groups where the user has written nothing, "
                    + "the maximum.")
        }
    }

    /// Checks how many channels others have given these users.
    ///
    /// A contact of a user may use all of what others may give. All others may only use a part, so that strangers cannot
    /// keep the user's friends out: half of it for groups, and three quarters for 1-on-1s, as each user has only one.
    private func checkGiven(_ users: [UserID], _ all: [UserID: Holdings], isGroup: Bool) throws {
        let most = Int64(configuration.limits.channelsFromOthers)
        for user in users where all[user]?.given ?? 0 >= most {
            throw WireError(
                .tooManyChannels,
                "Others have added \"\(user)\" to \(most) channels, the maximum. The user can still join some.")
        }
        let part = Self.part(of: most, quarters: isGroup ? 2 : 3)
        let crowded = users.filter { all[$0]?.given ?? 0 >= part }
        guard let user = try usersNotKnowingMe(among: crowded).first else { return }
        throw WireError(
            .tooManyChannels,
            """
            Others have added "\(user)" to \(part) channels, the maximum for those to whom the user has not written. The \
            user can still join some, or write to you first.
            """)
    }

    /// Checks how many invitations these users have to answer; half of them may be of others than contacts.
    private func checkInvited(_ users: [UserID], _ all: [UserID: Holdings]) throws {
        let most = Int64(configuration.limits.channelsPerUser)
        for user in users where all[user]?.invitations ?? 0 >= most {
            throw WireError(
                .tooManyChannels, "\"\(user)\" has \(most) invitations to answer, the maximum for one user.")
        }
        let part = Self.part(of: most, quarters: 2)
        let crowded = users.filter { all[$0]?.invitations ?? 0 >= part }
        guard let user = try usersNotKnowingMe(among: crowded).first else { return }
        throw WireError(
            .tooManyChannels,
            """
            "\(user)" has \(part) invitations to answer, the maximum for those to whom the user has not written. The user can \
            write to you first.
            """)
    }

    /// Some quarters of a number, rounded up.
    private static func part(of most: Int64, quarters: Int64) -> Int64 {
        let (fours, rest) = most.quotientAndRemainder(dividingBy: 4)
        return fours * quarters + (rest * quarters + 3) / 4
    }

    /// Those of these users of whom the caller is no contact: there is no 1-on-1 of both that the user has created or written
    /// in.
    private func usersNotKnowingMe(among users: [UserID]) throws -> [UserID] {
        guard !users.isEmpty else { return [] }
        let me = try me
        let keys = users.map { [SQLValue.text($0.rawValue), .text(ChannelID(single: me, $0).rawValue)] }
        let knowing: [UserID] = try connection.rows(
            """
            WITH k (id, pair) AS (\(keys: keys))
            SELECT m.user_id FROM k JOIN members m ON m.channel = k.pair AND m.user_id = k.id
            WHERE m.left_seq IS NULL AND NOT \(MemberFlags.isGiven("m.flags"))
            """
        ) { try $0.id(0) }
        let contacts = Set(knowing)
        return users.filter { !contacts.contains($0) }
    }

    /// Returns those users who have reached the limit of channels; the batch must have been flushed.
    func usersAtChannelLimit(among users: [UserID]) throws -> [UserID] {
        try holdings(of: users).filter { $0.value.memberships >= Int64(configuration.limits.channelsPerUser) }.map(
            \.key)
    }

    private func holdings(of users: [UserID]) throws -> [UserID: Holdings] {
        guard !users.isEmpty else { return [:] }
        let rows = try connection.rows(
            """
            WITH k (id) AS (\(keys: users.map { [.text($0.rawValue)] })), d (id) AS (SELECT DISTINCT id FROM k)
            SELECT m.user_id, COUNT(CASE WHEN m.left_seq IS NULL THEN 1 END),
                COUNT(CASE WHEN m.left_seq IS NULL AND \(MemberFlags.isGiven("m.flags")) THEN 1 END),
                COUNT(CASE WHEN m.left_seq IS NOT NULL THEN 1 END)
            FROM d JOIN members m ON m.user_id = d.id
            WHERE m.left_seq IS NULL OR m.role = \(Role.invited.number)
            GROUP BY m.user_id
            """
        ) { row in
            (
                user: try row.id(0) as UserID,
                holdings: Holdings(
                    memberships: try row.int(1), given: try row.int(2), invitations: try row.int(3))
            )
        }
        return Dictionary(rows.map { ($0.user, $0.holdings) }, uniquingKeysWith: { first, _ in first })
    }

    /// The users to whom the caller has given as many groups and invitations as one user may give another.
    private func usersWithMuchFromMe(among users: [UserID]) throws -> [UserID] {
        guard !users.isEmpty else { return [] }
        let me = try me
        return try connection.rows(
            """
            WITH k (id) AS (\(keys: users.map { [.text($0.rawValue)] })), d (id) AS (SELECT DISTINCT id FROM k)
            SELECT m.user_id FROM d JOIN members m ON m.user_id = d.id
            JOIN member_details x ON x.channel = m.channel AND x.user_id = m.user_id AND x.by_user = \(me)
            WHERE m.left_seq IS NULL AND \(MemberFlags.isGiven("m.flags"))
                OR m.left_seq IS NOT NULL AND m.role = \(Role.invited.number)
            GROUP BY m.user_id HAVING COUNT(*) >= \(configuration.limits.channelsPerInviter) ORDER BY m.user_id
            """
        ) { try $0.id(0) }
    }
}

extension Limits {
    /// How many channels of a user may come from others: the share of ``channelsPerUser`` that
    /// ``channelsFromOthersPercent`` says, rounded up.
    fileprivate var channelsFromOthers: Int {
        let (hundreds, rest) = channelsPerUser.quotientAndRemainder(dividingBy: 100)
        let percent = min(100, channelsFromOthersPercent)
        return hundreds * percent + (rest * percent + 99) / 100
    }
}
