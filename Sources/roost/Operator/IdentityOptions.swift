import ArgumentParser
import Foundation
import RoostServer

/// The options of `roost serve` about an identity provider.
struct IdentityOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The keys of an identity provider whose tokens open sessions, as the address of a JWKS; none if omitted.",
            discussion: "Needs --identity-issuer, and --identity-audience or --identity-client. See docs/accounts.md.",
            valueName: "url"))
    var identityKeys: String?

    @Option(help: "The \"iss\" of the identity provider's tokens; omitted without --identity-keys.")
    var identityIssuer: String?

    @Option(
        help: """
            The \"aud\" of the identity provider's tokens; omitted without --identity-keys, and the client of \
            --identity-client if omitted.
            """)
    var identityAudience: String?

    @Option(
        help: ArgumentHelp(
            "Let people sign in to the page at the identity provider, with this client_id (OpenID Connect); no if omitted.",
            discussion: """
                The provider has to know the address of the page as a redirect URI, and its /.well-known/openid-configuration \
                has to be below --identity-issuer. Needs --keep-logins.
                """, valueName: "id"))
    var identityClient: String?

    @Option(
        help: ArgumentHelp(
            "A file with the client_secret of --identity-client; a public client, with PKCE only, if omitted.",
            valueName: "file"))
    var identityClientSecret: String?

    func validate() throws {
        let hasAudience = identityAudience != nil || identityClient != nil
        guard (identityKeys == nil) == (identityIssuer == nil), (identityKeys == nil) == !hasAudience else {
            throw ValidationError(
                "--identity-keys, --identity-issuer, and --identity-audience or --identity-client belong together.")
        }
        guard identityClient.map({ (1...512).contains($0.utf8.count) }) ?? (identityClientSecret == nil) else {
            throw ValidationError(
                "--identity-client needs 1 to 512 bytes, and --identity-client-secret needs a client.")
        }
    }

    /// The provider; nil without one.
    func provider() throws -> IdentityProvider? {
        guard let identityKeys, let identityIssuer, let audience = identityAudience ?? identityClient else {
            return nil
        }
        var client: IdentityProvider.Client?
        if let identityClient { client = .init(id: identityClient, secret: try identityClientSecret.map(Self.secret)) }
        return IdentityProvider(
            try .init(address: identityKeys, issuer: identityIssuer, audience: audience, client: client))
    }

    private static func secret(inFile path: String) throws -> String {
        let text: String
        do {
            text = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw ValidationError("--identity-client-secret \(path): the file cannot be read.")
        }
        let secret = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !secret.isEmpty else { throw ValidationError("--identity-client-secret \(path): the file is empty.") }
        return secret
    }
}
