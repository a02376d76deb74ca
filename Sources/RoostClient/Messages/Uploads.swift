import Foundation
public import RoostWire
import Synchronization

extension ChannelHandle {
    /// Puts a message with a file of this device into the channel's lane and returns at once: upload, then message.
    ///
    /// ```swift
    /// client.channel(id).enqueue(uploading: LocalFile(path: photo)) { .image($0, text: "The new roof") }
    /// ```
    ///
    /// For a client with a store. The file is uploaded as soon as there is a connection; messages behind it in this
    /// channel wait for it, those of other channels do not. Both steps survive the process: the upload continues where it
    /// was interrupted, and the message is sent once. If the server refuses the file, the message has failed, and
    /// ``ChatClient/retry(_:with:)`` uploads it again; ``ChatClient/discard(_:)`` ends the upload. `content` is called
    /// once, with a reference that only stands for the file.
    public func enqueue(
        uploading file: LocalFile, replyTo: MessageID? = nil, extras: [String: String]? = nil,
        category: String? = nil, transID: TransID? = nil, content: (FileReference) -> MessageContent
    ) -> PendingMessage {
        let transID = transID ?? client.makeTransID()
        let send = SendMessage(
            content(file.placeholder), to: id, replyTo: replyTo, extras: extras, category: category)
        return PendingMessage(
            transID: transID, channel: id, promise: client.enqueue(send, transID: transID, uploading: file))
    }
}

/// Uploads the files that messages wait for, one after the other in the order of their messages.
///
/// If an upload fails and may be tried again, the others go first.
final class Uploads: Sendable {
    struct Job: Sendable {
        var transID: TransID
        var file: LocalFile
        /// How long to wait before it is tried again.
        var pause = Duration.seconds(1)

        /// The key of the upload: after a restart, the same message continues the same upload.
        var uploadID: TransID { TransID(rawValue: transID.rawValue.prefix(60) + ".f") ?? transID }
    }

    private struct Current {
        var transID: TransID
        var task: Task<FileReference, any Error>
    }

    private struct State {
        var current: Current?
        /// The last known progress, and who wants to know more.
        var progress: [TransID: TransferProgress] = [:]
        var readers: [TransID: [AsyncStream<TransferProgress>.Continuation]] = [:]
    }

    private let jobs: AsyncStream<Job>
    private let input: AsyncStream<Job>.Continuation
    private let task: Task<Void, Never>
    private let state: Mutex<State>

    init(_ engine: SyncEngine, _ writer: StoreWriter, before: (@Sendable (LocalFile) async throws -> Void)?) {
        let (jobs, input) = AsyncStream.makeStream(of: Job.self)
        self.jobs = jobs
        self.input = input
        state = Mutex(State())
        let box = WeakBox()
        task = Task { [weak engine, weak writer] in
            await withDiscardingTaskGroup { waiting in
                for await job in jobs {
                    let again = await Self.work(
                        job, before, uploads: { box.uploads }, engine: { [weak engine] in engine },
                        writer: { [weak writer] in writer })
                    guard let again else {
                        box.uploads?.finish(job.transID)
                        continue
                    }
                    waiting.addTask {
                        try? await Task.sleep(for: job.pause)
                        input.yield(again)
                    }
                }
            }
        }
        box.set(self)
    }

    deinit {
        input.finish()
        task.cancel()
        for readers in state.withLock({ $0.readers.values }) { for reader in readers { reader.finish() } }
    }

    /// The uploads, without keeping them.
    private final class WeakBox: Sendable {
        private struct Weak { weak var uploads: Uploads? }
        private let value = Mutex(Weak())

        var uploads: Uploads? { value.withLock { $0.uploads } }

        func set(_ uploads: Uploads) { value.withLock { $0.uploads = uploads } }
    }

    func put(_ job: Job) { input.yield(job) }

    /// Ends the upload of a message that was discarded.
    func cancel(_ transID: TransID) {
        let task = state.withLock { $0.current?.transID == transID ? $0.current?.task : nil }
        task?.cancel()
        finish(transID)
    }

    /// The progress of a message's upload from now on; it ends with the upload.
    func progress(of transID: TransID) -> AsyncStream<TransferProgress> {
        let (stream, reader) = AsyncStream.makeStream(of: TransferProgress.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            if let known = state.progress[transID] { reader.yield(known) }
            state.readers[transID, default: []].append(reader)
        }
        return stream
    }

