import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import RoostClient
import RoostCore
import RoostWire
import Synchronization

/// Passes requests for unfinished uploads on to the server that has their bytes.
///
/// The other server checks the sender of the request, as if it had come to it directly. That it is the right one, and no
/// other service at the same address, is seen from its answer, which names its spool.
final class UploadForwarder: Sendable {
    private let logger: Logger
    /// How long the other server may be silent, in seconds: it stores a complete upload.
    private let silence: Int64
    /// Whether the other server believes what a header says about the address of the client.
    private let isBehindProxy: Bool
    private let lastNotice: Mutex<ContinuousClock.Instant?> = Mutex(nil)

    /// The fields of a request that the other server needs.
    private static let requestFields: [HTTPField.Name] = [
        .authorization, .roostGuest, .roostGuestName, .roostDevice, .tusResumable, .uploadOffset, .contentType,
    ]
    /// The fields of an answer that the client gets.
    private static let answerFields: [HTTPField.Name] = [
        .tusResumable, .tusVersion, .uploadOffset, .uploadLength, .uploadExpires, .cacheControl, .contentType,
        .retryAfter, .wwwAuthenticate,
    ]

    init(isBehindProxy: Bool, silence: Int64, logger: Logger) {
        self.isBehindProxy = isBehindProxy
        self.silence = silence
        self.logger = logger
    }

    /// Passes a request for an upload on, with its body.
    /// - Parameters:
    ///   - spool: the spool that has the bytes.
    ///   - url: where its server can be reached; nil if that is not known yet.
    ///   - transID: the key of the command, if it is one.
    ///   - isThere: whether the other server still has the upload.
    /// - Returns: the answer of the other server.
    /// - Throws: `WireError` 7024 if the other server does not answer, 6 if the body has no end, and what `isThere` throws.
    func forward(
        _ request: Request, for id: FileID, to spool: String, at url: String?, transID: String?,
        _ context: ServerContext, while isThere: @escaping @Sendable () async throws -> Bool
    ) async throws(WireError) -> Response {
        // Two servers may read at different moments who has an upload that changes hands.
        guard request.headers[.uploadHolder] == nil, let url else { throw Self.unreachable }
        // Its sender is known, and the body takes its time.
        context.noteLogin()
        var message = message(request, for: id, to: spool, context)
        if let transID { message.headers.add(name: HTTPField.Name.idempotencyKey.rawName, value: transID) }
        // The other server checks now and then whether the user may go on.
        let body = request.method == .patch ? CheckedBody(base: request.body, share: context.share) {} : nil
        do {
            return try await send(message, body, to: spool, at: url, while: isThere)
        } catch let error as WireError {
            throw error
        } catch let failure as PassedRequest.Failure {
            note(failure.reason, url)
            throw Self.unreachable
        } catch {
            throw WireError(.dataFormat, "The body is incomplete. Continue the upload.")
        }
    }

    /// Sends a request, and gives it up once the other server does not have the upload any more: a server that hangs keeps
    /// its connections, and one that stores a large file is silent, too.
    private func send(
        _ message: PassedRequest, _ body: CheckedBody<RequestBody>?, to spool: String, at url: String,
        while isThere: @escaping @Sendable () async throws -> Bool
    ) async throws -> Response {
        try await withThrowingTaskGroup(of: Response?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                let answer = try await message.send(to: url, body, silence: self.silence)
                return try self.response(answer, of: spool, at: url)
            }
            group.addTask {
                repeat { try await Task.sleep(for: FilesController.checkInterval) } while try await isThere()
                return nil
            }
            guard let response = try await group.next() ?? nil else { throw Self.unreachable }
            return response
        }
    }

    private func response(
        _ answer: PassedRequest.Response, of spool: String, at url: String
    ) throws(WireError) -> Response {
        guard answer.headers.first(name: HTTPField.Name.uploadHolder.rawName) == spool else {
            note("another server answers there", url)
            throw Self.unreachable
        }
        var response = Response(status: .init(code: answer.status))
        for name in Self.answerFields {
            if let value = answer.headers.first(name: name.rawName) { response.headers[name] = value }
        }
        if !answer.body.isEmpty { response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)) }
        return response
    }

    private func message(
        _ request: Request, for id: FileID, to spool: String, _ context: ServerContext
    ) -> PassedRequest {
        var headers: HTTPHeaders = [HTTPField.Name.uploadHolder.rawName: spool]
        for name in Self.requestFields {
            if let value = request.headers[name] { headers.add(name: name.rawName, value: value) }
        }
        if isBehindProxy, let address = context.address { headers.add(name: "X-Forwarded-For", value: address) }
        return PassedRequest(
            HTTPMethod(rawValue: request.method.rawValue), FilesController.path + "/" + id.rawValue, headers,
            size: request.headers[.contentLength].flatMap { Int64($0) })
    }

    /// Logs why a request cannot be passed on, at most once in ten seconds.
    private func note(_ reason: String, _ url: String) {
        let isDue = lastNotice.withLock { last in
            if let last, last.duration(to: .now) < .seconds(10) { return false }
            last = .now
            return true
        }
        guard isDue else { return }
        logger.error(
            "an upload cannot be passed on to the server that has its first bytes: see --internal-url",
            metadata: ["url": "\(url)", "reason": "\(reason)"])
    }

    private static let unreachable = WireError(
        .fileStoreUnavailable, "The server that has the first bytes of this file does not answer. Try again.",
        retryAfterMs: 2_000)
}
