package import RoostWire
import Synchronization

/// An account with what is needed to check a login.
package struct StoredAccount: Sendable {
    package var user: User
    package var loginName: String
    /// A hash with its parameters.
    package var password: String
    /// Tokens issued up to this time are refused, in ms since 1970.
    package var validAfter: Int64
    /// Whether the user is banned.
    package var isBanned: Bool
    /// When the user has last logged in from networks, in ms since 1970, by the hashes of these.
    package var networks: [String: Int64] = [:]
}

/// An account to register, and the hash of its password, or why it cannot be registered.
package typealias AccountToRegister = (account: NewAccount, password: Result<String, WireError>)

extension Core {
    /// The account with a password that has a login name or user id; nil if there is none.
    /// - Throws: `WireError` 3 if the database cannot be read.
    package func account(named name: String) async throws(WireError) -> StoredAccount? {
        let (key, id, now) = (LoginName.key(of: name), LoginName.normalized(name), effects.now())
        do {
            return try await readAll { connection in
                try connection.rows(
                    """
                    SELECT a.user_id, a.login_name, a.password, u.name, u.image_url FROM accounts a
                    JOIN users u ON u.id = a.user_id
                    WHERE (a.login_key = \(key) OR a.user_id = \(id)) AND a.password IS NOT NULL
                    ORDER BY CASE WHEN a.login_key = \(key) THEN 0 ELSE 1 END LIMIT 1
                    """
                ) { row in
                    let user = User(userID: try row.id(0), name: try row.text(3), imageURL: try row.optionalText(4))
                    let known = try Restrictions.rows(of: [[.text(user.userID.rawValue)]], in: connection)[user.userID]
                    return StoredAccount(
                        user: user, loginName: try row.text(1), password: try row.text(2),
                        validAfter: known?.validAfter ?? .min, isBanned: known?.cannotChat ?? false,
                        networks: try LoginNetworks.all(of: user.userID, at: now, in: connection))
                }.first
            }
        } catch {
            throw WireError(.accountDatabase)
        }
    }

    /// Whether there is an account with a password; once there is one, that is not looked up again.
    /// - Throws: `WireError` 3 if the database cannot be read.
    package func hasPasswords() async throws(WireError) -> Bool {
        if hadPasswords.withLock({ $0 }) { return true }
        do {
            let found = try await readAll { connection in
                try !connection.rows("SELECT 1 FROM accounts WHERE password IS NOT NULL LIMIT 1") { try $0.int(0) }
                    .isEmpty
            }
            if found { hadPasswords.withLock { $0 = true } }
            return found
        } catch {
            throw WireError(.accountDatabase)
        }
    }

    /// Registers accounts, once for this transID.
    /// - Throws: `WireError` 3 if the database fails, 1119 if the transID was used for another command.
    package func register(
        _ accounts: [AccountToRegister], id: TransID, hash: Int64, as actor: Actor
    ) async throws(WireError) -> [UInt8] {
        let json = try await change(id, hash, as: actor) { try $0.register(accounts) }
        do {
            var answer = try WireCodec.decode(RegisterAccounts.Answer.self, from: json)
            for (index, (account, _)) in accounts.enumerated() where answer.results.indices.contains(index) {
                answer.results[index].loginName = account.loginName
            }
            return try WireCodec.encode(answer)
        } catch {
            throw WireError(.internalFault)
        }
    }

    /// Changes an account, once for this transID; `password` is the hash of the new one.
    /// - Throws: `WireError` 3 if the database fails, and what the command fails with.
    package func setAccount(
        _ set: SetAccount, password: String?, id: TransID, hash: Int64, as actor: Actor
    ) async throws(WireError) -> [UInt8] {
        try await change(id, hash, as: actor) { try $0.setAccount(set, password: password) }
    }

    private func change(
        _ id: TransID, _ hash: Int64, as actor: Actor,
        _ body: @escaping @Sendable (inout Transaction) throws -> Outcome
    ) async throws(WireError) -> [UInt8] {
        do throws(WireError) {
            return try await write(as: actor.user.userID) { try $0.once(id, hash, as: actor, body) }
        } catch {
            throw ErrorCode.databaseAccess ~= error ? WireError(.accountDatabase) : error
        }
    }
}

