public import RoostWire

extension ChatClient {
    /// Blocks a user, for this user: no messages in their 1-on-1, no new groups with this user.
    ///
    /// Nobody is told but this user's devices. Blocking again changes nothing.
    /// With the same `transID` it is executed once.
    /// - Throws: `.server(.userNotFound)` for an unknown user; `.dataFormat` for oneself; `.limitReached` beyond
    ///   `limits.blockedUsers`.
    public func block(_ user: UserID, transID: TransID? = nil) async throws(RoostError) {
        _ = try await perform(BlockUser(userID: user), under: transID)
    }

    /// Takes a block back. What was refused meanwhile is not delivered later.
    ///
    /// Nothing happens if the user is not blocked. With the same `transID` it is executed once.
    public func unblock(_ user: UserID, transID: TransID? = nil) async throws(RoostError) {
        _ = try await perform(UnblockUser(userID: user), under: transID)
    }

    /// A page of the users whom this user has blocked, by user id: at most `limit` (1 to 100).
    ///
    /// `cursor` is the `next` of the page before.
    public func blocked(
        limit: Int = 100, cursor: String? = nil
    ) async throws(RoostError) -> Page<BlockedUser> {
        try await page(ListBlockedUsers(limit: limit, cursor: cursor))
    }
}
