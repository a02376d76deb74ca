import RoostWire

extension Transaction {
    mutating func setSettings(_ set: SetUserSettings) throws -> Outcome {
        guard let invitesFrom = set.invitesFrom else {
            throw WireError(.dataFormat, field: "invitesFrom", "Give \"invitesFrom\".")
        }
        let me = try me
        try flush()
        try lockMe()
        var settings = try connection.userSettings(of: me)
        if settings.invitesFrom != invitesFrom {
            settings.invitesFrom = invitesFrom
            try connection.execute("UPDATE users SET invites_from = \(invitesFrom.number) WHERE id = \(me)")
            try append(to: me, body: .userSettingsChanged(settings))
        }
        return try outcome(in: nil)
    }

    /// Those of new members who do not let the caller make them members are invited instead; the batch must have been
    /// flushed.
    func askingFirst(_ members: [NewMember]) throws -> [NewMember] {
        let actor = try actor
        guard !actor.mayAddAnybody else { return members }
        let me = actor.user.userID
        let keys = members.filter { $0.userID != me && $0.role != .invited }.map { member in
            [SQLValue.text(member.userID.rawValue), .text(ChannelID(single: me, member.userID).rawValue)]
        }
        guard !keys.isEmpty else { return members }
        let asked: [UserID] = try connection.rows(
            """
            WITH k (id, pair) AS (\(keys: keys))
            SELECT u.id FROM k JOIN users u ON u.id = k.id
            LEFT JOIN members m ON m.channel = k.pair AND m.user_id = k.id AND m.left_seq IS NULL
                AND NOT \(MemberFlags.isGiven("m.flags"))
            WHERE u.invites_from = \(InvitesFrom.nobody.number)
                OR u.invites_from = \(InvitesFrom.contacts.number) AND m.user_id IS NULL
            """
        ) { try $0.id(0) }
        guard !asked.isEmpty else { return members }
        let names = Set(asked)
        return members.map { member in
            guard names.contains(member.userID) else { return member }
            var member = member
            member.role = .invited
            return member
        }
    }
}

extension Actor {
    /// Whether the settings of users, and the limits for those who add others, do not hold for the sender.
    var mayAddAnybody: Bool { isOperator || scopes != nil }
}

extension InvitesFrom {
    /// The number in the database.
    fileprivate var number: Int64 {
        switch self {
        case .everybody: 0
        case .contacts: 1
        case .nobody: 2
        }
    }
}

extension SQLConnection {
    fileprivate func userSettings(of user: UserID) throws -> UserSettings {
        let number = try rows("SELECT invites_from FROM users WHERE id = \(user)") { try $0.int(0) }.first ?? 0
        guard let invitesFrom = InvitesFrom.allCases.first(where: { $0.number == number }) else {
            throw DatabaseFailure(.corrupt, "a stored setting of a user is unknown")
        }
        return UserSettings(invitesFrom: invitesFrom)
    }
}

extension Reads {
    func getUserSettings() throws -> [UInt8] { try WireCodec.encode(try connection.userSettings(of: me)) }
}
