import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct DismissTests {
    @Test(arguments: Backend.available)
    func `a dismissed group is gone for everybody, and all are told [L-41 LCB-5 LR-3]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        let eve = try await stage.roost.session(user("eve"))
        try await stage.ann.perform(SetChannelPreference(channel: Cast.club, nickname: "Annie"))
        try await stage.ann.perform(SetMemberRole(channel: Cast.club, userID: Cast.bob.userID, role: .moderator))
        try await stage.ann.perform(
            InviteMembers(channel: Cast.club, members: [NewMember(Cast.dee.userID, role: .invited)]))
        try await stage.ann.perform(BanMembers(channel: Cast.club, members: [eve.userID]))
        try await stage.bob.send("unread", to: Cast.club)
        await stage.forgetEvents()
        _ = tablet.drainEvents()
        _ = eve.drainEvents()
        for session in [stage.bob, stage.cid, stage.dee, eve] {
            #expect(try await session.refusal(DismissChannel(channel: Cast.club))?.entry == .noPrivilege)
        }
        #expect(stage.all.allSatisfy { $0.events.isEmpty })

        let answer = try await stage.ann.perform(DismissChannel(channel: Cast.club))
        #expect(answer.seq == nil)
        #expect(answer.channel == Cast.club)
        await stage.settle()
        for session in [stage.ann, tablet, stage.bob, stage.cid, stage.dee] {
            let row = try #require(session.events.first)
            #expect(session.events.count == 1)
            #expect(row.body == .user(.channelDismissed(ChannelDismissed(channel: Cast.club, byName: "Annie"))))
            #expect(row.userSeq != nil && row.seq == nil)
            #expect(row.senderID == Cast.ann.userID)
            #expect(row.transID == answer.transID)
            #expect(row.sentAt == answer.sentAt)
            #expect(try await session.perform(Resume(userSeq: 0)).events.last == row)
        }
        #expect(eve.events.isEmpty)
        let commands: [any Command] = [
            GetChannel(channel: Cast.club), ListMembers(channel: Cast.club), ListMessages(channel: Cast.club),
            SendMessage(channel: Cast.club, text: "x"), SetReadMark(channel: Cast.club),
            StartTyping(channel: Cast.club), DismissChannel(channel: Cast.club), LeaveChannel(channel: Cast.club),
            HideChannel(channel: Cast.club), SetChannelPreference(channel: Cast.club, isMuted: true),
            InviteMembers(channel: Cast.club, members: [Cast.dee.userID]), BecomeMember(channel: Cast.club),
            AnswerInvitation(channel: Cast.club, isAccepted: true), JoinChannel(channel: Cast.club),
        ]
        for session in stage.all + [eve] {
            for command in commands {
                #expect(try await session.refusal(command)?.entry == .channelNotFound, "\(command)")
            }
            #expect(try await session.list().isEmpty)
            #expect(try await session.perform(GetUnread()).total == 0)
            #expect(try await session.perform(QueryChannels(roles: Role.allCases)).channels.isEmpty)
            let page = try await session.perform(
                Resume(channels: [ChannelPosition(channel: Cast.club, seq: 1)]))
            #expect(page.resets == [Reset(channel: Cast.club, seq: 0, reason: .gone)])
        }
    }

    @Test(arguments: Backend.available)
    func `nothing can be sent to a dismissed group, and its id is never used again [L-24]`(
        backend: Backend
    ) async throws {
        let (database, folder) = try backend.makeDatabase()
        let stage = try await Stage(try TestCore(database: database))
        try await stage.makeClub()
        try await stage.ann.perform(DismissChannel(channel: Cast.club))
        func check(_ stage: Stage, _ number: Int) async throws {
            #expect(try await stage.bob.refusal(SendMessage(channel: Cast.club, text: "x"))?.entry == .channelNotFound)
            for kind in [ChannelKind.group, .open] {
                for session in [stage.ann, stage.dee] {
                    let command = CreateChannel(kind: kind, channel: Cast.club)
                    #expect(try await session.refusal(command, id: "\(kind)-\(number)")?.entry == .channelIDExists)
                }
            }
            let announce = AnnounceMessage(channel: Cast.club, text: "x")
            let operatorSession = try await stage.roost.session(user("op"), isOperator: true)
            #expect(try await operatorSession.refusal(announce)?.entry == .channelNotFound)
        }
        try await check(stage, 1)
        await stage.roost.core.stop()
        let later = try await Stage(try TestCore(database: database))
        try await check(later, 2)
        await later.roost.core.stop()
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.available)
    func `typing ends with the channel, and a 1-on-1 or an open channel is not dismissed`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.makePair()
        try await stage.ann.send("x", to: Cast.lobby)
        #expect(try await stage.ann.refusal(DismissChannel(channel: Cast.annAndBob))?.entry == .channelTypeMismatch)
        #expect(try await stage.ann.refusal(DismissChannel(channel: Cast.lobby))?.entry == .channelTypeMismatch)
        #expect(try await stage.dee.refusal(DismissChannel(channel: Cast.club))?.entry == .channelNotFound)
        try await stage.bob.perform(StartTyping(channel: Cast.club))
        await stage.forgetEvents()
        try await stage.ann.perform(DismissChannel(channel: Cast.club))
        await stage.settle()
        #expect(stage.cid.events.map(\.name).last == EventName.channelDismissed.rawValue)
        await stage.forgetEvents()
        stage.roost.disconnect(stage.bob)
        await stage.settle()
        #expect(stage.cid.events.isEmpty)
    }
}
