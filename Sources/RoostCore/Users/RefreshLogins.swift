package import RoostWire

/// A login that a browser keeps: its newest refresh token, of which only the number is stored, can get tokens for minutes.
package struct RefreshLogin: Codable, Hashable, Sendable {
    /// Whose login it is.
    package var userID: UserID
    /// Identifies the login: the `jti` of all tokens that it gets, at which they can be refused together.
    package var tokenID: String
    /// The name and picture that its tokens have, if any.
    package var name: String?
    package var imageURL: String?
    /// Whether its tokens are those of an operator.
    package var isOperator: Bool
    /// The key of the server that has signed the code or the token with which the user has logged in; nil for a password.
    package var keyID: String?
    /// The number of the newest refresh token.
    package var number: Int64 = 1
    /// When the login ends if it is not used until then, in ms since 1970.
    package var expiresAt: Int64 = 0
    /// When it ends in any case, in ms since 1970.
    package var endsAt: Int64?

    package init(
        userID: UserID, tokenID: String, name: String? = nil, imageURL: String? = nil, isOperator: Bool = false,
        keyID: String? = nil,
        endsAt: Int64? = nil
    ) {
        self.userID = userID
        self.tokenID = tokenID
        self.name = name
        self.imageURL = imageURL
        self.isOperator = isOperator
        self.keyID = keyID
        self.endsAt = endsAt
    }
}

extension RefreshLogin {
    /// The login of a token, and when its newest refresh token has replaced the one before.
    fileprivate static func row(
        of tokenID: String, _ user: UserID, in connection: any SQLConnection
    ) throws -> (RefreshLogin, replacedAt: Int64)? {
        try connection.rows(
            """
            SELECT name, image_url, is_operator, key_id, number, replaced_at, expires_at, ends_at FROM refresh_logins
            WHERE user_id = \(user) AND token_id = \(tokenID)
            """
        ) { row in
            var login = RefreshLogin(
                userID: user, tokenID: tokenID, name: try row.optionalText(0), imageURL: try row.optionalText(1),
                isOperator: try row.int(2) == 1, keyID: try row.optionalText(3), endsAt: try row.optionalInt(7))
            login.number = try row.int(4)
            login.expiresAt = try row.int(6)
            return (login, replacedAt: try row.int(5))
        }.first
    }
}

/// What became of a refresh token.
package enum Refreshed: Codable, Hashable, Sendable {
    /// `at` is when a token for it is issued, in ms since 1970: what ends logins later refuses it.
    case accepted(RefreshLogin, at: Int64)
    /// The login has ended, or never was.
    case unknown
    /// An older token than the one before the newest: somebody has copied it. The login has ended.
    case copied
}

extension Core {
    /// Stores a new login; the one that was used longest ago is forgotten if the user has too many.
    /// - Parameter issuedAt: when the user has logged in, in ms since 1970: what ended logins after it ends this one, too.
    /// - Parameter shown: the id of the token with which the user has logged in, if it was one.
    /// - Throws: `WireError` 7026, 7027 or 7002 if the user may not log in, 1107 if the token belongs to such a login
    ///   itself, 1003 if the database fails.
    package func start(
        _ login: RefreshLogin, issuedAt: Int64, shown: String?, lifetime: Int64
    ) async throws(WireError) -> RefreshLogin {
        try decoded(
            try await write(as: login.userID) {
                try WireCodec.encode(try $0.start(login, issuedAt: issuedAt, shown: shown, lifetime: lifetime))
            })
    }

    /// Takes a refresh token whose signature is right, and replaces it by the next one if it is the newest and old enough.
    /// While there is no room on the disk it stays the newest, so that those who are known can log in.
    /// - Throws: `WireError` 7026 or 7027 if the user may not use the server, 1003 if the database fails.
    package func refresh(
        _ tokenID: String, number: Int64, of user: UserID, lifetime: Int64
    ) async throws(WireError) -> Refreshed {
        do throws(WireError) {
            return try decoded(
                try await write(as: user) {
                    try WireCodec.encode(try $0.refresh(tokenID, number: number, of: user, lifetime: lifetime))
                })
        } catch {
            guard ErrorCode.storageFull ~= error,
                let refreshed = try await read(tokenID, number: number, of: user, now: effects.now())
            else { throw error }
            return refreshed
        }
    }

