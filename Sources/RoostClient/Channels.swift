public import RoostWire

/// One channel of a client: a cheap value with the channel's verbs.
///
/// Making one does nothing. Every verb throws what the server refused as
/// `.server(…)`: an unknown channel is `.server(.channelNotFound)`.
public struct ChannelHandle: Sendable {
    let client: RoostClient
    /// The channel's id.
    public let id: ChannelID

    /// Takes part in this open channel from now on, also after reconnects.
    ///
    /// In dev mode the first join makes the channel. Joining again changes nothing.
    /// - Throws: `.server(.channelTypeMismatch)` when it is not an open channel; its members follow it anyway.
    @discardableResult
    public func join() async throws(RoostError) -> Channel {
        try await client.perform(JoinChannel(channel: id))
    }

    /// Leaves: a group for good, an open channel for this connection. A 1-on-1 cannot be left (1104).
    @discardableResult
    public func leave() async throws(RoostError) -> Acknowledgement {
        try await client.perform(LeaveChannel(channel: id))
    }

    /// Reads the channel, with up to 100 of its members and their read marks.
    public func get() async throws(RoostError) -> Channel {
        try await client.perform(GetChannel(channel: id))
    }

    /// Ends the conversation for this user: a 1-on-1 is cleared and leaves the list, a group is left.
    @discardableResult
    public func end() async throws(RoostError) -> Acknowledgement {
        try await client.perform(EndChannel(channel: id))
    }

    /// Takes the channel out of the list until its next message.
    @discardableResult
    public func hide() async throws(RoostError) -> Acknowledgement {
        try await client.perform(HideChannel(channel: id))
    }

    /// Makes known users members of this group at once.
    ///
    /// For a 1-on-1 the server makes a new group of the three; the
    /// acknowledgement names it. Who is a member already is passed over.
    @discardableResult
    public func invite(_ users: [UserID], transID: TransID? = nil) async throws(RoostError) -> Acknowledgement {
        try await client.perform(
            InviteMembers(channel: id, members: users), transID: transID ?? client.makeTransID())
    }

    /// A page of members by user id, with their read marks: at most `limit`, after the last user of the page before.
    public func members(after: UserID? = nil, limit: Int = 100) async throws(RoostError) -> ListMembers.Answer {
        try await client.perform(ListMembers(channel: id, after: after, limit: limit))
    }
}

extension RoostClient {
    /// Opens the 1-on-1 with a user: always the same channel for the same two; with oneself, the self channel.
    ///
    /// The other user sees it with the first message.
    /// - Throws: `.server(…)` when the user is unknown.
    public func startMessaging(with user: UserID) async throws(RoostError) -> Channel {
        try await create(CreateChannel(kind: .single, members: [user]), transID: makeTransID())
    }

    /// Makes a group whose admin is this user; the members join at once.
    ///
    /// Without `channel` the server chooses the id. With the same `transID` it
    /// happens once.
    public func createGroup(
        title: String? = nil, channel: ChannelID? = nil, members: [UserID], transID: TransID? = nil
    ) async throws(RoostError) -> Channel {
        try await create(
            CreateChannel(kind: .group, channel: channel, title: title, members: members),
            transID: transID ?? makeTransID())
    }

    /// Makes an open channel; only an operator may, or anybody in dev mode.
    public func createOpenChannel(
        _ channel: ChannelID? = nil, title: String? = nil, transID: TransID? = nil
    ) async throws(RoostError) -> Channel {
        try await create(
            CreateChannel(kind: .open, channel: channel, title: title), transID: transID ?? makeTransID())
    }

    /// A page of the user's channels, the newest activity first, and the total of unread messages.
    ///
    /// Open, hidden and ended ones are left out. `after` is the `next` of the
    /// page before; `limit` is 1 to 100.
    public func channels(limit: Int = 15, after: String? = nil) async throws(RoostError) -> ListChannels.Answer {
        try await perform(ListChannels(limit: limit, after: after))
    }

    /// A page of open channels by id: all, or those whose id or title contains the keyword.
    public func openChannels(
        keyword: String? = nil, limit: Int = 15, after: String? = nil
    ) async throws(RoostError) -> ListOpenChannels.Answer {
        try await perform(ListOpenChannels(keyword: keyword, limit: limit, after: after))
    }

    /// Ends all conversations of this user: each 1-on-1 is cleared, each group is left.
    @discardableResult
    public func endAll() async throws(RoostError) -> Acknowledgement { try await perform(EndChannel()) }

    /// Takes all channels out of the list until their next messages; memberships stay.
    @discardableResult
    public func hideAll() async throws(RoostError) -> Acknowledgement { try await perform(HideChannel()) }

    private func create(_ command: CreateChannel, transID: TransID) async throws(RoostError) -> Channel {
        let acknowledgement = try await perform(command, transID: transID)
        guard let id = acknowledgement.channel else {
            throw RoostError(.invalidAnswer, "The server did not say which channel it made.")
        }
        return try await channel(id).get()
    }
}