extension Transaction {
    /// Runs work of the server as a command with a key; a repetition returns the first answer.
    fileprivate mutating func once(
        _ transID: TransID, _ hash: Int64, as actor: Actor, _ body: (inout Transaction) throws -> Outcome
    ) throws -> [UInt8] {
        try flush()
        try load(users: [actor.user.userID])
        try loadAccess(of: [actor.user.userID])
        try checkAccess(of: actor)
        let key = CommandKey(user: actor.user.userID, transID: transID)
        if batch.known[key] == nil { try lookUp([[.text(key.user.rawValue), .text(transID.rawValue)]]) }
        if let known = batch.known[key] { return try known.answer(for: hash) }
        if batch.users[key.user] == nil {
            try add(UserState(user: actor.user))
        }
        command = RunningCommand(actor: actor, transID: transID, hash: hash)
        defer { command = nil }
        let answer = try body(&self).answer
        batch.known[key] = KnownCommand(hash: hash, answer: answer)
        batch.keyRows.append([
            .text(key.user.rawValue), .text(transID.rawValue), .int(hash), .int(batch.now), .content(answer),
        ])
        return answer
    }

    fileprivate mutating func register(_ accounts: [AccountToRegister]) throws -> Outcome {
        try checkManagesAccounts()
        var results: [RegisterAccounts.Result] = []
        for (account, password) in accounts {
            // The answer is stored, and a refused account has no user whose deletion would erase a name in it.
            var result = RegisterAccounts.Result(loginName: "")
            do {
                result.userID = try register(account, password: try password.get())
            } catch let error as WireError {
                result.error = error
            }
            results.append(result)
        }
        try reportAccounts(results.compactMap(\.userID), event: RegisterAccounts.name)
        return try Outcome(answer: RegisterAccounts.Answer(results: results))
    }

    /// Stores a new account of a user who may be new, too, and returns the id.
    mutating func register(_ account: NewAccount, password: String) throws -> UserID {
        let isPhone = account.loginName.hasPrefix("+") && !account.loginName.contains("@")
        let phone = account.phone ?? (isPhone ? account.loginName : nil)
        let id = try account.userID ?? effects.newUserID()
        try checkIsFree(account.loginName, phone: phone, for: id)
        try load(users: [id])
        try loadAccess(of: [id])
        if batch.features.logins.restrictions[id]?.isDeleted == true { throw WireError(.userDeleted) }
        // An operator who has only read is no user yet.
        try checkManagesAccount(of: id, field: "userID")
        guard try batch.users[id] == nil || actor.isOperator else {
            throw WireError(
                .noPrivilege, field: "userID",
                """
                This user exists already. Only an operator can give an existing user a password: use an operator's token, or \
                a key with the scope "operator".
                """)
        }
        if batch.users[id] == nil {
            let name = account.name ?? LoginName.shown(account.loginName)
            try add(UserState(user: User(userID: id, name: name)))
            try flush()
        }
        // A user without a login name may have a phone number and an e-mail address already.
        let own = try connection.rows(
            "\(AccountRow.query) WHERE a.user_id = \(id) \(.forUpdate)", AccountRow.init(row:)
        ).first
        try put(
            AccountRow(
                user: id, loginName: account.loginName, phone: phone ?? own?.phone, email: account.email ?? own?.email,
                corpID: account.corpID.map { $0.isEmpty ? nil : $0 } ?? own?.corpID, password: password,
                createdAt: batch.now))
        return id
    }

