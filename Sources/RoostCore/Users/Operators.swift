import RoostWire
import Synchronization

/// The users of whom this process has noted in the database that they are operators.
final class NotedOperators: Sendable {
    private let users = Mutex<Set<UserID>>([])

    /// - Returns: whether the user was not among them.
    func insert(_ user: UserID) -> Bool { users.withLock { $0.insert(user).inserted } }

    func remove(_ user: UserID) { users.withLock { _ = $0.remove(user) } }
}

extension Transaction {
    /// Remembers that a user has used the server as an operator.
    mutating func noteOperator(_ user: UserID) throws {
        guard try !lockedRestrictions(of: user).isDeleted else { return }
        try connection.execute("INSERT INTO operators (user_id) VALUES (\(user)) ON CONFLICT (user_id) DO NOTHING")
    }

    /// - Throws: `WireError` 1107 if the caller may not manage the accounts of others.
    func checkManagesAccounts() throws {
        guard try !actor.managesAccounts else { return }
        throw WireError(
            .noPrivilege,
            "Only an operator can manage the accounts of others. Create a token with: roost token --operator.")
    }

    /// Checks that the caller may change the account, the logins or the access of this user; the batch is flushed.
    ///
    /// Users may change their own. A key with the scope `accounts` has no power over operators, also if its own user is one.
    /// - Throws: `WireError` 1107.
    mutating func checkManagesAccount(of user: UserID, field: String? = nil) throws {
        if try user == me && actor.scopes == nil { return }
        try checkManagesAccounts()
        guard try !actor.isOperator else { return }
        try flush()
        let known = try connection.rows(
            """
            SELECT 1 FROM operators WHERE user_id = \(user)
            UNION ALL SELECT 1 FROM api_keys WHERE user_id = \(user) AND revoked_at IS NULL AND scopes LIKE '%operator%'
            """
        ) { try $0.int(0) }
        guard known.isEmpty else {
            throw WireError(
                .noPrivilege, field: field,
                """
                This user is or was an operator, whom only an operator can change: use an operator's token, or a key with the \
                scope "operator".
                """)
        }
    }
}
