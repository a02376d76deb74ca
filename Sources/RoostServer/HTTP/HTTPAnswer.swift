import HTTPTypes
import Hummingbird
import NIOCore
import RoostWire

/// HTTP responses for answers and errors.
enum HTTPAnswer {
    /// `{"error":{…}}`
    static func json(_ error: WireError) -> [UInt8] { WireCodec.encodeFailure(id: nil, error: error) }

    /// The number of seconds after which a client may retry.
    static func retryAfter(_ error: WireError) -> Int? {
        error.retryAfterMs.map { ($0 + 999) / 1_000 }
    }

    /// The HTTP status for an error.
    static func status(_ error: WireError) -> HTTPResponse.Status {
        switch error {
        case .wrongCredentials, .notAuthenticated, .tokenExpired, .wrongPassword: .unauthorized
        case .noPrivilege, .blocked, .userBanned, .userDeleted: .forbidden
        case .wrongEndpoint, .unknownOperation, .channelNotFound, .messageNotFound, .userNotFound,
            .broadcastNotFound, .scheduleNotFound, .noAccount, .reportNotFound,
            .deviceNotFound:
            .notFound
        case .channelIDExists, .duplicateTransID, .orderBroken, .uploadOffset, .accountExists: .conflict
        case .tooLarge: .contentTooLarge
        case .tooManyRequests: .tooManyRequests
        case .databaseAccess, .accountDatabase, .draining, .fileStoreUnavailable: .serviceUnavailable
        case .storageFull: .serviceUnavailable
        case .unknown, .internalFault: .internalServerError
        default: .badRequest
        }
    }

    /// A response with a JSON body.
    static func response(_ json: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }

    /// A response for an error.
    static func response(_ error: WireError, status: HTTPResponse.Status? = nil) -> Response {
        let status = status ?? self.status(error)
        var response = response(json(error), status: status)
        if status == .serviceUnavailable || status == .tooManyRequests {
            response.headers[.retryAfter] = "\(retryAfter(error) ?? 1)"
        }
        if status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        return response
    }

    /// Whether a list of entity tags contains this one, or all.
    static func matches(_ header: String, _ tag: String) -> Bool {
        header.split(separator: ",").contains { part in
            let known = part.trimmingPrefix { $0 == " " }
            return known == "*" || known == tag || known == "W/" + tag
        }
    }
}

extension HTTPField.Name {
    /// A guest's user id, in development mode.
    static let roostGuest = name("Roost-Guest")
    /// A guest's name.
    static let roostGuestName = name("Roost-Guest-Name")
    /// The id of the sending device.
    static let roostDevice = name("Roost-Device")
    /// The transID of a command.
    static let idempotencyKey = name("Idempotency-Key")

    static let crossOriginOpenerPolicy = name("Cross-Origin-Opener-Policy")
    static let crossOriginResourcePolicy = name("Cross-Origin-Resource-Policy")
    static let frameOptions = name("X-Frame-Options")
    static let permissionsPolicy = name("Permissions-Policy")

    /// The header with which the gate marks a forbidden request. A request that already has it is also refused.
    static let roostRefused = name("Roost-Refused")

    private static func name(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("The name is a token.") }
        return name
    }
}
