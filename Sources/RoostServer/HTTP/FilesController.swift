import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import RoostCore
import RoostFiles
import RoostWire

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Uploads with tus 1.0.0: https://tus.io/protocols/resumable-upload
///
/// With the extensions creation, creation-with-upload, expiration and termination.
struct FilesController: Sendable {
    /// The path of all files.
    static let path = "/v1/files"
    /// How often a transfer that runs is checked for whether its user may still do it.
    static let checkInterval = Duration.seconds(1)

    let core: Core
    let commands: CommandsController
    let storage: FileStorage
    private let downloads: Downloads
    private let wrongLinks = WrongLinks()
    /// Nil if there are no other servers.
    private let forwarder: UploadForwarder?

    init(core: Core, commands: CommandsController, storage: FileStorage, logger: Logger) {
        self.core = core
        forwarder =
            core.spool == nil
            ? nil
            : UploadForwarder(
                isBehindProxy: commands.configuration.isBehindProxy,
                silence: commands.configuration.storeDeadline / 1_000 + 30, logger: logger)
        self.commands = commands
        self.storage = storage
        let downloads = Downloads()
        self.downloads = downloads
        commands.memory.onRoom { [weak downloads] in downloads?.useRoom() }
    }

    /// Adds the routes.
    func add(to router: Router<ServerContext>) {
        let files = RouterPath(Self.path)
        let file = RouterPath(Self.path + "/{file}")
        for path in [files, file] {
            router.on(path, method: .options) { _, _ in options() }
        }
        router.on(files, method: .post) { request, context in
            await answer(request, context) { request, actor throws(WireError) in
                try await create(request, actor, context)
            }
        }
        router.on(file, method: .patch) { request, context in
            await answer(request, context) { request, actor throws(WireError) in
                try await append(request, id: try id(context), actor, context)
            }
        }
        router.on(file, method: .delete) { request, context in
            await answer(request, context) { request, actor throws(WireError) in
                try await delete(request, id: try id(context), actor, context)
            }
        }
        router.on(file, method: .head) { request, context in
            if FileDownload.isLink(request) { return await download(request, context) }
            return await answer(request, context) { request, actor throws(WireError) in
                try await status(request, id: try id(context), actor, context)
            }
        }
        router.on(file, method: .get) { request, context in await download(request, context) }
    }

    private func id(_ context: ServerContext) throws(WireError) -> FileID {
        guard let id = context.parameters.get("file").flatMap({ FileID(rawValue: $0) }) else { throw FileRules.missing }
        return id
    }

    private func download(_ request: Request, _ context: ServerContext) async -> Response {
        do throws(WireError) {
            let download = FileDownload(
                core: core, commands: commands, storage: storage, downloads: downloads, wrongLinks: wrongLinks)
            return try await core.measured("file.download") { () async throws(WireError) in
                try await download.answer(request, id: try id(context), context)
            }
        } catch {
            return withoutBody(refuse(error), for: request)
        }
    }

    private func options() -> Response {
        Response(
            status: .noContent,
            headers: [
                .tusResumable: "1.0.0", .tusVersion: "1.0.0",
                .tusExtension: "creation,creation-with-upload,expiration,termination",
                .tusMaxSize: "\(core.configuration.limits.fileBytes)",
            ])
    }

    private func answer(
        _ request: Request, _ context: ServerContext,
        _ body: (Request, RoostCore.Actor) async throws(WireError) -> Response
    ) async -> Response {
        var response: Response
        do throws(WireError) {
            if let version = request.headers[.tusResumable], version != "1.0.0" {
                response = refuse(
                    WireError(.dataFormat, "This server speaks tus 1.0.0."), status: .preconditionFailed)
                response.headers[.tusVersion] = "1.0.0"
                return response
            }
            response = try await core.measured("file.upload") { () async throws(WireError) in
                if request.method == .post || request.method == .patch { try commands.memory.admitBody() }
                let actor = try await commands.actor(request.headers, context)
                do throws(WireError) {
                    try actor.check(.messages)
                } catch {
                    core.audit(error, of: "file.upload", by: actor)
                    throw error
                }
                return try await body(request, actor)
            }
            if response.status.code < 400 { context.noteLogin() }
        } catch {
            response = refuse(error)
        }
        response.headers[.tusResumable] = "1.0.0"
        // Another server that has passed the request on wants to know who answers.
        if request.headers[.uploadHolder] != nil { response.headers[.uploadHolder] = core.spool }
        return withoutBody(response, for: request)
    }

