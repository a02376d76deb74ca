import RoostCore
import RoostWire

/// People without an account, who may talk to one user.
extension AccountService {
    /// How long the token of a visitor is valid, in seconds.
    static let visitSeconds: Int64 = 30 * 86_400

    /// Begins a visit, or goes on with an earlier one; needs no sender.
    func startVisit(_ start: StartVisit, from address: String?) async throws(WireError) -> [UInt8] {
        if let name = start.name { try TextRules.checkName(name, "name") }
        let now = core.effects.now()
        do throws(WireError) {
            try attempts.countVisit(from: address, now: now)
            let host = try await host(of: start.key)
            try attempts.countVisit(withKey: start.key, now: now)
            let visitor = try await visitor(of: host, start, now: now)
            return try await answer(visitor, host, now: now)
        } catch {
            refusals.logLogin(error, address: address)
            throw error
        }
    }

    /// The user of a key for visitors.
    private func host(of key: String) async throws(WireError) -> UserID {
        let wrong = WireError(
            .wrongCredentials, field: "key",
            "The key is not valid. Create one with: roost key create NAME --scope visitors --of USER")
        guard APIKey.isKey(key) else { throw wrong }
        guard let known = try await core.key(withHash: TokenVerifier.hash(ofKey: key)), known.key.scopes == [.visitors]
        else {
            throw wrong
        }
        return known.key.userID
    }

    private func visitor(of host: UserID, _ start: StartVisit, now: Int64) async throws(WireError) -> User {
        let name = start.name ?? "Visitor"
        guard let token = start.token else { return User(userID: try core.effects.newUserID(), name: name) }
        let identity = try await ownTokens.verify(token, now: now)
        guard identity.access.host == host else {
            throw WireError(.wrongCredentials, field: "token", "The token is not one of a visit to this user.")
        }
        try await core.checkAccess(
            of: RoostCore.Actor(
                user: identity.user, deviceID: "http", isOperator: false, access: identity.access))
        return User(userID: identity.userID, name: start.name ?? identity.name ?? name)
    }

    private func answer(_ visitor: User, _ host: UserID, now: Int64) async throws(WireError) -> [UInt8] {
        do {
            let token = try await issuer.issue(
                userID: visitor.userID, name: visitor.name, ttl: Self.visitSeconds, now: now, use: .visitor,
                host: host)
            return try WireCodec.encode(
                StartVisit.Answer(
                    userID: visitor.userID, host: host, token: token,
                    expiresAt: .init(milliseconds: (now / 1_000 + Self.visitSeconds) * 1_000)))
        } catch {
            throw error as? WireError ?? WireError(.internalFault)
        }
    }
}
