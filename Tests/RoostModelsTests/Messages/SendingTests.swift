import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Testing

extension Screens {
    /// What happens to a text that the field has sent.
    @MainActor @Suite struct SendingTests {
        @Test func `each text that is sent arrives once and in order, and the sender gets its acknowledgement`()
            async throws
        {
            let server = try await ScreenServer()
            let (ann, bob) = (try await server.connectedClient(Cast.ann), try await server.connectedClient(Cast.bob))
            _ = try await ann.startMessaging(with: Cast.bob.userID)
            let model = ConversationModel(client: ann, channel: Cast.annAndBob)
            let composer = ComposerModel(client: ann, channel: Cast.annAndBob, conversation: model)
            model.start()
            composer.start()
            try await wait("the first page") { model.hasLoaded }
            let list = ChannelListModel(client: bob)
            list.start()

            var ends: [TransID] = []
            let told = ann.events()
            for text in ["first", "second"] {
                composer.edit(text)
                ends.append(try #require(composer.send()).transID)
                try await wait("\(text) on the server") { model.item(text)?.messageID != nil }
                let unread = ends.count
                try await wait("\(text) in the list") {
                    list.rows.first?.lastText == text && list.rows.first?.unread == unread
                }
            }
            var sent: [TransID] = []
            for await case .sent(let acknowledgement) in told {
                #expect(acknowledgement.seq == Int64(sent.count + 1))
                sent.append(acknowledgement.transID)
                if sent.count == 2 { break }
            }
            #expect(sent == ends)

            let bobs = ConversationModel(client: bob, channel: Cast.annAndBob)
            bobs.start()
            for text in ["first", "second"] {
                for item in [try #require(model.item(text)), try await bobs.waitFor(text)] {
                    #expect(item.kind == .message && item.content?.type == "text" && item.state == .sent)
                    #expect(item.senderID == Cast.ann.userID && item.senderName == "Ann")
                }
            }
        }

        @Test func `messages that the user sends in another conversation do not change the page [Z-14]`() async throws {
            let server = try await ScreenServer()
            let (ann, bob) = (try await server.connectedClient(Cast.ann), try await server.connectedClient(Cast.bob))
            _ = try await ann.startMessaging(with: Cast.bob.userID)
            _ = try await ann.createGroup(channel: Cast.club, members: [Cast.bob.userID])
            try await bob.channel(Cast.annAndBob).send("hello")
            let model = ConversationModel(client: ann, channel: Cast.annAndBob)
            let club = ConversationModel(client: ann, channel: Cast.club)
            for page in [model, club] { page.start() }
            try await wait("both pages") { model.hasLoaded && club.hasLoaded && model.channel?.readSeq == 1 }
            let (revision, items) = (model.revision, model.items)

            await ann.disconnect()
            for text in ["a", "b"] { _ = ann.channel(Cast.club).enqueue(text) }
            try await wait("both on their way") { club.texts == ["a", "b"] }
            #expect(model.items == items && model.revision == revision)
            _ = ann.channel(Cast.annAndBob).enqueue("here")
            try await model.waitFor("here")
            #expect(model.texts == ["hello", "here"] && club.texts == ["a", "b"])
            try await ann.connect()
            try await wait("all are sent") { model.item("here")?.seq == 2 && club.item("b")?.seq == 2 }
            #expect(model.texts == ["hello", "here"] && club.texts == ["a", "b"])
        }
    }
}
