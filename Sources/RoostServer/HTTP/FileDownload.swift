import HTTPTypes
import Hummingbird
import NIOCore
import RoostCore
import RoostFiles
import RoostWire

/// Downloads of files, with ranges and conditions as in RFC 9110.
struct FileDownload: Sendable {
    let core: Core
    let commands: CommandsController
    let storage: FileStorage
    let downloads: Downloads
    let wrongLinks: WrongLinks

    /// Whether a request has a signed link.
    static func isLink(_ request: Request) -> Bool { request.uri.queryParameters["signature"] != nil }

    func answer(_ request: Request, id: FileID, _ context: ServerContext) async throws(WireError) -> Response {
        let actor = try await reader(of: id, request, context)
        if let refusal = core.admit(GetFiles(fileIDs: [id]).any, from: actor) { throw refusal }
        let file = try await reporting(id, actor) { () async throws(WireError) in
            try await self.file(id, for: actor, isLink: Self.isLink(request))
        }
        guard let key = file.key else { throw FileRules.missing }
        context.noteLogin()
        let tag = "\"\(id)\""
        var headers = Self.headers(of: file)
        headers[.eTag] = tag
        if let known = request.headers[.ifMatch], !HTTPAnswer.matches(known, tag) {
            return Response(status: .preconditionFailed, headers: headers)
        }
        if let known = request.headers[.ifNoneMatch], HTTPAnswer.matches(known, tag) {
            return Response(status: .notModified, headers: headers)
        }
        if let redirect = redirect(request, to: key, headers) { return redirect }
        var range = 0..<file.size
        var status = HTTPResponse.Status.ok
        let isUnchanged = request.headers[.ifRange].map { $0 == tag } ?? true
        if let header = request.headers[.range], isUnchanged, request.method == .get {
            switch ByteRange.parse(header, size: file.size) {
            case .whole: break
            case .part(let part):
                range = part
                status = .partialContent
                headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.size)"
            case .unsatisfiable:
                headers[.contentRange] = "bytes */\(file.size)"
                headers[.contentType] = nil
                return Response(status: .rangeNotSatisfiable, headers: headers)
            }
        }
        guard request.method == .get else {
            let body = ResponseBody(contentLength: range.count) { try await $0.finish(nil) }
            return Response(status: status, headers: headers, body: body)
        }
        let (part, share) = (range, context.share)
        let slot = try await reporting(id, actor) { () async throws(WireError) in
            try await downloads.begin(
                Self.isLink(request) ? .link(actor.user.userID) : .user(actor.user.userID), from: context.address,
                bytes: part.count, on: share)
        }
        return Response(
            status: status, headers: headers,
            body: body(of: id, at: key, in: part, for: actor, slot: slot, share: share))
    }

    /// The bytes of a part of a file; the slot is held until they are sent.
    private func body(
        of id: FileID, at key: String, in part: Range<Int64>, for actor: RoostCore.Actor, slot: Downloads.Slot,
        share: ConnectionMemory.Share?
    ) -> ResponseBody {
        let store = storage.store
        return ResponseBody(contentLength: part.count) { writer in
            defer { withExtendedLifetime(slot) {} }
            // A writer is used by one task at a time: `read` waits for each chunk.
            nonisolated(unsafe) var output = writer
            nonisolated(unsafe) var checked = ContinuousClock.now
            nonisolated(unsafe) var pace = Downloads.Pace(since: .now)
            try await store.read(key, in: part) { chunk in
                // Whoever was banned or has lost the right to read it meanwhile gets no more.
                if checked.duration(to: .now) > FilesController.checkInterval {
                    _ = try await core.file(id, for: actor)
                    checked = .now
                }
                try await output.write(chunk)
                await share?.settle()
                if pace.isSlow(after: chunk.readableBytes, now: .now), slot.isAwaited { throw Downloads.TooSlow() }
            }
            try await output.finish(nil)
        }
    }

    /// How long a link to the storage is valid, in seconds. A download that has begun may take longer.
    private static let redirectSeconds: Int64 = 60

    /// The answer to a link if the bytes are to come from the storage itself.
    private func redirect(_ request: Request, to key: String, _ headers: HTTPFields) -> Response? {
        guard storage.redirects, request.method == .get, Self.isLink(request),
            let link = storage.store.link(
                to: key, contentType: headers[.contentType] ?? "", disposition: headers[.contentDisposition] ?? "",
                lifetime: Self.redirectSeconds)
        else { return nil }
        return Response(
            status: .temporaryRedirect,
            headers: [
                .location: link, .cacheControl: "private, max-age=\(Self.redirectSeconds / 2)",
                .referrerPolicy: "no-referrer",
            ])
    }

    private func file(_ id: FileID, for actor: RoostCore.Actor, isLink: Bool) async throws(WireError) -> FileRow {
        do throws(WireError) {
            return try await core.file(id, for: actor)
        } catch {
            guard isLink, ErrorCode.tokenExpired ~= error else { throw error }
            throw WireError(
                .tokenExpired, "This link has ended with the logins of its user. Get a new one with file.get.")
        }
    }

    /// The user who downloads: that of a signed link, or that of a token.
    private func reader(
        of id: FileID, _ request: Request, _ context: ServerContext
    ) async throws(WireError) -> RoostCore.Actor {
        let query = request.uri.queryParameters
        if let signature = query["signature"] {
            let user: UserID, until: Int64
            do throws(WireError) {
                (user, until) = try storage.linkKey.user(
                    of: id, user: query["user"].map(String.init) ?? "", until: query["until"].map(String.init) ?? "",
                    signature: String(signature), now: core.effects.now())
            } catch {
                // Only those that were made here expire.
                guard ErrorCode.wrongCredentials ~= error else { throw error }
                throw wrongLinks.refusal(error, from: context.address, now: core.effects.now())
            }
            // A link ends with the tokens of its user, as one that was issued when it was made.
            let access = Access(tokenID: "", issuedAt: until - FileLinks.validMs, expiresAt: until)
            var actor = RoostCore.Actor(
                user: User(userID: user, name: User.usualName(of: user)), deviceID: "link", isOperator: false,
                access: access)
            (actor.address, actor.origin) = (context.address, context.origin)
            return actor
        }
        let actor = try await commands.actor(request.headers, context)
        try await reporting(id, actor) { () async throws(WireError) in try actor.check(.messages) }
        return actor
    }

    /// Reports a refusal to the audit log.
    private func reporting<T: Sendable>(
        _ id: FileID, _ actor: RoostCore.Actor, _ body: () async throws(WireError) -> T
    ) async throws(WireError) -> T {
        do throws(WireError) {
            return try await body()
        } catch {
            core.audit(error, of: "file.download", by: actor, targets: [id.rawValue])
            throw error
        }
    }

    /// Headers with which a file can do nothing but be shown or saved.
    private static func headers(of file: FileRow) -> HTTPFields {
        let isInline = FileSignatures.isShownInline(file.contentType)
        // The page's policy allows scripts and styles of this server, so no file may be taken for one.
        let type = file.contentType.lowercased()
        let isCode = type.contains("script") || type.contains("css")
        return [
            .contentType: isCode ? "application/octet-stream" : file.contentType,
            .contentDisposition: "\(isInline ? "inline" : "attachment"); filename*=UTF-8''\(encoded(file.name))",
            .acceptRanges: "bytes", .cacheControl: "private, max-age=600", .contentTypeOptions: "nosniff",
            .contentSecurityPolicy: "default-src 'none'; sandbox; frame-ancestors 'none'",
            .referrerPolicy: "no-referrer",
            // A page of another origin may show it: whoever has a link may read the file.
            .crossOriginResourcePolicy: "cross-origin",
        ]
    }

    /// A file name as a parameter of RFC 8187.
    private static func encoded(_ name: String) -> String {
        var text = ""
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                var digits: [UInt8] = []
                HexDigits.append(UInt64(byte), digits: 2, to: &digits)
                text += "%" + String(decoding: digits, as: UTF8.self).uppercased()
            }
        }
        return text
    }
}

/// The header `Range`.
enum ByteRange: Hashable {
    /// The whole file: the header is not understood, or names several ranges.
    case whole
    case part(Range<Int64>)
    case unsatisfiable

    /// Reads a header for a file of this size.
    static func parse(_ header: String, size: Int64) -> ByteRange {
        guard header.hasPrefix("bytes=") else { return .whole }
        let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }) else { return .whole }
        // A number that is too large for 64 bits is larger than any file.
        let (first, last) = (Int64(ends[0]) ?? .max, Int64(ends[1]) ?? .max)
        if ends[0].isEmpty {
            if ends[1].isEmpty { return .whole }
            guard last > 0, size > 0 else { return .unsatisfiable }
            return .part(max(0, size - last)..<size)
        }
        if ends[1].isEmpty { return first < size ? .part(first..<size) : .unsatisfiable }
        guard first <= last else { return .whole }
        guard first < size else { return .unsatisfiable }
        return .part(first..<(min(last, size - 1) + 1))
    }
}
