import RoostWire
import Testing
import WireExamples

/// A body with one value replaced, and the path of that value as errors name it.
private struct Variant {
    var path: String
    var body: JSONTree
}

/// Copies of a body with one of its nested values replaced in each; nil removes a key.
private func variants(
    of tree: JSONTree, at path: String = "", _ replace: (JSONTree) -> JSONTree?
) -> [Variant] {
    var found: [Variant] = []
    switch tree {
    case .object(let fields):
        for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
            let inner = path.isEmpty ? key : "\(path).\(key)"
            var changed = fields
            changed[key] = replace(value)
            found.append(Variant(path: inner, body: .object(changed)))
            for variant in variants(of: value, at: inner, replace) {
                changed[key] = variant.body
                // The names below are those of the app; errors never contain them.
                found.append(Variant(path: key == "extras" ? inner : variant.path, body: .object(changed)))
            }
        }
    case .array(let elements):
        for (index, value) in elements.enumerated() {
            let inner = "\(path)[\(index)]"
            var changed = elements
            if let other = replace(value) {
                changed[index] = other
                found.append(Variant(path: inner, body: .array(changed)))
            }
            for variant in variants(of: value, at: inner, replace) {
                changed[index] = variant.body
                found.append(Variant(path: variant.path, body: .array(changed)))
            }
        }
    case .string, .number, .fraction, .bool, .null: break
    }
    return found
}

