import NIOCore
import RoostCore
import RoostWire

/// A user who has shown a password or a code.
struct ProvenLogin {
    var identity: Identity
    var loginName: String
    /// When a token for this login is issued, in ms since 1970: what ends logins later ends this one, too.
    var time: Int64
}

/// Carries out the commands about passwords and one-time codes.
struct AccountService: Sendable {
    let core: Core
    let issuer: TokenIssuer
    /// Verifies tokens and codes of this server itself.
    let ownTokens: TokenVerifier
    private let provider: IdentityProvider?
    private let passwords: PasswordHasher
    let attempts: LoginAttempts
    private let allowsPasswordLogins: Bool
    private let allowsSignUp: Bool
    let refusals: RefusalLog

    init(
        core: Core, keys: TokenKeys, provider: IdentityProvider?, passwords: PasswordHasher,
        configuration: ServerConfiguration, refusals: RefusalLog
    ) {
        self.core = core
        attempts = LoginAttempts(core: core)
        issuer = TokenIssuer(keys: keys)
        ownTokens = TokenVerifier(keys: keys)
        self.provider = provider
        self.passwords = passwords
        allowsPasswordLogins = configuration.allowsPasswordLogins
        allowsSignUp = configuration.allowsSignUp
        self.refusals = refusals
    }

    /// Logs a user in with a password or a code; needs no sender.
    func logIn(_ logIn: LogIn, from address: String?) async throws(WireError) -> [UInt8] {
        try await token(for: try await prove(logIn, from: address), ttl: AccountRules.lifetime)
    }

    /// Checks a password, or uses up a code.
    func prove(_ logIn: LogIn, from address: String?) async throws(WireError) -> ProvenLogin {
        switch try logIn.proof() {
        case .password(let loginName, let password): try await prove(loginName, password, from: address)
        case .code(let code): try await exchange(code, from: address)
        }
    }

    /// Exchanges a code of the identity provider for who the user is.
    func prove(_ answer: IdentityProvider.CodeAnswer, from address: String?) async throws(WireError) -> Identity {
        let provider = try signInProvider()
        let now = core.effects.now()
        do throws(WireError) {
            return try await attempts.checkProviderAnswer(from: address, now: now) { () async throws(WireError) in
                try await provider.identity(for: answer, now: now)
            }
        } catch {
            refusals.logLogin(error, address: address)
            throw error
        }
    }

    /// The address at the identity provider where a user signs in.
    func address(for question: IdentityProvider.CodeQuestion) async throws(WireError) -> String {
        try await signInProvider().address(for: question, now: core.effects.now())
    }

    private func signInProvider() throws(WireError) -> IdentityProvider {
        guard let provider else {
            throw WireError(.functionUnavailable, "This server has no identity provider to sign in with.")
        }
        return provider
    }

    private func prove(
        _ loginName: String, _ password: String, from address: String?
    ) async throws(WireError) -> ProvenLogin {
        guard allowsPasswordLogins else {
            throw WireError(.functionUnavailable, "This server has no logins with a password. Log in with a token.")
        }
        // Whatever ends logins while the password is being checked ends this one, too.
        let now = core.effects.now()
        let account = try await check(loginName, password, from: address)
        guard let account else { throw WireError(.wrongCredentials, "The login name or the password is wrong.") }
        return try proven(account, at: now)
    }

    /// Makes an account for whoever sends this, and logs in; needs no sender.
    func signUp(_ body: SignUp, from address: String?) async throws(WireError) -> [UInt8] {
        guard allowsSignUp, allowsPasswordLogins else {
            throw WireError(
                .functionUnavailable, "On this server people cannot make accounts themselves. Ask who runs it for one.")
        }
        var account = try body.account()
        account.loginName = LoginName.normalized(account.loginName)
        try AccountRules.check(account)
        try WeakPasswords.check(account.password, of: [account.loginName])
        let now = core.effects.now()
        do throws(WireError) {
            try passwords.checkRoom()
            try await attempts.countSignUp(from: address, now: now)
            guard try await core.account(named: account.loginName) == nil else { throw WireError(.accountExists) }
            let hash = try await passwords.hash(account.password)
            _ = try await core.signUp(account, password: hash, from: address)
        } catch {
            // The answer to the same command may have been lost.
            guard ErrorCode.accountExists ~= error else {
                refusals.logLogin(error, login: account.loginName, address: address)
                throw error
            }
            guard let known = try await check(account.loginName, account.password, from: address) else {
                throw WireError(
                    .accountExists, field: "loginName",
                    "The login name \"\(account.loginName)\" is taken. Choose another one, or log in.")
            }
            return try await token(for: try proven(known, at: now), ttl: AccountRules.lifetime)
        }
        guard let made = try await core.account(named: account.loginName) else { throw WireError(.accountDatabase) }
        return try await token(for: try proven(made, at: now), ttl: AccountRules.lifetime)
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
        var address: String?
        if let text = body.address { address = try Self.address(text) }
        let now = core.effects.now()
        // The request comes from the backend, which tries the passwords of many users.
        let account = try await check(body.loginName, body.password, from: address)
        if let account { return try await token(for: try proven(account, at: now), ttl: ttl) }
        throw try await core.account(named: body.loginName) == nil
            ? WireError(.noAccount, "There is no account with this login name.") : WireError(.wrongPassword)
    }

