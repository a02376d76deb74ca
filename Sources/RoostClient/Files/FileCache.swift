import Foundation
import NIOCore
public import RoostWire

/// The folder in which a ``ChatClient`` keeps downloaded files.
public struct FileCacheConfiguration: Hashable, Sendable {
    /// The path of the folder; it is created if it does not exist. The files in it belong to the cache.
    public var folder: String
    /// How many bytes the files can have together; the file that is downloaded may be larger.
    public var bytes: Int64

    /// Makes a configuration of 200 MB, unless another size is given.
    public init(folder: String, bytes: Int64 = 200_000_000) {
        self.folder = folder
        self.bytes = bytes
    }
}

extension FileCacheConfiguration {
    /// The usual folder for a client.
    static func usual(for configuration: ClientConfiguration) -> FileCacheConfiguration {
        if let path = configuration.store?.file { return FileCacheConfiguration(folder: path + ".files") }
        var owner = configuration.deviceID.rawValue
        if case .guest(let guest) = configuration.credentials.kind { owner += "-" + guest.userID.rawValue }
        // The folder of the system ends with a slash on some platforms.
        let temporary = URL(fileURLWithPath: NSTemporaryDirectory()).path
        return FileCacheConfiguration(folder: temporary + "/roost-files-" + owner)
    }
}

