import RoostWire
import Testing
import WireExamples

private func escaped(_ text: String) throws -> String {
    String(decoding: try WireCodec.encodeSorted([text]).dropFirst().dropLast(), as: UTF8.self)
}

@Suite(.seeded) struct WireCodecTests {
    @Test func `the fast codec of message.send equals Codable both ways`() throws {
        let make = Generator(1)
        var coverage = Coverage()
        for _ in 0..<4_000 {
            var send = try make.draw(SendMessage.self)
            if make.bool() { send.content.payload = try make.payload() }
            coverage.note(send)
            let frame = ClientFrame(id: make.token("-"), command: .write(.sendMessage(send)))
            let fast = try WireCodec.encodeClientFrame(frame)
            #expect(try WireCodec.decodeClientFrame(fast) == frame)
            let body = String(decoding: try WireCodec.encodeSorted(send), as: UTF8.self)
            let slow = #"{"body":\#(body),"cmd":"message.send","id":"\#(frame.id)"}"#
            #expect(try JSONTree(fast) == JSONTree(Array(slow.utf8)))
            #expect(try WireCodec.decodeClientFrame(Array(slow.utf8)) == frame)
            #expect(try AnyCommand(name: SendMessage.name, body: Array(body.utf8)) == frame.command)
        }
        // Every field was drawn, whatever fields there are, and contents of every type came about.
        #expect(coverage.missing.isEmpty)
        for type in MessageRules.types + ["other"] { #expect(coverage.cases.contains("Payload.\(type)"), "\(type)") }
    }

    @Test func `the fast codec of a message event equals Codable both ways`() throws {
        let make = Generator(2)
        var coverage = Coverage()
        for _ in 0..<4_000 {
            var event = try make.draw(Event.self)
            if case .channel(.messageSent(var message)) = event.body, make.bool() {
                message.content.payload = try make.payload()
                event.body = .channel(.messageSent(message))
            }
            coverage.note(event)
            let fast = try WireCodec.encode(event)
            let slow = try WireCodec.encodeSorted(event)
            #expect(try JSONTree(fast) == JSONTree(slow))
            #expect(try WireCodec.decode(Event.self, from: fast) == event)
            #expect(try WireCodec.decodeEvent(fast) == event)
            #expect(try WireCodec.decodeEvent(slow) == event)
            guard case .event(let read) = try WireCodec.decodeServerFrame(fast) else {
                Issue.record("not read as an event")
                return
            }
            #expect(read == event)
        }
        #expect(coverage.missing.isEmpty)
        for type in MessageRules.types + ["vote", "news", "other"] {
            #expect(coverage.cases.contains("Payload.\(type)"), "\(type)")
        }
    }

    @Test func `the fast codec of an acknowledgement equals Codable both ways`() throws {
        let make = Generator(3)
        for _ in 0..<2_000 {
            let acknowledgement = try make.draw(Acknowledgement.self)
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

    @Test func `2000 welcomes are written as Codable reads them`() throws {
        let make = Generator(9)
        for _ in 0..<2_000 {
            let welcome = try make.draw(Welcome.self)
            let bytes = WireCodec.encode(welcome, limits: try WireCodec.encode(welcome.limits))
            #expect(try WireCodec.decode(Welcome.self, from: bytes) == welcome)
        }
    }

    @Test func `5000 broken client frames are refused or read as Codable reads them`() throws {
        let make = Generator(4)
        var read = 0
        for _ in 0..<5_000 {
            let frame = ClientFrame(id: make.token("-"), command: .write(.sendMessage(try make.draw(SendMessage.self))))
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
        let make = Generator(5)
        var read = 0
        for _ in 0..<5_000 {
            let bytes = make.mutate(try WireCodec.encode(try make.draw(Event.self)))
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
        let make = Generator(6)
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
            (#"{"id":"a"}"#, "a", 6), (#"{"id":"a","cmd":1}"#, "a", 6), (#"{"id":"a","cmd":"x.y"}"#, "a", 1002),
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
                == .write(
                    .sendMessage(
                        SendMessage(
                            channel: channel, type: "location", location: Location(latitude: 1, longitude: -2.5)))))
    }

    @Test func `unknown keys of a body are passed over`() throws {
        let json =
            #"{"x":{"y":[1]},"id":"a","cmd":"message.send","body":{"new":[{}],"text":"hi","channel":"c","z":1e9}}"#
        let frame = try WireCodec.decodeClientFrame(Array(json.utf8))
        let channel = try #require(ChannelID(rawValue: "c"))
        #expect(frame.command == .write(.sendMessage(SendMessage(channel: channel, text: "hi"))))
    }

    @Test(arguments: [
        #"{"x":1,"y":[null,true,-2.5,"é\n",{"z":{}}],"large":9007199254740993}"#, "{}", "[1]", #""text""#, "null",
    ])
    func `an event of a newer protocol keeps its number and its body`(body: String) throws {
        let json = #"{"event":"message.reacted","channel":"c","seq":7,"body":\#(body)}"#
        let event = try WireCodec.decodeEvent(Array(json.utf8))
        #expect(event.seq == 7 && event.name == "message.reacted")
        let written = try JSONTree(try WireCodec.encode(event))
        let wanted = try JSONTree(Array(json.utf8))
        #expect(body == "null" ? written != wanted : written == wanted)
        #expect(try WireCodec.decodeEvent(try WireCodec.encode(event)) == event)
    }

    @Test func `every event survives encoding and decoding`() throws {
        let make = Generator(7)
        let channel = try make.channel()
        let user = User(userID: try make.user(), name: make.text(), imageURL: make.text())
        let typing = TypingChanged(userID: user.userID, name: user.name, at: .init(milliseconds: 5))
        let position = ChannelPosition(channel: channel, seq: 3)
        let hidden = ChannelsHidden(channels: [position], isAll: true)
        let mark = ReadMark(userID: user.userID, seq: 1, count: 1, readAt: .init(milliseconds: 9))
        let message = try make.draw(Event.self).body
        guard case .channel(.messageSent(let relayed)) = message else {
            Issue.record("It is not a message.")
            return
        }
        let rows = try Examples.notices().map(\.event.body).filter { body in
            switch body {
            case .channel(.messageSent), .channel(.messageAnnounced), .user(.channelHidden), .ephemeral(.typingStarted),
                .ephemeral(.readMarkMoved):
                false
            default: true
            }
        }
        let bodies: [EventBody] =
            [
                .channel(.messageAnnounced(Announcement(messageID: make.messageID(), text: make.text(), count: 4))),
                .channel(.memberInvited(MembersInvited(members: [user], memberCount: 3))),
                .channel(.memberLeft(MemberLeft(userID: user.userID, name: user.name, memberCount: 2))),
                .user(
                    .channelJoined(
                        ChannelJoined(
                            channel: channel, kind: .group, title: nil, role: .admin, members: [user], memberCount: 1,
                            fromSeq: 0,
                            count: 0, isHidden: false))),
                .user(.channelLeft(ChannelLeft(channel: channel))), .user(.channelHidden(hidden)),
                .user(.channelEnded(hidden)),
                .ephemeral(.typingStarted(typing)), .ephemeral(.typingEnded(typing)),
                .ephemeral(.readMarkMoved(ReadMarksMoved(marks: [mark], moved: 1))),
                .ephemeral(.sessionExpiring(SessionExpiring(expiresAt: .init(milliseconds: .max)))),
                .ephemeral(.positions(Positions(userSeq: 8, channels: [position]))),
                .ephemeral(.goaway(GoAway(reconnectInMs: 300))),
                message, .ephemeral(.messageRelayed(relayed)),
            ] + rows
        #expect(Set(bodies.map(\.name)) == Set(EventName.allCases.map(\.rawValue)))
        for body in bodies {
            let event = Event(channel: channel, seq: 1, sentAt: .init(milliseconds: 2), body: body)
            #expect(try WireCodec.decodeEvent(WireCodec.encode(event)) == event)
            #expect(try WireCodec.decodeEvent(WireCodec.encodeSorted(event, pretty: true)) == event)
        }
    }

    @Test(arguments: [
        WireError(.storageFull, "Full \"\\ 😀", retryAfterMs: 5_000), WireError(.channelNotFound),
        WireError(.dataFormat, field: "messages[2].text", "Shorten it."),
    ])
    func `errors travel with their field and their retry`(error: WireError) throws {
        #expect(try WireCodec.decode(WireError.self, from: WireCodec.encodeError(error)) == error)
        #expect(try JSONTree(WireCodec.encodeError(error)) == JSONTree(WireCodec.encodeSorted(error)))
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
