import RoostClient
public import RoostWire

// Forwards.
extension ConversationModel {
    /// Whether a message can be forwarded: all except votes, notices, calls, and messages that are unsent or recalled.
    public func canForward(_ item: TimelineItem.ID) -> Bool {
        access(keyPath: \.items)
        return messages([item]).contains(where: isForwardable)
    }

    /// Forwards messages to other channels, in the order of the conversation; returns one result per pair.
    ///
    /// The results are those of all messages for the first channel, then for the next; a code other than 0 says why
    /// that copy was not made, and ``problem`` how many were not. Messages that cannot be forwarded are skipped. Empty
    /// if nothing was sent, or the same messages are being forwarded to the same channels. At most 100 messages and
    /// 2,000 pairs.
    @discardableResult
    public func forward(_ items: [TimelineItem.ID], to channels: [ChannelID]) async -> [PairResult] {
        let ids = messages(items).filter(isForwardable).compactMap(\.messageID)
        guard !ids.isEmpty, !channels.isEmpty else { return [] }
        let command = ForwardMessages(channel: id, messageIDs: ids, channels: channels)
        guard let answer = await act(command, isCreating: true) else { return [] }
        reportFailures(answer.results.map(\.code))
        return answer.results
    }

    private func isForwardable(_ item: TimelineItem) -> Bool {
        guard let message = item.messageID, let row = timeline.row(of: message) else { return false }
        return (try? ForwardRules.content(of: row)) != nil
    }
}
