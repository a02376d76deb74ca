import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct MessageKindsTests {
    /// The club of Ann, Bob and Cid with one message that everybody has read.
    private func stage(_ backend: Backend, limits: Limits = .withoutRates) async throws -> Stage {
        let stage = try await Stage(backend, limits: limits)
        try await stage.makeClub()
        try await stage.ann.send("first", to: Cast.club)
        for session in [stage.bob, stage.cid] { try await session.perform(SetReadMark(channel: Cast.club)) }
        await stage.forgetEvents()
        return stage
    }

    @Test func `there is a message of every type that can be sent`() async throws {
        let kinds = try await SendMessage.everyKind(in: Cast.club, from: Stage(.memory).ann)
        #expect(kinds.map(\.content.type).sorted() == MessageRules.types)
    }

    @Test(arguments: Backend.available)
    func `every kind of message arrives as it was sent and is stored as it arrived [LO-9 LR-11]`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        for send in try await SendMessage.everyKind(in: Cast.club, from: stage.ann) {
            let answer = try await stage.ann.perform(send)
            let row = try #require(stage.bob.rows(of: Cast.club).last)
            #expect(row.message?.carries(send) == true, "\(send)")
            #expect(row.messageID == answer.messageID)
            #expect(row.seq == answer.seq)
            #expect(try await stage.cid.row(#require(answer.messageID), in: Cast.club) == row)
        }
        #expect(try await stage.dee.refusal(GetChannel(channel: Cast.club))?.entry == .channelNotFound)
        #expect(try await stage.cid.log(of: Cast.club).dropFirst() == stage.cid.rows(of: Cast.club)[...])
        let page = try await stage.cid.replay(Cast.club, after: 1)
        #expect(page == stage.cid.rows(of: Cast.club))
    }

    @Test(arguments: Backend.available)
    func `a message tells ids, sender, kind, times, category and recall`(backend: Backend) async throws {
        let stage = try await stage(backend)
        try await stage.ann.perform(
            SetChannelPreference(channel: Cast.club, nickname: "Annie", imageURL: "https://example.com/a"))
        stage.roost.clock.advance(by: 5)
        let send = SendMessage(channel: Cast.club, text: "hello", extras: ["a": "b"], category: "news")
        let answer = try await stage.ann.perform(send, id: "t-own")
        let row = try #require(stage.bob.rows(of: Cast.club).last)
        let message = try #require(row.message)
        #expect(row.transID?.rawValue == "t-own")
        #expect(row.channel == Cast.club)
        #expect(row.seq == answer.seq)
        #expect(row.senderID == Cast.ann.userID)
        #expect(row.$sentAt == stage.roost.clock.now)
        #expect(answer.sentAt == row.sentAt)
        #expect(message.messageID == answer.messageID)
        #expect(message.type == "text")
        #expect(message.text == "hello")
        #expect(message.category == "news")
        #expect(message.extras == ["a": "b"])
        #expect(message.senderName == "Annie")
        #expect(message.senderImageURL == "https://example.com/a")
        // Whether it has been read follows from the read marks; it is not in the row.
        let counts = CountReads(channel: Cast.club, messageIDs: [message.messageID])
        #expect(try await stage.ann.perform(counts).messages.map(\.readBy) == [0])
        try await stage.bob.perform(SetReadMark(channel: Cast.club))
        #expect(try await stage.ann.perform(counts).messages.map(\.readBy) == [1])
        try await stage.ann.recall(message.messageID, in: Cast.club)
        #expect(try await stage.bob.row(message.messageID, in: Cast.club)?.recall?.byName == "Annie")
    }

    @Test(arguments: Backend.available)
    func `a text has at most 8000 characters and is not empty [L-51 XC-1]`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let longest = String(repeating: "a", count: 8_000)
        try await stage.ann.perform(SendMessage(channel: Cast.club, text: longest, extras: ["key": "value"]))
        let message = try #require(stage.bob.rows(of: Cast.club).last?.message)
        #expect(message.text == longest)
        #expect(message.extras == ["key": "value"])
        #expect(message.type == "text")
        #expect(MessageType.named(message.type)?.number == 1)
        for text in [longest + "a", String(repeating: "😀", count: 4_001), "", " \n\t"] {
            #expect(try await stage.ann.refusal(SendMessage(channel: Cast.club, text: text))?.entry == .invalidContent)
        }
        #expect(try await stage.bob.channel(Cast.club).seq == 2)
    }

    @Test(arguments: Backend.available)
    func `a tag marks members at ranges of the text, also where the tagged has muted the channel [L-52 LO-14]`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        try await stage.bob.perform(SetChannelPreference(channel: Cast.club, isMuted: true))
        let tags = [
            Mention(userID: Cast.bob.userID, start: 3, length: 4),
            Mention(userID: Cast.cid.userID, start: 8, length: 4),
        ]
        try await stage.ann.perform(SendMessage(channel: Cast.club, text: "😀 @Bob @Cid", mentions: tags))
        for session in [stage.bob, stage.cid] {
            #expect(session.rows(of: Cast.club).last?.message?.mentions == tags)
            #expect(try await session.channel(Cast.club).mentions == 1)
            #expect(try await session.perform(GetUnread()).mentions == 1)
        }
        #expect(try await stage.bob.perform(GetUnread()).total == 0)
        #expect(try await stage.cid.perform(GetUnread()).total == 1)
        #expect(try await stage.ann.channel(Cast.club).mentions == nil)
        let bad: [([Mention], Int)] = [
            ([Mention(userID: Cast.bob.userID, start: 9, length: 4)], 6),
            ([Mention(userID: Cast.bob.userID, start: -1, length: 4)], 6),
            ([Mention(userID: Cast.bob.userID, start: 3)], 6),
            ([tags[1], tags[0]], 6),
            ([Mention(userID: Cast.dee.userID, start: 3, length: 4)], 1114),
        ]
        for (mentions, code) in bad {
            let send = SendMessage(channel: Cast.club, text: "😀 @Bob @Cid", mentions: mentions)
            #expect(try await stage.ann.refusal(send)?.code == code, "\(mentions)")
        }
        #expect(try await stage.bob.channel(Cast.club).mentions == 1)
    }

    @Test(arguments: Backend.available)
    func `a sticker carries the app's own code unchanged [L-53]`(backend: Backend) async throws {
        let stage = try await stage(backend)
        for code in ["pack,3013,2", "/stickers/ä\"\\😀.png", String(repeating: "s", count: 8_000)] {
            let send = SendMessage(channel: Cast.club, type: "sticker", text: code, extras: ["pack": "1"])
            try await stage.ann.perform(send)
            #expect(stage.bob.rows(of: Cast.club).last?.message?.carries(send) == true)
            #expect(try await stage.cid.log(of: Cast.club).last?.text == code)
        }
        func refusal(_ text: String, _ mentions: [Mention]? = nil) async throws -> ErrorCode? {
            try await stage.ann.refusal(
                SendMessage(channel: Cast.club, type: "sticker", text: text, mentions: mentions))?.entry
        }
        #expect(try await refusal("") == .invalidContent)
        #expect(try await refusal(String(repeating: "s", count: 8_001)) == .invalidContent)
        #expect(try await refusal("x", [Mention(userID: Cast.bob.userID)]) == .dataFormat)
    }

    @Test(arguments: Backend.available)
    func `a location keeps its doubles and lies on the earth [L-57 LO-12]`(backend: Backend) async throws {
        let stage = try await stage(backend)
        func send(_ latitude: Double, _ longitude: Double, _ address: String? = nil) -> SendMessage {
            SendMessage(
                channel: Cast.club, type: "location",
                location: Location(latitude: latitude, longitude: longitude, address: address),
                extras: ["zoom": "12"])
        }
        let good = [
            send(25.033_611_111_111_11, 121.565_000_000_000_1, "Taipei 101"), send(-90, -180), send(90, 180),
            send(0.1, -0.000_000_001), send(-0.5, 179.999_999_999_999_97, String(repeating: "x", count: 1_000)),
        ]
        for place in good {
            try await stage.ann.perform(place)
            #expect(stage.bob.rows(of: Cast.club).last?.message?.location == place.location)
            #expect(try await stage.cid.log(of: Cast.club).last?.message?.carries(place) == true)
        }
        for place in [
            send(90.000_001, 0), send(-91, 0), send(0, 180.5), send(0, -1_000),
            send(0, 0, String(repeating: "x", count: 1_001)),
        ] {
            #expect(try await stage.ann.refusal(place)?.entry == .invalidContent, "\(place)")
        }
        #expect(try await stage.ann.refusal(SendMessage(channel: Cast.club, type: "location"))?.entry == .dataFormat)
        let text = SendMessage(channel: Cast.club, text: "x", location: Location(latitude: 0, longitude: 0))
        #expect(try await stage.ann.refusal(text)?.entry == .dataFormat)
    }

    @Test(arguments: Backend.available)
    func `sending answers with the stored message, once, and to all members [L-63 LCB-13]`(
        backend: Backend
    ) async throws {
        let stage = try await stage(
            backend, limits: Limits(sendsPerSecond: 1, sendBurst: 4, channelSendsPerSecond: 0, commandsPerSecond: 0))
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        let answer = try await stage.ann.send("hello", to: Cast.club, id: "once")
        #expect(try await stage.ann.send("hello", to: Cast.club, id: "once") == answer)
        for session in [stage.ann, tablet, stage.bob, stage.cid] {
            #expect(session.rows(of: Cast.club).map(\.messageID) == [answer.messageID])
            #expect(session.rows(of: Cast.club).map(\.text) == ["hello"])
        }
        #expect(stage.dee.rows(of: Cast.club).isEmpty)
        #expect(try await stage.bob.log(of: Cast.club).compactMap(\.messageID).count == 2)
        let other = SendMessage(channel: Cast.club, text: "other")
        #expect(try await stage.ann.refusal(other, id: "once")?.entry == .duplicateTransID)
        // Four were sent, the first one included.
        let fast = try #require(try await stage.ann.refusal(other))
        #expect(fast.entry == .tooManyRequests)
        #expect(fast.retryAfterMs == 1_000)
        #expect(try await stage.bob.refusal(SendMessage(channel: Cast.club, text: ""))?.entry == .invalidContent)
        #expect(try await stage.dee.refusal(other)?.entry == .channelNotFound)
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        #expect(try await stage.cid.refusal(other)?.entry == .notMember)
        try await stage.ann.perform(
            InviteMembers(channel: Cast.club, members: [NewMember(Cast.dee.userID, role: .invited)]))
        #expect(try await stage.dee.refusal(other)?.entry == .noPrivilege)
        #expect(try await stage.bob.log(of: Cast.club).compactMap(\.messageID).count == 2)
    }

    @Test(arguments: Backend.available)
    func `a notice that a message was captured, copied, forwarded or saved reaches all and is not unread [L-107]`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        let about = try await stage.ann.post("secret", to: Cast.club)
        try await stage.bob.perform(SetReadMark(channel: Cast.club))
        for type in ["screenshotTaken", "messageCopied", "messagesForwarded", "messageSaved"] {
            let answer = try await stage.bob.perform(SendMessage(channel: Cast.club, type: type, replyTo: about))
            for session in stage.all.prefix(3) {
                let row = try #require(session.rows(of: Cast.club).last)
                #expect(row.messageID == answer.messageID)
                #expect(row.senderID == Cast.bob.userID)
                #expect(row.message?.type == type)
                #expect(row.message?.replyTo?.messageID == about)
                #expect(try await session.channel(Cast.club).lastMessage?.message?.type == type)
            }
            #expect(try await stage.ann.unread(Cast.club) == 0)
            #expect(try await stage.bob.unread(Cast.club) == 0)
            #expect(try await stage.cid.unread(Cast.club) == 1)
            #expect(try await stage.ann.recount(Cast.club) == 0)
        }
    }

    @Test(arguments: Backend.available)
    func `every kind of message has the common fields, and tells when it was recalled [LR-1]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        let named = SetChannelPreference(channel: Cast.club, nickname: "Annie", imageURL: "https://example.org/a")
        try await stage.ann.perform(named)
        for (number, send) in try await SendMessage.everyKind(in: Cast.club, from: stage.ann).enumerated() {
            stage.roost.clock.advance(by: 5)
            let answer = try await stage.ann.perform(send, id: "key-\(number)")
            let id = try #require(answer.messageID)
            let sentAt = stage.roost.clock.now
            let row = try #require(stage.bob.rows(of: Cast.club).last)
            #expect(row.transID?.rawValue == "key-\(number)")
            #expect(answer.transID == row.transID)
            #expect(row.channel == Cast.club)
            #expect(try await stage.bob.channel(Cast.club).kind == .group)
            #expect(row.senderID == Cast.ann.userID)
            #expect(row.$sentAt == sentAt && answer.$sentAt == sentAt)
            let message = try #require(row.message)
            #expect(message.messageID == id)
            #expect(message.type == send.content.type)
            #expect(message.text == send.text)
            #expect(message.category == "app")
            #expect(message.extras == send.extras)
            #expect(message.senderName == "Annie")
            #expect(message.senderImageURL == "https://example.org/a")
            #expect(message.recall == nil)
            // Whether it was read follows from the marks: the row is the same for everybody.
            let counts = CountReads(channel: Cast.club, messageIDs: [id])
            #expect(try await stage.ann.perform(counts).messages.map(\.readBy) == [0])
            try await stage.bob.perform(SetReadMark(channel: Cast.club, messageID: id))
            #expect(try await stage.ann.perform(counts).messages.map(\.readBy) == [1])
            try await stage.ann.recall(id, in: Cast.club)
            let recall = Recall(
                isSilent: false, at: .init(milliseconds: sentAt), byUserID: Cast.ann.userID, byName: "Annie")
            #expect(try await stage.bob.row(id, in: Cast.club)?.recall == recall)
        }
    }
}

/// How each type that can be sent is delivered: stored, last message, live, push and unread, as in the reference table.
@Suite struct MessageFlagsTests {
    /// Sends a message to a club with one connected and one absent member, and returns how it was delivered.
    private func flags<C: Command>(of send: C, _ stage: Stage) async throws -> String
    where C.Answer == Acknowledgement {
        let before = try await stage.bob.channel(Cast.club)
        let absent = try await stage.roost.session(Cast.cid, device: "other")
        stage.roost.disconnect(absent)
        _ = stage.bob.drainEvents()
        stage.roost.clock.advance(by: 1)

        let answer = try await stage.ann.perform(send)

        let event = stage.bob.events.first { $0.messageID == answer.messageID }
        let after = try await stage.bob.channel(Cast.club)
        let isStored = try await stage.bob.log(of: Cast.club).contains { $0.messageID == answer.messageID }
        let back = try await stage.roost.session(Cast.cid, device: "other")
        let missed = try await back.replay(Cast.club, after: before.seq)
        #expect(missed.contains { $0.messageID == answer.messageID } == isStored)
        #expect(absent.events.isEmpty)
        #expect((answer.seq != nil) == isStored)
        #expect(after.seq == before.seq + (isStored ? 1 : 0))
        let isLast = after.lastMessage?.messageID == answer.messageID
        if !isLast { #expect(after.lastMessage == before.lastMessage) }
        #expect(try await stage.bob.list().first { $0.channel == Cast.club }?.lastMessage == after.lastMessage)
        let more = (after.unread ?? 0) - (before.unread ?? 0)
        #expect(after.count == before.count + Int64(more))
        #expect(try await back.unread(Cast.club) == (after.unread ?? 0))
        stage.roost.disconnect(back)
        #expect(try await stage.bob.recount(Cast.club) == after.unread)
        let attributes = (send as? SendMessage)?.attributes
        let isPushed = event?.body.behaviour?.isPushed ?? (attributes.map { $0 & 8 != 0 } == true)
        return [isStored, isLast, event != nil, isPushed, more == 1].map { $0 ? "Y" : "N" }.joined()
    }

    private func check(_ expected: [String: String], _ backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.ann.send("before", to: Cast.club)
        var checked: Set<String> = []
        for send in try await SendMessage.everyKind(in: Cast.club, from: stage.ann) {
            let type = send.content.type
            guard let wanted = expected[type] else { continue }
            #expect(try await flags(of: send, stage) == wanted, "\(type)")
            checked.insert(type)
        }
        #expect(checked == Set(expected.keys))
    }

    @Test(arguments: Backend.available)
    func `texts, stickers, files and locations have all five [LT-1 LT-2 LT-3 LT-4 LT-5 LT-6 LT-7 LT-8]`(
        backend: Backend
    ) async throws {
        let types = ["text", "sticker", "image", "video", "voice", "contact", "location", "document"]
        #expect(types.map { MessageType.named($0)?.number } == [1, 2, 3, 4, 5, 6, 7, 8])
        try await check(Dictionary(uniqueKeysWithValues: types.map { ($0, "YYYYY") }), backend)
    }

    @Test(arguments: Backend.available)
    func `notices are stored, last and live, without push, not counted [LT-221 LT-222 LT-223 LT-224]`(
        backend: Backend
    ) async throws {
        let types = ["screenshotTaken", "messageCopied", "messagesForwarded", "messageSaved"]
        #expect(types.map { MessageType.named($0)?.number } == [221, 222, 223, 224])
        try await check(Dictionary(uniqueKeysWithValues: types.map { ($0, "YYYNN") }), backend)
    }

    @Test(arguments: Backend.available)
    func
        `votes have all five, but only those between texts become the last message [LT-101 LT-102 LT-103 LT-104 LT-105 LT-106 LT-107 LT-108]`(
            backend: Backend
        ) async throws
    {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.ann.send("before", to: Cast.club)
        let place = Location(latitude: 1, longitude: 2)
        let file = try await stage.ann.file()
        let (video, voice) = (try await stage.ann.file("a", "video/mp4"), try await stage.ann.file("b", "audio/ogg"))
        let contact = try await stage.ann.file("c", "text/vcard")
        let options: [(Int, MessageContent)] = [
            (101, MessageContent(text: "b")), (102, MessageContent(type: "sticker", text: "s")),
            (103, MessageContent(type: "image", file: file, thumbnail: file)),
            (104, MessageContent(type: "video", file: video)), (105, MessageContent(type: "voice", file: voice)),
            (106, MessageContent(type: "contact", file: contact)),
            (107, MessageContent(type: "location", location: place)),
            (108, MessageContent(type: "document", file: file)),
        ]
        for (number, option) in options {
            let vote = Vote(options: [MessageContent(text: "a"), option, option])
            let create = CreateVote(channel: Cast.club, subject: "vote \(number)", vote: vote)
            #expect(try await flags(of: create, stage) == (number == 101 ? "YYYYY" : "YNYYY"), "\(number)")
            let row = try #require(stage.bob.events.first { $0.text == create.subject })
            #expect(row.body.messageType?.number == number && row.message?.vote == vote)
            #expect(row.body.behaviour?.pushKind == .alert)
            #expect(try await stage.cid.row(try #require(row.messageID), in: Cast.club) == row)
        }
    }

    @Test(arguments: Backend.available)
    func
        `notices of calls are stored and live, never last nor counted, and ring before they are shown [LT-2001 LT-2002 LT-2003]`(
            backend: Backend
        ) async throws
    {
        let types = ["callReceived", "callCancelled", "callRecorded"]
        #expect(types.map { MessageType.named($0)?.number } == [2001, 2002, 2003])
        try await check(["callReceived": "YNYYN", "callCancelled": "YNYYN", "callRecorded": "YNYNN"], backend)
        #expect(types.map { MessageType.named($0)?.behaviour().pushKind } == [.voip, .voip, nil])
        // In a 1-on-1 as in a group, for members only.
        let stage = try await Stage(backend)
        try await stage.makePair()
        let call = CallNotice(callID: "c-1", kind: .voice)
        let send = SendMessage(channel: Cast.annAndBob, type: "callReceived", call: call)
        let id = try await stage.ann.post(send)
        #expect(stage.bob.rows(of: Cast.annAndBob).last?.message?.call == call)
        #expect(try await stage.bob.row(id, in: Cast.annAndBob)?.message?.carries(send) == true)
        #expect(try await stage.dee.refusal(send)?.entry == .channelNotFound)
        #expect(try await stage.bob.unread(Cast.annAndBob) == 0)
        let bare = SendMessage(channel: Cast.annAndBob, type: "callReceived")
        #expect(try await stage.ann.refusal(bare)?.entry == .dataFormat)
    }

    @Test(arguments: Backend.available)
    func `silent ones are stored and live only, uncounted ones have all but unread [LT-3001 LT-3002]`(
        backend: Backend
    ) async throws {
        #expect(["customQuiet", "customUncounted"].map { MessageType.named($0)?.number } == [3001, 3002])
        try await check(["customQuiet": "YNYNN", "customUncounted": "YYYYN"], backend)
    }

    @Test(arguments: Backend.available)
    func `the bits of a custom message decide on each of the five [L-60 EN-8 LT-3000]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.ann.send("before", to: Cast.club)
        #expect(MessageType.named("custom")?.number == 3000)
        for bits in 1...63 {
            func has(_ mask: Int) -> Bool { bits & mask != 0 }
            // Every stored row reaches every device, so that no number is missing.
            let isStored = has(1 | 16 | 32)
            let expected = [isStored, has(32), isStored || has(2 | 4), has(8), has(16)]
            let send = SendMessage(
                channel: Cast.club, type: "custom", text: "bits \(bits)", extras: ["a": "b"], category: "own",
                attributes: bits)
            let flags = try await flags(of: send, stage)
            #expect(flags == expected.map { $0 ? "Y" : "N" }.joined(), "\(bits)")
            let event = stage.bob.events.first { $0.text == send.text || $0.message?.text == send.text }
            #expect((event != nil) == expected[2], "\(bits)")
            if let event {
                #expect(event.message?.carries(send) == true)
                #expect(event.name == (isStored ? "message.sent" : "message.relayed"))
                #expect(event.body.behaviour?.isRealtime == has(2 | 4))
                #expect(event.body.behaviour?.isForOpenChannel == (has(4) && !has(2)))
            }
        }
        for bits in [nil, 0, -1, 64] {
            let send = SendMessage(channel: Cast.club, type: "custom", text: "x", attributes: bits)
            #expect(try await stage.ann.refusal(send)?.entry == .dataFormat)
        }
        let text = SendMessage(channel: Cast.club, text: "x", attributes: 1)
        #expect(try await stage.ann.refusal(text)?.entry == .dataFormat)
    }

    @Test(arguments: Backend.available)
    func `a message that is not stored is relayed to every device, and leaves no trace`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.makePair()
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        let before = try await stage.bob.channel(Cast.club)
        let send = SendMessage(channel: Cast.club, type: "custom", text: "now", attributes: 2)
        let answer = try await stage.ann.perform(send, id: "relay")
        #expect(answer.seq == nil)
        for session in [stage.ann, tablet, stage.bob, stage.cid] {
            let event = try #require(session.events(named: .messageRelayed).first)
            #expect(event.channel == Cast.club)
            #expect(event.senderID == Cast.ann.userID)
            #expect(event.message?.carries(send) == true)
        }
        #expect(stage.dee.events(named: .messageRelayed).isEmpty)
        #expect(try await stage.bob.channel(Cast.club) == before)
        let id = try #require(answer.messageID)
        #expect(
            try await stage.bob.refusal(GetMessages(channel: Cast.club, messageIDs: [id]))?.entry == .messageNotFound)
        for device in [stage.ann, tablet] { #expect(try await device.perform(send, id: "relay") == answer) }
        #expect(stage.bob.events(named: .messageRelayed).count == 1)
        var other = send
        other.text = "then"
        #expect(try await stage.ann.refusal(other, id: "relay")?.entry == .duplicateTransID)
        // The key keeps its answer after the sender has lost the channel.
        try await stage.ann.perform(LeaveChannel(channel: Cast.club, successor: Cast.bob.userID))
        #expect(try await stage.ann.perform(send, id: "relay") == answer)
        #expect(try await stage.ann.refusal(send)?.entry == .notMember)
        #expect(stage.bob.events(named: .messageRelayed).count == 1)
    }
}