    /// Checks that a new account is the only one with its login name, phone number and user id, and that there is room for it.
    private func checkIsFree(_ loginName: String, phone: String?, for id: UserID) throws {
        let loginKey = LoginName.key(of: loginName)
        let known = try connection.rows(
            """
            SELECT user_id FROM accounts WHERE login_key = \(loginKey) OR phone = \(phone ?? "") AND user_id <> \(id)
            OR user_id = \(id) AND login_key IS NOT NULL
            """
        ) { try $0.text(0) }
        guard known.isEmpty else {
            throw WireError(.accountExists, "The login name, the phone number or the user id has an account already.")
        }
        // Logins name an account by its login name or by the id of its user, so that this one would stand for the other.
        let named = try connection.rows(
            "SELECT id FROM users WHERE id = \(LoginName.normalized(loginName)) AND id <> \(id)"
        ) { try $0.text(0) }
        guard named.isEmpty else {
            throw WireError(.accountExists, "The login name is the id of another user. Choose another one.")
        }
        // People read "ann" and "Ann" as one user.
        let twins = try connection.rows("SELECT id FROM users WHERE LOWER(id) = LOWER(\(id)) AND id <> \(id) LIMIT 1") {
            try $0.text(0)
        }
        guard twins.isEmpty else {
            throw WireError(.accountExists, "The user id differs from an existing one by case only. Choose another.")
        }
        if let most = configuration.maxAccounts {
            let count =
                try connection.rows("SELECT COUNT(*) FROM accounts WHERE login_key IS NOT NULL") { try $0.int(0) }.first
                ?? 0
            guard count < Int64(most) else {
                throw WireError(.accountLimitReached, "This server may have \(most) accounts and no more.")
            }
        }
    }

    fileprivate mutating func setAccount(_ set: SetAccount, password: String?) throws -> Outcome {
        let user = try set.userID ?? me
        if set.phone != nil || set.email != nil || set.corpID != nil { try checkManagesAccounts() }
        try checkManagesAccount(of: user)
        _ = try users([user])
        let found = try connection.rows(
            "\(AccountRow.query) WHERE a.user_id = \(user) \(.forUpdate)", AccountRow.init(row:)
        ).first
        var row = found ?? AccountRow(user: user, createdAt: batch.now)
        if let password {
            guard row.loginName != nil else {
                throw WireError(.noAccount, "This user has no login name. Register one: account.register")
            }
            row.password = password
        }
        if let phone = set.phone {
            row.phone = phone.isEmpty ? nil : phone
            let others = try connection.rows(
                "SELECT user_id FROM accounts WHERE phone = \(phone) AND user_id <> \(user)"
            ) { try $0.text(0) }
            guard others.isEmpty else { throw WireError(.accountExists, "Another user has this phone number.") }
        }
        if let email = set.email { row.email = email.isEmpty ? nil : email }
        if let corpID = set.corpID { row.corpID = corpID.isEmpty ? nil : corpID }
        try put(row)
        if password != nil { try endAllLogins(of: user) }
        try report(set, of: user)
        return try outcome(in: nil)
    }

    /// Written at once, so that the next account of the same command sees it.
    private func put(_ row: AccountRow) throws {
        try connection.write([row.values], AccountRow.upsert)
    }
}

/// A row of accounts.
private struct AccountRow {
    var user: UserID
    var loginName: String?
    var phone: String?
    var email: String?
    var corpID: String?
    var password: String?
    var createdAt: Int64

    static let query: Query =
        "SELECT a.user_id, a.login_name, a.phone, a.email, a.password, a.created_at, a.corp_id FROM accounts a"
    static let upsert = Upsert(
        "accounts", ["user_id", "login_key", "login_name", "phone", "email", "password", "created_at", "corp_id"],
        keys: ["user_id"])

    var values: [SQLValue] {
        [
            .text(user.rawValue), SQLValue(loginName.map(LoginName.key)), SQLValue(loginName), SQLValue(phone),
            SQLValue(email), SQLValue(password), .int(createdAt), SQLValue(corpID),
        ]
    }
}

extension Effects {
    /// A user id that nobody has: 80 random bits.
    package func newUserID() throws(WireError) -> UserID {
        var digits = Array("u-".utf8)
        HexDigits.append(random(), digits: 16, to: &digits)
        HexDigits.append(random() & 0xFFFF, digits: 4, to: &digits)
        guard let id = UserID(rawValue: String(decoding: digits, as: UTF8.self)) else {
            throw WireError(.internalFault)
        }
        return id
    }
}

