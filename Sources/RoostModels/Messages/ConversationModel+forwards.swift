import RoostClient
public import RoostWire

// Forwards.
extension ConversationModel {
    /// Whether a message can be passed on: all but votes, notices, calls, and what is not sent or was recalled.
    public func canForward(_ item: TimelineItem.ID) -> Bool {
        access(keyPath: \.items)
        return messages([item]).contains(where: isForwardable)
    }

    /// Copies messages to other channels, in the order of the conversation; answers with one result per pair.
    ///
    /// For the first channel all messages, then for the next; a result with a code other than 0 tells why that copy
    /// was not made, and ``problem`` how many. What cannot be forwarded is passed over. Empty when nothing happened,
    /// and while the same messages are on their way to the same channels. At most 100 messages, and 2,000 pairs.
    @discardableResult
    public func forward(_ items: [TimelineItem.ID], to channels: [ChannelID]) async -> [PairResult] {
        let ids = messages(items).filter(isForwardable).compactMap(\.messageID)
        guard !ids.isEmpty, !channels.isEmpty else { return [] }
        let command = ForwardMessages(channel: id, messageIDs: ids, channels: channels)
        guard let answer = await act(command, isCreating: true) else { return [] }
        tellFailures(answer.results.map(\.code))
        return answer.results
    }

    private func isForwardable(_ item: TimelineItem) -> Bool {
        guard let message = item.messageID, let row = timeline.row(of: message) else { return false }
        return (try? ForwardRules.content(of: row)) != nil
    }
}
