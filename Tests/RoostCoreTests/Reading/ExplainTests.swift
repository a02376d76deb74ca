import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct ExplainTests {
    private func stage(_ backend: Backend) async throws -> Stage {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.makePair()
        return stage
    }

    private func explain(_ session: TestSession, _ channel: ChannelID = Cast.club) async throws -> UnreadExplanation {
        try #require(try await session.perform(ExplainUnread(channel: channel)).channels.first)
    }

    @Test(arguments: Backend.available)
    func `clearing or ending a channel removes its mark as unread`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.makeClub()
        func marks() -> [Bool] {
            stage.bob.events.compactMap { event in
                if case .user(.channelUnreadMarked(let marked)) = event.body { marked.isMarkedUnread } else { nil }
            }
        }
        let pair = Cast.annAndBob
        let commands: [any Command] = [
            DeleteMessages(allIn: pair), DeleteMessages.everything,
            EndChannel(channel: pair), EndChannel(),
        ]
        for (index, command) in commands.enumerated() {
            try await stage.ann.send("\(index)", to: pair)
            try await stage.bob.perform(UnsetReadMark(channel: pair))
            try await stage.bob.perform(command)
            #expect(marks() == Array(repeating: [true, false], count: index + 1).flatMap { $0 }, "\(command)")
            #expect(try await stage.bob.channel(pair).isMarkedUnread == nil)
            #expect(try await stage.bob.perform(ExplainUnread(channel: pair)).channels[0].isMarkedUnread == false)
        }
    }

    @Test(arguments: Backend.available)
    func `a badge is explained by the messages that count, less those that are read, own, recalled or deleted`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        var messages: [MessageID] = []
        for number in 1...8 { messages.append(try await stage.ann.post("\(number)", to: Cast.club)) }
        try await stage.ann.perform(SendMessage(channel: Cast.club, type: "screenshotTaken"))
        try await stage.bob.perform(SetReadMark(channel: Cast.club, seq: 2))
        for _ in 0..<3 { messages.append(try await stage.bob.post("own", to: Cast.club)) }
        try await stage.ann.recall(messages[0], messages[3], messages[4], in: Cast.club)
        try await stage.bob.delete(messages[1], messages[4], messages[5], messages[8], in: Cast.club)
        try await stage.bob.recall(messages[9], in: Cast.club, isSilent: true)
        let expected = UnreadExplanation(
            channel: Cast.club, count: 11, readCount: 2, readSeq: 2, own: 3, recalled: 2, deleted: 1)
        #expect(expected.unread == 3)
        #expect(try await explain(stage.bob) == expected)
        #expect(try await stage.bob.unread(Cast.club) == 3)
        #expect(try await stage.bob.recount(Cast.club) == 3)
        #expect(
            expected.words == "11 messages of this channel count; 2 of them are read. Of the 9 after the mark some do "
                + "not count for you: 3 your own, 2 recalled, 1 deleted by you. That leaves 3 unread.")
    }

    @Test(arguments: Backend.available)
    func `muted channels and mentions are summed apart, in every answer alike`(backend: Backend) async throws {
        let stage = try await stage(backend)
        try await stage.bob.perform(SetChannelPreference(channel: Cast.club, isMuted: true))
        let mention = [Mention(userID: Cast.bob.userID)]
        try await stage.ann.perform(SendMessage(channel: Cast.club, text: "@Bob", mentions: mention))
        try await stage.ann.send("two", to: Cast.club)
        try await stage.ann.perform(SendMessage(channel: Cast.annAndBob, text: "@Bob", mentions: mention))
        let unread = try await stage.bob.perform(GetUnread())
        #expect(
            unread
                == GetUnread.Answer(
                    total: 1,
                    channels: [
                        ChannelUnread(channel: Cast.annAndBob, unread: 1, mentions: 1, count: 1),
                        ChannelUnread(channel: Cast.club, unread: 2, mentions: 1, isMuted: true, count: 2),
                    ], muted: 2, mentions: 2))
        let explained = try await stage.bob.perform(ExplainUnread())
        #expect(explained.total == 1 && explained.muted == 2 && explained.mentions == 2)
        #expect(explained.channels.map(\.isMuted) == [false, true])
        #expect(explained.channels.map(\.mentions) == [1, 1])
        let list = try await stage.bob.perform(ListChannels())
        #expect(list.totalUnread == 1)
        #expect(list.channels.map(\.unread) == [2, 1] || list.channels.map(\.unread) == [1, 2])
        let club = try await stage.bob.channel(Cast.club)
        #expect(club.preference?.isMuted == true)
        #expect(club.unread == 2)
        #expect(club.mentions == 1)
        let marks = try await stage.bob.perform(Resume()).marks
        #expect(marks.map(\.unread) == [1, 2])
        #expect(marks.map(\.mentions) == [1, 1])
        try await stage.bob.perform(SetReadMark(channel: Cast.club, seq: 1))
        #expect(try await stage.bob.perform(GetUnread()).mentions == 1)
        #expect(try await stage.bob.perform(GetUnread()).muted == 1)
        try await stage.bob.perform(SetChannelPreference(channel: Cast.club, isMuted: false))
        #expect(try await stage.bob.perform(GetUnread()).total == 2)
    }

    @Test(arguments: Backend.available)
    func `unread tells each channel, its count and the total [LR-20]`(backend: Backend) async throws {
        let stage = try await stage(backend)
        #expect(try await stage.bob.perform(GetUnread()) == GetUnread.Answer(total: 0, channels: []))
        for channel in [Cast.club, Cast.annAndBob, Cast.club] { try await stage.ann.send("x", to: channel) }
        let channels = [
            ChannelUnread(channel: Cast.annAndBob, unread: 1, count: 1),
            ChannelUnread(channel: Cast.club, unread: 2, count: 2),
        ]
        #expect(try await stage.bob.perform(GetUnread()) == GetUnread.Answer(total: 3, channels: channels))
        #expect(try await stage.ann.perform(GetUnread()).channels.isEmpty)
    }

    @Test(arguments: Backend.available)
    func `marking as unread sets a private marker that the next reading removes`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let tablet = try await stage.roost.session(Cast.bob, device: "tablet")
        try await stage.ann.send("one", to: Cast.club)
        try await stage.bob.perform(SetReadMark(channel: Cast.club))
        await stage.forgetEvents()
        _ = tablet.drainEvents()
        let before = try await stage.ann.channel(Cast.club)
        func told() -> [Bool] {
            tablet.events.compactMap { event in
                if case .user(.channelUnreadMarked(let marked)) = event.body { marked.isMarkedUnread } else { nil }
            }
        }
        let command = UnsetReadMark(channel: Cast.club)
        let answer = try await stage.bob.perform(command, id: "unread")
        #expect(try await stage.bob.perform(command, id: "unread") == answer)
        try await stage.bob.perform(command)
        #expect(told() == [true])
        let unread = try await stage.bob.perform(GetUnread())
        #expect(unread.channels == [ChannelUnread(channel: Cast.club, unread: 0, isMarkedUnread: true, count: 1)])
        #expect(unread.total == 0)
        #expect(try await stage.bob.channel(Cast.club).isMarkedUnread == true)
        #expect(try await stage.bob.channel(Cast.club).readSeq == 1)
        #expect(try await stage.bob.perform(Resume()).marks.map(\.isMarkedUnread) == [true])
        let explained = try await stage.bob.perform(ExplainUnread()).channels
        #expect(explained.map(\.isMarkedUnread) == [true])
        #expect(explained.first?.words.contains("marked the channel as unread") == true)
        await stage.settle()
        #expect(stage.ann.events.isEmpty && stage.cid.events.isEmpty)
        #expect(try await stage.ann.channel(Cast.club) == before)
        // A read mark that does not move removes it, too.
        try await tablet.perform(SetReadMark(channel: Cast.club, seq: 0))
        #expect(told() == [true, false])
        #expect(try await stage.bob.channel(Cast.club).isMarkedUnread == nil)
        #expect(try await stage.bob.perform(GetUnread()).channels.isEmpty)
        #expect(try await stage.bob.refusal(UnsetReadMark(channel: Cast.lobby))?.entry == .channelNotFound)
        try await stage.bob.perform(JoinChannel(channel: Cast.lobby))
        #expect(try await stage.bob.refusal(UnsetReadMark(channel: Cast.lobby))?.entry == .channelTypeMismatch)
        #expect(try await stage.dee.refusal(UnsetReadMark(channel: Cast.club))?.entry == .channelNotFound)
    }

    @Test(arguments: Backend.available)
    func `explanations come in pages by channel, the sums over all of them`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        var channels: [ChannelID] = []
        for number in 1...7 {
            let id = try channel("g\(number)")
            try await stage.ann.perform(CreateChannel(kind: .group, channel: id, members: [Cast.bob.userID]))
            if number != 4 { try await stage.ann.send("x", to: id) }
            channels.append(id)
        }
        try await stage.bob.perform(UnsetReadMark(channel: channels[3]))
        var found: [ChannelID] = []
        var cursor: String?
        repeat {
            let page = try await stage.bob.perform(ExplainUnread(limit: 2, cursor: cursor))
            #expect(page.total == 6 && page.muted == 0 && page.mentions == 0)
            found += page.channels.map(\.channel)
            cursor = page.next
        } while cursor != nil
        #expect(found == channels)
        try await stage.bob.perform(SetReadMark(channel: channels[0]))
        #expect(try await stage.bob.perform(ExplainUnread()).channels.map(\.channel) == Array(channels.dropFirst()))
        #expect(try await explain(stage.bob, channels[0]).unread == 0)
        #expect(
            try await explain(stage.bob, channels[0]).words
                == "1 message of this channel counts; 1 is read. Nothing is unread.")
        #expect(try await stage.dee.refusal(ExplainUnread(channel: channels[0]))?.entry == .channelNotFound)
        try await stage.ann.send("x", to: Cast.lobby)
        #expect(try await stage.ann.refusal(ExplainUnread(channel: Cast.lobby))?.entry == .channelTypeMismatch)
        for limit in [0, 101] {
            #expect(try await stage.bob.refusal(ExplainUnread(limit: limit))?.entry == .dataFormat)
        }
    }

    @Test(arguments: Backend.available)
    func `a newcomer starts with nothing unread, whatever the history shows`(backend: Backend) async throws {
        for profile in [ChannelProfile(history: .sinceJoin), ChannelProfile(history: .last, historyRows: 1), nil] {
            let stage = try await stage(backend)
            for _ in 0..<3 { try await stage.ann.send("before", to: Cast.club) }
            if let profile { try await stage.ann.perform(SetChannelProfile(channel: Cast.club, profile: profile)) }
            try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))
            #expect(try await explain(stage.dee).unread == 0)
            try await stage.ann.send("after", to: Cast.club)
            let explained = try await explain(stage.dee)
            #expect(explained.unread == 1)
            #expect(explained.count == 4)
            #expect(explained.readCount == 3)
            #expect(try await stage.dee.recount(Cast.club) == 1)
        }
    }
}