extension AccountRow {
    init(row: any SQLRow) throws {
        self.init(
            user: try row.id(0), loginName: try row.optionalText(1), phone: try row.optionalText(2),
            email: try row.optionalText(3), corpID: try row.optionalText(6), password: try row.optionalText(4),
            createdAt: try row.int(5))
    }
}

extension Reads {
    func getAccount(_ get: GetAccount) throws -> [UInt8] {
        let user = get.userID ?? me
        guard user == me || actor.managesAccounts else {
            throw WireError(.noPrivilege, "Only an operator can read the accounts of others.")
        }
        let isKnown = try !connection.rows("SELECT 1 FROM users WHERE id = \(user) AND deleted_at IS NULL") {
            try $0.int(0)
        }.isEmpty
        guard isKnown || user == me else { throw WireError(.userNotFound) }
        let row = try connection.rows("\(AccountRow.query) WHERE a.user_id = \(user)", AccountRow.init(row:)).first
        let restrictions = try Restrictions.rows(of: [[.text(user.rawValue)]], in: connection)[user] ?? Restrictions()
        return try WireCodec.encode(
            Account(
                userID: user, loginName: row?.loginName, phone: row?.phone, email: row?.email,
                corpID: row?.corpID,
                source: row?.loginName == nil ? .token : .registered, deviceID: user == me ? actor.deviceID : nil,
                canChat: !restrictions.cannotChat, canCall: !restrictions.cannotCall))
    }

    func findUsers(_ find: FindUsers) throws -> [UInt8] {
        try AccountRules.check(find)
        let (names, phones) = (Set((find.loginNames ?? []).map(LoginName.key)), Set(find.phones ?? []))
        guard configuration.allowsLookups || actor.managesAccounts || names.isEmpty && phones.isEmpty else {
            throw WireError(.functionUnavailable, "This server does not look up login names and phone numbers.")
        }
        var ids = Set((find.userIDs ?? []).map(\.rawValue))
        for (column, values) in [("login_key", names), ("phone", phones)] where !values.isEmpty {
            let column = Query(stringLiteral: column)
            ids.formUnion(
                try connection.rows(
                    """
                    WITH k (value) AS (\(keys: values.map { [.text($0)] }))
                    SELECT a.user_id FROM accounts a WHERE a.\(column) IN (SELECT value FROM k) AND a.\(column) IS NOT NULL
                    """
                ) { try $0.text(0) })
        }
        guard !ids.isEmpty else { return try WireCodec.encode(FindUsers.Answer(users: [])) }
        let keys = ids.map { [SQLValue.text($0)] }
        let restrictions = try Restrictions.rows(of: keys, in: connection)
        let users = try connection.rows(
            """
            WITH k (id) AS (\(keys: keys)) SELECT DISTINCT u.id, u.name, u.image_url, a.login_name, a.phone, a.email, a.corp_id
            FROM k
            JOIN users u ON u.id = k.id AND u.deleted_at IS NULL LEFT JOIN accounts a ON a.user_id = u.id ORDER BY u.id
            """
        ) { row in
            let id: UserID = try row.id(0)
            let (login, phone) = (try row.optionalText(3), try row.optionalText(4))
            let showsAll = actor.managesAccounts || id == me
            return FoundUser(
                userID: id, name: try row.text(1), imageURL: try row.optionalText(2),
                loginName: login.flatMap { showsAll || names.contains(LoginName.key(of: $0)) ? $0 : nil },
                phone: phone.flatMap { showsAll || phones.contains($0) ? $0 : nil },
                email: showsAll ? try row.optionalText(5) : nil, brand: configuration.brand,
                corpID: try row.optionalText(6) ?? "", canChat: restrictions[id]?.cannotChat != true,
                canCall: restrictions[id]?.cannotCall != true)
        }
        return try WireCodec.encode(FindUsers.Answer(users: users))
    }
}
