import Foundation
import RoostCore
import RoostTesting
import RoostWire
import Testing

/// Bans from open channels, and bans that end by themselves.
@Suite struct BansTests {
    private let bob = Cast.bob.userID

    private func ends(in ms: Int64, _ stage: Stage) -> Date { Date(milliseconds: stage.roost.clock.now + ms) }

    @Test(arguments: Backend.available)
    func `an operator bans a user from an open channel: all devices leave it and every command is refused`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        let chief = try await stage.roost.session(user("chief"), isOperator: true)
        let tablet = try await stage.roost.session(Cast.bob, device: "tablet")
        for session in [stage.ann, stage.bob, tablet] { try await session.perform(JoinChannel(channel: Cast.lobby)) }
        let message = try await stage.ann.post("hello", to: Cast.lobby)
        try await stage.bob.perform(CreateChannel(kind: .group, channel: Cast.club, members: [Cast.cid.userID]))
        let inClub = try await stage.bob.post("in the club", to: Cast.club)
        try await stage.bob.perform(StartTyping(channel: Cast.lobby))
        await stage.forgetEvents()
        _ = tablet.drainEvents()

        let end = ends(in: 60_000, stage)
        let answer = try await chief.perform(
            BanMembers(channel: Cast.lobby, members: [bob], reason: 4, bannedUntil: end))
        #expect(answer.seq == nil)
        await stage.settle()
        let left = ChannelLeft(channel: Cast.lobby, reason: .banned, code: 4, bannedUntil: end)
        for device in [stage.bob, tablet] { #expect(device.events.map(\.body) == [.user(.channelLeft(left))]) }
        // The others only see that the typing has ended.
        #expect(stage.ann.events.map(\.name) == ["typing.ended"])
        #expect(try await stage.ann.perform(GetChannel(channel: Cast.lobby)).memberCount == 1)
        try await stage.ann.send("without bob", to: Cast.lobby)
        for device in [stage.bob, tablet] { #expect(device.rows(of: Cast.lobby).isEmpty) }

        let commands: [any Command] = [
            JoinChannel(channel: Cast.lobby), LeaveChannel(channel: Cast.lobby), GetChannel(channel: Cast.lobby),
            SendMessage(channel: Cast.lobby, text: "x"), ListMessages(channel: Cast.lobby),
            GetMessages(channel: Cast.lobby, messageIDs: [message]), StartTyping(channel: Cast.lobby),
            AddReaction(channel: Cast.lobby, messageID: message, emoji: "👍"),
            ListReactions(channel: Cast.lobby, messageID: message),
            AddPin(channel: Cast.lobby, messageID: message), ListPins(channel: Cast.lobby),
            RecallMessages(channel: Cast.lobby, messageIDs: [message]),
            ForwardMessages(channel: Cast.lobby, messageIDs: [message], channels: [Cast.club]),
            ForwardMessages(channel: Cast.club, messageIDs: [inClub], channels: [Cast.lobby]),
            CreateVote(channel: Cast.lobby, subject: "x", vote: .between()), ListVotes(channel: Cast.lobby),
            QueryMessages(channel: Cast.lobby, time: .init(milliseconds: 0), direction: .after),
            CreateReport(channel: Cast.lobby, messageID: message),
            SendMany(messages: [MessageContent(text: "x")], channels: [Cast.lobby]),
        ]
        for command in commands {
            for device in [stage.bob, tablet] {
                #expect(try await device.refusal(command)?.entry == .noPrivilege, "\(type(of: command).name)")
            }
        }
        #expect(try await stage.ann.log(of: Cast.lobby).compactMap(\.text) == ["hello", "without bob"])
        // A device that comes back is not let in by naming the channel.
        let phone = try await stage.roost.session(Cast.bob, device: "phone")
        let resumed = try await phone.perform(Resume(channels: [ChannelPosition(channel: Cast.lobby, seq: 0)]))
        #expect(resumed.events.isEmpty)
        #expect(resumed.resets == [Reset(channel: Cast.lobby, seq: 0, reason: .gone)])
        try await stage.ann.send("still without", to: Cast.lobby)
        #expect(phone.rows(of: Cast.lobby).isEmpty)

        // The ban ends at its time, not before.
        stage.roost.clock.advance(by: 59_000)
        #expect(try await stage.bob.refusal(JoinChannel(channel: Cast.lobby))?.entry == .noPrivilege)
        stage.roost.clock.advance(by: 1_001)
        try await stage.bob.perform(JoinChannel(channel: Cast.lobby))
        try await stage.bob.send("back", to: Cast.lobby)
        #expect(stage.ann.rows(of: Cast.lobby).last?.text == "back")
        #expect(try await stage.bob.log(of: Cast.lobby).count == 4)
    }

    @Test(arguments: Backend.available)
    func `only operators ban from an open channel, list its bans and lift them, and not themselves`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend, limits: .init(bans: 2, sendsPerSecond: 0, channelSendsPerSecond: 0))
        let chief = try await stage.roost.session(user("chief"), isOperator: true)
        try await stage.ann.perform(JoinChannel(channel: Cast.lobby))
        let ban = BanMembers(channel: Cast.lobby, members: [bob])
        let unban = UnbanMembers(channel: Cast.lobby, members: [bob])
        let list = ListMembers(channel: Cast.lobby, roles: [.outcast])
        #expect(try await stage.ann.refusal(ban)?.entry == .noPrivilege)
        #expect(try await stage.ann.refusal(unban)?.entry == .noPrivilege)
        #expect(try await stage.ann.refusal(list)?.entry == .channelTypeMismatch)
        #expect(try await chief.refusal(unban)?.entry == .notBanned)
        #expect(try await chief.refusal(BanMembers(channel: Cast.lobby, members: []))?.entry == .nobodyToBan)
        #expect(try await chief.refusal(BanMembers(channel: Cast.lobby, members: ["chief"]))?.entry == .noPrivilege)
        #expect(try await chief.refusal(BanMembers(channel: Cast.lobby, members: ["nobody"]))?.entry == .userNotFound)
        #expect(try await chief.refusal(BanMembers(channel: "nowhere", members: [bob]))?.entry == .channelNotFound)
        for end in [0, stage.roost.clock.now] {
            let past = BanMembers(channel: Cast.lobby, members: [bob], bannedUntil: .init(milliseconds: end))
            #expect(try await chief.refusal(past)?.field == "bannedUntil")
        }

