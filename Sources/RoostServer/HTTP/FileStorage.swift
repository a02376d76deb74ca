import Crypto
import Logging
import RoostCore
package import RoostFiles
import RoostWire
import Synchronization

/// Moves the bytes of files between requests, the spool of unfinished uploads and the storage.
package struct FileStorage: Sendable {
    let spool: UploadSpool
    let store: any FileStore
    /// The key of its links.
    package let linkKey: FileLinkKey
    /// The media types that may be uploaded, such as `image/*`; nil for all.
    let types: [String]?
    /// Whether links are answered with a redirect to the storage, if it gives links.
    let redirects: Bool
    /// Looks at pictures; nil if nothing is to be known of them.
    let thumbnailer: Thumbnailer?
    private let finishing = FinishingUploads()

    package init(
        spool: UploadSpool, store: any FileStore, linkKey: FileLinkKey, types: [String]? = nil,
        redirects: Bool = false, thumbnailer: Thumbnailer? = nil
    ) {
        self.spool = spool
        self.store = store
        self.linkKey = linkKey
        self.types = types
        self.redirects = redirects
        self.thumbnailer = thumbnailer
    }

    /// Checks the folders and the storage.
    /// - Throws: `FileStoreError`.
    package func prepare() async throws(FileStoreError) {
        try await store.prepare()
        try await spool.prepare()
        try await thumbnailer?.prepare()
    }

    /// Looks, ten seconds after the start, for the programs that make thumbnails, so that the log names them or what is
    /// missing. The first picture does so earlier; the start does not wait for it.
    func findTools() async {
        guard let thumbnailer, (try? await Task.sleep(for: .seconds(10))) != nil else { return }
        await thumbnailer.findTools()
    }

    /// Stores an upload of which all bytes have arrived, with what is known of them. If that is being done already, it
    /// waits for it.
    /// - Throws: `WireError` 7023 if this server does not accept their type; 7007 or 7024 if they cannot be stored now.
    func finish(_ upload: FileRow, _ core: Core) async throws(WireError) {
        let result = await finishing.run(upload.id) {
            do throws(WireError) {
                try await complete(upload, core)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private func complete(_ upload: FileRow, _ core: Core) async throws(WireError) {
        let id = upload.id.rawValue
        do {
            let (hash, head) = try await spool.digest(of: id)
            let claimed = upload.contentType == FileRow.anyType ? nil : upload.contentType
            let type = FileSignatures.type(of: head, claimed: claimed)
            guard accepts(type) else {
                try await core.discardUpload(upload.id, of: upload.owner)
                throw WireError(.fileTypeRefused, "This server does not accept files of this type.")
            }
            var bytes = UploadedBytes(hash: hash, contentType: type)
            if let thumbnailer {
                if case .facts(let facts) = await thumbnailer.look(at: spool.file(of: id), type: type, id: id) {
                    (bytes.width, bytes.height, bytes.blurHash) = (facts.width, facts.height, facts.blurHash)
                    bytes.durationMs = facts.durationMs
                    if let made = facts.thumbnail {
                        let own = FileID(random: core.effects.random(), core.effects.random())
                        // If the upload fails now, these are bytes that no file has, which are deleted within hours.
                        try await store.store(fileAt: made.path, size: made.size, as: own.rawValue)
                        bytes.thumbnail = UploadedBytes.Thumbnail(
                            id: own, size: made.size, hash: made.hash, contentType: made.contentType, width: made.width,
                            height: made.height)
                    }
                }
                await thumbnailer.discard(id)
            }
            let key = Self.key(of: upload.id, hash)
            try await store.store(fileAt: spool.file(of: id), size: upload.size, as: key)
            let kept = try await core.completeUpload(upload.id, of: upload.owner, bytes, storedAs: key)
            try await spool.delete(id)
            if kept != key { try await store.delete(key) }
        } catch {
            if let thumbnailer { await thumbnailer.discard(id) }
            switch error {
            case let error as WireError: throw error
            case let error as FileStoreError: throw Self.refusal(for: error)
            default: throw WireError(.unknown)
            }
        }
    }

    /// The key of the bytes of an upload. If two servers or requests store it, other bytes have another key, so neither
    /// replaces what the other one has stored; and an attempt that was interrupted leaves nothing behind.
    private static func key(of id: FileID, _ hash: [UInt8]) -> String {
        SHA256.hash(data: Array(id.rawValue.utf8) + hash).prefix(16).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    private func accepts(_ type: String) -> Bool {
        guard let types else { return true }
        return types.contains { $0 == type || $0.hasSuffix("/*") && type.hasPrefix($0.dropLast()) }
    }

    static func refusal(for error: FileStoreError) -> WireError {
        switch error.kind {
        case .full: WireError(.storageFull, "The server's disk is full. Try again later.", retryAfterMs: 5_000)
        case .missing, .unavailable: WireError(.fileStoreUnavailable, retryAfterMs: 2_000)
        }
    }
}

/// The uploads that are being finished.
///
/// A client may ask for the state of an upload, or send its last bytes again, while it is being finished. And if the
/// connection of the one who sent the last byte is lost, the upload is finished anyway.
private final class FinishingUploads: Sendable {
    private let tasks = Mutex<[FileID: Task<Result<Void, WireError>, Never>]>([:])

    func run(
        _ id: FileID, _ body: @escaping @Sendable () async -> Result<Void, WireError>
    ) async -> Result<Void, WireError> {
        let task = tasks.withLock { tasks in
            if let task = tasks[id] { return task }
            let task = Task {
                let result = await body()
                self.tasks.withLock { $0[id] = nil }
                return result
            }
            tasks[id] = task
            return task
        }
        return await task.value
    }
}

/// Deletes bytes that no file has any more.
///
/// The core notes the keys in the transaction that deletes the last file, so none is forgotten. Once an hour, bytes are
/// looked for of which the database knows nothing.
final class FileRemoval: Sendable {
    private let core: Core
    private let storage: FileStorage
    private let logger: Logger
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init(_ core: Core, _ storage: FileStorage, logger: Logger) {
        self.core = core
        self.storage = storage
        self.logger = logger
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        core.onBytesRemoved { [signal] in signal.yield() }
    }

    /// How long bytes of which the database knows nothing are kept, in ms: an upload is stored before it is noted.
    private static let grace: Int64 = 3_600_000

    /// Deletes bytes until its task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { tasks in
            tasks.addTask {
                self.signal.yield()
                for await _ in self.signals { await self.deleteRemoved() }
            }
            tasks.addTask {
                while !Task.isCancelled {
                    await self.deleteUnknown()
                    try? await Task.sleep(for: .milliseconds(Self.grace))
                }
            }
        }
    }

    private func deleteRemoved() async {
        do {
            while true {
                let keys = try await core.removedBytes(limit: 100)
                if keys.isEmpty { return }
                for key in keys { try await delete(key) }
                try await core.forgetRemovedBytes(keys)
            }
        } catch {
            // The server stops.
            if Task.isCancelled { return }
            logger.error("bytes of files could not be deleted, trying again", metadata: ["error": "\(error)"])
            try? await Task.sleep(for: .seconds(10))
            signal.yield()
        }
    }

    private func delete(_ key: String) async throws {
        try await storage.store.delete(key)
        try await storage.spool.delete(key)
    }

    private func deleteEnded(in spool: UploadSpool, before: Int64) async throws {
        for key in try await core.endedUploads(try await spool.ids(changedBefore: before)) {
            try await spool.delete(key)
        }
    }

    private func deleteUnknown() async {
        do {
            let before = core.effects.now() - Self.grace
            try await deleteEnded(in: storage.spool, before: before)
            guard try await core.takes("files", every: Self.grace) else { return }
            // Of servers that are gone.
            for spool in try await storage.spool.siblings() { try await deleteEnded(in: spool, before: before) }
            var last = ""
            while !Task.isCancelled {
                let keys = try await storage.store.keys(after: last, limit: 1_000, storedBefore: before)
                guard let end = keys.last else { return }
                let unknown = try await core.unknownBytes(keys)
                for key in unknown { try await storage.store.delete(key) }
                if !unknown.isEmpty {
                    logger.warning("deleted bytes of unknown files", metadata: ["count": "\(unknown.count)"])
                }
                last = end
            }
        } catch {
            if Task.isCancelled { return }
            logger.error("the storage for files could not be checked", metadata: ["error": "\(error)"])
        }
    }
}
