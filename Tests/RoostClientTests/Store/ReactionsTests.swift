import GRDB
import RoostWire
import Testing

@testable import RoostClient

/// Reactions in the local store: they are stored in the row of their message, and removed with it.
@Suite struct ReactionsTests {
    private let store: LocalStore
    private let message = MessageID(sentAt: 1, seq: 1, salt: 0)

    init() throws { store = try LocalStore.inMemory() }

    @discardableResult
    private func edit(_ body: @escaping @Sendable (LocalTransaction) throws -> Void) throws -> LocalChange {
        try store.database.write { db in
            let transaction = try LocalTransaction(db)
            try body(transaction)
            return try transaction.finish()
        }
    }

    private func begin() throws {
        try edit { transaction in
            try transaction.setOwner(Names.ann.userID)
            try transaction.apply(.move(.user, LogMove(from: 0, to: 0)))
            try transaction.apply(.move(.channel(Names.group), LogMove(from: 0, to: 0)))
        }
    }

    private func row(_ seq: Int64, _ reactions: MessageReactions? = nil) -> Event {
        let content = MessageContent(text: "row \(seq)")
        var message = Message(
            messageID: MessageID(sentAt: seq, seq: seq, salt: 0), content: content, senderName: "n", count: seq)
        message.reactions = reactions
        return Event(
            channel: Names.group, seq: seq, senderID: Names.ben.userID, sentAt: .init(milliseconds: seq),
            body: .channel(.messageSent(message)))
    }

    private func change(
        _ seq: Int64, _ emoji: String, _ count: Int, by user: UserID, isAdded: Bool = true
    ) -> Event {
        let change = ReactionChanged(messageID: message, seq: 1, emoji: emoji, count: count, byName: "n")
        return Event(
            channel: Names.group, seq: seq, senderID: user, sentAt: .init(milliseconds: seq),
            body: .channel(isAdded ? .reactionAdded(change) : .reactionRemoved(change)))
    }

    @discardableResult
    private func apply(_ events: Event...) throws -> LocalChange {
        try edit { transaction in for event in events { try transaction.apply(.event(.event(event, isPast: false))) } }
    }

    private func put(_ events: [Event], head: Int64) throws {
        let list = ListMessages(channel: Names.group)
        let page = ListMessages.Answer(
            events: events, hasBefore: false, hasAfter: false, seq: head, from: 1, to: head)
        let answer = try #require(StoredAnswer(.read(.listMessages(list)), page, since: 0))
        try edit { try answer.put(into: $0) }
    }

    /// The reactions that the message shows; the user's own ones are in brackets.
    private func shown() throws -> [String] {
        let row = try store.database.read { try LocalStore.row(1, in: Names.group, $0) }
        return (row?.reactions?.kinds ?? []).map { $0.isMine ? "[\($0.emoji) \($0.count)]" : "\($0.emoji) \($0.count)" }
    }

    private func kinds(_ head: Int64, _ kinds: [(String, Int)]) -> MessageReactions {
        MessageReactions(head: head, kinds: kinds.map { Reaction(emoji: $0.0, count: $0.1, isMine: false) })
    }

    @Test func `rows change the message that they refer to, and the commit reports it`() throws {
        try begin()
        try apply(row(1))
        let (ann, ben) = (Names.ann.userID, Names.ben.userID)
        let first = try apply(change(2, "👍", 1, by: ben))
        #expect(first.rows[Names.group]?.appended.compactMap(\.seq) == [2])
        #expect(first.rows[Names.group]?.rewritten.map(\.messageID) == [message])
        // The row also reports the user's own reactions from another device.
        try apply(change(3, "👍", 2, by: ann), change(4, "❤️", 1, by: ann))
        #expect(try shown() == ["[👍 2]", "[❤️ 1]"])
        try apply(change(5, "❤", 2, by: ben), change(6, "👍", 1, by: ann, isAdded: false))
        #expect(try shown() == ["👍 1", "[❤️ 2]"])
        let last = try apply(change(7, "👍", 0, by: ben, isAdded: false))
        #expect(try shown() == ["[❤️ 2]"])
        // A reaction is neither unread nor the last message.
        let record = try store.database.read { try LocalStore.record(Names.group, $0) }
        #expect(record?.position == 7)
        #expect(last.rows[Names.group]?.removed == [])
        // Reactions to unknown messages are ignored.
        try apply(change(8, "👍", 1, by: ben))
        #expect(try shown() == ["[❤️ 2]", "👍 1"])
    }

    @Test func `the newest reading wins, whichever arrives first`() throws {
        try begin()
        let ben = Names.ben.userID
        try apply(row(1), change(2, "👍", 1, by: ben), change(3, "🎉", 1, by: ben))
        // A page that was read before the second reaction.
        try put([row(1, kinds(2, [("👍", 1)])), change(2, "👍", 1, by: ben)], head: 2)
        #expect(try shown() == ["👍 1", "🎉 1"])
        // A page that is newer than the rows: they change nothing when they arrive.
        try put([row(1, kinds(5, [("🎉", 3)]))], head: 5)
        #expect(try shown() == ["🎉 3"])
        try apply(change(4, "👍", 0, by: ben, isAdded: false), change(5, "🎉", 3, by: Names.user("cid").userID))
        #expect(try shown() == ["🎉 3"])
        // A page without reactions means that there are none.
        try put([row(1)], head: 9)
        #expect(try shown() == [])
        try apply(change(6, "🎉", 2, by: ben, isAdded: false))
        #expect(try shown() == [])
    }

    @Test func `a page that was read before a reaction gets it from the rows that are here`() throws {
        try begin()
        let ben = Names.ben.userID
        try edit { try $0.apply(.move(.channel(Names.group), LogMove(from: 3, to: 3))) }
        try apply(change(4, "👍", 1, by: ben), change(5, "🎉", 1, by: ben))
        try put([row(1, kinds(3, [("👀", 1)])), row(2), row(3)], head: 3)
        #expect(try shown() == ["👀 1", "👍 1", "🎉 1"])
    }

    @Test func `recalled, deleted, purged and void messages have no reactions, and no late row gives them some`() throws
    {
        try begin()
        let ben = Names.ben.userID
        try apply(row(1), change(2, "👍", 1, by: ben))
        let recalled = RecalledMessage(messageID: message, seq: 1, senderID: ben, wasCounted: true)
        try apply(
            Event(
                channel: Names.group, seq: 3, senderID: ben, sentAt: .init(milliseconds: 3),
                body: .channel(
                    .messageRecalled(MessagesRecalled(messages: [recalled], isSilent: false, byName: "Ben")))))
        #expect(try shown() == [])
        try edit { transaction in
            let shell = try #require(try LocalStore.row(1, in: Names.group, transaction.db))
            #expect(shell.after(self.change(4, "👍", 1, by: ben), viewer: nil) == shell)
        }
        try edit { try $0.apply(.event(.reset(Reset(channel: Names.group, seq: 0, reason: .epoch)))) }
        #expect(try store.database.read { try LocalStore.rows(in: Names.group, after: 0, $0) }.isEmpty)
    }
}
