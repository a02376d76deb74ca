import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Testing

extension Screens {
    /// Lines of the server in a conversation.
    @MainActor @Suite struct LinesTests {
        @Test
        func `a join, leaving, an invitation or a removal is a line of the list, and is read as a message is [JCB-5]`()
            async throws
        {
            let server = try await ScreenServer()
            let (ann, bob) = (try await server.connectedClient(Cast.ann), try await server.connectedClient(Cast.bob))
            let (cid, dee) = (try await server.connectedClient(Cast.cid), try await server.connectedClient(Cast.dee))
            _ = try await bob.createGroup(channel: Cast.club, members: [Cast.ann.userID, Cast.cid.userID])
            let model = ConversationModel(client: ann, channel: Cast.club)
            model.start()
            try await wait("the first page") { model.hasLoaded && model.memberCount == 3 }

            try await bob.channel(Cast.club).setProfile(ChannelProfile(canJoin: true))
            try await dee.channel(Cast.club).becomeMember()
            try await cid.channel(Cast.club).leave()
            try await bob.channel(Cast.club).invite([NewMember(Cast.cid.userID, role: .invited)])
            try await cid.channel(Cast.club).answerInvitation(isAccepted: true)
            try await bob.channel(Cast.club).kick([Cast.dee.userID])
            let expected = [
                "bob changed the settings: anybody may join", "Dee joined (4 members)", "Cid left (3 members)",
                "bob invited Cid",
                "Cid accepted the invitation (4 members)", "bob removed Dee (3 members)",
            ]
            try await wait("the lines") { model.items.filter(\.isContent).map(\.text) == expected }
            let lines = model.items.filter(\.isContent).compactMap { item -> ServerLine? in
                if case .line(let line) = item.kind { line } else { nil }
            }
            let types = ["memberJoined", "memberLeft", "membersInvited", "memberJoined"]
            #expect(lines.count == expected.count && lines.map(\.text) == expected)
            #expect(lines.dropFirst().dropLast().map(\.category) == types)
            #expect(lines.last?.category == MessageType.numbered(1006)?.name)
            // The list scrolls to them, so they are read.
            let last = try #require(model.items.last?.seq)
            #expect(last == 6 && model.newMessages == 0 && model.scroll?.position == .bottom)
            try await wait("the own mark") { model.channel?.readSeq == last }
            while try await ann.channel(Cast.club).get().readSeq != last { await Task.yield() }
        }
    }
}
