public import RoostWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ChatClient {
    /// All of the user's channels of some kinds and own roles, or those that changed since a moment, batch by batch.
    ///
    /// For keeping a copy of the list. Each batch has its number and says how many
    /// there are; channels come by id, so that none is missed or doubled while
    /// they change. Give the first batch's `asOf` as `changedSince` (ms since 1970)
    /// the next time: then the batches hold what changed since, and tombstones of
    /// channels that were lost. Nothing is asked before the first batch is read,
    /// and each reader of the sequence asks anew.
    ///
    /// - Parameters:
    ///   - kinds: absent for all but open channels.
    ///   - roles: absent for channels of which the user is a member; `[.invited]` for open invitations.
    ///   - changedSince: only what has changed after this time, lost channels included.
    ///   - size: the most channels and tombstones of a batch: 1 to 100, with members 1 to 30.
    ///   - withMembers: whether each channel comes with up to 100 of its members.
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

    /// The groups that ask this user to become a member and have no answer yet, at most 100.
    ///
    /// More of them are found with ``channelBatches(kinds:roles:changedSince:size:withMembers:)``.
    public func invitations() async throws(RoostError) -> [Channel] {
        try await perform(QueryChannels(roles: [.invited], limit: 100)).channels
    }
}

/// The user's channels in numbered batches, from ``ChatClient/channelBatches(kinds:roles:changedSince:size:withMembers:)``.
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
        /// - Throws: what the server refuses, as `.server(.channelTypeNotSupported)` for the kind `open`.
        public mutating func next() async throws(RoostError) -> ChannelBatch? {
            guard let query = next else { return nil }
            let batch = try await client.perform(query)
            next = query.following(batch)
            return batch
        }
    }
}

extension QueryChannels {
    /// The query for the batch after this one; nothing after the last one, or when the server does not get any further.
    func following(_ batch: ChannelBatch) -> QueryChannels? {
        guard let cursor = batch.next, cursor != self.cursor else { return nil }
        var query = self
        query.cursor = cursor
        return query
    }
}
