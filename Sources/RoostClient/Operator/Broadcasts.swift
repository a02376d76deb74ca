public import RoostWire

extension ChatClient {
    /// Has the server send messages to many users, each in the 1-on-1 with the sender. For an operator.
    ///
    /// It returns at once; the server goes on by itself, also after a restart, a few
    /// users at a time. ``broadcast(_:)`` tells how far it has come. Who has blocked
    /// the sender, or cannot have one more channel, is counted and passed over. With
    /// the same `transID` it happens once.
    /// - Throws: `.server(.noPrivilege)` unless this user is an operator; `.userNotFound` for a sender whom the server does
    ///   not know; `.channelNotFound`; `.dataFormat` for a segment or messages outside their bounds; `.limitReached`
    ///   beyond `limits.broadcasts`; what a send would throw of its content.
    @discardableResult
    public func broadcast(
        _ messages: [MessageContent], from sender: UserID, to segment: BroadcastSegment, transID: TransID? = nil
    ) async throws(RoostError) -> Broadcast {
        let command = CreateBroadcast(senderID: sender, messages: messages, segment: segment)
        return try await perform(command, under: transID).broadcast
    }

    /// A broadcast, and how far it has come. For an operator.
    /// - Throws: `.server(.broadcastNotFound)` when there is none; `.noPrivilege`.
    public func broadcast(_ id: BroadcastID) async throws(RoostError) -> Broadcast {
        try await perform(GetBroadcast(broadcastID: id))
    }

    /// A page of the broadcasts of all operators: at most `limit` (1 to 100), the newest first. For an operator.
    ///
    /// For the next page give the `next` of this one as `cursor`.
    /// - Throws: `.server(.noPrivilege)`.
    public func broadcasts(
        limit: Int = 50, cursor: String? = nil
    ) async throws(RoostError) -> Page<Broadcast> {
        try await page(ListBroadcasts(limit: limit, cursor: cursor))
    }

    /// Pauses a broadcast; nothing of it is sent until it is resumed. Nothing happens if it is paused. For operators.
    /// - Throws: `.server(.broadcastNotFound)` when there is none; `.broadcastFinished` when it is done or cancelled;
    ///   `.noPrivilege`.
    @discardableResult
    public func pauseBroadcast(
        _ id: BroadcastID, transID: TransID? = nil
    ) async throws(RoostError) -> Broadcast {
        try await perform(PauseBroadcast(broadcastID: id), under: transID).broadcast
    }

    /// Resumes a paused broadcast where it was. Nothing happens if it runs. For operators.
    /// - Throws: as ``pauseBroadcast(_:transID:)``.
    @discardableResult
    public func resumeBroadcast(
        _ id: BroadcastID, transID: TransID? = nil
    ) async throws(RoostError) -> Broadcast {
        try await perform(ResumeBroadcast(broadcastID: id), under: transID).broadcast
    }

    /// Stops a broadcast for good; what was sent stays. One that is cancelled stays so. For an operator.
    /// - Throws: `.server(.broadcastNotFound)` when there is none; `.broadcastFinished` when it is done; `.noPrivilege`.
    @discardableResult
    public func cancelBroadcast(
        _ id: BroadcastID, transID: TransID? = nil
    ) async throws(RoostError) -> Broadcast {
        try await perform(CancelBroadcast(broadcastID: id), under: transID).broadcast
    }
}
