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

        @Test func `a picture and a film are picked, sent, downloaded and read, and a refused one posts nothing`()
            async throws
        {
            let folder = try TemporaryFolder()
            let server = try await ScreenServer()
            let (ann, bob) = (try await server.connectedClient(Cast.ann), try await server.connectedClient(Cast.bob))
            let chat = try await ann.startMessaging(with: Cast.bob.userID).channel
            let (model, his) = (
                ConversationModel(client: ann, channel: chat), ConversationModel(client: bob, channel: chat)
            )
            let composer = ComposerModel(client: ann, channel: chat, conversation: model)
            #expect(!model.isLoadingPrevious && model.typingLine == nil && !composer.isBusy)
            model.start()
            his.start()
            his.setVisible(true)
            composer.start()
            try await wait("the title") { model.title == Cast.bob.name && his.hasLoaded }

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
                try await wait(name) { his.items.contains { $0.file?.name == name } }
                let item = try #require(his.items.last)
                let reference = try #require(item.file)
                let bytes = try Data(contentsOf: URL(fileURLWithPath: local.path))
                #expect(item.type == type && item.extras.isEmpty)
                #expect(reference.size == Int64(bytes.count) && reference.contentType?.hasPrefix(type) == true)
                #expect(try await bob.files([reference.fileID]).first?.link.isEmpty == false)
                let copy = try await bob.download(reference, to: folder.path + "/copy")
                #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == bytes)
                // Bob's conversation is visible, so that he has read it.
                try await wait("the read mark") {
                    model.items.last?.file?.name == name && model.items.last?.unreadBy == 0
                }
            }

            // Refused: it is no picture.
            composer.attach(original: try file("wrong.png", Array("text".utf8), bytes: 100, in: folder))
            composer.send()
            try await wait("the error") { composer.problem != nil && !composer.isBusy }
            let events = try await bob.channel(chat).history(from: .server).events
            #expect(events.count { if case .channel(.messageSent) = $0.body { true } else { false } } == 2)
            await composer.stop()
        }
    }
}