    private func report(_ progress: TransferProgress, of transID: TransID) {
        let readers = state.withLock { state in
            state.progress[transID] = progress
            return state.readers[transID] ?? []
        }
        for reader in readers { reader.yield(progress) }
    }

    private func finish(_ transID: TransID) {
        let readers = state.withLock { state in
            state.progress[transID] = nil
            return state.readers.removeValue(forKey: transID) ?? []
        }
        for reader in readers { reader.finish() }
    }

    private func run(_ job: Job, _ upload: @escaping @Sendable () async throws -> FileReference) async throws
        -> FileReference
    {
        let task = Task { try await upload() }
        state.withLock { $0.current = Current(transID: job.transID, task: task) }
        defer { state.withLock { $0.current = nil } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Tries once.
    /// - Returns: what is to be tried again after the pause, if anything.
    private static func work(
        _ job: Job, _ before: (@Sendable (LocalFile) async throws -> Void)?,
        uploads: @escaping @Sendable () -> Uploads?, engine: @escaping @Sendable () -> SyncEngine?,
        writer: () -> StoreWriter?
    ) async -> Job? {
        guard await isLive(engine()?.liveStates()) else { return nil }
        do {
            // A message that was discarded in the meantime needs no file.
            guard try await writer()?.edit({ try $0.waitsForFile(job.transID) != nil }) == true else { return nil }
            let reference = try await uploads()?.run(job) {
                try await before?(job.file)
                guard let engine = engine() else { throw RoostError(.disconnected, "The client is gone.") }
                return try await engine.upload(job.file, transID: job.uploadID) { progress in
                    uploads()?.report(progress, of: job.transID)
                }
            }
            guard let reference else { return nil }
            let message = try await writer()?.edit { [weak engine = engine()] transaction in
                try transaction.uploaded(reference, for: job.transID, serverTime: engine?.serverTime)
            }
            if let message { engine()?.submit(.release(job.transID, message)) }
        } catch let error as RoostError where error.isRetryable || isInterruption(error) {
            var job = job
            job.pause = min(job.pause * 2, .seconds(60))
            return job
        } catch {
            let known = error as? RoostError
            let refusal = known ?? RoostError(.uploadFailed, "The file could not be uploaded. Try again.")
            engine()?.submit(.giveUp(job.transID, refusal))
        }
        return nil
    }

    /// Whether the upload can continue when the client is connected again.
    private static func isInterruption(_ error: RoostError) -> Bool {
        [.notConnected, .disconnected, .timedOut, .unreachable, .cancelled].contains(error.code)
    }

    /// Waits for a connection; false when the client is gone.
    private static func isLive(_ states: Subscription<ConnectionState>?) async -> Bool {
        guard let states else { return false }
        var batch = Batch(subscription: states)
        while let state = await batch.next() { if state == .live { return true } }
        return false
    }
}

// Sends that wait for their files.
extension SyncStateMachine {
    /// The file is there: the message may go.
    mutating func release(_ transID: TransID, _ message: SendMessage, now: Int64) {
        lanes.release(transID.rawValue, message)
        pump(message.channel, now: now)
    }

    /// The file will not come.
    mutating func giveUp(_ transID: TransID, _ error: RoostError, now: Int64) {
        guard let entry = lanes.remove(transID.rawValue) else { return }
        fail(entry, error)
        pump(entry.command.channel, now: now)
    }
}

extension LocalTransaction {
    /// Puts the uploaded file into a message of the queue; answers the message, or nothing when it is not there.
    func uploaded(_ reference: FileReference, for transID: TransID, serverTime: Int64? = nil) throws -> SendMessage? {
        guard var message = try waitsForFile(transID) else { return nil }
        message.content.payload.fields.file = reference
        try setUploaded(message, transID, serverTime: serverTime)
        return message
    }

    /// The message of the queue when its file is still to come.
    fileprivate func waitsForFile(_ transID: TransID) throws -> SendMessage? {
        guard let queued = try LocalStore.queued(transID, db), queued.upload != nil, queued.state == .sending else {
            return nil
        }
        return queued.message
    }
}
