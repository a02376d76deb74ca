import RoostCore
import RoostTesting
import RoostWire
import Testing

/// Who may make a user a member without asking first.
@Suite struct InvitesFromTests {
    private func role(of user: User, in channel: ChannelID, for session: TestSession) async throws -> Role? {
        let list = ListMembers(channel: channel, roles: Role.allCases)
        return try await session.perform(list).members.first { $0.userID == user.userID }?.role
    }

    @Test(arguments: Backend.available)
    func `a new user lets everybody, and each change is told to the user's devices once`(backend: Backend) async throws
    {
        let stage = try await Stage(backend)
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        #expect(try await stage.ann.perform(GetUserSettings()) == UserSettings(invitesFrom: .everybody))
        for choice in [InvitesFrom.everybody, .contacts, .contacts, .nobody] {
            try await stage.ann.perform(SetUserSettings(invitesFrom: choice))
            #expect(try await tablet.perform(GetUserSettings()).invitesFrom == choice)
        }
        for device in [stage.ann, tablet] {
            #expect(
                device.events.map(\.body)
                    == [InvitesFrom.contacts, .nobody].map {
                        .user(.userSettingsChanged(UserSettings(invitesFrom: $0)))
                    })
        }
        #expect(stage.bob.events.isEmpty)
        #expect(try await stage.bob.perform(GetUserSettings()) == UserSettings())
    }

    @Test(arguments: Backend.available)
    func `a setting is kept over a restart`(backend: Backend) async throws {
        let (database, folder) = try backend.makeDatabase()
        let stage = try await Stage(try TestCore(database: database))
        try await stage.ann.perform(SetUserSettings(invitesFrom: .nobody))
        // Other changes of the user's row leave it as it is.
        try await stage.ann.perform(SetUserProfile(profile: UserProfile(name: "Annie")))
        await stage.roost.core.stop()
        let later = try await Stage(try TestCore(database: database))
        #expect(try await later.ann.perform(GetUserSettings()).invitesFrom == .nobody)
        try await later.bob.perform(
            CreateChannel(kind: .group, channel: Cast.club, members: [Cast.ann.userID, Cast.cid.userID]))
        #expect(try await role(of: Cast.ann, in: Cast.club, for: later.bob) == .invited)
        await later.roost.core.stop()
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.available)
    func `who wants to be asked is invited in place of becoming a member, and answers`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        for session in [stage.ann, stage.cid] { try await session.perform(SetUserSettings(invitesFrom: .nobody)) }
        await stage.forgetEvents()
        let people = [NewMember(Cast.ann.userID, role: .moderator, nickname: "A"), NewMember(Cast.dee.userID)]
        try await stage.bob.perform(CreateChannel(kind: .group, channel: Cast.club, members: people))
        try await stage.bob.perform(InviteMembers(channel: Cast.club, members: [Cast.cid.userID]))
        #expect(try await stage.bob.channel(Cast.club).memberCount == 2)
        for (user, session) in [(Cast.ann, stage.ann), (Cast.cid, stage.cid)] {
            #expect(try await role(of: user, in: Cast.club, for: stage.bob) == .invited)
            #expect(session.events.map(\.name) == ["channel.invited"])
            #expect(try await session.list().isEmpty)
            #expect(try await session.refusal(SendMessage(channel: Cast.club, text: "x"))?.entry == .noPrivilege)
        }
        // Asking again, in whatever role, does not make anybody a member.
        for role in [nil, Role.admin] {
            try await stage.bob.perform(
                InviteMembers(channel: Cast.club, members: [NewMember(Cast.ann.userID, role: role)]))
        }
        #expect(stage.ann.events.count == 1)
        try await stage.ann.perform(AnswerInvitation(channel: Cast.club, isAccepted: true))
        try await stage.cid.perform(AnswerInvitation(channel: Cast.club, isAccepted: false))
        #expect(try await role(of: Cast.ann, in: Cast.club, for: stage.bob) == .participant)
        #expect(try await role(of: Cast.cid, in: Cast.club, for: stage.bob) == nil)
        // Memberships stay when the setting changes, and the user may invite others.
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.cid.userID]))
        #expect(try await role(of: Cast.cid, in: Cast.club, for: stage.bob) == .invited)
    }

    @Test(arguments: Backend.available)
    func `contacts are those with whom the user has created a 1-on-1, or has written in it`(backend: Backend)
        async throws
    {
        let stage = try await Stage(backend)
        try await stage.ann.perform(SetUserSettings(invitesFrom: .contacts))
        var number = 0
        func isAsked(by session: TestSession) async throws -> Bool {
            number += 1
            let id = try channel("g\(number)")
            try await session.perform(CreateChannel(kind: .group, channel: id, members: [Cast.ann.userID]))
            return try await role(of: Cast.ann, in: id, for: session) == .invited
        }
        #expect(try await isAsked(by: stage.bob))
        // A 1-on-1 of the other, and messages of the other, are not enough.
        try await stage.bob.perform(CreateChannel(kind: .single, members: [Cast.ann.userID]))
        try await stage.bob.send("hello", to: Cast.annAndBob)
        try await stage.ann.perform(SetReadMark(channel: Cast.annAndBob))
        #expect(try await isAsked(by: stage.bob))
        try await stage.ann.send("hello", to: Cast.annAndBob)
        #expect(try await !isAsked(by: stage.bob))
        // Who shares a group is no contact.
        try await stage.bob.perform(
            CreateChannel(kind: .group, channel: Cast.club, members: [Cast.ann.userID, Cast.cid.userID]))
        #expect(try await isAsked(by: stage.cid))
        try await stage.ann.perform(CreateChannel(kind: .single, members: [Cast.cid.userID]))
        #expect(try await !isAsked(by: stage.cid))
        // With nobody, they are asked as well.
        try await stage.ann.perform(SetUserSettings(invitesFrom: .nobody))
        #expect(try await isAsked(by: stage.bob))
        #expect(try await isAsked(by: stage.cid))
    }

    @Test(arguments: Backend.available)
    func `a message forwarded or sent to many makes a contact, too, and it holds after a restart`(backend: Backend)
        async throws
    {
        let (database, folder) = try backend.makeDatabase()
        let stage = try await Stage(try TestCore(database: database))
        try await stage.ann.perform(SetUserSettings(invitesFrom: .contacts))
        var pairs: [ChannelID] = []
        for session in [stage.bob, stage.cid] {
            try await session.perform(CreateChannel(kind: .single, members: [Cast.ann.userID]))
            pairs.append(ChannelID(single: Cast.ann.userID, session.userID))
        }
        let hello = try await stage.bob.post("hello", to: pairs[0])
        try await stage.ann.perform(
            ForwardMessages(channel: pairs[0], messageIDs: [hello], channels: [pairs[0]]))
        try await stage.ann.perform(SendMany(messages: [MessageContent(text: "hi")], channels: [pairs[1]]))
        await stage.roost.core.stop()
        let later = try await Stage(try TestCore(database: database))
        for session in [later.bob, later.cid] {
            let id = try channel("of-\(session.userID)")
            // The ids of the first process are taken.
            try await session.perform(
                CreateChannel(kind: .group, channel: id, members: [Cast.ann.userID]), id: "later-\(id)")
            #expect(try await role(of: Cast.ann, in: id, for: session) == .participant)
        }
        await later.roost.core.stop()
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.available)
    func `a third user and the partner of a 1-on-1 are asked when it becomes a group`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        for session in [stage.bob, stage.cid] { try await session.perform(SetUserSettings(invitesFrom: .contacts)) }
        let people = [Cast.cid.userID, Cast.dee.userID]
        let made = try await stage.ann.perform(InviteMembers(channel: Cast.annAndBob, members: people))
        let group = try #require(made.channel)
        for user in [Cast.bob, Cast.cid] { #expect(try await role(of: user, in: group, for: stage.ann) == .invited) }
        #expect(try await stage.ann.channel(group).memberCount == 2)
        // Bob has answered, so that Ann is a contact of his.
        try await stage.bob.send("yes", to: Cast.annAndBob)
        let again = try await stage.ann.perform(InviteMembers(channel: Cast.annAndBob, members: people))
        #expect(try await role(of: Cast.bob, in: try #require(again.channel), for: stage.ann) == .participant)
    }

    @Test(arguments: Backend.available)
    func `operators and keys are not bound by it, 1-on-1s are not concerned, and a block comes first`(backend: Backend)
        async throws
    {
        let stage = try await Stage(backend)
        try await stage.ann.perform(SetUserSettings(invitesFrom: .nobody))
        let chief = try await stage.roost.session(user("chief"), isOperator: true)
        try await chief.perform(CreateChannel(kind: .group, channel: Cast.club, members: [Cast.ann.userID]))
        #expect(try await stage.ann.channel(Cast.club).role == .participant)
        var key = Actor(user: Cast.dee, deviceID: "http", isOperator: false)
        key.scopes = [.messages]
        let group = CreateChannel(kind: .group, channel: try channel("of-key"), members: [Cast.ann.userID])
        _ = try await stage.roost.core.handle(group.any, id: "k", from: key).decode(Acknowledgement.self)
        #expect(try await stage.ann.channel(try channel("of-key")).role == .participant)
        // A stranger's first message arrives.
        try await stage.bob.perform(CreateChannel(kind: .single, members: [Cast.ann.userID]))
        try await stage.bob.send("hello", to: Cast.annAndBob)
        #expect(try await stage.ann.unread(Cast.annAndBob) == 1)
        try await stage.ann.perform(BlockUser(userID: Cast.bob.userID))
        #expect(try await stage.bob.refusal(CreateChannel(kind: .group, members: [Cast.ann.userID]))?.entry == .blocked)
    }

    @Test(arguments: Backend.available)
    func `who is asked does not count for the least and the most members`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.ann.perform(SetUserSettings(invitesFrom: .nobody))
        let few = CreateChannel(
            kind: .group, channel: Cast.club, members: [NewMember(Cast.ann.userID)],
            profile: ChannelProfile(minMembers: 2))
        #expect(try await stage.bob.refusal(few)?.entry == .tooFewMembers)
        #expect(stage.ann.events(named: .channelInvited).isEmpty)
        let full = CreateChannel(
            kind: .group, channel: Cast.club, members: [NewMember(Cast.ann.userID)],
            profile: ChannelProfile(maxMembers: 1))
        try await stage.bob.perform(full)
        #expect(
            try await stage.ann.refusal(AnswerInvitation(channel: Cast.club, isAccepted: true))?.entry
                == .tooManyMembers)
    }
}
