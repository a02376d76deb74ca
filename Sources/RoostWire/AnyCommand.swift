/// Every command of the protocol, by how it is ordered relative to others on its connection: the closed list.
///
/// `dev/wire` makes the lists of the groups from the types of the commands.
/// The code that executes a group switches over it without `default`, so that the compiler
/// finds all places that a new case needs.
public enum AnyCommand: Hashable, Sendable {
    /// The first frame of a connection.
    indirect case hello(Hello)
    /// A new token for the connection.
    case renew(RenewSession)
    /// It reads stored state.
    case read(ReadingCommand)
    /// It changes stored state under its transID.
    case write(WritingCommand)
    /// It changes nothing durable, or only moves something monotone.
    case move(MovingCommand)
    /// The server carries it out beside the core, and it travels over HTTP only.
    case serve(ServedCommand)

    /// The command inside.
    public var value: any Command {
        switch self {
        case .hello(let value): value
        case .renew(let value): value
        case .read(let command): command.value
        case .write(let command): command.value
        case .move(let command): command.value
        case .serve(let command): command.value
        }
    }

    /// The name on the wire.
    public var name: String { type(of: value).name }

    private static let types: [String: any Command.Type] = {
        let all: [any Command.Type] =
            [Hello.self, RenewSession.self] + ReadingCommand.types + WritingCommand.types + MovingCommand.types
            + ServedCommand.types
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }()

    /// The names of all commands, sorted.
    public static var names: [String] { types.keys.sorted() }

    /// Whether there is a command with this name.
    package static func isKnown(_ name: String) -> Bool { types[name] != nil }

    /// Reads the command with this name from its JSON body.
    /// - Throws: `WireError` 1002 for a name that is not in the list, 6 for a body that does not fit, with the `field`.
    public init(name: String, body: [UInt8]) throws(WireError) {
        guard let type = Self.types[name] else {
            throw WireError(
                .commandNotSupported, "There is no command \"\(name.prefix(64))\". The catalogue lists them all.")
        }
        do {
            self = try WireCodec.decode(type, from: body).any
        } catch let error as WireError {
            throw error
        } catch {
            throw WireCodec.refusal(of: body, as: type, error)
        }
    }

    /// How a command is ordered relative to others on its connection.
    public enum Effect: Sendable {
        /// It reads stored state, and waits for the commands before it.
        case reads
        /// It changes stored state under its transID.
        case writes
        /// It changes nothing that lasts, or only moves something forward, so it takes no transID.
        case moves
    }

    /// How the command is ordered relative to others on its connection.
    public var effect: Effect {
        switch self {
        case .hello, .renew, .read: .reads
        case .write: .writes
        case .move: .moves
        case .serve(let command): command.effect
        }
    }
}

extension ServedCommand {
    /// What it does: it reads, or writes under its transID.
    var effect: AnyCommand.Effect {
        switch self {
        case .registerAccounts, .setAccount: .writes
        case .authenticate, .logIn, .signUp, .startVisit, .testPush: .reads
        }
    }
}
