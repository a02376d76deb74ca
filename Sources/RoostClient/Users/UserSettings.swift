public import RoostWire

extension ChatClient {
    /// This user's own settings, which are the same on all devices.
    public func settings() async throws(RoostError) -> UserSettings { try await perform(GetUserSettings()) }

    /// Sets who may make this user a member of a group without asking first: everybody, the user's contacts, or nobody.
    ///
    /// All others invite the user, who answers with ``ChannelHandle/answerInvitation(isAccepted:transID:)``. A contact is a user with whom
    /// this user has a 1-on-1 that this user has created or written in. The user's devices get `user.settingsChanged`.
    /// With the same `transID` it is executed once.
    public func setInvites(from users: InvitesFrom, transID: TransID? = nil) async throws(RoostError) {
        _ = try await perform(SetUserSettings(invitesFrom: users), under: transID)
    }
}
