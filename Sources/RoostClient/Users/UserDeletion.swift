public import RoostWire

extension ChatClient {
    /// Deletes this user from the server, then disconnects and deletes what is stored on this device.
    ///
    /// Nobody can use the id again. Others see the user under another name, and the messages stay or go as the server's
    /// policy says; see `DeleteUser`. Other devices of the user are disconnected with `.userDeleted`: call ``clean()``
    /// there.
    /// With the same `transID` it is executed once.
    /// - Throws: what the server answers, or `storeFailed` if the user is deleted and the local data is not.
    public func deleteUser(transID: TransID? = nil) async throws(RoostError) {
        _ = try await perform(DeleteUser(), under: transID)
        try await clean()
    }

    /// Deletes another user from the server; for operators.
    ///
    /// With the same `transID` it is executed once. The messages are deleted too if `deletesMessages` says so; if it is nil,
    /// the server's policy counts.
    /// - Throws: `.noPrivilege` if the caller is no operator, `.userNotFound` if there is no such user.
    public func deleteUser(
        _ user: UserID, deletesMessages: Bool? = nil, transID: TransID? = nil
    ) async throws(RoostError) {
        _ = try await perform(DeleteUser(userID: user, deletesMessages: deletesMessages), under: transID)
    }
}
