import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Testing

extension Screens {
    /// The screen of an open channel: J-8 to J-16.
    @MainActor @Suite struct OpenChannelTests {
        private func lobby(_ count: Int) async throws -> (ScreenServer, ChatClient, ChatClient, OpenChannelModel) {
            let server = try await ScreenServer()
            let (ann, bob) = (try await server.connectedClient(Cast.ann), try await server.connectedClient(Cast.bob))
            if count > 0 { try await bob.fill(Cast.lobby, 1...count) }
            let lobby = OpenChannelModel(client: ann, channel: Cast.lobby)
            lobby.start()
            try await wait("the first page") { lobby.isJoined && lobby.conversation.hasLoaded }
            return (server, ann, bob, lobby)
        }

        @Test func `entering loads 50 and is live, and coming back keeps the list without duplicates [J-8 J-9]`()
            async throws
        {
            let (_, ann, bob, lobby) = try await lobby(60)
            #expect(lobby.conversation.texts == (11...60).map { "m\($0)" })
            try await bob.channel(Cast.lobby).send("hello")
            let hello = try await lobby.conversation.waitFor("hello")
            lobby.choose(hello.id)
            await lobby.startMessaging()
            #expect(lobby.opened != nil)
            try await bob.channel(Cast.lobby).send("while away")
            lobby.conversationClosed()
            #expect(lobby.returns == 1)
            try await lobby.conversation.waitFor("while away")
            try await ann.channel(Cast.lobby).send("mine")
            try await wait("mine is sent") { lobby.conversation.item("mine")?.state == .sent }
            #expect(
                lobby.conversation.texts == (11...60).map { "m\($0)" } + ["hello", "while away", "mine"])
        }

        @Test func `a tap on another user's text opens a sheet with two actions and no title [J-10 J-13]`() async throws
        {
            let (_, _, bob, lobby) = try await lobby(0)
            try await bob.channel(Cast.lobby).send("hello")
            let hello = try await lobby.conversation.waitFor("hello")
            lobby.choose(hello.id)
            let sheet = try #require(lobby.sheet)
            #expect(sheet.action == "Start messaging with Bob" && sheet.cancel == "Cancel")
            #expect(sheet.user == Cast.bob.userID)
            lobby.cancelSheet()
            #expect(lobby.sheet == nil && lobby.opened == nil && !lobby.isStarting)
            await lobby.startMessaging()
            #expect(lobby.opened == nil, "nothing was chosen")
            lobby.choose(hello.id)
            await lobby.startMessaging()
            #expect(lobby.opened?.channel == Cast.annAndBob)
            #expect(lobby.sheet == nil)
        }

        @Test func `a tap on an own message, a file, an announcement or a line does nothing [J-11 J-12]`() async throws
        {
            let (server, ann, bob, lobby) = try await lobby(0)
            let op = try await server.unconnectedClient(try makeUser("op", "Op"), isOperator: true)
            try await op.connect()
            try await ann.channel(Cast.lobby).send("mine")
            try await bob.channel(Cast.lobby).send(.document(try await bob.uploadSample("plan.pdf"), text: "a file"))
            try await op.channel(Cast.lobby).setTitle("The lobby")
            try await op.channel(Cast.lobby).announce("hear, hear")
            try await lobby.conversation.waitFor("hear, hear")
            #expect(lobby.conversation.items.count == 5, "a day, three messages and a line")
            #expect(lobby.conversation.items.contains { if case .line = $0.kind { true } else { false } })
            for item in lobby.conversation.items {
                lobby.choose(item.id)
                #expect(lobby.sheet == nil)
            }
        }

        @Test
        func
            `the started 1-on-1 is to be opened, and the opener takes up its session once when it closes [J-15 J-16 C-J13]`()
            async throws
        {
            let (_, ann, bob, lobby) = try await lobby(0)
            try await bob.channel(Cast.lobby).send("hello")
            lobby.choose(try await lobby.conversation.waitFor("hello").id)
            await lobby.startMessaging()
            let opened = try #require(lobby.opened)
            #expect(Set(opened.members.map(\.userID)) == [Cast.ann.userID, Cast.bob.userID])
            let model = ConversationModel(client: ann, channel: opened.channel)
            model.start()
            try await wait("the title") { model.title == "Bob" }
            // Joining, as opposed to starting, opens no screen.
            model.stop()
            lobby.conversationClosed()
            lobby.conversationClosed()
            #expect(lobby.returns == 1 && lobby.opened == nil)
            try await bob.channel(Cast.lobby).send("still there?")
            try await lobby.conversation.waitFor("still there?")
            #expect(lobby.isJoined)
        }
    }
}
