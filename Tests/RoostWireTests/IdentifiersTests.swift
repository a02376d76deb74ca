import RoostWire
import Testing

@Suite struct IdentifiersTests {
    private static let long = String(repeating: "a", count: 64)
    private static let bad = [
        "", long + "a", "a b", "a/b", "ä", "a\u{0}", "a\n", "аnn", "a\u{301}", "a,b", "*", "%", "a\\b", "\u{FEFF}a",
    ]

    @Test func `a user id has 1 to 64 letters, digits and four marks`() {
        for text in ["a", "Ann", "ann@example.org", "a_b.c-d", "0", Self.long] {
            #expect(UserID(rawValue: text)?.rawValue == text)
        }
        for text in Self.bad + ["a:b", ":"] { #expect(UserID(rawValue: text) == nil, "\(text)") }
    }

    @Test func `a device id and a transID have their own marks`() {
        for text in ["a", "a_b.c-d", Self.long] {
            #expect(DeviceID(rawValue: text)?.rawValue == text)
            #expect(TransID(rawValue: text)?.rawValue == text)
        }
        #expect(TransID(rawValue: "lane:1")?.rawValue == "lane:1")
        #expect(DeviceID(rawValue: "lane:1") == nil)
        for text in Self.bad + ["a@b"] {
            #expect(DeviceID(rawValue: text) == nil, "\(text)")
            #expect(TransID(rawValue: text) == nil, "\(text)")
        }
    }

    @Test func `an id may be a literal, and an invalid one ends the program`() async {
        let (user, channel): (UserID, ChannelID) = ("ann", "ann:bob")
        #expect(user == UserID(rawValue: "ann") && channel == ChannelID(single: "bob", "ann"))
        await #expect(processExitsWith: .failure) { let _: UserID = "not an id" }
        await #expect(processExitsWith: .success) { let _: UserID = "ann" }
    }

    @Test func `a channel id is chosen by a caller or made of two users in the order of their bytes`() {
        let good = [
            "lobby", "a_b.c-d", Self.long, "ann:bob", "ann:ann", "Bob:ann", "ann@x:bob@y", "\(Self.long):\(Self.long)",
        ]
        for text in good { #expect(ChannelID(rawValue: text)?.rawValue == text, "\(text)") }
        for text in Self.bad + ["a@b", ":", "a:", ":a", "bob:ann", "ann:Bob", "a:b:c", "\(Self.long)a:b"] {
            #expect(ChannelID(rawValue: text) == nil, "\(text)")
        }
        #expect(ChannelID(rawValue: "lobby")?.pair == nil)
    }

    @Test func `the channel of two users is the same whoever starts it`() throws {
        let ids = try ["ann", "Ann", "bob", "a", "a.b", "a-b", "a_b", "a@b", "0", Self.long].map {
            try #require(UserID(rawValue: $0))
        }
        var seen: Set<ChannelID> = []
        for (index, first) in ids.enumerated() {
            for second in ids[index...] {
                let channel = ChannelID(single: first, second)
                #expect(channel == ChannelID(single: second, first))
                #expect(ChannelID(rawValue: channel.rawValue) == channel)
                #expect(channel.pair?.0 == min(first, second))
                #expect(channel.pair?.1 == max(first, second))
                #expect(seen.insert(channel).inserted)
            }
        }
    }

    @Test func `ids are compared as bytes`() throws {
        let upper = try #require(UserID(rawValue: "B"))
        let lower = try #require(UserID(rawValue: "a"))
        let mark = try #require(UserID(rawValue: "_"))
        #expect([lower, mark, upper].sorted() == [upper, mark, lower])
        #expect(UserID(rawValue: "ann") != UserID(rawValue: "Ann"))
    }

    @Test func `a message id carries its seq and sorts by time, then by seq`() throws {
        let most: Int64 = 0xFFFF_FFFF_FFFF
        for seq in [0, 1, 2, 255, 256, 1_000_000, most] {
            let id = MessageID(sentAt: 1_767_225_600_000, seq: seq, salt: .max)
            #expect(id.seq == seq)
            #expect(MessageID(rawValue: id.rawValue) == id)
        }
        let early = MessageID(sentAt: 1, seq: 9, salt: 9)
        let late = MessageID(sentAt: 2, seq: 1, salt: 1)
        #expect(early < late)
        #expect(MessageID(sentAt: 2, seq: 1, salt: 9) < MessageID(sentAt: 2, seq: 2, salt: 0))
    }

    @Test func `a message id is 32 lower-case hexadecimal digits`() {
        let digits = "0123456789abcdef"
        #expect(MessageID(rawValue: digits + digits) != nil)
        #expect(MessageID(rawValue: String(repeating: "f", count: 32))?.seq == 0xFFFF_FFFF_FFFF)
        for text in [
            digits, digits + digits + "0", digits + digits.uppercased(), String(repeating: "g", count: 32), "",
        ] {
            #expect(MessageID(rawValue: text) == nil, "\(text)")
        }
    }

    @Test func `a made transID obeys the rule and differs with every random number`() {
        let first = TransID(now: 1_767_225_600_000, random: 1)
        #expect(TransID(rawValue: first.rawValue) == first)
        #expect(first != TransID(now: 1_767_225_600_000, random: 2))
        #expect(first < TransID(now: 1_767_225_600_001, random: 0))
        #expect(TransID(rawValue: TransID(now: -1, random: .max).rawValue) != nil)
    }

    @Test func `an id that breaks the rule does not decode`() throws {
        let good = try WireCodec.decode([UserID].self, from: Array(#"["ann","bob"]"#.utf8))
        #expect(good.map(\.rawValue) == ["ann", "bob"])
        for json in [#"["a b"]"#, #"[""]"#, #"[1]"#, #"[null]"#, #"[{}]"#] {
            #expect(throws: DecodingError.self, "\(json)") {
                try WireCodec.decode([UserID].self, from: Array(json.utf8))
            }
        }
    }
}