    /// The answer to a HEAD has no body.
    private func withoutBody(_ response: Response, for request: Request) -> Response {
        guard request.method == .head else { return response }
        return Response(status: response.status, headers: response.headers)
    }

    /// A file that one may not see does not exist.
    private func refuse(_ error: WireError, status: HTTPResponse.Status? = nil) -> Response {
        var response = HTTPAnswer.response(error, status: error.code == ErrorCode.noPrivilege.code ? .notFound : status)
        response.headers[.tusResumable] = "1.0.0"
        return response
    }

    private func create(
        _ request: Request, _ actor: RoostCore.Actor, _ context: ServerContext
    ) async throws(WireError) -> Response {
        guard let size = request.headers[.uploadLength].flatMap({ Int64($0) }) else {
            throw WireError(.dataFormat, field: "Upload-Length", "The header Upload-Length must be the size in bytes.")
        }
        let metadata = try UploadMetadata(request.headers[.uploadMetadata] ?? "")
        let transID =
            request.headers[.idempotencyKey] ?? TransID(now: core.effects.now(), random: core.effects.random()).rawValue
        let command = CreateFile(
            name: metadata.filename ?? "file", size: size,
            contentType: metadata.filetype.flatMap { $0.isEmpty ? nil : $0 })
        let json: [UInt8]
        switch await core.handle(command.any, id: transID, from: actor) {
        case .accepted(let bytes): json = bytes
        case .refused(let error): throw error
        }
        guard let upload = try? WireCodec.decode(FileUpload.self, from: json) else { throw WireError(.internalFault) }
        var response = HTTPAnswer.response(json, status: .created)
        response.headers[.location] = upload.path
        response.headers[.uploadExpires] = Self.httpDate(upload.expiresAt)
        if Self.hasBytes(request) || size == 0 {
            let row = try await core.upload(upload.fileID, of: actor)
            switch try await holder(of: row, for: actor) {
            case .here: break
            case .nobody: try await takeOver(row, at: 0)
            // It was created before, under the same key.
            case .other: throw WireError(.uploadOffset)
            }
            response.headers[.uploadOffset] = "\(try await receive(request, row, at: 0, as: actor, context))"
        }
        return response
    }

    private static func hasBytes(_ request: Request) -> Bool {
        request.headers[.contentType] == offsetType
            && (request.headers[.contentLength] ?? "1") != "0"
    }

    private static let offsetType = "application/offset+octet-stream"

    private func append(
        _ request: Request, id: FileID, _ actor: RoostCore.Actor, _ context: ServerContext
    ) async throws(WireError) -> Response {
        guard request.headers[.contentType] == Self.offsetType else {
            return refuse(
                WireError(.dataFormat, "The Content-Type must be \(Self.offsetType)."), status: .unsupportedMediaType)
        }
        guard let offset = request.headers[.uploadOffset].flatMap({ Int64($0) }), offset >= 0 else {
            throw WireError(.dataFormat, field: "Upload-Offset", "The header Upload-Offset must be 0 or more.")
        }
        if let refusal = core.admit(GetFiles(fileIDs: [id]).any, from: actor) { throw refusal }
        let upload = try await core.upload(id, of: actor)
        switch try await holder(of: upload, for: actor) {
        case .here: break
        case .nobody: try await takeOver(upload, at: offset)
        case .other(let spool, let url):
            return try await forward(request, for: upload, to: spool, at: url, actor, context)
        }
        let end = try await receive(request, upload, at: offset, as: actor, context)
        return Response(
            status: .noContent, headers: [.uploadOffset: "\(end)", .uploadExpires: expiry(of: upload)])
    }

    /// The server that has the bytes of an upload; this one, if all have arrived.
    private func holder(of upload: FileRow, for actor: RoostCore.Actor) async throws(WireError) -> UploadHolder {
        upload.key == nil ? try await core.holder(of: upload, for: actor) : .here
    }

    /// Lets this server have the bytes of an upload that no other one has.
    /// - Throws: `WireError` 7025 if it cannot go on there, or another server takes it over at the same time; the client then
    ///   asks where it can.
    private func takeOver(_ upload: FileRow, at offset: Int64) async throws(WireError) {
        guard try await self.offset(of: upload, .nobody) == offset, try await core.hold(upload) else {
            throw WireError(.uploadOffset)
        }
        guard upload.spool != nil else { return }
        do {
            // What this server has had before the one that has ended does not count.
            try await storage.spool.delete(upload.id.rawValue)
        } catch {
            throw FileStorage.refusal(for: error)
        }
    }