/// Downloaded files, one per id: the least recently used ones make room for new ones.
actor FileCache {
    private struct Entry {
        var name: String
        var size: Int64
        var usedAt: Date
    }

    /// A download for which one or more callers wait.
    private struct Running {
        var promise: Promise<String>
        var task: Task<Void, Never>?
        var observers: [Int: @Sendable (TransferProgress) -> Void] = [:]
        var last: TransferProgress?
        /// Tells it from an earlier download of the same file.
        var number: Int
    }

    private let configuration: FileCacheConfiguration
    /// Nil before the folder was read.
    private var entries: [FileID: Entry]?
    private var running: [FileID: Running] = [:]
    private var counter = 0

    init(_ configuration: FileCacheConfiguration) { self.configuration = configuration }

    /// How long a part of a file is kept that no running download is known to write, in s: another process may write it.
    private static let partAge: TimeInterval = 3_600

    /// The path of a file that is there. It counts as used.
    func path(of id: FileID) throws(RoostError) -> String? {
        try read()
        guard var entry = entries?[id] else { return nil }
        let path = path(entry.name)
        guard let status = DiskFile.status(of: path), status.isRegular, status.size == entry.size else {
            entries?[id] = nil
            return nil
        }
        entry.usedAt = Date()
        entries?[id] = entry
        // The order outlives the process.
        try? FileManager.default.setAttributes([.modificationDate: entry.usedAt], ofItemAtPath: path)
        return path
    }

    /// Downloads a file, unless it is there. Callers at the same time share one transfer, which ends with the last one.
    func download(
        _ file: FileReference, with engine: SyncEngine, progress: (@Sendable (TransferProgress) -> Void)?
    ) async throws(RoostError) -> String {
        let id = file.fileID
        if let path = try path(of: id) {
            let size = entries?[id]?.size ?? 0
            progress?(TransferProgress(completedBytes: 0, totalBytes: size))
            progress?(TransferProgress(completedBytes: size, totalBytes: size))
            return path
        }
        counter += 1
        let caller = counter
        var shared = running[id] ?? start(file, with: engine, number: caller)
        let number = shared.number
        shared.observers[caller] = progress ?? { _ in }
        running[id] = shared
        if let last = shared.last { progress?(last) }
        do {
            return try await shared.promise.value
        } catch {
            leave(id, caller, number)
            throw error
        }
    }

    private func start(_ file: FileReference, with engine: SyncEngine, number: Int) -> Running {
        let promise = Promise<String>()
        let beginning = TransferProgress(completedBytes: 0, totalBytes: file.size ?? 0)
        var running = Running(promise: promise, last: beginning, number: number)
        let name = Self.name(of: file)
        let path = path(name)
        running.task = Task {
            do throws(RoostError) {
                let size = try await engine.download(file, to: path) { [weak self] progress in
                    // The reports of one transfer come one after the other; the tasks for them would not.
                    self?.assumeReported(progress, file.fileID, number)
                }
                self.finished(file.fileID, number, Entry(name: name, size: size, usedAt: Date()))
                promise.complete(.success(path))
            } catch {
                self.finished(file.fileID, number, nil)
                promise.complete(.failure(error))
            }
        }
        return running
    }

    private nonisolated func assumeReported(_ progress: TransferProgress, _ id: FileID, _ number: Int) {
        Task { await self.report(progress, id, number) }
    }

    private func report(_ progress: TransferProgress, _ id: FileID, _ number: Int) {
        guard let shared = running[id], shared.number == number,
            progress.completedBytes > shared.last?.completedBytes ?? -1
        else { return }
        running[id]?.last = progress
        for observer in shared.observers.values { observer(progress) }
    }

    private func leave(_ id: FileID, _ caller: Int, _ number: Int) {
        guard running[id]?.number == number else { return }
        running[id]?.observers[caller] = nil
        if running[id]?.observers.isEmpty == true { running.removeValue(forKey: id)?.task?.cancel() }
    }

    private func finished(_ id: FileID, _ number: Int, _ entry: Entry?) {
        if running[id]?.number == number {
            let shared = running.removeValue(forKey: id)
            if let entry, entry.size == 0 || shared?.last?.completedBytes != entry.size {
                let whole = TransferProgress(completedBytes: entry.size, totalBytes: entry.size)
                for observer in shared?.observers.values.map({ $0 }) ?? [] { observer(whole) }
            }
        }
        guard let entry else { return }
        entries?[id] = entry
        makeRoom(for: id)
    }

    /// Deletes the least recently used files until the others fit.
    private func makeRoom(for newest: FileID) {
        var total = entries?.values.reduce(0) { $0 + $1.size } ?? 0
        let oldest = entries?.sorted { ($0.value.usedAt, $0.key) < ($1.value.usedAt, $1.key) } ?? []
        for (id, entry) in oldest where total > configuration.bytes && id != newest {
            DiskFile.delete(path(entry.name))
            entries?[id] = nil
            total -= entry.size
        }
    }

    /// Deletes all files.
    func removeAll() {
        for shared in running.values { shared.task?.cancel() }
        running = [:]
        entries = nil
        try? FileManager.default.removeItem(atPath: configuration.folder)
    }

    private func path(_ name: String) -> String { configuration.folder + "/" + name }

    /// The id, with the extension that apps for this type of file expect.
    private static func name(of file: FileReference) -> String {
        let suffix =
            file.name.flatMap { MediaTypes.fileExtension($0) }
            ?? file.contentType.flatMap { MediaTypes.fileExtension(ofType: $0) }
        return file.fileID.rawValue + (suffix.map { "." + $0 } ?? "")
    }

    /// Reads which files are there, and deletes what an earlier process has not finished.
    private func read() throws(RoostError) {
        guard entries == nil else { return }
        let manager = FileManager.default
        do {
            try manager.createDirectory(
                atPath: configuration.folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw RoostError(.fileFailed, "Cannot create the folder \(configuration.folder) for downloaded files.")
        }
        #if canImport(Darwin)
            var folder = URL(fileURLWithPath: configuration.folder, isDirectory: true)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try? folder.setResourceValues(values)
        #endif
        var found: [FileID: Entry] = [:]
        for name in (try? manager.contentsOfDirectory(atPath: configuration.folder)) ?? [] {
            guard let status = DiskFile.status(of: path(name)), status.isRegular else { continue }
            let usedAt = Date(timeIntervalSince1970: Double(status.modifiedAt) / 1e9)
            if name.hasSuffix(SyncEngine.partSuffix) {
                if Date().timeIntervalSince(usedAt) > Self.partAge { DiskFile.delete(path(name)) }
                continue
            }
            guard let id = name.split(separator: ".").first.flatMap({ FileID(rawValue: String($0)) }) else { continue }
            if let other = found[id], other.usedAt > usedAt { continue }
            found[id] = Entry(name: name, size: status.size, usedAt: usedAt)
        }
        entries = found
    }
}

extension ChatClient {
    /// Downloads a file, and returns its path.
    ///
    /// Without a path it goes into the cache of this client, unless it is there; the system or other downloads may delete
    /// it from there later. With a path it is written to that path, over what is there. In either case the file appears
    /// at once, with all its bytes. After a loss the download continues where it was; while there is no connection it
    /// waits. Several downloads of one file into the cache share one transfer.
    /// - Throws: 1107 if there is no such file or the user may not read it, `fileFailed` if it cannot be written,
    ///   `cancelled`.
    @discardableResult
    public func download(
        _ file: FileReference, to path: String? = nil, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(RoostError) -> String {
        guard let path else { return try await fileCache.download(file, with: engine, progress: progress) }
        try await engine.download(file, to: path, progress: progress)
        return path
    }

    /// Downloads a file in chunks, in their order; the next one is read once `receive` returns.
    ///
    /// - Throws: as ``download(_:to:progress:)``, and what `receive` throws.
    package func download(
        _ file: FileReference, receive: ([UInt8]) async throws(RoostError) -> Void
    ) async throws(RoostError) {
        _ = try await engine.receive(file, nil) { bytes, _ throws(RoostError) in
            try await receive(Array(bytes.readableBytesView))
        }
    }

    /// The path of a file in the cache of this client; nil if it is not there. It counts as used.
    public func cachedPath(of id: FileID) async -> String? { try? await fileCache.path(of: id) }
}
