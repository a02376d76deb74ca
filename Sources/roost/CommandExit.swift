import ArgumentParser

/// What the program says, and its exit code, when something has ended a command: a wish for help, wrong use, a failure.
struct CommandExit: Error, Equatable {
    /// What goes to standard output.
    var output = ""
    /// What goes to standard error.
    var errors = ""
    /// The exit code.
    var status: Int32

    /// - Parameter columns: The width of the help; that of the terminal when left out.
    init(_ error: any Error, columns: Int? = nil) {
        let code = Roost.exitCode(for: error)
        let message = Roost.fullMessage(for: error, columns: columns)
        status = code == .validationFailure ? ExitStatus.usage : code.rawValue
        if message.isEmpty { return }
        if code.isSuccess { output = message + "\n" } else { errors = Terminal.errorText(message) }
    }
}

extension Roost {
    /// The command that these arguments ask for, or those of the process; it has not run yet.
    /// - Throws: `CommandExit` if they ask for help or are invalid.
    static func command(
        _ arguments: [String]? = nil, columns: Int? = nil
    ) throws(CommandExit) -> any AsyncParsableCommand {
        do {
            var command = try parseAsRoot(arguments)
            if let command = command as? any AsyncParsableCommand { return command }
            // It is the library's own for help.
            try command.run()
            throw ExitCode.success
        } catch {
            throw CommandExit(error, columns: columns)
        }
    }
}
