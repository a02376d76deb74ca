import NIOCore
import RoostCore
import RoostWire

/// A new token for a connection that stays open.
extension WebSocketSession {
    func renew(_ renewal: RenewSession, id: String, as actor: RoostCore.Actor) {
        var refusal = hub.core.admit(.renew(renewal), from: actor)
        if refusal == nil, tokenLifetime == nil {
            refusal = WireError(.functionUnavailable, "A guest has no token to renew.")
        }
        guard let refusal else {
            let (core, session, user) = (hub.core, sessionID, actor.user.userID)
            return verify(
                renewal.token,
                check: { identity throws(WireError) in
                    guard identity.userID == user else {
                        throw WireError(
                            .notCurrentUser, "The token belongs to another user. Reconnect to change the user.")
                    }
                    try await core.renew(session, of: user, identity.access)
                },
                then: { $0.renewed($1, id: id) })
        }
        // Deferred, because replies to earlier commands may be in progress.
        let hub = hub
        let number = number
        hub.eventLoop.execute { hub.session(number)?.renewed(.failure(refusal), id: id) }
    }

    private func renewed(_ result: Result<Identity, WireError>, id: String) {
        guard state.phase == .live, actor != nil else { return }
        do {
            let identity = try result.get()
            let answer = try WireCodec.encode(
                RenewSession.Answer(expiresAt: .init(milliseconds: identity.access.expiresAt)))
            self.actor?.isOperator = identity.isOperator
            self.actor?.access = identity.access
            keyID = identity.keyID
            tokenLifetime?.renew(expiresAt: identity.access.expiresAt, now: hub.core.effects.now())
            setExpiry()
            reschedule()
            handle(.accepted(answer), id: id)
        } catch {
            handle(.refused(error as? WireError ?? WireError(.internalFault)), id: id)
        }
        finishRound()
    }
}
