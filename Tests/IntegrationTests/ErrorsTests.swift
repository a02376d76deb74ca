import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Every error of the reference table that can occur, caused over a real socket: LE.
///
/// 3 and 8 are reserved for later features, 4 is never used.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ErrorsTests {
    /// A server that knows the cast.
    private struct Scene {
        let harness: ServerHarness
        let http: HTTPClient
        let (ann, bob, cid, dee): (HTTPClient.Caller, HTTPClient.Caller, HTTPClient.Caller, HTTPClient.Caller)

        init(isFile: Bool = false, limits: [String: Int] = [:]) async throws {
            harness = try await ServerHarness(isFile: isFile, limits: limits)
            http = HTTPClient(harness)
            (ann, bob, cid, dee) = (.guest(Cast.ann), .guest(Cast.bob), .guest(Cast.cid), .guest(Cast.dee))
            for caller in [ann, bob, cid, dee] { #expect(try RawSession(harness).hello(caller) == nil) }
        }

        /// Creates the club of Ann (its admin), Bob and Cid.
        func makeClub(_ profile: ChannelProfile? = nil) throws {
            let members = [NewMember(Cast.bob.userID), NewMember(Cast.cid.userID)]
            try http.perform(
                CreateChannel(kind: .group, channel: Cast.club, members: members, profile: profile), from: ann)
        }

        func send(_ text: String, from caller: HTTPClient.Caller) throws -> MessageID {
            try #require(try http.perform(SendMessage(channel: Cast.club, text: text), from: caller).messageID)
        }

        /// Returns the refusal of a hand-written command.
        func refusal(_ command: String, _ body: String) throws -> WireError? {
            try http.post(command, body, from: ann).error
        }
    }

    /// Checks the number, the name, the retry class, and that the message is not empty.
    private func expect(
        _ error: WireError?, _ code: ErrorCode, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(error?.code == code.code, sourceLocation: sourceLocation)
        #expect(error?.name == code.name, sourceLocation: sourceLocation)
        #expect(error?.retryable == code.isRetryable, sourceLocation: sourceLocation)
        let message = error?.message ?? ""
        #expect(message.count > 10, sourceLocation: sourceLocation)
        #expect(message.first?.isLetter == true || message.first == "\"", "\(message)", sourceLocation: sourceLocation)
        #expect(code.isReserved == false, sourceLocation: sourceLocation)
    }

    @Test func `success is an answer without an error, and 0 in a list of results [LE-0]`() async throws {
        let scene = try await Scene()
        try scene.makeClub()
        let answer = try scene.http.post("message.send", #"{"channel":"club","text":"x"}"#, from: scene.ann)
        #expect(answer.status == 200)
        #expect(answer.error == nil)
        let sent = try answer.decode(Acknowledgement.self)
        #expect(sent.seq == 1)
        let id = try #require(sent.messageID)
        let recall = try scene.http.perform(RecallMessages(channel: Cast.club, messageIDs: [id]), from: scene.ann)
        #expect(recall.results == [MessageResult(messageID: id, code: 0)])
        #expect(ErrorCode.find(0) == nil)
        #expect(ErrorCode.all.allSatisfy { $0.code != 0 })
    }

    @Test(.firstPassOnly) func `an invalid token is 1`() async throws {
        let scene = try await Scene()
        expect(try scene.http.refusal(GetUnread(), from: .token("not.a.token")), .wrongCredentials)
    }

    @Test(.firstPassOnly) func `an unknown endpoint [LE-5]`() async throws {
        let scene = try await Scene()
        for (method, path) in [("GET", "/nothing"), ("POST", "/v2/message.send"), ("GET", "/v1/message.send")] {
            let answer = try scene.http.request(method, path, "", [:])
            #expect(answer.status == 404)
            expect(answer.error, .wrongEndpoint)
        }
    }

    @Test(.firstPassOnly) func `a field that is missing or of another type [LE-6]`() async throws {
        let scene = try await Scene()
        expect(try scene.refusal("message.send", #"{"text":"x"}"#), .dataFormat)
        expect(try scene.refusal("message.send", #"{"channel":5,"text":"x"}"#), .dataFormat)
        expect(try scene.refusal("member.list", #"{"channel":"club","limit":"ten"}"#), .dataFormat)
        expect(try scene.refusal("message.send", "{"), .dataFormat)
        let session = try RawSession(scene.harness)
        #expect(try session.hello(scene.ann) == nil)
        expect(try session.perform("message.send", #"{"text":"x"}"#), .dataFormat)
        // The error names the field, over HTTP, over a socket and in a login.
        let list = ListMembers(channel: Cast.club, limit: 0)
        #expect(try scene.http.refusal(list, from: scene.ann)?.field == "limit")
        #expect(try session.perform("message.send", #"{"text":"x"}"#)?.field == "channel")
        let hello = #"{"version":1,"guest":{"userID":"x","name":"a\u0007"},"deviceID":"d"}"#
        let login = try RawSession(scene.harness).perform("hello", hello)
        #expect(login?.entry == .dataFormat && login?.field == "guest.name")
    }

    @Test(.firstPassOnly) func `a command that needs a connection, without one [LE-7]`() async throws {
        let scene = try await Scene()
        expect(try scene.refusal("channel.join", #"{"channel":"lobby"}"#), .functionUnavailable)
        expect(try scene.refusal("resume", #"{"channels":[]}"#), .functionUnavailable)
        let ann = try scene.harness.disconnectedClient(Cast.ann)
        #expect(
            await refusal { () throws(RoostError) in _ = try await ann.channel(Cast.lobby).join() } == .notConnected)
    }

    @Test(.firstPassOnly) func `a token of another user is refused on the connection with 6000`() async throws {
        let scene = try await Scene()
        var tokens: [String] = []
        for user in ["ann", "bob"] {
            let made = try await Child.roost(
                ["token", "--data", scene.harness.data, "--user", user], in: scene.harness.folder
            ).result()
            tokens.append(try #require(made.output.first))
        }
        let session = try RawSession(scene.harness)
        #expect(try session.hello(.token(tokens[0])) == nil)
        expect(try session.perform("session.renew", #"{"token":"\#(tokens[1])"}"#), .notCurrentUser)
        #expect(try session.perform("session.renew", #"{"token":"\#(tokens[0])"}"#) == nil)
    }

    @Test(.firstPassOnly) func `an error without a specific code [LE-1000]`() async throws {
        let scene = try await Scene(isFile: true)
        try scene.makeClub()
        let sendAt = Date().addingTimeInterval(86_400)
        try scene.http.perform(
            CreateSchedule(messages: [MessageContent(text: "x")], channels: [Cast.club], sendAt: sendAt),
            from: scene.ann)
        let id = try #require(try scene.http.perform(ListSchedules(), from: scene.ann).schedules.first).scheduleID
        scene.harness.stop()
        try DamagedDatabase.garbleSchedules(scene.harness.data)
        try await scene.harness.start()
        expect(try HTTPClient(scene.harness).refusal(CancelSchedule(scheduleID: id), from: scene.ann), .unknown)
        // The server keeps running.
        try HTTPClient(scene.harness).perform(SendMessage(channel: Cast.club, text: "y"), from: scene.ann)
    }

    @Test func `a time that is too near or too far to be scheduled [LE-1008]`() async throws {
        let scene = try await Scene()
        try scene.makeClub()
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        for ahead in [Int64.min, -1, 0, 30_000, 59_000, 31 * 86_400_000, .max] {
            let sendAt = now.addingReportingOverflow(ahead).overflow ? ahead : now + ahead
            let create = CreateSchedule(
                messages: [MessageContent(text: "x")], channels: [Cast.club], sendAt: .init(milliseconds: sendAt))
            expect(try scene.http.refusal(create, from: scene.ann), .scheduleTime)
        }
        let good = CreateSchedule(
            messages: [MessageContent(text: "x")], channels: [Cast.club], sendAt: .init(milliseconds: now + 120_000))
        #expect(try scene.http.refusal(good, from: scene.ann) == nil)
    }

    @Test(.firstPassOnly) func `content that cannot be sent [LE-1001]`() async throws {
        let scene = try await Scene()
        try scene.makeClub()
        for text in ["", "  \n", String(repeating: "x", count: 8_001), "a\u{0}b"] {
            let send = SendMessage(channel: Cast.club, text: text)
            expect(try scene.http.refusal(send, from: scene.ann), .invalidContent)
        }
        let type = SendMessage(channel: Cast.club, type: "memberLeft", text: "x")
        expect(try scene.http.refusal(type, from: scene.ann), .invalidContent)
        let place = SendMessage(
            channel: Cast.club, type: "location", location: Location(latitude: 91, longitude: 0))
        expect(try scene.http.refusal(place, from: scene.ann), .invalidContent)
        let longest = SendMessage(channel: Cast.club, text: String(repeating: "x", count: 8_000))
        #expect(try scene.http.refusal(longest, from: scene.ann) == nil)
    }

    @Test(.firstPassOnly) func `an operation that HTTP does not know [LE-2]`() async throws {
        let scene = try await Scene()
        for name in ["no.such", "message", "message.Send", "message.send2", String(repeating: "x", count: 1_000)] {
            let answer = try scene.http.post(name, "{}", from: scene.ann)
            #expect(answer.status == 404)
            expect(answer.error, .unknownOperation)
        }
    }

    @Test(.firstPassOnly) func `a command that the server does not know [LE-1002]`() async throws {
        let scene = try await Scene()
        let session = try RawSession(scene.harness)
        #expect(try session.hello(scene.ann) == nil)
        expect(try session.perform("no.such", "{}"), .commandNotSupported)
    }

    @Test(.firstPassOnly)
    func `a failing store keeps nothing, and later accepts the same command [LE-1003]`() async throws {
        let scene = try await Scene(isFile: true)
        try scene.makeClub()
        scene.harness.stop()
        try DamagedDatabase.hideLogs(scene.harness.data)
        try await scene.harness.start()
        let send = SendMessage(channel: Cast.club, text: "x")
        let refusal = try HTTPClient(scene.harness).refusal(send, from: scene.ann, key: "k")
        expect(refusal, .databaseAccess)
        #expect(refusal?.retryAfterMs != nil)
        let list = ListMessages(channel: Cast.club)
        expect(try HTTPClient(scene.harness).refusal(list, from: scene.ann), .databaseAccess)
        scene.harness.stop()
        try DamagedDatabase.showLogs(scene.harness.data)
        try await scene.harness.start()
        #expect(try HTTPClient(scene.harness).perform(list, from: scene.ann).events.isEmpty)
        #expect(try HTTPClient(scene.harness).perform(send, from: scene.ann, key: "k").seq == 1)
    }

    @Test(.firstPassOnly)
    func `commands over the rate limit are told when to retry, and then succeed [L-103 LE-1004]`()
        async throws
    {
        let scene = try await Scene(limits: [
            "sendsPerSecond": 1, "sendBurst": 3, "commandsPerSecond": 1, "commandBurst": 3,
        ])
        let attempts: [() throws -> WireError?] = [
            { try scene.http.refusal(SendMessage(channel: Cast.lobby, text: "x"), from: scene.ann) },
            { try scene.http.refusal(GetUnread(), from: scene.bob) },
            { try scene.http.refusal(UnblockUser(userID: Cast.bob.userID), from: scene.cid) },
        ]
        for attempt in attempts {
            var refusals: [WireError] = []
            for _ in 0..<6 { if let refusal = try attempt() { refusals.append(refusal) } }
            #expect(!refusals.isEmpty)
            for refusal in refusals {
                expect(refusal, .tooManyRequests)
                #expect((1...1_000).contains(refusal.retryAfterMs ?? 0))
            }
            // A refused command does not count, so trying again does not prolong the wait.
            while let refusal = try attempt() { expect(refusal, .tooManyRequests) }
        }
    }

    @Test(.firstPassOnly) func `a channel id of a wrong form [LE-1101]`() async throws {
        let scene = try await Scene()
        for id in ["bad id", "", "a:b", "ä", String(repeating: "x", count: 65)] {
            expect(
                try scene.refusal("channel.create", #"{"kind":"group","channel":"\#(id)"}"#), .channelIDFormat)
        }
    }

    @Test func `a channel id that is taken, by a dismissed channel too [LE-1102]`() async throws {
        let scene = try await Scene()
        try scene.makeClub()
        let again = CreateChannel(kind: .group, channel: Cast.club)
        for caller in [scene.ann, scene.dee] {
            expect(try scene.http.refusal(again, from: caller), .channelIDExists)
        }
        try scene.http.perform(DismissChannel(channel: Cast.club), from: scene.ann)
        for caller in [scene.ann, scene.dee] {
            expect(try scene.http.refusal(again, from: caller), .channelIDExists)
        }
    }

    @Test(.firstPassOnly) func `a kind of channel that does not exist, or not here [LE-1103]`() async throws {
        let scene = try await Scene()
        expect(try scene.refusal("channel.create", #"{"kind":"party"}"#), .channelTypeNotSupported)
        expect(try scene.http.refusal(QueryChannels(kinds: [.open]), from: scene.ann), .channelTypeNotSupported)
    }

    @Test func `a command that does not fit the kind of the channel [LE-1104]`() async throws {
        let scene = try await Scene()
        let pair = try #require(
            try scene.http.perform(CreateChannel(kind: .single, members: [Cast.bob.userID]), from: scene.ann).channel)
        expect(try scene.http.refusal(LeaveChannel(channel: pair), from: scene.ann), .channelTypeMismatch)
        expect(try scene.http.refusal(DismissChannel(channel: pair), from: scene.ann), .channelTypeMismatch)
        let kick = KickMembers(channel: pair, members: [Cast.bob.userID])
        expect(try scene.http.refusal(kick, from: scene.ann), .channelTypeMismatch)
        let send = SendMessage(channel: pair, text: "x", kind: .group)
        expect(try scene.http.refusal(send, from: scene.ann), .channelTypeMismatch)
    }

    @Test func `a channel that is unknown, of others, or dismissed [LE-1105]`() async throws {
        let scene = try await Scene()
        let get = GetChannel(channel: Cast.club)
        let unknown = try scene.http.refusal(get, from: scene.dee)
        expect(unknown, .channelNotFound)
        try scene.makeClub()
        #expect(try scene.http.refusal(get, from: scene.dee) == unknown)
        try scene.http.perform(DismissChannel(channel: Cast.club), from: scene.ann)
        for caller in [scene.ann, scene.bob, scene.dee] {
            expect(try scene.http.refusal(get, from: caller), .channelNotFound)
        }
    }

    @Test func `a single named user who is not a member or is unknown [LE-1106]`() async throws {
        let scene = try await Scene()
        try scene.makeClub()
        let role = SetMemberRole(channel: Cast.club, userID: Cast.dee.userID, role: .moderator)
        expect(try scene.http.refusal(role, from: scene.ann), .userMissing)
        let create = CreateChannel(kind: .group, members: [try makeUser("nobody").userID])
        expect(try scene.http.refusal(create, from: scene.ann), .userMissing)
    }

    @Test func `a right that the role does not have [LE-1107]`() async throws {
        let scene = try await Scene()
        try scene.makeClub()
        let kick = KickMembers(channel: Cast.club, members: [Cast.cid.userID])
        expect(try scene.http.refusal(kick, from: scene.bob), .noPrivilege)
        expect(try scene.http.refusal(DismissChannel(channel: Cast.club), from: scene.bob), .noPrivilege)
    }

    @Test func `fewer members than a group must have [LE-1108]`() async throws {
        let scene = try await Scene()
        let lonely = CreateChannel(kind: .group, profile: ChannelProfile(minMembers: 2))
        expect(try scene.http.refusal(lonely, from: scene.ann), .tooFewMembers)
        try scene.makeClub(ChannelProfile(minMembers: 3))
        let kick = KickMembers(channel: Cast.club, members: [Cast.cid.userID])
        expect(try scene.http.refusal(kick, from: scene.ann), .tooFewMembers)
        expect(try scene.http.refusal(LeaveChannel(channel: Cast.club), from: scene.bob), .tooFewMembers)
    }

    @Test(.firstPassOnly) func `nobody to remove [LE-1109]`() async throws {
        let scene = try await Scene()
        try scene.makeClub()
        expect(
            try scene.http.refusal(KickMembers(channel: Cast.club, members: []), from: scene.ann), .nobodyToKick)
    }

    @Test(.firstPassOnly) func `nobody to ban [LE-1110]`() async throws {
        let scene = try await Scene()
        try scene.makeClub()
        expect(try scene.http.refusal(BanMembers(channel: Cast.club, members: []), from: scene.ann), .nobodyToBan)
    }

    @Test(.firstPassOnly) func `no preference given [LE-1111]`() async throws {
        let scene = try await Scene()
        try scene.makeClub()
        let nothing = SetChannelPreference(channel: Cast.club)
        expect(try scene.http.refusal(nothing, from: scene.bob), .noPreferenceToSet)
    }

    @Test(.firstPassOnly) func `no value of a profile given [LE-1112]`() async throws {
        let scene = try await Scene()
        try scene.makeClub()
        let nothing = SetChannelProfile(channel: Cast.club, profile: ChannelProfile())
        expect(try scene.http.refusal(nothing, from: scene.ann), .noProfileToSet)
    }

    @Test func `a message of another user [LE-1113]`() async throws {
        let scene = try await Scene()
        try scene.makeClub()
        let id = try scene.send("x", from: scene.ann)
        let recall = RecallMessages(channel: Cast.club, messageIDs: [id])
        expect(try scene.http.refusal(recall, from: scene.bob), .messageNotOwned)
    }

    @Test func `a listed user who is not a member [LE-1114]`() async throws {
        let scene = try await Scene()
        try scene.makeClub()
        let kick = KickMembers(channel: Cast.club, members: [Cast.cid.userID, Cast.dee.userID])
        expect(try scene.http.refusal(kick, from: scene.ann), .notAllMembers)
        let tag = SendMessage(channel: Cast.club, text: "@Dee", mentions: [Mention(userID: Cast.dee.userID)])
        expect(try scene.http.refusal(tag, from: scene.ann), .notAllMembers)
    }

    @Test func `more members than a group may have [LE-1115]`() async throws {
        let scene = try await Scene()
        try scene.makeClub(ChannelProfile(canJoin: true, maxMembers: 3))
        let invite = InviteMembers(channel: Cast.club, members: [Cast.dee.userID])
        expect(try scene.http.refusal(invite, from: scene.ann), .tooManyMembers)
        expect(try scene.http.refusal(BecomeMember(channel: Cast.club), from: scene.dee), .tooManyMembers)
        let create = CreateChannel(
            kind: .group, members: [NewMember(Cast.bob.userID)], profile: ChannelProfile(maxMembers: 1))
        expect(try scene.http.refusal(create, from: scene.ann), .tooManyMembers)
    }

    @Test func `an answer to a nonexistent invitation [LE-1116]`() async throws {
        let scene = try await Scene()
        try scene.makeClub()
        let answer = AnswerInvitation(channel: Cast.club, isAccepted: true)
        expect(try scene.http.refusal(answer, from: scene.bob), .notInvited)
        try scene.http.perform(LeaveChannel(channel: Cast.club), from: scene.bob)
        expect(try scene.http.refusal(answer, from: scene.bob), .notInvited)
    }

    @Test func `a former member [LE-1117]`() async throws {
        let scene = try await Scene()
        try scene.makeClub()
        try scene.http.perform(LeaveChannel(channel: Cast.club), from: scene.bob)
        try scene.http.perform(KickMembers(channel: Cast.club, members: [Cast.cid.userID]), from: scene.ann)
        for caller in [scene.bob, scene.cid] {
            expect(try scene.http.refusal(SendMessage(channel: Cast.club, text: "x"), from: caller), .notMember)
            expect(try scene.http.refusal(ListMessages(channel: Cast.club), from: caller), .notMember)
        }
    }

    @Test func `a message that is not there or may not be read [LE-1118]`() async throws {
        let scene = try await Scene()
        try scene.makeClub()
        let none = try #require(MessageID(rawValue: "00000000000000000000000000010000"))
        let other = try #require(ChannelID(rawValue: "other"))
        try scene.http.perform(CreateChannel(kind: .group, channel: other), from: scene.ann)
        let hidden = try #require(
            try scene.http.perform(SendMessage(channel: other, text: "x"), from: scene.ann).messageID)
        for id in [none, hidden] {
            let refusals = [
                try scene.http.refusal(DeleteMessages([id], in: Cast.club), from: scene.bob),
                try scene.http.refusal(RecallMessages(channel: Cast.club, messageIDs: [id]), from: scene.bob),
                try scene.http.refusal(SendMessage(channel: Cast.club, text: "x", replyTo: id), from: scene.bob),
                try scene.http.refusal(GetMessages(channel: Cast.club, messageIDs: [id]), from: scene.bob),
                try scene.http.refusal(ListReaders(channel: Cast.club, messageID: id), from: scene.bob),
                try scene.http.refusal(CountReads(channel: Cast.club, messageIDs: [id]), from: scene.bob),
                try scene.http.refusal(SetReadMark(channel: Cast.club, messageID: id), from: scene.bob),
                try scene.http.refusal(ListMessages(channel: Cast.club, aroundMessage: id), from: scene.bob),
            ]
            for refusal in refusals { expect(refusal, .messageNotFound) }
        }
    }

    @Test func `the same key for another command [LE-1119]`() async throws {
        let scene = try await Scene()
        try scene.makeClub()
        let send = SendMessage(channel: Cast.club, text: "one")
        let first = try scene.http.perform(send, from: scene.ann, key: "k")
        #expect(try scene.http.perform(send, from: scene.ann, key: "k") == first)
        let other = SendMessage(channel: Cast.club, text: "two")
        expect(try scene.http.refusal(other, from: scene.ann, key: "k"), .duplicateTransID)
        expect(try scene.http.refusal(HideChannel(), from: scene.ann, key: "k"), .duplicateTransID)
    }

    @Test func `a role that the member has already, or that cannot be given [LE-1120]`() async throws {
        let scene = try await Scene()
        try scene.makeClub()
        for role in [Role.participant, .invited, .outcast, .none] {
            let set = SetMemberRole(channel: Cast.club, userID: Cast.bob.userID, role: role)
            expect(try scene.http.refusal(set, from: scene.ann), .noRoleToSet)
        }
    }

    @Test func `a recall after its time is 1121`() async throws {
        let scene = try await Scene(limits: ["recallWindowMs": 1])
        try scene.makeClub()
        let first = try scene.http.perform(SendMessage(channel: Cast.club, text: "x"), from: scene.bob)
        var last = first
        while last.sentAt < first.sentAt + 3 {
            last = try scene.http.perform(SendMessage(channel: Cast.club, text: "y"), from: scene.bob)
        }
        let recall = RecallMessages(channel: Cast.club, messageIDs: [try #require(first.messageID)])
        expect(try scene.http.refusal(recall, from: scene.bob), .timeExpired)
        // There is no time limit for a member who may recall messages of others.
        #expect(try scene.http.refusal(recall, from: scene.ann) == nil)
    }
}
