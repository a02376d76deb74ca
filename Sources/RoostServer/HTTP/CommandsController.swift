import HTTPTypes
import Hummingbird
import NIOCore
import RoostCore
import RoostWire

/// Handles `POST /v1/<command>`: the same commands as over the WebSocket.
struct CommandsController: Sendable {
    let core: Core
    let configuration: ServerConfiguration
    let verifier: TokenVerifier

    /// Runs the command with this name.
    func perform(_ name: String, _ request: Request) async -> Response {
        do throws(WireError) {
            if request.headers[.contentEncoding] != nil {
                return HTTPAnswer.response(
                    WireError(.dataFormat, "Compressed bodies are not supported. Send plain JSON."),
                    status: .unsupportedMediaType)
            }
            try checkLength(request.headers)
            let user = try await authenticate(request.headers)
            let command = try command(name, try await body(of: request))
            let id = try key(of: command, request.headers)
            let actor = RoostCore.Actor(
                user: user.user, deviceID: try device(request.headers), isOperator: user.isOperator)
            switch await core.handle(command, id: id, from: actor) {
            case .accepted(let json): return HTTPAnswer.response(json)
            case .refused(let error): throw error
            }
        } catch {
            return HTTPAnswer.response(error)
        }
    }

    func authenticate(_ headers: HTTPFields) async throws(WireError) -> (user: User, isOperator: Bool) {
        if let authorization = headers[.authorization] {
            let parts = authorization.split(separator: " ", omittingEmptySubsequences: true)
            guard parts.count == 2, parts[0].lowercased() == "bearer" else {
                throw WireError(.notAuthenticated, "The header Authorization must be \"Bearer TOKEN\".")
            }
            let identity = try await verifier.verify(String(parts[1]), now: core.effects.now())
            return (identity.user, identity.isOperator)
        }
        guard let guest = headers[.roostGuest] else {
            throw WireError(.notAuthenticated, "Not logged in. Send \"Authorization: Bearer TOKEN\".")
        }
        guard let userID = UserID(rawValue: guest) else {
            throw WireError(.dataFormat, "The header Roost-Guest must have 1 to 64 characters of A-Z a-z 0-9 _ . @ -")
        }
        do {
            return (try Guests.user(Guest(userID: userID, name: headers[.roostGuestName]), configuration), false)
        } catch {
            // The field is a header, not part of the body.
            throw error.field == nil
                ? error
                : WireError(
                    .dataFormat, "The header Roost-Guest-Name must have 1 to 200 characters and no control characters.")
        }
    }

    /// Parses the command; over HTTP an unknown command has its own error code.
    private func command(_ name: String, _ body: [UInt8]) throws(WireError) -> AnyCommand {
        do {
            return try AnyCommand(name: name, body: body)
        } catch {
            guard ErrorCode.commandNotSupported ~= error else { throw error }
            throw WireError(.unknownOperation, error.message)
        }
    }

    private var tooLarge: WireError {
        WireError(.tooLarge, "The body is too large. It can have at most \(configuration.maxBodyBytes) bytes.")
    }

    /// Rejects a body whose declared length is too large before reading it.
    private func checkLength(_ headers: HTTPFields) throws(WireError) {
        guard let length = headers[.contentLength], Int(length) ?? .max > configuration.maxBodyBytes else { return }
        throw tooLarge
    }

    private func body(of request: Request) async throws(WireError) -> [UInt8] {
        let buffer: ByteBuffer
        do {
            buffer = try await request.body.collect(upTo: configuration.maxBodyBytes)
        } catch is NIOTooManyBytesError {
            throw tooLarge
        } catch {
            throw WireError(.dataFormat, "The body is incomplete.")
        }
        guard buffer.readableBytes > 0 else { return Array("{}".utf8) }
        let bytes = Array(buffer.readableBytesView)
        try FrameFault.check(body: bytes)
        return bytes
    }

    private func key(of command: AnyCommand, _ headers: HTTPFields) throws(WireError) -> String {
        guard type(of: command.value).reach == .anywhere else {
            throw WireError(.functionUnavailable, "This command requires a WebSocket connection.")
        }
        let id = headers[.idempotencyKey]
        guard command.effect == .writes else { return id ?? "http" }
        guard let id, TransID(rawValue: id) != nil else {
            throw WireError(
                .dataFormat,
                "This command changes data: send an Idempotency-Key of 1 to 64 of A-Z a-z 0-9 _ . : -")
        }
        return id
    }

    func device(_ headers: HTTPFields) throws(WireError) -> DeviceID {
        guard let device = DeviceID(rawValue: headers[.roostDevice] ?? "http") else {
            throw WireError(.dataFormat, "The header Roost-Device must have 1 to 64 characters of A-Z a-z 0-9 _ . -")
        }
        return device
    }
}
