import RoostWire
import Testing

private func refusal(_ body: () throws(WireError) -> Void) -> ErrorCode? {
    do {
        try body()
        return nil
    } catch {
        return error.entry
    }
}

private func refusal(of text: String, limits: Limits = Limits()) -> ErrorCode? {
    refusal { () throws(WireError) in try TextRules.check(text, limits: limits) }
}

private func refusal(of mentions: [Mention], in text: String) -> ErrorCode? {
    refusal { () throws(WireError) in try TextRules.check(mentions, in: text, limits: Limits()) }
}

private func user(_ id: String) throws -> UserID { try #require(UserID(rawValue: id)) }

@Suite struct TextRulesTests {
    @Test(arguments: [
        "a", " a ", "\na", "0", "😀", "👩‍👩‍👧‍👦", "é", "e\u{301}", "\u{301}a", "你好", "שלום", "a\u{200D}b", "\u{202E}abc", "<b>",
        "\"\\/", "a\u{1}b",
    ])
    func `a text with something to see is accepted`(text: String) { #expect(refusal(of: text) == nil) }

    @Test(arguments: [
        "", " ", "   ", "\n", "\t\r\n", "\u{A0}", "\u{2003}", "\u{3000}", "\u{2028}\u{2029}", "\u{1}\u{2}", "\u{7F}",
        "\u{301}\u{302}", "\u{200B}", "\u{2800}", "\u{3164}", "\u{AD}", "\u{FEFF}", "\u{202E}", "\u{115F}", "\u{FFA0}",
        "\u{200D}\u{FE0F}", "\u{E0020}", "\u{180E}", " \u{2800} \u{200B}\n",
    ])
    func `an empty text is refused`(text: String) { #expect(refusal(of: text) == .invalidContent) }

    @Test func `U+0000 is refused everywhere`() {
        for text in ["\u{0}", "a\u{0}", "\u{0}a", "a\u{0}b"] { #expect(refusal(of: text) == .invalidContent) }
    }

    @Test func `8000 UTF-16 units are accepted and 8001 are not`() {
        #expect(refusal(of: String(repeating: "a", count: 8_000)) == nil)
        #expect(refusal(of: String(repeating: "a", count: 8_001)) == .invalidContent)
        #expect(refusal(of: String(repeating: "ä", count: 8_000)) == nil)
        #expect(refusal(of: String(repeating: "ä", count: 8_001)) == .invalidContent)
        #expect(refusal(of: String(repeating: "你", count: 8_000)) == nil)
        #expect(refusal(of: String(repeating: "😀", count: 4_000)) == nil)
        #expect(refusal(of: String(repeating: "😀", count: 4_000) + "a") == .invalidContent)
        #expect(refusal(of: String(repeating: "a", count: 7_999) + "😀") == .invalidContent)
    }

    @Test func `the cap in bytes holds even where the units would fit`() {
        let limits = Limits(textLength: 20_000)
        #expect(refusal(of: String(repeating: "a", count: 20_000), limits: limits) == nil)
        let most = String(repeating: "你", count: 32 * 1024 / 3)
        #expect(refusal(of: most + "ab", limits: limits) == nil)
        #expect(refusal(of: most + "abc", limits: limits) == .invalidContent)
    }

    @Test func `30 marks on one character are accepted and 31 are not`() {
        func zalgo(_ marks: Int) -> String { "a" + String(repeating: "\u{301}", count: marks) }
        #expect(refusal(of: zalgo(30)) == nil)
        #expect(refusal(of: zalgo(31)) == .invalidContent)
        #expect(refusal(of: zalgo(30) + zalgo(30)) == nil)
        #expect(refusal(of: zalgo(30) + "\u{20DD}") == .invalidContent)
    }

    @Test func `a name has 1 to 200 units and no control characters`() {
        func refusal(of name: String) -> ErrorCode? {
            RoostWireTests.refusal { () throws(WireError) in try TextRules.checkName(name, "title") }
        }
        for name in ["a", "Ann Ä", "😀", String(repeating: "a", count: 200), String(repeating: "😀", count: 100)] {
            #expect(refusal(of: name) == nil, "\(name)")
        }
        for name in ["ที่ปรึกษา", "क्षत्रिय", "e\u{301}", "שָׁלוֹם", "a" + String(repeating: "\u{301}", count: 8), "a\u{200D}b"] {
            #expect(refusal(of: name) == nil, "\(name)")
        }
        for name in [
            " ", "\u{2800}", "\u{3164}", "\u{200B}", "\u{AD}", "\u{202E}", "\u{301}", "\u{2800} \u{3000}",
            "e" + String(repeating: "\u{301}", count: 9), "Ann " + "e" + String(repeating: "\u{489}", count: 120),
            "", "a\nb", "\u{0}", "a\u{7F}", "\u{85}", String(repeating: "a", count: 201),
            String(repeating: "😀", count: 101),
        ] {
            #expect(refusal(of: name) == .dataFormat, "\(name)")
        }
    }

    @Test func `a name leaves the direction of the text around it as it is`() throws {
        for name in [
            "\u{2067}שלום\u{2069}", "Ann \u{2066}Lee\u{2069}", "\u{202B}\u{2068}a\u{2069}b\u{202C}",
            "a\u{200E}b\u{200F}",
        ] {
            #expect(refusal { () throws(WireError) in try TextRules.checkName(name, "title") } == nil, "\(name)")
        }
        for name in [
            "a\u{202E}b", "\u{202D}a\u{202C}", "\u{202A}a", "a\u{202C}", "\u{2066}a", "a\u{2069}", "\u{2068}a\u{202C}",
            "\u{202A}\u{2066}a\u{202C}\u{2069}", "\u{2067}\u{202E}a\u{202C}\u{2069}", "a\u{2069}\u{2066}b",
        ] {
            let error = #expect(throws: WireError.self) { try TextRules.checkName(name, "profile.name") }
            #expect(error?.entry == .dataFormat && error?.field == "profile.name", "\(name)")
        }
    }

    @Test func `ranges of mentions are in order, inside the text and whole characters`() throws {
        let ann = try user("ann")
        func at(_ start: Int?, _ length: Int?) -> Mention { Mention(userID: ann, start: start, length: length) }
        let text = "a😀bcd"  // 6 units; the emoji has units 1 and 2.
        let good: [[Mention]] = [
            [], [at(nil, nil)], [at(0, 1)], [at(0, 6)], [at(5, 1)], [at(1, 2)], [at(0, 1), at(1, 2), at(3, 3)],
            [at(0, 1), at(nil, nil), at(5, 1)],
        ]
        for mentions in good { #expect(refusal(of: mentions, in: text) == nil, "\(mentions)") }
        let bad: [[Mention]] = [
            [at(0, nil)], [at(nil, 1)], [at(0, 0)], [at(-1, 1)], [at(0, -1)], [at(6, 1)], [at(0, 7)], [at(2, 1)],
            [at(1, 1)],
            [at(0, 2)], [at(3, 2), at(4, 1)], [at(3, 1), at(0, 1)], [at(.max, 1)], [at(1, .max)], [at(.max, .max)],
            [at(.min, .min)], [at(.min, 1)],
        ]
        for mentions in bad { #expect(refusal(of: mentions, in: text) == .dataFormat, "\(mentions)") }
        #expect(refusal(of: Array(repeating: at(nil, nil), count: 50), in: text) == nil)
        #expect(refusal(of: Array(repeating: at(nil, nil), count: 51), in: text) == .dataFormat)
    }
}

@Suite struct ChannelRulesTests {
    private func channel(_ names: [String], title: String? = nil, kind: ChannelKind = .group) throws -> Channel {
        let members = try names.map {
            Member(
                userID: try user($0.lowercased()), name: $0, role: .participant, readSeq: 0,
                readAt: .init(milliseconds: 0))
        }
        let id = try #require(ChannelID(rawValue: "club"))
        return Channel(
            channel: id, kind: kind, title: title, memberCount: members.count, members: members, seq: 0, count: 0,
            lastActivityAt: .init(milliseconds: 0))
    }

    @Test func `a row's title is made of the other members`() throws {
        let ann = try user("ann")
        #expect(ChannelRules.title(of: try channel(["Ann", "Bob"], kind: .single), for: ann) == "Bob")
        #expect(ChannelRules.title(of: try channel(["Ann", "Bob", "Cid"]), for: ann) == "Bob, Cid")
        #expect(ChannelRules.title(of: try channel(["Ann", "Bob", "Cid"]), for: try user("cid")) == "Ann, Bob")
        #expect(ChannelRules.title(of: try channel(["Ann", "Bob"], title: "Club"), for: ann) == "Club")
        #expect(ChannelRules.title(of: try channel(["Ann"], kind: .own), for: ann) == "Ann")
        #expect(ChannelRules.title(of: try channel([]), for: ann) == "club")
    }

    @Test func `the screen's title is the other's name for two and counts the members of a group [J-56]`() throws {
        let ann = try user("ann")
        #expect(ChannelRules.screenTitle(of: try channel(["Ann", "Bob"], kind: .single), for: ann) == "Bob")
        #expect(ChannelRules.screenTitle(of: try channel(["Ann", "Bob", "Cid"]), for: ann) == "Group(3)")
        #expect(ChannelRules.screenTitle(of: try channel(["Ann", "Bob", "Cid"], title: "Club"), for: ann) == "Club")
        #expect(ChannelRules.screenTitle(of: try channel(["Ann"], kind: .own), for: ann) == "Ann")
    }
}

@Suite struct ReadRulesTests {
    @Test func `a message is unread by the others whose mark is older`() throws {
        let (ann, bob, cid) = (try user("ann"), try user("bob"), try user("cid"))
        #expect(ReadRules.unreadBy(seq: 10, marks: [ann: 10, bob: 10, cid: 9], viewer: ann) == 1)
        #expect(ReadRules.unreadBy(seq: 10, marks: [ann: 10, bob: 10, cid: 10], viewer: ann) == 0)
        #expect(ReadRules.unreadBy(seq: 10, marks: [ann: 0, bob: 0, cid: 0], viewer: ann) == 2)
        #expect(ReadRules.unreadBy(seq: 10, marks: [:], viewer: ann) == 0)
    }

    @Test func `unread is a subtraction that is never negative`() {
        #expect(ReadRules.unread(count: 10, markCount: 4, own: 2) == 4)
        #expect(ReadRules.unread(count: 4, markCount: 4, own: 0) == 0)
        #expect(ReadRules.unread(count: 4, markCount: 4, own: 1) == 0)
        #expect(ReadRules.unread(count: 4, markCount: 5, own: 0) == 0)
        #expect(ReadRules.merge(5, 3) == 5)
        #expect(ReadRules.merge(3, 5) == 5)
    }
}
