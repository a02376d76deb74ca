public import RoostWire
import Synchronization

extension ChannelHandle {
    /// Adds a message with a file of this device to the channel's queue of sends and returns at once.
    ///
    /// ```swift
    /// client.channel(id).enqueue(uploading: LocalFile(path: photo)) { .image($0, text: "The new roof") }
    /// ```
    ///
    /// It needs a client with a store. The file, and its thumbnail if it has one, are uploaded as soon as there is a
    /// connection; later messages in this channel wait for it, those in other channels do not. Both steps survive the
    /// end of the process: the upload continues where it was, and the message is sent once. A lost connection pauses
    /// the upload. After any other error the message has failed: nothing is sent, and ``ChatClient/retry(_:with:)``
    /// uploads again; ``ChatClient/discard(_:)`` cancels the upload. ``ChatClient/uploadProgress(of:)`` reports the
    /// progress. `content` is called once, with a placeholder for the file; the thumbnail is added to an image, a video
    /// or a contact.
    public func enqueue(
        uploading file: LocalFile, replyTo: MessageID? = nil, extras: [String: String]? = nil,
        category: String? = nil, transID: TransID? = nil, content: (FileReference) -> MessageContent
    ) -> PendingMessage {
        let transID = transID ?? client.makeTransID()
        let send = SendMessage(
            content(file.placeholder), to: id, replyTo: replyTo, extras: extras, category: category)
        return client.enqueue(send, transID: transID, uploading: file)
    }
}

extension ChatClient {
    /// The progress of the upload for a message of the queue, from now on, of its thumbnail first.
    ///
    /// It ends when the files are uploaded, when the message has failed or is discarded, and at once if nothing is
    /// uploaded for this key. A slow reader gets the newest value.
    public func uploadProgress(of transID: TransID) async -> AsyncStream<TransferProgress> {
        guard let progress = engine.uploadProgress(of: transID) else { return AsyncStream { $0.finish() } }
        let isWaiting = try? await engine.writer?.edit { try $0.waitsForFile(transID) != nil }
        if isWaiting != true { engine.endUploadProgress(of: transID) }
        return progress
    }
}

/// Uploads the files of waiting messages, one at a time in the order of their messages.
///
/// While a failed upload waits for its next attempt, the others continue.
final class Uploads: Sendable {
    struct Job: Sendable {
        var transID: TransID
        var file: LocalFile
        /// How long to wait before the next attempt.
        var pause = Duration.seconds(1)
    }

    private struct State {
        /// The upload that runs.
        var current: (transID: TransID, task: Task<Job?, Never>)?
        var discarded: Set<TransID> = []
        var observers: [TransID: [AsyncStream<TransferProgress>.Continuation]] = [:]
    }

    private let input: AsyncStream<Job>.Continuation
    private let state: SharedState
    private let task: Task<Void, Never>

    /// The state, which the task has too; a reference to the uploads would keep them alive forever.
    private final class SharedState: Sendable {
        let value = Mutex(State())
    }

    init(_ engine: SyncEngine, _ writer: StoreWriter) {
        let (jobs, input) = AsyncStream.makeStream(of: Job.self)
        self.input = input
        let state = SharedState()
        self.state = state
        task = Task { [weak engine, weak writer] in
            await withDiscardingTaskGroup { waiting in
                for await job in jobs {
                    let attempt = Task {
                        await Self.work(
                            job, state, engine: { [weak engine] in engine }, writer: { [weak writer] in writer })
                    }
                    state.value.withLock { $0.current = (job.transID, attempt) }
                    let again = await withTaskCancellationHandler {
                        await attempt.value
                    } onCancel: {
                        attempt.cancel()
                    }
                    state.value.withLock { $0.current = nil }
                    guard let again, !Task.isCancelled else {
                        Self.finishProgress(of: job.transID, state)
                        continue
                    }
                    waiting.addTask {
                        try? await Task.sleep(for: job.pause)
                        input.yield(again)
                    }
                }
            }
        }
    }

    deinit { end() }

    func put(_ job: Job) { input.yield(job) }

    /// Ends the work; what is uploaded stays to be continued.
    func end() {
        input.finish()
        task.cancel()
    }

    /// Ends the upload for a message that is discarded, and deletes what was uploaded.
    func cancel(_ transID: TransID) {
        let running = state.value.withLock { state -> Task<Job?, Never>? in
            guard state.current?.transID == transID else { return nil }
            state.discarded.insert(transID)
            return state.current?.task
        }
        running?.cancel()
        finishProgress(of: transID)
    }

    func progress(of transID: TransID) -> AsyncStream<TransferProgress> {
        let (progress, observer) = AsyncStream.makeStream(
            of: TransferProgress.self, bufferingPolicy: .bufferingNewest(1))
        state.value.withLock { $0.observers[transID, default: []].append(observer) }
        return progress
    }

    func finishProgress(of transID: TransID) { Self.finishProgress(of: transID, state) }

    private static func finishProgress(of transID: TransID, _ state: SharedState) {
        for observer in state.value.withLock({ $0.observers.removeValue(forKey: transID) }) ?? [] { observer.finish() }
    }

    private static func report(_ progress: TransferProgress, of transID: TransID, _ state: SharedState) {
        for observer in state.value.withLock({ $0.observers[transID] }) ?? [] { observer.yield(progress) }
    }

