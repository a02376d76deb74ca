import RoostCore
import RoostWire

/// Carries out the commands that need more than the core.
struct ServedCommands: Sendable {
    let core: Core
    let accounts: AccountService
    let pushes: PushSender

    /// Carries out a command of an authenticated sender.
    func perform(_ command: ServedCommand, id: String, as actor: Actor) async throws(WireError) -> [UInt8] {
        try actor.check(type(of: command.value).scope)
        if let refusal = core.admit(.serve(command), from: actor) { throw refusal }
        try await core.checkAccess(of: actor)
        switch command {
        case .logIn(let logIn): return try await accounts.logIn(logIn, from: actor.address)
        case .authenticate(let body): return try await accounts.authenticate(body, as: actor)
        case .registerAccounts(let body): return try await accounts.register(body, id: id, as: actor)
        case .setAccount(let body): return try await accounts.set(body, id: id, as: actor)
        case .testPush(let test): return try await pushes.test(test, as: actor)
        }
    }
}