    /// What a refresh token is good for, without changing anything; nil if something would have to be changed.
    private func read(
        _ tokenID: String, number: Int64, of user: UserID, now: Int64
    ) async throws(WireError) -> Refreshed? {
        do {
            return try await readAll { connection in
                guard let (login, _) = try RefreshLogin.row(of: tokenID, user, in: connection), login.expiresAt > now
                else {
                    return .unknown
                }
                let restrictions = try Restrictions.rows(of: [[.text(user.rawValue)]], in: connection)[user]
                let access = Access(tokenID: tokenID, issuedAt: now, expiresAt: .max)
                if let refusal = restrictions?.refusal(of: access) { throw refusal }
                return login.number - 1...login.number ~= number ? .accepted(login, at: now) : nil
            }
        } catch {
            throw error as? WireError ?? WireError(.databaseAccess)
        }
    }

    /// Ends a login, and refuses its tokens. Repeating it is harmless.
    /// - Parameter keepsDevice: whether its device keeps its settings, as it logs in again.
    /// - Throws: `WireError` 1003 if the database fails.
    package func endRefresh(
        _ tokenID: String, of user: UserID, keepsDevice: Bool = false
    ) async throws(WireError) {
        _ = try await write(as: user) { transaction in
            try transaction.endRefresh(tokenID, of: user, keepsDevice: keepsDevice)
            return []
        }
    }

    private func decoded<Value: Decodable>(_ bytes: [UInt8]) throws(WireError) -> Value {
        do {
            return try WireCodec.decode(Value.self, from: bytes)
        } catch {
            throw WireError(.internalFault)
        }
    }
}

extension Transaction {
    /// How long a refresh token stays the newest at least, in ms. Several tabs that start at once get the same one, and the one
    /// before it is taken as well, in case that an answer was lost.
    private static let leastAge: Int64 = 60_000
    /// How many logins of a user browsers can keep.
    private static let maxLogins = 50
    /// How many of them can begin in a minute.
    private static let maxPerMinute: Int64 = 10

    /// The device of a login that has not connected yet.
    static func device(of tokenID: String) -> String { "browser-\(tokenID.prefix(8))" }

    fileprivate mutating func start(
        _ login: RefreshLogin, issuedAt: Int64, shown: String?, lifetime: Int64
    ) throws -> RefreshLogin {
        var login = login
        let user = login.userID
        let restrictions = try lockedRestrictions(of: user)
        let access = Access(tokenID: shown ?? login.tokenID, issuedAt: issuedAt, expiresAt: .max)
        if let refusal = restrictions.refusal(of: access) { throw refusal }
        let known = try connection.rows(
            "SELECT token_id FROM refresh_logins WHERE user_id = \(user) ORDER BY used_at DESC, token_id"
        ) { try $0.text(0) }
        if let shown, known.contains(shown) {
            throw WireError(.noPrivilege, "A login that a browser keeps cannot start another one. Log in again.")
        }
        let recent = try connection.rows(
            """
            SELECT COUNT(*) FROM refresh_logins
            WHERE user_id = \(user) AND number = 1 AND replaced_at > \(batch.now - Self.leastAge)
            """
        ) { try $0.int(0) }
        guard recent.first ?? 0 < Self.maxPerMinute else {
            throw WireError(
                .tooManyRequests, "The user has logged in too often in the last minute. Wait a minute.",
                retryAfterMs: Int(Self.leastAge))
        }
        for old in known.dropFirst(Self.maxLogins - 1) { try endRefresh(old, of: user) }
        login.expiresAt = min(batch.now + lifetime, login.endsAt ?? .max)
        try connection.execute(
            """
            INSERT INTO refresh_logins (user_id, token_id, name, image_url, is_operator, key_id, number, replaced_at,
            used_at, expires_at, ends_at)
            VALUES (\(user), \(login.tokenID), \(login.name), \(login.imageURL), \(login.isOperator ? 1 : 0),
            \(login.keyID), \(login.number), \(batch.now), \(batch.now), \(login.expiresAt), \(login.endsAt))
            """)
        // Until its device connects, the login is in the list under a name of its own.
        try connection.execute(
            """
            INSERT INTO logins (user_id, device_id, token_id, connected_at, expires_at)
            VALUES (\(user), \(Self.device(of: login.tokenID)), \(login.tokenID), \(batch.now), \(login.expiresAt))
            """)
        return login
    }

