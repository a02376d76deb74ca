import RoostCore
import RoostTesting
import RoostWire
import Testing

/// What a hostile or merely busy client found once.
@Suite struct HostileTests {
    @Test(arguments: Backend.available)
    func `chains of sends into two channels at once are not broken by each other`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        let ann = try await roost.session(Cast.ann)
        let rooms = [Cast.lobby, Cast.club]
        for round in 1...50 {
            // Both sends of a round may meet in one batch; each names the one before it in its own channel.
            let acknowledgements = try await withThrowingTaskGroup(of: Acknowledgement.self) { group in
                for room in rooms {
                    group.addTask {
                        try await ann.send(
                            "\(round)", to: room, id: "\(room)-\(round)",
                            after: round > 1 ? TransID(rawValue: "\(room)-\(round - 1)") : nil)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(acknowledgements.map(\.seq) == [Int64(round), Int64(round)])
        }
    }

    @Test(arguments: Backend.available)
    func `a login without a name keeps the name that was given before`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        _ = try await roost.session(Cast.ann)
        let nameless = try await roost.session(User(userID: Cast.ann.userID, name: Cast.ann.userID.rawValue))
        #expect(nameless.welcome?.user == Cast.ann)
        let sent = try await nameless.send("hi", to: Cast.lobby)
        let page = try await nameless.perform(ListMessages(channel: Cast.lobby, aroundMessage: sent.messageID))
        guard case .messageSent(let message) = page.events.first?.body else {
            Issue.record("the message is not there")
            return
        }
        #expect(message.senderName == "Ann")
    }

    @Test(arguments: Backend.available)
    func `a user can be put into so many channels only, and a connection take part in so many`(
        backend: Backend
    ) async throws {
        let roost = try TestCore(backend, limits: Limits(channelsPerUser: 2, openChannelsPerConnection: 1))
        let ann = try await roost.session(Cast.ann)
        let bob = try await roost.session(Cast.bob)
        _ = try await roost.session(Cast.cid)
        try await ann.perform(CreateChannel(kind: .group, channel: Cast.club, members: [Cast.bob.userID]))
        try await ann.perform(CreateChannel(kind: .single, members: [Cast.bob.userID]))
        let third = try await ann.refusal(CreateChannel(kind: .group, members: [Cast.cid.userID]))
        #expect(third?.code == 1115)
        let invited = try await bob.refusal(InviteMembers(channel: Cast.annAndBob, members: [Cast.cid.userID]))
        #expect(invited?.code == 1115)
        #expect(try await bob.perform(ListChannels()).channels.count == 1)

        try await ann.perform(JoinChannel(channel: Cast.lobby))
        let other = try #require(ChannelID(rawValue: "other"))
        #expect(try await ann.refusal(JoinChannel(channel: other))?.code == 1004)
        try await ann.perform(JoinChannel(channel: Cast.lobby))
    }

    @Test(arguments: Backend.available)
    func `inviting only who is there already makes no group`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        let ann = try await roost.session(Cast.ann)
        _ = try await roost.session(Cast.bob)
        try await ann.perform(CreateChannel(kind: .single, members: [Cast.bob.userID]))
        let refusal = try await ann.refusal(InviteMembers(channel: Cast.annAndBob, members: [Cast.bob.userID]))
        #expect(refusal?.code == 6)
        #expect(try await ann.perform(ListChannels()).channels.map(\.channel) == [Cast.annAndBob])
    }
}