    /// Makes one attempt; returns the job if it has to be tried again after a pause.
    private static func work(
        _ job: Job, _ state: SharedState, engine: () -> SyncEngine?, writer: () -> StoreWriter?
    ) async -> Job? {
        guard await isLive(engine()?.liveStates()) else { return nil }
        do {
            // A message that was discarded meanwhile needs no file.
            guard try await writer()?.edit({ try $0.waitsForFile(job.transID) != nil }) == true, let engine = engine()
            else { return nil }
            let thumbnail = try await upload(job.file.thumbnailFile, of: job, isThumbnail: true, engine, state)
            guard let file = try await upload(job.file, of: job, isThumbnail: false, engine, state) else { return nil }
            let message = try await writer()?.edit { [weak engine = engine] transaction in
                try transaction.uploaded(
                    file, thumbnail: thumbnail, for: job.transID, serverTime: engine?.serverTime)
            }
            if let message { engine.submit(.release(job.transID, message)) }
        } catch {
            if Task.isCancelled { return nil }
            if let known = error as? RoostError, known.isRetryable || pausing.contains(known.code) {
                var job = job
                job.pause = min(job.pause * 2, .seconds(60))
                return job
            }
            let known = error as? RoostError
            let refusal = known ?? RoostError(.uploadFailed, "The file could not be uploaded. Try again.")
            engine()?.submit(.giveUp(job.transID, refusal))
        }
        return nil
    }

    /// What a client without a connection says; the upload continues with the next one.
    private static let pausing: [RoostError.Code] = [.notConnected, .disconnected, .timedOut, .cancelled]

    /// Uploads a file, if there is one, or continues its upload.
    private static func upload(
        _ file: LocalFile?, of job: Job, isThumbnail: Bool, _ engine: SyncEngine, _ state: SharedState
    ) async throws -> FileReference? {
        guard let file else { return nil }
        if let upload = engine.configuration.upload { return try await upload(file) }
        let created = Mutex<FileID?>(nil)
        let report: @Sendable (TransferProgress) -> Void = { Self.report($0, of: job.transID, state) }
        // An upload that was deleted, because it was too old or of another type, is created again under another key.
        for attempt in 1... {
            let key = key(of: job.transID, isThumbnail: isThumbnail, attempt)
            do {
                return try await engine.upload(
                    file, as: key, continues: true, isThumbnail: isThumbnail, progress: report
                ) { id in created.withLock { $0 = id } }
            } catch let error where error.code == .server(.noPrivilege) && attempt < 5 {
                continue
            } catch {
                let isDiscarded = state.value.withLock { $0.discarded.remove(job.transID) != nil }
                if isDiscarded { engine.deleteLater(created.withLock { $0 }, as: TransID(derived: "d", from: key)) }
                throw error
            }
        }
        return nil
    }

    /// The key of an upload: the same one in every run of the app.
    private static func key(of transID: TransID, isThumbnail: Bool, _ attempt: Int) -> TransID {
        TransID(derived: (isThumbnail ? "t" : "f") + "\(attempt)", from: transID)
    }

    /// Waits for a connection; returns false if the client was deallocated.
    private static func isLive(_ states: Subscription<ConnectionState>?) async -> Bool {
        guard let states else { return false }
        var batch = Batch(subscription: states)
        while let state = await batch.next() { if state == .live { return true } }
        return false
    }
}

// Sends that wait for their files.
extension SyncStateMachine {
    /// The file is uploaded: the message may be sent.
    mutating func release(_ transID: TransID, _ message: SendMessage, now: Int64) {
        lanes.release(transID.rawValue, message)
        pump(message.channel, now: now)
    }

    /// The upload has failed.
    mutating func giveUp(_ transID: TransID, _ error: RoostError, now: Int64) {
        guard let entry = lanes.remove(transID.rawValue) else { return }
        fail(entry, error)
        pump(entry.command.channel, now: now)
    }
}

extension LocalTransaction {
    /// Sets the uploaded file in a message of the queue; returns the message, or nil if it is not in the queue.
    func uploaded(
        _ file: FileReference, thumbnail: FileReference? = nil, for transID: TransID, serverTime: Int64? = nil
    ) throws -> SendMessage? {
        guard var message = try waitsForFile(transID) else { return nil }
        message.content.payload.fields.file = file
        switch message.content.payload {
        case .image, .video, .contact: if let thumbnail { message.content.payload.fields.thumbnail = thumbnail }
        default: break
        }
        try setUploaded(message, transID, serverTime: serverTime)
        return message
    }

    /// The message in the queue, if its file is not uploaded yet.
    fileprivate func waitsForFile(_ transID: TransID) throws -> SendMessage? {
        guard let queued = try LocalStore.queued(transID, db), queued.upload != nil, queued.state == .sending else {
            return nil
        }
        return queued.message
    }
}

extension TransID {
    /// Makes the key of the upload for a message: always the same for the same message.
    package init(uploadFor message: TransID) { self.init(derived: "f1", from: message) }

    /// Makes a key from another one: always the same, 1 to 64 characters.
    init(derived prefix: String, from other: TransID) {
        var text = prefix + ":" + other.rawValue
        if text.utf8.count > 64 {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in other.rawValue.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            text = prefix + ":" + String(hash, radix: 16) + ":" + String(other.rawValue.suffix(40))
        }
        // The characters are those of a key, and there are not more than 64.
        self = TransID(rawValue: text) ?? other
    }
}
