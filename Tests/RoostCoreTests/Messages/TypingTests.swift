import RoostCore
import RoostTesting
import RoostWire
import Testing

/// The typing users, according to the events of a session.
private func typers(_ session: TestSession, in channel: ChannelID) -> [UserID] {
    var typers: Set<UserID> = []
    for event in session.events where event.channel == channel {
        switch event.body {
        case .ephemeral(.typingStarted(let typing)): typers.insert(typing.userID)
        case .ephemeral(.typingEnded(let typing)): typers.remove(typing.userID)
        default: break
        }
    }
    return typers.sorted()
}

@Suite struct TypingTests {
    @Test(arguments: Backend.available)
    func `the others hear who starts typing [JCB-15]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        let tablet = try await stage.roost.session(Cast.bob, device: "tablet")
        await stage.forgetEvents()
        try await stage.bob.perform(StartTyping(channel: Cast.annAndBob))
        let event = try #require(stage.ann.events.first)
        let typing = TypingChanged(userID: Cast.bob.userID, name: "Bob", at: .init(milliseconds: stage.roost.clock.now))
        #expect(event.body == .ephemeral(.typingStarted(typing)))
        #expect(event.channel == Cast.annAndBob)
        #expect(event.seq == nil && event.userSeq == nil)
        for session in [stage.bob, stage.cid] { #expect(session.events.isEmpty) }
        #expect(tablet.events(named: .typingStarted).isEmpty)
    }

    @Test(arguments: Backend.available)
    func `the others hear who stops typing [JCB-16]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        await stage.forgetEvents()
        for session in [stage.bob, stage.cid] { try await session.perform(StartTyping(channel: Cast.club)) }
        #expect(typers(stage.ann, in: Cast.club) == [Cast.bob.userID, Cast.cid.userID])
        try await stage.bob.perform(EndTyping(channel: Cast.club))
        #expect(typers(stage.ann, in: Cast.club) == [Cast.cid.userID])
        #expect(stage.ann.events(named: .typingEnded).count == 1)
        #expect(stage.bob.events(named: .typingEnded).isEmpty)
    }

    @Test(arguments: Backend.available)
    func `a command of a connection that arrives after its end starts no typing`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        await stage.forgetEvents()
        let start = AnyCommand.move(.startTyping(StartTyping(channel: Cast.annAndBob)))
        stage.roost.disconnect(stage.bob)
        _ = await stage.roost.core.handle(start, id: "late", from: stage.bob.actor)
        await stage.settle()
        #expect(stage.ann.events(named: .typingStarted).isEmpty)
        // Over HTTP there is no session, but typing is sent.
        var actor = stage.bob.actor
        actor.session = nil
        _ = await stage.roost.core.handle(start, id: "http", from: actor)
        await stage.settle()
        #expect(stage.ann.events(named: .typingStarted).count == 1)
    }

    @Test(arguments: Backend.available)
    func `a lost connection ends what it was typing, everywhere and once`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.makeClub()
        try await stage.ann.perform(JoinChannel(channel: Cast.lobby))
        await stage.forgetEvents()
        for channel in [Cast.annAndBob, Cast.club, Cast.lobby] {
            try await stage.bob.perform(StartTyping(channel: channel))
            try await stage.bob.perform(StartTyping(channel: channel))
        }
        try await stage.bob.perform(EndTyping(channel: Cast.club))
        stage.roost.disconnect(stage.bob)
        await stage.settle()
        for channel in [Cast.annAndBob, Cast.club, Cast.lobby] {
            #expect(typers(stage.ann, in: channel).isEmpty)
            #expect(stage.ann.events(named: .typingEnded).filter { $0.channel == channel }.count == 1)
        }
    }

    @Test(arguments: Backend.available)
    func `leaving an open channel ends typing in it`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        for session in [stage.ann, stage.bob] { try await session.perform(JoinChannel(channel: Cast.lobby)) }
        try await stage.bob.perform(StartTyping(channel: Cast.lobby))
        #expect(typers(stage.ann, in: Cast.lobby) == [Cast.bob.userID])
        try await stage.bob.perform(LeaveChannel(channel: Cast.lobby))
        #expect(typers(stage.ann, in: Cast.lobby).isEmpty)
        stage.roost.disconnect(stage.bob)
        await stage.settle()
        #expect(stage.ann.events(named: .typingEnded).count == 1)
    }

    @Test(arguments: Backend.available)
    func `leaving a group ends typing in it on all devices`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        let tablet = try await stage.roost.session(Cast.bob, device: "tablet")
        try await tablet.perform(StartTyping(channel: Cast.club))
        try await stage.bob.perform(LeaveChannel(channel: Cast.club))
        #expect(typers(stage.ann, in: Cast.club).isEmpty)
        #expect(stage.ann.events(named: .typingEnded).count == 1)
        stage.roost.disconnect(tablet)
        await stage.settle()
        #expect(stage.ann.events(named: .typingEnded).count == 1)
    }

    @Test(arguments: Backend.available)
    func `typing is not stored and changes nothing`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.ann.send("one", to: Cast.annAndBob)
        let before = try await stage.bob.channel(Cast.annAndBob)
        for _ in 0..<5 {
            stage.roost.clock.advance(by: 1_000)
            try await stage.ann.perform(StartTyping(channel: Cast.annAndBob))
        }
        #expect(stage.bob.events(named: .typingStarted).count == 5)
        #expect(try await stage.bob.channel(Cast.annAndBob) == before)
        let later = try await stage.roost.session(Cast.bob, device: "tablet")
        let resumed = try await later.perform(
            Resume(epoch: stage.roost.core.epoch, channels: [ChannelPosition(channel: Cast.annAndBob, seq: 0)]))
        #expect(resumed.events.map(\.name) == ["message.sent"])
        #expect(later.events.isEmpty)
    }

    @Test(arguments: Backend.available)
    func `typing works in a 1-on-1, a group and an open channel [XC-13]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.makePair()
        for session in stage.all { try await session.perform(JoinChannel(channel: Cast.lobby)) }
        await stage.forgetEvents()
        let listeners: [(ChannelID, [TestSession])] = [
            (Cast.annAndBob, [stage.bob]), (Cast.club, [stage.bob, stage.cid]),
            (Cast.lobby, [stage.bob, stage.cid, stage.dee]),
        ]
        for (channel, listeners) in listeners {
            try await stage.ann.perform(StartTyping(channel: channel))
            try await stage.ann.perform(EndTyping(channel: channel))
            for session in stage.all {
                let told = session.drainEvents()
                let isListener = listeners.contains { $0.userID == session.userID }
                #expect(told.map(\.name) == (isListener ? ["typing.started", "typing.ended"] : []), "\(channel)")
                #expect(told.allSatisfy { $0.channel == channel && $0.seq == nil })
            }
        }
    }
}
