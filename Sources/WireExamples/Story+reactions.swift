import RoostWire

// Reactions: the commands with their answers, the rows, and a message that has some.
extension Story {
    /// The message with the reactions: Ann's greeting.
    private var greeted: MessageID { messageID(1, 12) }

    func reactions() throws -> [Examples.Exchange] {
        [
            try exchange(
                AddReaction(channel: pair, messageID: greeted, emoji: "👍"), id: "t-0080",
                answer: try acknowledged(pair, 17, transID: "t-0080", at: 350)),
            try exchange(
                AddReaction(channel: pair, messageID: greeted, emoji: "👍"), id: "t-0081",
                "again", answer: try acknowledged(pair, transID: "t-0081", at: 352)),
            try exchange(
                RemoveReaction(channel: pair, messageID: greeted, emoji: "👍"), id: "t-0082",
                answer: try acknowledged(pair, 20, transID: "t-0082", at: 360)),
            try exchange(
                ListReactions(channel: pair, messageID: greeted, limit: 1), id: "28",
                answer: ListReactions.Answer(
                    reactions: [
                        UserReaction(userID: ann.userID, name: ann.name, emoji: "👍", reactedAt: at(350))
                    ], next: "17")),
        ]
    }

    /// Ann's greeting, as she reads it after both have reacted.
    func reacted() throws -> Event {
        var row = try greeting()
        row.reactions = MessageReactions(
            head: 19,
            kinds: [Reaction(emoji: "👍", count: 2, isMine: true), Reaction(emoji: "❤️", count: 1, isMine: false)])
        return row
    }

    /// The row of `reacted()`, as `message.get` returns it after somebody has read it.
    func reactedAndRead() throws -> Event {
        var row = try reacted()
        row.message?.isRead = true
        return row
    }

    func reactionRows() throws -> [Examples.Notice] {
        func change(_ count: Int) -> ReactionChanged {
            ReactionChanged(messageID: greeted, seq: 1, emoji: "👍", count: count, byName: ann.name)
        }
        return [
            Examples.Notice(
                event: Event(
                    channel: pair, seq: 17, senderID: ann.userID, transID: try Self.id("t-0080"), sentAt: at(350),
                    body: .channel(.reactionAdded(change(1))))),
            Examples.Notice(
                event: Event(
                    channel: pair, seq: 20, senderID: ann.userID, transID: try Self.id("t-0082"), sentAt: at(360),
                    body: .channel(.reactionRemoved(change(1))))),
        ]
    }
}
