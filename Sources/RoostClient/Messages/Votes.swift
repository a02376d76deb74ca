public import RoostWire

extension ChannelHandle {
    /// Creates a vote, with one message; its id is the vote's.
    ///
    /// All devices of all members get `message.sent` with `vote`, then `vote.cast`
    /// for each ballot and `vote.closed` at the end. `VoteState.after(_:viewer:)`
    /// keeps a state up to date with these. With the same `transID` it is executed once.
    /// - Throws: `.server(.invalidContent)` for an invalid question or option; `.dataFormat` for numbers
    ///   and times outside their bounds.
    @discardableResult
    public func createVote(
        _ subject: String, _ vote: Vote, transID: TransID? = nil
    ) async throws(RoostError) -> SentMessage {
        try SentMessage(
            try await client.perform(CreateVote(channel: id, subject: subject, vote: vote), under: transID))
    }

    /// Sets this user's ballot: the indexes of the options, 0 for the first; empty to take the ballot back.
    ///
    /// The same ballot again changes nothing. With the same `transID` it
    /// is executed once.
    /// - Throws: `.server(.tooManyVotes)` for too many options, or a change that is not allowed; `.voteNotOpen` before
    ///   the vote opens and `.timeExpired` after it has closed; `.notAVote`; `.messageNotFound` if it was recalled.
    public func castVote(
        _ vote: MessageID, options: [Int], transID: TransID? = nil
    ) async throws(RoostError) {
        _ = try await client.perform(CastVote(channel: id, messageID: vote, options: options), under: transID)
    }

    /// Closes a vote at once; a closed vote stays as it is.
    /// - Throws: `.server(.noPrivilege)` unless this user created it, or is a moderator or an admin; `.notAVote`;
    ///   `.messageNotFound`.
    public func closeVote(
        _ vote: MessageID, transID: TransID? = nil
    ) async throws(RoostError) {
        _ = try await client.perform(CloseVote(channel: id, messageID: vote), under: transID)
    }

    /// A page of this channel's votes, the newest first: at most `limit` (1 to 50).
    ///
    /// `cursor` is the `next` of the previous page.
    public func votes(limit: Int = 20, cursor: String? = nil) async throws(RoostError) -> Page<VoteState> {
        try await client.page(ListVotes(channel: id, limit: limit, cursor: cursor))
    }

    /// The votes with these ids (1 to `limits.idsPerCommand`), ascending by `seq`; unreadable messages are left out.
    /// - Throws: `.server(.notAVote)` if only other messages are left; `.messageNotFound` if nothing is left.
    public func votes(_ ids: [MessageID]) async throws(RoostError) -> [VoteState] {
        try await client.perform(GetVotes(channel: id, messageIDs: ids)).votes
    }

    /// A page of the ballots, by user id: at most `limit` (1 to 100); `cursor` is the `next` of the previous page.
    /// - Throws: `.server(.noPrivilege)` for a secret vote, and for the voters of one option while the results are
    ///   hidden.
    public func ballots(
        of vote: MessageID, option: Int? = nil, limit: Int = 100, cursor: String? = nil
    ) async throws(RoostError) -> Page<Ballot> {
        try await client.page(
            ListBallots(channel: id, messageID: vote, option: option, limit: limit, cursor: cursor))
    }
}
