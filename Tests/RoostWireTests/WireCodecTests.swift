import RoostWire
import Testing
import WireExamples

/// Makes values of the protocol out of random numbers.
private struct Generator {
    var random: Seeded

    init(_ seed: UInt64) { random = Seeded(seed) }

    private static let pieces = [
        "a", "Ann", " ", "\"", "\\", "/", "\n", "\r", "\t", "\u{0}", "\u{1}", "\u{8}", "\u{C}", "\u{1F}", "\u{7F}", "ä",
        "e\u{301}",
        "€", "你", "😀", "👩‍👩‍👧", "\u{2028}", "\u{FEFF}", "\u{10FFFF}", "\\u0041", "{", "}", "[", ",", ":", "null",
        "</script>", "'",
    ]

    mutating func bool() -> Bool { Bool.random(using: &random) }
    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    mutating func big() -> Int64 { Int64.random(in: (bool() ? Int64.min : 0)...Int64.max, using: &random) }

    mutating func text() -> String {
        (0..<int(0...12)).map { _ in Self.pieces[int(0...Self.pieces.count - 1)] }.joined()
    }

    mutating func token(_ marks: String) -> String {
        let letters = Array("abcXYZ019" + marks)
        return String((0..<int(1...12)).map { _ in letters[int(0...letters.count - 1)] })
    }

