import Foundation
import RoostCore
import RoostTesting
import RoostWire
import Testing

/// Which devices are notified of what, when, and with what: what a gateway is handed.
@Suite struct PushesTests {
    /// The cast, with an address on a device of Bob's that is not connected.
    private func stage(_ backend: Backend = .memory) async throws -> Stage {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.makeClub()
        try await setAddress(of: Cast.bob, "phone", on: stage.roost)
        await stage.forgetEvents()
        _ = try await stage.roost.pushes()
        return stage
    }

    private func setAddress(
        of user: User, _ device: DeviceID, voip: String? = nil, settings: SetDeviceSettings? = nil, on roost: TestCore
    ) async throws {
        let address = PushAddress(gateway: .webhook, token: "\(user.userID)-\(device)", voipToken: voip)
        try await perform(SetDeviceAddress(address: address), of: user, device, on: roost)
        if let settings { try await perform(settings, of: user, device, on: roost) }
    }

    /// Runs a command of a device that is not connected.
    private func perform(_ command: some Command, of user: User, _ device: DeviceID, on roost: TestCore) async throws {
        let actor = Actor(user: user, deviceID: device, isOperator: false)
        if case .refused(let error) = await roost.core.handle(command.any, id: roost.transID(), from: actor) {
            throw error
        }
    }

    private func tokens(_ roost: TestCore) async throws -> [String] {
        try await roost.pushes().sent.map(\.token).sorted()
    }

