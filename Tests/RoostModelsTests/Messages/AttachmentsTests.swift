import Foundation
import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Testing

extension Screens {
    /// The files of the field.
    @MainActor @Suite struct AttachmentsTests {
        private func picture(_ name: String, in folder: TemporaryFolder) throws -> LocalFile {
            let path = folder.path + "/" + name
            let head: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46, 0]
            try (Data(head) + Data(name.utf8)).write(to: URL(fileURLWithPath: path))
            return LocalFile(path: path)
        }

        /// The field of Ann's 1-on-1 with Bob.
        private func field() async throws -> (
            server: TestServer, ann: ChatClient, bob: ChatClient, chat: ChannelID, composer: ComposerModel
        ) {
            let server = try await TestServer.start()
            let (ann, bob) = (try await server.client(Cast.ann), try await server.client(Cast.bob))
            let chat = try await ann.startMessaging(with: Cast.bob.userID).channel
            let composer = ComposerModel(client: ann, channel: chat)
            composer.start()
            return (server, ann, bob, chat, composer)
        }

        @Test func `the original is preferred over the edited version, and the text is the caption [J-39]`()
            async throws
        {
            let folder = try TemporaryFolder()
            let (server, _, bob, chat, composer) = try await field()
            #expect(composer.attach(original: nil) == nil)
            #expect(!composer.canSend)
            let original = try picture("original.jpg", in: folder)
            let edited = try picture("edited.jpg", in: folder)
            composer.attach(original: original, edited: edited)
            composer.attach(original: nil, edited: edited)
            let removed = try #require(composer.attach(original: original))
            await composer.removeAttachment(removed)
            #expect(composer.attachments.map(\.file) == [original, edited])
            #expect(composer.attachments.map(\.type) == ["image", "image"])
            #expect(composer.attachments.allSatisfy { $0.state == .picked } && !composer.isBusy)
            composer.edit("The new roof")
            #expect(composer.send() != nil)
            #expect(composer.text.isEmpty && composer.isBusy)
            try await wait("both messages") { composer.attachments.isEmpty }
            #expect(!composer.isBusy)
            let messages = try await bob.channel(chat).history(from: .server).events.compactMap { event in
                if case .channel(.messageSent(let message)) = event.body { message } else { nil }
            }
            #expect(messages.map { $0.file?.name } == ["original.jpg", "edited.jpg"])
            #expect(messages.map(\.text) == ["The new roof", ""])
            let first = try #require(messages.first?.file)
            let copy = try await bob.download(first, to: folder.path + "/copy.jpg")
            #expect(
                try Data(contentsOf: URL(fileURLWithPath: copy))
                    == Data(contentsOf: URL(fileURLWithPath: original.path)))
            await composer.stop()
            await server.stop()
        }

        @Test func `the picker offers pictures and films, and the connection stays while it is open [J-38]`()
            async throws
        {
            let folder = try TemporaryFolder()
            let server = try await TestServer.start()
            let (ann, bob) = (try await server.client(Cast.ann), try await server.client(Cast.bob))
            let chat = try await ann.startMessaging(with: Cast.bob.userID).channel
            let (list, model) = (ChannelListModel(client: ann), ConversationModel(client: ann, channel: chat))
            let composer = ComposerModel(client: ann, channel: chat, conversation: model)
            list.start()
            model.start()
            composer.start()
            #expect(ComposerModel.pickerTypes == ["image/*", "video/*"])
            try await wait("the connection") { list.connection == .live }
            let events = ann.events()

            // The picker covers the app, which goes to the background.
            composer.openPicker()
            composer.openPicker()
            ann.enterBackground()
            #expect(composer.isPickerOpen)
            try await bob.channel(chat).send("while it is open")
            try await model.waitFor("while it is open")
            #expect(await ann.state == .live)
            ann.enterForeground()
            composer.closePicker()
            #expect(!composer.isPickerOpen)
            try await bob.channel(chat).send("after it")
            try await model.waitFor("after it")
            for await event in events {
                if case .disconnected = event { Issue.record("the connection was lost") }
                if case .event(let row, _) = event, case .channel(.messageSent(let message)) = row.body,
                    message.text == "after it"
                {
                    break
                }
            }

            // A picker that is closed in the background does not keep the connection, nor does the lack of one.
            composer.openPicker()
            ann.enterBackground()
            composer.closePicker()
            composer.closePicker()
            try await wait("the end of the connection") { list.connection == .offline }
            let film = folder.path + "/film.mov"
            let head: [UInt8] = [0, 0, 0, 20] + Array("ftypqt  ".utf8) + Array(repeating: 0, count: 12)
            try Data(head).write(to: URL(fileURLWithPath: film))
            let sent = bob.channel(chat).enqueue(uploading: LocalFile(path: film)) { .file($0, text: "missed") }
            _ = try await sent.sent
            #expect(model.item("missed") == nil)
            ann.enterForeground()
            let missed = try await model.waitFor("missed")
            #expect(missed.content?.type == "video" && missed.content?.file?.name == "film.mov")
            try await wait("the connection") { list.connection == .live }
            ann.enterBackground()
            try await wait("the end of the connection") { list.connection == .offline }
            ann.enterForeground()
            try await bob.channel(chat).send("last")
            try await model.waitFor("last")
            #expect(model.texts == ["while it is open", "after it", "missed", "last"])
            await composer.stop()
            await server.stop()
        }

        @Test func `the field is busy from sending a file until the others have it, or until it failed [J-44]`()
            async throws
        {
            let folder = try TemporaryFolder()
            let (server, _, bob, chat, composer) = try await field()
            composer.attach(original: try picture("a.jpg", in: folder))
            #expect(!composer.isBusy)
            composer.send()
            #expect(composer.isBusy)
            try await wait("the end") { !composer.isBusy }
            #expect(composer.attachments.isEmpty)
            let events = try await bob.channel(chat).history(from: .server).events
            #expect(events.count { if case .channel(.messageSent) = $0.body { true } else { false } } == 1)
            composer.attach(original: LocalFile(path: folder.path + "/none.jpg"))
            composer.send()
            #expect(composer.isBusy)
            try await wait("the failure") { !composer.isBusy }
            #expect(composer.attachments.count == 1)
            await composer.stop()
            await server.stop()
        }

        @Test func `an error of a file reaches the screen, and its name goes along with it [C-J10]`() async throws {
            let folder = try TemporaryFolder()
            let server = try await TestServer.start()
            let (ann, bob) = (try await server.client(Cast.ann), try await server.client(Cast.bob))
            let chat = try await ann.startMessaging(with: Cast.bob.userID).channel
            let model = ConversationModel(client: bob, channel: chat)
            let composer = ComposerModel(client: ann, channel: chat)
            model.start()
            composer.start()
            // It says that it is a picture, and its bytes are none.
            let path = folder.path + "/wrong.jpg"
            try Data("no picture".utf8).write(to: URL(fileURLWithPath: path))
            composer.attach(original: LocalFile(path: path))
            composer.attach(original: try picture("a name.jpg", in: folder))
            composer.send()
            try await wait("the problem") { composer.problem != nil }
            #expect(composer.problem?.code == .server(.fileTypeRefused))
            try await wait("the picture") { composer.attachments.count == 1 && !composer.isBusy }
            #expect(composer.attachments.first?.state == composer.problem.map { .failed($0) })
            composer.dismissProblem()
            #expect(composer.problem == nil)
            try await wait("the name") { model.items.contains { $0.content?.file?.name == "a name.jpg" } }
            #expect(model.items.count { $0.kind == .message } == 1)
            await composer.stop()
            await server.stop()
        }

        @Test func `an attachment whose file is missing posts nothing, and is retried or removed`() async throws {
            let folder = try TemporaryFolder()
            let (server, ann, bob, chat, composer) = try await field()
            for name in ["a.jpg", "b.jpg"] { composer.attach(original: LocalFile(path: folder.path + "/" + name)) }
            let ids = composer.attachments.map(\.id)
            composer.send()
            try await wait("both failures") {
                composer.attachments.count == 2
                    && composer.attachments.allSatisfy { if case .failed = $0.state { true } else { false } }
            }
            guard case .failed(let error) = composer.attachments[0].state else { return }
            #expect(error.code == .fileFailed)
            #expect(!composer.isBusy)
            _ = try picture("a.jpg", in: folder)
            await composer.retryAttachment(ids[0])
            await composer.removeAttachment(ids[1])
            try await wait("the message") { composer.attachments.isEmpty }
            let events = try await bob.channel(chat).history(from: .server).events
            #expect(events.count { if case .channel(.messageSent) = $0.body { true } else { false } } == 1)
            #expect(try await ann.store?.queue(in: chat).isEmpty == true)
            await composer.stop()
            await server.stop()
        }

        @Test func `an attachment that the server refuses posts nothing and says why, and the next one goes [J-43]`()
            async throws
        {
            let folder = try TemporaryFolder()
            let (server, _, bob, chat, composer) = try await field()
            // A program under the name of a picture.
            let path = folder.path + "/fake.jpg"
            try Data([0x4D, 0x5A] + [UInt8](repeating: 0x78, count: 3_000)).write(to: URL(fileURLWithPath: path))
            let id = try #require(composer.attach(original: LocalFile(path: path)))
            composer.edit("look")
            composer.send()
            try await wait("the failure") {
                if case .failed? = composer.attachments.first?.state { true } else { false }
            }
            let error = try #require(composer.problem)
            #expect(error.wire?.entry == .fileTypeRefused && composer.attachments.first?.state == .failed(error))
            #expect(!composer.isBusy)
            #expect(try await bob.channel(chat).history(from: .server).events.isEmpty)
            await composer.removeAttachment(id)
            composer.attach(original: try picture("real.jpg", in: folder))
            composer.send()
            try await wait("the message") { composer.attachments.isEmpty }
            let events = try await bob.channel(chat).history(from: .server).events
            let types = events.map { event in
                if case .channel(.messageSent(let message)) = event.body { message.type } else { event.name }
            }
            #expect(types == ["image"])
            await composer.stop()
            await server.stop()
        }
    }
}
