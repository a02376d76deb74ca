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
    let served: ServedCommands
    let refusals: RefusalLog
    let memory: ConnectionMemory
    private let requests = Requests()

    /// Runs the command with this name.
    func perform(_ name: String, _ request: Request, _ context: ServerContext) async -> Response {
        let address = context.address
        var slot: Requests.Slot?
        // What has reached a command is counted there.
        var isCounted = false
        do throws(WireError) {
            if let encoding = request.headers[.contentEncoding], encoding.lowercased() != "identity" {
                return HTTPAnswer.response(
                    WireError(.dataFormat, "Compressed bodies are not supported. Send plain JSON."),
                    status: .unsupportedMediaType)
            }
            try checkLength(request.headers, context)
            try memory.admitBody()
            if [LogIn.name, SignUp.name, StartVisit.name].contains(name) {
                let body = try await body(of: request, context)
                isCounted = true
                let json = try await core.measured(name) { () async throws(WireError) in
                    try await logIn(name, body, from: address)
                }
                return HTTPAnswer.response(json)
            }
            let actor = try await actor(request.headers, context)
            slot = try requests.begin(actor)
            let command = try command(name, try await body(of: request, context))
            let id = try key(of: command, request.headers)
            isCounted = true
            do throws(WireError) {
                let json = try await answer(to: command, id: id, from: actor)
                // A token may be good and its user banned: only a command that is accepted makes somebody known.
                context.noteLogin()
                return HTTPAnswer.response(json).keeping(slot, context.share)
            } catch {
                // Somebody uses a token that has been revoked, or whose user was banned or deleted.
                if [ErrorCode.tokenExpired, .userBanned, .userDeleted].contains(where: { $0 ~= error }) {
                    refusals.log(error, user: actor.user.userID, address: address, now: core.effects.now())
                }
                throw error
            }
        } catch {
            if !isCounted {
                let name = AnyCommand.isKnown(name) ? name : Metric.unknownCommand
                core.meters.add(to: .commands, name, String(error.code))
            }
            return HTTPAnswer.response(error).keeping(slot, context.share)
        }
    }

    private func answer(
        to command: AnyCommand, id: String, from actor: RoostCore.Actor
    ) async throws(WireError) -> [UInt8] {
        if case .serve(let serving) = command {
            return try await core.measured(command.name) { () async throws(WireError) in
                try await served.perform(serving, id: id, as: actor)
            }
        }
        switch await core.handle(command, id: id, from: actor) {
        case .accepted(let json): return json
        case .refused(let error): throw error
        }
    }

    /// The commands without a sender: a login with a password or a code, a new account, and a visit.
    private func logIn(_ name: String, _ body: [UInt8], from address: String?) async throws(WireError) -> [UInt8] {
        switch try AnyCommand(name: name, body: body) {
        case .serve(.logIn(let logIn)): try await served.accounts.logIn(logIn, from: address)
        case .serve(.signUp(let signUp)): try await served.accounts.signUp(signUp, from: address)
        case .serve(.startVisit(let start)): try await served.accounts.startVisit(start, from: address)
        default: throw WireError(.internalFault)
        }
    }

    /// The sender of a request, by its headers.
    func actor(_ headers: HTTPFields, _ context: ServerContext) async throws(WireError) -> RoostCore.Actor {
        do throws(WireError) {
            var actor = try await authenticated(headers)
            actor.address = context.address
            actor.origin = context.origin
            return actor
        } catch {
            if headers[.authorization] != nil {
                refusals.logLogin(error, address: context.address, origin: context.origin)
            }
            throw error
        }
    }

    private func actor(withKey text: some StringProtocol, _ headers: HTTPFields) async throws(WireError)
        -> RoostCore.Actor
    {
        guard let known = try await core.key(withHash: TokenVerifier.hash(ofKey: text)) else {
            throw WireError(.wrongCredentials, "The key is not valid. Create one with: roost key create")
        }
        var actor = RoostCore.Actor(
            user: known.user, deviceID: try device(headers), isOperator: known.key.scopes.contains(.operator))
        actor.scopes = Set(known.key.scopes)
        actor.keyName = known.key.name
        return actor
    }

    private func authenticated(_ headers: HTTPFields) async throws(WireError) -> RoostCore.Actor {
        if let authorization = headers[.authorization] {
            let parts = authorization.split(separator: " ", omittingEmptySubsequences: true)
            guard parts.count == 2, parts[0].lowercased() == "bearer" else {
                throw WireError(.notAuthenticated, "The header Authorization must be \"Bearer TOKEN\".")
            }
            if APIKey.isKey(parts[1]) { return try await actor(withKey: parts[1], headers) }
            let identity = try await verifier.verify(String(parts[1]), now: core.effects.now())
            return RoostCore.Actor(
                user: identity.user, deviceID: try device(headers), isOperator: identity.isOperator,
                access: identity.access)
        }
        guard let guest = headers[.roostGuest] else {
            throw WireError(.notAuthenticated, "Not logged in. Send \"Authorization: Bearer TOKEN\".")
        }
        guard let userID = UserID(rawValue: guest) else {
            throw WireError(.dataFormat, "The header Roost-Guest must have 1 to 64 characters of A-Z a-z 0-9 _ . @ -")
        }
        do {
            return RoostCore.Actor(
                user: try Guests.user(Guest(userID: userID, name: headers[.roostGuestName]), configuration),
                deviceID: try device(headers), isOperator: false)
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

    private func tooLarge(_ context: ServerContext) -> WireError {
        let error = WireError(
            .tooLarge, "The body is too large. It can have at most \(configuration.maxBodyBytes) bytes.")
        core.audit(error, of: "body", by: nil, address: context.address, origin: context.origin)
        return error
    }

    /// Rejects a body whose declared length is too large before reading it.
    func checkLength(_ headers: HTTPFields, _ context: ServerContext) throws(WireError) {
        guard let length = headers[.contentLength], Int(length) ?? .max > configuration.maxBodyBytes else { return }
        throw tooLarge(context)
    }

    func body(of request: Request, _ context: ServerContext) async throws(WireError) -> [UInt8] {
        let buffer: ByteBuffer
        do {
            buffer = try await request.body.collect(upTo: configuration.maxBodyBytes)
        } catch is NIOTooManyBytesError {
            throw tooLarge(context)
        } catch {
            throw WireError(.dataFormat, "The body is incomplete.")
        }
        guard buffer.readableBytes > 0 else { return Array("{}".utf8) }
        let bytes = Array(buffer.readableBytesView)
        try FrameFault.check(body: bytes)
        return bytes
    }

    private func key(of command: AnyCommand, _ headers: HTTPFields) throws(WireError) -> String {
        guard [.anywhere, .request].contains(type(of: command.value).reach) else {
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

    private func device(_ headers: HTTPFields) throws(WireError) -> DeviceID {
        guard let device = DeviceID(rawValue: headers[.roostDevice] ?? "http") else {
            throw WireError(.dataFormat, "The header Roost-Device must have 1 to 64 characters of A-Z a-z 0-9 _ . -")
        }
        return device
    }
}
