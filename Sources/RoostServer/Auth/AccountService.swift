import RoostCore
import RoostWire

/// Carries out the commands about passwords.
struct AccountService: Sendable {
    private let core: Core
    private let issuer: TokenIssuer
    private let passwords: PasswordHasher
    private let attempts = LoginAttempts()
    private let allowsPasswordLogins: Bool
    private let refusals: RefusalLog

    init(
        core: Core, issuer: TokenIssuer, passwords: PasswordHasher, allowsPasswordLogins: Bool, refusals: RefusalLog
    ) {
        self.core = core
        self.issuer = issuer
        self.passwords = passwords
        self.allowsPasswordLogins = allowsPasswordLogins
        self.refusals = refusals
    }

    /// Logs a user in with a password; needs no sender.
    func logIn(_ logIn: LogIn, from address: String?) async throws(WireError) -> [UInt8] {
        guard allowsPasswordLogins else {
            throw WireError(.functionUnavailable, "This server has no logins with a password. Log in with a token.")
        }
        // Whatever ends logins while the password is being checked ends this one, too.
        let now = core.effects.now()
        let account = try await check(logIn.loginName, logIn.password, from: address)
        guard let account else { throw WireError(.wrongCredentials, "The login name or the password is wrong.") }
        return try await token(for: account, ttl: AccountRules.lifetime, at: now)
    }

    func authenticate(_ body: Authenticate, as actor: Actor) async throws(WireError) -> [UInt8] {
        try checkManagesAccounts(actor)
        let ttl = body.ttl ?? AccountRules.lifetime
        guard AccountRules.lifetimes.contains(ttl) else {
            throw WireError(.dataFormat, field: "ttl", "\"ttl\" must be 60 to 31536000 seconds.")
        }
        guard !body.password.isEmpty else {
            throw WireError(.passwordRequired, field: "password", "Give a \"password\".")
        }
        let now = core.effects.now()
        // The address is that of the backend, which tries the passwords of many users.
        let account = try await check(body.loginName, body.password, from: nil)
        if let account { return try await token(for: account, ttl: ttl, at: now) }
        throw try await core.account(named: body.loginName) == nil
            ? WireError(.noAccount, "There is no account with this login name.") : WireError(.wrongPassword)
    }

    /// The account with this login name and password; nil if either is wrong.
    private func check(
        _ loginName: String, _ password: String, from address: String?
    ) async throws(WireError) -> StoredAccount? {
        let loginName = LoginName.normalized(loginName)
        guard loginName.utf8.count <= LoginAttempts.mostBytes else { return nil }
        let account = try await core.account(named: loginName)
        // An account can be named in two ways, which count together.
        let counted = account.map { LoginName.key(of: $0.loginName) } ?? loginName
        let isRight: Bool
        do throws(WireError) {
            isRight = try await attempts.check(counted, from: address, now: core.effects.now()) {
                () async throws(WireError) in try await passwords.isHash(account?.password, of: password)
            }
        } catch {
            refusals.log(error, login: loginName, address: address, now: core.effects.now())
            throw error
        }
        guard isRight else {
            refusals.log(
                WireError(.wrongCredentials), login: loginName, address: address, now: core.effects.now())
            return nil
        }
        return account
    }

    private func token(for account: StoredAccount, ttl: Int64, at now: Int64) async throws(WireError) -> [UInt8] {
        guard !account.isBanned else { throw WireError(.userBanned) }
        // A token from the second of a logout would be refused.
        let now = max(now, account.validAfter == .min ? 0 : account.validAfter + 1_000)
        do {
            let token = try await issuer.issue(userID: account.user.userID, ttl: ttl, now: now)
            return try WireCodec.encode(
                LoginAnswer(
                    userID: account.user.userID, loginName: account.loginName, token: token,
                    expiresAt: .init(milliseconds: (now / 1_000 + ttl) * 1_000)))
        } catch {
            throw error as? WireError ?? WireError(.internalFault)
        }
    }

    func register(_ body: RegisterAccounts, id: String, as actor: Actor) async throws(WireError) -> [UInt8] {
        try checkManagesAccounts(actor)
        guard (1...AccountRules.most).contains(body.accounts.count) else {
            throw WireError(.dataFormat, field: "accounts", "\"accounts\" must have 1 to 100 accounts.")
        }
        var accounts: [AccountToRegister] = []
        for var account in body.accounts {
            account.loginName = LoginName.normalized(account.loginName)
            do throws(WireError) {
                try AccountRules.check(account)
                accounts.append((account, .success(try await passwords.hash(account.password))))
            } catch {
                guard !error.retryable else { throw error }
                accounts.append((account, .failure(error)))
            }
        }
        // Passwords are not hashed with the rest, as that hash is fast.
        var plain = body
        for index in plain.accounts.indices { plain.accounts[index].password = "" }
        return try await core.register(accounts, id: try transID(id), hash: try hash(plain), as: actor)
    }

    func set(_ body: SetAccount, id: String, as actor: Actor) async throws(WireError) -> [UInt8] {
        guard body.password != nil || body.phone != nil || body.email != nil || body.corpID != nil else {
            throw WireError(.dataFormat, field: "password", "Give \"password\", \"phone\", \"email\" or \"corpID\".")
        }
        let user = body.userID ?? actor.user.userID
        if user != actor.user.userID || body.phone != nil || body.email != nil || body.corpID != nil {
            try checkManagesAccounts(actor)
        }
        if let phone = body.phone, !phone.isEmpty { try AccountRules.checkPhone(phone) }
        if let email = body.email, !email.isEmpty { try AccountRules.checkEmail(email) }
        if let corpID = body.corpID { try AccountRules.checkCorpID(corpID) }
        var password: String?
        if let new = body.password {
            try AccountRules.checkPassword(new)
            if user == actor.user.userID, actor.scopes == nil {
                guard try await core.account(named: user.rawValue)?.user.userID == user else {
                    throw WireError(.noAccount, "You have no login name, so there is no password to change.")
                }
                guard try await check(user.rawValue, body.oldPassword ?? "", from: actor.address) != nil else {
                    throw WireError(.wrongPassword, field: "oldPassword", "\"oldPassword\" is wrong.")
                }
            }
            password = try await passwords.hash(new)
        }
        var plain = body
        (plain.password, plain.oldPassword) = (body.password.map { _ in "" }, nil)
        return try await core.setAccount(
            body, password: password, id: try transID(id), hash: try hash(plain), as: actor)
    }

    private func checkManagesAccounts(_ actor: Actor) throws(WireError) {
        guard !actor.managesAccounts else { return }
        throw WireError(.noPrivilege, "Only an operator, or a key with the scope \"accounts\", can do this.")
    }

    private func transID(_ id: String) throws(WireError) -> TransID {
        guard let transID = TransID(rawValue: id) else { throw WireError(.dataFormat) }
        return transID
    }

    private func hash(_ command: some Command) throws(WireError) -> Int64 {
        do {
            return try command.contentHash()
        } catch {
            throw WireError(.internalFault)
        }
    }
}
