import RoostCore
import RoostTesting
import RoostWire
import Testing

/// A change of a channel or its members, its type in the registry, and the users whose devices receive it.
private struct Change: Sendable, CustomStringConvertible {
    var number: Int
    var receivers: [User]
    var isInUserLog: Bool
    var play: @Sendable (Stage) async throws -> Void

    var description: String { "\(number)" }

    init(
        _ number: Int, to receivers: [User], inUserLog: Bool = false,
        _ play: @escaping @Sendable (Stage) async throws -> Void
    ) {
        self.number = number
        self.receivers = receivers
        isInUserLog = inUserLog
        self.play = play
    }
}

private let members = [Cast.ann, Cast.bob, Cast.cid]

/// In a club of Ann's with Bob and Cid; Dee is invited, and so is Eve.
private let changes: [Change] = [
    Change(1001, to: [Cast.ann, Cast.bob], inUserLog: true) { stage in
        try await stage.ann.perform(CreateChannel(kind: .group, members: [Cast.bob.userID]))
    },
    Change(1002, to: Cast.all, inUserLog: true) { stage in
        try await stage.ann.perform(DismissChannel(channel: Cast.club))
    },
    Change(1003, to: members) { stage in try await stage.cid.perform(LeaveChannel(channel: Cast.club)) },
    Change(1004, to: Cast.all) { stage in
        try await stage.bob.perform(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))
    },
    Change(1005, to: Cast.all) { stage in
        try await stage.dee.perform(AnswerInvitation(channel: Cast.club, isAccepted: true))
    },
    Change(1006, to: members) { stage in
        try await stage.ann.perform(KickMembers(channel: Cast.club, members: [Cast.cid.userID]))
    },
    Change(1007, to: [Cast.ann, Cast.bob]) { stage in
        try await stage.ann.perform(BanMembers(channel: Cast.club, members: [Cast.cid.userID]))
    },
    Change(1008, to: members) { stage in
        try await stage.bob.perform(
            SetChannelProfile(channel: Cast.club, profile: ChannelProfile(title: "Club")))
    },
    Change(1009, to: members) { stage in
        try await stage.bob.perform(SetChannelProfile(channel: Cast.club, profile: ChannelProfile(avatar: "a")))
    },
    Change(1010, to: members) { stage in
        try await stage.ann.perform(
            SetMemberRole(channel: Cast.club, userID: Cast.cid.userID, role: .moderator))
    },
    Change(1011, to: [Cast.ann], inUserLog: true) { stage in
        try await stage.ann.perform(SetChannelPreference(channel: Cast.club, isMuted: true))
    },
    Change(1013, to: members) { stage in
        try await stage.bob.perform(SetChannelPreference(channel: Cast.club, nickname: "Bobby"))
    },
    Change(1015, to: members) { stage in
        try await stage.bob.perform(
            SetChannelProfile(channel: Cast.club, profile: ChannelProfile(background: "b")))
    },
    Change(1018, to: members) { stage in
        try await stage.ann.perform(
            KickMembers(channel: Cast.club, members: [Cast.dee.userID, user("eve").userID]))
    },
]

@Suite struct ChannelTypesTests {
    @Test(arguments: Backend.available)
    func
        `changes reach the right log and devices, with the registry's flags [LT-1001 LT-1002 LT-1003 LT-1004 LT-1005 LT-1006 LT-1007 LT-1008 LT-1009 LT-1010 LT-1011 LT-1013 LT-1015 LT-1018]`(
            backend: Backend
        ) async throws
    {
        for change in changes { try await check(change, backend) }
    }

    private func check(_ change: Change, _ backend: Backend) async throws {
        let stage = try await Stage(backend)
        let type = try #require(MessageType.numbered(change.number))
        let eve = try await stage.roost.session(user("eve"))
        try await stage.makeClub()
        try await stage.ann.perform(
            InviteMembers(
                channel: Cast.club,
                members: [NewMember(Cast.dee.userID, role: .invited), NewMember(eve.userID, role: .invited)]))
        try await stage.bob.send("before", to: Cast.club)
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        let away = try await stage.ann.perform(Resume(userSeq: 0))
        let before = try await stage.ann.channel(Cast.club)
        await stage.forgetEvents()
        _ = tablet.drainEvents()
        _ = eve.drainEvents()
        try await change.play(stage)
        await stage.settle()

        func found(_ session: TestSession) -> [Event] {
            session.events.filter { $0.body.messageType?.number == change.number }
        }
        // The right receivers, on all of their devices, and nobody else.
        for (user, session) in zip(Cast.all, stage.all) {
            #expect(found(session).count == (change.receivers.contains(user) ? 1 : 0), "\(change): \(user.userID)")
        }
        #expect(found(tablet).count == (change.receivers.contains(Cast.ann) ? 1 : 0), "\(change)")
        #expect(found(eve).count == (change.number == 1002 ? 1 : 0), "\(change)")
        // The right log: the same row for everybody in the channel's log, or each user's own row in the user log.
        let event = try #require(found(stage.ann).first)
        #expect((event.userSeq != nil) == change.isInUserLog, "\(change)")
        #expect((event.seq != nil) == !change.isInUserLog, "\(change)")
        if !change.isInUserLog {
            for session in stage.all { #expect(found(session).allSatisfy { $0 == event }) }
        }
        // Stored: a user who was offline reads it in that log.
        let missed = try await tablet.perform(
            Resume(epoch: away.epoch, userSeq: away.userSeq, channels: away.channels))
        #expect(missed.events.contains(event) == (type.isStored == .yes), "\(change)")
        if !change.isInUserLog { #expect(try await stage.ann.log(of: Cast.club).contains(event)) }
        // Live, because it was delivered; not a last message, a push only where the table says so, and not unread.
        let behaviour = try #require(event.body.behaviour)
        #expect(behaviour.isRealtime && type.isRealtime == .yes)
        #expect(behaviour.isPushed == (type.isPushed == .yes), "\(change)")
        #expect(!behaviour.isLastMessage && !behaviour.countsAsUnread)
        guard change.number != 1002 else { return }
        let after = try await stage.ann.channel(Cast.club)
        #expect(after.lastMessage == before.lastMessage, "\(change)")
        #expect(after.count == before.count, "\(change)")
        #expect(after.unread == 1, "\(change)")
        #expect(try await tablet.perform(ListChannels()).channels.contains { $0.lastMessage?.text == "before" })
    }

    @Test(arguments: Backend.available)
    func `making a channel never makes the unused twin of its type [LT-1017]`(backend: Backend) async throws {
        #expect(MessageType.numbered(1017)?.isEmitted == false)
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.makePair()
        try await stage.ann.perform(CreateChannel(kind: .own))
        try await stage.ann.perform(InviteMembers(channel: Cast.annAndBob, members: [Cast.cid.userID]))
        let numbers = stage.all.flatMap(\.events).compactMap { $0.body.messageType?.number }
        #expect(numbers.contains(1001))
        #expect(!numbers.contains(1017))
    }
}