    @Test(arguments: Backend.available)
    func `a message is pushed once to each device that is not connected, with all that it shows`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        try await setAddress(of: Cast.bob, "tablet", on: stage.roost)
        try await setAddress(of: Cast.bob, "device", on: stage.roost)
        try await setAddress(of: Cast.ann, "phone", on: stage.roost)
        try await stage.ann.send("other", to: Cast.annAndBob)
        _ = try await stage.roost.pushes()
        let sent = try await stage.ann.perform(
            SendMessage(
                channel: Cast.club, text: "Hello @Bob",
                mentions: [Mention(userID: Cast.bob.userID, start: 6, length: 4)], extras: ["a": "b"], category: "c"))
        let (pushes, skipped) = try await stage.roost.pushes()
        #expect(skipped.isEmpty)
        // Bob's connected device has the event; Ann has sent it, and Cid has no address.
        #expect(pushes.map(\.token).sorted() == ["bob-phone", "bob-tablet"])
        let payload = try #require(pushes.first).payload
        #expect(payload.kind == .alert && payload.userID == Cast.bob.userID)
        #expect(payload.event == "message.sent" && payload.type == "text" && payload.text == "Hello @Bob")
        #expect(payload.channel == Cast.club && payload.channelKind == .group && payload.seq == sent.seq)
        #expect(payload.messageID == sent.messageID && payload.sentAt == sent.sentAt)
        #expect(payload.senderID == Cast.ann.userID && payload.senderName == "Ann" && payload.isMention == true)
        #expect(payload.extras == ["a": "b"] && payload.category == "c")
        #expect(payload.unread == 1 && payload.badge == 2 && payload.sound == nil)
        #expect(payload.title == "Ann" && payload.body == "Hello @Bob")
        #expect(payload.locKey == "roost.text" && payload.locArgs == ["Ann", "Hello @Bob"])
        #expect(UUID(uuidString: payload.pushID) != nil && pushes.first?.collapseID == sent.messageID?.rawValue)
        #expect(try await stage.roost.pushes().sent.isEmpty)
        // After a disconnect, push takes over on that device, too.
        stage.roost.disconnect(stage.bob)
        try await stage.ann.send("again", to: Cast.annAndBob)
        #expect(try await tokens(stage.roost) == ["bob-device", "bob-phone", "bob-tablet"])
    }

    @Test(arguments: Backend.available)
    func `the devices of many commits are found together, each once and in order`(backend: Backend) async throws {
        let (inner, resource) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        let roost = try TestCore(database: database, resource: resource)
        let stage = try await Stage(roost)
        try await stage.makePair()
        try await stage.makeClub()
        try await setAddress(of: Cast.bob, "phone", on: roost)
        _ = try await roost.pushes()
        let texts = (0..<250).map { "m\($0)" }
        for (number, text) in texts.enumerated() {
            try await stage.ann.send(text, to: number.isMultiple(of: 3) ? Cast.club : Cast.annAndBob)
        }
        database.noteStatements()
        let sent = try await roost.pushes().sent
        #expect(sent.map(\.payload.text) == texts)
        let turns = database.drainStatements().filter { $0.hasPrefix("SELECT id, items FROM push_outbox") }
        // 100 commits at a time, and the last one finds nothing.
        #expect(turns.count == 4)
        let left = try await database.read { try $0.rows("SELECT id FROM push_outbox") { try $0.text(0) } }
        #expect(left.isEmpty)
    }

    @Test(arguments: Backend.available)
    func `an unreadable part of the outbox is skipped, with nothing else`(backend: Backend) async throws {
        let (database, resource) = try backend.makeDatabase()
        let roost = try TestCore(database: database, resource: resource)
        let stage = try await Stage(roost)
        try await stage.makePair()
        try await setAddress(of: Cast.bob, "phone", on: roost)
        _ = try await roost.pushes()
        for number in 0..<6 { try await stage.ann.send("m\(number)", to: Cast.annAndBob) }
        try database.write { connection in
            let ids = try connection.rows("SELECT id FROM push_outbox ORDER BY id") { try $0.text(0) }
            try #require(ids.count == 6)
            for (id, items) in [(ids[1], Array("x y".utf8)), (ids[3], [2, 9, 9, 9, 9, 123])] {
                try connection.execute("UPDATE push_outbox SET items = \(blob: items) WHERE id = \(id)")
            }
        }
        #expect(try await roost.pushes().sent.map(\.payload.text) == ["m0", "m2", "m4", "m5"])
    }

    @Test func `the title of a group stands above the name of the sender and the text`() async throws {
        let stage = try await stage()
        try await stage.ann.perform(SetChannelProfile(channel: Cast.club, profile: ChannelProfile(title: "Team")))
        try await stage.ann.send("Hi", to: Cast.club)
        let payload = try #require(try await stage.roost.pushes().sent.first).payload
        #expect(payload.title == "Team" && payload.body == "Ann: Hi" && payload.channelTitle == "Team")
    }

    @Test func `a device is notified of what happens after its address was set, and not after it was removed`()
        async throws
    {
        let stage = try await stage()
        try await stage.ann.send("before", to: Cast.annAndBob)
        stage.roost.clock.advance(by: 1)
        try await setAddress(of: Cast.bob, "late", on: stage.roost)
        #expect(try await tokens(stage.roost) == ["bob-phone"])
        try await stage.ann.send("after", to: Cast.annAndBob)
        try await perform(RemoveDevice(), of: Cast.bob, "phone", on: stage.roost)
        #expect(try await tokens(stage.roost) == ["bob-late"])
    }

    @Test(arguments: Backend.available)
    func `nothing is pushed of a muted channel, and it goes on counting`(backend: Backend) async throws {
        let stage = try await stage(backend)
        try await stage.bob.perform(SetChannelPreference(channel: Cast.club, isMuted: true))
        try await stage.ann.send("hidden", to: Cast.club)
        try await stage.ann.send("shown", to: Cast.annAndBob)
        let pushes = try await stage.roost.pushes().sent
        #expect(pushes.map(\.payload.text) == ["shown"] && pushes.map(\.payload.badge) == [1])
        #expect(try await stage.bob.unread(Cast.club) == 1)
        // Muted after the message was sent, and before it was pushed.
        try await stage.ann.send("late", to: Cast.annAndBob)
        await stage.settle()
        try await stage.bob.perform(SetChannelPreference(channel: Cast.annAndBob, isMuted: true))
        #expect(try await stage.roost.pushes().skipped == ["the user has muted the channel"])
    }

    @Test func `the ringtone of a channel comes before the sound of the device`() async throws {
        let stage = try await stage()
        let (club, pair) = (Cast.club, Cast.annAndBob)
        try await perform(
            SetDeviceSettings(sound: "knock", voipSound: "ring"), of: Cast.bob, "phone", on: stage.roost)
        try await stage.bob.perform(SetChannelPreference(channel: club, ringtone: "bell"))
        let call = MessageContent(.callReceived(CallNotice(callID: "c", kind: .voice)))
        try await stage.ann.send("one", to: club)
        try await stage.ann.send("two", to: pair)
        try await stage.ann.perform(SendMessage(call, to: pair))
        let sounds = try await stage.roost.pushes().sent.map { ($0.payload.type, $0.payload.sound) }
        #expect(sounds.map(\.1) == ["bell", "knock", "ring"] && sounds.map(\.0) == ["text", "text", "callReceived"])
    }

    @Test func `a device may hide who has sent a message, what it says, or both [L-90 C-L7]`() async throws {
        let stage = try await stage()
        func pushed(_ sender: Bool, _ content: Bool) async throws -> PushPayload {
            try await perform(
                SetDeviceSettings(hidesSender: sender, hidesContent: content), of: Cast.bob, "phone", on: stage.roost)
            try await stage.ann.perform(SendMessage(channel: Cast.annAndBob, text: "secret", extras: ["a": "b"]))
            return try #require(try await stage.roost.pushes().sent.first).payload
        }
        let plain = try await pushed(false, false)
        #expect(plain.title == "Ann" && plain.body == "secret")
        let noName = try await pushed(true, false)
        #expect(noName.title == nil && noName.body == "secret" && noName.senderID == nil && noName.senderName == nil)
        let noText = try await pushed(false, true)
        #expect(noText.title == "Ann" && noText.body == "New message" && noText.text == nil && noText.extras == nil)
        let neither = try await pushed(true, true)
        let json = String(decoding: try WireCodec.encode(neither), as: UTF8.self)
        #expect(!json.contains("Ann") && !json.contains("\"ann\"") && !json.contains("secret"))
        #expect(neither.locKey == "roost.hidden" && neither.messageID != nil)
    }

    @Test func `a muted device gets nothing, one that is not to be disturbed nothing until that time`()
        async throws
    {
        let stage = try await stage()
        let clock = stage.roost.clock
        func isPushed(_ set: SetDeviceSettings) async throws -> Bool {
            try await perform(set, of: Cast.bob, "phone", on: stage.roost)
            try await stage.ann.send("x", to: Cast.annAndBob)
            return try await !stage.roost.pushes().sent.isEmpty
        }
        #expect(try await !isPushed(SetDeviceSettings(mutesAll: true)))
        let until = Date(milliseconds: clock.now + 1_000)
        #expect(try await isPushed(SetDeviceSettings(mutesAll: false)))
        #expect(try await !isPushed(SetDeviceSettings(mutedUntil: until)))
        clock.advance(by: 1_000)
        #expect(try await isPushed(SetDeviceSettings(hidesSender: true)))
        #expect(try await isPushed(SetDeviceSettings(mutedUntil: Date(milliseconds: clock.now - 1))))
        // Without effect while everything is muted.
        #expect(try await !isPushed(SetDeviceSettings(mutesAll: true, mutedUntil: Date(milliseconds: 0))))
    }

    @Test func `quiet hours are those of the time zone, over midnight and on the days that are named`() async throws {
        let stage = try await stage()
        // 1 June 2026 is a Monday. In Berlin it is two hours later than in UTC, and one hour in winter.
        func isPushed(_ time: String, _ ranges: [QuietHours.Range]) async throws -> Bool {
            let date = try Date(time, strategy: .iso8601)
            stage.roost.clock.advance(by: max(0, date.milliseconds - stage.roost.clock.now))
            try #require(stage.roost.clock.now == date.milliseconds)
            try await perform(
                SetDeviceSettings(quietHours: QuietHours(timeZone: "Europe/Berlin", ranges: ranges)), of: Cast.bob,
                "phone", on: stage.roost)
            try await stage.ann.send("x", to: Cast.annAndBob)
            return try await !stage.roost.pushes().sent.isEmpty
        }
        let night = QuietHours.Range(start: 22 * 60, end: 7 * 60)
        #expect(try await isPushed("2126-06-01T19:59:59Z", [night]))
        #expect(try await !isPushed("2126-06-01T20:00:00Z", [night]))
        #expect(try await !isPushed("2126-06-02T04:59:59Z", [night]))
        #expect(try await isPushed("2126-06-02T05:00:00Z", [night]))
        // It is a Sunday; the night of a Saturday ends on it.
        let weekend = [QuietHours.Range(start: 22 * 60, end: 7 * 60, days: [6])]
        #expect(try await !isPushed("2126-06-09T04:00:00Z", weekend))
        #expect(try await isPushed("2126-06-09T21:00:00Z", weekend))
        #expect(try await isPushed("2126-06-10T04:00:00Z", weekend))
        // In winter.
        #expect(try await isPushed("2126-12-02T20:59:59Z", [night]))
        #expect(try await !isPushed("2126-12-02T21:00:00Z", [night]))
    }

    @Test func `with mentions only, a device is notified of mentions, 1-on-1s and calls`() async throws {
        let stage = try await stage()
        try await perform(SetDeviceSettings(mentionsOnly: true), of: Cast.bob, "phone", on: stage.roost)
        try await stage.ann.send("nothing", to: Cast.club)
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [NewMember(Cast.dee.userID)]))
        try await stage.ann.send("two", to: Cast.annAndBob)
        try await stage.ann.perform(
            SendMessage(channel: Cast.club, text: "@Bob", mentions: [Mention(userID: Cast.bob.userID)]))
        try await stage.ann.perform(
            SendMessage(MessageContent(.callReceived(CallNotice(callID: "c", kind: .voice))), to: Cast.club))
        #expect(try await stage.roost.pushes().sent.map(\.payload.type) == ["text", "text", "callReceived"])
    }

    @Test(arguments: Backend.available)
    func `what was read, recalled, deleted, left or sent by a blocked user is not pushed any more`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        func skipped(_ then: (Acknowledgement) async throws -> Void) async throws -> [String] {
            let sent = try await stage.ann.send("x", to: Cast.club)
            await stage.settle()
            try await then(sent)
            let (pushes, skipped) = try await stage.roost.pushes()
            #expect(pushes.isEmpty)
            return skipped
        }
        #expect(
            try await skipped { try await stage.bob.perform(SetReadMark(channel: Cast.club, seq: $0.seq)) }
                == ["the user has read it"])
        let gone = "the message was recalled or deleted"
        #expect(
            try await skipped {
                let id = try #require($0.messageID)
                try await stage.ann.perform(RecallMessages(channel: Cast.club, messageIDs: [id]))
            } == [gone])
        #expect(
            try await skipped {
                let id = try #require($0.messageID)
                try await stage.bob.perform(DeleteMessages([id], in: Cast.club))
            } == [gone])
        #expect(
            try await skipped { _ in try await stage.bob.perform(BlockUser(userID: Cast.ann.userID)) }
                == ["the user has blocked the sender"])
        try await stage.bob.perform(UnblockUser(userID: Cast.ann.userID))
        #expect(
            try await skipped { _ in try await stage.bob.perform(LeaveChannel(channel: Cast.club)) }
                == ["the user is not a member any more"])
        // The same for a message that is not stored.
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [NewMember(Cast.bob.userID)]))
        _ = try await stage.roost.pushes()
        try await stage.ann.perform(
            SendMessage(MessageContent(.custom(attributes: 8), text: "x"), to: Cast.club))
        await stage.settle()
        try await stage.bob.perform(LeaveChannel(channel: Cast.club))
        #expect(try await stage.roost.pushes().skipped == ["the user is not a member any more"])
        // Read before the devices to notify were looked up: there is no notification at all.
        let sent = try await stage.ann.send("y", to: Cast.annAndBob)
        try await stage.bob.perform(SetReadMark(channel: Cast.annAndBob, seq: sent.seq))
        let (pushes, reasons) = try await stage.roost.pushes()
        #expect(pushes.isEmpty && reasons.isEmpty)
    }

    @Test(arguments: Backend.available)
    func `a call goes to the token for calls, and a message to the other one [L-112 L-111 C-L24]`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        try await setAddress(of: Cast.bob, "phone", voip: "ring", on: stage.roost)
        try await setAddress(of: Cast.bob, "browser", on: stage.roost)
        func call(_ content: MessageContent) async throws -> [PushRequest] {
            try await stage.ann.perform(SendMessage(content, to: Cast.annAndBob))
            return try await stage.roost.pushes().sent
        }
        let notice = CallNotice(callID: "c-1", kind: .video)
        let started = try await call(MessageContent(.callReceived(notice)))
        #expect(started.map(\.token).sorted() == ["bob-browser", "ring"])
        #expect(started.allSatisfy { $0.payload.kind == .voip && $0.payload.call == notice })
        #expect(started.allSatisfy { $0.payload.body == "Incoming call" && $0.payload.title == "Ann" })
        #expect(
            try await call(MessageContent(.callCancelled(notice))).map(\.token).sorted() == ["bob-browser", "ring"])
        #expect(try await call(MessageContent(.callRecorded(notice))).isEmpty)
        #expect(try await call(MessageContent(text: "x")).map(\.token).sorted() == ["bob-browser", "bob-phone"])
        // A call that is a minute old is of no use.
        try await stage.ann.perform(SendMessage(MessageContent(.callReceived(notice)), to: Cast.annAndBob))
        await stage.settle()
        stage.roost.clock.advance(by: 60_000)
        #expect(try await stage.roost.pushes().skipped == ["it is too old", "it is too old"])
    }

    @Test(arguments: Backend.available)
    func `a custom message is pushed if its bits say so, stored or not`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        func pushed(_ content: MessageContent) async throws -> [PushPayload] {
            try await stage.ann.perform(SendMessage(content, to: Cast.annAndBob))
            return try await stage.roost.pushes().sent.map(\.payload)
        }
        func custom(_ bits: Int) -> MessageContent { MessageContent(.custom(attributes: bits), text: "x") }
        #expect(try await pushed(custom(1 + 2)).isEmpty)
        let stored = try await pushed(custom(1 + 8))
        #expect(stored.map(\.attributes) == [9] && stored.first?.seq != nil && stored.first?.badge == 0)
        for bits in [8, 2 + 8] {
            let relayed = try await pushed(custom(bits))
            #expect(relayed.map(\.event) == ["message.relayed"] && relayed.first?.seq == nil)
            #expect(relayed.first?.text == "x" && relayed.first?.messageID != nil)
            #expect(relayed.first?.senderName == "Ann" && relayed.first?.channel == Cast.annAndBob)
        }
        #expect(try await pushed(MessageContent(.customQuiet, text: "x")).isEmpty)
        #expect(try await pushed(MessageContent(.customUncounted, text: "x")).map(\.type) == ["customUncounted"])
    }

    @Test(arguments: Backend.available)
    func `every kind of message is pushed`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        let picture = try await stage.ann.file()
        let film = try await stage.ann.file("a.mp4", "video/mp4")
        let voice = try await stage.ann.file("a.m4a", "audio/mp4")
        let card = try await stage.ann.file("a.vcf", "text/vcard")
        let call = CallNotice(callID: "c", kind: .voice)
        let contents: [(MessageContent, String)] = [
            (MessageContent(text: "hi"), "hi"), (MessageContent(.sticker, text: "pack,1"), "Sticker"),
            (MessageContent(.image(picture)), "Picture"), (MessageContent(.video(film), text: "look"), "Video: look"),
            (MessageContent(.voice(voice)), "Voice message"), (MessageContent(.contact(card)), "Contact"),
            (MessageContent(.location(Location(latitude: 1, longitude: 2))), "Place"),
            (MessageContent(.document(card)), "File"), (MessageContent(.callReceived(call)), "Incoming call"),
            (MessageContent(.callCancelled(call)), "Missed call"),
        ]
        for (content, body) in contents {
            try await stage.ann.perform(SendMessage(content, to: Cast.annAndBob))
            let pushes = try await stage.roost.pushes().sent
            #expect(pushes.map(\.payload.type) == [content.type] && pushes.map(\.payload.body) == [body])
            #expect(pushes.map(\.payload.locKey) == ["roost.\(content.type)"])
        }
    }

    @Test func `every kind of vote is pushed`() async throws {
        let stage = try await stage()
        let picture = try await stage.ann.file()
        let film = try await stage.ann.file("a.mp4", "video/mp4")
        let voice = try await stage.ann.file("a.m4a", "audio/mp4")
        let card = try await stage.ann.file("a.vcf", "text/vcard")
        let options: [(MessageContent, String)] = [
            (MessageContent(text: "a"), "voteText"), (MessageContent(.sticker, text: "p,1"), "voteSticker"),
            (MessageContent(.image(picture)), "voteImage"), (MessageContent(.video(film)), "voteVideo"),
            (MessageContent(.voice(voice)), "voteVoice"), (MessageContent(.contact(card)), "voteContact"),
            (MessageContent(.location(Location(latitude: 1, longitude: 2))), "voteLocation"),
            (MessageContent(.document(card)), "voteDocument"),
        ]
        for (option, type) in options {
            var vote = Vote.between(2)
            vote.options = [option, option]
            try await stage.ann.perform(CreateVote(channel: Cast.club, subject: "Which?", vote: vote))
            let pushes = try await stage.roost.pushes().sent
            #expect(pushes.map(\.payload.type) == [type] && pushes.map(\.payload.body) == ["Vote: Which?"])
        }
    }

    @Test(arguments: Backend.available)
    func
        `new channels and members are pushed to those concerned, schedules to one's other devices`(
            backend: Backend
        ) async throws
    {
        let stage = try await stage(backend)
        try await setAddress(of: Cast.ann, "phone", on: stage.roost)
        try await setAddress(of: Cast.dee, "phone", on: stage.roost)
        func pushed() async throws -> [String] {
            try await stage.roost.pushes().sent.map { "\($0.token) \($0.payload.event) \($0.payload.body)" }.sorted()
        }
        let (bob, dee) = (Cast.bob.userID, Cast.dee.userID)
        try await stage.ann.perform(
            CreateChannel(kind: .group, channel: channel("new"), title: "Team", members: [NewMember(bob)]))
        #expect(try await pushed() == ["bob-phone channel.joined Ann created Team"])
        try await stage.ann.perform(InviteMembers(channel: channel("new"), members: [NewMember(dee)]))
        #expect(
            try await pushed() == [
                "bob-phone member.invited Ann invited Dee", "dee-phone channel.joined Ann added you to Team",
            ])
        try await stage.ann.perform(
            InviteMembers(channel: Cast.club, members: [NewMember(dee, role: .invited)]))
        #expect(
            try await pushed() == [
                "bob-phone member.invited Ann invited Dee",
                "dee-phone channel.invited Ann invited you to a conversation",
            ])
        // Schedules: Ann's connected device made them.
        try await stage.ann.schedule(["later"], to: [Cast.annAndBob], at: stage.at(60_001))
        #expect(try await pushed() == ["ann-phone schedule.created Your message is scheduled"])
        try await stage.ann.perform(
            CreateSchedule(
                channels: [Cast.annAndBob], sendAt: .init(milliseconds: stage.at(60_002)), subject: "Lunch?",
                vote: .between(2)))
        #expect(try await pushed() == ["ann-phone schedule.created Your message is scheduled"])
        stage.roost.clock.advance(by: 60_002)
        await stage.settle()
        #expect(
            try await pushed() == [
                "ann-phone schedule.sent Your scheduled message was sent",
                "ann-phone schedule.sent Your scheduled vote was sent", "bob-phone message.sent Vote: Lunch?",
                "bob-phone message.sent later",
            ])
    }

    @Test(arguments: Backend.available)
    func `news are pushed to subscribers, page by page, and to nobody else`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        let boss = try await stage.roost.session(try user("boss"), isOperator: true)
        for (kind, id) in [(ChannelKind.publicNews, "news"), (.corporateNews, "company")] {
            try await boss.perform(CreateChannel(kind: kind, channel: channel(id), title: "News"))
        }
        // More subscribers than are looked at per turn; every hundredth has an address.
        for number in 0..<1_100 {
            let user = try user("u\(1_000 + number)")
            if number % 100 == 0 { try await setAddress(of: user, "phone", on: stage.roost) }
            try await perform(BecomeMember(channel: channel("news")), of: user, "phone", on: stage.roost)
        }
        _ = try await stage.roost.pushes()
        try await boss.perform(PublishNews(channel: channel("news"), text: "It snows"))
        let pushes = try await stage.roost.pushes().sent
        #expect(Set(pushes.map(\.push.user.rawValue)) == Set((0..<11).map { "u\(1_000 + $0 * 100)" }))
        #expect(pushes.count == 11)
        #expect(pushes.allSatisfy { $0.payload.type == "publicNews" && $0.payload.body == "It snows" })
        #expect(pushes.allSatisfy { $0.payload.badge == 1 && $0.payload.title == "News" && $0.payload.senderID == nil })
        try await boss.perform(PublishNews(channel: channel("company"), text: "To all"))
        let all = try await stage.roost.pushes().sent
        #expect(all.count == 12 && all.allSatisfy { $0.payload.type == "corporateNews" })
        #expect(all.contains { $0.push.user == Cast.bob.userID })
    }

    @Test(arguments: Backend.available)
    func `news that are published while users are still being subscribed are pushed and unread for all, once`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        let boss = try await stage.roost.session(try user("boss"), isOperator: true)
        // More users than are subscribed per turn.
        for number in 0..<40 { try await setAddress(of: try user("u\(1_000 + number)"), "phone", on: stage.roost) }
        _ = try await stage.roost.pushes()
        for (turns, id) in [(0, try channel("company")), (1, try channel("firm")), (2, try channel("house"))] {
            try await boss.perform(CreateChannel(kind: .corporateNews, channel: id, title: "News"))
            for _ in 0..<turns { await stage.roost.turn() }
            let piece = try await boss.perform(PublishNews(channel: id, text: "It snows"))
            try await boss.perform(
                RecallMessages(
                    channel: id,
                    messageIDs: [
                        try #require(
                            try await boss.perform(PublishNews(channel: id, text: "A mistake")).messageID)
                    ]))
            // Comes when it has been published, and gets no push.
            try await setAddress(of: try user("late-\(id)"), "phone", on: stage.roost)
            let pushes = try await stage.roost.pushes().sent
            #expect(pushes.count == 41 + turns && Set(pushes.map(\.push.user)).count == 41 + turns, "\(turns)")
            #expect(pushes.allSatisfy { $0.payload.body == "It snows" && $0.payload.channel == id })
            for name in ["u1000", "u1039"] {
                let reader = try await stage.roost.session(try user(name))
                #expect(try await reader.unread(id) == 1)
                let why = try #require(try await reader.perform(ExplainUnread(channel: id)).channels.first)
                #expect(why.readSeq == 1 && why.readCount == 0)
                try await reader.perform(SetReadMark(channel: id, messageID: try #require(piece.messageID)))
                #expect(try await reader.unread(id) == 0)
            }
            #expect(try await stage.roost.session(try user("late-\(id)")).unread(id) == 0)
            try await boss.perform(PublishNews(channel: id, text: "It rains"))
            #expect(try await stage.roost.pushes().sent.count == 42 + turns)
        }
    }

    @Test(arguments: Backend.available)
    func `a notification is leased once, tried again after the lease, and never again once it has ended`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        let core = stage.roost.core
        func lease() async throws -> [LeasedPush] { try await core.leasePushes(of: .webhook, limit: 10, for: 1_000) }
        for text in ["one", "two"] { try await stage.ann.send(text, to: Cast.annAndBob) }
        await stage.settle()
        let first = try await lease()
        #expect(first.count == 2 && first.allSatisfy { $0.attempts == 1 })
        #expect(try await lease().isEmpty)
        #expect(try await core.leasePushes(of: .apns, limit: 10, for: 1_000).isEmpty)
        #expect(try await core.nextPush(of: .webhook) == stage.roost.clock.now + 1_000)
        stage.roost.clock.advance(by: 1_000)
        let second = try await lease()
        #expect(second.map(\.id) == first.map(\.id) && second.allSatisfy { $0.attempts == 2 })
        try await core.endPushes([(second[0], .done), (second[1], .later(stage.roost.clock.now + 5))])
        stage.roost.clock.advance(by: 5)
        #expect(try await lease().map(\.id) == [second[1].id])
        // The service has forgotten the token: the device has no address until it sets one again.
        try await core.endPushes([(second[1], .gone(token: "bob-phone"))])
        #expect(try await core.nextPush(of: .webhook) == nil)
        try await stage.ann.send("three", to: Cast.annAndBob)
        #expect(try await stage.roost.pushes().sent.isEmpty)
        try await setAddress(of: Cast.bob, "phone", on: stage.roost)
        try await stage.ann.send("four", to: Cast.annAndBob)
        #expect(try await stage.roost.pushes().sent.map(\.payload.text) == ["four"])
    }

    @Test func `a token that has been replaced meanwhile is not removed`() async throws {
        let stage = try await stage()
        try await setAddress(of: Cast.bob, "phone", voip: "ring", on: stage.roost)
        let core = stage.roost.core
        func end(_ token: String) async throws -> PushAddress? {
            try await stage.ann.send("x", to: Cast.annAndBob)
            await stage.settle()
            let push = try #require(try await core.leasePushes(of: .webhook, limit: 1, for: 1).first)
            try await core.endPushes([(push, .gone(token: token))])
            let actor = Actor(user: Cast.bob, deviceID: "phone", isOperator: false)
            return try await core.handle(GetDevice().any, id: "1", from: actor).decode(Device.self).address
        }
        let whole = PushAddress(gateway: .webhook, token: "bob-phone", voipToken: "ring")
        #expect(try await end("older") == whole)
        #expect(try await end("ring") == PushAddress(gateway: .webhook, token: "bob-phone"))
        #expect(try await end("bob-phone") == nil)
    }

    @Test(arguments: Backend.available)
    func `what a commit has done is pushed after a restart, and the devices are still known`(
        backend: Backend
    ) async throws {
        let (database, folder) = try backend.makeDatabase()
        let clock = TestClock()
        let first = try await Stage(try TestCore(database: database, clock: clock))
        try await first.makePair()
        try await setAddress(of: Cast.bob, "phone", on: first.roost)
        try await first.ann.send("before", to: Cast.annAndBob)
        await first.roost.core.stop()
        let second = try TestCore(database: database, clock: clock)
        #expect(try await second.pushes().sent.map(\.payload.text) == ["before"])
        let ann = try await second.session(Cast.ann)
        try await ann.send("after", to: Cast.annAndBob, id: "after")
        #expect(try await second.pushes().sent.map(\.payload.text) == ["after"])
        withExtendedLifetime(folder) {}
    }

    @Test func `long texts are cut at a character, so that a payload stays below four kilobytes`() async throws {
        let stage = try await stage()
        let family = "👨‍👩‍👧‍👦"
        try await stage.ann.perform(SetUserProfile(profile: UserProfile(name: String(repeating: "é", count: 200))))
        let extras = Dictionary(uniqueKeysWithValues: (0..<32).map { ("k\($0)", String(repeating: "v", count: 100)) })
        try await stage.ann.perform(
            SendMessage(
                channel: Cast.annAndBob, text: String(repeating: family, count: 700), extras: extras, category: "c"))
        let payload = try #require(try await stage.roost.pushes().sent.first).payload
        let text = try #require(payload.text)
        #expect(text.utf8.count <= 400 && text.dropLast().allSatisfy { "\($0)" == family } && text.last == "…")
        #expect(payload.extras == nil)
        #expect(try WireCodec.encode(payload).count < 2_500)
    }
}