/// The refusal of a body, which is the same in a frame and over HTTP.
private func refusal(_ command: String, _ body: String) -> WireError? {
    var refusals: [WireError?] = []
    do {
        _ = try WireCodec.decodeClientFrame(Array(#"{"id":"a","cmd":"\#(command)","body":\#(body)}"#.utf8))
        refusals.append(nil)
    } catch {
        refusals.append(error.error)
    }
    do {
        _ = try AnyCommand(name: command, body: Array(body.utf8))
        refusals.append(nil)
    } catch {
        refusals.append(error)
    }
    #expect(refusals[0]?.code == refusals[1]?.code && refusals[0]?.field == refusals[1]?.field, "\(command) \(body)")
    return refusals[0]
}

/// The bodies of all examples of commands.
private func bodies() throws -> [(command: String, body: JSONTree)] {
    try Examples.exchanges().map { ($0.name, try JSONTree(try WireCodec.encode($0.frame.command.value))) }
}

@Suite struct ErrorFieldsTests {
    @Test func `a value of the wrong type in any field of any command is refused with the path of the field`() throws {
        func wrong(_ value: JSONTree) -> JSONTree {
            switch value {
            case .string, .object, .array: .number(7)
            case .number, .fraction, .bool, .null: .string("x")
            }
        }
        var paths: Set<String> = []
        for (command, body) in try bodies() {
            for variant in variants(of: body, wrong) {
                let error = refusal(command, variant.body.text())
                #expect(error?.entry == .dataFormat, "\(command) \(variant.path)")
                #expect(error?.field == variant.path, "\(command) \(variant.path)")
                #expect(error?.message.contains("\"\(variant.path)\"") == true, "\(command) \(variant.path)")
                paths.insert("\(command) \(variant.path)")
            }
        }
        // The examples contain the most deeply nested values.
        for path in [
            "message.sendMany messages[1].file.fileID", "vote.create vote.options[1].text",
            "channel.create members[0].role", "resume channels[1].seq", "message.send mentions[0].start",
            "hello guest.userID", "broadcast.create segment.kind", "channel.setProfile profile.title",
        ] {
            #expect(paths.contains(path), "\(path)")
        }
    }

    @Test func `a field that is missing or null is either no fault or named`() throws {
        var named: Set<String> = []
        for (command, body) in try bodies() {
            for variant in variants(of: body, { _ in nil }) + variants(of: body, { _ in .null }) {
                guard let error = refusal(command, variant.body.text()) else { continue }
                #expect(error.entry == .dataFormat, "\(command) \(variant.path)")
                #expect(error.field == variant.path, "\(command) \(variant.path)")
                named.insert("\(command) \(variant.path)")
            }
        }
        for path in [
            "message.send channel", "message.send text", "member.invite members", "resume channels[1].seq",
            "message.list channel", "hello deviceID", "vote.create vote.options", "vote.create vote.options[0]",
        ] {
            #expect(named.contains(path), "\(path)")
        }
    }

    @Test(arguments: ["1.5", "1e99", "9223372036854775808", "-9223372036854775809", "1e400"])
    func `a number that a field cannot hold is named by the field`(number: String) {
        let table = [
            ("message.list", #"{"channel":"c","limit":N}"#, "limit"),
            ("message.list", #"{"other":1.5,"channel":"c","after":N}"#, "after"),
            (
                "vote.cast", #"{"channel":"c","messageID":"00000000000000000000000000000001","options":[0,N]}"#,
                "options[1]"
            ),
            ("resume", #"{"channels":[{"channel":"a","seq":1},{"channel":"b","seq":N}]}"#, "channels[1].seq"),
            (
                "message.sendMany",
                #"{"channels":["c"],"messages":[{"location":{"latitude":1.5,"longitude":-2.5},"attributes":N}]}"#,
                "messages[0].attributes"
            ),
        ]
        for (command, body, path) in table {
            let error = refusal(command, body.replacing("N", with: number))
            #expect(error?.entry == .dataFormat && error?.field == path, "\(command) \(body)")
        }
        let place = #"{"channel":"c","type":"location","location":{"latitude":1.5,"longitude":N}}"#
        let error = refusal("message.send", place.replacing("N", with: number))
        #expect(error?.field == (number == "1e400" ? "location.longitude" : nil))
    }

    @Test func `an id of a wrong form, a name that there is not and a kind that there is not are named by the field`() {
        let table: [(String, String, Int, String?)] = [
            ("message.send", #"{"channel":"a b","text":"x"}"#, 6, "channel"),
            ("message.send", #"{"channel":"c","text":"x","after":""}"#, 6, "after"),
            (
                "message.send", #"{"channel":"c","text":"x","mentions":[{"userID":"a"},{"userID":"a b"}]}"#, 6,
                "mentions[1].userID"
            ),
            ("member.invite", #"{"channel":"c","members":["a","b",{"userID":"a b"}]}"#, 6, "members[2].userID"),
            ("member.invite", #"{"channel":"c","members":["a","a b"]}"#, 6, "members[1]"),
            ("member.invite", #"{"channel":"c","members":["a",{"userID":"b","role":"owner"}]}"#, 6, "members[1].role"),
            ("member.setRole", #"{"channel":"c","userID":"a","role":"owner"}"#, 6, "role"),
            ("broadcast.create", #"{"senderID":"a","messages":[],"segment":{"kind":"some"}}"#, 6, "segment.kind"),
            ("channel.create", #"{"kind":"meeting"}"#, 1103, "kind"),
            ("channel.create", #"{"kind":"group","channel":"a b"}"#, 1101, "channel"),
            ("channel.query", #"{"kinds":["single","fan"]}"#, 1103, "kinds[1]"),
            ("message.send", #"{"channel":"c","text":"x","kind":"meeting"}"#, 1103, "kind"),
            ("message.send", "[]", 6, nil), ("message.send", "7", 6, nil),
        ]
        for (command, body, code, path) in table {
            let error = refusal(command, body)
            #expect(error?.code == code && error?.field == path, "\(command) \(body)")
        }
    }

    @Test func `what an app has named in extras is not repeated`() {
        let error = refusal("message.send", #"{"channel":"c","text":"x","extras":{"my secret":1}}"#)
        #expect(error?.field == "extras")
        #expect(error?.message.contains("secret") == false)
    }
}