    /// Where an unfinished upload ends that is here or nowhere.
    private func offset(of upload: FileRow, _ holder: UploadHolder) async throws(WireError) -> Int64 {
        // A server that was alone before may have some of it.
        if holder == .nobody, upload.spool != nil { return 0 }
        do {
            return try await storage.spool.offset(of: upload.id.rawValue)
        } catch {
            throw FileStorage.refusal(for: error)
        }
    }

    private func forward(
        _ request: Request, for upload: FileRow, to spool: String, at url: String?, transID: String? = nil,
        _ actor: RoostCore.Actor, _ context: ServerContext
    ) async throws(WireError) -> Response {
        guard let forwarder else { throw WireError(.internalFault) }
        return try await forwarder.forward(
            request, for: upload.id, to: spool, at: url, transID: transID, context
        ) { [core] in
            let now = try await core.upload(upload.id, of: actor)
            // The answer is on its way.
            if now.key != nil { return true }
            if case .other(spool, _) = try await core.holder(of: now, for: actor) { return true }
            return false
        }
    }

    /// Checks that a user may still add bytes to an upload, and that they go here.
    private func check(_ upload: FileRow, for actor: RoostCore.Actor) async throws(WireError) {
        let now = try await core.upload(upload.id, of: actor)
        guard core.spool == nil || now.key != nil || now.spool == core.spool else { throw WireError(.uploadOffset) }
    }

    /// Adds the body of a request to an upload, and stores the file if it is complete.
    /// - Returns: where the upload ends now.
    private func receive(
        _ request: Request, _ upload: FileRow, at offset: Int64, as actor: RoostCore.Actor, _ context: ServerContext
    ) async throws(WireError) -> Int64 {
        // The core has just let this user upload, and the body takes its time.
        context.noteLogin()
        do throws(WireError) {
            return try await store(request, upload, at: offset, as: actor, context)
        } catch {
            core.audit(error, of: "file.upload", by: actor, targets: [upload.id.rawValue])
            throw error
        }
    }

    private func store(
        _ request: Request, _ upload: FileRow, at offset: Int64, as actor: RoostCore.Actor, _ context: ServerContext
    ) async throws(WireError) -> Int64 {
        if upload.key != nil {
            guard offset == upload.size else { throw WireError(.uploadOffset) }
            return upload.size
        }
        if let length = request.headers[.contentLength].flatMap({ Int64($0) }), length > upload.size - offset {
            throw tooLong(upload)
        }
        let end: Int64
        do {
            let body = CheckedBody(base: request.body, share: context.share) {
                try await check(upload, for: actor)
            }
            end = try await storage.spool.append(body, to: upload.id.rawValue, at: offset, size: upload.size)
        } catch let error as WireError {
            throw error
        } catch let error as FileStoreError {
            throw FileStorage.refusal(for: error)
        } catch UploadError.tooLong {
            throw tooLong(upload)
        } catch is UploadError {
            throw WireError(.uploadOffset)
        } catch {
            throw WireError(.dataFormat, "The body is incomplete. Continue the upload.")
        }
        if end == upload.size {
            // The user may have been banned since it began.
            try await check(upload, for: actor)
            try await storage.finish(upload, core)
        }
        return end
    }

    private func tooLong(_ upload: FileRow) -> WireError {
        WireError(.tooLarge, "The body has more bytes than the file, which has \(upload.size).")
    }

    private func status(
        _ request: Request, id: FileID, _ actor: RoostCore.Actor, _ context: ServerContext
    ) async throws(WireError) -> Response {
        if let refusal = core.admit(GetFiles(fileIDs: [id]).any, from: actor) { throw refusal }
        let upload = try await core.upload(id, of: actor)
        let holder = try await holder(of: upload, for: actor)
        if case .other(let spool, let url) = holder {
            return try await forward(request, for: upload, to: spool, at: url, actor, context)
        }
        var offset = upload.size
        if upload.key == nil {
            offset = try await self.offset(of: upload, holder)
            // The storage could not be reached when the last byte arrived.
            if offset == upload.size, upload.size > 0 {
                if holder == .nobody { try await takeOver(upload, at: offset) }
                try await storage.finish(upload, core)
            }
        }
        return Response(
            status: .ok,
            headers: [
                .uploadOffset: "\(offset)", .uploadLength: "\(upload.size)", .cacheControl: "no-store",
                .uploadExpires: expiry(of: upload),
            ])
    }

