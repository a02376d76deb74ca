import RoostWire

/// What a user has chosen, so that the token of a later login does not replace it.
struct OwnFields: OptionSet {
    let rawValue: Int64

    static let name = OwnFields(rawValue: 1)
    static let image = OwnFields(rawValue: 2)
}

extension UserState {
    /// The user after a login, or a command without a connection, with the name and picture of `login`.
    func user(loggedInAs login: User) -> User {
        var user = login.keeping(user)
        if own.contains(.name) { user.name = self.user.name }
        if own.contains(.image) { user.imageURL = self.user.imageURL }
        return user
    }
}

extension Transaction {
    mutating func setProfile(_ set: SetUserProfile) throws -> Outcome {
        let me = try me
        try set.profile.check()
        try checkPicture(set.profile.imageURL, field: "profile.imageURL")
        try lockMe()
        guard var state = batch.users[me] else { throw WireError(.internalFault) }
        let old = state.user
        let changed = set.profile.difference(from: old)
        if set.profile.name != nil { state.own.insert(.name) }
        if set.profile.imageURL != nil { state.own.insert(.image) }
        state.user.apply(changed)
        batch.users[me] = state
        batch.changedUsers.insert(me)
        if changed != UserProfile() {
            batch.sessions.rename(state.user)
            batch.features.elsewhere.renamed.insert(me)
            try append(to: me, body: .userProfileChanged(UserProfileChanged(userID: me, profile: changed)))
            try flush()
            if changed.imageURL != nil {
                let picture = [FileRules.fileID(in: state.user.imageURL)].compactMap(\.self)
                use(picture, by: .user(me))
                try flush()
                try releaseFiles(of: me, except: picture)
            }
            try noteProfile(of: me, changed.fields)
        }
        return try Outcome(
            answer: SetUserProfile.Answer(
                acknowledgement: Acknowledgement(transID: try transID, sentAt: .init(milliseconds: batch.now)),
                profile: changed))
    }

    private static let notices = Upsert(
        "profile_notices", ["user_id", "fields", "trans_id", "last_told"], keys: ["user_id"])

    /// Records that those who share a channel with a user are to be told of the change; the batch must have been flushed.
    ///
    /// If some have not been told of an earlier change yet, all are told once of both.
    mutating func noteProfile(of user: UserID, _ fields: OwnFields) throws {
        let earlier = try connection.rows(
            "SELECT n.fields FROM profile_notices n WHERE n.user_id = \(user) \(.forUpdate)"
        ) { OwnFields(rawValue: try $0.int(0)) }.first
        let all = fields.union(earlier ?? [])
        batch.put([.text(user.rawValue), .int(all.rawValue), .text(try transID.rawValue), .text("")], Self.notices)
        batch.schedule(at: batch.now)
    }

    /// The maximum number of users who are told per turn.
    private static let receiversPerTurn = 50

    /// Tells the next few users who share a 1-on-1 or a group with a user of that user's new name or picture.
    ///
    /// The rows and the progress are committed together, so each gets it once. Those with the least progress go first.
    /// - Returns: when the next turn is due.
    mutating func deliverProfiles() throws -> Int64? {
        let found = try connection.rows(
            """
            SELECT n.user_id, n.fields, n.trans_id, n.last_told FROM profile_notices n
            ORDER BY n.last_told, n.user_id LIMIT 1 \(.forUpdateSkipLocked)
            """
        ) { row in
            (
                user: try row.id(0) as UserID, fields: OwnFields(rawValue: try row.int(1)),
                transID: TransID(rawValue: try row.text(2)), after: try row.text(3)
            )
        }.first
        guard let notice = found else { return nil }
        let receivers: [UserID] = try connection.rows(
            """
            SELECT DISTINCT p.user_id FROM members m
            JOIN channels c ON c.id = m.channel AND c.kind IN ('single', 'group') AND c.dismissed_at IS NULL
            JOIN members p ON p.channel = m.channel AND p.left_seq IS NULL
            WHERE m.user_id = \(notice.user) AND m.left_seq IS NULL AND p.user_id <> \(notice.user)
                AND p.user_id > \(notice.after)
            ORDER BY p.user_id LIMIT \(Self.receiversPerTurn)
            """
        ) { try $0.id(0) }
        try load(users: Set(receivers).union([notice.user]))
        let user =
            batch.users[notice.user]?.user ?? User(userID: notice.user, name: configuration.deletedUserName)
        let profile = UserProfile(
            name: notice.fields.contains(.name) ? user.name : nil,
            imageURL: notice.fields.contains(.image) ? user.imageURL ?? "" : nil)
        for receiver in receivers {
            try append(
                to: receiver, body: .userProfileChanged(UserProfileChanged(userID: user.userID, profile: profile)),
                by: user.userID, transID: notice.transID)
        }
        if receivers.count == Self.receiversPerTurn, let last = receivers.last {
            try connection.execute("UPDATE profile_notices SET last_told = \(last) WHERE user_id = \(notice.user)")
        } else {
            try connection.execute("DELETE FROM profile_notices WHERE user_id = \(notice.user)")
        }
        return batch.now
    }
}

extension UserProfile {
    fileprivate var fields: OwnFields {
        var fields: OwnFields = []
        if name != nil { fields.insert(.name) }
        if imageURL != nil { fields.insert(.image) }
        return fields
    }
}
