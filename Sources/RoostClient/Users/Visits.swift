public import RoostWire

extension ChatClient {
    /// Makes a visitor: somebody without an account who may talk to the user of a key, and to nobody else.
    ///
    /// Nothing is stored. An app keeps the token, which is valid for 30 days, uses it with `Credentials.token`, and gives it to
    /// the next call, which returns a new one for the same visitor. A client with the token begins the conversation with
    /// `startMessaging(with:)`, the `host` of the answer, and finds it as `channel` of the answer from then on.
    /// - Parameters:
    ///   - server: the address of the server.
    ///   - key: a key with the scope `visitors`, which may be public.
    ///   - name: the name to show, 1 to 200 UTF-16 units; "Visitor" if nil.
    ///   - token: the token of an earlier visit; a new visitor if nil.
    /// - Throws: `.server(.wrongCredentials)` if the key or the token is not valid; `.server(.tokenExpired)` for a token that
    ///   has expired or was ended; `.server(.userBanned)` for a banned visitor; `.server(.dataFormat)` for a name that is not
    ///   allowed; `.server(.tooManyRequests)` after many visits from the network; `.invalidConfiguration` if `server` is not
    ///   an address; `.unreachable` if it cannot be reached.
    public static func startVisit(
        to server: String, key: String, name: String? = nil, token: String? = nil
    ) async throws(RoostError) -> StartVisit.Answer {
        guard let address = ServerAddress(server) else { throw RoostError.notAnAddress(server) }
        return try await HTTPClient.forLogIn(at: address).logIn(StartVisit(key: key, name: name, token: token))
    }
}
