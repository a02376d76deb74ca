import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct MultiSendTests {
    private func stage(_ backend: Backend, limits: Limits = .withoutRates) async throws -> Stage {
        let stage = try await Stage(backend, limits: limits)
        try await stage.makeClub()
        try await stage.makePair()
        return stage
    }

    private func texts(_ texts: String...) -> [MessageContent] { texts.map { MessageContent(text: $0) } }

    @Test(arguments: Backend.available)
    func `several messages reach several channels in their order, with a result for each pair [L-65]`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        let file = try await stage.ann.file()
        let messages = texts("one", "two") + [MessageContent(type: "image", file: file)]
        await stage.forgetEvents()

        let many = SendMany(messages: messages, channels: [Cast.club, Cast.annAndBob])
        let answer = try await stage.ann.perform(many, id: "many")

        #expect(answer.transID.rawValue == "many")
        #expect(answer.$sentAt == stage.roost.clock.now)
        #expect(answer.results.map(\.code) == [0, 0, 0, 0, 0, 0])
        #expect(answer.results.map(\.index) == [0, 1, 2, 0, 1, 2])
        #expect(answer.results.map(\.channel).prefix(3).allSatisfy { $0 == Cast.club })
        #expect(answer.results.map(\.seq) == [1, 2, 3, 1, 2, 3])
        for channel in many.channels {
            let log = try await stage.bob.log(of: channel).filter(\.isMessage)
            #expect(log.map { $0.message?.text } == ["one", "two", ""])
            #expect(log.last?.message?.file == file)
            #expect(log.allSatisfy { $0.transID?.rawValue == "many" && $0.senderID == Cast.ann.userID })
            let told = answer.results.filter { $0.channel == channel }
            #expect(log.map(\.messageID) == told.map(\.messageID))
            #expect(stage.bob.rows(of: channel) == log)
            #expect(stage.ann.rows(of: channel) == log && tablet.rows(of: channel) == log)
            #expect(try await stage.bob.unread(channel) == 3)
            #expect(try await stage.bob.recount(channel) == 3)
            #expect(try await stage.ann.unread(channel) == 0)
        }
        #expect(stage.cid.rows(of: Cast.club).count == 3)
        #expect(stage.cid.rows(of: Cast.annAndBob).isEmpty && stage.dee.events.isEmpty)
        // Sent twice, nothing happens and the answer is the same; another command under the key is refused.
        await stage.forgetEvents()
        #expect(try await tablet.perform(many, id: "many") == answer)
        #expect(stage.all.allSatisfy { $0.events.isEmpty })
        let other = SendMany(messages: messages, channels: [Cast.club])
        #expect(try await stage.ann.refusal(other, id: "many")?.entry == .duplicateTransID)
        let send = SendMessage(channel: Cast.club, text: "one")
        #expect(try await stage.ann.refusal(send, id: "many")?.entry == .duplicateTransID)
    }

    @Test(arguments: Backend.available)
    func `a pair that may not be sent has its code, and the rest is sent`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let none = try channel("none:other")
        try await stage.bob.perform(CreateChannel(kind: .group, channel: channel("theirs")))
        try await stage.bob.perform(CreateChannel(kind: .single, members: [Cast.cid.userID]))
        let blocked = ChannelID(single: Cast.bob.userID, Cast.cid.userID)
        try await stage.cid.perform(BlockUser(userID: Cast.bob.userID))
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        let mention = MessageContent(text: "@Cid", mentions: [Mention(userID: Cast.cid.userID)])
        let answer = try await stage.bob.perform(
            SendMany(
                messages: texts("a") + [mention],
                channels: [none, blocked, Cast.club, Cast.annAndBob, channel("theirs")]))
        #expect(answer.results.map(\.code) == [1105, 1105, 7003, 7003, 0, 1114, 0, 1114, 0, 1114])
        #expect(answer.results.map { $0.seq == nil } == answer.results.map { $0.code != 0 })
        #expect(answer.results.map { $0.messageID == nil } == answer.results.map { $0.code != 0 })
        #expect(try await stage.ann.log(of: Cast.annAndBob).map(\.text) == ["a"])
        #expect(try await stage.bob.channel(blocked).seq == 0)

        // If nothing can be sent, it is refused with the error of the first pair, and the key stays free.
        let closed = SendMany(messages: texts("a", "b"), channels: [blocked, none])
        #expect(try await stage.bob.refusal(closed, id: "again")?.entry == .blocked)
        try await stage.cid.perform(UnblockUser(userID: Cast.bob.userID))
        #expect(try await stage.bob.perform(closed, id: "again").results.map(\.code) == [0, 0, 1105, 1105])
        // A former member gets that error; for a stranger the channel does not exist.
        let club = SendMany(messages: texts("x"), channels: [Cast.club])
        #expect(try await stage.cid.refusal(club)?.entry == .notMember)
        #expect(try await stage.dee.refusal(club)?.entry == .channelNotFound)
    }

    @Test(arguments: Backend.available)
    func `one command accepts up to 20 messages and 100 channels, and hostile ones change nothing`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        var channels: [ChannelID] = []
        for number in 0..<100 {
            let id = try channel("g\(number)")
            try await stage.ann.perform(CreateChannel(kind: .group, channel: id))
            channels.append(id)
        }
        let most = (0..<20).map { MessageContent(text: "m\($0)") }
        let bad: [(SendMany, ErrorCode)] = [
            (SendMany(messages: [], channels: [Cast.club]), .dataFormat),
            (SendMany(messages: most, channels: []), .dataFormat),
            (SendMany(messages: most + texts("x"), channels: [Cast.club]), .dataFormat),
            (SendMany(messages: texts("x"), channels: channels + [Cast.club]), .dataFormat),
            (SendMany(messages: texts("x"), channels: [Cast.club, Cast.club]), .dataFormat),
            (SendMany(messages: texts("x", " "), channels: [Cast.club]), .invalidContent),
            (
                SendMany(messages: texts("x", String(repeating: "x", count: 8_001)), channels: [Cast.club]),
                .invalidContent
            ),
            (SendMany(messages: texts("x", "a\u{0}b"), channels: [Cast.club]), .invalidContent),
            (SendMany(messages: texts("x") + [MessageContent(type: "image")], channels: [Cast.club]), .dataFormat),
            (
                SendMany(messages: texts("x") + [MessageContent(type: "memberLeft")], channels: [Cast.club]),
                .invalidContent
            ),
            (SendMany(messages: [MessageContent(type: "custom", attributes: 64)], channels: [Cast.club]), .dataFormat),
        ]
        await stage.forgetEvents()
        for (many, code) in bad { #expect(try await stage.ann.refusal(many)?.code == code.code, "\(many)") }
        #expect(stage.all.allSatisfy { $0.events.isEmpty })
        let answer = try await stage.ann.perform(SendMany(messages: most, channels: channels))
        #expect(answer.results.count == 2_000)
        #expect(answer.results.allSatisfy { $0.code == 0 })
        for id in [channels[0], channels[99]] {
            #expect(try await stage.ann.log(of: id).map(\.text) == most.map(\.text))
        }
    }

    @Test(arguments: Backend.available)
    func `every kind can be sent so; one that is not stored has no row, and an open channel is made if missing`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        let kinds = try await SendMessage.everyKind(in: Cast.club, from: stage.ann)
        let contents = kinds.map { send in
            MessageContent(
                type: send.type ?? "text", text: send.text, mentions: send.mentions, file: send.file,
                thumbnail: send.thumbnail, location: send.location, extras: send.extras, category: send.category,
                attributes: send.attributes, call: send.call)
        }
        let relayed = MessageContent(type: "custom", text: "now", attributes: 2)
        let answer = try await stage.ann.perform(
            SendMany(messages: contents + [relayed], channels: [Cast.club, Cast.annAndBob]))
        #expect(answer.results.allSatisfy { $0.code == 0 && $0.messageID != nil })
        #expect(answer.results.filter { $0.seq == nil }.map(\.index) == [contents.count, contents.count])
        let log = try await stage.cid.log(of: Cast.club).compactMap(\.message)
        #expect(log.count == kinds.count)
        for (message, kind) in zip(log, kinds) { #expect(message.carries(kind), "\(kind)") }
        #expect(stage.cid.events(named: .messageRelayed).count == 1)
        let open = try await stage.ann.perform(SendMany(messages: texts("hi"), channels: [Cast.lobby]))
        #expect(open.results.map(\.seq) == [1])
    }

    @Test(arguments: Backend.available)
    func `a commit that fails leaves nothing, and the same command then happens once`(backend: Backend) async throws {
        let (inner, folder) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        let stage = try await Stage(try TestCore(database: database))
        try await stage.makeClub()
        try await stage.makePair()
        await stage.forgetEvents()
        let many = SendMany(messages: texts("a", "b"), channels: [Cast.club, Cast.annAndBob])
        database.failCommits(.full)
        #expect(try await stage.ann.refusal(many, id: "many")?.entry == .storageFull)
        #expect(stage.all.allSatisfy { $0.events.isEmpty })
        #expect(try await stage.ann.channel(Cast.club).seq == 0)
        #expect(try await stage.ann.perform(many, id: "many").results.map(\.seq) == [1, 2, 1, 2])
        #expect(try await stage.bob.log(of: Cast.club).map(\.text) == ["a", "b"])
        await stage.roost.core.stop()
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.available)
    func `as many as the allowance has go at once, and an allowance used ahead has to be waited for`(backend: Backend)
        async throws
    {
        let limits = Limits(
            sendsPerSecond: 10, sendBurst: 30, channelSendsPerSecond: 5, channelSendBurst: 15, commandsPerSecond: 0)
        let stage = try await stage(backend, limits: limits)
        let most = (0..<20).map { MessageContent(text: "m\($0)") }
        let many = SendMany(messages: most, channels: [Cast.club, Cast.annAndBob])
        #expect(try await stage.ann.perform(many).results.count == 40)
        // 40 of 30: the first of the ten beyond it comes after 1,1 s, that of the channels (20 of 15) after 1,2 s.
        let send = SendMessage(channel: Cast.club, text: "x")
        #expect(try await stage.ann.refusal(send)?.retryAfterMs == 1_200)
        let elsewhere = SendMessage(channel: Cast.lobby, text: "x")
        #expect(try await stage.ann.refusal(elsewhere)?.retryAfterMs == 1_100)
        let refusal = try #require(try await stage.ann.refusal(many))
        #expect(refusal.entry == .tooManyRequests && refusal.retryAfterMs == 1_200)
        #expect(try await stage.bob.refusal(send) == nil)
        stage.roost.clock.advance(by: 1_099)
        #expect(try await stage.ann.refusal(elsewhere)?.retryAfterMs == 1)
        stage.roost.clock.advance(by: 1)
        #expect(try await stage.ann.refusal(elsewhere) == nil)
        #expect(try await stage.ann.refusal(elsewhere)?.retryAfterMs == 100)
        // A schedule uses the allowance when it is created. A clock that is set back delays nobody for long.
        stage.roost.clock.advance(by: 60_000)
        let later = CreateSchedule(
            messages: most, channels: [Cast.club, Cast.annAndBob],
            sendAt: .init(milliseconds: stage.roost.clock.now + 100_000))
        try await stage.ann.perform(later)
        #expect(try await stage.ann.refusal(later)?.entry == .tooManyRequests)
        stage.roost.clock.advance(by: -3_600_000)
        let wait = try #require(try await stage.ann.refusal(elsewhere)?.retryAfterMs)
        #expect(wait <= 1_100)
    }
}
