import RoostCore
import RoostTesting
import RoostWire
import Testing

/// One action of the role matrix, and who may do it.
private struct Action: Sendable, CustomStringConvertible {
    var description: String
    var privilege: Privilege
    /// Outcast, invited, participant, moderator, admin.
    var allowed: String
    var settings = ChannelProfile()
    var command: @Sendable (_ channel: ChannelID, _ message: MessageID) -> AnyCommand

    init(
        _ name: String, _ privilege: Privilege, _ allowed: String, _ settings: ChannelProfile = ChannelProfile(),
        _ command: @escaping @Sendable (_ channel: ChannelID, _ message: MessageID) -> AnyCommand
    ) {
        description = name
        self.privilege = privilege
        self.allowed = allowed
        self.settings = settings
        self.command = command
    }

    func isAllowed(_ standing: Standing) -> Bool {
        let index = [Standing.outcast, .invited, .participant, .moderator, .admin].firstIndex(of: standing)
        return index.map { Array(allowed)[$0] == "Y" } ?? false
    }
}

private func id(_ name: String) -> UserID { UserID(rawValue: name) ?? Cast.dee.userID }

/// The targets of the actions, by their role in the channel.
private let targets: [Role: UserID] = [
    .participant: id("pat"), .moderator: id("mod"), .admin: id("adm"), .invited: id("inv"), .outcast: id("out"),
    .none: id("non"),
]

private func target(_ role: Role) -> UserID { targets[role] ?? Cast.dee.userID }

private let strict = ChannelProfile(editors: .moderators, moderatorsMayRecall: false)

private let actions: [Action] =
    [
        Action("send", .takePart, "NNYYY") { channel, _ in
            .write(.sendMessage(SendMessage(channel: channel, text: "x")))
        },
        Action("read", .takePart, "NNYYY") { channel, _ in .read(.listMessages(ListMessages(channel: channel))) },
        Action("get a message", .takePart, "NNYYY") { channel, message in
            .read(.getMessages(GetMessages(channel: channel, messageIDs: [message])))
        },
        Action("get the channel", .takePart, "NNYYY") { channel, _ in .read(.getChannel(GetChannel(channel: channel)))
        },
        Action("list the members", .takePart, "NNYYY") { channel, _ in
            .read(.listMembers(ListMembers(channel: channel)))
        },
        Action("mark as read", .takePart, "NNYYY") { channel, _ in .move(.setReadMark(SetReadMark(channel: channel))) },
        Action("own preference", .takePart, "NNYYY") { channel, _ in
            .write(.setChannelPreference(SetChannelPreference(channel: channel, isMuted: true)))
        },
        Action("delete for oneself", .takePart, "NNYYY") { channel, message in
            .write(.deleteMessages(DeleteMessages([message], in: channel)))
        },
        Action("clear for oneself", .takePart, "NNYYY") { channel, _ in
            .write(.deleteMessages(DeleteMessages(allIn: channel)))
        },
        Action("leave", .takePart, "NNYYY") { channel, _ in .write(.leaveChannel(LeaveChannel(channel: channel))) },
        Action("title", .editProfile, "NNYYY") { channel, _ in
            .write(.setChannelProfile(SetChannelProfile(channel: channel, profile: ChannelProfile(title: "x"))))
        },
        Action("title, managers only", .editProfile, "NNNYY", strict) { channel, _ in
            .write(.setChannelProfile(SetChannelProfile(channel: channel, profile: ChannelProfile(title: "x"))))
        },
        Action("rules", .editRules, "NNNNY") { channel, _ in
            .write(.setChannelProfile(SetChannelProfile(channel: channel, profile: ChannelProfile(canJoin: true))))
        },
        Action("recall", .recallOthers, "NNNYY") { channel, message in
            .write(.recallMessages(RecallMessages(channel: channel, messageIDs: [message])))
        },
        Action("recall, switched off", .recallOthers, "NNNNN", strict) { channel, message in
            .write(.recallMessages(RecallMessages(channel: channel, messageIDs: [message])))
        },
        Action("dismiss", .dismiss, "NNNNY") { channel, _ in .write(.dismissChannel(DismissChannel(channel: channel)))
        },
        Action("accept", .answerInvitation, "NYNNN") { channel, _ in
            .write(.answerInvitation(AnswerInvitation(channel: channel, isAccepted: true)))
        },
        Action("decline", .answerInvitation, "NYNNN") { channel, _ in
            .write(.answerInvitation(AnswerInvitation(channel: channel, isAccepted: false)))
        },
        Action("unban", .remove, "NNNYY") { channel, _ in
            .write(.unbanMembers(UnbanMembers(channel: channel, members: [target(.outcast)])))
        },
        Action("kick oneself", .remove, "NNNNN") { channel, _ in
            .write(.kickMembers(KickMembers(channel: channel, members: [Cast.bob.userID])))
        },
        Action("ban oneself", .remove, "NNNNN") { channel, _ in
            .write(.banMembers(BanMembers(channel: channel, members: [Cast.bob.userID])))
        },
    ] + invitations + removals + changes