    mutating func user() throws -> UserID { try #require(UserID(rawValue: token("_.@-"))) }
    mutating func transID() throws -> TransID { try #require(TransID(rawValue: token("_.:-"))) }

    mutating func channel() throws -> ChannelID {
        bool() ? ChannelID(single: try user(), try user()) : try #require(ChannelID(rawValue: token("_.-")))
    }

    mutating func messageID() -> MessageID {
        MessageID(sentAt: big(), seq: big(), salt: UInt32.random(in: 0...UInt32.max, using: &random))
    }

    mutating func mentions() throws -> [Mention]? {
        guard int(0...3) == 0 else { return nil }
        return try (0..<int(0...3)).map { _ in
            let isRange = bool()
            return Mention(
                userID: try user(), start: isRange ? int(-5...9_000) : nil, length: isRange ? int(-5...9_000) : nil)
        }
    }

    mutating func file() -> FileReference? {
        guard int(0...4) == 0 else { return nil }
        return FileReference(
            fileID: text(), name: bool() ? nil : text(), contentType: bool() ? nil : text(), size: bool() ? nil : big())
    }

    mutating func location() -> Location? {
        guard int(0...4) == 0 else { return nil }
        return Location(
            latitude: Double.random(in: -90...90, using: &random),
            longitude: bool() ? Double(int(-180...180)) : Double.random(in: -1e-6...1e-6, using: &random),
            address: bool() ? nil : text())
    }

    mutating func extras() -> [String: String]? {
        guard int(0...4) == 0 else { return nil }
        return (0..<int(0...3)).reduce(into: [:]) { extras, _ in extras[text()] = text() }
    }

    mutating func replyTo() throws -> ReplySnapshot? {
        guard int(0...4) == 0 else { return nil }
        return ReplySnapshot(
            messageID: messageID(), seq: big(), senderID: bool() ? nil : try user(), senderName: bool() ? nil : text(),
            sentAt: big(),
            content: MessageContent(
                type: text(), text: text(), mentions: try mentions(), extras: extras(), file: file(), thumbnail: file(),
                location: location()), isRecalled: bool() ? nil : bool())
    }

    mutating func call() -> CallNotice? {
        guard int(0...4) == 0 else { return nil }
        return CallNotice(
            callID: text(), kind: bool() ? .voice : .video, result: bool() ? nil : .missed,
            durationMs: bool() ? nil : big())
    }

    mutating func vote() throws -> Vote? {
        guard int(0...4) == 0 else { return nil }
        let options = try (0..<int(0...3)).map { _ in
            MessageContent(
                type: text(), text: text(), mentions: try mentions(), file: file(), location: location(),
                extras: extras(), call: call())
        }
        return Vote(
            options: options, choices: int(-1...9), isSecret: bool(), results: bool() ? .live : .atEnd,
            canChange: bool(), opensAt: bool() ? nil : big(), closesAt: bool() ? nil : big())
    }

    mutating func send() throws -> SendMessage {
        let isRare = bool()
        return SendMessage(
            channel: try channel(), type: bool() ? nil : text(), text: text(), mentions: try mentions(),
            after: bool() ? nil : try transID(), kind: isRare && bool() ? .group : nil,
            replyTo: isRare && bool() ? messageID() : nil, file: isRare ? file() : nil,
            thumbnail: isRare ? file() : nil, location: isRare ? location() : nil, extras: isRare ? extras() : nil,
            category: isRare && bool() ? text() : nil, attributes: isRare && bool() ? int(-1...99) : nil,
            call: isRare ? call() : nil)
    }

    mutating func message() throws -> Event {
        let isRare = bool()
        let message = Message(
            messageID: messageID(),
            content: MessageContent(
                .vote(isRare ? try vote() : nil, type: bool() ? "text" : text()), text: text(),
                mentions: try mentions(), file: isRare ? file() : nil, thumbnail: isRare ? file() : nil,
                location: isRare ? location() : nil, extras: isRare ? extras() : nil,
                category: isRare && bool() ? text() : nil, attributes: isRare && bool() ? int(-1...99) : nil,
                call: isRare ? call() : nil), senderName: text(), senderImageURL: bool() ? nil : text(), count: big(),
            replyTo: isRare ? try replyTo() : nil, isForwarded: isRare && bool() ? bool() : nil,
            recall: isRare && bool()
                ? Recall(isSilent: bool(), at: big(), byUserID: try user(), byName: text()) : nil)
        return Event(
            channel: bool() ? nil : try channel(), seq: bool() ? nil : big(), userSeq: int(0...4) == 0 ? big() : nil,
            senderID: bool() ? nil : try user(), transID: bool() ? nil : try transID(), sentAt: bool() ? nil : big(),
            body: .messageSent(message))
    }

    mutating func acknowledgement() throws -> Acknowledgement {
        Acknowledgement(
            channel: bool() ? nil : try channel(), seq: bool() ? nil : big(),
            seqs: bool() ? nil : (0..<int(0...3)).map { _ in big() }, messageID: bool() ? nil : messageID(),
            transID: try transID(), sentAt: big())
    }

    /// Breaks a frame: bytes changed, taken out, put in, doubled or cut off.
    mutating func mutate(_ frame: [UInt8]) -> [UInt8] {
        var bytes = frame
        for _ in 0..<int(1...4) where !bytes.isEmpty {
            let at = int(0...bytes.count - 1)
            switch int(0...6) {
            case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: at)
            case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: at)
            case 3: bytes.removeLast(int(0...bytes.count))
            case 4: bytes[at] ^= 1 << UInt8(int(0...7))
            case 5:
                let pieces = [
                    "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "\\u", "\\ud83d", "-", "1e9", "0", "\u{0}",
                ]
                bytes.insert(contentsOf: Array(pieces[int(0...pieces.count - 1)].utf8), at: at)
            default:
                let end = int(at...bytes.count)
                bytes.insert(contentsOf: Array(bytes[at..<end]), at: int(0...bytes.count))
            }
        }
        return bytes
    }
}

private func escaped(_ text: String) throws -> String {
    String(decoding: try WireCodec.encodeSorted([text]).dropFirst().dropLast(), as: UTF8.self)
}

