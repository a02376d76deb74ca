import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct OpenChannelsTests {
    @Test(arguments: Backend.available)
    func `what one guest posts in an open channel the others get with the sender's id [J-1 J-8]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        for guest in [stage.ann, stage.bob] { try await guest.perform(JoinChannel(channel: Cast.lobby)) }
        try await stage.bob.send("hello", to: Cast.lobby)
        for guest in [stage.ann, stage.bob] {
            let row = try #require(guest.rows(of: Cast.lobby).first)
            #expect(row.senderID == Cast.bob.userID)
            #expect(row.text == "hello")
        }
        #expect(stage.cid.events.isEmpty)
        #expect(try await stage.cid.log(of: Cast.lobby).map(\.senderID) == [Cast.bob.userID])
    }

    @Test(arguments: Backend.available)
    func `the first join or send makes an open channel in dev mode`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let joined = try await stage.ann.perform(JoinChannel(channel: Cast.lobby))
        #expect(joined.kind == .open)
        #expect(joined.title == "lobby")
        #expect(joined.memberCount == 1)
        #expect(joined.unread == nil)
        #expect(joined.members.isEmpty)
        let sent = try await stage.ann.send("x", to: channel("plaza"))
        #expect(sent.seq == 1)
        #expect(try await stage.bob.perform(ListOpenChannels()).channels.map(\.channel.rawValue) == ["lobby", "plaza"])
        #expect(try await stage.ann.refusal(JoinChannel(channel: Cast.annAndBob))?.entry == .channelNotFound)
        #expect(try await stage.ann.refusal(SendMessage(channel: Cast.annAndBob, text: "x"))?.entry == .channelNotFound)
        #expect(try await stage.ann.refusal(GetChannel(channel: channel("none")))?.entry == .channelNotFound)
    }

    @Test(arguments: Backend.available)
    func `outside dev mode only an operator makes an open channel`(backend: Backend) async throws {
        let stage = try await Stage(backend, isDevelopment: false)
        #expect(try await stage.ann.refusal(JoinChannel(channel: Cast.lobby))?.entry == .channelNotFound)
        #expect(try await stage.ann.refusal(SendMessage(channel: Cast.lobby, text: "x"))?.entry == .channelNotFound)
        let plain = try await stage.ann.refusal(CreateChannel(kind: .open, channel: Cast.lobby))
        #expect(plain?.entry == .noPrivilege)
        #expect(try await stage.ann.perform(ListOpenChannels()).channels.isEmpty)
        let operatorSession = try await stage.roost.session(user("op"), isOperator: true)
        try await operatorSession.perform(CreateChannel(kind: .open, channel: Cast.lobby, title: "The Lobby"))
        #expect(try await stage.ann.perform(JoinChannel(channel: Cast.lobby)).title == "The Lobby")
        try await stage.ann.send("x", to: Cast.lobby)
        let taken = try await operatorSession.refusal(CreateChannel(kind: .open, channel: Cast.lobby))
        #expect(taken?.entry == .channelIDExists)
    }

    @Test(arguments: Backend.available)
    func `after leaving an open channel nothing more arrives [JCB-3 J-77]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        for session in [stage.ann, tablet, stage.bob] { try await session.perform(JoinChannel(channel: Cast.lobby)) }
        try await stage.bob.send("one", to: Cast.lobby)
        let answer = try await stage.ann.perform(LeaveChannel(channel: Cast.lobby))
        #expect(answer.channel == Cast.lobby)
        #expect(answer.seq == nil)
        try await stage.bob.send("two", to: Cast.lobby)
        try await stage.bob.perform(StartTyping(channel: Cast.lobby))
        #expect(stage.ann.events.map(\.text) == ["one"])
        // Participation belongs to the connection: the user's other device continues.
        #expect(tablet.rows(of: Cast.lobby).map(\.text) == ["one", "two"])
        try await stage.ann.perform(LeaveChannel(channel: Cast.lobby))
        try await stage.ann.perform(JoinChannel(channel: Cast.lobby))
        try await stage.bob.send("three", to: Cast.lobby)
        #expect(stage.ann.rows(of: Cast.lobby).map(\.text) == ["one", "three"])
    }

    @Test(arguments: Backend.available)
    func `participants are the connections that have joined`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        #expect(try await stage.ann.perform(JoinChannel(channel: Cast.lobby)).memberCount == 1)
        #expect(try await stage.ann.perform(JoinChannel(channel: Cast.lobby)).memberCount == 1)
        #expect(try await stage.bob.perform(JoinChannel(channel: Cast.lobby)).memberCount == 2)
        #expect(try await stage.cid.channel(Cast.lobby).memberCount == 2)
        #expect(try await stage.cid.perform(ListOpenChannels()).channels.first?.memberCount == 2)
        stage.roost.disconnect(stage.bob)
        await stage.settle()
        #expect(try await stage.cid.channel(Cast.lobby).memberCount == 1)
        try await stage.ann.perform(LeaveChannel(channel: Cast.lobby))
        #expect(try await stage.cid.channel(Cast.lobby).memberCount == 0)
    }

    @Test(arguments: Backend.available)
    func `a resume joins no more open channels than a connection may join`(backend: Backend) async throws {
        let stage = try await Stage(backend, limits: Limits(openChannelsPerConnection: 2))
        let ids = try ["a", "b", "c"].map { try channel($0) }
        for id in ids { try await stage.bob.send("x", to: id) }
        let places = ids.map { ChannelPosition(channel: $0, seq: 1) }
        let resume = Resume(epoch: stage.roost.core.epoch, channels: places)
        let beyond = [Reset(channel: ids[2], seq: 0, reason: .gone)]
        let page = try await stage.ann.perform(resume)
        #expect(page.resets == beyond)
        #expect(page.channels == Array(places[..<2]))
        for id in ids { try await stage.bob.send("y", to: id) }
        #expect(stage.ann.events.compactMap(\.channel) == Array(ids[..<2]))
        // The joined ones stay joined, and the other one waits for a free slot.
        #expect(try await stage.ann.perform(resume).resets == beyond)
        #expect(try await stage.ann.refusal(JoinChannel(channel: ids[2]))?.entry == .limitReached)
        try await stage.ann.perform(LeaveChannel(channel: ids[0]))
        let rest = Resume(epoch: resume.epoch, channels: Array(places[1...]))
        #expect(try await stage.ann.perform(rest).resets.isEmpty)
        try await stage.bob.send("z", to: ids[2])
        #expect(stage.ann.rows(of: ids[2]).map(\.text) == ["z"])
    }

    @Test(arguments: Backend.available)
    func `an open channel has no members, marks, list row or end`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.ann.perform(JoinChannel(channel: Cast.lobby))
        try await stage.bob.send("x", to: Cast.lobby)
        #expect(try await stage.ann.refusal(ListMembers(channel: Cast.lobby))?.entry == .channelTypeMismatch)
        #expect(try await stage.ann.refusal(SetReadMark(channel: Cast.lobby))?.entry == .channelTypeMismatch)
        let invite = try await stage.ann.refusal(InviteMembers(channel: Cast.lobby, members: [Cast.bob.userID]))
        #expect(invite?.entry == .channelTypeMismatch)
        #expect(try await stage.ann.refusal(HideChannel(channel: Cast.lobby))?.entry == .channelTypeMismatch)
        #expect(try await stage.ann.refusal(EndChannel(channel: Cast.lobby))?.entry == .channelTypeMismatch)
        #expect(try await stage.ann.list().isEmpty)
        #expect(try await stage.ann.perform(GetUnread()).total == 0)
    }

    @Test(arguments: Backend.available)
    func `taking part needs a connection and only works in open channels`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        #expect(try await stage.ann.refusal(JoinChannel(channel: Cast.club))?.entry == .channelTypeMismatch)
        var actor = stage.ann.actor
        actor.session = nil
        let reply = await stage.roost.core.handle(
            .move(.joinChannel(JoinChannel(channel: Cast.lobby))), id: "j", from: actor)
        guard case .refused(let error) = reply else {
            Issue.record("accepted")
            return
        }
        #expect(error.entry == .functionUnavailable)
    }

    @Test(arguments: Backend.available)
    func `open channels are listed by id, in pages, by a part of id or title`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        for (id, title) in [
            ("a-one", "100% Fun"), ("b_two", "Under_score"), ("cthree", "Café ÄÖ"), ("d.four", "back\\slash"),
            ("e-five", "wow!"), ("F-SIX", "fun club"),
        ] {
            try await stage.ann.perform(CreateChannel(kind: .open, channel: channel(id), title: title))
        }
        try await stage.ann.perform(CreateChannel(kind: .group, channel: channel("a-fun-group"), title: "fun"))
        func found(_ keyword: String?) async throws -> [String] {
            try await stage.bob.perform(ListOpenChannels(keyword: keyword)).channels.map(\.channel.rawValue)
        }
        let all = ["F-SIX", "a-one", "b_two", "cthree", "d.four", "e-five"]
        #expect(try await found(nil) == all)
        #expect(try await found("") == all)
        #expect(try await found("fun") == ["F-SIX", "a-one"])
        #expect(try await found("FUN") == ["F-SIX", "a-one"])
        #expect(try await found("six") == ["F-SIX"])
        #expect(try await found("%") == ["a-one"])
        #expect(try await found("_") == ["b_two"])
        #expect(try await found("!") == ["e-five"])
        #expect(try await found("\\") == ["d.four"])
        #expect(try await found("o_e") == [])
        #expect(try await found("' OR 1=1 --") == [])
        // Only ASCII letters match in either case; others match exactly.
        #expect(try await found("Café ÄÖ") == ["cthree"])
        #expect(try await found("cAFé") == ["cthree"])
        // A wildcard with a combining accent is one character, and not a wildcard.
        #expect(try await found("%\u{301}") == [])
        #expect(try await found("_\u{301}") == [])
        #expect(try await found(String(repeating: "x", count: 200)) == [])
        let long = ListOpenChannels(keyword: String(repeating: "x", count: 201))
        #expect(try await stage.bob.refusal(long)?.entry == .dataFormat)
        for keyword in [nil, "-"] {
            var rows: [String] = []
            var next: String?
            repeat {
                let page = try await stage.bob.perform(ListOpenChannels(keyword: keyword, limit: 1, cursor: next))
                #expect(page.channels.count == 1)
                rows += page.channels.map(\.channel.rawValue)
                next = page.next
            } while next != nil
            #expect(rows == (keyword == nil ? all : ["F-SIX", "a-one", "e-five"]))
        }
    }

    @Test(arguments: Backend.available)
    func `fifteen open channels make a page`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        for number in 10..<26 { try await stage.ann.send("x", to: channel("room-\(number)")) }
        let page = try await stage.bob.perform(ListOpenChannels())
        #expect(page.channels.count == 15)
        #expect(page.next != nil)
        let last = try await stage.bob.perform(ListOpenChannels(cursor: page.next))
        #expect(last.channels.map(\.channel.rawValue) == ["room-25"])
        #expect(last.next == nil)
    }

    @Test(arguments: Backend.available)
    func `an open channel keeps no read state, whatever is asked for [C-J15]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        for session in [stage.ann, stage.bob] { try await session.perform(JoinChannel(channel: Cast.lobby)) }
        let message = try await stage.bob.post("x", to: Cast.lobby)
        #expect(try await stage.ann.refusal(SetReadMark(channel: Cast.lobby))?.entry == .channelTypeMismatch)
        #expect(try await stage.ann.refusal(UnsetReadMark(channel: Cast.lobby))?.entry == .channelTypeMismatch)
        #expect(try await stage.ann.refusal(ListMemberReads(channel: Cast.lobby))?.entry == .channelTypeMismatch)
        #expect(
            try await stage.ann.refusal(ListReaders(channel: Cast.lobby, messageID: message))?.entry
                == .channelTypeMismatch)
        #expect(
            try await stage.ann.refusal(CountReads(channel: Cast.lobby, messageIDs: [message]))?.entry
                == .channelTypeMismatch)
        #expect(try await stage.ann.perform(SetAllReadMarks()).moved == 0)
        await stage.settle()
        let channel = try await stage.ann.channel(Cast.lobby)
        #expect(channel.unread == nil && channel.readSeq == nil && channel.members.isEmpty)
        #expect(try await stage.ann.perform(GetUnread()).channels.isEmpty)
        #expect(try await stage.ann.perform(ListReadMarks()).channels.isEmpty)
        let resume = Resume(channels: [ChannelPosition(channel: Cast.lobby, seq: 0)])
        let resumed = try await stage.ann.perform(resume)
        #expect(resumed.marks.isEmpty)
        #expect(resumed.events.map(\.messageID) == [message])
        for session in [stage.ann, stage.bob] { #expect(session.events(named: .readMarkMoved).isEmpty) }
    }
}
