import Foundation
import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Testing

extension Screens {
    /// Pictures and films in a 1-on-1, played on the models against a server.
    @MainActor @Suite struct FilesStoryTests {
        private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        private static let film: [UInt8] = [0, 0, 0, 20] + Array("ftypqt  ".utf8)

        private func file(_ name: String, _ head: [UInt8], bytes: Int, in folder: TemporaryFolder) throws -> LocalFile {
            let path = folder.path + "/" + name
            try Data(head + (head.count..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31) })
                .write(to: URL(fileURLWithPath: path))
            return LocalFile(path: path)
        }

        @Test func `a picture and a film in a 1-on-1: picked, sent, downloaded, read, refused, and missed [SC-001]`()
            async throws
        {
            let folder = try TemporaryFolder()
            let server = try await ScreenServer()
            // Ann's connections lead over a network that can answer in place of the server.
            let network = try await FaultProxy.start(to: server.process.port, seed: 1)
            let ann = try await server.unconnectedClient(Cast.ann, url: network.url())
            try await ann.connect()
            let bob = try await server.connectedClient(Cast.bob)
            let chat = try await ann.startMessaging(with: Cast.bob.userID).channel
            let (list, model, his) = (
                ChannelListModel(client: ann), ConversationModel(client: ann, channel: chat),
                ConversationModel(client: bob, channel: chat)
            )
            let composer = ComposerModel(client: ann, channel: chat, conversation: model)
            #expect(!model.isLoadingPrevious && model.typingLine == nil && !composer.isBusy)
            list.start()
            model.start()
            his.start()
            his.setVisible(true)
            composer.start()
            try await wait("the title") {
                model.title == Cast.bob.name && his.hasLoaded && list.connection == .live
            }

            // Cancelled.
            composer.openPicker()
            composer.closePicker()
            #expect(!composer.isPickerOpen && !composer.canSend)
            #expect(await ann.state == .live)

            // A picture, then a film.
            let original = try file("roof.png", Self.png, bytes: 300_000, in: folder)
            let edited = try file("edited.png", Self.png, bytes: 200_000, in: folder)
            let film = try file("roof.mov", Self.film, bytes: 500_000, in: folder)
            for (local, type) in [(original, "image"), (film, "video")] {
                composer.openPicker()
                composer.attach(original: local, edited: edited)
                composer.closePicker()
                composer.send()
                #expect(composer.isBusy)
                try await wait("the upload") { !composer.isBusy }
                let name = URL(fileURLWithPath: local.path).lastPathComponent
                try await wait(name) { his.items.contains { $0.content?.file?.name == name } }
                let item = try #require(his.items.last)
                let reference = try #require(item.content?.file)
                let bytes = try Data(contentsOf: URL(fileURLWithPath: local.path))
                #expect(item.content?.type == type && item.content?.extras == nil)
                #expect(reference.size == Int64(bytes.count) && reference.contentType?.hasPrefix(type) == true)
                #expect(try await bob.files([reference.fileID]).first?.link.isEmpty == false)
                let copy = try await bob.download(reference, to: folder.path + "/copy")
                #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == bytes)
                // Bob's conversation is visible, so that he has read it.
                try await wait("the read mark") {
                    model.items.last?.content?.file?.name == name && model.items.last?.unreadBy == 0
                }
            }

            // What cannot be uploaded posts nothing: the server refuses the first, and 500 answers the second.
            composer.attach(original: try file("wrong.png", Array("text".utf8), bytes: 100, in: folder))
            composer.send()
            try await wait("the error") { composer.problem != nil && !composer.isBusy }
            #expect(composer.problem?.code == .server(.fileTypeRefused))
            let refused = try #require(composer.attachments.first)
            await composer.removeAttachment(refused.id)
            composer.dismissProblem()
            // Existing connections stay, and an upload has its own.
            try await network.use(FaultProfile { $0.admission = .brokenPage })
            composer.attach(original: original)
            composer.send()
            #expect(composer.isBusy)
            try await wait("the error") { composer.problem != nil && !composer.isBusy }
            #expect(composer.problem?.code == .server(.internalFault))
            try await network.use(.healthy)
            let failed = try #require(composer.attachments.first)
            await composer.removeAttachment(failed.id)
            #expect(try await names(of: chat, by: bob) == ["roof.png", "roof.mov"])

            // The page is hidden while the picker is open, and once more without it.
            composer.openPicker()
            ann.enterBackground()
            try await bob.channel(chat).send("while it is open")
            try await model.waitFor("while it is open")
            #expect(list.connection == .live)
            ann.enterForeground()
            composer.closePicker()
            ann.enterBackground()
            try await wait("the end of the connection") { list.connection == .offline }
            let missed = try file("missed.png", Self.png, bytes: 1_000, in: folder)
            _ = try await bob.channel(chat).enqueue(uploading: missed) { .file($0, text: "missed") }.sent
            #expect(model.item("missed") == nil)
            ann.enterForeground()
            try await model.waitFor("missed")
            try await bob.channel(chat).send("last")
            try await model.waitFor("last")
            #expect(model.items.count { $0.text == "missed" && $0.content?.file?.name == "missed.png" } == 1)
            #expect(try await names(of: chat, by: ann) == ["roof.png", "roof.mov", "missed.png"])
            await composer.stop()
            try await network.stop()
        }

        /// The names of the files in a channel, in their order.
        private func names(of chat: ChannelID, by client: ChatClient) async throws -> [String] {
            try await client.channel(chat).history(from: .server).events.compactMap { event in
                if case .channel(.messageSent(let message)) = event.body { message.file?.name } else { nil }
            }
        }
    }
}
