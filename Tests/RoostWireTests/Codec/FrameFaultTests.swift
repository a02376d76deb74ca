import RoostWire
import Testing

/// The answers to frames that are JSON but not commands, and to frames that are not JSON.
@Suite struct FrameFaultTests {
    private func command(_ json: String) throws(FrameFault) -> AnyCommand {
        try WireCodec.decodeClientFrame(Array(json.utf8)).command
    }

    private func refusal(of json: String) -> FrameFault? {
        do {
            _ = try command(json)
            return nil
        } catch {
            return error
        }
    }

    /// A send, which the hand-written codec reads, and another command, which Codable reads, with this in the body.
    private func frames(with fields: String) -> [String] {
        [
            #"{"id":"a","cmd":"message.send","body":{"channel":"c","text":"x",\#(fields)}}"#,
            #"{"id":"a","cmd":"resume","body":{"channels":[],\#(fields)}}"#,
            #"{"id":"a","cmd":"channel.create","body":{"kind":"group",\#(fields)}}"#,
            #"{"body":{\#(fields)},"cmd":"unread.get","id":"a"}"#,
        ]
    }

    @Test(arguments: [
        #"{"id":"a","cmd":7}"#, #"{"cmd":{"id":"b"},"id":"a"}"#, #"{"id":"a","cmd":null}"#,
        #"{"id":"a","cmd":["unread.get"],"body":{}}"#, #"{"id":"a"}"#, #"{"id":"a","cmd":true}"#,
        #"{"id":"a","cmd":"unread.get","body":[]}"#, #"{"id":"a","cmd":"unread.get","body":1}"#,
        #"{"id":"a","cmd":"channel.list","body":"x"}"#, #"{"body":false,"id":"a","cmd":"message.send"}"#,
        #"{"\u0069d":"a","cmd":7}"#,
    ])
    func `a frame that is JSON keeps its id, whatever kind the other fields are of`(json: String) throws {
        let fault = try #require(refusal(of: json))
        #expect(fault.id == "a")
        #expect(fault.error.entry == .dataFormat)
    }

