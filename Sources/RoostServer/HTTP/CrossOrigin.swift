import HTTPTypes
import Hummingbird

/// Lets the pages of allowed origins use the HTTP API: CORS, as the Fetch standard defines it.
enum CrossOrigin {
    private static let preflightHeaders: HTTPFields = [
        .accessControlAllowMethods: "GET, HEAD, POST, PATCH, DELETE",
        .accessControlAllowHeaders: [
            .authorization, .contentType, .idempotencyKey, .range, .roostDevice, .roostGuest, .roostGuestName,
            .tusResumable, .uploadLength, .uploadMetadata, .uploadOffset,
        ].map(\HTTPField.Name.rawName).joined(separator: ", "),
        .accessControlMaxAge: "7200",
    ]

    private static let exposed = [
        .acceptRanges, .contentDisposition, .contentRange, .eTag, .location, .retryAfter, .tusExtension, .tusMaxSize,
        .tusResumable, .tusVersion, .uploadExpires, .uploadLength, .uploadOffset,
    ].map(\HTTPField.Name.rawName).joined(separator: ", ")

    /// The answer to the question of a browser whether a page may send a request; nil if this is no such question, or if
    /// its origin is not allowed.
    static func preflight(_ request: Request, _ configuration: ServerConfiguration) -> Response? {
        guard request.method == .options, request.headers[.accessControlRequestMethod] != nil,
            isAllowed(request, configuration)
        else { return nil }
        return Response(status: .noContent, headers: preflightHeaders)
    }

    /// Adds the headers with which a page of an allowed origin can read an answer.
    static func addHeaders(to response: inout Response, for request: Request, _ configuration: ServerConfiguration) {
        guard !configuration.allowedOrigins.isEmpty, response.headers[.accessControlAllowOrigin] == nil else { return }
        response.headers[values: .vary].append("Origin")
        guard let origin = request.headers[.origin], isAllowed(request, configuration) else { return }
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlExposeHeaders] = exposed
    }

    private static func isAllowed(_ request: Request, _ configuration: ServerConfiguration) -> Bool {
        guard let origin = request.headers[.origin] else { return false }
        return Origins.isAllowed(origin, configuration)
    }
}
