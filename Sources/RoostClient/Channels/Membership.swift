public import RoostWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ChannelHandle {
    /// Accepts or declines an invitation to this group.
    ///
    /// Accepting makes the user a participant, who gets the channel's events from then
    /// on. With the same `transID` it is executed once.
    /// - Throws: `.server(.notInvited)` if the user is or was a member and has no invitation;
    ///   `.tooManyMembers` if the group is full, in which case the invitation stays.
    public func answerInvitation(
        isAccepted: Bool, transID: TransID? = nil
    ) async throws(RoostError) {
        _ = try await client.perform(AnswerInvitation(channel: id, isAccepted: isAccepted), under: transID)
    }

    /// Makes this user a participant of a group that users can join by themselves.
    ///
    /// For an open channel, use ``join()``. `joinMethod` and `byUserID`
    /// (who gave the link) are for statistics. A user who is already a member joins
    /// without effect. With the same `transID` it is executed once.
    /// - Throws: `.server(.channelNotFound)` if the group is unknown to the user and cannot be joined; `.noPrivilege`
    ///   for a user
    ///   banned, and for a former member of such a group; `.tooManyMembers`; `.channelTypeMismatch` for other kinds.
    public func becomeMember(
        joinMethod: JoinMethod? = nil, byUserID: UserID? = nil, transID: TransID? = nil
    ) async throws(RoostError) {
        _ = try await client.perform(
            BecomeMember(channel: id, joinMethod: joinMethod, byUserID: byUserID), under: transID)
    }

    /// Removes members from this group at once; an unanswered invitation is withdrawn.
    ///
    /// 1 to 100 of them, all or none; they may be invited again. Moderators
    /// remove participants, admins everybody but themselves. `reason` is an app-defined
    /// number, 0 or more. With the same `transID` it is executed once.
    /// - Throws: `.server(.nobodyToKick)` for an empty list; `.notAllMembers`; `.noPrivilege`; `.tooFewMembers`;
    ///   `.channelTypeMismatch` if it is not a group.
    public func kick(
        _ members: [UserID], reason: Int? = nil, transID: TransID? = nil
    ) async throws(RoostError) {
        _ = try await client.perform(KickMembers(channel: id, members: members, reason: reason), under: transID)
    }

    /// Bans users from this group or open channel: they are removed, and can neither join nor be invited until
    /// ``unban(_:transID:)``, or until the ban ends.
    ///
    /// 1 to 100 of them, members or not, all or none; a user who is already banned gets the new end. The end counts by
    /// the server's clock; nil is a ban that holds until it is lifted. In a group the rights are those of
    /// ``kick(_:reason:transID:)``; in an open channel it is for operators. With the same `transID` it happens once.
    /// - Throws: `.server(.nobodyToBan)` for an empty list; `.userNotFound` for an unknown user; `.noPrivilege`;
    ///   `.dataFormat` for an end that has passed; `.tooFewMembers`; `.limitReached` beyond `limits.bans`;
    ///   `.channelTypeMismatch` in a 1-on-1 and for news.
    public func ban(
        _ members: [UserID], until end: Date? = nil, reason: Int? = nil, transID: TransID? = nil
    ) async throws(RoostError) {
        let command = BanMembers(channel: id, members: members, reason: reason, bannedUntil: end)
        _ = try await client.perform(command, under: transID)
    }

    /// Lifts bans. The users do not become members, but can be invited and can join again.
    ///
    /// With the same `transID` it is executed once.
    /// - Throws: `.server(.nobodyToBan)` for an empty list; `.notBanned` if a user is not banned;
    ///   `.noPrivilege`.
    public func unban(_ members: [UserID], transID: TransID? = nil) async throws(RoostError) {
        _ = try await client.perform(UnbanMembers(channel: id, members: members), under: transID)
    }
}
