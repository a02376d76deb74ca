public import RoostWire

extension ChatClient {
    /// The names and pictures of 1 to 100 users, ordered by id; unknown ones are left out.
    public func users(_ ids: [UserID]) async throws(RoostError) -> [User] {
        try await perform(GetUsers(userIDs: ids)).users
    }
}
