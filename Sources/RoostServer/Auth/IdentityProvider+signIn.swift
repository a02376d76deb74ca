import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import RoostCore
import RoostWire

extension IdentityProvider.Settings {
    /// The host where people sign in to the page; nil if they do not.
    var signInHost: String? {
        guard client != nil, let parts = URLComponents(string: issuer), let host = parts.percentEncodedHost else {
            return nil
        }
        return parts.port.map { "\(host):\($0)" } ?? host
    }
}

extension IdentityProvider {
    /// What the server is to its provider: a client of OpenID Connect that asks for codes.
    package struct Client: Sendable {
        /// The `client_id`, which is also the `aud` of the tokens that the provider makes for it.
        package var id: String
        /// The `client_secret`; nil for a public client, which proves itself by PKCE only.
        package var secret: String?

        package init(id: String, secret: String?) {
            self.id = id
            self.secret = secret
        }
    }

    /// What the page has got from the provider, and what only the page knows.
    struct CodeAnswer: Decodable, Sendable {
        var code: String
        /// The `code_verifier` of PKCE (RFC 7636).
        var verifier: String
        /// What the token must have.
        var nonce: String
        /// Where the provider has sent the browser.
        var returnTo: String
    }

    /// What the page wants to send to the provider.
    struct CodeQuestion: Decodable, Sendable {
        var state: String
        var nonce: String
        /// The `code_challenge` of PKCE, by SHA-256.
        var challenge: String
        var returnTo: String
    }

    /// Where the provider answers, by its `/.well-known/openid-configuration`.
    struct Endpoints: Sendable {
        var authorization: String
        var token: String
    }

    private struct Discovery: Decodable {
        var issuer: String
        var authorization_endpoint: String
        var token_endpoint: String
    }

    private struct TokenAnswer: Decodable {
        var id_token: String?
        var error: String?
    }

    /// How long a login by the provider lasts at most, in ms: the provider cannot end it.
    static let longestLogin: Int64 = 7 * 86_400_000
    private static let words = 1...512

    /// The address at the provider where the user signs in.
    /// - Throws: `WireError` 7 without a client, 6 for a wrong value, 3 if the provider cannot be reached.
    func address(for question: CodeQuestion, now: Int64) async throws(WireError) -> String {
        let client = try signInClient()
        for (name, text) in [("state", question.state), ("nonce", question.nonce), ("challenge", question.challenge)]
        where !Self.isWord(text) {
            throw WireError(.dataFormat, field: name, "\"\(name)\" must have 1 to 512 of A-Z a-z 0-9 - . _ ~")
        }
        let endpoints = try await endpoints(now: now)
        let query = Self.form([
            ("response_type", "code"), ("client_id", client.id), ("redirect_uri", question.returnTo),
            ("scope", "openid profile"), ("state", question.state), ("nonce", question.nonce),
            ("code_challenge", question.challenge), ("code_challenge_method", "S256"),
        ])
        return endpoints.authorization + (endpoints.authorization.contains("?") ? "&" : "?") + query
    }

    /// Exchanges a code for who the user is.
    /// - Throws: `WireError` 7 without a client, 6 for a wrong value, 1 if the provider does not take the code or its token
    ///   is not right, 3 if the provider cannot be reached.
    func identity(for answer: CodeAnswer, now: Int64) async throws(WireError) -> Identity {
        let client = try signInClient()
        for (name, text) in [("nonce", answer.nonce), ("verifier", answer.verifier)] where !Self.isWord(text) {
            throw WireError(.dataFormat, field: name, "\"\(name)\" must have 1 to 512 of A-Z a-z 0-9 - . _ ~")
        }
        guard (1...4_096).contains(answer.code.utf8.count) else {
            throw WireError(.dataFormat, field: "code", "\"code\" must have 1 to 4096 bytes.")
        }
        let token = try await token(for: answer, of: client, at: try await endpoints(now: now).token)
        let parts: TokenPrevalidator.Parts
        var nonce: String?
        do throws(TokenFault) {
            parts = try TokenPrevalidator.parts(of: token, signedWith: Self.algorithms)
            try TokenPrevalidator.readObject(parts.payload, otherwise: .payload) { reader, key in
                if key == "nonce" { nonce = try reader.string() } else { try reader.skip() }
            }
        } catch {
            throw WireError(.wrongCredentials, "The provider's token is not valid: \(error.reason). Sign in again.")
        }
        let identity = try await identity(
            in: parts, tokenID: TokenVerifier.hash(parts.signed), now: now, audience: client.id)
        guard nonce == answer.nonce else {
            throw WireError(.wrongCredentials, "The provider's token is for another login. Sign in again.")
        }
        guard now < identity.access.expiresAt else {
            throw WireError(.wrongCredentials, "The provider's token has expired. Sign in again.")
        }
        return identity
    }

