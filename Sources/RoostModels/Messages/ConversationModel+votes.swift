import Foundation
import RoostClient
public import RoostWire

// Votes. A vote is a message with `vote`; how it stands is asked for when its row comes, and then follows the rows.
extension ConversationModel {
    /// Votes that are asked for, or wait for their time.
    struct VoteLoads {
        fileprivate var wanted: Set<MessageID> = []
        fileprivate var isLoading = false
        fileprivate var waiting: Set<MessageID> = []

        /// Nothing is on its way any more.
        mutating func stop() {
            isLoading = false
            waiting = []
        }
    }

    /// Asks the members to vote; returns whether it was done. The list follows again, and the vote is in it.
    ///
    /// The same vote is not made twice while it is on its way, nor when its answer was lost and it is tried again.
    @discardableResult
    public func createVote(_ subject: String, _ vote: Vote) async -> Bool {
        goToNewest()
        return await act(CreateVote(channel: id, subject: subject, vote: vote), isCreating: true) != nil
    }

    /// Sets the viewer's ballot: the places of the options, 0 for the first; none to take it back.
    ///
    /// Answers whether it was done; the same ballot again changes nothing. What is no vote is passed over.
    @discardableResult
    public func castVote(_ item: TimelineItem.ID, options: [Int]) async -> Bool {
        guard let message = messages([item]).first(where: { $0.vote != nil })?.messageID else { return false }
        let isDone = await act(CastVote(channel: id, messageID: message, options: options)) != nil
        // The rows of a vote do not always say what the viewer has chosen.
        if isDone { await readVotes([message]) }
        return isDone
    }

    /// Whether the viewer may close a vote that is not over: the asker, a moderator or an admin.
    public func canCloseVote(_ item: TimelineItem.ID) -> Bool {
        access(keyPath: \.items)
        return messages([item]).contains { item in
            item.vote != nil && item.voteState?.phase != .closed
                && VoteRules.mayClose(isOwn: item.isOwn, role: channel?.role ?? .none)
        }
    }

    /// Closes a vote at once; returns whether it is closed. One that is closed stays as it is.
    @discardableResult
    public func closeVote(_ item: TimelineItem.ID) async -> Bool {
        guard let message = messages([item]).first(where: { $0.vote != nil })?.messageID else { return false }
        return await act(CloseVote(channel: id, messageID: message)) != nil
    }

    // MARK: How they stand

    /// Asks for all votes that are not over: what was missed may not have told everything.
    func readOpenVotes() { want(timeline.openVotes) }

    /// Takes over what rows tell of votes.
    func applyVotes(_ rows: LocalChange.Rows) {
        if rows.isInterrupted { readOpenVotes() }
        for event in rows.appended {
            guard let message = event.votedOn else { continue }
            guard let viewer, let state = timeline.votes[message], let new = state.after(event, viewer: viewer) else {
                if timeline.covers(message.seq) { want([message]) }
                continue
            }
            update { $0.setVote(new) }
            // The viewer has voted on another device, and the row does not say what.
            if event.senderID == viewer, event.hidesBallot { want([message]) }
        }
    }

    /// Asks how votes stand.
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
            // Rows came before this answer; they are newer, but may not say what the viewer has chosen.
            state = known
            if fetched.event.hidesBallots { state.ownOptions = fetched.ownOptions }
        }
        update { $0.setVote(state) }
        if state.phase == .waiting { waitForOpening(of: message, at: state.event.opensAt) }
    }

    /// No row tells that a vote opens: its time does.
    private func waitForOpening(of message: MessageID, at time: Date?) {
        guard let time, voteLoads.waiting.insert(message).inserted else { return }
        let now = clock.now()
        let left = time.timeIntervalSince(client.serverTime.map { Date(milliseconds: $0) } ?? now)
        // Asked too early, the server says so: not again at once.
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
    /// The votes that are here and not known to be over.
    fileprivate var openVotes: Set<MessageID> {
        Set(
            items.compactMap { item in
                item.vote != nil && item.voteState?.phase != .closed ? item.messageID : nil
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

    /// Whether it is a ballot that does not say what was chosen.
    fileprivate var hidesBallot: Bool {
        if case .channel(.voteCast(let cast)) = body { cast.options == nil } else { false }
    }

    private var vote: Vote? {
        if case .channel(.messageSent(let message)) = body { message.vote } else { nil }
    }

    /// Whether it is a vote whose ballots do not say what was chosen.
    fileprivate var hidesBallots: Bool { vote.map { $0.isSecret || $0.results == .atEnd } ?? false }

    fileprivate var opensAt: Date? { vote?.opensAt }
}
