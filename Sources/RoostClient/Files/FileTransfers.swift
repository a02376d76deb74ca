import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
public import RoostWire
import Synchronization

/// How much of a file has been transferred.
public struct TransferProgress: Hashable, Sendable {
    /// The number of bytes that have been transferred; it never decreases.
    public var completedBytes: Int64
    /// The size of the file in bytes.
    public var totalBytes: Int64

    /// Creates a progress.
    public init(completedBytes: Int64, totalBytes: Int64) {
        self.completedBytes = completedBytes
        self.totalBytes = totalBytes
    }

    /// The completed part, 0 to 1; 1 for an empty file.
    public var fraction: Double { totalBytes > 0 ? Double(completedBytes) / Double(totalBytes) : 1 }
}

extension ChatClient {
    /// Uploads a file of this device, to be named in messages.
    ///
    /// The bytes travel in parts. After a lost connection the upload continues where the server's copy ends, and waits
    /// as long as the client is offline; so it does after a restart of the app, if the same `transID` is given. Cancelling the
    /// task ends the upload and deletes what has arrived. A file that no message uses is deleted after a day.
    /// - Parameter progress: called at the start, at most once per part of 128 KiB, and at the end, on any thread.
    /// - Returns: the file as the server has stored it.
    /// - Throws: `RoostError` `.fileUnreadable` if there is no such file, before anything is sent; 7005, 7018, 7023 or
    ///   another refusal of the server; `.cancelled`.
    public func upload(
        _ file: LocalFile, transID: TransID? = nil, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(RoostError) -> FileReference {
        try await engine.upload(file, transID: transID ?? makeTransID(), progress: progress)
    }

    /// Downloads a file to a path of this device.
    ///
    /// The file appears there when it is complete. After a lost connection the download continues where it was interrupted.
    /// - Parameters:
    ///   - path: where to store it; an existing file is replaced.
    ///   - progress: called at the start, at most once per part, and at the end, on any thread.
    /// - Throws: `RoostError` 1107 if the file does not exist or the user may not read it; `.fileUnreadable` if it
    ///   cannot be stored; `.cancelled`.
    public func download(
        _ file: FileID, to path: String, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(RoostError) {
        try await engine.download(file, to: path, progress: progress)
    }

    /// The progress of the upload that a message of the queue waits for, from now on; it ends with the upload.
    public func uploadProgress(of message: TransID) -> AsyncStream<TransferProgress> {
        guard let uploads = engine.uploads.withLock({ $0 }) else { return AsyncStream { $0.finish() } }
        return uploads.progress(of: message)
    }

    /// Reads files that the user may read, with links to download them; others are left out.
    /// - Parameter files: 1 to 100 ids.
    public func files(_ files: [FileID]) async throws(RoostError) -> [StoredFile] {
        try await perform(GetFiles(fileIDs: files)).files
    }

    /// Deletes an own file that no message uses.
    /// - Throws: `RoostError` 1107 if there is no such file, or it is used.
    public func delete(_ file: FileID) async throws(RoostError) { _ = try await perform(DeleteFile(fileID: file)) }
}

extension SyncEngine {
    /// The most bytes of one request: what a lost connection costs at most.
    private static let partBytes: Int64 = 4 << 20

    func upload(
        _ file: LocalFile, transID: TransID, progress: (@Sendable (TransferProgress) -> Void)?
    ) async throws(RoostError) -> FileReference {
        let status = try LocalFiles.status(of: file.path)
        let create = CreateFile(
            name: file.shownName, size: status.size, contentType: file.shownType, width: file.width,
            height: file.height, durationMs: file.durationMs, blurHash: file.blurHash)
        do {
            try FileRules.check(create, limits: limits)
        } catch {
            throw RoostError(wire: error)
        }
        let upload = try await ask(create, id: transID.rawValue)
        let meter = ProgressMeter(total: status.size, progress)
        do {
            try await send(file, status, to: upload, meter)
            let stored = try await ask(GetFiles(fileIDs: [upload.fileID]), id: "r" + transID.rawValue).files.first
            guard let stored else { throw RoostError(wire: FileRules.missing) }
            meter.finish()
            return stored.file
        } catch let error as RoostError {
            if error.code == .cancelled {
                // Best effort: what is not deleted now expires.
                submit(.perform(DeleteFile(fileID: upload.fileID).any, id: transID.rawValue + ".x", Promise<[UInt8]>()))
            }
            throw error
        } catch {
            throw RoostError(.uploadFailed, "The file could not be uploaded: \(error)")
        }
    }

    private func send(
        _ file: LocalFile, _ status: (size: Int64, changedAt: Date?), to upload: FileUpload, _ meter: ProgressMeter
    ) async throws {
        var retries = TransferRetries()
        var offset: Int64 = 0
        repeat {
            do {
                guard try LocalFiles.status(of: file.path) == status else { throw LocalFiles.changed }
                let range = offset..<min(status.size, offset + Self.partBytes)
                let base = offset
                let sent = Mutex<Int64>(0)
                let exchange = HTTPExchange(
                    method: .PATCH, path: upload.path,
                    headers: [
                        ("Tus-Resumable", "1.0.0"), ("Upload-Offset", "\(offset)"),
                        ("Content-Type", "application/offset+octet-stream"),
                    ], body: LocalFilePart(path: file.path, range: range))
                let response = try await transfer(exchange) { count in
                    meter.update(
                        base
                            + sent.withLock {
                                $0 += Int64(count)
                                return $0
                            })
                }
                guard let end = response.headers.first(name: "Upload-Offset").flatMap({ Int64($0) }), end >= offset,
                    end <= status.size
                else { throw RoostError(.invalidAnswer, "The server's answer to an upload cannot be read.") }
                offset = end
                retries.succeeded()
            } catch let error as RoostError where error.isRetryable {
                try await retries.wait(self, error)
                do {
                    let head = HTTPExchange(
                        method: .HEAD, path: upload.path, headers: [("Tus-Resumable", "1.0.0")])
                    let response = try await transfer(head)
                    offset = response.headers.first(name: "Upload-Offset").flatMap { Int64($0) } ?? offset
                } catch let error as RoostError where error.isRetryable {}
            }
        } while offset < status.size
    }

    func download(
        _ file: FileID, to path: String, progress: (@Sendable (TransferProgress) -> Void)?
    ) async throws(RoostError) {
        // A name of its own, so that two downloads to one path do not mix their bytes.
        let part = path + ".\(file).part"
        do {
            let target = try DownloadTarget(part)
            defer { target.discard() }
            try await receive(file, into: target, progress)
            try target.move(to: path)
        } catch let error as RoostError {
            throw error
        } catch {
            throw RoostError(.fileUnreadable, "The file cannot be stored: \(error.localizedDescription)")
        }
    }

    private func receive(
        _ file: FileID, into target: DownloadTarget, _ progress: (@Sendable (TransferProgress) -> Void)?
    ) async throws {
        var retries = TransferRetries()
        var meter: ProgressMeter?
        while true {
            let start = target.count
            do {
                if meter == nil {
                    let known = try await ask(GetFiles(fileIDs: [file]), id: "r-file-\(file)").files.first
                    guard let size = known?.file.size else { throw RoostError(wire: FileRules.missing) }
                    meter = ProgressMeter(total: size, progress)
                }
                guard let meter else { return }
                if start == meter.total, start > 0 { return meter.finish() }
                var headers: [(name: String, value: String)] = []
                if start > 0 { headers = [("Range", "bytes=\(start)-"), ("If-Range", "\"\(file)\"")] }
                let exchange = HTTPExchange(method: .GET, path: FileRules.path(of: file), headers: headers)
                let response = try await transfer(exchange) { chunk in
                    try target.append(chunk)
                    meter.update(target.count)
                }
                guard response.status == (start > 0 ? 206 : 200), target.count == meter.total else {
                    throw RoostError(.invalidAnswer, "The server's answer to a download cannot be read.")
                }
                return meter.finish()
            } catch let error as RoostError where error.isRetryable {
                if target.count > start { retries.succeeded() }
                try await retries.wait(self, error)
            }
        }
    }

    /// Runs a request as this user; a token that has expired is replaced once.
    /// - Throws: `RoostError`: a refusal of the server, or `.unreachable`.
    private func transfer(
        _ exchange: HTTPExchange, sent: @Sendable (Int) -> Void = { _ in },
        receive: (@Sendable (ByteBuffer) async throws -> Void)? = nil
    ) async throws -> HTTPExchange.Response {
        guard let address else { throw RoostError(.invalidConfiguration, "The server's address cannot be read.") }
        var isRepeated = false
        while true {
            var exchange = exchange
            exchange.headers += try await credentialHeaders()
            let response = try await exchange.run(address, on: loop, sent: sent, receive: receive)
            if (200..<300).contains(response.status) { return response }
            guard response.status == 401, !isRepeated else { throw Self.refusal(response) }
            isRepeated = true
        }
    }

    private func transfer(
        _ exchange: HTTPExchange, receive: @escaping @Sendable (ByteBuffer) async throws -> Void
    ) async throws -> HTTPExchange.Response {
        try await transfer(exchange, sent: { _ in }, receive: receive)
    }

    private static func refusal(_ response: HTTPExchange.Response) -> RoostError {
        struct Refusal: Decodable { var error: WireError }
        if let refusal = try? WireCodec.decode(Refusal.self, from: response.body) {
            return RoostError(wire: refusal.error)
        }
        // HEAD has no body.
        let isTemporary = response.status >= 500 || response.status == 429 || response.status == 409
        return response.status == 404
            ? RoostError(wire: FileRules.missing)
            : RoostError(
                .uploadFailed, "The server refused the transfer with the HTTP status \(response.status).",
                isRetryable: isTemporary)
    }
}

/// The pauses between the attempts of a transfer.
private struct TransferRetries {
    private var pause = Duration.milliseconds(250)
    private var failures = 0

    /// Notes progress: the next pause is short again.
    mutating func succeeded() { (pause, failures) = (.milliseconds(250), 0) }

    /// Waits before the next attempt; after several failures, also until the client is connected.
    /// - Throws: `RoostError` `.notConnected` if the client was disconnected, `.cancelled`.
    mutating func wait(_ engine: SyncEngine, _ error: RoostError) async throws {
        let least = error.retryAfterMs.map { Duration.milliseconds($0) } ?? .zero
        do {
            try await Task.sleep(for: max(least, pause * Double.random(in: 0.5...1)))
        } catch {
            throw RoostError(.cancelled, "The transfer was cancelled.")
        }
        pause = min(pause * 2, .seconds(15))
        failures += 1
        var batch = Batch(subscription: engine.liveStates())
        while let state = await batch.next() {
            switch state {
            case .live: return
            case .connecting, .catchingUp: if failures <= 3 { return }
            case .offline: throw RoostError(.notConnected, "The client is not connected. Call connect() first.")
            }
        }
        throw RoostError(.cancelled, "The transfer was cancelled.")
    }
}

/// Reports the progress of a transfer; it never goes back, even if bytes are sent again.
private final class ProgressMeter: Sendable {
    let total: Int64
    private let report: (@Sendable (TransferProgress) -> Void)?
    private let best = Mutex<Int64>(-1)

    init(total: Int64, _ report: (@Sendable (TransferProgress) -> Void)?) {
        self.total = total
        self.report = report
        update(0)
    }

    func update(_ count: Int64) {
        // The last byte counts when the server has confirmed the file.
        let count = min(count, max(0, total - 1))
        let isNew = best.withLock { best in
            defer { best = max(best, count) }
            return count > best
        }
        if isNew { report?(TransferProgress(completedBytes: count, totalBytes: total)) }
    }

    func finish() { report?(TransferProgress(completedBytes: total, totalBytes: total)) }
}

/// The file that a download is written to until it is complete.
private final class DownloadTarget: Sendable {
    private let path: String
    private let state: Mutex<(handle: FileHandle, count: Int64)>

    init(_ path: String) throws {
        self.path = path
        try? FileManager.default.removeItem(atPath: path)
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: path)
        else {
            throw RoostError(.fileUnreadable, "The file cannot be stored at \"\(path)\". Is there such a folder?")
        }
        state = Mutex((handle, 0))
    }

    var count: Int64 { state.withLock { $0.count } }

    func append(_ bytes: ByteBuffer) throws {
        try state.withLock { state in
            try state.handle.write(contentsOf: Data(bytes.readableBytesView))
            state.count += Int64(bytes.readableBytes)
        }
    }

    func move(to target: String) throws {
        try state.withLock { try $0.handle.close() }
        if rename(path, target) != 0 {
            throw RoostError(.fileUnreadable, "The file cannot be stored at \"\(target)\".")
        }
    }

    func discard() {
        try? state.withLock { try $0.handle.close() }
        try? FileManager.default.removeItem(atPath: path)
    }
}
