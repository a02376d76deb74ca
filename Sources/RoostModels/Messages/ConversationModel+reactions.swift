import RoostClient
import RoostWire

// Reactions.
extension ConversationModel {
    /// Adds the viewer's emoji to a message, or removes it; the items change when the server has confirmed it.
    ///
    /// An item that is not a message on the server is ignored. A failure sets
    /// ``problem``.
    public func toggleReaction(_ emoji: String, on item: TimelineItem.ID) async {
        guard let item = timeline.items.first(where: { $0.id == item }) else { return }
        if item.hasReaction(emoji) {
            await removeReaction(emoji, from: item.id)
        } else {
            await addReaction(emoji, to: item.id)
        }
    }

    /// Adds the viewer's emoji to a message: one character of at most 64 bytes.
    ///
    /// If it is there already, nothing changes. Otherwise like ``toggleReaction(_:on:)``.
    public func addReaction(_ emoji: String, to item: TimelineItem.ID) async {
        guard let message = messages([item]).first(where: \.takesReactions)?.messageID else { return }
        _ = await act(AddReaction(channel: id, messageID: message, emoji: emoji))
    }

    /// Removes the viewer's emoji from a message; if it is not there, nothing changes. Otherwise like
    /// ``toggleReaction(_:on:)``.
    public func removeReaction(_ emoji: String, from item: TimelineItem.ID) async {
        guard let message = messages([item]).first(where: \.takesReactions)?.messageID else { return }
        _ = await act(RemoveReaction(channel: id, messageID: message, emoji: emoji))
    }
}

extension TimelineItem {
    /// Whether the viewer has reacted with this emoji, with or without a variation selector.
    public func hasReaction(_ emoji: String) -> Bool {
        let key = ReactionRules.key(of: emoji)
        return reactions.contains { $0.isMine && ReactionRules.key(of: $0.emoji) == key }
    }
}