    private func signInClient() throws(WireError) -> Client {
        guard let client = settings.client else {
            throw WireError(.functionUnavailable, "This server has no identity provider to sign in with.")
        }
        return client
    }

    private func token(
        for answer: CodeAnswer, of client: Client, at address: String
    ) async throws(WireError) -> String {
        var fields = [
            ("grant_type", "authorization_code"), ("code", answer.code), ("redirect_uri", answer.returnTo),
            ("code_verifier", answer.verifier),
        ]
        var request = HTTPClientRequest(url: address)
        request.method = .POST
        request.headers.add(name: "Accept", value: "application/json")
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        if let secret = client.secret {
            // RFC 6749 section 2.3.1: both are encoded as in a form first.
            let pair = Self.encoded(client.id) + ":" + Self.encoded(secret)
            request.headers.add(name: "Authorization", value: "Basic " + Data(pair.utf8).base64EncodedString())
        } else {
            fields.append(("client_id", client.id))
        }
        request.body = .bytes(Array(Self.form(fields).utf8))
        let (status, bytes) = try await response(to: request)
        let body = try? JSONDecoder().decode(TokenAnswer.self, from: Data(bytes))
        guard status == .ok, let token = body?.id_token else {
            guard (400..<500).contains(status.code), status != .tooManyRequests else {
                throw WireError(.accountDatabase, "The identity provider does not answer. Try again.")
            }
            // `invalid_client` is a mistake of the operator, whom it has to reach.
            throw body?.error == "invalid_client"
                ? WireError(
                    .functionUnavailable,
                    "The identity provider does not know this server: check --identity-client and its secret.")
                : WireError(
                    .wrongCredentials, "The identity provider does not accept this login any more. Sign in again.")
        }
        return token
    }

    private func response(to request: HTTPClientRequest) async throws(WireError) -> (HTTPResponseStatus, [UInt8]) {
        do {
            let bytes = try await Self.first(within: patience.fetch) {
                let response = try await Self.client.execute(request, timeout: .seconds(5))
                let body = try await response.body.collect(upTo: Self.maxBytes)
                return (response.status, Array(body.readableBytesView))
            }
            return bytes
        } catch {
            throw WireError(.accountDatabase, "The identity provider does not answer. Try again.")
        }
    }

    /// What the provider says of itself; asked again if it is old.
    private func endpoints(now: Int64) async throws(WireError) -> Endpoints {
        if let known = known, now - known.at < Self.lifetime, now >= known.at { return known.endpoints }
        let issuer = settings.issuer.hasSuffix("/") ? String(settings.issuer.dropLast()) : settings.issuer
        var request = HTTPClientRequest(url: issuer + "/.well-known/openid-configuration")
        request.headers.add(name: "Accept", value: "application/json")
        let (status, bytes) = try await response(to: request)
        guard status == .ok, let found = try? JSONDecoder().decode(Discovery.self, from: Data(bytes)),
            found.issuer == settings.issuer, Settings.isSafe(found.authorization_endpoint),
            Settings.isSafe(found.token_endpoint)
        else {
            throw WireError(
                .accountDatabase,
                "The identity provider's /.well-known/openid-configuration is not the one of \(settings.issuer).")
        }
        let endpoints = Endpoints(authorization: found.authorization_endpoint, token: found.token_endpoint)
        known = (endpoints, now)
        return endpoints
    }

    private static func isWord(_ text: String) -> Bool {
        words.contains(text.utf8.count) && text.utf8.allSatisfy(unreserved.contains)
    }

    private static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    private static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if unreserved.contains(byte) {
                bytes.append(byte)
            } else {
                // RFC 3986 section 2.1: in capital letters.
                bytes += "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\($0)=\(encoded($1))" }.joined(separator: "&")
    }
}
