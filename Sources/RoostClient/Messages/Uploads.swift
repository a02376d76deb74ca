import Foundation
public import RoostWire

/// A file of this device that goes out with a message: it is uploaded first.
///
/// The queue remembers its path, so the file must stay where it is until the
/// message is sent or discarded.
public struct LocalFile: Codable, Hashable, Sendable {
    /// Where it lies.
    public var path: String
    /// The name to show, 1 to 200 UTF-16 units; the path's last part when absent.
    public var name: String?
    /// What is in it, as `image/jpeg`.
    public var contentType: String?

    /// Creates a reference to a file of this device.
    public init(path: String, name: String? = nil, contentType: String? = nil) {
        self.path = path
        self.name = name
        self.contentType = contentType
    }

    /// What stands for the file in a message that still waits for it.
    fileprivate var placeholder: FileReference {
        FileReference(
            fileID: "local", name: name ?? String(path.split(separator: "/").last ?? "file"), contentType: contentType)
    }
}

extension ChannelHandle {
    /// Puts a message with a file of this device into the channel's lane and returns at once: upload, then message.
    ///
    /// ```swift
    /// client.channel(id).enqueue(uploading: LocalFile(path: photo)) { .image($0, text: "The new roof") }
    /// ```
    ///
    /// For a client with a store. The file goes through the configuration's `upload`
    /// as soon as there is a connection; messages behind it in this channel wait for
    /// it, those of other channels do not. Both steps outlive the process, and each
    /// is done once for the server, however often it is tried. What `upload` throws
    /// is tried again when it is a `RoostError` that says so; else the message has
    /// failed, and ``ChatClient/retry(_:with:)`` uploads anew. `content` is called
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
/// What fails and may be tried again makes room for the others meanwhile.
final class Uploads: Sendable {
    struct Job: Sendable {
        var transID: TransID
        var file: LocalFile
        /// How long to wait before it is tried again.
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

    /// Tries once; answers what is to be tried again after the pause.
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
