import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct MembersTests {
    @Test(arguments: Backend.available)
    func `an invitation is a line in the channel's log that everybody gets [JCB-5]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.ann.send("before", to: Cast.club)
        await stage.forgetEvents()
        let answer = try await stage.bob.perform(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))
        #expect(answer.seq == 2)
        for session in stage.all {
            let row = try #require(session.rows(of: Cast.club).first)
            #expect(row.seq == 2)
            #expect(row.senderID == Cast.bob.userID)
            #expect(row.body == .channel(.memberInvited(MembersInvited(members: [Cast.dee], memberCount: 4))))
        }
        #expect(try await stage.dee.log(of: Cast.club).map(\.seq) == [1, 2])
        let row = try #require(try await stage.dee.list().first)
        #expect(row.unread == 0)
        #expect(row.readSeq == 2)
        #expect(row.lastMessage?.text == "before")
        guard case .user(.channelJoined(let joined))? = stage.dee.events(named: .channelJoined).first?.body else {
            Issue.record("the new member was not told")
            return
        }
        #expect(joined.fromSeq == 1)
        #expect(joined.memberCount == 4)
        #expect(joined.role == .participant)
    }

    @Test(arguments: Backend.available)
    func `inviting into a 1-on-1 creates a group of the three and leaves the 1-on-1 unchanged [JCB-9]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.ann.send("private", to: Cast.annAndBob)
        await stage.forgetEvents()
        let answer = try await stage.ann.perform(InviteMembers(channel: Cast.annAndBob, members: [Cast.cid.userID]))
        let group = try #require(answer.channel)
        #expect(group != Cast.annAndBob)
        #expect(answer.seq == 1)
        for session in [stage.ann, stage.bob, stage.cid] {
            #expect(session.events(named: .memberInvited).count == 1)
            #expect(session.events(named: .channelJoined).count == 1)
            let channel = try await session.channel(group)
            #expect(channel.kind == .group)
            #expect(channel.members.map(\.userID) == [Cast.ann, Cast.bob, Cast.cid].map(\.userID))
            #expect(channel.memberCount == 3)
        }
        #expect(try await stage.ann.channel(Cast.annAndBob).memberCount == 2)
        #expect(try await stage.cid.refusal(GetChannel(channel: Cast.annAndBob))?.entry == .channelNotFound)
        #expect(try await stage.cid.log(of: group).compactMap(\.text).isEmpty)
    }

    @Test(arguments: Backend.available)
    func `an invitation skips members, and an unknown user makes it fail as a whole`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        let again = try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.bob.userID]))
        #expect(again.seq == nil)
        #expect(again.channel == Cast.club)
        let unknown = InviteMembers(channel: Cast.club, members: [Cast.dee.userID, try user("nobody").userID])
        #expect(try await stage.ann.refusal(unknown)?.entry == .userMissing)
        #expect(try await stage.ann.channel(Cast.club).memberCount == 3)
        #expect(try await stage.dee.refusal(GetChannel(channel: Cast.club))?.entry == .channelNotFound)
        #expect(try await stage.ann.log(of: Cast.club).isEmpty)
        let mixed = InviteMembers(channel: Cast.club, members: [Cast.bob.userID, Cast.dee.userID])
        #expect(try await stage.ann.perform(mixed).seq == 1)
        #expect(try await stage.ann.channel(Cast.club).memberCount == 4)
    }

    @Test(arguments: Backend.available)
    func `an invitation names 1 to 100 users, each of them once`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        #expect(try await stage.ann.refusal(InviteMembers(channel: Cast.club, members: []))?.entry == .dataFormat)
        let many = try (0...100).map { try user("u\($0)").userID }
        #expect(try await stage.ann.refusal(InviteMembers(channel: Cast.club, members: many))?.entry == .dataFormat)
        // A hundred are not too many; these are refused only because they are unknown.
        let most = InviteMembers(channel: Cast.club, members: Array(many.prefix(100)))
        #expect(try await stage.ann.refusal(most)?.entry == .userMissing)
        let twice = [NewMember(Cast.dee.userID), NewMember(Cast.dee.userID, role: .moderator)]
        #expect(try await stage.ann.refusal(InviteMembers(channel: Cast.club, members: twice))?.entry == .dataFormat)
        #expect(try await stage.ann.channel(Cast.club).memberCount == 3)
    }

    @Test(arguments: Backend.available)
    func `a user who has left a group can read nothing in it and is told nothing more`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        let tablet = try await stage.roost.session(Cast.cid, device: "tablet")
        try await stage.ann.send("one", to: Cast.club)
        await stage.forgetEvents()
        _ = tablet.drainEvents()
        let answer = try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        #expect(answer.seq == 2)
        let left = MemberLeft(userID: Cast.cid.userID, name: Cast.cid.name, memberCount: 2)
        for session in [stage.ann, stage.bob] {
            #expect(session.rows(of: Cast.club).map(\.body) == [.channel(.memberLeft(left))])
        }
        for session in [stage.cid, tablet] { #expect(session.events(named: .channelLeft).count == 1) }
        try await stage.ann.send("two", to: Cast.club)
        try await stage.ann.perform(StartTyping(channel: Cast.club))
        try await stage.ann.perform(SetReadMark(channel: Cast.club))
        await stage.settle()
        for session in [stage.cid, tablet] {
            #expect(session.events.filter { $0.text == "two" || $0.channel == Cast.club && $0.seq == nil }.isEmpty)
        }
        #expect(try await stage.cid.refusal(ListMessages(channel: Cast.club))?.entry == .notMember)
        #expect(try await stage.cid.list().isEmpty)
        #expect(try await stage.ann.channel(Cast.club).members.map(\.userID) == [Cast.ann.userID, Cast.bob.userID])
        #expect(try await stage.cid.refusal(LeaveChannel(channel: Cast.club))?.entry == .notMember)
    }

    @Test(arguments: Backend.available)
    func `a user who is invited again starts with nothing unread`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.ann.send("one", to: Cast.club)
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        try await stage.ann.send("two", to: Cast.club)
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.cid.userID]))
        #expect(try await stage.cid.unread(Cast.club) == 0)
        try await stage.ann.send("three", to: Cast.club)
        #expect(try await stage.cid.unread(Cast.club) == 1)
        #expect(stage.cid.rows(of: Cast.club).last?.text == "three")
        #expect(try await stage.cid.list().map(\.channel) == [Cast.club])
    }

    @Test(arguments: Backend.available)
    func `neither a 1-on-1 nor a user's channel with themselves can be left`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        #expect(try await stage.ann.refusal(LeaveChannel(channel: Cast.annAndBob))?.entry == .channelTypeMismatch)
        let own = try await stage.ann.perform(CreateChannel(kind: .own))
        #expect(
            try await stage.ann.refusal(LeaveChannel(channel: #require(own.channel)))?.entry == .channelTypeMismatch)
        #expect(try await stage.ann.list().count == 2)
    }

    @Test(arguments: Backend.available)
    func `members are listed by id in pages`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.bob.send("x", to: Cast.club)
        let first = try await stage.ann.perform(ListMembers(channel: Cast.club, limit: 2))
        #expect(first.members.map(\.userID) == [Cast.ann.userID, Cast.bob.userID])
        #expect(first.members.map(\.readSeq) == [0, 1])
        #expect(first.members.map(\.role) == [.admin, .participant])
        #expect(first.memberCount == 3)
        #expect(first.next != nil)
        let rest = try await stage.ann.perform(
            ListMembers(channel: Cast.club, limit: 2, cursor: first.next))
        #expect(rest.members.map(\.userID) == [Cast.cid.userID])
        #expect(rest.next == nil)
        for cursor in ["", "a b", "\u{0}"] {
            #expect(try await stage.ann.refusal(ListMembers(channel: Cast.club, cursor: cursor))?.entry == .dataFormat)
        }
        for limit in [Int.min, -1, 0, 501, Int.max] {
            #expect(
                try await stage.ann.refusal(ListMembers(channel: Cast.club, limit: limit))?.entry == .dataFormat,
                "\(limit)")
        }
        #expect(try await stage.ann.perform(ListMembers(channel: Cast.club, limit: 500)).members.count == 3)
    }

    @Test(arguments: Backend.available)
    func `a group that its only member leaves or ends is dismissed`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let ids = try ["left", "ended", "all-1", "all-2"].map { try channel($0) }
        for id in ids {
            try await stage.ann.perform(
                CreateChannel(
                    kind: .group, channel: id, members: [NewMember(Cast.bob.userID)],
                    profile: ChannelProfile(canJoin: true, minMembers: 1)))
            try await stage.bob.perform(LeaveChannel(channel: id))
            let invited = InviteMembers(channel: id, members: [NewMember(Cast.cid.userID, role: .invited)])
            try await stage.ann.perform(invited)
        }
        await stage.forgetEvents()
        let left = try await stage.ann.perform(LeaveChannel(channel: ids[0]))
        #expect(left.seq == nil)
        try await stage.ann.perform(EndChannel(channel: ids[1]))
        try await stage.ann.perform(EndChannel())
        for session in [stage.ann, stage.cid] {
            #expect(
                session.events(named: .channelDismissed).map(\.body)
                    == ids.map { .user(.channelDismissed(ChannelDismissed(channel: $0, byName: "Ann"))) })
        }
        #expect(stage.bob.events.isEmpty)
        for id in ids {
            for session in [stage.ann, stage.bob, stage.cid, stage.dee] {
                #expect(try await session.refusal(BecomeMember(channel: id))?.entry == .channelNotFound)
            }
            #expect(
                try await stage.cid.refusal(AnswerInvitation(channel: id, isAccepted: true))?.entry == .channelNotFound)
            #expect(try await stage.ann.refusal(SendMessage(channel: id, text: "x"))?.entry == .channelNotFound)
            #expect(try await stage.bob.refusal(CreateChannel(kind: .group, channel: id))?.entry == .channelIDExists)
        }
    }
}
