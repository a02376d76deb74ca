import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// Messages with files of the device: upload, then message, in the order of the lane, despite lost connections.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(1))) struct UploadsTests {
    /// An upload service that performs real uploads, and that a test can open and close.
    private final class Service: Sendable {
        private let client = Mutex<ChatClient?>(nil)

        /// Uploads with this client.
        func use(_ client: ChatClient) { self.client.withLock { $0 = client } }

        private struct State {
            var calls: [String] = []
            var waiters: [CheckedContinuation<Void, Never>] = []
            var isOpen: Bool
            var failures: [any Error] = []
            var broken: String?
        }

        private let state: Mutex<State>

        init(isOpen: Bool = true) { state = Mutex(State(isOpen: isOpen)) }

        var calls: [String] { state.withLock { $0.calls } }

        func fail(_ error: any Error) { state.withLock { $0.failures.append(error) } }

        func succeed() { state.withLock { $0.failures = [] } }

        /// Makes the upload of one file fail repeatedly.
        func fail(always path: String?) { state.withLock { $0.broken = path } }

        func open() {
            let waiters = state.withLock { state in
                state.isOpen = true
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }

        func upload(_ file: LocalFile) async throws -> FileReference {
            await withCheckedContinuation { continuation in
                let mayGo = state.withLock { state in
                    state.calls.append(file.path)
                    if !state.isOpen { state.waiters.append(continuation) }
                    return state.isOpen
                }
                if mayGo { continuation.resume() }
            }
            if state.withLock({ $0.broken == file.path }) { throw RoostError(wire: WireError(.databaseAccess)) }
            if let error = state.withLock({ $0.failures.isEmpty ? nil : $0.failures.removeFirst() }) { throw error }
            guard let client = client.withLock({ $0 }) else { throw Broken() }
            return try await client.upload(file)
        }
    }

    private struct Broken: Error {}

    private func client(
        _ harness: ServerHarness, _ user: User, _ store: LocalStore, _ service: Service
    ) async throws -> ChatClient {
        var configuration = ClientConfiguration(
            server: harness.url, credentials: .guest(user.userID, name: user.name),
            deviceID: try #require(DeviceID(rawValue: "phone")))
        configuration.store = store
        configuration.upload = { try await service.upload($0) }
        let uploader = ChatClient(
            server: harness.url, credentials: .guest(user.userID, name: user.name), deviceID: "uploader")
        try await uploader.connect()
        service.use(uploader)
        return ChatClient(configuration: configuration)
    }

    private func log(_ person: RecordingClient, _ channel: ChannelID) async throws -> [String] {
        try await person.channel(channel).history(from: .server).events.compactMap { event in
            guard case .channel(.messageSent(let message)) = event.body else { return nil }
            return message.file.map { "\(message.text)=\($0.name ?? "")" } ?? message.text
        }
    }

    private func picture(_ harness: ServerHarness, _ name: String = "roof.jpg") throws -> LocalFile {
        LocalFile(path: try TransferFile.jpeg(name, in: harness.folder), contentType: "image/jpeg")
    }

    @Test func `a message waits for its file, those behind it in the channel wait too, others do not`() async throws {
        let harness = try await ServerHarness()
        let photo = try picture(harness)
        let bob = try await harness.guest(Cast.bob)
        let cid = try await harness.guest(Cast.cid)
        let service = Service(isOpen: false)
        let store = try LocalStore.inMemory()
        let ann = try await client(harness, Cast.ann, store, service)
        try await ann.connect()
        let chat = try await ann.startMessaging(with: Cast.bob.userID).channel
        let other = try await ann.startMessaging(with: Cast.cid.userID).channel
        try await ann.channel(chat).send("before")
        let picture = ann.channel(chat).enqueue(uploading: photo) { .image($0, text: "the roof") }
        let after = ann.channel(chat).enqueue("after")
        try await ann.channel(other).send("elsewhere")
        #expect(try await log(bob, chat) == ["before"])
        #expect(try await log(cid, other) == ["elsewhere"])
        let queue = try await store.queue(in: chat)
        #expect(queue.map(\.upload) == [photo, nil])
        #expect(queue.first?.message.file?.name == "roof.jpg")
        service.open()
        _ = try await picture.sent
        _ = try await after.sent
        #expect(try await log(bob, chat) == ["before", "the roof=roof.jpg", "after"])
        #expect(service.calls == [photo.path])
        await ann.disconnect()
    }

    @Test func `the process ends before, during and after the upload, and the message is sent once`() async throws {
        let harness = try await ServerHarness()
        let photo = try picture(harness)
        let bob = try await harness.guest(Cast.bob)
        _ = try await harness.guest(Cast.ann, device: "first")
        let chat = try await bob.start(with: Cast.ann).id
        let file = harness.folder.path + "/ann.sqlite"
        // The message is written offline, and the process exits.
        var store = try await LocalStore.open(file)
        var ann: ChatClient? = try await client(harness, Cast.ann, store, Service(isOpen: false))
        try await ann?.connect()
        await ann?.disconnect()
        _ = ann?.channel(chat).enqueue(uploading: photo) { .image($0, text: "one") }
        _ = ann?.channel(chat).enqueue("two")
        try await until { try await store.queue(in: chat).count == 2 }
        ann = nil
        try store.close()
        // The next process exits in the middle of the upload.
        let hanging = Service(isOpen: false)
        store = try await LocalStore.open(file)
        ann = try await client(harness, Cast.ann, store, hanging)
        try await ann?.connect()
        try await until { !hanging.calls.isEmpty }
        await ann?.disconnect()
        ann = nil
        try store.close()
        #expect(try await log(bob, chat).isEmpty)
        // The third process completes it.
        let service = Service()
        store = try await LocalStore.open(file)
        let last = try await client(harness, Cast.ann, store, service)
        try await last.connect()
        try await until { try await store.queue(in: chat).isEmpty }
        #expect(try await log(bob, chat) == ["one=roof.jpg", "two"])
        #expect(service.calls == [photo.path])
        await last.disconnect()
        hanging.open()
    }

    @Test func `a retryable failure is retried, and a permanent one can be retried or discarded`()
        async throws
    {
        let harness = try await ServerHarness()
        let photo = try picture(harness)
        let bob = try await harness.guest(Cast.bob)
        let service = Service()
        let store = try LocalStore.inMemory()
        let ann = try await client(harness, Cast.ann, store, service)
        try await ann.connect()
        let chat = try await ann.startMessaging(with: Cast.bob.userID).channel
        service.fail(RoostError(wire: WireError(.databaseAccess)))
        _ = try await ann.channel(chat).enqueue(uploading: photo) { .image($0, text: "1") }.sent
        #expect(service.calls.count == 2)
        service.fail(Broken())
        let failed = ann.channel(chat).enqueue(uploading: photo) { .image($0, text: "2") }
        let next = ann.channel(chat).enqueue("3")
        await #expect(throws: RoostError.self) { try await failed.sent }
        _ = try await next.sent
        guard case .failed(let error)? = try await store.queue(in: chat).first?.state else {
            Issue.record("a failed upload stays in the queue")
            return
        }
        #expect(error.message.contains("could not be uploaded"))
        try await ann.retry(failed.transID)
        try await until { try await store.queue(in: chat).isEmpty }
        #expect(try await log(bob, chat) == ["1=roof.jpg", "3", "2=roof.jpg"])
        // A message that is discarded during its upload is never sent, and delays no other message.
        let shut = Service(isOpen: false)
        let again = try await client(harness, Cast.cid, try .inMemory(), shut)
        try await again.connect()
        let place = try await again.startMessaging(with: Cast.bob.userID).channel
        let gone = again.channel(place).enqueue(uploading: photo) { .document($0) }
        try await until { !shut.calls.isEmpty }
        try await again.discard(gone.transID)
        try await again.channel(place).send("on we go")
        shut.open()
        #expect(try await log(bob, place) == ["on we go"])
        for client in [ann, again] { await client.disconnect() }
    }

    @Test func `an upload that keeps failing for a deleted message does not delay others`() async throws {
        let harness = try await ServerHarness()
        let photo = try picture(harness)
        let bob = try await harness.guest(Cast.bob)
        let service = Service()
        let ann = try await client(harness, Cast.ann, try .inMemory(), service)
        try await ann.connect()
        let chat = try await ann.startMessaging(with: Cast.bob.userID).channel
        for _ in 0..<1_000 { service.fail(RoostError(wire: WireError(.databaseAccess))) }
        let gone = ann.channel(chat).enqueue(uploading: photo) { .image($0, text: "gone") }
        try await until { !service.calls.isEmpty }
        try await ann.discard(gone.transID)
        let other = try picture(harness, "other.jpg")
        let next = ann.channel(chat).enqueue(uploading: other) { .image($0, text: "next") }
        try await until { service.calls.contains(other.path) }
        service.succeed()
        _ = try await next.sent
        #expect(try await log(bob, chat) == ["next=other.jpg"])
        await ann.disconnect()
    }

    @Test func `a file that fails repeatedly delays no other channel, and is sent in the end`()
        async throws
    {
        let harness = try await ServerHarness()
        let photo = try picture(harness)
        let (bob, cid) = (try await harness.guest(Cast.bob), try await harness.guest(Cast.cid))
        let service = Service()
        service.fail(always: photo.path)
        let ann = try await client(harness, Cast.ann, try .inMemory(), service)
        try await ann.connect()
        let chat = try await ann.startMessaging(with: Cast.bob.userID).channel
        let other = try await ann.startMessaging(with: Cast.cid.userID).channel
        let stuck = ann.channel(chat).enqueue(uploading: photo) { .image($0, text: "one") }
        let behind = ann.channel(chat).enqueue("two")
        for name in ["a", "b"] {
            let file = try picture(harness, "\(name).jpg")
            _ = try await ann.channel(other).enqueue(uploading: file) { .image($0, text: name) }.sent
        }
        #expect(try await log(cid, other) == ["a=a.jpg", "b=b.jpg"])
        #expect(try await log(bob, chat).isEmpty)
        service.fail(always: nil)
        _ = try await stuck.sent
        _ = try await behind.sent
        #expect(try await log(bob, chat) == ["one=roof.jpg", "two"])
        await ann.disconnect()
    }

    @Test func `without a store it is refused with what to do`() async throws {
        let harness = try await ServerHarness()
        _ = try await harness.guest(Cast.bob)
        let plain = try await harness.guest(Cast.ann)
        let chat = try await plain.start(with: Cast.bob)
        let photo = try picture(harness)
        do {
            _ = try await chat.enqueue(uploading: photo) { .image($0) }.sent
            Issue.record("the queue needs a store")
        } catch {
            #expect(error.code == .invalidConfiguration)
            #expect(error.message.contains("store"))
        }
    }
}
