import NIOCore
import NIOHTTP1
public import RoostWire
import Synchronization

extension ChatClient {
    /// Uploads a file of this device, and returns the reference for a message.
    ///
    /// ```swift
    /// let photo = try await client.upload(LocalFile(path: "roof.jpg")) { print($0.fraction) }
    /// try await channel.send(.image(photo, text: "The new roof"))
    /// ```
    ///
    /// The bytes are sent in parts of at most 4 MiB. After a loss the upload continues where the server is; while there
    /// is no connection it waits. Cancelling the task cancels the upload, and deletes it on the server.
    ///
    /// With a `transID` of the app, the same call continues the same upload, also in another run of the app, within a
    /// day. Cancelling the task then leaves the upload to be continued. A different file needs a different transID.
    ///
    /// If no message uses the file within a day, the server deletes it.
    /// - Throws: before any byte is sent: `fileFailed` if the file is missing, empty in its name, a folder or unreadable,
    ///   7005 if it is larger than the server's `fileBytes`, 7018 if the user has too many bytes or uploads, 1119 if the
    ///   transID belongs to another file, `notConnected`. Later: `fileFailed` if the file was changed, 7023 if the server
    ///   does not accept its type, 1107 if the upload was deleted, `cancelled`.
    public func upload(
        _ file: LocalFile, as transID: TransID? = nil, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(RoostError) -> FileReference {
        guard let transID else {
            let (engine, key) = (engine, makeTransID())
            let created = Mutex<FileID?>(nil)
            do {
                return try await engine.upload(file, as: key, progress: progress) { id in
                    created.withLock { $0 = id }
                }
            } catch {
                if error.code == .cancelled { engine.deleteLater(created.withLock { $0 }, as: makeTransID()) }
                throw error
            }
        }
        return try await engine.upload(file, as: transID, continues: true, progress: progress)
    }

    /// Deletes an own upload that no message uses.
    ///
    /// It is idempotent under `transID`.
    /// - Throws: 1107 if there is no such file, it belongs to another user, or a message uses it.
    public func deleteFile(_ id: FileID, transID: TransID? = nil) async throws(RoostError) {
        _ = try await perform(DeleteFile(fileID: id), under: transID)
    }

    /// The files of these ids that the user may read, with links to download them without a token; others are left out.
    /// - Parameter ids: 1 to 100 ids.
    public func files(_ ids: [FileID]) async throws(RoostError) -> [StoredFile] {
        try await perform(GetFiles(fileIDs: ids)).files
    }
}

/// A file that is read to be uploaded.
private struct UploadSource: Sendable {
    /// The most bytes of one request: as much as one loss can cost.
    static let part: Int64 = 4 * 1_024 * 1_024
    private static let chunk = 64 * 1_024

    let file: DiskFile
    let status: DiskFile.Status
    let creation: CreateFile

    /// Checks the file before any byte is sent.
    init(_ local: LocalFile, limits: Limits) async throws(RoostError) {
        guard !local.path.isEmpty else { throw RoostError(.fileFailed, "The path of the file is empty.") }
        if let name = local.name, name.isEmpty { throw RoostError(.fileFailed, "The name of the file is empty.") }
        file = try await DiskFile.read(local.path)
        status = try file.status()
        guard status.isRegular else {
            throw RoostError(.fileFailed, "\(local.path) is not a file. Give the path of a file.")
        }
        creation = local.creation(size: status.size)
        do {
            try FileRules.check(creation, limits: limits)
        } catch {
            throw RoostError(wire: error)
        }
    }

    /// Checks that the file is as it was.
    func checkUnchanged() throws(RoostError) {
        guard DiskFile.status(of: file.path) == status, try file.status() == status else { throw changed }
    }

    private var changed: RoostError {
        RoostError(.fileFailed, "\(file.path) was changed while it was uploaded. Upload it again.")
    }

