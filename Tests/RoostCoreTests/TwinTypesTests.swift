import RoostCore
import RoostTesting
import RoostWire
import Testing

/// Types that mean the same and differ in their flags.
@Suite struct TwinTypesTests {
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
            #expect(try await stage.bob.refusal(send)?.code == 1001, "\(number)")
        }
        #expect(stage.ann.rows(of: Cast.club).count == 2)
    }
}
