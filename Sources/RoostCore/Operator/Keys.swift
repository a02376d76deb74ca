package import RoostWire

extension Transaction {
    mutating func createKey(_ create: CreateKey) throws -> Outcome {
        try checkIsOperator()
        try create.check()
        try flush()
        let user = try create.userID ?? me
        _ = try users([user])
        let known = try connection.rows(
            "SELECT name FROM api_keys WHERE name = \(create.key) AND revoked_at IS NULL OR hash = \(create.hash)"
        ) { try $0.text(0) }
        guard known.isEmpty else {
            throw WireError(
                .dataFormat, field: "key", "There is a key with this name. Revoke it first, or choose another name.")
        }
        let scopes = KeyScope.allCases.filter(create.scopes.contains).map(\.rawValue).joined(separator: ",")
        try connection.execute(
            """
            INSERT INTO api_keys (hash, name, user_id, scopes, created_at)
            VALUES (\(create.hash), \(create.key), \(user), \(scopes), \(batch.now))
            """)
        return try outcome(in: nil)
    }

    mutating func revokeKey(_ revoke: RevokeKey) throws -> Outcome {
        try checkIsOperator()
        try flush()
        try connection.execute(
            "UPDATE api_keys SET revoked_at = \(batch.now) WHERE name = \(revoke.key) AND revoked_at IS NULL")
        return try outcome(in: nil)
    }

    private func checkIsOperator() throws {
        if try !actor.isOperator { throw WireError.onlyOperatorsManageKeys }
    }
}

extension WireError {
    fileprivate static let onlyOperatorsManageKeys = WireError(
        .noPrivilege, "Only an operator can manage keys. Create a token with: roost token --operator.")
}

extension Reads {
    func listKeys() throws -> [UInt8] {
        guard actor.isOperator else { throw WireError.onlyOperatorsManageKeys }
        let keys = try connection.rows(
            "SELECT name, user_id, scopes, created_at, revoked_at FROM api_keys ORDER BY name, created_at",
            APIKey.init(row:))
        return try WireCodec.encode(ListKeys.Answer(keys: keys))
    }
}

extension APIKey {
    fileprivate init(row: any SQLRow) throws {
        self.init(
            name: try row.text(0), userID: try row.id(1),
            scopes: try row.text(2).split(separator: ",").compactMap { KeyScope(rawValue: String($0)) },
            createdAt: try row.time(3), revokedAt: try row.optionalInt(4).map { .init(milliseconds: $0) })
    }
}

extension Core {
    /// The valid key with this hash, with its user; nil if there is none.
    /// - Throws: `WireError` 1003 if the database cannot be read.
    package func key(withHash hash: String) async throws(WireError) -> (key: APIKey, user: User)? {
        do {
            return try await readAll { connection in
                try connection.rows(
                    """
                    SELECT k.name, k.user_id, k.scopes, k.created_at, k.revoked_at, u.name, u.image_url
                    FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.hash = \(hash) AND k.revoked_at IS NULL
                    """
                ) { row in
                    let key = try APIKey(row: row)
                    return (
                        key: key,
                        user: User(userID: key.userID, name: try row.text(5), imageURL: try row.optionalText(6))
                    )
                }.first
            }
        } catch {
            throw Writer.refusal(for: error)
        }
    }
}
