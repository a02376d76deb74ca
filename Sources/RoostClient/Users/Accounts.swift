import NIOCore
public import RoostWire

extension Credentials {
    /// A login name, or a user id, and a password.
    ///
    /// The client exchanges them for a token over HTTP, and keeps it in memory for 24 hours less two minutes. If the server
    /// refuses the token, as after `endLogins` or with a new password, the connection ends with `.tokenExpired`. A wrong
    /// password ends it with `.wrongCredentials`.
    public static func password(_ password: String, of loginName: String) -> Credentials {
        Credentials(kind: .password(loginName: loginName, password: password))
    }
}

extension ChatClient {
    /// Exchanges a login name, or a user id, and a password for a token that is valid for a day.
    ///
    /// Nothing is stored. An app that keeps the token, not the password, uses it with `Credentials.token`.
    /// - Throws: `.server(.wrongCredentials)` whichever of the two is wrong; `.server(.tooManyRequests)` after too many wrong
    ///   passwords; `.invalidConfiguration` if `server` is not an address; `.unreachable` if it cannot be reached.
    public static func logIn(
        to server: String, loginName: String, password: String
    ) async throws(RoostError) -> LoginAnswer {
        guard let address = ServerAddress(server) else { throw RoostError.notAnAddress(server) }
        return try await HTTPClient.forLogIn(at: address).logIn(LogIn(loginName: loginName, password: password))
    }

    /// Exchanges a one-time code, such as the one of a link, for a token that is valid for a day.
    ///
    /// A code can be exchanged once, and is valid for ten minutes at most, usually for one. Nothing is stored; use the
    /// token with `Credentials.token`.
    /// - Throws: `.server(.wrongCredentials)` for a wrong, expired or used code; `.server(.userBanned)` and
    ///   `.server(.userDeleted)` for a user who may not log in; `.server(.tooManyRequests)` after too many wrong codes;
    ///   `.invalidConfiguration` if `server` is not an address; `.unreachable` if it cannot be reached.
    public static func logIn(to server: String, code: String) async throws(RoostError) -> LoginAnswer {
        guard let address = ServerAddress(server) else { throw RoostError.notAnAddress(server) }
        return try await HTTPClient.forLogIn(at: address).logIn(LogIn(code: code))
    }

    /// Makes an account on a server where people may do that themselves, and returns a token that is valid for a day.
    ///
    /// Nothing is stored. A repetition with the same password logs in.
    /// - Parameters:
    ///   - server: the address of the server.
    ///   - loginName: letters and digits of any script, and the marks of e-mail addresses but `@` and `+`.
    ///   - password: 8 to 200 bytes of UTF-8.
    ///   - name: the name to show, 1 to 200 UTF-16 units; the login name if nil.
    /// - Throws: `.server(.accountExists)` if somebody else has the login name; `.server(.functionUnavailable)` if the server
    ///   does not allow it; `.server(.dataFormat)` for a login name or a password that is not allowed;
    ///   `.server(.accountLimitReached)`; `.server(.tooManyRequests)` after many new accounts; `.invalidConfiguration` if
    ///   `server` is not an address; `.unreachable` if it cannot be reached.
    public static func signUp(
        to server: String, loginName: String, password: String, name: String? = nil
    ) async throws(RoostError) -> LoginAnswer {
        guard let address = ServerAddress(server) else { throw RoostError.notAnAddress(server) }
        return try await HTTPClient.forLogIn(at: address).logIn(
            SignUp(loginName: loginName, password: password, name: name))
    }

    /// The account of this user.
    public func account() async throws(RoostError) -> Account { try await perform(GetAccount()) }

    /// Looks up users by id, login name or phone number, ordered by id; unknown ones are left out. At most 100 at a time.
    /// - Throws: `.server(.numberFormat)` for a phone number that is not in the form of E.164; `.server(.tooManyRequests)`
    ///   after many lookups; `.server(.functionUnavailable)` if the server does not look up login names and phone numbers.
    public func findUsers(
        _ userIDs: [UserID] = [], loginNames: [String] = [], phones: [String] = []
    ) async throws(RoostError) -> [FoundUser] {
        let command = FindUsers(
            userIDs: userIDs.isEmpty ? nil : userIDs, loginNames: loginNames.isEmpty ? nil : loginNames,
            phones: phones.isEmpty ? nil : phones)
        return try await perform(command).users
    }

    /// Changes the password of this user, and logs out all devices: a new login needs the new password.
    /// - Throws: `.server(.wrongPassword)` if the old one is wrong; `.server(.noAccount)` for a user without a login name.
    public func setPassword(
        _ password: String, replacing old: String, transID: TransID? = nil
    ) async throws(RoostError) {
        _ = try await perform(SetAccount(password: password, oldPassword: old), under: transID)
    }

    /// Registers accounts; for operators. Each succeeds or fails on its own.
    ///
    /// With the same `transID` it is executed once.
    /// - Throws: `.server(.noPrivilege)` if the caller is no operator.
    public func register(
        _ accounts: [NewAccount], transID: TransID? = nil
    ) async throws(RoostError) -> [RegisterAccounts.Result] {
        try await perform(RegisterAccounts(accounts: accounts), under: transID).results
    }
}

extension RoostError {
    static func notAnAddress(_ server: String) -> RoostError {
        RoostError(
            .invalidConfiguration,
            "\"\(server)\" is not a server's address. Write http://HOST:PORT or https://HOST.")
    }
}

extension HTTPClient {
    /// A client for a single login.
    static func forLogIn(at address: ServerAddress) -> HTTPClient {
        HTTPClient(address: address, loop: EventLoops.next(threads: nil), silence: .seconds(15))
    }

    /// Logs in with a password or a code, with a new account, or as a visitor.
    func logIn<Login: Command>(_ logIn: Login) async throws(RoostError) -> Login.Answer {
        do {
            return try await connected { try await $0.perform(logIn) }
        } catch let error as RoostError {
            throw error.naming(Login.name)
        } catch HTTPFault.lost(let why) {
            throw RoostError(.unreachable, why, isRetryable: true)
        } catch is CancellationError {
            throw RoostError(.cancelled, "The login was cancelled.")
        } catch {
            throw RoostError(.invalidAnswer, "The server's answer to \(Login.name) cannot be read.")
        }
    }
}

/// Makes tokens from a password, and keeps the newest one until shortly before its end.
actor PasswordLogin {
    private let http: HTTPClient
    private let command: LogIn
    private var token: (text: String, until: ContinuousClock.Instant)?

    init(_ http: HTTPClient, _ command: LogIn) {
        self.http = http
        self.command = command
    }

    func provide() async throws -> String {
        if let token, ContinuousClock.now < token.until { return token.text }
        let answer = try await http.logIn(command)
        token = (answer.token, ContinuousClock.now + .seconds(AccountRules.lifetime - 120))
        return answer.token
    }
}
