public import RoostWire

extension ChatClient {
    /// Sends messages to many users, each in the 1-on-1 with the sender. For operators.
    ///
    /// It returns at once; the server sends to a few users at a time, and continues after
    /// a restart. ``broadcast(_:)`` returns the progress. Users who have blocked
    /// the sender, or cannot have another channel, are counted and skipped. With
    /// the same `transID` it happens once.
    /// - Throws: `.server(.noPrivilege)` unless this user is an operator; `.userNotFound` for a sender whom the server
    ///   does not know; `.channelNotFound`; `.dataFormat` for a segment or messages outside their bounds;
    ///   `.limitReached` beyond `limits.broadcasts`; the errors of a send for its content.
    @discardableResult
    public func broadcast(
        _ messages: [MessageContent], from sender: UserID, to segment: BroadcastSegment, transID: TransID? = nil
    ) async throws(RoostError) -> Broadcast {
        let command = CreateBroadcast(senderID: sender, messages: messages, segment: segment)
        return try await perform(command, under: transID).broadcast
    }

    /// A broadcast and its progress. For operators.
    /// - Throws: `.server(.broadcastNotFound)` if there is none; `.noPrivilege`.
    public func broadcast(_ id: BroadcastID) async throws(RoostError) -> Broadcast {
        try await perform(GetBroadcast(broadcastID: id))
    }

    /// A page of the broadcasts of all operators: at most `limit` (1 to 100), the newest first. For operators.
    ///
    /// For the next page pass the `next` of this one as `cursor`.
    /// - Throws: `.server(.noPrivilege)`.
    public func broadcasts(
        limit: Int = 50, cursor: String? = nil
    ) async throws(RoostError) -> Page<Broadcast> {
        try await page(ListBroadcasts(limit: limit, cursor: cursor))
    }

    /// Pauses a broadcast; nothing of it is sent until it is resumed. A paused broadcast stays paused. For operators.
    /// - Throws: `.server(.broadcastNotFound)` if there is none; `.broadcastFinished` if it is done or cancelled;
    ///   `.noPrivilege`.
    @discardableResult
    public func pauseBroadcast(
        _ id: BroadcastID, transID: TransID? = nil
    ) async throws(RoostError) -> Broadcast {
        try await perform(PauseBroadcast(broadcastID: id), under: transID).broadcast
    }

    /// Resumes a paused broadcast where it stopped. A running broadcast keeps running. For operators.
    /// - Throws: as ``pauseBroadcast(_:transID:)``.
    @discardableResult
    public func resumeBroadcast(
        _ id: BroadcastID, transID: TransID? = nil
    ) async throws(RoostError) -> Broadcast {
        try await perform(ResumeBroadcast(broadcastID: id), under: transID).broadcast
    }

    /// Cancels a broadcast; what was sent stays. A cancelled broadcast stays cancelled. For operators.
    /// - Throws: `.server(.broadcastNotFound)` if there is none; `.broadcastFinished` if it is done; `.noPrivilege`.
    @discardableResult
    public func cancelBroadcast(
        _ id: BroadcastID, transID: TransID? = nil
    ) async throws(RoostError) -> Broadcast {
        try await perform(CancelBroadcast(broadcastID: id), under: transID).broadcast
    }
}