@Suite(.seeded) struct WireCodecTests {
    @Test func `the fast codec of message.send equals Codable both ways`() throws {
        var make = Generator(1)
        for _ in 0..<2_000 {
            let send = try make.send()
            let frame = ClientFrame(id: make.token("-"), command: .sendMessage(send))
            let fast = try WireCodec.encodeClientFrame(frame)
            #expect(try WireCodec.decodeClientFrame(fast) == frame)
            let body = String(decoding: try WireCodec.encodeSorted(send), as: UTF8.self)
            let slow = #"{"body":\#(body),"cmd":"message.send","id":"\#(frame.id)"}"#
            #expect(try WireCodec.decodeClientFrame(Array(slow.utf8)) == frame)
            #expect(try AnyCommand(name: SendMessage.name, body: Array(body.utf8)) == frame.command)
        }
    }

    @Test func `the fast codec of a message event equals Codable both ways`() throws {
        var make = Generator(2)
        for _ in 0..<2_000 {
            let event = try make.message()
            let fast = try WireCodec.encode(event)
            #expect(try WireCodec.decode(Event.self, from: fast) == event)
            #expect(try WireCodec.decodeEvent(fast) == event)
            #expect(try WireCodec.decodeEvent(WireCodec.encodeSorted(event)) == event)
            guard case .event(let read) = try WireCodec.decodeServerFrame(fast) else {
                Issue.record("not read as an event")
                return
            }
            #expect(read == event)
        }
    }

