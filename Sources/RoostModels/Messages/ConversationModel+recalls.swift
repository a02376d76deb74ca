import RoostClient
import RoostWire

// Recalls.
extension ConversationModel {
    /// Whether the viewer may recall a message, as far as this device knows: offer it only then.
    ///
    /// One's own, while the server's time limit is not over; a moderator or admin also those of others, unless the
    /// channel forbids it. The server decides again.
    public func canRecall(_ item: TimelineItem.ID) -> Bool {
        access(keyPath: \.items)
        return messages([item]).contains(where: isRecallable)
    }

    /// Takes messages back for everybody; returns whether all that were left to recall are.
    ///
    /// What cannot be recalled, or is already, is passed over. With `isSilent` no shell is left. The items change
    /// when the server has done it; what it refused is told as ``problem``.
    @discardableResult
    public func recall(_ items: [TimelineItem.ID], isSilent: Bool = false) async -> Bool {
        let ids = messages(items).filter(isRecallable).compactMap(\.messageID)
        guard !ids.isEmpty else { return false }
        let command = RecallMessages(channel: id, messageIDs: ids, isSilent: isSilent ? true : nil)
        guard let answer = await act(command) else { return false }
        let codes = answer.results.map(\.code)
        tellFailures(codes)
        return codes.allSatisfy { $0 == 0 }
    }

    private func isRecallable(_ item: TimelineItem) -> Bool {
        guard item.kind == .message || item.kind == .announcement, !isClosed else { return false }
        let (age, overflow) = (client.serverTime ?? clock.now().milliseconds)
            .subtractingReportingOverflow(item.sentAt.milliseconds)
        return RecallRules.refusal(
            isOwn: item.isOwn, age: overflow ? .max : age, role: channel?.role ?? .none,
            profile: channel?.profile ?? ChannelProfile(), limits: client.limits) == nil
    }
}
