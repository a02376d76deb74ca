public import RoostWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ChatClient {
    /// All of the user's channels of some kinds and roles, or those that changed since a time, batch by batch.
    ///
    /// Use it to keep a copy of the list. Each batch has its number and says how many
    /// there are; channels are ordered by id, so that none is missed or repeated while
    /// they change. Pass the first batch's `asOf` as `changedSince`
    /// in the next query: then the batches contain later changes, and tombstones of
    /// channels that were lost. Nothing is requested before the first batch is read,
    /// and each reader of the sequence makes its own requests.
    ///
    /// - Parameters:
    ///   - kinds: the kinds; all but open channels by default.
    ///   - roles: the user's roles; all roles of members by default; `[.invited]` for open invitations.
    ///   - changedSince: only channels that changed after this time, lost channels included.
    ///   - size: the most channels and tombstones of a batch: 1 to 100, with members 1 to 30.
    ///   - withMembers: whether each channel has up to 100 of its members.
    public func channelBatches(
        kinds: [ChannelKind]? = nil, roles: [Role]? = nil, changedSince: Date? = nil, size: Int = 30,
        withMembers: Bool = false
    ) -> ChannelBatches {
        ChannelBatches(
            client: self,
            query: QueryChannels(
                kinds: kinds, roles: roles, changedSince: changedSince, limit: size,
                withMembers: withMembers ? true : nil))
    }

    /// The groups with an open invitation for this user, at most 100.
    ///
    /// Read more of them with ``channelBatches(kinds:roles:changedSince:size:withMembers:)``.
    public func invitations() async throws(RoostError) -> [Channel] {
        try await perform(QueryChannels(roles: [.invited], limit: 100)).channels
    }
}

/// The user's channels in numbered batches, from
/// ``ChatClient/channelBatches(kinds:roles:changedSince:size:withMembers:)``.
public struct ChannelBatches: AsyncSequence, Sendable {
    /// One batch.
    public typealias Element = ChannelBatch
    /// The error that ends it early.
    public typealias Failure = RoostError
    let client: ChatClient
    let query: QueryChannels

    /// Starts with the first batch.
    public func makeAsyncIterator() -> Iterator { Iterator(client: client, next: query) }

    /// Reads one batch after the other.
    public struct Iterator: AsyncIteratorProtocol {
        /// One batch.
        public typealias Element = ChannelBatch
        /// The error that ends it early.
        public typealias Failure = RoostError
        let client: ChatClient
        var next: QueryChannels?

        /// The next batch; nil after the last one.
        /// - Throws: a refusal of the server, such as `.server(.channelTypeNotSupported)` for the kind `open`.
        public mutating func next() async throws(RoostError) -> ChannelBatch? {
            guard let query = next else { return nil }
            let batch = try await client.perform(query)
            next = query.following(batch)
            return batch
        }
    }
}

extension QueryChannels {
    /// The query for the next batch; nil after the last one, or if the server returns the same cursor again.
    func following(_ batch: ChannelBatch) -> QueryChannels? {
        guard let cursor = batch.next, cursor != self.cursor else { return nil }
        var query = self
        query.cursor = cursor
        return query
    }
}
