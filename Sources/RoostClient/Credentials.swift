public import RoostWire

/// The credentials of a user.
public struct Credentials: Sendable {
    enum Kind: Sendable {
        case guest(Guest)
        case token(@Sendable () async throws -> String)
        case password(loginName: String, password: String)
    }

    let kind: Kind

    /// A user without a token; only if the server runs in dev mode.
    ///
    /// The default name is the previous one, or the user id.
    public static func guest(_ userID: UserID, name: String? = nil, imageURL: String? = nil) -> Credentials {
        Credentials(kind: .guest(Guest(userID: userID, name: name, imageURL: imageURL)))
    }

    /// A signed token of at most 4 KiB, which names the user.
    ///
    /// The closure is called before each connection attempt, and again a minute
    /// before the token would end the connection, which continues with the new one
    /// without an interruption. If it throws then, or returns the same token, it is called four more
    /// times. If the server says that a token has expired, it is called once more;
    /// the same token again ends the attempt. An error before a connection
    /// is treated like an unreachable server: the client tries again later.
    public static func token(_ provide: @escaping @Sendable () async throws -> String) -> Credentials {
        Credentials(kind: .token(provide))
    }

    /// These credentials for a server: with a password, the token that it is exchanged for.
    func resolved(_ http: HTTPClient?) -> Credentials {
        guard case .password(let loginName, let password) = kind, let http else { return self }
        let login = PasswordLogin(http, LogIn(loginName: loginName, password: password))
        return .token { try await login.provide() }
    }

    var isToken: Bool {
        if case .guest = kind { false } else { true }
    }
}
