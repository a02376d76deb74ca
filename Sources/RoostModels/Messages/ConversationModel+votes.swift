import Foundation
import RoostClient
public import RoostWire

// Votes. A vote is a message with `vote`; its state is requested when its row arrives, and updated with later rows.
extension ConversationModel {
    /// Votes that are requested, or wait for their time.
    struct VoteLoads {
        fileprivate var wanted: Set<MessageID> = []
        fileprivate var isLoading = false
        fileprivate var waiting: Set<MessageID> = []

        /// Clears the pending requests.
        mutating func stop() {
            isLoading = false
            waiting = []
        }
    }

    /// Creates a vote; returns whether it was created. The list follows again, with the vote at its end.
    ///
    /// The same vote is not created twice while it is being created, nor if it is tried again after its answer was
    /// lost.
    @discardableResult
    public func createVote(_ subject: String, _ vote: Vote) async -> Bool {
        goToNewest()
        return await act(CreateVote(channel: id, subject: subject, vote: vote), isCreating: true) != nil
    }

    /// Sets the viewer's ballot: the indexes of the options, 0 for the first; empty to take the ballot back.
    ///
    /// Returns whether it was set; the same ballot again changes nothing. A message that is not a vote is ignored.
    @discardableResult
    public func castVote(_ item: TimelineItem.ID, options: [Int]) async -> Bool {
        guard let message = messages([item]).first(where: { $0.content?.vote != nil })?.messageID else { return false }
        let isDone = await act(CastVote(channel: id, messageID: message, options: options)) != nil
        // The rows of a vote do not always contain the viewer's choice.
        if isDone { await readVotes([message]) }
        return isDone
    }

    /// Whether the viewer may close a vote that is not closed: its sender, a moderator or an admin.
    public func canCloseVote(_ item: TimelineItem.ID) -> Bool {
        access(keyPath: \.items)
        return messages([item]).contains { item in
            item.isOpenVote
                && VoteRules.mayClose(isOwn: item.isOwn, role: channel?.role ?? .none)
        }
    }

    /// Closes a vote at once; returns whether it is closed. A closed vote stays as it is.
    @discardableResult
    public func closeVote(_ item: TimelineItem.ID) async -> Bool {
        guard let message = messages([item]).first(where: { $0.content?.vote != nil })?.messageID else { return false }
        return await act(CloseVote(channel: id, messageID: message)) != nil
    }

    // MARK: State of votes

    /// Requests the state of all votes that are not closed: missed rows may not contain all changes.
    func readOpenVotes() { want(timeline.openVotes) }

    /// Updates the votes with rows.
    func applyVotes(_ rows: LocalChange.Rows) {
        if rows.isInterrupted { readOpenVotes() }
        for event in rows.appended {
            guard let message = event.votedOn else { continue }
            guard let viewer, let state = timeline.votes[message], let new = state.after(event, viewer: viewer) else {
                if timeline.covers(message.seq) { want([message]) }
                continue
            }
            update { $0.setVote(new) }
            // The viewer has voted on another device, and the row does not contain the choice.
            if event.senderID == viewer, event.hidesBallot { want([message]) }
        }
    }

    /// Requests the state of votes.
    func want(_ votes: Set<MessageID>) {
        guard !votes.isEmpty else { return }
        voteLoads.wanted.formUnion(votes)
        life.run { [weak self] in await self?.readVotes([]) }
    }

    private func readVotes(_ more: Set<MessageID>) async {
        voteLoads.wanted.formUnion(more)
        guard !voteLoads.isLoading, connection == .live else { return }
        voteLoads.isLoading = true
        defer { voteLoads.isLoading = false }
        var most = min(50, max(1, client.limits.idsPerCommand))
        while !voteLoads.wanted.isEmpty, !Task.isCancelled {
            let ids = Array(voteLoads.wanted.sorted().suffix(most))
            voteLoads.wanted.subtract(ids)
            do {
                for state in try await client.perform(GetVotes(channel: id, messageIDs: ids)).votes { show(state) }
            } catch {
                switch error.code {
                // All of them were recalled meanwhile.
                case .server(.messageNotFound), .server(.notAVote): continue
                case .server(.tooLarge) where most > 1: most = ids.count / 2
                default:
                    voteLoads.wanted.formUnion(ids)
                    if !error.isRetryable { fail(error) }
                    return
                }
                voteLoads.wanted.formUnion(ids)
            }
        }
    }

    private func show(_ fetched: VoteState) {
        guard let message = fetched.event.messageID else { return }
        var state = fetched
        if let known = timeline.votes[message], known.revision > fetched.revision {
            // Rows that arrived before this answer are newer, but may not contain the viewer's choice.
            state = known
            if fetched.event.hidesBallots { state.ownOptions = fetched.ownOptions }
        }
        update { $0.setVote(state) }
        if state.phase == .waiting { waitForOpening(of: message, at: state.event.opensAt) }
    }

    /// No row reports that a vote opens, so its state is requested at that time.
    private func waitForOpening(of message: MessageID, at time: Date?) {
        guard let time, voteLoads.waiting.insert(message).inserted else { return }
        let now = clock.now()
        let left = time.timeIntervalSince(client.serverTime.map { Date(milliseconds: $0) } ?? now)
        // If the server says that it is too early, it is not requested again at once.
        let until = now.addingTimeInterval(max(left, 1))
        let clock = clock
        life.run { [weak self] in
            do { try await clock.sleep(until) } catch { return }
            self?.voteLoads.waiting.remove(message)
            self?.want([message])
        }
    }
}

extension Timeline {
    /// The loaded votes that are not known to be closed.
    fileprivate var openVotes: Set<MessageID> {
        Set(
            items.compactMap { item in
                item.isOpenVote ? item.messageID : nil
            })
    }
}

extension Event {
    /// The vote that this row is about.
    fileprivate var votedOn: MessageID? {
        switch body {
        case .channel(.voteCast(let cast)): cast.messageID
        case .channel(.voteClosed(let closed)): closed.messageID
        default: nil
        }
    }

    /// Whether it is a ballot without its options.
    fileprivate var hidesBallot: Bool {
        if case .channel(.voteCast(let cast)) = body { cast.options == nil } else { false }
    }

    private var vote: Vote? {
        message?.vote
    }

    /// Whether it is a vote whose ballots do not contain their options.
    fileprivate var hidesBallots: Bool { vote.map { $0.isSecret || $0.results == .atEnd } ?? false }

    fileprivate var opensAt: Date? { vote?.opensAt }
}
