import RoostWire

/// What is known of restrictions and tokens between two batches.
struct LoginCache {
    /// Whether there is known to be a restriction of a user.
    var hasRestrictions: Bool
    /// When restrictions by other processes were last looked for, in ms since 1970.
    var restrictionsReadAt = Int64.max
    /// How far the clock is ahead that dates tokens.
    var clock = TokenClock()

    init(_ connection: any SQLConnection) throws {
        hasRestrictions = try !connection.rows(
            "SELECT 1 FROM restrictions WHERE token_id NOT LIKE 'code %' LIMIT 1"
        ) { try $0.int(0) }.isEmpty
    }
}

/// The restrictions that a batch has loaded or changed.
struct LoginOverlay {
    var known: LoginCache
    var restrictions: [UserID: Restrictions] = [:]
}
