import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct MessagesTests {
    @Test(arguments: Backend.available)
    func `a message gets the next seq and reaches every device once [JCB-4]`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        let ann = try await roost.session(Cast.ann, device: "phone")
        let tablet = try await roost.session(Cast.ann, device: "tablet")
        let bob = try await roost.session(Cast.bob)
        try await ann.perform(CreateChannel(kind: .single, members: [Cast.bob.userID]))

        let first = try await ann.send("one", to: Cast.annAndBob)
        let second = try await bob.send("two", to: Cast.annAndBob)

        #expect(first.seq == 1)
        #expect(second.seq == 2)
        for session in [ann, tablet, bob] {
            let rows = session.rows(of: Cast.annAndBob)
            #expect(rows.map(\.seq) == [1, 2])
            #expect(rows.first?.messageID == first.messageID)
            #expect(rows.map(\.transID) == [first.transID, second.transID])
        }
    }

    @Test(arguments: Backend.available)
    func `the same transID gives the same answer and another body is refused`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        let ann = try await roost.session(Cast.ann)
        let first = try await ann.send("one", to: Cast.lobby, id: "k-1")
        let again = try await ann.send("one", to: Cast.lobby, id: "k-1")
        let refusal = try await ann.refusal(SendMessage(channel: Cast.lobby, text: "other"), id: "k-1")
        #expect(first == again)
        #expect(refusal?.entry == .duplicateTransID)
        let page = try await ann.perform(ListMessages(channel: Cast.lobby))
        #expect(page.events.count == 1)
        #expect(page.seq == 1)
    }

    @Test(arguments: Backend.available)
    func `history is stored as it was delivered`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        let mention = Mention(userID: Cast.bob.userID, start: 3, length: 4)
        try await stage.ann.perform(SendMessage(channel: Cast.annAndBob, text: "hi @Bob 😀\n\"\\", mentions: [mention]))
        try await stage.bob.send("e\u{301} \u{1} \u{202E}", to: Cast.annAndBob)
        let live = stage.bob.rows(of: Cast.annAndBob)
        #expect(live.count == 2)
        #expect(try await stage.ann.log(of: Cast.annAndBob) == live)
    }

    /// 120 messages of Bob in the 1-on-1.
    private func makeHistory(_ stage: Stage) async throws {
        try await stage.makePair()
        for number in 1...120 { try await stage.bob.send("m\(number)", to: Cast.annAndBob) }
    }

    @Test(arguments: Backend.available)
    func `pages of 120 messages going back have 50, 50 and 20 rows without overlap [J-25]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await makeHistory(stage)
        var pages: [[Int64]] = []
        var before: Int64?
        var hasBefore = true
        while hasBefore {
            let page = try await stage.ann.perform(ListMessages(channel: Cast.annAndBob, before: before))
            #expect(page.hasAfter == (before != nil))
            #expect(page.seq == 120)
            pages.append(page.events.compactMap(\.seq))
            before = page.events.first?.seq
            hasBefore = page.hasBefore
        }
        #expect(pages == [Array(71...120), Array(21...70), Array(1...20)])
        let end = try await stage.ann.perform(ListMessages(channel: Cast.annAndBob, before: 1))
        #expect(end.events.isEmpty)
        #expect(!end.hasBefore)
        #expect(end.hasAfter)
    }

    @Test(arguments: Backend.available)
    func `a page after the first one forward has only newer rows, ascending [J-26]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await makeHistory(stage)
        let page = try await stage.ann.perform(ListMessages(channel: Cast.annAndBob, after: 60))
        #expect(page.events.compactMap(\.seq) == Array(61...110))
        #expect(page.hasAfter)
        #expect(page.hasBefore)
        let rest = try await stage.ann.perform(ListMessages(channel: Cast.annAndBob, after: 110))
        #expect(rest.events.compactMap(\.seq) == Array(111...120))
        #expect(!rest.hasAfter)
        let none = try await stage.ann.perform(ListMessages(channel: Cast.annAndBob, after: 120))
        #expect(none.events.isEmpty)
        #expect(!none.hasAfter)
        #expect(none.hasBefore)
        let first = try await stage.ann.perform(ListMessages(channel: Cast.annAndBob, after: 0, limit: 1))
        #expect(first.events.compactMap(\.seq) == [1])
        #expect(!first.hasBefore)
    }

    @Test(arguments: Backend.available)
    func `a page around a row or a message holds it with rows on both sides`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await makeHistory(stage)
        let row = try await stage.ann.perform(ListMessages(channel: Cast.annAndBob, around: 60, limit: 11))
        #expect(row.events.compactMap(\.seq) == Array(55...65))
        let id = try #require(row.events[5].messageID)
        let found = try await stage.ann.perform(ListMessages(channel: Cast.annAndBob, aroundMessage: id, limit: 11))
        #expect(found == row)
        let one = try await stage.ann.perform(ListMessages(channel: Cast.annAndBob, aroundMessage: id, limit: 1))
        #expect(one.events.compactMap(\.seq) == [60])
        let start = try await stage.ann.perform(ListMessages(channel: Cast.annAndBob, around: 1, limit: 10))
        #expect(start.events.compactMap(\.seq) == Array(1...10))
        let end = try await stage.ann.perform(ListMessages(channel: Cast.annAndBob, around: 120, limit: 10))
        #expect(end.events.last?.seq == 120)
        let forged = [
            MessageID(sentAt: 0, seq: 60, salt: 0), MessageID(sentAt: 0, seq: 121, salt: 0),
            MessageID(sentAt: 0, seq: 0, salt: 0), MessageID(sentAt: -1, seq: -1, salt: .max),
        ]
        for id in forged {
            let refusal = try await stage.ann.refusal(ListMessages(channel: Cast.annAndBob, aroundMessage: id))
            #expect(refusal?.entry == .messageNotFound, "\(id)")
        }
    }

    @Test(arguments: Backend.available)
    func `a message that was cleared for the reader is not found by its id`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        let sent = try await stage.bob.send("gone for Ann", to: Cast.annAndBob)
        try await stage.ann.perform(EndChannel(channel: Cast.annAndBob))
        try await stage.bob.send("new", to: Cast.annAndBob)
        let around = ListMessages(channel: Cast.annAndBob, aroundMessage: sent.messageID)
        #expect(try await stage.ann.refusal(around)?.entry == .messageNotFound)
        #expect(try await stage.bob.refusal(around) == nil)
        for list in [
            ListMessages(channel: Cast.annAndBob, before: 2), ListMessages(channel: Cast.annAndBob, after: 0),
            ListMessages(channel: Cast.annAndBob, around: 1), ListMessages(channel: Cast.annAndBob),
        ] {
            let page = try await stage.ann.perform(list)
            #expect(page.events.allSatisfy { $0.seq == 2 })
            #expect(!page.hasBefore)
            #expect(page.hasAfter == page.events.isEmpty)
        }
    }

    @Test(arguments: Backend.available)
    func `forged cursors and limits are refused or harmless`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.ann.send("one", to: Cast.annAndBob)
        for value in [Int64.min, -1] {
            for list in [
                ListMessages(channel: Cast.annAndBob, before: value),
                ListMessages(channel: Cast.annAndBob, after: value),
                ListMessages(channel: Cast.annAndBob, around: value),
            ] {
                #expect(try await stage.ann.refusal(list)?.entry == .dataFormat)
            }
        }
        for value in [0, 1, 2, Int64.max - 1, Int64.max] {
            for list in [
                ListMessages(channel: Cast.annAndBob, before: value),
                ListMessages(channel: Cast.annAndBob, after: value),
                ListMessages(channel: Cast.annAndBob, around: value),
            ] {
                let page = try await stage.ann.perform(list)
                #expect(page.seq == 1)
                #expect(page.events.allSatisfy { $0.seq == 1 })
            }
        }
        for limit in [Int.min, -1, 0, 101, Int.max] {
            let refusal = try await stage.ann.refusal(ListMessages(channel: Cast.annAndBob, limit: limit))
            #expect(refusal?.entry == .dataFormat, "\(limit)")
        }
        for limit in [1, 100] {
            #expect(try await stage.ann.refusal(ListMessages(channel: Cast.annAndBob, limit: limit)) == nil)
        }
        let two = ListMessages(channel: Cast.annAndBob, before: 1, after: 1)
        #expect(try await stage.ann.refusal(two)?.entry == .dataFormat)
        let id = MessageID(sentAt: 0, seq: 1, salt: 0)
        let three = ListMessages(channel: Cast.annAndBob, around: 1, aroundMessage: id)
        #expect(try await stage.ann.refusal(three)?.entry == .dataFormat)
    }

    @Test(arguments: Backend.available)
    func `texts at the limit are stored, and longer ones leave no trace`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        let longest = String(repeating: "😀", count: 4_000)
        try await stage.ann.send(longest, to: Cast.annAndBob)
        let bad = [
            longest + "a", String(repeating: "a", count: 8_001), "", "  \n", "a\u{0}b",
            "a" + String(repeating: "\u{301}", count: 31),
        ]
        for text in bad {
            #expect(
                try await stage.ann.refusal(SendMessage(channel: Cast.annAndBob, text: text))?.entry == .invalidContent)
        }
        let unknown = SendMessage(channel: Cast.annAndBob, type: "memberJoined", text: "x")
        #expect(try await stage.ann.refusal(unknown)?.entry == .invalidContent)
        // A picture without its file lacks a field.
        let image = SendMessage(channel: Cast.annAndBob, type: "image", text: "x")
        #expect(try await stage.ann.refusal(image)?.entry == .dataFormat)
        try await stage.ann.perform(SendMessage(channel: Cast.annAndBob, type: "text", text: "x"))
        let rows = stage.bob.rows(of: Cast.annAndBob)
        #expect(rows.map(\.seq) == [1, 2])
        #expect(rows.map(\.text) == [longest, "x"])
    }

    @Test(arguments: Backend.available)
    func `a mention travels with the message, and only members are mentioned`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        let mention = Mention(userID: Cast.bob.userID, start: 0, length: 4)
        try await stage.cid.perform(SendMessage(channel: Cast.club, text: "@Bob, hi", mentions: [mention]))
        for session in [stage.ann, stage.bob] {
            guard case .channel(.messageSent(let message))? = session.rows(of: Cast.club).last?.body else {
                Issue.record("no message")
                return
            }
            #expect(message.mentions == [mention])
            let isMentioned = message.mentions?.contains { $0.userID == session.userID } ?? false
            #expect(isMentioned == (session.userID == Cast.bob.userID))
        }
        func refusal(_ mentions: [Mention]) async throws -> ErrorCode? {
            try await stage.cid.refusal(SendMessage(channel: Cast.club, text: "@Dee", mentions: mentions))?.entry
        }
        #expect(try await refusal([Mention(userID: Cast.dee.userID, start: 0, length: 4)]) == .notAllMembers)
        #expect(try await refusal([Mention(userID: user("nobody").userID)]) == .notAllMembers)
        #expect(try await refusal([Mention(userID: Cast.bob.userID, start: 0, length: 5)]) == .dataFormat)
        #expect(try await refusal([Mention(userID: Cast.bob.userID, start: 0)]) == .dataFormat)
        #expect(try await refusal(Array(repeating: Mention(userID: Cast.bob.userID), count: 51)) == .dataFormat)
        #expect(try await refusal(Array(repeating: Mention(userID: Cast.bob.userID), count: 50)) == nil)
        #expect(try await stage.ann.channel(Cast.club).seq == 2)
    }

    @Test(arguments: Backend.available)
    func `an operator's line reaches all members, has no sender and counts as unread [JCB-6]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        let operatorSession = try await stage.roost.session(user("op"), isOperator: true)
        let answer = try await operatorSession.perform(AnnounceMessage(channel: Cast.annAndBob, text: "Maintenance"))
        #expect(answer.seq == 1)
        for session in [stage.ann, stage.bob] {
            let row = try #require(session.rows(of: Cast.annAndBob).first)
            #expect(row.name == "message.announced")
            #expect(row.senderID == nil)
            #expect(row.text == "Maintenance")
            #expect(row.messageID == answer.messageID)
            #expect(try await session.unread(Cast.annAndBob) == 1)
        }
        #expect(operatorSession.rows(of: Cast.annAndBob).isEmpty)
        #expect(try await operatorSession.refusal(ListMessages(channel: Cast.annAndBob))?.entry == .channelNotFound)
        let command = AnnounceMessage(channel: Cast.annAndBob, text: "x")
        #expect(try await stage.ann.refusal(command)?.entry == .noPrivilege)
        let nowhere = AnnounceMessage(channel: try channel("none"), text: "x")
        #expect(try await operatorSession.refusal(nowhere)?.entry == .channelNotFound)
        for text in ["", "a\u{0}", String(repeating: "a", count: 8_001)] {
            let refusal = try await operatorSession.refusal(AnnounceMessage(channel: Cast.annAndBob, text: text))
            #expect(refusal?.entry == .invalidContent)
        }
        try await stage.ann.send("after", to: Cast.lobby)
        try await operatorSession.perform(AnnounceMessage(channel: Cast.lobby, text: "to all"))
        #expect(try await stage.dee.log(of: Cast.lobby).map(\.text) == ["after", "to all"])
    }

    @Test(arguments: Backend.available)
    func `sentAt never decreases within a channel, whatever the clock does`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        var random = SeededNumbers(4)
        for number in 0..<50 {
            stage.roost.clock.advance(by: Int64(random.int(-100_000...100_000)))
            try await (number % 2 == 0 ? stage.ann : stage.bob).send("x", to: Cast.annAndBob)
        }
        let times = try await stage.ann.log(of: Cast.annAndBob).compactMap(\.sentAt)
        #expect(times.count == 50)
        #expect(times == times.sorted(), "\(seed)")
        #expect(Set(stage.ann.rows(of: Cast.annAndBob).compactMap(\.messageID)).count == 50)
        let user = stage.bob.events.filter { $0.userSeq != nil }.compactMap(\.sentAt)
        #expect(user == user.sorted())
    }

    @Test(arguments: Backend.available)
    func `a transID has a fixed form, and a send without one is refused`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        for id in ["", "a b", "ä", "a/b", String(repeating: "a", count: 65)] {
            let refusal = try await stage.ann.refusal(SendMessage(channel: Cast.lobby, text: "x"), id: id)
            #expect(refusal?.entry == .dataFormat, "\(id)")
            let create = try await stage.ann.refusal(CreateChannel(kind: .group), id: id)
            #expect(create?.entry == .dataFormat, "\(id)")
        }
        #expect(try await stage.ann.list().isEmpty)
        let longest = String(repeating: "a", count: 64)
        #expect(try await stage.ann.send("x", to: Cast.lobby, id: longest).transID.rawValue == longest)
    }

    @Test(arguments: Backend.available)
    func `a tag is checked for its bounds only, and covers its sign [C-L14]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        func send(_ start: Int, _ length: Int) -> SendMessage {
            let mention = Mention(userID: Cast.bob.userID, start: start, length: length)
            return SendMessage(channel: Cast.club, text: "@Paul hi", mentions: [mention])
        }
        // The reference's sample leaves a letter out; the text in the range is up to the app.
        for (start, length) in [(0, 4), (0, 5), (1, 4), (0, 8), (7, 1)] {
            try await stage.ann.perform(send(start, length))
            let mentions = stage.bob.rows(of: Cast.club).last?.message?.mentions
            #expect(mentions == [Mention(userID: Cast.bob.userID, start: start, length: length)])
        }
        for (start, length) in [(0, 9), (8, 1), (-1, 5), (0, 0), (5, -1), (Int.max, 1), (1, Int.max)] {
            #expect(try await stage.ann.refusal(send(start, length))?.entry == .dataFormat, "\(start) \(length)")
        }
    }

    @Test(arguments: Backend.available)
    func `order is a dense number per channel, whatever the clock says [XC-5]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.makePair()
        var random = SeededNumbers(5)
        var sent: [ChannelID: [String]] = [:]
        for number in 0..<60 {
            stage.roost.clock.advance(by: Int64(random.int(-1_000_000...100_000)))
            let channel = random.pick([Cast.club, Cast.annAndBob])
            try await random.pick([stage.ann, stage.bob]).send("\(number)", to: channel)
            sent[channel, default: []].append("\(number)")
        }
        for (channel, texts) in sent {
            let seqs = (1...texts.count).map { Int64($0) }
            for session in [stage.ann, stage.bob] {
                #expect(session.rows(of: channel).compactMap(\.text) == texts, "\(seed)")
                #expect(session.rows(of: channel).compactMap(\.seq) == seqs, "\(seed)")
                let log = try await session.log(of: channel)
                #expect(log.compactMap(\.text) == texts, "\(seed)")
                #expect(log.compactMap(\.seq) == seqs, "\(seed)")
            }
        }
    }

    @Test(arguments: Backend.available)
    func `a message is the same by the key of its sender, on every device and in the log [XC-6]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        let first = try await stage.ann.send("once", to: Cast.club, id: "local-1")
        let again = try await tablet.send("once", to: Cast.club, id: "local-1")
        #expect(first == again)
        #expect(first.transID.rawValue == "local-1")
        let other = try await stage.bob.send("another's key", to: Cast.club, id: "local-1")
        #expect(other.messageID != first.messageID)
        for session in [stage.ann, tablet, stage.bob, stage.cid] {
            for rows in [session.rows(of: Cast.club), try await session.log(of: Cast.club)] {
                #expect(rows.map(\.messageID) == [first.messageID, other.messageID])
                #expect(rows.map { $0.transID?.rawValue } == ["local-1", "local-1"])
                #expect(rows.map(\.senderID) == [Cast.ann.userID, Cast.bob.userID])
            }
        }
    }
}
