import RoostClient
import RoostWire

// Recalls.
extension ConversationModel {
    /// Whether the viewer may recall a message, as far as this device knows: offer it only then.
    ///
    /// The user's messages within the server's time limit; a moderator or admin also those of others, unless the
    /// channel forbids it. The server makes the final decision.
    public func canRecall(_ item: TimelineItem.ID) -> Bool {
        access(keyPath: \.items)
        return messages([item]).contains(where: isRecallable)
    }

    /// Recalls messages for everybody; returns whether all messages that could be recalled were recalled.
    ///
    /// Messages that cannot be recalled, or already are, are skipped. With `isSilent` no shell remains. The items
    /// change when the server has confirmed it; a refusal sets ``problem``.
    @discardableResult
    public func recall(_ items: [TimelineItem.ID], isSilent: Bool = false) async -> Bool {
        let ids = messages(items).filter(isRecallable).compactMap(\.messageID)
        guard !ids.isEmpty else { return false }
        let command = RecallMessages(channel: id, messageIDs: ids, isSilent: isSilent ? true : nil)
        guard let answer = await act(command) else { return false }
        let codes = answer.results.map(\.code)
        reportFailures(codes)
        return codes.allSatisfy { $0 == 0 }
    }

    private func isRecallable(_ item: TimelineItem) -> Bool {
        guard item.kind == .message || item.kind == .announcement, !isClosed else { return false }
        if client.isOperator { return true }
        let (age, overflow) = (client.serverTime ?? clock.now().milliseconds)
            .subtractingReportingOverflow(item.sentAt.milliseconds)
        return RecallRules.refusal(
            isOwn: item.isOwn, age: overflow ? .max : age, role: channel?.role ?? .none,
            profile: channel?.profile ?? ChannelProfile(), limits: client.limits) == nil
    }
}
