import ArgumentParser

/// The output and the exit code of a command that ends early: for help, invalid usage or a failure.
struct CommandExit: Error, Equatable {
    /// The text for standard output.
    var output = ""
    /// The text for standard error.
    var errors = ""
    /// The exit code.
    var status: Int32

    /// - Parameter columns: The width of the help; the width of the terminal if nil.
    init(_ error: any Error, columns: Int? = nil) {
        let code = Roost.exitCode(for: error)
        let message = Roost.fullMessage(for: error, columns: columns)
        status = code == .validationFailure ? ExitStatus.usage : code.rawValue
        if message.isEmpty { return }
        if code.isSuccess { output = message + "\n" } else { errors = Terminal.errorText(message) }
    }
}

extension Roost {
    /// Parses these arguments, or those of the process, into a command without running it.
    /// - Throws: `CommandExit` if they ask for help or are invalid.
    static func command(
        _ arguments: [String]? = nil, columns: Int? = nil
    ) throws(CommandExit) -> any AsyncParsableCommand {
        do {
            var command = try parseAsRoot(arguments)
            if let command = command as? any AsyncParsableCommand { return command }
            // This is the library's own help command.
            try command.run()
            throw ExitCode.success
        } catch {
            throw CommandExit(error, columns: columns)
        }
    }
}