    private func delete(
        _ request: Request, id: FileID, _ actor: RoostCore.Actor, _ context: ServerContext
    ) async throws(WireError) -> Response {
        let transID =
            request.headers[.idempotencyKey] ?? TransID(now: core.effects.now(), random: core.effects.random()).rawValue
        // Another server frees its disk at once if it is asked, and within an hour if it cannot be.
        if forwarder != nil, let upload = try? await core.upload(id, of: actor),
            case .other(let spool, let url)? = try? await holder(of: upload, for: actor),
            let response = try? await forward(
                request, for: upload, to: spool, at: url, transID: transID, actor, context),
            response.status.code < 500
        {
            return response
        }
        if case .refused(let error) = await core.handle(DeleteFile(fileID: id).any, id: transID, from: actor) {
            throw error
        }
        return Response(status: .noContent)
    }

    private func expiry(of upload: FileRow) -> String {
        Self.httpDate(Date(milliseconds: upload.expiresAt ?? core.effects.now()))
    }

    /// A date as RFC 9110 writes it.
    static func httpDate(_ date: Date) -> String {
        let seconds = date.milliseconds.dividedFloored(by: 1_000)
        let days = seconds.dividedFloored(by: 86_400)
        let (year, month, day) = civil(days)
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int(((days % 7) + 7) % 7)]
        let name = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][month - 1]
        let time = Int(seconds - days * 86_400)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return
            "\(weekday), \(two(day)) \(name) \(year) \(two(time / 3_600)):\(two(time / 60 % 60)):\(two(time % 60)) GMT"
    }

    /// The date of a number of days since 1970.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int, day: Int) {
        // Days since 1 March of the year 0, in eras of 400 years.
        let shifted = days + 719_468
        let era = shifted.dividedFloored(by: 146_097)
        let ofEra = shifted - era * 146_097
        let year = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let part = (5 * ofYear + 2) / 153
        let month = Int(part < 10 ? part + 3 : part - 9)
        return (era * 400 + year + (month <= 2 ? 1 : 0), month, Int(ofYear - (153 * part + 2) / 5 + 1))
    }
}

extension Int64 {
    fileprivate func dividedFloored(by divisor: Int64) -> Int64 {
        (self < 0 ? self - divisor + 1 : self) / divisor
    }
}

/// The header `Upload-Metadata`: pairs of a key and a base64 value.
struct UploadMetadata {
    var filename: String?
    var filetype: String?

    /// - Throws: `WireError` 6.
    init(_ header: String) throws(WireError) {
        for pair in header.split(separator: ",") {
            let parts = pair.split(separator: " ")
            guard let key = parts.first?.lowercased(), parts.count <= 2 else { throw Self.malformed }
            // What other keys have does not matter.
            guard ["filename", "name", "filetype", "type"].contains(key) else { continue }
            var value = ""
            if parts.count == 2 {
                guard let data = Data(base64Encoded: String(parts[1])) else { throw Self.malformed }
                value = String(decoding: data, as: UTF8.self)
            }
            if key.hasSuffix("name") { filename = filename ?? value } else { filetype = filetype ?? value }
        }
    }

    private static let malformed = WireError(
        .dataFormat, field: "Upload-Metadata", "The header Upload-Metadata must contain keys with values in base64.")
}

extension HTTPField.Name {
    static let tusResumable = files("Tus-Resumable")
    static let tusVersion = files("Tus-Version")
    static let tusExtension = files("Tus-Extension")
    static let tusMaxSize = files("Tus-Max-Size")
    static let uploadLength = files("Upload-Length")
    static let uploadOffset = files("Upload-Offset")
    static let uploadMetadata = files("Upload-Metadata")
    static let uploadExpires = files("Upload-Expires")
    /// The spool to which a server passes a request on, and that of the server which answers.
    static let uploadHolder = files("Roost-Upload-Holder")
    static let contentSecurityPolicy = files("Content-Security-Policy")
    static let contentTypeOptions = files("X-Content-Type-Options")
    static let referrerPolicy = files("Referrer-Policy")

    private static func files(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("The name is a token.") }
        return name
    }
}
