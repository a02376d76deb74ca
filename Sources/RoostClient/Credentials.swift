public import RoostWire

/// Who a client says that it is.
public struct Credentials: Sendable {
    enum Kind: Sendable {
        case guest(Guest)
        case token(@Sendable () async throws -> String)
    }

    let kind: Kind

    /// A user without a token, where the server runs in dev mode.
    ///
    /// Without a name the server makes one of the id.
    public static func guest(_ userID: UserID, name: String? = nil, imageURL: String? = nil) -> Credentials {
        Credentials(kind: .guest(Guest(userID: userID, name: name, imageURL: imageURL)))
    }

    /// A signed token of at most 4 KiB, which names the user.
    ///
    /// The closure is called before each connection is made, and again a minute
    /// before the token would end it: the connection goes on with the new one,
    /// without an interruption. If it throws then, or has no other token, it is asked four more
    /// times. When the server says that a token has expired, it is asked once more;
    /// the same token again ends the attempt. What it throws before a connection
    /// counts as a server that cannot be reached: tried again later.
    public static func token(_ provide: @escaping @Sendable () async throws -> String) -> Credentials {
        Credentials(kind: .token(provide))
    }

    var isToken: Bool {
        if case .token = kind { true } else { false }
    }
}
