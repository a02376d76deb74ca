package import RoostWire

extension Core {
    /// Makes an account for somebody whom nobody has registered.
    /// - Parameter password: the hash of the password.
    /// - Throws: `WireError` 603 if the login name exists, 605 if there are as many accounts as there may be, 3 if the
    ///   database fails.
    package func signUp(
        _ account: NewAccount, password: String, from address: String?
    ) async throws(WireError) -> UserID {
        let id = try effects.newUserID()
        var account = account
        account.userID = id
        var actor = Actor(
            user: User(userID: id, name: account.name ?? LoginName.shown(account.loginName)), deviceID: "http",
            isOperator: false)
        actor.address = address
        do throws(WireError) {
            _ = try await write(as: id) { [account, actor] in try $0.signUp(account, password: password, as: actor) }
        } catch {
            throw ErrorCode.databaseAccess ~= error ? WireError(.accountDatabase) : error
        }
        return id
    }
}

extension Transaction {
    fileprivate mutating func signUp(
        _ account: NewAccount, password: String, as actor: Actor
    ) throws -> [UInt8] {
        try flush()
        command = RunningCommand(actor: actor)
        defer { command = nil }
        let user = try register(account, password: password)
        try reportAccounts([user], event: SignUp.name)
        return []
    }
}
