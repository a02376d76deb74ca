import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Messages whose files the client uploads itself.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(1))) struct QueuedUploadsTests {
    private static let size = 12_000_000

    private func client(_ url: String, _ user: User, _ store: LocalStore) throws -> ChatClient {
        var configuration = ClientConfiguration(
            server: url, credentials: .guest(user.userID, name: user.name), deviceID: "phone")
        configuration.store = store
        return ChatClient(configuration: configuration)
    }

    private func messages(_ person: RecordingClient, _ chat: ChannelID) async throws -> [Message] {
        try await person.channel(chat).history(from: .server).events.compactMap { event in
            if case .channel(.messageSent(let message)) = event.body { message } else { nil }
        }
    }

    @Test func `the next client continues the upload, and the message is sent once [L-64]`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        let path = try TransferFile.make("film.bin", bytes: Self.size, in: harness.folder)
        let traffic = Traffic()
        let proxy = try await FaultProxy.start(
            to: harness.port, seed: SeededNumbers.seed, listener: traffic.listen())
        let file = harness.folder.path + "/ann.sqlite"
        var store = try await LocalStore.open(file)
        var ann: ChatClient? = try client(proxy.url(), Cast.ann, store)
        try await ann?.connect()
        let chat = try #require(try await ann?.startMessaging(with: Cast.bob.userID).channel)
        let pending = ann?.channel(chat).enqueue(uploading: LocalFile(path: path)) { .document($0, text: "film") }
        let key = try #require(pending?.transID)
        try await until { try await store.queue(in: chat).count == 1 }
        // More than two parts are there.
        for await progress in await ann?.uploadProgress(of: key) ?? AsyncStream(unfolding: { nil })
        where progress.completedBytes > 9_000_000 {
            break
        }
        await ann?.disconnect()
        ann = nil
        try store.close()
        let before = traffic.up
        store = try await LocalStore.open(file)
        let next = try client(proxy.url(), Cast.ann, store)
        try await next.connect()
        try await until { try await store.queue(in: chat).isEmpty }
        #expect(traffic.up - before < Self.size / 2 + 1_000_000)
        let sent = try await messages(bob, chat)
        #expect(sent.map(\.text) == ["film"])
        let reference = try #require(sent.first?.file)
        let copy = try await bob.client.download(reference, to: harness.folder.path + "/copy.bin")
        #expect(try TransferFile.bytes(copy) == TransferFile.bytes(path))
        await next.disconnect()
        try await proxy.stop()
    }

    @Test func `a picture and its thumbnail are two files, and the progress says which [L-54 LR-30]`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        let ann = try client(harness.url, Cast.ann, try .inMemory())
        try await ann.connect()
        let chat = try await ann.startMessaging(with: Cast.bob.userID).channel
        await ann.disconnect()
        let photo = LocalFile(
            path: try TransferFile.jpeg(in: harness.folder), width: 40, height: 30,
            thumbnail: try TransferFile.jpeg("small.jpg", in: harness.folder))
        let pending = ann.channel(chat).enqueue(uploading: photo) { .image($0, text: "The new roof") }
        try await until { try await ann.store?.queue(in: chat).count == 1 }
        let progress = await ann.uploadProgress(of: pending.transID)
        let seen = Task {
            var parts: Set<Bool> = []
            for await value in progress { parts.insert(value.isThumbnail) }
            return parts
        }
        try await ann.connect()
        _ = try await pending.sent
        // A slow reader gets the newest value only.
        #expect(await seen.value.contains(false))
        let message = try #require(try await messages(bob, chat).first)
        #expect(message.file?.name == "roof.jpg" && message.thumbnail?.name == "small.jpg")
        #expect(message.file?.width == 40 && message.file?.height == 30)
        for file in [message.file, message.thumbnail].compactMap({ $0 }) {
            let copy = try await bob.client.download(file, to: harness.folder.path + "/copy")
            #expect(try TransferFile.bytes(copy) == TransferFile.bytes(harness.folder.path + "/" + (file.name ?? "")))
        }
        for await _ in await ann.uploadProgress(of: pending.transID) { Issue.record("it is over") }
        await ann.disconnect()
    }

    @Test func `an upload that fails posts nothing and says why, and can be retried [J-43 C-J10]`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        let store = try LocalStore.inMemory()
        let ann = try client(harness.url, Cast.ann, store)
        try await ann.connect()
        let chat = try await ann.startMessaging(with: Cast.bob.userID).channel
        let path = harness.folder.path + "/roof.jpg"
        let failed = ann.channel(chat).enqueue(uploading: LocalFile(path: path)) { .image($0, text: "roof") }
        await #expect(throws: RoostError.self) { try await failed.sent }
        try await ann.channel(chat).send("on we go")
        guard case .failed(let error)? = try await store.queue(in: chat).first?.state else {
            Issue.record("a failed upload stays in the queue")
            return
        }
        #expect(error.code == .fileFailed)
        #expect(error.message.contains(path))
        #expect(try await messages(bob, chat).map(\.text) == ["on we go"])
        _ = try TransferFile.jpeg(in: harness.folder)
        try await ann.retry(failed.transID)
        try await until { try await store.queue(in: chat).isEmpty }
        #expect(try await messages(bob, chat).map(\.text) == ["on we go", "roof"])
        await ann.disconnect()
    }

    @Test func `discarding a message ends its upload, and a loss only pauses it [L-X5]`() async throws {
        let harness = try await ServerHarness(limits: ["uploads": 1])
        let bob = try await harness.guest(Cast.bob)
        let path = try TransferFile.make("film.bin", bytes: 20_000_000, in: harness.folder)
        let proxy = try await FaultProxy.start(
            to: harness.port, seed: SeededNumbers.seed, profile: FaultProfile { $0.bytesPerSecond = 2_000_000 })
        let ann = try client(proxy.url(), Cast.ann, try .inMemory())
        try await ann.connect()
        let chat = try await ann.startMessaging(with: Cast.bob.userID).channel
        let film = ann.channel(chat).enqueue(uploading: LocalFile(path: path)) { .document($0, text: "film") }
        try await until { try await ann.store?.queue(in: chat).count == 1 }
        for await progress in await ann.uploadProgress(of: film.transID) where progress.completedBytes > 0 { break }
        try await ann.discard(film.transID)
        for await _ in await ann.uploadProgress(of: film.transID) { Issue.record("it is over") }
        // There is room for one upload.
        try await proxy.use(.healthy)
        let small = try TransferFile.make("small.bin", bytes: 5_000_000, in: harness.folder)
        try await until { await code { try await ann.upload(LocalFile(path: small)) } == nil }
        let next = ann.channel(chat).enqueue(uploading: LocalFile(path: small)) { .document($0, text: "small") }
        try await proxy.cutAll()
        _ = try await next.sent
        #expect(try await messages(bob, chat).map(\.text) == ["small"])
        await ann.disconnect()
        try await proxy.stop()
    }
}
