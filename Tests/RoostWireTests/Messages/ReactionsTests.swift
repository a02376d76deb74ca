import RoostWire
import Testing

@Suite struct ReactionsTests {
    private func code(_ emoji: String) -> ErrorCode? {
        do {
            try ReactionRules.check(emoji)
            return nil
        } catch {
            return error.entry
        }
    }

    @Test func `one emoji of any kind is an emoji, also one that is newer than the tables of this version`() {
        for emoji in [
            "👍", "❤", "❤️", "👍🏽", "👨‍👩‍👧‍👦", "🇩🇪", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "1️⃣", "#\u{20E3}",
            "🏳️‍🌈", "👩🏽‍❤️‍💋‍👨🏿", "©", "™", "☺", "㊗️", "🀄", "🃏", "♥", "\u{1FAE9}", "\u{1FAFF}",
        ] {
            #expect(code(emoji) == nil, "\(emoji.debugDescription)")
        }
    }

    @Test func `everything else is 6`() {
        for emoji in [
            "", " ", "\n", "\r\n", "\t", "\u{0}", "\u{7F}", "\u{85}", "a\u{0}", "\u{A0}", "\u{3000}", "\u{2028}", "👍👍",
            "ab", "a", "<", "1", "#", "*", "ß", "é", "e\u{301}", "語", "+", "한", "\u{E000}", "\u{2800}", "\u{3164}",
            "\u{AD}",
            "👍 ", "🇩🇪🇫🇷", "\u{301}", "\u{FE0F}", "\u{200D}", "\u{20E3}", "\u{200B}", "\u{202E}", "\u{FEFF}", "\u{E0067}",
            "a" + String(repeating: "\u{301}", count: 32), String(repeating: "👍", count: 1_000_000),
        ] {
            #expect(code(emoji) == .dataFormat, "\(emoji.prefix(9).debugDescription)")
        }
    }

    @Test func `two spellings are one emoji if they only differ in U+FE0F`() {
        let same = [("❤️", "❤"), ("1️⃣", "1\u{20E3}"), ("🏳️‍🌈", "🏳‍🌈"), ("👍", "👍")]
        for (one, other) in same { #expect(ReactionRules.key(of: one) == ReactionRules.key(of: other), "\(one)") }
        let different = [("👍", "👍🏽"), ("é", "e\u{301}"), ("❤\u{FE0E}", "❤"), ("a", "A"), ("🇩🇪", "🇩")]
        for (one, other) in different {
            #expect(ReactionRules.key(of: one) != ReactionRules.key(of: other), "\(one)")
        }
        #expect(ReactionRules.key(of: "❤️") == Array("❤".utf8))
    }

    private func message(_ reactions: MessageReactions? = nil) throws -> Event {
        var message = Message(
            messageID: MessageID(sentAt: 1, seq: 1, salt: 0), content: MessageContent(text: "x"), senderName: "Ann",
            count: 1)
        message.reactions = reactions
        return Event(
            channel: ChannelID(rawValue: "c"), seq: 1, sentAt: .init(milliseconds: 1),
            body: .channel(.messageSent(message)))
    }

    @Test func `a message without reactions travels as it always did, one with some is read back`() throws {
        let plain = try WireCodec.encode(try message())
        #expect(!String(decoding: plain, as: UTF8.self).contains("reactions"))
        let reactions = MessageReactions(head: 7, kinds: [Reaction(emoji: "❤️", count: 2, isMine: true)])
        let bytes = try WireCodec.encode(try message(reactions))
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""reactions":{"head":7,"kinds":[{"count":2,"#))
        #expect(try WireCodec.decodeEvent(bytes) == (try message(reactions)))
        // Behind everything else of the body, as the server puts them there.
        let spliced = String(decoding: plain, as: UTF8.self).replacing(
            "}}", with: #","reactions":{"head":7,"kinds":[{"emoji":"❤️","count":2,"isMine":true}]}}}"#)
        #expect(try WireCodec.decodeEvent(Array(spliced.utf8)) == (try message(reactions)))
    }

    @Test func `a limit that an older server does not send has its default`() throws {
        #expect(try WireCodec.decode(Limits.self, from: Array("{}".utf8)).reactionKinds == 20)
        let told = try WireCodec.decode(Limits.self, from: Array(#"{"reactionKinds":3}"#.utf8))
        #expect(told.reactionKinds == 3)
    }

    @Test func `a message follows the rows that are about it, each once`() throws {
        let ann = try #require(UserID(rawValue: "ann"))
        func row(_ seq: Int64, _ count: Int, by user: UserID?, isAdded: Bool = true, of message: Int64 = 1) -> Event {
            let change = ReactionChanged(
                messageID: MessageID(sentAt: 1, seq: message, salt: 0), seq: message, emoji: "👍", count: count,
                byName: "n")
            return Event(
                channel: ChannelID(rawValue: "c"), seq: seq, senderID: user,
                body: .channel(isAdded ? .reactionAdded(change) : .reactionRemoved(change)))
        }
        var event = try message().after(row(2, 1, by: ann), viewer: ann)
        #expect(event.reactions == MessageReactions(head: 2, kinds: [Reaction(emoji: "👍", count: 1, isMine: true)]))
        let known = event
        for other in [row(2, 5, by: nil), row(1, 5, by: nil), row(3, 5, by: nil, of: 4), try message()] {
            #expect(event.after(other, viewer: ann) == known)
        }
        event = event.after(row(5, 2, by: nil), viewer: ann)
        #expect(event.reactions?.kinds == [Reaction(emoji: "👍", count: 2, isMine: true)])
        event = event.after(row(6, 1, by: ann, isAdded: false), viewer: ann)
        #expect(event.reactions?.kinds == [Reaction(emoji: "👍", count: 1, isMine: false)])
        // Numbers that no server tells do no harm.
        for count in [0, -1, .min] {
            #expect(event.after(row(7, count, by: nil), viewer: nil).reactions?.kinds == [])
        }
        #expect(event.after(row(.max, .max, by: nil), viewer: nil).reactions?.kinds.first?.count == .max)
    }
}
