import HTTPTypes
import Hummingbird
import RoostCore
import RoostWire

/// Keeps users of this server's page signed in: a cookie that no script can read gets tokens for ten minutes.
///
/// `POST /v1/refresh/start` logs in with a password, a code, a token or an answer of the identity provider, and sets the
/// cookie; `/v1/refresh/token` answers with a token; `/v1/refresh/end` logs out; `/v1/refresh/provider` says where the provider
/// is. Only the pages of this server may use them: see ``Origins``.
struct RefreshController: Sendable {
    /// How long a token is valid, in seconds.
    static let tokenSeconds: Int64 = 600
    private static let leewayMs = TokenClaims.leeway * 1_000
    /// How long an operator stays signed in, in ms.
    static let operatorMs: Int64 = 12 * 3_600_000

    let commands: CommandsController
    private let tokens: RefreshTokens
    private let issuer: TokenIssuer

    init(commands: CommandsController) {
        self.commands = commands
        tokens = RefreshTokens(keys: commands.verifier.keys)
        issuer = TokenIssuer(keys: commands.verifier.keys)
    }

    private var core: Core { commands.core }
    private var configuration: ServerConfiguration { commands.configuration }

    /// Adds the routes.
    func add(to router: Router<ServerContext>) {
        router.post("/v1/refresh/start") { request, context in
            await respond(request, context) { (start: Start) throws(WireError) in
                try await self.start(start, request, context)
            }
        }
        router.post("/v1/refresh/provider") { request, context in
            await respond(request, context) { (question: IdentityProvider.CodeQuestion) throws(WireError) in
                try checkPage(question.returnTo, request)
                let address = try await commands.served.accounts.address(for: question)
                do {
                    return HTTPAnswer.response(try WireCodec.encode(ProviderAddress(address: address)))
                } catch {
                    throw WireError(.internalFault)
                }
            }
        }
        router.post("/v1/refresh/token") { request, context in
            await respond(request, context) { (named: Named) throws(WireError) in
                try await self.refresh(named.userID, request, context)
            }
        }
        router.post("/v1/refresh/end") { request, context in
            // Also if nobody stays signed in any more.
            await respond(request, context, always: true) { (named: Named) throws(WireError) in
                try await self.end(named.userID, request)
            }
        }
    }

    private struct Start: Decodable {
        var logIn: LogIn
        var token: String?
        var provider: IdentityProvider.CodeAnswer?

        private enum Key: CodingKey { case token, provider }

        init(from decoder: any Decoder) throws {
            logIn = try LogIn(from: decoder)
            let container = try decoder.container(keyedBy: Key.self)
            token = try container.decodeIfPresent(String.self, forKey: .token)
            provider = try container.decodeIfPresent(IdentityProvider.CodeAnswer.self, forKey: .provider)
        }

        /// Whether there is something else to log in with beside a token or an answer of the provider.
        var hasMore: Bool {
            logIn.loginName != nil || logIn.password != nil || logIn.code != nil || token != nil && provider != nil
        }
    }

    private struct ProviderAddress: Encodable { var address: String }

    private struct Named: Decodable { var userID: UserID }

    private struct Answer: Encodable {
        var userID: UserID
        var token: String
        /// When the token and the login expire, in ms since 1970.
        var expiresAt: Int64
        var loginExpiresAt: Int64
    }

    private func respond<Body: Decodable>(
        _ request: Request, _ context: ServerContext, always: Bool = false,
        _ perform: (Body) async throws(WireError) -> Response
    ) async -> Response {
        do throws(WireError) {
            guard always || configuration.keptLoginMs > 0 else {
                throw WireError(.functionUnavailable, "This server does not keep browsers signed in.")
            }
            guard Origins.isOwnPage(request, configuration) else {
                let error = WireError(.noPrivilege, "Only a page of this server itself can stay signed in.")
                core.audit(error, of: "refresh", by: nil, address: context.address, origin: context.origin)
                throw error
            }
            try commands.checkLength(request.headers, context)
            try commands.memory.admitBody()
            let bytes = try await commands.body(of: request, context)
            let body: Body
            do {
                body = try WireCodec.decode(Body.self, from: bytes)
            } catch {
                throw error as? WireError ?? WireError(.dataFormat)
            }
            return try await perform(body)
        } catch {
            return HTTPAnswer.response(error)
        }
    }

    /// Checks that the provider sends the browser to a page of this server.
    private func checkPage(_ address: String, _ request: Request) throws(WireError) {
        // `isOwnPage` has compared the origin.
        guard let origin = request.headers[.origin], address.utf8.count <= 2_000, address.hasPrefix(origin + "/") else {
            throw WireError(.dataFormat, field: "returnTo", "\"returnTo\" must be an address of the page itself.")
        }
    }

