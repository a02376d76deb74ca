import RoostWire
import Testing

/// The role matrix, written down a second time: outcast, invited, participant, moderator, admin.
private let expectedMatrix = """
    takePart NNYYY
    editProfile NNYYY
    editRules NNNNY
    invite NNYYY
    remove NNNYY
    setRole NNNYY
    seeEverybody NNNYY
    recallOthers NNNYY
    pin NNYYY
    dismiss NNNNY
    answerInvitation NYNNN
    """

private let roles: [Role] = [.outcast, .invited, .participant, .moderator, .admin]

private func line(_ allows: (Role) -> Bool) -> String { roles.map { allows($0) ? "Y" : "N" }.joined() }

@Suite struct RolesTests {
    @Test func `the role matrix equals the table`() {
        let lines = Privilege.allCases.map { privilege in
            "\(privilege) " + line { RoleRules.allows(privilege, $0) }
        }
        #expect(lines.joined(separator: "\n") == expectedMatrix)
        for privilege in Privilege.allCases { #expect(!RoleRules.allows(privilege, .none)) }
    }

    @Test func `the settings of a channel take rights away`() {
        let strict = ChannelProfile(editors: .moderators, moderatorsMayRecall: false)
        #expect(line { RoleRules.allows(.editProfile, $0, profile: strict) } == "NNNYY")
        #expect(line { RoleRules.allows(.recallOthers, $0, profile: strict) } == "NNNNN")
        #expect(line { RoleRules.allows(.invite, $0, profile: strict) } == "NNYYY")
    }

    @Test
    func `a refusal discloses nothing to a stranger, the truth to a former member and the missing right to all others`()
    {
        func code(_ privilege: Privilege, _ standing: Standing) -> ErrorCode? {
            RoleRules.refusal(of: privilege, for: standing)
        }
        for privilege in Privilege.allCases {
            #expect(code(privilege, .stranger) == .channelNotFound)
            #expect(code(privilege, .outcast) == .noPrivilege)
            #expect(code(privilege, .former) == (privilege == .answerInvitation ? .notInvited : .notMember))
            #expect(code(privilege, .invited) == (privilege == .answerInvitation ? nil : .noPrivilege))
        }
        #expect(code(.takePart, .participant) == nil)
        #expect(code(.dismiss, .moderator) == .noPrivilege)
        #expect(code(.remove, .participant) == .noPrivilege)
        #expect(code(.recallOthers, .participant) == .messageNotOwned)
        #expect(code(.answerInvitation, .admin) == .notInvited)
    }

    @Test func `standing follows from the role and from having been there`() {
        for standing in Standing.allCases {
            #expect(Standing(role: standing.role, wasMember: standing == .former) == standing)
        }
        #expect(Standing(role: .outcast, wasMember: true) == .outcast)
    }

    @Test func `joining by oneself needs the channel's leave and no ban`() {
        func codes(_ canJoin: Bool) -> [ErrorCode?] {
            let profile = ChannelProfile(canJoin: canJoin)
            return Standing.allCases.map { RoleRules.refusalOfJoining(for: $0, profile: profile) }
        }
        // stranger, former, outcast, invited, participant, moderator, admin
        #expect(codes(false) == [.channelNotFound, .noPrivilege, .noPrivilege, .noPrivilege, nil, nil, nil])
        #expect(codes(true) == [nil, nil, .noPrivilege, nil, nil, nil, nil])
    }

    @Test func `nobody can invite with a role above their own`() {
        // Given role by role of the caller: invited, participant, moderator, admin; the rest never.
        func given(_ by: Role) -> String { line { RoleRules.mayInvite(as: $0, by: by) } }
        #expect(given(.participant) == "NYYNN")
        #expect(given(.moderator) == "NYYYN")
        #expect(given(.admin) == "NYYYY")
        #expect(given(.invited) == "NNNNN")
        #expect(given(.outcast) == "NNNNN")
    }

    @Test func `moderators remove those below them and admins everybody but themselves`() {
        func removed(_ by: Role) -> String { line { RoleRules.mayRemove($0, isSelf: false, by: by) } }
        #expect(removed(.participant) == "NNNNN")
        #expect(removed(.moderator) == "YYYNN")
        #expect(removed(.admin) == "YYYYY")
        for role in roles { #expect(!RoleRules.mayRemove(role, isSelf: true, by: role)) }
    }

    @Test func `roles are changed according to the table`() {
        func code(_ new: Role, _ current: Role, by role: Role, admins: Int = 2) -> ErrorCode? {
            RoleRules.refusalOfRole(new, for: current, by: role, admins: admins)
        }
        #expect(code(.moderator, .participant, by: .moderator) == nil)
        #expect(code(.participant, .moderator, by: .moderator) == nil)
        #expect(code(.admin, .participant, by: .moderator) == .noPrivilege)
        #expect(code(.participant, .admin, by: .moderator) == .noPrivilege)
        #expect(code(.moderator, .participant, by: .participant) == .noPrivilege)
        #expect(code(.admin, .participant, by: .participant) == .noPrivilege)
        #expect(code(.admin, .participant, by: .admin) == nil)
        #expect(code(.participant, .admin, by: .admin) == nil)
        #expect(code(.participant, .admin, by: .admin, admins: 1) == .noPrivilege)
        #expect(code(.admin, .admin, by: .admin, admins: 1) == .noRoleToSet)
        #expect(code(.participant, .participant, by: .moderator) == .noRoleToSet)
        for role in [Role.none, .outcast, .invited] {
            #expect(code(role, .participant, by: .admin) == .noRoleToSet)
            #expect(code(.participant, role, by: .admin) == .userMissing)
        }
    }

    @Test func `the last admin leaves as the last member or with a successor`() {
        #expect(RoleRules.mayLeave(.participant, admins: 1, members: 5, hasSuccessor: false))
        #expect(RoleRules.mayLeave(.admin, admins: 2, members: 5, hasSuccessor: false))
        #expect(!RoleRules.mayLeave(.admin, admins: 1, members: 5, hasSuccessor: false))
        #expect(RoleRules.mayLeave(.admin, admins: 1, members: 5, hasSuccessor: true))
        #expect(RoleRules.mayLeave(.admin, admins: 1, members: 1, hasSuccessor: false))
    }

    @Test func `a higher role sees more of the members`() {
        #expect(RoleRules.visibleRoles(by: .participant) == [.participant, .moderator, .admin])
        #expect(RoleRules.visibleRoles(by: .moderator) == Set(roles))
        #expect(RoleRules.visibleRoles(by: .admin) == Set(roles))
    }
}

@Suite struct RecallRulesTests {
    @Test func `the author recalls in time and moderators whenever the channel lets them`() {
        func code(
            isOwn: Bool, age: Int64 = 0, role: Role, profile: ChannelProfile = ChannelProfile(), window: Int = 0
        ) -> ErrorCode? {
            RecallRules.refusal(
                isOwn: isOwn, age: age, role: role, profile: profile, limits: Limits(recallWindowMs: window))
        }
        let off = ChannelProfile(moderatorsMayRecall: false)
        #expect(code(isOwn: true, age: .max, role: .participant) == nil)
        #expect(code(isOwn: true, age: 1_000, role: .participant, window: 1_000) == nil)
        #expect(code(isOwn: true, age: 1_001, role: .participant, window: 1_000) == .timeExpired)
        #expect(code(isOwn: true, age: 1_001, role: .moderator, window: 1_000) == nil)
        #expect(code(isOwn: true, age: 1_001, role: .moderator, profile: off, window: 1_000) == .timeExpired)
        #expect(code(isOwn: false, role: .participant) == .messageNotOwned)
        #expect(code(isOwn: false, role: .moderator) == nil)
        #expect(code(isOwn: false, role: .admin, profile: off) == .messageNotOwned)
        // An open channel has no roles.
        #expect(code(isOwn: true, role: .none) == nil)
        #expect(code(isOwn: false, role: .none) == .messageNotOwned)
    }
}
