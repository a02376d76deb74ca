import RoostCore
import RoostWire

/// Carries out the commands that need more than the core.
struct ServedCommands: Sendable {
    let core: Core
    let accounts: AccountService
    let pushes: PushSender

    /// Carries out a command of an authenticated sender.
    func perform(_ command: ServedCommand, id: String, as actor: Actor) async throws(WireError) -> [UInt8] {
        do throws(WireError) {
            try actor.check(type(of: command.value).scope)
            try actor.checkVisit(.serve(command))
        } catch {
            core.audit(error, of: type(of: command.value).name, by: actor)
            throw error
        }
        if let refusal = core.admit(.serve(command), from: actor) { throw refusal }
        do throws(WireError) {
            try await core.checkAccess(of: actor)
            return try await answer(command, id: id, as: actor)
        } catch {
            // Passwords report their refusals themselves.
            let reported: [ErrorCode] = [.wrongCredentials, .wrongPassword, .noAccount, .tooManyRequests]
            if !reported.contains(where: { $0 ~= error }) {
                core.audit(error, of: type(of: command.value).name, by: actor)
            }
            throw error
        }
    }

    private func answer(_ command: ServedCommand, id: String, as actor: Actor) async throws(WireError) -> [UInt8] {
        switch command {
        case .logIn(let logIn): return try await accounts.logIn(logIn, from: actor.address)
        case .signUp(let body): return try await accounts.signUp(body, from: actor.address)
        case .startVisit(let body): return try await accounts.startVisit(body, from: actor.address)
        case .authenticate(let body): return try await accounts.authenticate(body, as: actor)
        case .registerAccounts(let body): return try await accounts.register(body, id: id, as: actor)
        case .setAccount(let body): return try await accounts.set(body, id: id, as: actor)
        case .testPush(let test): return try await pushes.test(test, as: actor)
        }
    }
}