    fileprivate mutating func refresh(
        _ tokenID: String, number: Int64, of user: UserID, lifetime: Int64
    ) throws -> Refreshed {
        let restrictions = try lockedRestrictions(of: user)
        guard var (login, replacedAt) = try RefreshLogin.row(of: tokenID, user, in: connection),
            login.expiresAt > batch.now
        else { return .unknown }
        // A banned user goes on with the same login if the ban ends.
        let access = Access(tokenID: tokenID, issuedAt: batch.now, expiresAt: .max)
        if restrictions.cannotChat || restrictions.isDeleted, let refusal = restrictions.refusal(of: access) {
            throw refusal
        }
        guard number >= login.number - 1 else {
            try endRefresh(tokenID, of: user)
            return .copied
        }
        // Only the server signs tokens: after a restore the database does not know all that it has signed.
        login.number = max(login.number, number)
        if number == login.number, abs(batch.now.subtractingReportingOverflow(replacedAt).partialValue) >= Self.leastAge
        {
            login.number += 1
            replacedAt = batch.now
        }
        login.expiresAt = min(batch.now + lifetime, login.endsAt ?? .max)
        try connection.execute(
            """
            UPDATE refresh_logins SET number = \(login.number), replaced_at = \(replacedAt), used_at = \(batch.now),
            expires_at = \(login.expiresAt) WHERE user_id = \(user) AND token_id = \(tokenID)
            """)
        // The device stays in the list of logins as long as it can get tokens.
        try connection.execute(
            """
            UPDATE logins SET expires_at = \(login.expiresAt) WHERE user_id = \(user) AND token_id = \(tokenID)
            """)
        let earliest = restrictions.validAfter == .min ? 0 : restrictions.validAfter + 1_000
        return .accepted(login, at: max(batch.now, earliest))
    }

    fileprivate mutating func endRefresh(_ tokenID: String, of user: UserID, keepsDevice: Bool = false) throws {
        batch.features.logins.restrictions[user] = try lockedRestrictions(of: user)
        let devices = try connection.rows(
            "DELETE FROM logins WHERE user_id = \(user) AND token_id = \(tokenID) RETURNING device_id"
        ) { try $0.id(0) as DeviceID }
        if !keepsDevice { for device in devices { try deleteDevice(device, of: user) } }
        try endRefreshLogins(of: user, withToken: tokenID)
        refuse(tokenID, of: user, until: batch.now + Self.longestToken)
    }

    /// How long a token that such a login gets is taken at most, in ms, by whatever clock.
    private static let longestToken: Int64 = 3_600_000

    /// When the login of a token ends that a browser keeps, in ms since 1970; nil if it is no such token.
    func refreshExpiry(of tokenID: String, _ user: UserID) throws -> Int64? {
        try connection.rows(
            "SELECT expires_at FROM refresh_logins WHERE user_id = \(user) AND token_id = \(tokenID)"
        ) { try $0.int(0) }.first
    }

    /// Ends the logins of a user that browsers keep: all of them, or that of a token.
    func endRefreshLogins(of user: UserID, withToken tokenID: String? = nil) throws {
        if let tokenID {
            try connection.execute("DELETE FROM refresh_logins WHERE user_id = \(user) AND token_id = \(tokenID)")
        } else {
            try connection.execute("DELETE FROM refresh_logins WHERE user_id = \(user)")
        }
    }
}