    /// The body of a request: the next part.
    func body(from offset: Int64, _ meter: TransferMeter) -> HTTPConnection.Body {
        let count = min(Self.part, status.size - offset)
        return HTTPConnection.Body(size: count) { writer in
            try checkUnchanged()
            var sent: Int64 = 0
            while sent < count {
                let bytes = try await file.read(Int(min(Int64(Self.chunk), count - sent)), at: offset + sent)
                guard bytes.readableBytes > 0 else { throw changed }
                try await writer.write(bytes)
                sent += Int64(bytes.readableBytes)
                meter.advance(to: offset + sent)
            }
            try checkUnchanged()
        }
    }
}

extension SyncEngine {
    /// Uploads a file.
    /// - Parameters:
    ///   - continues: whether some of it may have been uploaded under this transID.
    ///   - created: is told the id of the file.
    func upload(
        _ local: LocalFile, as transID: TransID, continues: Bool = false, isThumbnail: Bool = false,
        progress: (@Sendable (TransferProgress) -> Void)? = nil, created: (@Sendable (FileID) -> Void)? = nil
    ) async throws(RoostError) -> FileReference {
        let source = try await UploadSource(local, limits: limits)
        let meter = TransferMeter(total: source.status.size, isThumbnail: isThumbnail, progress)
        meter.advance(to: 0)
        let id = try await create(source.creation, transID)
        created?(id)
        // Nil if it has to be asked for.
        var offset: Int64? = continues ? nil : 0
        var highest: Int64 = 0
        var isStored = false
        let reference = try await persistently {
            highest
        } _: { connection, headers in
            let path = FileRules.path(of: id)
            while !isStored {
                let start = try await Self.position(offset, path, connection, headers)
                highest = max(highest, start)
                // An empty file is stored by an empty request.
                isStored = start == source.status.size && start > 0
                if isStored { break }
                offset = start
                // Some proxies close each connection after a response: the next one goes on from here.
                guard connection.isUsable else { throw HTTPFault.lost("The server has closed the connection.") }
                offset = nil
                let end = try await Self.append(source.body(from: start, meter), at: start, path, connection, headers)
                guard end >= start, end <= source.status.size else {
                    throw HTTPFault.invalid("The server continues the upload at a wrong position.")
                }
                offset = end
                highest = max(highest, end)
                isStored = end == source.status.size
            }
            return try await Self.reference(id, connection, headers)
        }
        meter.finish()
        return reference
    }

    /// Deletes an upload that was cancelled, if the server can be reached.
    func deleteLater(_ id: FileID?, as transID: TransID) {
        guard let id else { return }
        Task { _ = try? await ask(DeleteFile(fileID: id), transID) }
    }

    /// Creates the upload, or finds the one that this transID has created.
    private func create(_ creation: CreateFile, _ transID: TransID) async throws(RoostError) -> FileID {
        var attempts = 0
        while true {
            do {
                return try await ask(creation, transID).fileID
            } catch {
                // With the same key it happens once.
                guard error.code == .timedOut || error.isRetryable && attempts < 8, error.code != .notConnected else {
                    throw error
                }
                attempts += 1
                do {
                    try await Task.sleep(for: .milliseconds(error.retryAfterMs ?? 500))
                } catch {
                    throw RoostError(.cancelled, "The transfer was cancelled.")
                }
            }
        }
    }

    /// Where the upload continues.
    private static func position(
        _ known: Int64?, _ path: String, _ connection: HTTPConnection, _ headers: HTTPHeaders
    ) async throws -> Int64 {
        if let known { return known }
        let response = try await connection.request(.HEAD, path, headers)
        guard response.status == 200 else { throw refusal(response) }
        guard let offset = response.number("Upload-Offset"), offset >= 0 else {
            throw HTTPFault.invalid("The server does not say where the upload continues.")
        }
        return offset
    }

    private static func append(
        _ body: HTTPConnection.Body, at offset: Int64, _ path: String, _ connection: HTTPConnection,
        _ headers: HTTPHeaders
    ) async throws -> Int64 {
        var headers = headers
        headers.add(name: "Content-Type", value: "application/offset+octet-stream")
        headers.add(name: "Upload-Offset", value: "\(offset)")
        let response = try await connection.request(.PATCH, path, headers, body: body)
        guard response.status == 204 else { throw refusal(response) }
        guard let end = response.number("Upload-Offset") else {
            throw HTTPFault.invalid("The server does not say where the upload continues.")
        }
        return end
    }

    /// The file as the server knows it.
    private static func reference(
        _ id: FileID, _ connection: HTTPConnection, _ headers: HTTPHeaders
    ) async throws -> FileReference {
        let json = ByteBuffer(bytes: try WireCodec.encode(GetFiles(fileIDs: [id])))
        let body = HTTPConnection.Body(size: Int64(json.readableBytes)) { try await $0.write(json) }
        var headers = headers
        headers.add(name: "Content-Type", value: "application/json")
        let response = try await connection.request(.POST, "/v1/\(GetFiles.name)", headers, body: body)
        guard response.status == 200 else { throw refusal(response) }
        guard let answer = try? WireCodec.decode(GetFiles.Answer.self, from: response.body) else {
            throw HTTPFault.invalid("The server's answer to \(GetFiles.name) cannot be read.")
        }
        guard let file = answer.files.first?.file else {
            throw RoostError(wire: WireError(.noPrivilege, "The upload was deleted."))
        }
        return file
    }
}
