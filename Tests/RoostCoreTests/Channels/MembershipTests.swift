import RoostCore
import RoostTesting
import RoostWire
import Testing

/// Joining and leaving a group.
@Suite struct MembershipTests {
    private func club(_ backend: Backend, limits: Limits = .withoutRates) async throws -> Stage {
        let stage = try await Stage(backend, limits: limits)
        try await stage.makeClub()
        await stage.forgetEvents()
        return stage
    }

    private func invite(_ members: NewMember..., method: JoinMethod? = nil) -> InviteMembers {
        InviteMembers(channel: Cast.club, members: members, joinMethod: method)
    }

    @Test(arguments: Backend.available)
    func `inviting makes members at once, tells all and skips those who are in [L-42 LCB-9 LR-7 LO-3 LO-4 J-74]`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
        let picture = "https://example.org/dee.png"
        let dee = NewMember(Cast.dee.userID, role: .moderator, nickname: "Deedee", imageURL: picture)
        try await stage.ann.perform(SetMemberRole(channel: Cast.club, userID: Cast.bob.userID, role: .moderator))
        await stage.forgetEvents()
        let command = invite(NewMember(Cast.cid.userID), dee, method: .userSearch)
        let answer = try await stage.bob.perform(command)
        #expect(answer.seq == 2)
        let shown = User(userID: Cast.dee.userID, name: "Deedee", imageURL: picture)
        let role = MemberRole(userID: Cast.dee.userID, name: "Deedee", role: .moderator)
        let body = MembersInvited(members: [shown], memberCount: 4, roles: [role], joinMethod: .userSearch)
        #expect(stage.heard(.memberInvited) == Cast.all)
        for session in stage.all {
            let row = try #require(session.rows(of: Cast.club).first)
            #expect(row.body == .channel(.memberInvited(body)))
            #expect(row.senderID == Cast.bob.userID)
            #expect(row.transID == answer.transID)
        }
        #expect(stage.heard(.channelJoined) == [Cast.dee])
        guard case .user(.channelJoined(let joined))? = stage.dee.events(named: .channelJoined).first?.body else {
            Issue.record("the new member was not told")
            return
        }
        #expect(joined.role == .moderator)
        #expect(joined.reason == .invited)
        let channel = try await stage.dee.channel(Cast.club)
        #expect(channel.role == .moderator)
        #expect(channel.invitedBy == Cast.bob.userID)
        let member = try #require(channel.members.last)
        #expect(member.name == "Deedee" && member.hasNickname == true)
        #expect(member.imageURL == picture && member.hasChannelImage == true)
        #expect(member.joinMethod == .userSearch)
        #expect(member.byUserID == Cast.bob.userID)
        // If nobody is left to invite, nothing is written.
        #expect(try await stage.cid.perform(invite(dee)).seq == nil)
        #expect(try await stage.cid.refusal(invite())?.entry == .dataFormat)
        let unknown = invite(NewMember(try user("nobody").userID))
        #expect(try await stage.cid.refusal(unknown)?.entry == .userMissing)
    }

    @Test(arguments: Backend.available)
    func `a refused invitation leaves nothing behind, not in a 1-on-1 either`(backend: Backend) async throws {
        let stage = try await club(
            backend,
            limits: {
                var limits = Limits.withoutRates
                limits.invitations = 1
                return limits
            }())
        try await stage.makePair()
        await stage.forgetEvents()
        let nobody = try user("nobody").userID
        let ann = try await stage.ann.perform(Resume(userSeq: 0)).userSeq
        let pair = InviteMembers(channel: Cast.annAndBob, members: [Cast.cid.userID, nobody])
        #expect(try await stage.ann.refusal(pair)?.entry == .userMissing)
        let asked = [NewMember(Cast.cid.userID, role: .invited), NewMember(Cast.dee.userID, role: .invited)]
        let tooMany = InviteMembers(channel: Cast.annAndBob, members: asked)
        #expect(try await stage.ann.refusal(tooMany)?.entry == .limitReached)
        let group = CreateChannel(kind: .group, channel: try channel("new"), members: asked)
        #expect(try await stage.ann.refusal(group)?.entry == .limitReached)
        #expect(stage.all.allSatisfy { $0.events.isEmpty })
        for session in stage.all {
            let page = try await session.perform(Resume())
            #expect(page.channels.allSatisfy { [Cast.club, Cast.annAndBob].contains($0.channel) })
        }
        // Both logs continue where they were.
        try await stage.ann.perform(HideChannel(channel: Cast.club))
        #expect(try await stage.ann.perform(Resume(userSeq: 0)).userSeq == ann + 1)
        let three = try await stage.ann.perform(
            InviteMembers(channel: Cast.annAndBob, members: [Cast.cid.userID]))
        #expect(try await stage.cid.channel(#require(three.channel)).memberCount == 3)
    }

    @Test(arguments: Backend.available)
    func `an invitation waits for its answer, and only the invited user can answer [L-104 LCB-8]`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
        let ask = invite(NewMember(Cast.dee.userID, role: .invited), method: .userCode)
        try await stage.bob.perform(ask)
        // The members learn who is invited; the invited user cannot read the channel yet.
        let asked = MembersInvited(members: [], memberCount: 3, invited: [Cast.dee], joinMethod: .userCode)
        for session in [stage.ann, stage.bob, stage.cid] {
            #expect(session.events.map(\.body) == [.channel(.memberInvited(asked))])
        }
        let invited = ChannelInvited(
            channel: Cast.club, members: [Cast.ann, Cast.bob, Cast.cid], memberCount: 3, byName: "Bob",
            joinMethod: .userCode)
        #expect(stage.dee.events.map(\.body) == [.user(.channelInvited(invited))])
        #expect(stage.dee.events.first?.senderID == Cast.bob.userID)
        #expect(try await stage.dee.refusal(ListMessages(channel: Cast.club))?.entry == .noPrivilege)
        #expect(try await stage.dee.refusal(SendMessage(channel: Cast.club, text: "x"))?.entry == .noPrivilege)
        #expect(try await stage.dee.list().isEmpty)
        let open = try await stage.dee.perform(QueryChannels(roles: [.invited])).channels
        #expect(open.map(\.channel) == [Cast.club])
        #expect(open.first?.role == .invited)
        #expect(open.first?.invitedBy == Cast.bob.userID)
        #expect(try await stage.ann.channel(Cast.club).memberCount == 3)
        // Asking again changes nothing.
        #expect(try await stage.ann.perform(ask).seq == nil)

        await stage.forgetEvents()
        let accept = AnswerInvitation(channel: Cast.club, isAccepted: true)
        #expect(try await stage.cid.refusal(accept)?.entry == .notInvited)
        #expect(try await stage.roost.session(user("eve")).refusal(accept)?.entry == .channelNotFound)
        let answer = try await stage.dee.perform(accept)
        #expect(stage.heard(.memberJoined) == Cast.all)
        let joined = MemberJoined(
            member: Cast.dee, memberCount: 4, isAnswer: true, joinMethod: .userCode, byUserID: Cast.bob.userID)
        for session in stage.all {
            let row = try #require(session.rows(of: Cast.club).first)
            #expect(row.body == .channel(.memberJoined(joined)))
            #expect(row.seq == answer.seq)
        }
        guard case .user(.channelJoined(let own))? = stage.dee.events(named: .channelJoined).first?.body else {
            Issue.record("the new member was not told")
            return
        }
        #expect(own.reason == .accepted)
        #expect(own.role == .participant)
        #expect(try await stage.dee.channel(Cast.club).role == .participant)
        #expect(try await stage.dee.refusal(accept)?.entry == .notInvited)
        #expect(try await stage.dee.perform(QueryChannels(roles: [.invited])).channels.isEmpty)
    }

    @Test(arguments: Backend.available)
    func `a declined invitation leaves nothing, and a former member stays one`(backend: Backend) async throws {
        let stage = try await club(backend)
        let decline = AnswerInvitation(channel: Cast.club, isAccepted: false)
        try await stage.bob.perform(invite(NewMember(Cast.dee.userID, role: .invited)))
        await stage.forgetEvents()
        try await stage.dee.perform(decline)
        let gone = MemberRole(userID: Cast.dee.userID, name: "Dee", role: .none)
        for session in [stage.ann, stage.bob, stage.cid] {
            #expect(
                session.events.map(\.body)
                    == [.channel(.memberRoleChanged(RolesChanged(members: [gone], memberCount: 3)))])
        }
        #expect(stage.dee.events.map(\.body) == [.user(.channelLeft(.init(channel: Cast.club, reason: .declined)))])
        #expect(try await stage.dee.refusal(decline)?.entry == .channelNotFound)
        #expect(try await stage.dee.refusal(GetChannel(channel: Cast.club))?.entry == .channelNotFound)
        // Cid was a member before, so the code is 1117, before and after.
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        try await stage.bob.perform(invite(NewMember(Cast.cid.userID, role: .invited)))
        #expect(try await stage.cid.refusal(GetChannel(channel: Cast.club))?.entry == .noPrivilege)
        try await stage.cid.perform(decline)
        #expect(try await stage.cid.refusal(GetChannel(channel: Cast.club))?.entry == .notMember)
        #expect(try await stage.cid.refusal(decline)?.entry == .notInvited)
        // An invited user may also be made a member at once.
        try await stage.bob.perform(invite(NewMember(Cast.dee.userID, role: .invited, nickname: "D")))
        try await stage.bob.perform(invite(NewMember(Cast.dee.userID)))
        #expect(try await stage.dee.channel(Cast.club).role == .participant)
        #expect(try await stage.dee.refusal(decline)?.entry == .notInvited)
    }

    @Test(arguments: Backend.available)
    func
        `joining needs the channel's permission, and stores how and through whom the user joined [L-44 JCB-5 LCB-8 LR-6 EN-4]`(
            backend: Backend
        ) async throws
    {
        let stage = try await club(backend)
        let join = BecomeMember(channel: Cast.club, joinMethod: .moderatorCode, byUserID: Cast.bob.userID)
        #expect(try await stage.dee.refusal(join)?.entry == .channelNotFound)
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        #expect(try await stage.cid.refusal(join)?.entry == .noPrivilege)
        try await stage.ann.perform(
            SetChannelProfile(channel: Cast.club, profile: ChannelProfile(canJoin: true, maxMembers: 3)))
        await stage.forgetEvents()
        let answer = try await stage.dee.perform(join)
        let body = MemberJoined(
            member: Cast.dee, memberCount: 3, isAnswer: false, joinMethod: .moderatorCode,
            byUserID: Cast.bob.userID)
        #expect(stage.heard(.memberJoined) == [Cast.ann, Cast.bob, Cast.dee])
        for session in [stage.ann, stage.bob, stage.dee] {
            let row = try #require(session.rows(of: Cast.club).first)
            #expect(row.body == .channel(.memberJoined(body)))
            #expect(row.seq == answer.seq)
            #expect(row.senderID == Cast.dee.userID)
        }
        #expect(stage.heard(.channelJoined) == [Cast.dee])
        // A full group refuses; a member who joins again changes nothing.
        #expect(try await stage.cid.refusal(join)?.entry == .tooManyMembers)
        #expect(try await stage.dee.perform(join).seq == nil)
        #expect(try await stage.dee.unread(Cast.club) == 0)
        // Every way of joining is kept with its number.
        #expect(JoinMethod.allCases.map(\.number) == [0, 1, 2, 3, 4])
        for method in JoinMethod.allCases {
            try await stage.dee.perform(LeaveChannel(channel: Cast.club))
            try await stage.dee.perform(BecomeMember(channel: Cast.club, joinMethod: method))
            let member = try await stage.ann.perform(ListMembers(channel: Cast.club)).members.last
            #expect(member?.userID == Cast.dee.userID)
            #expect(member?.joinMethod ?? .normal == method)
            #expect(member?.byUserID == nil)
            #expect(member?.$joinedAt == stage.roost.clock.now)
        }
        // A banned user cannot join.
        try await stage.ann.perform(BanMembers(channel: Cast.club, members: [Cast.dee.userID]))
        #expect(try await stage.dee.refusal(join)?.entry == .noPrivilege)
        try await stage.makePair()
        #expect(try await stage.ann.refusal(BecomeMember(channel: Cast.annAndBob))?.entry == .channelTypeMismatch)
        try await stage.ann.send("x", to: Cast.lobby)
        #expect(try await stage.ann.refusal(BecomeMember(channel: Cast.lobby))?.entry == .channelTypeMismatch)
    }

    @Test(arguments: Backend.available)
    func `a removed member is out and told so; the rest learn who was removed and why [L-43 LCB-10 LR-8 EN-6 C-L39]`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
        let tablet = try await stage.roost.session(Cast.cid, device: "tablet")
        try await stage.ann.send("one", to: Cast.club)
        await stage.forgetEvents()
        _ = tablet.drainEvents()
        let answer = try await stage.ann.perform(KickMembers(channel: Cast.club, members: [Cast.cid.userID]))
        let body = MembersRemoved(members: [Cast.cid], memberCount: 2, reason: 0)
        for session in [stage.ann, stage.bob, stage.cid, tablet] {
            let row = try #require(session.rows(of: Cast.club).first)
            #expect(row.body == .channel(.memberKicked(body)))
            #expect(row.seq == answer.seq)
            #expect(row.transID == answer.transID)
            #expect(row.senderID == Cast.ann.userID)
            #expect(ChannelUpdate(of: row.body) == .members)
            #expect(ChannelUpdate(of: row.body).rawValue == 4)
        }
        #expect(stage.dee.events.isEmpty)
        for device in [stage.cid, tablet] {
            #expect(device.events.last?.body == .user(.channelLeft(ChannelLeft(channel: Cast.club, reason: .kicked))))
            #expect(device.events.count == 2)
        }
        #expect(try await stage.cid.refusal(SendMessage(channel: Cast.club, text: "x"))?.entry == .notMember)
        #expect(try await stage.cid.refusal(ListMessages(channel: Cast.club))?.entry == .notMember)
        #expect(try await stage.cid.list().isEmpty)
        // Nothing more arrives, on no device.
        try await stage.ann.send("two", to: Cast.club)
        for device in [stage.cid, tablet] { #expect(device.events.count == 2) }
        func refusal(_ members: [UserID], by session: TestSession) async throws -> ErrorCode? {
            try await session.refusal(KickMembers(channel: Cast.club, members: members))?.entry
        }
        #expect(try await refusal([], by: stage.ann) == .nobodyToKick)
        #expect(try await refusal([Cast.bob.userID, Cast.cid.userID], by: stage.ann) == .notAllMembers)
        #expect(try await refusal([Cast.ann.userID], by: stage.bob) == .noPrivilege)
        #expect(try await refusal([Cast.ann.userID], by: stage.ann) == .noPrivilege)
        #expect(try await stage.ann.channel(Cast.club).memberCount == 2)
        // The app's number for the reason is passed on, and a removed member may come back.
        try await stage.ann.perform(invite(NewMember(Cast.cid.userID)))
        await stage.forgetEvents()
        try await stage.ann.perform(KickMembers(channel: Cast.club, members: [Cast.cid.userID], reason: 42))
        guard case .channel(.memberKicked(let removed))? = stage.bob.events.first?.body else {
            Issue.record("nobody was told")
            return
        }
        #expect(removed.reason == 42)
        #expect(
            stage.cid.events.last?.body
                == .user(.channelLeft(ChannelLeft(channel: Cast.club, reason: .kicked, code: 42))))
    }

    @Test(arguments: Backend.available)
    func `members and open invitations are removed together, in two rows`(backend: Backend) async throws {
        let stage = try await club(backend)
        try await stage.ann.perform(invite(NewMember(Cast.dee.userID, role: .invited)))
        await stage.forgetEvents()
        let both = KickMembers(channel: Cast.club, members: [Cast.dee.userID, Cast.cid.userID])
        let answer = try await stage.ann.perform(both)
        #expect(answer.seqs == [2, 3])
        #expect(answer.seq == 3)
        let gone = MemberRole(userID: Cast.dee.userID, name: "Dee", role: .none)
        #expect(
            stage.bob.events.map(\.body) == [
                .channel(.memberKicked(MembersRemoved(members: [Cast.cid], memberCount: 2))),
                .channel(.memberRoleChanged(RolesChanged(members: [gone], memberCount: 2))),
            ])
        #expect(stage.dee.events.map(\.body) == [.user(.channelLeft(.init(channel: Cast.club, reason: .kicked)))])
        #expect(
            try await stage.dee.refusal(AnswerInvitation(channel: Cast.club, isAccepted: true))?.entry
                == .channelNotFound)
    }

    @Test(arguments: Backend.available)
    func `a banned user stays out until the ban is lifted [L-105 LCB-3]`(backend: Backend) async throws {
        let stage = try await club(backend)
        try await stage.ann.perform(
            SetChannelProfile(channel: Cast.club, profile: ChannelProfile(canJoin: true)))
        await stage.forgetEvents()
        let ban = BanMembers(channel: Cast.club, members: [Cast.cid.userID, Cast.dee.userID], reason: 3)
        let answer = try await stage.ann.perform(ban)
        let body = MembersRemoved(members: [Cast.cid, Cast.dee], memberCount: 2, reason: 3)
        // The remaining members get the row; a banned member is told in the user's log, a stranger is not told.
        for session in [stage.ann, stage.bob] {
            #expect(session.events.map(\.body) == [.channel(.memberBanned(body))])
            #expect(session.events.first?.seq == answer.seq)
            #expect(session.events.first?.body.messageType?.number == 1007)
        }
        let left = ChannelLeft(channel: Cast.club, reason: .banned, code: 3)
        #expect(stage.cid.events.map(\.body) == [.user(.channelLeft(left))])
        #expect(stage.dee.events.isEmpty)
        for session in [stage.cid, stage.dee] {
            #expect(try await session.refusal(SendMessage(channel: Cast.club, text: "x"))?.entry == .noPrivilege)
            #expect(try await session.refusal(BecomeMember(channel: Cast.club))?.entry == .noPrivilege)
            #expect(try await session.refusal(GetChannel(channel: Cast.club))?.entry == .noPrivilege)
            let again = invite(NewMember(session.userID))
            #expect(try await stage.ann.refusal(again)?.entry == .noPrivilege)
            let asked = invite(NewMember(session.userID, role: .invited))
            #expect(try await stage.ann.refusal(asked)?.entry == .noPrivilege)
        }
        let none = BanMembers(channel: Cast.club, members: [])
        #expect(try await stage.ann.refusal(none)?.entry == .nobodyToBan)
        #expect(try await stage.ann.refusal(UnbanMembers(channel: Cast.club, members: []))?.entry == .nobodyToBan)
        let unknown = BanMembers(channel: Cast.club, members: [try user("nobody").userID])
        #expect(try await stage.ann.refusal(unknown)?.entry == .userNotFound)
        // Banning a banned user changes nothing; only an existing ban can be lifted.
        #expect(try await stage.ann.perform(ban).seq == nil)
        let wrong = UnbanMembers(channel: Cast.club, members: [Cast.cid.userID, Cast.bob.userID])
        #expect(try await stage.ann.refusal(wrong)?.entry == .notBanned)
        await stage.forgetEvents()
        let both = UnbanMembers(channel: Cast.club, members: ban.members)
        try await stage.ann.perform(both)
        let free = [Cast.cid, Cast.dee].map { MemberRole(userID: $0.userID, name: $0.name, role: .none) }
        for session in [stage.ann, stage.bob] {
            #expect(
                session.events.map(\.body)
                    == [.channel(.memberRoleChanged(RolesChanged(members: free, memberCount: 2)))])
        }
        #expect(stage.cid.events.isEmpty && stage.dee.events.isEmpty)
        // Lifting makes nobody a member, but both may come again: one as a former member, one as a stranger.
        try await stage.ann.perform(
            SetChannelProfile(channel: Cast.club, profile: ChannelProfile(canJoin: false)))
        #expect(try await stage.cid.refusal(GetChannel(channel: Cast.club))?.entry == .notMember)
        #expect(try await stage.dee.refusal(GetChannel(channel: Cast.club))?.entry == .channelNotFound)
        try await stage.bob.perform(invite(NewMember(Cast.cid.userID), NewMember(Cast.dee.userID)))
        #expect(try await stage.dee.channel(Cast.club).memberCount == 4)
    }

    @Test(arguments: Backend.available)
    func `a group has a limited number of invitations and bans`(backend: Backend) async throws {
        var limits = Limits.withoutRates
        limits.invitations = 1
        limits.bans = 1
        let stage = try await club(backend, limits: limits)
        let eve = try await stage.roost.session(user("eve"))
        try await stage.ann.perform(invite(NewMember(Cast.dee.userID, role: .invited)))
        #expect(try await stage.ann.refusal(invite(NewMember(eve.userID, role: .invited)))?.entry == .limitReached)
        try await stage.dee.perform(AnswerInvitation(channel: Cast.club, isAccepted: true))
        try await stage.ann.perform(invite(NewMember(eve.userID, role: .invited)))
        try await stage.ann.perform(BanMembers(channel: Cast.club, members: [Cast.dee.userID]))
        let second = BanMembers(channel: Cast.club, members: [eve.userID])
        #expect(try await stage.ann.refusal(second)?.entry == .limitReached)
        try await stage.ann.perform(UnbanMembers(channel: Cast.club, members: [Cast.dee.userID]))
        try await stage.ann.perform(second)
        #expect(eve.events.last?.body == .user(.channelLeft(ChannelLeft(channel: Cast.club, reason: .banned))))
        #expect(try await eve.perform(QueryChannels(roles: [.invited])).channels.isEmpty)
    }

    @Test(arguments: Backend.available)
    func `leaving is told on all devices, and the last admin names a successor [L-45 L-47 LCB-11 LR-9]`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
        let tablet = try await stage.roost.session(Cast.cid, device: "tablet")
        let left = try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        let body = MemberLeft(userID: Cast.cid.userID, name: "Cid", memberCount: 2)
        for session in [stage.ann, stage.bob, stage.cid, tablet] {
            let row = try #require(session.rows(of: Cast.club).first)
            #expect(row.body == .channel(.memberLeft(body)))
            #expect(row.seq == left.seq)
            #expect(ChannelUpdate(of: row.body).rawValue == 4)
        }
        for device in [stage.cid, tablet] {
            #expect(
                device.events(named: .channelLeft).map(\.body) == [
                    .user(.channelLeft(.init(channel: Cast.club, reason: .left)))
                ])
        }
        #expect(try await stage.cid.list().isEmpty)
        #expect(try await stage.cid.refusal(LeaveChannel(channel: Cast.club))?.entry == .notMember)

        // The last admin cannot leave just like that.
        await stage.forgetEvents()
        #expect(try await stage.ann.refusal(LeaveChannel(channel: Cast.club))?.entry == .noPrivilege)
        #expect(try await stage.ann.refusal(EndChannel(channel: Cast.club))?.entry == .noPrivilege)
        let stranger = LeaveChannel(channel: Cast.club, successor: Cast.dee.userID)
        #expect(try await stage.ann.refusal(stranger)?.entry == .userMissing)
        let oneself = LeaveChannel(channel: Cast.club, successor: Cast.ann.userID)
        #expect(try await stage.ann.refusal(oneself)?.entry == .userMissing)
        let notMine = LeaveChannel(channel: Cast.club, successor: Cast.ann.userID)
        #expect(try await stage.bob.refusal(notMine)?.entry == .noPrivilege)
        #expect(stage.all.allSatisfy { $0.events.isEmpty })
        // By making another member admin before …
        try await stage.ann.perform(SetMemberRole(channel: Cast.club, userID: Cast.bob.userID, role: .admin))
        try await stage.ann.perform(LeaveChannel(channel: Cast.club))
        #expect(try await stage.bob.channel(Cast.club).role == .admin)
        // … or by naming a successor in the same command.
        try await stage.bob.perform(invite(NewMember(Cast.dee.userID)))
        await stage.forgetEvents()
        try await stage.bob.perform(LeaveChannel(channel: Cast.club, successor: Cast.dee.userID))
        let handed = MemberLeft(
            userID: Cast.bob.userID, name: "Bob", memberCount: 1, successor: Cast.dee.userID)
        #expect(stage.dee.rows(of: Cast.club).map(\.body) == [.channel(.memberLeft(handed))])
        #expect(ChannelUpdate(of: .channel(.memberLeft(handed))).rawValue == 5)
        #expect(try await stage.dee.channel(Cast.club).role == .admin)
        // If nobody else is left, the last admin can leave, too.
        try await stage.dee.perform(LeaveChannel(channel: Cast.club))
    }

    @Test(arguments: Backend.available)
    func `of all channels, a group that cannot be left is hidden and cleared [J-75]`(backend: Backend) async throws {
        let stage = try await club(backend)
        try await stage.makePair()
        let narrow = CreateChannel(
            kind: .group, channel: try channel("narrow"),
            members: [NewMember(Cast.ann.userID)], profile: ChannelProfile(minMembers: 2))
        try await stage.bob.perform(narrow)
        let free = CreateChannel(
            kind: .group, channel: try channel("free"), members: [Cast.ann.userID])
        try await stage.bob.perform(free)
        for id in [Cast.club, Cast.annAndBob, try channel("narrow"), try channel("free")] {
            try await stage.bob.send("x", to: id)
        }
        await stage.forgetEvents()
        try await stage.ann.perform(EndChannel())
        #expect(try await stage.ann.list().isEmpty)
        #expect(try await stage.ann.perform(GetUnread()).total == 0)
        guard case .user(.channelEnded(let ended))? = stage.ann.events(named: .channelEnded).first?.body else {
            Issue.record("the device was not told")
            return
        }
        #expect(ended.isAll)
        #expect(ended.channels.count == 4)
        // The club of the last admin and the group that needs two members keep their member; the other group does not.
        #expect(try await stage.ann.channel(Cast.club).role == .admin)
        #expect(try await stage.ann.channel(channel("narrow")).memberCount == 2)
        #expect(try await stage.ann.log(of: Cast.club).isEmpty)
        #expect(try await stage.ann.refusal(GetChannel(channel: channel("free")))?.entry == .notMember)
        #expect(stage.heard(.memberLeft) == [Cast.ann, Cast.bob])
        #expect(stage.bob.rows(of: Cast.club).isEmpty)
        try await stage.bob.send("again", to: Cast.club)
        #expect(try await stage.ann.list().map(\.channel) == [Cast.club])
        // A 1-on-1 is ended only for the user who ends it.
        try await stage.bob.perform(EndChannel(channel: Cast.annAndBob))
        #expect(try await stage.bob.list().map(\.channel).contains(Cast.annAndBob) == false)
        #expect(try await stage.bob.channel(Cast.annAndBob).memberCount == 2)
    }
}
