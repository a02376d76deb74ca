public import RoostWire

extension ChannelHandle {
    /// Pins a message, for everybody in the channel; if it is pinned already, nothing changes.
    ///
    /// Otherwise everybody in the channel gets `pin.added`. With the same `transID` it is executed once.
    /// - Throws: `.server(.noPrivilege)` if only moderators may pin, and in open channels if this user is no operator;
    ///   `.limitReached` beyond `limits.pins`; `.messageNotFound` if it may not be read or was recalled;
    ///   `.channelTypeMismatch` for news; `.blocked`.
    public func pin(_ message: MessageID, transID: TransID? = nil) async throws(RoostError) {
        _ = try await client.perform(AddPin(channel: id, messageID: message), under: transID)
    }

    /// Takes down a pinned message, whoever pinned it; if it is not pinned, nothing changes.
    ///
    /// Otherwise everybody in the channel gets `pin.removed`. With the same `transID` it is executed once.
    /// - Throws: as ``pin(_:transID:)``.
    public func unpin(_ message: MessageID, transID: TransID? = nil) async throws(RoostError) {
        _ = try await client.perform(RemovePin(channel: id, messageID: message), under: transID)
    }

    /// The pinned messages that this user may read, the one that was pinned last first; at most `limits.pins`.
    ///
    /// They are read from the server and not stored. Read them again after `pin.added` and `pin.removed` above `head`, and
    /// when a pinned message is recalled, purged or deleted.
    /// - Throws: `.server(.channelTypeMismatch)` for news; `.channelNotFound`, `.notMember`.
    public func pins() async throws(RoostError) -> ListPins.Answer { try await client.perform(ListPins(channel: id)) }
}
