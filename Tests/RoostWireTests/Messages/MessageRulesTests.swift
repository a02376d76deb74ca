import RoostWire
import Testing

private let file = FileReference(fileID: "f-1", name: "a.png", contentType: "image/png", size: 3)
private let place = Location(latitude: 1, longitude: 2)

private protocol HasContent {
    var content: MessageContent { get set }
}

extension SendMessage: HasContent {}
extension Message: HasContent {}

extension HasContent {
    /// The fields of the wire, to be set whether or not they fit the type.
    fileprivate var fields: MessageContent.Fields {
        get { content.payload.fields }
        set { content.payload.fields = newValue }
    }
}

@Suite struct MessageRulesTests {
    private let channel: ChannelID
    private let ann: UserID

    init() throws {
        channel = try #require(ChannelID(rawValue: "team"))
        ann = try #require(UserID(rawValue: "ann"))
    }

    private func code(_ type: String?, _ text: String = "", _ change: (inout SendMessage) -> Void = { _ in })
        -> ErrorCode?
    {
        var send = SendMessage(channel: channel, type: type, text: text)
        change(&send)
        do {
            try MessageRules.check(send, limits: Limits())
            return nil
        } catch {
            return error.entry
        }
    }

    @Test func `every kind of message passes with what it needs`() {
        for type in [nil, "text", "sticker"] { #expect(code(type, "a") == nil) }
        for type in ["image", "video", "contact"] {
            #expect(code(type) { $0.fields.file = file } == nil)
            #expect(code(type, "Look") { ($0.fields.file, $0.fields.thumbnail) = (file, file) } == nil)
        }
        for type in ["voice", "document"] { #expect(code(type) { $0.fields.file = file } == nil) }
        #expect(code("location") { $0.fields.location = place } == nil)
        #expect(code("custom") { $0.fields.attributes = 1 } == nil)
        for type in ["customQuiet", "customUncounted", "screenshotTaken", "messageCopied", "messagesForwarded"] {
            #expect(code(type) == nil)
            #expect(code(type, "a") == nil)
        }
        for type in ["callReceived", "callCancelled", "callRecorded"] {
            #expect(code(type) { $0.fields.call = CallNotice(callID: "c", kind: .voice) } == nil)
            #expect(code(type, "a") { $0.fields.call = CallNotice(callID: "a_b.c:d-e", kind: .video) } == nil)
        }
        #expect(
            code("callRecorded") {
                $0.fields.call = CallNotice(callID: "c", kind: .voice, result: .missed, durationMs: 0)
            } == nil)
        #expect(
            MessageRules.types == [
                "callCancelled", "callReceived", "callRecorded", "contact", "custom", "customQuiet", "customUncounted",
                "document", "image", "location",
                "messageCopied", "messageSaved", "messagesForwarded", "screenshotTaken", "sticker", "text", "video",
                "voice",
            ])
        for type in MessageRules.types { #expect(MessageType.named(type) != nil) }
    }

    @Test func `what a kind needs must be there`() {
        #expect(code("text") == .invalidContent)
        #expect(code("sticker", " ") == .invalidContent)
        for type in ["image", "video", "contact", "voice", "document"] { #expect(code(type, "a") == .dataFormat) }
        #expect(code("location", "a") == .dataFormat)
        #expect(code("custom", "a") == .dataFormat)
        for type in ["callReceived", "callCancelled", "callRecorded"] { #expect(code(type, "a") == .dataFormat) }
    }

    @Test func `a notice of a call keeps its bounds`() {
        for id in ["", " ", "a b", "ä", String(repeating: "a", count: 65)] {
            #expect(
                code("callReceived") { $0.fields.call = CallNotice(callID: id, kind: .voice) } == .dataFormat, "\(id)")
        }
        for type in ["callReceived", "callCancelled"] {
            #expect(
                code(type) { $0.fields.call = CallNotice(callID: "c", kind: .voice, result: .missed) } == .dataFormat)
            #expect(code(type) { $0.fields.call = CallNotice(callID: "c", kind: .voice, durationMs: 1) } == .dataFormat)
        }
        for duration in [-1, Int64.min] {
            #expect(
                code("callRecorded") { $0.fields.call = CallNotice(callID: "c", kind: .voice, durationMs: duration) }
                    == .dataFormat)
        }
    }