    /// An address as it is written usually.
    private static func address(_ text: String) throws(WireError) -> String {
        guard let address = (try? SocketAddress(ipAddress: text, port: 0))?.ipAddress else {
            throw WireError(
                .dataFormat, field: "address", "\"address\" must be an IPv4 or IPv6 address, such as 192.0.2.17.")
        }
        return address
    }

    /// The account with this login name and password; nil if either is wrong.
    private func check(
        _ loginName: String, _ password: String, from address: String?
    ) async throws(WireError) -> StoredAccount? {
        let loginName = LoginName.normalized(loginName)
        guard loginName.utf8.count <= LoginAttempts.maxBytes else { return nil }
        let account = try await core.account(named: loginName)
        // An account can be named in two ways, which count together.
        let counted = account.map { LoginName.key(of: $0.loginName) } ?? loginName
        let network = account.flatMap { account in address.map { Self.network(of: $0, for: account.user.userID) } }
        let last = network.flatMap { account?.networks[$0] }
        let isRight: Bool
        do throws(WireError) {
            // An attempt is counted in the database only if it will be checked.
            try passwords.checkRoom()
            isRight = try await attempts.check(
                counted, from: address, isKnown: last != nil, now: core.effects.now()
            ) {
                () async throws(WireError) in try await passwords.isHash(account?.password, of: password)
            }
        } catch {
            refusals.logLogin(error, login: loginName, target: account?.user.userID, address: address)
            throw error
        }
        guard isRight else {
            refusals.logLogin(
                WireError(.wrongCredentials), login: loginName, target: account?.user.userID, address: address)
            return nil
        }
        if let account, let network, !account.isBanned, core.effects.now() - (last ?? 0) >= Self.day {
            // Without it the login is good, too: the disk may be full.
            try? await core.noteLogin(of: account.user.userID, from: network)
        }
        return account
    }

    private func exchange(_ code: String, from address: String?) async throws(WireError) -> ProvenLogin {
        let now = core.effects.now()
        var found: (identity: Identity, loginName: String)?
        do throws(WireError) {
            guard let identity = try? ownTokens.verify(code: code, now: now) else {
                try attempts.countWrongCode(from: address, now: now)
                throw .wrongCode
            }
            try attempts.countExchange(of: identity.access.tokenID, now: now)
            guard let loginName = try await core.redeem(identity.access, of: identity.userID) else { throw .wrongCode }
            found = (identity, loginName)
            // The code was made after the last logout, so the token has to be, too.
            return ProvenLogin(identity: identity, loginName: loginName, time: max(now, identity.access.issuedAt))
        } catch {
            refusals.logLogin(error, target: found?.identity.userID, address: address)
            throw error
        }
    }

    /// How old the time of a network may become before it is written again, in ms.
    private static let day: Int64 = 86_400_000

    /// The network of an address as it is stored for a user: a hash, which is another one for another user.
    private static func network(of address: String, for user: UserID) -> String {
        LoginAttempts.hash("\(user)\n\(LoginAttempts.network(of: address))")
    }

    private func proven(_ account: StoredAccount, at now: Int64) throws(WireError) -> ProvenLogin {
        guard !account.isBanned else { throw WireError(.userBanned) }
        // A token from the second of a logout would be refused.
        let now = max(now, account.validAfter == .min ? 0 : account.validAfter + 1_000)
        let identity = Identity(
            userID: account.user.userID, isOperator: false, access: Access(tokenID: "", issuedAt: now, expiresAt: now))
        return ProvenLogin(identity: identity, loginName: account.loginName, time: now)
    }

    private func token(for login: ProvenLogin, ttl: Int64) async throws(WireError) -> [UInt8] {
        let identity = login.identity
        do {
            let token = try await issuer.issue(
                userID: identity.userID, name: identity.name, imageURL: identity.imageURL,
                isOperator: identity.isOperator, ttl: ttl, now: login.time)
            return try WireCodec.encode(
                LoginAnswer(
                    userID: identity.userID, loginName: login.loginName, token: token,
                    expiresAt: .init(milliseconds: (login.time / 1_000 + ttl) * 1_000)))
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
                try WeakPasswords.check(
                    account.password, of: [account.loginName, account.userID?.rawValue, account.email])
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
            let account = try await core.account(named: user.rawValue)
            let needsOld = user == actor.user.userID && actor.scopes == nil
            if let account, account.user.userID == user {
                try WeakPasswords.check(new, of: [account.loginName, user.rawValue, body.email])
            } else if needsOld {
                throw WireError(.noAccount, "You have no login name, so there is no password to change.")
            }
            if needsOld {
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
