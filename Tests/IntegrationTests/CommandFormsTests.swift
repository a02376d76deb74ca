import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// The shapes of errors, settings, extra data and ids, over real sockets.
@Suite(.serialized, .timeLimit(.minutes(1))) struct CommandFormsTests {
    private let harness: ServerHarness
    private let http: HTTPClient
    private let ann = HTTPClient.Caller.guest(Cast.ann)
    private let bob = HTTPClient.Caller.guest(Cast.bob)
    private let cid = HTTPClient.Caller.guest(Cast.cid)

    /// Ann's club with Bob; Cid and Dee are known to the server.
    init() async throws {
        harness = try await ServerHarness()
        http = HTTPClient(harness)
        for caller in [ann, bob, cid, .guest(Cast.dee)] { #expect(try RawSession(harness).hello(caller) == nil) }
        try http.perform(
            CreateChannel(kind: .group, channel: Cast.club, members: [Cast.bob.userID]), from: ann)
    }

    @Test(.firstPassOnly)
    func `a refusal has code and sentence in one shape over HTTP, WebSocket, SDK and command line [LR-31 C-L4]`()
        async throws
    {
        let session = try RawSession(harness)
        #expect(try session.hello(bob) == nil)
        let person = try await harness.guest(Cast.bob)
        let refused: [(command: String, body: String, arguments: [String], code: ErrorCode)] = [
            ("member.kick", #"{"channel":"club","members":["ann"]}"#, ["member", "kick", "ann"], .noPrivilege),
            ("member.kick", #"{"channel":"club","members":[]}"#, ["member", "kick"], .nobodyToKick),
            ("channel.dismiss", #"{"channel":"club"}"#, ["channel", "dismiss"], .noPrivilege),
            (
                "member.setRole", #"{"channel":"club","userID":"dee","role":"admin"}"#,
                ["member", "role", "dee", "admin"], .noPrivilege
            ),
            (
                "member.invite", #"{"channel":"club","members":["nobody"]}"#, ["member", "invite", "nobody"],
                .userMissing
            ),
            ("member.answer", #"{"channel":"club","isAccepted":true}"#, ["member", "answer", "--accept"], .notInvited),
            ("channel.setProfile", #"{"channel":"club","profile":{}}"#, ["channel", "set"], .noProfileToSet),
        ]
        for (command, body, arguments, code) in refused {
            let overHTTP = try #require(try http.post(command, body, from: bob).error)
            #expect(overHTTP.code == code.code, "\(command)")
            #expect(overHTTP.name == code.name)
            #expect(overHTTP.retryable == code.isRetryable)
            #expect(overHTTP.message.count > 10)
            #expect(try session.perform(command, body) == overHTTP)
            let any = try AnyCommand(name: command, body: Array(body.utf8))
            #expect(await refusal(of: any.value, by: person) == overHTTP)
            let told = try await Child.roost(
                arguments + ["--as", "bob", "--channel", "club", "--json"], server: harness.url, in: harness.folder
            ).result()
            #expect(told.status == 1)
            #expect(told.output.isEmpty)
            #expect(try WireCodec.decode(WireError.self, from: Array(told.errors.utf8)) == overHTTP)
        }
        // Input that is refused before it is decoded as a command looks the same.
        let raw: [(String, String, [String: String], Int)] = [
            ("GET", "/nothing", [:], 404), ("POST", "/v1/no.such", ann.headers, 404),
            ("POST", "/v1/unread.get", [:], 401), ("POST", "/v1/unread.get", ["Authorization": "Bearer x.y.z"], 401),
            ("POST", "/v1/message.send", ann.headers, 400),
        ]
        for (method, path, headers, status) in raw {
            let answer = try http.request(method, path, "{}", headers)
            #expect(answer.status == status)
            let error = try #require(answer.error, "\(path)")
            #expect(ErrorCode.find(error.code)?.name == error.name)
            #expect(error.message.count > 10)
        }
    }

    private func refusal(of command: some Command, by person: RecordingClient) async -> WireError? {
        do throws(RoostError) {
            _ = try await person.client.perform(command)
            return nil
        } catch {
            #expect(error.message == error.wire?.message)
            #expect(error.code == .server(error.wire?.code ?? 0))
            return error.wire
        }
    }

    @Test(.firstPassOnly)
    func `an error has one set of codes and names its command [XC-17]`() async throws {
        let person = try await harness.guest(Cast.cid)
        let handle = person.channel(Cast.club)
        func error<T>(_ body: () async throws(RoostError) -> T) async -> RoostError? {
            do throws(RoostError) {
                _ = try await body()
                return nil
            } catch { return error }
        }
        let found: [(String, RoostError?)] = [
            ("channel.get", await error { () throws(RoostError) in try await handle.get() }),
            ("message.list", await error { () throws(RoostError) in try await handle.history() }),
            ("message.send", await error { () throws(RoostError) in try await handle.send("x") }),
            ("member.kick", await error { () throws(RoostError) in try await handle.kick([Cast.bob.userID]) }),
            ("readMark.set", await error { () throws(RoostError) in try await handle.markRead() }),
            ("typing.start", await error { () throws(RoostError) in try await handle.typing(true) }),
        ]
        for (command, error) in found {
            #expect(error?.command == command)
            #expect(error?.wire?.entry == .channelNotFound)
            #expect(error?.description.hasSuffix("(1105 channelNotFound) in \(command)") == true)
        }
        let failed = try await person.wait("the failed send") { $0.failed != nil }
        #expect(failed.failed?.error.command == "message.send")
        // An error found by the client names its command, too; an error without a command names none.
        let empty = await error { () throws(RoostError) in try await handle.send("") }
        #expect(empty?.command == "message.send")
        #expect(empty?.wire?.entry == .invalidContent)
        await person.client.disconnect()
        let offline = await error { () throws(RoostError) in try await person.client.unread() }
        #expect(offline?.code == .notConnected)
        #expect(offline?.command == "unread.get")
        let forged = try RecordingClient(harness.url, .token { "x.y.z" }, device: "x", positions: nil)
        let refused = await error { () throws(RoostError) in try await forged.client.connect() }
        #expect(refused?.wire?.entry == .wrongCredentials)
        #expect(refused?.command == nil)
    }

    @Test func `a missing user may be the caller, a named user, or one in a list [C-L32]`() async throws {
        try http.perform(InviteMembers(channel: Cast.club, members: [Cast.cid.userID]), from: ann)
        try http.perform(LeaveChannel(channel: Cast.club), from: cid)
        let (dee, nobody) = (Cast.dee.userID, try makeUser("nobody").userID)
        // You.
        #expect(try http.refusal(SendMessage(channel: Cast.club, text: "x"), from: cid)?.entry == .notMember)
        #expect(try http.refusal(KickMembers(channel: Cast.club, members: [dee]), from: cid)?.entry == .notMember)
        // The named user.
        let role = SetMemberRole(channel: Cast.club, userID: dee, role: .moderator)
        #expect(try http.refusal(role, from: ann)?.entry == .userMissing)
        #expect(try http.refusal(LeaveChannel(channel: Cast.club, successor: dee), from: ann)?.entry == .userMissing)
        #expect(try http.refusal(CreateChannel(kind: .single, members: [nobody]), from: ann)?.entry == .userMissing)
        // To create a channel with users, they must be known, which is not the same as being members.
        #expect(
            try http.refusal(CreateChannel(kind: .group, members: [dee, nobody]), from: ann)?.entry == .userMissing)
        #expect(
            try http.refusal(InviteMembers(channel: Cast.club, members: [dee, nobody]), from: ann)?.entry
                == .userMissing)
        // A user in a list.
        let kick = KickMembers(channel: Cast.club, members: [Cast.bob.userID, dee])
        #expect(try http.refusal(kick, from: ann)?.entry == .notAllMembers)
        let mentions = [Mention(userID: Cast.bob.userID), Mention(userID: dee)]
        let tag = SendMessage(channel: Cast.club, text: "x", mentions: mentions)
        #expect(try http.refusal(tag, from: ann)?.entry == .notAllMembers)
        #expect(try http.perform(GetChannel(channel: Cast.club), from: ann).memberCount == 2)
    }

    @Test func `the settings of a channel are typed and optional: only what is given changes [C-L17]`() throws {
        func set(_ profile: String) throws -> HTTPClient.Answer {
            try http.post("channel.setProfile", #"{"channel":"club","profile":\#(profile)}"#, from: ann)
        }
        func settings() throws -> [String: Any] {
            let answer = try http.post("channel.get", #"{"channel":"club"}"#, from: bob)
            let json = try Child.object(String(decoding: answer.bytes, as: UTF8.self))
            var profile = json["profile"] as? [String: Any] ?? [:]
            profile["title"] = json["title"]
            return profile
        }
        #expect(try settings().isEmpty)
        let steps: [(json: String, key: String, value: NSObject)] = [
            (#"{"title":"Roof"}"#, "title", "Roof" as NSString),
            (#"{"customAttributes":9}"#, "customAttributes", 9 as NSNumber),
            (#"{"avatar":"a"}"#, "avatar", "a" as NSString), (#"{"background":"b"}"#, "background", "b" as NSString),
            (#"{"canJoin":true}"#, "canJoin", true as NSNumber),
            (#"{"editors":"moderators"}"#, "editors", "moderators" as NSString),
            (#"{"history":"sinceJoin"}"#, "history", "sinceJoin" as NSString),
            (#"{"minMembers":2}"#, "minMembers", 2 as NSNumber), (#"{"maxMembers":9}"#, "maxMembers", 9 as NSNumber),
            (#"{"moderatorsMayRecall":false}"#, "moderatorsMayRecall", false as NSNumber),
        ]
        var expected: [String: NSObject] = [:]
        for step in steps {
            let answer = try set(step.json)
            let json = try Child.object(String(decoding: answer.bytes, as: UTF8.self))
            #expect(json["profile"] as? NSDictionary == [step.key: step.value] as NSDictionary, "\(step.json)")
            expected[step.key] = step.value
            #expect(try settings() as NSDictionary == expected as NSDictionary)
        }
        for wrong in [
            #"{"title":5}"#, #"{"customAttributes":"9"}"#, #"{"customAttributes":1.5}"#, #"{"avatar":{"fileID":"a"}}"#,
            #"{"canJoin":"true"}"#, #"{"canJoin":1}"#, #"{"editors":"everybody"}"#, #"{"history":2}"#,
            #"{"maxMembers":"9"}"#, #"{"moderatorsMayRecall":0}"#, #"{"title":"x","maxMembers":[]}"#, "[]", "5",
        ] {
            #expect(try set(wrong).error?.entry == .dataFormat, "\(wrong)")
        }
        #expect(try settings() as NSDictionary == expected as NSDictionary)
    }

    @Test func `extra data is a JSON object on the way in and on the way out [C-L18]`() throws {
        let extras: NSDictionary = ["width": "640", "note": "\"\\ 😀"]
        let object = #"{"width":"640","note":"\"\\ 😀"}"#
        let sent = try http.post("message.send", #"{"channel":"club","text":"x","extras":\#(object)}"#, from: ann)
        #expect(sent.status == 200)
        let page = try http.post("message.list", #"{"channel":"club"}"#, from: bob)
        let events = try Child.object(String(decoding: page.bytes, as: UTF8.self))["events"] as? [[String: Any]]
        let body = try #require(events?.last?["body"] as? [String: Any])
        #expect(body["extras"] as? NSDictionary == extras)
        for wrong in [#""{\"width\":\"640\"}""#, #"["width"]"#, #"{"width":640}"#, #"{"width":{}}"#] {
            let answer = try http.post("message.send", #"{"channel":"club","text":"x","extras":\#(wrong)}"#, from: ann)
            #expect(answer.error?.entry == .dataFormat, "\(wrong)")
        }
    }

    @Test func `a transID is any UUID, in the answer and in the event as it was given [C-L19]`() async throws {
        let person = try await harness.guest(Cast.bob)
        let keys = [
            "2ed6657d-e927-11ea-8d71-362b9e155667", "3D813CBB-47FB-32BA-91DF-831E1593AC29",
            "9b2b1e1a-6d7c-4f0f-9a8e-3f0d7f2c1b5a", "2ED6657D-E927-51EA-8D71-362B9E155667",
            "1ec9414c-232a-6b00-b3c8-9e6bdeced846", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
            "C56A4180-65AA-42EC-A945-5CBC21BD0D9B",
            "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
        ]
        for key in keys {
            let sent = try http.perform(SendMessage(channel: Cast.club, text: key), from: ann, key: key)
            #expect(sent.transID.rawValue == key)
            #expect(try await person.message(key, in: Cast.club).transID?.rawValue == key)
        }
        let seqs = try http.perform(ListMessages(channel: Cast.club), from: ann).events.compactMap(\.seq)
        #expect(seqs.count == keys.count)
    }
}