private let invitations: [Action] = [
    (Role.invited, "NNYYY"), (.participant, "NNYYY"), (.moderator, "NNNYY"), (.admin, "NNNNY"), (.none, "NNNNN"),
    (.outcast, "NNNNN"),
].map { role, allowed in
    Action("invite as \(role)", .invite, allowed) { channel, _ in
        .write(.inviteMembers(InviteMembers(channel: channel, members: [NewMember(target(.none), role: role)])))
    }
}

private let removals: [Action] = [
    (Role.invited, "NNNYY"), (.participant, "NNNYY"), (.moderator, "NNNNY"), (.admin, "NNNNY"),
].flatMap { role, allowed in
    [
        Action("kick \(role)", .remove, allowed) { channel, _ in
            .write(.kickMembers(KickMembers(channel: channel, members: [target(role)])))
        },
        Action("ban \(role)", .remove, allowed) { channel, _ in
            .write(.banMembers(BanMembers(channel: channel, members: [target(role)])))
        },
    ]
}

private let changes: [Action] = [
    (Role.participant, Role.moderator, "NNNYY"), (.moderator, .participant, "NNNYY"),
    (.participant, .admin, "NNNNY"), (.moderator, .admin, "NNNNY"), (.admin, .participant, "NNNNY"),
    (.admin, .moderator, "NNNNY"),
].map { old, new, allowed in
    Action("\(old) to \(new)", .setRole, allowed) { channel, _ in
        .write(.setMemberRole(SetMemberRole(channel: channel, userID: target(old), role: new)))
    }
}

@Suite struct RoleMatrixTests {
    /// A group of Ann's with all targets of the actions, in which Bob has the given role.
    private func make(
        _ id: ChannelID, bob standing: Standing, _ settings: ChannelProfile, _ stage: Stage
    ) async throws -> MessageID {
        var members = [Role.participant, .moderator, .admin, .invited].map { NewMember(target($0), role: $0) }
        if standing.role >= .invited { members.append(NewMember(Cast.bob.userID, role: standing.role)) }
        if standing == .former { members.append(NewMember(Cast.bob.userID)) }
        try await stage.ann.perform(CreateChannel(kind: .group, channel: id, members: members, profile: settings))
        let message = try await stage.ann.post("of Ann", to: id)
        let banned = [target(.outcast)] + (standing == .outcast ? [Cast.bob.userID] : [])
        try await stage.ann.perform(BanMembers(channel: id, members: banned))
        if standing == .former { try await stage.bob.perform(LeaveChannel(channel: id)) }
        return message
    }

