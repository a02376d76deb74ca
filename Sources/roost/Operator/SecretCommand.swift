import ArgumentParser
import RoostServer

/// The commands for the keys that sign tokens.
struct SecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret",
        abstract: "Change the key that signs tokens, without logging everybody out.",
        discussion: """
            A running server notices the change within a second. Several servers need the same file.

              roost secret rotate --data ./roost-data   # from now on, a new key signs tokens
              roost secret drop --data ./roost-data     # later, when the old tokens have expired
            """,
        subcommands: [Rotate.self, Drop.self])

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate",
            abstract: "Add a key that signs tokens from now on; those of the old one stay valid.")

        @Option(help: "The server's data folder.")
        var data: String

        func run() async throws {
            try change(
                "A new key signs tokens. Tokens of the old one stay valid until: roost secret drop --data \(data)"
            ) { try Secret.rotate(inDirectory: data) }
        }
    }

    struct Drop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "drop",
            abstract: "Remove all keys but the newest: tokens of the others are refused, and their connections closed.")

        @Option(help: "The server's data folder.")
        var data: String

        func run() async throws {
            try change("Only tokens of the newest key are valid.") { try Secret.drop(inDirectory: data) }
        }
    }
}

private func change(_ done: String, _ body: () throws -> Void) throws {
    do {
        try body()
        Terminal.printLine(done)
    } catch let error as SecretError {
        Terminal.printError(error.description)
        throw ExitCode(ExitStatus.refused)
    }
}
