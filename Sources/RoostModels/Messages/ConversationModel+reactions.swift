import RoostClient
import RoostWire

// Reactions.
extension ConversationModel {
    /// Puts the viewer's emoji on a message, or takes it away where it is; the items change when the server has done it.
    ///
    /// What is no message yet, or not any more, is passed over. A failure is told
    /// as ``problem``.
    public func toggleReaction(_ emoji: String, on item: TimelineItem.ID) async {
        guard let item = timeline.items.first(where: { $0.id == item }) else { return }
        if item.hasReaction(emoji) {
            await removeReaction(emoji, from: item.id)
        } else {
            await addReaction(emoji, to: item.id)
        }
    }

    /// Puts the viewer's emoji on a message: one character of at most 64 bytes.
    ///
    /// One that is there already changes nothing. Else as ``toggleReaction(_:on:)``.
    public func addReaction(_ emoji: String, to item: TimelineItem.ID) async {
        guard let message = messages([item]).first(where: \.takesReactions)?.messageID else { return }
        _ = await act(AddReaction(channel: id, messageID: message, emoji: emoji))
    }

    /// Takes the viewer's emoji from a message; one that is not there changes nothing. Else as ``toggleReaction(_:on:)``.
    public func removeReaction(_ emoji: String, from item: TimelineItem.ID) async {
        guard let message = messages([item]).first(where: \.takesReactions)?.messageID else { return }
        _ = await act(RemoveReaction(channel: id, messageID: message, emoji: emoji))
    }
}

extension TimelineItem {
    /// Whether the viewer has put this emoji on it; with or without a variation selector it is the same.
    public func hasReaction(_ emoji: String) -> Bool {
        let key = ReactionRules.key(of: emoji)
        return reactions.contains { $0.isMine && ReactionRules.key(of: $0.emoji) == key }
    }
}
