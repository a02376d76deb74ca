import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Testing

extension Screens {
    /// Conversations in which many rows show nothing: reactions, ballots, recalls.
    @MainActor @Suite struct RowsTests {
        private static let emoji = [
            "😀", "😁", "😂", "😃", "😄", "😅", "😆", "😇", "😈", "😉", "😊", "😋", "😌", "😍", "😎", "😏", "😐", "😑",
            "😒", "😓",
        ]

        /// The club with two messages of Ann, the last with 60 reactions; everybody is known to the server.
        private func club() async throws -> (ScreenServer, ChatClient) {
            let server = try await ScreenServer()
            let ann = try await server.connectedClient(Cast.ann)
            let others = [
                try await server.connectedClient(Cast.bob, device: "0"),
                try await server.connectedClient(Cast.cid, device: "0"),
            ]
            _ = try await ann.createGroup(channel: Cast.club, members: [Cast.bob.userID, Cast.cid.userID])
            _ = try await ann.channel(Cast.club).send("we play")
            let id = try await ann.channel(Cast.club).send("we won").messageID
            for client in [ann] + others {
                for emoji in Self.emoji { try await client.channel(Cast.club).react(with: emoji, to: id) }
            }
            return (server, ann)
        }

        @Test func `a message with sixty reactions shows on a new device, is read when it is shown, and shows offline`()
            async throws
        {
            let (server, _) = try await club()
            let store = try LocalStore.inMemory()
            let bob = try await server.connectedClient(Cast.bob, device: "new", store: store)
            #expect(try await bob.channel(Cast.club).get().unread == 2)
            let model = ConversationModel(client: bob, channel: Cast.club)
            model.setVisible(false)
            model.start()
            let item = try await model.waitFor("we won")
            #expect(item.reactions.map(\.count) == Array(repeating: 3, count: 20))
            #expect(model.texts == ["we play", "we won"] && !model.hasPrevious)
            #expect(try await bob.channel(Cast.club).get().unread == 2)
            model.setVisible(true)
            try await wait("it is read") { model.channel?.unread == 0 }
            model.stop()
            await bob.disconnect()

            let offline = ConversationModel(client: bob, channel: Cast.club)
            offline.start()
            _ = try await offline.waitFor("we won")
            #expect(offline.texts == ["we play", "we won"])
            offline.stop()
        }

        @Test func `a list that was emptied by deleting loads what is before it`() async throws {
            let (server, _) = try await club()
            let bob = try await server.connectedClient(Cast.bob, device: "new")
            var configuration = ConversationModel.Configuration()
            configuration.pageSize = 1
            let model = ConversationModel(client: bob, channel: Cast.club, configuration: configuration)
            model.start()
            let item = try await model.waitFor("we won")
            #expect(model.hasPrevious && model.texts == ["we won"])
            try await bob.channel(Cast.club).delete([try #require(item.messageID)])
            _ = try await model.waitFor("we play")
            model.stop()
        }
    }
}
