import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// The objects of the reference documents as a real server sends them, and their encoding in JSON.
@Suite(.serialized, .timeLimit(.minutes(1))) struct JSONTests {
    /// Checks that a value from the server is encoded and decoded without loss; returns its JSON.
    @discardableResult
    private func survives<T: Codable & Equatable>(_ value: T) throws -> [String: Any] {
        let bytes = try WireCodec.encode(value)
        #expect(try WireCodec.decode(T.self, from: bytes) == value)
        return try Child.object(String(decoding: bytes, as: UTF8.self))
    }

    /// An answer of the server as JSON and decoded; checks that decoding loses nothing.
    private func get<C: Command>(
        _ command: C, from caller: HTTPClient.Caller, _ http: HTTPClient
    ) throws -> (json: [String: Any], answer: C.Answer) {
        let body = String(decoding: try WireCodec.encode(command), as: UTF8.self)
        let answer = try http.post(C.name, body, from: caller)
        if let error = answer.error { throw error }
        let json = try Child.object(String(decoding: answer.bytes, as: UTF8.self))
        let read = try answer.decode(C.Answer.self)
        let again = try Child.object(String(decoding: try WireCodec.encode(read), as: UTF8.self))
        #expect(json as NSDictionary == again as NSDictionary)
        return (json, read)
    }

    /// Whether a number is a time in ms since 1970, in this century.
    private func isTime(_ value: Any?) -> Bool {
        (value as? Int64).map { (946_684_800_000..<4_102_444_800_000).contains($0) } ?? false
    }

    /// Ann, Bob and Cid on a server, and Ann's club.
    private func club(_ harness: ServerHarness) async throws -> (
        ann: RecordingClient, bob: RecordingClient, cid: RecordingClient
    ) {
        let bobWithPicture = User(userID: Cast.bob.userID, name: "Bob", imageURL: "https://example.org/b.png")
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(bobWithPicture))
        let cid = try await harness.guest(Cast.cid)
        _ = try await ann.client.createGroup(
            title: "Club \"😀\"", channel: Cast.club,
            members: [NewMember(Cast.bob.userID), NewMember(Cast.cid.userID)],
            profile: ChannelProfile(avatar: "pictures/1"))
        for person in [ann, bob, cid] { try await person.event(.channelJoined) }
        return (ann, bob, cid)
    }

    @Test func `a channel keeps address, name, cover, number of members and its time through JSON [J-63]`() async throws
    {
        let harness = try await ServerHarness()
        _ = try await club(harness)
        let (json, channel) = try get(
            GetChannel(channel: Cast.club), from: .guest(Cast.cid), HTTPClient(harness))
        #expect(json["channel"] as? String == "club")
        #expect(json["title"] as? String == "Club \"😀\"")
        #expect((json["profile"] as? [String: Any])?["avatar"] as? String == "pictures/1")
        #expect(json["memberCount"] as? Int == 3)
        #expect(isTime(json["createdAt"]))
        #expect(channel.channel == Cast.club)
        #expect(channel.title == "Club \"😀\"")
        #expect(channel.profile?.avatar == "pictures/1")
        #expect(channel.memberCount == 3)
        try survives(channel)
    }

    @Test func `a conversation knows its members, how far each has read, and 0 for a stranger [J-64]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob, _) = try await club(harness)
        for number in 1...4 { try await ann.channel(Cast.club).send("\(number)") }
        try await bob.message("4", in: Cast.club)
        try await bob.channel(Cast.club).markRead(upTo: 3)
        let (json, channel) = try get(
            GetChannel(channel: Cast.club), from: .guest(Cast.bob), HTTPClient(harness))
        #expect(channel.members.map(\.userID) == [Cast.ann, Cast.bob, Cast.cid].map(\.userID))
        #expect(channel.readSeq(of: Cast.ann.userID) == 4)
        #expect(channel.readSeq(of: Cast.bob.userID) == 3)
        #expect(channel.readSeq(of: Cast.cid.userID) == 0)
        #expect(channel.readSeq(of: Cast.dee.userID) == 0)
        try survives(channel)
        // The data for the row of a list.
        #expect(json["memberCount"] as? Int == 3)
        #expect(json["unread"] as? Int == 1)
        let last = try #require(json["lastMessage"] as? [String: Any])
        #expect((last["body"] as? [String: Any])?["text"] as? String == "4")
        #expect(isTime(last["sentAt"]))
    }

    @Test func `a message knows its sender, text and time, and whether it is history or live [J-65]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob, _) = try await club(harness)
        let sent = try await bob.channel(Cast.club).send("live \"😀\"")
        let live = try await ann.wait("the live one") { $0.text == "live \"😀\"" }
        #expect(live.isPast == false)
        var history = ann.channel(Cast.club).events(after: 0).makeAsyncIterator()
        let first = try #require(try await history.next())
        #expect(first.isPast == true)
        #expect(first.row == live.row)
        let positions = try #require(await ann.client.positions)
        await ann.client.disconnect()
        try await bob.channel(Cast.club).send("missed")
        let back = try await harness.guest(Cast.ann, positions: positions)
        let missed = try await back.wait("the missed one") { $0.text == "missed" }
        #expect(missed.isPast == true)

        let row = try #require(live.row)
        let message = try #require(row.body.message)
        #expect(row.senderID == Cast.bob.userID)
        #expect(message.senderName == "Bob")
        #expect(message.text == "live \"😀\"")
        #expect(row.$sentAt == sent.sentAt.milliseconds)
        let json = try survives(row)
        #expect(json["senderID"] as? String == "bob")
        #expect(isTime(json["sentAt"]))
        #expect((json["body"] as? [String: Any])?["text"] as? String == "live \"😀\"")
    }

    @Test func `a line of the server keeps text, category and time, live and in history [J-66 XC-9]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob, _) = try await club(harness)
        _ = try await harness.guest(Cast.dee)
        let club = ann.channel(Cast.club)
        try await club.invite([NewMember(Cast.dee.userID)])
        try await club.setRole(.moderator, of: Cast.dee.userID)
        _ = try await club.setProfile(ChannelProfile(title: "Roof"))
        _ = try await club.setProfile(ChannelProfile(avatar: "a"))
        _ = try await club.setProfile(ChannelProfile(background: "b"))
        _ = try await club.setPreference(nickname: "Annie")
        try await club.kick([Cast.dee.userID])
        try await club.ban([Cast.cid.userID])
        _ = try await club.setProfile(ChannelProfile(canJoin: true))
        try await harness.disconnectedClient(Cast.dee, device: "2").client.connect()
        let dee = try await harness.guest(Cast.dee, device: "3")
        try await dee.channel(Cast.club).becomeMember()
        try await dee.channel(Cast.club).leave()
        try await club.send("no line of the server")
        try await bob.message("no line of the server", in: Cast.club)
        try await club.dismiss()
        try await bob.event(.channelDismissed)

        let expected = [
            ("channelCreated", "ann created Club \"😀\""), ("membersInvited", "Dee joined (4 members)"),
            ("roleChanged", "Dee is a moderator now"), ("subjectChanged", "ann changed the title to “Roof”"),
            ("channelImageChanged", "ann changed the picture"),
            ("channelBackgroundChanged", "ann changed the settings: a new background"),
            ("memberProfileChanged", "ann is shown as Annie now"), ("membersKicked", "ann removed Dee (3 members)"),
            ("membersBanned", "ann banned Cid (2 members)"),
            ("channelBackgroundChanged", "ann changed the settings: anybody may join"),
            ("memberJoined", "Dee joined (3 members)"), ("memberLeft", "Dee left (2 members)"),
            ("channelDismissed", "Annie dismissed this group"),
        ]
        let rows = bob.events.compactMap(\.row).filter { ServerLine($0) != nil }
        let lines = rows.compactMap { ServerLine($0) }
        #expect(lines.map(\.category) == expected.map(\.0))
        #expect(lines.map(\.text) == expected.map(\.1))
        for (row, line) in zip(rows, lines) {
            #expect(MessageType.named(line.category)?.number ?? 0 > 1_000)
            #expect(isTime(line.sentAt?.milliseconds))
            try survives(row)
            #expect(ServerLine(try WireCodec.decode(Event.self, from: try WireCodec.encode(row))) == line)
        }
        #expect(bob.events.filter { $0.row.flatMap { ServerLine($0) } != nil }.allSatisfy { $0.isPast == false })
        // A user who was offline receives the same afterwards.
        let epoch = try #require(await bob.client.positions).epoch
        let beginning = SyncPositions(epoch: epoch, userSeq: 0, channels: [])
        let late = try await harness.guest(Cast.bob, device: "late", positions: beginning)
        let told = try await late.wait("the end of the club") { $0.row?.name == EventName.channelDismissed.rawValue }
        #expect(told.isPast == true)
        #expect(told.row.flatMap { ServerLine($0) } == lines.last)
    }

    @Test func `an announcement has a text and a time, and no sender [J-67]`() async throws {
        let harness = try await ServerHarness()
        let (ann, _, _) = try await club(harness)
        let boss = try await harness.operatorRecordingClient()
        try await boss.channel(Cast.club).announce("Closed \"today\"")
        let told = try await ann.wait("the announcement") { $0.text == "Closed \"today\"" }
        #expect(told.isPast == false)
        let row = try #require(told.row)
        let json = try survives(row)
        #expect(json["senderID"] == nil)
        #expect((json["body"] as? [String: Any])?["text"] as? String == "Closed \"today\"")
        #expect((json["body"] as? [String: Any])?["senderName"] == nil)
        #expect(isTime(json["sentAt"]))
        var history = ann.channel(Cast.club).events(after: 0).makeAsyncIterator()
        let past = try #require(try await history.next())
        #expect(past.isPast == true)
        #expect(past.row == row)
    }

    @Test(.needsBus) func `a read mark and a typing notice name the user and the time in ms [J-70]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob, _) = try await club(harness)
        try await ann.channel(Cast.club).send("x")
        try await bob.message("x", in: Cast.club)
        try await bob.channel(Cast.club).markRead()
        let moved = try await ann.wait("Bob's mark") { event in
            if case .ephemeral(.readMarkMoved(let body)) = event.row?.body {
                body.marks.first?.userID == Cast.bob.userID
            } else {
                false
            }
        }
        let row = try #require(moved.row)
        let marks = (try survives(row)["body"] as? [String: Any])?["marks"] as? [[String: Any]]
        let mark = try #require(marks?.first)
        #expect(mark["userID"] as? String == "bob")
        #expect(isTime(mark["readAt"]))
        for (isTyping, name) in [(true, EventName.typingStarted), (false, .typingEnded)] {
            try await bob.channel(Cast.club).typing(isTyping)
            let body = try survives(try await ann.event(name, in: Cast.club))["body"] as? [String: Any]
            #expect(body?["userID"] as? String == "bob")
            #expect(isTime(body?["at"]))
        }
    }

    @Test func `a member has id, name, picture and the read position of the conversation [J-71]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob, _) = try await club(harness)
        try await ann.channel(Cast.club).send("x")
        try await bob.message("x", in: Cast.club)
        try await bob.channel(Cast.club).markRead()
        let channel = try await ann.channel(Cast.club).get()
        let members = try await ann.channel(Cast.club).members()
        #expect(members.elements == channel.members)
        let member = try #require(members.first { $0.userID == Cast.bob.userID })
        #expect(member.readSeq == channel.readSeq(of: Cast.bob.userID))
        let json = try survives(member)
        #expect(json["userID"] as? String == "bob")
        #expect(json["name"] as? String == "Bob")
        #expect(json["imageURL"] as? String == "https://example.org/b.png")
        #expect(json["readSeq"] as? Int == 1)
        #expect(isTime(json["readAt"]))
    }

    @Test func `a mention carries channel, sender and message, to the person mentioned only [J-72 XC-15]`() async throws
    {
        let harness = try await ServerHarness()
        let (ann, bob, cid) = try await club(harness)
        let phone = try await harness.guest(Cast.bob, device: "phone")
        let sent = try await ann.channel(Cast.club).send(
            "hi @Bob", mentions: [Mention(userID: Cast.bob.userID, start: 3, length: 4)])
        for device in [bob, phone] {
            let told = try await device.wait("the mention") { if case .mentioned = $0 { true } else { false } }
            guard case .mentioned(let channel, let row) = told else { throw ExpectationFailure.other }
            #expect(channel == Cast.club)
            #expect(row.senderID == Cast.ann.userID)
            #expect(row.messageID == sent.messageID)
            let json = try survives(row)
            #expect(json["channel"] as? String == "club")
            #expect(json["senderID"] as? String == "ann")
            #expect((json["body"] as? [String: Any])?["text"] as? String == "hi @Bob")
        }
        try await ann.channel(Cast.club).send("end")
        for person in [ann, cid] {
            try await person.message("hi @Bob", in: Cast.club)
            try await person.message("end", in: Cast.club)
            #expect(!person.events.contains { if case .mentioned = $0 { true } else { false } })
        }
    }

    @Test func `history contains all types of messages, each decoded as its type [C-J17]`() async throws {
        let harness = try await ServerHarness()
        let (ann, _, _) = try await club(harness)
        let club = ann.channel(Cast.club)
        try await club.send("text")
        _ = try await ann.client.perform(
            SendMessage(channel: Cast.club, type: "location", location: Location(latitude: 1, longitude: 2)))
        let gone = try await club.send("gone")
        try await club.recall([gone.messageID])
        _ = try await club.setProfile(ChannelProfile(title: "Roof"))
        try await club.setRole(.admin, of: Cast.bob.userID)
        try await harness.operatorRecordingClient().channel(Cast.club).announce("line")
        try await club.kick([Cast.cid.userID])
        let (json, page) = try get(
            ListMessages(channel: Cast.club, after: 0), from: .guest(Cast.ann), HTTPClient(harness))
        let kinds = page.events.map { event in
            switch event.body {
            case .channel(.messageSent(let message)): message.recall == nil ? message.type : "shell"
            case .channel(.messageAnnounced): "announcement"
            case .channel(.messageRecalled): "recall"
            case .channel(.channelProfileChanged), .channel(.memberRoleChanged), .channel(.memberKicked): "server line"
            default: "something else: \(event.name)"
            }
        }
        #expect(
            kinds == [
                "text", "location", "shell", "recall", "server line", "server line", "announcement", "server line",
            ])
        #expect((json["events"] as? [[String: Any]])?.compactMap { $0["event"] as? String }.count == 8)
    }
}

extension EventBody {
    /// The message of a user that it contains.
    fileprivate var message: Message? { if case .channel(.messageSent(let message)) = self { message } else { nil } }
}