    @Test func `a frame that is too deep or too wide keeps its id`() throws {
        let deep = String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)
        let nested = String(repeating: #"{"a":"#, count: 9_000) + "1" + String(repeating: "}", count: 9_000)
        let wide = (0..<3_000).map { #""k\#($0)":1"# }.joined(separator: ",")
        for value in [deep, nested, "{\(wide)}", "[{\(wide)},\(deep)]"] {
            for json in [#"{"id":"a","cmd":"unread.get","body":{"x":\#(value)}}"#, #"{"x":\#(value),"id":"a"}"#] {
                let fault = try #require(refusal(of: json))
                #expect(fault.id == "a")
                #expect(fault.error.entry == .dataFormat)
            }
        }
    }

    @Test(arguments: [
        "", "{", #"{"id":"a","cmd":"unread.get""#, #"{"id":"a" "cmd":7}"#, #"{"id":"a","cmd":7} x"#, #"[{"id":"a"}]"#,
        #"{"id":"a","cmd":"unread.get","body":{"x":[1,]}}"#, #"{"id":"a","cmd":"unread.get","body":{"x":[1}}}"#,
        #"{"id":"a","cmd":"unread.get","body":{"x":{"y"}}}"#, #"{"id":"a","cmd":"unread.get","body":{"x":1,}}"#,
        #"{"id":"a","cmd":"unread.get","body":"\x"}"#, #"{"id":"a","cmd":"unread.get","body":"\ud83d\u12"}"#,
        #"{"id":"\ud83d","cmd":"unread.get"}"#, #"{"id":["a"],"cmd":"unread.get"}"#, #"{"id":null,"cmd":"unread.get"}"#,
        #"{"id":"a","id":"b","cmd":"unread.get"}"#, #"{"id":"a","cmd":"unread.get","id":"a"}"#,
    ])
    func `a frame that is not JSON, or does not have exactly one id, is answered without id`(json: String) throws {
        let fault = try #require(refusal(of: json))
        #expect(fault.id == nil)
        #expect(fault.error.entry == .dataFormat)
    }

    @Test(arguments: [
        #"\ud83d"#, #"a\uDE00"#, #"\ud83d\ud83d\ude00"#, #"\ud83dx"#, #"\ud83d\n"#, #"\ude00\ud83d"#, #"\ud83d\u0041"#,
    ])
    func `half a surrogate pair is refused as a bad text everywhere`(text: String) throws {
        let values = [#""\#(text)""#, #"["\#(text)"]"#, #"{"x":{"y":"\#(text)"}}"#, #"{"\#(text)":1}"#]
        for value in values {
            for json in frames(with: #""new":\#(value)"#) {
                let fault = try #require(refusal(of: json), "\(json)")
                #expect(fault.id == "a")
                #expect(fault.error.entry == .invalidContent)
            }
        }
        let send = #"{"id":"a","cmd":"message.send","body":{"channel":"c","text":"\#(text)"}}"#
        #expect(refusal(of: send)?.id == "a")
        #expect(refusal(of: send)?.error.entry == .invalidContent)
    }

    @Test func `a whole surrogate pair is read`() throws {
        let send = try command(#"{"id":"a","cmd":"message.send","body":{"channel":"c","text":"\ud83d\ude00"}}"#)
        let channel = try #require(ChannelID(rawValue: "c"))
        #expect(send == .write(.sendMessage(SendMessage(channel: channel, text: "😀"))))
    }

    @Test(arguments: [
        #""x":1,"x":1"#, #""x":1,"y":2,"\u0078":1"#, #""x":{"y":1,"z":[],"y":1}"#, #""x":[0,{"y":{"z":1,"z":2}}]"#,
        #""mentions":[{"userID":"b","userID":"c"}]"#, #""extras":{"k":"1","k":"2"}"#, #""channels":[],"channels":[]"#,
        #""kind":"group","kind":"open""#, #""text":"x","text":"y""#,
    ])
    func `a key twice in a body is refused, by both codecs`(fields: String) throws {
        for json in frames(with: fields) {
            let fault = try #require(refusal(of: json), "\(json)")
            #expect(fault.id == "a")
            #expect(fault.error.entry == .dataFormat)
        }
    }

    @Test(arguments: [
        #"{"id":"a","cmd":"message.send","body":{"channel":"c","text":"x"},"body":{"channel":"c","text":"y"}}"#,
        #"{"id":"a","cmd":"unread.get","cmd":"channel.list"}"#, #"{"id":"a","cmd":"unread.get","x":1,"x":2}"#,
    ])
    func `a key twice in a frame is refused`(json: String) throws {
        let fault = try #require(refusal(of: json))
        #expect(fault.id == "a")
        #expect(fault.error.entry == .dataFormat)
    }

    @Test func `null is as good as absent, and fields that are not known are passed over, by both codecs`() throws {
        let more = #""new":{"x":[1,null]},"other":null"#
        let pairs: [(String, String)] = [
            (#"{"id":"a","cmd":"unread.get"}"#, #"{"id":"a","cmd":"unread.get","body":null,"x":null}"#),
            (
                #"{"id":"a","cmd":"message.send","body":{"channel":"c","text":"x"}}"#,
                #"{"id":"a","cmd":"message.send","body":{"channel":"c","text":"x","type":null,"after":null,"mentions":null,"extras":null,"kind":null,"replyTo":null,\#(more)}}"#
            ),
            (
                #"{"id":"a","cmd":"message.send","body":{"channel":"c","type":"location","location":{"latitude":1,"longitude":2}}}"#,
                #"{"id":"a","cmd":"message.send","body":{"channel":"c","type":"location","text":null,"location":{"latitude":1,"longitude":2,"address":null,\#(more)}}}"#
            ),
            (
                #"{"id":"a","cmd":"resume","body":{"channels":[{"channel":"c","seq":1}]}}"#,
                #"{"id":"a","cmd":"resume","body":{"epoch":null,"userSeq":null,"channels":[{"channel":"c","seq":1,\#(more)}],\#(more)}}"#
            ),
            (
                #"{"id":"a","cmd":"channel.create","body":{"kind":"group","members":[{"userID":"b"}],"profile":{}}}"#,
                #"{"id":"a","cmd":"channel.create","body":{"kind":"group","channel":null,"title":null,"members":[{"userID":"b","role":null,\#(more)}],"profile":{"canJoin":null,\#(more)},\#(more)}}"#
            ),
            (
                #"{"id":"a","cmd":"message.list","body":{"channel":"c"}}"#,
                #"{"id":"a","cmd":"message.list","body":{"channel":"c","before":null,"limit":null,\#(more)}}"#
            ),
        ]
        for (plain, other) in pairs { #expect(try command(plain) == command(other), "\(other)") }
        // What has to be there is missing then.
        let missing = refusal(of: #"{"id":"a","cmd":"message.send","body":{"channel":null,"text":"x"}}"#)
        #expect(missing?.error.entry == .dataFormat)
    }

    @Test func `the body of a command over HTTP is held to the same rules`() throws {
        func code(_ body: String) -> ErrorCode? {
            do {
                try FrameFault.check(body: Array(body.utf8))
                return nil
            } catch {
                return error.entry
            }
        }
        for body in ["{}", " {} ", #"{"x":null}"#, #"{"x":"\ud83d\ude00"}"#] { #expect(code(body) == nil, "\(body)") }
        for body in ["", "[]", "null", "1", #""x""#, "{", "{} x", #"{"x":1,"x":1}"#, #"{"x":{"y":1,"y":1}}"#] {
            #expect(code(body) == .dataFormat, "\(body)")
        }
        #expect(
            code(#"{"x":\#(String(repeating: "[", count: 33) + String(repeating: "]", count: 33))}"#) == .dataFormat)
        #expect(code(#"{"text":"\ud83d"}"#) == .invalidContent)
    }
}