    @Test func `what a kind does not have is refused`() {
        #expect(code("text", "a") { $0.fields.file = file } == .dataFormat)
        #expect(code("text", "a") { $0.fields.location = place } == .dataFormat)
        #expect(code("text", "a") { $0.fields.attributes = 1 } == .dataFormat)
        for type in ["voice", "document"] {
            #expect(code(type) { ($0.fields.file, $0.fields.thumbnail) = (file, file) } == .dataFormat)
        }
        #expect(code("sticker", "abc") { $0.mentions = [Mention(userID: ann)] } == .dataFormat)
        #expect(code("customQuiet") { $0.fields.attributes = 1 } == .dataFormat)
        #expect(code("messageCopied") { $0.fields.file = file } == .dataFormat)
        #expect(code("text", "a") { $0.fields.call = CallNotice(callID: "c", kind: .voice) } == .dataFormat)
        #expect(
            code("callReceived") {
                $0.fields.call = CallNotice(callID: "c", kind: .voice)
                $0.mentions = [Mention(userID: ann)]
            } == .dataFormat)
    }

    @Test func `types that are not messages are not sent`() {
        for type in ["", "Text", "voteText", "channelCreated", "messageRecalled", "publicNews", "x"] {
            #expect(code(type, "a") == .invalidContent, "\(type)")
        }
    }

    @Test func `a text keeps its bounds in every kind`() {
        let long = String(repeating: "a", count: 8_001)
        #expect(code(nil, long) == .invalidContent)
        #expect(code("sticker", long) == .invalidContent)
        #expect(code("image", long) { $0.fields.file = file } == .invalidContent)
        #expect(code("custom", long) { $0.fields.attributes = 1 } == .invalidContent)
        #expect(code("image", " ") { $0.fields.file = file } == .invalidContent)
    }

    @Test func `mentions are checked against the text`() {
        func mention(_ start: Int?, _ length: Int?) -> (inout SendMessage) -> Void {
            { [ann] in $0.mentions = [Mention(userID: ann, start: start, length: length)] }
        }
        #expect(code("text", "@Ann", mention(0, 4)) == nil)
        #expect(code("text", "@Ann", mention(0, 5)) == .dataFormat)
        #expect(code("custom", "@Ann") { ($0.fields.attributes, $0.mentions) = (1, [Mention(userID: ann)]) } == nil)
        #expect(
            code("document") { ($0.fields.file, $0.mentions) = (file, [Mention(userID: ann, start: 0, length: 1)]) }
                == .dataFormat)
    }

    @Test func `a place is on the earth`() {
        for (latitude, longitude) in [(90.0, 180.0), (-90, -180), (0, 0), (52.5163, 13.3777)] {
            #expect(code("location") { $0.fields.location = Location(latitude: latitude, longitude: longitude) } == nil)
        }
        for (latitude, longitude) in [(90.1, 0.0), (-90.1, 0), (0, 180.1), (0, -180.1), (.nan, 0), (0, .infinity)] {
            #expect(
                code("location") { $0.fields.location = Location(latitude: latitude, longitude: longitude) }
                    == .invalidContent)
        }
        let far = Location(latitude: 0, longitude: 0, address: String(repeating: "a", count: 1_001))
        #expect(code("location") { $0.fields.location = far } == .invalidContent)
    }

    @Test func `extras, category and bits are bounded`() {
        func extras(_ extras: [String: String]) -> ErrorCode? { code(nil, "a") { $0.extras = extras } }
        #expect(extras([:]) == nil)
        #expect(extras(Dictionary(uniqueKeysWithValues: (0..<32).map { ("k\($0)", "v") })) == nil)
        #expect(extras(Dictionary(uniqueKeysWithValues: (0..<33).map { ("k\($0)", "v") })) == .dataFormat)
        #expect(extras(["": "v"]) == .dataFormat)
        #expect(extras([String(repeating: "k", count: 65): "v"]) == .dataFormat)
        #expect(extras(["k": String(repeating: "v", count: 4_095)]) == nil)
        #expect(extras(["k": String(repeating: "v", count: 4_096)]) == .dataFormat)
        for category in ["", "a\u{0}", String(repeating: "a", count: 65)] {
            #expect(code(nil, "a") { $0.category = category } == .dataFormat)
        }
        #expect(code(nil, "a") { $0.category = "tea" } == nil)
        for bits in [1, 2, 4, 8, 16, 32, 63] { #expect(code("custom") { $0.fields.attributes = bits } == nil) }
        for bits in [0, -1, 64, Int.min, Int.max] {
            #expect(code("custom") { $0.fields.attributes = bits } == .dataFormat)
        }
    }

    @Test func `a deletion has exactly the fields of its scope`() throws {
        let message = MessageID(sentAt: 1, seq: 1, salt: 1)
        func code(_ json: String) throws -> ErrorCode? {
            let delete = try WireCodec.decode(DeleteMessages.self, from: Array(json.utf8))
            do {
                try delete.check(limits: Limits())
                return nil
            } catch {
                return error.entry
            }
        }
        let id = "\"\(message)\""
        #expect(try code(#"{"scope":"messages","channel":"c","messageIDs":[\#(id)]}"#) == nil)
        #expect(try code(#"{"scope":"channel","channel":"c"}"#) == nil)
        #expect(try code(#"{"scope":"everything"}"#) == nil)
        for json in [
            #"{"scope":"messages","channel":"c"}"#, #"{"scope":"messages","messageIDs":[\#(id)]}"#,
            #"{"scope":"messages","channel":"c","messageIDs":[]}"#,
            #"{"scope":"messages","channel":"c","messageIDs":[\#(id),\#(id)]}"#,
            #"{"scope":"channel"}"#, #"{"scope":"channel","channel":"c","messageIDs":[\#(id)]}"#,
            #"{"scope":"everything","channel":"c"}"#,
        ] { #expect(try code(json) == .dataFormat, "\(json)") }
        let many = (0..<101).map { MessageID(sentAt: 1, seq: $0, salt: 1) }
        #expect(throws: WireError.self) { try IDRules.check(many, "messageIDs", limits: Limits()) }
        #expect(throws: Never.self) { try IDRules.check(Array(many.dropLast()), "messageIDs", limits: Limits()) }
    }
}

@Suite struct MessageContentsTests {
    private func sent(_ change: (inout Message) -> Void = { _ in }) throws -> Event {
        let ann = try #require(UserID(rawValue: "ann"))
        var message = Message(
            messageID: MessageID(sentAt: 5, seq: 7, salt: 1), content: MessageContent(text: "Hello"), senderName: "Ann",
            count: 4)
        change(&message)
        return Event(seq: 7, senderID: ann, sentAt: .init(milliseconds: 5), body: .channel(.messageSent(message)))
    }

    @Test func `a snapshot holds the message and not what that one answered`() throws {
        let event = try sent {
            ($0.fields.file, $0.fields.thumbnail, $0.fields.location, $0.extras) = (file, file, place, ["a": "b"])
            $0.replyTo = ReplySnapshot(
                messageID: $0.messageID, seq: 1, sentAt: .init(milliseconds: 1), content: MessageContent(text: "old"))
        }
        let snapshot = try #require(ReplySnapshot(of: event))
        #expect(snapshot.seq == 7)
        #expect(snapshot.senderID == event.senderID)
        #expect(snapshot.senderName == "Ann")
        #expect(snapshot.text == "Hello")
        #expect(snapshot.file == file)
        #expect(snapshot.thumbnail == file)
        #expect(snapshot.location == place)
        #expect(snapshot.extras == ["a": "b"])
        #expect(snapshot.isRecalled == nil)
        let gone = snapshot.recalled()
        #expect(gone.isRecalled == true)
        #expect(gone.text.isEmpty && gone.file == nil && gone.thumbnail == nil && gone.location == nil)
        #expect(gone.extras == nil)
        #expect(gone.messageID == snapshot.messageID)
    }

    @Test func `a long text is cut at a whole character, with the mentions in it`() throws {
        let ann = try #require(UserID(rawValue: "ann"))
        let text = String(repeating: "a", count: 499) + "😀b"
        let mentions = [
            Mention(userID: ann, start: 0, length: 499), Mention(userID: ann, start: 499, length: 2),
            Mention(userID: ann),
        ]
        let event = try sent { ($0.text, $0.mentions) = (text, mentions) }
        let snapshot = try #require(ReplySnapshot(of: event))
        #expect(snapshot.text == String(repeating: "a", count: 499))
        #expect(snapshot.mentions == [mentions[0], mentions[2]])
        let short = try sent { $0.text = String(repeating: "a", count: 500) }
        #expect(ReplySnapshot(of: short)?.text.utf16.count == 500)
    }

    @Test func `a row that is not a message has no snapshot`() throws {
        let ann = try #require(UserID(rawValue: "ann"))
        let recall = Recall(isSilent: false, at: .init(milliseconds: 9), byUserID: ann, byName: "Ann")
        #expect(ReplySnapshot(of: try sent { $0.recall = recall }) == nil)
        #expect(
            ReplySnapshot(of: Event(seq: 1, sentAt: .init(milliseconds: 1), body: .channel(.rowRemoved(RowRemoved()))))
                == nil)
        var unstored = try sent()
        unstored.seq = nil
        #expect(ReplySnapshot(of: unstored) == nil)
    }

    @Test func `a recall leaves the shell and empties the answers`() throws {
        let ann = try #require(UserID(rawValue: "ann"))
        let recall = Recall(isSilent: false, at: .init(milliseconds: 9), byUserID: ann, byName: "Ann")
        let event = try sent {
            ($0.fields.file, $0.fields.location, $0.extras, $0.category, $0.fields.attributes) = (
                file, place, ["a": "b"], "tea", 3
            )
            $0.mentions = [Mention(userID: ann)]
        }
        guard case .channel(.messageSent(let message)) = event.body else {
            Issue.record("It is not a message.")
            return
        }
        let shell = message.recalled(recall)
        #expect(
            shell
                == Message(
                    messageID: message.messageID, content: MessageContent(attributes: 3), senderName: "Ann", count: 4,
                    recall: recall))
        var answer = message
        answer.replyTo = ReplySnapshot(of: event)
        #expect(answer.afterRecall(of: message.messageID).replyTo?.isRecalled == true)
        #expect(answer.afterRecall(of: MessageID(sentAt: 1, seq: 1, salt: 1)) == answer)
    }

    @Test func `the bits of a custom message decide its delivery`() throws {
        let custom = try #require(MessageType.named("custom"))
        func flags(_ bits: Int) -> String {
            let what = custom.behaviour(attributes: bits)
            return [
                what.isStored, what.isLastMessage, what.isRealtime, what.isForOpenChannel, what.isPushed,
                what.countsAsUnread,
            ].map { $0 ? "Y" : "N" }.joined()
        }
        // stored, last message, realtime, only where it is open, push, unread
        let table = [
            1: "YNNNNN", 2: "NNYNNN", 3: "YNYNNN", 4: "NNYYNN", 6: "NNYNNN", 8: "NNNNYN", 16: "YNNNNY", 32: "YYNNNN",
            63: "YYYNYY", 0: "NNNNNN",
        ]
        for (bits, expected) in table { #expect(flags(bits) == expected, "\(bits)") }
    }

    @Test(arguments: MessageType.all.filter { $0.name != "custom" })
    func `all other types behave according to their row`(type: MessageType) {
        let what = type.behaviour(attributes: 63)
        #expect(what.isStored == (type.isStored == .yes))
        #expect(what.isLastMessage == (type.isLastMessage == .yes))
        #expect(what.isRealtime == (type.isRealtime == .yes))
        #expect(what.isPushed == (type.isPushed == .yes))
        #expect(what.countsAsUnread == (type.countsAsUnread == .yes))
    }
}
