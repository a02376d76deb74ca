import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// Messages with files of the device: upload, then message, in the order of the lane, through losses and ends.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(1))) struct UploadsTests {
    /// What stands before each upload: a test opens and shuts it, and lets uploads fail.
    private final class Gate: Sendable {
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

        /// Has one file fail again and again.
        func fail(always path: String?) { state.withLock { $0.broken = path } }

        func open() {
            let waiters = state.withLock { state in
                state.isOpen = true
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }

        func pass(_ file: LocalFile) async throws {
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
        }
    }

    private struct Broken: Error {}

    private func client(_ harness: ServerHarness, _ user: User, _ store: LocalStore, _ gate: Gate?) throws
        -> ChatClient
    {
        var configuration = ClientConfiguration(
            server: harness.url, credentials: .guest(user.userID, name: user.name),
            deviceID: try #require(DeviceID(rawValue: "phone")))
        configuration.store = store
        if let gate { configuration.beforeUpload = { try await gate.pass($0) } }
        return ChatClient(configuration: configuration)
    }

    private func log(_ person: RecordingClient, _ channel: ChannelID) async throws -> [String] {
        try await person.channel(channel).history().events.compactMap { event in
            guard case .channel(.messageSent(let message)) = event.body else { return nil }
            return message.file.map { "\(message.text)=\($0.name ?? "")" } ?? message.text
        }
    }

    private let folder: TemporaryFolder
    private let photo: LocalFile

    init() throws {
        folder = try TemporaryFolder()
        photo = try Self.picture("roof", in: folder)
    }

    private static func picture(_ name: String, in folder: TemporaryFolder) throws -> LocalFile {
        let path = folder.path + "/\(name).jpg"
        try Data([0xFF, 0xD8, 0xFF, 0xE0] + Array(name.utf8)).write(to: URL(fileURLWithPath: path))
        return LocalFile(path: path)
    }

    @Test func `a message waits for its file, those behind it in the channel wait too, others do not`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        let cid = try await harness.guest(Cast.cid)
        let gate = Gate(isOpen: false)
        let store = try LocalStore.inMemory()
        let ann = try client(harness, Cast.ann, store, gate)
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
        gate.open()
        _ = try await picture.sent
        _ = try await after.sent
        #expect(try await log(bob, chat) == ["before", "the roof=roof.jpg", "after"])
        #expect(gate.calls == [photo.path])
        await ann.disconnect()
    }

    @Test func `the process ends before, during and after the upload, and the message goes out once`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        _ = try await harness.guest(Cast.ann, device: "first")
        let chat = try await bob.start(with: Cast.ann).id
        let file = harness.folder.path + "/ann.sqlite"
        // It is written without a connection, and the process ends.
        var store = try await LocalStore.open(file)
        var ann: ChatClient? = try client(harness, Cast.ann, store, Gate(isOpen: false))
        try await ann?.connect()
        await ann?.disconnect()
        _ = ann?.channel(chat).enqueue(uploading: photo) { .image($0, text: "one") }
        _ = ann?.channel(chat).enqueue("two")
        try await until { try await store.queue(in: chat).count == 2 }
        ann = nil
        try store.close()
        // The next one is in the middle of the upload when it ends.
        let hanging = Gate(isOpen: false)
        store = try await LocalStore.open(file)
        ann = try client(harness, Cast.ann, store, hanging)
        try await ann?.connect()
        try await until { !hanging.calls.isEmpty }
        await ann?.disconnect()
        ann = nil
        try store.close()
        #expect(try await log(bob, chat).isEmpty)
        // The third one finishes.
        let gate = Gate()
        store = try await LocalStore.open(file)
        let last = try client(harness, Cast.ann, store, gate)
        try await last.connect()
        try await until { try await store.queue(in: chat).isEmpty }
        #expect(try await log(bob, chat) == ["one=roof.jpg", "two"])
        #expect(gate.calls == [photo.path])
        await last.disconnect()
        hanging.open()
    }

    @Test func `a retryable failure is retried, and a permanent one can be retried or discarded`()
        async throws
    {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        let gate = Gate()
        let store = try LocalStore.inMemory()
        let ann = try client(harness, Cast.ann, store, gate)
        try await ann.connect()
        let chat = try await ann.startMessaging(with: Cast.bob.userID).channel
        gate.fail(RoostError(wire: WireError(.databaseAccess)))
        _ = try await ann.channel(chat).enqueue(uploading: photo) { .image($0, text: "1") }.sent
        #expect(gate.calls.count == 2)
        gate.fail(Broken())
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
        // What is discarded while it is uploaded never goes out, and holds nobody up.
        let shut = Gate(isOpen: false)
        let again = try client(harness, Cast.cid, try .inMemory(), shut)
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

    @Test func `an upload that goes on failing for a message that is gone does not keep others waiting`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        let gate = Gate()
        let ann = try client(harness, Cast.ann, try .inMemory(), gate)
        try await ann.connect()
        let chat = try await ann.startMessaging(with: Cast.bob.userID).channel
        for _ in 0..<1_000 { gate.fail(RoostError(wire: WireError(.databaseAccess))) }
        let gone = ann.channel(chat).enqueue(uploading: photo) { .image($0, text: "gone") }
        try await until { !gate.calls.isEmpty }
        try await ann.discard(gone.transID)
        let other = try Self.picture("other", in: folder)
        let next = ann.channel(chat).enqueue(uploading: other) { .image($0, text: "next") }
        try await until { gate.calls.contains(other.path) }
        gate.succeed()
        _ = try await next.sent
        #expect(try await log(bob, chat) == ["next=other.jpg"])
        await ann.disconnect()
    }

    @Test func `a file that fails again and again keeps no other channel waiting, and goes out in the end`()
        async throws
    {
        let harness = try await ServerHarness()
        let (bob, cid) = (try await harness.guest(Cast.bob), try await harness.guest(Cast.cid))
        let gate = Gate()
        gate.fail(always: photo.path)
        let ann = try client(harness, Cast.ann, try .inMemory(), gate)
        try await ann.connect()
        let chat = try await ann.startMessaging(with: Cast.bob.userID).channel
        let other = try await ann.startMessaging(with: Cast.cid.userID).channel
        let stuck = ann.channel(chat).enqueue(uploading: photo) { .image($0, text: "one") }
        let behind = ann.channel(chat).enqueue("two")
        for name in ["a", "b"] {
            let file = try Self.picture(name, in: folder)
            _ = try await ann.channel(other).enqueue(uploading: file) { .image($0, text: name) }.sent
        }
        #expect(try await log(cid, other) == ["a=a.jpg", "b=b.jpg"])
        #expect(try await log(bob, chat).isEmpty)
        gate.fail(always: nil)
        _ = try await stuck.sent
        _ = try await behind.sent
        #expect(try await log(bob, chat) == ["one=roof.jpg", "two"])
        await ann.disconnect()
    }

    @Test func `the upload of a message tells its progress to the end, then the message goes out [L-64]`() async throws
    {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        let gate = Gate(isOpen: false)
        let ann = try client(harness, Cast.ann, try .inMemory(), gate)
        try await ann.connect()
        let chat = try await ann.startMessaging(with: Cast.bob.userID).channel
        let path = folder.path + "/big.jpg"
        try (Data(SampleFile.bytes("big.jpg")) + Data(count: 5_000_000)).write(to: URL(fileURLWithPath: path))
        let pending = ann.channel(chat).enqueue(uploading: LocalFile(path: path)) { .image($0, text: "big") }
        let progress = ann.uploadProgress(of: pending.transID)
        gate.open()
        var steps: [TransferProgress] = []
        for await step in progress { steps.append(step) }
        let sent = try await pending.sent
        #expect(steps.last?.fraction == 1 && steps.map(\.fraction) == steps.map(\.fraction).sorted())
        #expect(steps.allSatisfy { $0.totalBytes == Int64(5_000_000 + SampleFile.bytes("big.jpg").count) })
        #expect(try await bob.message("big", in: chat).messageID == sent.messageID)
        await ann.disconnect()
    }

    @Test func `without a store it is refused with what to do`() async throws {
        let harness = try await ServerHarness()
        _ = try await harness.guest(Cast.bob)
        let plain = try await harness.guest(Cast.ann)
        let chat = try await plain.start(with: Cast.bob)
        do {
            _ = try await chat.enqueue(uploading: photo) { .image($0) }.sent
            Issue.record("the queue needs a store")
        } catch {
            #expect(error.code == .invalidConfiguration)
        }
    }

    @Test func `if a file is missing or refused, nothing is posted and the error is told [J-43 C-J10 L-61]`()
        async throws
    {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        let store = try LocalStore.inMemory()
        let ann = try client(harness, Cast.ann, store, nil)
        try await ann.connect()
        let chat = try await ann.startMessaging(with: Cast.bob.userID).channel
        let text = folder.path + "/page.png"
        try Data("<html>".utf8).write(to: URL(fileURLWithPath: text))
        let files: [(LocalFile, RoostError.Code)] = [
            (LocalFile(path: folder.path + "/missing.jpg"), .fileUnreadable),
            (LocalFile(path: folder.path), .fileUnreadable), (LocalFile(path: text), .server(.fileTypeRefused)),
        ]
        for (file, code) in files {
            let pending = ann.channel(chat).enqueue(uploading: file) { .image($0) }
            do {
                _ = try await pending.sent
                Issue.record("\(file.path) was sent")
            } catch {
                #expect(error.code == code && !error.message.isEmpty)
            }
            guard case .failed(let error)? = try await store.queue(in: chat).last?.state else {
                Issue.record("a failed upload stays in the queue")
                continue
            }
            #expect(error.code == code)
            try await ann.discard(pending.transID)
        }
        try await ann.channel(chat).send("after")
        #expect(try await log(bob, chat) == ["after"])
        await ann.disconnect()
    }
}
