public import RoostWire

extension ChannelHandle {
    /// Changes the role of a member of this group, or the caller's own: to participant, moderator or admin.
    ///
    /// Admins give any of the three roles to every member, moderators the first two to
    /// participants and moderators; the last admin stays admin. `RoleRules` in
    /// RoostWire has the whole table. With the same `transID` it is executed once.
    /// - Throws: `.server(.noPrivilege)` without the right; `.userMissing` if the user is not a member;
    ///   `.noRoleToSet` for the current role, or one that cannot be given.
    public func setRole(
        _ role: Role, of user: UserID, transID: TransID? = nil
    ) async throws(RoostError) {
        _ = try await client.perform(SetMemberRole(channel: id, userID: user, role: role), under: transID)
    }
}