    @Test func `the fast codec of an acknowledgement equals Codable both ways`() throws {
        var make = Generator(3)
        for _ in 0..<2_000 {
            let acknowledgement = try make.acknowledgement()
            let fast = WireCodec.encode(acknowledgement)
            #expect(try WireCodec.decode(Acknowledgement.self, from: fast) == acknowledgement)
            #expect(
                try WireCodec.decode(Acknowledgement.self, from: WireCodec.encodeSorted(acknowledgement))
                    == acknowledgement)
            let frame = WireCodec.encodeResult(id: acknowledgement.transID.rawValue, body: fast)
            guard case .result(let id, let body) = try WireCodec.decodeServerFrame(frame) else {
                Issue.record("not read as a result")
                return
            }
            #expect(id == acknowledgement.transID.rawValue)
            #expect(body == fast)
        }
    }

    @Test func `5000 broken client frames are refused or read as Codable reads them`() throws {
        var make = Generator(4)
        var read = 0
        for _ in 0..<5_000 {
            let frame = ClientFrame(id: make.token("-"), command: .sendMessage(try make.send()))
            let bytes = make.mutate(try WireCodec.encodeClientFrame(frame))
            guard let found = try? WireCodec.decodeClientFrame(bytes) else { continue }
            read += 1
            #expect((1...64).contains(found.id.utf8.count))
            // What was read survives the way out and in again.
            #expect(try WireCodec.decodeClientFrame(WireCodec.encodeClientFrame(found)) == found)
        }
        #expect(read > 50)
        #expect(read < 5_000)
    }

    @Test func `5000 broken events are refused or read as Codable reads them`() throws {
        var make = Generator(5)
        var read = 0
        for _ in 0..<5_000 {
            let bytes = make.mutate(try WireCodec.encode(try make.message()))
            _ = try? WireCodec.decodeServerFrame(bytes)
            guard let found = try? WireCodec.decodeEvent(bytes) else {
                #expect((try? WireCodec.decode(Event.self, from: bytes)) == nil)
                continue
            }
            read += 1
            #expect(
                (try? WireCodec.decode(Event.self, from: bytes)) == found, "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(read > 50)
    }

    @Test func `5000 frames of random bytes never come through`() {
        var make = Generator(6)
        for _ in 0..<5_000 {
            let bytes = (0..<make.int(0...200)).map { _ in UInt8.random(in: 0...255, using: &make.random) }
            #expect(throws: FrameFault.self) { try WireCodec.decodeClientFrame(bytes) }
            #expect(throws: (any Error).self) { try WireCodec.decodeServerFrame(bytes) }
        }
    }

    @Test func `an event with a broken id is refused and not read without it`() throws {
        let body =
            #"{"messageID":"00000000000000000000000000000001","type":"text","text":"x","senderName":"A","count":1}"#
        for key in ["channel", "senderID", "transID"] {
            let json = #"{"event":"message.sent","\#(key)":"a b","body":\#(body)}"#
            #expect(throws: (any Error).self, "\(key)") { try WireCodec.decodeEvent(Array(json.utf8)) }
        }
    }

    @Test func `a frame without a usable id or command is refused in words`() throws {
        func fault(_ json: String) -> FrameFault? {
            do {
                _ = try WireCodec.decodeClientFrame(Array(json.utf8))
                return nil
            } catch {
                return error
            }
        }
        let table: [(json: String, id: String?, code: Int)] = [
            ("", nil, 6), ("[]", nil, 6), ("null", nil, 6), ("{}", nil, 6), (#"{"id":""}"#, nil, 6),
            (#"{"id":1}"#, nil, 6),
            (#"{"id":"a"}"#, "a", 6), (#"{"id":"a","cmd":1}"#, nil, 6), (#"{"id":"a","cmd":"x.y"}"#, "a", 1002),
            (#"{"id":"a","cmd":"message.send"}"#, "a", 6), (#"{"id":"a","cmd":"message.send","body":1}"#, "a", 6),
            (#"{"id":"a","cmd":"message.send","body":{"channel":"c"}}"#, "a", 6),
            (#"{"id":"a","cmd":"message.send","body":{"channel":"a b","text":"x"}}"#, "a", 6),
            (#"{"id":"a","cmd":"message.send","body":{"channel":"c","text":null}}"#, "a", 6),
            (#"{"id":"a","cmd":"message.send","body":{"channel":"c","text":"x","after":""}}"#, "a", 6),
            (#"{"id":"a","cmd":"message.send","body":{"channel":"c","type":"text"}}"#, "a", 6),
            (#"{"id":"a","cmd":"message.send","body":{"channel":"c","text":"x","kind":"meeting"}}"#, "a", 1103),
            (#"{"id":"a","cmd":"message.send","body":{"channel":"c","text":"x","extras":{"a":1}}}"#, "a", 6),
            (#"{"id":"a","cmd":"channel.create","body":{"kind":"meeting"}}"#, "a", 1103),
            (#"{"id":"a","cmd":"channel.query","body":{"kinds":["single","fan"]}}"#, "a", 1103),
            (#"{"id":"a","cmd":"member.setRole","body":{"channel":"c","userID":"a","role":"owner"}}"#, "a", 6),
            (#"{"id":"a","cmd":"member.invite","body":{"channel":"c","members":["a b"]}}"#, "a", 6),
            (#"{"id":"a","cmd":"message.list","body":{"channel":"c","limit":1e99}}"#, "a", 6),
            (#"{"id":"a","cmd":"message.list","body":{"channel":"c","after":9223372036854775808}}"#, "a", 6),
            (#"{"id":"a","cmd":"unread.get"} x"#, nil, 6),
            ("{\"id\":\"" + String(repeating: "a", count: 65) + "\",\"cmd\":\"unread.get\"}", nil, 6),
            ("{\"id\":\"a\",\"cmd\":\"" + String(repeating: "a", count: 5_000) + "\"}", "a", 1002),
        ]
        for row in table {
            let found = try #require(fault(row.json), "\(row.json)")
            #expect(found.id == row.id, "\(row.json)")
            #expect(found.error.code == row.code, "\(row.json)")
            #expect(found.error.message.utf8.count < 300)
        }
        #expect(fault(#"{"id":"a","cmd":"unread.get"}"#) == nil)
        #expect(fault(#"{"id":"a","cmd":"unread.get","body":{},"more":[1]}"#) == nil)
    }

    @Test func `only a text needs its text in the frame`() throws {
        let json =
            #"{"id":"a","cmd":"message.send","body":{"channel":"c","type":"location","location":{"latitude":1,"longitude":-2.5}}}"#
        let channel = try #require(ChannelID(rawValue: "c"))
        #expect(
            try WireCodec.decodeClientFrame(Array(json.utf8)).command
                == .sendMessage(
                    SendMessage(
                        channel: channel, type: "location", location: Location(latitude: 1, longitude: -2.5))))
    }

    @Test func `unknown keys of a body are passed over`() throws {
        let json =
            #"{"x":{"y":[1]},"id":"a","cmd":"message.send","body":{"new":[{}],"text":"hi","channel":"c","z":1e9}}"#
        let frame = try WireCodec.decodeClientFrame(Array(json.utf8))
        let channel = try #require(ChannelID(rawValue: "c"))
        #expect(frame.command == .sendMessage(SendMessage(channel: channel, text: "hi")))
    }

    @Test func `an event of a newer protocol keeps its number`() throws {
        let json = #"{"event":"message.reacted","channel":"c","seq":7,"body":{"x":1}}"#
        let event = try WireCodec.decodeEvent(Array(json.utf8))
        #expect(event.seq == 7)
        #expect(event.body == .unknown("message.reacted"))
    }

    @Test func `every event travels and comes back`() throws {
        var make = Generator(7)
        let channel = try make.channel()
        let user = User(userID: try make.user(), name: make.text(), imageURL: make.text())
        let typing = TypingChanged(userID: user.userID, name: user.name, at: 5)
        let position = ChannelPosition(channel: channel, seq: 3)
        let hidden = ChannelsHidden(channels: [position], isAll: true)
        let mark = ReadMark(userID: user.userID, seq: 1, count: 1, readAt: 9)
        let message = try make.message().body
        guard case .messageSent(let relayed) = message else {
            Issue.record("It is not a message.")
            return
        }
        let rows = try Examples.notices().map(\.event.body).filter { body in
            switch body {
            case .messageSent, .messageAnnounced, .channelHidden, .typingStarted, .readMarkMoved: false
            default: true
            }
        }
        let bodies: [EventBody] =
            [
                .messageAnnounced(Announcement(messageID: make.messageID(), text: make.text(), count: 4)),
                .memberInvited(MembersInvited(members: [user], memberCount: 3)),
                .memberLeft(MemberLeft(userID: user.userID, name: user.name, memberCount: 2)),
                .channelJoined(
                    ChannelJoined(
                        channel: channel, kind: .group, title: nil, role: .admin, members: [user], memberCount: 1,
                        fromSeq: 0,
                        count: 0, isHidden: false)),
                .channelLeft(ChannelLeft(channel: channel)), .channelHidden(hidden), .channelEnded(hidden),
                .typingStarted(typing), .typingEnded(typing), .readMarkMoved(ReadMarksMoved(marks: [mark], moved: 1)),
                .positions(Positions(userSeq: 8, channels: [position])), .goaway(GoAway(reconnectInMs: 300)),
                message, .messageRelayed(relayed),
            ] + rows
        #expect(Set(bodies.map(\.name)) == Set(EventName.allCases.map(\.rawValue)))
        for body in bodies {
            let event = Event(channel: channel, seq: 1, sentAt: 2, body: body)
            #expect(try WireCodec.decodeEvent(WireCodec.encode(event)) == event)
            #expect(try WireCodec.decodeEvent(WireCodec.encodeSorted(event, pretty: true)) == event)
        }
    }

    @Test func `errors travel with their retry`() throws {
        let error = WireError(.storageFull, "Full \"\\ 😀", retryAfterMs: 5_000)
        #expect(try WireCodec.decode(WireError.self, from: WireCodec.encodeError(error)) == error)
        for id in ["a", nil] {
            guard
                case .failure(let found, let read) = try WireCodec.decodeServerFrame(
                    WireCodec.encodeFailure(id: id, error: error))
            else {
                Issue.record("not read as a failure")
                return
            }
            #expect(found == id)
            #expect(read == error)
        }
    }
}
