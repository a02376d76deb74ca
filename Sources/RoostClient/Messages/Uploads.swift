import Foundation
public import RoostWire

/// A file of this device for a message: it is uploaded before the message is sent.
///
/// The queue stores its path, so the file must stay there until the
/// message is sent or discarded.
public struct LocalFile: Codable, Hashable, Sendable {
    /// The path of the file.
    public var path: String
    /// The name to show, 1 to 200 UTF-16 units; by default the last part of the path.
    public var name: String?
    /// The media type, such as `image/jpeg`.
    public var contentType: String?

    /// Creates a reference to a file of this device.
    public init(path: String, name: String? = nil, contentType: String? = nil) {
        self.path = path
        self.name = name
        self.contentType = contentType
    }

    /// The placeholder for the file in a message that still waits for it.
    fileprivate var placeholder: FileReference {
        FileReference(
            fileID: "local", name: name ?? String(path.split(separator: "/").last ?? "file"), contentType: contentType)
    }
}

extension ChannelHandle {
    /// Adds a message with a file of this device to the channel's queue of sends and returns at once.
    ///
    /// ```swift
    /// client.channel(id).enqueue(uploading: LocalFile(path: photo)) { .image($0, text: "The new roof") }
    /// ```
    ///
    /// It needs a client with a store. The configuration's `upload` uploads the file
    /// as soon as there is a connection; later messages in this channel wait for
    /// it, those in other channels do not. Both steps survive the end of the process. The message
    /// is stored once, however often it is sent. If `upload` throws a retryable
    /// `RoostError`, it is called again; otherwise the message has
    /// failed, and ``ChatClient/retry(_:with:)`` uploads the file again. `content` is called
    /// once, with a placeholder for the file.
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

    private let jobs: AsyncStream<Job>
    private let input: AsyncStream<Job>.Continuation
    private let task: Task<Void, Never>

    init(_ engine: SyncEngine, _ writer: StoreWriter, upload: (@Sendable (LocalFile) async throws -> FileReference)?) {
        let (jobs, input) = AsyncStream.makeStream(of: Job.self)
        self.jobs = jobs
        self.input = input
        task = Task { [weak engine, weak writer] in
            await withDiscardingTaskGroup { waiting in
                for await job in jobs {
                    guard let upload else {
                        let error = RoostError(.invalidConfiguration, "Give the client's configuration an \"upload\".")
                        engine?.submit(.giveUp(job.transID, error))
                        continue
                    }
                    let again = await Self.work(
                        job, upload, engine: { [weak engine] in engine }, writer: { [weak writer] in writer })
                    guard let again else { continue }
                    waiting.addTask {
                        try? await Task.sleep(for: job.pause)
                        input.yield(again)
                    }
                }
            }
        }
    }

    deinit {
        input.finish()
        task.cancel()
    }

    func put(_ job: Job) { input.yield(job) }

    /// Makes one attempt; returns the job if it has to be tried again after a pause.
    private static func work(
        _ job: Job, _ upload: @Sendable (LocalFile) async throws -> FileReference, engine: () -> SyncEngine?,
        writer: () -> StoreWriter?
    ) async -> Job? {
        guard await isLive(engine()?.liveStates()) else { return nil }
        do {
            // A message that was discarded meanwhile needs no file.
            guard try await writer()?.edit({ try $0.waitsForFile(job.transID) != nil }) == true else { return nil }
            let reference = try await upload(job.file)
            let message = try await writer()?.edit { [weak engine = engine()] transaction in
                try transaction.uploaded(reference, for: job.transID, serverTime: engine?.serverTime)
            }
            if let message { engine()?.submit(.release(job.transID, message)) }
        } catch let error as RoostError where error.isRetryable {
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
    func uploaded(_ reference: FileReference, for transID: TransID, serverTime: Int64? = nil) throws -> SendMessage? {
        guard var message = try waitsForFile(transID) else { return nil }
        message.content.payload.fields.file = reference
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
