import Foundation
import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Testing

extension Screens {
    /// The files of the field: J-39 and J-43.
    @MainActor @Suite struct AttachmentsTests {
        private func picture(_ name: String, in folder: TemporaryFolder) throws -> LocalFile {
            let path = folder.path + "/" + name
            let head: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46, 0]
            try (Data(head) + Data(name.utf8)).write(to: URL(fileURLWithPath: path))
            return LocalFile(path: path)
        }

        @Test func `the original is preferred over the edited version, and the text is the caption [J-39]`()
            async throws
        {
            let folder = try TemporaryFolder()
            let server = try await TestServer.start()
            let (ann, bob) = (try await server.client(Cast.ann), try await server.client(Cast.bob))
            let chat = try await ann.startMessaging(with: Cast.bob.userID).channel
            let composer = ComposerModel(client: ann, channel: chat)
            composer.start()
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

        @Test func `an attachment that fails posts nothing, and is retried or removed [J-43]`() async throws {
            let folder = try TemporaryFolder()
            let server = try await TestServer.start()
            let (ann, bob) = (try await server.client(Cast.ann), try await server.client(Cast.bob))
            let chat = try await ann.startMessaging(with: Cast.bob.userID).channel
            let composer = ComposerModel(client: ann, channel: chat)
            composer.start()
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
    }
}