        try await chief.perform(ban)
        try await chief.perform(ban)
        #expect(stage.bob.events(named: .channelLeft).count == 1)
        let banned = try await chief.perform(list)
        #expect(banned.members.map(\.userID) == [bob])
        #expect(banned.members.first?.role == .outcast)
        #expect(banned.members.first?.bannedUntil == nil)
        // Another end replaces the first one.
        let end = ends(in: 5_000, stage)
        try await chief.perform(BanMembers(channel: Cast.lobby, members: [bob], bannedUntil: end))
        #expect(try await chief.perform(list).members.first?.bannedUntil == end)
        try await chief.perform(BanMembers(channel: Cast.lobby, members: [Cast.cid.userID]))
        let third = BanMembers(channel: Cast.lobby, members: [Cast.dee.userID])
        #expect(try await chief.refusal(third)?.entry == .limitReached)
        // A ban that has ended counts no more, is not listed, and cannot be lifted.
        stage.roost.clock.advance(by: 5_001)
        #expect(try await chief.perform(list).members.map(\.userID) == [Cast.cid.userID])
        #expect(try await chief.refusal(unban)?.entry == .notBanned)
        try await chief.perform(third)
        try await chief.perform(UnbanMembers(channel: Cast.lobby, members: [Cast.cid.userID]))
        try await stage.cid.perform(JoinChannel(channel: Cast.lobby))
        #expect(try await stage.dee.refusal(JoinChannel(channel: Cast.lobby))?.entry == .noPrivilege)
        // The list of channels knows nothing of it.
        #expect(try await stage.dee.list().isEmpty)
        #expect(try await stage.dee.perform(QueryChannels(roles: [.outcast])).channels.isEmpty)
    }

    @Test(arguments: Backend.available)
    func `a ban from a group for a time ends by the server's clock`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.ann.perform(SetChannelProfile(channel: Cast.club, profile: ChannelProfile(canJoin: true)))
        await stage.forgetEvents()
        let end = ends(in: 10_000, stage)
        try await stage.ann.perform(
            BanMembers(channel: Cast.club, members: [bob, Cast.dee.userID], bannedUntil: end))
        let body = MembersRemoved(members: [Cast.bob, Cast.dee], memberCount: 2, bannedUntil: end)
        #expect(stage.cid.events.map(\.body) == [.channel(.memberBanned(body))])
        let left = ChannelLeft(channel: Cast.club, reason: .banned, bannedUntil: end)
        #expect(stage.bob.events.map(\.body) == [.user(.channelLeft(left))])
        let invite = InviteMembers(channel: Cast.club, members: [bob])
        #expect(try await stage.ann.refusal(invite)?.entry == .noPrivilege)
        for session in [stage.bob, stage.dee] {
            #expect(try await session.refusal(BecomeMember(channel: Cast.club))?.entry == .noPrivilege)
            #expect(try await session.refusal(ListMessages(channel: Cast.club))?.entry == .noPrivilege)
        }
        let outcasts = ListMembers(channel: Cast.club, roles: [.outcast])
        #expect(try await stage.ann.perform(outcasts).members.map(\.bannedUntil) == [end, end])
        stage.roost.clock.advance(by: 10_001)
        #expect(try await stage.ann.perform(outcasts).members.isEmpty)
        // Bob was a member, Dee never was.
        #expect(try await stage.bob.refusal(ListMessages(channel: Cast.club))?.entry == .notMember)
        #expect(try await stage.dee.refusal(ListMessages(channel: Cast.club))?.entry == .channelNotFound)
        #expect(try await stage.ann.refusal(UnbanMembers(channel: Cast.club, members: [bob]))?.entry == .notBanned)
        try await stage.dee.perform(BecomeMember(channel: Cast.club))
        try await stage.ann.perform(invite)
        #expect(try await stage.ann.channel(Cast.club).members.count == 4)
        try await stage.bob.send("back", to: Cast.club)
        #expect(try await stage.dee.log(of: Cast.club).last?.text == "back")
    }

    @Test(.enabled(if: Backend.available.contains(.postgres)))
    func `a ban from an open channel holds on every server of a database`() async throws {
        let url = try Postgres.makeSchema()
        let one = try TestCore(database: Postgres.open(url))
        let other = try TestCore(database: Postgres.open(url), clock: one.clock)
        let stage = try await Stage(one, and: other)
        let chief = try await one.session(user("chief"), isOperator: true)
        try await stage.ann.perform(JoinChannel(channel: Cast.lobby))
        try await stage.bob.send("here", to: Cast.lobby)
        try await chief.perform(BanMembers(channel: Cast.lobby, members: [bob]))
        #expect(try await stage.bob.refusal(SendMessage(channel: Cast.lobby, text: "x"))?.entry == .noPrivilege)
        #expect(try await stage.bob.refusal(ListMessages(channel: Cast.lobby))?.entry == .noPrivilege)
        try await chief.perform(UnbanMembers(channel: Cast.lobby, members: [bob]))
        try await stage.bob.send("again", to: Cast.lobby)
    }

    @Test(arguments: Backend.available)
    func `a file of a message in an open channel cannot be read by somebody who is banned there`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        let chief = try await stage.roost.session(user("chief"), isOperator: true)
        let file = try await stage.ann.file()
        let image = SendMessage(channel: Cast.lobby, type: "image", file: FileReference(fileID: file.fileID))
        _ = try await stage.ann.post(image)
        let get = GetFiles(fileIDs: [file.fileID])
        #expect(try await stage.bob.perform(get).files.count == 1)
        try await chief.perform(BanMembers(channel: Cast.lobby, members: [bob]))
        #expect(try await stage.bob.perform(get).files.isEmpty)
        #expect(try await stage.cid.perform(get).files.count == 1)
    }
}
