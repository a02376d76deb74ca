import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// What arrives at a webhook from a real server, for everything that is pushed.
@Suite(.serialized, .timeLimit(.minutes(3))) struct PushedTypesTests {
    private let ann = HTTPClient.Caller.guest(Cast.ann)
    private let bobPhone = HTTPClient.Caller.guest(Cast.bob, device: "phone")
    private static let team: ChannelID = "team"

    /// A server with a webhook, and Bob's phone, which is not connected, in a 1-on-1 with Ann.
    private final class Desk {
        let receiver: PushReceiver
        let folder: TemporaryFolder
        let server: ServerProcess
        let http: HTTPClient
        private var count = 0

        init() async throws {
            receiver = try await PushReceiver.start()
            folder = try TemporaryFolder()
            let path = folder.path + "/push.json"
            let json = #"{"webhook": {"url": "\#(receiver.url)", "secret": "0123456789abcdef0123456789abcdef"}}"#
            try Data(json.utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            server = try await ServerProcess.start(
                data: folder.path + "/data",
                arguments: ["--push", path, "--limit", "scheduleMinMs=500", "--limit", "commandsPerSecond=0"]
                    + Store.serveArguments(), readsLog: true)
            http = HTTPClient(server)
        }

        func setAddress(of user: User, device: String, voip: String? = nil) throws {
            let address = PushAddress(gateway: .webhook, token: "\(user.userID)-\(device)", voipToken: voip)
            try http.perform(SetDeviceAddress(address: address), from: .guest(user, device: device))
        }

        /// Waits for the next notifications, as many as are expected, and returns them by their tokens.
        func next(_ number: Int) async throws -> [PushDelivery] {
            count += number
            for least in count... {
                await receiver.wait(for: least)
                if receiver.distinct.count >= count { break }
            }
            let all = receiver.distinct
            #expect(all.count == count, "more was pushed than expected")
            count = all.count
            return try all.suffix(number).map { try WireCodec.decode(PushDelivery.self, from: $0.body) }
                .sorted { $0.token < $1.token }
        }

        /// The next notification.
        func one() async throws -> PushPayload { try #require(try await next(1).first).roost }

        /// Waits until the server has decided not to send the next notification, and returns the line of its log.
        func skipped() async throws -> String {
            var line = await server.line()
            while line?.contains("not pushed") == false { line = await server.line() }
            return try #require(line, "the server has ended")
        }

        /// Ends the server; nothing more was pushed than the test has seen.
        func stop() {
            #expect(server.stop() == 0)
            #expect(receiver.distinct.count == count)
        }
    }

    private func desk() async throws -> Desk {
        let desk = try await Desk()
        try desk.setAddress(of: Cast.bob, device: "phone")
        try desk.http.perform(CreateChannel(kind: .single, members: [NewMember(Cast.bob.userID)]), from: ann)
        return desk
    }

    private func send(_ content: MessageContent, to channel: ChannelID = Cast.annAndBob, _ desk: Desk) throws {
        try desk.http.perform(SendMessage(content, to: channel), from: ann)
    }

    @Test
    func
        `a message of every type that is pushed reaches the webhook [LT-1 LT-2 LT-3 LT-4 LT-5 LT-6 LT-7 LT-8 LT-2001 LT-2002 L-111]`()
        async throws
    {
        let desk = try await desk()
        let client = try RecordingClient(desk.server.url, .guest(Cast.ann.userID), device: "desk", positions: nil)
        try await client.connect()
        let picture = try await client.client.uploadSample("roof.jpg")
        let film = try await client.client.uploadSample("film.mp4")
        let voice = try await client.client.uploadSample("voice.ogg")
        let card = try await client.client.uploadSample("bob.vcf")
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
            try send(content, desk)
            let payload = try await desk.one()
            #expect(payload.type == content.type && payload.body == body && payload.title == "Ann")
            #expect(payload.channel == Cast.annAndBob && payload.event == "message.sent")
        }
        // What is not to be pushed is not.
        try send(MessageContent(.callRecorded(call)), desk)
        try send(MessageContent(text: "last"), desk)
        #expect(try await desk.one().body == "last")
        await client.client.disconnect()
        desk.stop()
    }

    @Test
    func
        `a vote of every type reaches the webhook [LT-101 LT-102 LT-103 LT-104 LT-105 LT-106 LT-107 LT-108]`()
        async throws
    {
        let desk = try await desk()
        let client = try RecordingClient(desk.server.url, .guest(Cast.ann.userID), device: "desk", positions: nil)
        try await client.connect()
        let picture = try await client.client.uploadSample("roof.jpg")
        let film = try await client.client.uploadSample("film.mp4")
        let voice = try await client.client.uploadSample("voice.ogg")
        let card = try await client.client.uploadSample("bob.vcf")
        let options: [(MessageContent, String)] = [
            (MessageContent(text: "a"), "voteText"), (MessageContent(.sticker, text: "p,1"), "voteSticker"),
            (MessageContent(.image(picture)), "voteImage"), (MessageContent(.video(film)), "voteVideo"),
            (MessageContent(.voice(voice)), "voteVoice"), (MessageContent(.contact(card)), "voteContact"),
            (MessageContent(.location(Location(latitude: 1, longitude: 2))), "voteLocation"),
            (MessageContent(.document(card)), "voteDocument"),
        ]
        for (option, type) in options {
            let vote = Vote(options: [option, option])
            try desk.http.perform(CreateVote(channel: Cast.annAndBob, subject: "Which?", vote: vote), from: ann)
            let payload = try await desk.one()
            #expect(payload.type == type && payload.body == "Vote: Which?" && payload.event == "message.sent")
        }
        await client.client.disconnect()
        desk.stop()
    }

    @Test
    func `custom messages reach the webhook if their bits say so, stored or not [L-60 LT-3000 LT-3002]`() async throws {
        let desk = try await desk()
        func custom(_ bits: Int) -> MessageContent { MessageContent(.custom(attributes: bits), text: "x") }
        for content in [custom(1 + 2), MessageContent(.customQuiet, text: "x")] { try send(content, desk) }
        try send(custom(1 + 8), desk)
        let stored = try await desk.one()
        #expect(stored.attributes == 9 && stored.seq != nil && stored.event == "message.sent")
        for bits in [8, 2 + 8] {
            try send(custom(bits), desk)
            let relayed = try await desk.one()
            #expect(relayed.event == "message.relayed" && relayed.seq == nil && relayed.text == "x")
        }
        try send(MessageContent(.customUncounted, text: "x"), desk)
        #expect(try await desk.one().type == "customUncounted")
        desk.stop()
    }

    @Test
    func
        `new channels, new members and schedules reach the webhook of those concerned [LT-1001 LT-1004 LT-202 LT-204 LT-205]`()
        async throws
    {
        let desk = try await desk()
        try desk.setAddress(of: Cast.ann, device: "phone")
        try desk.setAddress(of: Cast.dee, device: "phone")
        func pushed(_ number: Int) async throws -> [String] {
            try await desk.next(number).map { "\($0.token) \($0.roost.event) \($0.roost.body)" }.sorted()
        }
        let create = CreateChannel(
            kind: .group, channel: Self.team, title: "Team", members: [NewMember(Cast.bob.userID)])
        try desk.http.perform(create, from: ann)
        #expect(try await pushed(1) == ["bob-phone channel.joined Ann created Team"])
        try desk.http.perform(InviteMembers(channel: Self.team, members: [NewMember(Cast.dee.userID)]), from: ann)
        #expect(
            try await pushed(2) == [
                "bob-phone member.invited Ann invited Dee", "dee-phone channel.joined Ann added you to Team",
            ])
        try schedule(
            CreateSchedule(messages: [MessageContent(text: "later")], channels: [Cast.annAndBob], sendAt: .now), desk)
        try schedule(
            CreateSchedule(
                channels: [Cast.annAndBob], sendAt: .now, subject: "Lunch?",
                vote: Vote(options: [MessageContent(text: "yes"), MessageContent(text: "no")])), desk)
        // When they are due, the server sends them by itself.
        #expect(
            try await pushed(6) == [
                "ann-phone schedule.created Your message is scheduled",
                "ann-phone schedule.created Your message is scheduled",
                "ann-phone schedule.sent Your scheduled message was sent",
                "ann-phone schedule.sent Your scheduled vote was sent", "bob-phone message.sent Vote: Lunch?",
                "bob-phone message.sent later",
            ])
        desk.stop()
    }

    /// Schedules something for the first moment that the server accepts.
    private func schedule(_ command: CreateSchedule, _ desk: Desk) throws {
        for seconds in 1...10 {
            var command = command
            command.sendAt = Date.now + Double(seconds)
            guard let error = try desk.http.refusal(command, from: ann) else { return }
            try #require(error.entry == .scheduleTime)
        }
        Issue.record("the server accepts no time within ten seconds")
    }

    @Test func `public and corporate news reach the webhook of their subscribers [L-110 LT-1202 LT-1204]`() async throws
    {
        let desk = try await desk()
        let made = try Child.roost(
            ["token", "--data", desk.folder.path + "/data", "--user", "op", "--operator"], in: desk.folder)
        let chief = HTTPClient.Caller.token(try #require(await made.result().output.first))
        for (kind, id) in [(ChannelKind.publicNews, ChannelID("news")), (.corporateNews, "company")] {
            try desk.http.perform(CreateChannel(kind: kind, channel: id, title: "News"), from: chief)
            // Everybody is subscribed to corporate news, a moment after they are created.
            if kind == .publicNews { try desk.http.perform(BecomeMember(channel: id), from: bobPhone) }
            try desk.http.perform(PublishNews(channel: id, text: "It snows"), from: chief)
            let news = try await desk.one()
            #expect(news.event == "message.sent" && news.body == "It snows" && news.channel == id, "\(news)")
            #expect(news.type == (kind == .publicNews ? "publicNews" : "corporateNews"))
        }
        desk.stop()
    }

    @Test
    func
        `what a device and its user have chosen decides what reaches the webhook [L-26 L-27 L-90 L-91 L-92 L-93 L-112 L-113 C-L7 C-L24]`()
        async throws
    {
        let desk = try await desk()
        let call = MessageContent(.callReceived(CallNotice(callID: "c", kind: .video)))
        func settings(_ set: SetDeviceSettings) throws { try desk.http.perform(set, from: bobPhone) }
        try desk.http.perform(
            CreateChannel(kind: .group, channel: Self.team, title: "Team", members: [NewMember(Cast.bob.userID)]),
            from: ann)
        #expect(try await desk.one().event == "channel.joined")

        // All that a push carries.
        try desk.http.perform(SendMessage(channel: Cast.annAndBob, text: "Hello"), from: ann)
        let hello = try await desk.one()
        #expect(hello.title == "Ann" && hello.senderID == Cast.ann.userID && hello.text == "Hello" && hello.badge == 1)
        #expect(hello.channel == Cast.annAndBob && hello.messageID != nil && hello.kind == .alert)

        // A muted channel is not pushed; a marker behind it is.
        try desk.http.perform(SetChannelPreference(channel: Self.team, isMuted: true), from: bobPhone)
        try send(MessageContent(text: "hidden"), to: Self.team, desk)
        try send(MessageContent(text: "shown"), desk)
        #expect(try await desk.one().text == "shown")
        try desk.http.perform(
            SetChannelPreference(channel: Self.team, isMuted: false, ringtone: "bell"), from: bobPhone)

        // Sounds: of the channel, of the device, of calls; and one token for each of the two kinds.
        try settings(SetDeviceSettings(sound: "knock", voipSound: "ring"))
        try desk.setAddress(of: Cast.bob, device: "phone", voip: "bob-calls")
        try send(MessageContent(text: "one"), to: Self.team, desk)
        #expect(try await desk.one().sound == "bell")
        try send(MessageContent(text: "two"), desk)
        let two = try #require(try await desk.next(1).first)
        #expect(two.roost.sound == "knock" && two.token == "bob-phone")
        try send(call, desk)
        let ring = try #require(try await desk.next(1).first)
        #expect(ring.roost.sound == "ring" && ring.token == "bob-calls" && ring.roost.kind == .voip)

        // What is hidden is not in the bytes.
        for (hidesSender, hidesContent) in [(true, false), (false, true), (true, true)] {
            try settings(SetDeviceSettings(hidesSender: hidesSender, hidesContent: hidesContent))
            try send(MessageContent(text: "secret"), desk)
            _ = try await desk.next(1)
            let bytes = String(decoding: try #require(desk.receiver.received.last).body, as: UTF8.self)
            let payload = try PushPayload(json: Array(bytes.utf8))
            #expect(payload.body == (hidesContent ? "New message" : "secret"))
            #expect((payload.title == nil) == hidesSender && (payload.senderName == nil) == hidesSender)
            #expect(bytes.contains("secret") == !hidesContent)
        }

        // Muted, and not to be disturbed: nothing; a moment in the past does nothing.
        try settings(SetDeviceSettings(hidesSender: false, hidesContent: false, mutesAll: true))
        try send(MessageContent(text: "muted"), desk)
        #expect(try await desk.skipped().contains("the device has muted all notifications"))
        try desk.setAddress(of: Cast.bob, device: "tablet")
        try send(MessageContent(text: "marker"), desk)
        #expect(try await desk.next(1).map(\.token) == ["bob-tablet"])
        #expect(try await desk.skipped().contains("the device has muted all notifications"))
        try settings(SetDeviceSettings(mutesAll: false, mutedUntil: Date.now + 3_600))
        try send(MessageContent(text: "marker"), desk)
        #expect(try await desk.next(1).map(\.token) == ["bob-tablet"])
        #expect(try await desk.skipped().contains("the device is muted until a time"))
        try settings(SetDeviceSettings(mutedUntil: Date.now - 1))
        try send(MessageContent(text: "both"), desk)
        #expect(try await desk.next(2).map(\.token) == ["bob-phone", "bob-tablet"])
        desk.stop()
    }

    @Test func `while a device is connected it gets events, and pushes from when it disconnects by itself [L-16]`()
        async throws
    {
        let desk = try await desk()
        let phone = try RecordingClient(
            desk.server.url, .guest(Cast.bob.userID, name: "Bob"), device: "phone", positions: nil)
        try await phone.connect()
        try send(MessageContent(text: "live"), desk)
        try await phone.message("live", in: Cast.annAndBob)
        await phone.client.disconnect()
        #expect(await phone.client.state == .offline)
        // The server may hear a little later that the device has gone. What it sent right before that may be pushed, too.
        func isAwayPushed() throws -> Bool {
            try desk.receiver.distinct.contains { try PushPayload(json: $0.body).body == "away" }
        }
        while try !isAwayPushed() {
            try Task.checkCancellation()
            // Too many of them are refused.
            _ = try desk.http.refusal(SendMessage(channel: Cast.annAndBob, text: "away"), from: ann)
        }
        #expect(try isAwayPushed())
        #expect(desk.server.stop() == 0)
    }
}