    private func start(
        _ start: Start, _ request: Request, _ context: ServerContext
    ) async throws(WireError) -> Response {
        let now = core.effects.now()
        let (identity, time): (Identity, Int64)
        var login: RefreshLogin
        if let token = start.token {
            guard !start.hasMore else {
                throw WireError(.dataFormat, field: "token", "Give a \"token\", or something else to log in with.")
            }
            do throws(WireError) {
                identity = try await commands.verifier.verify(token, now: now)
            } catch {
                commands.refusals.logLogin(error, address: context.address, origin: context.origin)
                throw error
            }
            guard identity.access.host == nil else {
                throw WireError(.noPrivilege, "Visitors do not stay signed in. Use the token itself.")
            }
            time = identity.access.issuedAt
            login = RefreshLogin(identity)
            // Who makes the tokens has decided how long a login may last.
            login.endsAt = identity.access.expiresAt
            // The provider ends logins by removing keys, which would not end this one.
            guard identity.access.expiresAt - now > 2 * Self.leewayMs,
                identity.keyID.map(IdentityProvider.isKeyID) != true
            else {
                throw WireError(
                    .functionUnavailable,
                    "The token is one of an identity provider, or expires too soon to stay signed in. Use the token itself."
                )
            }
        } else if let answer = start.provider {
            guard !start.hasMore else {
                throw WireError(.dataFormat, field: "provider", "Give \"provider\", or something else to log in with.")
            }
            try checkPage(answer.returnTo, request)
            identity = try await commands.served.accounts.prove(answer, from: context.address)
            time = identity.access.issuedAt
            login = RefreshLogin(identity)
            login.keyID = nil
            login.endsAt = now + IdentityProvider.longestLogin
        } else {
            let proven = try await commands.served.accounts.prove(start.logIn, from: context.address)
            (identity, time) = (proven.identity, proven.time)
            login = RefreshLogin(identity)
        }
        if identity.isOperator { login.endsAt = min(login.endsAt ?? .max, now + Self.operatorMs) }
        // The browser forgets the one it had.
        for content in contents(of: identity.userID, request) {
            try await core.endRefresh(content.tokenID, of: identity.userID, keepsDevice: true)
        }
        login = try await core.start(
            login, issuedAt: time, shown: start.token == nil ? nil : identity.access.tokenID,
            lifetime: configuration.keptLoginMs)
        return try await answer(login, request, now: max(now, time))
    }

    private func refresh(
        _ user: UserID, _ request: Request, _ context: ServerContext
    ) async throws(WireError) -> Response {
        let contents = contents(of: user, request)
        for content in contents {
            switch try await core.refresh(
                content.tokenID, number: content.number, of: user, lifetime: configuration.keptLoginMs)
            {
            case .accepted(let login, let now):
                // What a secret has vouched for ends with it.
                if let keyID = login.keyID, !commands.verifier.keys.ids.contains(keyID) {
                    try await core.endRefresh(content.tokenID, of: user)
                    continue
                }
                return try await answer(login, request, now: now)
            case .unknown: continue
            case .copied:
                core.audit(
                    AuditEntry(
                        time: core.effects.now(), event: "refresh.copied", sender: .user, user: user,
                        address: context.address, origin: context.origin, code: ErrorCode.tokenExpired.code))
                return refusal(
                    WireError(
                        .tokenExpired,
                        "The login of this browser was used somewhere else as well, and has ended. Sign in again."),
                    of: user, request)
            }
        }
        let error = WireError(.notAuthenticated, "This browser is not signed in any more. Sign in again.")
        // Another server may know a cookie that this one cannot read.
        return contents.isEmpty ? HTTPAnswer.response(error) : refusal(error, of: user, request)
    }

    /// The most cookies of a user that are tried.
    private static let maxCookies = 4

    /// What the cookies of a user say, as far as they are ones of this server.
    private func contents(of user: UserID, _ request: Request) -> [RefreshTokens.Content] {
        let values = RefreshCookie.values(of: user, in: request.headers[values: .cookie])
        return Array(values.lazy.compactMap { tokens.content(of: $0, user: user) }.prefix(Self.maxCookies))
    }

    private func end(_ user: UserID, _ request: Request) async throws(WireError) -> Response {
        for content in contents(of: user, request) { try await core.endRefresh(content.tokenID, of: user) }
        var response = HTTPAnswer.response(Array("{}".utf8))
        removeCookie(from: &response, of: user, request)
        return response
    }

    private func answer(_ login: RefreshLogin, _ request: Request, now: Int64) async throws(WireError) -> Response {
        // Tokens are taken a bit longer than that.
        let expiresAt = min(login.expiresAt - Self.leewayMs, (now / 1_000 + Self.tokenSeconds) * 1_000)
        let seconds = max(1, expiresAt / 1_000 - now / 1_000)
        let bytes: [UInt8]
        do {
            let token = try await issuer.issue(
                userID: login.userID, name: login.name, imageURL: login.imageURL, isOperator: login.isOperator,
                ttl: seconds, now: now, tokenID: login.tokenID)
            bytes = try WireCodec.encode(
                Answer(
                    userID: login.userID, token: token, expiresAt: expiresAt, loginExpiresAt: login.expiresAt))
        } catch {
            throw error as? WireError ?? WireError(.internalFault)
        }
        var response = HTTPAnswer.response(bytes)
        response.headers[.setCookie] = RefreshCookie.header(
            try tokens.token(of: login), of: login.userID, seconds: (login.expiresAt - now) / 1_000,
            isSecure: isSecure(request))
        return response
    }

    private func refusal(_ error: WireError, of user: UserID, _ request: Request) -> Response {
        var response = HTTPAnswer.response(error)
        removeCookie(from: &response, of: user, request)
        return response
    }

    private func removeCookie(from response: inout Response, of user: UserID, _ request: Request) {
        response.headers[.setCookie] = RefreshCookie.header(nil, of: user, seconds: 0, isSecure: isSecure(request))
    }

    private func isSecure(_ request: Request) -> Bool {
        configuration.certificate != nil || request.headers[.origin]?.lowercased().hasPrefix("https://") == true
    }
}

extension RefreshLogin {
    fileprivate init(_ identity: Identity) {
        self.init(
            userID: identity.userID, tokenID: TokenIssuer.newID(), name: identity.name, imageURL: identity.imageURL,
            isOperator: identity.isOperator, keyID: identity.keyID)
    }
}
