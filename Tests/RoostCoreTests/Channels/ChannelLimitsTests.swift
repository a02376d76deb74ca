import RoostCore
import RoostTesting
import RoostWire
import Testing

/// How many channels others may give a user.
@Suite struct ChannelLimitsTests {
    private func stage(
        _ backend: Backend, channels: Int = 10_000, percent: Int = 90, perInviter: Int = 1_000
    ) async throws -> Stage {
        var limits = Limits.withoutRates
        limits.channelsPerUser = channels
        limits.channelsFromOthersPercent = percent
        limits.channelsPerInviter = perInviter
        return try await Stage(backend, limits: limits)
    }

    private func group(_ name: String, _ members: NewMember...) throws -> CreateChannel {
        CreateChannel(kind: .group, channel: try channel(name), members: members)
    }

    private let ann = NewMember(Cast.ann.userID)

    @Test(arguments: Backend.available)
    func `others fill nine tenths of a user's channels, and the user can still create, join and open own ones`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend, channels: 20)
        try await stage.ann.perform(CreateChannel(kind: .single, members: [Cast.bob.userID]))
        for number in 0..<18 { try await stage.bob.perform(group("b\(number)", ann)) }
        #expect(try await stage.bob.refusal(group("more", ann))?.entry == .tooManyChannels)
        for command in [try group("more", ann), CreateChannel(kind: .single, members: [ann])] {
            for session in [stage.cid, stage.dee] {
                #expect(try await session.refusal(command)?.entry == .tooManyChannels)
            }
        }
        try await stage.cid.perform(group("open", NewMember(Cast.dee.userID)))
        let invite = InviteMembers(channel: try channel("open"), members: [ann])
        #expect(try await stage.cid.refusal(invite)?.entry == .tooManyChannels)
        // An invitation can be sent, and accepted: that is the user's own choice.
        try await stage.cid.perform(
            InviteMembers(channel: try channel("open"), members: [NewMember(ann.userID, role: .invited)]))
        try await stage.ann.perform(AnswerInvitation(channel: try channel("open"), isAccepted: true))
        #expect(try await stage.ann.list().count == 20)
        #expect(try await stage.ann.refusal(group("own"))?.entry == .tooManyChannels)
        try await stage.ann.perform(LeaveChannel(channel: try channel("open")))
        try await stage.ann.perform(CreateChannel(kind: .single, members: [Cast.cid.userID]))
        #expect(try await stage.ann.refusal(group("own"))?.entry == .tooManyChannels)
    }

    @Test(arguments: Backend.available)
    func `strangers fill half of what others may give with groups and three quarters with 1-on-1s, contacts all of it`(
        backend: Backend
    ) async throws {
        // Others may give four.
        let stage = try await stage(backend, channels: 10, percent: 40)
        try await stage.ann.perform(CreateChannel(kind: .single, members: [Cast.dee.userID]))
        for number in 0..<2 { try await stage.bob.perform(group("b\(number)", ann)) }
        for session in [stage.bob, stage.cid] {
            #expect(try await session.refusal(group("more", ann))?.entry == .tooManyChannels)
        }
        try await stage.cid.perform(group("open", NewMember(Cast.dee.userID)))
        let invite = InviteMembers(channel: try channel("open"), members: [ann])
        #expect(try await stage.cid.refusal(invite)?.entry == .tooManyChannels)
        // A first message of somebody new still arrives, until there are too many of these, too.
        let single = CreateChannel(kind: .single, members: [ann])
        try await stage.bob.perform(single)
        #expect(try await stage.cid.refusal(single)?.entry == .tooManyChannels)
        try await stage.dee.perform(group("d0", ann))
        #expect(try await stage.dee.refusal(group("d1", ann))?.entry == .tooManyChannels)
        // Bob becomes a contact when he is answered.
        try await stage.ann.send("hello", to: Cast.annAndBob)
        try await stage.bob.perform(group("b2", ann))
        for session in [stage.bob, stage.cid, stage.dee] {
            #expect(try await session.refusal(group("last", ann))?.entry == .tooManyChannels)
        }
        for number in 0..<4 { try await stage.ann.perform(group("own\(number)")) }
        #expect(try await stage.ann.refusal(group("own4"))?.entry == .tooManyChannels)
    }

    @Test(arguments: Backend.available)
    func `who writes in a channel makes it an own one`(backend: Backend) async throws {
        let stage = try await stage(backend, channels: 8, percent: 50)
        for name in ["one", "two"] { try await stage.bob.perform(group(name, ann)) }
        #expect(try await stage.cid.refusal(group("three", ann))?.entry == .tooManyChannels)
        let message = SendMessage(channel: try channel("one"), text: "I am here")
        let first = try await stage.ann.perform(message, id: "once")
        #expect(try await stage.ann.perform(message, id: "once") == first)
        try await stage.cid.perform(group("three", ann))
        #expect(try await stage.cid.refusal(group("four", ann))?.entry == .tooManyChannels)
        // Leaving makes room, too.
        try await stage.ann.perform(LeaveChannel(channel: try channel("two")))
        try await stage.cid.perform(group("four", ann))
    }

    @Test(arguments: Backend.available)
    func `open invitations have a limit of their own, and do not keep the user from channels`(backend: Backend)
        async throws
    {
        let stage = try await stage(backend, channels: 4)
        let asked = NewMember(Cast.ann.userID, role: .invited)
        for name in ["one", "two"] {
            let session = name == "one" ? stage.bob : stage.cid
            try await session.perform(group(name, asked))
        }
        #expect(try await stage.dee.refusal(group("three", asked))?.entry == .tooManyChannels)
        for number in 0..<4 { try await stage.ann.perform(group("own\(number)")) }
        let accept = AnswerInvitation(channel: try channel("one"), isAccepted: true)
        #expect(try await stage.ann.refusal(accept)?.entry == .tooManyChannels)
        try await stage.ann.perform(LeaveChannel(channel: try channel("own0")))
        try await stage.ann.perform(accept)
        try await stage.dee.perform(group("three", asked))
    }

    @Test(arguments: Backend.available)
    func `half of the open invitations may come from strangers, the others from contacts`(backend: Backend) async throws
    {
        let stage = try await stage(backend, channels: 4)
        let asked = NewMember(Cast.ann.userID, role: .invited)
        for name in ["one", "two"] { try await stage.bob.perform(group(name, asked)) }
        for session in [stage.bob, stage.dee] {
            #expect(try await session.refusal(group("three", asked))?.entry == .tooManyChannels)
        }
        try await stage.ann.perform(CreateChannel(kind: .single, members: [Cast.dee.userID]))
        for name in ["three", "four"] { try await stage.dee.perform(group(name, asked)) }
        for session in [stage.bob, stage.dee] {
            #expect(try await session.refusal(group("five", asked))?.entry == .tooManyChannels)
        }
    }

    @Test(arguments: Backend.available)
    func `one user brings another into so many groups and no more, others go on`(backend: Backend) async throws {
        let stage = try await stage(backend, perInviter: 2)
        try await stage.bob.perform(group("one", ann))
        try await stage.bob.perform(group("two", NewMember(ann.userID, role: .invited)))
        let third = try await stage.bob.refusal(group("three", ann))
        #expect(third?.entry == .tooManyChannels)
        try await stage.bob.perform(group("three", NewMember(Cast.cid.userID)))
        #expect(
            try await stage.bob.refusal(InviteMembers(channel: channel("three"), members: [ann]))?.entry
                == .tooManyChannels)
        // Leaving a group does not make room if the other user stays in it.
        try await stage.bob.perform(LeaveChannel(channel: channel("one"), successor: ann.userID))
        #expect(try await stage.bob.refusal(group("four", ann))?.entry == .tooManyChannels)
        // A 1-on-1 is no group, and others have their own number.
        try await stage.bob.perform(CreateChannel(kind: .single, members: [ann]))
        try await stage.cid.perform(InviteMembers(channel: channel("three"), members: [ann]))
        // Declining, or writing, makes room.
        try await stage.ann.perform(AnswerInvitation(channel: channel("two"), isAccepted: false))
        try await stage.bob.perform(group("four", ann))
        #expect(try await stage.bob.refusal(group("five", ann))?.entry == .tooManyChannels)
        try await stage.ann.send("thanks", to: try channel("four"))
        try await stage.bob.perform(group("five", ann))
    }

    @Test(arguments: Backend.available)
    func `operators are bound by the limit of channels only`(backend: Backend) async throws {
        let stage = try await stage(backend, channels: 4, percent: 25, perInviter: 1)
        let chief = try await stage.roost.session(user("chief"), isOperator: true)
        for number in 0..<3 { try await chief.perform(group("o\(number)", ann)) }
        // What an operator has given takes nothing from what users may give.
        try await stage.bob.perform(group("one", ann))
        #expect(try await chief.refusal(group("more", ann))?.entry == .tooManyChannels)
        #expect(try await stage.bob.refusal(group("two", ann))?.entry == .tooManyChannels)
    }
}
