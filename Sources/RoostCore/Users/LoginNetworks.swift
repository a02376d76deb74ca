package import RoostWire

/// The networks from which users have logged in with a password.
package enum LoginNetworks {
    /// How long a network is remembered after the last login, in ms: 90 days.
    package static let keptMs: Int64 = 90 * 86_400_000
    /// The number of networks of a user that are remembered.
    package static let most = 20

    /// When a user has last logged in, by the hashes of the networks.
    static func all(of user: UserID, at now: Int64, in connection: any SQLConnection) throws -> [String: Int64] {
        let rows = try connection.rows(
            "SELECT network, last_at FROM login_networks WHERE user_id = \(user) AND last_at > \(now - keptMs)"
        ) { (try $0.text(0), try $0.int(1)) }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }
}

extension Core {
    /// Remembers that a user has logged in from a network, of which only a hash is given; those of the longest time ago are
    /// forgotten.
    /// - Throws: `WireError` if the database takes no changes.
    package func noteLogin(of user: UserID, from network: String) async throws(WireError) {
        _ = try await write(as: user) { transaction in
            try transaction.noteLogin(of: user, from: network)
            return []
        }
    }
}

extension Transaction {
    fileprivate mutating func noteLogin(of user: UserID, from network: String) throws {
        guard try !lockedRestrictions(of: user).isDeleted else { return }
        let others = try connection.rows(
            """
            SELECT network FROM login_networks WHERE user_id = \(user) AND network <> \(network)
            ORDER BY last_at DESC, network
            """
        ) { try $0.text(0) }
        for old in others.dropFirst(LoginNetworks.most - 1) {
            try connection.execute("DELETE FROM login_networks WHERE user_id = \(user) AND network = \(old)")
        }
        try connection.execute(
            """
            INSERT INTO login_networks (user_id, network, last_at) VALUES (\(user), \(network), \(batch.now))
            ON CONFLICT (user_id, network) DO UPDATE SET last_at = excluded.last_at
            """)
    }

    /// Deletes networks from which nobody has logged in for long.
    /// - Returns: how many it has deleted.
    func deleteOldNetworks(most: Int) throws -> Int {
        let time = batch.now - LoginNetworks.keptMs
        let keys = try connection.rows(
            "SELECT user_id, network FROM login_networks WHERE last_at <= \(time) ORDER BY last_at LIMIT \(most)"
        ) { [SQLValue.text(try $0.text(0)), .text(try $0.text(1))] }
        guard !keys.isEmpty else { return 0 }
        try connection.execute(
            """
            WITH k (user_id, network) AS (\(keys: keys))
            DELETE FROM login_networks WHERE (user_id, network) IN (SELECT k.user_id, k.network FROM k)
            AND last_at <= \(time)
            """)
        return keys.count
    }
}
