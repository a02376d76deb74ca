public import RoostWire

extension ChatClient {
    /// Blocks a user: no messages in the 1-on-1, and no new groups with this user.
    ///
    /// Only this user's devices are notified. Blocking again changes nothing.
    /// With the same `transID` it is executed once.
    /// - Throws: `.server(.userNotFound)` for an unknown user; `.dataFormat` for the user's own id; `.limitReached`
    ///   beyond `limits.blockedUsers`.
    public func block(_ user: UserID, transID: TransID? = nil) async throws(RoostError) {
        _ = try await perform(BlockUser(userID: user), under: transID)
    }

    /// Unblocks a user. What was refused meanwhile is not delivered later.
    ///
    /// Nothing happens if the user is not blocked. With the same `transID` it is executed once.
    public func unblock(_ user: UserID, transID: TransID? = nil) async throws(RoostError) {
        _ = try await perform(UnblockUser(userID: user), under: transID)
    }

    /// A page of the users whom this user has blocked, by user id: at most `limit` (1 to 100).
    ///
    /// `cursor` is the `next` of the previous page.
    public func blocked(
        limit: Int = 100, cursor: String? = nil
    ) async throws(RoostError) -> Page<BlockedUser> {
        try await page(ListBlockedUsers(limit: limit, cursor: cursor))
    }
}
