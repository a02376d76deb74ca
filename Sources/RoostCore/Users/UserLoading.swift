import RoostWire

/// Loading users into a batch, set by set.
extension Transaction {
    /// Returns a user including the changes of this batch; nil if the user has never logged in.
    mutating func user(_ id: UserID) throws -> UserState? {
        if batch.users[id] == nil { try load(users: [id], locked: false) }
        return batch.users[id]
    }

    /// Loads users into the batch, optionally locking their rows until the commit; a deleted user does not exist.
    mutating func load(users ids: Set<UserID>, locked: Bool = true) throws {
        var wanted: [[SQLValue]] = []
        for id in ids where locked ? !batch.lockedUsers.contains(id) : batch.users[id] == nil {
            guard !batch.deletedUsers.contains(id) else { continue }
            if !isShared, let cached = batch.users[id] ?? batch.caches.users[id] {
                batch.users[id] = cached
            } else {
                wanted.append([.text(id.rawValue)])
            }
        }
        guard !wanted.isEmpty else { return }
        var query: Query = """
            WITH k (id) AS (\(keys: wanted))
            SELECT u.id, u.name, u.image_url, u.seq, u.last_sent_at, u.own_fields, u.host FROM users u
            WHERE u.id IN (SELECT id FROM k) AND u.deleted_at IS NULL ORDER BY u.id
            """
        if locked { query.append(" \(.forUpdate)") }
        let found = try connection.rows(query) { row in
            UserState(
                user: User(userID: try row.id(0), name: try row.text(1), imageURL: try row.optionalText(2)),
                own: OwnFields(rawValue: try row.int(5)), seq: try row.int(3), lastSentAt: try row.int(4),
                host: try row.optionalText(6).flatMap(UserID.init(rawValue:)))
        }
        for state in found {
            batch.users[state.user.userID] = state
            if locked { batch.lockedUsers.insert(state.user.userID) }
        }
    }

    /// Adds a user who is here for the first time.
    mutating func add(_ user: UserState) throws {
        batch.add(user)
        try subscribeToCorporateNews(user.user.userID, isNew: true)
    }

    /// Locks the row of the caller until the commit.
    /// - Throws: `WireError` 7027 if another process has deleted the user since the caller's access was checked.
    mutating func lockMe() throws {
        let me = try me
        try load(users: [me])
        guard isShared ? batch.lockedUsers.contains(me) : batch.users[me] != nil else { throw WireError(.userDeleted) }
    }

    /// Returns users who must all exist.
    /// - Throws: `WireError` 7011, or the given code, if one does not exist.
    mutating func users(
        _ ids: [UserID], locked: Bool = true, unknown code: ErrorCode = .userNotFound
    ) throws -> [User] {
        try load(users: Set(ids), locked: locked)
        return try ids.map { id in
            guard let state = try user(id) else {
                throw WireError(
                    code,
                    "There is no user \"\(id)\" yet. A user is created at the first login.")
            }
            return state.user
        }
    }
}
