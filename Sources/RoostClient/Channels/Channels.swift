public import RoostWire

/// One channel of a client: a cheap value with the channel's methods.
///
/// Creating one has no effect. Every method throws a refusal of the server as
/// `.server(…)`: an unknown channel is `.server(.channelNotFound)`.
public struct ChannelHandle: Sendable {
    package let client: ChatClient
    /// The channel's id.
    public let id: ChannelID

    /// Joins this open channel, also after reconnects.
    ///
    /// In dev mode the first join creates the channel. Joining again changes nothing.
    /// - Throws: `.server(.channelTypeMismatch)` if it is not an open channel; members get the events of other channels
    ///   anyway.
    @discardableResult
    public func join() async throws(RoostError) -> Channel {
        try await client.perform(JoinChannel(channel: id))
    }

    /// Leaves a group permanently, or an open channel with this connection.
    ///
    /// If other members remain, the last admin of a group has to name a `successor`, who
    /// becomes admin. A group that its only member leaves is dismissed. With the same
    /// `transID` it is executed once.
    /// - Throws: `.server(.channelTypeMismatch)` for a 1-on-1; `.noPrivilege` for the last admin without a successor;
    ///   `.userMissing` if the successor is not a member; `.tooFewMembers`.
    public func leave(
        successor: UserID? = nil, transID: TransID? = nil
    ) async throws(RoostError) {
        _ = try await client.perform(LeaveChannel(channel: id, successor: successor), under: transID)
    }

    /// Reads the channel, by default with up to 100 of its members and their read marks.
    public func get(withMembers: Bool = true) async throws(RoostError) -> Channel {
        try await client.perform(GetChannel(channel: id, withMembers: withMembers ? nil : false))
    }

    /// Ends the conversation for this user: a 1-on-1 is cleared and removed from the list, a group is left.
    ///
    /// With the same `transID` it is executed once.
    public func end(transID: TransID? = nil) async throws(RoostError) {
        _ = try await client.perform(EndChannel(channel: id), under: transID)
    }

    /// Hides the channel until its next message; membership and history stay.
    ///
    /// With the same `transID` it is executed once.
    public func hide(transID: TransID? = nil) async throws(RoostError) {
        _ = try await client.perform(HideChannel(channel: id), under: transID)
    }

    /// Dismisses this group for everybody; its id is never used again.
    ///
    /// All members get `channel.dismissed`, and the channel does not exist any
    /// more. With the same `transID` it is executed once.
    /// - Throws: `.server(.noPrivilege)` for everybody but an admin; `.channelTypeMismatch` if it is not a group.
    public func dismiss(transID: TransID? = nil) async throws(RoostError) {
        _ = try await client.perform(DismissChannel(channel: id), under: transID)
    }
}

extension ChatClient {
    /// Opens the 1-on-1 with a user: always the same channel for the same two users; with oneself, the self channel.
    ///
    /// The other user sees it with the first message.
    /// - Throws: `.server(…)` if the user is unknown.
    public func startMessaging(with user: UserID) async throws(RoostError) -> Channel {
        try await create(CreateChannel(kind: .single, members: [user]), transID: makeTransID())
    }

    /// Creates a group whose admin is this user; the members join at once as participants.
    ///
    /// Without `channel` the server chooses the id. With the same `transID` it
    /// is executed once.
    public func createGroup(
        title: String? = nil, channel: ChannelID? = nil, members: [UserID], transID: TransID? = nil
    ) async throws(RoostError) -> Channel {
        try await createGroup(
            title: title, channel: channel, members: members.map { NewMember($0) }, profile: nil, transID: transID)
    }

    /// Creates a group whose admin is this user, of members with roles, nicknames and pictures.
    ///
    /// A user with the role `invited` is asked first, and is not a member before accepting; so is a user whose settings say
    /// so, with whatever role. Without `channel` the server chooses the id; `profile` has further
    /// settings, without a title. With the same `transID` it is executed once.
    /// - Throws: `.server(.channelIDFormat)` or `.channelIDExists` for the id; `.userMissing` for an unknown user;
    ///   `.blocked` if one of the users has blocked this user; `.tooManyMembers`, `.tooFewMembers`; `.tooManyChannels`
    ///   if one of them is in too many.
    public func createGroup(
        title: String? = nil, channel: ChannelID? = nil, members: [NewMember], profile: ChannelProfile? = nil,
        transID: TransID? = nil
    ) async throws(RoostError) -> Channel {
        try await create(
            CreateChannel(kind: .group, channel: channel, title: title, members: members, profile: profile),
            transID: transID ?? makeTransID())
    }

    /// Creates an open channel; only an operator may, or anybody in dev mode.
    public func createOpenChannel(
        _ channel: ChannelID? = nil, title: String? = nil, transID: TransID? = nil
    ) async throws(RoostError) -> Channel {
        try await create(
            CreateChannel(kind: .open, channel: channel, title: title), transID: transID ?? makeTransID())
    }

    /// A page of the user's channels, the newest activity first.
    ///
    /// Open, hidden and ended ones are excluded. `cursor` is the `next` of the
    /// previous page; `limit` is 1 to 100.
    public func channels(limit: Int = 15, cursor: String? = nil) async throws(RoostError) -> Page<Channel> {
        try await page(ListChannels(limit: limit, cursor: cursor))
    }

    /// A page of open channels by id: all, or those whose id or title contains the keyword.
    public func openChannels(
        keyword: String? = nil, limit: Int = 15, cursor: String? = nil
    ) async throws(RoostError) -> Page<Channel> {
        try await page(ListOpenChannels(keyword: keyword, limit: limit, cursor: cursor))
    }

    /// Ends all conversations of this user: each 1-on-1 is cleared, each group is left.
    ///
    /// A group that cannot be left is hidden and cleared instead. With the same
    /// `transID` it happens once.
    public func endAll(transID: TransID? = nil) async throws(RoostError) {
        _ = try await perform(EndChannel(), under: transID)
    }

    /// Hides all channels until their next messages; memberships stay.
    ///
    /// With the same `transID` it is executed once.
    public func hideAll(transID: TransID? = nil) async throws(RoostError) {
        _ = try await perform(HideChannel(), under: transID)
    }

    private func create(_ command: CreateChannel, transID: TransID) async throws(RoostError) -> Channel {
        let acknowledgement = try await perform(command, transID: transID)
        guard let id = acknowledgement.channel else {
            throw RoostError(.invalidAnswer, "The server did not say which channel it made.")
        }
        return try await channel(id).get()
    }
}
