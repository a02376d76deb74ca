package import RoostWire

/// The token that a session or a request has shown.
package struct Access: Hashable, Sendable {
    /// Identifies the token: its `jti`, or a hash of it.
    package var tokenID: String
    /// When it was issued, in ms since 1970.
    package var issuedAt: Int64
    /// When it expires, in ms since 1970.
    package var expiresAt: Int64
    /// The only user whom its user may talk to, if that is a visitor.
    package var host: UserID?

    package init(tokenID: String, issuedAt: Int64, expiresAt: Int64, host: UserID? = nil) {
        self.host = host
        self.tokenID = tokenID
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}

/// What a user may not do, and which tokens of the user are no longer accepted.
struct Restrictions {
    var cannotChat = false
    var cannotCall = false
    var isDeleted = false
    /// Tokens issued up to this time are refused, in ms since 1970.
    var validAfter = Int64.min
    /// The ids of refused tokens.
    var denied: Set<String> = []

    /// Why a login or a request is refused; nil if it is not.
    func refusal(of access: Access?) -> WireError? {
        if isDeleted { return WireError(.userDeleted, "This user was deleted, and the id cannot be used again.") }
        if cannotChat { return WireError(.userBanned, "This user is banned from the server. Ask an operator.") }
        guard let access, access.issuedAt <= validAfter || denied.contains(access.tokenID) else { return nil }
        return WireError(.tokenExpired, "The token has been revoked. Get a new token.")
    }

    /// The rows of these users; a row without a token id is about all tokens of its user.
    static func rows(of users: [[SQLValue]], in connection: any SQLConnection) throws -> [UserID: Restrictions] {
        guard !users.isEmpty else { return [:] }
        let rows = try connection.rows(
            """
            WITH k (id) AS (\(keys: users))
            SELECT r.user_id, r.token_id, r.valid_after, r.flags FROM restrictions r
            WHERE r.user_id IN (SELECT id FROM k)
            """
        ) { (user: try $0.id(0) as UserID, token: try $0.text(1), validAfter: try $0.int(2), flags: try $0.int(3)) }
        var found: [UserID: Restrictions] = [:]
        for row in rows {
            if row.token.isEmpty {
                found[row.user, default: Restrictions()].validAfter = row.validAfter
                found[row.user, default: Restrictions()].cannotChat = row.flags & cannotChatFlag != 0
                found[row.user, default: Restrictions()].cannotCall = row.flags & cannotCallFlag != 0
                found[row.user, default: Restrictions()].isDeleted = row.flags & deletedFlag != 0
            } else {
                found[row.user, default: Restrictions()].denied.insert(row.token)
            }
        }
        return found
    }

    private static let cannotChatFlag: Int64 = 1
    private static let cannotCallFlag: Int64 = 2
    private static let deletedFlag: Int64 = 4

    fileprivate var flags: Int64 {
        (cannotChat ? Self.cannotChatFlag : 0) | (cannotCall ? Self.cannotCallFlag : 0)
            | (isDeleted ? Self.deletedFlag : 0)
    }
}

extension Transaction {
    /// Loads the restrictions of users into the batch, unless there are none for anybody.
    mutating func loadAccess(of users: Set<UserID>) throws {
        guard isShared || batch.features.logins.known.hasRestrictions else { return }
        let new = users.filter { batch.features.logins.restrictions[$0] == nil }
        guard !new.isEmpty else { return }
        let found = try Restrictions.rows(of: new.map { [.text($0.rawValue)] }, in: connection)
        for user in new { batch.features.logins.restrictions[user] = found[user] ?? Restrictions() }
    }

    /// Checks that a user may use the server with this token; the restrictions of the user must be loaded.
    /// - Throws: `WireError` 7026, 7027 or 7002.
    func checkAccess(of actor: Actor) throws(WireError) {
        if let refusal = batch.features.logins.restrictions[actor.user.userID]?.refusal(of: actor.access) {
            throw refusal
        }
    }

    /// Whether a user may use the server at all, for what the server does in the user's name.
    mutating func canChat(_ user: UserID) throws -> Bool {
        try loadAccess(of: [user])
        return batch.features.logins.restrictions[user].map { !$0.cannotChat && !$0.isDeleted } ?? true
    }

    private static let restrictions = Upsert(
        "restrictions", ["user_id", "token_id", "valid_after", "flags", "changed_at", "expires_at"],
        keys: ["user_id", "token_id"])

    private mutating func put(_ restrictions: Restrictions, of user: UserID) {
        batch.features.elsewhere.restricted.insert(user)
        batch.features.logins.restrictions[user] = restrictions
        batch.features.logins.known.hasRestrictions = true
        batch.put(
            [
                .text(user.rawValue), .text(""), .int(restrictions.validAfter), .int(restrictions.flags),
                .int(batch.now), .null,
            ], Self.restrictions)
    }

    private mutating func deny(_ token: String, of user: UserID, until expiresAt: Int64) {
        batch.features.elsewhere.restricted.insert(user)
        batch.features.logins.restrictions[user, default: Restrictions()].denied.insert(token)
        batch.features.logins.known.hasRestrictions = true
        batch.put(
            [.text(user.rawValue), .text(token), .int(0), .int(0), .int(batch.now), .int(expiresAt)],
            Self.restrictions)
    }

    /// Refuses a token of a user whose restrictions are loaded, and ends its sessions in this process.
    mutating func refuse(_ token: String, of user: UserID, until expiresAt: Int64) {
        deny(token, of: user, until: expiresAt)
        endRefusedSessions(of: user)
    }

    /// Uses up a one-time code.
    /// - Returns: the login name of the user, or the user id if there is none; nil if the code was used before, or made
    ///   before all devices were logged out.
    /// - Throws: `WireError` 7026 or 7027 if the user may not log in; the code is not used up then.
    fileprivate mutating func redeem(_ code: Access, of user: UserID) throws -> String? {
        let restrictions = try lockedRestrictions(of: user)
        if let refusal = restrictions.refusal(of: code) {
            guard ErrorCode.tokenExpired ~= refusal else { throw refusal }
            return nil
        }
        // Made by a clock that is ahead, perhaps before all devices were logged out.
        if code.issuedAt > batch.now, restrictions.validAfter > batch.now - Self.overlap * 4 { return nil }
        // There is no lock for a user who has never been here, but the second insert waits for the first one.
        let isNew = try !connection.rows(
            """
            INSERT INTO restrictions (user_id, token_id, valid_after, flags, changed_at, expires_at)
            VALUES (\(user), \(code.tokenID), 0, 0, \(batch.now), \(code.expiresAt))
            ON CONFLICT (user_id, token_id) DO NOTHING RETURNING user_id
            """
        ) { try $0.text(0) }.isEmpty
        guard isNew else { return nil }
        let names = try connection.rows(
            "SELECT login_name FROM accounts WHERE user_id = \(user) AND login_name IS NOT NULL"
        ) { try $0.text(0) }
        return names.first ?? user.rawValue
    }

    mutating func setAccess(_ set: SetUserAccess) throws -> Outcome {
        guard set.canChat != nil || set.canCall != nil else {
            throw WireError(.dataFormat, field: "canChat", "Give \"canChat\" or \"canCall\".")
        }
        try checkManagesAccounts()
        try checkManagesAccount(of: set.userID)
        guard try set.userID != me || set.canChat != false else {
            throw WireError(.dataFormat, field: "userID", "You cannot ban yourself.")
        }
        var restrictions = try lockedRestrictions(of: set.userID)
        if let canChat = set.canChat { restrictions.cannotChat = !canChat }
        if let canCall = set.canCall { restrictions.cannotCall = !canCall }
        put(restrictions, of: set.userID)
        endRefusedSessions(of: set.userID)
        return try outcome(in: nil)
    }

    mutating func lockedRestrictions(of user: UserID) throws -> Restrictions {
        try flush()
        try load(users: [user])
        // Another process may have changed them since the batch began; it has, or waits for, the lock of the user.
        return try Restrictions.rows(of: [[.text(user.rawValue)]], in: connection)[user] ?? Restrictions()
    }

    mutating func endLogins(_ end: EndLogins) throws -> Outcome {
        let user = try end.userID ?? me
        try checkManagesAccount(of: user)
        if let device = end.deviceID {
            batch.features.logins.restrictions[user] = try lockedRestrictions(of: user)
            let tokens = try tokens(of: user, on: device)
            guard try !tokens.isEmpty || isKnown(device, of: user) else {
                throw WireError(
                    .deviceNotFound, field: "deviceID",
                    "No login of this device is known. If a token of it may be in use, log out all devices.")
            }
            for (token, expiresAt) in tokens {
                deny(token, of: user, until: expiresAt)
                try endRefreshLogins(of: user, withToken: token)
            }
            try connection.execute("DELETE FROM logins WHERE user_id = \(user) AND device_id = \(device)")
            try deleteDevice(device, of: user)
            endRefusedSessions(of: user)
            endGuestSessions(of: user, on: device)
        } else {
            try endAllLogins(of: user)
        }
        return try outcome(in: nil)
    }

    /// Refuses all tokens of a user issued up to now, or for a deleted user any token, and forgets the user's devices.
    mutating func endAllLogins(of user: UserID, isDeleted: Bool = false) throws {
        var restrictions = try lockedRestrictions(of: user)
        restrictions.validAfter = lastRefused(by: restrictions)
        if isDeleted { restrictions.isDeleted = true }
        put(restrictions, of: user)
        for (token, expiresAt) in try tokensFromAhead(of: user) { deny(token, of: user, until: expiresAt) }
        try endRefreshLogins(of: user)
        try connection.execute("DELETE FROM logins WHERE user_id = \(user)")
        try deleteDevices(of: user)
        endRefusedSessions(of: user)
        // Those of a deleted user are refused.
        if !isDeleted { endGuestSessions(of: user) }
    }

    /// The latest date of tokens that a logout of all devices refuses, in ms since 1970.
    private func lastRefused(by old: Restrictions) -> Int64 {
        let now = batch.features.logins.known.clock.time(at: batch.now)
        // The server dates a token after a logout up to a second later; such a token may be out, too. Another process
        // may have a clock that is ahead.
        let own = old.validAfter > batch.now - 1_000 ? old.validAfter + 1_000 : batch.now
        return max(old.validAfter, min(max(now, own), batch.now + TokenClock.mostAhead))
    }

    /// The tokens of a user that may have been issued by a clock that is ahead of this one.
    private func tokensFromAhead(of user: UserID) throws -> [(String, Int64)] {
        try connection.rows(
            "SELECT token_id, expires_at FROM logins WHERE user_id = \(user) AND connected_at > \(batch.now - Self.overlap * 4)"
        ) { (try $0.text(0), try $0.int(1)) }
            + batch.sessions.sessions(of: user).compactMap { id in
                guard let access = batch.sessions[id]?.access, access.issuedAt > batch.now else { return nil }
                return (access.tokenID, access.expiresAt)
            }
    }

    /// The tokens with which a device has connected, with the times when they expire.
    private func tokens(of user: UserID, on device: DeviceID) throws -> [(String, Int64)] {
        var tokens = try connection.rows(
            "SELECT token_id, expires_at FROM logins WHERE user_id = \(user) AND device_id = \(device)"
        ) { (try $0.text(0), try $0.int(1)) }
        for id in batch.sessions.sessions(of: user) {
            guard let session = batch.sessions[id], session.deviceID == device, let access = session.access else {
                continue
            }
            tokens.append((access.tokenID, access.expiresAt))
        }
        return tokens
    }

    /// Whether a device without a known token is connected, or has settings and no token was forgotten.
    private func isKnown(_ device: DeviceID, of user: UserID) throws -> Bool {
        if batch.sessions.sessions(of: user).contains(where: { batch.sessions[$0]?.deviceID == device }) { return true }
        if try devicesElsewhere(of: user).contains(device) { return true }
        let kept = try connection.rows("SELECT COUNT(*) FROM logins WHERE user_id = \(user)") { try $0.int(0) }
        guard kept.first ?? 0 < Int64(Self.keptLogins) else { return false }
        return try !connection.rows("SELECT 1 FROM devices WHERE user_id = \(user) AND device_id = \(device)") {
            try $0.int(0)
        }.isEmpty
    }

    /// Ends the sessions of a user in this process whose tokens are refused.
    private mutating func endRefusedSessions(of user: UserID) {
        guard let restrictions = batch.features.logins.restrictions[user] else { return }
        for id in batch.sessions.sessions(of: user) {
            guard let error = restrictions.refusal(of: batch.sessions[id]?.access) else { continue }
            batch.deliveries.append(.end(id, error))
        }
    }

    /// Ends the sessions of a guest on a device, or on all, at all servers.
    private mutating func endGuestSessions(of user: UserID, on device: DeviceID? = nil) {
        let guest = CommitRecord.LoggedOut(user: user, device: device, time: batch.now)
        batch.features.elsewhere.loggedOut.insert(guest)
        batch.endGuestSessions(guest)
    }

    /// How long another process may take to commit, and how far its clock may be behind, in ms.
    private static let overlap: Int64 = 30_000

    /// Ends sessions in this process whose users another process has restricted.
    mutating func endSessionsRestrictedElsewhere() throws -> Int64? {
        guard isShared else { return nil }
        // The database may not have been there for a while.
        let last = min(batch.now, batch.features.logins.known.restrictionsReadAt)
        batch.features.logins.known.restrictionsReadAt = batch.now
        let users: [UserID] = try connection.rows(
            "SELECT DISTINCT user_id FROM restrictions WHERE changed_at > \(last - Self.overlap)"
        ) { try $0.id(0) }
        let connected = users.filter { !batch.sessions.sessions(of: $0).isEmpty }
        try loadAccess(of: Set(connected))
        for user in connected { endRefusedSessions(of: user) }
        return nil
    }
}

extension Batch {
    /// Ends the sessions of a user in this process that have no token, on a device, or on all.
    mutating func endGuestSessions(_ guest: CommitRecord.LoggedOut) {
        for id in sessions.sessions(of: guest.user) {
            guard let session = sessions[id], session.access == nil, session.begunAt <= guest.time,
                guest.device == nil || session.deviceID == guest.device
            else { continue }
            deliveries.append(.end(id, WireError(.tokenExpired, "This device was logged out.")))
        }
    }
}

extension Transaction {
    private static let logins = Upsert(
        "logins", ["user_id", "device_id", "token_id", "connected_at", "expires_at"],
        keys: ["user_id", "device_id", "token_id"])
    /// The number of logins of a user that are remembered.
    private static let keptLogins = 100

    /// Remembers with which token a device is logged in.
    mutating func noteLogin(of user: UserID, on device: DeviceID, _ access: Access) throws {
        noteClock(of: access, of: user)
        let known = try connection.rows(
            """
            SELECT connected_at, device_id, token_id FROM logins WHERE user_id = \(user)
            ORDER BY connected_at DESC LIMIT \(Self.keptLogins)
            """
        ) { (at: try $0.int(0), device: try $0.text(1), token: try $0.text(2)) }
        let isNew = !known.contains { $0.device == device.rawValue && $0.token == access.tokenID }
        if isNew, known.count == Self.keptLogins, let oldest = known.last {
            try connection.execute("DELETE FROM logins WHERE user_id = \(user) AND connected_at <= \(oldest.at)")
        }
        var expiresAt = access.expiresAt
        if let end = try refreshExpiry(of: access.tokenID, user) {
            expiresAt = end
            try connection.execute(
                """
                DELETE FROM logins WHERE user_id = \(user) AND token_id = \(access.tokenID)
                AND device_id = \(Self.device(of: access.tokenID))
                """)
        }
        batch.put(
            [
                .text(user.rawValue), .text(device.rawValue), .text(access.tokenID), .int(batch.now), .int(expiresAt),
            ], Self.logins)
    }

    /// Learns from a token how far the clock is ahead that has dated it, unless the server may have dated it itself.
    private mutating func noteClock(of access: Access, of user: UserID) {
        if let end = batch.features.logins.restrictions[user]?.validAfter, access.issuedAt - 1_000 <= end { return }
        batch.features.logins.known.clock.note(access, at: batch.now)
    }

    /// Gives a session a new token.
    /// - Throws: `WireError` 7026 or 7002 if the token is not accepted.
    mutating func renew(_ session: SessionID, of user: UserID, _ access: Access) throws {
        try loadAccess(of: [user])
        if let refusal = batch.features.logins.restrictions[user]?.refusal(of: access) { throw refusal }
        guard let live = batch.sessions[session] else { return }
        batch.sessions.setAccess(access, of: session)
        try noteLogin(of: user, on: live.deviceID, access)
    }

    /// Deletes the oldest tokens that have expired.
    /// - Returns: how many it has deleted.
    func deleteExpiredTokens(most: Int) throws -> Int {
        var count = 0
        for table in ["logins", "refresh_logins", "restrictions"] as [Query] {
            let keys = try connection.rows(
                """
                SELECT DISTINCT user_id, token_id FROM \(table) WHERE expires_at <= \(batch.now) LIMIT \(most)
                """
            ) { [SQLValue.text(try $0.text(0)), .text(try $0.text(1))] }
            guard !keys.isEmpty else { continue }
            try connection.execute(
                """
                WITH k (user_id, token_id) AS (\(keys: keys))
                DELETE FROM \(table) WHERE (user_id, token_id) IN (SELECT k.user_id, k.token_id FROM k)
                AND expires_at <= \(batch.now)
                """)
            count = max(count, keys.count)
        }
        return count
    }
}

extension Reads {
    /// Checks that the user may use the server with the token of this request. Sessions are ended instead.
    /// - Throws: `WireError` 7026 or 7002.
    func checkAccess() throws {
        guard actor.session == nil else { return }
        let restrictions = try Restrictions.rows(of: [[.text(me.rawValue)]], in: connection)[me]
        if let refusal = restrictions?.refusal(of: actor.access) { throw refusal }
    }

    func listLogins() throws -> [UInt8] {
        let rows = try connection.rows(
            """
            SELECT device_id, MAX(connected_at) AS at, MAX(expires_at) FROM logins
            WHERE user_id = \(me) AND expires_at > \(now) GROUP BY device_id ORDER BY at DESC, device_id
            """
        ) { row in
            Login(
                deviceID: try row.id(0), connectedAt: .init(milliseconds: try row.int(1)),
                expiresAt: .init(milliseconds: try row.int(2)))
        }
        return try WireCodec.encode(ListLogins.Answer(logins: rows))
    }
}

extension Core {
    /// Uses up a one-time code: of several exchanges of a code, one succeeds, on all servers of a database.
    /// - Returns: the login name of the user, or the user id if there is none; nil if the code was used before, or made
    ///   before all devices were logged out.
    /// - Throws: `WireError` 7026 or 7027 if the user may not log in, 1003 if the database fails.
    package func redeem(_ code: Access, of user: UserID) async throws(WireError) -> String? {
        let name = try await write(as: user) { Array((try $0.redeem(code, of: user) ?? "").utf8) }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    /// Gives a session a new token, and remembers it.
    /// - Throws: `WireError` 7026 or 7002 if the token is not accepted.
    package func renew(_ session: SessionID, of user: UserID, _ access: Access) async throws(WireError) {
        _ = try await write(as: user) { transaction in
            try transaction.renew(session, of: user, access)
            return []
        }
    }
}
