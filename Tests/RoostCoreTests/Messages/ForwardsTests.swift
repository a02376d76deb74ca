import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct ForwardsTests {
    private func stage(_ backend: Backend, limits: Limits = .withoutRates) async throws -> Stage {
        let stage = try await Stage(backend, isDevelopment: false, limits: limits)
        try await stage.makeClub()
        try await stage.makePair()
        try await stage.ann.perform(
            CreateChannel(kind: .group, channel: try den, members: [Cast.dee.userID, Cast.bob.userID]))
        await stage.forgetEvents()
        return stage
    }

    /// A group of Ann, Bob and Dee.
    private var den: ChannelID { get throws { try channel("den") } }

    private func command(
        _ messages: MessageID..., from source: ChannelID = Cast.club, to channels: ChannelID...
    ) -> ForwardMessages { ForwardMessages(channel: source, messageIDs: messages, channels: channels) }

    @Test(arguments: Backend.available)
    func `two messages go to two channels as new ones, files included, with a result for each pair [L-69]`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        let den = try den
        let kinds = try await SendMessage.everyKind(in: Cast.club, from: stage.cid)
        let text = try await stage.cid.post(
            SendMessage(
                channel: Cast.club, text: "@Bob look",
                mentions: [Mention(userID: Cast.bob.userID, start: 0, length: 4)],
                replyTo: try await stage.ann.post("before", to: Cast.club), extras: ["a": "b"], category: "app"))
        let picture = try #require(kinds.first { $0.type == "image" })
        let image = try await stage.cid.post(picture)
        stage.roost.clock.advance(by: 1_000)
        await stage.forgetEvents()

        let answer = try await stage.ann.perform(command(text, image, to: den, Cast.annAndBob))

        #expect(answer.$sentAt == stage.roost.clock.now)
        #expect(answer.results.map(\.channel) == [den, den, Cast.annAndBob, Cast.annAndBob])
        #expect(answer.results.map(\.index) == [0, 1, 0, 1])
        #expect(answer.results.map(\.code) == [0, 0, 0, 0])
        #expect(answer.results.map(\.seq) == [1, 2, 1, 2])
        #expect(Set(answer.results.compactMap(\.messageID)).union([text, image]).count == 6)
        for (channel, sessions) in [
            (den, [stage.ann, stage.bob, stage.dee]), (Cast.annAndBob, [stage.ann, stage.bob]),
        ] {
            let ids = answer.results.filter { $0.channel == channel }.map(\.messageID)
            for session in sessions {
                let rows = session.rows(of: channel)
                #expect(rows.map(\.messageID) == ids)
                #expect(rows == (try await session.log(of: channel)))
                #expect(rows.allSatisfy { $0.senderID == Cast.ann.userID && $0.transID == answer.transID })
                #expect(rows.allSatisfy { $0.sentAt == answer.sentAt && $0.message?.isForwarded == true })
                let first = try #require(rows.first?.message)
                #expect(first.text == "@Bob look" && first.extras == ["a": "b"] && first.category == "app")
                #expect(first.replyTo == nil && first.mentions == nil)
                #expect(first.senderName == "Ann")
                let second = try #require(rows.last?.message)
                #expect(second.type == "image" && second.file == picture.file)
                #expect(second.thumbnail == picture.thumbnail && second.text == picture.text)
                #expect(second.extras == picture.extras)
            }
        }
        #expect(try await stage.bob.unread(den) == 2)
        #expect(try await stage.bob.recount(den) == 2)
        #expect(try await stage.ann.unread(den) == 0)
        // The source channel has no new row.
        #expect(stage.cid.events.isEmpty)
        #expect(try await stage.dee.channel(den).lastMessage?.messageID == answer.results[1].messageID)
        // A user who joins later sees the file as well.
        try await stage.ann.perform(InviteMembers(channel: den, members: [Cast.cid.userID]))
        #expect(try await stage.cid.log(of: den).compactMap(\.message?.file).count == 1)
    }

    @Test(arguments: Backend.available)
    func `messages of every kind are copied, except votes, notices and calls`(backend: Backend) async throws {
        let stage = try await stage(backend)
        for kind in try await SendMessage.everyKind(in: Cast.club, from: stage.cid) {
            let id = try await stage.cid.post(kind)
            let forward = command(id, to: try den)
            let type = kind.type ?? "text"
            if type.hasPrefix("call") || (221...224).contains(MessageType.named(type)?.number ?? 0) {
                #expect(try await stage.ann.refusal(forward)?.entry == .invalidContent, "\(type)")
                continue
            }
            let before = try await stage.dee.channel(try den)
            let answer = try await stage.ann.perform(forward)
            let made = try #require(answer.results[0].messageID)
            let copy = try #require(try await stage.dee.row(made, in: try den))
            var expected = kind
            expected.mentions = nil
            #expect(copy.message?.carries(expected) == true, "\(type)")
            let after = try await stage.dee.channel(try den)
            let counts = MessageType.named(type)?.behaviour(attributes: kind.attributes).countsAsUnread == true
            #expect((after.unread ?? 0) - (before.unread ?? 0) == (counts ? 1 : 0), "\(type)")
        }
        let options = [MessageContent(text: "a"), MessageContent(text: "b")]
        let vote = try await stage.ann.perform(
            CreateVote(channel: Cast.club, subject: "?", vote: Vote(options: options)))
        #expect(
            try await stage.ann.refusal(command(try #require(vote.messageID), to: try den))?.entry == .invalidContent)
        let operatorSession = try await stage.roost.session(user("op"), isOperator: true)
        let line = try await operatorSession.perform(AnnounceMessage(channel: Cast.club, text: "closed at noon"))
        let answer = try await stage.ann.perform(command(try #require(line.messageID), to: try den))
        let copy = try await stage.dee.row(try #require(answer.results[0].messageID), in: try den)
        #expect(copy?.message?.type == "text" && copy?.text == "closed at noon" && copy?.senderID == Cast.ann.userID)
    }

    @Test(arguments: Backend.available)
    func `a recalled, deleted or unknown message is refused, and only a message one can read can be forwarded`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        let recalled = try await stage.cid.post("recalled", to: Cast.club)
        let silent = try await stage.cid.post("silent", to: Cast.club)
        let deleted = try await stage.cid.post("deleted", to: Cast.club)
        let good = try await stage.cid.post("good", to: Cast.club)
        let missing = MessageID(sentAt: 0, seq: 99, salt: 0)
        try await stage.cid.recall(recalled, in: Cast.club)
        try await stage.cid.recall(silent, in: Cast.club, isSilent: true)
        try await stage.ann.delete(deleted, in: Cast.club)
        await stage.forgetEvents()
        for id in [recalled, silent, deleted, missing] {
            #expect(try await stage.ann.refusal(command(id, to: try den))?.entry == .messageNotFound)
        }
        #expect(try await stage.dee.refusal(command(good, to: try den))?.entry == .channelNotFound)
        // A message of another channel is not found in this one.
        #expect(
            try await stage.ann.refusal(command(good, from: Cast.annAndBob, to: try den))?.entry == .messageNotFound)
        #expect(stage.all.allSatisfy { $0.events.isEmpty })
        let answer = try await stage.ann.perform(command(recalled, silent, deleted, good, missing, to: try den))
        #expect(answer.results.map(\.code) == [1118, 1118, 1118, 0, 1118])
        #expect(try await stage.dee.log(of: try den).map(\.text) == ["good"])
        // For Bob it still exists.
        #expect(try await stage.bob.perform(command(deleted, to: try den)).results.map(\.code) == [0])
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        #expect(try await stage.cid.refusal(command(good, to: Cast.club))?.entry == .notMember)
    }

    @Test(arguments: Backend.available)
    func `each pair has its own code, and if all fail the command has the first one`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let id = try await stage.bob.post("one", to: Cast.club)
        try await stage.ann.perform(BlockUser(userID: Cast.bob.userID))
        try await stage.ann.perform(KickMembers(channel: try den, members: [Cast.bob.userID]))
        let nowhere = try channel("nowhere")
        let answer = try await stage.bob.perform(
            command(id, to: nowhere, try den, Cast.annAndBob, Cast.club), id: "once")
        #expect(answer.results.map(\.code) == [1105, 1117, 7003, 0])
        #expect(answer.results.map { $0.seq != nil } == [false, false, false, true])
        #expect(try await stage.bob.refusal(command(id, to: nowhere, try den))?.entry == .channelNotFound)
        #expect(try await stage.bob.refusal(command(id, to: try den, nowhere))?.entry == .notMember)
        // Sent twice, it happens once; another body under the key is refused.
        let before = try await stage.ann.channel(Cast.club)
        #expect(
            try await stage.bob.perform(command(id, to: nowhere, try den, Cast.annAndBob, Cast.club), id: "once")
                == answer)
        #expect(try await stage.ann.channel(Cast.club) == before)
        #expect(try await stage.bob.refusal(command(id, to: Cast.club), id: "once")?.entry == .duplicateTransID)
    }

    @Test(arguments: Backend.available)
    func `only a user who can read the original learns where a message comes from`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let original = try await stage.cid.post("secret place", to: Cast.club)
        let sentAt = stage.roost.clock.now
        let answer = try await stage.ann.perform(command(original, to: try den))
        let copy = try #require(answer.results[0].messageID)
        let again = try await stage.dee.perform(command(copy, from: try den, to: try den))
        let second = try #require(again.results[0].messageID)
        for row in try await stage.dee.log(of: try den) {
            let text = String(decoding: try WireCodec.encode(row), as: UTF8.self)
            #expect(!text.contains(Cast.club.rawValue) && !text.contains(original.rawValue))
            #expect(!text.contains("Cid") && row.message?.isForwarded == true)
        }
        let origin = GetOrigin.Answer(
            channel: Cast.club, messageID: original, senderID: Cast.cid.userID, senderName: "Cid",
            sentAt: .init(milliseconds: sentAt))
        func asked(_ id: MessageID) throws -> GetOrigin { GetOrigin(channel: try den, messageID: id) }
        for session in [stage.ann, stage.bob] {
            // Forwarded again, it is still the first original.
            #expect(try await session.perform(asked(copy)) == origin)
            #expect(try await session.perform(asked(second)) == origin)
        }
        let hidden = try await stage.dee.refusal(asked(copy))
        #expect(hidden?.entry == .messageNotFound)
        let plain = try await stage.dee.post("plain", to: try den)
        #expect(try await stage.dee.refusal(asked(plain)) == hidden)
        #expect(try await stage.cid.refusal(asked(copy))?.entry == .channelNotFound)
        // An original that the reader has deleted, or lost with the channel, is no longer disclosed.
        try await stage.bob.delete(original, in: Cast.club)
        #expect(try await stage.bob.refusal(asked(copy)) == hidden)
        try await stage.ann.perform(KickMembers(channel: Cast.club, members: [Cast.cid.userID]))
        try await stage.ann.perform(DismissChannel(channel: Cast.club))
        #expect(try await stage.ann.refusal(asked(copy)) == hidden)
    }

    @Test(arguments: Backend.available)
    func `recalling either the original or the copy leaves the other`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let original = try await stage.cid.post("words", to: Cast.club)
        let answer = try await stage.ann.perform(command(original, to: try den, Cast.annAndBob))
        let copies = answer.results.compactMap(\.messageID)
        try await stage.ann.recall(copies[0], in: try den)
        let shell = try await stage.dee.row(copies[0], in: try den)
        #expect(shell?.message?.isShell == true && shell?.message?.isForwarded == nil)
        #expect(try await stage.cid.row(original, in: Cast.club)?.text == "words")
        let origin = GetOrigin(channel: Cast.annAndBob, messageID: copies[1])
        #expect(
            try await stage.ann.refusal(GetOrigin(channel: try den, messageID: copies[0]))?.entry == .messageNotFound)
        #expect(try await stage.ann.perform(origin).messageID == original)
        try await stage.cid.recall(original, in: Cast.club)
        #expect(try await stage.bob.row(copies[1], in: Cast.annAndBob)?.text == "words")
        #expect(try await stage.ann.refusal(origin)?.entry == .messageNotFound)
    }

    @Test(arguments: Backend.available)
    func `a group that asks for it gets a notice of each message that was forwarded`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let profile = ChannelProfile(noticesForwards: true)
        #expect(
            try await stage.bob.refusal(SetChannelProfile(channel: Cast.club, profile: profile))?.entry == .noPrivilege)
        #expect(
            try await stage.ann.refusal(SetChannelProfile(channel: Cast.annAndBob, profile: profile))?.entry
                == .channelTypeMismatch)
        try await stage.ann.perform(SetChannelProfile(channel: Cast.club, profile: profile))
        #expect(try await stage.bob.channel(Cast.club).profile?.noticesForwards == true)
        let first = try await stage.cid.post("one", to: Cast.club)
        let second = try await stage.cid.post("two", to: Cast.club)
        let gone = try await stage.cid.post("three", to: Cast.club)
        try await stage.cid.recall(gone, in: Cast.club)
        let unread = try await stage.cid.unread(Cast.club)
        await stage.forgetEvents()

        let answer = try await stage.bob.perform(command(first, gone, second, to: try den, Cast.annAndBob))

        for session in [stage.ann, stage.bob, stage.cid] {
            let rows = session.rows(of: Cast.club)
            #expect(rows.map { $0.message?.replyTo?.messageID } == [first, second])
            #expect(rows.allSatisfy { $0.message?.type == "messagesForwarded" && $0.senderID == Cast.bob.userID })
            #expect(rows.allSatisfy { $0.transID == answer.transID && $0.body.messageType?.number == 223 })
        }
        #expect(stage.dee.rows(of: Cast.club).isEmpty)
        #expect(try await stage.cid.unread(Cast.club) == unread)
        // A command that forwards nothing creates no notice.
        await stage.forgetEvents()
        #expect(try await stage.bob.refusal(command(gone, to: try den))?.entry == .messageNotFound)
        #expect(stage.cid.events.isEmpty)
        try await stage.ann.perform(
            SetChannelProfile(channel: Cast.club, profile: ChannelProfile(noticesForwards: false)))
        await stage.forgetEvents()
        try await stage.bob.perform(command(first, to: try den))
        #expect(stage.cid.events.isEmpty)
    }

    @Test(arguments: Backend.available)
    func `numbers, sizes and rates are limited, and nothing happens beyond the limits`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let id = try await stage.ann.post("x", to: Cast.club)
        await stage.forgetEvents()
        let many = (1...101).map { MessageID(sentAt: 0, seq: $0, salt: 0) }
        let crowd = try (1...101).map { try channel("c\($0)") }
        let bad: [ForwardMessages] = [
            ForwardMessages(channel: Cast.club, messageIDs: [], channels: [try den]),
            ForwardMessages(channel: Cast.club, messageIDs: [id], channels: []),
            ForwardMessages(channel: Cast.club, messageIDs: [id, id], channels: [try den]),
            ForwardMessages(channel: Cast.club, messageIDs: [id], channels: [try den, try den]),
            ForwardMessages(channel: Cast.club, messageIDs: many, channels: [try den]),
            ForwardMessages(channel: Cast.club, messageIDs: [id], channels: crowd),
            ForwardMessages(channel: Cast.club, messageIDs: Array(many.prefix(41)), channels: Array(crowd.prefix(50))),
        ]
        for command in bad { #expect(try await stage.ann.refusal(command)?.entry == .dataFormat) }
        let most = ForwardMessages(
            channel: Cast.club, messageIDs: Array(many.prefix(40)), channels: Array(crowd.prefix(50)))
        #expect(most.pairs == ForwardRules.maxPairs)
        #expect(try await stage.ann.refusal(most)?.entry == .messageNotFound)
        #expect(stage.all.allSatisfy { $0.events.isEmpty })
        // More than 8 MiB in all.
        let long = String(repeating: "語", count: 8_000)
        var heavy: [MessageID] = []
        for _ in 0..<8 { heavy.append(try await stage.ann.post(long, to: Cast.club)) }
        let rooms = try (0..<50).map { try channel("r\($0)") }
        await stage.forgetEvents()
        let tooLarge = ForwardMessages(channel: Cast.club, messageIDs: heavy, channels: rooms)
        #expect(try await stage.ann.refusal(tooLarge)?.entry == .tooLarge)
        #expect(stage.all.allSatisfy { $0.events.isEmpty })
    }

    @Test func `a forward counts as one send per message that it makes`() async throws {
        let stage = try await stage(
            .memory,
            limits: Limits(sendsPerSecond: 10, sendBurst: 5, channelSendsPerSecond: 0, commandsPerSecond: 0))
        let id = try await stage.ann.post("x", to: Cast.club)
        let rooms = try (0..<10).map { $0 == 0 ? try den : try channel("r\($0)") }
        let forward = ForwardMessages(channel: Cast.club, messageIDs: [id], channels: rooms)
        #expect(try await stage.ann.perform(forward).results.filter { $0.code == 0 }.count == 1)
        // One send and ten copies are six more than available.
        let refusal = try #require(try await stage.ann.refusal(command(id, to: try den)))
        #expect(refusal.entry == .tooManyRequests && refusal.retryAfterMs == 700)
        stage.roost.clock.advance(by: 700)
        try await stage.ann.send("sends go on", to: Cast.club)
        // It does not count against the allowance of other users.
        try await stage.bob.perform(command(id, to: try den))
    }

    @Test(arguments: Backend.available)
    func `a restart remembers the answer with all its results`(backend: Backend) async throws {
        let (database, resource) = try backend.makeDatabase()
        let stage = try await Stage(try TestCore(database: database))
        try await stage.makeClub()
        let id = try await stage.ann.post("x", to: Cast.club)
        let forward = command(id, MessageID(sentAt: 0, seq: 9, salt: 0), to: Cast.club)
        let first = try await stage.ann.perform(forward, id: "once")
        await stage.roost.core.stop()
        let later = try await Stage(try TestCore(database: database))
        #expect(try await later.ann.perform(forward, id: "once") == first)
        #expect(try await later.ann.channel(Cast.club).seq == 2)
        await later.roost.core.stop()
        withExtendedLifetime(resource) {}
    }
}
