public import RoostWire

extension ChannelHandle {
    /// Makes known users participants of this group at once.
    ///
    /// For a 1-on-1 the server creates a new group of the three, whose
    /// id is returned; otherwise it is this channel's. A user who is already a member is skipped; if
    /// no user is left, nothing is written.
    /// Either all users are added or none. With the same `transID` it is executed once.
    /// - Throws: `.server(.userMissing)` for an unknown user; `.noPrivilege` for a banned user; `.blocked` if
    ///   one of the users has blocked this user; `.tooManyMembers`; `.channelTypeMismatch` for an open channel.
    @discardableResult
    public func invite(_ users: [UserID], transID: TransID? = nil) async throws(RoostError) -> ChannelID {
        try await invite(users.map { NewMember($0) }, transID: transID)
    }

    /// Makes known users members of this group with the roles, nicknames and pictures that are given.
    ///
    /// 1 to 100 users. A user with the role `invited` is asked first: the answer is
    /// ``answerInvitation(isAccepted:transID:)``. No role may be above the caller's.
    /// `joinMethod` is for statistics. Otherwise it is the same as for plain
    /// ids.
    /// - Throws: the same errors, and `.server(.noPrivilege)` for a role above the caller's.
    @discardableResult
    public func invite(
        _ members: [NewMember], joinMethod: JoinMethod? = nil, transID: TransID? = nil
    ) async throws(RoostError) -> ChannelID {
        try await client.perform(
            InviteMembers(channel: id, members: members, joinMethod: joinMethod), under: transID
        ).channel ?? id
    }

    /// A page of members by user id, with their read marks: at most `limit` (1 to 500).
    ///
    /// `cursor` is the `next` of the previous page.
    ///
    /// Moderators and admins may ask for the `roles` `invited` and `outcast` too;
    /// participants do not see those.
    /// - Throws: `.server(.channelTypeMismatch)` for an open channel, which has no members.
    public func members(
        roles: [Role]? = nil, limit: Int = 100, cursor: String? = nil
    ) async throws(RoostError) -> Page<Member> {
        try await client.page(ListMembers(channel: id, limit: limit, cursor: cursor, roles: roles))
    }
}