    @Test(arguments: Backend.available)
    func `every cell of the role matrix in one call: yes is done, no has its code and makes no event [L-99 C-L27]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        var sessions = stage.all
        for id in targets.values.sorted() { sessions.append(try await stage.roost.session(user(id.rawValue))) }
        var number = 0
        for action in actions {
            for standing in Standing.allCases {
                number += 1
                let id = try channel("c\(number)")
                let message = try await make(id, bob: standing, action.settings, stage)
                for session in sessions { _ = session.drainEvents() }
                let command = action.command(id, message)
                let reply = await stage.roost.core.handle(command, id: "m\(number)", from: stage.bob.actor)
                var code: Int?
                if case .refused(let error) = reply { code = error.code }
                if action.isAllowed(standing) {
                    #expect(code == nil, "\(standing): \(action)")
                    continue
                }
                // If the role has the right, but not for this target, the code is the same: the right is missing.
                let expected = RoleRules.refusal(of: action.privilege, for: standing, profile: action.settings)
                #expect(code == (expected ?? .noPrivilege).code, "\(standing): \(action)")
                await stage.settle()
                #expect(sessions.allSatisfy { $0.events.isEmpty }, "\(standing): \(action)")
            }
        }
        #expect(number == actions.count * 7)
    }

    @Test(arguments: Backend.available)
    func `a change of role is told to all members with user and role [L-46 LCB-12 LR-10]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        await stage.forgetEvents()
        let answer = try await stage.ann.perform(
            SetMemberRole(channel: Cast.club, userID: Cast.bob.userID, role: .moderator))
        let bob = MemberRole(userID: Cast.bob.userID, name: "Bob", role: .moderator)
        #expect(stage.heard(.memberRoleChanged) == [Cast.ann, Cast.bob, Cast.cid])
        for session in [stage.ann, stage.bob, stage.cid] {
            let row = try #require(session.rows(of: Cast.club).first)
            #expect(row.body == .channel(.memberRoleChanged(RolesChanged(members: [bob], memberCount: 3))))
            #expect(row.body.messageType?.number == 1010)
            #expect(row.seq == answer.seq)
            #expect(row.senderID == Cast.ann.userID)
            #expect(ChannelUpdate(of: row.body) == .role)
            let channel = try await session.channel(Cast.club)
            #expect(channel.members.map(\.role) == [.admin, .moderator, .participant])
        }
        #expect(try await stage.bob.channel(Cast.club).role == .moderator)
        func code(_ user: User, _ role: Role, by session: TestSession) async throws -> ErrorCode? {
            let command = SetMemberRole(channel: Cast.club, userID: user.userID, role: role)
            return try await session.refusal(command)?.entry
        }
        await stage.forgetEvents()
        #expect(try await code(Cast.dee, .moderator, by: stage.ann) == .userMissing)
        #expect(try await code(Cast.bob, .moderator, by: stage.ann) == .noRoleToSet)
        for role in [Role.none, .outcast, .invited] {
            #expect(try await code(Cast.bob, role, by: stage.ann) == .noRoleToSet)
        }
        #expect(try await code(Cast.ann, .participant, by: stage.ann) == .noPrivilege)
        #expect(try await code(Cast.bob, .admin, by: stage.cid) == .noPrivilege)
        #expect(stage.all.allSatisfy { $0.events.isEmpty })
        // An admin may also give themselves any lower role if another admin stays.
        #expect(try await code(Cast.bob, .admin, by: stage.ann) == nil)
        #expect(try await code(Cast.ann, .participant, by: stage.ann) == nil)
        #expect(try await stage.ann.channel(Cast.club).role == .participant)
        #expect(try await code(Cast.cid, .moderator, by: stage.ann) == .noPrivilege)
    }

    @Test(arguments: Backend.available)
    func `roles have the numbers of the reference, and anything else is refused [EN-2]`(
        backend: Backend
    ) async throws {
        #expect(Role.allCases.map(\.number) == [0, 1, 2, 4, 8, 16])
        for role in Role.allCases { #expect(Role(number: role.number) == role) }
        for number in [3, 5, 6, 7, 15, 17, -1] { #expect(Role(number: number) == nil) }
        for role in ["3", #""owner""#, #""Admin""#, "null", "true"] {
            let body = #"{"channel":"club","userID":"bob","role":\#(role)}"#
            let error = #expect(throws: WireError.self) {
                try AnyCommand(name: "member.setRole", body: Array(body.utf8))
            }
            #expect(error?.entry == .dataFormat, "\(role)")
        }
        // The answers show the role that was stored.
        let stage = try await Stage(backend)
        let members = [Role.participant, .moderator, .admin].map { (role: Role) in NewMember(id("r\(role)"), role: role)
        }
        for member in members { _ = try await stage.roost.session(user(member.userID.rawValue)) }
        try await stage.ann.perform(CreateChannel(kind: .group, channel: Cast.club, members: members))
        let listed = try await stage.ann.perform(ListMembers(channel: Cast.club)).members
        #expect(listed.map(\.role) == [.admin, .admin, .moderator, .participant])
    }

    @Test(arguments: Backend.available)
    func `members come in pages by id, and a higher role sees who is invited and banned [L-48 LR-18]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        var members: [NewMember] = []
        for number in 10..<74 {
            members.append(NewMember(id("m\(number)")))
            _ = try await stage.roost.session(user("m\(number)"))
        }
        members[0] = NewMember(id("m10"), role: .moderator, nickname: "Ten", imageURL: "https://example.org/10.png")
        try await stage.ann.perform(CreateChannel(kind: .group, channel: Cast.club, members: members))
        stage.roost.clock.advance(by: 10)
        try await stage.ann.perform(
            InviteMembers(channel: Cast.club, members: [NewMember(Cast.bob.userID, role: .invited)]))
        try await stage.ann.perform(BanMembers(channel: Cast.club, members: [Cast.cid.userID]))
        try await stage.ann.send("x", to: Cast.club)
        let viewer = try await stage.roost.session(user("m11"))
        var sizes: [Int] = []
        var found: [Member] = []
        var cursor: String?
        repeat {
            let page = try await viewer.perform(ListMembers(channel: Cast.club, limit: 30, cursor: cursor))
            sizes.append(page.members.count)
            found += page.members
            cursor = page.next
            #expect(page.memberCount == 65)
        } while cursor != nil
        #expect(sizes == [30, 30, 5])
        #expect(found.map(\.userID) == [Cast.ann.userID] + members.map(\.userID))
        // The fields of a member.
        let ten = try #require(found.first { $0.userID.rawValue == "m10" })
        #expect(ten.name == "Ten" && ten.hasNickname == true)
        #expect(ten.imageURL == "https://example.org/10.png" && ten.hasChannelImage == true)
        #expect(ten.role == .moderator)
        #expect(ten.$joinedAt == stage.roost.clock.now - 10)
        #expect(ten.joinMethod == nil)
        #expect(ten.byUserID == Cast.ann.userID)
        #expect(found.first?.readSeq == 3)
        #expect(found.first?.$readAt == stage.roost.clock.now)
        // A participant does not see users who are not members.
        let hidden = [Role.invited, .outcast]
        #expect(try await viewer.perform(ListMembers(channel: Cast.club, roles: hidden)).members.isEmpty)
        let ofAll = try await viewer.perform(ListMembers(channel: Cast.club, limit: 500, roles: Role.allCases))
        #expect(ofAll.members.count == 65)
        let moderator = try await stage.roost.session(user("m10"))
        for session in [moderator, stage.ann] {
            let page = try await session.perform(ListMembers(channel: Cast.club, roles: hidden))
            #expect(page.members.map(\.userID) == [Cast.bob.userID, Cast.cid.userID])
            #expect(page.members.map(\.role) == [.invited, .outcast])
            #expect(page.memberCount == 65)
            #expect(page.members.map(\.$joinedAt) == Array(repeating: stage.roost.clock.now, count: 2))
            let admins = try await session.perform(ListMembers(channel: Cast.club, roles: [.admin, .moderator]))
            #expect(admins.members.map(\.role) == [.admin, .moderator])
        }
        try await viewer.perform(LeaveChannel(channel: Cast.club))
        #expect(try await viewer.refusal(ListMembers(channel: Cast.club))?.entry == .notMember)
    }

    @Test(arguments: Backend.available)
    func `one role is told as 1010, several at once as 1018, and no twin of a type can be sent [C-L21]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        let eve = try await stage.roost.session(user("eve"))
        let invited = [NewMember(Cast.dee.userID, role: .invited), NewMember(eve.userID, role: .invited)]
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: invited))
        await stage.forgetEvents()

        try await stage.ann.perform(SetMemberRole(channel: Cast.club, userID: Cast.cid.userID, role: .moderator))
        try await stage.ann.perform(KickMembers(channel: Cast.club, members: invited.map(\.userID)))
        let told = stage.bob.events(named: .memberRoleChanged)
        #expect(told.map { $0.body.messageType?.number } == [1010, 1018])
        let roles = told.compactMap { event in
            if case .channel(.memberRoleChanged(let body)) = event.body { body.members.map(\.role) } else { nil }
        }
        #expect(roles == [[.moderator], [.none, .none]])

        for number in [201, 203, 206, 1017] {
            let twin = try #require(MessageType.numbered(number))
            let send = SendMessage(channel: Cast.club, type: twin.name, text: "x")
            #expect(try await stage.bob.refusal(send)?.entry == .invalidContent, "\(number)")
        }
        #expect(stage.ann.rows(of: Cast.club).count == 2)
    }
}
